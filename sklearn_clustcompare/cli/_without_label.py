"""Choose the number of clusters of ``clustcompare select --no-label``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._output import json_text, put
from sklearn_clustcompare.cli._search import ESTIMATORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sklearn_clustcompare import ClusterStability, NClustersChoice


def select_without_label(arguments: argparse.Namespace, X: NDArray[Any]) -> int:
    names = list(dict.fromkeys(arguments.estimator or ["kmeans"]))
    if len(names) > 1:
        msg = f"--no-label takes one --estimator, got {', '.join(names)}"
        raise ValueError(msg)
    (name,) = names
    if arguments.scale:
        from sklearn.preprocessing import StandardScaler

        X = StandardScaler().fit_transform(X)
    choice = clustcompare.choose_n_clusters(
        ESTIMATORS[name].make(arguments.random_state),
        X,
        param_name=ESTIMATORS[name].k_parameter,
        param_range=arguments.k,
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
            "n_clusters": choice.n_clusters,
            "choices": choice.choices(),
            "pvalue": choice.structure.pvalue,
            "candidates": rows,
            "clusters": _clusters(choice.cluster_stability),
            "summary": choice.summary.splitlines(),
        }
        text = json_text(result)
    else:
        head = f"{arguments.data}: {X.shape[0]} objects, {X.shape[1]} features, {name}"
        text = f"{head}\n\n{choice}"
    put(text, arguments.output, rows)
    if arguments.picture is not None:
        _draw(choice, arguments.picture)
    return 0


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns as rows, without NumPy's types; undefined values are None."""
    import numpy as np

    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return [
        {name: None if value != value else value for name, value in zip(columns, row, strict=True)}
        for row in rows
    ]


def _clusters(stability: ClusterStability | None) -> list[dict[str, Any]]:
    if stability is None:
        return []
    return _rows(
        {
            "cluster": stability.clusters,
            "size": stability.sizes,
            "stability": stability.mean,
            "reading": stability.readings,
        }
    )


def _draw(choice: NClustersChoice, path: Path) -> None:
    figure = clustcompare.NClustersDisplay(choice).plot().figure_
    try:
        figure.savefig(path)
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}"
        raise ValueError(msg) from error
