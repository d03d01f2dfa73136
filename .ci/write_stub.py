"""Write the stubs that editors read: of the top, of results, and of indices, made by a decorator.

With ``--check`` only compare the files with what would be written.
"""

import inspect
import sys
from pathlib import Path

import sklearn_clustcompare
from sklearn_clustcompare import metrics, results
from sklearn_clustcompare._rendering import RECORDS
from sklearn_clustcompare.indices._record import REGISTERED

MOST = 100
HEAD = '''"""Written by .ci/write_stub.py from the functions themselves."""

'''
OF_METRICS = """from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition.arrays import PartitionLike
"""


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


def imported(module, name):
    """Write the import of a name from where it stands."""
    line = f"from {module} import {name} as {name}\n"
    if len(line) <= MOST:
        return line
    return line.replace("import ", "import (\n    ").rstrip("\n") + ",\n)\n"


def top():
    """Return the stub of the package: the names at the top, and its parts."""
    package = sklearn_clustcompare
    lines = [imported(package.__name__, part) for part in sorted([*package._PARTS, "results"])]
    places = {**package._HOMES, "__version__": "_version"}
    for name, part in sorted(places.items(), key=lambda place: place[::-1]):
        lines.append(imported(f"{package.__name__}.{part}", name))
    return HEAD + "".join(lines) + "\n_PARTS: tuple[str, ...]\n"


def of_results():
    """Return the stub of the classes of results, each from its file."""
    places = sorted((RECORDS[name], name) for name in results.__all__)
    return HEAD + "".join(imported(*place) for place in places)


def of_metrics():
    """Return the stub of the metrics."""
    others = [name for name in metrics.__all__ if name not in REGISTERED]
    imports = [imported(getattr(metrics, name).__module__, name) for name in others]
    indices = [declaration(name) for name in metrics.__all__ if name in REGISTERED]
    imports.sort(key=lambda line: line.split(" import ")[0])
    return HEAD + OF_METRICS + "".join(imports) + "\n" + "".join(indices)


def main():
    """Write the files, or compare them."""
    stubs = ((sklearn_clustcompare, top), (results, of_results), (metrics, of_metrics))
    for module, write in stubs:
        stub = Path(module.__file__).with_suffix(".pyi")
        if "--check" not in sys.argv:
            stub.write_text(write(), encoding="utf-8")
        elif stub.read_text(encoding="utf-8") != write():
            sys.exit(f"{stub} differs from the functions: run python .ci/write_stub.py")


if __name__ == "__main__":
    main()
