"""The gap statistic: the dispersion within clusters compared with that of structureless data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._clusterers import (
    MOST_TRIED,
    check_values,
    main_parameter,
    pairs_taken,
    read_range,
    values_tried,
)
from sklearn_clustcompare._data import euclidean, near, near_for
from sklearn_clustcompare._numerics import ordered_sum
from sklearn_clustcompare._options import tells_keywords, warn_caller
from sklearn_clustcompare._parameters import RandomStateLike, one_of, options_text
from sklearn_clustcompare._rendering import Drawn, Rows
from sklearn_clustcompare.indices._internal import scatter
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import Statistic, compare_with_null, fit_seeds
from sklearn_clustcompare.without_reference._null_data import as_data, laws_of
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    all_distances,
    as_rows,
    n_distinct_objects,
)

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

    def _conclusion(self) -> list[str]:
        choices = self.choices().items()
        return [f"chosen by {', '.join(f'{rule}: {number}' for rule, number in choices)}"]


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
