"""The commands ``select`` and ``rank``, which choose among candidates, and ``indices``.

With reference labels candidates are ranked by an index, without them by independent evidence.
Imports for the search are local, so that the other commands start without them.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._rendering import n_candidates_text, number_text
from sklearn_clustcompare.cli._files import (
    N_DECIMALS,
    STANDARD_INPUT,
    CsvFile,
    Data,
    LabelColumn,
    direction,
    fail,
    finish,
    judge,
    load_data,
    read_labels,
    say,
    shown_path,
    table_text,
)
from sklearn_clustcompare.cli._options import ESTIMATORS
from sklearn_clustcompare.cli._parser import (
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

# A search that ends before this needs no progress.
_SECONDS_OF_SILENCE = 3.0
# With one start, the instability of k-means itself would add to that of the clusters.
_N_INIT = 3


def run(arguments: argparse.Namespace) -> int:
    names = [*dict.fromkeys(arguments.estimator or ["kmeans"])]
    _check_options(names, arguments)
    option = "" if arguments.no_label else "--label"
    data = load_data(
        arguments.data, arguments.drop, arguments.delimiter, "DATA", arguments.label, option
    )
    n_samples, n_features = data.X.shape
    _check_numbers(names, arguments, n_samples)
    X = data.scaled(arguments.scale)
    choose = _by_evidence if arguments.no_label else _by_labels
    result, text, scores, rows, picture = choose(X, data, names, arguments)
    size = {"data": arguments.data, "n_samples": n_samples, "n_features": n_features}
    head = f"{shown_path(arguments.data)}: {n_samples} objects, {n_features} features, "
    judged = judge({"": scores}, arguments.fail_under)
    return finish(arguments, size | result, head + text, judged, rows=rows, picture=picture)


# Result and text, the scores by which it is judged, all candidates, and what draws them.
_Chosen = tuple[
    dict[str, Any], str, Mapping[str, float], Sequence[Mapping[str, Any]], Callable[[], Any]
]


def _values(name: str, arguments: argparse.Namespace, n_samples: int) -> Sequence[float]:
    """Return the values of the parameter of a clusterer that are tried."""
    if name == "dbscan":
        return list(arguments.eps)
    sizes = range(5, max(min(50, n_samples // 2), 5) + 1, 5)
    return arguments.k or (sizes if name == "hdbscan" else range(2, max(min(10, n_samples), 2) + 1))


def _check_options(names: Sequence[str], arguments: argparse.Namespace) -> None:
    """Raise ValueError for options that do not fit the clusterers, or limits without labels."""
    if ("dbscan" in names) != bool(arguments.eps):
        fail("--eps is for --estimator dbscan, which needs it")
    if arguments.k and names == ["dbscan"]:
        fail("-k is not for --estimator dbscan, of which --eps takes the distances to try")
    if arguments.picture and len({ESTIMATORS[name].letter for name in names}) > 1:
        fail(f"--picture draws clusterers of one parameter, got {', '.join(names)}")
    for one in arguments.fail_under:
        if arguments.no_label and not one.chosen.index.needs_data:
            fail(
                f"--fail-under needs reference labels for {one.chosen.name}, and cannot be given "
                "with --no-label except for an index of the data, such as silhouette_score"
            )
        if one.chosen.index.needs_data and not arguments.no_label:
            fail(
                f"--fail-under: index must compare two partitions, got {one.chosen.name}, which "
                "evaluates one by the data"
            )
    if arguments.no_label:
        if len(names) > 1:
            fail(f"--no-label takes one --estimator, got {', '.join(names)}")
        if arguments.fail_under and ESTIMATORS[names[0]].letter != "k":
            fail(
                "--fail-under with --no-label needs a number of clusters, which "
                f"{names[0]} does not have"
            )


def _check_numbers(names: Sequence[str], arguments: argparse.Namespace, n_samples: int) -> None:
    """Raise ValueError for values to try that do not fit the clusterers or the data."""
    for name in names:
        flag = "--eps" if name == "dbscan" else "-k"
        given = _values(name, arguments, n_samples)
        got = f"got {', '.join(f'{one:g}' for one in given)}"
        if flag == "-k" and given[-1] > n_samples:
            fail(f"-k must not exceed the number of objects, {n_samples}, got {given[-1]}")
        if name == "hdbscan" and min(given) < 2:
            fail(f"-k must be at least 2 for hdbscan, since one object is no cluster, {got}")
        if not arguments.no_label:
            continue
        if ESTIMATORS[name].letter == "k":
            if max(given) == 1:
                fail(f"-k must hold a number above 1 with --no-label, {got}")
        elif len(set(given)) < max(len(given), 2):
            fail(f"{flag} must hold at least two different values with --no-label, {got}")


def _display(rows: Sequence[Mapping[str, Any]], names: Sequence[str], index: str) -> Any:
    """Draw a curve for each clusterer; rows are sorted by clusterer, then by number of clusters."""
    curves = [[row for row in rows if row["estimator"] == name] for name in names]
    numbers, letter = [row["k"] for row in curves[0]], ESTIMATORS[names[0]].letter
    curve = clustcompare.results.IndexCurve(
        numbers,
        [[row[index] for row in one] for one in curves],
        winners=[[row["rank"] == 1 for row in one] for one in curves],
        names=names,
        x_label="number of clusters k" if letter == "k" else letter,
        y_label=index,
    )
    return curve.plot()


def _text(estimator: str, k: float, **_: Any) -> str:
    return f"{estimator}, {ESTIMATORS[estimator].letter} = {k:g}"


# --------------------------------------------------------------------------- with labels


def _by_labels(
    X: Array, data: Data, names: Sequence[str], arguments: argparse.Namespace
) -> _Chosen:
    """Rank the candidates by the first index."""
    candidates = [(name, k) for name in names for k in _values(name, arguments, len(X))]
    indices = chosen_indices(named_indices(arguments), arguments.fail_under)
    # Objects that are in no cluster are not together.
    noise = "singletons" if {"dbscan", "hdbscan"} & set(names) else "cluster"
    found = clustcompare.score_candidates(
        data.y, search(candidates, X, arguments), indices=as_mapping(indices), noise=noise
    )
    values = {title: scores.tolist() for title, scores in found.scores.items()}
    rows = [
        {"rank": rank, "estimator": name, "k": k}
        | {index: of_index[at] for index, of_index in values.items()}
        for at, ((name, k), rank) in enumerate(zip(candidates, found.rank().tolist(), strict=True))
    ]
    best, *ties = [row for row in rows if row["rank"] == 1]
    decides, n_classes = next(iter(indices)), len(set(data.y.tolist()))
    result = {"n_classes": n_classes, "index": decides}
    result |= {"best": best, "ties": ties, "candidates": rows}
    marked = [{"": "*" if row is best else ""} | row | {"k": f"{row['k']:g}"} for row in rows]
    classes = f"{n_classes} classes of {data.label!r}" if data.label else f"{n_classes} classes"
    text = f"{classes}\n\n{table_text(marked)}\n\n* best: {_text(**best)}, "
    text += f"{decides} {number_text(best[decides], N_DECIMALS)}"
    if ties:
        text += f"\n  equally good: {'; '.join(_text(**one) for one in ties)}"
    return result, text, best, rows, lambda: _display(rows, names, decides)


def search(
    candidates: Sequence[tuple[str, float]], X: Array, arguments: argparse.Namespace
) -> list[Any]:
    """Return the labels that each candidate finds."""
    from sklearn_clustcompare._tasks import run_tasks

    silence = math.inf
    if arguments.verbose or sys.stderr.isatty():
        silence = 0.0 if arguments.verbose else _SECONDS_OF_SILENCE
    tasks = []
    for number, (name, k) in enumerate(candidates, 1):
        estimator = ESTIMATORS[name].make(arguments.random_state, k)
        text = f"candidate {number} of {len(candidates)} done: {_text(name, k)}"
        tasks.append((estimator, X, text, time.time() + silence))
    return run_tasks(_found, tasks, n_jobs=arguments.n_jobs)


def _found(estimator: Any, X: Array, text: str, silent_until: float) -> Any:
    """Fit a clusterer, and say that it is done, also in a worker process."""
    found = estimator.fit_predict(X)
    if time.time() >= silent_until:
        say(text)
    return found


# --------------------------------------------------------------------------- without labels


def _by_evidence(X: Array, _: Any, names: Sequence[str], arguments: argparse.Namespace) -> _Chosen:
    """Choose the number of clusters by independent evidence."""
    (name,) = names
    estimator = ESTIMATORS[name].make(arguments.random_state)
    starts = {"n_init": _N_INIT} if "n_init" in estimator.get_params() else {}
    choice = clustcompare.choose_n_clusters(
        estimator.set_params(**starts),
        X,
        param_name=ESTIMATORS[name].k_parameter,
        param_range=arguments.eps if name == "dbscan" else arguments.k,
        verbose=int(arguments.verbose),
        **keywords(arguments, "random_state", "n_jobs"),
    )
    rows = _rows(choice.columns())
    scores = {one.chosen.name: math.nan for one in arguments.fail_under}
    if scores and choice.n_clusters and choice.n_clusters > 1:
        scores = {
            one.chosen.name: one.chosen.index(X, choice.labels, **one.chosen.parameters)
            for one in arguments.fail_under
        }
    verdict = {
        key: list(value) if isinstance(value := getattr(choice.verdict, key), tuple) else value
        for key in ("grade", "finer", "at_least", "reasons")
    }
    result = {
        **{"estimator": name, **starts, "n_clusters": choice.n_clusters, "verdict": verdict},
        "pvalue": choice.pvalue,
        "small_groups": [vars(one) for one in choice.small_groups],
        "candidates": rows,
    }
    text = name + "".join(f" ({key}={value})" for key, value in starts.items())
    if 1 not in (arguments.k or ()) and ESTIMATORS[name].letter == "k":
        text += "; one cluster is also tried"
    return result, f"{text}\n\n{choice}", scores, rows, choice.plot


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns as rows, without NumPy's types; undefined values are None."""
    import numpy as np

    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return [
        {name: None if value != value else value for name, value in zip(columns, row, strict=True)}
        for row in rows
    ]


# --------------------------------------------------------------------------- rank


def run_rank(arguments: argparse.Namespace) -> int:
    noise = noise_keywords(arguments)
    indices = chosen_indices(named_indices(arguments), arguments.fail_under)
    columns, reference = _read_columns(arguments)
    columns = _without_ids(columns, arguments)
    n_objects = len(reference)
    scores = clustcompare.score_candidates(
        reference,
        {name: column.labels(arguments.missing) for name, column in columns.items()},
        indices=as_mapping(indices),
        **keywords(arguments, "n_jobs", "verbose"),
        **noise,
    )
    rows = _ranked_rows(scores, with_coverage=leaves_out(noise))
    decides = next(iter(scores.scores))
    best = [row for row in rows if row["rank"] == 1 and not math.isnan(row[decides])]
    result = {
        "n_samples": n_objects,
        "n_candidates": len(rows),
        "index": decides,
        "best": [row["candidate"] for row in best],
        "candidates": rows,
    }
    text = f"{n_objects} objects, {n_candidates_text(len(rows))}\n\n{table_text(rows)}"
    return finish(
        arguments,
        result,
        text,
        judge({rows[0]["candidate"]: rows[0]}, arguments.fail_under),
        rows=rows,
        picture=scores.plot,
    )


def _candidate_names(file: CsvFile, arguments: argparse.Namespace) -> list[str]:
    if arguments.candidate:
        return file.matching(arguments.candidate)
    dropped = [*filter(None, [arguments.reference]), *(arguments.drop or [])]
    names = file.names_without(dropped)
    if not names:
        left_out = ", ".join(map(repr, dropped))
        fail(f"{file.path} must have columns of candidates other than {left_out}{file.hint}")
    return names


def _read_columns(arguments: argparse.Namespace) -> tuple[dict[str, LabelColumn], Array]:
    """Return the columns of the candidates, and the reference."""
    if arguments.reference is arguments.reference_file is None:
        fail("--reference or --reference-file is needed")
    if arguments.candidates == arguments.reference_file == STANDARD_INPUT:
        fail("standard input is read once: name the column of the reference with --reference")
    file = CsvFile(arguments.candidates, arguments.delimiter)
    names = _candidate_names(file, arguments)
    of_reference = [] if arguments.reference is None else [arguments.reference]
    columns = file.read([*of_reference, *names]).labels
    candidates = {name: columns[name] for name in names}
    if of_reference:
        return candidates, columns[arguments.reference].labels(arguments.missing)
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
