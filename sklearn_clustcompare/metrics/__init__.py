"""Functions that compare two partitions of the same objects, or evaluate one by the data."""

from sklearn_clustcompare._options import publish
from sklearn_clustcompare.indices._index import PUBLIC
from sklearn_clustcompare.metrics._information import (
    categorical_entropies,
    categorical_entropy,
    clustering_entropy,
    expected_mutual_info,
    mutual_info_variance,
    partition_coefficient,
    partition_entropy,
)
from sklearn_clustcompare.metrics._matching import (
    element_centric_similarities,
    match_clusters,
    pair_confusion_matrix,
    relabel,
    relabel_partitions,
)

# The functions of all indices; for editors they stand in the stub beside this file.
globals().update(PUBLIC)

__all__ = sorted(  # noqa: PLE0605
    name for name, one in globals().items() if callable(one) and one is not publish
)

publish(globals())

# Their examples, since a public function is made where no module would look for it.
__test__ = {name: globals()[name] for name in __all__}
