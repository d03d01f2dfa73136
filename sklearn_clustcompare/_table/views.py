"""What an index sees of a table: the whole of it, or as much as pairs or information need.

Indices of pairs look at sums of squares only, and indices of information at entropies. So they can
be evaluated where no cells are known: at an expected value, or while clusters merge.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from sklearn_clustcompare._partition.memberships import MembershipMoments


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


class SeesIdentity(Protocol):
    """What a ratio needs to know where it is 0/0."""

    @property
    def is_identity(self) -> bool: ...


class SeesPairs(SeesIdentity, Protocol):
    """All that an index of pairs sees: a ContingencyTable, or a PairTable."""

    @property
    def n_samples(self) -> Any: ...
    @property
    def square_sums(self) -> SquareSums: ...
    @property
    def is_whole(self) -> bool: ...
    @property
    def soft(self) -> SoftSides | None: ...


class HasMargins(SeesPairs, Protocol):
    """What the moments of such an index need besides: the sizes of the clusters."""

    @property
    def row_sums(self) -> NDArray[Any]: ...
    @property
    def col_sums(self) -> NDArray[Any]: ...


class PairTable(NamedTuple):
    """All that an index of pairs sees of a table, known or expected."""

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


class MarginsTable(NamedTuple):
    """What an index of pairs and its moments see: the sizes of the clusters besides the sums."""

    n_samples: float
    square_sums: SquareSums
    row_sums: NDArray[Any]
    col_sums: NDArray[Any]
    is_whole: bool = True
    is_identity: bool = False
    soft: SoftSides | None = None


class InformationTable(NamedTuple):
    """What an index of information sees of a table at another value of its mutual information.

    ``given`` are the conditional entropies H(true | pred) and H(pred | true), ``gap`` is how far
    they are apart, and ``excess`` is the mutual information beyond its mean, all of one order and
    in nats; ``standard_deviation`` is that of the mutual information.
    """

    row_sums: NDArray[Any]
    col_sums: NDArray[Any]
    n_samples: int
    mutual_info: float
    given: tuple[float, float]
    gap: float
    excess: float
    standard_deviation: float
    is_whole: bool = True
    is_identity: bool = False
