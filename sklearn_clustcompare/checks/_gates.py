"""The gates of a new result beside an accepted one, what they found, and its text."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._options import with_parameters
from sklearn_clustcompare._rendering import (
    Rows,
    number_text,
    number_texts,
    percent_text,
    result_record,
    text_table,
)
from sklearn_clustcompare.indices import Index

# A loss fails the one-sided test at level 0.05.
_QUANTILE = NormalDist().inv_cdf(0.95)
# Scores of the same labels, summed in another order, may differ by that.
_ROUNDING = 1e-12
_LOSS = {"difference": "loss", "test": "loss, at least"}


class Gate(NamedTuple):
    """What a gate measures, its value, its limit, and whether the value keeps it."""

    gate: str
    measure: str
    value: float
    limit: float
    passed: bool


class Limits(NamedTuple):
    """The limits of the gates, and the rule for losses."""

    tolerance: float = 0.02
    rule: str = "auto"
    max_new: float = 0.2
    max_unlabeled: float = 0.05
    min_coverage: float = 0.9


class Records(NamedTuple):
    """Numbers of records: of tonight, without a label, in both nights, and accepted.

    ``where`` names the baseline in messages.
    """

    n_given: int
    n_unlabeled: int
    n_common: int
    n_accepted: int
    where: str

    @property
    def n_labeled(self) -> int:
        return self.n_given - self.n_unlabeled

    @property
    def are_the_same(self) -> bool:
        return self.n_common == self.n_given == self.n_accepted

    @property
    def coverage(self) -> float:
        return self.n_common / self.n_accepted

    def gates(self, limits: Limits) -> list[Gate]:
        new, most_new = (self.n_labeled - self.n_common) / self.n_labeled, limits.max_new
        unlabeled, most_unlabeled = self.n_unlabeled / self.n_given, limits.max_unlabeled
        coverage, least = self.coverage, limits.min_coverage
        return [
            Gate("records", "new", new, most_new, new <= most_new),
            Gate("records", "unlabeled", unlabeled, most_unlabeled, unlabeled <= most_unlabeled),
            Gate("records", "coverage", coverage, least, coverage >= least),
        ]


class Change(NamedTuple):
    """A difference from the accepted score, positive where tonight is better, and its error.

    ``unit`` is that of losses: the accepted value for an index whose range is not finite.
    """

    score: float
    difference: float
    standard_error: float
    unit: float

    def gate(self, name: str, rule: str, tolerance: float) -> Gate:
        error = _QUANTILE * self.standard_error if rule == "test" else 0.0
        loss = -self.difference - error
        value = loss / self.unit if self.unit else math.copysign(math.inf, loss) if loss else 0.0
        return Gate(name, _LOSS[rule], value, tolerance, bool(value <= tolerance + _ROUNDING))


def gates_of(accepted: Change, of_all: Change, records: Records, limits: Limits) -> list[Gate]:
    """Return the gates of losses of the accepted and of all records, then those of records."""
    rule = limits.rule
    if rule == "auto":
        rule = "difference" if records.are_the_same else "test"
    losses = {"accepted": accepted, "all": of_all}
    found = [one.gate(name, rule, limits.tolerance) for name, one in losses.items()]
    return [*found, *records.gates(limits)]


def has_finite_range(index: Index, parameters: Mapping[str, Any]) -> bool:
    """Return whether the index has a lowest and a highest value, unlike counts."""
    return bool(np.isfinite(index.properties(**parameters)["range"]).all())


@result_record
@dataclass(frozen=True, repr=False)
class BaselineComparison(Rows):
    """Comparison of a new result with the accepted one; made by :meth:`ClusteringBaseline.compare`.

    All parameters are attributes of the same names, which cannot be set. Its text shows what got
    worse: the index, the gates, then the clusters of the reference, then the report of the new
    result.

    Parameters
    ----------
    name : str
        Name of the baseline.
    index : Index
        Record of the index.
    score : float
        Its value for the new labels of the accepted objects.
    accepted_score : float
        Its value for the accepted labels, of the same objects.
    difference : float
        By how much the new labels are better; negative if they are worse, for distances as well.
    interval : tuple of float
        Lower and upper end of the confidence interval of the difference, of level 0.95.
    pvalue : float
        Two-sided p-value of no difference.
    tolerance : float
        By how much the new labels may be worse: a difference, or for an index whose range is not
        finite, such as a count, a share of the accepted value.
    of_all : Change
        Value of the index for all new labels, and its difference from the accepted one.
    records : Records
        Numbers of new, lost and unlabeled objects.
    rows : list of Gate
        What ``gates`` shows.
    parameters : mapping
        Parameters of the index.
    units : str
        What was sampled, such as "40 groups".
    clusters : str
        Table of the clusters of the reference, those that got worse first.
    report : callable
        Makes the report of the new result, which takes most of the time.

    See Also
    --------
    ClusteringBaseline.compare : Makes it.
    paired_comparison_test : The test.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn_clustcompare.checks import ClusteringBaseline
    >>> truth, found = [0, 0, 0, 1, 1, 1] * 5, [0, 0, 1, 1, 1, 1] * 5
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
    ...     baseline.accept("thirty", truth, truth)
    ...     comparison = baseline.compare("thirty", truth, found)
    >>> comparison.passed, comparison.is_worse
    (False, True)
    >>> comparison.gates.loc["loss", "passed"].tolist()
    [False, False]
    """

    name: str
    index: Index
    score: float
    accepted_score: float
    difference: float
    interval: tuple[float, float]
    pvalue: float
    tolerance: float
    of_all: Change
    records: Records
    rows: list[Gate]
    parameters: Mapping[str, Any]
    units: str
    clusters: str
    report: Callable[[], Any]

    @property
    def gates(self) -> Any:
        """The gates as a pandas DataFrame, which has to be installed.

        Columns ``gate`` ("accepted", "all", "records"), ``value``, ``limit`` and ``passed``,
        indexed by what the gate measures: the "loss" of the index; with the rule "test" the "loss,
        at least", which is the lower end of a one-sided 95 % interval; or the shares of objects
        that are "new" and "unlabeled", and the "coverage" of the accepted ones. Losses and the
        first two shares must not exceed their limits, the coverage must reach its own.
        """
        import pandas as pd

        frame = pd.DataFrame(list(self.rows), columns=Gate._fields)
        return frame.set_index("measure")

    @property
    def title(self) -> str:
        """Name of the index with its parameters."""
        return with_parameters(self.index.name, self.parameters)

    @property
    def coverage(self) -> float:
        """Share of the accepted objects that are in the new labels."""
        return self.records.coverage

    @property
    def passed(self) -> bool:
        """Whether all gates are passed."""
        return all(one.passed for one in self.rows)

    @property
    def is_worse(self) -> bool:
        """Whether a loss of the index is larger than the tolerance, of accepted or all objects."""
        return not all(one.passed for one in self.rows if one.gate != "records")

    @property
    def failures(self) -> dict[str, list[str]]:
        """What failed, in sentences, by the gate."""
        return {
            gate: [text for one in self.rows if one.gate == gate and (text := self._failure(one))]
            for gate in ("accepted", "all", "records")
        }

    def _failure(self, one: Gate) -> str:
        n_given, n_unlabeled, n_common, n_accepted, where = self.records
        shares = f"{percent_text(one.value, 1)}, {{}}, {one.limit:.3g}"
        if one.passed or (one.gate == "all" and self.records.are_the_same):
            return ""
        if one.gate == "accepted":
            return f"{self.name} is worse than accepted"
        if one.gate == "all":
            return (
                f"{self.name} is worse than accepted in all {self.records.n_labeled} objects: "
                f"{self.title} {self.of_all.score:.3f}, by {-self.of_all.difference:.3f}"
            )
        if one.measure == "new":
            n_new = self.records.n_labeled - n_common
            return (
                f"{n_new} of the {self.records.n_labeled} objects of the new labels are not in "
                f"{where}, {shares.format('more than max_new')}: check that they are no copies, or "
                "accept the result again"
            )
        if one.measure == "unlabeled":
            return (
                f"{n_unlabeled} of the {n_given} objects have no label, "
                f"{shares.format('more than max_unlabeled')}: check that the job labels all of them"
            )
        return (
            f"{n_common} of the {n_accepted} objects of {where} are in the new labels, "
            f"{shares.format('less than min_coverage')}: check that the new labels are complete, "
            "or set a lower min_coverage"
        )

    @property
    def message(self) -> str:
        """Message of a test that fails due to it."""
        failures = self.failures
        lines = [*failures["records"], *failures["all"], self.headline]
        values = number_texts([one.value for one in self.rows], 3)
        body = [
            (one.gate, one.measure, value, f"{one.limit:g}", "passed" if one.passed else "failed")
            for one, value in zip(self.rows, values, strict=True)
        ]
        gates = text_table(["gate", "of", "value", "limit", "result"], body)
        return "\n\n".join(["\n".join(lines), self.clusters, gates, str(self.report())])

    @property
    def headline(self) -> str:
        """The scores in one sentence."""
        low, high = number_texts(self.interval, 3)
        size = number_text(abs(self.difference), 3)
        change = f"{'worse' if self.difference < 0 else 'better'} by {size}"
        units = self.units
        if self.coverage < 1:
            units += f", {percent_text(self.coverage, 1)} of the accepted objects"
        of = "" if has_finite_range(self.index, self.parameters) else " of the accepted value"
        return (
            f"{self.name}: {self.title} {self.score:.3f}, accepted {self.accepted_score:.3f}: "
            f"{change if self.difference else 'no difference'} (95 % interval of the difference "
            f"{low} to {high}, p-value {self.pvalue:.2g}, of {units}; tolerance "
            f"{self.tolerance:g}{of})"
        )

    def __str__(self) -> str:
        return self.message

    def _headline(self) -> str:
        verdict = "worse than accepted" if self.is_worse else "not worse than accepted"
        return f"BaselineComparison: {self.name} by {self.index.name}, {verdict}"

    def _columns(self) -> list[tuple[str, Any]]:
        names = "score", "accepted_score", "difference", "pvalue", "tolerance", "coverage"
        row = {name: getattr(self, name) for name in names}
        row["low"], row["high"] = self.interval
        return [(name, [value]) for name, value in row.items()]
