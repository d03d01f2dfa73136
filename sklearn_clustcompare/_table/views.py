"""Views of a table as input of an index: all of it, or the part for pairs or information.

Indices of pairs use sums of squares only, and indices of information entropies. They can therefore
be evaluated without cells: at an expected value, or while clusters merge.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import SquareSums as SquareSums
from sklearn_clustcompare._partition.memberships import MembershipMoments


class SoftSides(NamedTuple):
    """Data of a table of memberships beyond its cells.

    The moments of both sides, if they were kept; and for possibilistic memberships the sum of all
    products, which is scaled to the number of objects.
    """

    true: MembershipMoments | None
    pred: MembershipMoments | None
    mass: float | None


class SeesIdentity(Protocol):
    """Input of a ratio that is 0/0."""

    @property
    def is_identity(self) -> bool: ...


class SeesPairs(SeesIdentity, Protocol):
    """Input of an index of pairs: a ContingencyTable, or a PairTable."""

    @property
    def n_samples(self) -> Any: ...
    @property
    def square_sums(self) -> SquareSums: ...
    @property
    def is_whole(self) -> bool: ...
    @property
    def soft(self) -> SoftSides | None: ...


class HasMargins(SeesPairs, Protocol):
    """Further input of the moments of such an index: the sizes of the clusters."""

    @property
    def row_sums(self) -> NDArray[Any]: ...
    @property
    def col_sums(self) -> NDArray[Any]: ...


class PairTable(NamedTuple):
    """Input of an index of pairs, from a known or expected table."""

    n_samples: float
    square_sums: SquareSums
    is_whole: bool = True
    is_identity: bool = False
    soft: SoftSides | None = None

    @classmethod
    def of_squares(cls, n_samples: int, squares: SquareSums) -> PairTable:
        """Return the view of whole counts: equal partitions have equal sums of squares."""
        return cls(n_samples, squares, is_identity=squares.cells == squares.rows == squares.cols)

    @property
    def T(self) -> PairTable:
        cells, rows, cols = self.square_sums
        return self._replace(square_sums=SquareSums(cells, cols, rows))


class MarginsTable(NamedTuple):
    """Input of an index of pairs and its moments: the sums and the sizes of the clusters."""

    n_samples: float
    square_sums: SquareSums
    row_sums: NDArray[Any]
    col_sums: NDArray[Any]
    is_whole: bool = True
    is_identity: bool = False
    soft: SoftSides | None = None


class ExpectedInformation(Protocol):
    """Means under permutation of the information that two partitions share, and do not share."""

    def expected_mutual_info(self, q: float = 1.0) -> float: ...
    def expected_cluster_conditional_entropy(
        self, q: float = 1.0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...


class SeesInformation(SeesIdentity, Protocol):
    """Input of an index of information at another value of the mutual information.

    ``entropies`` are those of both partitions, ``given`` the conditional entropies H(true | pred)
    and H(pred | true), ``gap`` is their difference, and ``excess`` is the mutual information beyond
    its mean, all of one order and in nats; ``standard_deviation`` is that of the mutual
    information, and ``model`` has the means.
    """

    @property
    def row_sums(self) -> NDArray[Any]: ...
    @property
    def col_sums(self) -> NDArray[Any]: ...
    @property
    def n_samples(self) -> int: ...
    @property
    def is_whole(self) -> bool: ...
    @property
    def entropies(self) -> tuple[float, float]: ...
    @property
    def mutual_info(self) -> float: ...
    @property
    def given(self) -> tuple[float, float]: ...
    @property
    def gap(self) -> float: ...
    @property
    def excess(self) -> float: ...
    @property
    def standard_deviation(self) -> float: ...
    @property
    def model(self) -> ExpectedInformation: ...


class InformationTable(NamedTuple):
    """What an index of information sees, with all values given."""

    row_sums: NDArray[Any]
    col_sums: NDArray[Any]
    n_samples: int
    entropies: tuple[float, float]
    mutual_info: float
    given: tuple[float, float]
    gap: float
    excess: float
    standard_deviation: float
    model: ExpectedInformation
    is_whole: bool = True
    is_identity: bool = False
