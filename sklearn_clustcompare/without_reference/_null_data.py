"""Structureless data: names of laws, what is read, and a statistic of data and of such data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.stats import t as student

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._clusterers import read_pairs
from sklearn_clustcompare._data import Near, near, read_numbers, to_fit
from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare._tasks import n_workers
from sklearn_clustcompare.without_reference._fits import (
    caught_warnings,
    cluster_many,
    run_fits,
    sets_at_once,
    warn_once,
)
from sklearn_clustcompare.without_reference._laws import (
    Box,
    Copula,
    DistancesOf,
    Elliptical,
    Gaussian,
    Law,
    PermutedColumns,
    PrincipalBox,
    Rates,
    Rows,
    SigClust,
    SparseCopula,
    is_counts,
    points_of,
)
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Square,
    take_rows,
    values_of,
)


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
    given = read_names(null)
    values = read_data(X)
    units = None if issparse(values) else near(values)
    laws = []
    for name, one in _chosen(given, values).items():
        # Rates are of counts as they are, and functions get what was given.
        own = None if callable(one) or one == "rates" else units
        law = _law(one, X, values if own is None else own.values, most_ends)
        laws.append(NullData(name, law, values.dtype, _wrapper(X), own))
    return tuple(laws)


def _laws_of_pairs(null: Any, X: Square) -> tuple[NullData, ...]:
    """Return laws of a square matrix; those known by name are of points with all its distances.

    A callable gets the matrix.
    """
    given, values = read_names(null), X.values
    is_own = all(map(callable, given))
    if not is_own and (X.kind != "distances" or issparse(values)):
        what = f"a sparse graph of {X.kind}" if issparse(values) else X.kind
        msg = (
            "null must be a function f(X, random_state) of your own: a test against structureless "
            f"data is available for the distances of all pairs of objects, not for {what}; "
            f"got {null!r}"
        )
        raise ValueError(msg)
    D = read_data(values)
    units = near(D, shifts=False)
    points = np.empty((0, 0)) if is_own else points_of(units.values)
    return tuple(
        NullData(
            name,
            UserLaw(one, values, D.shape) if callable(one) else DistancesOf(_LAWS[one](points)),
            D.dtype,
            partial(_as_square, X.kind),
            None if callable(one) else units,
        )
        for name, one in _chosen(given, points).items()
    )


def _as_square(kind: str, values: Any) -> Square:
    return Square(read_pairs(values, kind), kind)


def read_data(X: Any) -> Any:
    """Return data as float32 or float64, of at least two objects, all finite."""
    return read_numbers(X, dtype=[np.float64, np.float32], least=2)


def as_data(X: Any) -> Any:
    """Return rows as clusterers of data and of structureless data take them alike."""
    return X if isinstance(X, Square) or hasattr(X, "iloc") else read_data(X)


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


def read_names(null: Any) -> list[Any]:
    """Return names and functions; raise ValueError if there are others."""
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


def _wrapper(X: Any) -> Callable[[FloatArray], Any] | None:
    return partial(X.__class__, index=X.index, columns=X.columns) if hasattr(X, "iloc") else None


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


# --------------------------------------------------------------------------- statistics


@dataclass(frozen=True, eq=False)
class Statistic:
    """A statistic of the clusterings of data sets by each candidate; an instance can be pickled.

    ``function`` gets the seed of a fit, the clustering, whose labels are None without an estimator,
    and the candidate. Where a set is looked at in ``parts``, by their rows, it is their mean.
    """

    estimator: Any
    candidates: Sequence[dict[str, Any]]
    function: Callable[[int, Clustering, dict[str, Any]], float]
    parts: Sequence[Positions] = ()

    def __call__(self, sets: Sequence[Any], seeds: Sequence[Sequence[int]]) -> FloatArray:
        """Return the values of data sets, a row for each, by a seed for each and each candidate."""
        data = [take_rows(X, part) for X in sets for part in self.parts] or sets
        n_parts = len(data) // len(sets)
        columns = []
        for candidate, column in zip(self.candidates, zip(*seeds, strict=True), strict=True):
            of_data = [seed for seed in column for _ in range(n_parts)]
            found = self._clustered(candidate, data, of_data)
            pairs = zip(of_data, found, strict=True)
            columns.append([self.function(seed, one, candidate) for seed, one in pairs])
        return np.reshape(columns, (-1, len(sets), n_parts)).mean(axis=2).T

    def _clustered(
        self, candidate: dict[str, Any], data: Sequence[Any], seeds: Sequence[int]
    ) -> list[Clustering]:
        if self.estimator is None:
            return [Clustering(None, None, values_of(X)) for X in data]
        return cluster_many(self.estimator, candidate, data, seeds)


def compare_with_null(
    statistic: Statistic,
    X: Any,
    laws: Sequence[NullData],
    seeds: Sequence[list[int]],
    *,
    looks: Sequence[int] = (),
    is_enough: Callable[[FloatArray, Sequence[FloatArray]], bool] | None = None,
    n_jobs: int | None = 1,
    verbose: Any = 0,
) -> tuple[FloatArray, list[FloatArray]]:
    """Return a statistic of data, and of structureless data sets of each law, a row for each.

    ``seeds`` has a row for the data and for each set: for the draw, and for each candidate. All
    laws are drawn as often as each other. At each number of sets in ``looks`` it is asked whether
    the values are enough; those of further sets are left out, so that results do not depend on how
    many are drawn at a time. Warnings name the caller of the caller.
    """
    n_null, at_once = len(seeds) - 1, sets_at_once(statistic.estimator, X)
    step, stop = max(at_once, n_workers(n_jobs)), 0
    tasks: list[tuple[Any, ...]] = [(statistic, X, seeds[:1])]
    own, null = np.empty((0, 0)), [np.empty((0, len(statistic.candidates)))] * len(laws)
    with caught_warnings() as kept:
        while stop < n_null:
            start, ahead = stop, [look for look in looks if stop < look < n_null]
            near = [look for look in ahead if look <= start + step]
            stop = near[-1] if near else (*ahead, n_null)[0]
            firsts = range(start, stop, at_once)
            tasks += [
                (statistic, law, seeds[1 + first : 1 + min(first + at_once, stop)])
                for law in laws
                for first in firsts
            ]
            results = run_fits(
                *(_values_of_sets, tasks),
                n_jobs=n_jobs,
                verbose=verbose,
                description="blocks of data sets",
                total=len(tasks) + len(range(stop, n_null, at_once)) * len(laws),
            )
            own = results.pop(0) if start == 0 else own
            of_laws = np.split(np.vstack(results), len(laws))
            null = [np.vstack(both) for both in zip(null, of_laws, strict=True)]
            for look in (one for one in ahead if one <= stop):
                if is_enough is not None and is_enough(own[0], [one[:look] for one in null]):
                    stop, null = n_null, [one[:look] for one in null]
                    break
            tasks = []
    warn_once(kept, stacklevel=3)
    return own[0], null


@contextmanager
def naming(data: Any) -> Iterator[None]:
    """Note in an error that the data were structureless, and of which law."""
    try:
        yield
    except Exception as error:
        if isinstance(data, NullData):
            error.add_note(f"The data were structureless, null={data.name!r}.")
        raise


def _values_of_sets(statistic: Statistic, data: Any, seeds: Sequence[list[int]]) -> FloatArray:
    """Return the values of data, or of structureless data sets that are drawn first."""
    fits = [others for _, *others in seeds]
    with naming(data):
        sets = [data.draw(row[0]) for row in seeds] if isinstance(data, NullData) else [data]
        return statistic(sets, fits)


def tail_pvalue(value: float, sample: FloatArray) -> float:
    """Return the probability that one more value of a normal sample exceeds a value.

    It is uniform if both are from one normal law, for any size of the sample.
    """
    deviation = sample.std(ddof=1) * np.sqrt(1 + 1 / len(sample))
    if not 0 < deviation < np.inf:
        return 1.0
    return float(student.sf((value - sample.mean()) / deviation, len(sample) - 1))
