"""Indices with some of their parameters."""

import itertools
from typing import Any, NamedTuple

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices import INDICES
from tests._deviations import BELOW_ONE_AT_IDENTITY, NOT_ONE_AT_IDENTITY

AVERAGES = ["min", "geometric", "arithmetic", "max"]


class Variant(NamedTuple):
    """An index with some of its parameters."""

    name: str
    parameters: dict[str, Any]

    @property
    def index(self):
        return INDICES[self.name]

    @property
    def declared(self):
        """What the registry says of the index with these parameters."""
        return self.index.properties(**self.parameters)

    @property
    def is_one_at_identity(self):
        is_similarity = self.index.greater_is_better and self.index.range[1] == 1
        if self.name in BELOW_ONE_AT_IDENTITY:
            return False
        return is_similarity and self.parameters.get("coefficient") not in NOT_ONE_AT_IDENTITY

    @property
    def is_proportion(self):
        """Whether it is a set-matching or information index without a unit of objects."""
        module = (self.index.of_statistic or self.index.function).__module__
        counts_pairs = module.endswith(("_pairs", "_coefficients")) or self.index.moments
        counts_objects = self.name == "van_dongen_distance" and not self.parameters.get("normalize")
        return self.declared["soft"] and not (counts_pairs or counts_objects)

    def of(self, table):
        with UNDEFINED_IGNORED:
            return self.index(table, **self.parameters)

    def __call__(self, labels_true, labels_pred, sample_weight=None):
        table = ContingencyTable.from_labels(labels_true, labels_pred, sample_weight=sample_weight)
        return self.of(table)

    def __str__(self):
        return ",".join([self.name, *(f"{key}={value}" for key, value in self.parameters.items())])


def grid(name, **options):
    return [
        Variant(name, dict(zip(options, values, strict=True)))
        for values in itertools.product(*options.values())
    ]
