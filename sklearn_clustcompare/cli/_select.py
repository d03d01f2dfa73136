"""The command ``clustcompare select``: choose the number of clusters and the algorithm.

With reference labels candidates are ranked by an index, without them by independent evidence.
Imports for the search are local, so that the other commands start without them.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._rendering import number_text
from sklearn_clustcompare.cli._files import (
    N_DECIMALS,
    TOY_SETS,
    check_output,
    draw,
    exit_status,
    fail,
    json_text,
    judge,
    load_data,
    put,
    say,
    shown_path,
    table_text,
    verdicts_as_dict,
)
from sklearn_clustcompare.cli._options import (
    DEFAULT_INDEX,
    DELIMITER,
    EPILOG_OF_INDICES,
    JSON,
    N_JOBS,
    RANDOM_STATE,
    SCALE,
    ChosenIndex,
    Command,
    Option,
    any_threshold_type,
    as_mapping,
    chosen_indices,
    index_options,
    keywords,
    named_indices,
    one_of,
    output_option,
    picture_option,
    positive_int,
    refuse,
    threshold_option,
)

if TYPE_CHECKING:
    from sklearn_clustcompare._array_types import Array

# A search that ends before this needs no progress.
_SECONDS_OF_SILENCE = 3.0
# With one start, the instability of k-means itself would add to that of the clusters.
_N_INIT = 3
_WITH_LABELS = {"--no-label": "needs reference labels, and cannot be given with --no-label"}
_ALONE = ("--no-label",)


class _Clusterer(NamedTuple):
    class_name: str
    module: str = "sklearn.cluster"
    k_parameter: str = "n_clusters"
    parameters: Mapping[str, Any] = {}

    def make(self, random_state: int) -> Any:
        estimator = getattr(importlib.import_module(self.module), self.class_name)(
            **self.parameters
        )
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=random_state)
        return estimator

    @property
    def letter(self) -> str:
        """How the parameter that is tried is called."""
        return "k" if self.k_parameter in ("n_clusters", "n_components") else self.k_parameter


ESTIMATORS = {
    "kmeans": _Clusterer("KMeans"),
    "minibatch-kmeans": _Clusterer("MiniBatchKMeans"),
    "bisecting-kmeans": _Clusterer("BisectingKMeans"),
    "gaussian-mixture": _Clusterer("GaussianMixture", "sklearn.mixture", "n_components"),
    "birch": _Clusterer("Birch"),
    "agglomerative": _Clusterer("AgglomerativeClustering"),
    "spectral": _Clusterer("SpectralClustering"),
    "hdbscan": _Clusterer("HDBSCAN", k_parameter="min_cluster_size", parameters={"copy": True}),
    "dbscan": _Clusterer("DBSCAN", k_parameter="eps"),
}


def _distance(text: str) -> float:
    try:
        distance = float(text)
    except ValueError:
        distance = math.nan
    if not 0 < distance < math.inf:
        refuse(f"must be a positive number, got {text!r}")
    return distance


def _k_range(text: str) -> range:
    low, _, rest = text.partition(":")
    high, _, step = rest.partition(":")
    try:
        numbers = range(int(low), int(high or low) + 1, int(step or 1))
    except ValueError:
        numbers = range(0)
    if not numbers or numbers.start < 1 or numbers.step < 1:
        refuse(f"must be LOW:HIGH, LOW:HIGH:STEP or one number, 1 <= LOW <= HIGH, got {text!r}")
    return numbers


_OPTIONS = (
    Option(
        "DATA",
        f"CSV file with a header, or a toy set of scikit-learn: {', '.join(TOY_SETS)}; - reads "
        "standard input",
    ),
    Option(
        "--label COLUMN", "column of reference labels (default: the last)", group="of reference"
    ),
    Option(
        "--no-label",
        "choose the number of clusters without reference labels, by independent evidence, or "
        "report that the data do not determine it (k-means and mixtures with 3 starts); one "
        "cluster is always tried as well",
        group="of reference",
    ),
    Option("--drop COLUMN,...", "columns to leave out of the features, such as ids of the objects"),
    Option(
        "--null LAW,...",
        "laws of data without clusters for --no-label, such as copula, elliptical, pca, rates "
        "(default: auto, those that suit the columns)",
        needs=_ALONE,
    ),
    Option(
        "--n-null N",
        "data sets without clusters of each law, for --no-label",
        positive_int,
        needs=_ALONE,
    ),
    Option(
        "--n-resamples N",
        "splits, and bootstrap samples at most, for --no-label",
        positive_int,
        needs=_ALONE,
    ),
    DELIMITER,
    Option(
        "--estimator NAME,...",
        f"clusterers to try: {', '.join(ESTIMATORS)} (default: kmeans)",
        one_of(ESTIMATORS),
    ),
    Option(
        "--response METHOD",
        "compare labels (auto) or the memberships of gaussian-mixture (default: auto)",
        ("auto", "predict_proba"),
        default="auto",
        against=_WITH_LABELS,
    ),
    Option(
        "-k LOW:HIGH[:STEP]",
        "numbers of clusters, LOW and HIGH included; of hdbscan, the smallest sizes of a cluster "
        "(min_cluster_size). Default: 2:10, with --no-label more if 10 are the best; of hdbscan "
        "5:50:5, up to half of the objects",
        _k_range,
    ),
    Option(
        "--eps VALUE,...",
        "distances of neighbors (eps) that dbscan tries instead of -k; at least two with "
        "--no-label",
        _distance,
    ),
    *index_options(
        f"indices to print; the first one ranks the candidates (default: {DEFAULT_INDEX})",
        against=_WITH_LABELS,
    ),
    threshold_option(
        " of the best candidate (the first one of those that tie), or with --no-label an index of "
        "the data, such as silhouette_score, of the clusters chosen,",
        any_threshold_type,
    ),
    SCALE,
    RANDOM_STATE,
    N_JOBS,
    Option("--verbose", "report each candidate on stderr"),
    output_option("FILE.csv", "also write all candidates to a CSV file"),
    picture_option(
        "the first index, or with --no-label the evidence, against the number of clusters"
    ),
    JSON,
)


def _run(arguments: argparse.Namespace) -> int:
    check_output(arguments.output, arguments.data)
    names = [*dict.fromkeys(arguments.estimator or ["kmeans"])]
    if ("dbscan" in names) != bool(arguments.eps):
        fail("--eps is for --estimator dbscan, which needs it")
    if arguments.k and names == ["dbscan"]:
        fail("-k is not for --estimator dbscan, of which --eps takes the distances to try")
    _check_thresholds(arguments)
    if arguments.no_label:
        return _select_without_label(arguments, names)
    data = load_data(
        arguments.data, arguments.drop, arguments.delimiter, "DATA", arguments.label, "--label"
    )
    X, y, _ = data
    _check_numbers(names, arguments, len(X))
    candidates = [(name, k) for name in names for k in _values(name, arguments, len(X))]
    if not arguments.scale:
        data.note_on_scale()
    indices = chosen_indices(named_indices(arguments), arguments.fail_under)
    values, ranks = search(candidates, X, y, indices, arguments)
    rows = [
        {"rank": rank, "estimator": name, "k": k}
        | {index: of_index[at] for index, of_index in values.items()}
        for at, ((name, k), rank) in enumerate(zip(candidates, ranks, strict=True))
    ]
    best, *ties = [row for row in rows if row["rank"] == 1]
    verdicts = judge(best, arguments.fail_under)
    decides = next(iter(indices))
    n_classes = len(set(y.tolist()))
    if arguments.json:
        result = {
            "data": arguments.data,
            "n_samples": len(X),
            "n_features": X.shape[1],
            "n_classes": n_classes,
            "index": decides,
            "best": best,
            "ties": ties,
            "candidates": rows,
            **verdicts_as_dict(verdicts),
        }
        text = json_text(result)
    else:
        marked = [{"": "*" if row is best else ""} | row | {"k": f"{row['k']:g}"} for row in rows]
        text = (
            f"{shown_path(arguments.data)}: {len(X)} objects, {X.shape[1]} features, "
            f"{n_classes} classes\n\n"
            f"{table_text(marked)}\n\n* best: {_candidate_text(best)}, "
            f"{decides} {number_text(best[decides], N_DECIMALS)}"
        )
        if ties:
            text += f"\n  equally good: {'; '.join(map(_candidate_text, ties))}"
    put(text, arguments.output, rows)
    draw(arguments.picture, lambda: _display(rows, names, decides))
    return exit_status(verdicts)


COMMAND = Command(
    "select",
    _run,
    "choose the number of clusters and the algorithm",
    (
        "iris --estimator kmeans,gaussian-mixture -k 2:6",
        "wine --scale -k 2:5 --index ari,ami --fail-under ari=0.8",
    ),
    _OPTIONS,
    EPILOG_OF_INDICES,
    "  1  a limit of --fail-under is missed\n",
)


def _values(name: str, arguments: argparse.Namespace, n_samples: int) -> Sequence[float]:
    """Return the values of the parameter of a clusterer that are tried."""
    if name == "dbscan":
        return list(arguments.eps)
    sizes = range(5, max(min(50, n_samples // 2), 5) + 1, 5)
    return arguments.k or (sizes if name == "hdbscan" else range(2, max(min(10, n_samples), 2) + 1))


def _check_thresholds(arguments: argparse.Namespace) -> None:
    """Raise ValueError for limits of indices that need what is not there."""
    for one in arguments.fail_under:
        if arguments.no_label and not one.chosen.index.needs_data:
            fail(
                f"--fail-under needs reference labels for {one.chosen.title}, and cannot be given "
                "with --no-label except for an index of the data, such as silhouette_score"
            )
        if one.chosen.index.needs_data and not arguments.no_label:
            fail(
                f"--fail-under: index must compare two partitions, got {one.chosen.title}, which "
                "evaluates one by the data"
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


def _display(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], index: str
) -> clustcompare.plot.IndexCurveDisplay:
    """Draw a curve for each clusterer; rows are sorted by clusterer, then by number of clusters."""
    curves = [[row for row in rows if row["estimator"] == name] for name in names]
    numbers = [row["k"] for row in curves[0]]
    if "dbscan" in names and len(names) > 1:
        fail(f"--picture draws dbscan alone, got {', '.join(names)}")
    curve = clustcompare.results.IndexCurve(
        numbers,
        [[row[index] for row in one] for one in curves],
        winners=[[row["rank"] == 1 for row in one] for one in curves],
        names=names,
        y_label=index,
    )
    return clustcompare.plot.IndexCurveDisplay(curve).plot()


def _candidate_text(row: Mapping[str, Any]) -> str:
    return f"{row['estimator']}, {ESTIMATORS[row['estimator']].letter} = {row['k']:g}"


# --------------------------------------------------------------------------- with labels


def search(
    candidates: list[tuple[str, float]],
    X: Array,
    y: Array,
    indices: dict[str, ChosenIndex],
    arguments: argparse.Namespace,
) -> tuple[dict[str, list[float]], list[int]]:
    """Return the values of the candidates by each index, and their ranks by the first one."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    from sklearn_clustcompare._numerics import ranked

    estimators = {name: ESTIMATORS[name].make(arguments.random_state) for name, _ in candidates}
    grid = [
        {"cluster": [estimators[name]], f"cluster__{ESTIMATORS[name].k_parameter}": [k]}
        for name, k in candidates
    ]
    scaler = StandardScaler() if arguments.scale else "passthrough"
    # Objects that are in no cluster are not together.
    noise = "singletons" if {"dbscan", "hdbscan"} & set(estimators) else "cluster"
    scorer: Any = clustcompare.make_clustering_scorer(
        as_mapping(indices), response=arguments.response, noise=noise
    )
    if arguments.verbose or sys.stderr.isatty():
        silence = 0.0 if arguments.verbose else _SECONDS_OF_SILENCE
        scorer = _ReportingScorer(scorer, candidates, time.time() + silence)
    results = (
        GridSearchCV(
            Pipeline([("scale", scaler), ("cluster", estimators[candidates[0][0]])]),
            grid,
            scoring=scorer,
            cv=clustcompare.TransductiveSplit(),
            refit=False,
            n_jobs=arguments.n_jobs,
            error_score="raise",
        )
        .fit(X, y)
        .cv_results_
    )
    signed = {title: results[f"mean_test_{title}"] for title in indices}
    values = {
        title: (signed[title] if one.index.greater_is_better else 0.0 - signed[title]).tolist()
        for title, one in indices.items()
    }
    return values, ranked(next(iter(signed.values()))).astype(int).tolist()


@dataclass(frozen=True, eq=False)
class _ReportingScorer:
    """A scorer that reports each candidate on stderr, also from worker processes."""

    scorer: Callable[..., dict[str, float]]
    candidates: list[tuple[str, float]]
    silent_until: float

    def __call__(self, estimator: Any, X: Any, y: Any) -> dict[str, float]:
        scores = self.scorer(estimator, X, y)
        if time.time() >= self.silent_until:
            clusterer = estimator[-1]
            name, k_parameter = next(
                (name, known.k_parameter)
                for name, known in ESTIMATORS.items()
                if type(clusterer).__name__ == known.class_name
            )
            k = getattr(clusterer, k_parameter)
            number = self.candidates.index((name, k)) + 1
            letter = ESTIMATORS[name].letter
            say(f"candidate {number} of {len(self.candidates)} done: {name}, {letter} = {k:g}")
        return scores


# --------------------------------------------------------------------------- without labels


def _select_without_label(arguments: argparse.Namespace, names: Sequence[str]) -> int:
    """Print the number of clusters by independent evidence, and draw it."""
    if len(names) > 1:
        fail(f"--no-label takes one --estimator, got {', '.join(names)}")
    (name,) = names
    if arguments.fail_under and ESTIMATORS[name].letter != "k":
        fail(f"--fail-under with --no-label needs a number of clusters, which {name} does not have")
    data = load_data(arguments.data, arguments.drop, arguments.delimiter, "DATA")
    _check_numbers(names, arguments, len(data.X))
    X = data.scaled(arguments.scale)
    estimator = ESTIMATORS[name].make(arguments.random_state)
    starts = {"n_init": _N_INIT} if "n_init" in estimator.get_params() else {}
    choice = clustcompare.choose_n_clusters(
        estimator.set_params(**starts),
        X,
        param_name=ESTIMATORS[name].k_parameter,
        param_range=arguments.eps if name == "dbscan" else arguments.k,
        verbose=int(arguments.verbose),
        **keywords(arguments, "null", "n_null", "n_resamples", "random_state", "n_jobs"),
    )
    rows = _rows(choice.columns())
    scores = {one.chosen.title: math.nan for one in arguments.fail_under}
    if scores and choice.n_clusters and choice.n_clusters > 1:
        scores = {
            one.chosen.title: one.chosen.index(X, choice.labels, **one.chosen.parameters)
            for one in arguments.fail_under
        }
    verdicts = judge(scores, arguments.fail_under)
    if arguments.json:
        verdict = choice.verdict
        result = {
            "data": arguments.data,
            "n_samples": X.shape[0],
            "n_features": X.shape[1],
            "estimator": name,
            **starts,
            "n_clusters": choice.n_clusters,
            "verdict": {
                "grade": verdict.grade,
                "finer": list(verdict.finer),
                "at_least": verdict.at_least,
                "reasons": list(verdict.reasons),
            },
            "pvalue": choice.pvalue,
            "small_groups": [vars(one) for one in choice.small_groups],
            "candidates": rows,
            **verdicts_as_dict(verdicts),
        }
        text = json_text(result)
    else:
        shown = name + "".join(f" ({key}={value})" for key, value in starts.items())
        head = f"{shown_path(arguments.data)}: {X.shape[0]} objects, {X.shape[1]} features, {shown}"
        if 1 not in (arguments.k or ()) and ESTIMATORS[name].letter == "k":
            head += "; one cluster is also tried"
        text = f"{head}\n\n{choice}"
    put(text, arguments.output, rows)
    draw(arguments.picture, lambda: clustcompare.plot.NClustersDisplay(choice).plot())
    return exit_status(verdicts)


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns as rows, without NumPy's types; undefined values are None."""
    import numpy as np

    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return [
        {name: None if value != value else value for name, value in zip(columns, row, strict=True)}
        for row in rows
    ]
