"""Where an index deliberately differs from what the common tests, or scikit-learn, expect.

Each entry names what deviates and says why. Nothing else in the tests makes exceptions.
"""

# Coefficients of pair_counting_score that are not 1 for equal partitions.
NOT_ONE_AT_IDENTITY = {
    "baulieu_2": "is n11 n00 / T^2 there, which depends on the cluster sizes",
    "russell_rao": "is n11 / T there: pairs apart in both partitions do not count as agreement",
    "pearson": "is 1 over a product of pair counts there",
    "fager_mcgowan": "subtracts 1 / (2 sqrt(n11 + n10)) from what would be 1",
}

# Similarities that reach their highest value at equal partitions only by and by.
BELOW_ONE_AT_IDENTITY = {
    "pvalue_adjusted_mutual_info_score": "is a probability: chance can make small partitions equal",
}

# Indices without a best value at equal partitions.
NOT_BEST_AT_IDENTITY = {
    "partition_difference": "counts n00, which is large for partitions into many clusters, equal "
    "or not; documented as no distance",
}

# Indices that another partition may exceed: equal partitions are best among equal sizes only.
EXCEEDED_BY_OTHER_SIZES = {
    "standardized_mutual_info_score": "divides by a deviation that depends on the cluster sizes",
    "standardized_rand_score": "divides by a deviation that depends on the cluster sizes",
    "pvalue_adjusted_mutual_info_score": "is a probability given the cluster sizes",
}

# Indices that change in steps: a little weight, or a few objects of all clusters, change nothing.
CHANGE_IN_STEPS = {
    name: "counts whole clusters, those that are found at a threshold"
    for name in (
        "cluster_precision_score",
        "cluster_recall_score",
        "cluster_f_score",
        "panoptic_quality_score",
    )
}

# Where scikit-learn says something else on purpose: name, value there, value here, reason.
SKLEARN_EQUAL_SINGLETONS = (
    "fowlkes_mallows_score",
    0.0,
    1.0,
    "without a pair in either partition, or without objects, there is nothing to divide; here, as "
    "with all other indices, equal partitions score 1",
)

# Tolerance and condition for adjusted_mutual_info_score against scikit-learn, which adds up its
# expected mutual information through differences of log-factorials.
SKLEARN_AMI_MANY_CLUSTERS = (
    1e-9,
    "loses digits with thousands of objects in clusters of one or two; the value here agrees with "
    "fifty digits of the definition to 1e-12",
)
SKLEARN_AMI_CONSTANT = (
    0.0,
    "if one partition is all singletons or one cluster, every permutation has the same mutual "
    "information and average_method='min' is zero over zero; scikit-learn divides rounding errors",
)
SKLEARN_EMPTY_MUTUAL_INFO = (0.0, "scikit-learn takes the logarithm of no objects and fails")

# Printed figures that the definition does not give: name, printed, by definition, reason.
PRINTED_BAULIEU_1 = (
    0.76,
    0.6,
    "the R package squares n10 + n01, and not their difference as Baulieu and Albatineh et al. do; "
    "then the coefficient would not be linear in n11",
)
PRINTED_ORMAN_SECOND_MI = (
    0.3167,
    0.31661690,
    "the slide subtracts conditional entropies that it has rounded to four digits",
)
PRINTED_EMIAC = (
    1.59,
    1.5849625,
    "the slide rounds log2(3), 1.58496, up",
)
