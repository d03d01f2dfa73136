"""A compiled copy elsewhere is told of."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sklearn_clustcompare


@pytest.mark.slow
def test_a_copy_that_is_not_compiled_tells_of_the_one_that_it_hides(tmp_path):
    """Python finds the sources in the folder where it is started before the installed package."""
    pytest.importorskip("sklearn_clustcompare._kernels._compiled")
    package = Path(sklearn_clustcompare.__file__).parent
    copy = tmp_path / package.name
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("_compiled*", "__pycache__"))
    code = "import sklearn_clustcompare; sklearn_clustcompare.show_versions()"
    for folder, is_hidden in [(tmp_path, True), (package.parent, False)]:
        run = subprocess.run(
            [sys.executable, "-W", "always", "-c", code],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(package.parent)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"folder: {folder / package.name}\n" in run.stdout
        assert (f"NumPy, although those in {package} are compiled" in run.stdout) is is_hidden
        assert (f"UserWarning: {package.name} is imported from {copy}" in run.stderr) is is_hidden
