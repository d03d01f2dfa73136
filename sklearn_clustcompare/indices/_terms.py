"""What several indices declare alike: sources, ranges, units, sums, rules for parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare.indices import _sums

WAGNER = "Wagner & Wagner (2007)"
ROMANO = "Romano et al. (2016)"
# Papers name the normalized mutual information by the formula of the mean.
_MEANS = {"sqrt": "geometric", "sum": "arithmetic"}
AVERAGES = one_of("min", "geometric", "arithmetic", "max", **_MEANS)
ALL_AVERAGES = one_of(*AVERAGES.options, "joint", **_MEANS)

# How an index varies from sample to sample, and the sums over cells that determine it.
MAXIMUM: dict[str, Any] = {"sampling": "maximum"}
SMOOTH: dict[str, Any] = {"sampling": "smooth"}
OF_PAIRS = SMOOTH | {"pairs": True, "sums": _sums.pair_sums}
OF_INFORMATION = SMOOTH | {"sums": _sums.information_sums}
OF_ASSOCIATION = SMOOTH | {"sums": _sums.association_sums}
OF_BCUBED = SMOOTH | {"sums": _sums.bcubed_sums}
OF_LINKS = SMOOTH | {"sums": _sums.link_sums}
OF_OCCUPIED = SMOOTH | {"sums": _sums.occupied_sums}
COUNTS = OF_OCCUPIED | {"sampling": "counts"}

UNIT = (0.0, 1.0)

Properties = dict[str, Any]


@dataclass(frozen=True)
class CountedIn:
    """The unit of a distance that counts, unless it is normalized; can be pickled."""

    unit: str

    def __call__(self, *, normalize: bool = False) -> str:
        return "" if normalize else self.unit


def f_properties(*, beta: float = 1.0) -> Properties:
    return {"symmetric": beta == 1}


def normalized_distance_properties(*, normalize: bool = False, **_: Any) -> Properties:
    return {"range": UNIT} if normalize else {}
