"""Write the stubs that editors read: of the top, of results, and of functions made by decorators.

With ``--check`` only compare the files with what would be written.
"""

import ast
import inspect
import re
import sys
from functools import partial
from pathlib import Path

import sklearn_clustcompare
from sklearn_clustcompare import (
    candidates,
    checks,
    consensus,
    hierarchies,
    metrics,
    report,
    results,
    significance,
)
from sklearn_clustcompare._rendering import RECORDS

MOST = 100
HEAD = '''"""Written by .ci/write_stub.py from the functions themselves."""

'''
OURS = sklearn_clustcompare.__name__
# Where the types stand that signatures name, unless their part has them.
TYPES = {
    "collections.abc": ("Iterator", "Mapping", "Sequence"),
    "typing": ("Any",),
    "numpy.typing": ("ArrayLike", "NDArray"),
    f"{OURS}._array_types": ("Array", "FloatArray"),
    f"{OURS}._parameters": ("RandomStateLike",),
    f"{OURS}._partition.arrays": ("MatrixLike", "PartitionLike", "PartitionsLike", "TableLike"),
    f"{OURS}.indices": ("IndexLike",),
    f"{OURS}.results": tuple(results.__all__),
}
MODULES = {"datetime": "import datetime\n", "np": "import numpy as np\n"}
# Parts with functions that a decorator makes, and what they import for themselves.
MADE = (metrics, significance, candidates, consensus, hierarchies, report, checks)
TOOLS = {"publish", "PUBLIC", "TYPE_CHECKING"}


def declaration(name, function):
    """Write a signature, one argument in a line as the formatter does."""
    lines, is_keyword = [], False
    signature = inspect.signature(function)
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not is_keyword:
            lines.append("*")
            is_keyword = True
        default = "" if one.default is one.empty else f" = {one.default!r}".replace("'", '"')
        stars = "**" if one.kind is one.VAR_KEYWORD else ""
        lines.append(f"{stars}{one.name}: {one.annotation}{default}")
    arguments = "".join(f"    {line},\n" for line in lines)
    return f"def {name}(\n{arguments}) -> {signature.return_annotation}: ...\n"


def imported(module, name):
    """Write the import of a name from where it stands, as one that others may import."""
    return import_of(module, [f"{name} as {name}"])


def import_of(module, names):
    """Write an import in one line, or in several if that is too long."""
    line = f"from {module} import {', '.join(names)}\n"
    if len(line) <= MOST:
        return line
    listed = "".join(f"    {name},\n" for name in names)
    return f"from {module} import (\n{listed})\n"


def top():
    """Return the stub of the package: the names at the top, and its parts."""
    package = sklearn_clustcompare
    lines = [imported(package.__name__, part) for part in sorted([*package._PARTS, "results"])]
    places = {**package._HOMES, "__version__": "_version"}
    for name, part in sorted(places.items(), key=lambda place: place[::-1]):
        lines.append(imported(f"{package.__name__}.{part}", name))
    return HEAD + "".join(lines) + "\ndef _meant_in_python(name: str) -> str: ...\n"


def of_results():
    """Return the stub of the classes of results, each from its file."""
    places = sorted((RECORDS[name], name) for name in results.__all__)
    return HEAD + "".join(imported(*place) for place in places)


def of_part(part):
    """Return the stub of a part: what it imports, and the functions that are made."""
    made = {name: getattr(part, name) for name in part.__all__}
    made = {name: one for name, one in made.items() if "__signature__" in vars(one)}
    tree = ast.parse(Path(part.__file__).read_text("utf-8"))
    imports = [
        imported(node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name not in {*made, *TOOLS}
    ]
    declared = "".join(declaration(*one) for one in made.items())
    used = {*re.findall(r"\w+", declared)} - {*re.findall(r"\w+", "".join(imports))}
    types = [line for name, line in MODULES.items() if name in used]
    for module, names in TYPES.items():
        if named := [name for name in names if name in used]:
            types.append(import_of(module, named))
    ours = [line for line in types if OURS in line]
    ours = sorted(imports + ours, key=lambda line: re.sub(r"[\s(]+", " ", line))
    numpys = [line for line in types if "numpy" in line]
    others = [line for line in types if line not in {*ours, *numpys}]
    groups = filter(None, map("".join, (others, numpys, ours, [declared])))
    return HEAD + "\n".join(groups)


def main():
    """Write the files, or compare them."""
    of_parts = ((part, partial(of_part, part)) for part in MADE)
    stubs = ((sklearn_clustcompare, top), (results, of_results), *of_parts)
    for module, write in stubs:
        stub = Path(module.__file__).with_suffix(".pyi")
        if "--check" not in sys.argv:
            stub.write_text(write(), encoding="utf-8")
        elif stub.read_text(encoding="utf-8") != write():
            sys.exit(f"{stub} differs from the functions: run python .ci/write_stub.py")


if __name__ == "__main__":
    main()
