"""Structureless data of the same shape as given data.

Each law is a small class that is made from the data and has one method, ``draw``. Only the permuted
columns keep the data, so passing the others to worker processes is cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array

from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare._partition.devices import check_on_host

FloatArray = NDArray[np.floating[Any]]


class Law(Protocol):
    """A law that data sets are drawn from."""

    def draw(self, seed: int) -> FloatArray:
        """Return a data set of the shape of the data."""
        ...


@dataclass(frozen=True)
class NullData:
    """Data sets without clusters, like the data that it was made from by :func:`null_data`.

    ``name`` is the name of the law. A DataFrame gives DataFrames with the same columns and index.
    """

    name: str
    law: Law
    dtype: Any
    wrap: Callable[[FloatArray], Any] | None = None

    def draw(self, seed: int) -> Any:
        """Return the data set of a seed, an integer from 0 to 2**32 - 1."""
        values = self.law.draw(seed).astype(self.dtype, copy=False)
        return values if self.wrap is None else self.wrap(values)


def null_data(null: Any, X: Any) -> NullData:
    """Return the requested law of data without clusters, made from data.

    ``null`` is a name or a callable ``f(X, random_state)`` that gets an integer as its second
    argument. Raises ValueError or TypeError unless it is one of these and the data are finite.
    """
    if not callable(null) and (not isinstance(null, str) or null not in _LAWS):
        msg = f"null must be a callable or one of {options_text(_LAWS, null)}"
        raise ValueError(msg)
    values = read_data(X)
    wrap = _Frame(X.columns, X.index, type(X)) if hasattr(X, "iloc") else None
    if callable(null):
        name = getattr(null, "__name__", repr(null))
        return NullData(name, UserLaw(null, X, values.shape), values.dtype, wrap)
    return NullData(null, _LAWS[null](values), values.dtype, wrap)


def read_data(X: Any) -> FloatArray:
    """Return data as an array of float32 or float64, of at least two objects, all finite."""
    check_on_host(X)
    if issparse(X):
        msg = f"X must be dense, got {type(X).__name__}: call X.toarray()"
        raise TypeError(msg)
    values = check_array(
        X, dtype=[np.float64, np.float32], ensure_all_finite=False, ensure_min_samples=2
    )
    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0]
        msg = f"X must be finite, got {values[row, column]} in row {row}, column {column}"
        raise ValueError(msg)
    return values


# --------------------------------------------------------------------------- laws


class PrincipalBox:
    """Uniform in the box that holds the data and lies along their principal axes."""

    def __init__(self, X: FloatArray) -> None:
        self._mean, coordinates, self._axes = _principal(X)
        self._low, self._high = coordinates.min(axis=0), coordinates.max(axis=0)
        self._n_samples = len(X)

    def draw(self, seed: int) -> FloatArray:
        size = self._n_samples, len(self._axes)
        coordinates = np.random.default_rng(seed).uniform(self._low, self._high, size)
        return _product(coordinates, self._axes) + self._mean


class Box:
    """Uniform in the box of the ranges of the features."""

    def __init__(self, X: FloatArray) -> None:
        self._low, self._high = X.min(axis=0), X.max(axis=0)
        self._shape = X.shape

    def draw(self, seed: int) -> FloatArray:
        return np.random.default_rng(seed).uniform(self._low, self._high, self._shape)


class Gaussian:
    """Gaussian with the mean and the covariance of the data."""

    def __init__(self, X: FloatArray) -> None:
        self._mean, coordinates, axes = _principal(X)
        self._factor = coordinates.std(axis=0, ddof=1)[:, np.newaxis] * axes
        self._n_samples = len(X)

    def draw(self, seed: int) -> FloatArray:
        size = self._n_samples, len(self._factor)
        scores = np.random.default_rng(seed).standard_normal(size)
        return _product(scores, self._factor) + self._mean


class PermutedColumns:
    """The data with the values of each feature in random order."""

    def __init__(self, X: FloatArray) -> None:
        self._X = X

    def draw(self, seed: int) -> FloatArray:
        return np.random.default_rng(seed).permuted(self._X, axis=0)


class UserLaw:
    """A user's function of data and an integer, whose results are checked."""

    def __init__(self, function: Callable[[Any, int], Any], X: Any, shape: tuple[int, ...]) -> None:
        self._function = function
        self._X = X
        self._shape = shape

    def draw(self, seed: int) -> FloatArray:
        values = read_data(self._function(self._X, seed))
        if values.shape != self._shape:
            msg = f"null must return data of the shape of X, {self._shape}, got {values.shape}"
            raise ValueError(msg)
        return values


_LAWS: dict[str, Callable[[FloatArray], Law]] = {
    "pca": PrincipalBox,
    "box": Box,
    "gaussian": Gaussian,
    "permute": PermutedColumns,
}


def _principal(X: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of data, their coordinates along the principal axes, and the axes as rows."""
    mean = X.mean(axis=0, dtype=np.float64)
    left, sizes, axes = np.linalg.svd(X - mean, full_matrices=False)
    return mean, left * sizes, axes


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Multiply matrices without BLAS, whose last bits depend on the number of its threads."""
    return np.einsum("ij,jk->ik", left, right)


@dataclass(frozen=True)
class _Frame:
    """Makes DataFrames of arrays; an object, so that it can be pickled."""

    columns: Any
    index: Any
    kind: Any

    def __call__(self, values: FloatArray) -> Any:
        return self.kind(values, columns=self.columns, index=self.index)
