"""Input of other packages in the forms that are read, without importing these packages."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_data_array(values: Any) -> bool:
    """Return whether an argument is a DataArray of xarray."""
    return hasattr(values, "dims") and hasattr(values, "to_pandas") and hasattr(values, "ndim")


def plain(values: Any) -> Any:
    """Return a DataArray of xarray as pandas has it, or what it holds; all others unchanged.

    Coordinates of its objects and of its clusters become the index and the names of the columns.
    """
    if type(values) is np.ndarray or not is_data_array(values):
        return values
    is_in_memory = isinstance(values.data, np.ndarray)
    return values.to_pandas() if is_in_memory and values.ndim in (1, 2) else values.data
