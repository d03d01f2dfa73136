"""Indices as functions of a contingency table, and their registry."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare._table.cell_sums import CellSum as CellSum
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._record import IndexLike as IndexLike
from sklearn_clustcompare.indices._record import preferred as preferred
from sklearn_clustcompare.indices._registry import INDICES as INDICES
from sklearn_clustcompare.indices._registry import INTERNAL_INDICES as INTERNAL_INDICES
from sklearn_clustcompare.indices._registry import NAMES as NAMES
from sklearn_clustcompare.indices._registry import PARTIAL_INDICES as PARTIAL_INDICES
from sklearn_clustcompare.indices._registry import get_index, list_indices
from sklearn_clustcompare.indices._registry import read_index as read_index
from sklearn_clustcompare.indices._registry import refuse_to_drop as refuse_to_drop

__all__ = [
    "CellSum",
    "Index",
    "get_index",
    "list_indices",
]

publish(globals())
