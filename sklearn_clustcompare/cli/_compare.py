"""The command ``clustcompare compare``: partitions against a reference, and accepted labels."""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import DEFAULT_INDICES, options_text
from sklearn_clustcompare._rendering import n_clusters_text
from sklearn_clustcompare.cli._baseline import Nights, compare_with_baseline
from sklearn_clustcompare.cli._files import (
    STANDARD_INPUT,
    CsvFile,
    LabelColumn,
    direction,
    fail,
    finish,
    is_table,
    judge,
    read_labels,
    say,
    shown_path,
    table_text,
)
from sklearn_clustcompare.cli._parser import (
    ENTITY,
    chosen_indices,
    index_type,
    leaves_out,
    named_indices,
    noise_keywords,
)

if TYPE_CHECKING:
    from sklearn_clustcompare import ContingencyTable
    from sklearn_clustcompare._array_types import Array
    from sklearn_clustcompare.indices._judged import Chosen

_OWN_LABEL = "give the object a label of its own"
_OR_LEFT_OUT = f"{_OWN_LABEL}, or match by --id, which leaves it out and counts it"
_PARTIAL = (
    "--missing drop of compare and rank leaves such objects out, and --sampled of compare "
    "estimates scores if only some clusters of the reference are labeled"
)
# Labels of the reference: without so few of them precision is hardly too high.
_FEW_MISSING, _SMALL_SHARE = 5, 0.03
_MORE = "Use --all for all indices"
_MORE_OF_ONE = "--report text for the values of each cluster"
# Labels of a file are never empty: the readers treat empty ones as missing.
_NO_LABEL = ""


def run(arguments: argparse.Namespace) -> int:
    _check_options(arguments)
    noise = noise_keywords(arguments)
    partitions = _read_partitions(arguments)
    if arguments.sampled:
        return _list_sampled(partitions, arguments)
    if any(None in labels for labels in (partitions.true, *partitions.candidates.values())):
        noise = _left_out(partitions, noise)
    before = compare_with_baseline(partitions, arguments)
    put = _report if arguments.report else _list
    return put(partitions, noise, before, arguments)


def _left_out(partitions: Partitions, noise: dict[str, Any]) -> dict[str, Any]:
    """Leave out objects without a label, and warn if that makes precision too high."""
    if noise["missing"] == "cluster":
        return noise
    n_missing, n_objects = sum(one is None for one in partitions.true), len(partitions.true)
    if n_missing > max(_FEW_MISSING, _SMALL_SHARE * n_objects):
        say(
            f"warning: {n_missing} of {n_objects} objects have no label in {partitions.reference} "
            "and are left out: precision is too high, as objects that are wrongly joined with them "
            "do not count; --sampled estimates it if whole clusters are labeled"
        )
    return {**noise, "missing": "drop"}


def _check_options(arguments: argparse.Namespace) -> None:
    """Raise ValueError for what does not fit a baseline or a report."""
    if arguments.baseline and (arguments.noise or arguments.missing != "error"):
        fail("--noise and --missing cannot be given with --baseline, which counts all objects")
    if arguments.report and not arguments.baseline:
        if arguments.all or arguments.index:
            fail("--index and --all cannot be given with --report, which has its own indices")
        if not set(arguments.families) <= {ENTITY}:
            got = ", ".join(arguments.families)
            fail(f"--report takes no --family but {ENTITY}, got {got}")
    if len(arguments.pred or []) > 1:
        for option in ("report", "picture"):
            if getattr(arguments, option):
                fail(f"--{option} takes one column of --pred, got {', '.join(arguments.pred)}")


# --------------------------------------------------------------------------- what is compared


class Partitions(NamedTuple):
    """Labels of the same objects: a reference and candidates, by their names.

    ``id_coverage`` is the share of all objects that are in both files, and ``ids`` has those of
    the objects; None without ids. ``lines`` are those of the objects in the file of the reference,
    and ``groups`` their sampling units, None without such a column.
    """

    reference: str
    true: Array
    candidates: dict[str, Array]
    id_coverage: float | None
    ids: Array | None
    lines: Sequence[int]
    groups: Array | None


def _read_partitions(arguments: argparse.Namespace) -> Partitions:
    """Read each file once, and align the objects of two files if they have ids."""
    first, last = _checked_files(arguments)
    true_columns = [arguments.true] if arguments.true else []
    pred_columns = arguments.pred or []
    grouping = [arguments.groups] if arguments.groups else []
    ids = _possible_ids(first, last, arguments)
    if first == last and true_columns and pred_columns:
        columns = [*true_columns, *grouping, *pred_columns]
        true_file = pred_file = _read(first, columns, arguments, ids)
    else:
        true_file = _read(first, [*true_columns, *grouping], arguments, ids)
        pred_file = _read(last, pred_columns, arguments, ids)
    true = true_file[arguments.true]
    preds = [pred_file[column] for column in pred_columns or [None]]
    reference, *names = _names(first, last, arguments.true, pred_columns)
    advice = _OR_LEFT_OUT if arguments.baseline else _OWN_LABEL if arguments.sampled else _PARTIAL
    counts_missing = arguments.baseline and arguments.id is not None
    missing = "keep" if counts_missing else arguments.missing
    labels = [true.labels("keep" if arguments.sampled else missing, advice)]
    labels += [column.labels(missing, advice) for column in preds]
    groups = true_file[arguments.groups].labels(advice=advice) if arguments.groups else None
    coverage = found_ids = None
    if arguments.id is not None:
        rows = _common_rows(true_file[arguments.id], pred_file[arguments.id])
        coverage, found_ids = rows.coverage, rows.ids
        labels = [labels[0][rows.labels_true], *(one[rows.labels_pred] for one in labels[1:])]
        groups = None if groups is None else groups[rows.labels_true]
    else:
        files = f"{shown_path(first)} and {shown_path(last)}"
        has_rows = first != last and true_columns and pred_columns
        if len(true) != len(preds[0]):
            hint = "; --id matches their rows by a column" if has_rows else ""
            fail(f"{files} must have the same length, got {len(true)} and {len(preds[0])}{hint}")
        if has_rows:
            _refuse_other_order(((true_file[name], pred_file[name]) for name in ids), files)
            say(f"note: the rows of {files} are matched by position; --id matches them by a column")
    for name, column in zip(names, preds, strict=True):
        if true.all_differ() and column.all_differ():
            say(
                f"warning: every label of {reference} and of {name} is different, as in ids of the "
                "objects: all clusters have one object"
            )
    candidates = dict(zip(names, labels[1:], strict=True))
    return Partitions(reference, labels[0], candidates, coverage, found_ids, true.lines, groups)


def _checked_files(arguments: argparse.Namespace) -> tuple[str, str]:
    files, has_columns = arguments.files, bool(arguments.true and arguments.pred)
    if len(files) > 2:
        got = f"got {len(files)}: {', '.join(files)}"
        fail(f"compare takes one or two files, {got}; --true and --pred name columns")
    if len(files) == 1 and not has_columns:
        fail(
            "compare takes two label files, or one CSV file with both --true and --pred, "
            f"got {shown_path(files[0])} alone"
        )
    first, last = files[0], files[-1]
    if first == last == STANDARD_INPUT and not has_columns:
        fail("standard input is read once: give it once, with both --true and --pred")
    lists_records = arguments.report and ENTITY in arguments.families
    is_one_file = first == last and not (arguments.baseline or lists_records)
    if arguments.id is not None and not has_columns:
        fail("--id needs --true and --pred, the columns of labels")
    if arguments.id is not None and is_one_file:
        fail("--id needs two different CSV files, --baseline, or --report with --family entity")
    options = {"--true": first, "--pred": last}
    unnamed = [
        f"{path} is a CSV file or a frame: {option} must name its column of labels"
        for option, path in options.items()
        if is_table(path) and not getattr(arguments, option[2:])
    ]
    if unnamed:
        fail("; ".join(unnamed))
    return first, last


def _read(
    path: str, columns: Sequence[str], arguments: argparse.Namespace, ids: Sequence[str]
) -> dict[Any, LabelColumn]:
    """Return columns by their names, or the labels of a text file by None."""
    if columns:
        return CsvFile(path, arguments.delimiter).read([*columns, *ids]).labels
    return {None: read_labels(path)}


def _possible_ids(first: str, last: str, arguments: argparse.Namespace) -> list[str]:
    """Return the column of ids, or those of both of two files, by which their order is checked."""
    if arguments.id is not None:
        return [arguments.id]
    if first == last or not (arguments.true and arguments.pred) or STANDARD_INPUT in (first, last):
        return []
    names, others = (CsvFile(path, arguments.delimiter).names for path in (first, last))
    return [name for name in names if name in others]


def _refuse_other_order(columns: Iterable[tuple[LabelColumn, LabelColumn]], files: str) -> None:
    """Raise ValueError if columns of ids show that rows with one position are of two objects."""
    for one, other in columns:
        common = {*one.texts}.intersection(other.texts)
        are_ids = one.all_differ() and other.all_differ() and 2 * len(common) >= len(one)
        if are_ids and one.texts != other.texts:
            fail(
                f"the rows of {files} are in another order by column {one.name!r}, which both "
                f"have: --id {one.name} matches them"
            )


def _names(
    first: str, last: str, true_column: str | None, pred_columns: Sequence[str]
) -> list[str]:
    """Name partitions by their columns or files, and by both where names are equal."""
    true = true_column or Path(shown_path(first)).name
    preds = pred_columns or [Path(shown_path(last)).name]
    if true not in preds:
        return [true, *preds]
    return [
        f"{true_column} in {shown_path(first)}" if true_column else first,
        *([f"{column} in {shown_path(last)}" for column in pred_columns] or [last]),
    ]


def _common_rows(first: LabelColumn, second: LabelColumn) -> Any:
    """Find the rows of the same objects, as for aligned labels."""
    ids = [_unique_labels(column) for column in (first, second)]
    if set(first.texts).isdisjoint(second.texts):
        fail(f"{first.path} and {second.path} have no object of column {first.name!r} in common")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the note names the files
        aligned = clustcompare.candidates.align_partitions(
            range(len(first)), range(len(second)), ids_true=ids[0], ids_pred=ids[1]
        )
    n_common = len(aligned.ids)
    n_all = len(first) + len(second) - n_common
    if n_common < n_all:
        say(f"note: {n_common} of {n_all} objects are in both files; the others are left out")
    return aligned


def _unique_labels(column: LabelColumn) -> Array:
    labels = column.labels("keep")
    seen: dict[str, int] = {}
    for row, label in enumerate(labels.tolist()):
        if label is None:
            fail(
                f"{column.place(row)}: an id must not be missing; give the object one, or remove "
                "its row"
            )
        if seen.setdefault(label, row) != row:
            fail(
                f"{column.place(row)}: ids must be unique, got {label!r} "
                f"as on line {column.lines[seen[label]]}; remove one of the rows"
            )
    return labels


# --------------------------------------------------------------------------- values of indices


def _list(
    partitions: Partitions, noise: Mapping[str, Any], before: Nights, arguments: argparse.Namespace
) -> int:
    """Print the values of the indices: a row for each, or for each of several candidates."""
    named = named_indices(arguments)
    names = clustcompare.list_indices() if arguments.all else []
    listed = [*(named or map(index_type, DEFAULT_INDICES)), *map(index_type, names)]
    indices = chosen_indices(listed, arguments.fail_under)
    n_objects, reference = len(partitions.true), partitions.reference
    tables, found = {}, {}
    for name, pred in partitions.candidates.items():
        table = clustcompare.ContingencyTable.from_labels(partitions.true, pred, **noise)
        n_rows, n_cols = table.shape
        tables[name] = table
        found[name] = {
            "n_samples": table.n_samples,
            **({"coverage": table.coverage} if leaves_out(noise) else {}),
            **{"n_clusters_true": n_rows, "n_clusters_pred": n_cols},
            "scores": {title: one.value(table) for title, one in indices.items()},
        }
    (first, *others), result = found, next(iter(found.values()))
    scores = result["scores"]
    if others:
        result = {"candidates": [{"candidate": name} | one for name, one in found.items()]}
        head = f"{n_objects} objects, {len(found)} candidates"
        rows = [
            {"candidate": name, "n_clusters": one["n_clusters_pred"]}
            | {key: one[key] for key in ("coverage",) if key in one}
            | one["scores"]
            for name, one in found.items()
        ]
    else:
        of = f" of {n_objects}" if leaves_out(noise) else ""
        clusters = f"{n_clusters_text(n_rows)} in the reference, {n_cols} in the candidate"
        head = f"{table.n_samples}{of} objects, {clusters}"
        rows = [_score_row(indices[title], value) for title, value in scores.items()]
    texts = [f"{head}\n\n{table_text(rows)}"]
    if not named and not arguments.all:
        texts.append(f"{_MORE}{'' if others else f', {_MORE_OF_ONE}'}.")
    if arguments.id is not None:
        result = {"id_coverage": partitions.id_coverage} | result
    if not arguments.noise:
        for note in _notes_on_noise(tables, noise["noise_label"], reference):
            say(f"note: {note}")
    return finish(
        arguments,
        result | before.as_dict(),
        "\n\n".join([*texts, *filter(None, [before.as_text()])]),
        judge({name: one["scores"] for name, one in found.items()}, arguments.fail_under),
        failures=before.failures,
        picture=lambda: clustcompare.plot.ContingencyDisplay.from_table(
            tables[first], names=(reference, first)
        ),
    )


def _notes_on_noise(
    tables: Mapping[str, ContingencyTable], noise_labels: Sequence[str], reference: str
) -> list[str]:
    """Note if a label of noise counts as an ordinary cluster."""
    first = next(iter(tables.values()))
    clusters = [(reference, first.row_labels, first.row_sums)]
    clusters += [(name, one.col_labels, one.col_sums) for name, one in tables.items()]
    return [
        f"{found!r} in {side} (size {size}) counts as an ordinary cluster; if it marks "
        "noise, use --noise singletons or --noise drop"
        for side, labels, sizes in clusters
        for found, size in zip(labels.tolist(), sizes.tolist(), strict=True)
        if found in noise_labels
    ]


def _score_row(chosen: Chosen, value: float) -> dict[str, Any]:
    best = chosen.range[chosen.index.greater_is_better]
    return {
        "index": chosen.name,
        "value": value,
        "best": None if math.isinf(best) else f"{best:g}",
        "better": direction(chosen.index),
    }


def _list_sampled(partitions: Partitions, arguments: argparse.Namespace) -> int:
    """Print estimates for the whole reference, of which some clusters are known."""
    found = {
        name: clustcompare.sampled_reference_scores(partitions.true, pred)
        for name, pred in partitions.candidates.items()
    }
    known = next(iter(found.values())).value
    for one in arguments.fail_under:
        if one.chosen.name not in known:
            options = options_text(known, one.chosen.name)
            fail(f"--fail-under with --sampled must be of one of {options}")
    rows = [
        ({"candidate": candidate} if len(found) > 1 else {})
        | {"index": name, "value": value, "standard error": one.standard_error[name]}
        | dict(zip(("low", "high"), one.interval[name], strict=True))
        for candidate, one in found.items()
        for name, value in one.value.items()
    ]
    n_known = len(partitions.true) - sum(one is None for one in partitions.true)
    head = f"{n_known} of {len(partitions.true)} objects are in known clusters of the reference"
    result = {"n_samples": len(partitions.true), "n_known": n_known, "scores": rows}
    verdicts = judge({name: one.value for name, one in found.items()}, arguments.fail_under)
    return finish(arguments, result, f"{head}\n\n{table_text(rows)}", verdicts)


# --------------------------------------------------------------------------- reports


def _report(
    partitions: Partitions, noise: Mapping[str, Any], before: Nights, arguments: argparse.Namespace
) -> int:
    """Print or write a report."""
    partitions, noise = _with_left_out(partitions, noise)
    ((name, pred),) = partitions.candidates.items()
    sides = (partitions.reference, name)
    options = dict(noise)
    if noise["noise"] == "cluster":
        # The command has its own notes on noise: those of the report name Python keywords.
        options["noise_label"] = _NO_LABEL
    of_entities = ENTITY in arguments.families
    if of_entities:
        ids = partitions.ids
        options["ids"] = [f"line {one}" for one in partitions.lines] if ids is None else ids
        options["family"] = ENTITY
    made: Any = clustcompare.clustering_comparison_report(
        partitions.true, pred, names=sides, **options
    )
    table = made.table if of_entities else made.decomposition.table
    notes = []
    if not arguments.noise:
        notes = _notes_on_noise({name: table}, noise["noise_label"], partitions.reference)
    made = made._with(notes, before.as_text())
    forms = {"html": made.to_html, "markdown": made.to_markdown}
    scores = {one.chosen.name: one.chosen.value(table) for one in arguments.fail_under}
    return finish(
        arguments,
        made.to_dict() | before.as_dict() if arguments.report == "json" else {},
        forms.get(arguments.report, made.__str__)().rstrip("\n"),
        judge({name: scores}, arguments.fail_under),
        failures=before.failures,
        picture=made.plot,
    )


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
