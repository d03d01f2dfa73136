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
from sklearn_clustcompare._options import with_parameters
from sklearn_clustcompare.cli._arguments import (
    DEFAULT_INDEX,
    add_command_parser,
    add_delimiter_option,
    add_json_option,
    add_list_option,
    index_type,
)
from sklearn_clustcompare.cli._baselines import naming_options
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._data import TOY_SETS, load_data
from sklearn_clustcompare.cli._output import json_text, table_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sklearn_clustcompare.results import BaselineComparison

_DEFAULT_FILE = "clustering_baseline.json"
_OF_DATA = ("true", "drop", "delimiter", "index", "tolerance", "baseline", "name", "update")


def add_command(commands: Any) -> None:
    parser = add_command_parser(
        commands,
        "check",
        _run,
        "check the properties of a clusterer, or compare its labels with accepted ones",
        "sklearn.cluster:KMeans --param n_init=10",
    )
    parser.add_argument(
        "estimator",
        metavar="MODULE:NAME",
        help="class, object, or function that returns one, such as sklearn.cluster:KMeans; "
        "modules in the current folder are also found",
    )
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        type=_parameter,
        metavar="NAME=VALUE",
        help="parameter of the clusterer, VALUE as a Python literal; repeatable",
    )
    parser.add_argument(
        "--random-state",
        type=int,
        default=0,
        metavar="SEED",
        help="seed of the clusterer, unless a --param sets it (default: 0)",
    )
    _add_options_of_properties(parser)
    _add_options_of_data(parser)
    add_json_option(parser)


def _add_options_of_properties(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("without --data: check properties")
    group.add_argument(
        "--promise",
        action="append",
        default=[],
        metavar="NAME",
        help="a change of the data that must not change the clusters: order, shift, scale or "
        "rotation; repeatable",
    )
    group.add_argument(
        "--expected-failure",
        action="append",
        default=[],
        type=_reason,
        metavar="CHECK=REASON",
        help="a check that is known to fail, and why; the command fails if it passes; repeatable",
    )


def _add_options_of_data(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("with --data: compare labels with the accepted ones")
    group.add_argument(
        "--data", help=f"CSV file with a header, or a toy set: {', '.join(TOY_SETS)}"
    )
    group.add_argument(
        "--true", metavar="COLUMN", help="column of reference labels (default: the last)"
    )
    add_list_option(group, "--drop", str, "COLUMN", "columns to leave out of the features")
    add_delimiter_option(group)
    group.add_argument(
        "--index",
        type=lambda text: index_type(text).title,
        metavar="NAME",
        help=f"index to compare by (default: {DEFAULT_INDEX})",
    )
    group.add_argument(
        "--tolerance",
        type=float,
        metavar="VALUE",
        help="largest loss of the index that passes (default: 0.02)",
    )
    group.add_argument(
        "--baseline", metavar="FILE", help=f"file of accepted labels (default: {_DEFAULT_FILE})"
    )
    group.add_argument(
        "--name", help="name of the baseline in the file (default: MODULE:NAME on DATA)"
    )
    group.add_argument(
        "--update",
        action="store_true",
        default=None,
        help="accept the labels and write them to the file",
    )


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        msg = f"must be NAME=VALUE, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):  # a word without quotes
        return name, value


def _reason(text: str) -> tuple[str, str]:
    name, _, reason = text.partition("=")
    if not name or not reason:
        msg = f"must be CHECK=REASON, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return name, reason


def _run(arguments: argparse.Namespace) -> int:
    _check_options(arguments)
    with _current_folder_importable():
        estimator = _make(arguments.estimator, dict(arguments.param), arguments.random_state)
        if arguments.data is None:
            return _check_properties(estimator, arguments)
        return _check_labels(estimator, arguments)


def _check_options(arguments: argparse.Namespace) -> None:
    given = vars(arguments)
    if arguments.data is None:
        for option in _OF_DATA:
            if given[option] is not None:
                msg = f"--{option} needs --data"
                raise ValueError(msg)
    elif arguments.promise or arguments.expected_failure:
        option = "--promise" if arguments.promise else "--expected-failure"
        msg = f"{option} applies to checks of properties: leave out --data"
        raise ValueError(msg)


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
        msg = f"{text} cannot be made with {parameters}: {error}"
        raise ValueError(msg) from error


def _import(text: str) -> Any:
    module, _, name = text.partition(":")
    if not module or not name:
        msg = f"the clusterer must be MODULE:NAME, got {text!r}"
        raise ValueError(msg)
    try:
        found = importlib.import_module(module)
    except Exception as error:  # raised by any code of the module
        msg = f"{module} cannot be imported: {type(error).__name__}: {error}"
        raise ValueError(msg) from error
    if not hasattr(found, name):
        msg = f"{module} has no {name!r}"
        raise ValueError(msg)
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
            columns = ("check", "status", "message")
            print("\n" + table_text([{key: row[key] for key in columns} for row in failed]))
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
        arguments.data,
        arguments.true,
        arguments.drop,
        arguments.delimiter,
        "--data",
        "--true",
    )
    baseline = clustcompare.checks.ClusteringBaseline(arguments.baseline or _DEFAULT_FILE)
    name = arguments.name or f"{arguments.estimator} on {Path(arguments.data).name}"
    index = arguments.index or DEFAULT_INDEX
    labels = _find(estimator, X, arguments)
    if arguments.update:
        baseline.accept(name, y, labels, data=X, index=index)
        _say_accepted(name, baseline.path, arguments.json)
        return 0
    tolerance = 0.02 if arguments.tolerance is None else arguments.tolerance
    with naming_options():
        comparison = baseline.compare(name, y, labels, data=X, index=index, tolerance=tolerance)
    headline, *_ = comparison.message.splitlines()
    if arguments.json:
        print(json_text(_as_dict(comparison)))
    else:
        print(comparison.message.rstrip("\n") if comparison.is_worse else headline)
    if comparison.is_worse:
        say(f"failed: {name} is worse than accepted")
    return int(comparison.is_worse)


def _find(estimator: Any, X: NDArray[Any], arguments: argparse.Namespace) -> Any:
    try:
        if hasattr(estimator, "fit_predict"):
            return estimator.fit_predict(X)
        fitted = estimator.fit(X)
        return fitted.labels_ if hasattr(fitted, "labels_") else fitted.predict(X)
    except Exception as error:
        msg = f"{arguments.estimator} fails on {arguments.data}: {type(error).__name__}: {error}"
        raise ValueError(msg) from error


def _say_accepted(name: str, path: Path, as_json: bool) -> None:
    if as_json:
        print(json_text({"name": name, "baseline": str(path), "accepted": True}))
    else:
        print(f"{name}: accepted, written to {path}")


def _as_dict(comparison: BaselineComparison) -> dict[str, Any]:
    return {
        "name": comparison.name,
        "index": with_parameters(comparison.index.name, comparison.parameters),
        "score": comparison.score,
        "accepted_score": comparison.accepted_score,
        "difference": comparison.difference,
        "interval": comparison.interval,
        "pvalue": comparison.pvalue,
        "tolerance": comparison.tolerance,
        "is_worse": comparison.is_worse,
        "report": comparison.message,
    }
