"""Statistics of clusterings compared with structureless data: the gap statistic, and a test."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.base import clone

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._clusterers import (
    MOST_TRIED,
    check_values,
    main_parameter,
    pairs_taken,
    read_range,
    values_tried,
)
from sklearn_clustcompare._data import euclidean, near, near_for, to_fit
from sklearn_clustcompare._numerics import TIE, are_best, ordered_sum
from sklearn_clustcompare._options import shortened, tells_keywords, warn_caller
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    boolean,
    one_of,
    options_text,
    probability,
)
from sklearn_clustcompare._rendering import Drawn, Rows, Table, decimal, table_of
from sklearn_clustcompare.indices import read_index
from sklearn_clustcompare.indices._internal import scatter
from sklearn_clustcompare.indices._record import UndefinedIndexError
from sklearn_clustcompare.indices._registry import find_index, is_index
from sklearn_clustcompare.model_selection._scorer import parameters_of_space
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import Statistic, compare_with_null, fit_seeds
from sklearn_clustcompare.without_reference._n_clusters import look_at, scaled, scaled_parameters
from sklearn_clustcompare.without_reference._null_data import (
    LEVEL,
    as_data,
    in_units,
    laws_of,
    moments,
)
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Split,
    all_distances,
    as_rows,
    n_distinct_objects,
)

# --------------------------------------------------------------------------- gap statistic

RULES = ("tibshirani", "first_se_max", "global_se_max", "first_max", "global_max")
_check_rule = one_of(*RULES)


def chosen(rule: str, gap: FloatArray, error: FloatArray) -> int | None:
    """Return the position that a rule chooses by gaps and their standard errors, or None."""
    if rule == "tibshirani":
        suffices = gap[:-1] >= gap[1:] - error[1:]
        return int(suffices.argmax()) if suffices.any() else None
    does_not_rise = np.append(gap[1:] <= gap[:-1], True)
    best = int((does_not_rise if rule.startswith("first") else gap).argmax())
    allowed = error[best] if rule.endswith("se_max") else 0.0
    return int((gap[: best + 1] >= gap[best] - allowed).argmax())


# Distances held at a time.
_MAX_DISTANCES = 2**20


class GapStatistic(Drawn, Rows):
    """The gap statistic of a clusterer; made by :func:`gap_statistic`.

    Printed, and as HTML in a notebook, it shows the values and what each rule chooses. All
    parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    param_name : str
        Name of the parameter with the number of clusters.
    param_range : ndarray of int of shape (n_values,)
        Its values, increasing.
    log_dispersion : ndarray of shape (n_values,)
        Logarithm of W for the data.
    null_log_dispersion : ndarray of shape (n_null, n_values)
        The same for each structureless data set.
    null : str
        Name of the null distribution of the structureless data.
    power : int
        Power of the distances in W.
    others : tuple of GapStatistic, default=()
        Those of the other null distributions. Each rule chooses the smallest number that it chooses
        for any null distribution.

    See Also
    --------
    gap_statistic : Makes it.
    GapDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import gap_statistic
    >>> X, _ = make_blobs(60, centers=3, random_state=2)
    >>> gap = gap_statistic(KMeans(), X, param_range=range(1, 5), n_null=10, random_state=0)
    >>> gap.choose()
    3
    >>> gap.null_log_dispersion.shape
    (10, 4)
    """

    param_name: str
    param_range: IntArray
    log_dispersion: FloatArray
    null_log_dispersion: FloatArray
    null: str
    power: int
    others: tuple[GapStatistic, ...] = ()

    @property
    def laws(self) -> dict[str, GapStatistic]:
        """The statistics for all null distributions by name, this one first."""
        return {one.null: one for one in (self, *self.others)}

    @property
    def expected_log_dispersion(self) -> FloatArray:
        """Mean of log W over the structureless data sets, for each value."""
        return self.null_log_dispersion.mean(axis=0)

    @property
    def gap(self) -> FloatArray:
        """Mean of log W over the structureless data sets less log W of the data, for each value."""
        return self.expected_log_dispersion - self.log_dispersion

    @property
    def standard_error(self) -> FloatArray:
        """Standard deviation of log W over the B structureless data sets, times sqrt(1 + 1/B)."""
        n_null = len(self.null_log_dispersion)
        return np.sqrt(1 + 1 / n_null) * self.null_log_dispersion.std(axis=0)

    def choose(self, rule: str = "tibshirani") -> int:
        """Return the number of clusters by a rule.

        The rules often disagree; :meth:`choices` returns the choices of all of them. No rule
        measures the certainty of its choice.

        Parameters
        ----------
        rule : {"tibshirani", "first_se_max", "global_se_max", "first_max", "global_max"}, \
default="tibshirani"
            - "tibshirani": the smallest k with Gap(k) >= Gap(k') - s(k'), where k' is the next
              value of ``param_range``; the rule of [1]_;
            - "first_se_max": the smallest k whose gap is at least the first local maximum less its
              s;
            - "global_se_max": the smallest k whose gap is at least the largest gap less its s;
            - "first_max": the first local maximum, a gap that the next one does not exceed;
            - "global_max": the largest gap.

        Returns
        -------
        int
            One of ``param_range``.

        Raises
        ------
        ValueError
            If there is no such rule.

        Warns
        -----
        UserWarning
            If no value satisfies the rule "tibshirani": the last value is returned.

        See Also
        --------
        GapStatistic.choices : What all rules choose.

        References
        ----------
        .. [1] R. Tibshirani, G. Walther, T. Hastie, "Estimating the number of clusters in a data
           set via the gap statistic", Journal of the Royal Statistical Society B 63(2), 2001,
           :doi:`10.1111/1467-9868.00293`.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_clustcompare.results import GapStatistic
        >>> null = np.array([[4.1, 3.0, 2.5], [3.9, 3.2, 2.3]])
        >>> own = np.array([4.0, 2.5, 2.0])
        >>> gap = GapStatistic("n_clusters", np.arange(1, 4), own, null, "pca", 2)
        >>> gap.choose(), gap.choose("global_max")
        (2, 2)
        """
        _check_rule("rule", rule)
        position = self._position(rule)
        if position is None:
            warn_caller(
                f"no {self.param_name} obeys the rule 'tibshirani', the gap rises throughout: the "
                f"last value {self.param_range[-1]} is returned, try larger ones",
            )
            position = -1
        return int(self.param_range[position])

    def choices(self) -> dict[str, int | None]:
        """Return what each rule chooses, without a warning.

        Look at all of them before reporting one: if they disagree, the data do not determine the
        number of clusters.

        Returns
        -------
        dict of str to int or None
            Maps the name of each rule to one of ``param_range``; None where no value satisfies it.

        See Also
        --------
        GapStatistic.choose : The choice of one rule, with their definitions.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_clustcompare.results import GapStatistic
        >>> null = np.array([[4.1, 3.0, 2.5], [3.9, 3.2, 2.3]])
        >>> own = np.array([4.0, 2.5, 1.0])
        >>> gap = GapStatistic("n_clusters", np.arange(1, 4), own, null, "pca", 2)
        >>> gap.choices()["tibshirani"] is None, gap.choices()["global_max"]
        (True, 3)
        """
        positions = {rule: self._position(rule) for rule in RULES}
        return {
            rule: None if position is None else int(self.param_range[position])
            for rule, position in positions.items()
        }

    def _row_names(self) -> tuple[str, Any]:
        return self.param_name, self.param_range

    def _columns(self) -> dict[str, FloatArray]:
        return {
            "log_dispersion": self.log_dispersion,
            "expected_log_dispersion": self.expected_log_dispersion,
            "gap": self.gap,
            "standard_error": self.standard_error,
        }

    def _position(self, rule: str) -> int | None:
        """Return the smallest position that a rule chooses for any null distribution."""
        positions = [chosen(rule, one.gap, one.standard_error) for one in self.laws.values()]
        return min((one for one in positions if one is not None), default=None)

    def _headline(self) -> str:
        n_null = len(self.null_log_dispersion)
        laws = ", ".join(self.laws)
        return f"GapStatistic: {n_null} structureless data sets ({laws}), power {self.power}"

    def _shown(self) -> Table:
        """Return the values, and the rules that choose each of them."""
        choices = self.choices()
        chosen_by = [
            ", ".join(rule for rule, choice in choices.items() if choice == value)
            for value in self.param_range
        ]
        titles = ("log W", "E log W", "gap", "s", *(f"gap, {one.null}" for one in self.others))
        values = *self._columns().values(), *(one.gap for one in self.others)
        columns = dict([self._row_names(), *zip(titles, values, strict=True)])
        return table_of({**columns, "chosen by": chosen_by})


@tells_keywords
def gap_statistic(
    estimator: Any,
    X: ArrayLike,
    param_range: ArrayLike | None = None,
    *,
    param_name: str = "auto",
    null: Any = "pca",
    n_null: int = 50,
    power: int = 2,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int | None = None,
) -> GapStatistic:
    """Compare the dispersion within clusters with that of structureless data.

    The dispersion W within clusters falls with their number, for any data. The gap statistic [1]_
    is the logarithm of W expected for :term:`structureless data` less that of the data: where it is
    large, objects are closer to the other objects of their cluster than by chance. The result can
    be one cluster.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or the distances of all objects, if the clusterer takes these. No similarities,
        see Notes.
    param_range : array-like of increasing int of shape (n_values,), default=None
        Numbers of clusters to try; None tries 1 to 10, below the number of distinct objects. One
        cluster is not fitted. If possible, leave no number out: rules that compare with the next
        number of clusters use the next value of the range.
    param_name : str, default="auto"
        Parameter with the number of clusters, such as ``"kmeans__n_clusters"`` of a pipeline;
        "auto" finds the last step's ``n_clusters`` or ``n_components``.
    null : str, callable or list of them, default="pca"
        Null distribution of the :term:`structureless data`, by its name or as a function, or
        several. "auto" is "copula" and "elliptical", also "pca" for continuous columns, and "rates"
        for counts.
    n_null : int, default=50
        Number of structureless data sets, at least 2. Each is clustered for every value.
    power : {1, 2}, default=2
        Power of the Euclidean distances that are summed, or of precomputed ones. With 2, W is the
        sum of squares within clusters, in time proportional to the size of X. With 1 all distances
        within clusters are computed, in chunks.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.

    Returns
    -------
    GapStatistic
        With all values, ``choose(rule)`` and ``choices()``.

    Raises
    ------
    ValueError
        If X has fewer than two objects or values that are not finite, or a parameter is invalid; if
        the clusterer finds noise, or more clusters than requested, as clusterers without a fixed
        number do; if W is zero, as for as many clusters as there are distinct objects.
    TypeError
        If the estimator is no clusterer, as for labels or where X comes first; if a parameter is of
        the wrong type.

    Warns
    -----
    UserWarning
        If a clusterer finds fewer clusters than requested. Warnings of the fits are given once.

    See Also
    --------
    GapDisplay : A picture of the gaps and of both curves.
    structure_test : Whether any statistic is better than for structureless data.

    Notes
    -----
    W = sum over clusters r of D_r / (2 n_r), with n_r the size of the cluster and D_r the sum of
    distances to the given power over all ordered pairs of its objects. With B structureless data
    sets, Gap(k) = mean of log W*(k) - log W(k) and s(k) = sqrt(1 + 1/B) sd of log W*(k), the
    standard deviation with divisor B.

    Each of several null distributions has its own curve, and a rule chooses the smallest number
    that it chooses for any of them.

    Every fit has its own seed, drawn from ``random_state``, which replaces the ``random_state`` of
    the estimator. All data are clustered with the same estimator; give k-means several starts
    (``n_init=10``), since a poor fit of the data reduces the gap.

    Similarities are an error, since W adds distances, see :func:`choose_n_clusters`.

    The steps of a pipeline are fitted to each data set, and W is computed in the space of the last
    step. Structureless data are drawn in the space of X.

    It takes 1 + n_null fits for each value above 1, or 1 + n_null times the number of null
    distributions. For ``power=2`` the draw of a data set and W are linear in the objects. With
    ``power=1`` time grows with the square of the sizes of the clusters. No matrix of all pairs of
    objects is made.

    References
    ----------
    .. [1] R. Tibshirani, G. Walther, T. Hastie, "Estimating the number of clusters in a data
       set via the gap statistic", Journal of the Royal Statistical Society B 63(2), 2001,
       :doi:`10.1111/1467-9868.00293`.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import gap_statistic
    >>> X, _ = make_blobs(100, centers=3, random_state=2)
    >>> gap = gap_statistic(KMeans(), X, param_range=range(1, 5), n_null=10, random_state=0)
    >>> gap.choose("tibshirani")
    3
    """
    pairs, rows = pairs_taken(estimator), as_rows(X, estimator)
    param_name = main_parameter(estimator, param_name)
    if power not in (1, 2):
        msg = f"power must be one of {options_text((1, 2), power)}"
        raise ValueError(msg)
    # As many clusters as distinct objects have no dispersion.
    most = n_distinct_objects(rows, MOST_TRIED + 1) - 1 if param_range is None else 0
    values = read_range(values_tried(param_name, param_range, max(most, 1)), rows.shape[0])
    check_values(param_name, values)
    several_resamples("n_null", n_null)
    laws = laws_of(null, rows)
    (own,), of_laws = compare_with_null(
        Statistic(
            estimator,
            [{param_name: int(value)} for value in values],
            partial(_log_dispersion, power, pairs),
        ),
        as_data(rows),
        laws,
        fit_seeds(1 + n_null, 1 + len(values), random_state),
        n_jobs=n_jobs,
        verbose=verbose,
    )
    first, *others = (
        GapStatistic(param_name, values, own, of_null, law.name, power)
        for law, of_null in zip(laws, of_laws, strict=True)
    )
    return replace(first, others=tuple(others))


def _log_dispersion(
    power: int, pairs: str | None, seed: int, found: Clustering, candidate: dict[str, Any]
) -> float:
    """Return log W of a clustering; raise ValueError where it has none."""
    ((name, n_clusters),) = candidate.items()
    asked = f"{name}={n_clusters}"
    _check_number(found.labels, n_clusters, asked)
    found_log = log_dispersion(found.space, found.labels, power, pairs)
    if np.isinf(found_log):
        msg = (
            f"W, the dispersion within clusters, is 0 for {asked}, and has no logarithm: "
            "param_range must stay below the number of distinct objects"
        )
        raise ValueError(msg)
    return found_log


def _check_number(labels: Array, n_clusters: int, asked: str) -> None:
    clusters = np.unique(labels)
    if len(clusters) > n_clusters or -1 in clusters:
        noise = ", one of them noise (-1)" if -1 in clusters else ""
        msg = (
            "the estimator must be a clusterer with a fixed number of clusters, got "
            f"{len(clusters)} clusters{noise} for {asked}"
        )
        raise ValueError(msg)
    if len(clusters) < n_clusters:
        warnings.warn(
            f"only {len(clusters)} clusters were found for {asked}", UserWarning, stacklevel=1
        )


# --------------------------------------------------------------------------- dispersion


def log_dispersion(X: Any, labels: Array, power: int, pairs: str | None = None) -> float:
    """Return log W: W adds for each cluster the distances over ordered pairs, by twice its size.

    X holds objects, or their distances if ``pairs`` is not None. It avoids BLAS, whose last bits
    depend on the number of its threads, and is -inf exactly if the objects of each cluster are
    equal.
    """
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    if pairs is not None:
        units = near(all_distances(X, pairs), shifts=False)
        W = _half_mean(codes, lambda rows: [units.values[np.ix_(rows, rows)] ** power])
        return _log(W, power * units.exponent)
    units = near_for(X, "euclidean")
    values = units.values
    if _are_equal(values, values[first][codes]):
        return -np.inf  # where distances and sums of squares may have rounding errors
    if power == 2:
        parts = scatter(values, codes)
        return _log(ordered_sum(parts.within), 2 * (units.exponent + parts.exponent))
    W = _half_mean(codes, lambda rows: _distances(values[rows]))
    return _log(W, units.exponent)


def _log(value: float, exponent: int) -> float:
    """Return the logarithm of ``value * 2**exponent``, which may be no float itself."""
    return float(np.log(value) + exponent * np.log(2)) if value else -np.inf


def _half_mean(codes: Positions, blocks: Callable[[Positions], Iterable[FloatArray]]) -> float:
    """Add up the distances of each cluster, which come in blocks, by twice its size."""
    order = np.argsort(codes, kind="stable")
    return sum(
        sum(float(block.sum()) for block in blocks(members)) / (2 * len(members))
        for members in np.split(order, np.cumsum(np.bincount(codes))[:-1])
    )


def _are_equal(X: Any, other: Any) -> bool:
    return (other != X).nnz == 0 if issparse(X) else np.array_equal(X, other)


def _distances(X: Any) -> Iterator[FloatArray]:
    step = max(1, _MAX_DISTANCES // X.shape[0])
    for start in range(0, X.shape[0], step):
        block = X[start : start + step]
        yield euclidean(block, X) if issparse(X) else cdist(block, X)


# --------------------------------------------------------------------------- test

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

    def _shown(self) -> Table:
        title, names = self._row_names()
        titles = ("value", "mean", "sd", "z", "p")
        columns = dict(zip(titles, self._columns().values(), strict=True))
        return table_of({title: names, **columns}, names=(title,))

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
    null : str, callable or list of them, default="auto"
        Null distribution of the :term:`structureless data`, by its name or as a function, or
        several. "auto" is "copula" and "elliptical", also "pca" for continuous columns, and "rates"
        for counts.
    n_null : int, default=99
        Largest number of structureless data sets of each null distribution, at least 2. The
        smallest p-value possible is 1 / (1 + n_null).
    significance_level : float or None, default=0.05
        Level: no more data sets are drawn as soon as it is certain that the p-value will exceed
        it. None draws all of them.
    subsample : int, None or "auto", default="auto"
        Rows of each sample that the evidence is taken from, at least 12; None for all rows in one.
        "auto" takes samples of 500 above 1,500 rows, in which small clusters may be missed.
    n_subsamples : int, default=5
        Number of these samples, which are disjoint.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.
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
