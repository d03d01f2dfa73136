"""The command ``clustcompare``.

Exit status: 0 when all is well, 1 when an index fails a ``--fail-under``, 2 for bad input,
130 when interrupted, 141 when the reader of the output went away.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TextIO

from numpy.typing import NDArray
from sklearn import cluster, datasets
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_clustcompare
from sklearn_clustcompare._csv import CsvFile, is_csv, read_csv, read_labels
from sklearn_clustcompare._index import Index
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._validation import check_same_length, options_text
from sklearn_clustcompare.indices import INDICES, get_index, list_indices
from sklearn_clustcompare.model_selection import TransductiveSplit
from sklearn_clustcompare.scorers import make_clustering_scorer

_PROGRAM = "clustcompare"
_DEFAULT_INDEX = "adjusted_rand_score"

_TOY_SETS: dict[str, Callable[..., Any]] = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "digits": datasets.load_digits,
    "breast_cancer": datasets.load_breast_cancer,
}


class _Clusterer(NamedTuple):
    estimator_class: type
    k_parameter: str = "n_clusters"


_ESTIMATORS = {
    "kmeans": _Clusterer(cluster.KMeans),
    "minibatch-kmeans": _Clusterer(cluster.MiniBatchKMeans),
    "bisecting-kmeans": _Clusterer(cluster.BisectingKMeans),
    "gaussian-mixture": _Clusterer(GaussianMixture, "n_components"),
    "birch": _Clusterer(cluster.Birch),
    "agglomerative": _Clusterer(cluster.AgglomerativeClustering),
    "spectral": _Clusterer(cluster.SpectralClustering),
}

_PROPERTIES = ("greater_is_better", "range", "symmetric", "metric", "adjusted", "soft", "source")

# A search that is over by then needs no progress.
_SECONDS_OF_SILENCE = 3.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, default=None
        Arguments; None takes those of the process.

    Returns
    -------
    int
        The exit status.
    """
    with warnings.catch_warnings():
        warnings.showwarning = _print_warning
        try:
            arguments = _make_parser().parse_args(argv)
            status: int = arguments.run(arguments)
            sys.stdout.flush()
        except BrokenPipeError:
            # Nobody reads on: what is still in the buffer must not fail at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 141
        except (ValueError, TypeError, OSError) as error:
            _say(f"error: {error}")
            return 2
        except KeyboardInterrupt:
            _say("interrupted")
            return 130
    return status


# --------------------------------------------------------------------------- arguments


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=_PROGRAM, description="Compare clusterings and choose the number of clusters."
    )
    version = f"%(prog)s {sklearn_clustcompare.__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_select(commands)
    _add_compare(commands)
    _add_rank(commands)
    _add_indices(commands)
    return parser


def _add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], text: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text, epilog=f"indices: {', '.join(list_indices())}"
    )
    parser.set_defaults(run=run)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _add_indices_option(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument(
        "--index", nargs="+", action="extend", type=_index, metavar="NAME", help=text
    )


def _add_output_option(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--output", type=_output, metavar="FILE.csv", help=text)


def _add_select(commands: Any) -> None:
    parser = _add_command(
        commands, "select", _select, "choose the number of clusters and the algorithm"
    )
    parser.add_argument(
        "data",
        metavar="DATA",
        help=f"CSV file with a header, or a toy set of scikit-learn: {', '.join(_TOY_SETS)}",
    )
    parser.add_argument(
        "--label", metavar="COLUMN", help="column of reference labels (default: the last)"
    )
    parser.add_argument(
        "--estimator",
        nargs="+",
        action="extend",
        type=_estimator,
        metavar="NAME",
        help=f"one or more of: {', '.join(_ESTIMATORS)} (default: kmeans)",
    )
    parser.add_argument(
        "-k",
        type=_k_range,
        default=range(2, 11),
        metavar="LOW:HIGH",
        help="numbers of clusters, both ends included (default: 2:10)",
    )
    _add_indices_option(parser, f"the first one decides (default: {_DEFAULT_INDEX})")
    parser.add_argument(
        "--scale", action="store_true", help="give every feature mean 0 and variance 1"
    )
    parser.add_argument("--random-state", type=int, default=0, metavar="SEED", help="default: 0")
    parser.add_argument("--n-jobs", type=int, metavar="N", help="processes (default: 1)")
    parser.add_argument("--verbose", action="store_true", help="tell of each candidate on stderr")
    _add_output_option(parser, "also write all candidates to a CSV file")


def _add_compare(commands: Any) -> None:
    parser = _add_command(commands, "compare", _compare, "compare two partitions")
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="reference and candidate: two text files with one label per line, "
        "or CSV files (one for both will do) with --true and --pred",
    )
    parser.add_argument("--true", metavar="COLUMN", help="column of the reference in the first CSV")
    parser.add_argument("--pred", metavar="COLUMN", help="column of the candidate in the last CSV")
    _add_indices_option(parser, "default: all of them")
    parser.add_argument(
        "--fail-under",
        action="append",
        default=[],
        type=_threshold,
        metavar="NAME=VALUE",
        help="exit with status 1 if a score is below VALUE or a distance above it; repeatable",
    )


def _add_rank(commands: Any) -> None:
    parser = _add_command(
        commands, "rank", _rank, "rank many candidate partitions against one reference"
    )
    parser.add_argument(
        "candidates", metavar="CANDIDATES.csv", help="one candidate partition per column"
    )
    reference = parser.add_mutually_exclusive_group(required=True)
    reference.add_argument("--reference", metavar="COLUMN", help="reference in the same CSV")
    reference.add_argument(
        "--reference-file", metavar="LABELS.txt", help="reference, one label per line"
    )
    parser.add_argument(
        "--candidate",
        nargs="+",
        action="extend",
        metavar="COLUMN",
        help="columns to rank (default: all but the reference)",
    )
    _add_indices_option(parser, f"the first one ranks (default: {_DEFAULT_INDEX})")
    parser.add_argument("--top", type=_positive_int, metavar="N", help="only the first N")
    _add_output_option(parser, "also write the ranking to a CSV file")


def _add_indices(commands: Any) -> None:
    _add_command(commands, "indices", _indices, "list the indices and their properties")


def _index(text: str) -> Index:
    try:
        return get_index(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _estimator(text: str) -> str:
    if text not in _ESTIMATORS:
        message = f"estimator must be one of {options_text(_ESTIMATORS, text)}"
        raise argparse.ArgumentTypeError(message)
    return text


def _k_range(text: str) -> range:
    low, _, high = text.partition(":")
    try:
        numbers = range(int(low), int(high or low) + 1)
    except ValueError:
        numbers = range(0)
    if not numbers or numbers[0] < 1:
        message = f"must be LOW:HIGH or one number, 1 <= LOW <= HIGH, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return numbers


def _threshold(text: str) -> tuple[Index, float]:
    name, _, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        message = f"must be NAME=VALUE with a finite number, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return _index(name), number


def _output(text: str) -> Path:
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():  # told before a long search, not after it
        message = f"must be a file in a folder that exists, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return path


def _positive_int(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        message = f"must be a positive whole number, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


# --------------------------------------------------------------------------- select


def _select(arguments: argparse.Namespace) -> int:
    X, y = _load(arguments.data, arguments.label)
    ks = arguments.k
    if ks[-1] > len(X):
        message = f"-k must not exceed the number of objects, {len(X)}, got {ks[-1]}"
        raise ValueError(message)
    indices = _chosen(arguments.index)
    names = list(dict.fromkeys(arguments.estimator or ["kmeans"]))
    candidates = [(name, k) for name in names for k in ks]
    scores = _search(candidates, X, y, indices, arguments)
    ranks = _ranks(scores[indices[0].name], indices[0])
    rows = [
        {"rank": rank, "estimator": name, "k": k} | {i.name: scores[i.name][at] for i in indices}
        for at, ((name, k), rank) in enumerate(zip(candidates, ranks, strict=True))
    ]
    best, *ties = [row for row in rows if row["rank"] == 1]
    n_classes = len(set(y.tolist()))
    if arguments.output:
        _write_csv(arguments.output, rows)
    if arguments.json:
        _print_json(
            {
                "data": arguments.data,
                "n_samples": len(X),
                "n_features": X.shape[1],
                "n_classes": n_classes,
                "index": indices[0].name,
                "best": best,
                "ties": ties,
                "candidates": rows,
            }
        )
        return 0
    print(f"{arguments.data}: {len(X)} objects, {X.shape[1]} features, {n_classes} classes\n")
    print(_table([{"": "*" if row is best else ""} | row for row in rows]))
    print(f"\n* best: {_candidate_text(best)}, {_score_text(best, indices[0])}")
    if ties:
        print(f"  equally good: {'; '.join(map(_candidate_text, ties))}")
    return 0


def _load(data: str, label: str | None) -> tuple[NDArray[Any], NDArray[Any]]:
    if data in _TOY_SETS:
        if label is not None:
            message = f"--label names a column of a CSV file, but {data} is a toy set"
            raise ValueError(message)
        X, y = _TOY_SETS[data](return_X_y=True)
        return X, y
    if not Path(data).exists():
        message = f"DATA must be a CSV file or one of {options_text(_TOY_SETS, data)}"
        raise ValueError(message)
    file = read_csv(data)
    label = file.names[-1] if label is None else label
    y = file.labels(label)
    features = [name for name in file.names if name != label]
    if not features:
        message = f"{data} must have columns of features beside the labels, got {label!r} only"
        raise ValueError(message)
    fractional = next((text for text in y if _is_fractional(text)), None)
    if fractional is not None:
        msg = (
            f"the label column {label!r} of {data} must hold discrete labels, got {fractional!r}; "
            "name another column with --label"
        )
        raise ValueError(msg)
    return file.features(features), y


def _is_fractional(text: str) -> bool:
    try:
        return not float(text).is_integer()
    except ValueError:
        return False


def _search(
    candidates: list[tuple[str, int]],
    X: NDArray[Any],
    y: NDArray[Any],
    indices: list[Index],
    arguments: argparse.Namespace,
) -> dict[str, list[float]]:
    """Score every candidate with every index."""
    grid = [
        {"cluster": [_make_estimator(name, arguments.random_state)], f"cluster__{parameter}": [k]}
        for name, k in candidates
        for parameter in [_ESTIMATORS[name].k_parameter]
    ]
    scale = StandardScaler() if arguments.scale else "passthrough"
    scorer: Any = make_clustering_scorer([index.name for index in indices])
    if arguments.verbose or sys.stderr.isatty():
        silence = 0.0 if arguments.verbose else _SECONDS_OF_SILENCE
        scorer = _ReportingScorer(scorer, candidates, time.time() + silence)
    search = GridSearchCV(
        Pipeline([("scale", scale), ("cluster", cluster.KMeans())]),
        grid,
        scoring=scorer,
        cv=TransductiveSplit(),
        refit=False,
        n_jobs=arguments.n_jobs,
        error_score="raise",
    ).fit(X, y)
    return {
        index.name: [
            float(value if index.greater_is_better else 0.0 - value)
            for value in search.cv_results_[f"mean_test_{index.name}"]
        ]
        for index in indices
    }


def _make_estimator(name: str, random_state: int) -> Any:
    estimator = _ESTIMATORS[name].estimator_class()
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=random_state)
    return estimator


class _ReportingScorer:
    """A scorer that tells of each candidate on stderr, from worker processes too."""

    def __init__(
        self,
        scorer: Callable[..., dict[str, float]],
        candidates: list[tuple[str, int]],
        silent_until: float,
    ) -> None:
        self.scorer = scorer
        self.candidates = candidates
        self.silent_until = silent_until

    def __call__(self, estimator: Pipeline, X: Any, y: Any) -> dict[str, float]:
        scores = self.scorer(estimator, X, y)
        if time.time() >= self.silent_until:
            clusterer = estimator[-1]
            name, k_parameter = next(
                (name, known.k_parameter)
                for name, known in _ESTIMATORS.items()
                if type(clusterer) is known.estimator_class
            )
            k = getattr(clusterer, k_parameter)
            number = self.candidates.index((name, k)) + 1
            _say(f"candidate {number} of {len(self.candidates)} done: {name}, k = {k}")
        return scores


def _candidate_text(row: Mapping[str, Any]) -> str:
    return f"{row['estimator']}, k = {row['k']}"


def _score_text(row: Mapping[str, Any], index: Index) -> str:
    return f"{index.name} {_cell(row[index.name])}"


# --------------------------------------------------------------------------- compare


def _compare(arguments: argparse.Namespace) -> int:
    if len(arguments.files) > 2:
        message = f"compare takes one or two files, got {len(arguments.files)}"
        raise ValueError(message)
    if len(arguments.files) == 1 and (arguments.true is None or arguments.pred is None):
        message = (
            "compare takes two label files, or one CSV file with both --true and --pred, "
            f"got {arguments.files[0]} alone"
        )
        raise ValueError(message)
    true = _read_column(arguments.files[0], arguments.true, "--true")
    pred = _read_column(arguments.files[-1], arguments.pred, "--pred")
    check_same_length(true, pred, (arguments.files[0], arguments.files[-1]))
    table = ContingencyTable.from_labels(true, pred)
    shown = _chosen(arguments.index) if arguments.index else list(INDICES.values())
    thresholds = arguments.fail_under
    indices = list(dict.fromkeys(index.name for index in shown + [i for i, _ in thresholds]))
    scores = {name: get_index(name)(table) for name in indices}
    n_rows, n_cols = table.shape
    if arguments.json:
        _print_json(
            {
                "n_samples": table.n_samples,
                "n_clusters_true": n_rows,
                "n_clusters_pred": n_cols,
                "scores": scores,
            }
        )
    else:
        print(f"{table.n_samples} objects, {n_rows} clusters in the reference, {n_cols} compared\n")
        print(_table([_score_row(INDICES[name], value) for name, value in scores.items()]))
    return _judge(scores, thresholds)


def _read_column(path: str, column: str | None, option: str) -> NDArray[Any]:
    if column is not None:
        return read_csv(path).labels(column)
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
        "better": _direction(index),
    }


def _direction(index: Index) -> str:
    return "higher" if index.greater_is_better else "lower"


def _judge(scores: Mapping[str, float], thresholds: Iterable[tuple[Index, float]]) -> int:
    status = 0
    for index, limit in thresholds:
        value = scores[index.name]
        if value < limit if index.greater_is_better else value > limit:
            side = "below" if index.greater_is_better else "above"
            _say(f"failed: {index.name} is {value!r}, {side} {limit!r}")
            status = 1
    return status


# --------------------------------------------------------------------------- rank


def _rank(arguments: argparse.Namespace) -> int:
    file = read_csv(arguments.candidates)
    reference = _reference(file, arguments)
    names = arguments.candidate or [name for name in file.names if name != arguments.reference]
    if not names:
        message = f"{file.path} must have columns of candidates beside {arguments.reference!r}"
        raise ValueError(message)
    indices = _chosen(arguments.index)
    rows = rank_candidates(reference, {name: file.labels(name) for name in names}, indices)
    rows = rows[: arguments.top]
    if arguments.output:
        _write_csv(arguments.output, rows)
    if arguments.json:
        _print_json({"n_samples": len(reference), "index": indices[0].name, "candidates": rows})
    else:
        print(f"{len(reference)} objects, {len(names)} candidates\n")
        print(_table(rows))
    return 0


def _reference(file: CsvFile, arguments: argparse.Namespace) -> NDArray[Any]:
    if arguments.reference is not None:
        return file.labels(arguments.reference)
    reference = read_labels(arguments.reference_file)
    if len(reference) != len(file.lines):
        message = (
            f"reference and candidates must have the same length, got {len(reference)} labels "
            f"in {arguments.reference_file} and {len(file.lines)} rows in {file.path}"
        )
        raise ValueError(message)
    return reference


def rank_candidates(
    labels_true: NDArray[Any], candidates: Mapping[str, NDArray[Any]], indices: Sequence[Index]
) -> list[dict[str, Any]]:
    """Compare candidate partitions with one reference, the best by the first index first.

    Parameters
    ----------
    labels_true : ndarray of shape (n_samples,)
        Labels of the reference.
    candidates : mapping of str to ndarray of shape (n_samples,)
        Labels of each candidate by its name.
    indices : sequence of Index
        Indices to compute; the first one ranks.

    Returns
    -------
    list of dict
        For each candidate ``rank`` (equal values share the best one), ``candidate``,
        ``n_clusters`` and the values by name of index.
    """
    rows: list[dict[str, Any]] = []
    for name, labels in candidates.items():
        table = ContingencyTable.from_labels(labels_true, labels)
        values = {index.name: index(table) for index in indices}
        rows.append({"candidate": name, "n_clusters": table.shape[1]} | values)
    ranks = _ranks([row[indices[0].name] for row in rows], indices[0])
    ranked = [{"rank": rank} | row for rank, row in zip(ranks, rows, strict=True)]
    return sorted(ranked, key=lambda row: row["rank"])


def _ranks(values: Sequence[float], index: Index) -> list[int]:
    """Give the best value rank 1; equal values share the lowest rank: 1, 1, 3."""
    rank: dict[float, int] = {}
    for position, value in enumerate(sorted(values, reverse=index.greater_is_better), start=1):
        rank.setdefault(value, position)
    return [rank[value] for value in values]


# --------------------------------------------------------------------------- indices


def _indices(arguments: argparse.Namespace) -> int:
    indices = INDICES.values()
    if arguments.json:
        _print_json([{name: getattr(i, name) for name in ("name", *_PROPERTIES)} for i in indices])
        return 0
    rows = []
    for index in indices:
        low, high = index.range
        row = {"name": index.name, "better": _direction(index), "range": f"[{low:g}, {high:g}]"}
        flags = ("symmetric", "metric", "adjusted", "soft")
        row |= {flag: "yes" if getattr(index, flag) else "no" for flag in flags}
        rows.append(row | {"source": index.source})
    print(_table(rows))
    return 0


# --------------------------------------------------------------------------- output


def _chosen(indices: list[Index] | None) -> list[Index]:
    names = dict.fromkeys(index.name for index in indices or [get_index(_DEFAULT_INDEX)])
    return [get_index(name) for name in names]


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Lay out rows in aligned columns: numbers to the right, text to the left."""
    columns = []
    for name, first in rows[0].items():
        cells = [name, *(_cell(row[name]) for row in rows)]
        width = max(map(len, cells))
        adjust = str.ljust if isinstance(first, str) else str.rjust
        columns.append([adjust(cell, width) for cell in cells])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6f}" if abs(value) < 1e6 else f"{value:.10g}"
    return str(value)


def _print_json(data: Any) -> None:
    print(json.dumps(_plain(data), indent=2, allow_nan=False))


def _plain(data: Any) -> Any:
    """Replace what JSON cannot write: infinite bounds become null."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and math.isinf(data):
        return None
    return data


def _write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _say(text: str) -> None:
    """Write one line to stderr."""
    print(f"{_PROGRAM}: {' '.join(text.split())}", file=sys.stderr, flush=True)


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    _say(f"warning: {message}")
