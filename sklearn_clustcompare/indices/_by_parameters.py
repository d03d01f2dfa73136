"""Rules for the properties of an index that depend on its parameters.

Each rule returns the properties that differ from those with the default parameters.
"""

from __future__ import annotations

import math
from typing import Any

from sklearn_clustcompare.indices._coefficients import COEFFICIENTS, LINEAR
from sklearn_clustcompare.indices._entity import counts_cells

Properties = dict[str, Any]

_SHARE = (0.0, 1.0)


# --------------------------------------------------------------------------- pairs and sets


def pair_f(*, beta: float = 1.0) -> Properties:
    if beta == 1:
        return {}
    if beta:
        return {"symmetric": False}
    # The precision.
    return {"symmetric": False, "identifies_equality": False, "bias": "neutral"}


def f_measure(*, beta: float = 1.0) -> Properties:
    if beta == 1:
        return {}
    if beta:  # close to purity and inverse purity, which are biased in opposite directions
        return {"bias": "varies" if 0.01 <= beta <= 3 else None}
    # The purity.
    return {"identifies_equality": False, "bias": "many"}


def bcubed_f(*, beta: float = 1.0, average: str = "object") -> Properties:
    known: Properties = {"symmetric": beta == 1 and average == "object"}
    if not beta:  # the precision
        known |= {"identifies_equality": False, "bias": "many", "monotone": "weak"}
    return known


def normalized_distance(*, normalize: bool = False) -> Properties:
    return {"range": _SHARE, "replication_invariant": True} if normalize else {}


def partial_distance(*, kind: str = "pairs", normalize: bool = False) -> Properties:
    return {"range": _SHARE} if normalize else {}


def pair_sets(*, simplified: bool = False) -> Properties:
    # A sum of distances max(a, b) - n over max(a, b) of matched clusters, 1 for those without a
    # match, over the larger number of clusters less 1: as with the OSPA metric of sets of points, a
    # third partition of more clusters raises both distances by its number of additional clusters.
    return {"similarity_metric": True} if simplified else {}


# Exactly 0 on average, without any adjustment: they compare n11 n00 with n10 n01.
_CENTERED: Properties = {
    "similarity_metric": False,
    "adjusted": True,
    "constant_baseline": "exact",
    "bias": "neutral",
}
# Properties of the coefficients for pairs that differ from those of Hamann's coefficient.
_COEFFICIENTS: dict[str, Properties] = {
    "hamann": {},
    "czekanowski": {"range": _SHARE, "similarity_metric": False, "bias": "few", "monotone": "weak"},
    "kulczynski": {"range": _SHARE, "similarity_metric": False, "bias": "few", "monotone": "weak"},
    "mcconnaughey": {"similarity_metric": False, "bias": "few", "monotone": "weak"},
    "peirce": _CENTERED | {"symmetric": False},
    "gamma": _CENTERED,
    "sokal_sneath_1": {
        "range": _SHARE,
        "similarity_metric": False,
        "constant_baseline": "exact",
        "bias": "neutral",
    },
    "sokal_sneath_2": {"range": _SHARE, "monotone": "weak"},
    "sokal_sneath_3": {
        "range": _SHARE,
        "similarity_metric": False,
        "bias": "few",
        "monotone": "weak",
    },
    "baulieu_1": {
        "range": _SHARE,
        "similarity_metric": False,
        "identifies_equality": False,
        "monotone": "none",
    },
    "baulieu_2": _CENTERED | {"identifies_equality": False},
    "russell_rao": {
        "range": _SHARE,
        "similarity_metric": False,
        "identifies_equality": False,
        "bias": "few",
        "monotone": "weak",
    },
    "rogers_tanimoto": {"range": _SHARE},
    "gower_legendre": {"range": _SHARE, "similarity_metric": False},
    "goodman_kruskal": {
        "similarity_metric": False,
        "identifies_equality": False,
        "constant_baseline": "asymptotic",
        "monotone": "weak",
    },
    "pearson": _CENTERED | {"identifies_equality": False},
    "fager_mcgowan": {
        "symmetric": False,
        "similarity_metric": False,
        "identifies_equality": False,
        "bias": "few",
        "monotone": "weak",
    },
}


def pair_counting(*, coefficient: str = "hamann", adjusted: bool = False) -> Properties:
    known = _COEFFICIENTS[coefficient]
    if COEFFICIENTS[coefficient] not in LINEAR:
        known = known | {"linear_in": None}
    if not adjusted:
        is_linear = coefficient in ("hamann", "russell_rao")
        return known | {"linear_in_pair_counts": is_linear}
    return (
        known
        | _CENTERED
        | {
            "linear_in_pair_counts": False,
            "range": (-math.inf, 1.0),
            "monotone": "strict",
            "identifies_equality": coefficient not in _NOT_ONE_AT_EQUALITY,
        }
    )


# Coefficients whose value for equal partitions depends on the sizes of the clusters.
_NOT_ONE_AT_EQUALITY = ("baulieu_2", "russell_rao", "pearson", "fager_mcgowan")


# --------------------------------------------------------------------------- information


def mutual_info(*, q: float = 1.0, base: float | None = None) -> Properties:
    if q == 1:
        return {}
    known: Properties = {"constant_baseline": "none"}
    # Entropies of orders below 1 are not subadditive.
    return known | ({"range": (-math.inf, math.inf), "bias": "varies"} if q < 1 else {})


def conditional_entropy(*, q: float = 1.0, base: float | None = None) -> Properties:
    return {"bias": "varies"} if q < 1 else {}


def normalized_mutual_info(*, q: float = 1.0, average_method: str = "arithmetic") -> Properties:
    is_extreme = average_method in ("min", "max")
    known: Properties = {
        "similarity_metric": q >= 1 and average_method in ("max", "joint"),
        "identifies_equality": average_method != "min",
        "monotone": "weak" if is_extreme else "strict",
    }
    if average_method == "joint":
        known["linear_in"] = None
    if q != 1:
        known["constant_baseline"] = "none"
    if q > 2:
        known["bias"] = "varies" if is_extreme else _bias_of_high_orders(q, average_method)
    if q < 1:
        known |= {"range": (-math.inf, 1.0), "monotone": "none", "bias": "varies"}
    return known


def _bias_of_high_orders(q: float, average_method: str) -> str | None:
    # Found towards many for lower orders; for higher ones all values are close to 1.
    lowest = 8 if average_method == "geometric" else 4
    return "varies" if lowest <= q <= 10 else None


def adjusted_mutual_info(*, q: float = 1.0, average_method: str = "arithmetic") -> Properties:
    known: Properties = {}
    if q < 1 or average_method in ("min", "geometric"):
        known["range"] = (-math.inf, 1.0)
    if average_method == "min":
        known["identifies_equality"] = False
    if average_method == "max" and q > 1:  # neither a proof nor a counter-example is known
        known["similarity_metric"] = None
    known["monotone"] = _monotone_beyond_chance(q, average_method)
    return known


def _monotone_beyond_chance(q: float, average_method: str) -> str | None:
    if average_method in ("min", "max"):
        return "weak" if q == 2 else "none"
    if q == 2:  # pair counting: tests/indices/test_proofs.py has a proof
        return "strict"
    # Found to be strict for the orders in between.
    highest = 0.5 if average_method == "geometric" else 1.5
    return "none" if q <= highest or q >= 3 else None


def v_measure(*, beta: float = 1.0) -> Properties:
    if beta == 1:
        return {}
    if beta:
        return {"symmetric": False}
    # The homogeneity.
    return {"symmetric": False, "identifies_equality": False, "monotone": "weak"}


def variation_of_information(
    *, q: float = 1.0, base: float | None = None, normalize: str | None = None
) -> Properties:
    if normalize is None:
        return {} if q >= 1 else {"metric": False}
    if normalize == "expected":
        return {
            # A distance is at most three times its mean, by the triangle inequality.
            "range": (0.0, 3.0) if q >= 1 else (0.0, math.inf),
            "metric": False,
            "constant_baseline": "exact",
            "bias": "neutral",
            "monotone": _monotone_beyond_chance(q, "arithmetic"),
            "replication_invariant": False,
            "soft": False,
        }
    if normalize == "log_n":
        # No joint entropy exceeds that of singletons, and information is not negative.
        known: Properties = {"range": _SHARE}
        if q < 1:
            known = {"metric": False, "constant_baseline": "asymptotic"}
        return known | {"replication_invariant": False, "soft": False}
    known = {"range": _SHARE, "bias": "many", "linear_in": None}
    if q == 1:
        known["constant_baseline"] = "asymptotic"
    if q > 2:
        known["bias"] = _bias_of_high_orders(q, "joint")
    if q < 1:
        known |= {
            "range": (0.0, math.inf),
            "metric": False,
            "monotone": "none",
            "bias": "varies",
        }
    return known


def reduced_mutual_info(*, normalize: bool = False, base: float | None = None) -> Properties:
    if not normalize:
        return {}
    return {
        # Describing a candidate given the reference takes at least its number of labels.
        "range": (-math.inf, 1.0),
        "identifies_equality": True,
        "constant_baseline": "asymptotic",
        "bias": None,  # random candidates score close to 0, whatever their number of clusters
    }


def pvalue_adjusted_mutual_info(*, q: float = 1.0, scale: str = "probability") -> Properties:
    known: Properties = {"range": (0.0, math.inf)} if scale == "log" else {}
    # For other orders, MI_q of random partitions follows a gamma law only approximately.
    return known if q == 1 else known | {"constant_baseline": None}


# --------------------------------------------------------------------------- entities


def ceaf_precision(*, similarity: str = "overlap") -> Properties:
    known = ceaf_f(similarity=similarity)
    return known | {"symmetric": False} if known else {}


def ceaf_recall(*, similarity: str = "overlap") -> Properties:
    known = ceaf_precision(similarity=similarity)
    return known | {"monotone": "weak"} if known else {}


def ceaf_f(*, similarity: str = "overlap") -> Properties:
    # With overlaps it is the matching accuracy.
    return {"similarity_metric": False, "monotone": "none"} if similarity == "dice" else {}


def clusters_found(
    *, threshold: float | str = 1.0, background: float | str | None = None
) -> Properties:
    known = _linear_if_cells_count(threshold, background)
    if threshold == 1:
        return known
    known |= {"identifies_equality": False, "constant_baseline": "none"}
    # Towards 0, where any overlap counts, precision favors few clusters and recall many.
    return known if isinstance(threshold, str) or threshold >= 0.25 else known | {"bias": None}


def panoptic_quality(
    *, threshold: float = 0.5, background: float | str | None = None
) -> Properties:
    known = _linear_if_cells_count(threshold, background)
    # Large clusters are not exactly equal by chance, but they overlap by chance.
    return known | ({"constant_baseline": "asymptotic"} if threshold == 1 else {})


def _linear_if_cells_count(threshold: float | str, background: float | str | None) -> Properties:
    counts = counts_cells(threshold=threshold, background=background)
    return {} if counts else {"linear_in": None}
