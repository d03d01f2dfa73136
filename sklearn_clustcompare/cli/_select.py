"""The command ``clustcompare select``: choose the number of clusters and the algorithm."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import options_text
from sklearn_clustcompare._rendering import number_text
from sklearn_clustcompare.cli._arguments import (
    DEFAULT_INDEX,
    add_command_parser,
    add_delimiter_option,
    add_index_option,
    add_json_option,
    add_list_option,
    add_n_jobs_option,
    add_output_option,
    check_output,
    chosen_indices,
    named_indices,
    positive_int,
)
from sklearn_clustcompare.cli._data import TOY_SETS, load_data, note_on_scale
from sklearn_clustcompare.cli._output import N_DECIMALS, json_text, put, table_text
from sklearn_clustcompare.cli._pictures import add_picture_option, draw
from sklearn_clustcompare.cli._search import ESTIMATORS, estimator_names, search
from sklearn_clustcompare.cli._text import shown_path
from sklearn_clustcompare.cli._thresholds import (
    add_threshold_option,
    exit_status,
    judge,
    verdicts_as_dict,
)
from sklearn_clustcompare.cli._without_label import (
    check_numbers,
    drawing_options,
    select_without_label,
)

if TYPE_CHECKING:
    from sklearn_clustcompare import IndexCurveDisplay


def add_command(commands: Any) -> None:
    parser = add_command_parser(
        commands,
        "select",
        _run,
        "choose the number of clusters and the algorithm",
        "iris --estimator kmeans,gaussian-mixture -k 2:6",
    )
    parser.add_argument(
        "data",
        metavar="DATA",
        help=f"CSV file with a header, or a toy set of scikit-learn: {', '.join(TOY_SETS)}; "
        "- reads standard input",
    )
    reference = parser.add_mutually_exclusive_group()
    reference.add_argument(
        "--label", metavar="COLUMN", help="column of reference labels (default: the last)"
    )
    reference.add_argument(
        "--no-label",
        action="store_true",
        help="choose the number of clusters without reference labels, by independent evidence, "
        "or report that the data do not determine it (k-means and mixtures with 3 starts); one "
        "cluster is always tried as well",
    )
    add_list_option(
        parser,
        "--drop",
        str,
        "COLUMN",
        "columns to leave out of the features, such as ids of the objects",
    )
    add_list_option(
        parser,
        "--null",
        str,
        "LAW",
        "laws of data without clusters for --no-label, such as copula, elliptical, pca, rates "
        "(default: auto, those that suit the columns)",
    )
    parser.add_argument(
        "--n-null",
        type=positive_int,
        metavar="N",
        help="data sets without clusters of each law, for --no-label",
    )
    parser.add_argument(
        "--n-resamples",
        type=positive_int,
        metavar="N",
        help="splits, and bootstrap samples at most, for --no-label",
    )
    add_delimiter_option(parser)
    add_list_option(
        parser,
        "--estimator",
        _estimator,
        "NAME",
        f"clusterers to try: {', '.join(ESTIMATORS)} (default: kmeans)",
    )
    parser.add_argument(
        "--response",
        choices=("auto", "predict_proba"),
        default="auto",
        help="compare labels (auto) or the memberships of gaussian-mixture (default: auto)",
    )
    parser.add_argument(
        "-k",
        type=_k_range,
        default=range(2, 11),
        metavar="LOW:HIGH[:STEP]",
        help="numbers of clusters, LOW and HIGH included (default: 2:10)",
    )
    add_index_option(
        parser, f"indices to print; the first one ranks the candidates (default: {DEFAULT_INDEX})"
    )
    add_threshold_option(parser, " of the best candidate (the first one of those that tie)")
    parser.add_argument(
        "--scale", action="store_true", help="scale each feature to mean 0 and variance 1"
    )
    parser.add_argument(
        "--random-state", type=int, default=0, metavar="SEED", help="seed (default: 0)"
    )
    add_n_jobs_option(parser)
    parser.add_argument("--verbose", action="store_true", help="report each candidate on stderr")
    add_output_option(parser, "FILE.csv", "also write all candidates to a CSV file")
    add_picture_option(
        parser, "the first index, or with --no-label the evidence, against the number of clusters"
    )
    add_json_option(parser)


def _estimator(text: str) -> str:
    if text not in ESTIMATORS:
        msg = f"estimator must be one of {options_text(ESTIMATORS, text)}"
        raise argparse.ArgumentTypeError(msg)
    return text


def _k_range(text: str) -> range:
    low, _, rest = text.partition(":")
    high, _, step = rest.partition(":")
    try:
        numbers = range(int(low), int(high or low) + 1, int(step or 1))
    except ValueError:
        numbers = range(0)
    if not numbers or numbers.start < 1 or numbers.step < 1:
        msg = f"must be LOW:HIGH, LOW:HIGH:STEP or one number, 1 <= LOW <= HIGH, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return numbers


def _run(arguments: argparse.Namespace) -> int:
    check_output(arguments.output, [arguments.data])
    if arguments.no_label:
        return select_without_label(arguments)
    for option in drawing_options(arguments):
        msg = f"--{option.replace('_', '-')} needs --no-label"
        raise ValueError(msg)
    data = load_data(
        arguments.data, arguments.label, arguments.drop, arguments.delimiter, "DATA", "--label"
    )
    X, y, _ = data
    check_numbers(arguments.k, len(X))
    if not arguments.scale:
        note_on_scale(data)
    indices = chosen_indices(named_indices(arguments), [one.chosen for one in arguments.fail_under])
    names = estimator_names(arguments)
    candidates = [(name, k) for name in names for k in arguments.k]
    scores = search(
        candidates,
        X,
        y,
        indices,
        response=arguments.response,
        scale=arguments.scale,
        random_state=arguments.random_state,
        n_jobs=arguments.n_jobs,
        verbose=arguments.verbose,
    )
    rows = [
        {"rank": rank, "estimator": name, "k": k}
        | {index: values[at] for index, values in scores.values.items()}
        for at, ((name, k), rank) in enumerate(zip(candidates, scores.ranks, strict=True))
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
        marked = [{"": "*" if row is best else ""} | row for row in rows]
        text = (
            f"{shown_path(arguments.data)}: {len(X)} objects, {X.shape[1]} features, "
            f"{n_classes} classes\n\n"
            f"{table_text(marked)}\n\n* best: {_candidate_text(best)}, "
            f"{decides} {number_text(best[decides], N_DECIMALS)}"
        )
        if ties:
            text += f"\n  equally good: {'; '.join(map(_candidate_text, ties))}"
    put(text, arguments.output, rows)
    draw(arguments.picture, lambda: _display(rows, names, list(arguments.k), decides))
    return exit_status(verdicts)


def _display(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], numbers: Sequence[int], index: str
) -> IndexCurveDisplay:
    """Draw a curve for each clusterer; rows are sorted by clusterer, then by number of clusters."""
    curves = [[row for row in rows if row["estimator"] == name] for name in names]
    curve = clustcompare.results.IndexCurve(
        numbers,
        [[row[index] for row in one] for one in curves],
        winners=[[row["rank"] == 1 for row in one] for one in curves],
        names=names,
        y_label=index,
    )
    return clustcompare.IndexCurveDisplay(curve).plot()


def _candidate_text(row: Mapping[str, Any]) -> str:
    return f"{row['estimator']}, k = {row['k']}"
