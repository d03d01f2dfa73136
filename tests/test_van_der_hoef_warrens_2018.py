"""The Zoo example of van der Hoef & Warrens (2018) from raw data, and its median linkage."""

from urllib.error import URLError

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist

from benchmarks import van_der_hoef_warrens_2018
from benchmarks.van_der_hoef_warrens_2018 import (
    CLASSES,
    N_CLUSTERS,
    PRINTED,
    load_zoo,
    main,
    median_linkage,
    zoo_table,
)
from sklearn_clustcompare import adjusted_rand_score, cluster_decomposition
from tests._files import SHARED_DATA

ZOO = PRINTED["tables"]["7"]


@pytest.fixture
def folder():
    if not (SHARED_DATA / "uci" / "zoo.csv").is_file():
        pytest.skip("zoo.csv does not lie beside the repository")
    return SHARED_DATA / "uci"


def test_zoo_data_are_sixteen_binary_variables_of_101_animals(folder):
    X, classes = load_zoo(folder)
    assert X.shape == (101, 16)
    assert set(np.unique(X)) == {0, 1}
    sizes = np.sum(ZOO["counts"], axis=1)
    assert {name: np.sum(classes == name) for name in CLASSES} == dict(
        zip(CLASSES, sizes, strict=True)
    )


def test_zoo_from_raw_data_is_table_7(folder):
    np.testing.assert_array_equal(zoo_table(folder).counts.toarray(), ZOO["counts"])


def test_zoo_from_raw_data_has_the_values_of_table_8(folder):
    X, classes = load_zoo(folder)
    parts = cluster_decomposition(classes, median_linkage(X, N_CLUSTERS))
    order = [parts.labels[0].tolist().index(name) for name in CLASSES]
    half_a_unit = 0.005 + 1e-12
    assert abs(parts.R - ZOO["R"]) < half_a_unit
    assert abs(parts.C - ZOO["C"]) < half_a_unit
    np.testing.assert_allclose(parts.R_i[order], ZOO["R_i"], rtol=0, atol=half_a_unit)
    np.testing.assert_allclose(parts.u_i[order], ZOO["u_i"], rtol=0, atol=half_a_unit)
    np.testing.assert_allclose(np.sort(parts.C_j), np.sort(ZOO["C_j"]), rtol=0, atol=half_a_unit)


def merges(tree, n_clusters):
    """Return the clusters after the first merges of a tree of SciPy."""
    n_samples = len(tree) + 1
    labels = np.arange(n_samples)
    for step, pair in enumerate(tree[: n_samples - n_clusters, :2]):
        labels[np.isin(labels, pair)] = n_samples + step
    return labels


@pytest.mark.parametrize("seed", range(10))
def test_median_linkage_without_ties_is_that_of_scipy_with_roots(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    tree = linkage(np.sqrt(pdist(X, "cityblock")), "median")
    for n_clusters in (1, 2, 4, 9, 40):
        found = median_linkage(X, n_clusters)
        assert len(np.unique(found)) == n_clusters
        assert adjusted_rand_score(merges(tree, n_clusters), found) == 1


def test_median_linkage_merges_the_first_of_equal_distances():
    np.testing.assert_array_equal(median_linkage(np.array([[0.0], [1], [2]]), 2), [0, 0, 2])
    np.testing.assert_array_equal(median_linkage(np.array([[5.0], [0], [1], [6]]), 3), [0, 1, 2, 0])


@pytest.mark.parametrize("has_folder", [True, False])
def test_zoo_is_left_out_with_a_message_if_it_is_not_at_hand(
    tmp_path, monkeypatch, capsys, has_folder
):
    def fail(*_, **__):
        msg = "no network"
        raise URLError(msg)

    monkeypatch.setattr(van_der_hoef_warrens_2018, "fetch_openml", fail)
    monkeypatch.setattr(van_der_hoef_warrens_2018, "DATA_DIR", tmp_path / "none")
    monkeypatch.setattr(van_der_hoef_warrens_2018, "import_pyplot", lambda: None)
    folder = ["--data-dir", str(tmp_path)] if has_folder else []
    monkeypatch.setattr("sys.argv", ["script", *folder])
    main()
    lines = capsys.readouterr().out.splitlines()
    (message,) = (line for line in lines if line.startswith("Tables 7 and 8 are left out: "))
    assert message.endswith("zoo.csv not found." if has_folder else "<urlopen error no network>")
    # Three of the slips are not in Table 8.
    assert any(line.endswith("rounding of 0.005: 3 of 117 values") for line in lines)


@pytest.mark.slow
def test_script_prints_all_tables_and_draws_figure_1(folder, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(
        "sys.argv", ["script", "--data-dir", str(folder), "--output", str(tmp_path)]
    )
    main()
    lines = capsys.readouterr().out.splitlines()
    for number in (3, 4, 6, 7, 8):
        assert any(line.startswith(f"Table {number}") for line in lines), number
    assert "the same as printed" in lines
    (deviation,) = (line for line in lines if line.startswith("largest deviation"))
    # Four figures of the tables are slips: two in Table 6, 5b, one in 2b and one in Table 8.
    assert deviation.endswith("more than the rounding of 0.005: 4 of 141 values")
    assert {path.name for path in tmp_path.iterdir()} == {"figure_1.png", "zoo.png"}
