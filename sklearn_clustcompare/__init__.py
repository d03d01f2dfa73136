"""Compare clusterings: indices of external validity for scikit-learn."""

from sklearn_clustcompare._index import Index
from sklearn_clustcompare._permutation_model import PermutationModel
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.indices import get_index, list_indices

__version__ = "0.1.0.dev0"
