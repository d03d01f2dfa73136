"""The types of arrays that signatures name."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Positions: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
