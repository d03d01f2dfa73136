"""A search for parameters of a clusterer by stability: its result, the rules, and the estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning, UndefinedMetricWarning
from sklearn.model_selection import ParameterGrid
from sklearn.utils.validation import check_is_fitted, validate_data

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._clusterers import check_values, clusters_parameter, main_parameter
from sklearn_clustcompare._data import to_fit
from sklearn_clustcompare._numerics import TIE, are_best, known_mean, ranked
from sklearn_clustcompare._options import shortened, warn_caller
from sklearn_clustcompare._parameters import RandomStateLike, boolean, one_of, options_text
from sklearn_clustcompare._partition import Reading, read, read_labels
from sklearn_clustcompare._partition.arrays import MatrixLike
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._rendering import Drawn, Result, Table, n_candidates_text, table_of
from sklearn_clustcompare._table import count_read
from sklearn_clustcompare.indices import Index, IndexLike, read_index
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fits import (
    Search,
    check_skipped,
    compared,
    fit_labels,
    fit_seeds,
    is_one_cluster,
    n_clusters_asked,
    one_call,
    run_fits,
    seeded,
)
from sklearn_clustcompare.without_reference._null_data import (
    LEVEL,
    NullData,
    check_n_null,
    laws_of,
    naming,
)
from sklearn_clustcompare.without_reference._resamples import (
    Clustering,
    Resampling,
    Sample,
    as_new,
    as_rows,
    labels_at,
    read_extension,
    read_groups,
    read_resampling,
    values_of,
)

Rule = Callable[["StabilityResult"], int]

# Distances from the best value are compared by their logarithms, which spread the values near it.
# This share of the mean distance is added, so that no logarithm is infinite.
_OFFSET = 0.05


class StabilityResult(Drawn, Result):
    """Stability of candidates, by pairs of samples; kept by :class:`StabilitySearch`.

    Printed, and as HTML in a notebook, it shows a row for each candidate and what each rule
    chooses. All parameters are attributes of the same names, which cannot be set. Values are those
    of the index: distances are not negated.

    Parameters
    ----------
    candidates : list of dict
        Parameters of each candidate.
    values : ndarray of shape (n_candidates, n_resamples)
        Value of the index for each pair of samples; NaN where it was skipped.
    null_values : ndarray of shape (n_laws * n_null, n_candidates, n_resamples) or None
        The same for structureless data, of one null distribution after the other.
    n_found : ndarray of shape (n_candidates,)
        Mean number of clusters found in the samples, without noise.
    n_skipped : ndarray of shape (n_candidates,)
        Number of pairs of samples that were skipped: fewer distinct objects than clusters, fewer
        than two objects to compare, or nothing but noise that is dropped.
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    null : str or None
        Name of the null distribution of the structureless data, or of all of them.
    labels : list of list of ndarray or None
        Labels in all samples, for each data set (the data first) and each candidate an array of
        shape (n_drawn, n_samples), with -1 for objects that are not in a sample; None where there
        are too many.
    n_laws : int, default=1
        Number of null distributions of structureless data, with as many data sets each.

    See Also
    --------
    StabilitySearch : Makes it.
    StabilityDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import StabilitySearch
    >>> X = load_iris(return_X_y=True)[0]
    >>> search = StabilitySearch(
    ...     KMeans(), {"n_clusters": [2, 3, 4]}, n_resamples=5, random_state=0
    ... ).fit(X)
    >>> search.result_.values.shape
    (3, 5)
    """

    candidates: list[dict[str, Any]]
    values: FloatArray
    null_values: FloatArray | None
    n_found: FloatArray
    n_skipped: IntArray
    index: Index
    parameters: dict[str, Any]
    null: str | None
    labels: list[list[NDArray[np.int32]]] | None = field(default=None)
    n_laws: int = 1

    # ----------------------------------------------------------------- values

    @property
    def mean(self) -> FloatArray:
        """Mean value of each candidate over the pairs of samples."""
        return known_mean(self.values)

    @property
    def standard_error(self) -> FloatArray:
        """Standard error of each mean over the pairs of samples."""
        counts = np.sum(~np.isnan(self.values), axis=1)
        squares = known_mean((self.values - self.mean[:, np.newaxis]) ** 2)
        return np.sqrt(squares / np.maximum(counts - 1, 1))

    @property
    def standardized(self) -> FloatArray | None:
        """Each mean above that of structureless data, in their standard deviations.

        Computed on the logarithm of the distance from the best value of the index, if that value is
        finite. Larger is more stable. None without structureless data; 0.0 where all of them have
        the value of the data. Of several null distributions, the least value.
        """
        if self.null_values is None:
            return None
        return np.min([sets[0] for sets in self._standardized_by_law()], axis=0)

    @property
    def pvalues(self) -> FloatArray | None:
        """Share of structureless data sets with as large a standardized value of some candidate.

        The largest standardized value of each set is compared, so that it does not matter how many
        candidates there are; the smallest possible p-value is 1 / (1 + n_null). Of several null
        distributions, the largest one.
        """
        if self.null_values is None:
            return None
        shares = []
        for data, *null in self._standardized_by_law():
            at_least = np.max(null, axis=1)[:, np.newaxis] >= data - TIE
            shares.append((1 + at_least.sum(axis=0)) / (1 + len(null)))
        return np.max(shares, axis=0)

    @property
    def is_trivial(self) -> Mask:
        """Whether a candidate finds at most one cluster, so that there is nothing to be stable."""
        return self.n_found <= 1

    def _stability(self) -> FloatArray:
        """Return means, signed so that larger is more stable; failures come last."""
        means = self.index.sign * self.mean
        return np.nan_to_num(means, nan=-np.inf)

    def _null_means(self) -> list[FloatArray]:
        """Return the means of the structureless data sets of each null distribution."""
        assert self.null_values is not None
        return np.split(known_mean(self.null_values), self.n_laws)

    def _standardized_by_law(self) -> list[FloatArray]:
        """Return standardized values of the data and of the sets of a law, for each law.

        Each data set is standardized by all the others, so that all are treated equally.
        """
        found = []
        for null in self._null_means():
            sets = self._scaled(np.vstack([self.mean, null]))
            others = [np.delete(sets, number, axis=0) for number in range(len(sets))]
            excess = sets - [one.mean(axis=0) for one in others]
            deviations = np.array([_deviations(one) for one in others])
            standardized = np.where(np.abs(excess) > TIE, excess / deviations, 0.0)
            found.append(np.nan_to_num(standardized, nan=-np.inf))
        return found

    def _scaled(self, means: FloatArray) -> FloatArray:
        """Return means of all data sets on the scale on which they are standardized."""
        lowest, highest = self.index.properties(**self.parameters)["range"]
        best = highest if self.index.greater_is_better else lowest
        if not np.isfinite(best):
            return self.index.sign * means
        distances = np.abs(best - means)
        offset = _OFFSET * distances.mean(axis=0)
        return -np.log(distances + np.where(offset > 0, offset, 1.0))

    # ----------------------------------------------------------------- choosing

    def choose(self, rule: str | Rule | None = None) -> dict[str, Any]:
        """Choose a candidate by a rule; nothing is computed again.

        Compare what several rules choose before relying on one of them.

        Parameters
        ----------
        rule : {"null", "one_standard_error", "max"} or callable, default=None
            The rule, see the Notes of :class:`StabilitySearch`; or a function of the
            :class:`StabilityResult` that returns the position of a candidate. None takes "null"
            where structureless data were drawn, else "max".

        Returns
        -------
        dict
            Parameters of the candidate.

        Raises
        ------
        ValueError
            If the rule is unknown, chooses nothing, or needs structureless data that were not
            drawn.

        Warns
        -----
        UserWarning
            If several candidates are equally stable, or one that is passed over finds one cluster
            only.

        See Also
        --------
        StabilitySearch.choose : The same.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import load_iris
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = load_iris(return_X_y=True)[0]
        >>> grid = {"n_clusters": [2, 3, 4]}
        >>> result = StabilitySearch(KMeans(), grid, n_resamples=10, random_state=0).fit(X).result_
        >>> result.choose("max")
        {'n_clusters': 2}
        """
        return self.candidates[self.position(rule)]

    def position(self, rule: str | Rule | None = None) -> int:
        """Return the position of the candidate that a rule chooses.

        As :meth:`choose`, for the rows of ``values`` instead of the parameters.

        Parameters
        ----------
        rule : {"null", "one_standard_error", "max"} or callable, default=None
            The rule, see the Notes of :class:`StabilitySearch`; or a function of the
            :class:`StabilityResult` that returns the position of a candidate. None takes "null"
            where structureless data were drawn, else "max".

        Returns
        -------
        int
            Position of the candidate in ``candidates``.

        See Also
        --------
        StabilityResult.choose : The parameters of the candidate.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import load_iris
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = load_iris(return_X_y=True)[0]
        >>> grid = {"n_clusters": [2, 3, 4]}
        >>> StabilitySearch(
        ...     KMeans(), grid, n_resamples=10, random_state=0
        ... ).fit(X).result_.position("max")
        0
        """
        name = self.default_rule if rule is None else rule
        if callable(name):
            return int(name(self))
        check_rule(name)
        return _best_beyond_null(self) if name == "null" else _most_stable(self, name)

    def choices(self) -> dict[str, dict[str, Any] | None]:
        """Return what each rule chooses.

        If the rules disagree, the data do not determine the choice; draw them with
        :class:`StabilityDisplay` to see why.

        Returns
        -------
        dict of str to dict
            Parameters of the candidate that each rule chooses, None where it chooses none. Rules
            that need structureless data are left out where none were drawn.

        See Also
        --------
        StabilityResult.choose : One rule, with its warnings.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> search = StabilitySearch(
        ...     KMeans(), {"n_clusters": [2, 3]}, n_resamples=9, random_state=0
        ... ).fit(X)
        >>> search.result_.choices()
        {'one_standard_error': {'n_clusters': 2}, 'max': {'n_clusters': 2}}
        """
        chosen: dict[str, dict[str, Any] | None] = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for rule in RULES if self.null_values is not None else RULES[1:]:
                try:
                    chosen[rule] = self.choose(rule)
                except ValueError:
                    chosen[rule] = None
        return chosen

    @property
    def default_rule(self) -> str:
        """The rule that is used unless another one is given."""
        return "max" if self.null_values is None else "null"

    # ----------------------------------------------------------------- consensus

    def consensus_matrix(self, candidate: int) -> FloatArray:
        """Return how often each pair of objects is in one cluster of a candidate.

        Blocks of ones along the diagonal, once the objects are sorted, are clusters that recur in
        every sample; values between 0 and 1 show ambiguous pairs [1]_.

        Parameters
        ----------
        candidate : int
            Position of the candidate.

        Returns
        -------
        ndarray of shape (n_samples, n_samples)
            Share of the samples with both objects in which they are in one cluster; NaN for objects
            that are never in a sample together.

        Raises
        ------
        ValueError
            If there were too many objects to keep their labels.

        See Also
        --------
        StabilityResult.pac : A summary of it for each candidate.

        Notes
        -----
        It takes 8 bytes for each pair of objects. Noise counts as a cluster.

        References
        ----------
        .. [1] S. Monti, P. Tamayo, J. Mesirov, T. Golub, "Consensus clustering: a resampling-based
           method for class discovery and visualization of gene expression microarray data",
           Machine Learning 52, 2003, :doi:`10.1023/A:1023949509487`

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> search = StabilitySearch(
        ...     KMeans(), {"n_clusters": [2]}, resampling="subsample", random_state=0
        ... ).fit(X)
        >>> search.result_.consensus_matrix(0)[0].tolist()
        [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
        """
        return consensus_matrix(self._kept_labels()[0][candidate])

    def pac(self) -> FloatArray:
        """Return the proportion of ambiguously clustered pairs of each candidate.

        The share of the pairs of objects that are in one cluster in more than 10 % and at most 90 %
        of the samples with both [1]_. Lower is better, but it falls with the number of clusters on
        any data: compare it with :meth:`null_pac`.

        Returns
        -------
        ndarray of shape (n_candidates,)
            In [0, 1].

        Raises
        ------
        ValueError
            If there were too many objects to keep their labels.

        See Also
        --------
        StabilityResult.null_pac : The same for structureless data.
        StabilityResult.consensus_matrix : The matrix that it summarizes.

        References
        ----------
        .. [1] Y. Senbabaoglu, G. Michailidis, J. Z. Li, "Critical limitations of consensus
           clustering in class discovery", Scientific Reports 4, 2014, :doi:`10.1038/srep06207`

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> options = {"resampling": "subsample", "n_resamples": 10, "random_state": 0}
        >>> search = StabilitySearch(KMeans(), {"n_clusters": [2, 3]}, **options)
        >>> search.fit(X).result_.pac().round(2).tolist()
        [0.0, 0.4]
        """
        return np.array([ambiguous_share(labels) for labels in self._kept_labels()[0]])

    def null_pac(self) -> FloatArray:
        """Return the proportion of ambiguously clustered pairs in structureless data.

        Consider a candidate stable if its own proportion is below all or nearly all of these.

        Returns
        -------
        ndarray of shape (n_null, n_candidates)
            In [0, 1].

        Raises
        ------
        ValueError
            If there were too many objects to keep their labels.

        See Also
        --------
        StabilityResult.pac : The proportion for the data.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> search = StabilitySearch(
        ...     KMeans(),
        ...     {"n_clusters": [2]},
        ...     resampling="subsample",
        ...     n_resamples=2,
        ...     null="box",
        ...     random_state=0,
        ... )
        >>> search.fit(X).result_.null_pac().shape
        (19, 2)
        """
        return np.array(
            [[ambiguous_share(one) for one in kept] for kept in self._kept_labels()[1:]]
        )

    def _kept_labels(self) -> list[Any]:
        if self.labels is None:
            msg = (
                "the labels of all samples must be kept for a consensus matrix, and there are too "
                f"many: {self.values.size} pairs of samples; search with fewer objects"
            )
            raise ValueError(msg)
        return self.labels

    # ----------------------------------------------------------------- showing

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per candidate.

        Sort, join or save the rows with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (n_candidates, n_columns)
            Parameters, mean and standard error, those of structureless data (of the null
            distribution with the least standardized value), standardized value and p-value, number
            of clusters found and of pairs skipped.

        See Also
        --------
        StabilityResult.choose : The candidate that a rule chooses.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> options = {"resampling": "subsample", "n_resamples": 10, "random_state": 0}
        >>> search = StabilitySearch(KMeans(), {"n_clusters": [2, 3]}, **options)
        >>> search.fit(X).result_.to_frame()["n_clusters"].tolist()
        [2, 3]
        """
        import pandas as pd

        return pd.concat(
            [pd.DataFrame(self.candidates), pd.DataFrame(self.columns())], axis="columns"
        )

    def columns(self) -> dict[str, Array]:
        """Return the values of each candidate, by name.

        Use it to build tables without pandas.

        Returns
        -------
        dict of str to ndarray of shape (n_candidates,)
            The columns of :meth:`to_frame` after the parameters.

        See Also
        --------
        StabilityResult.to_frame : The same with the parameters.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> options = {"resampling": "subsample", "n_resamples": 10, "random_state": 0}
        >>> search = StabilitySearch(KMeans(), {"n_clusters": [2, 3]}, **options)
        >>> list(search.fit(X).result_.columns())
        ['mean', 'standard_error', 'n_found', 'n_skipped']
        """
        columns: dict[str, Any] = {"mean": self.mean, "standard_error": self.standard_error}
        if self.null_values is not None:
            # Of the law that is hardest to exceed, for each candidate.
            hardest = np.argmin([sets[0] for sets in self._standardized_by_law()], axis=0)
            null = np.stack(self._null_means())[hardest, :, np.arange(len(self))].T
            columns["null_mean"] = null.mean(axis=0)
            columns["null_standard_deviation"] = null.std(axis=0, ddof=1)
            columns["standardized"] = self.standardized
            columns["pvalue"] = self.pvalues
        return columns | {"n_found": self.n_found, "n_skipped": self.n_skipped}

    _columns = columns

    def __len__(self) -> int:
        return len(self.candidates)

    def _headline(self) -> str:
        null = "" if self.null is None else f", compared with structureless data ({self.null})"
        return (
            f"StabilityResult: {n_candidates_text(len(self))} by {self.index.name} of "
            f"{self.values.shape[1]} pairs of samples{null}"
        )

    def _shown(self) -> Table:
        names = dict.fromkeys(name for one in self.candidates for name in one)
        values = [(name, [str(one.get(name, "-")) for one in self.candidates]) for name in names]
        return table_of([*values, *self.columns().items()])

    def _conclusion(self) -> list[str]:
        choices = "; ".join(
            f"{rule!r}: " + ("none" if one is None else _text(one))
            for rule, one in self.choices().items()
        )
        return [f"chosen by {choices}"]


def _deviations(sets: FloatArray) -> FloatArray:
    """Return the standard deviation of each column.

    Where half of a column has one value, as where nothing is found in structureless data, the
    deviation is of little use, and the largest one of the other columns is taken, or else 1.
    """
    deviations = sets.std(axis=0, ddof=1)
    are_equal = np.abs(sets - np.median(sets, axis=0)) <= TIE
    is_degenerate = 2 * are_equal.sum(axis=0) >= len(sets)
    largest = np.fmax.reduce(deviations[~is_degenerate], initial=0.0)
    return np.where(is_degenerate, largest or 1.0, deviations)


# --------------------------------------------------------------------------- consensus

# Pairs of objects that are counted at a time.
_PAIRS_PER_BLOCK = 2**22
# A pair that is together more often than the first and at most as often as the second is ambiguous.
_SELDOM, _OFTEN = 0.1, 0.9


def consensus_matrix(labels: NDArray[np.int32]) -> FloatArray:
    """Return the share of the samples with both objects in which they are in one cluster.

    ``labels`` has the shape (n_draws, n_samples), and -1 for objects that are not in a sample.
    """
    return np.concatenate([block for _, block in _blocks(labels)])


def ambiguous_share(labels: NDArray[np.int32]) -> float:
    """Return the share of the pairs of objects with an ambiguous consensus."""
    n_pairs = n_ambiguous = 0
    for start, block in _blocks(labels):
        rows, columns = np.ogrid[start : start + len(block), : block.shape[1]]
        shares = block[(rows < columns) & ~np.isnan(block)]
        n_pairs += len(shares)
        n_ambiguous += int(np.count_nonzero((shares > _SELDOM) & (shares <= _OFTEN)))
    return n_ambiguous / n_pairs if n_pairs else np.nan


def _blocks(labels: NDArray[np.int32]) -> Iterator[tuple[int, FloatArray]]:
    """Yield rows of the consensus matrix, a block of them at a time."""
    n_samples = labels.shape[1]
    is_drawn = labels >= 0
    draws, objects = np.nonzero(is_drawn)
    starts = np.concatenate([[0], np.cumsum(labels.max(axis=1, initial=-1) + 1)])
    columns = starts[draws] + labels[draws, objects]
    together = sparse.csr_array(
        (np.ones(len(objects)), (objects, columns)), shape=(n_samples, int(starts[-1]))
    )
    drawn = sparse.csr_array(is_drawn.T.astype(np.float64))
    size = max(_PAIRS_PER_BLOCK // max(n_samples, 1), 1)
    for start in range(0, n_samples, size):
        rows = slice(start, start + size)
        n_together = (together[rows] @ together.T).toarray()
        n_both = (drawn[rows] @ drawn.T).toarray()
        missing = np.full(n_both.shape, np.nan)
        yield start, np.divide(n_together, n_both, out=missing, where=n_both > 0)


# --------------------------------------------------------------------------- rules


RULES = ("null", "one_standard_error", "max")


def check_rule(rule: Any) -> None:
    if not (isinstance(rule, str) and rule in RULES):
        msg = f"rule must be a function or one of {options_text(RULES, rule)}"
        raise ValueError(msg)


def _most_stable(result: StabilityResult, rule: str) -> int:
    """Return the largest mean, or the most clusters within one standard error of it."""
    stability = _without_trivial(result)
    best = _one_of(result, stability)
    if rule == "max":
        return best
    is_close = stability >= stability[best] - result.standard_error[best] - TIE
    return int(np.argmax(np.where(is_close, result.n_found, -np.inf)))


def _best_beyond_null(result: StabilityResult) -> int:
    """Return the largest standardized value beyond structureless data, or one cluster."""
    pvalues, standardized = result.pvalues, result.standardized
    if pvalues is None or standardized is None:
        msg = (
            "rule must be 'max' or 'one_standard_error' where no structureless data were drawn; "
            "search with null= for 'null'"
        )
        raise ValueError(msg)
    is_eligible = (pvalues <= LEVEL) & ~result.is_trivial
    if is_eligible.any():
        return _one_of(result, np.where(is_eligible, standardized, -np.inf))
    is_one = result.is_trivial & (result.n_found > 0)
    if is_one.any():
        return int(np.argmax(is_one))
    msg = (
        "no candidate is more stable than structureless data are, and none finds one cluster: "
        "there is nothing that rule='null' could choose"
    )
    raise ValueError(msg)


def _text(candidate: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in candidate.items())


def _without_trivial(result: StabilityResult) -> FloatArray:
    stability = result._stability()
    if not result.is_trivial.any():
        return stability
    if result.is_trivial.all():
        msg = "rule must choose between clusterings, but no candidate finds more than one cluster"
        raise ValueError(msg)
    if result.null_values is None:
        passed = [result.candidates[number] for number in np.flatnonzero(result.is_trivial)]
        warn_caller(
            "candidates that find at most one cluster have no stability and are passed over: "
            f"{', '.join(map(str, passed))}; compare them by null=",
        )
    return np.where(result.is_trivial, -np.inf, stability)


def _one_of(result: StabilityResult, values: FloatArray) -> int:
    """Return the candidate with the best value; in case of ties the one with the most clusters."""
    tied = np.flatnonzero(are_best(values))
    if len(tied) > 1:
        warn_caller(
            f"{len(tied)} candidates are equally stable, and the one with the most clusters is "
            f"chosen: {', '.join(str(result.candidates[number]) for number in tied)}",
        )
    return int(tied[np.argmax(result.n_found[tied])])


# --------------------------------------------------------------------------- pairs of samples

# Why a pair of samples is skipped.
_WHY_SKIPPED = (
    "pairs of samples",
    "fewer distinct objects than clusters, fewer than two to compare, or dropped noise alone",
)
# Pairs of random labelings by which a value is divided.
_RANDOM_PAIRS = 20


@dataclass(frozen=True, eq=False)
class Setting:
    """Parameters of the computation for each pair of samples, independent of the data.

    ``keeps_labels`` is whether the labels of all samples are returned.
    """

    search: StabilitySearch
    candidates: Sequence[Mapping[str, Any]]
    resampling: Resampling
    extension: Any
    index: Index
    parameters: Mapping[str, Any]
    reading: Reading
    keeps_labels: bool


@dataclass
class Pair:
    """Result of one pair of samples for one candidate.

    ``value`` is NaN where it was skipped or failed, and the worst where a sample has at most one
    cluster, unless a single one was requested; ``error`` is the text of the error.
    ``n_found`` is the mean number of clusters found.
    """

    labels: NDArray[np.int32]
    value: float = np.nan
    n_found: float = np.nan
    error: str | None = None


def _pairs_of_set(
    setting: Setting, data: Any, draw_seed: int, rows: list[list[int]]
) -> list[list[Pair]]:
    """Return the results of pairs of samples of data, or of structureless data drawn first."""
    with naming(data):
        X = data.draw(draw_seed) if isinstance(data, NullData) else data
        return [_pairs_of_samples(setting, X, row) for row in rows]


def _pairs_of_samples(setting: Setting, X: Any, seeds: list[int]) -> list[Pair]:
    draw_seed, *own_seeds = seeds
    nothing = np.empty((0, X.shape[0]), np.int32)
    samples = setting.resampling.draw(X, 2, draw_seed)
    positions = _compared(setting.resampling, X, samples)
    found = []
    for number, candidate in enumerate(setting.candidates):
        two = own_seeds[2 * number : 2 * number + 2]
        compare = partial(_pair, setting, candidate, X, positions, two[0])
        draws = [samples] if len(positions) > 1 else []
        try:
            pairs = compared(
                setting.search.estimator, candidate, draws, [two], compare, at_once=False
            )
            found.append((pairs and pairs[0]) or Pair(nothing))
        except Exception as error:
            if setting.search.error_score == "raise":
                raise
            notes = " ".join(getattr(error, "__notes__", ()))
            found.append(Pair(nothing, error=f"{type(error).__name__}: {error} {notes}".strip()))
    return found


def _compared(resampling: Resampling, X: Any, samples: list[Sample]) -> Positions:
    """Return the objects on which two samples are compared."""
    if resampling.compares == "all":
        return np.arange(X.shape[0])
    first, second = (np.unique(one.positions[one.positions >= 0]) for one in samples)
    if resampling.compares == "second":
        return second
    return np.intersect1d(first, second, assume_unique=True)


def _pair(
    setting: Setting,
    candidate: Mapping[str, Any],
    X: Any,
    positions: Positions,
    seed: int,
    found: Sequence[Clustering],
    samples: Sequence[Sample],
) -> Pair:
    pairs = list(zip(found, samples, strict=True))
    sides = [_at(positions, setting, *pair, X) for pair in pairs]
    numbers = [_n_clusters(one.labels, setting.reading) for one in found]
    if min(numbers) > 1 or is_one_cluster(setting.search.estimator, candidate):
        value = _value(setting, *sides)
    else:
        value = _worst_value(setting, len(positions))
    if setting.search.divisor is not None and value:
        most = max(n_clusters_asked(setting.search.estimator, candidate), 2, *numbers)
        value /= _mean_of_random_labels(setting, len(positions), most, seed)
    kept = pairs if setting.keeps_labels else []
    labels = np.empty((len(kept), X.shape[0]), np.int32)
    for row, (one, sample) in zip(labels, kept, strict=True):
        row[:] = _of_objects(one.labels, sample, X)
    return Pair(labels, value, float(np.mean(numbers)))


def _n_clusters(labels: Array, reading: Reading) -> int:
    """Return the number of clusters that are not noise."""
    is_noise = noise_mask(read_labels(labels, "estimator"), reading.noise_labels)
    return len(np.unique(labels[~is_noise]))


def _at(positions: Positions, setting: Setting, found: Clustering, sample: Sample, X: Any) -> Array:
    """Return labels or memberships of the objects at some positions."""
    if setting.search.response == "predict_proba":
        if found.model is None:
            return np.ones((len(positions), 1))
        return found.model.predict_proba(to_fit(as_new(X, positions, sample)))
    noise_labels = setting.reading.noise_labels
    return labels_at(positions, found, sample, X, setting.extension, noise_labels)


def _value(setting: Setting, first: Any, second: Any) -> float:
    """Compare two partitions; NaN where all objects are noise that is dropped."""
    one, other = (read(side, "estimator", setting.reading) for side in (first, second))
    table = count_read(one, other, None, setting.reading, moments=setting.index.moments)
    return setting.index(table, **setting.parameters) if table.coverage else np.nan


def _worst_value(setting: Setting, n_objects: int) -> float:
    """Return the worse value of one cluster and singletons, which have nothing in common.

    Two samples in which nothing is found would agree perfectly, and are the least stable instead.
    """
    setting = replace(setting, reading=Reading())
    sides = np.zeros(n_objects, np.intp), np.arange(n_objects)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        values = [_value(setting, *pair) for pair in (sides, sides[::-1])]
    return min(values) if setting.index.greater_is_better else max(values)


def _mean_of_random_labels(setting: Setting, n_objects: int, n_clusters: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    drawn = rng.integers(n_clusters, size=(_RANDOM_PAIRS, 2, n_objects))
    return float(np.mean([_value(setting, *pair) for pair in drawn]))


def _of_objects(labels: Array, sample: Sample, X: Any) -> NDArray[np.int32]:
    """Number the labels of the objects in a sample; the others have -1."""
    codes = np.full(X.shape[0], -1, np.int32)
    is_object = sample.positions >= 0
    _, numbers = np.unique(labels, return_inverse=True)
    codes[sample.positions[is_object]] = numbers[is_object]
    return codes


_check_response = one_of("auto", "predict_proba")
_check_divisor = one_of(None, "random_labels")
# Labels of all samples are kept for consensus matrices up to these numbers.
_MOST_OBJECTS, _MOST_LABELS = 5000, 2**25


@dataclass(eq=False, repr=False)
class StabilitySearch(Search):
    """Choose parameters of a clusterer, such as its number of clusters, by stability.

    Each candidate clusters pairs of samples of the data, and an index compares the two clusterings
    of each pair: clusters that the data determine recur, arbitrary ones do not. No reference is
    needed. All candidates use the same samples.

    **Stability alone finds clusters in any data**: three in a uniform square. Pass ``null=`` to
    compare with :term:`structureless data`; the result can then be one cluster. By default none are
    drawn.

    Parameters
    ----------
    param_grid : dict, list of dict, or sequence of int
        Values of parameters to try, as :class:`~sklearn.model_selection.ParameterGrid` takes them;
        or values of the last step's ``n_clusters``, ``n_components`` or ``min_cluster_size``. One
        cluster is allowed with ``null`` only, and is then added to a grid of numbers of
        clusters; it is not fitted.
    index : str, callable or Index, default="adjusted_rand_score"
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    parameters : dict, default=None
        Parameters of the index, such as ``{"normalize": True}``.
    resampling : {"bootstrap", "subsample", "split", "jitter", "noise", "thin-gaussian", \
"thin-poisson"} or callable, default="bootstrap"
        How samples are drawn, see the Notes; or a function ``f(X, random_state)`` of the data and
        an integer that returns the positions of the objects in one sample, or a tuple of these
        positions and of the rows themselves, with position -1 for a row that is not an object.
    n_resamples : int, default=50
        Number of pairs of samples.
    sample_size : float or int, default=None
        Size of a bootstrap sample or a subsample, as a share of the objects or their number. None
        takes all for "bootstrap", and 0.8 of them for "subsample".
    extension : {"auto", "predict", "nearest_centroid", "nearest"} or classifier, default="auto"
        How objects outside a sample get labels: from the clusterer itself ("predict"), from the
        mean or the object of the sample that is nearest, or from a scikit-learn classifier that
        learns the labels of the sample. "auto" is "predict" if the clusterer has it, else
        "nearest"; also "nearest" for precomputed distances or similarities.
    response : {"auto", "predict_proba"}, default="auto"
        Whether to compare labels ("auto") or memberships.
    divisor : {None, "random_labels"}, default=None
        Whether to divide each value of a distance by its mean for random labels.
    null : str, callable or list of them, default=None
        Null distribution of the :term:`structureless data`, by its name or as a function, or
        several. "auto" is "copula" and "elliptical", also "pca" for continuous columns, and "rates"
        for counts.
    n_null : int, default=19
        Number of structureless data sets of each null distribution, at least 19.
    rule : {"null", "one_standard_error", "max"} or callable, default=None
        The rule, see the Notes of :class:`StabilitySearch`; or a function of the
        :class:`StabilityResult` that returns the position of a candidate. None takes "null"
        where structureless data were drawn, else "max".
    refit : bool, default=True
        Whether to cluster all objects with the parameters chosen.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    error_score : "raise" or float, default=nan
        Value of a candidate where it fails. "raise" ends the search; NaN leaves the candidate
        without a stability, with a warning, and ranks it last.
    random_state : int, RandomState, Generator, SeedSequence or None, default=None
        :term:`Source of randomness <random_state>`.

    Attributes
    ----------
    result_ : StabilityResult
        All values, in the unit of the index, with the rules and the consensus.
    cv_results_ : dict of str to ndarray of shape (n_candidates,)
        The same in the format of scikit-learn's searches: ``params``, ``param_*``,
        ``split*_test_score`` of each pair of samples, ``mean_test_score``, ``std_test_score``,
        ``rank_test_score``. Distances are negated.
    best_rule_ : str or callable
        The rule that chose.
    best_index_ : int
        Position of the candidate chosen.
    best_params_ : dict
        Its parameters.
    best_score_ : float
        Its mean test score.
    best_estimator_ : estimator
        A clone with these parameters, fitted to all objects; a ``random_state`` that is None is
        set.
    labels_ : ndarray of shape (n_samples,)
        Labels that it found.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features that are all strings.

    Raises
    ------
    ValueError
        In ``fit``: if a parameter is invalid, no candidate can be fitted, no sample has as many
        distinct objects as clusters, or the rule chooses nothing.

    Warns
    -----
    FitFailedWarning
        If a candidate fails.
    UserWarning
        If candidates tie, or pairs of samples are skipped.

    See Also
    --------
    StabilityDisplay : A picture of it.
    cluster_stability : Which clusters of one clustering are stable.
    prediction_strength : Another measure, with a fixed threshold.
    gap_statistic : Compares sums of squares instead.

    Notes
    -----
    The schemes are:

    - "bootstrap": two samples with replacement; both clusterings are extended to all objects [1]_.
      With ``index="mirkin_distance"`` and ``parameters={"normalize": True}`` the mean is Fang and
      Wang's instability, which is lower for more stable candidates;
    - "subsample": two samples without replacement, compared on the objects that both have [2]_;
    - "split": two halves; the clustering of the first is extended to the second and compared with
      its own. With ``index="misclassification_distance"`` and ``divisor="random_labels"`` it is
      the index of Lange et al. [3]_;
    - "jitter": all objects twice, moved by normal noise of a tenth of the standard deviation of
      each feature;
    - "noise": all objects twice, of which 5 % are replaced by noise, uniform within three standard
      deviations of the mean; compared on the objects that both have;
    - "thin-gaussian", "thin-poisson": all objects twice, as two parts with the sum X that are
      independent given the means of all values, and have half of these [4]_: values are normal with
      variance 1, or Poisson counts. The first part has the distribution N(x / 2, 1 / 4) given x, or
      the binomial distribution of x and 1/2. Divide each feature by the standard deviation of its
      noise, not by that of all objects, which contains the distances of the clusters; if it is
      estimated, the parts are independent approximately. Counts that vary more than Poisson counts
      have parts that depend on each other. Draw structureless counts by ``null="rates"``.

    The rules are:

    - "max": the largest mean, or the lowest one of a distance;
    - "one_standard_error": the most clusters within one standard error of it, since two clusters
      are favored;
    - "null": means are standardized by those of the structureless data at the same candidate. A
      candidate is eligible if its standardized value exceeds the largest one, over all candidates,
      of all but 5 % of the structureless data, so that the whole search errs for 5 % of such data.
      The candidate with the largest standardized value is chosen, or one cluster if none is
      eligible. With several null distributions a candidate has to exceed the data of each, and its
      standardized value is the least one;

    Means are standardized on the scale of the logarithm of their distance from the best value of
    the index: on the plain scale no value near the best one can be prominent. Where half of the
    structureless data sets have one value, as where nothing is found in them, the largest standard
    deviation of the other candidates is taken. "null" favors the
    candidates for which structureless data vary little, such as many clusters in many features;

    Ties go to the candidate with the most clusters.

    A pair of samples has the worst value of the index if one of them has at most one cluster,
    unless a single one was requested: finding nothing twice is no stability. The worst value is
    that of one cluster and singletons.

    Of distances or similarities, rows and columns are drawn together. An object outside a sample
    gets the label of the one at the smallest distance or largest similarity, and is noise (-1) if a
    graph has no edge between it and the sample. Structureless data are those of points with such
    distances; for similarities and sparse graphs none are known, and ``null`` must be a function.

    Use an index that is adjusted for chance: other indices drift with the number of clusters.
    Objects in both samples keep the labels that were found; ``extension`` is not used if only these
    are compared.

    Each fit has its own seed: two fits with the same one would agree trivially. With a single
    start, the instability of k-means includes that of the algorithm; raise ``n_init`` to measure
    that of the data alone. Fits use one thread each.

    Where ``groups`` are given to ``fit``, whole groups are drawn: the same share of them as of the
    objects. Structureless data are drawn as if all rows were independent.

    A bootstrap sample contains copies, which count several times in a fit and once in the
    comparison. Copies form small dense groups: prefer "subsample" for density-based clusterers.

    The cost is 2 ``n_resamples`` fits per candidate, (1 + ``n_null``) times. For a million objects,
    compare clusterings of bootstrap samples of ten thousand, which a clusterer with ``predict``
    extends to all; nothing is computed for pairs of objects.

    References
    ----------
    .. [1] Y. Fang, J. Wang, "Selection of the number of clusters via the bootstrap method",
       Computational Statistics & Data Analysis 56(3), 2012, :doi:`10.1016/j.csda.2011.09.003`
    .. [2] A. Ben-Hur, A. Elisseeff, I. Guyon, "A stability based method for discovering structure
       in clustered data", Pacific Symposium on Biocomputing, 2002
    .. [3] T. Lange, V. Roth, M. L. Braun, J. M. Buhmann, "Stability-based validation of clustering
       solutions", Neural Computation 16(6), 2004, :doi:`10.1162/089976604773717621`
    .. [4] A. Neufeld, A. Dharamshi, L. L. Gao, D. Witten, "Data thinning for convolution-closed
       distributions", Journal of Machine Learning Research 25(57), 2024

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import StabilitySearch
    >>> centers = [[0, 0], [0, 4], [4, 0], [4, 4]]
    >>> X, _ = make_blobs(80, centers=centers, cluster_std=0.5, random_state=0)
    >>> search = StabilitySearch(
    ...     KMeans(n_init=3), {"n_clusters": [2, 3, 4, 5]}, n_resamples=5, null="pca",
    ...     random_state=0,
    ... ).fit(X)
    >>> search.best_params_, search.best_rule_
    ({'n_clusters': 4}, 'null')
    """

    estimator: Any
    param_grid: Any
    _: KW_ONLY
    index: IndexLike = "adjusted_rand_score"
    parameters: Mapping[str, Any] | None = None
    resampling: Any = "bootstrap"
    n_resamples: int = 50
    sample_size: float | int | None = None
    extension: Any = "auto"
    response: str = "auto"
    divisor: str | None = None
    null: Any = None
    n_null: int = 19
    rule: Any = None
    refit: bool = True
    possibilistic: bool = False
    noise: str = "cluster"
    noise_label: Any = -1
    error_score: Any = np.nan
    n_jobs: int | None = None
    random_state: RandomStateLike = None
    verbose: int | None = None

    # ----------------------------------------------------------------- fitting

    def fit(self, X: MatrixLike, y: Any = None, groups: ArrayLike | None = None) -> StabilitySearch:
        """Compute the stability of each candidate, choose one, and cluster all objects with it.

        No reference is used.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            The data; or distances or similarities between the objects, if the clusterer
            takes these.
        y : object
            Ignored; present for API consistency.
        groups : array-like of shape (n_samples,), default=None
            Group of each object, such as its donor, document or customer: objects of a group stay
            together in each sample, so that clusters must come back in other groups. None: each
            object is by itself.

        Returns
        -------
        StabilitySearch
            Itself.

        See Also
        --------
        StabilitySearch.choose : Another rule, without fitting again.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> StabilitySearch(
        ...     KMeans(), {"n_clusters": [2, 3]}, n_resamples=9, random_state=0
        ... ).fit(X).best_params_
        {'n_clusters': 2}
        """
        rows = as_rows(X, self.estimator)
        validate_data(self, X, skip_check_array=True)
        codes, X = read_groups(groups, X, rows.shape[0]), rows
        draws, search = task_seeds(2, 1, self.random_state)[1]
        laws = () if self.null is None else laws_of(self.null, X)
        setting = self._setting(X, len(laws), codes)
        with one_call():
            pairs = self._pairs(setting, X, laws, draws)
            self.result_ = self._result(setting, pairs, laws, X)
            self.cv_results_ = _as_search_results(self.result_)
            self.best_rule_ = self.result_.default_rule if self.rule is None else self.rule
            self.best_index_ = self.result_.position(self.rule)
            self.best_params_ = self.result_.candidates[self.best_index_]
            self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
            if self.refit:
                model = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
                self.best_estimator_ = seeded(model, search, unset_only=True)
                self.labels_ = fit_labels(model, values_of(X))
        return self

    def _pairs(
        self, setting: Setting, X: Any, laws: Sequence[NullData], random_state: Any
    ) -> NDArray[np.object_]:
        """Return the result for each data set, candidate and pair of samples.

        The data are first, and then as many structureless data sets of each null distribution.
        """
        seeds = fit_seeds(1 + self.n_null * len(laws), 2, random_state)
        n_seeds = 1 + 2 * len(setting.candidates)
        own, *null = (fit_seeds(self.n_resamples, n_seeds, seed) for _, seed in seeds)
        # Each pair of the data is a task; the pairs of a structureless set, drawn by the worker,
        # are one.
        tasks: list[tuple[Any, ...]] = [(setting, X, 0, [row]) for row in own]
        of_laws = [law for law in laws for _ in range(self.n_null)]
        draws = (draw for draw, _ in seeds[1:])
        tasks += [(setting, *one) for one in zip(of_laws, draws, null, strict=True)]
        pairs = run_fits(
            _pairs_of_set,
            tasks,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            description="pairs of samples, structureless data",
        )
        found = np.empty((len(seeds), self.n_resamples, len(setting.candidates)), object)
        found[...] = [[pair for (pair,) in pairs[: self.n_resamples]], *pairs[self.n_resamples :]]
        return found.swapaxes(1, 2)

    def _setting(self, X: MatrixLike, n_laws: int, codes: Positions | None) -> Setting:
        """Read all parameters."""
        index, parameters = read_index(self.index, self.parameters or {}, with_data=False)
        several_resamples("n_resamples", self.n_resamples)
        boolean("refit", self.refit)
        _check_response("response", self.response)
        _check_divisor("divisor", self.divisor)
        if self.divisor is not None and index.greater_is_better:
            msg = f"divisor must be None unless the index is a distance, got {index.name}"
            raise ValueError(msg)
        if self.rule is not None and not callable(self.rule):
            check_rule(self.rule)
        if self.error_score != "raise" and not isinstance(self.error_score, int | float):
            msg = f"error_score must be 'raise' or a number, got {shortened(self.error_score)}"
            raise ValueError(msg)
        resampling = read_resampling(self.resampling, self.sample_size, X.shape[0], codes=codes)
        candidates = self._candidates()
        return Setting(
            search=clone(self),  # without what an earlier fit left, for tasks
            candidates=candidates,
            resampling=resampling,
            extension=self._extension(resampling.compares),
            index=index,
            parameters=parameters,
            reading=Reading(
                possibilistic=self.possibilistic, noise=self.noise, noise_label=self.noise_label
            ),
            keeps_labels=self._can_keep(X.shape[0], len(candidates), n_laws),
        )

    def _candidates(self) -> list[dict[str, Any]]:
        candidates = list(ParameterGrid(_as_grid(self.param_grid, self.estimator)))
        for name, value in ((name, one[name]) for one in candidates for name in one):
            check_values(name, [value])
        has_one = any(is_one_cluster(self.estimator, one) for one in candidates)
        if self.null is None:
            if has_one:
                msg = (
                    "param_grid must not contain one cluster, which is stable in any data, without "
                    "null: pass null='pca', got null=None"
                )
                raise ValueError(msg)
            return candidates
        check_n_null(self.n_null)
        name = clusters_parameter(self.estimator)
        if not has_one and any(name in one for one in candidates):
            return [{name: 1}, *candidates]
        return candidates

    def _extension(self, compares: str) -> Any:
        if self.response == "predict_proba":
            if not hasattr(self.estimator, "predict_proba"):
                msg = (
                    "response must be 'auto' for an estimator without predict_proba, got "
                    f"'predict_proba' for {type(self.estimator).__name__}"
                )
                raise ValueError(msg)
            return None
        return None if compares == "shared" else read_extension(self.extension, self.estimator)

    def _can_keep(self, n_samples: int, n_candidates: int, n_laws: int) -> bool:
        n_sets = 1 + n_laws * self.n_null
        n_labels = n_samples * n_candidates * 2 * self.n_resamples * n_sets
        return n_samples <= _MOST_OBJECTS and n_labels <= _MOST_LABELS

    def _result(
        self, setting: Setting, pairs: NDArray[np.object_], laws: Sequence[NullData], X: MatrixLike
    ) -> StabilityResult:
        values, n_found, errors = (
            np.vectorize(attrgetter(name), [kind])(pairs)
            for name, kind in (("value", float), ("n_found", float), ("error", object))
        )
        failed = errors != None  # noqa: E711
        self._check_failures(values, errors.swapaxes(1, 2)[failed.swapaxes(1, 2)])
        n_skipped = np.sum(np.isnan(values[0]) & ~failed[0], axis=1)
        if failed.any():
            whole = np.isnan(self.error_score)
            values[failed.any(axis=2) if whole else failed] = self.error_score
        is_lost = bool((n_skipped == self.n_resamples).all())
        check_skipped(n_skipped, self.n_resamples, X.shape[0], is_lost, _WHY_SKIPPED)
        labels = None
        if setting.keeps_labels:
            labels = [[np.concatenate([one.labels for one in row]) for row in of] for of in pairs]
        return StabilityResult(
            candidates=list(map(dict, setting.candidates)),
            values=values[0],
            null_values=values[1:] if len(values) > 1 else None,
            n_found=known_mean(n_found[0]),
            n_skipped=n_skipped,
            index=setting.index,
            parameters=dict(setting.parameters),
            null=", ".join(law.name for law in laws) or None,
            labels=labels,
            n_laws=len(laws),
        )

    def _check_failures(self, values: FloatArray, errors: Sequence[str]) -> None:
        """Warn of candidates that fail, and raise ValueError if all of them always do."""
        if not len(errors):
            return
        first = f"the first error was {errors[0]}"
        if np.isnan(values[0]).all():
            msg = f"all {len(errors)} comparisons of the search failed; {first}"
            raise (TypeError if errors[0].startswith("TypeError") else ValueError)(msg)
        warn_caller(
            f"{len(errors)} of {values.size} comparisons of the search failed, and their value is "
            f"error_score={self.error_score}; {first}",
            FitFailedWarning,
        )

    # ----------------------------------------------------------------- what was found

    def choose(self, rule: Any = None) -> dict[str, Any]:
        """Choose a candidate by another rule; nothing is fitted again.

        Compare what several rules choose before relying on one of them.

        Parameters
        ----------
        rule : {"null", "one_standard_error", "max"} or callable, default=None
            The rule, see the Notes of :class:`StabilitySearch`; or a function of the
            :class:`StabilityResult` that returns the position of a candidate. None takes "null"
            where structureless data were drawn, else "max".

        Returns
        -------
        dict
            Parameters of the candidate.

        Raises
        ------
        ValueError
            If the rule is unknown, chooses nothing, or needs structureless data that were not
            drawn.

        See Also
        --------
        StabilityResult.choose : The same.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> search = StabilitySearch(
        ...     KMeans(), {"n_clusters": [2, 3]}, n_resamples=9, random_state=0
        ... ).fit(X)
        >>> search.choose("one_standard_error")
        {'n_clusters': 2}
        """
        check_is_fitted(self, "result_")
        return self.result_.choose(rule)

    @property
    def consensus_matrix_(self) -> FloatArray:
        """Consensus matrix of the chosen candidate, of shape (n_samples, n_samples).

        Computed on access, for at most 5,000 objects.
        """
        check_is_fitted(self, "result_")
        return self.result_.consensus_matrix(self.best_index_)

    @property
    def pac_(self) -> FloatArray:
        """Proportion of ambiguously clustered pairs of each candidate; lower is better.

        See :meth:`StabilityResult.pac`. Compare it with :meth:`StabilityResult.null_pac`.
        """
        check_is_fitted(self, "result_")
        return self.result_.pac()


def _as_grid(param_grid: Any, estimator: Any) -> Any:
    """Return a grid of parameters: values alone are those of the main parameter."""
    if isinstance(param_grid, str | Mapping) or not hasattr(param_grid, "__iter__"):
        return param_grid
    values = list(param_grid)
    if any(isinstance(one, Mapping) for one in values):
        return values
    return {main_parameter(estimator): values}


def _as_search_results(result: StabilityResult) -> dict[str, Any]:
    """Return results in the format of scikit-learn's searches."""
    sign = result.index.sign
    found: dict[str, Any] = {"params": result.candidates}
    for name in dict.fromkeys(name for one in result.candidates for name in one):
        column: Any = np.ma.masked_all(len(result), dtype=object)  # type: ignore[no-untyped-call]
        for number, one in enumerate(result.candidates):
            if name in one:
                column[number] = one[name]
        found[f"param_{name}"] = column
    for number, values in enumerate(sign * result.values.T):
        found[f"split{number}_test_score"] = values
    means = sign * result.mean
    counts = np.maximum((~np.isnan(result.values)).sum(axis=1) - 1, 1)
    found["mean_test_score"] = means
    found["std_test_score"] = result.standard_error * np.sqrt(counts)
    found["rank_test_score"] = ranked(means).astype(np.int32)
    shown = {"mean", "standard_error", "null_mean", "null_standard_deviation"}
    return found | {name: one for name, one in result.columns().items() if name not in shown}
