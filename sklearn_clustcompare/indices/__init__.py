"""Indices as functions of a contingency table, and their registry."""

from sklearn_clustcompare.indices._registry import INDICES, get_index, list_indices

__all__ = ["INDICES", "get_index", "list_indices"]
