"""An index against the number of clusters or its order, and a reference profile."""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._chance.functions import Margin
from sklearn_clustcompare._chance.permutation import PermutationModel
from sklearn_clustcompare._numerics import TIE, are_best
from sklearn_clustcompare._options import shortened, tells_keywords
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    at_most_objects,
    positive_integer,
    random_source,
)
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike, as_numbers, as_reals
from sklearn_clustcompare._rendering import Drawn, Rows
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.candidates._candidates import MOMENTS, score_chosen
from sklearn_clustcompare.candidates._scores import CandidateScores
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.indices._compares import DRAWS, Given, compares
from sklearn_clustcompare.indices._judged import Chosen, check_different
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._registry import check_known


class IndexCurve(Drawn, Rows):
    """Values of an index along an axis, in one or more curves; made by :func:`index_curve`.

    Printed, and as HTML in a notebook, it shows a row for each point, and which curves are best
    there. All parameters are attributes of the same names.

    Parameters
    ----------
    x : array-like of shape (n_points,)
        Numbers of clusters, or other positions on the horizontal axis.
    values : array-like of shape (n_curves, n_points)
        The index; NaN where there is none.
    winners : array-like of bool of shape (n_curves, n_points)
        Which points are the best; several if they tie.
    names : sequence of str of shape (n_curves,), default=None
        Names of the curves; None for a single one without a name.
    greater_is_better : bool or sequence of bool of shape (n_curves,), default=True
        Whether higher values are better.
    candidates : sequence of shape (n_points,), default=None
        Names of the candidates at the points; None where a point is not one candidate.
    expected, standard_deviation : array-like of shape (n_curves, n_points), default=None
        Exact moments of the index under permutation, NaN where they are not known.
    intervals : array-like of shape (n_curves, n_points, 2), default=None
        Lower and upper ends of confidence intervals, NaN where there are none.
    x_label : str, default="number of clusters k"
        Label of the horizontal axis.
    y_label : str, default="index"
        Label of the vertical axis.
    title : str, default="Candidates compared with the reference"
        Title of the picture.

    See Also
    --------
    index_curve : Makes it.
    IndexCurveDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn_clustcompare import index_curve
    >>> curve = index_curve([0, 0, 1, 1], {2: [0, 0, 1, 1], 3: [0, 0, 1, 2]}, index="rand_score")
    >>> curve.values.round(2), curve.winners
    (array([[1.  , 0.83]]), array([[ True, False]]))
    """

    x: ArrayLike
    values: ArrayLike
    winners: ArrayLike = field(kw_only=True)
    names: Sequence[str] | None = field(default=None, kw_only=True)
    greater_is_better: bool | Sequence[bool] = field(default=True, kw_only=True)
    candidates: Sequence[Any] | None = field(default=None, kw_only=True)
    expected: ArrayLike | None = field(default=None, kw_only=True)
    standard_deviation: ArrayLike | None = field(default=None, kw_only=True)
    intervals: ArrayLike | None = field(default=None, kw_only=True)
    x_label: str = field(default="number of clusters k", kw_only=True)
    y_label: str = field(default="index", kw_only=True)
    title: str = field(default="Candidates compared with the reference", kw_only=True)

    def _headline(self) -> str:
        return f"IndexCurve: {self.y_label} against {self.x_label}"

    def _columns(self) -> list[tuple[str, Any]]:
        x, values = np.asarray(self.x), np.asarray(self.values, float)
        columns: list[tuple[str, Any]] = [("x", x)]
        if self.candidates is not None:
            columns.append(("candidate", list(map(str, self.candidates))))
        winners = np.asarray(self.winners, bool).T.tolist()
        if self.names is None and len(values) == 1:
            columns += [("value", values[0]), *self._errors().items()]
            best = ["yes" if wins else "" for (wins,) in winners]
        else:
            names = list(map(str, self.names or range(len(values))))
            columns += zip(names, values, strict=True)
            best = [", ".join(itertools.compress(names, wins)) for wins in winners]
        return [*columns, ("best", best)]

    def _errors(self) -> dict[str, FloatArray]:
        """Return what is known of the values of a single curve."""
        columns = {}
        for name in ("expected", "standard_deviation"):
            if getattr(self, name) is not None:
                columns[name] = np.asarray(getattr(self, name), float)[0]
        if self.intervals is not None:
            columns["low"], columns["high"] = np.asarray(self.intervals, float)[0].T
        return columns


@compares("labels_true", "candidates", "X", "sample_weight", *DRAWS)
def index_curve(
    given: Given,
    *,
    index: IndexLike | Sequence[IndexLike],
    q_range: ArrayLike | None = None,
    confidence_level: float | None = None,
    **params: Any,
) -> IndexCurve:
    """Compare candidates with a reference, by number of clusters or order of the entropy.

    Use it to choose the number of clusters among existing labelings; with ``q_range``, to see
    whether the winner depends on the order of the entropy, that is, on the weight of large
    clusters.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of the :term:`reference`.
    candidates : mapping of key to array-like
        Labels or memberships of each candidate. If all keys are numbers, they are the positions of
        the candidates on the axis; otherwise candidates are placed at their numbers of clusters,
        those with the same number side by side.
    index : str, callable, Index or sequence of these
        The :term:`index`: a name (see :func:`list_indices`), its function or a record;
        several give a curve each.
    q_range : array-like of float of shape (n_orders,), default=None
        Orders of the entropy. If given, there is a curve for each candidate against q, and the
        winner is found at each q.
    confidence_level : float, default=None
        Level of the intervals of the scores, between 0 and 1; None computes none.
    n_resamples : int, default=999
        Number of half samples for the intervals.

    Returns
    -------
    IndexCurve
        With ``x``, ``values``, ``winners`` and, if they are known exactly, the ``expected`` values
        and ``standard_deviation`` under permutation.

    Raises
    ------
    ValueError
        If there are no candidates, or labels or parameters are invalid.
    TypeError
        If the index does not take a parameter.

    Warns
    -----
    UndefinedMetricWarning
        If no object of a candidate is left, or an index of the data is undefined for it: its value
        is NaN.

    See Also
    --------
    IndexCurveDisplay : A picture of it.
    score_candidates : The values alone, for several indices at once.

    Examples
    --------
    >>> from sklearn_clustcompare import index_curve
    >>> candidates = {"two": [0, 0, 1, 1, 1, 1], "three": [0, 0, 1, 1, 2, 1]}
    >>> curve = index_curve(
    ...     [0, 0, 1, 1, 2, 2], candidates, index="normalized_mutual_info_score",
    ...     q_range=[0.5, 1, 2],
    ... )
    >>> curve.names, curve.values.round(2).tolist()
    (['two', 'three'], [[0.7, 0.73, 0.8], [0.64, 0.74, 0.87]])
    """
    several = list(index) if isinstance(index, Sequence) and not isinstance(index, str) else [index]
    check_known(several)
    chosen = tuple(Chosen.of(one, params) for one in several)
    records, candidates = [one.index for one in chosen], given.candidates
    if not isinstance(candidates, Mapping) or not candidates:
        got = "an empty one" if isinstance(candidates, Mapping) else type(candidates).__name__
        msg = f"candidates must be a mapping of names to at least one candidate, got {got}"
        raise ValueError(msg)
    orders = None
    if q_range is not None:
        numbers = as_reals(as_numbers(q_range, "q_range"), "q_range must hold numbers")
        orders = np.atleast_1d(numbers.astype(float))
    if orders is not None and (orders.ndim != 1 or len(orders) == 0):
        msg = f"q_range must be None or hold at least one order, got {shortened(q_range)}"
        raise ValueError(msg)
    if not chosen or (orders is not None and len(chosen) > 1):
        msg = f"index must be one index with q_range, and at least one without, got {len(records)}"
        raise ValueError(msg)
    check_different(chosen, "index")
    if orders is not None and confidence_level is not None:
        msg = f"confidence_level must be None with q_range, got {shortened(confidence_level)}"
        raise ValueError(msg)
    for order in () if orders is None else orders.tolist():
        read_index(several[0], {"q": order})
    if orders is None:
        return _against_clusters(given, chosen, confidence_level)
    return _against_orders(given, chosen[0], orders)


def _against_clusters(
    given: Given, chosen: tuple[Chosen, ...], confidence_level: float | None
) -> IndexCurve:
    scores = score_chosen(given, chosen, confidence_level, with_moments=True)
    is_number = all(isinstance(k, numbers.Real) and not isinstance(k, bool) for k in scores.names)
    x = np.array(scores.names) if is_number else scores.n_clusters
    order = np.argsort(x, kind="stable")
    indices = [one.index for one in chosen]
    by_data = all(one.needs_data for one in indices)
    values, expected, deviation = _parts_of(scores)[:, :, order]
    texts = [one.index.axis_text(**one.parameters) for one in chosen]
    return IndexCurve(
        x[order],
        values,
        winners=np.array(
            [
                are_best(curve, greater_is_better=one.greater_is_better)
                for curve, one in zip(values, indices, strict=True)
            ]
        ),
        names=texts if len(texts) > 1 else None,
        greater_is_better=[one.greater_is_better for one in indices],
        candidates=[scores.names[position] for position in order.tolist()],
        expected=expected,
        standard_deviation=deviation,
        intervals=np.array([*scores.intervals.values()])[:, order] if scores.intervals else None,
        x_label="number of clusters k" if np.array_equal(x, scores.n_clusters) else "candidate",
        y_label=texts[0] if len(texts) == 1 else "value of the index",
        title=f"Candidates compared {'by the data' if by_data else 'with the reference'}",
    )


def _against_orders(given: Given, chosen: Chosen, orders: FloatArray) -> IndexCurve:
    of_order = [
        replace(chosen, name=f"{chosen.name} {k}", parameters={**chosen.parameters, "q": q})
        for k, q in enumerate(orders.tolist())
    ]
    scores = score_chosen(given, tuple(of_order), None, with_moments=True)
    values, expected, deviation = _parts_of(scores).swapaxes(1, 2)
    return IndexCurve(
        orders,
        values,
        winners=are_best(values.T, greater_is_better=chosen.index.greater_is_better).T,
        names=[str(key) for key in scores.names],
        greater_is_better=chosen.index.greater_is_better,
        expected=expected,
        standard_deviation=deviation,
        x_label="order q of the entropy",
        y_label=chosen.index.axis_text(**chosen.parameters),
    )


def _parts_of(scores: CandidateScores) -> FloatArray:
    """Return values, means and standard deviations, of shape (3, n_indices, n_candidates)."""
    return np.array([*scores.scores.values()]).reshape(len(MOMENTS), -1, len(scores))


# Cluster sizes of candidates whose means are added up exactly.
_MOST_SIZES = 1_000
# Sizes that are less likely do not change a mean.
_NEGLIGIBLE = 1e-18
# Standard errors by which two means differ if one of them is larger.
_CLEARLY = 3.0


class ReferenceProfile(Rows):
    """What values an index can have for a reference; made by :func:`reference_profile`.

    Printed, and as HTML in a notebook, it shows a row for each number of clusters. All parameters
    are attributes of the same names, which cannot be set.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    n_clusters : ndarray of int64 of shape (n_numbers,)
        Numbers of clusters of the candidates.
    expected : ndarray of float64 of shape (n_numbers,)
        Mean of the index over candidates whose labels are independent and equally likely.
    standard_error : ndarray of float64 of shape (n_numbers,)
        Standard errors of these means; 0.0 where they are exact.
    bias : {"many", "few", "neutral", "varies"}
        Which numbers of clusters chance candidates need for better values: many, few, none of
        them, or those in the middle or at both ends. None for a single number of clusters.

    See Also
    --------
    reference_profile : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.candidates import reference_profile
    >>> profile = reference_profile([0] * 90 + [1] * 5 + [2] * 5, index="rand_score")
    >>> profile.bias
    'few'
    """

    index: Index
    parameters: dict[str, Any]
    n_clusters: IntArray
    expected: FloatArray
    standard_error: FloatArray
    bias: str | None

    def _headline(self) -> str:
        by = self.index.axis_text(**self.parameters)
        return f"ReferenceProfile: {by} of candidates of independent labels"

    def _columns(self) -> list[tuple[str, Any]]:
        columns = [("n_clusters", self.n_clusters), ("expected", self.expected)]
        if self.standard_error.any():
            columns.append(("standard_error", self.standard_error))
        return columns

    def _conclusion(self) -> list[str]:
        return [] if self.bias is None else [f"bias for this reference: {self.bias}"]


@tells_keywords
def reference_profile(
    labels_true: PartitionLike,
    *,
    index: IndexLike,
    n_clusters: Any = None,
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    **params: Any,
) -> ReferenceProfile:
    """Find out what values of an index mean for one reference.

    An index may prefer candidates with many clusters for one reference and with few for another.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    n_clusters : int or iterable of int, default=None
        Numbers of clusters of chance candidates. None takes 2, 4, 8 and so on, up to four times
        the number of clusters of the reference.
    n_resamples : int, default=999
        Number of random candidates where a mean has no exact form.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    **params : dict
        Parameters of the index.

    Returns
    -------
    ReferenceProfile
        With ``expected``, ``standard_error`` and ``bias``.

    Raises
    ------
    ValueError
        If the index is unknown or needs the data, a number of clusters is not positive or exceeds
        the number of objects, or labels are missing.
    TypeError
        If the index does not take the parameters, or labels are not hashable.

    See Also
    --------
    list_indices : Indices without a bias for any reference, ``bias="neutral"``.
    chance_adjusted_score : Any index adjusted for chance.
    IndexCurve : Values of an index for existing candidates.

    Notes
    -----
    Labels of chance candidates are drawn independently, with the same probability for each of the k
    clusters; clusters may be empty. Given the sizes, all orders of the objects are equally likely.
    Of an index that is linear in pair counts the mean is exact. Of one that is linear in a sum over
    the cells for given sizes, the exact means for all sizes are added up, if there are at most
    1,000; otherwise those for ``n_resamples`` random sizes. All other means are estimated from that
    many random candidates.

    The Rand index has the mean 1 - P - (1 - 2P) / k, where P is the share of the pairs that are
    together in the reference: it prefers few clusters if P > 1/2, and many if P < 1/2 [1]_.

    ``bias`` compares means for successive numbers of clusters; differences of less than three
    standard errors do not count.

    References
    ----------
    .. [1] S. Lei, J. C. Bezdek, S. Romano, N. X. Vinh, J. Chan, J. Bailey, "Ground truth bias in
       external cluster validity indices", Pattern Recognition 65, 2017,
       :doi:`10.1016/j.patcog.2016.12.003`

    Examples
    --------
    >>> from sklearn_clustcompare.candidates import reference_profile
    >>> truth = [0] * 90 + [1] * 5 + [2] * 5
    >>> reference_profile(truth, index="rand_score", n_clusters=[2, 4, 8, 16])
    ReferenceProfile: rand_score of candidates of independent labels
    n_clusters  expected
             2    0.5000
             4    0.3434
             8    0.2652
            16    0.2260
    bias for this reference: few
    """
    record, params = read_index(index, params, with_data=False)
    positive_integer("n_resamples", n_resamples)
    _, sizes = read_labels(labels_true, "labels_true").compact()
    if not len(sizes):
        msg = "labels_true must have at least one object, got none"
        raise ValueError(msg)
    numbers = _numbers(n_clusters, sizes)
    means = _Means(record, params, sizes, int(n_resamples), random_source(random_state))
    with UNDEFINED_IGNORED:
        expected, errors = np.array([means.of(number) for number in numbers]).reshape(-1, 2).T
    for array in (expected, errors):
        array.flags.writeable = False
    return ReferenceProfile(
        record,
        params,
        np.array(numbers, np.int64),
        expected,
        errors,
        _bias(expected, errors, record),
    )


def _numbers(n_clusters: Any, sizes: IntArray) -> list[int]:
    """Read numbers of clusters."""
    n_samples = int(sizes.sum())
    if n_clusters is None:
        most = min(max(4 * len(sizes), 2), n_samples)
        return [2**k for k in range(1, most.bit_length())] or [1]
    given = n_clusters if np.iterable(n_clusters) else [n_clusters]
    numbers = []
    for number in given:
        positive_integer("n_clusters", number)
        at_most_objects("n_clusters", number, n_samples)
        numbers.append(int(number))
    if not numbers:
        msg = "n_clusters must have at least one number, got none"
        raise ValueError(msg)
    return sorted(set(numbers))


# --------------------------------------------------------------------------- means


@dataclass(frozen=True)
class _Means:
    """Means of an index over candidates of independent labels."""

    index: Index
    parameters: dict[str, Any]
    sizes: IntArray
    n_resamples: int
    source: Any

    @property
    def n_samples(self) -> int:
        return int(self.sizes.sum())

    def of(self, n_clusters: int) -> tuple[float, float]:
        """Return the mean for a number of clusters, and its standard error."""
        if self.n_samples == 1:
            table = ContingencyTable.from_counts([[1]])
            return float(self.index.function(table, **self.parameters)), 0.0
        if self.index.properties(**self.parameters)["linear_in_pair_counts"]:
            return self._of_pairs(n_clusters), 0.0
        value = self._drawn
        if self.index.linear_quantity(**self.parameters) is not None:
            all_sizes = _likely_sizes(self.n_samples, n_clusters)
            if all_sizes is not None:
                terms = [weight * self._given(sizes) for sizes, weight in all_sizes]
                return math.fsum(terms), 0.0
            value = self._given
        values = np.array([value(self._draw(n_clusters)) for _ in range(self.n_resamples)])
        return float(values.mean()), float(values.std() / math.sqrt(len(values)))

    def _of_pairs(self, n_clusters: int) -> float:
        n = self.n_samples
        true, total = Margin.from_sums(self.sizes).pairs_together(), n * (n - 1)
        pairs = (true / n_clusters, float(true), total / n_clusters)
        squares = SquareSums(*(number + n for number in pairs))
        return float(self.index.of_statistic(squares, KnownMargins(n), **self.parameters))

    def _draw(self, n_clusters: int) -> IntArray:
        sizes = self.source.multinomial(self.n_samples, np.full(n_clusters, 1 / n_clusters))
        return np.sort(sizes[sizes > 0]).astype(np.int64)

    def _given(self, sizes: IntArray) -> float:
        """Return the mean over all orders of the objects."""
        sides = (np.repeat(np.arange(len(one)), one) for one in (self.sizes, sizes))
        table = ContingencyTable.from_labels(*sides)
        moments = null_moments(self.index, table, **self.parameters)
        assert moments is not None
        return moments.mean

    def _drawn(self, sizes: IntArray) -> float:
        (dense,) = PermutationModel(self.sizes, sizes).rvs(1, self.source)
        table = ContingencyTable._of_dense(dense)
        return float(self.index.function(table, **self.parameters))


def _likely_sizes(n_samples: int, n_clusters: int) -> list[tuple[IntArray, float]] | None:
    """Return all cluster sizes and their probabilities, or None if there are too many."""
    every = _partitions_of(n_samples, n_clusters, n_samples)
    found = [np.array(parts, np.int64) for parts in itertools.islice(every, _MOST_SIZES + 1)]
    if len(found) > _MOST_SIZES:
        return None
    logarithms = []
    for sizes in found:
        times = np.append(np.unique(sizes, return_counts=True)[1], n_clusters - len(sizes))
        logarithms.append(-gammaln(sizes + 1.0).sum() - gammaln(times + 1.0).sum())
    weights = np.exp(np.array(logarithms) - max(logarithms))
    weights /= weights.sum()
    return [
        (sizes, weight)
        for sizes, weight in zip(found, weights.tolist(), strict=True)
        if weight > _NEGLIGIBLE
    ]


def _partitions_of(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield all sizes that add up to a number, at most so many and none larger, falling."""
    if total == 0:
        yield ()
        return
    if parts == 0:
        return
    for first in range(min(total, largest), -(-total // parts) - 1, -1):
        for others in _partitions_of(total - first, parts - 1, first):
            yield (first, *others)


def _bias(expected: FloatArray, errors: FloatArray, index: Index) -> str | None:
    """Return where means get better with the number of clusters."""
    if len(expected) < 2:
        return None
    steps = np.diff(index.sign * expected)
    noise = _CLEARLY * np.hypot(errors[1:], errors[:-1]) + TIE * np.abs(expected).max()
    rises, falls = bool((steps > noise).any()), bool((steps < -noise).any())
    if rises and falls:
        return "varies"
    return "many" if rises else "few" if falls else "neutral"
