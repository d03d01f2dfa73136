"""Limits of scores: ``--fail-under``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from sklearn_clustcompare._rendering import number_texts
from sklearn_clustcompare.cli._arguments import ChosenIndex, any_index_type, index_type
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._output import N_DECIMALS

_MOST_DECIMALS = 17


class Threshold(NamedTuple):
    """An index, and the value that it must reach, or must not exceed if it is a distance."""

    chosen: ChosenIndex
    limit: float


class Verdict(NamedTuple):
    """The result of checking a threshold."""

    threshold: Threshold
    value: float
    candidate: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the value keeps the limit; NaN does not."""
        limit = self.threshold.limit
        if self.threshold.chosen.index.greater_is_better:
            return self.value >= limit
        return self.value <= limit

    def as_dict(self) -> dict[str, Any]:
        candidate = {} if self.candidate is None else {"candidate": self.candidate}
        return candidate | {
            "index": self.threshold.chosen.title,
            "value": self.value,
            "threshold": self.threshold.limit,
            "passed": self.passed,
        }


def add_threshold_option(
    parser: argparse.ArgumentParser, of: str, *, with_data: bool = False
) -> None:
    read = any_index_type if with_data else index_type
    parser.add_argument(
        "--fail-under",
        action="append",
        default=[],
        type=lambda text: _threshold(text, read),
        metavar="NAME=VALUE",
        help=f"exit with status 1 if a score{of} is below VALUE or a distance above it; repeatable",
    )


def judge(
    scores: Mapping[str, float], thresholds: Iterable[Threshold], candidate: str | None = None
) -> list[Verdict]:
    """Check scores by their titles; the candidate is named if there are several."""
    return [Verdict(one, scores[one.chosen.title], candidate) for one in thresholds]


def verdicts_as_dict(verdicts: list[Verdict]) -> dict[str, Any]:
    """Return the verdicts for JSON: empty if no threshold was given."""
    if not verdicts:
        return {}
    return {
        "thresholds": [one.as_dict() for one in verdicts],
        "passed": all(one.passed for one in verdicts),
    }


def exit_status(verdicts: Iterable[Verdict]) -> int:
    """Report on stderr which thresholds are missed, and return the exit status."""
    missed = [one for one in verdicts if not one.passed]
    for one in missed:
        value, limit = _texts(one.value, one.threshold.limit)
        side = "below" if one.threshold.chosen.index.greater_is_better else "above"
        how = "undefined, required is" if math.isnan(one.value) else f"{value}, {side}"
        of = "" if one.candidate is None else f" of {one.candidate!r}"
        say(f"failed: {one.threshold.chosen.title}{of} is {how} {limit}")
    return 1 if missed else 0


def _texts(value: float, limit: float) -> tuple[str, str]:
    """Write a value as tables do, with more digits if they do not separate it from the limit."""
    for n_decimals in range(N_DECIMALS, _MOST_DECIMALS):
        (text,) = number_texts([value], n_decimals)
        if not math.isfinite(value) or (float(text) - limit) * (value - limit) > 0:
            return text, repr(limit)
    return repr(value), repr(limit)


def _threshold(text: str, read: Callable[[str], ChosenIndex]) -> Threshold:
    name, _, value = text.rpartition("=")
    try:
        limit = float(value)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit) or not name or "=" in name.partition(":")[0]:
        msg = f"must be NAME=VALUE with a finite number, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    chosen = read(name)
    low, high = chosen.index.properties(**chosen.parameters)["range"]
    is_score = chosen.index.greater_is_better
    if limit > high if is_score else limit < low:
        best = f"at most {high:g}" if is_score else f"at least {low:g}"
        msg = f"must be {best} for {chosen.title}, its best value, got {limit:g}"
        raise argparse.ArgumentTypeError(msg)
    return Threshold(chosen, limit)
