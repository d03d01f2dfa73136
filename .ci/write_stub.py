"""Write metrics/__init__.pyi: the signatures of indices, which a decorator makes, for editors.

With ``--check`` only compare the file with what would be written.
"""

import inspect
import sys
from pathlib import Path

from sklearn_clustcompare import metrics
from sklearn_clustcompare.indices._record import REGISTERED

MOST = 100
STUB = Path(metrics.__file__).with_suffix(".pyi")
HEAD = '''"""Written by .ci/write_stub.py from the functions themselves."""

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition.arrays import PartitionLike
'''


def declaration(name):
    """Write the signature of an index, one argument in a line as the formatter does."""
    lines, is_keyword = [], False
    for one in inspect.signature(getattr(metrics, name)).parameters.values():
        if one.kind is one.KEYWORD_ONLY and not is_keyword:
            lines.append("*")
            is_keyword = True
        default = "" if one.default is one.empty else f" = {one.default!r}".replace("'", '"')
        stars = "**" if one.kind is one.VAR_KEYWORD else ""
        lines.append(f"{stars}{one.name}: {one.annotation}{default}")
    arguments = "".join(f"    {line},\n" for line in lines)
    return f"def {name}(\n{arguments}) -> float: ...\n"


def imported(name):
    """Write the import of a function that has its own signature."""
    line = f"from {getattr(metrics, name).__module__} import {name} as {name}\n"
    if len(line) <= MOST:
        return line
    return line.replace("import ", "import (\n    ").rstrip("\n") + ",\n)\n"


def stub():
    """Return the text of the file."""
    others = [name for name in metrics.__all__ if name not in REGISTERED]
    imports = sorted(map(imported, others), key=lambda line: line.split(" import ")[0])
    indices = [declaration(name) for name in metrics.__all__ if name in REGISTERED]
    return HEAD + "".join(imports) + "\n" + "".join(indices)


def main():
    """Write the file, or compare it."""
    if "--check" not in sys.argv:
        STUB.write_text(stub(), encoding="utf-8")
    elif STUB.read_text(encoding="utf-8") != stub():
        sys.exit(f"{STUB} differs from the functions: run python .ci/write_stub.py")


if __name__ == "__main__":
    main()
