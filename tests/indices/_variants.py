"""Indices with some of their parameters."""

import itertools
from typing import Any, NamedTuple

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.indices._pairs import COEFFICIENTS
from tests._deviations import BELOW_ONE_AT_IDENTITY, CHANGE_IN_STEPS, NOT_ONE_AT_IDENTITY
from tests._oracles import LINEAR_COEFFICIENTS

AVERAGES = ["min", "geometric", "arithmetic", "max"]

# Their means have no closed form: a maximum, or a ratio whose denominator varies.
NO_CLOSED_FORM = {
    *("average_f_score", "bcubed_f_score", "ceaf_f_score", "ceaf_precision_score"),
    *("ceaf_recall_score", "correlation_distance", "cramers_v_score", "f_measure_score"),
    *("inverse_purity_score", "jaccard_error_rate", "lea_f_score", "matching_accuracy_score"),
    *("maximum_match_score", "meila_heckerman_score", "misclassification_distance"),
    *("normalized_clustering_accuracy_score", "normalized_pivoted_accuracy_score"),
    *("overlapping_normalized_mutual_info_score", "pair_jaccard_score", "pair_sets_score"),
    *("projection_distance", "purity_score", "pvalue_adjusted_mutual_info_score"),
    *("reduced_mutual_info_score", "standardized_mutual_info_score", "standardized_rand_score"),
    *("tschuprow_score", "van_dongen_distance"),
}


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
        counts_pairs = self.index.pairs or self.index.moments
        counts = ("van_dongen_distance", "chi_squared_statistic")
        counts_objects = self.name in counts and not self.parameters.get("normalize")
        return self.declared["soft"] and not (counts_pairs or counts_objects)

    @property
    def has_closed_form(self):
        """Whether it is linear in the number of pairs, in MI_q or in a sum over the cells."""
        return not (
            self.name in NO_CLOSED_FORM
            or "joint" in self.parameters.values()
            or self.parameters.get("threshold") == 0.3  # more than one cluster may be found
            or self.parameters.get("coefficient", "hamann") not in LINEAR_COEFFICIENTS
        )

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


_ORDERS = [0.5, 2.0, 3.0]

# The defaults, and the parameters on both sides of where a rule changes.
VARIANTS = [
    *(Variant(name, {}) for name in INDICES),
    *grid("pair_f_score", beta=[0, 0.3, 2]),
    *grid("adjusted_wallace_score", given=["pred"]),
    *grid("mirkin_distance", normalize=[True]),
    *grid("pair_counting_score", coefficient=COEFFICIENTS),
    *grid("pair_counting_score", coefficient=LINEAR_COEFFICIENTS, adjusted=[True]),
    *grid("f_measure_score", beta=[0, 0.3, 2]),
    *grid("van_dongen_distance", normalize=[True]),
    *grid("bcubed_precision_score", average=["cluster"]),
    *grid("bcubed_recall_score", average=["cluster"]),
    *grid("bcubed_f_score", beta=[0, 1, 2], average=["object", "cluster"]),
    *grid("element_centric_similarity_score", alpha=[0.5]),
    *grid("pair_sets_score", simplified=[True]),
    *(
        variant
        for name in ("ceaf_precision_score", "ceaf_recall_score", "ceaf_f_score")
        for variant in grid(name, similarity=["dice"])
    ),
    *(
        variant
        for name in CHANGE_IN_STEPS
        for variant in [
            *grid(name, threshold=[0.3, 0.5, 1.0]),
            *grid(name, threshold=[0.3], background=["no label"]),
        ]
    ),
    *(
        Variant(name, {"threshold": "majority"})
        for name in CHANGE_IN_STEPS
        if name.startswith("cluster")
    ),
    *grid("jaccard_error_rate", background=["no label"]),
    *grid("mutual_info_score", q=_ORDERS),
    *grid("mutual_info_score", base=[2]),
    *grid("normalized_mutual_info_score", q=[1, *_ORDERS], average_method=[*AVERAGES, "joint"]),
    *grid("adjusted_mutual_info_score", q=[1, *_ORDERS], average_method=AVERAGES),
    *grid("v_measure_score", beta=[0, 0.3, 2]),
    *grid("conditional_entropy", q=_ORDERS),
    *grid("conditional_entropy", base=[2]),
    *grid("variation_of_information_distance", q=[1, *_ORDERS], normalize=["joint", "expected"]),
    *grid("variation_of_information_distance", q=_ORDERS),
    *grid("variation_of_information_distance", base=[2]),
    *grid("variation_of_information_distance", q=[0.5, 1, 2], normalize=["log_n"]),
    *grid("reduced_mutual_info_score", base=[2]),
    *grid("reduced_mutual_info_score", normalize=[True]),
    *grid("standardized_mutual_info_score", q=_ORDERS, zero_variance=["warn", 0.0]),
    *grid("standardized_rand_score", zero_variance=[0.0]),
    *grid("pvalue_adjusted_mutual_info_score", q=[1, *_ORDERS], scale=["probability", "log"]),
    *grid("overlapping_normalized_mutual_info_score", variant=["lfk"]),
]
