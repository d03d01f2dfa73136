"""What is wrong is an error that names it."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import ContingencyTable, cluster_decomposition, plot
from sklearn_clustcompare.hierarchies import clustering_tree
from tests._errors import error_cases, using
from tests.plot._examples import FOUND, TRUTH, X, Y

LEVELS = {"k = 1": list("111111"), "k = 2": list("111222"), "k = 3": list("112233")}
PLACES = np.random.default_rng(0).normal(size=(12, 2))
WINE = StandardScaler().fit_transform(load_wine().data)
GROWERS = load_wine().target

streams = using(plot.AlluvialDisplay.from_predictions)
chain = using(plot.AlluvialDisplay.from_partitions)
tree = using(plot.ClusteringTreeDisplay.from_partitions)
tables = using(plot.ContingencyDisplay.from_predictions)
table = using(plot.ContingencyDisplay.from_predictions, TRUTH, FOUND)
plane = using(plot.EmbeddingAgreementDisplay.from_predictions)
of_places = using(plot.EmbeddingAgreementDisplay.from_predictions, PLACES, TRUTH, FOUND)
curves = using(plot.IndexCurveDisplay.from_predictions)
curve = using(plot.IndexCurveDisplay.from_predictions, [0, 0, 1, 1], {"one": [0, 1, 1, 1]})
law = using(plot.NullDistributionDisplay.from_predictions)
knives, silhouettes = using(plot.SilhouetteDisplay.from_labels), using(plot.SilhouetteDisplay)
matrix = using(plot.SimilarityMatrixDisplay.from_predictions)
scores = using(plot.SimilarityMatrixDisplay.from_scores)
candidates = using(plot.CandidateScoresDisplay.from_predictions)


VALUE_ERRORS = {
    # alluvial
    "^partitions must hold at least two partitions, got 1": chain([[0, 1]]),
    "^names must be one for the reference and one for the candidate, got 'abc'": streams(
        [0, 1], [0, 1], names="abc"
    ),
    r"^min_share must lie in \[0, 1\], got 2": streams([0, 1], [0, 1], min_share=2),
    r"^min_share must be at most the share of the largest .*, 0\.00667, got 0\.01: all": streams(
        [*range(299), 0], [0, *range(299)], min_share=0.01
    ),
    (
        "^min_share must be given: half of the objects are in 149 clusters, more than the 120 that "
        "can be told apart; of so many small clusters ContingencyDisplay draws those"
    ): streams([*range(299), 0], [0, *range(299)]),
    "^tables must hold at least one table, got none": lambda: plot.AlluvialDisplay([]).plot(),
    "^the columns of table 0 must be the rows of table 1": lambda: plot.AlluvialDisplay(
        [ContingencyTable.from_counts([[1, 2]]), ContingencyTable.from_counts([[1], [3]])]
    ).plot(),
    # clustering tree
    r"^min_line_share must lie in \[0, 1\], got -1": lambda: plot.ClusteringTreeDisplay(
        clustering_tree(LEVELS), min_line_share=-1
    ).plot(),
    "^partitions must have at most 2000 clusters.* 2001 in": tree(
        [np.zeros(2001, int), np.arange(2001)]
    ),
    # contingency
    "^counts must hold at least one cluster on each side": tables([], []),
    "^normalize must be one of None, 'true', 'pred'; got 'all'": table(normalize="all"),
    # embedding agreement
    r"^X must have the shape \(n_samples, 2\), got \(150, 4\)": plane(X, Y, Y),
    "^labels_true and labels_pred must have the same length": plane(PLACES, TRUTH, FOUND[1:]),
    "^X and labels_true must have the same length": plane(PLACES[1:], TRUTH, FOUND),
    "^color_by must be": of_places(color_by="size"),
    # index curve
    "^candidates must be a mapping of names to at least one": [
        curves(TRUTH, {}, index="rand_score"),
        curves(TRUTH, [FOUND], index="rand_score"),
    ],
    "q_range must be None or hold at least one order": curve(index="mutual_info_score", q_range=[]),
    "mapping of names to at least one candidate, got list": curves(
        [0, 0, 1, 1], [[0, 1, 1, 1]], index="rand_score"
    ),
    "^index must be one index with q_range, .* got 2": curve(
        index=["mutual_info_score"] * 2, q_range=[1]
    ),
    "^confidence_level must be None with q_range, got 0.9": curve(
        index="mutual_info_score", q_range=[1], confidence_level=0.9
    ),
    # null distribution
    "^n_resamples must be at least 1, got 0": law(TRUTH, FOUND, n_resamples=0),
    # silhouette
    "Number of labels is 1": knives(WINE, np.zeros(178)),
    "Number of labels is 178": knives(WINE, np.arange(178)),
    "X and labels must have": knives(WINE, GROWERS[:9]),
    "metric must be one of": knives(WINE, GROWERS, metric="x"),
    "subsample must": knives(WINE, GROWERS, subsample=0),
    "noise must be one of": knives(WINE, GROWERS, noise="x"),
    "labels must have the shape of values": silhouettes([0.1], [1, 2]),
    "names must name the 1 clust": silhouettes([0.1], [1], names=["a", "b"]),
    # similarity matrix
    "^X and labels must have the": matrix(X, Y[:-1]),
    "^X must hold at most 5000 objects, .* got 5001": matrix(
        np.zeros((5001, 1)), np.zeros(5001, int)
    ),
    r"^scores must be a square matrix .* got an array of shape \(2, 3\)": scores(np.zeros((2, 3))),
    "^scores must be finite, got nan": scores([[np.nan]]),
    "^names must name the 2 rows of scores, got 3": scores(np.eye(2), names=list("abc")),
    # weight function
    "^base must be None": lambda: plot.WeightFunctionDisplay(base=1).plot(),
}

TYPE_ERRORS = {
    # index curve
    "adjusted_rand_score takes no parameters, got 'q'": curve(
        index="adjusted_rand_score", q_range=[1]
    ),
    # guesses
    "^candidates must be given, or columns of data, got None": candidates(
        [0, 1], index="adjusted_rand_score"
    ),
    r"^AlluvialDisplay.from_partitions\(\) takes several partitions as one list: .*\(\[a, b": chain(
        TRUTH, FOUND
    ),
    (
        r"^ContingencyDisplay.from_predictions\(\) too many positional arguments, it takes "
        "labels_true, labels_pred: pass"
    ): table("true"),
    r"^plot\(\) draws into axes, got 'a.png': for a file, plot\(\).figure_.savefig": lambda: (
        ContingencyTable.from_labels(TRUTH, FOUND).plot("a.png")
    ),
    "^ContingencyDisplay.from_predictions.*'normalise'; did you mean 'normalize'": table(
        normalise="true"
    ),
    r"^WeightFunctionDisplay.plot\(\) got .* 'axx'; did you mean 'ax'": lambda: (
        plot.WeightFunctionDisplay().plot(axx=1)
    ),
    r"^DecompositionDisplay.plot\(\) got .* 'colour'; it takes names, ax": lambda: (
        cluster_decomposition(TRUTH, FOUND).plot(colour="red")
    ),
    r"^ContingencyDisplay.from_table\(\) got .* 'axx'; did you mean 'ax'": lambda: (
        ContingencyTable.from_labels(TRUTH, FOUND).plot(axx=1)
    ),
    r"^AlluvialDisplay\(\) too many .*; it is made by .*from_predictions\(labels_true, l": (
        lambda: plot.AlluvialDisplay(TRUTH, FOUND)
    ),
    r"^GapDisplay draws a GapStatistic, got list; it is made by from_estimator\(estimator, X": (
        lambda: plot.GapDisplay([1, 2])
    ),
    # similarity matrix
    "^dendrogram must be True or False, got 'left'": scores(np.eye(3), dendrogram="left"),
}


ATTRIBUTE_ERRORS = {
    r"no attribute 'from_labels'; it is made by from_partitions\(partitions\), from_": (
        lambda: plot.AlluvialDisplay.from_labels(TRUTH, FOUND)
    ),
    r"no attribute 'from_result'; .* GapDisplay\(GapStatistic\).plot\(\)$": lambda: (
        plot.GapDisplay.from_result
    ),
    "'ax_' before its plot": lambda: plot.WeightFunctionDisplay().ax_,
    "'ax'; did you mean 'ax_'": lambda: plot.WeightFunctionDisplay().plot().ax,
    "'savefig'; did you mean 'figure_.savefig'": lambda: (
        plot.WeightFunctionDisplay().plot().savefig
    ),
    "'shaers'; did you mean 'shares'": lambda: plot.WeightFunctionDisplay().shaers,
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS, ATTRIBUTE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
