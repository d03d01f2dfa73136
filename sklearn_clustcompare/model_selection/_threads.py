"""Fits in one thread each: quicker for small data, and the same bits wherever they run.

The threads of OpenMP and BLAS add up sums in an order of their own.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

# What a fit may need has to be loaded before the controller looks for it.
import scipy.linalg  # noqa: F401
import sklearn.cluster  # noqa: F401
from threadpoolctl import ThreadpoolController


@cache
def _controller() -> Any:
    return ThreadpoolController()


def one_thread() -> Any:
    """Return a context in which native code uses one thread.

    The setting of BLAS belongs to the process, so that only its main thread may change it.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return _controller().limit(limits=1, user_api=None if is_main else "openmp")
