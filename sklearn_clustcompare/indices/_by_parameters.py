"""What of the properties of an index depends on its parameters: rules for the registry.

Each rule returns the properties that differ from those with the default parameters.
"""

from __future__ import annotations

import math
from typing import Any

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
    if beta:  # between purity and inverse purity, which are biased in opposite directions
        return {"bias": None}
    # The purity.
    return {"identifies_equality": False, "bias": "many"}


def normalized_distance(*, normalize: bool = False) -> Properties:
    return {"range": _SHARE, "replication_invariant": True} if normalize else {}


# Exactly 0 on average, without any adjustment: they compare n11 n00 with n10 n01.
_CENTRED: Properties = {
    "similarity_metric": False,
    "adjusted": True,
    "constant_baseline": "exact",
    "bias": "neutral",
}
# Properties of the coefficients for pairs, where they differ from those of Hamann's.
_COEFFICIENTS: dict[str, Properties] = {
    "hamann": {},
    "czekanowski": {"range": _SHARE, "similarity_metric": False, "bias": "few", "monotone": "weak"},
    "kulczynski": {"range": _SHARE, "similarity_metric": False, "bias": "few", "monotone": "weak"},
    "mcconnaughey": {"similarity_metric": False, "bias": "few", "monotone": "weak"},
    "peirce": _CENTRED | {"symmetric": False},
    "gamma": _CENTRED,
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
    "baulieu_2": _CENTRED | {"identifies_equality": False},
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
    "pearson": _CENTRED | {"identifies_equality": False},
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
    if not adjusted:
        return known
    return (
        known
        | _CENTRED
        | {
            "range": (-math.inf, 1.0),
            "monotone": "strict",
            "identifies_equality": coefficient not in _NOT_ONE_AT_EQUALITY,
        }
    )


# Those whose value for equal partitions depends on the sizes of the clusters.
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
    if q != 1:
        known["constant_baseline"] = "none"
    if q > 2:  # from some order on it is no longer towards many
        known["bias"] = None
    if q < 1:
        known |= {"range": (-math.inf, 1.0), "monotone": "none", "bias": "varies"}
    return known


def adjusted_mutual_info(*, q: float = 1.0, average_method: str = "arithmetic") -> Properties:
    known: Properties = {}
    if q < 1 or average_method in ("min", "geometric"):
        known["range"] = (-math.inf, 1.0)
    if average_method == "min":
        known["identifies_equality"] = False
    # Where it is None, neither a proof is known nor, for some orders, a counter-example.
    if average_method == "max" and q > 1:
        known["similarity_metric"] = None
    if average_method == "geometric" or q not in (1, 2):
        known["monotone"] = None
    if q == 2:  # pair counting, of which doc/design.rst has the proofs
        known["monotone"] = "weak" if average_method in ("min", "max") else "strict"
    return known


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
            "monotone": "strict" if q == 2 else "none" if q == 1 else None,
            "replication_invariant": False,
            "soft": False,
        }
    known: Properties = {"range": _SHARE, "bias": "many"}
    if q == 1:
        known["constant_baseline"] = "asymptotic"
    if q > 2:
        known["bias"] = None
    if q < 1:
        known |= {
            "range": (0.0, math.inf),
            "metric": False,
            "monotone": "none",
            "bias": "varies",
        }
    return known


def pvalue_adjusted_mutual_info(*, q: float = 1.0, scale: str = "probability") -> Properties:
    known: Properties = {"range": (0.0, math.inf)} if scale == "log" else {}
    # Of other orders, MI_q of random partitions follows a gamma law only approximately.
    return known if q == 1 else known | {"constant_baseline": None}
