"""The overall indices of a report, and notes on their interpretation."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._rendering import record_html, result_record
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import Index, get_index
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._registry import OF_MEMBERSHIPS, OVERVIEW
from sklearn_clustcompare.indices._soft import has_moments, is_possibilistic
from sklearn_clustcompare.indices._undefined import ratio
from sklearn_clustcompare.report._cluster_rows import size_text

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

    def _repr_html_(self) -> str:
        return record_html("OverallIndex", self._asdict())


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
