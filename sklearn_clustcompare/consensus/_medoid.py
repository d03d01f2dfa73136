"""The most typical of many partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._partition.arrays import PartitionLike, PartitionsLike
from sklearn_clustcompare._rendering import Shown, Table, decimal, result_record, table_of
from sklearn_clustcompare._table.many import list_members
from sklearn_clustcompare.candidates._pairwise import pairwise_scores
from sklearn_clustcompare.consensus._agreement import is_better, mean
from sklearn_clustcompare.indices import IndexLike, read_index


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class MedoidResult(Shown):
    """The most typical of several partitions; made by :func:`medoid_partition`.

    Printed, and as HTML in a notebook, it shows the average index of each partition. All parameters
    are attributes of the same names, which cannot be set.

    Parameters
    ----------
    position : int
        Position of the medoid among the partitions; the first one if several tie.
    name : object
        Its name, if the partitions came in a mapping or in columns, else its position.
    labels : object
        The medoid itself, as it was given.
    score : float
        Its average index with the others.
    averages : ndarray of float64 of shape (n_partitions,)
        Average index of each partition with the others.
    ties : tuple of int
        Positions of all partitions whose average equals that of the medoid, itself included.
    names : tuple
        Names of all partitions, or their positions.

    See Also
    --------
    medoid_partition : Makes it.
    pairwise_scores : The index of all pairs, of which these are averages.

    Examples
    --------
    >>> from sklearn_clustcompare import medoid_partition
    >>> runs = {"first": [0, 0, 1, 1], "second": [0, 0, 0, 1], "third": [1, 1, 0, 0]}
    >>> medoid = medoid_partition(runs, index="rand_score")
    >>> medoid.name, medoid.score, medoid.averages
    ('first', 0.75, array([0.75, 0.5 , 0.75]))
    >>> medoid.ties
    (0, 2)
    """

    position: int
    name: Any
    labels: PartitionLike
    score: float
    averages: NDArray[np.float64]
    ties: tuple[int, ...]
    names: tuple[Any, ...]

    def _headline(self) -> str:
        return f"MedoidResult: {self.name}, average index {decimal(self.score)}"

    def _shown(self) -> Table:
        notes = [
            "medoid" if position == self.position else "tied" if position in self.ties else ""
            for position in range(len(self.averages))
        ]
        columns = {"partition": self.names, "average": self.averages, "": notes}
        return table_of(columns, names=["partition"])


def medoid_partition(
    partitions: PartitionsLike,
    *,
    index: IndexLike = "adjusted_rand_score",
    align: bool = False,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> MedoidResult:
    """Find the partition that agrees best with all the others, on average.

    The most typical of several runs or methods. It is always one of the given partitions, so some
    method has found it. All pairs are compared: the time grows with the square of their number.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples), list, dict, DataFrame or iterator
        The :term:`partitions` to compare, of the same objects unless they are aligned.
    index : str, callable or Index, default="adjusted_rand_score"
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    align : bool, default=False
        Whether to :term:`align` the two partitions of each comparison on the objects that both
        have, by the index of their pandas Series; ``index="partial_partition_distance"`` aligns
        them on the objects that either has. Otherwise they are compared by position.
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
        Parameters of the index.

    Returns
    -------
    MedoidResult
        With ``position``, ``name``, ``labels``, ``score``, ``averages``, ``ties`` and ``names``. A
        single partition is its own medoid, and its score is the index with itself.

    Raises
    ------
    ValueError
        If there is no partition, if lengths differ, labels are missing, or the index is unknown.
    TypeError
        If the index does not take the parameters, labels are not hashable, or a partition without
        an index is to be aligned.

    Warns
    -----
    UserWarning
        If objects are left out in alignment.

    See Also
    --------
    consensus_partition : A partition that need not be one of those given.
    pairwise_scores : The index of all pairs.

    Notes
    -----
    Distances are minimized. For an index that is not symmetric, the medoid is ``labels_pred``.

    References
    ----------
    .. [1] S. Wagner, D. Wagner, "Comparing clusterings: an overview", Universität Karlsruhe,
       Interner Bericht 2006-04, 2007, section 1.

    Examples
    --------
    >>> from sklearn_clustcompare import medoid_partition
    >>> runs = {"a": [0, 0, 1, 1, 2, 2], "b": [0, 0, 1, 1, 1, 2], "c": [0, 0, 1, 1, 1, 1]}
    >>> medoid = medoid_partition(runs)
    >>> medoid.name, round(medoid.score, 4)
    ('b', 0.5158)
    >>> medoid.ties
    (1, 2)

    Clusterings of data that change, by a metric of partitions of different objects:

    >>> weeks = [{"ann": 0, "bob": 0}, {"ann": 0, "bob": 0, "cem": 1}, {"ann": 0, "cem": 1}]
    >>> medoid_partition(weeks, index="partial_partition_distance", align=True).position
    1
    """
    members = list_members(partitions)
    record, params = read_index(index, params, with_data=False)
    reading = Reading(possibilistic, noise, noise_label, missing)
    scores = pairwise_scores(
        [member.read(reading) for member in members],
        index=record,
        align=align,
        n_jobs=n_jobs,
        verbose=verbose,
        **reading.keywords,
        **params,
    ).values
    others = ~np.eye(len(members), dtype=bool) | (len(members) == 1)
    averages = np.array([mean(column[to]) for column, to in zip(scores.T, others, strict=True)])
    best = averages.max() if record.greater_is_better else averages.min()
    ties = tuple(
        position
        for position, average in enumerate(averages.tolist())
        if not is_better(best, average, record)
    )
    averages.flags.writeable = False
    medoid = members[ties[0]]
    return MedoidResult(
        medoid.position,
        medoid.name,
        medoid.values,
        float(averages[ties[0]]),
        averages,
        ties,
        tuple(member.name for member in members),
    )
