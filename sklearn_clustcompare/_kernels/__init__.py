"""The hot loops, from arrays to arrays: compiled if they were built, otherwise in NumPy.

Set the environment variable ``SKLEARN_CLUSTCOMPARE_KERNELS`` to ``numpy`` to run those of NumPy.
"""

import os

from sklearn_clustcompare._kernels._consensus import (
    Climbed,
    WeightedDraws,
    climb_partition,
    loss_parts,
)
from sklearn_clustcompare._kernels._elsewhere import warn_if_hidden
from sklearn_clustcompare._kernels._numpy import (
    Entropies,
    Groups,
    PackedTable,
    SquareSums,
    average_linkage,
    column_fillings,
    conditional_gain_sums,
    convex_gain_sums,
    count_densely,
    count_pair,
    count_sparsely,
    entropy_expansions,
    entropy_moments,
    entropy_position,
    expected_information,
    expected_of_empty_cells,
    fits_densely,
    group_sizes,
    information_excess,
    integer_bounds,
    log_ratio_sum,
    membership_bounds,
    number_codes,
    number_objects,
    number_text,
    number_values,
    occupied_cells,
    pack_cells,
    pack_table,
    shortest_code,
    split_cells,
    square_sums_together,
    sum_of_squares,
    table_entropies,
    tails_of_ways,
)

KERNELS = "numpy"
if os.environ.get("SKLEARN_CLUSTCOMPARE_KERNELS") != "numpy":
    try:
        from sklearn_clustcompare._kernels._compiled import (
            climb_partition,
            column_fillings,
            conditional_gain_sums,
            convex_gain_sums,
            count_pair,
            count_sparsely,
            entropy_expansions,
            entropy_moments,
            entropy_position,
            expected_information,
            group_sizes,
            information_excess,
            log_ratio_sum,
            membership_bounds,
            number_codes,
            number_objects,
            number_text,
            number_values,
            pack_table,
            shortest_code,
            square_sums_together,
            sum_of_squares,
            table_entropies,
            tails_of_ways,
        )
    except ImportError:
        warn_if_hidden()
    else:
        KERNELS = "compiled"

__all__ = [
    "KERNELS",
    "Climbed",
    "Entropies",
    "Groups",
    "PackedTable",
    "SquareSums",
    "WeightedDraws",
    "average_linkage",
    "climb_partition",
    "column_fillings",
    "conditional_gain_sums",
    "convex_gain_sums",
    "count_densely",
    "count_pair",
    "count_sparsely",
    "entropy_expansions",
    "entropy_moments",
    "entropy_position",
    "expected_information",
    "expected_of_empty_cells",
    "fits_densely",
    "group_sizes",
    "information_excess",
    "integer_bounds",
    "log_ratio_sum",
    "loss_parts",
    "membership_bounds",
    "number_codes",
    "number_objects",
    "number_text",
    "number_values",
    "occupied_cells",
    "pack_cells",
    "pack_table",
    "shortest_code",
    "split_cells",
    "square_sums_together",
    "sum_of_squares",
    "table_entropies",
    "tails_of_ways",
]
