"""The same data in other units, at another place and in another form give the same values.

All public functions that take data are called, with data on a grid: shifts and powers of two then
change no digit. What differs for a reason stands in the tables, with the reason.
"""

import inspect
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_clustcompare as package
from sklearn_clustcompare import make_clustering_scorer, without_reference
from sklearn_clustcompare._data import near, read_pairs
from sklearn_clustcompare.indices import INTERNAL_INDICES
from sklearn_clustcompare.plot import SilhouetteDisplay
from tests._docstrings import public, public_names
from tests._examples import slow

RNG = np.random.default_rng(5)
CENTERS = np.repeat([[0, 0], [6, 0], [0, 6]], 14, axis=0)
X = np.round((RNG.normal(size=CENTERS.shape) + CENTERS) * 1024) / 1024
CLASSES = np.repeat([0, 1, 2], 14)
LABELS = np.where(RNG.random(len(X)) < 0.1, 0, CLASSES)
OTHERS = np.roll(LABELS, 1)
KMEANS = KMeans(3, n_init=3, random_state=0)

# --------------------------------------------------------------------------- what is called


def numbers(value):
    """Return the numbers of a result, in an order."""
    if isinstance(value, dict):
        return [number for one in value.values() for number in numbers(one)]
    if isinstance(value, list | tuple):
        return [number for one in value for number in numbers(one)]
    return np.asarray(value, float).ravel().tolist()


def of_index(name):
    return lambda data, labels, _: public(name)(data, labels)


def unit_free(index):
    return not index.name.endswith("_sum_of_squares")


# Of functions that take partitions: what is compared of the result, the partitions, the options.
CORRELATION = "incidence_proximity_correlation"
OF_PARTITIONS = {
    "score_interval": (["interval"], [CLASSES], {"index": "silhouette_score"}),
    "paired_comparison_test": (["difference"], [LABELS, OTHERS], {"index": CORRELATION}),
    "noninferiority_test": (
        ["difference"],
        [LABELS, OTHERS],
        {"index": CORRELATION, "margin": 0.1},
    ),
    "permutation_test": (
        ["statistic"],
        [LABELS],
        {"index": "davies_bouldin_score", "n_resamples": 9},
    ),
    "chance_adjusted_score": (
        ["real", "expected"],
        [LABELS],
        {"index": "silhouette_score", "n_resamples": 9, "random_state": 0},
    ),
    "score_candidates": (
        ["scores"],
        [{"a": LABELS, "b": OTHERS}],
        {"indices": ["silhouette_score", "dunn_score"]},
    ),
    "index_curve": (["values"], [{2: LABELS, 3: OTHERS}], {"index": "xie_beni_score"}),
}
# Of functions that fit clusterers: what is compared, what is given after the data, the options.
DRAWS = {"null": "copula", "n_null": 19}
QUICK = DRAWS | {"n_resamples": 2}
OF_FITS = {
    "prediction_strength": (["values"], [[2, 3]], {"n_resamples": 3}),
    "cluster_stability": (["jaccard", "labels"], [], {"n_resamples": 3}),
    "influence": (["values"], [], {"n_changes": 3}),
    "gap_statistic": (["gap"], [range(1, 4)], {"n_null": 3}),
    "structure_test": (
        ["pvalue", "standardized"],
        [],
        DRAWS | {"statistic": "silhouette_score"},
    ),
    "cluster_significance": (["labels", "pvalues"], [], DRAWS),
    "choose_n_clusters": (
        ["n_clusters", "pvalue", "silhouette", "ratio", "labels"],
        [range(2, 4)],
        QUICK,
    ),
}
OF_PICTURES = {
    "GapDisplay": ("gap", {"param_range": range(1, 4), "n_null": 2}),
    "ClusterSignificanceDisplay": ("labels", DRAWS),
    "NClustersDisplay": ("silhouette", QUICK | {"param_range": range(2, 4)}),
}


def parts_of(found, parts):
    return [getattr(found, part) for part in parts]


def of_partitions(name, parts, given, options):
    return lambda data, labels, _: parts_of(public(name)(None, *given, X=data, **options), parts)


def of_fits(name, parts, given, options):
    return lambda data, _, estimator: parts_of(
        public(name)(estimator, data, *given, **options), parts
    )


def of_picture(name, part, options):
    def call(data, _, estimator):
        shown = public(name).from_estimator(estimator, data, **options)
        return getattr(getattr(shown, "choice", None) or shown.result, part)

    return call


def n_clusters_search(estimator, numbers):
    return package.NClustersSearch(estimator, numbers, **QUICK, random_state=0)


def stability_search(estimator, numbers):
    name = "kmeans__n_clusters" if hasattr(estimator, "steps") else "n_clusters"
    return package.StabilitySearch(estimator, {name: numbers}, n_resamples=3, random_state=0)


def of_search(make, *parts):
    def call(data, _, estimator):
        fitted = make(estimator, [2, 3]).fit(data)
        return fitted.labels_, parts_of(fitted.result_, parts)

    return call


def scorer(data, _, estimator):
    names = ["silhouette_score", "davies_bouldin_score"]
    return make_clustering_scorer(names)(clone(estimator).fit(X_of(data)), data)


def X_of(data):
    """Return a copy, so that a fit leaves the data alone."""
    return data.copy() if hasattr(data, "copy") else data


OF_LABELS = {
    **{name: of_index(name) for name in INTERNAL_INDICES if name != "modularity_score"},
    **{name: of_partitions(name, *rest) for name, rest in OF_PARTITIONS.items()},
    "internal_decomposition": lambda data, labels, _: (
        package.report.internal_decomposition(data, labels).silhouettes
    ),
    "SilhouetteDisplay.from_labels": lambda data, labels, _: (
        package.plot.SilhouetteDisplay.from_labels(data, labels).values
    ),
    "SimilarityMatrixDisplay.from_predictions": lambda data, labels, _: (
        package.plot.SimilarityMatrixDisplay.from_predictions(data, labels).similarity
    ),
}
OF_ESTIMATORS = {
    **{name: of_fits(name, *rest) for name, rest in OF_FITS.items()},
    "StabilitySearch.fit": of_search(stability_search, "values"),
    "StabilitySearch.predict": lambda data, _, estimator: (
        stability_search(estimator, [3]).fit(data).predict(data)
    ),
    "NClustersSearch.fit": of_search(n_clusters_search, "silhouette", "ratio"),
    "NClustersSearch.predict": lambda data, _, estimator: (
        n_clusters_search(estimator, [3]).fit(data).predict(data)
    ),
    "make_clustering_scorer": scorer,
}
OF_DISPLAYS = {
    "SilhouetteDisplay.from_estimator": lambda data, _, estimator: (
        package.plot.SilhouetteDisplay.from_estimator(estimator, data, [2, 3]).values
    ),
    **{f"{name}.from_estimator": of_picture(name, *rest) for name, rest in OF_PICTURES.items()},
}
LEFT_OUT = {
    "categorical_entropies": "takes categories, which have no place",
    "categorical_entropy": "takes categories, which have no place",
    "modularity_score": "takes a graph, which has no place; its units are tested below",
    "NClustersSearch.fit_predict": "is fit and labels_",
    "StabilitySearch.fit_predict": "is fit and labels_",
    "EmbeddingAgreementDisplay.from_predictions": "draws places as they are",
    "CandidateScoresDisplay.from_predictions": "draws score_candidates",
    "IndexCurveDisplay.from_predictions": "draws index_curve",
    "SimilarityMatrixDisplay.from_estimator": "is from_predictions with labels_",
    "TransductiveSplit.split": "counts objects only",
    "TransductiveSplit.get_n_splits": "counts objects only",
}


def test_all_public_functions_of_data_are_called():
    found = set()
    for name in public_names():
        one = public(name)
        if inspect.isfunction(one):
            found |= {name} if "X" in inspect.signature(one).parameters else set()
        elif inspect.isclass(one):
            for method, function in inspect.getmembers(one, callable):
                if method[0] != "_" and "X" in inspect.signature(function).parameters:
                    found.add(f"{name}.{method}")
    called = {*OF_LABELS, *OF_ESTIMATORS, *OF_DISPLAYS} - {"make_clustering_scorer"}
    assert found == called | set(LEFT_OUT)


# --------------------------------------------------------------------------- what changes


def _frozen(data):
    data = data.copy()
    data.flags.writeable = False
    return data


CHANGES = {
    "shifted": lambda data: data + 1e9,
    "smaller": lambda data: data * 2.0**-30,
    "larger": lambda data: data * 2.0**30,
    "read-only": _frozen,
    "by columns": np.asfortranarray,
    "list": np.ndarray.tolist,
    "frame": lambda data: pd.DataFrame(data, columns=["a", "b"]),
    "float32": lambda data: data.astype(np.float32),
    "sparse": sparse.csr_array,
    "sparse and shifted": lambda data: sparse.csc_array(data + 1e9),
}
POWER = {"smaller": -30, "larger": 30}

_DRAWN = "structureless data are rounded to floats at the place of the data"
_STARTS = "k-means of small arrays of doubles has starts of its own"
_SPARSE_NULL = "sparse data have other null distributions"
_SPARSE_FIT = "k-means of sparse data loses the digits, with a caution"
DRAW = ("gap_statistic", "structure_test", "cluster_significance", "choose_n_clusters")
DRAW += ("NClustersSearch.fit",)
_ALL_DIGITS = (1e-9, "no reason")
# Tolerance of a function for a change, or None where values differ; and the reason.
EXCEPTIONS = {
    **{(name, "shifted"): (1e-6, _DRAWN) for name in DRAW},
    **{
        (name, change): (None, _STARTS)
        for name in (*DRAW, "prediction_strength")
        for change in ("float32", "frame")
    },
    ("prediction_strength", "sparse"): (None, _STARTS),
    **{(name, "sparse"): (None, _SPARSE_NULL) for name in DRAW},
    **{(name, "sparse and shifted"): (None, _SPARSE_NULL) for name in DRAW},
    **{
        (name, "sparse and shifted"): (None, _SPARSE_FIT)
        for name in OF_ESTIMATORS
        if name not in DRAW
    },
}
COSTLY = {"choose_n_clusters", "cluster_significance", "structure_test"}
COSTLY |= {"StabilitySearch.fit", "StabilitySearch.predict", "clustering_comparison_report"}
CASES = [
    (slow if name in COSTLY and change != "shifted" else pytest.param)(
        name, change, id=f"{name}-{change}"
    )
    for name in (*OF_LABELS, *OF_ESTIMATORS)
    for change in CHANGES
    if EXCEPTIONS.get((name, change), _ALL_DIGITS)[0] is not None
]


def values_of(name, data, labels=LABELS, estimator=KMEANS):
    call = {**OF_LABELS, **OF_ESTIMATORS, **OF_DISPLAYS}[name]
    return np.array(numbers(call(data, labels, estimator)))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "change"), CASES)
def test_changes_of_the_data_do_not_change_values(name, change):
    tolerance, _ = EXCEPTIONS.get((name, change), _ALL_DIGITS)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.filterwarnings("error", "column")
        expected, found = values_of(name, X), values_of(name, CHANGES[change](X))
    if name.endswith("_sum_of_squares"):
        expected = np.ldexp(expected, 2 * POWER.get(change, 0))
    np.testing.assert_allclose(
        found, expected, rtol=tolerance, atol=1e-9 if tolerance < 1e-8 else tolerance
    )


@pytest.mark.parametrize("name", INTERNAL_INDICES)
def test_the_order_of_the_objects_does_not_change_an_index(name):
    if name == "modularity_score":
        return
    order = np.random.default_rng(0).permutation(len(X))
    found = values_of(name, X[order] + 1e9, LABELS[order])
    np.testing.assert_allclose(found, values_of(name, X), rtol=1e-9)


# --------------------------------------------------------------------------- clusterers that write


class InPlace(KMeans):
    """Subtracts means and divides in the memory of the caller, as does old code."""

    def fit(self, X, y=None, sample_weight=None):
        X -= np.asarray(X).mean(axis=0)
        X /= 3
        return super().fit(X)

    def predict(self, X):
        return super().predict((X - X.mean(axis=0)) / 3)


CALLS_OF_ESTIMATORS = [
    slow(name) if name in COSTLY or name in OF_DISPLAYS else name
    for name in (*OF_ESTIMATORS, *OF_DISPLAYS)
]


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS_OF_ESTIMATORS)
def test_a_step_that_works_in_place_changes_no_value_and_no_data(name):
    careful, hasty = (
        make_pipeline(StandardScaler(copy=copy), clone(KMEANS)) for copy in (True, False)
    )
    data = X.copy()
    found = values_of(name, data, estimator=hasty)
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(found, values_of(name, X, estimator=careful))


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS_OF_ESTIMATORS)
def test_a_clusterer_that_works_in_place_gets_data_of_its_own(name):
    estimator = InPlace(3, n_init=3, random_state=0)
    data = X.copy()
    found = values_of(name, data, estimator=estimator)
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(values_of(name, _frozen(X), estimator=estimator), found)


@pytest.mark.parametrize("response", ["predict", "fit_predict", "labels_"])
def test_a_scorer_leaves_data_alone(response):
    data = X.copy()
    estimator = AgglomerativeInPlace(3)
    scorer = make_clustering_scorer("silhouette_score", response="auto")
    if response != "predict":
        scorer = make_clustering_scorer("silhouette_score", response=response)
    scorer(clone(estimator).fit(X.copy()), data)
    np.testing.assert_array_equal(data, X)


class AgglomerativeInPlace(AgglomerativeClustering):
    """Doubles data where they are."""

    def fit(self, X, y=None):
        X *= 2
        return super().fit(X)


def test_functions_of_the_user_get_data_of_their_own():
    def statistic(data):
        data *= 2
        return data.std()

    def law(data, seed):
        data += 1
        return np.random.default_rng(seed).permuted(data, axis=0)

    def drawn(data, seed):
        data += 1
        return np.random.default_rng(seed).integers(len(data), size=30)

    data = X.copy()
    package.structure_test(None, data, statistic=statistic, null=law, n_null=3)
    package.StabilitySearch(
        KMEANS, {"n_clusters": [2, 3]}, resampling=drawn, n_resamples=2, random_state=0
    ).fit(data)
    np.testing.assert_array_equal(data, X)


# --------------------------------------------------------------------------- ends of the floats


@pytest.mark.parametrize("exponent", [-1030, -560, 510, 1000])
@pytest.mark.parametrize("name", INTERNAL_INDICES)
def test_indices_reach_to_the_ends_of_the_floats(name, exponent):
    if not unit_free(INTERNAL_INDICES[name]) or name == "modularity_score":
        return
    coarse = np.round(X * 8) / 8  # of few bits, as denormal numbers are
    found = values_of(name, np.ldexp(coarse, exponent))
    assert found == pytest.approx(values_of(name, coarse), rel=1e-12)


@pytest.mark.parametrize("exponent", [-1060, 1000])
def test_modularity_reaches_to_the_ends_of_the_floats(exponent):
    edges = np.triu(np.random.default_rng(0).integers(9, size=(42, 42)), 1)
    edges = (edges + edges.T).astype(float)
    expected = package.metrics.modularity_score(edges, LABELS)
    assert package.metrics.modularity_score(np.ldexp(edges, exponent), LABELS) == expected


@pytest.mark.parametrize(
    "name", ["within_cluster_sum_of_squares", "between_cluster_sum_of_squares"]
)
@pytest.mark.parametrize(("exponent", "value"), [(510, math.inf), (-560, 0.0)])
def test_a_sum_of_squares_that_is_no_float_is_said(name, exponent, value):
    with pytest.warns(RuntimeWarning, match="beyond the range of floats"):
        assert public(name)(np.ldexp(X, exponent), LABELS) == value


class Halves(ClusterMixin, BaseEstimator):
    """Divides objects by their first feature, in any units."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        order = X[:, 0].argsort().argsort()
        self.labels_ = order * self.n_clusters // len(X)
        return self


@pytest.mark.filterwarnings("ignore:X has values whose squares")
def test_the_gap_of_data_whose_sums_of_squares_are_no_floats():
    options = {"param_range": [1, 2], "n_null": 3, "power": 1}
    near, far = (
        package.gap_statistic(Halves(), np.ldexp(X, exponent), **options).gap
        for exponent in (0, -560)
    )
    assert far == pytest.approx(near, rel=1e-9)


# --------------------------------------------------------------------------- digits


def exact_silhouette(data, labels):
    """Return the silhouette by distances of exact differences."""
    gaps = data[:, np.newaxis].astype(np.longdouble) - data.astype(np.longdouble)
    distances = np.sqrt((gaps**2).sum(axis=2))
    widths = []
    for own, row in zip(labels, distances, strict=True):
        means = [row[labels == one].sum() / np.sum(labels == one) for one in np.unique(labels)]
        size = np.sum(labels == own)
        a = means[own] * size / (size - 1)
        b = min(mean for one, mean in enumerate(means) if one != own)
        widths.append((b - a) / max(a, b))
    return float(np.mean(widths))


@pytest.mark.parametrize("n_features", [3, 32, 33, 50])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_digits_where_one_object_or_one_cluster_is_far_from_the_others(n_features, form):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 10)
    data = rng.normal(size=(30, n_features)) + labels[:, np.newaxis]
    for rows in (slice(20, 30), slice(29, 30)):
        moved = data.copy()
        moved[rows] += 1e8
        found = package.silhouette_score(form(moved), labels)
        assert found == pytest.approx(exact_silhouette(moved, labels), rel=1e-9)


@pytest.mark.parametrize("distance", [0, 3.9, 4.1, 1e3, 1e9, 1e15])
@pytest.mark.parametrize("unit", [5e-324, 1e-300, 1.0, 1e290])
def test_data_are_brought_near_without_a_change_of_any_digit(distance, unit):
    columns = np.random.default_rng(0).uniform(-0.5, 0.5, size=(20, 3)) * [1, 1e3, 1e-3]
    data = (columns + distance * np.ptp(columns, axis=0) * [1, -1, 1]) * unit
    data[:, 2] = data[0, 2]
    for form in (np.array, sparse.csr_array):
        found = near(form(data))
        values = found.values.toarray() if sparse.issparse(found.values) else found.values
        np.testing.assert_array_equal(found.of(values), data)
        assert np.abs(values).max() <= 1
        if distance > 4 and unit == 1.0:
            assert (np.abs(found.shift) > 0).all()


@pytest.mark.parametrize("n_features", [32, 33])
def test_distances_of_equal_objects_are_zero_with_few_and_with_many_features(n_features):
    data = np.repeat(np.random.default_rng(0).normal(size=(8, n_features)) + 1e3, 2, axis=0)
    assert package.metrics.dunn_score(data, np.repeat(range(8), 2)) == math.inf


def test_davies_bouldin_of_close_and_of_concentric_clusters():
    pairs = np.array([[0.0, 0.0], [0.0, 2.0], [8.0, 0.0], [8.0, 2.0]])
    for scale in (1.0, 1e-9, 1e-150):
        assert package.metrics.davies_bouldin_score(pairs * scale, [0, 0, 1, 1]) == pytest.approx(
            0.25
        )
    tight = pairs * [1.0, 1e-9]
    assert package.metrics.davies_bouldin_score(tight, [0, 0, 1, 1]) == pytest.approx(0.25e-9)
    # As by scikit-learn, clusters around one place are not compared.
    around = [[-1.0, -1.0], [1.0, 1.0]] * 2
    assert package.metrics.davies_bouldin_score(around, [0, 0, 1, 1]) == 0.0


# --------------------------------------------------------------------------- a caution


FAR = pd.DataFrame({"width": X[:, 0], "time": X[:, 1] + 1.7e9})


@pytest.mark.parametrize(
    "name",
    ["prediction_strength", "cluster_stability", "influence", "gap_statistic"]
    + ["make_clustering_scorer"],
)
def test_a_clusterer_that_may_lose_digits_gets_one_caution_with_the_column(name):
    clusterer = AgglomerativeClustering(3)
    with pytest.warns(UserWarning, match="column") as caught:
        values_of(name, FAR, estimator=clusterer)
    (caution,) = [str(one.message) for one in caught if "column" in str(one.message)]
    assert caution.startswith("column 'time' of X is 1.7e+09 away from 0 and varies by ")
    assert "AgglomerativeClustering may lose" in caution
    assert "StandardScaler()" in caution


def test_k_means_of_sparse_data_far_away_gets_the_caution():
    far = sparse.csr_array(X + [1.0, 1e7])
    with pytest.warns(UserWarning, match=r"^column 1 of X is 1e\+07 away .* KMeans may lose"):
        package.without_reference.influence(KMEANS, far, n_changes=2)


@pytest.mark.parametrize("exponent", [-700, 700])
def test_squares_beyond_the_range_of_floats_are_one_caution(exponent):
    message = (
        "^X has values whose squares are beyond .*: Halves may lose .*; divide X by a constant"
    )
    with pytest.warns(UserWarning, match=message) as caught:
        values_of("influence", np.ldexp(X, exponent), estimator=Halves())
    assert len(caught) == 1


def test_missing_values_do_not_hide_a_column_far_away():
    far = X + [0, 1.7e9]
    far[3, 0] = np.nan
    with pytest.warns(UserWarning, match="^column 1 of X is 1.7e.09 away .* HDBSCAN may lose"):
        package.without_reference.influence(HDBSCAN(copy=True), far, n_changes=2)
    package.without_reference.influence(HDBSCAN(copy=True), far - [0, 1.7e9], n_changes=2)


def test_the_cure_needs_no_caution():
    values_of("cluster_stability", FAR, estimator=make_pipeline(StandardScaler(), KMEANS))
    values_of("cluster_stability", FAR - FAR.mean(), estimator=AgglomerativeClustering(3))
    values_of("cluster_stability", X + 1e4, estimator=AgglomerativeClustering(3))


def test_k_means_far_away_is_scored_by_the_labels_it_found():
    far = X + [0, 1.7e9]
    model = clone(KMEANS).fit(far)
    assert (model.predict(far) != model.labels_).any()
    labels = make_clustering_scorer("adjusted_rand_score")(model, far, model.labels_)
    assert labels == 1.0


def test_integers_that_are_no_floats_are_said():
    nanoseconds = (X * 1024).astype(np.int64) + 1_700_000_000_000_000_000
    with pytest.warns(UserWarning, match="^X has integers that floats round, such as 1.*subtract"):
        package.silhouette_score(nanoseconds, LABELS)
    moved = nanoseconds - nanoseconds.min(axis=0)
    assert package.silhouette_score(moved, LABELS) == pytest.approx(
        values_of("silhouette_score", X)
    )


# --------------------------------------------------------------------------- what is no data


@pytest.mark.parametrize("name", [*OF_LABELS, *OF_ESTIMATORS])
def test_no_data_are_an_error_that_says_so(name):
    takes_none = {"score_interval", "paired_comparison_test", "permutation_test"}
    takes_none |= {"noninferiority_test"}
    takes_none |= {"score_candidates", "index_curve", "chance_adjusted_score"}
    if name in takes_none | {"clustering_comparison_report", "make_clustering_scorer"}:
        return  # X may be left out
    with pytest.raises(TypeError, match="^X must be data, .* got None"):
        values_of(name, None)


# The estimator of the caller of a scorer gets the data first.
@pytest.mark.parametrize("name", sorted({*OF_LABELS, *OF_ESTIMATORS} - {"make_clustering_scorer"}))
def test_numbers_that_are_not_real_are_an_error(name):
    of_real, days = "^X must hold numbers that are real, got an array of", X.astype("M8[s]")
    for data, message in (
        (X + 1j, f"{of_real} complex128"),
        (days, rf"{of_real} datetime64\[s\]"),
        (pd.DataFrame(days, columns=["a", "b"]), "got column 'a' of datetime64"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            values_of(name, data)


@pytest.mark.parametrize("name", OF_LABELS)
def test_categories_are_an_error(name):
    words = pd.DataFrame({"a": pd.Categorical(["x"] * len(X)), "b": X[:, 1]})
    with pytest.raises(ValueError, match="^X must hold numbers: could not convert"):
        values_of(name, words)


@pytest.mark.parametrize("name", OF_ESTIMATORS)
def test_no_objects_are_an_error(name):
    if name == "make_clustering_scorer":
        return
    with pytest.raises(ValueError, match="^X must (have at least one object|be a matrix of two)"):
        values_of(name, X[:0])


DISTANCES = np.sqrt(((X[:, np.newaxis] - X) ** 2).sum(axis=2))
OF_DISTANCES = [index.name for index in INTERNAL_INDICES.values() if "metric" in index.parameters]


def of_distances(name, distances):
    options = {"n_features": 2} if name == "dbcv_score" else {}
    return public(name)(distances, LABELS, metric="precomputed", **options)


@pytest.mark.parametrize("name", OF_DISTANCES)
def test_sparse_distances(name):
    expected = of_distances(name, DISTANCES)
    assert of_distances(name, sparse.csr_array(DISTANCES)) == expected
    assert expected == pytest.approx(public(name)(X, LABELS), rel=1e-9)
    near = sparse.csc_array(np.where(DISTANCES < 2, DISTANCES, 0))
    with pytest.raises(ValueError, match="all pairs of objects, got a sparse matrix without"):
        of_distances(name, near)


TAKE_DISTANCES = {
    **{name: lambda D, name=name: of_distances(name, D) for name in OF_DISTANCES},
    **{
        f"{function.__name__} of a clusterer": lambda D, function=function: function(
            AgglomerativeClustering(2, metric="precomputed", linkage="average"), D
        )
        for function in (package.choose_n_clusters, package.cluster_stability)
    },
    "SilhouetteDisplay": lambda D: SilhouetteDisplay.from_labels(D, LABELS, metric="precomputed"),
}


def with_one(row, column, value):
    distances = DISTANCES.copy()
    distances[row, column] = value
    return distances


@pytest.mark.parametrize("take", TAKE_DISTANCES.values(), ids=TAKE_DISTANCES)
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (DISTANCES[:, :5], r"square, the distances between the objects.* got shape \(42, 5\)"),
        (-DISTANCES, "hold distances, which are not negative, got -"),
        (DISTANCES - 2e-6 * DISTANCES.max(), "hold distances, which are not negative, got -"),
        (with_one(3, 1, 2.5), "symmetric, as distances between the objects"),
        (with_one(41, 40, DISTANCES.max() * 2e-8 + DISTANCES[40, 41]), "symmetric, as distances"),
        (with_one(2, 2, 0.25), "hold distances, which are 0 on the diagonal, got 0.25: .*simil"),
        (with_one(2, 2, DISTANCES.max() * 2e-6), "hold distances, which are 0 on the diagonal"),
    ],
)
def test_what_are_no_distances_is_said(take, matrix, message):
    with pytest.raises(ValueError, match=f"^X must (be )?{message}"):
        take(matrix)


@pytest.mark.parametrize("name", OF_DISTANCES)
def test_distances_are_taken_up_to_rounding(name):
    largest = DISTANCES.max()
    for matrix in (
        with_one(41, 40, DISTANCES[40, 41] + 0.5e-8 * largest),
        with_one(2, 2, 0.5e-6 * largest),
        with_one(2, 2, -0.5e-6 * largest),
    ):
        assert of_distances(name, matrix) == pytest.approx(of_distances(name, DISTANCES), rel=1e-6)


class Words(ClusterMixin, BaseEstimator):
    """Puts objects together whose first words are equal."""

    def fit(self, X, y=None):
        self.labels_ = np.unique(np.asarray(X)[:, 0], return_inverse=True)[1]
        return self


@pytest.mark.parametrize(
    "name", ["prediction_strength", "choose_n_clusters", "cluster_stability", "influence"]
)
def test_text_is_refused_where_numbers_are_needed(name):
    words = np.array([["red", "a"], ["blue", "b"], ["green", "a"]] * 10)
    function = getattr(without_reference, name)
    rest = ([2],) if name == "prediction_strength" else ()
    for data in (words, pd.DataFrame(words), words.astype(object)):
        with pytest.raises(ValueError, match="^X must hold numbers, as KMeans takes no text: cou"):
            function(KMEANS, data, *rest)
    if name == "cluster_stability":
        assert function(Words(), words, n_resamples=2).labels.tolist() == [2, 0, 1] * 10


def test_an_error_that_is_not_of_text_stays():
    class Failing(Words):
        def fit(self, X, y=None):
            float("auto")

    with pytest.raises(ValueError, match="^could not convert"):
        package.cluster_stability(Failing(), X)


@pytest.mark.parametrize(
    "given", [{"a": 1}, 5, "digits", {1, 2}, iter([1])], ids=lambda one: type(one).__name__
)
def test_what_is_no_data_is_said(given):
    for call in (
        lambda: package.silhouette_score(given, [0, 1]),
        lambda: package.choose_n_clusters(KMeans(2), given),
        lambda: package.gap_statistic(KMeans(2), given, [1, 2]),
    ):
        with pytest.raises(TypeError, match=f"^X must be data, .* got {type(given).__name__}"):
            call()


def test_a_column_alone_is_no_matrix():
    with pytest.raises(ValueError, match="^X must have a row for each object, got .* shape .60,"):
        package.choose_n_clusters(KMeans(2), pd.Series(range(60)))


# --------------------------------------------------------------------------- pairs of objects


@pytest.mark.parametrize("kind", ["distances", "similarities", "pairs"])
def test_pairs_of_any_type_are_read_as_numbers(kind):
    points = np.random.default_rng(2).normal(size=(9, 2))
    pairs = np.linalg.norm(points[:, None] - points, axis=-1)
    frame = pd.DataFrame(pairs, dtype=object)
    for given in (pairs.astype(object), pairs.astype(str), frame, pairs.tolist()):
        np.testing.assert_array_equal(read_pairs(given, kind), pairs)
    for given in (pairs > 1, sparse.csr_array(pairs > 1)):
        found = read_pairs(given, kind)
        found = found.toarray() if sparse.issparse(found) else found
        np.testing.assert_array_equal(found, (pairs > 1).astype(float))
    text = np.full((9, 9), "far", dtype=object)
    for bad, message in {
        "complex": (pairs + 0j, "real, got an array of complex128"),
        "dates": (pairs.astype("M8[s]"), "real, got an array of datetime64"),
        "text": (text, "numbers: could not convert"),
        "none": (None, "^X must be data"),
    }.values():
        with pytest.raises((TypeError, ValueError), match=message):
            read_pairs(bad, kind)


@pytest.mark.parametrize("dtype", [object, str])
def test_labels_of_a_fit_to_distances_are_scored_by_distances_of_any_type(dtype):
    points = np.repeat([[0.0], [5.0]], 6, axis=0) + np.arange(12)[:, None] / 10
    distances = np.abs(points - points.T)
    fitted = DBSCAN(eps=1, min_samples=2, metric="precomputed").fit(distances)
    scorer = make_clustering_scorer("silhouette_score", response="labels_")
    assert scorer(fitted, distances.astype(dtype)) == scorer(fitted, distances) > 0.8
