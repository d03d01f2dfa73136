"""The verdict of independent evidence on the number of clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sklearn_clustcompare._rendering import Shown, decimal, result_record
from sklearn_clustcompare.without_reference._evidence import Needs
from sklearn_clustcompare.without_reference._geometry import N_NEIGHBORS
from sklearn_clustcompare.without_reference._stability_result import LEVEL

# Silhouette and valley lie so many standard deviations above their means for each law.
CLEAR = 1.645
# The silhouette of clusters that touch stands out by so many times from those of other numbers.
_STANDS_OUT = 2.5
# Prediction strength, and the mean Jaccard index of the worst cluster, of a reproducible division.
REPRODUCIBLE = Needs(strength=0.8, jaccard=0.75)
# Chains of neighbors break when half of the objects are left out: no need of strength.
REPRODUCIBLE_CHAINS = Needs(strength=0.0, jaccard=0.85)
# Divisions that come back as surely as this are no accident of one cloud.
_SURE = Needs(strength=0.95, jaccard=0.9)
# Pairs of objects of a finer division that a coarser one joins, at least.
_NESTED = 0.95


class Division(NamedTuple):
    """The evidence for one division; z-scores are the least over the laws.

    ``smallest`` is the number of objects of the smallest cluster.
    """

    n_clusters: int
    silhouette: float
    z_silhouette: float
    z_valley: float
    smallest: int
    strength: float
    jaccard: float

    @property
    def has_valleys(self) -> bool:
        """Return whether valleys are clear, and each cluster has a core of its own.

        The core of an object reaches to its fifth neighbor. The cores of a few objects that are far
        from all others, and divided off, reach to those.
        """
        return self.z_valley >= CLEAR and self.smallest > N_NEIGHBORS

    @property
    def is_clear_together(self) -> bool:
        """Return whether silhouette and valley are clear in sum, and both are better than usual.

        That is enough for parts of clusters that were found if the silhouette prefers the parts.
        """
        scores = (self.z_silhouette, self.z_valley)
        is_clear = min(scores) > 0 and sum(scores) >= 2**0.5 * CLEAR
        return is_clear and self.smallest > N_NEIGHBORS

    def comes_back(self, needs: Needs) -> bool:
        """Return whether it is reproduced in halves and in bootstrap samples."""
        return self.strength >= needs.strength and self.jaccard >= needs.jaccard


@result_record
@dataclass(frozen=True, repr=False)
class NClustersVerdict(Shown):
    """Verdict of the evidence on the number of clusters; an attribute of NClustersChoice.

    Printed, it shows the verdict and its reasons. All parameters are attributes of the same names,
    which cannot be set.

    Parameters
    ----------
    kind : {"one", "several", "nested", "undetermined"}
        One cloud or continuum; one number above 1; a number of clusters that divide again; or no
        answer.
    n_clusters : int or None
        The number, of nested ones the coarse one; None for undetermined.
    finer : tuple of int
        Numbers of the smaller clusters of which nested ones consist; else empty.
    reasons : tuple of str
        Three lines: whether there is structure, which divisions are separated and come back, and
        what the verdict cannot know.

    See Also
    --------
    choose_n_clusters : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import NClustersVerdict
    >>> print(NClustersVerdict("nested", 2, (6,), ()))
    2 clusters, which consist of 6 smaller ones
    """

    kind: Literal["one", "several", "nested", "undetermined"]
    n_clusters: int | None
    finer: tuple[int, ...]
    reasons: tuple[str, ...]

    @property
    def headline(self) -> str:
        """The answer in words, without its reasons."""
        if self.kind == "undetermined":
            return "undetermined number of clusters"
        head = "1 cluster" if self.n_clusters == 1 else f"{self.n_clusters} clusters"
        if not self.finer:
            return head
        return f"{head}, which consist of {_listed(self.finer)} smaller ones"

    def _headline(self) -> str:
        return self.headline

    def _conclusion(self) -> Sequence[str]:
        return self.reasons


class Structure(NamedTuple):
    """The test for structure: the largest p-value over the laws, and what was compared."""

    pvalue: float
    statistic: str
    laws: tuple[str, ...]
    n_null: int


def verdict_of(
    divisions: Sequence[Division],
    structure: Structure,
    precision: Callable[[int, int], float],
    *,
    chains: bool,
    stands_out: float = _STANDS_OUT,
) -> tuple[NClustersVerdict, int | None]:
    """Return the verdict, and the position of its division among those given, if it has one.

    ``precision`` is that of the pairs of one position by another one.
    """
    found = _structure_text(structure, len(divisions))
    needs = REPRODUCIBLE_CHAINS if chains else REPRODUCIBLE
    if structure.pvalue > LEVEL:
        sure = [one.n_clusters for one in divisions if one.n_clusters > 1 and one.comes_back(_SURE)]
        if sure:
            why = (
                f"{_clusters(sure)} come back in other samples, but so do the parts of a "
                "continuum: it can explain them."
            )
            return NClustersVerdict("undetermined", None, (), (found, why, _CAVEAT)), None
        why = "No division into clusters is better than those of one cloud, or of a continuum."
        return NClustersVerdict("one", 1, (), (found, why, _CAVEAT)), None
    candidates = [
        position
        for position, one in enumerate(divisions)
        if one.n_clusters > 1
        and one.comes_back(needs)
        and (one.has_valleys if chains else _is_separated(one, divisions, stands_out))
    ]
    if not candidates:
        why = _why_no_candidate(divisions, needs)
        return NClustersVerdict("undetermined", None, (), (found, why, _CAVEAT)), None
    best = max(candidates, key=lambda position: divisions[position].silhouette)
    better = [
        position
        for position, one in enumerate(divisions)
        if not chains
        and one.n_clusters > divisions[best].n_clusters
        and one.silhouette > divisions[best].silhouette
        and one.comes_back(needs)
        and one.is_clear_together
        and precision(position, best) >= _NESTED
    ]
    best = max([best, *better], key=lambda position: divisions[position].silhouette)
    number = divisions[best].n_clusters
    finer = [position for position in candidates if divisions[position].n_clusters > number]
    crossing = [position for position in finer if precision(position, best) < _NESTED]
    strength = "" if chains else f"prediction strength {decimal(divisions[best].strength)}, "
    why = (
        f"{_clusters([number])} are separated and come back in other samples ({strength}worst "
        f"Jaccard index {decimal(divisions[best].jaccard)})"
    )
    numbers = tuple(sorted({divisions[position].n_clusters for position in finer}))
    if crossing:
        others = _clusters(sorted({divisions[position].n_clusters for position in crossing}))
        why += f"; so are {others}, which cross them."
        return NClustersVerdict("undetermined", None, (), (found, why, _CAVEAT)), None
    if finer:
        why += f", and so are {_clusters(numbers)} inside of them."
        return NClustersVerdict("nested", number, numbers, (found, why, _CAVEAT)), best
    return NClustersVerdict("several", number, (), (found, f"{why}.", _CAVEAT)), best


def _is_separated(one: Division, divisions: Sequence[Division], times: float) -> bool:
    """Return whether there are valleys, or no other number of clusters is nearly as good."""
    if one.z_silhouette < CLEAR or one.has_valleys:
        return one.z_silhouette >= CLEAR
    others = [other.z_silhouette for other in divisions if other.n_clusters != one.n_clusters]
    stands_out = len(others) > 1 and one.z_silhouette >= times * max(*others, 1.0)
    return stands_out and one.z_valley > 0


def _structure_text(structure: Structure, n_values: int) -> str:
    laws = _listed(structure.laws)
    sets = f"{structure.n_null} data sets of one cloud ({laws})"
    if len(structure.laws) > 1:
        sets += ", each law by itself"
    pvalue = f"p = {decimal(structure.pvalue)}"
    best = f"the best {structure.statistic} of {n_values} clusterings is"
    if structure.pvalue <= LEVEL:
        return f"The data are not one cloud: {best} better than that of {sets}, {pvalue}."
    return (
        f"No evidence of more than one cloud or continuum: {best} not better than that of {sets}, "
        f"{pvalue}."
    )


def _why_no_candidate(divisions: Sequence[Division], needs: Needs) -> str:
    touching = [
        one.n_clusters
        for one in divisions
        if one.n_clusters > 1 and one.comes_back(needs) and not one.has_valleys
    ]
    if touching:
        return (
            f"Not one ellipsoid or skew cloud, but the {_clusters(touching)} that come back in "
            "other samples touch: no valley between them; perhaps one bent cluster."
        )
    return "They differ from one cloud, but no division is both separated and reproducible."


_CAVEAT = (
    "No evidence knows the purpose of the clusters, and all of it depends on the scales of the "
    "features and on the clusterer."
)


def _clusters(numbers: Sequence[int]) -> str:
    return f"{_listed(numbers, 'or')} clusters"


def _listed(items: Sequence[object], word: str = "and") -> str:
    *first, last = map(str, items)
    return f"{', '.join(first)} {word} {last}" if first else last
