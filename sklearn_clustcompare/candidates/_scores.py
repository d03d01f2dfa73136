"""The result of comparing candidates with one reference: intervals and differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._numerics import ranked
from sklearn_clustcompare._options import shortened, tells_keywords, warn_caller
from sklearn_clustcompare._parameters import RandomStateLike, positive_integer, probability
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._rendering import (
    Drawn,
    Result,
    Table,
    n_candidates_text,
    table_of,
)
from sklearn_clustcompare._table import count_read, require_objects
from sklearn_clustcompare.candidates._pairwise import (
    CandidatePermutationTest,
    KeptPartitions,
    permute_reference,
)
from sklearn_clustcompare.indices import Index, IndexLike
from sklearn_clustcompare.indices._judged import spelled
from sklearn_clustcompare.metrics import element_centric_similarities
from sklearn_clustcompare.significance._intervals import compare_pairs, warn_of_bias
from sklearn_clustcompare.significance._sampling_errors import SamplingErrors


class CandidateComparison(Result):
    """Differences between candidates; made by :meth:`CandidateScores.compare`.

    Printed, and as HTML in a notebook, it shows the pairs by p-value. All parameters are attributes
    of the same names, which cannot be set.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    confidence_level : float
        Simultaneous level of all intervals.
    pairs : list of tuple
        Names of the two candidates of each pair.
    differences : ndarray of shape (n_pairs,)
        By how much the first candidate of the pair is better than the second, for distances as
        well; negative if it is worse.
    intervals : ndarray of shape (n_pairs, 2)
        Lower and upper ends of the confidence intervals of the differences.
    pvalues : ndarray of shape (n_pairs,)
        Two-sided p-values of no difference, corrected for the number of pairs.

    See Also
    --------
    CandidateScores.compare : Makes it.
    paired_comparison_test : Compares two candidates.

    Examples
    --------
    >>> from sklearn_clustcompare import score_candidates
    >>> truth = [0] * 30 + [1] * 30
    >>> candidates = {"good": [0] * 28 + [1] * 32, "poor": [0] * 15 + [1] * 45}
    >>> comparison = score_candidates(
    ...     truth,
    ...     candidates,
    ...     indices="adjusted_rand_score",
    ...     confidence_level=0.95,
    ...     random_state=0,
    ... ).compare()
    >>> comparison.pairs, comparison.differences.round(3).tolist()
    ([('good', 'poor')], [0.629])
    """

    index: Index
    parameters: dict[str, Any]
    confidence_level: float
    pairs: list[tuple[Any, Any]]
    differences: FloatArray
    intervals: FloatArray
    pvalues: FloatArray

    def _columns(self) -> dict[str, Any]:
        low, high = self.intervals.T
        return {
            "first": [first for first, _ in self.pairs],
            "second": [second for _, second in self.pairs],
            "difference": self.differences,
            "low": low,
            "high": high,
            "pvalue": self.pvalues,
        }

    def __len__(self) -> int:
        return len(self.pairs)

    def _headline(self) -> str:
        by = self.index.axis_text(**self.parameters)
        level = f"{100 * self.confidence_level:g} % intervals"
        return f"CandidateComparison: {len(self)} pairs by {by}, {level}"

    def _shown(self) -> Table:
        """Return the pairs by their p-values."""
        order = np.argsort(self.pvalues, kind="stable").tolist()
        columns = {name: [one[k] for k in order] for name, one in self._columns().items()}
        return table_of(columns, names=("first", "second"))


_MAX_SHOWN = 10
# All pairs of 1,414 candidates.
_MAX_PAIRS = 10**6


class CandidateScores(Drawn, Result):
    """Scores of candidate partitions; made by :func:`score_candidates`.

    Printed, and as HTML in a notebook, it shows the candidates by rank. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    scores : dict of str to ndarray of shape (n_candidates,)
        Values of each index by its name, in the order of the candidates.
    names : list
        Names of the candidates; their positions if they have none.
    n_clusters : ndarray of shape (n_candidates,)
        Number of clusters of each candidate.
    coverage : ndarray of shape (n_candidates,)
        Share of the objects that were compared; 1.0 unless some were left out.
    indices : dict of str to Index
        Record of the index of each name in ``scores``.
    parameters : dict of str to dict
        Parameters of the index of each name in ``scores``.
    confidence_level : float or None, default=None
        Level of the intervals, between 0 and 1; None if none were requested.
    intervals : dict of str to ndarray of shape (n_candidates, 2)
        Lower and upper ends of the confidence intervals of the ``scores``, NaN where a score is
        undefined for the sample or for a part of it; empty if none were requested.
    sampling_errors : dict of str to SamplingErrors
        Input of :meth:`CandidateScores.compare` and :meth:`CandidateScores.best_set`; empty if no
        intervals were requested.
    partitions : KeptPartitions or None
        Input of :meth:`CandidateScores.permutation_test`; None for candidates that are not in
        memory, with ``unmatched`` or ``within``, and for several references.
    group_names : list
        Names of the groups in sorted order; empty if none were given.
    group_scores : dict of str to ndarray of shape (n_candidates, n_groups)
        Values of each index for each group, NaN for groups without objects to compare; empty if no
        groups were given.
    reference_names : list
        Names of the references; empty if there is one only.
    reference_scores : dict of str to ndarray of shape (n_candidates, n_references)
        Values of each index for each reference; empty if there is one only.
    references : {"max", "mean"}, default="max"
        Score of a candidate if there are several references: its best value, which is the lowest
        one of a distance, or the mean of its values.

    See Also
    --------
    score_candidates : Makes it.
    pairwise_scores : Partitions compared with each other, without a reference.

    Examples
    --------
    >>> from sklearn_clustcompare import score_candidates
    >>> result = score_candidates(
    ...     [0, 0, 1, 1],
    ...     {"same": [1, 1, 0, 0], "one": [0, 0, 0, 0], "three": [0, 0, 1, 2]},
    ...     indices=["adjusted_rand_score", "van_dongen_distance"],
    ... )
    >>> result.scores["van_dongen_distance"]
    array([0., 2., 1.])
    >>> result.n_clusters
    array([2, 1, 3])
    """

    scores: dict[str, FloatArray]
    names: list[Any]
    n_clusters: IntArray
    coverage: FloatArray
    indices: dict[str, Index]
    parameters: dict[str, dict[str, Any]]
    confidence_level: float | None = None
    intervals: dict[str, FloatArray] = field(default_factory=dict)
    sampling_errors: dict[str, SamplingErrors] = field(default_factory=dict)
    partitions: KeptPartitions | None = None
    group_names: list[Any] = field(default_factory=list)
    group_scores: dict[str, FloatArray] = field(default_factory=dict)
    reference_names: list[Any] = field(default_factory=list)
    reference_scores: dict[str, FloatArray] = field(default_factory=dict)
    references: str = "max"

    def best(self, index: IndexLike | None = None) -> Any:
        """Return the name of the best candidate.

        The best has the highest score, or the lowest distance. Ties raise a warning. A candidate
        whose score is NaN is never the best.

        Parameters
        ----------
        index : str, callable, Index or None, default=None
            Index to compare by; None takes the first one.

        Returns
        -------
        object
            Name of the candidate; the first one if several are equally good, with a warning
            that names the others.

        Raises
        ------
        ValueError
            If there are no candidates, the scores of all of them are NaN, or the index was not
            computed.

        See Also
        --------
        CandidateScores.rank : The ranks of all candidates.
        CandidateScores.compare : Tests whether the differences are significant.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> candidates = {"coarse": [0, 0, 0, 0, 1], "fine": [0, 0, 1, 1, 2]}
        >>> result = score_candidates(
        ...     [0, 0, 1, 1, 1], candidates, indices=["purity_score", "maximum_match_score"]
        ... )
        >>> result.best()
        'fine'
        """
        ranks = self.rank(index)
        if len(ranks) == 0:
            msg = "there is no best candidate, as there are no candidates"
            raise ValueError(msg)
        name = self._index_name(index)
        if np.isnan(self.scores[name]).all():
            msg = f"there is no best candidate, as none of the {len(ranks)} has a score by {name}"
            raise ValueError(msg)
        winners = [self.names[position] for position in np.flatnonzero(ranks == 1)]
        if len(winners) > 1:
            warn_caller(
                f"{len(winners)} candidates are equally good by {name}, "
                f"the first of them is returned: {listed(winners)}"
            )
        return winners[0]

    def rank(self, index: IndexLike | None = None) -> IntArray:
        """Rank the candidates, 1 for the best.

        Values that are equal up to rounding share the best rank: 1, 1, 3. For distances the lowest
        value is the best. Candidates whose score is NaN share the last rank. Compare the ranks by
        several indices to see whether the choice depends on the index.

        Parameters
        ----------
        index : str, callable, Index or None, default=None
            Index to compare by; None takes the first one.

        Returns
        -------
        ndarray of shape (n_candidates,)
            Rank of each candidate.

        Raises
        ------
        ValueError
            If the index was not computed.

        See Also
        --------
        CandidateScores.best : The name of the candidate of rank 1.
        recommend_index : Recommends an index to rank by.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> candidates = [[0, 0, 0, 0, 1], [1, 1, 1, 1, 0], [0, 0, 1, 1, 1]]
        >>> result = score_candidates([0, 0, 1, 1, 1], candidates, indices="mirkin_distance")
        >>> result.rank()
        array([2, 2, 1])
        """
        name = self._index_name(index)
        ranks = ranked(self.scores[name], greater_is_better=self.indices[name].greater_is_better)
        return ranks.astype(np.int64)

    @tells_keywords
    def compare(
        self, index: IndexLike | None = None, *, against: Any = None
    ) -> CandidateComparison:
        """Compare the candidates with each other, in pairs.

        Test whether the order would be the same for other objects from the same population, as
        :func:`paired_comparison_test` does; the clusterings are taken as fixed. Pass
        ``confidence_level`` to :func:`score_candidates` first.

        Parameters
        ----------
        index : str, callable, Index or None, default=None
            Index to compare by; None takes the first one.
        against : object, default=None
            Name of one candidate to compare with each of the others; choose it before looking at
            the scores, such as a method in use. None compares all pairs, which accounts for the
            choice of the best.

        Returns
        -------
        CandidateComparison
            With ``pairs``, ``differences``, ``intervals`` and ``pvalues``. Candidates without an
            interval are in no pair.

        Raises
        ------
        ValueError
            If the result was computed without ``confidence_level``; if the index was not computed;
            if there are more than 1,000,000 pairs; or if ``against`` names no candidate, several,
            or one without an interval.

        Warns
        -----
        UserWarning
            If the candidates differ in their number of clusters and the index is not adjusted for
            chance: the differences then include the bias of the number of clusters.

        See Also
        --------
        paired_comparison_test : Compares two candidates.

        Notes
        -----
        The intervals contain all true differences simultaneously with probability
        ``confidence_level`` (Bonferroni), and the p-values are corrected for the number of pairs
        [1]_. If an interval does not contain 0, the p-value is below ``1 - confidence_level``; the
        reverse does not hold.

        References
        ----------
        .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
           Journal of Statistics 6(2), 1979

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> truth = [0] * 30 + [1] * 30
        >>> candidates = {
        ...     "good": [0] * 28 + [1] * 32,
        ...     "fair": [0] * 26 + [1] * 34,
        ...     "poor": [0] * 15 + [1] * 45,
        ... }
        >>> result = score_candidates(
        ...     truth,
        ...     candidates,
        ...     indices="adjusted_rand_score",
        ...     confidence_level=0.95,
        ...     random_state=0,
        ... )
        >>> comparison = result.compare()
        >>> dict(zip(comparison.pairs, (comparison.pvalues < 0.05).tolist()))
        {('good', 'fair'): False, ('good', 'poor'): True, ('fair', 'poor'): True}
        """
        name = self._index_name(index)
        record, parameters = self.indices[name], self.parameters[name]
        errors, positions = self._sampling_errors("compare", name)
        names = [self.names[position] for position in positions]
        groups = _all_pairs(len(names)) if against is None else self._one_with_all(against, names)
        warn_of_bias(record, parameters, self.n_clusters[positions].tolist())
        found = compare_pairs(errors.take(positions), groups, self._level)
        pairs = [(names[first], names[other]) for first, others in groups for other in others]
        return CandidateComparison(
            record, parameters, self._level, pairs, found.values, found.intervals, found.pvalues
        )

    @tells_keywords
    def best_set(
        self, index: IndexLike | None = None, *, confidence_level: float = 0.95
    ) -> list[Any]:
        """Return the candidates of which none is significantly better than another one of the set.

        A candidate is left out if some other one is better than can be due to the sample of
        objects. The candidate with the best value in the population is in the set with probability
        ``confidence_level`` or more in large samples [1]_. Pass ``confidence_level`` to
        :func:`score_candidates` first.

        Parameters
        ----------
        index : str, callable, Index or None, default=None
            Index to compare by; None takes the first one.
        confidence_level : float, default=0.95
            Probability that the best candidate is in the set, between 0 and 1.

        Returns
        -------
        list
            Names of the candidates, the best first. Candidates without an interval are not in it.

        Raises
        ------
        ValueError
            If the result was computed without ``confidence_level``, or the index was not computed.

        See Also
        --------
        CandidateScores.best : The candidate with the best score of this sample.
        CandidateScores.compare : Tests all pairs.

        Notes
        -----
        Each candidate is compared with all others by the largest of their standardized differences,
        whose null distribution is that of draws with the covariances of the scores.

        References
        ----------
        .. [1] J. C. Hsu, "Multiple Comparisons: Theory and Methods", Chapman & Hall, 1996, ch. 4.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> truth = [0] * 30 + [1] * 30
        >>> candidates = {
        ...     "good": [0] * 28 + [1] * 32,
        ...     "fair": [0] * 26 + [1] * 34,
        ...     "poor": [0] * 15 + [1] * 45,
        ... }
        >>> result = score_candidates(
        ...     truth, candidates, indices="adjusted_rand_score", confidence_level=0.95
        ... )
        >>> result.best_set()
        ['good', 'fair']
        """
        probability("confidence_level", confidence_level)
        name = self._index_name(index)
        errors, positions = self._sampling_errors("best_set", name)
        kept = positions[errors.take(positions).best_set(confidence_level)]
        ranks = self.rank(index)[kept]
        return [self.names[position] for position in kept[np.argsort(ranks, kind="stable")]]

    def _sampling_errors(self, method: str, name: str) -> tuple[SamplingErrors, Positions]:
        """Return the sampling errors of an index, and the candidates that have some."""
        self._require(method, "sampling_errors", "sampling errors: pass confidence_level")
        errors = self.sampling_errors[name]
        return errors, np.flatnonzero(errors.are_defined)

    def _require(self, method: str, attribute: str, how: str) -> None:
        """Raise ValueError for a method that needs what the result was computed without."""
        if not getattr(self, attribute):
            msg = f"{method}() needs {how} to score_candidates, got a result without them"
            raise ValueError(msg)

    def _one_with_all(self, against: Any, names: list[Any]) -> list[tuple[int, list[int]]]:
        if names.count(against) != 1:
            n_called = self.names.count(against)
            got = f"{n_called} that are called" if n_called != 1 else "without an interval"
            msg = f"against must name one candidate that has an interval, got {got} {against!r}"
            raise ValueError(msg)
        first = names.index(against)
        return [(first, [other for other in range(len(names)) if other != first])]

    @tells_keywords
    def permutation_test(
        self,
        index: IndexLike | None = None,
        *,
        n_resamples: int = 999,
        random_state: RandomStateLike = 0,
        n_jobs: int | None = None,
        verbose: int | None = None,
    ) -> CandidatePermutationTest:
        """Test which candidates agree with the reference more than chance.

        The objects of the reference are permuted, and all candidates are compared with each random
        reference. The p-values are adjusted for the number of candidates: the probability that
        any candidate that is unrelated to the reference has one of at most 0.05 is at most 0.05.

        Parameters
        ----------
        index : str, callable, Index or None, default=None
            Index to compare by; None takes the first one.
        n_resamples : int, default=999
            Number of random references; no p-value is below ``1 / (1 + n_resamples)``.
        random_state : int, RandomState, Generator, SeedSequence or None, default=0
            :term:`Source of randomness <random_state>`.
        n_jobs : int, default=None
            :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
        verbose : int or None, default=None
            Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
            if it may take more than ten seconds, on a terminal or in a notebook.

        Returns
        -------
        CandidatePermutationTest
            With ``pvalues``, ``pvalue_adjusted`` and ``to_frame``. Candidates without a score are
            left out.

        Raises
        ------
        ValueError
            If the candidates were not kept, see ``partitions``; if the index was not computed, or
            is NaN for a candidate; or if weights are not whole numbers.

        See Also
        --------
        permutation_test : The test of one candidate.
        CandidateScores.compare : Compares the candidates with each other.

        Notes
        -----
        Step-down maxima [1]_ of the agreement, in standard deviations of each candidate over the
        random references. Similar candidates count nearly as one, which makes the test more
        powerful than a correction by their number.

        References
        ----------
        .. [1] P. H. Westfall, S. S. Young, "Resampling-based multiple testing", Wiley, 1993

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> candidates = {"good": [0] * 9 + [1] * 11, "poor": [0, 1] * 10}
        >>> result = score_candidates([0] * 10 + [1] * 10, candidates, indices="rand_score")
        >>> test = result.permutation_test()
        >>> (test.pvalue_adjusted < 0.05).tolist()
        [True, False]
        """
        name = self._index_name(index)
        positive_integer("n_resamples", n_resamples)
        if self.indices[name].needs_data:
            msg = (
                f"index must compare candidates with the reference, got {name}: test each of them "
                "by permutation_test(None, labels, index=..., X=X)"
            )
            raise ValueError(msg)
        how = "the labels: pass all candidates at once, one reference, no within or unmatched"
        self._require("permutation_test", "partitions", how)
        assert self.partitions is not None
        return permute_reference(
            self.partitions,
            self.indices[name],
            self.parameters[name],
            self.names,
            self.scores[name],
            n_resamples=n_resamples,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per candidate.

        The rows are in the order of the candidates; sort, filter, join or save them with pandas,
        which has to be installed.

        Returns
        -------
        pandas.DataFrame
            Indexed by the names; columns are ``n_clusters``, ``coverage`` and the indices. An index
            with intervals has further columns, its name with ``_low`` and ``_high`` appended.

        See Also
        --------
        CandidateScores.rank : Ranks by one of the columns.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> candidates = {"same": [1, 1, 0, 0], "three": [0, 0, 1, 2]}
        >>> frame = score_candidates([0, 0, 1, 1], candidates, indices="rand_score").to_frame()
        >>> frame["rand_score"].round(2).to_dict()
        {'same': 1.0, 'three': 0.83}
        """
        import pandas as pd

        columns = {"n_clusters": self.n_clusters, "coverage": self.coverage}
        for name, values in self.scores.items():
            columns[name] = values
            columns |= {f"{name}_{key}": found for key, found in self._errors(name).items()}
        # The names are passed as objects: a list of tuples would become several levels.
        return pd.DataFrame(
            columns, index=pd.Index(self.names, name="candidate", tupleize_cols=False)
        )

    def group_frame(self) -> Any:
        """Return a pandas DataFrame with one row per candidate and group.

        Use it to find the documents, images or recordings on which a candidate fails. pandas has to
        be installed.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``candidate`` and ``group``, with a column for each index.

        Raises
        ------
        ValueError
            If the result was computed without ``within``.

        See Also
        --------
        CandidateScores.to_frame : One row per candidate, with micro and macro values.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> result = score_candidates(
        ...     [0, 0, 1, 0, 0], [[0, 0, 0, 0, 0]], indices="rand_score", within=list("aaabb")
        ... )
        >>> result.group_frame()["rand_score"].round(2).tolist()
        [0.33, 1.0]
        """
        self._require("group_frame", "group_scores", "the values of groups: pass within")
        import pandas as pd

        candidates = pd.Index(self.names, tupleize_cols=False).repeat(len(self.group_names))
        groups = pd.Index(self.group_names * len(self), tupleize_cols=False)
        return pd.DataFrame(
            {name: values.ravel() for name, values in self.group_scores.items()},
            index=pd.MultiIndex.from_arrays([candidates, groups], names=["candidate", "group"]),
        )

    def __len__(self) -> int:
        return len(self.names)

    def _headline(self) -> str:
        level = f", {100 * self._level:g} % intervals" if self.intervals else ""
        over = ""
        if self.reference_names:
            value = {"max": "best", "mean": "mean"}[self.references]
            over = f", {value} of {len(self.reference_names)} references"
        number, by = n_candidates_text(len(self)), self._index_name(None)
        return f"CandidateScores: {number} by {by}{over}{level}"

    def _shown(self) -> Table:
        """Return the candidates by their rank by the first index."""
        ranks = self.rank()
        best_first = np.argsort(ranks, kind="stable")
        columns: dict[str, Array] = {"rank": ranks, "n_clusters": self.n_clusters}
        if (self.coverage < 1).any():
            columns["coverage"] = self.coverage
        decides = self._index_name(None)
        for name, values in self.scores.items():
            columns[name] = values
            if name == decides:
                columns |= self._errors(name)
        names: dict[str, Any] = {"candidate": [self.names[position] for position in best_first]}
        columns = {title: one[best_first] for title, one in columns.items()}
        return table_of(names | columns, names=names.keys())

    def _errors(self, name: str) -> dict[str, FloatArray]:
        """Return the sampling error of the scores of an index, if it was requested."""
        if name not in self.intervals:
            return {}
        low, high = self.intervals[name].T
        return {"low": low, "high": high}

    @property
    def _level(self) -> float:
        return 0.0 if self.confidence_level is None else self.confidence_level

    def _index_name(self, index: IndexLike | None) -> str:
        return computed_name(index, self.scores)


def computed_name(index: IndexLike | None, computed: Iterable[str]) -> str:
    """Return the name of an index that was computed: that of the first one for None."""
    names = list(computed)
    if index is None:
        return names[0]
    if index in names:
        return str(index)
    name = spelled(index, names)
    if name is None:
        msg = f"index must be one of those computed: {listed(names)}; got {shortened(index)}"
        raise ValueError(msg)
    return name


def listed(names: Iterable[Any]) -> str:
    """Write the first names one after the other."""
    names = list(names)
    more = ", ..." if len(names) > _MAX_SHOWN else ""
    return ", ".join(map(repr, names[:_MAX_SHOWN])) + more


def _all_pairs(n_candidates: int) -> list[tuple[int, range]]:
    n_pairs = n_candidates * (n_candidates - 1) // 2
    if n_pairs > _MAX_PAIRS:
        msg = (
            f"compare() must have at most {_MAX_PAIRS:,} pairs, got {n_pairs:,} of "
            f"{n_candidates:,} candidates: name one of them by against, or score fewer"
        )
        raise ValueError(msg)
    return [(first, range(first + 1, n_candidates)) for first in range(n_candidates - 1)]


def held_errors(
    found: list[SamplingErrors], scored: list[int], names: Sequence[Any], confidence_level: float
) -> dict[str, Any]:
    """Return what :class:`CandidateScores` holds of the candidates, of which some were scored."""
    errors: dict[str, Any] = {"intervals": {}, "sampling_errors": {}}
    positions = np.full(len(names), -1)
    positions[scored] = np.arange(len(scored))
    for of_index in found:
        name, of_index = of_index.chosen.name, of_index.take(positions)
        errors["sampling_errors"][name] = of_index
        errors["intervals"][name] = of_index.intervals(confidence_level)
        defined = of_index.are_defined
        undefined = np.flatnonzero(~defined & np.isfinite(of_index.values)).tolist()
        if undefined:
            warn_caller(
                f"{name} is undefined for some parts of the sample, in which a single cluster may "
                f"be left; no intervals for {listed(names[k] for k in undefined)}",
                UndefinedMetricWarning,
            )
        doubtful = [names[k] for k in np.flatnonzero(defined).tolist() if of_index.cautions(k)]
        if doubtful:
            warn_caller(
                f"the intervals of {name} may not hold for {len(doubtful)} of {len(names)} "
                f"candidates, see the warnings of score_interval: {listed(doubtful)}"
            )
    return errors


@dataclass(frozen=True, eq=False)
class ObjectAgreement:
    """Where two partitions agree: the matched clusters, and a value for each object.

    ``partners`` has the matched cluster of the candidate for each cluster of the reference, or
    None. ``is_matched`` contains for each object whether its two clusters are matched, and
    ``values`` its element-centric similarity.
    """

    partners: dict[Any, Any]
    is_matched: Mask
    values: FloatArray


def object_agreement(true: Labels, pred: Labels) -> ObjectAgreement:
    """Match the clusters of two partitions that were read, and compute the agreement per object."""
    (true, sizes), (pred, _) = true.compact(), pred.compact()
    table = require_objects(count_read(true, pred))
    matched = table.optimal_matching
    rows, cols = table.cell_rows[matched], table.cell_cols[matched]
    partner = np.full(len(sizes), -1)
    partner[rows] = cols
    partners = dict.fromkeys(table.row_labels.tolist())
    labels = zip(table.row_labels[rows].tolist(), table.col_labels[cols].tolist(), strict=True)
    partners.update(labels)
    values = element_centric_similarities(true, pred)
    return ObjectAgreement(partners, partner[true.codes] == pred.codes, values)
