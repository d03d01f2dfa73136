"""What bug reports contain."""

import platform
import re
import sys
import tomllib

import numpy as np
import sklearn

import sklearn_clustcompare
from sklearn_clustcompare import _show_versions, show_versions
from tests._files import REPOSITORY


def _shown(capsys):
    show_versions()
    lines = capsys.readouterr().out.splitlines()
    return dict(line.strip().split(": ", 1) for line in lines if ": " in line)


def test_versions_are_those_that_run(capsys):
    shown = _shown(capsys)
    assert shown["python"].split()[0] == platform.python_version()
    assert shown["executable"] == sys.executable
    assert shown["sklearn_clustcompare"] == sklearn_clustcompare.__version__
    assert shown["scikit-learn"] == sklearn.__version__
    assert shown["numpy"] == np.__version__
    assert shown["kernels"] in ("compiled", "NumPy")


def test_package_that_is_missing_is_named(capsys, monkeypatch):
    monkeypatch.setattr(_show_versions, "_OPTIONAL", ("no-such-package",))
    assert _shown(capsys)["no-such-package"] == "not installed"


def test_both_forms_of_the_kernels_have_a_text(capsys, monkeypatch):
    monkeypatch.setattr(_show_versions, "KERNELS", "compiled")
    assert _shown(capsys)["kernels"] == "compiled"
    monkeypatch.setattr(_show_versions, "KERNELS", "numpy")
    assert _shown(capsys)["kernels"] == "NumPy"


def test_packages_are_the_dependencies():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [project["optional-dependencies"][name] for name in ("pandas", "plot", "progress")]
    extras.append(project["optional-dependencies"]["dask"])

    def names(requirements):
        return {re.match(r"[\w-]+", requirement)[0] for requirement in requirements}

    assert set(_show_versions._REQUIRED) == names(project["dependencies"])
    assert set(_show_versions._OPTIONAL) == names(sum(extras, [])) | {"distributed"}
