"""The hot loops, from arrays to arrays: compiled if they were built, otherwise in NumPy.

Set the environment variable ``SKLEARN_CLUSTCOMPARE_KERNELS`` to ``numpy`` to run those of NumPy.
"""

import os
import sys
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from sklearn_clustcompare._kernels._columns import *
from sklearn_clustcompare._kernels._consensus import *
from sklearn_clustcompare._kernels._numpy import *

_HERE = Path(__file__).resolve().parent


def compiled_elsewhere() -> Path | None:
    """Return the folder of an installed copy with compiled loops, which this one hides.

    Python finds the package in the folder where it is started before the installed one.
    """
    for entry in sys.path:
        kernels = Path(entry, *_HERE.parts[-2:]).resolve()
        names = (f"_compiled{suffix}" for suffix in EXTENSION_SUFFIXES)
        if kernels != _HERE and any((kernels / name).is_file() for name in names):
            return kernels.parent
    return None


def _warn_if_hidden() -> None:
    """Warn that the loops run in NumPy although the installed copy has them compiled."""
    hidden = compiled_elsewhere()
    if hidden is not None:
        warnings.warn(
            f"sklearn_clustcompare is imported from {_HERE.parent}, where its loops are not "
            f"compiled, instead of the compiled copy in {hidden}: start Python in another folder, "
            'or install with "pip install -e ."',
            UserWarning,
            stacklevel=2,
        )


KERNELS = "numpy"
if os.environ.get("SKLEARN_CLUSTCOMPARE_KERNELS") != "numpy":
    try:
        import sklearn_clustcompare._kernels._compiled as _compiled  # type: ignore[import-not-found]
    except ImportError:
        _warn_if_hidden()
    else:
        # A compiled kernel replaces that of its name in NumPy.
        globals().update(
            {
                name: one
                for name, one in vars(_compiled).items()
                if name in globals() and name[0] != "_"
            }
        )
        KERNELS = "compiled"
