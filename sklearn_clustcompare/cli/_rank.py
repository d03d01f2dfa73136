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
from sklearn_clustcompare.cli._parser import (
    DEFAULT_INDEX,
    ChosenIndex,
    as_mapping,
    chosen_indices,
    keywords,
    leaves_out,
    named_indices,
    noise_keywords,
)

if TYPE_CHECKING:
    from sklearn_clustcompare._array_types import Array
    from sklearn_clustcompare.results import CandidateScores

# --------------------------------------------------------------------------- rank


def run(arguments: argparse.Namespace) -> int:
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


def run_indices(arguments: argparse.Namespace) -> int:
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
