"""What is claimed of each index, as a table; for the meaning of a column see :class:`Index`.

The letters stand for symmetric (S), metric (M), the best value less the index is a metric (T),
identifies equality (E), replication invariant (R), adjusted (A) and defined for fuzzy or soft
partitions (F): "+" yes, "-" no, "?" not known. All lists of indices have the order of the rows.
"""

from __future__ import annotations

from typing import Any

_TABLE = """
index                                    best range    S M T E R A F baseline   bias    monotone
rand_score                               high 0:1      + - + + - - + none       varies  strict
adjusted_rand_score                      high -0.5:1   + - - + - + + exact      neutral strict
fowlkes_mallows_score                    high 0:1      + - - + - - + none       few     weak
pair_jaccard_score                       high 0:1      + - + + - - + none       few     weak
pair_precision_score                     high 0:1      - - - - - - + none       neutral weak
pair_recall_score                        high 0:1      - - - - - - + none       few     weak
pair_f_score                             high 0:1      + - - + - - + none       few     weak
adjusted_wallace_score                   high -inf:1   - - - - - + + exact      neutral weak
mirkin_distance                          low  0:inf    + + - + - - + none       varies  strict
correlation_distance                     low  0:1      + + - + - - + asymptotic varies  strict
projection_distance                      low  0:inf    + + - + + - + none       varies  none
partition_difference                     high 0:inf    + - - - - - + none       many    weak
chi_squared_statistic                    high 0:inf    + - - - - - + none       many    weak
pair_counting_score                      high -1:1     + - + + - - + none       varies  strict
frobenius_adjusted_rand_score            high -0.5:1   + - - + - + + exact      neutral strict
purity_score                             high 0:1      - - - - + - + none       many    weak
inverse_purity_score                     high 0:1      - - - - + - + none       few     weak
f_measure_score                          high 0:1      - - - + + - + none       varies  weak
meila_heckerman_score                    high 0:1      - - - - + - + none       many    weak
maximum_match_score                      high 0:1      + - - + + - + none       varies  weak
matching_accuracy_score                  high 0:1      + - + + + - + none       varies  weak
misclassification_distance               low  0:1      + + - + + - + none       varies  weak
van_dongen_distance                      low  0:inf    + + - + - - + none       varies  weak
normalized_clustering_accuracy_score     high -1:1     - - - + + - + none       varies  weak
normalized_pivoted_accuracy_score        high 0:1      + - - + + - + none       varies  none
pair_sets_score                          high 0:1      + - - + + - + asymptotic varies  none
ceaf_precision_score                     high 0:1      + - + + + - + none       varies  weak
ceaf_recall_score                        high 0:1      + - + + + - + none       varies  weak
ceaf_f_score                             high 0:1      + - + + + - + none       varies  weak
lea_precision_score                      high 0:1      - - - - - - - none       varies  weak
lea_recall_score                         high 0:1      - - - - - - - none       varies  weak
lea_f_score                              high 0:1      + - - + - - - none       varies  weak
cluster_precision_score                  high 0:1      - - - + + - + asymptotic varies  none
cluster_recall_score                     high 0:1      - - - + + - + asymptotic varies  weak
cluster_f_score                          high 0:1      + - - + + - + asymptotic varies  none
panoptic_quality_score                   high 0:1      + - - + + - + none       varies  none
jaccard_error_rate                       low  0:1      - - - + + - + none       varies  weak
mutual_info_score                        high 0:inf    + - - - + - + asymptotic many    weak
normalized_mutual_info_score             high 0:1      + - - + + - + asymptotic many    strict
adjusted_mutual_info_score               high -2:1     + - - + - + - exact      neutral none
homogeneity_score                        high 0:1      - - - - + - + asymptotic many    weak
completeness_score                       high 0:1      - - - - + - + asymptotic varies  weak
v_measure_score                          high 0:1      + - - + + - + asymptotic many    strict
conditional_entropy                      low  0:inf    - - - - + - + none       many    weak
variation_of_information_distance        low  0:inf    + + - + + - + none       varies  strict
information_distance                     low  0:inf    + + - + + - + none       varies  weak
normalized_information_distance          low  0:1      + + - + + - + asymptotic many    weak
reduced_mutual_info_score                high -inf:inf - - - - - - - none       varies  none
standardized_mutual_info_score           high -inf:inf + - - - - + - exact      neutral none
standardized_rand_score                  high -inf:inf + - - - - + + exact      neutral none
pvalue_adjusted_mutual_info_score        high 0:1      + - - - - - - asymptotic varies  none
bcubed_precision_score                   high 0:1      - - - - + - + none       many    weak
bcubed_recall_score                      high 0:1      - - - - + - + none       few     weak
bcubed_f_score                           high 0:1      + - - + + - + none       varies  strict
muc_precision_score                      high 0:1      - - - - - - - asymptotic few     weak
muc_recall_score                         high 0:1      - - - - - - - asymptotic few     weak
muc_f_score                              high 0:1      + - - + - - - asymptotic few     weak
split_count                              low  0:inf    - - - - + - - none       few     weak
merge_count                              low  0:inf    - - - - + - - none       varies  weak
merge_distance                           low  0:inf    + - - + + - - none       varies  strict
element_centric_similarity_score         high 0:1      + - + + + - - none       varies  weak
cramers_v_score                          high 0:1      + - - - + - + asymptotic many    none
tschuprow_score                          high 0:1      + - - + + - + asymptotic many    none
omega_score                              high -0.5:1   + - - + - + + exact      neutral strict
overlapping_normalized_mutual_info_score high 0:1      + - - + + - + asymptotic varies  none
average_f_score                          high 0:1      + - - + + - + none       varies  none
silhouette_score                         high -1:1     - - ? ? ? - - ?          ?       ?
calinski_harabasz_score                  high 0:inf    - - ? ? ? - - ?          ?       ?
davies_bouldin_score                     low  0:inf    - - ? ? ? - - ?          ?       ?
within_cluster_sum_of_squares            low  0:inf    - - ? ? ? - + ?          ?       ?
between_cluster_sum_of_squares           high 0:inf    - - ? ? ? - + ?          ?       ?
incidence_proximity_correlation          high -1:1     - - ? ? ? - - ?          ?       ?
dunn_score                               high 0:inf    - - ? ? ? - - ?          ?       ?
xie_beni_score                           low  0:inf    - - ? ? ? - + ?          ?       ?
dbcv_score                               high -1:1     - - ? ? ? - - ?          ?       ?
modularity_score                         high -0.5:1   - - ? ? ? - + ?          ?       ?
partial_partition_distance               low  0:inf    + + ? + - - - ?          ?       ?
"""

_LETTERS = (
    *("symmetric", "metric", "similarity_metric", "identifies_equality"),
    *("replication_invariant", "adjusted", "soft"),
)
_WORDS = ("constant_baseline", "bias", "monotone")
_KNOWN = {"+": True, "-": False, "?": None}


def read_claims(best: str, between: str, *marks: str) -> dict[str, Any]:
    """Return the claims of one row, but its name."""
    low, high = map(float, between.split(":"))
    letters = {name: _KNOWN[mark] for name, mark in zip(_LETTERS, marks, strict=False)}
    words = {
        name: None if word == "?" else word
        for name, word in zip(_WORDS, marks[len(_LETTERS) :], strict=True)
    }
    return {"greater_is_better": best == "high", "range": (low, high), **letters, **words}


CLAIMS = {
    name: read_claims(*claimed)
    for name, *claimed in map(str.split, _TABLE.strip().splitlines()[1:])
}
