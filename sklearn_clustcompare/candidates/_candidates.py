"""Comparison of many candidate partitions with one reference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from joblib import wrap_non_picklable_objects
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._kernels import count_pair
from sklearn_clustcompare._options import DEFAULT_INDEX_OF_DATA, DEFAULT_INDICES, warn_caller
from sklearn_clustcompare._parameters import (
    check_random_source,
    one_of,
    probability,
    raise_or_number,
)
from sklearn_clustcompare._partition import (
    Labels,
    Partition,
    Reading,
    partners,
    read,
    read_weights,
)
from sklearn_clustcompare._partition.arrays import check_some_weight
from sklearn_clustcompare._partition.labels import ObjectNames, common_objects, ids_of
from sklearn_clustcompare._partition.memberships import column_names
from sklearn_clustcompare._partition.reading import (
    Candidate,
    Candidates,
    each_candidate,
    is_dict_of_labels,
)
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare._table.many import Groups, pooled
from sklearn_clustcompare._tasks import Prefer, n_workers, progress, run_tasks
from sklearn_clustcompare.candidates._pairwise import KeptPartitions
from sklearn_clustcompare.candidates._scores import (
    CandidateScores,
    held_errors,
    listed,
)
from sklearn_clustcompare.indices import IndexLike, preferred, refuse_to_drop
from sklearn_clustcompare.indices._compares import DRAWS, Given, compares
from sklearn_clustcompare.indices._judged import Chosen, Judged, choose, needs_moments
from sklearn_clustcompare.indices._moments import null_moments, with_deviation
from sklearn_clustcompare.significance._resampling import (
    Sample,
    check_several_groups,
    frequencies,
    read_groups,
    several_resamples,
)
from sklearn_clustcompare.significance._sampling_errors import errors_of_both, sampling_errors

_known_references = one_of("max", "mean")
_IN_MEMORY = (list, tuple, dict, np.ndarray)

T = TypeVar("T")

# A task for a worker ends with the candidate that reaches one of these.
_OBJECTS_PER_TASK = 2**20
_CANDIDATES_PER_TASK = 100
# Each worker gets so many tasks at least, if there are as many candidates.
_TASKS_PER_JOB = 8


@compares("labels_true", "candidates", "X", "sample_weight", "within", "groups", *DRAWS)
def score_candidates(
    given: Given,
    *,
    indices: Any = None,
    references: str = "max",
    error_score: float | str = "raise",
    confidence_level: float | None = None,
    **params: Any,
) -> CandidateScores:
    """Compare many candidate partitions with one reference, with several, or with the data.

    The reference is encoded once, each candidate is counted once, and all indices are computed from
    its table. With ``confidence_level`` every score gets a confidence interval, and the candidates
    can be compared with each other.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or dict
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or several references of the
        same objects, as a dict of their names to labels or memberships.
    candidates : array-like, mapping, DataFrame or iterable, default=None
        The candidates, as one of:

        - an array of shape (n_candidates, n_samples), one candidate per row;
        - a list of labels or of memberships of shape (n_samples, n_clusters);
        - a dict or any other mapping of names to such, or a DataFrame with one candidate per
          column;
        - an iterator of such. It is read no further ahead than the workers need, so the candidates
          need not fit into memory together, unless intervals are requested;
        - with ``data``, a list of names of columns, or None for all other columns except those of
          dates and of floating-point numbers.
    indices : str, callable, Index, list of these or dict, default=None
        One :term:`index` or several; the first one determines the best candidate by default. A
        dict of names to ``(index, parameters)`` names the scores. None takes
        ``adjusted_rand_score``, ``adjusted_mutual_info_score``, ``homogeneity_score``,
        ``completeness_score`` and ``matching_accuracy_score`` if there is a reference, and
        ``silhouette_score`` if there is ``X``.
    references : {"max", "mean"}, default="max"
        Score of a candidate if there are several references: its best value, which is the lowest
        one of a distance, or the mean of its values.
    confidence_level : float or None, default=None
        Level of the intervals of all scores, between 0 and 1; None computes none.
    error_score : "raise" or float, default="raise"
        How to treat a candidate that cannot be read or scored: raise the error, or set all of its
        scores to this number, such as NaN, with a warning.
    **params : dict
        Parameters of the indices, such as ``q=0.5``; each is passed to the indices that take it.

    Returns
    -------
    CandidateScores
        With ``scores``, ``names``, ``n_clusters``, ``coverage``, ``best()``, ``rank()`` and
        ``to_frame()``, and, if requested, ``intervals``, ``compare()`` and ``best_set()``, or
        ``group_scores`` and ``group_frame()``; with several references ``reference_scores``.

    Raises
    ------
    ValueError
        If there are no candidates, an index is unknown, ``data`` has no column of a name, or a
        candidate does not fit the reference or has missing labels; the message names its position
        and its name. If a parameter is out of its range, or intervals are requested for fewer than
        4 objects or 10 groups, with fractional weights or for candidates that lack objects of the
        reference or have others. If there are several references and intervals or ``within`` are
        requested, or both ``within`` and ``groups`` given. If an index of the data has no ``X``, or
        is requested with ``unmatched``, ``within`` or ``sample_weight``, or for an interval that it
        does not have.
    TypeError
        If the candidates are not a collection, no index takes a parameter, or a partition without
        an index is to be aligned, or memberships have groups.
    RuntimeError
        If a worker process died.

    Warns
    -----
    UserWarning
        If objects are left out in alignment; ``coverage`` of the result contains the shares. If
        candidates failed and get ``error_score``. If intervals may not hold, for the reasons that
        :func:`score_interval` gives.
    UndefinedMetricWarning
        If ``noise="drop"`` leaves no objects of a candidate: its scores are NaN, and it is ranked
        last. If a score is undefined for some parts of the sample: it has no interval. If an index
        of the data is undefined for a candidate, such as one cluster.

    See Also
    --------
    pairwise_scores : All pairs of partitions.
    make_clustering_scorer : Scores of clusterers in a search.
    score_interval : The interval of one score.

    Notes
    -----
    Intervals show how much a score would change for other objects from the same population, with
    all their labels. The clusterings are taken as fixed. :func:`score_interval` explains the method
    and its limits. With ``within`` they show it for other groups, of which at least 10 are needed:
    whole groups are left out. Each interval has the level by itself; those of
    :meth:`CandidateScores.compare` are simultaneous.

    With ``within`` each index has two columns, its name with ``_micro`` and ``_macro`` appended;
    candidates are ranked by the micro value of the first index. Micro values are dominated by large
    groups, and are above 0 for random labels even if the index is adjusted for chance, since
    objects of different groups are apart in all candidates. Macro values weight all groups equally
    and avoid both. A group without objects left, due to ``noise`` or ``missing``, has no value and
    is not part of the mean; a group with an undefined value counts with the value that the index
    returns, with a warning.

    Several references are several valid partitions of the same objects, such as those of several
    annotators. A candidate should find one of them ("max"), as in Gagolewski's benchmark [1]_, or
    agree with all of them ("mean"). A candidate that fails with one reference has failed.

    With intervals all candidates are kept in memory until they are computed, with 1 to 8 bytes per
    object, and the result keeps as much for each candidate.

    Indices of the data (``list_indices(needs_data=True)``) evaluate each candidate without the
    reference, which the other indices need. Objects that are left out as noise or missing are
    those of the candidate.

    With several jobs, threads of joblib may draw from an iterator of candidates, one at a time.
    With joblib's backend "multiprocessing" the death of a worker is not detected and the call never
    ends, as for any use of that backend.

    References
    ----------
    .. [1] M. Gagolewski, "A framework for benchmarking clustering algorithms", SoftwareX 20, 2022,
       :doi:`10.1016/j.softx.2022.101270`.

    Examples
    --------
    >>> from sklearn_clustcompare import score_candidates
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> result = score_candidates(
    ...     truth,
    ...     {"near": [0, 0, 1, 1, 1, 1], "same": list("aaabbb"), "far": [0, 1, 2, 0, 1, 2]},
    ...     indices=["adjusted_rand_score", "purity_score"],
    ... )
    >>> result
    CandidateScores: 3 candidates by adjusted_rand_score
    candidate  rank  n_clusters  adjusted_rand_score  purity_score
    same          1           2               1.0000        1.0000
    near          2           2               0.3243        0.8333
    far           3           3              -0.3636        0.5000
    >>> result.best(), result.rank("purity_score").tolist()
    ('same', [2, 1, 3])

    Two documents, each with its own entities:

    >>> result = score_candidates(
    ...     [0, 0, 1, 0, 0],
    ...     {"all": [0, 0, 0, 0, 0], "none": [0, 1, 2, 3, 4]},
    ...     indices="rand_score",
    ...     within=["first", "first", "first", "second", "second"],
    ... )
    >>> result
    CandidateScores: 2 candidates by rand_score_micro
    candidate  rank  n_clusters  rand_score_micro  rand_score_macro
    all           1           2               0.8            0.6667
    none          1           5               0.8            0.3333
    >>> result.group_scores["rand_score"].round(2).tolist(), result.group_names
    ([[0.33, 1.0], [0.67, 0.0]], ['first', 'second'])

    By the data, without a reference:

    >>> score_candidates(
    ...     None,
    ...     {"halves": [0, 0, 1, 1], "one apart": [0, 0, 0, 1]},
    ...     indices=["silhouette_score", "dunn_score"],
    ...     X=[[1], [2], [4], [5]],
    ... )
    CandidateScores: 2 candidates by silhouette_score
    candidate  rank  n_clusters  silhouette_score  dunn_score
    halves        1           2            0.6571      2.0000
    one apart     2           2            0.1000      0.3333
    """
    if indices is None:
        indices = DEFAULT_INDICES if given.labels_true is not None or given.X is None else ()
        indices += () if given.X is None else (DEFAULT_INDEX_OF_DATA,)
    chosen = choose(indices, params, "indices")
    return score_chosen(given, chosen, confidence_level, references, error_score)


# Parts of the columns that a row has for each index: where groups are given, and with moments.
_AVERAGES, MOMENTS = ("_micro", "_macro"), ("", "_expected", "_standard_deviation")


def score_chosen(
    given: Given,
    chosen: tuple[Chosen, ...],
    confidence_level: float | None,
    references: str = "max",
    error_score: float | str = "raise",
    *,
    with_moments: bool = False,
) -> CandidateScores:
    """Score candidates; with the moments of the scores under permutation, NaN if not known."""
    records = [one.index for one in chosen]
    given = replace(given, labels_true=given.reference(*records))
    if confidence_level is not None:
        probability("confidence_level", confidence_level)
    several_resamples("n_resamples", given.n_resamples)
    raise_or_number("error_score", error_score)
    _known_references("references", references)
    check_random_source(given.random_state)
    named = None if with_moments else _named_references(given.labels_true)
    _check_together(given, chosen, confidence_level, is_several=named is not None)
    parts = MOMENTS if with_moments else ("",) if given.within is None else _AVERAGES
    sides = [
        _Reference.read(given, values, title, chosen, parts, error_score, confidence_level)
        for title, values in (named or {"labels_true": given.labels_true}).items()
    ]
    first, n_parts = sides[0], len(sides)
    n_objects = None if first.is_matched else first.side.n_objects
    candidates = each_candidate(given.candidates, "candidates", "candidate", n_objects)
    # Candidates that are in memory anyway are kept for tests, as they were given.
    is_frame = column_names(given.candidates) is not None
    in_memory = is_frame or isinstance(given.candidates, _IN_MEMORY)
    if in_memory:
        candidates = candidates._replace(items=list(candidates.items))
    scoring = _Scoring(sides, candidates, [], None if confidence_level is None else [])
    rows = scoring.rows(given, preferred(*records), copies=not in_memory)
    names = scoring.names
    columns = [replace(one, name=one.name + part) for part in parts for one in chosen]
    more: dict[str, Any] = {}
    if named is not None:
        rows = [
            _over_references(rows[start : start + n_parts], chosen, references)
            for start in range(0, len(rows), n_parts)
        ]
    elif first.within is not None:  # of the table of all groups, and means over groups
        n_parts = len(first.within.names)
    values, n_clusters, coverage, failures, of_parts = zip(*rows, strict=True)
    if any(failures):
        _warn_of_failures(names, failures, error_score)
    _warn_of_undefined(names, failures, values, chosen)
    if confidence_level is not None:
        more |= scoring.errors(given, failures, columns, confidence_level)
    if named is not None:
        more["reference_names"], more["references"] = list(given.labels_true), references
        more["reference_scores"] = _by_part(of_parts, n_parts, chosen)
    elif first.within is not None:
        more["group_names"] = first.within.names
        more["group_scores"] = _by_part(of_parts, n_parts, chosen)
    elif in_memory and not first.is_matched:
        more["partitions"] = scoring.kept_for_tests(failures)
    flat = np.fromiter(chain.from_iterable(values), np.float64, len(rows) * len(columns))
    by_column = flat.reshape(-1, len(columns)).T.copy()
    return CandidateScores(
        dict(zip([one.name for one in columns], by_column, strict=True)),
        names,
        np.array(n_clusters, np.int64),
        np.array(coverage, np.float64),
        {one.name: one.index for one in columns},
        {one.name: dict(one.parameters) for one in columns},
        confidence_level,
        **more,
    )


@compares("labels_true", "candidates", "X", "sample_weight", *DRAWS, like=score_candidates)
def score_with_moments(
    given: Given, *, indices: IndexLike, confidence_level: float | None = None, **params: Any
) -> tuple[CandidateScores, FloatArray, FloatArray]:
    """Score candidates by one index; means and deviations under permutation, NaN if not known."""
    (one,) = chosen = choose([indices], params, "indices")
    found = score_chosen(given, chosen, confidence_level, with_moments=True)
    values, mean, deviation = found.scores.values()
    own: dict[str, Any] = {"scores": {one.name: values}, "indices": {one.name: one.index}}
    scores = replace(found, **own, parameters={one.name: dict(one.parameters)})
    return scores, mean, deviation


def _named_references(labels_true: Any) -> dict[str, Any] | None:
    """Return several references by their names in messages, or None for one."""
    if not isinstance(labels_true, Mapping) or is_dict_of_labels(labels_true):
        return None
    if not labels_true:
        msg = "labels_true must have at least one reference, got an empty dict"
        raise ValueError(msg)
    return {f"labels_true[{name!r}]": values for name, values in labels_true.items()}


def _check_together(
    given: Given,
    chosen: tuple[Chosen, ...],
    confidence_level: float | None,
    *,
    is_several: bool,
) -> None:
    """Refuse arguments that exclude each other."""
    of_objects = {"sample_weight": given.sample_weight, "groups": given.groups}
    within, unmatched = {"within": given.within}, given.reading.unmatched
    if given.X is not None:
        judging = ", ".join(one.name for one in chosen if one.index.needs_data)
        rule = f"left out for {judging}, which needs the data of all objects"
        _require_none(rule, **within, unmatched=None if unmatched == "error" else unmatched)
    if unmatched == "drop":
        refuse_to_drop(one.index for one in chosen)
    if unmatched == "singleton":
        rule = "None with unmatched='singleton': it is of the reference's objects"
        _require_none(rule, **of_objects, **within)
    if given.within is not None:
        rule = "None where within is given: whole groups of within are left out"
        _require_none(rule, groups=given.groups)
    if is_several:
        rule = "None where labels_true has several references: score each of them alone"
        _require_none(rule, confidence_level=confidence_level, **within)


def _without_failed(those: list[T], failures: Sequence[str | None]) -> list[T | None]:
    """Return what belongs to each candidate, and None for those that failed."""
    return [one if failure is None else None for one, failure in zip(those, failures, strict=True)]


class _Row(NamedTuple):
    values: list[float]
    n_clusters: int
    coverage: float
    failure: str | None = None
    # Values of all indices for each group, or each reference.
    of_parts: Sequence[Sequence[float]] = ()


# Failure of a candidate that has no objects in common with the reference.
_NOTHING_LEFT = "nothing left"


class _Reference(NamedTuple):
    """A reference as it was read, and how candidates are compared with it.

    It has ``ids`` where it is aligned, and ``codes`` to count with arrays of integers, if it
    consists of integers and every object counts once. ``units`` are the sampling units of its
    objects, and ``within`` the groups in which they are compared.
    """

    side: Partition
    chosen: tuple[Chosen, ...]
    parts: tuple[str, ...]
    reading: Reading
    error_score: float | str
    X: Any
    weights: Any
    units: Labels | None
    within: Groups | None
    ids: Any
    codes: Any

    @classmethod
    def read(
        cls,
        given: Given,
        values: Any,
        title: str,
        chosen: tuple[Chosen, ...],
        parts: tuple[str, ...],
        error_score: float | str,
        confidence_level: float | None,
    ) -> _Reference:
        """Read a reference, and the weights and groups of its objects."""
        reading, ids, codes = given.reading, None, None
        side = read(values, title, reading)
        if isinstance(side, Labels):
            side = side.shrunk()
        else:
            side.judge()
        if reading.unmatched == "drop":
            ids = ids_of(side.ids, title)
            side = side.with_ids(ObjectNames(ids, is_ordered=False, is_part=True))
        weights = read_weights(given.sample_weight, side)
        check_some_weight(weights)
        if confidence_level is not None:
            frequencies(side, weights)  # raises before the candidates are read
        within = None if given.within is None else Groups.read(given.within, side)
        if within is not None and confidence_level is not None:
            check_several_groups("within", len(within.names))
        is_plain = weights is None and within is None and reading.counts_all and given.X is None
        if is_plain and reading.unmatched == "error" and isinstance(side, Labels):
            is_named = side.classes is not None or isinstance(side.ids, ObjectNames)
            codes = None if is_named else side.codes
        units = read_groups(given.groups, side)
        read_beside = given.X, weights, units, within, ids, codes
        return cls(side, chosen, parts, reading, error_score, *read_beside)

    @property
    def is_matched(self) -> bool:
        """Whether it and each candidate are brought to the same objects."""
        return self.reading.unmatched != "error"

    # ------------------------------------------------------------- reading a candidate

    def is_countable(self, values: Any) -> bool:
        """Return whether it is an array of integers that needs no other reading."""
        return (
            self.codes is not None
            and type(values) is np.ndarray
            and values.dtype.kind in "iu"
            and values.shape == self.codes.shape
        )

    def compare(self, candidate: Candidate) -> _Pair | _Row:
        """Read a candidate, and bring it and the reference together on their common objects."""
        try:
            partition = candidate.read(self.reading)
            if self.ids is None:
                unmatched = self.reading.unmatched
                side, partition = partners(self.side, partition, unmatched=unmatched)
                counted = self._replace(side=side.with_ids(None))
                return _Pair(counted, partition.with_ids(None), 1.0)
            names = f"{self.side.name} and {partition.name}"
            ids = self.ids, ids_of(partition.ids, partition.name)
            common = common_objects(ids, names)
            common.warn(names)
            first, second = common.places
            aligned = self._replace(
                side=self.side.with_ids(None).take(first),
                weights=None if self.weights is None else self.weights[first],
                within=None if self.within is None else self.within.take(first),
                ids=None,
            )
            return _Pair(aligned, partition.take(second), common.coverage)
        except Exception as error:
            return self._failed(error)

    # ------------------------------------------------------------- rows of the result

    def row_of(self, candidate: Candidate) -> _Row:
        """Read a candidate and compute its row."""
        pair = self.compare(candidate)
        return pair if isinstance(pair, _Row) else pair.row()

    def row_of_array(self, values: Any) -> _Row | None:
        """Count integers of which all objects count, without reading them; None for all others."""
        if self.codes is None or type(values) is not np.ndarray:
            return None
        packed = count_pair(self.codes, values)
        if packed is None:
            return None
        try:
            found = self._values(ContingencyTable._of(packed))
        except Exception:  # to be raised again, with the name of the candidate
            return None
        return tuple.__new__(_Row, (found, packed.shape[1], 1.0, None, ()))  # saves a call

    def row(self, partition: Partition, share: float) -> _Row:
        """Count a candidate and compute its row."""
        sides = self.side, partition, self.weights, self.reading
        try:
            if self.within is not None:
                return self._row_of_groups(self.within.tables(*sides), share)
            table = count_read(*sides, moments=needs_moments(self.chosen))
            return self._row_of_table(table, share, partition)
        except Exception as error:
            error.add_note(f"The comparison of {self.side.name} with {partition.name} failed.")
            return self._failed(error)

    def _row_of_table(
        self, table: ContingencyTable, share: float, partition: Partition | None = None
    ) -> _Row:
        """Compute the row of a candidate from its table, and from the data where there are some."""
        coverage = table.coverage
        if not coverage and not table.n_samples:
            return self._row_of(math.nan, _NOTHING_LEFT)
        return _Row(self._values(table, partition), table.shape[1], share * coverage)

    def _row_of_groups(self, tables: list[ContingencyTable], share: float) -> _Row:
        """Compute the row of a candidate from its tables of the groups."""
        row = self._row_of_table(pooled(tables), share)
        if row.failure is not None:
            return row
        nothing = [math.nan] * len(row.values)
        of_groups = [self._values(one) if one.n_samples else nothing for one in tables]
        defined = [values for values, one in zip(of_groups, tables, strict=True) if one.n_samples]
        means = np.mean(defined, axis=0).tolist()
        return row._replace(values=row.values + means, of_parts=of_groups)

    def _values(self, table: ContingencyTable, partition: Partition | None = None) -> list[float]:
        if self.X is None or partition is None:
            values = [float(one.evaluate(table)) for one in self.chosen]
        else:
            judged = Judged.of(self.X, partition, self.reading)
            values = [
                judged.value_or_nan(one) if one.index.needs_data else float(one.evaluate(table))
                for one in self.chosen
            ]
        if self.parts == MOMENTS:
            values += np.transpose([_moments(one, table) for one in self.chosen]).ravel().tolist()
        return values

    def _failed(self, error: Exception) -> _Row:
        if isinstance(self.error_score, str):
            raise error
        text = " ".join([str(error) or type(error).__name__, *getattr(error, "__notes__", [])])
        return self._row_of(self.error_score, text)

    def _row_of(self, value: float, failure: str) -> _Row:
        values = [value] * len(self.chosen)
        of_groups = () if self.within is None else [values] * len(self.within.names)
        return _Row(values * len(self.parts), 0, 0.0, failure, of_groups)


def _moments(one: Chosen, table: ContingencyTable) -> tuple[float, float]:
    """Return mean and standard deviation under permutation, NaN if they are not known exactly."""
    of_data = one.index.needs_data
    null = None if of_data else null_moments(one.index, table, **one.parameters)
    known = with_deviation(null)
    return (known.mean, known.standard_deviation) if known else (math.nan, math.nan)


class _Pair(NamedTuple):
    """A reference with a candidate that was read, and the share of the objects that both have."""

    reference: _Reference
    partition: Partition
    share: float

    @property
    def n_objects(self) -> int:
        """The number of objects, or of their memberships."""
        one = self.partition
        return one.n_objects if isinstance(one, Labels) else np.size(one.values)

    def row(self) -> _Row:
        return self.reference.row(self.partition, self.share)


class _Array(NamedTuple):
    """A reference with a candidate that a worker can read, since nothing can be wrong with it."""

    reference: _Reference
    candidate: Candidate

    @property
    def n_objects(self) -> int:
        return len(self.candidate.values)

    def row(self) -> _Row:
        found = self.reference.row_of_array(self.candidate.values)
        return self.reference.row_of(self.candidate) if found is None else found


class _Scoring(NamedTuple):
    """Comparison of candidates, whose ``names`` are noted as they are read.

    They are ``kept`` as they were read for intervals.
    """

    references: list[_Reference]
    candidates: Candidates
    names: list[Any]
    kept: list[Partition | None] | None

    def rows(self, given: Given, prefer: Prefer, *, copies: bool) -> list[_Row]:
        """Return the rows of all candidates, each with all references."""
        total = self.candidates.total
        how: dict[str, Any] = {"verbose": given.verbose, "description": "candidates"}
        items = progress(self._noting(copies=copies), total=total, **how)
        workers, n_rows = n_workers(given.n_jobs), (total or 0) * len(self.references)
        if workers == 1 and self.kept is None:
            rows = [
                one.row_of_array(item[1]) or one.row_of(self.candidates.naming.candidate(k, item))
                for k, item in enumerate(items)
                for one in self.references
            ]
        else:
            size = _candidates_per_task(n_rows, workers)
            n_objects = self.references[0].side.n_objects
            parts = run_tasks(
                _rows,
                ((task,) for task in _tasks(self._pairs(items), size)),
                n_jobs=given.n_jobs,
                prefer=prefer,
                total=max(n_rows // size, n_rows * n_objects // _OBJECTS_PER_TASK),
            )
            rows = [row for part in parts for row in part]
        if not rows:
            kind = type(given.candidates).__name__
            msg = f"candidates must hold at least one partition, got an empty {kind}"
            raise ValueError(msg)
        return rows

    def _noting(self, *, copies: bool) -> Iterator[tuple[Any, Any]]:
        """Note names; an iterator may write into its arrays again."""
        for name, value in self.candidates.items:
            self.names.append(name)
            yield name, value.copy() if copies and type(value) is np.ndarray else value

    def errors(
        self,
        given: Given,
        failures: Sequence[str | None],
        columns: list[Chosen],
        confidence_level: float,
    ) -> dict[str, Any]:
        """Return what the result holds of sampling errors."""
        first, scored = self.references[0], _without_failed(self.kept or [], failures)
        side, weights, reading = first.side.with_ids(None), first.weights, first.reading
        there = {k: one for k, one in enumerate(scored) if one is not None}
        if first.within is not None:
            tables = [first.within.tables(side, one, weights, reading) for one in there.values()]
            found = sampling_errors(Sample.of_groups(tables), tuple(columns), **given.draws)
            return held_errors(found, [*there], self.names, confidence_level)
        for one in there.values():
            if one.n_objects != side.n_objects:
                msg = (
                    "confidence_level must be None where a candidate lacks objects of labels_true "
                    "or has others, as intervals are of the objects that all have; "
                    f"{one.name} has {one.n_objects} of {side.n_objects}"
                )
                raise ValueError(msg)
        sample = Sample.of([side, *there.values()], weights, reading, first.units)
        found = errors_of_both(
            sample, given.X, [*there.values()], first.chosen, reading, first.units, **given.draws
        )
        return held_errors(found, [*there], self.names, confidence_level)

    def kept_for_tests(self, failures: Sequence[str | None]) -> KeptPartitions:
        """Return what was compared."""
        first, (items, _, naming) = self.references[0], self.candidates
        kept = _without_failed([*items], failures)
        side = first.side.with_ids(None)
        return KeptPartitions(side, kept, naming, first.weights, first.reading, first.units)

    def _pairs(self, items: Iterable[tuple[Any, Any]]) -> Iterator[_Array | _Pair | _Row]:
        for position, item in enumerate(items):
            for reference in self.references:
                candidate = self.candidates.naming.candidate(position, item)
                if self.kept is None and reference.is_countable(item[1]):
                    yield _Array(reference, candidate)
                    continue
                pair = reference.compare(candidate)
                if self.kept is not None:
                    self.kept.append(pair.partition if isinstance(pair, _Pair) else None)
                yield pair


def _require_none(rule: str, **given: Any) -> None:
    """Raise ValueError for arguments that are given where by a rule they must not be."""
    for name, value in given.items():
        if value is not None:
            msg = f"{name} must be {rule}"
            raise ValueError(msg)


def _over_references(rows: list[_Row], chosen: tuple[Chosen, ...], references: str) -> _Row:
    """Make one row of those of a candidate with each reference."""
    values = np.array([row.values for row in rows])
    failed = next((row for row in rows if row.failure is not None), None)
    if failed is not None:
        total = failed.values
    elif references == "mean":
        total = values.mean(axis=0).tolist()
    else:
        signs = np.array([one.index.sign for one in chosen])
        total = (signs * (signs * values).max(axis=0)).tolist()
    return _Row(
        total,
        max(row.n_clusters for row in rows),
        min(row.coverage for row in rows),
        None if failed is None else failed.failure,
        values.tolist(),
    )


def _by_part(of_parts: Sequence[Any], n_parts: int, chosen: tuple[Chosen, ...]) -> dict[str, Any]:
    """Return arrays with a row for each candidate and a column for each group or reference."""
    values = np.array(of_parts, np.float64)
    values = values.reshape(-1, n_parts, len(chosen))
    return {one.name: values[:, :, k].copy() for k, one in enumerate(chosen)}


class _Task(list[_Array | _Pair | _Row]):
    """Candidates for a worker.

    Processes get them as bytes: joblib would write big arrays to files, and keep those until the
    last task is done.
    """

    def __reduce__(self) -> Any:
        return wrap_non_picklable_objects(list(self), keep_wrapper=False).__reduce__()


def _rows(task: _Task) -> list[_Row]:
    return [one if isinstance(one, _Row) else one.row() for one in task]


def _candidates_per_task(n_rows: int, workers: int) -> int:
    """Return how many candidates make a task; ``n_rows`` is 0 if their number is not known."""
    busy = n_rows // (_TASKS_PER_JOB * workers) if n_rows else _CANDIDATES_PER_TASK // 8
    return max(min(busy, _CANDIDATES_PER_TASK), 1)


def _tasks(pairs: Iterator[_Array | _Pair | _Row], size: int) -> Iterator[_Task]:
    """Collect candidates until they are worth sending to a worker."""
    task = _Task()
    n_objects = 0
    for pair in pairs:
        task.append(pair)
        if not isinstance(pair, _Row):
            n_objects += pair.n_objects
        if len(task) >= size or n_objects >= _OBJECTS_PER_TASK:
            yield task
            task, n_objects = _Task(), 0
    if task:
        yield task


def _warn_of_undefined(
    names: list[Any],
    failures: Sequence[str | None],
    values: Sequence[Sequence[float]],
    chosen: tuple[Chosen, ...],
) -> None:
    """Warn of candidates for which an index of the data has no value."""
    for k, one in enumerate(chosen):
        if one.index.needs_data:
            undefined = [
                name
                for name, failure, row in zip(names, failures, values, strict=True)
                if failure is None and math.isnan(row[k])
            ]
            if undefined:
                warn_caller(
                    f"{one.name} is undefined for {len(undefined)} of {len(names)} candidates, "
                    f"such as one cluster, set to NaN and ranked last: {listed(undefined)}",
                    UndefinedMetricWarning,
                )


def _warn_of_failures(
    names: list[Any], failures: Sequence[str | None], error_score: float | str
) -> None:
    given = list(zip(names, failures, strict=True))
    nothing_left = [name for name, failure in given if failure == _NOTHING_LEFT]
    if nothing_left:
        warn_caller(
            f"{len(nothing_left)} of {len(names)} candidates have no object left to compare, their "
            f"scores are undefined, set to NaN and ranked last: {listed(nothing_left)}",
            UndefinedMetricWarning,
        )
    others = [one for one in given if one[1] not in (None, _NOTHING_LEFT)]
    if others:
        warn_caller(
            f"{len(others)} of {len(names)} candidates failed, their scores are set to "
            f"{error_score}: {listed(name for name, _ in others)}. The first error: {others[0][1]}"
        )
