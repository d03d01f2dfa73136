"""Labels that are missing: None, NaN, NA, NaT, masked entries, codes of no category."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


class _Missing:
    """The label of all objects whose label is missing.

    There is one such object per process. It comes after all other labels in sorted order.
    """

    def __repr__(self) -> str:
        return "<missing>"

    def __reduce__(self) -> str:
        return "MISSING"

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return other is not self

    def __float__(self) -> float:
        return math.inf


MISSING = _Missing()


def is_missing(label: Any) -> bool:
    """Return whether a label is a missing value."""
    if label is None:
        return True
    try:
        return bool(label != label)
    except TypeError:  # pandas.NA has no truth value
        return True
    except ValueError:  # an array has several, and is not a label
        return False


def missing_advice(name: str) -> str:
    """Return advice for an error due to a missing label in the argument ``name``."""
    if name.startswith("image_"):
        return "; leave such pixels out with missing='drop'"
    if not name.startswith(("labels_true", "labels_pred", "candidate")):
        return ""
    advice = "; leave such objects out with missing='drop'"
    if name.startswith("labels"):
        advice += (
            ", or ContingencyTable.from_labels(..., missing='drop') where there is no such option"
        )
    if name == "labels_true":
        advice += (
            "; sampled_reference_scores is for a reference of which only some clusters were drawn"
        )
    return advice


def missing_entries(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which entries of an array are missing or masked."""
    mask, entries = np.ma.getmaskarray(array), np.asarray(array)
    if entries.dtype.kind == "f":
        return mask | np.isnan(entries)
    if entries.dtype.kind in "mM":
        return mask | np.isnat(entries)
    if entries.dtype.kind in "OT":  # T is the text of NumPy, which may have missing entries
        return mask | np.fromiter(map(is_missing, entries.ravel().tolist()), bool, entries.size)
    return mask
