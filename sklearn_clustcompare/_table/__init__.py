"""How are two partitions counted? The contingency table and the ways to it."""

from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._table.contingency import ContingencyTable

__all__ = ["CellSum", "ContingencyTable"]
