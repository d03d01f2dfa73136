"""How partitions are to be read: the options that all public functions of partitions share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn_clustcompare._parameters import boolean, one_of

_known_treatment = one_of("cluster", "singletons", "drop")


@dataclass(frozen=True)
class Reading:
    """What the rows of memberships have to obey, and what becomes of noise.

    Rows of memberships sum to 1, unless they are ``possibilistic``, or divided by their sum first
    (``normalize``). Objects with the ``noise_label`` are a "cluster" like any other, "singletons"
    (a cluster each), or to "drop". Raises TypeError or ValueError for values that are none.
    """

    possibilistic: bool = False
    normalize: bool = False
    noise: str = "cluster"
    noise_label: Any = -1

    def __post_init__(self) -> None:
        boolean("possibilistic", self.possibilistic)
        boolean("normalize", self.normalize)
        if self.possibilistic and self.normalize:
            msg = "possibilistic and normalize must not both be True: normalized rows sum to 1"
            raise ValueError(msg)
        _known_treatment("noise", self.noise)
        try:
            hash(self.noise_label)
        except TypeError:
            got = type(self.noise_label).__name__
            msg = f"noise_label must be hashable, as labels are, got {got}"
            raise TypeError(msg) from None


DEFAULT = Reading()
