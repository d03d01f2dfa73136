"""The headline of a report: agreement in two numbers, and the number of clusters found."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._rendering import (
    number_texts,
    percent_text,
    record_html,
    result_record,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.indices._registry import HEADLINE, get_index
from sklearn_clustcompare.report._cluster_rows import label_texts, n_clusters_text
from sklearn_clustcompare.report._decomposition import ClusterDecomposition
from sklearn_clustcompare.report._overall import OverallIndex
from sklearn_clustcompare.significance import PermutationTestResult, permutation_test
from sklearn_clustcompare.significance._joint_cells import FEWEST_GROUPS, JointCells
from sklearn_clustcompare.significance._permutation import pvalue_text
from sklearn_clustcompare.significance._sampling_errors import sampling_errors

LEVEL = 0.95
_INTERVALS_OF_OBJECTS = f"In brackets: {100 * LEVEL:g} % intervals, for other objects."
# Half samples, as many as fit into the time of the rest of the report: a draw takes as long as
# the table has occupied cells.
_MOST_CELLS = 300_000
_FEWEST_OBJECTS = 4
_METHODS = {
    "exact": "from all tables with these cluster sizes",
    "moments": "by a law with four moments",
    "cantelli": "at most the bound by Cantelli's inequality",
    "monte_carlo": "from random tables with these cluster sizes",
    "jackknife": "from the values without each group",
}
# Verdicts on clusters of the reference, in the order in which they are counted.
_VERDICTS = ("kept", "split", "merged", "split and merged")


@result_record
class ReportHeadline(NamedTuple):
    """What a report begins with; the attribute ``headline`` of a :class:`ComparisonReport`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    scores : dict of str to float
        Adjusted Rand index and adjusted mutual information, by the names of the indices; of
        memberships the Frobenius adjusted Rand index.
    intervals : dict of str to tuple of two float
        Their confidence intervals at the level 0.95, as those of :func:`score_interval`. Empty for
        memberships, real-valued weights, groups, fewer than 4 objects, and more than 300,000
        occupied cells.
    pvalue : float or None
        The p-value of the mutual information under permutation of the objects, or of their
        ``groups``: that of :func:`independence_test`. None where the counts are not whole, and with
        ``within``.
    pvalue_method : {"exact", "moments", "cantelli", "monte_carlo", "jackknife"} or None
        How it was computed; see the Notes of :func:`permutation_test`.
    verdicts : dict of str to int
        Number of clusters of the reference with each verdict.
    unmatched : ndarray of shape (n_true,)
        Objects of each cluster of the reference that are not in its match, with clusters matched
        one to one.
    worst : int or None
        Position of the cluster of the reference that lost most information; None if none was lost.
    permuted : {"objects", "groups"}, default="objects"
        What the p-value permutes.

    See Also
    --------
    clustering_comparison_report : Makes reports.
    score_interval : The interval of any index.
    match_clusters : The matching of the clusters.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report(list("aaabbc"), [0, 0, 0, 1, 1, 1])
    >>> report.headline.verdicts
    {'kept': 1, 'merged': 2}
    >>> report.headline.unmatched, report.headline.worst
    (array([0, 0, 1]), 2)
    """

    scores: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    pvalue: float | None
    pvalue_method: str | None
    verdicts: dict[str, int]
    unmatched: NDArray[Any]
    worst: int | None
    permuted: str = "objects"

    def _repr_html_(self) -> str:
        return record_html("ReportHeadline", self._asdict())


def make_headline(
    decomposition: ClusterDecomposition,
    overall: tuple[OverallIndex, ...],
    of_groups: PermutationTestResult | None,
    *,
    has_groups: bool,
) -> ReportHeadline:
    """Compute the headline of a report; ``of_groups`` is the test if groups were given."""
    table = decomposition.table
    adjusted = {line.adjusted_by: line.adjusted for line in overall}
    scores = {
        index.name: value
        for index in HEADLINE.values()
        if (value := adjusted.get(index.name)) is not None
    }
    # Objects of a group belong together: neither sampling nor permutation has them single.
    is_testable = table.is_whole and table.soft is None and table.n_samples > 0
    is_testable = is_testable and not has_groups and of_groups is None
    intervals = table_intervals(table, scores)[0] if is_testable else {}
    test = permutation_test(table, index="mutual_info_score") if is_testable else of_groups
    counted = Counter(decomposition.true.verdict.tolist())
    lost_share = decomposition.true.lost_share
    return ReportHeadline(
        scores,
        intervals,
        None if test is None else test.pvalue,
        None if test is None else test.method,
        {verdict: counted[verdict] for verdict in _VERDICTS if verdict in counted},
        _unmatched(table),
        int(lost_share.argmax()) if lost_share.any() else None,
        "objects" if of_groups is None else "groups",
    )


def table_intervals(
    table: ContingencyTable, names: Iterable[str], *, by_entity: bool = False
) -> tuple[dict[str, tuple[float, float]], list[str]]:
    """Return the confidence intervals of indices without parameters, of whole counts of labels.

    Also, why some may not hold. They are for other objects, or for other clusters of the reference
    with all their objects. There are none for too few of them, nor for tables that would take too
    long.
    """
    if table.n_samples < _FEWEST_OBJECTS or table.n_cells > _MOST_CELLS:
        return {}, []
    if by_entity and table.shape[0] < FEWEST_GROUPS:
        return {}, []
    sides = [Labels.of_codes(codes) for codes in (table.cell_rows, table.cell_cols)]
    cells = JointCells.of(sides, table.cell_counts, groups=sides[0] if by_entity else None)
    chosen = tuple(Chosen(name, get_index(name), {}) for name in names)
    with UNDEFINED_IGNORED:
        found = sampling_errors(cells, chosen, n_resamples=2, random_state=0, n_jobs=None)
    ends = {one.chosen.name: one.intervals(LEVEL)[0] for one in found if one.are_defined.all()}
    cautions = [
        f"the interval of {one.chosen.name} may not hold: {text}"
        for one in found
        for text in one.cautions(0)
    ]
    return {name: (float(low), float(high)) for name, (low, high) in ends.items()}, cautions


def _unmatched(table: ContingencyTable) -> NDArray[Any]:
    matched = table.optimal_matching
    unmatched = table.row_sums.copy()
    unmatched[table.cell_rows[matched]] -= table.cell_counts[matched]
    return np.maximum(unmatched, 0)


# --------------------------------------------------------------------------- as text and data


def headline_text(
    headline: ReportHeadline, decomposition: ClusterDecomposition, digits: int
) -> str:
    """Write the headline in one sentence."""
    intervals = headline.intervals
    scores = [
        f"{short} {score_text(headline.scores[index.name], intervals.get(index.name), digits)}"
        for short, index in HEADLINE.items()
        if index.name in headline.scores
    ]
    test = ""
    if headline.pvalue is not None and headline.pvalue_method is not None:
        test = f" ({pvalue_text(headline.pvalue, headline.pvalue_method)})"
    n_kept, n_clusters = headline.verdicts.get("kept", 0), sum(headline.verdicts.values())
    counts = [f"{n_kept} of {n_clusters_text(n_clusters)} kept"]
    counts += [f"{n} {verdict}" for verdict, n in headline.verdicts.items() if verdict != "kept"]
    parts = [f"{', '.join(scores)}{test}: " if scores else "", ", ".join(counts)]
    if headline.worst is not None:
        side = decomposition.true
        (worst,) = label_texts(side.labels[[headline.worst]], side.labels)
        share = percent_text(float(side.lost_share[headline.worst]), digits)
        parts.append(f"; worst: {worst}, {share} of the lost information")
    return "".join(parts)


def score_text(value: float, interval: tuple[float, float] | None, digits: int) -> str:
    """Write a score and its interval, if there is one."""
    low, high = interval or (math.nan, math.nan)
    text, *ends = number_texts([value, low, high], digits)
    return f"{text} [{', '.join(ends)}]" if low < high else text


def interval_text(interval: tuple[float, float] | None, digits: int) -> str:
    return "-" if interval is None else f"[{', '.join(number_texts(interval, digits))}]"


def statistics_texts(headline: ReportHeadline) -> list[str]:
    """Write what intervals and p-value are."""
    statistics = []
    if headline.intervals:
        statistics.append(_INTERVALS_OF_OBJECTS)
    if headline.pvalue_method is not None:
        statistics.append(
            f"p: mutual information when the {headline.permuted} are permuted, "
            f"{_METHODS[headline.pvalue_method]}."
        )
    return statistics
