"""Where a report comes from: version, date, and how the objects were counted."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._rendering import percent_text, record_html, result_record
from sklearn_clustcompare._version import __version__
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.report._cluster_rows import size_text

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
        Day of the report, in UTC, as year-month-day.
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
    >>> from datetime import date
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report([0, 0, 1], [1, 1, 0], date=date(2026, 3, 1))
    >>> report.provenance.date, report.provenance.noise
    ('2026-03-01', 'cluster')
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

    def _repr_html_(self) -> str:
        return record_html("ReportProvenance", self._asdict())


def make_provenance(
    day: date | None,
    reading: Reading | None,
    is_weighted: bool | None,
    n_groups: int | None,
    indices: Iterable[Index],
) -> ReportProvenance:
    """Note where a report comes from; without a ``reading`` it is a table counted before."""
    return ReportProvenance(
        __version__,
        (day or _today()).strftime("%Y-%m-%d"),
        reading.noise if reading else None,
        list(reading.noise_labels) if reading and reading.noise != "cluster" else [],
        reading.missing if reading else None,
        is_weighted,
        n_groups,
        {index.name: _defaults(index.function) for index in indices if index.parameters},
    )


def check_date(day: Any) -> None:
    """Raise TypeError unless it is a day or None."""
    if day is not None and not isinstance(day, date):
        msg = f"date must be a datetime.date or None, got {day!r}"
        raise TypeError(msg)


def _today() -> date:
    """Return the day in UTC, or that of the variable that makes builds reproducible."""
    given = os.environ.get(_EPOCH)
    if given is None:
        return datetime.now(UTC).date()
    try:
        return datetime.fromtimestamp(int(given), UTC).date()
    except (ValueError, OverflowError, OSError):
        msg = f"{_EPOCH} must be a number of seconds since 1970, got {given!r}"
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
