"""One result of each public class that users get back, with names that HTML has to escape."""

import inspect
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.base import BaseEstimator
from sklearn.model_selection import BaseCrossValidator

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.significance import noninferiority_test
from tests._docstrings import public_objects
from tests.without_reference._stability_data import Quantiles

# What users call, and get results from.
_TOOLS = {"ClusteringBaseline", "ClusteringScorer"}

TRUE = ["<b>", "<b>", "<b>", "<i>&", "<i>&", "<i>&"] * 5
PRED = ["x", "x", "<u>", "<u>", "<u>", "<u>"] * 5
OTHER = ["x", "<u>", "x", "<u>", "x", "x"] * 5
POINTS = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0, 0], [9, 9]], 15, axis=0)
LEAVES = linkage(POINTS, "single"), linkage(POINTS, "average")


def result_classes():
    """Return the public classes by name, without Displays, estimators and tools."""
    named = {name.split(".")[-1]: one for name, one in public_objects().items()}
    return {
        name: one
        for name, one in named.items()
        if inspect.isclass(one)
        and not name.endswith("Display")
        and not issubclass(one, BaseEstimator | BaseCrossValidator)
        and name not in _TOOLS
    }


@cache
def results():
    """Return a result by the name of its class."""
    candidates = {"<b>": PRED, "c & d": OTHER}
    scores = clustcompare.score_candidates(
        TRUE,
        candidates,
        indices=["adjusted_rand_score", "mirkin_distance"],
        confidence_level=0.95,
        n_resamples=20,
        random_state=0,
    )
    decomposition = clustcompare.cluster_decomposition(TRUE, PRED)
    report = clustcompare.clustering_comparison_report(TRUE, PRED)
    entities = clustcompare.clustering_comparison_report(TRUE, PRED, family="entity")
    choice = clustcompare.choose_n_clusters(
        Quantiles(), POINTS, param_range=[2, 3], n_resamples=2, n_null=19, random_state=0
    )
    found = [
        clustcompare.results.SmallGroup(0.005, 500, 3),
        scores,
        scores.compare(),
        scores.permutation_test(n_resamples=20),
        clustcompare.pairwise_scores(candidates, index="rand_score"),
        clustcompare.consensus.medoid_partition(candidates),
        clustcompare.consensus_partition(candidates, random_state=0),
        clustcompare.consensus_partition(candidates, random_state=0).credible_ball(),
        clustcompare.consensus.compare_posteriors(candidates, candidates),
        clustcompare.co_association_matrix(candidates),
        clustcompare.index_curve(TRUE, candidates, index="rand_score"),
        clustcompare.hierarchies.clustering_tree(candidates),
        clustcompare.hierarchies.compare_hierarchies(*LEAVES),
        clustcompare.candidates.align_partitions(
            TRUE, PRED, ids_true=range(30), ids_pred=range(30)
        ),
        clustcompare.without_reference.influence(Quantiles(), POINTS),
        clustcompare.candidates.reference_profile(TRUE, index="rand_score"),
        clustcompare.candidates.partial_partition_distance({"<b>": 0, "&": 0}, {"&": 0}),
        clustcompare.Cover.from_sets([{"<b>", "&"}, {"&"}]),
        clustcompare.Hierarchy.from_linkage(LEAVES[0]),
        clustcompare.ContingencyTable.from_labels(TRUE, PRED),
        clustcompare.indices.CellSum(np.square),
        clustcompare.significance.PermutationModel([3, 4], [5, 2]),
        clustcompare.significance.FixedClusterCountModel(7, (2, 3)),
        clustcompare.significance.AllPartitionsModel(7),
        clustcompare.significance.MultinomialModel(7, [0.5, 0.5], [1.0]),
        clustcompare.get_index("mutual_info_score"),
        clustcompare.permutation_test(TRUE, PRED, index="purity_score", n_resamples=20),
        clustcompare.score_interval(TRUE, PRED, index="rand_score", n_resamples=20),
        clustcompare.paired_comparison_test(
            TRUE, PRED, OTHER, index="rand_score", n_resamples=20, random_state=0
        ),
        noninferiority_test(TRUE, PRED, OTHER, index="rand_score", margin=0.5),
        clustcompare.chance_adjusted_score(TRUE, PRED, index="rand_score"),
        clustcompare.sampled_reference_scores([*TRUE, None, None], [*PRED, "x", "z"]),
        clustcompare.recommend_index(TRUE),
        decomposition,
        decomposition.true,
        decomposition.true.summary,
        decomposition.adjusted_rand(),
        report,
        report.overall[0],
        report.headline,
        report.provenance,
        entities,
        entities.merges[0],
        clustcompare.report.internal_decomposition(POINTS, TRUE),
        choice,
        choice.verdict,
        clustcompare.gap_statistic(Quantiles(), POINTS, [2, 3], n_null=2),
        clustcompare.structure_test(
            Quantiles(), POINTS, [2, 3], statistic="silhouette_score", n_null=19
        ),
        clustcompare.prediction_strength(Quantiles(), POINTS, [2, 3], n_resamples=2),
        clustcompare.StabilitySearch(
            Quantiles(), {"n_clusters": [2, 3]}, n_resamples=2, random_state=0
        )
        .fit(POINTS)
        .result_,
        clustcompare.cluster_significance(Quantiles(3), POINTS, n_null=19),
        clustcompare.cluster_stability(Quantiles(), POINTS, n_resamples=3, random_state=0),
        _compare_with_baseline(),
    ]
    return {type(one).__name__: one for one in found}


def _compare_with_baseline():
    with tempfile.TemporaryDirectory() as folder:
        baseline = clustcompare.checks.ClusteringBaseline(Path(folder) / "baseline.json")
        baseline.accept("<b>", TRUE, PRED)
        return baseline.compare("<b>", TRUE, OTHER)
