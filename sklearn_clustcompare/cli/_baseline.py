"""The command ``check``, and accepted labels, with which ``check`` and ``compare`` compare."""

from __future__ import annotations

import argparse
import importlib
import math
import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import SCORES_OF_ENTITIES
from sklearn_clustcompare.cli._files import fail, finish, load_data, say, table_text
from sklearn_clustcompare.cli._options import DEFAULT_FILE, GATES, TOLERANCE
from sklearn_clustcompare.cli._parser import (
    DEFAULT_INDEX,
    ENTITY,
    keywords,
)

if TYPE_CHECKING:
    from sklearn_clustcompare._array_types import Array
    from sklearn_clustcompare.cli._compare import Partitions
    from sklearn_clustcompare.results import BaselineComparison

_NAME = re.compile(r"'[^']*'|\w+_\w+")


class Nights(NamedTuple):
    """Comparisons with accepted labels, what failed, and the sampling units.

    ``groups`` names the column of the units, None for single objects.
    """

    compared: tuple[BaselineComparison, ...] = ()
    failures: tuple[str, ...] = ()
    groups: str | None = None
    are_default: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the comparisons for JSON: empty if there are none."""
        if not self.compared:
            return {}
        found = [comparison_as_dict(one) | {"groups": self.groups} for one in self.compared]
        return {"baselines": found}

    def as_text(self) -> str:
        """Return what changed: the scores, the gates, and clusters if an index is worse."""
        texts = []
        if self.compared and self.are_default:
            texts.append(
                f"Intervals and p-values are for other clusters of {self.groups}, as --family "
                "entity sets; --groups names another column."
            )
        texts += [one.headline for one in self.compared]
        # All indices of a candidate have the same records, and the same clusters.
        for clusters in dict.fromkeys(one.clusters for one in self.compared):
            alike = [one for one in self.compared if one.clusters == clusters]
            texts.append(alike[0]._gates_text(alike))
            texts += [one.clusters for one in alike if one.is_worse][:1]
        return "\n\n".join(texts)


def comparison_as_dict(one: BaselineComparison) -> dict[str, Any]:
    names = ("name", "score", "accepted_score", "difference", "interval", "pvalue", "tolerance")
    more = {"index": one.title, "score_of_all": one.of_all.score}
    more["gates"] = [gate._asdict() for gate in one.rows]
    return {name: getattr(one, name) for name in (*names, "coverage", "is_worse", "passed")} | more


def compare_with_baseline(partitions: Partitions, arguments: argparse.Namespace) -> Nights:
    """Compare each candidate by each index, or accept its labels; report what failed."""
    if arguments.baseline is None:
        return Nights()
    baseline = clustcompare.checks.ClusteringBaseline(arguments.baseline)
    groups: Any = partitions.groups
    grouping = arguments.groups
    are_default = groups is None and ENTITY in arguments.families
    if are_default:
        groups = ["" if one is None else one for one in partitions.true]
        grouping = partitions.reference
    limits: dict[str, Any] = {"tolerance": TOLERANCE} | keywords(
        arguments, "tolerance", "rule", "max_new", "max_unlabeled", "min_coverage"
    )
    if arguments.name and len(partitions.candidates) > 1:
        fail(f"--name is for one candidate, got {', '.join(partitions.candidates)}")
    compared: list[BaselineComparison] = []
    for candidate, pred in partitions.candidates.items():
        name = arguments.name or f"{candidate} against {partitions.reference}"
        indices = {
            name if index == DEFAULT_INDEX else f"{name} by {index}": index
            for index in _indices_of_baseline(arguments)
        }
        options: dict[str, Any] = {"ids": partitions.ids, "groups": groups}
        with naming_options(partitions.reference if are_default else ""), _each_warning_once():
            if not arguments.update:
                names = (partitions.reference, candidate)
                compared += baseline._compare_each(
                    indices, partitions.true, pred, names, limits, **options
                )
                continue
            baseline._accept_each(indices, partitions.true, pred, **options)
        for name in indices:
            say(f"note: {name}: accepted, written to {baseline.path}")
    judged = arguments.gate or GATES
    found = [text for one in compared for gate in judged for text in one.failures[gate]]
    failures = dict.fromkeys(map(with_options, found))  # those of records for one index
    return Nights(tuple(compared), tuple(failures), grouping, are_default)


def with_options(text: str) -> str:
    """Name options as the command does, in a sentence on what failed."""
    names = "max_new|max_unlabeled|min_coverage|name="
    return re.sub(names, lambda found: f"--{found[0].strip('=').replace('_', '-')}", text)


def _indices_of_baseline(arguments: argparse.Namespace) -> list[str]:
    """Return the indices of --index, then those of --family that have a finite range.

    Of entities these are the scores that the report of the family has with intervals.
    """
    names = [one.name for one in arguments.index or []]
    for family in arguments.families:
        of_family = clustcompare.list_indices(families=family)
        if family == ENTITY:
            of_family = [*SCORES_OF_ENTITIES]
        ranges = {name: clustcompare.get_index(name).range for name in of_family}
        names += [name for name, ends in ranges.items() if all(map(math.isfinite, ends))]
    return [*dict.fromkeys(names)] or [DEFAULT_INDEX]


@contextmanager
def naming_options(entities: str = "") -> Iterator[None]:
    """Name options in errors; the groups are the clusters of a reference if that is given."""
    try:
        yield
    except ValueError as error:
        text = with_options(str(error))
        text += ", by --update" if " accept " in text else ""
        if entities and text.startswith("groups "):
            text += (
                f": with --family entity they are the clusters of {entities}, unless --groups "
                "names a column"
            )
        fail(text)


@contextmanager
def _each_warning_once() -> Iterator[None]:
    """Show one of several warnings that differ by the names of indices and baselines."""
    with warnings.catch_warnings(record=True) as caught:
        yield
    shown: dict[str, warnings.WarningMessage] = {}
    for one in caught:
        shown.setdefault(_NAME.sub("", str(one.message)), one)
    for one in shown.values():
        warnings.showwarning(one.message, one.category, one.filename, one.lineno)


def run(arguments: argparse.Namespace) -> int:
    with _current_folder_importable():
        estimator = _make(arguments.estimator, dict(arguments.param), arguments.random_state)
        if arguments.data is None:
            return _check_properties(estimator, arguments)
        return _check_labels(estimator, arguments)


# --------------------------------------------------------------------------- the clusterer


@contextmanager
def _current_folder_importable() -> Iterator[None]:
    folder = os.getcwd()
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _make(text: str, parameters: dict[str, Any], seed: int) -> Any:
    """Return the clusterer with its parameters; unset seeds are set."""
    found = _import(text)
    try:
        estimator = found(**parameters) if callable(found) else found.set_params(**parameters)
        unset = {
            name: seed
            for name, value in estimator.get_params().items()
            if name.rpartition("__")[2] == "random_state" and value is None
        }
        return estimator.set_params(**unset)
    except Exception as error:
        fail(f"{text} cannot be made with {parameters}: {error}")


def _import(text: str) -> Any:
    module, _, name = text.partition(":")
    if not module or not name:
        fail(
            f"the clusterer must be MODULE:NAME, got {text!r}; labels in files are compared by "
            "'clustcompare compare'"
        )
    try:
        found = importlib.import_module(module)
    except Exception as error:  # raised by any code of the module
        fail(f"{module} cannot be imported: {type(error).__name__}: {error}")
    if not hasattr(found, name):
        fail(f"{module} has no {name!r}")
    return getattr(found, name)


# --------------------------------------------------------------------------- properties


def _check_properties(estimator: Any, arguments: argparse.Namespace) -> int:
    expected = {name: reason for name, _, reason in arguments.expected_failure}
    results = clustcompare.check_clusterer(
        estimator,
        promises=arguments.promise,
        random_state=arguments.random_state,
        expected_failed_checks=expected,
        on_skip=None,
        on_fail=None,
    )
    rows = [_row(result) for result in results]
    failed = [row for row in rows if row["status"] != "passed"]
    text = f"{arguments.estimator}: {len(rows) - len(failed)} of {len(rows)} checks passed"
    text += f"\n\n{table_text(failed)}" if failed else ""
    passed = [row["check"] for row in rows if row["status"] == "passed"]
    unexpected = [f"{name} was expected to fail and passed" for name in passed if name in expected]
    result = {"estimator": arguments.estimator, "checks": rows}
    status = finish(arguments, result, text, failures=unexpected)
    return status or int(any(row["status"] == "failed" for row in rows))


def _row(result: Mapping[str, Any]) -> dict[str, Any]:
    error = result["exception"]
    message = ""
    if error is not None:
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        message = kind + " ".join(str(error).split())
    if result["status"] == "xfail":
        message = f"expected ({result['expected_to_fail_reason']}): {message}"
    return {"check": result["check_name"], "status": result["status"], "message": message}


# --------------------------------------------------------------------------- accepted labels


def _check_labels(estimator: Any, arguments: argparse.Namespace) -> int:
    X, y, *_ = load_data(
        arguments.data, arguments.drop, arguments.delimiter, "--data", arguments.true, "--true"
    )
    baseline = clustcompare.checks.ClusteringBaseline(arguments.baseline or DEFAULT_FILE)
    name = arguments.name or f"{arguments.estimator} on {Path(arguments.data).name}"
    index = arguments.index or DEFAULT_INDEX
    labels = _find(estimator, X, arguments)
    if arguments.update:
        baseline.accept(name, y, labels, data=X, index=index)
        accepted = {"name": name, "baseline": str(baseline.path), "accepted": True}
        text = f"{name}: accepted, written to {baseline.path}"
        return finish(arguments, accepted, text)
    with naming_options():
        comparison = baseline.compare(
            name, y, labels, data=X, index=index, **keywords(arguments, "tolerance")
        )
    result = comparison_as_dict(comparison) | {"report": comparison.message}
    text = comparison.message.rstrip("\n") if comparison.is_worse else comparison.headline
    failures = comparison.failures
    return finish(arguments, result, text, failures=failures["accepted"] + failures["all"])


def _find(estimator: Any, X: Array, arguments: argparse.Namespace) -> Any:
    try:
        if hasattr(estimator, "fit_predict"):
            return estimator.fit_predict(X)
        fitted = estimator.fit(X)
        return fitted.labels_ if hasattr(fitted, "labels_") else fitted.predict(X)
    except Exception as error:
        fail(f"{arguments.estimator} fails on {arguments.data}: {type(error).__name__}: {error}")
