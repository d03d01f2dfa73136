"""Structureless data of the same shape as given data: names of laws, and what is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from scipy.sparse import issparse

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._clusterers import read_pairs
from sklearn_clustcompare._data import Near, near, read_numbers, to_fit
from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare.without_reference._laws.boxes import Box, PermutedColumns, PrincipalBox
from sklearn_clustcompare.without_reference._laws.copula import Copula
from sklearn_clustcompare.without_reference._laws.distances import DistancesOf, points_of
from sklearn_clustcompare.without_reference._laws.elliptical import Elliptical
from sklearn_clustcompare.without_reference._laws.rates import Rates, is_counts
from sklearn_clustcompare.without_reference._laws.repeats import Rows
from sklearn_clustcompare.without_reference._laws.sparse import SparseCopula
from sklearn_clustcompare.without_reference._laws.spectrum import Gaussian, SigClust
from sklearn_clustcompare.without_reference._resamples import Square


class Law(Protocol):
    """A law that data sets are drawn from."""

    def draw(self, seed: int) -> FloatArray:
        """Return a data set of the shape of the data."""
        ...


@dataclass(frozen=True)
class NullData:
    """Data sets without clusters, like the data that it was made from by :func:`laws_of`.

    ``name`` is the name of the law. A DataFrame gives DataFrames with the same columns and index.
    """

    name: str
    law: Law
    dtype: Any
    wrap: Callable[[FloatArray], Any] | None = None
    units: Near | None = None

    def draw(self, seed: int) -> Any:
        """Return the data set of a seed, an integer from 0 to 2**32 - 1."""
        values = self.law.draw(seed)
        values = values if self.units is None else self.units.of(values)
        values = values.astype(self.dtype, copy=False)
        return values if self.wrap is None else self.wrap(values)


def laws_of(null: Any, X: Any, *, most_ends: int = 0) -> tuple[NullData, ...]:
    """Return the requested laws of data without clusters, made from data.

    ``null`` is a name, a callable ``f(X, random_state)`` that gets an integer as its second
    argument, or a list of these. "auto" stands for all laws that suit the data. The copula keeps
    ``most_ends`` values at most at both ends of a column. Raises ValueError or TypeError unless
    ``null`` is one of these and the data are finite.
    """
    if isinstance(X, Square):
        return _laws_of_pairs(null, X)
    given = _read_names(null)
    values = read_data(X)
    units = None if issparse(values) else near(values)
    laws = []
    for name, one in _chosen(given, values).items():
        # Rates are of counts as they are, and functions get what was given.
        own = None if callable(one) or one == "rates" else units
        law = _law(one, X, values if own is None else own.values, most_ends)
        laws.append(NullData(name, law, values.dtype, _wrapper(X), own))
    return tuple(laws)


def distance_laws_of(null: Any, D: Any) -> tuple[NullData, ...]:
    """Return laws of square matrices of distances: those of points with these distances.

    A callable gets the matrix. Raises ValueError or TypeError as :func:`laws_of`, and where the
    distances are far from those of points.
    """
    given = _read_names(null)
    values = read_data(D)
    units = near(values, shifts=False)
    points = np.empty((0, 0)) if all(map(callable, given)) else points_of(units.values)
    return tuple(
        NullData(
            name,
            UserLaw(one, D, values.shape) if callable(one) else DistancesOf(_LAWS[one](points)),
            values.dtype,
            _wrapper(D),
            None if callable(one) else units,
        )
        for name, one in _chosen(given, points).items()
    )


def _laws_of_pairs(null: Any, X: Square) -> tuple[NullData, ...]:
    """Return laws of a square matrix, which are known by name for all distances only."""
    are_known = X.kind == "distances" and not issparse(X.values)
    if not are_known and not all(map(callable, _read_names(null))):
        what = f"a sparse graph of {X.kind}" if issparse(X.values) else X.kind
        msg = (
            "null must be a function f(X, random_state) of your own: a test against structureless "
            f"data is available for the distances of all pairs of objects, not for {what}; "
            f"got {null!r}"
        )
        raise ValueError(msg)
    wrap = partial(_as_square, X.kind)
    return tuple(replace(law, wrap=wrap) for law in distance_laws_of(null, X.values))


def _as_square(kind: str, values: Any) -> Square:
    return Square(read_pairs(values, kind), kind)


def read_data(X: Any) -> Any:
    """Return data as float32 or float64, of at least two objects, all finite."""
    return read_numbers(X, dtype=[np.float64, np.float32], least=2)


# --------------------------------------------------------------------------- names

_LAWS: dict[str, Callable[[FloatArray], Law]] = {
    "copula": Copula,
    "elliptical": Elliptical,
    "pca": PrincipalBox,
    "rates": Rates,
    "gaussian": Gaussian,
    "sigclust": SigClust,
    "box": Box,
    "permute": PermutedColumns,
}
NAMES = ("auto", *_LAWS)
# Other laws would fill the zeros of sparse data.
_SPARSE_LAWS: dict[str, Callable[[Any], Law]] = {
    "copula": SparseCopula,
    "permute": partial(SparseCopula, most_factors=0),
}


def check_null(null: Any) -> None:
    """Raise ValueError unless it is a name, a function or a list of them."""
    _read_names(null)


def _read_names(null: Any) -> list[Any]:
    given = list(null) if isinstance(null, list | tuple) else [null]
    for one in given:
        if not callable(one) and (not isinstance(one, str) or one not in NAMES):
            msg = f"null must be a callable, a list or one of {options_text(NAMES, one)}"
            raise ValueError(msg)
    return given


def _chosen(given: Sequence[Any], X: FloatArray) -> dict[str, Any]:
    """Return what was given by name, "auto" replaced by the laws that suit the data."""
    laws = [law for one in given for law in (_auto(X) if one == "auto" else [one])]
    chosen = {one if isinstance(one, str) else _name(one): one for one in laws}
    if not laws or len(chosen) < len(laws):
        msg = f"null must hold one law or several different ones, got {given!r}"
        raise ValueError(msg)
    return chosen


def _auto(X: FloatArray) -> Sequence[str]:
    """Return the laws that suit data: discrete columns, which have ties, differ from any box."""
    if issparse(X):
        return ("copula",)
    laws = ["copula", "elliptical"]
    if is_counts(X):
        laws.append("rates")
    if not Rows.of(X).is_discrete.any():
        laws.append("pca")
    return laws


def _law(null: Any, X: Any, values: FloatArray, most_ends: int) -> Law:
    if not isinstance(null, str):
        return UserLaw(null, X, values.shape)
    if issparse(values) and null not in _SPARSE_LAWS:
        msg = f"null must be a callable or one of {options_text(_SPARSE_LAWS, null)} for sparse X"
        raise ValueError(msg)
    if null == "copula" and not issparse(values):
        return Copula(values, most_ends)
    return (_SPARSE_LAWS if issparse(values) else _LAWS)[null](values)


def _name(function: Any) -> str:
    return getattr(function, "__name__", repr(function))


def _wrapper(X: Any) -> _Frame | None:
    return _Frame(X.columns, X.index, type(X)) if hasattr(X, "iloc") else None


class UserLaw:
    """A user's function of data and an integer, whose results are checked."""

    def __init__(self, function: Callable[[Any, int], Any], X: Any, shape: tuple[int, ...]) -> None:
        self._function = function
        self._X = X
        self._shape = shape

    def draw(self, seed: int) -> FloatArray:
        values = read_data(self._function(to_fit(self._X), seed))
        if values.shape != self._shape:
            msg = f"null must return data of the shape of X, {self._shape}, got {values.shape}"
            raise ValueError(msg)
        return values


@dataclass(frozen=True)
class _Frame:
    """Makes DataFrames of arrays; an object, so that it can be pickled."""

    columns: Any
    index: Any
    kind: Any

    def __call__(self, values: FloatArray) -> Any:
        return self.kind(values, columns=self.columns, index=self.index)
