"""Accepted labels of a table that another program writes: ``--baseline``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import with_parameters
from sklearn_clustcompare.cli._arguments import DEFAULT_INDEX, ChosenIndex
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._partitions import Partitions

if TYPE_CHECKING:
    from sklearn_clustcompare.results import BaselineComparison

_TOLERANCE = 0.01


def add_baseline_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("compare with the accepted labels of the same objects")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="file of accepted labels and of the history of scores; exit with status 1 if the "
        f"index ({DEFAULT_INDEX}, or those of --index) is significantly worse",
    )
    group.add_argument(
        "--tolerance",
        type=float,
        metavar="VALUE",
        help=f"largest loss of the index that passes (default: {_TOLERANCE})",
    )
    group.add_argument(
        "--update",
        action="store_true",
        default=None,
        help="accept the labels and write them to the file",
    )


def check_baseline_options(arguments: argparse.Namespace) -> None:
    if arguments.baseline is None:
        for option in ("tolerance", "update"):
            if getattr(arguments, option) is not None:
                msg = f"--{option} needs --baseline"
                raise ValueError(msg)
        return
    if arguments.noise or arguments.missing != "error":
        msg = "--noise and --missing cannot be given with --baseline, which counts all objects"
        raise ValueError(msg)


def compare_with_baseline(
    partitions: Partitions, arguments: argparse.Namespace
) -> list[BaselineComparison]:
    """Compare each candidate by each index, or accept its labels; report which got worse."""
    if arguments.baseline is None:
        return []
    baseline = clustcompare.checks.ClusteringBaseline(arguments.baseline, history=True)
    indices: Sequence[ChosenIndex] = arguments.index or []
    names = [one.title for one in indices] or [DEFAULT_INDEX]
    tolerance = _TOLERANCE if arguments.tolerance is None else arguments.tolerance
    compared = []
    for candidate, pred in partitions.candidates.items():
        for index in names:
            by = f" by {index}" if index != DEFAULT_INDEX else ""
            name = f"{candidate} against {partitions.reference}{by}"
            labels: tuple[Any, ...] = (name, partitions.true, pred)
            if arguments.update:
                baseline.accept(*labels, ids=partitions.ids, index=index)
                say(f"note: {name}: accepted, written to {baseline.path}")
                continue
            compared.append(
                baseline.compare(*labels, ids=partitions.ids, index=index, tolerance=tolerance)
            )
    for one in compared:
        if one.is_worse:
            say(f"failed: {one.name} is worse than accepted")
    return compared


def baselines_as_dict(compared: Sequence[BaselineComparison]) -> dict[str, Any]:
    """Return the comparisons for JSON: empty if there are none."""
    if not compared:
        return {}
    return {
        "baselines": [
            {
                "name": one.name,
                "index": with_parameters(one.index.name, one.parameters),
                "score": one.score,
                "accepted_score": one.accepted_score,
                "difference": one.difference,
                "interval": one.interval,
                "pvalue": one.pvalue,
                "tolerance": one.tolerance,
                "is_worse": one.is_worse,
                "history": one.history,
            }
            for one in compared
        ]
    }


def baselines_as_text(compared: Sequence[BaselineComparison]) -> str:
    """Return what changed, and the history as a line."""
    texts = []
    for one in compared:
        head, clusters, *_ = one.message.split("\n\n")
        texts += [head, *([clusters] if one.is_worse else []), one.history_line]
    return "\n\n".join(texts)
