"""Rules for what is known of an index with other parameters than the default ones.

Each rule returns what differs from the index with its default parameters, and which of the
properties that are else known for these alone hold as well.
"""

from __future__ import annotations

import math
from typing import Any

from sklearn_clustcompare.indices._coefficients import COEFFICIENTS, LINEAR
from sklearn_clustcompare.indices._entity import counts_cells

Properties = dict[str, Any]

_SHARE = (0.0, 1.0)


def is_f_symmetric(*, beta: float = 1.0) -> Properties:
    return {"symmetric": beta == 1}


def bcubed_f(*, beta: float = 1.0, average: str = "object") -> Properties:
    return {"symmetric": beta == 1 and average == "object"}


def normalized_distance(*, normalize: bool = False, **_: Any) -> Properties:
    return {"range": _SHARE} if normalize else {}


def adjusted_wallace(*, given: str = "true") -> Properties:
    return {"constant_baseline": "exact", "bias": "neutral", "monotone": "weak"}


# Of the coefficients for pairs: those from 0 to 1 (others from -1), those that tell reference and
# candidate apart, and those that compare n11 n00 with n10 n01, whose mean is 0 without adjustment.
_SHARES = (
    *("czekanowski", "kulczynski", "sokal_sneath_1", "sokal_sneath_2", "sokal_sneath_3"),
    *("baulieu_1", "russell_rao", "rogers_tanimoto", "gower_legendre"),
)
_ASYMMETRIC = ("peirce", "fager_mcgowan")
_CENTERED = ("peirce", "gamma", "baulieu_2", "pearson")


def pair_counting(*, coefficient: str = "hamann", adjusted: bool = False) -> Properties:
    known: Properties = {
        "symmetric": coefficient not in _ASYMMETRIC,
        "adjusted": adjusted or coefficient in _CENTERED,
        "linear_in_pair_counts": not adjusted and coefficient in ("hamann", "russell_rao"),
    }
    if COEFFICIENTS[coefficient] not in LINEAR:
        known["linear_in"] = None
    if adjusted or coefficient in _SHARES:
        known["range"] = (-math.inf, 1.0) if adjusted else _SHARE
    return known


def mutual_info(*, q: float = 1.0, base: float | None = None) -> Properties:
    # Entropies of orders below 1 are not subadditive.
    return {"range": (-math.inf, math.inf)} if q < 1 else {}


def normalized_mutual_info(*, q: float = 1.0, average_method: str = "arithmetic") -> Properties:
    known: Properties = {"range": (-math.inf, 1.0)} if q < 1 else {}
    if average_method == "joint":
        known["linear_in"] = None
    if (q, average_method) == (1, "max"):  # which is recommended
        known |= {"similarity_metric": True, "identifies_equality": True, "monotone": "weak"}
        known |= {"constant_baseline": "asymptotic", "bias": "many", "replication_invariant": True}
    return known


def adjusted_mutual_info(*, q: float = 1.0, average_method: str = "arithmetic") -> Properties:
    # Recommended with other parameters where an adjusted index is needed.
    known: Properties = {"constant_baseline": "exact", "bias": "neutral"}
    if q < 1 or average_method in ("min", "geometric"):
        known["range"] = (-math.inf, 1.0)
    return known | {"identifies_equality": average_method != "min"}


def variation_of_information(
    *, q: float = 1.0, base: float | None = None, normalize: str | None = None
) -> Properties:
    if normalize is None:
        return {}
    if normalize == "expected":
        # A distance is at most three times its mean, by the triangle inequality.
        return {"range": (0.0, 3.0) if q >= 1 else (0.0, math.inf), "soft": False}
    # No joint entropy exceeds that of singletons; information is negative for low orders only.
    known: Properties = {"range": _SHARE if q >= 1 else (0.0, math.inf)}
    return known | ({"soft": False} if normalize == "log_n" else {"linear_in": None})


def reduced_mutual_info(*, normalize: bool = False, base: float | None = None) -> Properties:
    # Describing a candidate given the reference takes at least its number of labels.
    return {"range": (-math.inf, 1.0)} if normalize else {}


def pvalue_adjusted_mutual_info(*, q: float = 1.0, scale: str = "probability") -> Properties:
    return {"range": (0.0, math.inf)} if scale == "log" else {}


def ceaf_side(*, similarity: str = "overlap") -> Properties:
    return {"symmetric": similarity == "overlap"}  # the matching accuracy


def clusters_found(
    *, threshold: float | str = 1.0, background: float | str | None = None
) -> Properties:
    counts = counts_cells(threshold=threshold, background=background)
    return {} if counts else {"linear_in": None}
