"""The hot loops, from arrays to arrays: compiled if they were built, otherwise in NumPy.

Set the environment variable ``SKLEARN_CLUSTCOMPARE_KERNELS`` to ``numpy`` to run those of NumPy.
"""

import os

from sklearn_clustcompare._kernels._consensus import Climbed as Climbed
from sklearn_clustcompare._kernels._consensus import WeightedDraws as WeightedDraws
from sklearn_clustcompare._kernels._consensus import climb_partition as climb_partition
from sklearn_clustcompare._kernels._consensus import loss_parts as loss_parts
from sklearn_clustcompare._kernels._consensus import pair_losses as pair_losses
from sklearn_clustcompare._kernels._elsewhere import warn_if_hidden
from sklearn_clustcompare._kernels._numpy import Entropies as Entropies
from sklearn_clustcompare._kernels._numpy import Groups as Groups
from sklearn_clustcompare._kernels._numpy import PackedTable as PackedTable
from sklearn_clustcompare._kernels._numpy import SquareSums as SquareSums
from sklearn_clustcompare._kernels._numpy import average_linkage as average_linkage
from sklearn_clustcompare._kernels._numpy import column_fillings as column_fillings
from sklearn_clustcompare._kernels._numpy import conditional_gain_sums as conditional_gain_sums
from sklearn_clustcompare._kernels._numpy import convex_gain_sums as convex_gain_sums
from sklearn_clustcompare._kernels._numpy import count_densely as count_densely
from sklearn_clustcompare._kernels._numpy import count_pair as count_pair
from sklearn_clustcompare._kernels._numpy import count_sparsely as count_sparsely
from sklearn_clustcompare._kernels._numpy import entropy_expansions as entropy_expansions
from sklearn_clustcompare._kernels._numpy import entropy_moments as entropy_moments
from sklearn_clustcompare._kernels._numpy import entropy_position as entropy_position
from sklearn_clustcompare._kernels._numpy import expected_information as expected_information
from sklearn_clustcompare._kernels._numpy import expected_of_empty_cells as expected_of_empty_cells
from sklearn_clustcompare._kernels._numpy import fits_densely as fits_densely
from sklearn_clustcompare._kernels._numpy import group_sizes as group_sizes
from sklearn_clustcompare._kernels._numpy import information_excess as information_excess
from sklearn_clustcompare._kernels._numpy import integer_bounds as integer_bounds
from sklearn_clustcompare._kernels._numpy import log_ratio_sum as log_ratio_sum
from sklearn_clustcompare._kernels._numpy import membership_bounds as membership_bounds
from sklearn_clustcompare._kernels._numpy import number_codes as number_codes
from sklearn_clustcompare._kernels._numpy import number_objects as number_objects
from sklearn_clustcompare._kernels._numpy import number_text as number_text
from sklearn_clustcompare._kernels._numpy import number_values as number_values
from sklearn_clustcompare._kernels._numpy import occupied_cells as occupied_cells
from sklearn_clustcompare._kernels._numpy import pack_cells as pack_cells
from sklearn_clustcompare._kernels._numpy import pack_table as pack_table
from sklearn_clustcompare._kernels._numpy import shortest_code as shortest_code
from sklearn_clustcompare._kernels._numpy import split_cells as split_cells
from sklearn_clustcompare._kernels._numpy import square_sums_together as square_sums_together
from sklearn_clustcompare._kernels._numpy import sum_of_squares as sum_of_squares
from sklearn_clustcompare._kernels._numpy import table_entropies as table_entropies
from sklearn_clustcompare._kernels._numpy import tails_of_ways as tails_of_ways

KERNELS = "numpy"
if os.environ.get("SKLEARN_CLUSTCOMPARE_KERNELS") != "numpy":
    try:
        import sklearn_clustcompare._kernels._compiled as _compiled  # type: ignore[import-not-found]
    except ImportError:
        warn_if_hidden()
    else:
        # A compiled kernel replaces that of its name in NumPy.
        globals().update(
            {
                name: one
                for name, one in vars(_compiled).items()
                if name in globals() and name[0] != "_"
            }
        )
        KERNELS = "compiled"
