"""Properties of indices, and the search for partitions that break them.

Each property has claims, the strongest first, and a function that returns the smallest partitions
it finds that break a claim, or None: it searches all partitions of up to six objects, and some of
more. In the texts ``f`` is the index, and ``a``, ``b``, ``c`` are the partitions in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn_clustcompare.indices._properties.chance import (
    refute_adjusted,
    refute_bias,
    refute_constant_baseline,
)
from sklearn_clustcompare.indices._properties.changes import (
    refute_monotone,
    refute_replication_invariant,
)
from sklearn_clustcompare.indices._properties.distances import (
    refute_identifies_equality,
    refute_metric,
    refute_similarity_metric,
)
from sklearn_clustcompare.indices._properties.search import Refutation, Search
from sklearn_clustcompare.indices._properties.structure import (
    refute_linear_in,
    refute_linear_in_pair_counts,
    refute_pairs,
)
from sklearn_clustcompare.indices._properties.values import (
    refute_direction,
    refute_independence_of_names,
    refute_range,
    refute_soft,
    refute_symmetric,
)


@dataclass(frozen=True)
class Property:
    """A property, the claims that can be declared, and the search for counter-examples.

    If the property is a bool, the search takes no claim.
    """

    name: str
    search: Callable[..., Refutation]
    claims: tuple[Any, ...] = (True,)

    def is_claim(self, declared: Any) -> bool:
        """Return whether the declared value is a claim: not if it is unknown or denied."""
        return declared in self.claims or not self.claims

    def refute(self, search: Search, claim: Any) -> Refutation:
        """Return the smallest partitions found that break a claim."""
        return self.search(search) if self.claims == (True,) else self.search(search, claim)


PROPERTIES: Mapping[str, Property] = {
    one.name: one
    for one in (
        Property("range", refute_range, ()),
        # Not declared: every index must have it.
        Property("independent_of_names", refute_independence_of_names),
        Property("greater_is_better", refute_direction, (True, False)),
        Property("symmetric", refute_symmetric),
        Property("identifies_equality", refute_identifies_equality),
        Property("metric", refute_metric),
        Property("similarity_metric", refute_similarity_metric),
        Property("adjusted", refute_adjusted),
        Property("constant_baseline", refute_constant_baseline, ("exact", "asymptotic")),
        Property("bias", refute_bias, ("neutral", "many", "few")),
        Property("monotone", refute_monotone, ("strict", "weak")),
        Property("replication_invariant", refute_replication_invariant),
        Property("pairs", refute_pairs),
        Property("linear_in", refute_linear_in, ("pairs", "information", "cells")),
        Property("linear_in_pair_counts", refute_linear_in_pair_counts),
        Property("soft", refute_soft),
    )
}
