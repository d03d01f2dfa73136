"""Counts of labels on a device: only the occupied cells come to the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_clustcompare._partition import Labels, Reading, read_labels
from sklearn_clustcompare._partition.devices import (
    is_on_device,
    namespace_of,
    to_device_of,
    to_host,
)
from sklearn_clustcompare._partition.validation import check_same_length

# Codes and labels: the numbers on the device, and what each of them stands for.
_Coded = tuple[Any, Labels]


def count_cells(
    first: Any, second: Any, reading: Reading, names: tuple[str, str]
) -> tuple[Labels, Labels, Any] | None:
    """Return the labels and the counts of the occupied cells of two labelings.

    At least one of them is on a device, and the other one is sent there. Returns None for what is
    not counted there: memberships, labels on two devices, and arrays of packages that have no
    functions of the array API.
    """
    sides = (first, second)
    lead = next(side for side in sides if is_on_device(side))
    if not all(_is_countable(side, lead) for side in sides) or namespace_of(lead) is None:
        return None
    xp = namespace_of(lead)
    (true, true_labels), (pred, pred_labels) = (
        _coded(side, name, reading, lead) for side, name in zip(sides, names, strict=True)
    )
    check_same_length(true.shape[0], pred.shape[0], names)
    n_cols = len(pred_labels.codes)
    if len(true_labels.codes) * n_cols > xp.iinfo(true.dtype).max:
        return None
    found = xp.unique_counts(true * n_cols + pred)
    cells, counts = (np.asarray(to_host(one)).astype(np.int64) for one in found)
    rows, cols = np.divmod(cells, max(n_cols, 1))
    return true_labels.take(rows), pred_labels.take(cols), counts


def _is_countable(side: Any, lead: Any) -> bool:
    if not is_on_device(side):
        return getattr(side, "ndim", 1) == 1
    if type(side) is not type(lead) or side.ndim != 1 or getattr(side, "requires_grad", False):
        return False
    return bool(side.device == lead.device)


def _coded(side: Any, name: str, reading: Reading, lead: Any) -> _Coded:
    xp = namespace_of(lead)
    if not is_on_device(side):
        known, _ = read_labels(side, name, reading).compact()
        codes = to_device_of(known.codes, lead)
        return codes, known._replace(codes=np.arange(known.n_codes), ids=None)
    is_boolean = xp.isdtype(side.dtype, "bool")
    if is_boolean:
        side = xp.astype(side, xp.uint8)
    is_missing = None
    if xp.isdtype(side.dtype, "real floating"):
        is_missing = xp.isnan(side)
        # Errors name the first label that breaks a rule, at its position among all objects.
        wrong = is_missing if reading.missing == "error" else xp.zeros_like(is_missing)
        wrong = wrong | (~is_missing & (side != xp.floor(side)))
        if bool(xp.any(wrong)):
            until = int(xp.argmax(xp.astype(wrong, xp.uint8))) + 1
            read_labels(to_host(side[:until]), name, reading)
        side = xp.where(is_missing, xp.zeros_like(side), side)
    values, codes = xp.unique_inverse(side)
    distinct = np.asarray(to_host(values))
    if is_boolean:
        distinct = distinct.astype(bool)
    if is_missing is not None and bool(xp.any(is_missing)):
        codes = xp.where(is_missing, xp.full_like(codes, len(distinct)), codes)
        distinct = np.append(distinct, np.nan)
    return codes, read_labels(distinct, name, reading)
