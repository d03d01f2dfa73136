"""Margins of two partitions: what an index gets together with its statistic."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from sklearn_clustcompare._kernels import SquareSums as SquareSums
from sklearn_clustcompare._table.overlap import SoftSides as SoftSides


class Margins(Protocol):
    """Sizes of the clusters of two partitions, and whether the partitions are known to be equal.

    A ContingencyTable has them, and ``KnownMargins`` where there are no cells.
    """

    @property
    def n_samples(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def row_sums(self) -> NDArray[Any]: ...
    @property
    def col_sums(self) -> NDArray[Any]: ...
    @property
    def is_whole(self) -> bool: ...
    @property
    def is_identity(self) -> bool: ...
    @property
    def soft(self) -> SoftSides | None: ...


class KnownMargins:
    """Margins without a table; an index of pairs needs no sizes, only their sums of squares."""

    __slots__ = ("col_sums", "is_identity", "is_whole", "n_samples", "row_sums", "soft")

    row_sums: NDArray[Any]
    col_sums: NDArray[Any]

    def __init__(self, n_samples: Any, *, is_identity: bool = False) -> None:
        self.n_samples = n_samples
        self.is_identity = is_identity
        self.is_whole = True
        self.soft: SoftSides | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.row_sums), len(self.col_sums)

    @classmethod
    def of(cls, given: Margins, *, is_identity: bool = False) -> KnownMargins:
        """Return the margins of a table without its cells."""
        margins = cls(given.n_samples, is_identity=is_identity)
        margins.row_sums, margins.col_sums = given.row_sums, given.col_sums
        margins.is_whole, margins.soft = given.is_whole, given.soft
        return margins


class CountedPairs(NamedTuple):
    """What an index of pairs is a function of."""

    squares: SquareSums
    margins: Margins

    @classmethod
    def of_squares(cls, n_samples: Any, squares: SquareSums) -> CountedPairs:
        """Return those of whole counts: equal partitions have equal sums of squares."""
        equal = squares.cells == squares.rows == squares.cols
        return cls(squares, KnownMargins(n_samples, is_identity=equal))

    @classmethod
    def of_table(cls, table: Any) -> CountedPairs:
        return cls(table.square_sums, table)

    @property
    def T(self) -> CountedPairs:
        cells, rows, cols = self.squares
        return self._replace(squares=SquareSums(cells, cols, rows))
