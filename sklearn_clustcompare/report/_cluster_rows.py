"""Tables with a row for each cluster, and what their columns mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._rendering import form_of, number_texts, percent_texts
from sklearn_clustcompare.report._cluster_values import KEPT, ClusterValues

# Titles of the columns of ClusterValues that are shown.
_TITLES = {
    "label": "label",
    "size": "size",
    "value": "agreement",
    "adjusted": "adjusted",
    "weight": "weight",
    "lost_share": "lost",
    "match": "match",
    "precision": "precision",
    "recall": "recall",
    "f_score": "F",
    "jaccard": "Jaccard",
    "verdict": "verdict",
}
# Where there is no room, functions of precision and recall are left out. Where a table may be cut
# off at the right, the verdict is at the left.
_NARROW = tuple(name for name in _TITLES if name not in ("f_score", "jaccard"))
_WIDE = ("label", "verdict", *(name for name in _TITLES if name not in ("label", "verdict")))
_SHARES = ("weight", "lost_share")

CLUSTER_LEGEND = (
    "agreement: share of the information about the cluster that the other partition holds (R_i of "
    "the reference, C_j of the candidate); adjusted: the same beyond chance, 0 on average for "
    "random partitions and 1 if nothing is lost; weight: weight of the cluster in the mean (u_i, "
    "v_j); lost: its share of the information that is lost; match: cluster of the other side, one "
    "to one with the most objects in matched pairs, or in parentheses, for a cluster that is left "
    "over, the one with most of its objects; precision, recall: of the match; verdict, by the "
    "cluster with most of its objects: split (in the candidate: part of a split one) if less than "
    f"{KEPT:g} of the reference cluster is in both, merged if less than {KEPT:g} of the candidate "
    "cluster is, else kept."
)


def side_headline(side: ClusterValues, name: str) -> str:
    """Name a side and count its clusters."""
    return f"{n_clusters_text(len(side.sizes))} of {name}"


def n_clusters_text(n_clusters: int) -> str:
    return f"{n_clusters} cluster{'' if n_clusters == 1 else 's'}"


def cluster_rows(
    side: ClusterValues, max_clusters: int, digits: int = 2, *, is_wide: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of clusters, as text.

    Of too many clusters those are kept that lost most of the information, the worst first.
    """
    names = _WIDE if is_wide else _NARROW
    titles = {name: _TITLES[name] for name in names if side.is_adjusted or name != "adjusted"}
    shown = np.arange(len(side.sizes))
    if len(shown) > max_clusters:
        shown = np.argsort(-side.lost_share, kind="stable")[:max_clusters]
    values = side.columns()
    columns = [
        label_texts(side.labels[shown], side.labels)
        if name == "label"
        else _match_texts(side, shown)
        if name == "match"
        else _texts(name, values[name][shown], digits)
        for name in titles
    ]
    return list(titles.values()), [list(row) for row in zip(*columns, strict=True)]


def _match_texts(side: ClusterValues, shown: NDArray[np.intp]) -> list[str]:
    """Return the labels of matches, in parentheses if they are not one to one."""
    texts = label_texts(side.match[shown], side.table.col_labels)
    is_matched = side.is_matched[shown].tolist()
    return [text if own else f"({text})" for text, own in zip(texts, is_matched, strict=True)]


def _texts(name: str, values: NDArray[Any], digits: int) -> list[str]:
    if name == "verdict":
        return list(values.tolist())
    if name == "size":
        return list(map(size_text, values.tolist()))
    if name in _SHARES:
        return percent_texts(values.tolist(), digits)
    return number_texts(values.tolist(), digits)


def size_text(size: float) -> str:
    """Return a number of objects: whole ones in full, fractional ones in six digits."""
    return f"{size:.6g}" if size < 1e5 and size % 1 else f"{size:.0f}"


def label_texts(labels: NDArray[Any], all_labels: NDArray[Any] | None = None) -> list[str]:
    """Return labels as text; dates not as the numbers that NumPy makes of them.

    If two of ``all_labels``, by default the labels themselves, are equal as text, such as 1 and
    "1", labels are written as literals.
    """
    if labels.dtype.kind in "mM":
        return list(labels.astype(str).tolist())
    known = labels if all_labels is None else all_labels
    form = form_of(known.tolist()) if known.dtype.kind == "O" else str
    return list(map(form, labels.tolist()))
