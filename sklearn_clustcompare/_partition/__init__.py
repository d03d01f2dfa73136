"""What is one partition? Labels or memberships, read once and judged once."""

from sklearn_clustcompare._partition.ids import AlignedPartitions, align_partitions

__all__ = ["AlignedPartitions", "align_partitions"]
