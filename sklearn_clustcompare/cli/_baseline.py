"""The command ``check``, and accepted labels, with which ``check`` and ``compare`` compare."""

from __future__ import annotations

import argparse
import ast
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
from sklearn_clustcompare.cli._files import TOY_SETS, as_asked, fail, load_data, say, table_text
from sklearn_clustcompare.cli._options import (
    DEFAULT_INDEX,
    DELIMITER,
    ENTITY,
    JSON,
    Command,
    Option,
    index_type,
    keywords,
    one_of,
    refuse,
)

if TYPE_CHECKING:
    from sklearn_clustcompare._array_types import Array
    from sklearn_clustcompare.cli._compare import Partitions
    from sklearn_clustcompare.results import BaselineComparison

_TOLERANCE, _MAX_NEW, _MAX_UNLABELED, _MIN_COVERAGE = 0.01, 0.2, 0.05, 0.9
_GATES = ("accepted", "all", "records")
# Parts of warnings that hold for several indices in much the same words.
_OF_SEVERAL_INDICES = (" are both in baseline ", " is not adjusted for chance")
_BASELINE = ("--baseline",)
_BY_ID = (*_BASELINE, "--id, by which objects are matched")


BASELINE_OPTIONS = (
    Option(
        "--baseline FILE",
        f"file of accepted labels; exit with status 1 if a gate fails, by the index {DEFAULT_INDEX}"
        ", or those of --index and --family",
    ),
    Option(
        "--gate NAME,...",
        "gates that may fail: accepted, the index of the accepted objects; all, the index of all "
        "objects against the accepted value; records, the shares of new, unlabeled and lost "
        "objects (default: all three)",
        one_of(_GATES),
        needs=_BASELINE,
    ),
    Option(
        "--rule RULE",
        "a loss fails by its difference if it is larger than the tolerance, by a test if it is "
        "significantly larger, one-sided at level 0.05 (default: auto, a test if the objects are "
        "not the same as those accepted)",
        ("auto", "difference", "test"),
        needs=_BASELINE,
    ),
    Option(
        "--groups COLUMN",
        "sampling units of intervals and tests, such as customers whose records were sampled "
        "together: a column of the file of the reference (default: the column of --true with "
        "--family entity, else each object)",
        needs=_BASELINE,
    ),
    Option(
        "--tolerance VALUE",
        "largest loss of the index that passes: a difference, or a share of the accepted value for "
        f"counts and others without a finite range (default: {_TOLERANCE})",
        float,
        needs=_BASELINE,
    ),
    Option(
        "--max-new SHARE",
        f"largest share of the objects, by --id, that may be new (default: {_MAX_NEW})",
        float,
        needs=_BY_ID,
    ),
    Option(
        "--max-unlabeled SHARE",
        "largest share of the objects, by --id, that may have no label in one of the columns "
        f"(default: {_MAX_UNLABELED})",
        float,
        needs=_BY_ID,
    ),
    Option(
        "--min-coverage SHARE",
        "smallest share of the accepted objects that must be in the file, by --id (default: "
        f"{_MIN_COVERAGE})",
        float,
        needs=_BY_ID,
    ),
    Option("--update", "accept the labels and write them to the file", needs=_BASELINE),
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
    limits: dict[str, Any] = {"tolerance": _TOLERANCE} | keywords(
        arguments, "tolerance", "rule", "max_new", "max_unlabeled", "min_coverage"
    )
    compared: list[BaselineComparison] = []
    for candidate, pred in partitions.candidates.items():
        name = f"{candidate} against {partitions.reference}"
        indices = {
            name if index == DEFAULT_INDEX else f"{name} by {index}": index
            for index in _indices_of_baseline(arguments)
        }
        options: dict[str, Any] = {"ids": partitions.ids, "groups": groups}
        with _naming_groups(partitions.reference if are_default else None), naming_options():
            if arguments.update:
                baseline._accept_each(indices, partitions.true, pred, **options)
            else:
                names = (partitions.reference, candidate)
                with _each_warning_once():
                    compared += baseline._compare_each(
                        indices, partitions.true, pred, names, limits, **options
                    )
        if arguments.update:
            for name in indices:
                say(f"note: {name}: accepted, written to {baseline.path}")
    judged = arguments.gate or _GATES
    found = [text for one in compared for gate in judged for text in one.failures[gate]]
    failures = dict.fromkeys(map(with_options, found))  # those of records for one index
    for failure in failures:
        say(f"failed: {failure}")
    return Nights(tuple(compared), bool(failures), grouping, are_default)


def with_options(text: str) -> str:
    """Name options as the command does, in a sentence on what failed."""
    names = "max_new|max_unlabeled|min_coverage"
    return re.sub(names, lambda found: f"--{found[0].replace('_', '-')}", text)


def _indices_of_baseline(arguments: argparse.Namespace) -> list[str]:
    """Return the indices of --index, then those of --family that have a finite range.

    Of entities these are the scores that the report of the family has with intervals.
    """
    names = [one.title for one in arguments.index or []]
    for family in arguments.families:
        of_family = clustcompare.list_indices(families=family)
        if family == ENTITY:
            of_family = [*SCORES_OF_ENTITIES]
        ranges = {name: clustcompare.get_index(name).range for name in of_family}
        names += [name for name, ends in ranges.items() if all(map(math.isfinite, ends))]
    return [*dict.fromkeys(names)] or [DEFAULT_INDEX]


@contextmanager
def naming_options() -> Iterator[None]:
    """Name the option in errors that ask to accept a result."""
    try:
        yield
    except ValueError as error:
        hint = ", by --update" if " accept " in str(error) else ""
        fail(f"{with_options(str(error))}{hint}")


@contextmanager
def _naming_groups(reference: str | None) -> Iterator[None]:
    """Say in errors about groups that they are the clusters of a reference, None were given."""
    try:
        yield
    except ValueError as error:
        if reference is None or not str(error).startswith("groups "):
            raise
        fail(
            f"{error}: with --family entity they are the clusters of {reference}, unless --groups "
            "names a column"
        )


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


_DEFAULT_FILE = "clustering_baseline.json"
_DATA = ("--data",)
_PROPERTIES = {"--data": "applies to checks of properties: leave out --data"}


def _named_value(text: str, form: str = "NAME=VALUE") -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals or (form != "NAME=VALUE" and not value):
        refuse(f"must be {form}, got {text!r}")
    return name, value


def _parameter(text: str) -> tuple[str, Any]:
    name, value = _named_value(text)
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):  # a word without quotes
        return name, value


def _reason(text: str) -> tuple[str, str]:
    return _named_value(text, "CHECK=REASON")


_OPTIONS: tuple[Option | str, ...] = (
    Option(
        "MODULE:NAME",
        "class, object, or function that returns one, such as sklearn.cluster:KMeans; modules in "
        "the current folder are also found",
        keyword="estimator",
    ),
    Option(
        "--param NAME=VALUE",
        "parameter of the clusterer, VALUE as a Python literal; repeatable",
        _parameter,
        default=[],
    ),
    Option(
        "--random-state SEED",
        "seed of the clusterer, unless a --param sets it (default: 0)",
        int,
        default=0,
    ),
    "without --data: check properties",
    Option(
        "--promise NAME",
        "a change of the data that must not change the clusters: order, shift, scale or rotation; "
        "repeatable",
        default=[],
        against=_PROPERTIES,
    ),
    Option(
        "--expected-failure CHECK=REASON",
        "a check that is known to fail, and why; the command fails if it passes; repeatable",
        _reason,
        default=[],
        against=_PROPERTIES,
    ),
    "with --data: compare labels with the accepted ones",
    Option("--data DATA", f"CSV file with a header, or a toy set: {', '.join(TOY_SETS)}"),
    Option("--true COLUMN", "column of reference labels (default: the last)", needs=_DATA),
    Option("--drop COLUMN,...", "columns to leave out of the features", needs=_DATA),
    DELIMITER._replace(needs=_DATA),
    Option(
        "--index NAME",
        f"index to compare by (default: {DEFAULT_INDEX})",
        lambda text: index_type(text).title,
        needs=_DATA,
    ),
    Option(
        "--tolerance VALUE",
        "largest loss of the index that passes (default: 0.02)",
        float,
        needs=_DATA,
    ),
    Option("--baseline FILE", f"file of accepted labels (default: {_DEFAULT_FILE})", needs=_DATA),
    Option(
        "--name NAME",
        "name of the baseline in the file (default: MODULE:NAME on DATA)",
        needs=_DATA,
    ),
    Option("--update", "accept the labels and write them to the file", needs=_DATA),
    JSON,
)


def _run(arguments: argparse.Namespace) -> int:
    with _current_folder_importable():
        estimator = _make(arguments.estimator, dict(arguments.param), arguments.random_state)
        if arguments.data is None:
            return _check_properties(estimator, arguments)
        return _check_labels(estimator, arguments)


COMMAND = Command(
    "check",
    _run,
    "check the properties of a clusterer, or compare its labels with accepted ones",
    (
        "sklearn.cluster:KMeans --param n_init=10",
        "sklearn.cluster:KMeans --param n_clusters=3 --data iris --update",
    ),
    _OPTIONS,
    fails="  1  a check fails, or the labels are worse than accepted\n",
)

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
        fail(f"the clusterer must be MODULE:NAME, got {text!r}")
    try:
        found = importlib.import_module(module)
    except Exception as error:  # raised by any code of the module
        fail(f"{module} cannot be imported: {type(error).__name__}: {error}")
    if not hasattr(found, name):
        fail(f"{module} has no {name!r}")
    return getattr(found, name)


# --------------------------------------------------------------------------- properties


def _check_properties(estimator: Any, arguments: argparse.Namespace) -> int:
    expected = dict(arguments.expected_failure)
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
    print(as_asked(arguments, {"estimator": arguments.estimator, "checks": rows}, text))
    passed = [
        row["check"] for row in rows if row["status"] == "passed" and row["check"] in expected
    ]
    for name in passed:
        say(f"failed: {name} was expected to fail and passed")
    return 1 if passed or any(row["status"] == "failed" for row in rows) else 0


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
    X, y, _ = load_data(
        arguments.data, arguments.drop, arguments.delimiter, "--data", arguments.true, "--true"
    )
    baseline = clustcompare.checks.ClusteringBaseline(arguments.baseline or _DEFAULT_FILE)
    name = arguments.name or f"{arguments.estimator} on {Path(arguments.data).name}"
    index = arguments.index or DEFAULT_INDEX
    labels = _find(estimator, X, arguments)
    if arguments.update:
        baseline.accept(name, y, labels, data=X, index=index)
        accepted = {"name": name, "baseline": str(baseline.path), "accepted": True}
        text = f"{name}: accepted, written to {baseline.path}"
        print(as_asked(arguments, accepted, text))
        return 0
    with naming_options():
        comparison = baseline.compare(
            name, y, labels, data=X, index=index, **keywords(arguments, "tolerance")
        )
    result = comparison_as_dict(comparison) | {"report": comparison.message}
    text = comparison.message.rstrip("\n") if comparison.is_worse else comparison.headline
    print(as_asked(arguments, result, text))
    if comparison.is_worse:
        say(f"failed: {name} is worse than accepted")
    return int(comparison.is_worse)


def _find(estimator: Any, X: Array, arguments: argparse.Namespace) -> Any:
    try:
        if hasattr(estimator, "fit_predict"):
            return estimator.fit_predict(X)
        fitted = estimator.fit(X)
        return fitted.labels_ if hasattr(fitted, "labels_") else fitted.predict(X)
    except Exception as error:
        fail(f"{arguments.estimator} fails on {arguments.data}: {type(error).__name__}: {error}")
