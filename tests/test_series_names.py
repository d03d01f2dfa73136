"""Series give their names to what is shown of partitions."""

import numpy as np
import pytest

import sklearn_clustcompare as clustcompare

pd = pytest.importorskip("pandas")

VALUES = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 2, 2]
SERIES = [
    pd.Series(one, name=name) for one, name in zip(VALUES, ["kind", "found", "b"], strict=True)
]
OF_TWO = {
    "decomposition": clustcompare.cluster_decomposition,
    "true": lambda *sides: clustcompare.cluster_decomposition(*sides).true,
    "pred": lambda *sides: clustcompare.cluster_decomposition(*sides).pred,
    "report": clustcompare.clustering_comparison_report,
    "html": lambda *sides: clustcompare.cluster_decomposition(*sides)._repr_html_(),
}
OF_MANY = {
    "pairwise_scores": lambda many: clustcompare.pairwise_scores(many, index="ari").names,
    "medoid_partition": lambda many: clustcompare.medoid_partition(many).names,
    "consensus_partition": lambda many: clustcompare.consensus_partition(many).names,
    "clustering_tree": lambda many: clustcompare.clustering_tree(many).names,
    "score_candidates": lambda many: clustcompare.score_candidates(VALUES[0], many).names,
}


@pytest.mark.parametrize("name", OF_TWO)
def test_of_two_partitions(name):
    text = str(OF_TWO[name](*SERIES[:2]))
    expected = str(OF_TWO[name](*VALUES[:2]))
    assert (
        text == expected.replace("labels_true", "kind").replace("labels_pred", "found") != expected
    )


@pytest.mark.parametrize("name", OF_MANY)
def test_of_many_partitions(name):
    assert list(OF_MANY[name](SERIES)) == ["kind", "found", "b"]
    assert list(OF_MANY[name](tuple(SERIES))) == ["kind", "found", "b"]
    assert list(OF_MANY[name]([SERIES[0], SERIES[1].rename("kind")])) == [0, 1]
    assert list(OF_MANY[name]([SERIES[0], VALUES[1]])) == [0, 1]


@pytest.mark.parametrize("names", [None, ("a", "b")])
def test_of_displays(names):
    pytest.importorskip("matplotlib")
    expected = names or ("kind", "found")
    display = clustcompare.DecompositionDisplay.from_predictions(*SERIES[:2], names=names)
    assert display.names == expected
    parts = clustcompare.cluster_decomposition(*SERIES[:2])
    assert clustcompare.DecompositionDisplay(parts, names=names).names == expected
    table = clustcompare.AlluvialDisplay.from_predictions(*SERIES[:2], names=names)
    assert table.names == expected
    contingency = clustcompare.ContingencyDisplay.from_predictions(*SERIES[:2], names=names)
    assert contingency.names == expected
    chain = clustcompare.AlluvialDisplay.from_partitions(SERIES)
    assert np.array_equal(chain.names, ["kind", "found", "b"])
