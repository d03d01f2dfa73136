"""Contingency tables and how they are counted."""

from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._table.contingency import ContingencyTable

__all__ = ["CellSum", "ContingencyTable"]
