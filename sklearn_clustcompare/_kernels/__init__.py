"""The hot loops, from arrays to arrays: compiled if they were built, otherwise in NumPy.

Set the environment variable ``SKLEARN_CLUSTCOMPARE_KERNELS`` to ``numpy`` to run those of NumPy.
"""

import os

from sklearn_clustcompare._kernels._consensus import *
from sklearn_clustcompare._kernels._elsewhere import warn_if_hidden
from sklearn_clustcompare._kernels._numpy import *

KERNELS = "numpy"
if os.environ.get("SKLEARN_CLUSTCOMPARE_KERNELS") != "numpy":
    try:
        import sklearn_clustcompare._kernels._compiled as _compiled  # type: ignore[import-not-found]
    except ImportError:
        warn_if_hidden()
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
