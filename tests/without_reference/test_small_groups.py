"""Small groups of large data, which samples do not show."""

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_clustcompare import NClustersSearch, choose_n_clusters
from sklearn_clustcompare.results import NClustersVerdict, SmallGroup
from sklearn_clustcompare.without_reference import _n_clusters
from sklearn_clustcompare.without_reference._resamples import look_at
from sklearn_clustcompare.without_reference._verdict import with_small_groups
from tests._examples import slow

HOW = {"n_jobs": None, "verbose": 0}
QUICK = {"param_range": [2, 3], "subsample": 60, "n_resamples": 2, "n_null": 19}


def planted(shares, n_rows=4000, n_features=4, distance=9.0, seed=0):
    """Return a normal cloud with small ones, and the number of the cloud of each row."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares) + 1, n_rows, p=[1 - sum(shares), *shares])
    means = np.vstack([np.zeros(n_features), distance * np.eye(n_features)[: len(shares)]])
    return rng.normal(size=(n_rows, n_features)) + means[truth], truth


def jaccard(one, other):
    return np.sum(one & other) / np.sum(one | other)


def halves(X):
    return [X[: len(X) // 2], X[len(X) // 2 :]]


def sought(X, null="elliptical"):
    return _n_clusters.sought(halves(X), np.asarray, null, 0, HOW)


# --------------------------------------------------------------------------- what is found


@pytest.mark.parametrize("null", ["elliptical", slow("auto")])
def test_small_groups_are_found_beside_one_large_cluster(null):
    X, truth = planted([0.02, 0.03], n_rows=2600)
    choice = choose_n_clusters(KMeans(n_init=1), X, null=null, **QUICK)
    assert (choice.n_clusters, choice.verdict.n_clusters) == (3, 3)
    assert choice.verdict.grade == "one"
    assert choice.verdict.headline.startswith("1 large cluster and 2 small groups (")
    assert [jaccard(choice.labels == one.labels, truth == number) > 0.9 for one, number in zip(
        choice.small_groups, (2, 1), strict=True
    )] == [True, True]  # fmt: skip
    for one in choice.small_groups:
        assert one.size == np.sum(choice.labels == one.labels)
        assert one.share == one.size / len(X)
    assert choice.estimator.n_clusters == 1
    assert any("in the labels, not in its predictions" in why for why in choice.verdict.reasons)


@pytest.mark.slow
def test_groups_are_sought_as_the_clusterer_sees_the_rows():
    X, truth = planted([0.03], n_rows=2400)
    wide = np.column_stack([X, 1e4 * np.random.default_rng(1).normal(size=len(X))])
    scaled = make_pipeline(StandardScaler(), KMeans(n_init=1))
    search = NClustersSearch(scaled, null="elliptical", random_state=0, **QUICK).fit(wide)
    assert search.n_clusters_ == 2
    assert jaccard(search.labels_ == 1, truth == 1) > 0.9
    assert set(search.predict(wide)) == {0}
    assert choose_n_clusters(KMeans(n_init=1), wide, null="elliptical", **QUICK).small_groups == ()


@pytest.mark.slow
def test_a_function_draws_rows_as_they_are():
    shapes = []

    def law(X, seed):
        shapes.append(X.shape[1])
        return np.random.default_rng(seed).normal(size=X.shape)

    X, truth = planted([0.02])
    found = _n_clusters.sought(halves(X), lambda rows: rows[:, 1:], law, 0, HOW)
    assert found is None  # the group is in the column left out
    found = _n_clusters.sought(halves(X), lambda rows: rows[:, :3], law, 0, HOW)
    assert jaccard(found.of(X[:, :3]) == 0, truth == 1) > 0.9
    assert set(shapes) == {4}


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.standard_t(3, (2000, 4)),
        lambda rng: np.exp(rng.normal(size=(2000, 3))),
        lambda rng: rng.random((2000, 3)),
        lambda rng: (1 + rng.exponential(size=(4000, 3)) / rng.gamma(0.5, 1, (4000, 1))) ** -0.5,
        lambda rng: rng.normal(size=(2000, 3)) + 6 * np.eye(3)[rng.integers(3, size=2000)],
        lambda rng: np.round(rng.normal(size=(2000, 6))),
        lambda rng: rng.poisson(rng.gamma(3, 1, (2000, 1)) * np.ones(6)).astype(float),
    ],
    ids=["t", "lognormal", "uniform", "Clayton", "clusters", "rounded", "counts"],
)
def test_none_are_found_where_none_are(draw):
    X = draw(np.random.default_rng(0))
    assert sought(X, "auto") is None


@pytest.mark.slow
@pytest.mark.parametrize("distance", [4.5, 6.0, 9.0])
def test_an_early_end_has_the_decision_of_all_data_sets(distance, monkeypatch):
    for seed in range(3):
        X, _ = planted([0.03], n_rows=2000, distance=distance, seed=seed)
        early = sought(X)
        monkeypatch.setattr(_n_clusters, "_SURE", 0.0)
        full = sought(X)
        monkeypatch.undo()
        assert (early is None) == (full is None)
        if early is not None:
            np.testing.assert_array_equal(early.members, full.members)


def test_none_is_found_that_one_sample_lacks():
    X, _ = planted([])
    X[:40] += 12  # in the first half alone
    assert sought(X) is None


# --------------------------------------------------------------------------- definitions


def test_isolation_by_its_definition():
    X, _ = planted([0.05], n_rows=600)
    found = _n_clusters.divided(X, 3)
    groups, centers = found, found.centers.astype(float)
    values = (X - X.mean(axis=0)) / np.abs(X - X.mean(axis=0)).max()
    distances = np.linalg.norm(values[:, np.newaxis] - centers, axis=2)
    np.testing.assert_array_equal(found.codes, distances.argmin(axis=1))
    np.testing.assert_array_equal(groups.nearest(X), found.codes)
    assert not groups.members[-1].any()
    for members, isolation in zip(groups.members[:-1], found.isolation[:-1], strict=True):
        inside = members[found.codes]
        assert 10 <= inside.sum() <= 60
        a = np.linalg.norm(values[inside] - values[inside].mean(axis=0), axis=1)
        b = distances[inside][:, ~members].min(axis=1)
        assert isolation == pytest.approx(np.mean((b - a) / np.maximum(a, b)), abs=1e-5)


def test_the_top_of_one_mode_is_not_apart():
    rng = np.random.default_rng(0)
    peak = rng.exponential(size=(2000, 1)) * rng.normal(size=(2000, 3))
    assert not _n_clusters._is_apart(peak, np.linalg.norm(peak, axis=1) < 0.2, 0)
    X, truth = planted([0.03], n_rows=2000)
    assert _n_clusters._is_apart(X, truth == 1, 0)


def test_a_group_comes_back_by_its_jaccard_index():
    first, second = (planted([0.05], n_rows=600, seed=seed)[0] for seed in (1, 2))
    one, other = _n_clusters.divided(first, 0), _n_clusters.divided(second, 0)
    sent = one.nearest(second)
    found = _n_clusters._found_again(one, other, sent)
    for number, members in enumerate(one.members):
        again = [
            isolation
            for groups, isolation in zip(other.members, other.isolation, strict=True)
            if (members[sent] | groups[other.codes]).any()
            and jaccard(members[sent], groups[other.codes]) >= 0.75
        ]
        assert found[number] == min(one.isolation[number], max(again, default=-1))


def test_groups_that_make_up_a_cluster_are_no_more():
    labels = np.repeat([0, 1, -1], [90, 10, 20])
    number = np.full(120, -1)
    number[:8], number[90:96], number[100:112] = 0, 1, 2
    carved, groups = _n_clusters.carved(labels, number)
    assert groups == (SmallGroup(12 / 120, 12, 2), SmallGroup(8 / 120, 8, 3))
    assert np.bincount(carved + 1).tolist() == [8, 82, 10, 12, 8]
    assert labels.tolist() == [0] * 90 + [1] * 10 + [-1] * 20


def test_how_many_rows_are_taken():
    assert _n_clusters.n_rows_sought(10**6, 10) == 20_000
    assert _n_clusters.n_rows_sought(3000, 10) == 1500
    assert _n_clusters.n_rows_sought(10**6, 2**12) == 2**11
    assert _n_clusters.n_rows_sought(10**6, 2**15) == 0
    assert _n_clusters.n_rows_sought(998, 2) == 0


def test_both_samples_have_rows_of_their_own_groups():
    donors = np.repeat(np.arange(40), 100)
    X, _ = planted([])
    _, looked = look_at(X, KMeans(), 60, 5, 0, donors)
    assert (looked.n_parts, len(looked.positions)) == (5, 300)
    assert looked.own_groups.max() + 1 == len(set(donors[looked.positions]))
    one, other = (set(donors[part]) for part in looked.disjoint(4000, 2000, 2, 0))
    assert (len(one), len(other), one & other) == (20, 20, set())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "options"),
    [
        (AgglomerativeClustering(metric="precomputed", linkage="average"), {}),
        (KMeans(n_init=1), {"subsample": None}),
        (KMeans(n_init=1), {"subsample": 30}),
    ],
)
def test_where_none_are_sought(estimator, options):
    X, _ = planted([], n_rows=400)
    if isinstance(estimator, AgglomerativeClustering):
        X = np.linalg.norm(X[:, np.newaxis] - X, axis=2)
    choice = choose_n_clusters(estimator, X, **(QUICK | options))
    assert choice.small_groups == ()
    expected = None if choice.subsample is None else 25 / choice.subsample
    assert choice.smallest_share == expected


# --------------------------------------------------------------------------- words


def test_the_headline_tells_clusters_from_small_groups():
    one = NClustersVerdict("one", 1, (), False, ("why", "caveat"))
    found = with_small_groups(one, [0.006, 0.003], ["note"])
    assert found.headline == "1 large cluster and 2 small groups (0.6 %, 0.3 %)"
    assert (found.n_clusters, found.reasons) == (3, ("why", "note", "caveat"))
    several = NClustersVerdict("touching", 3, (6,), False, ("why", "caveat"))
    assert with_small_groups(several, [0.01], []).headline == (
        "3 clusters, touching, and 1 small group (1 %); a division into 6, nested in these, comes "
        "back, too"
    )
    nothing = NClustersVerdict("nothing", None, (), False, ("why", "caveat"))
    assert with_small_groups(nothing, [], []) == nothing
