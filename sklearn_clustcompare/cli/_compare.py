"""The command ``clustcompare compare``: one partition against another."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from sklearn_clustcompare._partition.validation import check_same_length
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.reading import tabulate
from sklearn_clustcompare.cli._arguments import (
    add_command_parser,
    add_delimiter_option,
    add_index_option,
    add_json_option,
    add_noise_options,
    add_output_option,
    check_output,
    index_type,
    input_file,
    noise_keywords,
)
from sklearn_clustcompare.cli._csv import is_csv, read_csv, read_labels
from sklearn_clustcompare.cli._output import direction, json_text, say, table_text
from sklearn_clustcompare.indices import INDICES, get_index
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.report._report import ComparisonReport, notes_on_noise, table_report

_WHERE_TO_START = (
    "start with adjusted_rand_score and adjusted_mutual_info_score; --report text tells which "
    "clusters failed"
)
_NOISE_ADVICE = "choose --noise singletons or --noise drop"
_REPORTS: dict[str, Callable[[ComparisonReport], str]] = {
    "text": str,
    "json": lambda report: json_text(report.to_dict()),
    "html": lambda report: report.to_html(),
    "markdown": lambda report: report.to_markdown(),
}


def add_command(commands: Any) -> None:
    parser = add_command_parser(commands, "compare", _run, "compare two partitions")
    parser.add_argument(
        "files",
        nargs="+",
        type=input_file,
        metavar="FILE",
        help="reference and candidate: two text files with one label per line, "
        "or CSV files (one for both will do) with --true and --pred",
    )
    parser.add_argument("--true", metavar="COLUMN", help="column of the reference in the first CSV")
    parser.add_argument("--pred", metavar="COLUMN", help="column of the candidate in the last CSV")
    add_delimiter_option(parser)
    add_index_option(parser, "default: all of them")
    add_noise_options(parser)
    parser.add_argument(
        "--fail-under",
        action="append",
        default=[],
        type=_threshold,
        metavar="NAME=VALUE",
        help="exit with status 1 if a score is below VALUE or a distance above it; repeatable",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--report",
        choices=_REPORTS,
        help="tell of the single clusters, too, and what is adjusted for chance",
    )
    add_json_option(form)
    add_output_option(parser, "FILE", "write the report to a file instead")


def _threshold(text: str) -> tuple[Index, float]:
    name, _, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        message = f"must be NAME=VALUE with a finite number, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return index_type(name), number


def _run(arguments: argparse.Namespace) -> int:
    _check_options(arguments)
    check_output(arguments.output, arguments.files)
    noise = noise_keywords(arguments)
    true, pred = _read_partitions(arguments)
    table = tabulate(true, pred, **noise)
    sides = _names(arguments)
    notes = []
    if arguments.noise is None:
        notes = notes_on_noise(table, noise["noise_label"], sides, _NOISE_ADVICE)
    thresholds = arguments.fail_under
    shown = [] if arguments.report else arguments.index or INDICES.values()
    names = dict.fromkeys(index.name for index in [*shown, *(index for index, _ in thresholds)])
    scores = {name: get_index(name)(table) for name in names}
    if arguments.report:
        report = table_report(table, notes, sides)
        _put(_REPORTS[arguments.report](report), arguments.output)
        return _judge(scores, thresholds)
    if arguments.json:
        print(json_text(_as_dict(table, scores, noise)))
    else:
        n_rows, n_cols = table.shape
        of = f" of {len(true)}" if noise["noise"] == "drop" else ""
        clusters = f"{n_rows} clusters in the reference, {n_cols} in the candidate"
        print(f"{table.n_samples}{of} objects, {clusters}\n")
        print(table_text([_score_row(INDICES[name], value) for name, value in scores.items()]))
        if not arguments.index:
            print(f"\n{_WHERE_TO_START}")
    for note in notes:
        say(f"note: {note}")
    return _judge(scores, thresholds)


def _check_options(arguments: argparse.Namespace) -> None:
    if arguments.report and arguments.index:
        message = "--index chooses what is listed, but a --report has indices of its own"
        raise ValueError(message)
    if arguments.output and not arguments.report:
        message = "--output takes a report: say with --report in which form"
        raise ValueError(message)


def _put(text: str, path: Path | None) -> None:
    text = text.rstrip("\n") + "\n"
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


def _as_dict(
    table: ContingencyTable, scores: Mapping[str, float], noise: Mapping[str, str]
) -> dict[str, Any]:
    n_rows, n_cols = table.shape
    coverage = {"coverage": table.coverage} if noise["noise"] == "drop" else {}
    return {
        "n_samples": table.n_samples,
        **coverage,
        "n_clusters_true": n_rows,
        "n_clusters_pred": n_cols,
        "scores": scores,
    }


def _read_partitions(arguments: argparse.Namespace) -> tuple[NDArray[Any], NDArray[Any]]:
    files = arguments.files
    if len(files) > 2:
        message = f"compare takes one or two files, got {len(files)}"
        raise ValueError(message)
    if len(files) == 1 and (arguments.true is None or arguments.pred is None):
        message = (
            "compare takes two label files, or one CSV file with both --true and --pred, "
            f"got {files[0]} alone"
        )
        raise ValueError(message)
    true = _read_column(files[0], arguments.true, "--true", arguments.delimiter)
    pred = _read_column(files[-1], arguments.pred, "--pred", arguments.delimiter)
    check_same_length(true, pred, (files[0], files[-1]))
    return true, pred


def _names(arguments: argparse.Namespace) -> tuple[str, str]:
    """Name the partitions by their columns or files, and by their paths where those are equal."""
    paths = (arguments.files[0], arguments.files[-1])
    columns = (arguments.true, arguments.pred)
    true, pred = (column or Path(path).name for path, column in zip(paths, columns, strict=True))
    if true != pred:
        return true, pred
    true, pred = (
        f"{column} in {path}" if column else path
        for path, column in zip(paths, columns, strict=True)
    )
    return true, pred


def _read_column(path: str, column: str | None, option: str, delimiter: str) -> NDArray[Any]:
    if column is not None:
        return read_csv(path, delimiter).labels(column)
    if is_csv(path):
        message = f"{path} is a CSV file: {option} must name its column of labels"
        raise ValueError(message)
    return read_labels(path)


def _score_row(index: Index, value: float) -> dict[str, Any]:
    best = index.range[index.greater_is_better]
    return {
        "index": index.name,
        "value": value,
        "best": None if math.isinf(best) else f"{best:g}",
        "better": direction(index),
    }


def _judge(scores: Mapping[str, float], thresholds: Iterable[tuple[Index, float]]) -> int:
    status = 0
    for index, limit in thresholds:
        value = scores[index.name]
        if value < limit if index.greater_is_better else value > limit:
            side = "below" if index.greater_is_better else "above"
            say(f"failed: {index.name} is {value!r}, {side} {limit!r}")
            status = 1
    return status
