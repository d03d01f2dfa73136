"""Checks of memberships: is it an array of them, and are its rows what they should be?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition.validation import as_numbers

_EXACT = np.finfo(np.float64).eps ** 0.5


def is_membership_array(values: Any) -> bool:
    """Tell whether an argument has two dimensions, and so holds memberships and not labels."""
    n_dimensions = getattr(values, "ndim", None)
    if n_dimensions is None and isinstance(values, list | tuple) and len(values):
        return all(map(_is_row, values)) and len({len(row) for row in values}) == 1
    return n_dimensions == 2


def _is_row(row: Any) -> bool:
    if isinstance(row, tuple):
        # Tuples may well be labels, but not those that hold fractions.
        return any(isinstance(value, float | np.floating) for value in row)
    return isinstance(row, list | np.ndarray)


def as_membership_array(values: Any, name: str) -> Any:
    """Return a 2-D array of real numbers, dense or CSR; its values are not looked at."""
    if sparse.issparse(values):
        array: Any = sparse.csr_array(values)
        if not array.has_canonical_format:
            array = array.copy()
            array.sum_duplicates()
    else:
        array = as_numbers(values, name)
    if array.ndim != 2:
        msg = (
            f"{name} must be an array of memberships of shape (n_samples, n_clusters), "
            f"got {array.ndim} dimension(s)"
        )
        raise ValueError(msg)
    if array.dtype.kind == "O":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            msg = f"{name} must hold real numbers as memberships, got objects: {error}"
            raise TypeError(msg) from error
    if array.dtype.kind not in "biuf":
        msg = (
            f"{name} must hold real numbers as memberships (or be a 1-D array of labels), "
            f"got an array of dtype {array.dtype} and shape {array.shape}"
        )
        raise TypeError(msg)
    return array


class RowRule:
    """What the memberships of each object have to obey, and what is done with them.

    Called with a block of rows as float64, the type they came in, the name of the argument
    and the number of the first row; returns the block to use.
    """

    def __init__(self, *, possibilistic: bool = False, normalize: bool = False) -> None:
        boolean("possibilistic", possibilistic)
        boolean("normalize", normalize)
        if possibilistic and normalize:
            msg = "possibilistic and normalize must not both be True: normalized rows sum to 1"
            raise ValueError(msg)
        self.possibilistic = possibilistic
        self.normalize = normalize

    def __call__(self, block: Any, dtype: np.dtype[Any], name: str, start: int) -> Any:
        sums = np.asarray(block @ np.ones(block.shape[1])).ravel()
        # NaN fails every comparison.
        low = block.data if sparse.issparse(block) else block
        if low.size and not low.min() >= 0:
            _reject(block, lambda values: values >= 0, name, start)
        tolerance = _EXACT if dtype.kind != "f" else np.finfo(dtype).eps ** 0.5
        if self.normalize:
            bad = ~((sums > 0) & np.isfinite(sums))
            if bad.any():
                row = int(np.flatnonzero(bad)[0])
                msg = (
                    f"{name}: memberships of a row must have a positive finite sum to be "
                    f"normalized, got the sum {sums[row]:g} in row {start + row}"
                )
                raise ValueError(msg)
            return _divided(block, sums)
        if self.possibilistic:
            if low.size and not low.max() <= 1 + tolerance:
                _reject(block, lambda values: values <= 1 + tolerance, name, start)
            return block
        if sums.size and not (1 - tolerance <= sums.min() and sums.max() <= 1 + tolerance):
            if not low.max() <= 1 + tolerance:
                _reject(block, lambda values: values <= 1 + tolerance, name, start)
            row = int(np.flatnonzero(~(np.abs(sums - 1) <= tolerance))[0])
            msg = (
                f"{name}: memberships of a row must sum to 1, got {sums[row]:.10g} in row "
                f"{start + row}; use possibilistic=True if they need not, or "
                "ContingencyTable.from_memberships(..., normalize=True) to divide them by it"
            )
            raise ValueError(msg)
        return block


def _reject(
    block: Any, rule: Callable[[NDArray[Any]], NDArray[np.bool_]], name: str, start: int
) -> NoReturn:
    values = block.toarray() if sparse.issparse(block) else block
    row, column = np.argwhere(~rule(values))[0].tolist()
    msg = (
        f"{name}: memberships must lie in [0, 1], got {values[row, column]:g} in row {start + row}"
    )
    raise ValueError(msg)


def _divided(block: Any, sums: NDArray[np.float64]) -> Any:
    if sparse.issparse(block):
        return sparse.csr_array(sparse.diags(1 / sums) @ block)
    return block / sums[:, np.newaxis]
