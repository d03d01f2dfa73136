"""Null distributions: of tables under permutation, and under other random models."""

from sklearn_clustcompare._chance.permutation import PermutationModel
from sklearn_clustcompare._chance.random_models import (
    AllPartitionsModel,
    FixedClusterCountModel,
    MultinomialModel,
)
from sklearn_clustcompare._options import show_types

__all__ = ["AllPartitionsModel", "FixedClusterCountModel", "MultinomialModel", "PermutationModel"]

show_types(globals())
