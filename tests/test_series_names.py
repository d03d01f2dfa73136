"""Series give their names to what is shown of partitions."""

import pickle

import numpy as np
import pytest

import sklearn_clustcompare as clustcompare
from tests._inputs import import_or_skip

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
    "medoid_partition": lambda many: clustcompare.consensus.medoid_partition(many).names,
    "consensus_partition": lambda many: clustcompare.consensus_partition(many).names,
    "clustering_tree": lambda many: clustcompare.hierarchies.clustering_tree(many).names,
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


@pytest.mark.slow
@pytest.mark.parametrize("names", [None, ("a", "b")])
def test_of_displays(names):
    pytest.importorskip("matplotlib")
    expected = names or ("kind", "found")
    display = clustcompare.plot.DecompositionDisplay.from_predictions(*SERIES[:2], names=names)
    assert display.names == expected
    parts = clustcompare.cluster_decomposition(*SERIES[:2])
    assert clustcompare.plot.DecompositionDisplay(parts, names=names).names == expected
    table = clustcompare.plot.AlluvialDisplay.from_predictions(*SERIES[:2], names=names)
    assert table.names == expected
    contingency = clustcompare.plot.ContingencyDisplay.from_predictions(*SERIES[:2], names=names)
    assert contingency.names == expected
    chain = clustcompare.plot.AlluvialDisplay.from_partitions(SERIES)
    assert np.array_equal(chain.names, ["kind", "found", "b"])


def test_of_tables():
    table = clustcompare.ContingencyTable.from_labels(*SERIES[:2])
    assert table.names == ("kind", "found") == table.T.names[::-1]
    assert table == clustcompare.ContingencyTable.from_labels(*VALUES[:2])
    assert repr(table).startswith(
        "ContingencyTable: 6 objects in 3 rows (kind) x 2 columns (found)"
    )
    frame = table.to_frame()
    assert (frame.index.name, frame.columns.name) == ("kind", "found")
    for same in (
        table + table,
        pickle.loads(pickle.dumps(table)),
        clustcompare.ContingencyTable.from_counts(frame),
        clustcompare.ContingencyTable.from_counts(pd.crosstab(*SERIES[:2])),
        clustcompare.ContingencyTable.from_memberships(*SERIES[:2]),
        clustcompare.cluster_decomposition(table),
        clustcompare.plot.ContingencyDisplay.from_table(table),
    ):
        assert same.names == ("kind", "found")
    plain = clustcompare.ContingencyTable.from_labels(*VALUES[:2])
    assert (plain + table).names == plain.names == plain.T.names == ("labels_true", "labels_pred")
    unnamed = clustcompare.ContingencyTable.from_counts(pd.crosstab(*VALUES[:2]))
    assert unnamed.names == plain.names


FRAMES = {
    "dict": lambda data: {name: np.array(one) for name, one in data.items()},
    "pandas": pd.DataFrame,
    "Arrow": lambda data: import_or_skip("pyarrow").table(data),
    "Polars": lambda data: import_or_skip("polars").DataFrame(data),
}


@pytest.mark.slow
@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_of_columns(make):
    data = make({"kind": VALUES[0], "found": VALUES[1]})
    found = clustcompare.cluster_decomposition("kind", "found", data=data)
    assert found.names == ("kind", "found")
    assert "kind" in str(clustcompare.clustering_comparison_report("kind", "found", data=data))
    pytest.importorskip("matplotlib")
    for display in (
        clustcompare.plot.DecompositionDisplay,
        clustcompare.plot.AlluvialDisplay,
        clustcompare.plot.ContingencyDisplay,
    ):
        assert display.from_predictions("kind", "found", data=data).names == ("kind", "found")
    weights = clustcompare.plot.WeightFunctionDisplay.from_predictions("kind", data=data)
    assert "(3 clusters of kind" in weights.ax_.get_title()


@pytest.mark.slow
def test_of_embeddings():
    pytest.importorskip("matplotlib")
    X = np.column_stack([np.arange(6), np.zeros(6)])
    make = clustcompare.plot.EmbeddingAgreementDisplay.from_predictions
    for display, names in (
        (make(X, *SERIES[:2]), "others: ring kind, fill found"),
        (make(X, *SERIES[:2], names=("a", "b")), "others: ring a, fill b"),
        (make(X, *VALUES[:2]), "others: ring reference, fill candidate"),
    ):
        assert names in [text.get_text() for text in display.ax_.get_legend().get_texts()]
