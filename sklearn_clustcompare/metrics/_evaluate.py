"""What all public functions of an index share: from labels to a number."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.indices import INDICES


def evaluate(
    name: str,
    labels_true: Any,
    labels_pred: Any,
    sample_weight: ArrayLike | None,
    **parameters: Any,
) -> float:
    table = ContingencyTable.from_labels(labels_true, labels_pred, sample_weight=sample_weight)
    return INDICES[name](table, **parameters)
