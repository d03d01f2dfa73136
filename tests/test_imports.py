"""Imports that import-linter cannot see: by name at run time, and inside of functions."""

import re
from pathlib import Path

import pytest

import sklearn_clustcompare

ROOT = Path(sklearn_clustcompare.__file__).parent
# Modules that load names at their first use, the command and the plugin of pytest.
TOP = {"__init__.py", "results.py", "cli", "_pytest_plugin.py"}
FILES = [path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] not in TOP]
# Packages that are optional, or slow to import, and the kernels that need not be compiled.
LAZY = ("dask", "matplotlib", "pandas", "pytest", "tqdm", "sklearn_clustcompare._kernels._compiled")
LAZY += ("sklearn.", "fcntl", "msvcrt")  # takes a second, or is of one system
LAZY += ("sklearn_clustcompare.plot._ticks",)  # imports Matplotlib

FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:    .*\n|\n)+", re.MULTILINE)
INDENTED = re.compile(r"^[ \t]+(?:from ([\w.]+) import|import ([\w.]+)(?: as \w+)?$)", re.MULTILINE)
BY_NAME = re.compile(r"\b(?:from importlib import|import importlib$|__import__\()", re.MULTILINE)


def hidden_imports(source):
    """List the modules that are imported in functions, and what imports modules by name."""
    found = [first or second for first, second in INDENTED.findall(FOR_TYPES.sub("", source))]
    return [name for name in found if not f"{name}.".startswith(LAZY)] + BY_NAME.findall(source)


def test_layers_have_no_hidden_imports():
    found = {path: hidden_imports(path.read_text(encoding="utf-8")) for path in FILES}
    assert len(found) > 100
    upwards = {path.stem: names for path, names in found.items() if names}
    assert upwards == {
        # The default reference is a consensus.
        "_matching": [
            "sklearn_clustcompare.consensus",
            "sklearn_clustcompare.consensus._posterior",
        ],
        # A comparison makes the results that have the credible balls.
        "_posterior": ["sklearn_clustcompare.consensus._consensus"],
    }


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f():\n    from sklearn_clustcompare.indices import Index", 1),
        ("def f():\n    import sklearn_clustcompare.indices", 1),
        ("if TYPE_CHECKING:\n    import a\n\ndef f():\n    import b", 1),
        ("from importlib import import_module", 1),
        ("import importlib", 1),
        ("__import__('sklearn_clustcompare')", 1),
        ("class A:\n    def f(self):\n        import pandas as pd", 0),
        ("from importlib.resources import files", 0),
        ("from sklearn_clustcompare.indices import Index", 0),
        ("def f():\n    from sklearn.utils import check_array", 0),
    ],
)
def test_hidden_imports_are_found(source, found):
    assert len(hidden_imports(source)) == found
