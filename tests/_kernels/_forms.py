"""The kernels in each form that is installed."""

import contextlib
import importlib

import pytest


def each_form(numpy_form):
    """Call a test with the module of the kernels in NumPy, and with the compiled ones."""
    forms = {"numpy": numpy_form}
    with contextlib.suppress(ImportError):
        forms["compiled"] = importlib.import_module("sklearn_clustcompare._kernels._compiled")
    return pytest.mark.parametrize("kernels", forms.values(), ids=forms)
