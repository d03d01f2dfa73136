"""Data of any size: a sample is looked at, and all rows are labeled."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import DBSCAN, HDBSCAN, KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import (
    NClustersSearch,
    StabilitySearch,
    choose_n_clusters,
    cluster_stability,
    prediction_strength,
)
from sklearn_clustcompare.without_reference._resamples import look_at, scaled, scaled_parameters
from tests._examples import slow

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 3, size=4000)
X = RNG.normal(size=(4000, 3)) + 9 * np.eye(3)[TRUE]
LOOK = {"param_range": [2, 3], "subsample": 60, "n_resamples": 5}


class Counted:
    """Rows that are read on demand, as those of an HDF5 file; counts those that are read."""

    chunks = (100, 3)

    def __init__(self, values):
        self.values, self.shape, self.dtype = values, values.shape, values.dtype
        self.read = []

    def __getitem__(self, rows):
        found = self.values[rows]
        self.read.append(len(found))
        return found


def memory_map(values, path):
    np.save(path / "X.npy", values)
    return np.load(path / "X.npy", mmap_mode="r")


def dask_array(values, path):
    return pytest.importorskip("dask.array").from_array(values, chunks=(700, 3))


FORMS = {
    "array": lambda values, path: values,
    "float32": lambda values, path: values.astype(np.float32),
    "frame": lambda values, path: pd.DataFrame(values, columns=["a", "b", "c"]),
    "sparse": lambda values, path: sparse.csr_array(values),
    "memory map": memory_map,
    "on demand": lambda values, path: Counted(values),
    "dask": dask_array,
}
FORMS_TRIED = [slow(form) if form in ("sparse", "dask") else form for form in FORMS]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS_TRIED)
def test_all_rows_are_labeled_whatever_holds_them(form, tmp_path):
    choice = choose_n_clusters(KMeans(n_init=3), FORMS[form](X, tmp_path), **LOOK)
    assert (choice.n_clusters, choice.subsample) == (3, 60)
    assert adjusted_rand_score(TRUE, choice.labels) > 0.99
    assert choice.estimator.labels_.shape == (300,)


def test_only_sampled_rows_are_read_before_the_labels():
    data = Counted(X)
    _, looked = look_at(data, KMeans(), 60, 5, 0)
    assert data.read == [2, 300]
    assert len(np.unique(looked.positions)) == 300
    np.testing.assert_array_equal(looked.rows, X[looked.positions])


@pytest.mark.parametrize(
    ("n_rows", "subsample", "expected"),
    [
        (1500, "auto", (1500, 1, None)),
        (1501, "auto", (1500, 5, 300)),
        (4000, "auto", (2500, 5, 500)),
        (4000, None, (4000, 1, None)),
        (4000, 800, (4000, 5, 800)),
    ],
)
def test_how_many_rows_are_looked_at(n_rows, subsample, expected):
    _, looked = look_at(X[:n_rows], KMeans(), subsample, 5, 0)
    assert (len(looked.positions), looked.n_parts, looked.size) == expected


def test_parameters_that_count_objects_are_scaled():
    assert scaled("min_cluster_size", 100, 0.1) == 10
    assert scaled("hdbscan__min_cluster_size", 100, 0.01) == 5
    assert scaled("min_samples", 3, 0.01) == 3
    assert scaled("n_clusters", 100, 0.1) == 100
    found = scaled_parameters(make_pipeline(HDBSCAN(min_cluster_size=60)), 0.5)
    assert found == {"hdbscan__min_cluster_size": 30}
    assert scaled_parameters(HDBSCAN(min_cluster_size=60), 1) == {}


def test_a_radius_is_not_that_of_a_sample():
    with pytest.raises(ValueError, match="subsample must be None or 'auto': a sample has fewer r"):
        choose_n_clusters(DBSCAN(), X, [0.5, 1], param_name="eps", subsample=60)
    with pytest.raises(MemoryError, match="a sample has fewer rows within eps, a distance, so all"):
        choose_n_clusters(DBSCAN(), np.zeros((20_000, 1)), [0.5, 1], param_name="eps")


@pytest.mark.slow
def test_parameters_that_were_scaled_are_named():
    counts = HDBSCAN(copy=True, min_samples=60)
    reasons = choose_n_clusters(counts, X, [80, 800], subsample=60).verdict.reasons
    (why,) = [one for one in reasons if "count objects" in one]
    assert why.startswith("min_samples and min_cluster_size count objects")
    assert "multiplied by 0.075" in why


def test_a_column_that_decides_alone_is_named():
    frame = pd.DataFrame(X[:90] * [1, 1, 50], columns=["a", "b", "c"])
    options = {"param_range": [2, 3], "n_resamples": 2, "n_null": 19}
    reasons = choose_n_clusters(KMeans(n_init=1), frame, **options).verdict.reasons
    assert any("Column 'c' has 99.9 % of the variance" in one for one in reasons)
    scaled = make_pipeline(StandardScaler(), KMeans(n_init=1))
    for estimator, rows in ((KMeans(n_init=1), X[:90]), (scaled, frame)):
        reasons = choose_n_clusters(estimator, rows, **options).verdict.reasons
        assert not any("of the variance" in one for one in reasons)


@pytest.mark.slow
def test_rows_of_a_donor_stay_together():
    rng = np.random.default_rng(0)
    donors = np.repeat([0, 1, 2, 3], 30)
    rows = rng.normal(size=(120, 2)) + 9 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[donors]
    options = {"param_range": [3, 4], "n_resamples": 5, "n_null": 19}
    found = [
        choose_n_clusters(KMeans(n_init=3), rows, groups=groups, **options)
        for groups in (None, donors, np.arange(120))
    ]
    assert found[0].verdict.grade == "separated"
    assert found[1].strength[2] < 0.9 < found[2].strength[2]
    search = NClustersSearch(KMeans(n_init=3), random_state=0, **options).fit(rows, groups=donors)
    np.testing.assert_array_equal(search.result_.strength, found[1].strength)
    one, options = rng.normal(size=(120, 2)), options | {"param_range": [2, 3]}
    found.append(choose_n_clusters(KMeans(n_init=3), one, groups=np.arange(120), **options))
    # Said where structureless data were drawn, and groups given.
    said = ["as if all rows were independent" in " ".join(one.verdict.reasons) for one in found]
    assert said == [False, False, False, True]
    assert [one.pvalue is None for one in found] == [True, True, True, False]
    with pytest.raises(ValueError, match="groups must hold at least 5 different groups, got 4"):
        choose_n_clusters(KMeans(), rows, groups=donors, subsample=20)


@pytest.mark.slow
@pytest.mark.parametrize("call", ["strength", "stability", "choice", "search"])
def test_groups_follow_the_names_of_the_rows(call):
    rng = np.random.default_rng(0)
    names = [f"r{number}" for number in range(40)]
    frame = pd.DataFrame(rng.normal(size=(40, 2)) + np.repeat([[0], [2]], 20, axis=0), index=names)
    groups = pd.Series(np.arange(40) // 4, index=names)
    kmeans, how = KMeans(2, n_init=1, random_state=0), {"n_resamples": 5}
    search = StabilitySearch(kmeans, [2], random_state=0, **how)
    of = {
        "strength": lambda one: prediction_strength(kmeans, frame, [2], groups=one, **how).mean,
        "stability": lambda one: cluster_stability(kmeans, frame, groups=one, **how).mean,
        "choice": lambda one: choose_n_clusters(kmeans, frame, [2], groups=one, **how).strength,
        "search": lambda one: search.fit(frame, groups=one).result_.mean,
    }[call]
    shuffled = groups.sample(frac=1, random_state=0)
    np.testing.assert_equal(of(shuffled.to_dict()), of(groups))
    with pytest.raises(ValueError, match="^X and groups must have the same index"):
        of(shuffled)
