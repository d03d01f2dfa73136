"""Single partitions: labels, memberships, a cover or a hierarchy, read and checked once."""

from __future__ import annotations

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare._partition.arrays import DEFAULT as DEFAULT
from sklearn_clustcompare._partition.arrays import Reading as Reading
from sklearn_clustcompare._partition.covers import Cover
from sklearn_clustcompare._partition.labels import AlignedPartitions as AlignedPartitions
from sklearn_clustcompare._partition.labels import Labels as Labels
from sklearn_clustcompare._partition.labels import align_partitions
from sklearn_clustcompare._partition.memberships import Memberships as Memberships
from sklearn_clustcompare._partition.memberships import Partition as Partition
from sklearn_clustcompare._partition.reading import NAMES as NAMES
from sklearn_clustcompare._partition.reading import check_rows as check_rows
from sklearn_clustcompare._partition.reading import names_of as names_of
from sklearn_clustcompare._partition.reading import partners as partners
from sklearn_clustcompare._partition.reading import read as read
from sklearn_clustcompare._partition.reading import read_beside as read_beside
from sklearn_clustcompare._partition.reading import read_labels as read_labels
from sklearn_clustcompare._partition.reading import read_memberships as read_memberships
from sklearn_clustcompare._partition.reading import read_pair as read_pair
from sklearn_clustcompare._partition.reading import read_weights as read_weights
from sklearn_clustcompare._partition.trees import Hierarchy

__all__ = [
    "Cover",
    "Hierarchy",
    "align_partitions",
]

show_types(globals())
