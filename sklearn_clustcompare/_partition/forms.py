"""Input of other packages in the forms that are read, without importing these packages."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_clustcompare._partition.devices import is_on_device, to_host


def is_data_array(values: Any) -> bool:
    """Return whether an argument is a DataArray of xarray."""
    return hasattr(values, "dims") and hasattr(values, "to_pandas") and hasattr(values, "ndim")


def plain(values: Any) -> Any:
    """Return a DataArray of xarray as pandas has it, and an array on a device as one on the host.

    Coordinates of its objects and of its clusters become the index and the names of the columns.
    All other input is returned unchanged.
    """
    if type(values) is np.ndarray:
        return values
    if is_on_device(values):
        return to_host(values)
    if not is_data_array(values):
        return values
    is_in_memory = isinstance(values.data, np.ndarray)
    return values.to_pandas() if is_in_memory and values.ndim in (1, 2) else values.data
