"""Sources, ranges and units shared by several indices."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sklearn_clustcompare._parameters import one_of

WAGNER = "Wagner & Wagner (2007)"
ROMANO = "Romano et al. (2016)"
AVERAGES = one_of("min", "geometric", "arithmetic", "max")

UNIT = (0.0, 1.0)
UNBOUNDED = (0.0, math.inf)


@dataclass(frozen=True)
class CountedIn:
    """The unit of a distance that counts, unless it is normalized; can be pickled."""

    unit: str

    def __call__(self, *, normalize: bool = False) -> str:
        return "" if normalize else self.unit
