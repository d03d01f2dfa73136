"""Contingency tables and how they are counted: by ``count`` for public functions."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.contingency import cells_as_objects as cells_as_objects
from sklearn_clustcompare._table.contingency import count as count
from sklearn_clustcompare._table.contingency import count_read as count_read
from sklearn_clustcompare._table.contingency import has_objects as has_objects
from sklearn_clustcompare._table.contingency import require_objects as require_objects

__all__ = ["CellSum", "ContingencyTable"]

show_types(globals())
