"""Count what a maintainer must read, and fail where a number exceeds the one in ``setup.cfg``.

    python .ci/count.py

A line of code holds more than a comment or a docstring. Whoever raises a number says in the same
change what it buys.
"""

import ast
import sys
import tokenize
from collections.abc import Iterable
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import sklearn_clustcompare  # noqa: E402

NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def code_lines(path: Path) -> int:
    """Return the number of lines of a module that hold code."""
    with path.open("rb") as file:
        tokens = [one for one in tokenize.tokenize(file.readline) if one.type not in NO_CODE]
    lines = {line for one in tokens for line in range(one.start[0], one.end[0] + 1)}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


def written_lines(paths: Iterable[Path]) -> int:
    """Return the number of lines that are not blank."""
    return sum(1 for path in paths for line in path.read_text("utf-8").splitlines() if line.strip())


def modules_without_tests(package: Path) -> list[str]:
    """Return the modules without a file of tests of their name, in the folder of the same name."""
    modules = (path.relative_to(package) for path in package.rglob("*.py"))
    return [
        path.as_posix()
        for path in modules
        if not path.stem.startswith("__")
        and not (ROOT / "tests" / path.parent / f"test_{path.stem.lstrip('_')}.py").exists()
    ]


def counts() -> dict[str, int]:
    """Return the numbers by their names in ``setup.cfg``."""
    package = ROOT / "sklearn_clustcompare"
    modules = {path: code_lines(path) for path in package.rglob("*.py")}
    others = [path for end in ("h", "pyx", "js") for path in package.rglob(f"*.{end}")]
    pages = (ROOT / "doc").rglob("*.rst")
    return {
        "lines of the package": sum(modules.values()),
        "files of the package": len(modules),
        "lines of its largest file": max(modules.values()),
        "lines of C, Cython and JavaScript": written_lines(others),
        "names at the top": len(sklearn_clustcompare.__all__),
        "lines of tests": sum(map(code_lines, (ROOT / "tests").rglob("*.py"))),
        "modules without tests of their name": len(modules_without_tests(package)),
        "lines of benchmarks": sum(map(code_lines, (ROOT / "benchmarks").rglob("*.py"))),
        "words of pages": sum(len(path.read_text("utf-8").split()) for path in pages),
    }


def main() -> None:
    """Print the counts, and exit with those that are too large."""
    config = ConfigParser()
    config.read(ROOT / "setup.cfg", "utf-8")
    limits = config["counts"]
    found = counts()
    for name, number in found.items():
        print(f"{number:7,d} of at most {limits.getint(name):7,d} {name}")
    above = [name for name, number in found.items() if number > limits.getint(name)]
    sys.exit(f"more than setup.cfg allows: {', '.join(above)}" if above else 0)


if __name__ == "__main__":
    main()
