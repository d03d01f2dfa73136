"""The command ``clustcompare compare``: one partition against another."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._arguments import (
    ChosenIndex,
    add_command_parser,
    add_delimiter_option,
    add_index_option,
    add_json_option,
    add_noise_options,
    add_output_option,
    check_output,
    chosen_indices,
    index_type,
    input_file,
    leaves_out,
    noise_keywords,
)
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._csv import is_csv, read_csv, read_labels
from sklearn_clustcompare.cli._output import direction, json_text, table_text, write_file
from sklearn_clustcompare.cli._thresholds import (
    Verdict,
    add_threshold_option,
    exit_status,
    judge,
    verdicts_as_dict,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sklearn_clustcompare import ComparisonReport, ContingencyTable

_WHERE_TO_START = (
    "start with adjusted_rand_score and adjusted_mutual_info_score; --report text tells which "
    "clusters failed"
)
# No label of a file is empty: the readers take such a one for missing.
_NO_LABEL = ""
_REPORTS: dict[str, Callable[[ComparisonReport, list[Verdict]], str]] = {
    "text": lambda report, _: str(report),
    "json": lambda report, verdicts: json_text(report.to_dict() | verdicts_as_dict(verdicts)),
    "html": lambda report, _: report.to_html(),
    "markdown": lambda report, _: report.to_markdown(),
}


def add_command(commands: Any) -> None:
    parser = add_command_parser(commands, "compare", _run, "compare two partitions")
    parser.add_argument(
        "files",
        nargs="+",
        type=input_file,
        metavar="FILE",
        help="reference and candidate: two text files with one label per line and no header, "
        "or files named .csv or .tsv (one for both will do) with --true and --pred",
    )
    parser.add_argument("--true", metavar="COLUMN", help="column of the reference in the first CSV")
    parser.add_argument("--pred", metavar="COLUMN", help="column of the candidate in the last CSV")
    add_delimiter_option(parser)
    add_index_option(parser, "default: all of them")
    add_noise_options(parser)
    add_threshold_option(parser, "")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--report",
        choices=_REPORTS,
        help="tell of the single clusters, too, and what is adjusted for chance",
    )
    add_json_option(form)
    add_output_option(parser, "FILE", "write the report to a file instead")


def _run(arguments: argparse.Namespace) -> int:
    _check_options(arguments)
    check_output(arguments.output, arguments.files)
    return _report(arguments) if arguments.report else _list(arguments)


def _list(arguments: argparse.Namespace) -> int:
    """Print the values of the indices."""
    noise = noise_keywords(arguments)
    true, pred = _read_partitions(arguments)
    table = clustcompare.ContingencyTable.from_labels(true, pred, **noise)
    listed = arguments.index or map(index_type, clustcompare.list_indices())
    indices = chosen_indices([*listed], [one.chosen for one in arguments.fail_under])
    scores = {title: one.value(table) for title, one in indices.items()}
    verdicts = judge(scores, arguments.fail_under)
    if arguments.json:
        print(json_text(_as_dict(table, scores, noise) | verdicts_as_dict(verdicts)))
    else:
        n_rows, n_cols = table.shape
        of = f" of {len(true)}" if leaves_out(noise) else ""
        clusters = f"{n_rows} clusters in the reference, {n_cols} in the candidate"
        print(f"{table.n_samples}{of} objects, {clusters}\n")
        print(table_text([_score_row(indices[title], value) for title, value in scores.items()]))
        if not arguments.index:
            print(f"\n{_WHERE_TO_START}")
    if not arguments.noise:
        for note in _notes_on_noise(table, noise["noise_label"], _names(arguments)):
            say(f"note: {note}")
    return exit_status(verdicts)


def _report(arguments: argparse.Namespace) -> int:
    """Print or write a report."""
    noise, sides = noise_keywords(arguments), _names(arguments)
    true, pred = _read_partitions(arguments)
    # The notes on noise are those of the command, not those that name keywords of Python.
    label = _NO_LABEL if noise["noise"] == "cluster" else noise["noise_label"]
    keywords: dict[str, Any] = {**noise, "noise_label": label}
    report: Any = clustcompare.clustering_comparison_report(true, pred, names=sides, **keywords)
    table = report.decomposition.table
    if not arguments.noise:
        notes = _notes_on_noise(table, noise["noise_label"], sides)
        report = clustcompare.ComparisonReport(
            report.decomposition,
            report.overall,
            (*report.warnings, *notes),
            digits=2,
            max_clusters=20,
            names=sides,
        )
    scores = {one.chosen.title: one.chosen.value(table) for one in arguments.fail_under}
    verdicts = judge(scores, arguments.fail_under)
    _put(_REPORTS[arguments.report](report, verdicts), arguments.output)
    return exit_status(verdicts)


def _check_options(arguments: argparse.Namespace) -> None:
    if arguments.report and arguments.index:
        msg = "--index and --family choose what is listed, but a --report has indices of its own"
        raise ValueError(msg)
    if arguments.output and not arguments.report:
        msg = "--output takes a report: say with --report in which form"
        raise ValueError(msg)


def _notes_on_noise(
    table: ContingencyTable, noise_labels: Sequence[str], sides: tuple[str, str]
) -> list[str]:
    """Say where a label of noise is a cluster like any other."""
    clusters = ((table.row_labels, table.row_sums), (table.col_labels, table.col_sums))
    return [
        f"{found!r} in {side} (size {size}) counts as a cluster like any other: if it stands for "
        "noise, choose --noise singletons or --noise drop"
        for side, (labels, sizes) in zip(sides, clusters, strict=True)
        for found, size in zip(labels.tolist(), sizes.tolist(), strict=True)
        if found in noise_labels
    ]


def _put(text: str, path: Path | None) -> None:
    text = text.rstrip("\n")
    if path is None:
        print(text)
    else:
        write_file(path, f"{text}\n")


def _as_dict(
    table: ContingencyTable, scores: Mapping[str, float], noise: Mapping[str, Any]
) -> dict[str, Any]:
    n_rows, n_cols = table.shape
    coverage = {"coverage": table.coverage} if leaves_out(noise) else {}
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
        msg = f"compare takes one or two files, got {len(files)}"
        raise ValueError(msg)
    if len(files) == 1 and (arguments.true is None or arguments.pred is None):
        msg = (
            "compare takes two label files, or one CSV file with both --true and --pred, "
            f"got {files[0]} alone"
        )
        raise ValueError(msg)
    true = _read_column(files[0], arguments.true, "--true", arguments)
    pred = _read_column(files[-1], arguments.pred, "--pred", arguments)
    if len(true) != len(pred):
        msg = (
            f"{files[0]} and {files[-1]} must have the same length, got {len(true)} and {len(pred)}"
        )
        raise ValueError(msg)
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


def _read_column(
    path: str, column: str | None, option: str, arguments: argparse.Namespace
) -> NDArray[Any]:
    if column is not None:
        return read_csv(path, arguments.delimiter).labels(column, arguments.missing)
    if is_csv(path):
        msg = f"{path} is a CSV file: {option} must name its column of labels"
        raise ValueError(msg)
    return read_labels(path, arguments.missing)


def _score_row(chosen: ChosenIndex, value: float) -> dict[str, Any]:
    best = chosen.index.properties(**chosen.parameters)["range"][chosen.index.greater_is_better]
    return {
        "index": chosen.title,
        "value": value,
        "best": None if math.isinf(best) else f"{best:g}",
        "better": direction(chosen.index),
    }
