"""Samples of the objects, perturbed data, and labels extended to other objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import Pipeline

from sklearn_clustcompare._array_types import Array, FloatArray, Mask, Positions
from sklearn_clustcompare._clusterers import last_step, pairs_given, pairs_taken
from sklearn_clustcompare._data import (
    OF_DIFFERENCES,
    check_data,
    check_numbers,
    near,
    near_together,
    read_pairs,
    to_fit,
)
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.labels import index_of, order_of
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare.model_selection._scorer import Found, innermost_data, predicted

# Jitter is normal, with this share of the standard deviation of each feature.
_JITTER = 0.1
# This share of the objects is replaced by noise, which is uniform up to so many standard deviations
# from the mean of each feature.
_REPLACED, _NOISE_RANGE = 0.05, 3.0
_ROWS_LOOKED_AT = 64
# Label of noise; and so few objects are outliers, no cluster.
NOISE, FEWEST = (-1,), 5


class Sample(NamedTuple):
    """Rows to cluster, and the position of the object of each row; -1 if it is not an object."""

    X: Any
    positions: Positions


class Clustering(NamedTuple):
    """A fitted clone, its labels, and the input of its last step.

    Without a pipeline these are the data themselves. No model is fitted for one cluster.
    """

    model: Any
    labels: Any
    space: Any


class Resampling:
    """How samples are drawn, and on which objects two of them are compared.

    ``compares`` is "all" objects, those that both samples "shared", or those of the "second".
    """

    compares = "shared"

    def draw(self, X: Any, n_draws: int, seed: int) -> list[Sample]:
        """Draw samples that go together."""
        raise NotImplementedError


def read_groups(groups: Any, X: Any, n_objects: int, fewest: int = 2) -> Positions | None:
    """Return the number of the group of each object; None if each object is by itself.

    Data may name their rows: groups of a Series or dict are brought into the order of X. Raise
    ValueError unless there is a group for each object, and as many groups as are needed.
    """
    if groups is None:
        return None
    labels = read_labels(groups, "groups")
    order = order_of(index_of(X), labels.ids, ("X", "groups"))
    codes = labels.compact()[0].codes
    if len(codes) != n_objects:
        msg = f"groups must have a value for each of the {n_objects} rows of X, got {len(codes)}"
        raise ValueError(msg)
    n_groups = len(np.unique(codes))
    if n_groups < fewest:
        msg = f"groups must hold at least {fewest} different groups, got {n_groups}"
        raise ValueError(msg)
    return codes if order is None else codes[order]


def _n_units(n_objects: int, groups: Positions | None) -> int:
    return n_objects if groups is None else int(groups.max()) + 1


def _rows_of(units: Positions, groups: Positions | None) -> Positions:
    """Return the objects of units that were drawn: of groups, or the units themselves."""
    if groups is None:
        return units
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])
    return np.concatenate([members[unit] for unit in units.tolist()])


class _OfObjects(Resampling):
    """Samples of objects by their positions; those of one of the ``groups`` are drawn together."""

    def positions(self, n_objects: int, n_draws: int, seed: int) -> list[Positions]:
        """Draw the positions of some samples of so many objects."""
        raise NotImplementedError

    def draw(self, X: Any, n_draws: int, seed: int) -> list[Sample]:
        drawn = self.positions(X.shape[0], n_draws, seed)
        return [Sample(take_rows(X, one), one) for one in drawn]


@dataclass(frozen=True, eq=False)
class Subsample(_OfObjects):
    """Objects, or groups of them, drawn without replacement, or with: so many, or as large a share.

    With replacement their order is that of the draws.
    """

    size: int
    groups: Positions | None = None
    replace: bool = False

    @property
    def compares(self) -> str:  # type: ignore[override]
        return "all" if self.replace else "shared"

    def positions(self, n_objects: int, n_draws: int, seed: int) -> list[Positions]:
        rng, n_units = np.random.default_rng(seed), _n_units(n_objects, self.groups)
        size = max(round(self.size * n_units / n_objects), 1)
        drawn = [rng.choice(n_units, size, self.replace, shuffle=False) for _ in range(n_draws)]
        rows = [_rows_of(units, self.groups) for units in drawn]
        return rows if self.replace else [np.sort(one) for one in rows]


@dataclass(frozen=True, eq=False)
class Split(_OfObjects):
    """Disjoint parts, as many as there are draws, which differ in size as little as groups let."""

    groups: Positions | None = None
    compares = "second"

    def positions(self, n_objects: int, n_draws: int, seed: int) -> list[Positions]:
        n_units = _n_units(n_objects, self.groups)
        order = np.random.default_rng(seed).permutation(n_units)
        sizes = np.ones(n_units, np.intp) if self.groups is None else np.bincount(self.groups)
        # A part ends after the group whose end is nearest to that of an equal part.
        ends, cuts = np.cumsum(sizes[order]), [0]
        for number, part in enumerate(np.array_split(np.arange(1, n_objects + 1), n_draws)[:-1]):
            nearest = int(np.abs(ends - part[-1]).argmin()) + 1
            cuts.append(min(max(nearest, cuts[-1] + 1), n_units - n_draws + number + 1))
        return [np.sort(_rows_of(part, self.groups)) for part in np.split(order, cuts[1:])]


@dataclass(frozen=True)
class _Moved(Resampling):
    """All objects, whose values in each sample are drawn by a function of X, number and source.

    Rows may get other positions.
    """

    values: Callable[[Any, int, np.random.Generator], Sequence[Any]]

    def draw(self, X: Any, n_draws: int, seed: int) -> list[Sample]:
        drawn = self.values(X, n_draws, np.random.default_rng(seed))
        whole = np.arange(X.shape[0])
        return [one if isinstance(one, Sample) else Sample(one, whole) for one in drawn]


def _jittered(X: Any, n_draws: int, rng: np.random.Generator) -> Sequence[Any]:
    """Move each object a little."""
    values = _numbers(X, "jitter")
    scale = _JITTER * _mean_and_deviation(values)[1]
    return [values + rng.normal(size=values.shape) * scale for _ in range(n_draws)]


def _thinned_gaussian(X: Any, n_draws: int, rng: np.random.Generator) -> Sequence[Any]:
    """Draw independent parts with the sum X, if its noise is normal with variance 1."""
    values = _numbers(X, "thin-gaussian")
    noise = rng.normal(scale=n_draws**-0.5, size=(n_draws, *values.shape))
    return values / n_draws + noise - noise.mean(axis=0)


def _thinned_poisson(X: Any, n_draws: int, rng: np.random.Generator) -> Sequence[Any]:
    """Draw independent parts with the sum X, if it holds Poisson counts."""
    counts = X.data if issparse(X) else _numbers(X, "thin-poisson")
    is_count = (counts >= 0) & (counts < 2**53) & (counts == np.floor(counts))
    if not is_count.all():
        msg = (
            "X must hold counts for resampling='thin-poisson', integers of at least 0, got "
            f"{counts[~is_count][0]}"
        )
        raise ValueError(msg)
    parts = rng.multinomial(counts.astype(np.int64), np.full(n_draws, 1 / n_draws))
    drawn = np.moveaxis(parts, -1, 0).astype(np.float64, order="C")
    return [_with_data(X, one) if issparse(X) else one for one in drawn]


def _with_noise(X: Any, n_draws: int, rng: np.random.Generator) -> Sequence[Any]:
    """Replace a few objects by noise."""
    values = _numbers(X, "noise")
    mean, deviation = _mean_and_deviation(values)
    reach = _NOISE_RANGE * deviation
    n_replaced = max(round(_REPLACED * len(values)), 1)
    samples = [Sample(values.copy(), np.arange(len(values))) for _ in range(n_draws)]
    for drawn, positions in samples:
        replaced = rng.choice(len(values), n_replaced, replace=False)
        drawn[replaced] = rng.uniform(mean - reach, mean + reach, (n_replaced, values.shape[1]))
        positions[replaced] = -1
    return samples


def _with_data(X: Any, data: FloatArray) -> Any:
    found = X.copy()
    found.data = data
    found.eliminate_zeros()
    return found


@dataclass(frozen=True)
class Drawn(Resampling):
    """Samples drawn by a function of the user: positions of objects, or these and their rows."""

    function: Callable[[Any, int], Any]
    compares = "all"

    def draw(self, X: Any, n_draws: int, seed: int) -> list[Sample]:
        seeds = np.random.SeedSequence(seed).generate_state(n_draws).tolist()
        return [self._draw(X, one) for one in seeds]

    def _draw(self, X: Any, seed: int) -> Sample:
        drawn = self.function(to_fit(values_of(X)), seed)
        positions, rows = drawn if isinstance(drawn, tuple) else (drawn, None)
        positions = np.asarray(positions)
        is_list = positions.ndim == 1 and positions.dtype.kind in "iu" and len(positions) > 0
        least = 0 if rows is None else -1
        if not (is_list and positions.min() >= least and 0 <= positions.max() < X.shape[0]):
            msg = (
                "resampling must return the positions of objects, a 1-D array of integers from 0 "
                f"to {X.shape[0] - 1}, or -1 for a row that it returns and that is no object, got "
                f"{shortened(drawn)}"
            )
            raise ValueError(msg)
        if rows is None:
            rows = take_rows(X, positions)
        elif isinstance(X, Square) or rows.shape[0] != len(positions):
            msg = (
                "resampling must return a row for each position, and positions alone where X holds "
                f"pairs of objects, got {rows.shape[0]} rows and {len(positions)} positions"
            )
            raise ValueError(msg)
        return Sample(rows, positions)


# Sizes of samples as a share of the objects.
_SIZES = {"bootstrap": 1.0, "subsample": 0.8}
_OTHERS: dict[str, Resampling] = {
    "jitter": _Moved(_jittered),
    "noise": _Moved(_with_noise),
    "thin-gaussian": _Moved(_thinned_gaussian),
    "thin-poisson": _Moved(_thinned_poisson),
}
RESAMPLINGS = (*_SIZES, "split", *_OTHERS)


def read_resampling(
    resampling: Any,
    sample_size: Any,
    n_samples: int,
    options: tuple[str, ...] = RESAMPLINGS,
    codes: Positions | None = None,
) -> Resampling:
    """Return how samples of ``n_samples`` objects are drawn; those of a code go together."""
    if not callable(resampling):
        one_of(*options, "a function")("resampling", resampling)
    if isinstance(resampling, str) and resampling in _SIZES:
        size = _n_drawn(_SIZES[resampling] if sample_size is None else sample_size, n_samples)
        return Subsample(size, codes, replace=resampling == "bootstrap")
    if sample_size is not None:
        msg = (
            "sample_size must be None unless resampling is 'bootstrap' or 'subsample', "
            f"got {shortened(sample_size)} with {resampling!r}"
        )
        raise ValueError(msg)
    if isinstance(resampling, str) and resampling == "split":
        return Split(codes)
    if codes is not None:
        drawn = "a function" if callable(resampling) else repr(resampling)
        msg = (
            "groups must be None unless resampling is 'bootstrap', 'subsample' or 'split', which "
            f"draw some of the objects, got groups with {drawn}"
        )
        raise ValueError(msg)
    return Drawn(resampling) if callable(resampling) else _OTHERS[resampling]


def _n_drawn(sample_size: Any, n_samples: int) -> int:
    is_integer = isinstance(sample_size, int | np.integer) and not isinstance(sample_size, bool)
    is_share = isinstance(sample_size, float | np.floating) and 0 < sample_size <= 1
    if not is_share and not (is_integer and 1 <= sample_size <= n_samples):
        msg = (
            "sample_size must be a share of the objects in (0, 1] or an integer from 1 to their "
            f"number {n_samples}, got {shortened(sample_size)}"
        )
        raise ValueError(msg)
    return int(sample_size) if is_integer else max(round(sample_size * n_samples), 1)


# --------------------------------------------------------------------------- rows


@dataclass(frozen=True, eq=False)
class Square:
    """Distances or similarities of all pairs of objects: rows and columns are taken together.

    ``kind`` is "distances", "similarities" or, if it is not known, "pairs".
    """

    values: Any
    kind: str

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    def between(self, rows: Positions, columns: Positions) -> Any:
        return self.values[rows][:, columns]


def as_rows(X: Any, estimator: Any) -> Any:
    """Return data whose objects can be taken: with their columns if they are pairs of objects."""
    _check_roles(X, estimator)
    kind = pairs_given(estimator, X)
    if kind is not None:
        return Square(read_pairs(X, kind), kind)
    if issparse(X):
        return X.tocsr()
    return X if hasattr(X, "iloc") else np.asarray(X)


def _check_roles(X: Any, estimator: Any) -> None:
    """Raise an error for a clusterer that is none, and for data that are none."""
    if hasattr(X, "fit"):
        msg = f"X must be data, got the clusterer {type(X).__name__}: the clusterer comes first"
        raise TypeError(msg)
    if isinstance(estimator, type):
        name = estimator.__name__
        msg = f"estimator must be a clusterer, got the class {name}: pass {name}()"
        raise TypeError(msg)
    if estimator is not None and not hasattr(estimator, "fit"):
        hint = "labels alone cannot be found again in other data"
        if np.ndim(estimator) == 2:
            hint = "the clusterer comes first, then the data"
        msg = (
            "estimator must be a clusterer, which has the method fit, got "
            f"{type(estimator).__name__}: {hint}"
        )
        raise TypeError(msg)
    check_data(X)
    if not isinstance(estimator, Pipeline):
        check_numbers(X)
    values = np.asarray(X) if isinstance(X, list | tuple) else X
    shape: tuple[Any, ...] = getattr(values, "shape", ())
    dtype = getattr(values, "dtype", None)
    if len(shape) == 1 and getattr(dtype, "kind", "") in "biufc":
        msg = (
            f"X must have a row for each object, got an array of shape {shape}: take "
            "X.reshape(-1, 1) for one feature; labels are no data"
        )
        raise ValueError(msg)
    if 0 in shape:
        msg = (
            "X must have at least one object and one feature, got 0 object(s) or 0 feature(s) "
            f"(shape={shape}) while a minimum of 1 is required."
        )
        raise ValueError(msg)
    if len(shape) and shape[0] < 2:
        msg = f"X must hold two objects or more, got n_samples={shape[0]}"
        raise ValueError(msg)


def values_of(X: Any) -> Any:
    """Return what a clusterer takes."""
    return X.values if isinstance(X, Square) else X


def all_distances(X: Any, kind: str) -> FloatArray:
    """Return a square matrix, if it holds the distances of all pairs of objects."""
    if kind != "distances" or issparse(X):
        what = f"sparse {kind}" if issparse(X) else kind
        msg = (
            f"X must hold the distances of all pairs of objects for this function, got {what}: of "
            "a kernel, sqrt(k_ii + k_jj - 2 k_ij) are distances, for a clusterer that takes these"
        )
        raise ValueError(msg)
    return np.asarray(X, dtype=np.float64)


def take_rows(X: Any, positions: Positions) -> Any:
    """Return objects of an array, a sparse matrix, a data frame or a square matrix."""
    if isinstance(X, Square):
        return Square(X.between(positions, positions), X.kind)
    return X.iloc[positions] if hasattr(X, "iloc") else X[positions]


def as_new(X: Any, positions: Positions, sample: Sample) -> Any:
    """Return objects as a clusterer that was fitted to a sample takes them: pairs with those of it.

    Rows of the sample that are no objects have no distances to others.
    """
    if isinstance(X, Square):
        return X.between(positions, sample.positions)
    return take_rows(X, positions)


def without_copies(sample: Sample) -> Sample:
    """Return a sample with each object once; rows that are not objects stay."""
    positions, rows = np.unique(sample.positions, return_index=True)
    if positions[0] < 0:
        rows = np.append(rows[1:], np.flatnonzero(sample.positions < 0))
    if len(rows) == len(sample.positions):
        return sample
    rows = np.sort(rows)
    return Sample(take_rows(sample.X, rows), sample.positions[rows])


def has_distinct_objects(sample: Sample, n_objects: int) -> bool:
    """Return whether at least so many objects of a sample differ; usually a few rows suffice."""
    X = values_of(sample.X)
    if len(np.unique(sample.positions)) < n_objects:
        return False
    looked_at = max(_ROWS_LOOKED_AT, 2 * n_objects)
    while True:
        rows = X[:looked_at]
        rows = rows.toarray() if issparse(rows) else np.asarray(rows)
        if rows.dtype.kind == "O" or rows.ndim != 2 or rows.shape[1] == 0:
            return True  # left to the clusterer
        if len(np.unique(rows, axis=0)) >= n_objects:
            return True
        if looked_at >= X.shape[0]:
            return False
        looked_at *= 4


def n_distinct_objects(X: Any, most: int) -> int:
    """Return the number of objects that differ, at most some number."""
    everything = Sample(X, np.arange(X.shape[0]))
    return next(k for k in range(most, 0, -1) if has_distinct_objects(everything, k))


def _numbers(X: Any, resampling: str) -> FloatArray:
    if isinstance(X, Square):
        msg = f"resampling must not be {resampling!r} for {X.kind} between objects, got a matrix"
        raise TypeError(msg)
    if issparse(X):
        msg = f"resampling must not be {resampling!r} for sparse data, which it would fill"
        raise TypeError(msg)
    return np.asarray(X, dtype=np.float64)


def _mean_and_deviation(X: FloatArray) -> tuple[Any, Any]:
    """Return those of each column, also where sums or squares are beyond the range of floats."""
    found = near(X)
    deviation = np.ldexp(found.values.std(axis=0), found.exponent)
    return found.of(found.values.mean(axis=0)), deviation


_check_name = one_of("auto", "predict", "nearest_centroid", "nearest", "a classifier")
_CLASSIFIERS = {
    "nearest_centroid": NearestCentroid(),
    "nearest": KNeighborsClassifier(n_neighbors=1),
}
_NEAREST = tuple(map(type, _CLASSIFIERS.values()))
# Label of objects that no other is near.
_NOISE = -1


def read_extension(extension: Any, estimator: Any) -> Any:
    """Return "predict" or the classifier that learns the labels of a sample."""
    is_name = isinstance(extension, str)
    if is_name or not (hasattr(extension, "fit") and is_classifier(extension)):
        _check_name("extension", extension)
    can_predict, pairs = hasattr(estimator, "predict"), pairs_taken(estimator)
    if is_name and extension == "auto":
        # Most clusterers of precomputed distances have a method predict that refuses them.
        extension = "predict" if can_predict and pairs in (None, "pairs") else "nearest"
    if is_name and extension == "predict" and not can_predict:
        msg = (
            "extension must be 'nearest_centroid', 'nearest' or a classifier for a clusterer "
            f"without predict, got 'predict' for {type(estimator).__name__}"
        )
        raise ValueError(msg)
    if pairs is None or extension == "predict" or (not is_name and pairs_taken(extension)):
        return _CLASSIFIERS.get(extension, extension) if is_name else extension
    if extension != "nearest":
        msg = (
            "extension must be 'nearest' or a classifier of precomputed input for a clusterer "
            f"of {pairs}, got {shortened(extension)}"
        )
        raise ValueError(msg)
    if pairs == "pairs":
        msg = (
            "extension='nearest' must know whether X holds distances or similarities: give the "
            "clusterer a parameter metric='precomputed' or affinity='precomputed', or compare the "
            "objects that two samples share, by resampling='subsample'"
        )
        raise ValueError(msg)
    return NearestOfPairs(pairs)


class NearestOfPairs(ClassifierMixin, BaseEstimator):
    """Gives an object the label of the fitted one at the smallest distance or largest similarity.

    Zeros of sparse distances are no neighbors, nor are similarities of 0; an object without a
    neighbor is noise (-1).
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def fit(self, X: Any, y: Array) -> NearestOfPairs:
        self._labels = y
        return self

    def predict(self, X: Any) -> Array:
        are_distances = self.kind == "distances"
        if issparse(X):
            X = X.tocsr(copy=True)
            X.eliminate_zeros()
            has_some = np.diff(X.indptr) > 0
            # Ranks are positive, so that what is not stored is the least of a row.
            X.data = rankdata(-X.data if are_distances else X.data, "dense")
            nearest = np.asarray(X.argmax(axis=1)).ravel()
        else:
            nearest = X.argmin(axis=1) if are_distances else X.argmax(axis=1)
            has_some = np.ones(len(X), bool) if are_distances else X.any(axis=1)
        found = self._labels[nearest]
        return found if has_some.all() else np.where(has_some, found, _NOISE)


def labels_at(
    positions: Positions,
    clustering: Clustering,
    sample: Sample,
    X: Any,
    extension: Any,
    noise_labels: Sequence[Any],
) -> Array:
    """Return labels of the objects at some positions: those found in the sample, else extended.

    An object that occurs several times in the sample gets the label of its last row.
    """
    fitted, labels, _ = clustering
    row = np.full(X.shape[0], -1)
    is_object = sample.positions >= 0
    row[sample.positions[is_object]] = np.flatnonzero(is_object)
    rows = row[positions]
    found = labels[rows]
    outside = np.flatnonzero(rows < 0)
    if len(outside) == 0:
        return found
    is_noise = noise_mask(read_labels(labels, "estimator"), noise_labels)
    others = as_new(X, positions[outside], sample)
    if (labels == labels[0]).all():
        extended = np.repeat(labels[:1], len(outside))
    elif isinstance(extension, str):
        _check_noise_is_predicted(fitted, sample, is_noise, noise_labels)
        extended = np.asarray(predicted(fitted, others))
    else:
        _check_noise_is_learned(extension, is_noise)
        # The nearest centroid divides by the degrees of freedom of the spread, without using the
        # result; clusters of one object leave none.
        with np.errstate(divide="ignore", invalid="ignore"):
            seen, unseen = as_seen(fitted, values_of(sample.X)), as_seen(fitted, others)
            if type(extension) in _NEAREST and extension.metric in OF_DIFFERENCES:
                seen, unseen = near_together(seen, unseen)
            extended = clone(extension).fit(to_fit(seen), labels).predict(to_fit(unseen))
    # Labels that are text must not be truncated to the length of the others.
    found = found.astype(np.result_type(found, extended))
    found[outside] = extended
    return found


def as_seen(fitted: Any, X: Any) -> Any:
    """Return the input of the clusterer, which may be the last step of a pipeline."""
    return innermost_data(Found(None, fitted, X))


def _check_noise_is_learned(classifier: Any, is_noise: Mask) -> None:
    if isinstance(classifier, NearestCentroid) and is_noise.any():
        msg = (
            "extension must be 'nearest' or another classifier if a clustering has noise, "
            f"whose mean is not a center, got {shortened(classifier)} and "
            f"{is_noise.sum()} objects of noise"
        )
        raise ValueError(msg)


def _check_noise_is_predicted(
    fitted: Any, sample: Sample, is_noise: Mask, noise_labels: Sequence[Any]
) -> None:
    if not is_noise.any():
        return
    itself = Sample(sample.X, np.arange(len(is_noise)))
    found = predicted(fitted, as_new(sample.X, np.flatnonzero(is_noise), itself))
    if not noise_mask(read_labels(found, "estimator"), noise_labels).any():
        msg = (
            "extension must be 'nearest' or a classifier if predict never returns noise, got "
            f"'predict' for {type(fitted).__name__}, which predicts a cluster for all "
            f"{is_noise.sum()} objects that it has labeled noise"
        )
        raise ValueError(msg)


# --------------------------------------------------------------------------- data of any size

# Rows of each sample, rows up to which all are one sample, and the fewest that can be divided.
ROWS, _FEW, _LEAST = 500, 1500, 12
# Numbers in a block of rows that get their labels together.
_BLOCK = 2**22
# Parameters that count objects, and those that are distances: these mean another number of
# neighbors in a sample.
_COUNTS = "min_samples", "min_cluster_size", "n_neighbors"
_RADII = ("eps", "max_eps")
# Data of any size: rows that are looked at, and labels of all others.
#
# A sample of some thousand rows is read for the evidence. All rows are only labeled, a block at a
# time, so that memory does not grow with them.


class LookedAt(NamedTuple):
    """Rows that the evidence is taken from, their positions, and in how many parts.

    ``size`` is the number of rows of a part, None where all rows are looked at as one. ``groups``
    has the group of each row of all data; None where each is by itself. ``n_far`` rows were left
    out, as they are far from all others.
    """

    rows: Any
    positions: Positions
    n_parts: int
    size: int | None
    groups: Positions | None = None
    n_far: int = 0

    def share(self, n_rows: int) -> float:
        return (len(self.positions) + self.n_far) / n_rows

    def without(self, is_far: Mask) -> LookedAt:
        """Leave some of the rows out, unless too few groups are left to be divided."""
        kept = np.flatnonzero(~is_far)
        n_groups = None if self.groups is None else len(set(self.groups[self.positions[kept]]))
        if len(kept) == len(is_far) or (n_groups is not None and n_groups < max(self.n_parts, 2)):
            return self
        rows, positions = take_rows(self.rows, kept), self.positions[kept]
        return self._replace(rows=rows, positions=positions, n_far=int(is_far.sum()))

    @property
    def own_groups(self) -> Positions | None:
        """The groups of the rows that are looked at, numbered from 0 on."""
        return (
            None
            if self.groups is None
            else np.unique(self.groups[self.positions], return_inverse=True)[1]
        )

    def disjoint(self, n_rows: int, size: int, n_parts: int, seed: int) -> list[Positions]:
        """Draw the positions of the rows of disjoint samples, each with groups of its own."""
        rng = np.random.default_rng(seed)
        if self.groups is None:
            return np.split(rng.choice(n_rows, size * n_parts, replace=False), n_parts)
        parts = Split(self.groups).positions(n_rows, n_parts, seed)
        return [rng.choice(part, min(size, len(part)), replace=False) for part in parts]


def look_at(
    X: Any, estimator: Any, subsample: Any, n_subsamples: Any, seed: int, groups: Any = None
) -> tuple[Any, LookedAt]:
    """Return data whose rows can be taken, and the rows to look at.

    Raise ValueError if the samples need more rows than there are.
    """
    positive_integer("n_subsamples", n_subsamples)
    data = _opened(X, estimator)
    n_rows = data.shape[0]
    size = subsample
    if isinstance(subsample, str) and subsample == "auto":
        size = ROWS if n_rows > _FEW and radius_of(estimator) is None else None
        if size is not None:
            size = min(size, n_rows // n_subsamples)
    elif subsample is not None:
        positive_integer("subsample", subsample)
        if subsample < _LEAST:
            msg = f"subsample must be at least {_LEAST}, two clusters of six rows, got {subsample}"
            raise ValueError(msg)
        if radius := radius_of(estimator):
            msg = f"subsample must be None or 'auto': {why_all(radius)}, got {subsample}"
            raise ValueError(msg)
        if subsample * n_subsamples > n_rows:
            msg = (
                f"subsample must leave {n_subsamples} disjoint samples of {n_rows} rows, got "
                f"{subsample}"
            )
            raise ValueError(msg)
    n_parts = 1 if size is None else n_subsamples
    codes = read_groups(groups, X, n_rows, max(n_parts, 2))
    looked = LookedAt(None, np.arange(n_rows), n_parts, size, codes)
    if size is not None:
        positions = np.sort(np.concatenate(looked.disjoint(n_rows, size, n_parts, seed)))
        looked = looked._replace(positions=positions)
    return data, looked._replace(rows=taken(data, looked.positions))


def _opened(X: Any, estimator: Any) -> Any:
    """Return data as they are if their rows are read on demand, else rows as for any function."""
    if hasattr(X, "to_dask_array"):
        X = X.to_dask_array(lengths=True)
    is_lazy = hasattr(X, "chunks") and hasattr(X, "dtype") and len(getattr(X, "shape", ())) == 2
    if not is_lazy:
        return as_rows(X, estimator)
    as_rows(_read(X[:2]), estimator)  # what is no data is an error here
    return X


def _read(rows: Any) -> Any:
    return rows.compute() if hasattr(rows, "compute") else rows


def taken(data: Any, positions: Positions) -> Any:
    if len(positions) == data.shape[0] and not hasattr(data, "chunks"):
        return data
    return _read(take_rows(data, positions))


def radius_of(estimator: Any) -> str | None:
    """Return the parameter that is a distance within which objects are counted, None if none is."""
    step = last_step(estimator)
    known = step.get_params(deep=False) if hasattr(step, "get_params") else {}
    return next((name for name in _RADII if np.isfinite(known.get(name) or np.inf)), None)


def why_all(radius: str) -> str:
    return f"a sample has fewer rows within {radius}, a distance"


def scaled(name: str, value: Any, share: float) -> Any:
    """Return the value of a parameter for a share of the rows, if it counts objects."""
    is_count = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if share == 1 or not is_count or not name.endswith(_COUNTS):
        return value
    return max(round(value * share), min(value, FEWEST))


def scaled_parameters(estimator: Any, share: float) -> dict[str, Any]:
    """Return the parameters that have another value for a share of the rows."""
    found = {
        name: (value, scaled(name, value, share))
        for name, value in estimator.get_params(deep=True).items()
    }
    return {name: new for name, (old, new) in found.items() if new is not old and new != old}


def labels_of_all(data: Any, looked: LookedAt, found: Clustering, extension: Any) -> Array:
    """Return labels of all rows: those that were found, and for the others by extension."""
    n_rows = data.shape[0]
    if len(looked.positions) == n_rows:
        return found.labels
    if isinstance(data, Square):
        sample = Sample(looked.rows, looked.positions)
        return labels_at(np.arange(n_rows), found, sample, data, extension, NOISE)
    labels = np.empty(n_rows, found.labels.dtype)
    sample = Sample(looked.rows, np.full(len(looked.positions), -1))
    for start, block in blocks_of(data):
        at = np.arange(block.shape[0])
        labels[start : start + len(at)] = labels_at(at, found, sample, block, extension, NOISE)
    labels[looked.positions] = found.labels
    return labels


def blocks_of(data: Any) -> Iterator[tuple[int, Any]]:
    step = max(_BLOCK // data.shape[1], 1)
    for start in range(0, data.shape[0], step):
        stop = start + step
        block = data.iloc[start:stop] if hasattr(data, "iloc") else data[start:stop]
        yield start, _read(block)
