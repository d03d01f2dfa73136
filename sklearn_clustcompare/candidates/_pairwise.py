"""All pairs of many partitions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._parameters import boolean
from sklearn_clustcompare._partition import Labels, Partition, Reading, partners
from sklearn_clustcompare._partition.arrays import PartitionsLike, TableLike
from sklearn_clustcompare._partition.labels import ids_of
from sklearn_clustcompare._partition.labels import number_ids as number_objects
from sklearn_clustcompare._partition.reading import each_candidate, several_in_columns
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import CountedPairs
from sklearn_clustcompare._table.many import (
    AnyPartitions,
    CodedPartitions,
    Group,
    PartialPartitions,
    PartialTable,
    pair_groups,
)
from sklearn_clustcompare._tasks import n_workers, progress, run_tasks
from sklearn_clustcompare.candidates._pairwise_result import PairwiseScores
from sklearn_clustcompare.indices import Index, IndexLike, preferred, read_index

# Objects of the groups of partitions in one task: a tenth of a second, as it takes a process some
# milliseconds to begin one.
_PAIRED_OBJECTS_PER_TASK = 2**27
_TASKS_PER_JOB = 8
_FEWEST_IN_THREADS = 2**13


def pairwise_scores(
    partitions: PartitionsLike | None = None,
    Y: PartitionsLike | None = None,
    *,
    data: TableLike = None,
    index: IndexLike,
    align: bool = False,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> PairwiseScores:
    """Compare all pairs of partitions of the same objects.

    Every partition is encoded once. For a symmetric index, each pair is computed once.

    Parameters
    ----------
    partitions : array-like, mapping, DataFrame or iterable, default=None
        The partitions: an array of shape (n_partitions, n_samples), a list of labels or of
        memberships of shape (n_samples, n_clusters), a mapping of names to such, a DataFrame
        with one partition per column, or an iterator. With ``data`` a list of names of columns, or
        None for all of labels.
    Y : array-like, mapping, DataFrame or iterable, default=None
        Other partitions of the same objects, to compare with each of ``partitions``. None compares
        ``partitions`` with each other.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    align : bool, default=False
        Whether to :term:`align` the two partitions of each comparison on the objects that both
        have, by the index of their pandas Series. Otherwise they are compared by position, and
        indexes that differ raise an error. ``index="partial_partition_distance"`` aligns them on
        the objects that either has, and leaves out none.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the index, such as ``q=0.5``.

    Returns
    -------
    PairwiseScores
        With ``values`` of shape (n_partitions, n_partitions) or (n_partitions, n_partitions_Y)
        and the ``names`` of the partitions; NumPy treats it as the array of its values. Element
        ``[i, j]`` is the index with partition i as the reference (``labels_true``) and partition j
        as the candidate.

    Raises
    ------
    ValueError
        If the index is unknown, there are no partitions, or they do not fit each other or have
        missing labels; the message names the position and the name.
    TypeError
        If the index does not take a parameter, or a partition without an index is to be aligned.
    RuntimeError
        If a worker process died.

    Warns
    -----
    UserWarning
        If objects are left out in alignment; ``coverage`` of the result contains the shares.

    See Also
    --------
    score_candidates : Many partitions against one reference.

    Notes
    -----
    Alignment and dropping of noise are done per pair: subsamples need not all share objects, and an
    object counts in every pair in which neither partition labels it as noise.

    If there are few clusters relative to the objects, three partitions are counted at a time: the
    margins of their table are the tables of three pairs. The triples are those of Bose [1]_: each
    pair of partitions is in exactly one.

    References
    ----------
    .. [1] R. C. Bose, "On the construction of balanced incomplete block designs", Annals of
       Eugenics 9(4), 1939, :doi:`10.1111/j.1469-1809.1939.tb02219.x`

    Examples
    --------
    >>> from sklearn_clustcompare import pairwise_scores
    >>> raters = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], ["a", "a", "b", "b", "b"]]
    >>> pairwise_scores(raters, index="rand_score")
    PairwiseScores: 3 x 3 partitions by rand_score
         0    1    2
    0  1.0  0.8  0.8
    1  0.8  1.0  1.0
    2  0.8  1.0  1.0
    >>> pairwise_scores(raters, [[1, 2, 3, 4, 5]], index="purity_score").values.ravel()
    array([1., 1., 1.])
    """
    partitions = several_in_columns(data, partitions, "partitions")
    Y = None if Y is None else several_in_columns(data, Y, "Y")
    record, params = read_index(index, params, with_data=False)
    boolean("align", align)
    reading = Reading(possibilistic, noise, noise_label, missing)
    names, read = _read(partitions, "partitions", "partition", reading)
    n_rows, col_names = len(read), names
    if Y is not None:
        col_names, others = _read(Y, "Y", "partition of Y", reading)
        read.extend(others)
    # Values and coverage, and the pairs themselves, which are listed one by one for Y.
    require_memory(
        f"a matrix of {n_rows} x {len(col_names)} pairs of partitions",
        (64.0 if Y is None else 160.0) * n_rows * len(col_names),
        "score candidates against a reference, or pass parts of them as Y",
    )
    groups: list[Group]
    if Y is None:
        groups = [(one, one) for one in range(n_rows)] + pair_groups(n_rows)
    else:
        groups = [(row, col) for row in range(n_rows) for col in range(n_rows, len(read))]
    tables = _tables(read, record, reading, align)
    # To the last bit for whole counts.
    is_symmetric = record.properties(**params)["symmetric"]
    by_halves = is_symmetric and isinstance(tables, CodedPartitions | PartialPartitions)
    both_ways = Y is None and not by_halves
    # Arrays are sent to the workers once, groups with every task: tasks are long, with a few per
    # worker.
    n_counted = len(groups) * read[0].n_objects
    n_rounds = max(_TASKS_PER_JOB, n_counted // (_PAIRED_OBJECTS_PER_TASK * n_workers(n_jobs)))
    # As many tasks for each worker.
    size = max(-(-len(groups) // (n_rounds * n_workers(n_jobs))), 1)
    tasks = (
        (tables, record, params, groups[start : start + size], both_ways)
        for start in progress(
            range(0, len(groups), size), verbose=verbose, description="blocks of pairs"
        )
    )
    first_col = 0 if Y is None else n_rows
    scores = np.empty((n_rows, len(col_names)))
    coverage = np.ones_like(scores)
    # Formulas of small tables hold the GIL longer than the loops are without it.
    prefer = "processes" if read[0].n_objects < _FEWEST_IN_THREADS else preferred(record)
    total = -(-len(groups) // size)
    parts = run_tasks(_pair_values, tasks, n_jobs=n_jobs, prefer=prefer, total=total)
    for pairs, found, shares in parts:
        rows, cols = pairs
        scores[rows, cols - first_col] = found
        coverage[rows, cols - first_col] = shares
        if Y is None and by_halves:
            scores[cols, rows] = found
    if align and coverage.min(initial=1.0) < 1:
        warnings.warn(
            f"coverage is {coverage.min():.1%} for some pairs: objects that are in one partition "
            "of a pair only are left out; see the coverage of the result",
            UserWarning,
            stacklevel=2,
        )
    return PairwiseScores(scores, names, col_names, record, params, coverage)


def _read(
    partitions: PartitionsLike, argument: str, noun: str, reading: Reading
) -> tuple[list[Any], list[Partition]]:
    """Read partitions, each of them once, and return them with their names."""
    given = list(each_candidate(partitions, argument, noun).stream)
    if not given:
        msg = f"{argument} must hold at least one partition, got none"
        raise ValueError(msg)
    read = [one.read(reading) for one in given]
    for partition in read:
        if not isinstance(partition, Labels):
            partition.judge()
    return [one.name for one in given], read


def _tables(
    partitions: list[Partition], index: Index, reading: Reading, align: bool
) -> CodedPartitions | PartialPartitions | AnyPartitions:
    if align:
        ids = [ids_of(one.ids, one.name) for one in partitions]
        if any(not np.array_equal(ids[0], other) for other in ids[1:]):
            objects = number_objects(ids)
            if index.partial:
                return PartialPartitions.read(partitions, objects, reading)
            return AnyPartitions(partitions, reading, index.moments, objects)
    partitions = partners(*partitions)
    labels = [one for one in partitions if isinstance(one, Labels)]
    if len(labels) < len(partitions) or not reading.counts_all:
        return AnyPartitions(partitions, reading, index.moments)
    return CodedPartitions.of(labels, index.pairs)


def _value(
    index: Index, seen: ContingencyTable | PartialTable | CountedPairs, params: dict[str, Any]
) -> float:
    if isinstance(seen, CountedPairs):
        return index.of_statistic(*seen, **params)
    return index.function(seen, **params)


def _pair_values(
    tables: CodedPartitions | PartialPartitions | AnyPartitions,
    index: Index,
    params: dict[str, Any],
    groups: list[Group],
    both_ways: bool,
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Return the rows and columns of pairs, their values, and the shares of objects counted."""
    rows, cols, values, coverage = zip(
        *(
            (row, col, _value(index, table, params), share)
            for row, col, table, share in tables.of_groups(groups, both_ways)
        ),
        strict=True,
    )
    return np.array([rows, cols]), np.array(values, np.float64), np.array(coverage)
