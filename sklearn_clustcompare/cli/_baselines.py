"""Accepted labels of a table that another program writes: ``--baseline``."""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import SCORES_OF_ENTITIES, with_parameters
from sklearn_clustcompare.cli._arguments import DEFAULT_INDEX
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._partitions import Partitions

if TYPE_CHECKING:
    from sklearn_clustcompare.results import BaselineComparison

_TOLERANCE, _MIN_COVERAGE = 0.01, 0.9
# Parts of warnings that hold for several indices in much the same words.
_OF_SEVERAL_INDICES = (
    " are both in baseline ",
    " is not adjusted for chance",
    " the standard error depends on few groups",
)


class Nights(NamedTuple):
    """Comparisons with accepted labels, whether one failed, and the sampling units.

    ``groups`` names the column of the units, None for single objects.
    """

    compared: tuple[BaselineComparison, ...] = ()
    has_failed: bool = False
    groups: str | None = None
    are_default: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the comparisons for JSON: empty if there are none."""
        if not self.compared:
            return {}
        return {"baselines": [_as_dict(one) | {"groups": self.groups} for one in self.compared]}

    def as_text(self) -> str:
        """Return what changed."""
        texts = []
        if self.compared and self.are_default:
            texts.append(
                f"Intervals and p-values are for other clusters of {self.groups}, as --family "
                "entity sets; --groups names another column."
            )
        for one in self.compared:
            head, clusters, *_ = one.message.split("\n\n")
            # All indices of a candidate have the same table.
            is_new = one.is_worse and clusters not in texts
            texts += [head, *([clusters] if is_new else [])]
        return "\n\n".join(texts)


def add_baseline_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("compare with the accepted labels of the same objects")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="file of accepted labels; exit with status 1 if the "
        f"index ({DEFAULT_INDEX}, or those of --index and --family) is significantly worse",
    )
    group.add_argument(
        "--groups",
        metavar="COLUMN",
        help="sampling units of intervals and p-values, such as customers whose records were "
        "sampled together: a column of the file of the reference (default: the column of --true "
        "with --family entity, else each object)",
    )
    group.add_argument(
        "--tolerance",
        type=float,
        metavar="VALUE",
        help="largest loss of the index that passes: a difference, or a share of the accepted "
        f"value for counts and others without a finite range (default: {_TOLERANCE})",
    )
    group.add_argument(
        "--min-coverage",
        type=float,
        metavar="SHARE",
        help="smallest share of the accepted objects that must be in the file, by --id; exit with "
        f"status 1 below it (default: {_MIN_COVERAGE})",
    )
    group.add_argument(
        "--update",
        action="store_true",
        default=None,
        help="accept the labels and write them to the file",
    )


def check_baseline_options(arguments: argparse.Namespace) -> None:
    if arguments.baseline is None:
        for option in ("groups", "tolerance", "min_coverage", "update"):
            if getattr(arguments, option) is not None:
                msg = f"--{option.replace('_', '-')} needs --baseline"
                raise ValueError(msg)
        return
    if arguments.min_coverage is not None and arguments.id is None:
        msg = "--min-coverage needs --id, by which objects are matched"
        raise ValueError(msg)
    if arguments.noise or arguments.missing != "error":
        msg = "--noise and --missing cannot be given with --baseline, which counts all objects"
        raise ValueError(msg)


def compare_with_baseline(partitions: Partitions, arguments: argparse.Namespace) -> Nights:
    """Compare each candidate by each index, or accept its labels; report what failed."""
    if arguments.baseline is None:
        return Nights()
    baseline = clustcompare.checks.ClusteringBaseline(arguments.baseline)
    groups, grouping = partitions.groups, arguments.groups
    are_default = groups is None and "entity" in arguments.families
    if are_default:
        groups, grouping = partitions.true, partitions.reference
    limits = {
        "tolerance": _TOLERANCE if arguments.tolerance is None else arguments.tolerance,
        "min_coverage": (
            _MIN_COVERAGE if arguments.min_coverage is None else arguments.min_coverage
        ),
    }
    of_default = partitions.reference if are_default else None
    compared: list[BaselineComparison] = []
    failures = []
    for candidate, pred in partitions.candidates.items():
        name = f"{candidate} against {partitions.reference}"
        indices = {
            name if index == DEFAULT_INDEX else f"{name} by {index}": index
            for index in _indices(arguments)
        }
        given: tuple[Any, ...] = (indices, partitions.true, pred)
        options: dict[str, Any] = {"ids": partitions.ids, "data": None, "groups": groups}
        if arguments.update:
            with naming_options(of_default):
                baseline._accept_each(*given, **options)
            for name in indices:
                say(f"note: {name}: accepted, written to {baseline.path}")
            continue
        options |= {"names": (partitions.reference, candidate)} | limits
        try:
            with naming_options(of_default), _each_warning_once():
                compared += baseline._compare_each(*given, **options)
        except AssertionError as error:
            failures.append(str(error).replace("min_coverage", "--min-coverage"))
    failures += [f"{one.name} is worse than accepted" for one in compared if one.is_worse]
    for failure in failures:
        say(f"failed: {failure}")
    return Nights(tuple(compared), bool(failures), grouping, are_default)


def _indices(arguments: argparse.Namespace) -> list[str]:
    """Return the indices of --index, then those of --family that have a finite range.

    Of entities these are the scores that the report of the family has with intervals.
    """
    names = [one.title for one in arguments.index or []]
    for family in arguments.families:
        of_family = clustcompare.list_indices(families=family)
        if family == "entity":
            of_family = [*SCORES_OF_ENTITIES]
        ranges = {name: clustcompare.get_index(name).range for name in of_family}
        names += [name for name, ends in ranges.items() if all(map(math.isfinite, ends))]
    return [*dict.fromkeys(names)] or [DEFAULT_INDEX]


@contextmanager
def naming_options(reference: str | None = None) -> Iterator[None]:
    """Name the option in errors that ask to accept a result, or that are about groups.

    With a reference its clusters are the groups, none were given.
    """
    try:
        yield
    except ValueError as error:
        hint = ", by --update" if " accept " in str(error) else ""
        if reference is not None and str(error).startswith("groups "):
            hint = (
                f": with --family entity they are the clusters of {reference}, unless --groups "
                "names a column"
            )
        msg = f"{error}{hint}"
        raise ValueError(msg) from None


@contextmanager
def _each_warning_once() -> Iterator[None]:
    """Show one warning of each kind."""
    with warnings.catch_warnings(record=True) as caught:
        yield
    shown: set[str] = set()
    for one in caught:
        text = str(one.message)
        kind = next((part for part in _OF_SEVERAL_INDICES if part in text), text)
        if kind not in shown:
            shown.add(kind)
            warnings.showwarning(one.message, one.category, one.filename, one.lineno)


def _as_dict(one: BaselineComparison) -> dict[str, Any]:
    return {
        "name": one.name,
        "index": with_parameters(one.index.name, one.parameters),
        "score": one.score,
        "accepted_score": one.accepted_score,
        "difference": one.difference,
        "interval": one.interval,
        "pvalue": one.pvalue,
        "tolerance": one.tolerance,
        "coverage": one.coverage,
        "is_worse": one.is_worse,
    }
