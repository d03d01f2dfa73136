"""The compiled kernels have the types of those in NumPy."""

from sklearn_clustcompare._kernels._consensus import climb_partition as climb_partition
from sklearn_clustcompare._kernels._numpy import column_fillings as column_fillings
from sklearn_clustcompare._kernels._numpy import conditional_gain_sums as conditional_gain_sums
from sklearn_clustcompare._kernels._numpy import convex_gain_sums as convex_gain_sums
from sklearn_clustcompare._kernels._numpy import count_pair as count_pair
from sklearn_clustcompare._kernels._numpy import count_sparsely as count_sparsely
from sklearn_clustcompare._kernels._numpy import entropy_expansions as entropy_expansions
from sklearn_clustcompare._kernels._numpy import entropy_moments as entropy_moments
from sklearn_clustcompare._kernels._numpy import entropy_position as entropy_position
from sklearn_clustcompare._kernels._numpy import expected_information as expected_information
from sklearn_clustcompare._kernels._numpy import group_sizes as group_sizes
from sklearn_clustcompare._kernels._numpy import information_excess as information_excess
from sklearn_clustcompare._kernels._numpy import log_ratio_sum as log_ratio_sum
from sklearn_clustcompare._kernels._numpy import membership_bounds as membership_bounds
from sklearn_clustcompare._kernels._numpy import number_codes as number_codes
from sklearn_clustcompare._kernels._numpy import number_objects as number_objects
from sklearn_clustcompare._kernels._numpy import number_text as number_text
from sklearn_clustcompare._kernels._numpy import number_values as number_values
from sklearn_clustcompare._kernels._numpy import pack_table as pack_table
from sklearn_clustcompare._kernels._numpy import shortest_code as shortest_code
from sklearn_clustcompare._kernels._numpy import square_sums_together as square_sums_together
from sklearn_clustcompare._kernels._numpy import sum_of_squares as sum_of_squares
from sklearn_clustcompare._kernels._numpy import table_entropies as table_entropies
from sklearn_clustcompare._kernels._numpy import tails_of_ways as tails_of_ways
