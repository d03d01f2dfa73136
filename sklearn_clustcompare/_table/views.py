"""What an index of pairs sees of a table, known or expected."""

from __future__ import annotations

from typing import NamedTuple

from sklearn_clustcompare._partition.memberships import MembershipMoments


class PairTable(NamedTuple):
    """All that an index of pair counting sees of a table, known or expected."""

    n_samples: float
    square_sums: SquareSums
    is_whole: bool = True
    is_identity: bool = False
    soft: SoftSides | None = None

    @classmethod
    def of_squares(cls, n_samples: int, squares: SquareSums) -> PairTable:
        """Return what is seen of whole counts: equal partitions have equal sums of squares."""
        return cls(n_samples, squares, is_identity=squares.cells == squares.rows == squares.cols)

    @property
    def T(self) -> PairTable:
        cells, rows, cols = self.square_sums
        return self._replace(square_sums=SquareSums(cells, cols, rows))


class SquareSums(NamedTuple):
    """Sums of squares of a table: ``sum n_ij^2``, ``sum a_i^2``, ``sum b_j^2``."""

    cells: float
    rows: float
    cols: float


class SoftSides(NamedTuple):
    """What a table of memberships knows beyond its cells.

    The moments of both sides, if they were kept; and for possibilistic memberships the sum of
    all products, which the table scales to the number of objects.
    """

    true: MembershipMoments | None
    pred: MembershipMoments | None
    mass: float | None
