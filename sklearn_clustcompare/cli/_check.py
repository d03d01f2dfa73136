"""The command ``clustcompare check``: properties of a clusterer, or its accepted labels."""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._baseline import comparison_as_dict, naming_options
from sklearn_clustcompare.cli._files import TOY_SETS, load_data
from sklearn_clustcompare.cli._options import (
    DEFAULT_INDEX,
    DELIMITER,
    JSON,
    Command,
    Option,
    index_type,
    keywords,
    refuse,
)
from sklearn_clustcompare.cli._output import fail, json_text, say, table_text

if TYPE_CHECKING:
    from sklearn_clustcompare._array_types import Array

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
    if arguments.json:
        print(json_text({"estimator": arguments.estimator, "checks": rows}))
    else:
        failed = [row for row in rows if row["status"] != "passed"]
        n_passed = len(rows) - len(failed)
        print(f"{arguments.estimator}: {n_passed} of {len(rows)} checks passed")
        if failed:
            print("\n" + table_text(failed))
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
        print(json_text(accepted) if arguments.json else text)
        return 0
    with naming_options():
        comparison = baseline.compare(
            name, y, labels, data=X, index=index, **keywords(arguments, "tolerance")
        )
    if arguments.json:
        print(json_text(comparison_as_dict(comparison) | {"report": comparison.message}))
    else:
        print(comparison.message.rstrip("\n") if comparison.is_worse else comparison.headline)
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
