"""The command ``clustcompare rank``: many candidates against one reference, or by the data."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import DEFAULT_INDEX_OF_DATA
from sklearn_clustcompare._rendering import n_candidates_text
from sklearn_clustcompare.cli._arguments import (
    DEFAULT_INDEX,
    ChosenIndex,
    add_command_parser,
    add_delimiter_option,
    add_index_option,
    add_json_option,
    add_list_option,
    add_n_jobs_option,
    add_noise_options,
    add_output_option,
    as_mapping,
    check_output,
    chosen_indices,
    input_file,
    leaves_out,
    named_indices,
    noise_keywords,
    positive_int,
)
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._csv import CsvFile, LabelColumn, read_labels
from sklearn_clustcompare.cli._data import add_data_options, load_beside
from sklearn_clustcompare.cli._output import json_text, put, table_text
from sklearn_clustcompare.cli._pictures import add_picture_option, draw
from sklearn_clustcompare.cli._text import STANDARD_INPUT
from sklearn_clustcompare.cli._thresholds import (
    add_threshold_option,
    exit_status,
    judge,
    verdicts_as_dict,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sklearn_clustcompare.results import CandidateScores


def add_command(commands: Any) -> None:
    parser = add_command_parser(
        commands,
        "rank",
        _run,
        "rank many candidate partitions against one reference, or by the data",
        "cells.csv --reference type --drop id",
    )
    parser.add_argument(
        "candidates",
        type=input_file,
        metavar="CANDIDATES.csv",
        help="CSV file with one candidate partition per column; - reads standard input",
    )
    reference = parser.add_mutually_exclusive_group()
    reference.add_argument("--reference", metavar="COLUMN", help="column of the reference")
    reference.add_argument(
        "--reference-file",
        metavar="LABELS.txt",
        help="text file of the reference, one label per line",
    )
    add_data_options(parser, "for indices that need the data")
    columns = parser.add_mutually_exclusive_group()
    add_list_option(
        columns,
        "--candidate",
        str,
        "COLUMN",
        "columns to rank (default: all but the reference, an "
        "index without a name, and those whose labels all differ)",
    )
    add_list_option(
        columns, "--drop", str, "COLUMN", "columns to leave out, such as ids of the objects"
    )
    add_delimiter_option(parser)
    add_index_option(
        parser,
        f"indices to print; the first one ranks the candidates (default: {DEFAULT_INDEX}, or "
        f"{DEFAULT_INDEX_OF_DATA} without a reference)",
        with_data=True,
    )
    add_noise_options(parser)
    parser.add_argument(
        "--error-score",
        choices=("raise", "nan"),
        default="raise",
        help="if a candidate lacks labels or cannot be scored, stop with an error, or rank it last "
        "with a warning (default: raise)",
    )
    add_threshold_option(
        parser, " of the best candidate (the first one of those that tie)", with_data=True
    )
    parser.add_argument(
        "--top", type=positive_int, metavar="N", help="print the first N candidates only"
    )
    add_n_jobs_option(parser)
    parser.add_argument("--verbose", action="store_true", help="show progress on stderr")
    add_output_option(parser, "FILE.csv", "also write the ranking to a CSV file")
    add_picture_option(parser, "the candidates by rank")
    add_json_option(parser)


def _run(arguments: argparse.Namespace) -> int:
    noise = noise_keywords(arguments)
    files = [arguments.candidates, arguments.reference_file, arguments.data]
    check_output(arguments.output, files)
    has_reference = arguments.reference is not None or arguments.reference_file is not None
    judged = [one.chosen for one in arguments.fail_under]
    default = DEFAULT_INDEX if has_reference else DEFAULT_INDEX_OF_DATA
    indices = chosen_indices(named_indices(arguments), judged, default)
    _check_needs(arguments, indices, has_reference=has_reference)
    columns, reference = _read(arguments)
    columns = _without_ids(columns, arguments)
    n_objects = len(next(iter(columns.values())))
    X = load_beside(arguments, n_objects, arguments.candidates)
    ends_at_errors = arguments.error_score == "raise"
    missing = arguments.missing if ends_at_errors else "keep"
    candidates = {name: column.labels(missing) for name, column in columns.items()}
    scores = clustcompare.score_candidates(
        reference,
        candidates,
        indices=as_mapping(indices),
        X=X,
        error_score="raise" if ends_at_errors else math.nan,
        n_jobs=arguments.n_jobs,
        verbose=arguments.verbose,
        **noise,
    )
    rows = _ranked_rows(scores, with_coverage=leaves_out(noise))
    verdicts = judge(rows[0], arguments.fail_under)
    decides = next(iter(scores.scores))
    best = [row for row in rows if row["rank"] == 1 and not math.isnan(row[decides])]
    shown = rows[: arguments.top]
    n_left_out = sum(row["rank"] == shown[-1]["rank"] for row in rows[len(shown) :])
    if arguments.json:
        result = {
            "n_samples": n_objects,
            "n_candidates": len(rows),
            "index": decides,
            "best": [row["candidate"] for row in best],
            "candidates": shown,
            **verdicts_as_dict(verdicts),
        }
        text = json_text(result)
    else:
        text = f"{n_objects} objects, {n_candidates_text(len(rows))}\n\n{table_text(shown)}"
        if n_left_out:
            text += f"\n\n{n_left_out} more of rank {shown[-1]['rank']} not shown"
    put(text, arguments.output, shown)
    draw(arguments.picture, lambda: clustcompare.CandidateScoresDisplay(scores).plot())
    return exit_status(verdicts)


def _check_needs(
    arguments: argparse.Namespace, indices: Mapping[str, ChosenIndex], *, has_reference: bool
) -> None:
    """Raise ValueError unless there is what the indices need, and nothing else."""
    judging = [title for title, one in indices.items() if one.index.needs_data]
    comparing = [title for title in indices if title not in judging]
    has_data = arguments.data is not None
    rules = (
        (
            comparing and not has_reference,
            "--reference or --reference-file is",
            "needed",
            comparing,
        ),
        (judging and not has_data, "--data is", "needed", judging),
        (has_reference and not comparing, "a reference is", "of no use", judging),
        (has_data and not judging, "--data is", "of no use", comparing),
    )
    for is_broken, what, how, titles in rules:
        if is_broken:
            msg = f"{what} {how} for {', '.join(titles)}"
            raise ValueError(msg)


def _candidate_names(file: CsvFile, arguments: argparse.Namespace) -> list[str]:
    if arguments.candidate:
        return list(arguments.candidate)
    reference = [] if arguments.reference is None else [arguments.reference]
    dropped = [*reference, *(arguments.drop or [])]
    names = file.names_without(dropped)
    if not names:
        left_out = ", ".join(map(repr, dropped))
        msg = f"{file.path} must have columns of candidates other than {left_out}{file.hint}"
        raise ValueError(msg)
    return names


def _read(arguments: argparse.Namespace) -> tuple[dict[str, LabelColumn], NDArray[Any] | None]:
    """Return the columns of the candidates, and the reference if there is one."""
    if arguments.candidates == arguments.reference_file == STANDARD_INPUT:
        msg = "standard input is read once: name the column of the reference with --reference"
        raise ValueError(msg)
    file = CsvFile(arguments.candidates, arguments.delimiter)
    names = _candidate_names(file, arguments)
    if arguments.reference is not None:
        columns = file.read([arguments.reference, *names]).labels
        reference = columns[arguments.reference]
    elif arguments.reference_file is None:
        return file.read(names).labels, None
    else:
        columns = file.read(names).labels
        reference = read_labels(arguments.reference_file)
    candidates = {name: columns[name] for name in names}
    n_rows = len(candidates[names[0]])
    if len(reference) != n_rows:
        msg = (
            f"reference and candidates must have the same length, got {len(reference)} labels "
            f"in {reference.path} and {n_rows} rows in {file.path}"
        )
        raise ValueError(msg)
    return candidates, reference.labels(arguments.missing)


def _without_ids(
    columns: dict[str, LabelColumn], arguments: argparse.Namespace
) -> dict[str, LabelColumn]:
    """Leave out columns in which all labels differ, unless they are named; warn."""
    ids = [name for name, column in columns.items() if column.all_differ()]
    for name in ids:
        what = f"warning: every label in column {name!r} is different, as in ids of the objects"
        say(what if arguments.candidate else f"{what}: it is left out; --candidate takes it")
    if arguments.candidate or not ids:
        return columns
    kept = {name: column for name, column in columns.items() if name not in ids}
    if not kept:
        msg = (
            f"{arguments.candidates} must have columns of candidates whose labels do not all differ"
        )
        raise ValueError(msg)
    return kept


def _ranked_rows(scores: CandidateScores, *, with_coverage: bool) -> list[dict[str, Any]]:
    """Return one row per candidate, sorted by the first index; ties keep their order."""
    rows = []
    for position, (name, rank) in enumerate(zip(scores.names, scores.rank().tolist(), strict=True)):
        row = {"rank": rank, "candidate": name, "n_clusters": int(scores.n_clusters[position])}
        if with_coverage:
            row["coverage"] = float(scores.coverage[position])
        rows.append(row | {name: float(v[position]) for name, v in scores.scores.items()})
    return sorted(rows, key=lambda row: row["rank"])
