"""The command ``clustcompare compare``: partitions against a reference."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._files import write_file
from sklearn_clustcompare._options import DEFAULT_INDICES
from sklearn_clustcompare.cli._arguments import (
    ChosenIndex,
    add_command_parser,
    add_delimiter_option,
    add_index_option,
    add_json_option,
    add_list_option,
    add_noise_options,
    add_output_option,
    check_output,
    chosen_indices,
    index_type,
    input_file,
    leaves_out,
    named_indices,
    noise_keywords,
)
from sklearn_clustcompare.cli._baselines import (
    Nights,
    add_baseline_options,
    check_baseline_options,
    compare_with_baseline,
)
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._data import add_data_options, load_beside
from sklearn_clustcompare.cli._output import direction, json_text, table_text
from sklearn_clustcompare.cli._partitions import Partitions, read_partitions
from sklearn_clustcompare.cli._pictures import add_picture_option, draw
from sklearn_clustcompare.cli._text import shown_path
from sklearn_clustcompare.cli._thresholds import (
    Verdict,
    add_threshold_option,
    exit_status,
    judge,
    verdicts_as_dict,
)

if TYPE_CHECKING:
    from sklearn_clustcompare import ContingencyTable

_MORE = "Use --all for all indices"
_MORE_OF_ONE = "--report text for the values of each cluster"
# Labels of a file are never empty: the readers treat empty ones as missing.
_NO_LABEL = ""
# The family with a report of its own.
_ENTITY = "entity"
_REPORTS: dict[str, Callable[[Any, list[Verdict], Nights], str]] = {
    "text": lambda report, _, before: "\n\n".join(
        filter(None, [str(report).rstrip(), before.as_text()])
    ),
    "json": lambda report, verdicts, before: json_text(
        report.to_dict() | verdicts_as_dict(verdicts) | before.as_dict()
    ),
    "html": lambda report, _, before: report.to_html() + _preformatted(before, "<pre>{}</pre>"),
    "markdown": lambda report, _, before: (
        report.to_markdown().rstrip() + _preformatted(before, "\n\n```text\n{}\n```")
    ),
}


def add_command(commands: Any) -> None:
    parser = add_command_parser(
        commands,
        "compare",
        _run,
        "compare partitions with a reference partition",
        "cells.csv --true type --pred kmeans",
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=input_file,
        metavar="FILE",
        help="reference, then candidate: two text files with one label per line and no header, or "
        "one or two CSV files with --true and --pred; - reads standard input",
    )
    parser.add_argument("--true", metavar="COLUMN", help="column of the reference")
    add_list_option(
        parser,
        "--pred",
        str,
        "COLUMN",
        "column of the candidate; several columns print one row for each candidate",
    )
    parser.add_argument(
        "--id",
        metavar="COLUMN",
        help="match the rows of two CSV files, or of one and --baseline, by this column, and "
        "compare the objects that are in both (default: match rows by position); a report with "
        "--family entity names records by it, also of one file (default: by their lines)",
    )
    add_delimiter_option(parser)
    add_index_option(
        parser,
        f"indices to print (default: {', '.join(DEFAULT_INDICES)})",
        of_family="the table has its indices after those of --index; --report is that of records "
        "for entity; --baseline compares by its indices of a finite range, for entity by "
        "precision, recall and F of B-cubed and of pairs",
    )
    parser.add_argument("--all", action="store_true", help="print all indices")
    add_noise_options(parser)
    add_threshold_option(parser, "")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--report",
        choices=_REPORTS,
        help="print a report with the values of each cluster, or with --family entity the worst "
        "merges and splits",
    )
    add_json_option(form)
    add_data_options(parser, "for indices of the data in a report")
    add_output_option(parser, "FILE", "write the report to a file")
    add_baseline_options(parser)
    add_picture_option(
        parser, "the contingency table, or with --report the recovery of each cluster"
    )


def _run(arguments: argparse.Namespace) -> int:
    _check_options(arguments)
    check_output(arguments.output, [*arguments.files, arguments.data])
    noise = noise_keywords(arguments)
    partitions = read_partitions(arguments)
    before = compare_with_baseline(partitions, arguments)
    put = _report if arguments.report else _list
    status = put(partitions, noise, before, arguments)
    return 1 if before.has_failed else status


class _Compared(NamedTuple):
    """A candidate, its table with the reference, and the values of the indices by their titles."""

    name: str
    table: ContingencyTable
    scores: dict[str, float]


def _list(
    partitions: Partitions,
    noise: Mapping[str, Any],
    before: Nights,
    arguments: argparse.Namespace,
) -> int:
    """Print the values of the indices."""
    named = named_indices(arguments)
    names = clustcompare.list_indices() if arguments.all else []
    listed = [*(named or map(index_type, DEFAULT_INDICES)), *map(index_type, names)]
    indices = chosen_indices(listed, [one.chosen for one in arguments.fail_under])
    compared = []
    for name, pred in partitions.candidates.items():
        table = clustcompare.ContingencyTable.from_labels(partitions.true, pred, **noise)
        scores = {title: one.value(table) for title, one in indices.items()}
        compared.append(_Compared(name, table, scores))
    verdicts = [
        verdict
        for one in compared
        for verdict in judge(
            one.scores, arguments.fail_under, one.name if len(compared) > 1 else None
        )
    ]
    with_coverage = leaves_out(noise)
    if arguments.json:
        id_coverage = {"id_coverage": partitions.id_coverage} if arguments.id is not None else {}
        result = id_coverage | _as_dict(compared, with_coverage) | verdicts_as_dict(verdicts)
        result |= before.as_dict()
        print(json_text(result))
    else:
        print(_as_text(compared, indices, len(partitions.true), with_coverage))
        if not named and not arguments.all:
            print(f"\n{_MORE}{'' if len(compared) > 1 else f', {_MORE_OF_ONE}'}.")
        if before.compared:
            print(f"\n{before.as_text()}")
    if not arguments.noise:
        for note in _notes_on_noise(compared, noise["noise_label"], partitions.reference):
            say(f"note: {note}")
    sides = (partitions.reference, compared[0].name)
    draw(
        arguments.picture,
        lambda: clustcompare.ContingencyDisplay.from_table(compared[0].table, names=sides),
    )
    return exit_status(verdicts)


def _report(
    partitions: Partitions,
    noise: Mapping[str, Any],
    before: Nights,
    arguments: argparse.Namespace,
) -> int:
    """Print or write a report."""
    partitions, noise = _with_left_out(partitions, noise)
    ((name, pred),) = partitions.candidates.items()
    sides = (partitions.reference, name)
    of_entities = _ENTITY in arguments.families
    if of_entities:
        made, table = _report_of_entities(partitions, pred, sides, noise)
    else:
        X = load_beside(arguments, len(pred), shown_path(arguments.files[-1]))
        made = _general_report(partitions, pred, sides, noise, X)
        table = made.decomposition.table
    scores = {one.chosen.title: one.chosen.value(table) for one in arguments.fail_under}
    notes = []
    if not arguments.noise:
        compared = [_Compared(name, table, scores)]
        notes = _notes_on_noise(compared, noise["noise_label"], partitions.reference)
    if of_entities:
        for note in notes:
            say(f"note: {note}")
    elif notes:
        made = made._with_notes(notes)
    verdicts = judge(scores, arguments.fail_under)
    _put(_REPORTS[arguments.report](made, verdicts, before), arguments.output)
    draw(
        arguments.picture,
        lambda: (
            clustcompare.ContingencyDisplay.from_table(table, names=sides)
            if of_entities
            else clustcompare.DecompositionDisplay(made.decomposition, names=sides).plot()
        ),
    )
    return exit_status(verdicts)


def _with_left_out(
    partitions: Partitions, noise: Mapping[str, Any]
) -> tuple[Partitions, Mapping[str, Any]]:
    """Give the objects that are in one file only no label, so that the coverage counts them."""
    if partitions.ids is None or partitions.id_coverage == 1 or noise["missing"] == "cluster":
        return partitions, noise
    import numpy as np

    n_common = len(partitions.true)
    gap = np.full(round(n_common / (partitions.id_coverage or 1)) - n_common, None)
    ((name, pred),) = partitions.candidates.items()
    extended = partitions._replace(
        true=np.append(partitions.true, gap),
        candidates={name: np.append(pred, gap)},
        ids=np.append(partitions.ids, [f"left out {k}" for k in range(len(gap))]),
    )
    return extended, {**noise, "missing": "drop"}


def _general_report(
    partitions: Partitions, pred: Any, sides: tuple[str, str], noise: Mapping[str, Any], X: Any
) -> Any:
    # The command has its own notes on noise: those of the report name Python keywords.
    label = _NO_LABEL if noise["noise"] == "cluster" else noise["noise_label"]
    keywords: dict[str, Any] = {**noise, "noise_label": label}
    return clustcompare.clustering_comparison_report(
        partitions.true, pred, X=X, names=sides, **keywords
    )


def _report_of_entities(
    partitions: Partitions, pred: Any, sides: tuple[str, str], noise: Mapping[str, Any]
) -> tuple[Any, ContingencyTable]:
    ids = partitions.ids
    keywords: dict[str, Any] = {
        **noise,
        "ids": [f"line {line}" for line in partitions.lines] if ids is None else ids,
    }
    if noise["noise"] == "cluster":
        keywords["noise_label"] = _NO_LABEL
    report: Any = clustcompare.clustering_comparison_report(
        partitions.true, pred, names=sides, family=_ENTITY, **keywords
    )
    return report, report.table


def _check_options(arguments: argparse.Namespace) -> None:
    check_baseline_options(arguments)
    if arguments.report and not arguments.baseline:
        _check_family(arguments)
    if arguments.report and arguments.data and _ENTITY in arguments.families:
        msg = f"--data cannot be given with --family {_ENTITY} and --report"
        raise ValueError(msg)
    if arguments.output and not arguments.report:
        msg = "--output needs --report, which sets the format"
        raise ValueError(msg)
    if not arguments.report and (arguments.data is not None or arguments.scale):
        msg = "--data and --scale need --report, which has the indices of the data"
        raise ValueError(msg)
    if arguments.id is not None and arguments.data is not None:
        msg = "--data cannot be given with --id: its rows are matched by position"
        raise ValueError(msg)
    if len(set(arguments.pred or [])) > 1:
        for option in ("report", "picture"):
            if getattr(arguments, option):
                msg = f"--{option} takes one column of --pred, got {', '.join(arguments.pred)}"
                raise ValueError(msg)


def _check_family(arguments: argparse.Namespace) -> None:
    """Raise ValueError for indices together with a report, which has its own."""
    families = arguments.families
    if arguments.all or arguments.index:
        msg = "--index and --all cannot be given with --report, which has its own indices"
        raise ValueError(msg)
    if not set(families) <= {_ENTITY}:
        msg = f"--report takes no --family but {_ENTITY}, got {', '.join(families)}"
        raise ValueError(msg)


def _notes_on_noise(
    compared: Sequence[_Compared], noise_labels: Sequence[str], reference: str
) -> list[str]:
    """Note if a label of noise counts as an ordinary cluster."""
    first = compared[0].table
    clusters = [(reference, first.row_labels, first.row_sums)]
    clusters += [(one.name, one.table.col_labels, one.table.col_sums) for one in compared]
    return [
        f"{found!r} in {side} (size {size}) counts as an ordinary cluster; if it marks "
        "noise, use --noise singletons or --noise drop"
        for side, labels, sizes in clusters
        for found, size in zip(labels.tolist(), sizes.tolist(), strict=True)
        if found in noise_labels
    ]


def _preformatted(before: Nights, form: str) -> str:
    """Return the comparisons with the baseline in a report, empty if there are none."""
    return form.format(escape(before.as_text(), quote=False)) if before.compared else ""


def _put(text: str, path: Path | None) -> None:
    text = text.rstrip("\n")
    if path is None:
        print(text)
    else:
        write_file(path, f"{text}\n", str(path))


# --------------------------------------------------------------------------- output


def _as_text(
    compared: Sequence[_Compared],
    indices: Mapping[str, ChosenIndex],
    n_objects: int,
    with_coverage: bool,
) -> str:
    """Return a table: a row per index for one candidate, a row per candidate for several."""
    if len(compared) > 1:
        head = f"{n_objects} objects, {len(compared)} candidates"
        rows = [_candidate_row(one, with_coverage) for one in compared]
    else:
        ((_, table, scores),) = compared
        n_rows, n_cols = table.shape
        of = f" of {n_objects}" if with_coverage else ""
        clusters = f"{n_rows} clusters in the reference, {n_cols} in the candidate"
        head = f"{table.n_samples}{of} objects, {clusters}"
        rows = [_score_row(indices[title], value) for title, value in scores.items()]
    return f"{head}\n\n{table_text(rows)}"


def _candidate_row(compared: _Compared, with_coverage: bool) -> dict[str, Any]:
    name, table, scores = compared
    coverage = {"coverage": table.coverage} if with_coverage else {}
    return {"candidate": name, "n_clusters": table.shape[1], **coverage, **scores}


def _score_row(chosen: ChosenIndex, value: float) -> dict[str, Any]:
    best = chosen.index.properties(**chosen.parameters)["range"][chosen.index.greater_is_better]
    return {
        "index": chosen.title,
        "value": value,
        "best": None if math.isinf(best) else f"{best:g}",
        "better": direction(chosen.index),
    }


def _as_dict(compared: Sequence[_Compared], with_coverage: bool) -> dict[str, Any]:
    """Return the values of one candidate, or a list of those of several."""
    results = []
    for name, table, scores in compared:
        n_rows, n_cols = table.shape
        coverage = {"coverage": table.coverage} if with_coverage else {}
        clusters = {"n_clusters_true": n_rows, "n_clusters_pred": n_cols}
        values = {"n_samples": table.n_samples, **coverage, **clusters, "scores": scores}
        results.append(values if len(compared) == 1 else {"candidate": name, **values})
    return results[0] if len(compared) == 1 else {"candidates": results}
