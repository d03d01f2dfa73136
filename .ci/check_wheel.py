"""Check a wheel: it holds the files of the package and nothing else, and no path of a machine."""

import re
import sys
from pathlib import Path
from zipfile import ZipFile

PACKAGE = "sklearn_clustcompare"
DATA = {".py", ".pyi", ".css", ".js", ".typed"}
COMPILED = (".so", ".pyd")
# Folders in which people and services build.
BUILT_IN = rb"(?:/(?:home|root|Users|opt|work|tmp|private|builds?)/|[A-Z]:[\\/])[\w.-]+"


def main(path: str) -> None:
    """Print what the wheel holds, or exit with a list of what is wrong."""
    root = Path(__file__).parents[1]
    expected = {
        file.relative_to(root).as_posix()
        for file in (root / PACKAGE).rglob("*")
        if file.suffix in DATA
    }
    with ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        found = {name for name in names if not name.endswith(COMPILED)}
        paths = {
            f"{name}: {hit.decode()}"
            for name in wheel.namelist()
            for hit in re.findall(BUILT_IN, wheel.read(name))
        }
    compiled = names - found
    problems = [
        *(["no compiled kernels"] if not compiled and not path.endswith("-any.whl") else []),
        *(f"missing: {name}" for name in sorted(expected - found)),
        *(f"unexpected: {name}" for name in sorted(found - expected)),
        *(f"path of a machine in {one}" for one in sorted(paths)),
    ]
    if problems:
        sys.exit("\n".join([path, *problems]))
    print(f"{Path(path).name}: {len(found)} files, {len(compiled)} compiled")


main(sys.argv[1])
