"""Versions of all that results depend on, for bug reports."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sklearn_clustcompare._kernels import KERNELS, compiled_elsewhere
from sklearn_clustcompare._version import __version__

__all__ = ["show_versions"]

_REQUIRED = ("scikit-learn", "numpy", "scipy", "joblib", "threadpoolctl")
_OPTIONAL = ("pandas", "matplotlib", "tqdm", "dask", "distributed")


def show_versions() -> None:
    """Print the versions of Python, the package and its dependencies, for bug reports.

    Also printed are the folder of the package, and whether its hot loops run compiled or in NumPy.

    See Also
    --------
    sklearn.show_versions : Versions that scikit-learn depends on, and its libraries of threads.

    Examples
    --------
    >>> from sklearn_clustcompare import show_versions
    >>> show_versions()  # doctest: +ELLIPSIS
    System:
    ...
    Packages:
    sklearn_clustcompare: ...
            scikit-learn: ...
    ...
    """
    system = {
        "python": sys.version.replace("\n", " "),
        "executable": sys.executable,
        "machine": platform.platform(),
    }
    packages = {
        "sklearn_clustcompare": __version__,
        **{name: _installed(name) for name in _REQUIRED + _OPTIONAL},
        "folder": Path(__file__).parent,
        "kernels": _kernels(),
    }
    for title, values in (("System", system), ("Packages", packages)):
        width = max(map(len, values))
        print(f"{title}:", *(f"{name:>{width}}: {text}" for name, text in values.items()), sep="\n")


def _kernels() -> str:
    if KERNELS == "compiled":
        return "compiled"
    hidden = compiled_elsewhere()
    return "NumPy" if hidden is None else f"NumPy, although those in {hidden} are compiled"


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
