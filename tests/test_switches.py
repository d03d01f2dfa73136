"""Both sides of limits in the code, on one input: where a limit lies must not change a result.

``doc/design.rst`` lists the limits. Those with tests of their own are not tested again here.
"""

import csv
import importlib
import re
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import metrics
from sklearn.cluster import KMeans
from sklearn.metrics.cluster import contingency_matrix

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare import metrics as metrics_of_data
from sklearn_clustcompare.consensus import co_association_chunked
from sklearn_clustcompare.significance import PermutationModel
from tests._examples import slow
from tests._files import REPOSITORY
from tests.real._inputs import moved, zipf_labels

Y = zipf_labels(600, 40)
FOUND = moved(Y, 0.3, seed=1)
RUNS = [moved(Y, 0.2, seed=seed) for seed in range(5)]
TABLE = ContingencyTable.from_labels(Y, FOUND)
BLOBS = np.random.default_rng(0).normal(size=(90, 3)) + 6 * np.repeat(np.eye(3), 30, axis=0)


def of_indices(*names):
    return lambda: [get_index(name)(ContingencyTable.from_labels(Y, FOUND)) for name in names]


def consensus(runs=None, **keywords):
    def run():
        result = clustcompare.consensus_partition(RUNS if runs is None else runs, **keywords)
        return [result.score, *result.labels, *result.object_agreement]

    return run


def stability():
    search = clustcompare.StabilitySearch(
        KMeans(n_init=1), {"n_clusters": [2, 3]}, n_resamples=4, random_state=0
    ).fit(BLOBS)
    return search.result_.mean


def consensus_matrix():
    search = clustcompare.StabilitySearch(
        KMeans(n_init=1), {"n_clusters": [3]}, n_resamples=4, random_state=0
    ).fit(BLOBS)
    return search.result_.consensus_matrix(0)


def choice():
    result = clustcompare.choose_n_clusters(
        KMeans(n_init=1),
        BLOBS / 6 + np.random.default_rng(1).normal(size=(90, 3)),
        range(1, 4),
        null="copula",
        n_null=19,
        n_resamples=5,
    )
    return result.null_silhouettes["copula"][:, 1:].ravel()


def strengths():
    return clustcompare.prediction_strength(
        KMeans(n_init=1), BLOBS, [2, 3], n_resamples=4
    ).values.ravel()


def labels_of_samples():
    return clustcompare.choose_n_clusters(
        KMeans(n_init=1), BLOBS, [2, 3], subsample=12, n_resamples=2
    ).labels


def sparse_memberships():
    rng = np.random.default_rng(0)
    U = rng.dirichlet(np.ones(4), size=60)
    V = csr_array(np.eye(3)[rng.integers(3, size=60)])
    table = ContingencyTable.from_memberships(csr_array(U), V)
    np.testing.assert_allclose(table.counts.toarray(), U.T @ V.toarray(), rtol=1e-12)
    index = clustcompare.frobenius_adjusted_rand_score
    assert index(csr_array(U), V) == pytest.approx(index(U, V.toarray()), rel=1e-12)
    return [*table.counts.toarray().ravel(), index(csr_array(U), V)]


def shares_together():
    rng = np.random.default_rng(0)
    runs = [np.where(rng.random(len(run)) < 0.2, np.nan, run) for run in RUNS]
    return clustcompare.co_association_matrix(runs, missing="drop").toarray().ravel()


def scores():
    return clustcompare.score_candidates(Y, RUNS, indices="ari", n_jobs=2).scores["ari"]


def multinomial():
    score = clustcompare.chance_adjusted_score(Y, FOUND, index="rand_score", model="multinomial")
    return [float(score), score.expected]


def intervals():
    scores = clustcompare.score_candidates(
        Y, RUNS, indices=["ari", "nmi", "purity_score"], confidence_level=0.95
    )
    return [end for ends in scores.intervals.values() for end in np.ravel(ends)]


def matchings():
    score = clustcompare.score_interval(
        Y, FOUND, index="matching_accuracy_score", n_resamples=99, random_state=0
    )
    return [score.standard_error, *score.interval]


def pairs():
    return clustcompare.pairwise_scores(RUNS, index="ari", n_jobs=2).values


def of_far_labels():
    return ContingencyTable.from_labels(Y * 10**6, FOUND).counts.toarray().ravel()


def exact_tail():
    y, found = np.repeat([0, 1, 2], [7, 6, 5]), np.arange(18) % 3
    return [
        clustcompare.permutation_test(y, found, index=name, method="exact").pvalue
        for name in ("ari", "nmi", "bcubed_f_score")
    ]


def of_data():
    labels = np.repeat([0, 1, 2], 30)
    index = clustcompare.silhouette_score
    interval = clustcompare.score_interval(None, labels, index="silhouette_score", X=BLOBS)
    others = (clustcompare.metrics.dunn_score, metrics_of_data.calinski_harabasz_score)
    return [index(BLOBS, labels), *(one(BLOBS, labels) for one in others), *interval.interval]


def strided():
    model = PermutationModel([900, 700, 400, 300, 40], [1000, 800, 500, 40])
    return [model.mutual_info_variance(), model.mutual_info_variance(2.5)]


def profile():
    return clustcompare.candidates.reference_profile(Y, index="rand_score").expected


# Where the limit is, what the sides are, what is computed, and the relative difference allowed.
SWITCHES = {
    "_chance.spectral._MAX_BASIS": ((2**8, 2**25), of_indices("smi"), 1e-9),
    "_chance.random_models._MOST_IN_INT64": ((0, 2**21), multinomial, 1e-14),
    "_kernels.hypergeometric._EXPANSION_BLOCK_NODES": ((64, 2**13), of_indices("smi"), 1e-11),
    "_chance.spectral.CHUNK_PAIRS": ((4, 2**16), of_indices("smi"), 1e-11),
    "_table.cell_sums._KINDS_PER_CELL": (
        (0, 10**9),
        of_indices("bcubed_f_score", "muc_f_score", "cluster_f_score", "purity_score"),
        1e-12,
    ),
    "_table.many._MAX_OBJECTS": ((0, 2**31), pairs, 1e-14),
    "_table.many._MAX_EXACT_OBJECTS": ((0, 2**13), pairs, 0),
    "indices._sets._MANY_CELLS": ((0, 2**10), matchings, 1e-12),
    "candidates._pairwise._FEWEST_IN_THREADS": ((0, 2**13), pairs, 0),
    "candidates._pairwise._TASKS_PER_JOB": ((1, 8), pairs, 0),
    "_partition.labels._BLOCK": ((7, 2**14), of_far_labels, 0),
    "_partition.memberships._FULL": ((0.0, 1.0), sparse_memberships, 1e-12),
    "_chance.exact._SAMPLED_COUNTS": ((4, 512), exact_tail, 1e-12),
    "_chance.exact._COUNTED_STATES": ((0, 50_000), exact_tail, 1e-14),
    "_chance.spectral._LARGEST_TABLED_DEGREE": ((3, 24), of_indices("smi"), 1e-11),
    "_chance.spectral._MAX_STRIDED_DEGREE": ((12, 48), strided, 1e-11),
    "_chance.spectral._MAX_DEGREE": ((60, 400), of_indices("smi"), 1e-11),
    "indices._internal._BLOCK_SIZE": ((7, 2**18), of_data, 1e-13),
    "_data._BLOCK_SIZE": ((7, 2**18), of_data, 1e-13),
    "_data._CHUNK_MEMORY": ((1e-3, 64), of_data, 1e-13),
    "indices._internal._CHUNK_MEMORY": ((1e-3, 1), of_data, 1e-12),
    "candidates._curve._NEGLIGIBLE": ((1e-12, 1e-18), profile, 1e-9),
    "_table.overlap._TASK_ROWS": ((7, 2**18), sparse_memberships, 1e-12),
    "_partition.memberships.BLOCK_ROWS": ((7, 2**18), sparse_memberships, 1e-12),
    "candidates._candidates._TASKS_PER_JOB": ((1, 8), scores, 0),
    "consensus._co_association._ENTRIES_AT_ONCE": ((7, 2**16), shares_together, 0),
    "consensus._ensemble._MOST_IN_32_BITS": ((0, 2**31 - 1), shares_together, 0),
    "consensus._ensemble.NUMBERS_AT_ONCE": ((1, 2**22), consensus(n_init=2), 0),
    "consensus._result.NUMBERS_AT_ONCE": ((1, 2**22), consensus(n_init=2), 1e-14),
    "consensus._expected_loss.NUMBERS_AT_ONCE": ((1, 2**22), consensus(index="vi"), 1e-14),
    "consensus._search._COST_OF_MEMBERSHIPS": (
        (1, 10),
        consensus([*np.random.default_rng(0).dirichlet([0.3] * 3, (3, 20))]),
        0,
    ),
    "consensus._evidence._ROWS_AT_ONCE": ((3, 256), consensus(index="purity_score"), 0),
    "consensus._evidence._MAX_DENSE": ((0, 2**23), consensus(index="purity_score"), 0),
    "without_reference._stability_search._PAIRS_PER_BLOCK": ((91, 2**22), consensus_matrix, 0),
    "without_reference._stability_search._MOST_LABELS": ((0, 2**25), stability, 0),
    "without_reference._stability_search._MOST_OBJECTS": ((10, 5000), stability, 0),
    "without_reference._fits._AT_ONCE": ((1, 10), choice, 1e-9),
    "without_reference._fits._LARGEST_BATCH": ((1, 2**21), stability, 1e-9),
    "without_reference._stability._SPLITS_PER_TASK": ((1, 5), strengths, 1e-9),
    "without_reference._resamples._BLOCK": ((7, 2**22), labels_of_samples, 0),
}
_SLOW = (
    "without_reference._fits._AT_ONCE",
    "consensus",
    "_chance.spectral._MAX_BASIS",
)


@pytest.mark.parametrize(
    "place", [slow(name) if name.startswith(_SLOW) else name for name in SWITCHES]
)
def test_both_sides_of_a_limit_have_one_result(place, monkeypatch):
    sides, compute, tolerance = SWITCHES[place]
    module, _, name = place.rpartition(".")
    module = importlib.import_module(f"sklearn_clustcompare.{module}")
    results = []
    for side in sides:
        monkeypatch.setattr(module, name, side)
        results.append(np.asarray(compute(), dtype=float))
    np.testing.assert_allclose(*results, rtol=tolerance, atol=1e-15)


# --------------------------------------------------------------------------- by the input


@pytest.mark.slow
def test_a_p_value_below_that_of_all_draws_is_split_if_there_is_time(monkeypatch):
    rng = np.random.default_rng(3)
    true = rng.integers(4, size=150)
    found = np.where(rng.random(150) < 0.5, true, rng.integers(4, size=150))
    split = clustcompare.permutation_test(true, found, index="v_measure_score")
    module = "sklearn_clustcompare._chance.null_distribution"
    monkeypatch.setattr(f"{module}._MOST_SECONDS", 0.0)
    drawn = clustcompare.permutation_test(true, found, index="v_measure_score")
    assert (split.method, drawn.method) == ("splitting", "monte_carlo")
    assert split.pvalue < drawn.pvalue == 1e-4


@pytest.mark.parametrize("largest", [2**31 - 2, 2**31 - 1, 2**31, 2**31 + 7, 2**62])
def test_labels_far_apart_have_the_scores_of_their_numbers(largest):
    far = np.array([0, largest])[FOUND % 2]
    for labels in (far, far - largest // 2, -far):
        assert clustcompare.adjusted_rand_score(Y, labels) == pytest.approx(
            metrics.adjusted_rand_score(Y, FOUND % 2), rel=1e-12
        )


def test_whole_floats_are_labels_as_long_as_all_are_exact():
    labels = np.where(FOUND % 2, 2.0**53 - 1, 0)
    expected = metrics.adjusted_rand_score(Y, FOUND % 2)
    assert clustcompare.adjusted_rand_score(Y, labels) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match="labels_pred"):
        clustcompare.adjusted_rand_score(Y, np.where(FOUND % 2, 2.0**54, 0))


@pytest.mark.parametrize("factor", [1e-25, 1e-12, 1e25])
def test_weights_between_the_limits_scale(factor):
    weight = np.random.default_rng(0).integers(1, 4, size=len(Y)).astype(float)
    index = clustcompare.normalized_mutual_info_score
    expected = index(Y, FOUND, sample_weight=weight)
    assert index(Y, FOUND, sample_weight=factor * weight) == pytest.approx(expected, rel=1e-12)
    for beyond in (1e-32, 1e30):
        with pytest.raises(ValueError, match="sample_weight"):
            index(Y, FOUND, sample_weight=beyond * weight)


@pytest.mark.parametrize("n_clusters", [40, 60, 70, slow(500)])
def test_dense_and_sorted_cells_are_counted_alike(n_clusters):
    """2**12 cells or twice the number of objects are counted densely, more are sorted."""
    y = zipf_labels(1_000, n_clusters)
    for found in (moved(y, 0.5, seed=1), moved(y, 0.5, seed=1)[::-1]):
        table = ContingencyTable.from_labels(y, found)
        np.testing.assert_array_equal(table.counts.toarray(), contingency_matrix(y, found))


@pytest.mark.parametrize("n_singletons", [5, 6])
def test_noise_as_singletons_up_to_a_number(n_singletons, monkeypatch):
    noise = importlib.import_module("sklearn_clustcompare._partition.memberships")
    labels = np.append(np.full(n_singletons, -1), [0, 0, 1])
    others = np.zeros(n_singletons + 3, int)
    monkeypatch.setattr(noise, "_MAX_SINGLETONS", 5)
    if n_singletons > 5:
        with pytest.raises(ValueError, match="singletons"):
            ContingencyTable.from_labels(others, labels, noise="singletons")
        return
    table = ContingencyTable.from_labels(others, labels, noise="singletons")
    assert table.shape == (1, n_singletons + 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_partitions", "n_objects", "is_warned"),
    [(100, 20, False), (101, 20, True), (2100, 21, False), (2101, 21, True)],
)
def test_many_partitions_of_few_objects_seem_transposed(n_partitions, n_objects, is_warned):
    labels = np.random.default_rng(0).integers(2, size=(n_partitions, n_objects))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        (shares,) = co_association_chunked(labels)
    assert ["is it transposed?" in str(one.message) for one in caught] == [True] * is_warned
    assert shares[3, 7] == pytest.approx(np.mean(labels[:, 3] == labels[:, 7]))


@pytest.mark.parametrize("largest", [0, 2**16])
def test_tables_that_are_drawn_and_objects_that_are_permuted_have_one_law(largest, monkeypatch):
    draws = importlib.import_module("sklearn_clustcompare._chance.draws")
    monkeypatch.setattr(draws, "_MAX_DRAWN_CELLS", largest)
    y, found = Y % 6, np.random.default_rng(2).permutation(Y) % 4
    adjusted = clustcompare.chance_adjusted_score(
        y, found, index="matching_accuracy_score", n_resamples=400
    )
    rng = np.random.default_rng(3)
    index = get_index("matching_accuracy_score")
    values = [index(ContingencyTable.from_labels(y, rng.permutation(found))) for _ in range(400)]
    error = np.std(values, ddof=1)
    assert abs(adjusted.expected - np.mean(values)) < 4.5 * error * np.sqrt(2 / 400)


@pytest.mark.parametrize("seed", range(4))
def test_the_law_of_four_moments_is_near_the_exact_one(seed, monkeypatch):
    tails = importlib.import_module("sklearn_clustcompare._chance.null_distribution")
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(3), [70, 60, 50])
    found = np.where(rng.random(180) < 0.15, y, rng.integers(3, size=180))
    exact = clustcompare.permutation_test(y, found, index="ari")
    assert exact.method == "exact"
    monkeypatch.setattr(tails, "EXACT_BUDGET", tails.Budget(0, 0))
    other = clustcompare.permutation_test(y, found, index="ari")
    assert other.method != "exact"
    assert exact.pvalue / 1.34 < other.pvalue < exact.pvalue * 1.34
    assert other.mean == pytest.approx(exact.mean, abs=1e-14)
    assert other.standard_deviation == pytest.approx(exact.standard_deviation, rel=1e-9)


@pytest.mark.parametrize("index", ["silhouette_score", "calinski_harabasz_score"])
def test_objects_are_left_out_one_by_one_or_in_parts(index, monkeypatch):
    errors = importlib.import_module("sklearn_clustcompare.significance._resampling")
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 2)) + 3 * np.array([[0, 0], [1, 0], [0, 1]])[labels]
    found = []
    for most in (40, 10**6):  # parts of three objects
        monkeypatch.setattr(errors, "_MOST_PARTS", most)
        found.append(clustcompare.score_interval(None, labels, index=index, X=X).standard_error)
    assert found[0] == pytest.approx(found[1], rel=0.35)


@pytest.mark.slow
def test_a_report_of_a_large_table_has_no_intervals_and_the_same_scores(monkeypatch):
    headline = importlib.import_module("sklearn_clustcompare.report._overall")
    expected = clustcompare.clustering_comparison_report(Y, FOUND).to_dict()["headline"]
    monkeypatch.setattr(headline, "_MOST_CELLS", TABLE.n_cells)
    assert clustcompare.clustering_comparison_report(Y, FOUND).to_dict()["headline"] == expected
    monkeypatch.setattr(headline, "_MOST_CELLS", TABLE.n_cells - 1)
    large = clustcompare.clustering_comparison_report(Y, FOUND).to_dict()["headline"]
    assert large["scores"] == expected["scores"]
    assert not large["intervals"]
    assert expected["intervals"]


@pytest.mark.parametrize("weight", [0.1, 0.3, 1e-9, 7.0])
def test_what_rounding_leaves_of_subtracted_objects_is_nothing(weight):
    """Up to 1e-9 of a count is rounding, more are objects that are left."""

    def count(rows, weight):
        return ContingencyTable.from_labels(
            Y[rows], FOUND[rows], sample_weight=np.full(len(Y[rows]), weight)
        )

    whole = count(slice(None), weight)
    left = whole
    for k in range(3):
        left -= count(slice(k, None, 3), weight)
    assert left.n_cells == 0
    few = count([int(np.argmax(Y))], 1e-7 * weight)
    assert (whole + few - whole).n_cells == 1


# --------------------------------------------------------------------------- the list


def test_the_limits_of_the_design_are_in_the_code():
    text = (REPOSITORY / "doc" / "design.rst").read_text(encoding="utf-8")
    table = re.findall(r'^   (".*)$', text.split("\nSwitches\n--------\n")[1], re.MULTILINE)
    rows = list(csv.reader(table, skipinitialspace=True))
    assert len(rows) > 40
    for files, names, _, _ in rows:
        paths = re.findall(r"``([\w/.]+)``", files)
        code = "".join(
            (REPOSITORY / "sklearn_clustcompare" / path).read_text(encoding="utf-8")
            for path in paths
        )
        for name in re.findall(r"``(\w+)``", names):
            assert re.search(rf"\b{name}\b", code), f"{files} has no {name}"


def test_each_block_of_the_code_is_in_the_design():
    """Sizes of blocks and of tasks are known by their names; other limits are not."""
    design = (REPOSITORY / "doc" / "design.rst").read_text(encoding="utf-8")
    rows = re.findall(r'^   "(``\w.*)$', design.split("\nSwitches\n--------\n")[1], re.MULTILINE)
    package = REPOSITORY / "sklearn_clustcompare"
    lacking = [
        (path.name, name)
        for path in package.rglob("*.py")
        for name in re.findall(
            r"^(\w*(?:BLOCK|CHUNK|AT_ONCE|PER_TASK|PER_JOB)[A-Z_]*)(?:, \w+)* = ",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        if not any(
            f"``{path.relative_to(package).as_posix()}``" in row and f"``{name}``" in row
            for row in rows
        )
    ]
    assert not lacking


def test_the_tests_of_the_design_exist():
    text = (REPOSITORY / "doc" / "design.rst").read_text(encoding="utf-8")
    section = text.split("\nSwitches\n--------\n")[1]
    named = re.findall(r"``([\w/]+\.py)::(test_\w+)``", section)
    assert len(named) > 20
    for path, test in named:
        code = (REPOSITORY / "tests" / path).read_text(encoding="utf-8")
        assert f"def {test}(" in code, f"{path} has no {test}"
