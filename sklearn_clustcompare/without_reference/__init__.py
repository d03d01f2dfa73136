"""Verdicts without a reference: structure, number of clusters, stability."""

from sklearn_clustcompare._options import show_types
from sklearn_clustcompare.without_reference._against_null import GapStatistic as GapStatistic
from sklearn_clustcompare.without_reference._against_null import (
    StructureTestResult as StructureTestResult,
)
from sklearn_clustcompare.without_reference._against_null import gap_statistic, structure_test
from sklearn_clustcompare.without_reference._cluster_significance import (
    ClusterSignificance as ClusterSignificance,
)
from sklearn_clustcompare.without_reference._cluster_significance import (
    cluster_significance,
)
from sklearn_clustcompare.without_reference._n_clusters import NClustersChoice as NClustersChoice
from sklearn_clustcompare.without_reference._n_clusters import NClustersSearch, choose_n_clusters
from sklearn_clustcompare.without_reference._small_groups import SmallGroup as SmallGroup
from sklearn_clustcompare.without_reference._stability import (
    ClusterStability as ClusterStability,
)
from sklearn_clustcompare.without_reference._stability import Influence as Influence
from sklearn_clustcompare.without_reference._stability import (
    PredictionStrength as PredictionStrength,
)
from sklearn_clustcompare.without_reference._stability import (
    cluster_stability,
    influence,
    prediction_strength,
)
from sklearn_clustcompare.without_reference._stability_result import (
    StabilityResult as StabilityResult,
)
from sklearn_clustcompare.without_reference._stability_search import StabilitySearch
from sklearn_clustcompare.without_reference._verdict import NClustersVerdict as NClustersVerdict

__all__ = [
    "NClustersSearch",
    "StabilitySearch",
    "choose_n_clusters",
    "cluster_significance",
    "cluster_stability",
    "gap_statistic",
    "influence",
    "prediction_strength",
    "structure_test",
]

show_types(globals())
