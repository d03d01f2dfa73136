"""Write the address of the repository wherever it belongs: once, before the first release.

python .ci/set_address.py https://...
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(address: str) -> None:
    """Fill in pyproject.toml, CITATION.cff and the recipe, and make links of README absolute."""
    address = address.rstrip("/")
    urls = "\n".join(
        f'{name} = "{address}{path}"'
        for name, path in {
            "Repository": "",
            "Documentation": "/tree/main/doc",
            "Issues": "/issues",
            "Changelog": "/blob/main/doc/whats_new.rst",
        }.items()
    )
    edit(
        "pyproject.toml",
        r"\n\[project\.scripts\]",
        f"\n[project.urls]\n{urls}\n\n[project.scripts]",
    )
    edit("CITATION.cff", r"\nlicense: ", f'\nrepository-code: "{address}"\nlicense: ')
    edit(".ci/recipe.yaml", r"\n  license: ", f"\n  repository: {address}\n  license: ")
    edit("README.rst", r"image:: (?=doc/)", f"image:: {address}/raw/main/")
    edit("README.rst", r"<(?=doc/|benchmarks/|[A-Z]+\.)", f"<{address}/blob/main/")


def edit(name: str, pattern: str, text: str) -> None:
    """Replace all occurrences, of which there must be some, in a file without the address."""
    path = ROOT / name
    new, number = re.subn(pattern, text, path.read_text("utf-8"))
    if not number:
        sys.exit(f"{name} has no {pattern!r}")
    path.write_text(new, "utf-8")


main(sys.argv[1])
