"""Imports that import-linter cannot see: by name at run time, and inside of functions."""

import ast
from pathlib import Path

import pytest

import sklearn_clustcompare

ROOT = Path(sklearn_clustcompare.__file__).parent
# The package that loads its names at their first use, the command and the plugin of pytest.
TOP = {"__init__.py", "cli", "_pytest_plugin.py"}
FILES = sorted(path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] not in TOP)
# Packages that are optional, or slow to import, are imported where they are used.
LAZY = {"dask", "matplotlib", "pandas", "pytest", "tqdm"}


def imported(node):
    """List the modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) else []


def hidden_imports(source):
    """List the modules that are imported in functions, and what imports modules by name."""
    tree = ast.parse(source)
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    ]
    inside = [
        name for function in functions for node in ast.walk(function) for name in imported(node)
    ]
    by_name = [
        name for node in ast.walk(tree) for name in imported(node) if name in ("importlib", "imp")
    ] + [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in ("__import__", "eval", "exec")
    ]
    return [name for name in inside if name.partition(".")[0] not in LAZY] + by_name


def test_layers_have_no_hidden_imports():
    found = {path: hidden_imports(path.read_text(encoding="utf-8")) for path in FILES}
    assert len(found) > 200
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f():\n    from sklearn_clustcompare.indices import Index", 1),
        ("from importlib import import_module", 1),
        ("import importlib", 1),
        ("__import__('sklearn_clustcompare')", 1),
        ("class A:\n    def f(self):\n        import pandas as pd", 0),
        ("from importlib.resources import files", 0),
        ("from sklearn_clustcompare.indices import Index", 0),
    ],
)
def test_hidden_imports_are_found(source, found):
    assert len(hidden_imports(source)) == found
