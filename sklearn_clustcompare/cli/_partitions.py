"""The reference and the candidates that ``clustcompare compare`` reads."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._csv import CsvFile, LabelColumn, is_table, read_labels
from sklearn_clustcompare.cli._text import STANDARD_INPUT, shown_path

if TYPE_CHECKING:
    from numpy.typing import NDArray


_OWN_LABEL = "give the object a label of its own, or remove its row"


class Partitions(NamedTuple):
    """Labels of the same objects: a reference and candidates, by their names.

    ``id_coverage`` is the share of all objects that are in both files, and ``ids`` has those of
    the objects; None without ids. ``lines`` are those of the objects in the file of the reference,
    and ``groups`` their sampling units, None without such a column.
    """

    reference: str
    true: NDArray[Any]
    candidates: dict[str, NDArray[Any]]
    id_coverage: float | None
    ids: NDArray[Any] | None
    lines: Sequence[int] | NDArray[Any]
    groups: NDArray[Any] | None


def read_partitions(arguments: argparse.Namespace) -> Partitions:
    """Read each file once, and align the objects of two files if they have ids."""
    first, last = _checked_files(arguments)
    true_columns = [arguments.true] if arguments.true else []
    pred_columns = list(dict.fromkeys(arguments.pred or []))
    grouping = [arguments.groups] if arguments.groups else []
    if first == last and true_columns and pred_columns:
        columns = [*true_columns, *grouping, *pred_columns]
        true_file = pred_file = _read(first, columns, "", arguments)
    else:
        true_file = _read(first, [*true_columns, *grouping], "--true", arguments)
        pred_file = _read(last, pred_columns, "--pred", arguments)
    true = true_file[arguments.true]
    preds = [pred_file[column] for column in pred_columns or [None]]
    reference, *names = _names(first, last, arguments.true, pred_columns)
    # With a baseline no object may be left out.
    advice = {"advice": _OWN_LABEL} if getattr(arguments, "baseline", None) else {}
    labels = [column.labels(arguments.missing, **advice) for column in (true, *preds)]
    groups = true_file[arguments.groups].labels(**advice) if arguments.groups else None
    coverage = ids = None
    if arguments.id is not None:
        rows = _common_rows(true_file[arguments.id], pred_file[arguments.id])
        coverage, ids = rows.coverage, rows.ids
        labels = [labels[0][rows.labels_true], *(one[rows.labels_pred] for one in labels[1:])]
        groups = None if groups is None else groups[rows.labels_true]
    else:
        files = f"{shown_path(first)} and {shown_path(last)}"
        has_rows = first != last and true_columns and pred_columns
        if len(true) != len(preds[0]):
            hint = "; --id matches their rows by a column" if has_rows else ""
            msg = f"{files} must have the same length, got {len(true)} and {len(preds[0])}{hint}"
            raise ValueError(msg)
        if has_rows:
            say(f"note: the rows of {files} are matched by position; --id matches them by a column")
    for name, column in zip(names, preds, strict=True):
        if true.all_differ() and column.all_differ():
            say(
                f"warning: every label of {reference} and of {name} is different, as in ids of the "
                "objects: all clusters have one object"
            )
    return Partitions(
        reference,
        labels[0],
        dict(zip(names, labels[1:], strict=True)),
        coverage,
        ids,
        true.lines,
        groups,
    )


def lists_records(arguments: argparse.Namespace) -> bool:
    """Return whether the output names single records."""
    return bool(arguments.report) and "entity" in arguments.families


def _checked_files(arguments: argparse.Namespace) -> tuple[str, str]:
    files, has_columns = arguments.files, bool(arguments.true and arguments.pred)
    if len(files) > 2:
        msg = f"compare takes one or two files, got {len(files)}: {', '.join(files)}"
        raise ValueError(msg)
    if len(files) == 1 and not has_columns:
        msg = (
            "compare takes two label files, or one CSV file with both --true and --pred, "
            f"got {shown_path(files[0])} alone"
        )
        raise ValueError(msg)
    first, last = files[0], files[-1]
    if first == last == STANDARD_INPUT and not has_columns:
        msg = "standard input is read once: give it once, with both --true and --pred"
        raise ValueError(msg)
    names_records = getattr(arguments, "baseline", None) or lists_records(arguments)
    is_one_file = first == last and not names_records
    if arguments.id is not None and (is_one_file or not has_columns):
        msg = (
            "--id needs two CSV files, --baseline, or --report with --family entity, with --true "
            "and --pred"
        )
        raise ValueError(msg)
    return first, last


def _read(
    path: str, columns: Sequence[str], option: str, arguments: argparse.Namespace
) -> dict[Any, LabelColumn]:
    """Return columns by their names, or the labels of a text file by None."""
    if columns:
        ids = [] if arguments.id is None else [arguments.id]
        return CsvFile(path, arguments.delimiter).read([*columns, *ids]).labels
    if is_table(path):
        msg = f"{path} is a CSV file or a frame: {option} must name its column of labels"
        raise ValueError(msg)
    return {None: read_labels(path)}


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
        msg = f"{first.path} and {second.path} have no object of column {first.name!r} in common"
        raise ValueError(msg)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the note names the files
        aligned = clustcompare.align_partitions(
            range(len(first)), range(len(second)), ids_true=ids[0], ids_pred=ids[1]
        )
    n_common = len(aligned.ids)
    n_all = len(first) + len(second) - n_common
    if n_common < n_all:
        say(f"note: {n_common} of {n_all} objects are in both files; the others are left out")
    return aligned


def _unique_labels(column: LabelColumn) -> NDArray[Any]:
    labels = column.labels("keep")
    seen: dict[str, int] = {}
    for row, label in enumerate(labels.tolist()):
        if label is None:
            msg = (
                f"{column.place(row)}: an id must not be missing; give the object one, or remove "
                "its row"
            )
            raise ValueError(msg)
        if seen.setdefault(label, row) == row:
            continue
        msg = (
            f"{column.place(row)}: ids must be unique, got {labels[row]!r} "
            f"as on line {column.lines[seen[labels[row]]]}; remove one of the rows"
        )
        raise ValueError(msg)
    return labels
