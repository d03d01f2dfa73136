"""The door of data: how they are read, and seen by indices, null distributions and estimators.

Distances depend on differences only, and most indices not on units. Products of features lose the
digits in which objects differ if these are far from 0, and squares leave the range of floats. So
columns far from 0 are shifted, and all are divided by a power of two. Both are exact: no digit of
the data changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse, vstack
from scipy.spatial.distance import cdist

from sklearn_clustcompare._array_types import Array, FloatArray
from sklearn_clustcompare._numerics import is_symmetric, largest_finite
from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._partition.arrays import check_on_host

# A column is far from 0 if its middle is so many times its range. Its values then lie within a
# factor of two of each other, so that differences of them are exact.
_FAR = 4.0
# Share of the squared distances that an estimator may lose without a caution.
_LOST = 2.0**-16
# Powers of two between these are floats of all digits.
_COMMON = 1000
# Squares of numbers up to 2 to this power are floats, with room for their sums.
_SQUARES = 480
# Distances by products of matrices are wrong by the root of the rounding of their squares.
_ROUNDED = 1e-6
# Up to so many features differences are as fast as products of matrices.
_FEW_FEATURES = 32
# Squared distances below this share of the squared lengths are computed by differences.
_CANCELED = 2.0**-16
# Numbers in a block of differences.
_BLOCK_SIZE = 2**18
# MiB of distances at a time: larger chunks are slower.
_CHUNK_MEMORY = 64

EUCLIDEAN = ("euclidean", "l2", "nan_euclidean")
OF_DIFFERENCES = (
    *EUCLIDEAN,
    *("sqeuclidean", "seuclidean", "mahalanobis", "minkowski", "chebyshev"),
    *("cityblock", "manhattan", "l1"),
)

# --------------------------------------------------------------------------- read


def check_data(X: Any) -> None:
    """Raise TypeError for what is no data, or none whose values can be read here."""
    has_rows = hasattr(X, "__len__") and not isinstance(X, str | bytes | dict | set | frozenset)
    is_clusterer = hasattr(X, "fit")  # which has a message of its own
    if not (hasattr(X, "shape") or hasattr(X, "__array__") or has_rows or is_clusterer):
        got = "None" if X is None else type(X).__name__
        msg = f"X must be data, with a row for each object, got {got}"
        raise TypeError(msg)
    check_on_host(X)


def check_numbers(X: Any) -> None:
    """Raise for dates and complex numbers, which no index, null distribution or clusterer takes."""
    for where, dtype in _types_of(X):
        if (kind := getattr(dtype, "kind", "O")) in "cmM":
            msg = f"X must hold numbers that are real, got {where} of {dtype}"
            if kind == "c":  # an error of value, in scikit-learn's words
                msg += ": Complex data not supported"
                raise ValueError(msg)
            raise TypeError(msg)


def _types_of(X: Any) -> list[tuple[str, Any]]:
    """Return where data are of a type, and the type, of each column of a frame."""
    if hasattr(getattr(X, "dtypes", None), "items"):
        return [(f"column {name!r}", dtype) for name, dtype in X.dtypes.items()]
    return [("an array", (X if hasattr(X, "dtype") else _as_array(X)).dtype)]


@contextmanager
def needing_numbers(estimator: Any, X: Any) -> Iterator[None]:
    """Say so where an estimator cannot take text for numbers; some take text."""
    try:
        yield
    except (TypeError, ValueError) as error:
        are_numbers = (getattr(dtype, "kind", "O") in "biuf" for _, dtype in _types_of(X))
        if all(are_numbers) or not _is_of_text(error):
            raise
        msg = f"X must hold numbers, as {type(estimator).__name__} takes no text: {error}"
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(msg) from error


def _is_of_text(error: Exception) -> bool:
    return isinstance(error, TypeError) or "onvert" in str(error)


def _as_array(X: Any) -> Array:
    try:
        return np.asarray(X)
    except ValueError as error:
        msg = f"X must be a matrix of objects and features: {error}"
        raise ValueError(msg) from None


def read_numbers(X: Any, *, dtype: Any = np.float64, least: int = 1) -> Any:
    """Return data as an array or a sparse matrix of floats, of some objects, all finite."""
    from sklearn.utils import check_array

    check_data(X)
    check_numbers(X)
    formats = ["csr", "csc", "coo"]
    try:
        values = check_array(
            X, dtype=dtype, accept_sparse=formats, ensure_all_finite=False, ensure_min_samples=least
        )
    except (TypeError, ValueError) as error:
        objects = "two objects or more" if least == 2 else "objects and features"
        rule = "hold numbers" if _is_of_text(error) else f"be a matrix of {objects}"
        msg = f"X must {rule}: {error}"
        raise ValueError(msg) from None
    is_bad = ~np.isfinite(values.data if issparse(values) else values)
    if is_bad.any():
        if issparse(values):
            one = values.tocoo()
            row, column = (at[is_bad][0] for at in (one.row, one.col))
        else:
            row, column = np.argwhere(is_bad)[0]
        msg = f"X must be finite, got {values[row, column]} in row {row}, column {column}"
        raise ValueError(msg)
    _warn_of_rounding(X, values)
    return values


def _warn_of_rounding(X: Any, values: Any) -> None:
    """Warn of integers that are no floats, such as nanoseconds since 1970."""
    if not isinstance(X, np.ndarray) or X.dtype.kind not in "iu":
        return
    with np.errstate(invalid="ignore"):
        is_rounded = values.astype(X.dtype) != X
    if is_rounded.any():
        warn_caller(
            f"X has integers that floats round, such as {X[is_rounded][0]}: subtract a constant "
            "from such columns while they are integers",
        )


def read_distances(X: Any) -> FloatArray:
    """Return the distances of all pairs of objects as an array.

    Pairs that a sparse matrix does not store have no known distance, and are an error.
    """
    values = read_numbers(X)
    _check_square(values, "distances")
    if issparse(values):
        values = values.tocsr(copy=True)
        values.sum_duplicates()
        pairs = values.tocoo()
        n_objects, n_stored = values.shape[0], np.count_nonzero(pairs.row != pairs.col)
        n_missing = n_objects * (n_objects - 1) - n_stored
        if n_missing:
            msg = (
                "X must hold the distances of all pairs of objects, got a sparse matrix without "
                f"{n_missing} of them: pass X.toarray() if these are 0"
            )
            raise ValueError(msg)
        values = values.toarray()
    _check_pairs(values, "distances")
    return values


def read_pairs(X: Any, kind: str) -> Any:
    """Return what a clusterer takes of pairs of objects as an array or a CSR matrix.

    ``kind`` are "distances", "similarities" or "pairs".
    """
    check_data(X)
    check_numbers(X)
    values = X.tocsr() if issparse(X) else _as_array(X)
    if values.dtype.kind not in "iuf":
        try:
            values = values.astype(float)
        except (TypeError, ValueError) as error:
            msg = f"X must hold numbers: {error}"
            raise ValueError(msg) from None
    _check_square(values, kind, ", as the clusterer takes precomputed ones")
    _check_pairs(values, kind)
    return values


def _check_square(values: Any, kind: str, reason: str = "") -> None:
    """Raise ValueError unless a matrix has a row and a column for each object."""
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        msg = f"X must be square, the {kind} between the objects{reason}, got shape {values.shape}"
        raise ValueError(msg)


def _check_pairs(values: Any, kind: str) -> None:
    """Raise ValueError unless a square matrix is one of distances, or of another kind of pairs.

    A sparse one may store a pair in one direction only, such as the neighbors of each object.
    """
    if not issparse(values) and not is_symmetric(values):
        msg = f"X must be symmetric, as {kind} between the objects, got a matrix that is not"
        raise ValueError(msg)
    if kind != "distances" or not values.size:
        return
    lowest, own = values.min(), values.diagonal().max()
    if lowest >= 0 == own:
        return
    rounded = _ROUNDED * largest_finite(values.data if issparse(values) else values)
    if lowest < -rounded:
        msg = f"X must hold distances, which are not negative, got {lowest}"
        raise ValueError(msg)
    if own > rounded:
        msg = (
            f"X must hold distances, which are 0 on the diagonal, got {own}: if these are "
            "similarities, take distances of them, such as their largest value less each of them"
        )
        raise ValueError(msg)


# --------------------------------------------------------------------------- near 0


class Near(NamedTuple):
    """Data as ``values * 2**exponent + shift``, with values up to 1."""

    values: Any
    exponent: int
    shift: FloatArray

    def of(self, values: Any) -> Any:
        """Return other values in the units of the data."""
        return np.ldexp(values, self.exponent) + self.shift


def near(X: Any, *, shifts: bool = True) -> Near:
    """Bring data that were read near 0, if they are far from it, and to values up to 1."""
    shift = _offsets(X)[0] if shifts else np.zeros(X.shape[1])
    values = _less(X, shift)
    stored = values.data if issparse(values) else values
    largest = max(float(stored.max(initial=0.0)), -float(stored.min(initial=0.0)))
    exponent = math.frexp(largest)[1]
    # Products are as exact, and faster, where the power is a float.
    is_common = abs(exponent) < _COMMON
    scaled = stored * 2.0**-exponent if is_common else np.ldexp(stored, -exponent)
    if not issparse(values):
        return Near(scaled, exponent, shift)
    values = values.copy()
    values.data = scaled
    return Near(values, exponent, shift)


def _offsets(X: Any) -> tuple[FloatArray, FloatArray]:
    """Return the shift of each column, 0 if it is near 0, and its range.

    Shifts are multiples of a power of two near the range, so that data that are shifted by such a
    number stay the same to the last bit. Columns with zeros that are not stored are not far away.
    """
    low, high = (
        np.asarray(one.toarray() if issparse(one) else one, np.float64).ravel()
        for one in (X.min(axis=0), X.max(axis=0))
    )
    half, middle = high / 2 - low / 2, high / 2 + low / 2
    unit = np.ldexp(1.0, np.minimum(np.frexp(half)[1], 1023))
    with np.errstate(over="ignore"):
        shift = np.where(half > 0, np.rint(middle / unit) * unit, low)
        is_far = np.abs(middle) / 2 > _FAR * half
    return np.where(is_far, shift, 0.0), half * 2


def _less(X: Any, shift: FloatArray) -> Any:
    """Return data less a number for each column; sparse columns that store all values."""
    if not shift.any():
        return X
    if not issparse(X):
        return X - shift
    columns = X.tocsc(copy=True)
    columns.sum_duplicates()
    columns.data = columns.data - np.repeat(shift, np.diff(columns.indptr))
    return columns.tocsr()


# --------------------------------------------------------------------------- distances


def near_for(X: Any, metric: Any) -> Near:
    """Read data, or distances if these are given, as an index by a metric may see them."""
    if is_precomputed(metric):
        return near(read_distances(X), shifts=False)
    X = read_numbers(X)
    X = X.tocsr() if issparse(X) else X
    if callable(metric) or metric == "haversine":
        return Near(X, 0, np.zeros(X.shape[1]))
    return near(X, shifts=metric in OF_DIFFERENCES)


def is_precomputed(metric: Any) -> bool:
    """Return whether distances are given instead of data."""
    return isinstance(metric, str) and metric == "precomputed"


def euclidean(first: Any, second: Any) -> FloatArray:
    """Return the distances of the rows of both, with nearly all digits."""
    if not issparse(first) and first.shape[1] <= _FEW_FEATURES:
        return cdist(first, second)
    from sklearn.metrics import euclidean_distances
    from sklearn.utils.extmath import row_norms

    squares = euclidean_distances(first, second, squared=True)
    lengths = np.add.outer(row_norms(first, squared=True), row_norms(second, squared=True))
    rows, cols = np.nonzero(squares < _CANCELED * lengths)
    width = first.shape[1]
    if issparse(first):
        width = max((first.nnz + second.nnz) // (first.shape[0] + second.shape[0]), 1)
    step = max(_BLOCK_SIZE // width, 1)
    for start in range(0, len(rows), step):
        at = rows[start : start + step], cols[start : start + step]
        gaps = first[at[0]] - second[at[1]]
        squares[at] = row_norms(gaps, squared=True)
    return np.sqrt(squares, out=squares)


def reduced_blocks(
    X: Any, metric: Any, reduce: Callable[[FloatArray, int], Any], **parameters: Any
) -> Iterable[Any]:
    """Call a function with blocks of the distances of all objects, and the number of the first.

    X is what :func:`near_for` returned. The function may write into the distances.
    """
    from sklearn import get_config
    from sklearn.metrics import pairwise_distances_chunked

    memory = min(get_config()["working_memory"], _CHUNK_MEMORY)
    if metric not in (*EUCLIDEAN, "precomputed") or parameters:
        parameters |= {"metric": metric, "working_memory": memory}
        return pairwise_distances_chunked(X, reduce_func=reduce, **parameters)
    step = max(int(memory * 2**20) // (8 * X.shape[0]), 1)
    starts = range(0, X.shape[0], step)
    if is_precomputed(metric):
        return (reduce(X[start : start + step].copy(), start) for start in starts)
    return (reduce(euclidean(X[start : start + step], X), start) for start in starts)


def all_pairs(X: Any, metric: Any) -> FloatArray:
    """Return the distances of all pairs of objects, in units of their own."""
    blocks = reduced_blocks(near_for(X, metric).values, metric, lambda distances, _: distances)
    return np.concatenate([*blocks])


# --------------------------------------------------------------------------- estimators


def to_fit(X: Any) -> Any:
    """Return data for an estimator or a function of the user, which may write into them."""
    return X.copy() if hasattr(X, "copy") else X


def nearest_centers(X: Any, centers: FloatArray) -> NDArray[np.int32]:
    """Return the number of the nearest center of each object, by differences."""
    X = read_numbers(X)
    shift = _offsets(X)[0]
    moved: Any = centers - shift
    moved = csr_array(moved) if issparse(X) else moved
    return euclidean(_less(X, shift), moved).argmin(axis=1).astype(np.int32)


def near_together(X: Any, new: Any) -> tuple[Any, Any]:
    """Return data to learn from and others to predict, both nearer to 0 by the same shift."""
    X, new = read_numbers(X), read_numbers(new)
    shift = _offsets(vstack([X, new]) if issparse(X) else X)[0]
    return _less(X, shift), _less(new, shift)


BEYOND = "squares are beyond the range of floats"


def has_squares(X: FloatArray) -> bool:
    """Return whether the squares of data are floats, neither too large nor all too small."""
    largest = float(np.max(np.abs(X), initial=0.0))
    return largest == 0 or 2.0**-_SQUARES < largest < 2.0**_SQUARES


def is_far(X: Any) -> bool:
    """Return whether products of features lose digits by which objects differ."""
    values = _numbers_of(X)
    return values is not None and _column_far_away(values) is not None


def caution(estimator: Any, X: Any, *, subtracts_means: bool = False) -> None:
    """Warn if a clusterer that computes products of features may lose digits of these data."""
    values = _numbers_of(X)
    if values is None:
        return
    if not has_squares(values.data if issparse(values) else values):
        reason = f"X has values whose {BEYOND}"
        cure = "divide X by a constant near its largest value"
    elif not subtracts_means and (column := _column_far_away(values)) is not None:
        at, distance, spread = column
        name = repr(X.columns[at]) if hasattr(X, "columns") else at
        reason = f"column {name} of X is {distance:.3g} away from 0 and varies by {spread:.3g} only"
        cure = (
            "subtract a constant near its mean from the column, or put StandardScaler() before the "
            "clusterer in a pipeline"
        )
    else:
        return
    warn_caller(
        f"{reason}: {type(estimator).__name__} may lose the digits in which objects differ, as do "
        f"products of such features; {cure}",
    )


def _numbers_of(X: Any) -> Any:
    """Return finite rows of numbers in an array, a frame or a sparse matrix; None without any.

    Some clusterers take missing values.
    """
    is_frame = hasattr(X, "iloc") and hasattr(X, "to_numpy")
    if not (issparse(X) or isinstance(X, np.ndarray) or is_frame):
        return None
    values = X.tocsr() if issparse(X) else np.asarray(X)
    if values.ndim != 2 or values.dtype.kind not in "fiu":
        return None
    is_finite = np.isfinite(values.data if issparse(values) else values)
    if not is_finite.all():
        values = values[:0] if issparse(values) else values[is_finite.all(axis=1)]
    return None if 0 in values.shape else values


def _column_far_away(X: Any) -> tuple[int, float, float] | None:
    """Return the column that loses the most digits, how far it is, and its range; None if few."""
    shift, spread = _offsets(X)
    far = int(np.abs(shift).argmax())
    distance = float(abs(shift[far]))
    if not distance or not spread.any():
        return None
    epsilon = np.finfo(X.dtype if X.dtype.kind == "f" else np.float64).eps
    lost, kept = (float(np.linalg.norm(one / distance)) ** 2 for one in (shift, spread))
    return None if epsilon * lost <= _LOST * kept else (far, distance, float(spread[far]))
