"""Functions that compare two partitions of the same objects, or evaluate one by the data."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.indices._index import PUBLIC
from sklearn_clustcompare.metrics._information import categorical_entropies as categorical_entropies
from sklearn_clustcompare.metrics._information import categorical_entropy as categorical_entropy
from sklearn_clustcompare.metrics._information import clustering_entropy as clustering_entropy
from sklearn_clustcompare.metrics._information import expected_mutual_info as expected_mutual_info
from sklearn_clustcompare.metrics._information import mutual_info_variance as mutual_info_variance
from sklearn_clustcompare.metrics._information import partition_coefficient as partition_coefficient
from sklearn_clustcompare.metrics._information import partition_entropy as partition_entropy
from sklearn_clustcompare.metrics._information import soft_self_agreement as soft_self_agreement
from sklearn_clustcompare.metrics._matching import match_clusters as match_clusters
from sklearn_clustcompare.metrics._matching import relabel as relabel
from sklearn_clustcompare.metrics._matching import relabel_partitions as relabel_partitions
from sklearn_clustcompare.metrics._pairs import (
    element_centric_similarities as element_centric_similarities,
)
from sklearn_clustcompare.metrics._pairs import pair_confusion_matrix as pair_confusion_matrix

# The functions of all indices; for editors they stand in the stub beside this file.
globals().update(PUBLIC)

__all__ = sorted(  # noqa: PLE0605
    name for name, one in globals().items() if callable(one) and one is not show_types
)

show_types(globals())

# Their examples, since a public function is made where no module would look for it.
__test__ = {name: globals()[name] for name in __all__}
