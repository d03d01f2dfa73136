"""Many candidate partitions against one reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import Labels, Memberships, Partition, Reading, read
from sklearn_clustcompare._partition.ids import common_objects, ids_of
from sklearn_clustcompare._partition.several import each_candidate
from sklearn_clustcompare._table.contingency import (
    check_partners,
    count_read,
    read_weights,
    require_objects,
)
from sklearn_clustcompare._tasks import progress, run_tasks
from sklearn_clustcompare.comparison._result import CandidateScores
from sklearn_clustcompare.indices._chosen import Chosen, choose, needs_moments

# A task for a worker ends with the candidate that reaches one of these.
_OBJECTS_PER_TASK = 2**20
_CANDIDATES_PER_TASK = 64


def score_candidates(
    labels_true: Any,
    candidates: Any,
    *,
    indices: Any,
    sample_weight: ArrayLike | None = None,
    align: bool = False,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
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
        The candidates, as one of:

        - an array of shape (n_candidates, n_samples), one candidate per row;
        - a list of labels or of memberships of shape (n_samples, n_clusters);
        - a dict or any other mapping of names to such, or a DataFrame with one candidate per
          column;
        - an iterator of such. It is read no further ahead than the workers need, so that
          the candidates need not fit into memory together.

    indices : str, Index, list of these or dict
        Names of indices, see :func:`list_indices`, or records of your own; the first one decides
        which candidate is the best by default. A dict of names to
        ``(index, parameters)`` computes one index with several parameters.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None weighs every object 1.
    align : bool, default=False
        Whether to :term:`align` the two partitions of each comparison on the objects that both
        have, by the index of their pandas Series. Otherwise they are compared by position, and
        indexes that differ are an error.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        What objects with the label of :term:`noise` are: one cluster, a cluster each, or left out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; none need occur.
    missing : {"error", "drop", "cluster"}, default="error"
        What objects whose label is :term:`missing` are: an error, left out, or one cluster.
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
        labels; the message names its position and its name.
    TypeError
        If the candidates are no collection, no index takes a parameter, or a partition without
        an index is to be aligned.
    RuntimeError
        If a worker process died.

    Warns
    -----
    UserWarning
        If objects are left out in aligning; ``coverage`` of the result has the shares.

    See Also
    --------
    pairwise_scores : All pairs of partitions.
    make_clustering_scorer : Scores of clusterers in a search.

    Notes
    -----
    With several jobs, threads of joblib may draw from an iterator of candidates, one at a time.
    With joblib's backend "multiprocessing" the death of a worker goes unnoticed and the call never
    ends, as for any use of that backend.

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
    chosen = choose(indices, params, "indices")
    boolean("align", align)
    reading = Reading(
        possibilistic=possibilistic, noise=noise, noise_label=noise_label, missing=missing
    )
    reference = read(labels_true, "labels_true", reading)
    if isinstance(reference, Labels):
        reference = reference.shrunk()
    else:
        reference.judge()
    weights = None if sample_weight is None else read_weights(sample_weight, reference)
    comparison = _Comparison(chosen, reading, _without_ids(reference), weights)
    ids = ids_of(reference.ids, "labels_true") if align else None
    stream, total = each_candidate(candidates, "candidates", "candidate")
    names: list[Any] = []

    def pairs() -> Iterator[_Pair]:
        for candidate in progress(stream, verbose=verbose, description="candidates", total=total):
            names.append(candidate.name)
            partition = candidate.read(reading)
            if align:
                yield comparison.aligned_pair(partition, ids)
            else:
                check_partners(reference, partition)
                yield _Pair(comparison, _without_ids(partition), 1.0)

    tasks = ((task,) for task in _tasks(pairs(), n_jobs))
    # Big arrays would otherwise be written to files, and those kept until the last task is done.
    parts = run_tasks(_rows, tasks, n_jobs=n_jobs, max_nbytes=None)
    rows = [row for part in parts for row in part]
    values = np.array([row.values for row in rows], np.float64).reshape(-1, len(chosen))
    return CandidateScores(
        dict(zip([one.name for one in chosen], values.T.copy(), strict=True)),
        names,
        np.array([row.n_clusters for row in rows], np.int64),
        np.array([row.coverage for row in rows], np.float64),
        {one.name: one.index for one in chosen},
    )


class _Row(NamedTuple):
    values: list[float]
    n_clusters: int
    coverage: float


class _Comparison(NamedTuple):
    """All that is the same for every candidate."""

    chosen: tuple[Chosen, ...]
    reading: Reading
    reference: Partition
    weights: Any

    def aligned_pair(self, partition: Partition, ids: Any) -> _Pair:
        """Bring a candidate and the reference together on the objects that both have."""
        names = ("labels_true", partition.name)
        common = common_objects(ids, ids_of(partition.ids, partition.name), names)
        common.warn(f"labels_true and {partition.name}")
        comparison = self._replace(
            reference=self.reference.take(common.first),
            weights=None if self.weights is None else self.weights[common.first],
        )
        return _Pair(comparison, partition.take(common.second), common.coverage)

    def row(self, partition: Partition, share: float) -> _Row:
        """Count a candidate and compute its row of the result."""
        try:
            table = require_objects(
                count_read(
                    self.reference,
                    partition,
                    self.weights,
                    self.reading,
                    moments=needs_moments(self.chosen),
                )
            )
            values = [one.value(table) for one in self.chosen]
        except (TypeError, ValueError) as error:
            error.add_note(f"The comparison of labels_true with {partition.name} failed.")
            raise
        return _Row(values, table.shape[1], share * table.coverage)


class _Pair(NamedTuple):
    """A candidate, what it is compared with, and the share of the objects that both have."""

    comparison: _Comparison
    partition: Partition
    share: float


def _without_ids(partition: Partition) -> Partition:
    """Leave out the index, which workers need not be sent."""
    if isinstance(partition, Memberships):
        return partition.without_ids()
    return partition._replace(ids=None)


def _rows(task: list[_Pair]) -> list[_Row]:
    return [pair.comparison.row(pair.partition, pair.share) for pair in task]


def _tasks(pairs: Iterator[_Pair], n_jobs: int | None) -> Iterator[list[_Pair]]:
    """Collect candidates until they are worth sending to a worker."""
    most = 1 if effective_n_jobs(n_jobs) == 1 else _CANDIDATES_PER_TASK
    task: list[_Pair] = []
    n_objects = 0
    for pair in pairs:
        task.append(pair)
        partition = pair.partition
        n_objects += (
            partition.n_objects if isinstance(partition, Labels) else np.size(partition.values)
        )
        if len(task) >= most or n_objects >= _OBJECTS_PER_TASK:
            yield task
            task, n_objects = [], 0
    if task:
        yield task
