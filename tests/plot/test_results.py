"""Results that draw themselves, as their Displays draw them."""

import numpy as np
import pytest

import sklearn_clustcompare as scc
from sklearn_clustcompare import plot
from tests._results import results
from tests.plot._examples import FOUND, TRUTH

pyplot = pytest.importorskip("matplotlib.pyplot")

DRAWN = {
    "CandidateScores": plot.CandidateScoresDisplay,
    "ClusterDecomposition": plot.DecompositionDisplay,
    "ClusterSignificance": plot.ClusterSignificanceDisplay,
    "ClusterStability": plot.ClusterStabilityDisplay,
    "ClusteringTree": plot.ClusteringTreeDisplay,
    "ComparisonReport": plot.DecompositionDisplay,
    "GapStatistic": plot.GapDisplay,
    "HierarchyComparison": plot.HierarchyComparisonDisplay,
    "IndexCurve": plot.IndexCurveDisplay,
    "NClustersChoice": plot.NClustersDisplay,
    "PairwiseScores": plot.SimilarityMatrixDisplay,
    "PredictionStrength": plot.StabilityDisplay,
    "StabilityResult": plot.StabilityDisplay,
    "StructureTestResult": plot.NullDistributionDisplay,
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_result_draws_itself(name):
    options = {} if name == "NClustersChoice" else {"ax": pyplot.subplots()[1]}
    display = results()[name].plot(**options)
    assert type(display) is DRAWN[name]
    if options:
        assert display.ax_ is options["ax"]


def test_what_a_display_draws_has_a_method():
    drawn = {name for name, one in results().items() if hasattr(one, "plot")}
    assert drawn - {"PermutationTestResult", "ContingencyTable"} == set(DRAWN)  # see below


def test_keywords_reach_the_display_and_its_picture():
    table = scc.ContingencyTable.from_labels(TRUTH, FOUND)
    display = table.plot(normalize="true", colorbar=False)
    assert (display.normalize, display.im_.colorbar) == ("true", None)
    scores = scc.score_candidates(TRUTH, [FOUND, FOUND > 0, FOUND > 1], indices="ari")
    assert scores.plot(max_shown=2).max_shown == 2
    test = scc.permutation_test(TRUTH, FOUND, index="ari", method="monte_carlo", n_resamples=50)
    assert isinstance(test.plot(), plot.NullDistributionDisplay)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        scores.plot(foo=1)


def test_rows_make_a_frame():
    pytest.importorskip("pandas")
    curve = scc.index_curve(TRUTH, {3: FOUND, 2: FOUND > 0}, index="ari")
    frame = curve.to_frame()
    assert list(frame.columns[:1]) == ["x"]
    np.testing.assert_array_equal(frame["value"], np.ravel(curve.values))
    profile = scc.candidates.reference_profile(TRUTH, index="rand_score")
    np.testing.assert_array_equal(profile.to_frame()["expected"], profile.expected)
    side = scc.cluster_decomposition(TRUTH, FOUND).true
    np.testing.assert_array_equal(side.to_frame()["value"], side.values)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("contingency_matrix", "ContingencyTable"),
        ("clustree", "clustering_tree"),
        ("nmi", "normalized_mutual_info_score"),
        ("purity", "purity_score"),
        ("compare_candidates", "score_candidates"),
    ],
)
def test_names_of_others_lead_to_ours(name, meant):
    with pytest.raises(AttributeError, match=f"did you mean '(sklearn_clustcompare.*)?{meant}'"):
        getattr(scc, name)
