"""The one door: labels or memberships of two partitions become a contingency table."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._partition.rows import RowRule, is_membership_array
from sklearn_clustcompare._table.contingency import ContingencyTable


def tabulate(
    labels_true: Any,
    labels_pred: Any,
    *,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    moments: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    names: tuple[str, str] = ("labels_true", "labels_pred"),
) -> ContingencyTable:
    """Count labels (1-D) or memberships (2-D), also mixed.

    The moments of memberships are kept with ``moments=True`` only, since they take as long as
    the table.
    """
    if not (is_membership_array(labels_true) or is_membership_array(labels_pred)):
        table = ContingencyTable.from_labels(
            labels_true,
            labels_pred,
            sample_weight=sample_weight,
            noise=noise,
            noise_label=noise_label,
        )
        return require_objects(table)
    rule = RowRule(possibilistic=possibilistic)
    table = ContingencyTable._from_partitions(
        labels_true,
        labels_pred,
        sample_weight,
        rule,
        moments,
        None,
        names,
        noise=noise,
        noise_label=noise_label,
    )
    return require_objects(table)


def require_objects(table: ContingencyTable) -> ContingencyTable:
    # An empty table is a summand like any other, but no index may take it for two equal partitions.
    if table.coverage == 0:
        msg = (
            "noise='drop' must leave at least one object that is no noise on either side, got none"
        )
        raise ValueError(msg)
    return table
