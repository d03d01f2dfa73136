"""Ranks of methods on many data sets, and which methods differ."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import chi2, f, friedmanchisquare, studentized_range, wilcoxon

from sklearn_clustcompare._numerics import are_best, ranked
from sklearn_clustcompare._parameters import boolean, one_of, probability
from sklearn_clustcompare._partition.ids import index_of
from sklearn_clustcompare._partition.memberships import column_names
from sklearn_clustcompare._partition.missing import is_missing
from sklearn_clustcompare._partition.validation import as_numbers, as_reals
from sklearn_clustcompare._rendering import Shown, Table, p_text, result_record, table_of
from sklearn_clustcompare.significance._comparisons import holm

FloatArray = NDArray[np.float64]
_Masked = np.ma.MaskedArray

_MEAN_RANK = "mean_rank"
# Smaller p-values are below the rounding errors of the laws.
_LEAST_PVALUE = 1e-16


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class MethodRanks(Shown):
    """Ranks of methods on many data sets; made by :func:`rank_methods`.

    Printed, and as HTML in a notebook, it shows the mean ranks and the result of Friedman's test.
    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    names : list
        Names of the methods.
    ranks : ndarray of shape (n_datasets, n_methods)
        Rank of each method on each data set, 1 for the best; methods that tie share the mean of
        their ranks.
    times_best : ndarray of int64 of shape (n_methods,)
        Number of data sets on which each method has the best score, alone or with others. A data
        set on which all methods failed does not count.
    statistic : float
        Friedman's chi-squared statistic.
    pvalue : float
        Its p-value, if all methods are equal.
    f_statistic : float
        The statistic with the correction of Iman & Davenport, which is less conservative; infinite
        if all data sets rank the methods equally.
    f_pvalue : float
        Its p-value; 0.0 for an infinite statistic.
    post_hoc : {"nemenyi", "wilcoxon"}
        The test of pairs: Nemenyi's test of mean ranks, or Wilcoxon's signed-rank test of the
        scores of two methods with Holm's correction.
    significance_level : float
        Significance level of the test of pairs, for all pairs together.
    pvalues : ndarray of shape (n_methods, n_methods)
        P-values of no difference between two methods, corrected for the number of pairs; 1.0 on the
        diagonal.
    critical_difference : float or None
        Smallest difference of two mean ranks that is significant; None after "wilcoxon", which
        has none.

    See Also
    --------
    rank_methods : Makes it.
    CriticalDifferenceDisplay : Draws it.

    Examples
    --------
    >>> from sklearn_clustcompare.experiments import rank_methods
    >>> scores = {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.7, 0.6], "c": [0.7, 0.6, 0.6]}
    >>> rank_methods(scores).ranks
    array([[1. , 2. , 3. ],
           [1. , 2. , 3. ],
           [1. , 2.5, 2.5]])
    """

    names: list[Any]
    ranks: FloatArray
    times_best: NDArray[np.int64]
    statistic: float
    pvalue: float
    f_statistic: float
    f_pvalue: float
    post_hoc: str
    significance_level: float
    pvalues: FloatArray
    critical_difference: float | None

    @property
    def mean_ranks(self) -> FloatArray:
        """Mean rank of each method, an array of shape (n_methods,)."""
        return self.ranks.mean(axis=0)

    def groups(self) -> list[list[Any]]:
        """Return the largest groups of methods of which no two differ significantly.

        A method may be in several groups; one that differs from all others is in none.

        Returns
        -------
        list of list
            Names of the methods of each group, the best first; the group with the best method
            first.

        See Also
        --------
        CriticalDifferenceDisplay : Draws a bar for each group.

        Examples
        --------
        >>> from sklearn_clustcompare.experiments import rank_methods
        >>> scores = [[0.9, 0.8, 0.1], [0.8, 0.9, 0.1], [0.9, 0.7, 0.1], [0.6, 0.7, 0.1]] * 5
        >>> rank_methods(scores, names=["a", "b", "c"]).groups()
        [['a', 'b']]
        """
        order = np.argsort(self.mean_ranks, kind="stable").tolist()
        is_alike = self.pvalues >= self.significance_level
        found = [sorted(group, key=order.index) for group in _cliques(is_alike) if len(group) > 1]
        found.sort(key=lambda group: [order.index(method) for method in group])
        return [[self.names[method] for method in group] for group in found]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per method, the best first.

        pandas has to be installed.

        Returns
        -------
        pandas.DataFrame
            Indexed by the names; the column ``mean_rank`` is followed by the p-values of the
            difference from each method.

        See Also
        --------
        MethodRanks.groups : Which methods do not differ.

        Examples
        --------
        >>> from sklearn_clustcompare.experiments import rank_methods
        >>> scores = {"a": [0.7, 0.6, 0.7], "b": [0.8, 0.7, 0.9], "c": [0.6, 0.5, 0.6]}
        >>> rank_methods(scores).to_frame()["mean_rank"].to_dict()
        {'b': 1.0, 'a': 2.0, 'c': 3.0}
        """
        import pandas as pd

        order = np.argsort(self.mean_ranks, kind="stable")
        names = pd.Index(self.names, name="method", tupleize_cols=False)
        frame = pd.DataFrame(self.pvalues, index=names, columns=names.rename(None))
        frame.insert(0, _MEAN_RANK, self.mean_ranks)
        return frame.iloc[order]

    def __len__(self) -> int:
        return len(self.names)

    def _headline(self) -> str:
        return f"MethodRanks: {len(self.names)} methods on {len(self.ranks)} data sets"

    def _shown(self) -> Table:
        order = np.argsort(self.mean_ranks, kind="stable").tolist()
        return table_of(
            {
                "method": [self.names[k] for k in order],
                "mean rank": self.mean_ranks[order].tolist(),
                "times best": self.times_best[order].tolist(),
            },
            names=["method"],
        )

    def _conclusion(self) -> list[str]:
        pvalue = p_text(self.pvalue, _LEAST_PVALUE)
        lines = [
            f"Friedman's test: chi-squared {self.statistic:.4g}, {pvalue}",
            f"with Iman & Davenport's correction: F {self._f_text()}",
        ]
        if self.critical_difference is not None:
            lines.append(
                f"Nemenyi's test: critical difference {self.critical_difference:.4g} at the level "
                f"{self.significance_level:g}"
            )
        return lines

    def _f_text(self) -> str:
        if math.isinf(self.f_statistic):
            return "inf (all data sets rank the methods equally)"
        return f"{self.f_statistic:.4g}, {p_text(self.f_pvalue, _LEAST_PVALUE)}"


def rank_methods(
    scores: ArrayLike | Mapping[Any, ArrayLike],
    *,
    names: Sequence[Any] | None = None,
    greater_is_better: bool = True,
    post_hoc: str = "nemenyi",
    significance_level: float = 0.05,
    tie_correction: bool = True,
) -> MethodRanks:
    r"""Rank methods on many data sets, and test which of them differ.

    Friedman's test asks whether the methods differ at all. Where it rejects, a test of all pairs
    shows which do. The data sets are what is sampled: a result holds for other data sets like
    these.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods), DataFrame or mapping
        Value of each method on each data set: one row per data set and one column per method. The
        columns of a DataFrame have the names of the methods, and a mapping has a column by the name
        of each method. NaN, a masked or a missing value is a method that failed.
    names : sequence, default=None
        Names of the methods; None takes those of the columns, or their positions.
    greater_is_better : bool, default=True
        Whether a higher value is better; False for distances, times and ranks.
    post_hoc : {"nemenyi", "wilcoxon"}, default="nemenyi"
        The test of pairs: Nemenyi's test of mean ranks, or Wilcoxon's signed-rank test of the
        scores of two methods with Holm's correction.
    significance_level : float, default=0.05
        Significance level of the test of pairs, for all pairs together.
    tie_correction : bool, default=True
        Whether Friedman's statistic is corrected for ties, as in
        :func:`scipy.stats.friedmanchisquare`. Without the correction, as in [1]_, the test is
        conservative where methods tie.

    Returns
    -------
    MethodRanks
        With ``ranks``, ``mean_ranks``, ``times_best``, ``statistic``, ``pvalue``,
        ``f_statistic``, ``f_pvalue``, ``pvalues``, ``critical_difference`` and ``groups()``.

    Raises
    ------
    ValueError
        If there are fewer than 3 methods or 2 data sets, names do not fit, Series have different
        indexes, a score is infinite, or is NaN for Wilcoxon's test.
    TypeError
        If scores are no real numbers, or names are no sequence of hashable ones.

    Warns
    -----
    UserWarning
        If scores are NaN: they share the last rank of their data set.

    See Also
    --------
    BenchmarkResult.rank : Ranks of the clusterers of a benchmark.
    CriticalDifferenceDisplay : Draws the result.
    CandidateScores.compare : Candidates on one data set.

    Notes
    -----
    With :math:`N` data sets, :math:`k` methods and mean ranks :math:`R_j`, Friedman's statistic
    without correction for ties is

    .. math:: \chi^2_F = \frac{12 N}{k (k + 1)} \left[\sum_j R_j^2 - \frac{k (k + 1)^2}{4}\right],

    and :math:`F_F = (N - 1) \chi^2_F / (N (k - 1) - \chi^2_F)` has a law of F with :math:`k - 1`
    and :math:`(k - 1)(N - 1)` degrees of freedom [2]_. By Nemenyi's test two methods differ if
    their mean ranks differ by at least :math:`q_\alpha \sqrt{k (k + 1) / (6 N)}`, where
    :math:`q_\alpha` is a quantile of the studentized range divided by :math:`\sqrt 2`. Wilcoxon's
    test splits the ranks of zero differences evenly between both signs. Its statistic for two
    methods does not depend on the other methods, and it uses the size of differences, which must
    then be comparable between data sets.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
       Machine Learning Research 7, 2006
    .. [2] R. L. Iman, J. M. Davenport, "Approximations of the critical region of the Friedman
       statistic", Communications in Statistics A 9(6), 1980

    Examples
    --------
    >>> from sklearn_clustcompare.experiments import rank_methods
    >>> scores = {
    ...     "k-means": [0.61, 0.45, 0.90, 0.33, 0.72, 0.58],
    ...     "ward": [0.66, 0.47, 0.88, 0.41, 0.75, 0.60],
    ...     "single": [0.02, 0.10, 0.56, 0.00, 0.11, 0.05],
    ... }
    >>> rank_methods(scores)
    MethodRanks: 3 methods on 6 data sets
    method   mean rank  times best
    ward        1.1667           5
    k-means     1.8333           1
    single      3.0000           0
    Friedman's test: chi-squared 10.33, p = 0.0057
    with Iman & Davenport's correction: F 31, p = 5.17e-05
    Nemenyi's test: critical difference 1.353 at the level 0.05
    """
    boolean("greater_is_better", greater_is_better)
    boolean("tie_correction", tie_correction)
    one_of("nemenyi", "wilcoxon")("post_hoc", post_hoc)
    probability("significance_level", significance_level)
    values, titles = _read(scores, names)
    is_undefined = np.isnan(values)
    if is_undefined.any():
        _handle_undefined(is_undefined, titles, post_hoc)
    ranks = ranked(values, greater_is_better=greater_is_better, method="average")
    statistic, pvalue = _friedman(ranks, tie_correction)
    f_statistic, f_pvalue = _iman_davenport(statistic, *ranks.shape)
    if post_hoc == "nemenyi":
        pvalues, difference = _nemenyi(ranks, significance_level)
    else:
        pvalues, difference = _wilcoxon_holm(values, ranks), None
    return MethodRanks(
        titles,
        ranks,
        are_best(values, greater_is_better=greater_is_better).sum(axis=0),
        statistic,
        pvalue,
        f_statistic,
        f_pvalue,
        post_hoc,
        significance_level,
        pvalues,
        difference,
    )


# --------------------------------------------------------------------------- input


def _read(scores: Any, names: Any) -> tuple[FloatArray, list[Any]]:
    columns = column_names(scores)
    if isinstance(scores, Mapping):
        columns = list(scores)
        scores = _joined(scores)
    values = _numbers(scores)
    if values.ndim != 2 or values.shape[0] < 2 or values.shape[1] < 3:
        msg = (
            "scores must have one row for each of at least 2 data sets and one column for each of "
            f"at least 3 methods, got shape {values.shape}"
        )
        raise ValueError(msg)
    if np.isinf(values).any():
        msg = f"scores must be finite or NaN, got {values[np.isinf(values)][0]}"
        raise ValueError(msg)
    default = range(values.shape[1]) if columns is None else columns
    return values, _titles(default if names is None else names, values.shape[1])


def _joined(scores: Mapping[Any, Any]) -> FloatArray:
    """Return the columns of a mapping as an array."""
    columns = [_numbers(column) for column in scores.values()]
    shapes = {column.shape for column in columns}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        found = ", ".join(map(str, sorted(shapes)))
        msg = f"scores must have as many values for each method, got columns of shape {found}"
        raise ValueError(msg)
    indexed = {name: column for name, column in scores.items() if index_of(column) is not None}
    for name, column in indexed.items():
        if not index_of(column).equals(index_of(next(iter(indexed.values())))):
            msg = (
                f"scores must have the same index for each method, got another one for {name!r}: "
                "make a DataFrame of them, which joins them by their index"
            )
            raise ValueError(msg)
    return np.column_stack(columns) if columns else np.zeros((0, 0))


def _numbers(values: Any) -> FloatArray:
    """Return scores as floats; NaN for masked and missing ones."""
    if isinstance(values, list | tuple) and any(isinstance(one, _Masked) for one in values):
        values = np.ma.array(values)
    if isinstance(values, _Masked):
        return np.where(np.ma.getmaskarray(values), np.nan, _numbers(values.data))
    array = as_numbers(values, "scores")
    if array.dtype.kind == "O":
        wrong = [one for one in array.ravel().tolist() if not (_is_real(one) or is_missing(one))]
        if wrong:
            msg = f"scores must be real numbers, got {wrong[0]!r:.80}"
            raise TypeError(msg)
        listed = [math.nan if is_missing(one) else float(one) for one in array.ravel().tolist()]
        return np.array(listed, np.float64).reshape(array.shape)
    return as_reals(array, "scores must be real numbers").astype(np.float64, copy=True)


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real | Decimal)


def _titles(names: Any, n_methods: int) -> list[Any]:
    rule = f"names must be {n_methods} different names, one per method"
    if isinstance(names, str) or not isinstance(names, Iterable):
        msg = f"{rule}, got {names!r}"
        raise TypeError(msg)
    titles = list(names)
    try:
        n_different = len(set(titles))
    except TypeError:
        msg = f"{rule}, that can be hashed, got {titles!r}"
        raise TypeError(msg) from None
    if len(titles) != n_methods or n_different < n_methods:
        msg = f"{rule}, got {titles!r}"
        raise ValueError(msg)
    if _MEAN_RANK in titles:
        msg = f"names must not contain {_MEAN_RANK!r}, a column of to_frame(), got {titles!r}"
        raise ValueError(msg)
    return titles


def _handle_undefined(is_undefined: NDArray[np.bool_], names: list[Any], post_hoc: str) -> None:
    failing = [
        f"{name!r} ({count})"
        for name, count in zip(names, is_undefined.sum(axis=0).tolist(), strict=True)
        if count
    ]
    if post_hoc == "wilcoxon":
        msg = (
            "scores must be finite for post_hoc='wilcoxon', which compares values and not ranks, "
            f"got NaN of {', '.join(failing)}"
        )
        raise ValueError(msg)
    warnings.warn(
        f"{is_undefined.sum()} scores are NaN and share the last rank of their data set: "
        + ", ".join(failing),
        UserWarning,
        stacklevel=3,
    )


# --------------------------------------------------------------------------- tests


def _friedman(ranks: FloatArray, tie_correction: bool) -> tuple[float, float]:
    n_datasets, n_methods = ranks.shape
    if (ranks == ranks[:, :1]).all():
        return 0.0, 1.0  # all methods tie everywhere: 0/0
    statistic, pvalue = map(float, friedmanchisquare(*ranks.T))
    if tie_correction:
        return statistic, pvalue
    mean = ranks.mean(axis=0)
    spread = math.fsum(((mean - (n_methods + 1) / 2) ** 2).tolist())
    statistic = 12 * n_datasets / (n_methods * (n_methods + 1)) * spread
    return statistic, float(chi2.sf(statistic, n_methods - 1))


def _iman_davenport(statistic: float, n_datasets: int, n_methods: int) -> tuple[float, float]:
    most = n_datasets * (n_methods - 1)
    if statistic >= most * (1 - 1e-12):  # the same order on all data sets
        return math.inf, 0.0
    value = (n_datasets - 1) * statistic / (most - statistic)
    return value, float(f.sf(value, n_methods - 1, (n_methods - 1) * (n_datasets - 1)))


def _nemenyi(ranks: FloatArray, significance_level: float) -> tuple[FloatArray, float]:
    n_datasets, n_methods = ranks.shape
    mean = ranks.mean(axis=0)
    # Of a difference of two mean ranks it is the standard deviation, divided by the root of 2.
    scale = math.sqrt(n_methods * (n_methods + 1) / (12 * n_datasets))
    ranges = np.abs(mean[:, np.newaxis] - mean) / scale
    pvalues = np.ones((n_methods, n_methods))
    apart = np.triu_indices(n_methods, 1)
    pvalues[apart] = np.clip(studentized_range.sf(ranges[apart], n_methods, np.inf), 0.0, 1.0)
    pvalues.T[apart] = pvalues[apart]
    return pvalues, float(studentized_range.isf(significance_level, n_methods, np.inf)) * scale


def _wilcoxon_holm(values: FloatArray, ranks: FloatArray) -> FloatArray:
    n_methods = values.shape[1]
    apart = np.triu_indices(n_methods, 1)
    found = [
        _wilcoxon(np.where(ranks[:, i] == ranks[:, j], 0.0, values[:, i] - values[:, j]))
        for i, j in zip(*apart, strict=True)
    ]
    pvalues = np.ones((n_methods, n_methods))
    pvalues[apart] = holm(np.array(found))
    pvalues.T[apart] = pvalues[apart]
    return pvalues


def _wilcoxon(differences: FloatArray) -> float:
    if not differences.any():
        return 1.0
    with warnings.catch_warnings():
        # Before version 1.13, SciPy warned that it takes the normal approximation.
        warnings.simplefilter("ignore", UserWarning)
        return float(wilcoxon(differences, zero_method="zsplit").pvalue)


def _cliques(is_alike: NDArray[np.bool_]) -> list[list[int]]:
    """Return the largest sets of methods without a difference (Bron and Kerbosch)."""
    alike = [set(np.flatnonzero(row).tolist()) - {k} for k, row in enumerate(is_alike)]
    found: list[list[int]] = []

    def grow(clique: list[int], possible: set[int], done: set[int]) -> None:
        if not possible and not done:
            found.append(clique)
        pivot = max(possible | done, key=lambda k: len(alike[k] & possible), default=None)
        for method in sorted(possible - (set() if pivot is None else alike[pivot])):
            grow([*clique, method], possible & alike[method], done & alike[method])
            possible = possible - {method}
            done = done | {method}

    grow([], set(range(len(is_alike))), set())
    return found
