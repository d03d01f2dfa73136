"""What would chance give? Laws of the table under permutation."""

from sklearn_clustcompare._chance.permutation import PermutationModel

__all__ = ["PermutationModel"]
