"""A metric on partitions of different sets of objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from sklearn_clustcompare._partition import DEFAULT, Labels, read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike, check_same_length
from sklearn_clustcompare._partition.labels import ids_of, read_ids
from sklearn_clustcompare._partition.labels import number_ids as number_objects
from sklearn_clustcompare._rendering import Shown, decimals, result_record
from sklearn_clustcompare._table.many import PartialPartitions
from sklearn_clustcompare.indices import PARTIAL_INDICES
from sklearn_clustcompare.indices._partial import partial_difference

_INDEX = PARTIAL_INDICES["partial_partition_distance"]


@result_record
@dataclass(frozen=True, repr=False)
class PartialPartitionDistance(Shown):
    """Distance of two partitions of different objects; from :func:`partial_partition_distance`.

    ``float`` returns the distance. All parameters are attributes of the same names, which cannot be
    set.

    Parameters
    ----------
    distance : float
        ``moved + inserted + deleted``, or with ``normalize=True`` its share in [0, 1].
    inserted, deleted : int
        Numbers of objects that only the candidate, and only the reference has.
    moved : float
        How far the partitions differ if each of these objects is a cluster of its own where it is
        absent: the number of pairs that are together in one partition only; or for "information"
        the number of objects times the variation of information, in nats.
    kind : {"pairs", "information"}
        What is counted with the objects that one partition lacks: the pairs of objects that are
        together in one partition only, or the number of objects times the variation of information
        in nats.

    See Also
    --------
    partial_partition_distance : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import PartialPartitionDistance
    >>> float(PartialPartitionDistance(8.0, 1, 1, 6, "pairs"))
    8.0
    """

    distance: float
    inserted: int
    deleted: int
    moved: float
    kind: str

    def __float__(self) -> float:
        return self.distance

    def _headline(self) -> str:
        distance, moved = decimals([self.distance, self.moved])
        unit = {"pairs": "pairs", "information": "nats"}[self.kind]
        return (
            f"PartialPartitionDistance: {distance} ({moved} {unit} moved, "
            f"{self.inserted} inserted, {self.deleted} deleted)"
        )


def partial_partition_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    *,
    ids_true: Any = None,
    ids_pred: Any = None,
    kind: str = "pairs",
    normalize: bool = False,
) -> PartialPartitionDistance:
    """Measure how far apart two partitions of different sets of objects are.

    For clusterings of data that change: objects are inserted, deleted and moved between clusters.
    It is a metric on all partitions of all sets of objects, so distances of many of them can be
    compared, mapped and clustered.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_true,) and (n_pred,), dict or list of sets
        :term:`Labels` of the objects of either partition, or a partition that names its objects,
        such as a pandas Series or a dict of objects to labels. A partition may be empty, and the
        two need not share an object.
    ids_true, ids_pred : array-like of shape (n_true,) and (n_pred,), default=None
        Ids of the objects: integers, strings, dates or any hashable objects. None takes the index
        of the Series.
    kind : {"pairs", "information"}, default="pairs"
        What is counted with the objects that one partition lacks: the pairs of objects that are
        together in one partition only, or the number of objects times the variation of information
        in nats.
    normalize : bool, default=False
        Whether to return the Steinhaus transform, in [0, 1]: 0.0 for equal partitions only and 1.0
        if no object is common.

    Returns
    -------
    PartialPartitionDistance
        With ``distance``, ``inserted``, ``deleted`` and ``moved``; ``float`` returns the distance.
        Lower is better.

    Raises
    ------
    ValueError
        If an id occurs twice in a partition, there are not as many ids as labels, labels are
        missing or memberships, or a parameter is invalid.
    TypeError
        If a partition without ids does not name its objects, or labels are not hashable.

    See Also
    --------
    align_partitions : Common objects of two partitions, for any index.
    pairwise_scores : All pairs of many, with this name as ``index`` and ``align=True``.
    medoid_partition : The partition with the smallest average distance to others, likewise.

    Notes
    -----
    An object that a partition lacks is a cluster of its own there, and counts 1. With A and B the
    sets of objects, d = pairs that differ + ``|A xor B|``, or N VI + ``|A xor B|``. The variation
    of information is not divided by N, as no common N exists for all pairs of partitions.

    The first is the number of pairs, those of an object with itself included, that are in one of
    two equivalence relations only. The second is a sum of two metrics: it does not change if
    further objects are added to both partitions as singletons, so that all partitions can be
    completed to the same objects.

    With 0 the partition without objects, the normalized distance is
    2 d(p, q) / (d(p, 0) + d(q, 0) + d(p, q)), which is a metric if d is one [3]_.

    For the same objects it is half of :func:`mirkin_distance`, or the number of objects times
    :func:`variation_of_information_distance`.

    References
    ----------
    .. [1] B. Mirkin, "Mathematical classification and clustering", Kluwer, 1996
    .. [2] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`
    .. [3] E. Marczewski, H. Steinhaus, "On a certain distance of sets and the corresponding
       distance of functions", Colloquium Mathematicum 6, 1958

    Examples
    --------
    >>> from sklearn_clustcompare import partial_partition_distance
    >>> before = {"ann": 0, "bob": 0, "cem": 0, "dee": 1, "eve": 1}
    >>> after = {"ann": 0, "bob": 0, "cem": 1, "dee": 1, "flo": 1}
    >>> partial_partition_distance(before, after)
    PartialPartitionDistance: 8 (6 pairs moved, 1 inserted, 1 deleted)
    >>> round(float(partial_partition_distance(before, after, kind="information")), 4)
    8.5917
    >>> float(partial_partition_distance([], [0, 0], ids_true=[], ids_pred=[1, 2], normalize=True))
    1.0
    """
    _INDEX.check_parameters(kind=kind, normalize=normalize)
    true, ids_true = _identified(labels_true, ids_true, ("labels_true", "ids_true"))
    pred, ids_pred = _identified(labels_pred, ids_pred, ("labels_pred", "ids_pred"))
    objects = number_objects([ids_true, ids_pred])
    table = PartialPartitions.read([true, pred], objects, DEFAULT).table(0, 1)
    difference = partial_difference(table, kind)
    return PartialPartitionDistance(
        difference.distance(normalize=normalize),
        difference.inserted,
        difference.deleted,
        difference.moved,
        kind,
    )


def _identified(
    labels: PartitionLike, ids: Any, names: tuple[str, str]
) -> tuple[Labels, NDArray[Any]]:
    """Read labels and the ids of their objects."""
    partition = read_labels(labels, names[0])
    if ids is None:
        return partition, ids_of(partition.ids, names[0])
    objects = read_ids(ids, names[1])
    check_same_length(partition.n_objects, len(objects), names)
    return partition, objects
