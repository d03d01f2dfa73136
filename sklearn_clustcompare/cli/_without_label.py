"""Choose the number of clusters of ``clustcompare select --no-label``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._data import load_features, note_on_scale
from sklearn_clustcompare.cli._output import json_text, put
from sklearn_clustcompare.cli._pictures import draw
from sklearn_clustcompare.cli._search import ESTIMATORS, estimator_names
from sklearn_clustcompare.cli._text import shown_path

# With one start, the instability of k-means itself would add to that of the clusters.
_N_INIT = 3


def check_numbers(numbers: Sequence[int], n_samples: int) -> None:
    if numbers[-1] > n_samples:
        msg = f"-k must not exceed the number of objects, {n_samples}, got {numbers[-1]}"
        raise ValueError(msg)


def select_without_label(arguments: argparse.Namespace) -> int:
    """Print the number of clusters by independent evidence, and draw it."""
    name = _estimator(arguments)
    data = load_features(arguments.data, arguments.drop, arguments.delimiter, "DATA")
    X = data.X
    check_numbers(arguments.k, len(X))
    if arguments.scale:
        from sklearn.preprocessing import StandardScaler

        X = StandardScaler().fit_transform(X)
    else:
        note_on_scale(data)
    estimator = ESTIMATORS[name].make(arguments.random_state)
    starts = {"n_init": _N_INIT} if "n_init" in estimator.get_params() else {}
    choice = clustcompare.choose_n_clusters(
        estimator.set_params(**starts),
        X,
        param_name=ESTIMATORS[name].k_parameter,
        param_range=arguments.k,
        **drawing_options(arguments),
        random_state=arguments.random_state,
        n_jobs=arguments.n_jobs,
        verbose=int(arguments.verbose),
    )
    rows = _rows(choice.columns())
    if arguments.json:
        result = {
            "data": arguments.data,
            "n_samples": X.shape[0],
            "n_features": X.shape[1],
            "estimator": name,
            **starts,
            "n_clusters": choice.n_clusters,
            "verdict": {
                "grade": choice.verdict.grade,
                "finer": list(choice.verdict.finer),
                "at_least": choice.verdict.at_least,
                "reasons": list(choice.verdict.reasons),
            },
            "pvalue": choice.pvalue,
            "candidates": rows,
        }
        text = json_text(result)
    else:
        shown = name + "".join(f" ({key}={value})" for key, value in starts.items())
        head = f"{shown_path(arguments.data)}: {X.shape[0]} objects, {X.shape[1]} features, {shown}"
        if 1 not in arguments.k:
            head += "; one cluster is also tried"
        text = f"{head}\n\n{choice}"
    put(text, arguments.output, rows)
    draw(arguments.picture, lambda: clustcompare.NClustersDisplay(choice).plot())
    return 0


def drawing_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options given for what is drawn, as arguments of :func:`choose_n_clusters`."""
    names = "null", "n_null", "n_resamples"
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def _estimator(arguments: argparse.Namespace) -> str:
    """Return the name of the only clusterer; options that need a reference raise an error."""
    given = {
        "--index": arguments.index,
        "--family": arguments.families,
        "--fail-under": arguments.fail_under,
        "--response": arguments.response != "auto",
    }
    for option, value in given.items():
        if value:
            msg = f"{option} needs reference labels, and cannot be given with --no-label"
            raise ValueError(msg)
    names = estimator_names(arguments)
    if len(names) > 1:
        msg = f"--no-label takes one --estimator, got {', '.join(names)}"
        raise ValueError(msg)
    return names[0]


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns as rows, without NumPy's types; undefined values are None."""
    import numpy as np

    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return [
        {name: None if value != value else value for name, value in zip(columns, row, strict=True)}
        for row in rows
    ]
