"""Tests against structureless data: of all data, and of each cluster and merge of a clustering."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.cluster import KMeans

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask
from sklearn_clustcompare._clusterers import check_values, main_parameter, pairs_taken
from sklearn_clustcompare._data import to_fit
from sklearn_clustcompare._numerics import TIE, are_best
from sklearn_clustcompare._options import shortened, tells_keywords, warn_caller
from sklearn_clustcompare._parameters import RandomStateLike, boolean, probability
from sklearn_clustcompare._partition import Reading, read_labels
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._rendering import (
    Drawn,
    Rows,
    Table,
    decimal,
    n_clusters_text,
    table_of,
)
from sklearn_clustcompare.indices import read_index
from sklearn_clustcompare.indices._internal import scatter
from sklearn_clustcompare.indices._record import UndefinedIndexError
from sklearn_clustcompare.indices._registry import find_index, is_index
from sklearn_clustcompare.model_selection._scorer import parameters_of_space
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import (
    Statistic,
    caught_warnings,
    cluster,
    compare_with_null,
    fit_seeds,
    one_call,
    one_thread,
    run_fits,
)
from sklearn_clustcompare.without_reference._null_data import (
    LEVEL,
    as_data,
    check_n_null,
    in_units,
    laws_of,
    moments,
    points_of,
    read_data,
    tail_pvalue,
)
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Split,
    Square,
    all_distances,
    as_seen,
    labels_of_all,
    look_at,
    n_distinct_objects,
    read_extension,
    scaled,
    scaled_parameters,
    taken,
    values_of,
)

# Numbers of structureless data sets after which a test of several values may end, and how many of
# them have to be as good as the data. With fewer, the rest could change the standardization enough.
_LOOKS, _CLEARLY = (9, 19, 49, 99, 199, 499, 999), 5


class StructureTestResult(Drawn, Rows):
    """Result of a test against structureless data, by :func:`structure_test`.

    Printed, and as HTML in a notebook, it shows the statistic and its null distribution. All
    parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    name : str
        Name of the statistic.
    greater_is_better : bool
        Whether a larger value of the statistic is better.
    null : str
        Name of the null distribution of the structureless data.
    values : ndarray of shape (n_values,)
        The statistic of the data for each value of the parameter, or one without a parameter; NaN
        where it is undefined.
    null_values : ndarray of shape (n_null, n_values)
        The same for each structureless data set.
    param_name : str, default=None
        Name of the parameter.
    param_range : tuple, default=None
        Its values.
    n_null : int, default=None
        Number of structureless data sets after which the test would have ended at the latest; None
        for as many as there are.
    significance_level : float, default=0.05
        Significance level of the test.
    others : tuple of StructureTestResult, default=()
        Results for the other null distributions, whose p-values are not larger.
    subsample : int or None, default=None
        Rows of each sample that was looked at; None where all rows were.

    See Also
    --------
    structure_test : Makes it.
    NullDistributionDisplay : A picture of it.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_clustcompare.results import StructureTestResult
    >>> test = StructureTestResult(
    ...     "silhouette_score", True, "pca", np.array([0.7]), np.array([[0.4], [0.5], [0.45]])
    ... )
    >>> test.pvalue, round(test.standardized, 2)
    (0.25, 5.0)
    """

    name: str
    greater_is_better: bool
    null: str
    values: FloatArray
    null_values: FloatArray
    param_name: str | None = None
    param_range: tuple[Any, ...] | None = None
    n_null: int | None = None
    significance_level: float = LEVEL
    others: tuple[StructureTestResult, ...] = ()
    subsample: int | None = None

    @property
    def laws(self) -> dict[str, StructureTestResult]:
        """The results for all null distributions by name, this one first."""
        return {one.null: one for one in (self, *self.others)}

    @property
    def is_ended_early(self) -> bool:
        """Whether fewer structureless data sets than ``n_null`` were enough for the conclusion."""
        return self.n_null is not None and len(self.null_values) < self.n_null

    @property
    def statistic(self) -> float:
        """The statistic tested: the only value, or the largest of several that are comparable.

        To compare them, each is taken less the median of all other data sets, and divided by their
        semideviation: the root mean square of what better ones exceed the median by. Fits that miss
        the best clusters enlarge the standard deviation, but not the semideviation. If lower values
        are better, all are negated first.
        """
        return float(self._tested[0])

    @property
    def null_distribution(self) -> FloatArray:
        """``statistic`` of each structureless data set, of shape (n_null,); NaN if undefined."""
        return self._tested[1:]

    @property
    def mean(self) -> float:
        """Mean of ``null_distribution``."""
        return float(moments(self.null_distribution[:, np.newaxis])[0][0])

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of ``null_distribution``, with the divisor n - 1."""
        return float(moments(self.null_distribution[:, np.newaxis])[1][0])

    @property
    def standardized(self) -> float:
        """``(statistic - mean) / standard_deviation``."""
        own, null = self._tested[:1], self.null_distribution[:, np.newaxis]
        return float(_standardized_by(own, null)[0])

    @property
    def pvalue(self) -> float:
        """Share of data sets with at least as good a statistic, including the data.

        It is the largest one of several null distributions. Where the test ended early, that of all
        data sets is also above the level.
        """
        better = self.greater_is_better or len(self.values) > 1
        return float(_pvalues(self._tested[:, np.newaxis], better)[0])

    @property
    def standardized_values(self) -> FloatArray:
        """``values`` in standard deviations above the mean of the structureless data sets."""
        return _standardized_by(self.values, self.null_values)

    @property
    def pvalues(self) -> FloatArray:
        """The p-value of each of ``values`` alone, not adjusted for their number."""
        return _pvalues(np.vstack([self.values, self.null_values]), self.greater_is_better)

    @property
    def best(self) -> Any:
        """The value of the parameter with the largest of the values compared in ``statistic``."""
        if self.param_range is None:
            return None
        return self.param_range[int(are_best(self._comparable[0]).argmax())]

    @cached_property
    def _comparable(self) -> FloatArray:
        values = np.vstack([self.values, self.null_values])
        return _comparable(values if self.greater_is_better else -values)

    @property
    def _tested(self) -> FloatArray:
        """Return the statistic that is tested, of the data and of each structureless data set."""
        if len(self.values) == 1:
            return np.append(self.values, self.null_values)
        return np.fmax.reduce(self._comparable, axis=1)

    def _row_names(self) -> tuple[str, Any]:
        if self.param_range is None:
            return "", ("statistic",)
        return str(self.param_name), self.param_range

    def _columns(self) -> dict[str, FloatArray]:
        mean, deviation = moments(self.null_values)
        return {
            "value": self.values,
            "mean": mean,
            "standard_deviation": deviation,
            "standardized": self.standardized_values,
            "pvalue": self.pvalues,
        }

    def _headline(self) -> str:
        n_null = len(self.null_values)
        number = f"{n_null} of at most {self.n_null}" if self.is_ended_early else f"{n_null}"
        samples = "" if self.subsample is None else f", means of samples of {self.subsample} rows"
        return (
            f"StructureTestResult: {self.name}, {number} structureless data sets ({self.null})"
            f"{samples}"
        )

    def _conclusion(self) -> list[str]:
        found = []
        if len(self.values) > 1:
            turned = "" if self.greater_is_better else " of the opposite sign"
            found.append(
                f"largest z{turned}: {decimal(self.statistic)} for {self.param_name}={self.best!r}"
            )
        differs = self.pvalue <= self.significance_level
        shown = ", ".join(
            f"{law} (p = {decimal(one.pvalue)})"
            for law, one in self.laws.items()
            if differs or not one.pvalue <= self.significance_level
        )
        return [*found, f"{'the data differ from' if differs else 'no evidence against'}: {shown}"]


@tells_keywords
def structure_test(
    estimator: Any,
    X: ArrayLike,
    param_range: Any = None,
    *,
    statistic: Any,
    greater_is_better: bool = True,
    param_name: str = "auto",
    null: Any = "auto",
    n_null: int = 99,
    significance_level: float | None = 0.05,
    subsample: Any = "auto",
    n_subsamples: int = 5,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
    **params: Any,
) -> StructureTestResult:
    """Test whether a statistic is better than for structureless data.

    Clusterers find clusters even in :term:`structureless data`. This function draws such data of
    the same size, clusters them in the same way, and compares the values of a statistic. By
    default, the data must differ from each of several null distributions of one cluster that were
    fitted to them.

    Parameters
    ----------
    estimator : estimator or None
        A clusterer, or a pipeline that ends in one. None if the statistic is a function of the data
        alone.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances or similarities between the objects, if the clusterer takes these.
    param_range : sequence of shape (n_values,), default=None
        Its values; None fits the estimator unchanged.
    statistic : str, Index or callable
        The :term:`index` to compute of the data and the labels, by its name (see
        ``list_indices(needs_data=True)``) or as a record of your own; or a function
        ``f(X, labels)`` that returns a number, NaN for undefined. With ``estimator=None`` a
        function ``f(X)``, which does its own fitting.
    greater_is_better : bool, default=True
        Whether larger values of a function are better. An index has its own direction.
    param_name : str, default="auto"
        Parameter that is varied, such as ``"kmeans__n_clusters"`` of a pipeline; "auto" finds the
        last step's ``n_clusters``, ``n_components`` or ``min_cluster_size``.
    n_null : int, default=99
        Largest number of structureless data sets of each null distribution, at least 2. The
        smallest p-value possible is 1 / (1 + n_null).
    significance_level : float or None, default=0.05
        Level: no more data sets are drawn as soon as it is certain that the p-value will exceed
        it. None draws all of them.
    **params : dict
        Parameters of the statistic.

    Returns
    -------
    StructureTestResult
        With ``statistic``, ``mean``, ``standard_deviation``, ``standardized``, ``pvalue`` and the
        ``null_distribution``; for several values of a parameter, those of the largest comparable
        value, and the single ones as ``values``, ``standardized_values`` and ``pvalues``. Of
        several null distributions, those with the largest p-value; ``laws`` has the results of all.

    Raises
    ------
    ValueError
        If X has fewer than two objects or values that are not finite, if a parameter is invalid, or
        if the statistic is undefined for X or for all structureless data.
    TypeError
        If the statistic does not take a parameter; if X or a parameter is of the wrong type.

    Warns
    -----
    UserWarning
        If the statistic is undefined for some data sets, as for one cluster: these count as the
        worst. Warnings of the fits are given once.

    See Also
    --------
    gap_statistic : Chooses a number of clusters by the dispersion within clusters.
    NullDistributionDisplay : A picture of the result.
    permutation_test : Whether two partitions agree more than by chance.

    Notes
    -----
    A small p-value means that the data differ from all null distributions tested, and not how: it
    does not show that there are clusters, nor how many. One connected bent cluster, such as a
    banana, differs from all of them. Uniform data differ from Gaussian ones, and one elongated
    cluster from a uniform box: test against a single null distribution only if you mean it. A large
    p-value is no proof of one cluster. In particular, small clusters in many features, and groups
    of objects that differ in the frequencies of binary features, may be missed.

    For each null distribution, p = (1 + number of structureless data sets with at least as good a
    statistic) / (1 + number drawn), and the result is that of the largest p. The best of several
    values of a parameter is optimistically biased. The values of each data set, including the data,
    are therefore made comparable by the median and the semideviation of all other data sets, and
    the largest of the data is compared with the largest of each structureless data set. If the data
    are of a null distribution that was fixed in advance, all orders of the data sets are equally
    likely, and the p-value is exact. The null distributions by name are fitted to the data, so for
    them it is approximate, but for "gaussian", which is exact for Gaussian data:
    ``benchmarks/structure_test.py`` counts how often it is at most 0.05 for data without clusters.

    Data sets of all null distributions are drawn in turn. With h the integer part of
    ``significance_level * (1 + n_null)``, p exceeds the level if h data sets of a null distribution
    are at least as good as the data, and the test ends [2]_; of 99 data sets, 19.5 are drawn on
    average where the data are of the null distribution. For several values of a parameter, whose
    standardization changes with each data set, this is looked at after 9, 19, 49, 99, ... data sets
    only.

    Every fit has a seed of its own, drawn from ``random_state``: a ``random_state`` of the
    estimator or of the index is replaced. Indices are computed in the space of the last step of a
    pipeline, whose steps are fitted to each data set again. An index treats noise (-1) as a
    cluster; a function gets the labels unchanged.

    Above 1,500 rows the statistic is its mean over five disjoint samples, each clustered by itself.
    Structureless data sets are as large as the samples together, and are divided in the same way,
    so that the p-value is that of any other statistic. Only sampled rows are read. Parameters that
    count objects, such as ``min_samples``, are multiplied by the share of the rows, to at least 5.

    Comparing an index with its distribution for random data follows [1]_.

    References
    ----------
    .. [1] A. K. Jain, R. C. Dubes, "Algorithms for Clustering Data", Prentice Hall, 1988,
       chapter 4.
    .. [2] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78(2), 1991,
       :doi:`10.1093/biomet/78.2.301`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import structure_test
    >>> options = {"statistic": "silhouette_score", "random_state": 0}
    >>> structure_test(KMeans(3), load_iris().data, **options).pvalue < 0.05
    True
    >>> uniform = np.random.default_rng(0).uniform(size=(150, 4))
    >>> structure_test(KMeans(3), uniform, **options).pvalue > 0.05
    True
    """
    judge, better = _read_statistic(statistic, greater_is_better, params, estimator)
    if param_range is not None and estimator is not None:
        param_name = main_parameter(estimator, param_name)
    settings = _read_settings(estimator, param_name, param_range)
    if significance_level is not None:
        probability("significance_level", significance_level)
    several_resamples("n_null", n_null)
    level = LEVEL if significance_level is None else significance_level
    looks, is_enough = _ending(better, significance_level, n_null, len(settings))
    *seeds, (seed, *_) = fit_seeds(2 + n_null, 1 + len(settings), random_state)
    data, looked = look_at(X, estimator, subsample, n_subsamples, seed)
    share, parts = (looked.size or data.shape[0]) / data.shape[0], []
    if looked.n_parts > 1:
        parts = Split().positions(len(looked.positions), looked.n_parts, seed)
    if estimator is not None:
        estimator = clone(estimator).set_params(**scaled_parameters(estimator, share))
    rows = looked.rows
    laws = laws_of(null, rows)
    fitted = [{key: scaled(key, value, share) for key, value in one.items()} for one in settings]
    (own,), of_laws = compare_with_null(
        Statistic(estimator, fitted, judge, parts),
        as_data(rows),
        laws,
        seeds,
        looks=looks,
        is_enough=is_enough,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    name, tried = None, None
    if param_range is not None:
        name, tried = param_name, tuple(one[param_name] for one in settings)
    results = [
        StructureTestResult(
            *(judge.name, better, law.name, own, of_null, name, tried, n_null, level),
            subsample=looked.size,
        )
        for law, of_null in zip(laws, of_laws, strict=True)
    ]
    _check_defined(results)
    return _largest(results)


def _ending(
    greater_is_better: bool, significance_level: float | None, n_null: int, n_values: int
) -> tuple[Sequence[int], Any]:
    """Return when to look whether a p-value will exceed a level, and a function that tells it.

    With all data sets it does if some number of them are at least as good as the data.
    """
    h = 0 if significance_level is None else math.floor(significance_level * (1 + n_null) + TIE)
    if h == 0:
        return (), None
    if n_values == 1:
        return range(max(h, 2), n_null), partial(_is_certain, greater_is_better, h)
    looks = [look for look in _LOOKS if look >= h]
    return looks, partial(_is_certain, greater_is_better, max(h, _CLEARLY))


def _is_certain(
    greater_is_better: bool, h: int, own: FloatArray, of_laws: Sequence[FloatArray]
) -> bool:
    """Return whether h data sets of some null distribution are at least as good as the data."""
    return any(
        StructureTestResult("", greater_is_better, "", own[0], values).pvalue
        > (h + 0.5) / (1 + len(values))
        for values in of_laws
    )


def _largest(results: list[StructureTestResult]) -> StructureTestResult:
    """Return the result of the largest p-value, or of the smallest z if they tie, with the others.

    An undefined p-value is larger than all others.
    """

    def rank(one: StructureTestResult) -> tuple[float, float]:
        z = one.standardized if one.greater_is_better or len(one.values) > 1 else -one.standardized
        return np.nan_to_num(one.pvalue, nan=2.0), -np.nan_to_num(z)

    decides = max(results, key=rank)
    return replace(decides, others=tuple(one for one in results if one is not decides))


# --------------------------------------------------------------------------- what is computed


@dataclass(frozen=True)
class _Judge:
    """A statistic of the data and, unless there are none, labels."""

    name: str
    function: Callable[..., float]
    parameters: Mapping[str, Any]
    is_random: bool = False

    def __call__(self, seed: int, found: Clustering, _: dict[str, Any]) -> float:
        data = (found.space,) if found.labels is None else (found.space, found.labels)
        seeded = {"random_state": seed} if self.is_random else {}
        try:
            return float(self.function(*map(to_fit, data), **self.parameters, **seeded))
        except UndefinedIndexError:
            return float("nan")


def _read_statistic(
    statistic: Any, greater_is_better: bool, params: dict[str, Any], estimator: Any
) -> tuple[_Judge, bool]:
    boolean("greater_is_better", greater_is_better)
    if callable(statistic) and not is_index(statistic):
        name = getattr(statistic, "__name__", repr(statistic))
        return _Judge(name, statistic, params), greater_is_better
    if estimator is None:
        msg = (
            f"statistic must be a function of X where estimator is None, got {shortened(statistic)}"
        )
        raise TypeError(msg)
    try:
        find_index(statistic)
    except ValueError as error:
        msg = f"statistic must be a function, an Index or a name: {error}"
        raise ValueError(msg) from None
    index, params = read_index(statistic, params)
    if not index.needs_data:
        msg = f"statistic must need the data, got {index.name}, which compares two partitions"
        raise ValueError(msg)
    if index.greater_is_better and not greater_is_better:
        msg = f"greater_is_better must be left out for {index.name}, got False"
        raise ValueError(msg)
    is_random = "random_state" in index.parameters
    params = parameters_of_space(index, params, pairs_taken(estimator))
    return _Judge(index.name, index, params, is_random), index.greater_is_better


def _read_settings(estimator: Any, name: Any, param_range: Any) -> tuple[dict[str, Any], ...]:
    if param_range is None:
        return ({},)
    if estimator is None:
        msg = f"param_range must be None where estimator is None, got {shortened(param_range)}"
        raise ValueError(msg)
    values = param_range.tolist() if isinstance(param_range, np.ndarray) else list(param_range)
    if not values:
        msg = f"param_range must hold at least one value, got {shortened(param_range)}"
        raise ValueError(msg)
    check_values(name, values)
    return tuple({name: value} for value in values)


def _check_defined(results: Sequence[StructureTestResult]) -> None:
    """Raise ValueError if there is nothing to compare, and warn if values are missing."""
    name, values = results[0].name, results[0].values
    for one in results:
        is_known = np.isfinite(values) & (np.isfinite(one.null_values).sum(axis=0) > 1)
        if not is_known.any():
            data = f"structureless data ({one.null})" if np.isfinite(values).any() else "X"
            msg = f"statistic must be defined, {name} is not, for the clusters of {data}"
            raise ValueError(msg)
    null_values = np.concatenate([one.null_values for one in results])
    n_own, n_null = (np.count_nonzero(np.isnan(one)) for one in (values, null_values))
    if n_own or n_null:
        warn_caller(
            f"{name} is undefined for {n_own} of {values.size} clusterings of X and for {n_null} "
            f"of {null_values.size} of structureless data, which count as the worst",
        )


# --------------------------------------------------------------------------- law


def _comparable(values: FloatArray) -> FloatArray:
    """Return every row less the median of all other rows, in their semideviations above it."""
    rows = [_above_median(row, np.delete(values, k, axis=0)) for k, row in enumerate(values)]
    return np.array(rows)


def _above_median(values: FloatArray, others: FloatArray) -> FloatArray:
    known = np.sort(np.where(np.isfinite(others), others, np.nan), axis=0)  # NaN last
    n_known = np.isfinite(known).sum(axis=0)
    low, high = (
        np.take_along_axis(known, at[np.newaxis], axis=0)[0]
        for at in ((n_known - 1) // 2, n_known // 2)
    )
    medians = (low + high) / 2
    above = known > medians
    squares = np.where(above, known - medians, 0.0) ** 2
    deviation = np.sqrt(squares.sum(axis=0) / np.maximum(above.sum(axis=0), 1))
    return in_units(values, medians, np.where(n_known > 1, deviation, np.nan))


def _standardized_by(values: FloatArray, others: FloatArray) -> FloatArray:
    return in_units(values, *moments(others))


def _pvalues(values: FloatArray, greater_is_better: bool) -> FloatArray:
    """Return for each column the share of rows that are at least as good as the first, or NaN."""
    signed = values if greater_is_better else -values
    # An infinite value has no neighborhood, and ties with itself only.
    rounding = TIE * np.abs(signed[0], out=np.zeros(signed.shape[1]), where=np.isfinite(signed[0]))
    as_good = signed[1:] >= signed[0] - rounding
    shares = (1 + np.count_nonzero(as_good, axis=0)) / len(values)
    return np.where(np.isnan(values[0]), np.nan, shares)


# --------------------------------------------------------------------------- tests of clusters

# Numbers of parts that are tried: two alone would miss three clusters in a triangle.
NUMBERS = (2, 3, 4)
# With fewer starts the p-values of the same data vary by a factor of a hundred.
_KMEANS = KMeans(n_init=5)
# So few objects far from the others are no cluster: the copula keeps them where they are.
_MOST_ENDS = 9
# No more data sets of a law are drawn if the p-value of so many is above this and above so many
# times the level, as the law explains the data; or if it is so many times below the level.
_FIRST_LOOK, _EXPLAINS, _TIMES, _TIMES_BELOW = 9, 0.25, 5, 50
# Sums of squares within clusters are at least this share of the total one.
_LEAST_SHARE = np.finfo(np.float64).eps
# Nodes with fewer objects, or with fewer distinct ones, are not tested.
_FEWEST, _FEWEST_DISTINCT = 10, max(NUMBERS) + 1
_ONE, _SEVERAL = "one cluster", "more than one cluster"
_TOO_SMALL, _INSIDE = "too small to test", "inside one cluster"
# Names of clusters that a cell of the table shows.
_MOST_NAMES = 6


class ClusterSignificance(Drawn, Rows):
    """Which clusters are clusters of their own; made by :func:`cluster_significance`.

    Printed, and as HTML in a notebook, it shows a row for each cluster and for each merge. All
    parameters are attributes of the same names, which cannot be set. With k clusters, nodes from 0
    to k - 1 of the tree are the clusters, and node k + m is merge m.

    Parameters
    ----------
    labels : ndarray of int of shape (n_samples,)
        Clusters after those that are parts of one cluster were joined, numbered from 0 on in the
        order of ``clusters``; -1 for noise.
    clusters : ndarray of shape (k,)
        Label of each cluster that was given or found, sorted.
    merges : ndarray of int64 of shape (k - 1, 2)
        The two nodes that each merge joins; the last one joins all.
    members : list of ndarray of int64 of length 2 k - 1
        Positions in ``clusters`` of the clusters in each node, ascending.
    sizes : ndarray of int64 of shape (2 k - 1,)
        Number of objects of each node.
    levels : ndarray of shape (2 k - 1,)
        Level of the test of each node.
    pvalues : ndarray of shape (2 k - 1,)
        The p-value of each node; NaN where it was not tested.
    statistics : ndarray of shape (2 k - 1,)
        Largest z of the node, see the Notes of :func:`cluster_significance`; NaN where not tested.
    nulls : tuple of str of length 2 k - 1
        Null distribution that decides; "" where not tested.
    subsample : int or None, default=None
        Rows of each sample that was looked at; None where all rows were.

    See Also
    --------
    cluster_significance : Makes it.
    ClusterSignificanceDisplay : A picture of the tree.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import cluster_significance
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> found = cluster_significance(KMeans(4), X)
    >>> found.n_clusters, len(found.clusters)
    (3, 4)
    """

    labels: IntArray
    clusters: Array
    merges: IntArray
    members: list[IntArray]
    sizes: IntArray
    levels: FloatArray
    pvalues: FloatArray
    statistics: FloatArray
    nulls: tuple[str, ...]
    subsample: int | None = None

    @property
    def n_clusters(self) -> int:
        """Number of clusters after joining, without noise."""
        return int(self.groups.max()) + 1

    @property
    def is_significant(self) -> Mask:
        """Whether each node is more than one cluster, of shape (2 k - 1,)."""
        return self.pvalues <= self.levels

    @cached_property
    def groups(self) -> IntArray:
        """Number after joining of each of ``clusters``, of shape (k,)."""
        joined = np.arange(len(self.clusters))
        for node, reading in enumerate(self.readings):
            if reading in (_ONE, _TOO_SMALL):
                joined[self.members[node]] = self.members[node][0]
        return np.unique(joined, return_inverse=True)[1].astype(np.int64)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """What each node is, in words.

        "one cluster" or "more than one cluster"; "too small to test"; "inside one cluster" for
        nodes below one that is not divided.
        """
        k, found = len(self.clusters), [_INSIDE] * len(self.sizes)
        found[-1] = _TOO_SMALL
        for node in reversed(range(len(found))):
            if not np.isnan(self.pvalues[node]):
                found[node] = _SEVERAL if self.is_significant[node] else _ONE
            if node >= k and found[node] == _SEVERAL:
                for part in self.merges[node - k]:
                    found[part] = _TOO_SMALL
        return tuple(found)

    def _row_names(self) -> tuple[str, Any]:
        return "node", range(len(self.sizes))

    def _columns(self) -> dict[str, Any]:
        return {
            "clusters": [tuple(self.clusters[one].tolist()) for one in self.members],
            "size": self.sizes,
            "level": self.levels,
            "statistic": self.statistics,
            "pvalue": self.pvalues,
            "null": self.nulls,
            "reading": self.readings,
        }

    def _shown(self) -> Table:
        names = [_listed(self.clusters[one], " ") for one in self.members]
        columns = self._columns() | {"clusters": names}
        return table_of([self._row_names(), *columns.items()], ["node", "clusters"])

    def _headline(self) -> str:
        remain = f"{n_clusters_text(self.n_clusters)} remain{'s' * (self.n_clusters == 1)}"
        return f"ClusterSignificance: {remain} of {len(self.clusters)}"

    def _conclusion(self) -> list[str]:
        groups = [self.clusters[self.groups == group] for group in range(self.n_clusters)]
        joined = [_listed(one, " + ") for one in groups if len(one) > 1]
        level = decimal(self.levels[-1])
        return [
            f"parts of one cluster: {_listed(joined, '; ') or 'none'}",
            f"level of all tests together: {level}, as far as null distributions fit",
            "choose_n_clusters also asks whether clusters come back in other halves of the data",
        ]


def _listed(names: Iterable[Any], separator: str) -> str:
    texts = [*map(str, names)]
    if len(texts) > _MOST_NAMES:
        texts = [*texts[: _MOST_NAMES - 1], f"... ({len(texts)})"]
    return separator.join(texts)


@tells_keywords
def cluster_significance(
    estimator: Any,
    X: ArrayLike,
    *,
    null: Any = "auto",
    n_null: int = 39,
    significance_level: float = 0.05,
    noise_label: Any = -1,
    subsample: Any = "auto",
    n_subsamples: int = 5,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> ClusterSignificance:
    """Test which clusters are clusters of their own, and which are parts of one cluster.

    A clusterer of six clusters finds six in any data. Here the clusters are joined to a tree, and
    each merge is tested, from the top down: do its objects differ from one cluster? Where they do
    not, its clusters are parts of one cluster, and become one. Clusters that remain are tested too:
    they may be more than one cluster themselves.

    Parameters
    ----------
    estimator : estimator or array-like of shape (n_samples,)
        A clusterer, or a pipeline that ends in one; or :term:`labels` that exist.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances between the objects, if the clusterer takes these. With labels, a
        symmetric matrix with zeros on its diagonal is read as distances.
    n_null : int, default=39
        Number of structureless data sets of each null distribution and node at most, at least 19.
    significance_level : float, default=0.05
        Level of all tests together: the largest probability that anywhere in the tree one cluster
        is divided, if the null distributions fit.
    noise_label : hashable or collection of these, default=-1
        :term:`Label of noise <noise_label>`, or several; they need not occur.

    Returns
    -------
    ClusterSignificance
        With the joined ``labels``, ``n_clusters``, and ``pvalues``, ``levels`` and ``readings`` of
        all nodes of the tree.

    Raises
    ------
    ValueError
        If X or a parameter is invalid, no cluster was found, or X holds similarities, distances
        that are far from those of points, or a sparse graph.
    TypeError
        If X or a parameter is of the wrong type.

    Warns
    -----
    UserWarning
        Warnings of the clusterer, once each.

    See Also
    --------
    choose_n_clusters : A verdict on the number of clusters of a clusterer.
    structure_test : Tests all data, with any statistic.
    cluster_stability : Whether clusters come back in other samples.
    ClusterSignificanceDisplay : A picture of the tree.

    Notes
    -----
    Ward's method joins the clusters to a tree, starting from their centers.

    A node with n_j of n objects is tested at the level ``significance_level * (n_j - 1) / (n - 1)``
    [1]_, and only if all nodes above it are more than one cluster. The levels of disjoint nodes sum
    to the whole level at most, so if the null distributions fit, one cluster is divided anywhere
    with at most this probability.

    The statistic compares the objects with data sets of one cluster, whatever clusterer was used.
    k-means divides each data set into 2, 3 and 4 parts. The logarithm of the total sum of squares
    divided by that within the parts is standardized by those of all other data sets, and the
    largest z is taken. Small levels need a tail that is not drawn: the p-value is that of one more
    value of a normal sample, the structureless data sets. Of several null distributions, the
    largest p-value counts; further null distributions are not drawn once one exceeds the level, nor
    more than 9 data sets of a null distribution whose p-value is then above 0.25 and five times the
    level, or below a fiftieth of it. The copula keeps the outermost values of continuous columns,
    nine at each end but at most a tenth: the nearest null distribution with one mode would draw a
    long tail in, and what is left far out would look like a cluster.

    Above 1,500 rows the clusterer is fitted to the rows of five samples together, and all others
    get their labels by ``predict``, or from the nearest object; of given labels, all are used. The
    tests look at the sampled objects of a node; ``sizes`` and ``levels`` are of all. Only sampled
    rows are read, and blocks of rows to label them.

    :func:`choose_n_clusters` chooses one number for all data, by clusters that come back in other
    halves of the data and are denser than the passes between them. Here, each node is only compared
    with structureless data: parts of one bent cluster may remain apart, and clusters of different
    levels of the tree may remain together. Where both were asked and disagree, clusters that remain
    here and are not chosen there differ from one cluster, but do not come back or touch.

    Pipelines are fitted once, and the tests take the input of their last step: scale the features
    first, or in the pipeline. Distances become points by classical scaling.
    Noise is left out.

    What the tests cannot know:

    - Nodes with fewer than 10 objects, or fewer than 5 distinct ones, are not tested. Their
      clusters are joined, and a single small cluster that is divided from others is kept.
    - One cluster means one mode, and contours near ellipses or boxes. A bent one, such as a banana,
      is not; it is divided where the clusterer divides it.
    - That a node is more than one cluster does not show that it is divided at the right place: a
      poor clusterer may cut through clusters.
    - Chains and rings, which k-means does not separate, may be taken for one cluster; so may those
      that overlap, that are small next to others, or that differ in a few of many features.
    - The null distributions are fitted to the data, so levels hold approximately:
      ``benchmarks/cluster_significance.py`` counts false divisions.

    References
    ----------
    .. [1] P. K. Kimes, Y. Liu, D. N. Hayes, J. S. Marron, "Statistical significance for
       hierarchical clustering", Biometrics 73(3), 2017, :doi:`10.1111/biom.12647`

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import cluster_significance
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> found = cluster_significance(KMeans(4), X)
    >>> found.n_clusters
    3
    >>> found.labels.shape, found.pvalues.shape
    ((90,), (7,))
    """
    check_n_null(n_null)
    probability("significance_level", significance_level)
    reading = Reading(noise="drop", noise_label=noise_label)
    ((of_fit, of_nodes),) = fit_seeds(1, 2, random_state)
    with one_call(), one_thread():
        codes, clusters, points, looked_at, size = _clusters_of(
            estimator, X, subsample, n_subsamples, of_fit, reading
        )
    merges, members = tree_of(points, looked_at)
    counts = np.bincount(codes[codes >= 0])
    sizes = np.array([counts[one].sum() for one in members])
    levels = significance_level * ((sizes - 1) / max(sizes[-1] - 1, 1))
    seeds = fit_seeds(len(members), 1 + 2 * n_null, of_nodes)
    tests: dict[int, tuple[float, float, str]] = {}
    going = [len(members) - 1]
    while going:
        parts = {node: points[np.isin(looked_at, members[node])] for node in going}
        parts = {node: one for node, one in parts.items() if _is_testable(one)}
        tasks = [(one, null, n_null, levels[node], seeds[node]) for node, one in parts.items()]
        found = run_fits(node_test, tasks, n_jobs=n_jobs, verbose=verbose, description="nodes")
        tests |= dict(zip(parts, found, strict=True))
        divided = [
            node for node in parts if node >= len(clusters) and tests[node][0] <= levels[node]
        ]
        going = [part for node in divided for part in merges[node - len(clusters)].tolist()]
    rows = [tests.get(node, (np.nan, np.nan, "")) for node in range(len(members))]
    pvalues, statistics, nulls = zip(*rows, strict=True)
    tested = np.array(pvalues), np.array(statistics), nulls
    result = ClusterSignificance(codes, clusters, merges, members, sizes, levels, *tested, size)
    return replace(result, labels=np.append(result.groups, -1)[codes])


def _is_testable(points: Any) -> bool:
    enough = n_distinct_objects(points, _FEWEST_DISTINCT) == _FEWEST_DISTINCT
    return points.shape[0] >= _FEWEST and enough


def node_test(
    X: Any, null: Any, n_null: int, level: float, seeds: Sequence[int]
) -> tuple[float, float, str]:
    """Return the p-value, the largest z of the numbers of parts, and the law that decides.

    It is the first law with a p-value above the level, or that of the largest p-value. ``seeds``
    are one for the data, and two for each structureless data set.
    """
    draws, fits = [0, *seeds[1 : 1 + n_null]], [seeds[0], *seeds[1 + n_null :]]
    rows = [[draw, *[fit] * len(NUMBERS)] for draw, fit in zip(draws, fits, strict=True)]
    found = []
    with caught_warnings():  # draws may have fewer distinct objects than there are parts
        for law in laws_of(null, X, most_ends=_MOST_ENDS):
            own, of_laws = compare_with_null(
                *(_EXPLAINED, X, [law], rows),
                looks=[_FIRST_LOOK],
                is_enough=partial(_is_clear, level),
            )
            found.append((*_tail_of(own, of_laws), law.name))
            if found[-1][0] > level:
                return found[-1]
    return max(found)


def _tail_of(own: FloatArray, of_laws: Sequence[FloatArray]) -> tuple[float, float]:
    """Return the p-value by the normal tail of a law's sets, and the statistic."""
    test = StructureTestResult("", True, "", own[0], of_laws[0], "n_clusters", NUMBERS)
    return tail_pvalue(test.statistic, test.null_distribution), test.statistic


def _is_clear(level: float, own: FloatArray, of_laws: Sequence[FloatArray]) -> bool:
    """Return whether further data sets would hardly change on which side of the level p is."""
    pvalue = _tail_of(own, of_laws)[0]
    return pvalue > max(_EXPLAINS, _TIMES * level) or pvalue < level / _TIMES_BELOW


def explained(_: int, found: Clustering, __: dict[str, Any]) -> float:
    """Return the logarithm of the total sum of squares divided by that within clusters."""
    parts = scatter(found.space, np.asarray(found.labels))
    within, between = parts.within.sum(), parts.between.sum()
    total = within + between
    return float(-np.log(max(within / total, _LEAST_SHARE))) if total > 0 else 0.0


_EXPLAINED = Statistic(_KMEANS, [{"n_clusters": number} for number in NUMBERS], explained)


def tree_of(points: Any, codes: Array) -> tuple[IntArray, list[IntArray]]:
    """Return the merges of clusters by Ward's method, and the clusters in each node.

    Node c is the cluster of code c, and node n_clusters + m the m-th merge; the last has all.
    """
    centers, sizes = scatter(points, codes).centers, np.bincount(codes).astype(np.float64)
    nodes, merges = np.arange(len(sizes)), np.empty((len(sizes) - 1, 2), np.int64)
    members = [np.array([code]) for code in nodes]
    for number in range(len(merges)):
        # By how much each merge increases the sum of squares within clusters.
        increases = cdist(centers, centers, "sqeuclidean") / np.add.outer(1 / sizes, 1 / sizes)
        np.fill_diagonal(increases, np.inf)
        a, b = np.unravel_index(increases.argmin(), increases.shape)
        merges[number] = one, other = np.sort(nodes[[a, b]])
        members.append(np.union1d(members[one], members[other]))
        nodes[a] = len(members) - 1
        centers[a] += sizes[b] / (sizes[a] + sizes[b]) * (centers[b] - centers[a])
        sizes[a] += sizes[b]
        is_left = np.arange(len(nodes)) != b
        nodes, sizes, centers = nodes[is_left], sizes[is_left], centers[is_left]
    return merges, members


def _clusters_of(
    estimator: Any, X: Any, subsample: Any, n_subsamples: Any, seed: int, reading: Reading
) -> tuple[IntArray, Array, Any, IntArray, int | None]:
    """Return clusters of all objects, -1 for noise, and their names.

    Also return points of the objects that are looked at, their clusters, and the rows of a sample.
    """
    is_clusterer = hasattr(estimator, "fit")
    data, looked = look_at(X, estimator if is_clusterer else None, subsample, n_subsamples, seed)
    rows, positions, model, labels = looked.rows, looked.positions, None, estimator
    kind = rows.kind if isinstance(rows, Square) else None
    if is_clusterer:
        kind = pairs_taken(estimator)
        parameters = scaled_parameters(estimator, looked.share(data.shape[0]))
        found = cluster(estimator, parameters, rows, seed)
        labels = labels_of_all(data, looked, found, read_extension("auto", estimator))
        model, rows = found.model, found.space
    partition = read_labels(labels, "estimator")
    if partition.n_objects != data.shape[0]:
        msg = (
            f"estimator must hold a label for each of the {data.shape[0]} objects of X, or be a "
            f"clusterer, got {partition.n_objects} labels"
        )
        raise ValueError(msg)
    partition, kept = treat_one(partition, reading)
    if partition.n_objects == 0:
        msg = "estimator must give clusters of objects that are no noise, got noise only"
        raise ValueError(msg)
    compact, _ = partition.compact()
    codes = np.full(data.shape[0], -1)
    codes[slice(None) if kept is None else kept] = compact.codes
    # Each cluster has a place in the tree, though given labels may have some in no sample.
    known, first = np.unique(codes, return_index=True)
    unseen = first[~np.isin(known, codes[positions])]
    if len(unseen):
        positions = np.union1d(positions, unseen)
        rows = taken(data, positions)
        rows = rows if model is None else as_seen(model, rows)
    space = values_of(rows)
    points: Any = read_data(space if kind is None else all_distances(space, kind))
    points = points if kind is None else points_of(points)
    points = points.tocsr() if issparse(points) else np.asarray(points, np.float64)
    looked_at = codes[positions]
    names = compact.labels_of(np.arange(compact.n_codes))
    return codes, names, points[looked_at >= 0], looked_at[looked_at >= 0], looked.size
