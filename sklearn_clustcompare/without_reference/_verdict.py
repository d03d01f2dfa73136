"""What the evidence decides: the number of clusters, its grade, and the sentences that say why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from sklearn_clustcompare._rendering import Result, decimal
from sklearn_clustcompare.without_reference._geometry import FEWEST
from sklearn_clustcompare.without_reference._rule import NESTED, SEPARATED, TOUCHING, Evidence
from sklearn_clustcompare.without_reference._stability_result import LEVEL

Grade = Literal["separated", "touching", "tentative", "one", "nothing"]

# If no range is given: numbers of clusters up to this one, and up to so many times as many if the
# last ones are the best.
MOST, _TIMES = 10, 3
_GRADES: tuple[Grade, ...] = ("separated", "touching", "tentative")
# Of separated divisions, silhouettes that differ by this do not decide: the finest one does.
_AS_GOOD = 0.05


class NClustersVerdict(Result, eq=True):
    """Verdict on the number of clusters; an attribute of NClustersChoice.

    Printed, it shows the verdict and its reasons. All parameters are attributes of the same names,
    which cannot be set.

    Parameters
    ----------
    grade : {"separated", "touching", "tentative", "one", "nothing"}
        How sure the number is: the clusters are separated and come back in other halves of the
        data; they come back, but may be parts of one bent or skew cluster; they do not come back;
        no evidence of more than one cluster; nothing was divided. Small groups have no part in it.
    n_clusters : int or None
        The number, with small groups; None if nothing was divided.
    finer : tuple of int
        Numbers of clusters of divisions inside of these clusters that come back, too.
    at_least : bool
        Whether there may be more, since the last number that was tried is the best.
    reasons : tuple of str
        Sentences: what was found, what was compared, and what the verdict cannot know.
    small_shares : tuple of float, default=()
        Shares of small groups of large data, which are no clusters of the clusterer.

    See Also
    --------
    choose_n_clusters : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import NClustersVerdict
    >>> print(NClustersVerdict("separated", 2, (3, 4), False, ()))
    2 clusters, separated; divisions into 3 and into 4, nested in these, come back, too
    """

    grade: Grade
    n_clusters: int | None
    finer: tuple[int, ...]
    at_least: bool
    reasons: tuple[str, ...]
    small_shares: tuple[float, ...] = ()

    @property
    def headline(self) -> str:
        """The answer in words, without its reasons."""
        if self.n_clusters is None:
            return "no number of clusters: nothing was divided"
        n_small = len(self.small_shares)
        n_clusters = self.n_clusters - n_small
        shares = ", ".join(f"{100 * one:.2g} %" for one in self.small_shares)
        small = f"{n_small} small group{'s' if n_small > 1 else ''} ({shares})"
        if n_clusters == 1:
            return f"1 large cluster and {small}" if n_small else "1 cluster: no evidence of more"
        more = " or more" if self.at_least else ""
        head = f"{n_clusters} clusters{more}, {self.grade}" + (f", and {small}" if n_small else "")
        if not self.finer:
            return head
        divisions = "divisions" if len(self.finer) > 1 else "a division"
        comes = "come" if len(self.finer) > 1 else "comes"
        finer = " and ".join(f"into {number}" for number in self.finer)
        return f"{head}; {divisions} {finer}, nested in these, {comes} back, too"

    def _headline(self) -> str:
        return self.headline

    def _conclusion(self) -> Sequence[str]:
        return self.reasons


def with_small_groups(
    verdict: NClustersVerdict, shares: Sequence[float], notes: Sequence[str]
) -> NClustersVerdict:
    """Return the verdict with small groups, and with sentences on samples before the last one."""
    *own, last = verdict.reasons
    n_clusters = verdict.n_clusters and verdict.n_clusters + len(shares)
    reasons = (*own, *notes, last)
    return replace(verdict, n_clusters=n_clusters, small_shares=tuple(shares), reasons=reasons)


def decide(
    evidence: Evidence, more: Callable[[int], dict[str, Any]] | None
) -> tuple[NClustersVerdict, int | None]:
    """Return the verdict, and the position of its division, None for one cluster or nothing.

    ``more`` makes the candidate of a number of clusters beyond the last one, if these may be tried.
    """
    if not evidence.divisions:
        return _nothing(evidence), None
    if more is not None and not evidence.chains and _is_last(evidence, _best(evidence)):
        _go_on(evidence, more)
    return _graded(evidence)


def _go_on(evidence: Evidence, more: Callable[[int], dict[str, Any]]) -> None:
    """Try up to three times as many clusters; the largest number that comes back is the last."""
    last = len(evidence.candidates)
    stop = min(_TIMES * MOST, evidence.X.shape[0] // (FEWEST + 1))
    evidence.extend([more(number) for number in range(last + 2, stop + 1)])
    back = [at for at in range(last, len(evidence.candidates)) if evidence.comes_back(at)]
    evidence.keep(max(back, default=last - 1) + 1)


def _is_last(evidence: Evidence, number: int) -> bool:
    return number == len(evidence.candidates) - 1


def _best(evidence: Evidence) -> int:
    """Return the position of the division with the largest silhouette."""
    return max(evidence.divisions, key=lambda number: evidence.silhouette[number])


def _graded(evidence: Evidence) -> tuple[NClustersVerdict, int | None]:
    """Return the verdict from the best grade that a division has, and the division.

    Structureless data are drawn only where the ratios do not decide. Chains follow a bent cluster
    instead of cutting it: of them no silhouettes are compared, and the finest division is chosen.
    """
    value = np.full(len(evidence.numbers), 0.0) if evidence.chains else evidence.silhouette
    passes = [one for one in evidence.divisions if evidence.ratio[one] >= TOUCHING]
    largest = max(value[passes], default=np.nan)
    is_known = evidence.chains or any(
        evidence.is_dense(one) and (evidence.comes_back(one) or value[one] == largest)
        for one in passes
    )
    if not is_known and evidence.compare().pvalue > LEVEL:
        return _one(evidence), None
    for grade in _GRADES:
        best = [one for one in passes if evidence.grade(one) == grade]
        most = largest if grade == "tentative" else max(value[best], default=np.nan)
        least = most - (_AS_GOOD if grade == "separated" else 0.0)
        best = [one for one in best if value[one] >= least]
        if best:
            number = max(best, key=lambda one: (evidence.numbers[one], evidence.ratio[one]))
            return _several(evidence, number, grade), number
    return _one(evidence), None


# --------------------------------------------------------------------------- words


_CAVEAT = (
    "No evidence knows the purpose of the clusters, and all of it depends on the scales of the "
    "features and on the clusterer."
)


def _nothing(evidence: Evidence) -> NClustersVerdict:
    most = int(evidence.numbers.max(initial=0))
    if most > 1 and not evidence.chains:
        why = f"Only clusters of {FEWEST} objects or fewer were divided off, which are outliers."
        return NClustersVerdict("one", 1, (), False, (why, _CAVEAT))
    why = "At these values nothing was clustered."
    if most == 1:
        why = "At these values there is one cluster, or none."
    if most > 1:
        why = f"{why[:-1]}, or only clusters of {FEWEST} objects or fewer were divided off."
    return NClustersVerdict("nothing", None, (), False, (why, _CAVEAT))


def _several(evidence: Evidence, number: int, grade: Grade) -> NClustersVerdict:
    n_clusters = int(evidence.numbers[number])
    finer = {
        int(evidence.numbers[one])
        for one in evidence.divisions
        if evidence.numbers[one] > n_clusters
        and evidence.comes_back(one)
        and evidence.ratio[one] >= TOUCHING
        and evidence.precision(one, number) >= NESTED
    }
    name = "worst Jaccard index" if evidence.chains else "prediction strength"
    strength = f"{name} {decimal(evidence.strength(number))}"
    ratio = f"{evidence.ratio[number]:.2f}".rstrip("0").rstrip(".")
    dense = f"{ratio} times as dense as the passes between them"
    back = f"The {n_clusters} clusters come back in other samples ({strength})"
    has = f", with cores {dense}" if evidence.is_dense(number) else ""
    why = {
        "separated": f"{back}, and their cores are at least {dense}.",
        "touching": f"{back}, but they touch: they may be parts of one bent or skew cluster (their "
        f"cores are {dense}; {SEPARATED} would be separated).",
        "tentative": f"The best division has {n_clusters} clusters{has}, but it does not come back "
        f"in other samples ({strength}).",
    }[grade]
    best = _best(evidence)
    beyond = np.nanmax([*evidence.beyond, -np.inf]) if evidence.beyond else np.inf
    is_last = not evidence.chains and _is_last(evidence, best)
    at_least = bool(is_last and beyond > evidence.silhouette[best])
    rises = "The silhouette still rises at the last number that was tried: there may be more."
    reasons = (why, *_compared(evidence, number), *[rises] * at_least, _CAVEAT)
    return NClustersVerdict(grade, n_clusters, tuple(sorted(finer)), at_least, reasons)


def _one(evidence: Evidence) -> NClustersVerdict:
    reasons = _compared(evidence, None)
    if evidence.test is None:
        reasons.append(
            "No division comes back in other samples with cores denser than the passes between."
        )
    elif evidence.test.pvalue <= LEVEL:
        reasons.insert(
            0,
            "The data differ from one cluster, but no division has both cores denser than its "
            "passes and a silhouette clearly above those of one cluster.",
        )
    elif back := [
        int(evidence.numbers[at]) for at in evidence.divisions if evidence.comes_back(at)
    ]:
        reasons.append(
            f"Divisions into {_listed(back)} come back in other halves of the data, but so do "
            "parts of a continuum."
        )
        if (best := int(evidence.numbers[_best(evidence)])) in back:
            reasons.append(f"The largest silhouette alone would say {best}, too.")
    return NClustersVerdict("one", 1, (), False, (*reasons, _CAVEAT))


def _compared(evidence: Evidence, number: int | None) -> list[str]:
    """Return what the comparison with structureless data says, if there was any."""
    test = evidence.test
    if test is None:
        return []
    smallest = ""
    if test.pvalue * (1 + evidence.n_null) <= 1:
        early = " by the normal tail" if test.n_null < evidence.n_null else ""
        smallest = f"{early}, the least that {evidence.n_null} can give"
    better = "better than those" if test.pvalue <= LEVEL else "no better than those"
    reasons = [
        f"The silhouettes are {better} of {test.n_null} data sets of one cluster of each null "
        f"distribution ({_listed(test.laws)}): p = {decimal(test.pvalue)}{smallest}."
    ]
    if test.dropped:
        reasons.append(f"The data contradict other null distributions: {_listed(test.dropped)}.")
    last = evidence.divisions[-1]
    if number is not None and number != last and evidence.z[last] > evidence.z[number]:
        reasons.append(
            f"With {evidence.numbers[last]} clusters the data differ from one cluster even more: "
            "there may be more of them, or a continuum."
        )
    return reasons


def _listed(items: Sequence[object]) -> str:
    *first, last = map(str, items)
    return f"{', '.join(first)} and {last}" if first else last
