"""Many partitions: each against one reference, or all against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._partition.ids import align_series
from sklearn_clustcompare._partition.labels import Encoding, encode
from sklearn_clustcompare._partition.noise import check_noise
from sklearn_clustcompare._partition.rows import is_membership_array
from sklearn_clustcompare._partition.several import (
    Candidate,
    as_labels,
    differ_in_index,
    has_index,
    read_candidates,
    shrink,
)
from sklearn_clustcompare._partition.validation import as_sample_weight, check_same_length
from sklearn_clustcompare._table.all_pairs import (
    CodedPartitions,
    Group,
    MixedPartitions,
    pair_groups,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.reading import require_objects, tabulate
from sklearn_clustcompare._tasks import progress, run_tasks
from sklearn_clustcompare.comparison._result import CandidateScores
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.indices._chosen import ChosenIndices
from sklearn_clustcompare.indices._record import Index

__all__ = ["CandidateScores", "pairwise_scores", "score_candidates"]

# A task for a worker ends with the candidate that reaches one of these.
_OBJECTS_PER_TASK = 2**20
_CANDIDATES_PER_TASK = 64
# Groups of partitions for one task, which are counted in memory that all workers share.
_PAIRED_OBJECTS_PER_TASK = 2**25
_TASKS_PER_JOB = 8


# --------------------------------------------------------------------------- one reference


def score_candidates(
    labels_true: Any,
    candidates: Any,
    *,
    indices: str | Sequence[str],
    sample_weight: ArrayLike | None = None,
    noise: str = "cluster",
    noise_label: Any = -1,
    possibilistic: bool = False,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> CandidateScores:
    """Compare many candidate partitions with one reference.

    The reference is encoded once, every candidate is counted once, and all indices are
    computed from that one table.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of the :term:`reference`.
    candidates : array-like, mapping, DataFrame or iterable
        The candidates, which come as several :term:`partitions` do. A pandas Series whose index
        differs from that of a reference that is one, too, is compared on the objects that both
        have, with a warning if those are not all.
    indices : str, Index or list of these
        The :term:`indices <index>`, by their names (see :func:`list_indices`) or as records of
        your own. The first one decides which candidate is the best, unless another is asked for.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None weighs every object 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        What objects with the label of :term:`noise` are: one cluster, a cluster each, or left out.
    noise_label : hashable, default=-1
        :term:`Label of noise <noise_label>` on either side; it need not occur.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the indices, such as ``q=0.5``; each goes to those that take it.

    Returns
    -------
    CandidateScores
        With ``scores``, ``names``, ``n_clusters``, ``coverage``, ``best()``, ``rank()`` and
        ``to_frame()``.

    Raises
    ------
    ValueError
        If an index is unknown, or a candidate does not fit the reference or has missing
        labels; the message tells its position and its name.
    TypeError
        If the candidates are no collection, or no index takes a parameter.
    RuntimeError
        If a worker process died.

    See Also
    --------
    pairwise_scores : All pairs of partitions.
    make_clustering_scorer : Scores of clusterers in a search.

    Notes
    -----
    An iterator of candidates is read no further ahead than the workers need, so that they need not
    fit into memory together. With several jobs, threads of joblib may draw from it, one at a time.
    With its
    backend "multiprocessing" the death of a worker goes unnoticed and the call never ends, as
    for any use of that backend.

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
    same          1           2                    1             1
    near          2           2             0.324324      0.833333
    far           3           3            -0.363636           0.5
    >>> result.best(), result.rank("purity_score").tolist()
    ('same', [2, 1, 3])
    """
    chosen = ChosenIndices.by_name(indices, params, "indices")
    check_noise(noise, noise_label)
    if differ_in_index(labels_true, sample_weight):
        msg = "labels_true and sample_weight must have the same index: reindex one by the other"
        raise ValueError(msg)
    reference, weights = labels_true, sample_weight
    if not is_membership_array(labels_true):
        reference = shrink(encode(labels_true, "labels_true"))
        if sample_weight is not None:
            weights = as_sample_weight(sample_weight, len(reference.codes))
    comparison = _Comparison(chosen, reference, weights, noise, noise_label, possibilistic)
    stream, total = read_candidates(candidates, "candidates", "candidate")
    names: list[Any] = []

    def encoded() -> Iterator[_Pair]:
        for candidate in progress(stream, verbose=verbose, description="candidates", total=total):
            names.append(candidate.name)
            yield comparison.pair(labels_true, candidate)

    tasks = ((task,) for task in _tasks(encoded(), n_jobs))
    # Big arrays would otherwise be written to files, and those kept until the last task is done.
    parts = run_tasks(_rows, tasks, n_jobs=n_jobs, max_nbytes=None)
    rows = [row for part in parts for row in part]
    values = np.array([row.values for row in rows], np.float64).reshape(-1, len(chosen.names))
    return CandidateScores(
        dict(zip(chosen.names, values.T.copy(), strict=True)),
        names,
        np.array([row.n_clusters for row in rows], np.int64),
        np.array([row.coverage for row in rows], np.float64),
    )


class _Row(NamedTuple):
    values: list[float]
    n_clusters: int
    coverage: float


class _Comparison(NamedTuple):
    """All that is the same for every candidate."""

    chosen: ChosenIndices
    reference: Any
    weights: Any
    noise: str
    noise_label: Any
    possibilistic: bool

    def pair(self, labels_true: Any, candidate: Candidate) -> _Pair:
        """Encode a candidate, and align it with the reference if both have ids that differ."""
        is_soft = is_membership_array(candidate.labels)
        if differ_in_index(labels_true, candidate.labels):
            if is_soft or not isinstance(self.reference, Encoding):
                msg = (
                    f"labels_true and {candidate.title} must have the same index where one of them "
                    "holds memberships: reindex one by the other"
                )
                raise ValueError(msg)
            return self._aligned(labels_true, candidate)
        if is_soft:
            return _Pair(self, candidate, 1.0)
        encoding = shrink(encode(candidate.labels, candidate.title))
        if isinstance(self.reference, Encoding):
            names = ("labels_true", candidate.title)
            check_same_length(self.reference.codes, encoding.codes, names)
        return _Pair(self, candidate._replace(labels=encoding), 1.0)

    def _aligned(self, labels_true: Any, candidate: Candidate) -> _Pair:
        aligned = align_series({"labels_true": labels_true, candidate.title: candidate.labels})
        reference, encoding = (
            shrink(encode(labels, name))
            for labels, name in zip(aligned.labels, ("labels_true", candidate.title), strict=True)
        )
        weights = self.weights
        if weights is not None:
            weights = weights[labels_true.index.get_indexer(aligned.ids)]
        comparison = self._replace(reference=reference, weights=weights)
        return _Pair(comparison, candidate._replace(labels=encoding), aligned.coverage)

    def row(self, candidate: Candidate, share: float) -> _Row:
        """Count a candidate and compute its row of the result."""
        try:
            table = self._table(candidate)
            values = self.chosen.values(table)
        except (TypeError, ValueError) as error:
            error.add_note(f"The comparison of labels_true with {candidate.title} failed.")
            raise
        return _Row(values, table.shape[1], share * table.coverage)

    def _table(self, candidate: Candidate) -> ContingencyTable:
        if isinstance(self.reference, Encoding) and isinstance(candidate.labels, Encoding):
            table = ContingencyTable._from_encodings(self.reference, candidate.labels, self.weights)
            return require_objects(table._treat_noise(self.noise, self.noise_label))
        return tabulate(
            as_labels(self.reference),
            as_labels(candidate.labels),
            sample_weight=self.weights,
            possibilistic=self.possibilistic,
            moments=self.chosen.moments,
            noise=self.noise,
            noise_label=self.noise_label,
            names=("labels_true", candidate.title),
        )


class _Pair(NamedTuple):
    """A candidate, what it is compared with, and the share of the objects that both have."""

    comparison: _Comparison
    candidate: Candidate
    share: float


def _rows(task: list[_Pair]) -> list[_Row]:
    return [pair.comparison.row(pair.candidate, pair.share) for pair in task]


def _tasks(pairs: Iterator[_Pair], n_jobs: int | None) -> Iterator[list[_Pair]]:
    """Collect candidates until they are worth sending to a worker."""
    most = 1 if effective_n_jobs(n_jobs) == 1 else _CANDIDATES_PER_TASK
    task: list[_Pair] = []
    n_objects = 0
    for pair in pairs:
        task.append(pair)
        labels = pair.candidate.labels
        n_objects += len(labels.codes) if isinstance(labels, Encoding) else np.size(labels)
        if len(task) >= most or n_objects >= _OBJECTS_PER_TASK:
            yield task
            task, n_objects = [], 0
    if task:
        yield task


# --------------------------------------------------------------------------- all pairs


def pairwise_scores(
    partitions: Any,
    Y: Any = None,
    *,
    index: str,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> NDArray[np.float64]:
    """Compare all pairs of partitions of the same objects.

    Every partition is encoded once. With an index that is symmetric, each pair is computed
    once.

    Parameters
    ----------
    partitions : array-like, mapping, DataFrame or iterable
        Several :term:`partitions` of the same objects.
    Y : array-like, mapping, DataFrame or iterable, default=None
        Other partitions of the same objects, to compare with each of the first. None
        compares the first with each other. Pandas Series whose indexes differ are compared
        on the objects that all of them have, with a warning if those are not all.
    index : str or Index
        The :term:`index`, by its name (see :func:`list_indices`) or as a record of your own.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the index.

    Returns
    -------
    ndarray of shape (n_partitions, n_partitions) or (n_partitions, n_partitions_Y)
        Element ``[i, j]`` is the index with partition i as the reference (``labels_true``)
        and partition j as the candidate.

    Raises
    ------
    ValueError
        If the index is unknown, or partitions do not fit each other or have missing labels;
        the message tells the position and the name.
    TypeError
        If the index does not take a parameter.
    RuntimeError
        If a worker process died.

    See Also
    --------
    score_candidates : Many partitions against one reference.

    Notes
    -----
    Three partitions are counted at a time where they have few clusters next to the objects:
    the margins of that table are the tables of three pairs. The triples are Bose's [1]_, in
    which each pair of partitions is in exactly one.

    References
    ----------
    .. [1] R. C. Bose, "On the construction of balanced incomplete block designs", Annals of
       Eugenics 9(4), 1939, :doi:`10.1111/j.1469-1809.1939.tb02219.x`

    Examples
    --------
    >>> from sklearn_clustcompare import pairwise_scores
    >>> raters = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], ["a", "a", "b", "b", "b"]]
    >>> pairwise_scores(raters, index="rand_score")
    array([[1. , 0.8, 0.8],
           [0.8, 1. , 1. ],
           [0.8, 1. , 1. ]])
    >>> pairwise_scores(raters, [[1, 2, 3, 4, 5]], index="purity_score").ravel()
    array([1., 1., 1.])
    """
    record = get_index(index)
    record.check_parameters(**params)
    read = _read_partitions(partitions, "partitions", "partition")
    n_rows = len(read)
    if Y is not None:
        read.extend(_read_partitions(Y, "Y", "partition of Y"))
    read = _encode_together(read)
    groups: list[Group]
    if Y is None:
        groups = [(one, one) for one in range(n_rows)] + pair_groups(n_rows)
    else:
        groups = [(row, col) for row in range(n_rows) for col in range(n_rows, len(read))]
    encodings = [one.labels for one in read if isinstance(one.labels, Encoding)]
    tables = (
        CodedPartitions.of(encodings, record.pairs)
        if len(encodings) == len(read)
        else MixedPartitions(
            [one.labels for one in read], [one.title for one in read], record.moments
        )
    )
    # An index is known to be symmetric with its default parameters, to the last bit for whole
    # counts.
    by_halves = record.symmetric and not params and isinstance(tables, CodedPartitions)
    both_ways = Y is None and not by_halves
    # Arrays go to the workers once, groups with every task: tasks are long, but a few for each.
    most = _PAIRED_OBJECTS_PER_TASK // max(_length(read[0]), 1) if read else 1
    size = max(min(most, len(groups) // (_TASKS_PER_JOB * effective_n_jobs(n_jobs))), 1)
    tasks = (
        (tables, record, params, groups[start : start + size], both_ways)
        for start in progress(
            range(0, len(groups), size), verbose=verbose, description="blocks of pairs"
        )
    )
    scores = np.empty((n_rows, len(read)))
    for values in run_tasks(_pair_values, tasks, n_jobs=n_jobs):
        rows, cols, found = zip(*values, strict=True)
        scores[rows, cols] = found
        if Y is None and by_halves:
            scores[cols, rows] = found
    return scores if Y is None else scores[:, n_rows:]


def _read_partitions(partitions: Any, argument: str, noun: str) -> list[Candidate]:
    return list(read_candidates(partitions, argument, noun).stream)


def _encode_together(partitions: list[Candidate]) -> list[Candidate]:
    """Encode all labels, and align Series whose indexes differ on the objects of all of them."""
    indexed = [one for one in partitions if has_index(one.labels)]
    if any(differ_in_index(indexed[0].labels, other.labels) for other in indexed[1:]):
        for one in partitions:
            if not has_index(one.labels) or is_membership_array(one.labels):
                msg = (
                    f"{one.title} must be a pandas Series of labels, as others are Series whose "
                    f"indexes differ, got {type(one.labels).__name__}"
                )
                raise ValueError(msg)
        aligned = align_series({one.title: one.labels for one in partitions})
        partitions = [
            one._replace(labels=labels)
            for one, labels in zip(partitions, aligned.labels, strict=True)
        ]
    partitions = [
        one
        if is_membership_array(one.labels)
        else one._replace(labels=shrink(encode(one.labels, one.title)))
        for one in partitions
    ]
    for other in partitions[1:]:
        _check_same_objects(partitions[0], other)
    return partitions


def _check_same_objects(first: Candidate, other: Candidate) -> None:
    if _length(first) != _length(other):
        msg = (
            f"{first.title} and {other.title} must have the same length, "
            f"got {_length(first)} and {_length(other)}"
        )
        raise ValueError(msg)


def _length(partition: Candidate) -> int:
    labels = partition.labels
    return len(labels.codes) if isinstance(labels, Encoding) else int(np.shape(labels)[0])


def _pair_values(
    tables: CodedPartitions | MixedPartitions,
    index: Index,
    params: dict[str, Any],
    groups: list[Group],
    both_ways: bool,
) -> list[tuple[int, int, float]]:
    return [
        (row, col, float(index.function(table, **params)))
        for group in groups
        for row, col, table in tables.of_group(group, both_ways)
    ]
