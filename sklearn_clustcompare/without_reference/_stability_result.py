"""Results of a search by stability, and the rules that choose from them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask
from sklearn_clustcompare._numerics import TIE, are_best, known_mean
from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare._rendering import (
    Drawn,
    Result,
    Table,
    n_candidates_text,
    table_of,
)
from sklearn_clustcompare.indices import Index

Rule = Callable[["StabilityResult"], int]

# Level of "null": how often it may find clusters in structureless data.
LEVEL = 0.05
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
        """Return standardized values of the data and of the sets of a law, for each law."""
        return [self._standardized_sets(null) for null in self._null_means()]

    def _standardized_sets(self, null: FloatArray) -> FloatArray:
        """Standardize each data set by all the others, so that all are treated equally."""
        sets = self._scaled(np.concatenate([self.mean[np.newaxis], null]))
        standardized = np.empty_like(sets)
        for number, one in enumerate(sets):
            others = np.delete(sets, number, axis=0) if number else sets[1:]
            excess, deviation = one - others.mean(axis=0), _deviations(others)
            standardized[number] = np.where(np.abs(excess) > TIE, excess / deviation, 0.0)
        return np.nan_to_num(standardized, nan=-np.inf)

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
        rule : {"null", "null_max", "one_standard_error", "max"} or callable, default=None
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
        rule : {"null", "null_max", "one_standard_error", "max"} or callable, default=None
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
        return int(_RULES[name](self))

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
            for rule in _RULES:
                if rule in _NULL_RULES and self.null_values is None:
                    continue
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


def check_rule(rule: Any) -> None:
    if not (isinstance(rule, str) and rule in _RULES):
        msg = f"rule must be a function or one of {options_text(_RULES, rule)}"
        raise ValueError(msg)


def _most_stable(result: StabilityResult) -> int:
    """The largest mean."""
    stability = _without_trivial(result)
    return _one_of(result, stability)


def _one_standard_error(result: StabilityResult) -> int:
    """The most clusters within one standard error of the largest mean."""
    stability = _without_trivial(result)
    best = _one_of(result, stability)
    is_close = stability >= stability[best] - result.standard_error[best] - TIE
    return int(np.argmax(np.where(is_close, result.n_found, -np.inf)))


def _beyond_null(result: StabilityResult) -> int:
    """The largest standardized value beyond structureless data, or one cluster."""
    return _best_beyond_null(result, result.standardized)


def _most_stable_beyond_null(result: StabilityResult) -> int:
    """The largest mean of those beyond structureless data, or one cluster."""
    return _best_beyond_null(result, result._stability())


def _best_beyond_null(result: StabilityResult, values: FloatArray | None) -> int:
    pvalues = result.pvalues
    if pvalues is None or values is None:
        msg = (
            "rule must be 'max' or 'one_standard_error' where no structureless data were drawn; "
            "search with null= for 'null' and 'null_max'"
        )
        raise ValueError(msg)
    is_eligible = (pvalues <= LEVEL) & ~result.is_trivial
    if is_eligible.any():
        values = np.where(is_eligible, values, -np.inf)
        return _one_of(result, values)
    is_one = result.is_trivial & (result.n_found > 0)
    if is_one.any():
        return int(np.argmax(is_one))
    msg = (
        "no candidate is more stable than structureless data are, and none finds one cluster: "
        "there is nothing that rule='null' or 'null_max' could choose"
    )
    raise ValueError(msg)


_RULES: dict[str, Rule] = {
    "null": _beyond_null,
    "null_max": _most_stable_beyond_null,
    "one_standard_error": _one_standard_error,
    "max": _most_stable,
}


_NULL_RULES = ("null", "null_max")


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
