"""The hot loops, from arrays to arrays: compiled if they were built, otherwise in NumPy.

Set the environment variable ``SKLEARN_CLUSTCOMPARE_KERNELS`` to ``numpy`` to run those of NumPy.
"""

import os

from sklearn_clustcompare._kernels._numpy import (
    PackedTable,
    average_linkage,
    column_fillings,
    conditional_gain_sums,
    convex_gain_sums,
    count_densely,
    count_pair,
    count_pairs_together,
    count_sparsely,
    entropy_expansions,
    fits_densely,
    integer_bounds,
    log_ratio_sum,
    membership_bounds,
    number_codes,
    number_objects,
    number_text,
    occupied_cells,
    pack_cells,
    pack_table,
    split_cells,
    square_sums_together,
    sum_of_squares,
)

KERNELS = "numpy"
if os.environ.get("SKLEARN_CLUSTCOMPARE_KERNELS") != "numpy":
    try:
        from sklearn_clustcompare._kernels._compiled import (
            conditional_gain_sums,
            convex_gain_sums,
            count_pair,
            count_sparsely,
            entropy_expansions,
            log_ratio_sum,
            membership_bounds,
            number_codes,
            number_objects,
            number_text,
            pack_table,
            square_sums_together,
            sum_of_squares,
        )
    except ImportError:
        pass
    else:
        KERNELS = "compiled"

__all__ = [
    "KERNELS",
    "PackedTable",
    "average_linkage",
    "column_fillings",
    "conditional_gain_sums",
    "convex_gain_sums",
    "count_densely",
    "count_pair",
    "count_pairs_together",
    "count_sparsely",
    "entropy_expansions",
    "fits_densely",
    "integer_bounds",
    "log_ratio_sum",
    "membership_bounds",
    "number_codes",
    "number_objects",
    "number_text",
    "occupied_cells",
    "pack_cells",
    "pack_table",
    "split_cells",
    "square_sums_together",
    "sum_of_squares",
]
