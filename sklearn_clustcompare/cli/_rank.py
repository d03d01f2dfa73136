"""The commands ``clustcompare rank``, many candidates by an index, and ``clustcompare indices``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import DEFAULT_INDEX_OF_DATA
from sklearn_clustcompare._rendering import n_candidates_text
from sklearn_clustcompare.cli._files import (
    STANDARD_INPUT,
    CsvFile,
    LabelColumn,
    direction,
    fail,
    finish,
    judge,
    load_beside,
    read_labels,
    say,
    table_text,
)
from sklearn_clustcompare.cli._options import (
    DEFAULT_INDEX,
    DELIMITER,
    EPILOG_OF_INDICES,
    FAMILIES,
    JSON,
    N_JOBS,
    NOISE,
    ChosenIndex,
    Command,
    Option,
    any_index_type,
    as_mapping,
    chosen_indices,
    data_options,
    index_options,
    input_file,
    keywords,
    leaves_out,
    named_indices,
    noise_keywords,
    one_of,
    output_option,
    picture_option,
    positive_int,
    threshold_option,
)

if TYPE_CHECKING:
    from sklearn_clustcompare._array_types import Array
    from sklearn_clustcompare.results import CandidateScores

# --------------------------------------------------------------------------- rank

_OPTIONS = (
    Option(
        "CANDIDATES.csv",
        "CSV file with one candidate partition per column; - reads standard input",
        input_file,
        "candidates",
    ),
    Option("--reference COLUMN", "column of the reference", group="reference"),
    Option(
        "--reference-file LABELS.txt",
        "text file of the reference, one label per line",
        group="reference",
    ),
    *data_options("for indices that need the data"),
    Option(
        "--candidate COLUMN,...",
        "columns to rank (default: all but the reference, an index without a name, and those whose "
        "labels all differ)",
        group="columns",
    ),
    Option(
        "--drop COLUMN,...", "columns to leave out, such as ids of the objects", group="columns"
    ),
    DELIMITER,
    *index_options(
        f"indices to print; the first one ranks the candidates (default: {DEFAULT_INDEX}, or "
        f"{DEFAULT_INDEX_OF_DATA} without a reference)",
        any_index_type,
    ),
    *NOISE,
    Option(
        "--error-score VALUE",
        "if a candidate lacks labels or cannot be scored, stop with an error, or rank it last with "
        "a warning (default: raise)",
        ("raise", "nan"),
        default="raise",
    ),
    threshold_option(" of the best candidate (the first one of those that tie)", any_index_type),
    Option("--top N", "print the first N candidates only", positive_int),
    N_JOBS,
    Option("--verbose", "show progress on stderr"),
    output_option("FILE.csv", "also write the ranking to a CSV file"),
    picture_option("the candidates by rank"),
    JSON,
)


def _rank(arguments: argparse.Namespace) -> int:
    noise = noise_keywords(arguments)
    has_reference = arguments.reference is not None or arguments.reference_file is not None
    default = DEFAULT_INDEX if has_reference else DEFAULT_INDEX_OF_DATA
    indices = chosen_indices(named_indices(arguments), arguments.fail_under, default)
    _check_needs(indices, has_reference, arguments.data is not None)
    columns, reference = _read(arguments)
    columns = _without_ids(columns, arguments)
    n_objects = len(next(iter(columns.values())))
    X = load_beside(arguments, n_objects, arguments.candidates)
    ends_at_errors = arguments.error_score == "raise"
    missing = arguments.missing if ends_at_errors else "keep"
    scores = clustcompare.score_candidates(
        reference,
        {name: column.labels(missing) for name, column in columns.items()},
        indices=as_mapping(indices),
        X=X,
        error_score="raise" if ends_at_errors else math.nan,
        **keywords(arguments, "n_jobs", "verbose"),
        **noise,
    )
    rows = _ranked_rows(scores, with_coverage=leaves_out(noise))
    decides = next(iter(scores.scores))
    best = [row for row in rows if row["rank"] == 1 and not math.isnan(row[decides])]
    shown = rows[: arguments.top]
    n_left_out = sum(row["rank"] == shown[-1]["rank"] for row in rows[len(shown) :])
    result = {
        "n_samples": n_objects,
        "n_candidates": len(rows),
        "index": decides,
        "best": [row["candidate"] for row in best],
        "candidates": shown,
    }
    text = f"{n_objects} objects, {n_candidates_text(len(rows))}\n\n{table_text(shown)}"
    if n_left_out:
        text += f"\n\n{n_left_out} more of rank {shown[-1]['rank']} not shown"
    return finish(
        arguments,
        result,
        text,
        judge({rows[0]["candidate"]: rows[0]}, arguments.fail_under),
        rows=shown,
        picture=lambda: clustcompare.plot.CandidateScoresDisplay(scores).plot(),
    )


RANK = Command(
    "rank",
    _rank,
    "rank many candidate partitions against one reference, or by the data",
    (
        "cells.csv --reference type --drop id",
        "cells.csv --reference type --drop id --index ami,vi --fail-under ami=0",
    ),
    _OPTIONS,
    EPILOG_OF_INDICES,
    "  1  a limit of --fail-under is missed\n",
)


def _check_needs(indices: Mapping[str, ChosenIndex], has_reference: bool, has_data: bool) -> None:
    """Raise ValueError unless there is what the indices need, and nothing else."""
    judging = ", ".join(title for title, one in indices.items() if one.index.needs_data)
    comparing = ", ".join(title for title, one in indices.items() if not one.index.needs_data)
    rules = (
        (comparing and not has_reference, "--reference or --reference-file is needed", comparing),
        (judging and not has_data, "--data is needed", judging),
        (has_reference and not comparing, "a reference is of no use", judging),
        (has_data and not judging, "--data is of no use", comparing),
    )
    for is_broken, what, titles in rules:
        if is_broken:
            fail(f"{what} for {titles}")


def _candidate_names(file: CsvFile, arguments: argparse.Namespace) -> list[str]:
    if arguments.candidate:
        return list(arguments.candidate)
    dropped = [*filter(None, [arguments.reference]), *(arguments.drop or [])]
    names = file.names_without(dropped)
    if not names:
        left_out = ", ".join(map(repr, dropped))
        fail(f"{file.path} must have columns of candidates other than {left_out}{file.hint}")
    return names


def _read(arguments: argparse.Namespace) -> tuple[dict[str, LabelColumn], Array | None]:
    """Return the columns of the candidates, and the reference if there is one."""
    if arguments.candidates == arguments.reference_file == STANDARD_INPUT:
        fail("standard input is read once: name the column of the reference with --reference")
    file = CsvFile(arguments.candidates, arguments.delimiter)
    names = _candidate_names(file, arguments)
    of_reference = [] if arguments.reference is None else [arguments.reference]
    columns = file.read([*of_reference, *names]).labels
    candidates = {name: columns[name] for name in names}
    if of_reference:
        return candidates, columns[arguments.reference].labels(arguments.missing)
    if arguments.reference_file is None:
        return candidates, None
    reference = read_labels(arguments.reference_file)
    n_rows = len(candidates[names[0]])
    if len(reference) != n_rows:
        fail(
            f"reference and candidates must have the same length, got {len(reference)} labels "
            f"in {reference.path} and {n_rows} rows in {file.path}"
        )
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
        fail(
            f"{arguments.candidates} must have columns of candidates whose labels do not all differ"
        )
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


# --------------------------------------------------------------------------- indices


def _indices(arguments: argparse.Namespace) -> int:
    names = clustcompare.list_indices(
        needs_data=arguments.needs_data, **keywords(arguments, "families")
    )
    indices = [clustcompare.get_index(name) for name in names]
    flags = ("soft",) if arguments.needs_data else ("symmetric", "metric", "adjusted", "soft")
    rows = [
        {
            "name": index.name,
            "short": " ".join(index.short_names),
            "better": direction(index),
            "range": "[{:g}, {:g}]".format(*index.range),
            **{flag: "yes" if getattr(index, flag) else "no" for flag in flags},
            "source": index.source,
        }
        for index in indices
    ]
    known = [{"name": index.name, **index.properties()} for index in indices]
    return finish(arguments, known, table_text(rows))


INDICES = Command(
    "indices",
    _indices,
    "list the indices and their properties",
    ("--family entity", "--needs-data --json"),
    (
        Option(
            "--family NAME",
            f"list the indices commonly used in a field: {', '.join(FAMILIES)}",
            one_of(FAMILIES),
            "families",
        ),
        Option(
            "--needs-data",
            "list the indices of one partition and the data instead of those of two partitions",
        ),
        JSON,
    ),
)
