"""What a report says of a whole table: indices, headline, notes, and where it comes from."""

from __future__ import annotations

import inspect
import math
import os
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._array_types import Array
from sklearn_clustcompare._chance.null_distribution import MOST_DRAWN
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._partition import Labels, Reading, read
from sklearn_clustcompare._rendering import (
    n_clusters_text,
    number_texts,
    percent_text,
    result_record,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare._version import __version__
from sklearn_clustcompare.indices import Index, get_index
from sklearn_clustcompare.indices._compares import Given
from sklearn_clustcompare.indices._judged import Chosen
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._pairs import has_moments, is_possibilistic
from sklearn_clustcompare.indices._record import ratio
from sklearn_clustcompare.indices._registry import HEADLINE, OF_MEMBERSHIPS, OVERVIEW
from sklearn_clustcompare.report._decomposition import ClusterDecomposition, label_texts, size_text
from sklearn_clustcompare.significance._permutation import (
    PermutationTestResult,
    by_permutation,
    pvalue_text,
    quick_test,
)
from sklearn_clustcompare.significance._resampling import (
    FEWEST_GROUPS,
    Sample,
    TooFewGroups,
    read_groups,
)
from sklearn_clustcompare.significance._sampling_errors import (
    SamplingErrors,
    read_errors,
    sampling_errors,
)

_NOISE = {
    "cluster": "an ordinary cluster",
    "singletons": "a cluster for each object",
    "drop": "left out",
}
_MISSING = {"error": "not allowed", "drop": "left out", "cluster": "one cluster"}
_EPOCH = "SOURCE_DATE_EPOCH"


@result_record
class ReportProvenance(NamedTuple):
    """Where a report comes from; the attribute ``provenance`` of a :class:`ComparisonReport`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    version : str
        Version of the package.
    date : str
        Day of the report, in UTC, as year-month-day; or the day of the environment variable
        ``SOURCE_DATE_EPOCH``, which makes reports reproducible.
    noise : str or None
        What objects with the label of noise were, as in :func:`clustering_comparison_report`; None
        for a table that was counted before.
    noise_label : list
        Labels of noise that were treated in this way; empty where noise was a cluster.
    missing : str or None
        What objects without a label were; None for a table that was counted before.
    is_weighted : bool or None
        Whether objects had weights; None for a table that was counted before.
    n_groups : int or None
        Number of groups; None without groups.
    parameters : dict of str to dict
        Parameters of the overall indices, by the name of the index; without indices that have none.

    See Also
    --------
    clustering_comparison_report : Makes reports.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report([0, 0, 1], [1, 1, 0])
    >>> report.provenance.noise, report.provenance.is_weighted
    ('cluster', False)
    >>> report.provenance.parameters["f_measure_score"]
    {'beta': 1.0}
    """

    version: str
    date: str
    noise: str | None
    noise_label: list[Any]
    missing: str | None
    is_weighted: bool | None
    n_groups: int | None
    parameters: dict[str, dict[str, Any]]


def make_provenance(
    reading: Reading | None,
    indices: Iterable[Index],
    *,
    is_weighted: bool = False,
    n_groups: int | None = None,
) -> ReportProvenance:
    """Note where a report comes from; without a ``reading`` it is a table counted before."""
    return ReportProvenance(
        __version__,
        _today().strftime("%Y-%m-%d"),
        reading.noise if reading else None,
        list(reading.noise_labels) if reading and reading.noise != "cluster" else [],
        reading.missing if reading else None,
        is_weighted if reading else None,
        n_groups,
        {index.name: _defaults(index.function) for index in indices if index.parameters},
    )


def _today() -> date:
    """Return the day in UTC, or that of the variable that makes builds reproducible."""
    given = os.environ.get(_EPOCH)
    if given is None:
        return datetime.now(UTC).date()
    try:
        return datetime.fromtimestamp(int(given), UTC).date()
    except (ValueError, OverflowError, OSError):
        msg = f"{_EPOCH} must be a number of seconds since 1970, got {shortened(given)}"
        raise ValueError(msg) from None


def _defaults(function: Any) -> dict[str, Any]:
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }


def provenance_as_dict(provenance: ReportProvenance) -> dict[str, Any]:
    return provenance._asdict() | {"noise_label": list(map(str, provenance.noise_label))}


def provenance_texts(
    provenance: ReportProvenance,
    statistics: Sequence[str],
    n_samples: float,
    coverage: float,
    digits: int,
) -> tuple[str, ...]:
    """Write the provenance as sentences; those on statistics are given."""
    made = f"Made with sklearn_clustcompare {provenance.version} on {provenance.date}."
    weights = {True: ", weighted", False: ", not weighted", None: ""}[provenance.is_weighted]
    groups = f", in {provenance.n_groups} groups" if provenance.n_groups is not None else ""
    objects = (
        f"{size_text(n_samples)} objects compared, {percent_text(coverage, digits)} of those given"
        f"{groups}{weights}."
    )
    if provenance.noise is None or provenance.missing is None:
        treated = "The table was given: noise and missing labels were treated before."
    else:
        labels = ", ".join(map(repr, provenance.noise_label))
        treated = (
            f"Noise{f' ({labels})' if labels else ''}: {_NOISE[provenance.noise]}; missing labels: "
            f"{_MISSING[provenance.missing]}."
        )
    parameters = "; ".join(
        f"{name}: {', '.join(f'{key} = {_plain(value)}' for key, value in values.items())}"
        for name, values in provenance.parameters.items()
    )
    given = [f"Parameters: {parameters}."] if parameters else []
    return (" ".join([made, objects, treated, *statistics, *given]),)


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


_NOISE_ADVICE = 'choose noise="singletons" or noise="drop"'
_EXACT_MEAN = "exact mean"
# One thread at a time: it would take the warnings of others for those of its table.
_RECORDING = threading.Lock()


@result_record
class OverallIndex(NamedTuple):
    """An overall index in a report; the entries of :attr:`ComparisonReport.overall`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    name : str
        Name of the index, of its public function and of its scorer.
    value : float or None
        Its value; None if it cannot be computed, for the reason given in the warnings of the
        report.
    adjusted : float or None
        The value adjusted for chance: 0 on average for random partitions with the same cluster
        sizes, 1 for equal ones. None where its mean has no closed form.
    adjusted_by : str or None
        The index that is the adjusted form, with its parameters, or "exact mean" where it has no
        name of its own. None where ``adjusted`` is.
    macro : float or None, default=None
        Mean of the values for the single groups of objects; None where no groups were given.

    See Also
    --------
    clustering_comparison_report : Makes reports.
    chance_adjusted_score : Adjusts every index, by Monte Carlo where its mean has no closed form.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report(list("aabb"), [0, 0, 0, 1])
    >>> line = report.overall[0]
    >>> line.name, line.value, line.adjusted, line.adjusted_by
    ('rand_score', 0.5, 0.0, 'adjusted_rand_score')
    """

    name: str
    value: float | None
    adjusted: float | None
    adjusted_by: str | None
    macro: float | None = None


def overall_as_dict(
    overall: Iterable[OverallIndex],
    intervals: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> dict[str, dict[str, Any]]:
    """Return the values by the name of the index; groups and intervals only where there are any."""
    return {
        line.name: {
            "value": line.value,
            "adjusted": line.adjusted,
            "adjusted_by": line.adjusted_by,
        }
        | ({} if line.macro is None else {"macro": line.macro})
        | ({"interval": list(intervals[line.name])} if line.name in intervals else {})
        for line in overall
    }


def overall_indices(
    table: ContingencyTable, indices: Iterable[Index] = OVERVIEW
) -> tuple[tuple[OverallIndex, ...], list[str]]:
    """Compute the overall indices; what is undefined comes as text."""
    reasons: list[str] = []
    with _RECORDING, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedMetricWarning)
        lines = [_overall_index(index, table, reasons) for index in indices]
        if table.soft is not None and has_moments(table):
            value = OF_MEMBERSHIPS(table)
            lines.append(OverallIndex(OF_MEMBERSHIPS.name, value, value, OF_MEMBERSHIPS.name))
    reasons += [str(warning.message) for warning in caught]
    return tuple(lines), list(dict.fromkeys(reasons))


def overall_indices_of_groups(
    table: ContingencyTable, tables: list[ContingencyTable]
) -> tuple[tuple[OverallIndex, ...], list[str]]:
    """Compute the overall indices of all groups in one table, and their means over the groups."""
    overall, reasons = overall_indices(table)
    counted = [one for one in tables if one.n_samples]
    lines, macro_reasons = [], []
    for line in overall:
        with _RECORDING, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UndefinedMetricWarning)
            try:
                values = [get_index(line.name)(one) for one in counted]
            except ValueError as error:  # pairs of objects cannot be counted in every table
                macro_reasons.append(f"macro {line.name} is left out: {error}")
                lines.append(line)
                continue
        macro_reasons += [f"in a group, {warning.message}" for warning in caught]
        lines.append(line._replace(macro=math.fsum(values) / len(values)))
    n_empty = len(tables) - len(counted)
    notes = [
        f"{len(counted)} groups: value and adjusted are those of one table of all groups, in "
        "which clusters of different groups are different; macro is the mean of the values of the "
        "single groups",
        *([f"{n_empty} groups of which nothing is left do not count"] if n_empty else []),
    ]
    return tuple(lines), list(dict.fromkeys([*notes, *reasons, *macro_reasons]))


def _overall_index(index: Index, table: ContingencyTable, reasons: list[str]) -> OverallIndex:
    try:
        value = index(table)
    except ValueError as error:  # pairs of objects cannot be counted in every table
        reasons.append(f"{index.name} is left out: {error}")
        return OverallIndex(index.name, None, None, None)
    if table.is_whole and index.adjusted_form is not None:
        name, parameters = index.adjusted_form
        adjusted = get_index(name)(table, **parameters)
        given = ", ".join(f"{key}={value}" for key, value in parameters.items())
        return OverallIndex(index.name, value, adjusted, f"{name} ({given})" if given else name)
    if is_possibilistic(table) and index.linear_quantity() == "pairs":
        reasons.append(
            f"{index.name} is not adjusted for chance: cluster sizes of possibilistic partitions "
            "change under permutation; use chance_adjusted_score with method='monte_carlo'"
        )
    moments = null_moments(index, table)
    if moments is None:
        return OverallIndex(index.name, value, None, None)
    try:
        mean = moments.mean
    except ValueError as error:  # its pairs cannot be counted, those of the value can
        reasons.append(f"{index.name} is not adjusted for chance: {error}")
        return OverallIndex(index.name, value, None, None)
    adjusted = ratio(value - mean, 1 - mean, table, f"chance-adjusted {index.name}")
    return OverallIndex(index.name, value, adjusted, _EXACT_MEAN)


# --------------------------------------------------------------------------- notes


def notes_on(table: ContingencyTable, names: tuple[str, str]) -> list[str]:
    notes = []
    if table.coverage < 1:
        notes.append(
            f"{1 - table.coverage:.1%} of the objects are noise or have no label on one of the "
            "sides and were left out: a candidate that leaves out more objects is judged by fewer"
        )
    if not table.n_samples:
        return [*notes, "there are no objects: all values are those of equal partitions"]
    if table.is_identity:
        notes.append("the two partitions are equal up to the names of the clusters")
    for name, n_clusters in zip(names, table.shape, strict=True):
        if n_clusters == 1:
            notes.append(f"{name} is a single cluster, which contains no information")
        elif n_clusters > table.n_samples / 2:
            notes.append(
                f"{name} has more clusters ({n_clusters}) than half the objects "
                f"({size_text(table.n_samples)}): indices that are not adjusted for chance are "
                "high then, whatever the clusters are"
            )
    if table.soft is not None:
        notes.append(
            f"memberships are soft: no index but {OF_MEMBERSHIPS.name} is 1 for a soft partition "
            "against itself; adjusted_mutual_info_score is left out, since the exact mean of the "
            "mutual information needs whole counts"
        )
    elif not table.is_whole:
        notes.append(
            "the counts are not whole: adjusted_mutual_info_score is left out, since the exact "
            "mean of the mutual information needs whole counts"
        )
    return notes


def notes_on_noise(table: ContingencyTable, reading: Reading, names: tuple[str, str]) -> list[str]:
    """Return notes on labels of noise, or their text, that count as a cluster."""
    texts = {str(one): f', with noise_label="{one}"' for one in reading.noise_labels}
    forms = texts | dict.fromkeys(reading.noise_labels, "")
    notes = []
    sides = ((table.row_labels, table.row_sums), (table.col_labels, table.col_sums))
    for name, (labels, sizes) in zip(names, sides, strict=True):
        known = labels.tolist()
        for label, addition in forms.items():
            if label in known:
                size = size_text(sizes[known.index(label)])
                notes.append(
                    f"{label!r} in {name} (size {size}) counts as an ordinary cluster: if it "
                    f"stands for noise, {_NOISE_ADVICE}{addition}"
                )
    return notes


LEVEL = 0.95
_INTERVALS = f"In brackets: {100 * LEVEL:g} % intervals, for other"
# All indices of a headline have sums: no half samples are drawn.
_OF_SUMS: Any = {"n_resamples": 2, "random_state": 0, "n_jobs": None}
# Half samples, as many as fit into the time of the rest of the report: a draw takes as long as
# the table has occupied cells.
_MOST_CELLS = 300_000
_FEWEST_OBJECTS = 4
_METHODS = {
    "exact": "from all tables with these cluster sizes",
    "moments": "by an approximation with four moments",
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
        memberships, real-valued weights, ``within``, fewer than 4 objects or 10 groups, and more
        than 300,000 occupied cells.
    pvalue : float or None
        The p-value of the mutual information under permutation of the objects, or of their
        ``groups``: that of :func:`independence_test`. None where the counts are not whole, for
        a few groups of unequal size, and with ``within``.
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
        What the p-value permutes, and the intervals are of.

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
    unmatched: Array
    worst: int | None
    permuted: str = "objects"


def make_headline(
    decomposition: ClusterDecomposition, overall: tuple[OverallIndex, ...], given: Given
) -> tuple[ReportHeadline, list[str]]:
    """Compute the headline of a report, and say what it lacks or what may not hold."""
    table = decomposition.table
    adjusted = {line.adjusted_by: line.adjusted for line in overall}
    scores = {
        index.name: value
        for index in HEADLINE.values()
        if (value := adjusted.get(index.name)) is not None
    }
    test: PermutationTestResult | None = None
    intervals: dict[str, tuple[float, float]] = {}
    notes: list[str] = []
    is_testable = table.is_whole and table.soft is None and given.within is None
    if given.groups is not None and is_testable:
        test, intervals, notes = _of_groups(given, scores, table)
    elif given.groups is not None:  # within leaves them out
        read_groups(given.groups, read(given.labels_true, "labels_true", given.reading))
        notes.append("groups of memberships or real-valued weights have no p-value or intervals")
    elif is_testable and table.n_samples:
        intervals, notes = table_intervals(table, scores)
        test = quick_test(table, "mutual_info_score")
    counted = Counter(decomposition.true.verdict.tolist())
    lost_share = decomposition.true.lost_share
    headline = ReportHeadline(
        scores,
        intervals,
        None if test is None else test.pvalue,
        None if test is None else test.method,
        {verdict: counted[verdict] for verdict in _VERDICTS if verdict in counted},
        _unmatched(table),
        int(lost_share.argmax()) if lost_share.any() else None,
        "objects" if given.groups is None else "groups",
    )
    return headline, notes


def _of_groups(
    given: Given, names: Iterable[str], table: ContingencyTable
) -> tuple[PermutationTestResult | None, dict[str, tuple[float, float]], list[str]]:
    """Return the test and the intervals where groups are sampled, and why there is none."""
    test = None
    intervals: dict[str, tuple[float, float]] = {}
    notes: list[str] = []
    try:
        chosen = Chosen.of("mutual_info_score")
        test = by_permutation(replace(given, chosen=chosen, n_resamples=MOST_DRAWN))
    except TooFewGroups as few:
        notes.append(f"there is no p-value: {few}")
    if table.n_cells > _MOST_CELLS:
        return test, intervals, notes
    try:
        _, found = read_errors(
            [given.labels_true, given.labels_pred],
            ("labels_true", "labels_pred"),
            tuple(map(Chosen.of, names)),
            given.reading,
            X=None,
            sample_weight=given.sample_weight,
            groups=given.groups,
            **_OF_SUMS,
        )
        intervals, of_intervals = _intervals_of(found)
        notes += of_intervals
    except TooFewGroups as few:
        notes.append(f"there are no intervals: {few}")
    return test, intervals, notes


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
    sample = Sample.of(sides, table.cell_counts, groups=sides[0] if by_entity else None)
    chosen = tuple(Chosen(name, get_index(name), {}) for name in names)
    return _intervals_of(sampling_errors(sample, chosen, **_OF_SUMS))


def _intervals_of(
    found: Sequence[SamplingErrors],
) -> tuple[dict[str, tuple[float, float]], list[str]]:
    with UNDEFINED_IGNORED:
        ends = {one.chosen.name: one.intervals(LEVEL)[0] for one in found if one.are_defined.all()}
        reasons = {one.chosen.name: one.cautions(0) for one in found}
    notes = []
    for one in found:
        name = one.chosen.name
        low, high = ends.get(name, (-np.inf, np.inf))
        is_left_out = not low <= one.values[0] <= high
        if reasons[name]:
            leaves_out = " and leaves out the score" * is_left_out
            notes += [
                f"the interval of {name} may not hold{leaves_out}: {why}" for why in reasons[name]
            ]
        elif is_left_out:
            notes.append(
                f"the interval of {name} leaves out the score, which is biased: the objects are "
                "few for so many clusters"
            )
    return {name: (float(low), float(high)) for name, (low, high) in ends.items()}, notes


def _unmatched(table: ContingencyTable) -> Array:
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
        statistics.append(f"{_INTERVALS} {headline.permuted}.")
    if headline.pvalue_method is not None:
        statistics.append(
            f"p: mutual information when the {headline.permuted} are permuted, "
            f"{_METHODS[headline.pvalue_method]}."
        )
    return statistics
