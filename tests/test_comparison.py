"""Many candidates against one reference, and all pairs: values, inputs, workers, faults."""

import gzip
import os
import signal
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections import Counter, UserDict
from itertools import combinations, islice, product
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    metrics,
    pairwise_scores,
    score_candidates,
)
from sklearn_clustcompare._partition.labels import encode
from sklearn_clustcompare._table.all_pairs import CodedPartitions, pair_groups
from sklearn_clustcompare._table.reading import tabulate
from sklearn_clustcompare._tasks import progress
from sklearn_clustcompare.indices import INDICES

REPOSITORY = Path(__file__).parents[1]
CANDIDATES = REPOSITORY.parent / "shared" / "data" / "candidates"

FIVE = [
    "adjusted_rand_score",
    "purity_score",
    "normalized_mutual_info_score",
    "variation_of_information_distance",
    "adjusted_mutual_info_score",
]

TRUTH = [0, 0, 0, 1, 1, 1]
NAMED = {"near": [0, 0, 1, 1, 1, 1], "same": list("aaabbb"), "far": [0, 1, 2, 0, 1, 2]}


def _partitions(n_samples=300, sizes=(1, 2, 3, 7, 20, 90, 5, 4, 4), seed=0):
    rng = np.random.default_rng(seed)
    return np.array([rng.integers(size, size=n_samples) for size in sizes])


def _memberships(n_clusters, n_samples=300, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_clusters), n_samples)


def _one_by_one(rows, cols, function, **params):
    return np.array([[function(row, col, **params) for col in cols] for row in rows])


def _equal(first, second):
    """Tell whether two results are the same to the last bit."""
    assert first.scores.keys() == second.scores.keys()
    return (
        all(first.scores[n].tobytes() == second.scores[n].tobytes() for n in first.scores)
        and first.names == second.names
        and first.n_clusters.tolist() == second.n_clusters.tolist()
        and first.coverage.tolist() == second.coverage.tolist()
    )


# --------------------------------------------------------------------------- values


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_candidates_score_as_the_functions_do():
    truth, *candidates = _partitions()
    result = score_candidates(truth, candidates, indices=list(INDICES))
    assert list(result.scores) == list(INDICES)
    for name, values in result.scores.items():
        expected = [getattr(metrics, name)(truth, labels) for labels in candidates]
        assert values.tolist() == expected
    assert result.n_clusters.tolist() == [len(set(labels)) for labels in candidates]
    assert result.coverage.tolist() == [1.0] * len(candidates)


def test_weights_and_parameters_reach_the_indices_that_take_them():
    truth, *candidates = _partitions()
    weights = np.random.default_rng(1).integers(4, size=len(truth))
    names = ["mutual_info_score", "normalized_mutual_info_score", "rand_score"]
    result = score_candidates(truth, candidates, indices=names, sample_weight=weights, q=2.0)
    for name, params in zip(names, [{"q": 2.0}, {"q": 2.0}, {}], strict=True):
        function = getattr(metrics, name)
        expected = [function(truth, one, sample_weight=weights, **params) for one in candidates]
        assert result.scores[name].tolist() == expected


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_noise_is_treated_as_in_one_table(noise, n_jobs):
    rng = np.random.default_rng(0)
    truth, *candidates = rng.integers(-1, 4, (6, 50))
    result = score_candidates(truth, candidates, indices=FIVE, noise=noise, n_jobs=n_jobs)
    tables = [tabulate(truth, labels, noise=noise) for labels in candidates]
    for name, values in result.scores.items():
        assert values.tolist() == [INDICES[name](table) for table in tables]
    assert result.coverage.tolist() == [table.coverage for table in tables]
    assert (result.coverage < 1).all() == (noise == "drop")
    assert result.n_clusters.tolist() == [table.shape[1] for table in tables]


def test_noise_is_found_by_its_label():
    truth, found = ["a", "a", "b", "?"], ["x", "x", "?", "y"]
    result = score_candidates(truth, [found], indices="rand_score", noise="drop", noise_label="?")
    assert result.coverage.tolist() == [0.5]
    with pytest.raises(ValueError, match="^noise must be one of"):
        score_candidates(truth, [], indices="rand_score", noise="keep")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_memberships_are_candidates_and_references(n_jobs):
    truth = _partitions()[2]
    soft, other = _memberships(3), _memberships(4, seed=1)
    names = [n for n, index in INDICES.items() if index.soft]
    for reference in (truth, soft):
        candidates = {"soft": other, "crisp": _partitions()[3], "self": soft}
        result = score_candidates(reference, candidates, indices=names, n_jobs=n_jobs)
        for position, candidate in enumerate(candidates.values()):
            table = tabulate(reference, candidate, moments=True)
            found = {name: values[position] for name, values in result.scores.items()}
            assert found == {name: INDICES[name](table) for name in names}
            assert result.n_clusters[position] == table.shape[1]


def test_possibilistic_memberships_need_to_be_told():
    loose = _memberships(3) / 2
    truth = _partitions()[2]
    result = score_candidates(truth, [loose], indices="purity_score", possibilistic=True)
    table = tabulate(truth, loose, possibilistic=True)
    assert result.scores["purity_score"].tolist() == [INDICES["purity_score"](table)]
    with pytest.raises(ValueError, match="candidate 0: memberships of a row must sum to 1"):
        score_candidates(truth, [loose], indices="purity_score")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("name", INDICES)
def test_all_pairs_score_as_the_function_does(name):
    partitions = _partitions()
    function = getattr(metrics, name)
    scores = pairwise_scores(partitions, index=name)
    assert scores.tobytes() == _one_by_one(partitions, partitions, function).tobytes()
    scores = pairwise_scores(partitions[:3], partitions[2:], index=name)
    assert scores.tobytes() == _one_by_one(partitions[:3], partitions[2:], function).tobytes()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("pair_f_score", {"beta": 2.0}),
        ("v_measure_score", {"beta": 0.5}),
        ("adjusted_wallace_score", {"given": "pred"}),
        ("normalized_mutual_info_score", {"q": 2.0, "average_method": "max"}),
    ],
)
def test_parameters_may_break_the_symmetry(name, params):
    partitions = _partitions()
    expected = _one_by_one(partitions, partitions, getattr(metrics, name), **params)
    assert pairwise_scores(partitions, index=name, **params).tobytes() == expected.tobytes()


@given(
    st.integers(1, 40).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-3, 6), min_size=n, max_size=n), min_size=1, max_size=7
        )
    )
)
def test_all_pairs_of_any_partitions(partitions):
    for name in ("adjusted_rand_score", "f_measure_score", "variation_of_information_distance"):
        expected = _one_by_one(partitions, partitions, getattr(metrics, name))
        assert pairwise_scores(partitions, index=name).tobytes() == expected.tobytes()


def test_all_pairs_of_labels_of_every_kind(case):
    partitions = [*case, case[0], list(map(str, case[1]))]
    expected = _one_by_one(partitions, partitions, adjusted_rand_score)
    assert pairwise_scores(partitions, index="adjusted_rand_score").tolist() == expected.tolist()


def test_all_pairs_where_some_are_soft():
    partitions = [_partitions()[2], _memberships(3), _memberships(4, seed=1), _partitions()[5]]
    for name in ("adjusted_rand_score", "purity_score", "frobenius_adjusted_rand_score"):
        expected = _one_by_one(partitions, partitions, getattr(metrics, name))
        assert pairwise_scores(partitions, index=name).tobytes() == expected.tobytes()
        expected = _one_by_one(partitions[:1], partitions, getattr(metrics, name))
        scores = pairwise_scores(partitions[:1], partitions, index=name)
        assert scores.tobytes() == expected.tobytes()


def test_long_partitions_are_counted_in_blocks():
    partitions = _partitions(70_000, (2, 5, 20, 40, 300))
    expected = _one_by_one(partitions, partitions, adjusted_rand_score)
    assert pairwise_scores(partitions, index="adjusted_rand_score").tobytes() == expected.tobytes()


def test_tables_of_pairs_are_ordinary_tables():
    # Tables of pairs name clusters by their numbers, without gaps.
    partitions = [
        np.unique(labels, return_inverse=True)[1] for labels in _partitions(300, (2, 3, 4, 80))
    ]
    shared = CodedPartitions.of([encode(one, "labels") for one in partitions], pairs=False)
    groups = [(0, 1, 2), (0, 3), (1, 3), (2, 3), (2, 2)]
    seen = set()
    for group in groups:
        for row, col, table in shared.of_group(group, both_ways=True):
            seen.add((row, col))
            expected = ContingencyTable.from_labels(partitions[row], partitions[col])
            assert table == expected
            assert table.T == expected.T
            assert table.cell_counts.tolist() == expected.cell_counts.tolist()
            assert table.square_sums == expected.square_sums
            assert table.n_samples == expected.n_samples
            assert table.is_identity == expected.is_identity == (row == col)
            assert (table.coverage, table.is_whole) == (1.0, True)
            assert repr(table) == repr(expected)
    assert seen == set(product(range(4), repeat=2)) - {(0, 0), (1, 1), (3, 3)}


@pytest.mark.parametrize("n_partitions", [*range(32), 200])
def test_each_pair_is_in_one_group(n_partitions):
    groups = pair_groups(n_partitions)
    pairs = Counter(pair for group in groups for pair in combinations(group, 2))
    assert pairs == Counter(combinations(range(n_partitions), 2))
    assert all(list(group) == sorted(group) for group in groups)
    if n_partitions == 200:  # nearly all of them in threes
        assert len(groups) < 1.02 * len(pairs) / 3


# --------------------------------------------------------------------------- inputs


class _LazyMapping(UserDict):
    """Loads what is asked for, as an .npz file does."""


def _as_generator(candidates):
    yield from candidates


@pytest.mark.parametrize(
    "convert",
    [
        np.array,
        list,
        _as_generator,
        lambda c: map(list, c),
        lambda c: np.array(c).astype(float),
        lambda c: np.array(c).astype(np.uint8),
        lambda c: [pd.Series(labels) for labels in c],
        lambda c: [pd.Series(labels).astype("category") for labels in c],
        lambda c: np.asfortranarray(c),
    ],
    ids=["array", "list", "generator", "map", "floats", "uint8", "series", "categories", "columns"],
)
def test_candidates_come_in_many_forms(convert):
    truth, *candidates = _partitions()
    result = score_candidates(truth, convert(candidates), indices=FIVE)
    assert _equal(result, score_candidates(truth, candidates, indices=FIVE))
    assert result.names == list(range(len(candidates)))
    scores = pairwise_scores(convert(candidates), index="rand_score")
    assert scores.tobytes() == pairwise_scores(candidates, index="rand_score").tobytes()


@pytest.mark.parametrize("convert", [dict, _LazyMapping, pd.DataFrame])
def test_candidates_have_names(convert):
    result = score_candidates(TRUTH, convert(NAMED), indices=FIVE)
    assert result.names == list(NAMED)
    assert result.best() == "same"
    expected = score_candidates(TRUTH, list(NAMED.values()), indices=FIVE)
    assert all((result.scores[name] == expected.scores[name]).all() for name in FIVE)
    pairs = pairwise_scores(convert(NAMED), index="rand_score")
    assert pairs.tolist() == pairwise_scores(list(NAMED.values()), index="rand_score").tolist()


def test_columns_of_a_frame_may_share_a_name():
    frame = pd.DataFrame(np.transpose(list(_partitions(6, (2, 2)))), columns=["a", "a"])
    assert score_candidates(TRUTH, frame, indices="rand_score").names == ["a", "a"]


def test_candidates_of_a_file_of_arrays(tmp_path):
    path = tmp_path / "candidates.npz"
    np.savez(path, **{name: np.array(labels) for name, labels in NAMED.items()})
    with np.load(path) as file:
        assert score_candidates(TRUTH, file, indices=FIVE).best() == "same"


@pytest.mark.parametrize("empty", [[], {}, iter(()), np.empty((0, 6), int), pd.DataFrame()])
def test_no_candidates(empty):
    result = score_candidates(TRUTH, empty, indices=FIVE)
    assert (len(result), result.names) == (0, [])
    assert [values.shape for values in result.scores.values()] == [(0,)] * len(FIVE)
    assert result.rank().tolist() == []
    assert result.to_frame().shape == (0, 7)
    assert repr(result) == "CandidateScores: 0 candidates by adjusted_rand_score"
    assert "0 candidates" in result._repr_html_()
    with pytest.raises(ValueError, match="^there is no best candidate"):
        result.best()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_partitions_and_one(n_jobs):
    for name in ("rand_score", "purity_score"):
        assert pairwise_scores([], index=name, n_jobs=n_jobs).shape == (0, 0)
        assert pairwise_scores([], [TRUTH], index=name).shape == (0, 1)
        assert pairwise_scores([TRUTH], [], index=name).shape == (1, 0)
        assert pairwise_scores([TRUTH], index=name, n_jobs=n_jobs).tolist() == [[1.0]]
    one = score_candidates(TRUTH, [TRUTH], indices=FIVE, n_jobs=n_jobs)
    assert one.best() == 0
    assert one.rank().tolist() == [1]


def test_one_object_and_none():
    assert pairwise_scores([[1], [2], ["a"]], index="rand_score").tolist() == [[1.0] * 3] * 3
    assert pairwise_scores([[], []], index="rand_score").tolist() == [[1.0] * 2] * 2
    assert score_candidates([], [[]], indices="rand_score").scores["rand_score"].tolist() == [1.0]


@pytest.mark.parametrize(
    ("candidates", "error", "message"),
    [
        ("abc", TypeError, "candidates must be several partitions: .* got str$"),
        (None, TypeError, "candidates must be several partitions: .* got NoneType$"),
        (3, TypeError, "candidates must be several partitions: .* got int$"),
        (np.array(TRUTH), ValueError, r"candidates must be a 2-D array .* got 1 dimension\(s\)$"),
        (pd.Series(TRUTH), ValueError, r"candidates must be a 2-D array .* got 1 dimension\(s\)$"),
        ([TRUTH, TRUTH[1:]], ValueError, "labels_true and candidate 1 must have the same length"),
        ({"a": TRUTH[1:]}, ValueError, r"labels_true and candidate 0 \('a'\) must have the same"),
        ([TRUTH, [0, 0, np.nan, 1, 1, 1]], ValueError, "candidate 1 must not contain .*, got nan"),
        ({"a": [*"aaabb", None]}, ValueError, r"candidate 0 \('a'\) must not contain missing"),
        ([TRUTH, None], TypeError, "candidate 1 must be a 1-D array of labels, got NoneType"),
        ([TRUTH, 7], TypeError, "candidate 1 must be a 1-D array of labels, got int"),
        ([TRUTH, [[0.5, 0.5]] * 5], ValueError, "labels_true and candidate 1 must have the same"),
        ([TRUTH, [[0.5, 0.6]] * 6], ValueError, "candidate 1: memberships of a row must sum to 1"),
    ],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_name_the_candidate(candidates, error, message, n_jobs):
    with pytest.raises(error, match=f"^{message}"):
        score_candidates(TRUTH, candidates, indices=FIVE, n_jobs=n_jobs)


@pytest.mark.parametrize(
    ("partitions", "Y", "message"),
    [
        ([TRUTH, TRUTH[1:]], None, "partition 0 and partition 1 must have the same length"),
        ([TRUTH], {"y": [1]}, r"partition 0 and partition of Y 0 \('y'\) must have the same"),
        ([TRUTH], [[*TRUTH[1:], np.nan]], "partition of Y 0 must not contain .*, got nan"),
        ([TRUTH, [[0.5, 0.5]] * 5], None, "partition 0 and partition 1 must have the same length"),
        ([TRUTH, [[0.5, 0.6]] * 6], None, "partition 1: memberships of a row must sum to 1"),
        (np.array(TRUTH), None, "partitions must be a 2-D array"),
    ],
)
def test_errors_name_the_partition(partitions, Y, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        pairwise_scores(partitions, Y, index="rand_score")


def test_errors_of_an_index_tell_the_candidate():
    weights = [0.1] * 6
    with pytest.raises(ValueError, match="frequencies") as caught:
        score_candidates(TRUTH, NAMED, indices="rand_score", sample_weight=weights)
    assert caught.value.__notes__ == [
        "The comparison of labels_true with candidate 0 ('near') failed."
    ]


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"indices": []}, ValueError, "indices must name at least one index, got an empty list"),
        ({"indices": "rand"}, ValueError, "index must be one of .*'rand_score'.*got 'rand'"),
        ({"indices": ["rand_score"] * 2}, ValueError, "indices must name each index once"),
        ({"indices": "rand_score", "q": 2}, TypeError, "rand_score takes no parameters, got 'q'"),
        ({"indices": FIVE, "q": -1}, ValueError, "q must be a number from 0.001 to 30"),
        ({"indices": FIVE, "sample_weight": [1]}, ValueError, "sample_weight must have shape"),
    ],
)
def test_bad_arguments(keywords, error, message):
    with pytest.raises(error, match=f"^{message}"):
        score_candidates(TRUTH, [TRUTH], **keywords)


# --------------------------------------------------------------------------- ids


def test_series_are_aligned_by_their_index():
    truth = pd.Series([0, 0, 1, 1, 2], index=list("abcde"))
    shuffled = pd.Series([7, 3, 3, 4, 7], index=list("ecdab"))
    expected = adjusted_rand_score(truth, [4, 7, 3, 3, 7])
    weights = [1, 2, 3, 4, 5]
    for n_jobs in (1, 2):
        result = score_candidates(
            truth,
            {"by id": shuffled, "by position": [4, 7, 3, 3, 7]},
            indices="adjusted_rand_score",
            sample_weight=weights,
            n_jobs=n_jobs,
        )
        weighted = adjusted_rand_score(truth, [4, 7, 3, 3, 7], sample_weight=weights)
        assert result.scores["adjusted_rand_score"].tolist() == [weighted] * 2
        assert result.coverage.tolist() == [1.0, 1.0]
    assert pairwise_scores([truth, shuffled], index="adjusted_rand_score")[0, 1] == expected
    pairs = pairwise_scores([truth], [shuffled], index="adjusted_rand_score")
    assert pairs.tolist() == [[expected]]


def test_series_of_other_objects_are_compared_on_the_common_ones():
    truth = pd.Series([0, 0, 1, 1, 2], index=list("abcde"))
    other = pd.Series([5, 6, 5, 6], index=list("xbda"))
    with pytest.warns(UserWarning, match="^coverage is 50.0%: 3 of 6 objects"):
        result = score_candidates(
            truth, [other], indices="rand_score", sample_weight=[1, 2, 3, 4, 5]
        )
    expected = metrics.rand_score([0, 0, 1], [6, 6, 5], sample_weight=[1, 2, 4])
    assert result.scores["rand_score"].tolist() == [expected]
    assert result.coverage.tolist() == [0.5]
    with pytest.warns(UserWarning, match="^coverage is 50.0%"):
        scores = pairwise_scores([truth, other], index="purity_score")
    assert scores.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    twice = pd.Series([0, 1], index=["a", "a"])
    with pytest.raises(ValueError, match="^index of candidate 0 must name each object once"):
        score_candidates(truth, [twice], indices="rand_score")


# --------------------------------------------------------------------------- result


def test_equal_values_share_the_best_rank_and_ties_are_told():
    candidates = {"a": TRUTH, "b": [5, 5, 5, 2, 2, 2], "c": NAMED["near"], "d": NAMED["far"]}
    names = ["adjusted_rand_score", "variation_of_information_distance"]
    result = score_candidates(TRUTH, candidates, indices=names)
    for name in (None, *names):
        assert result.rank(name).tolist() == [1, 1, 3, 4]
        with pytest.warns(UserWarning, match="^2 candidates are equally good by .*: 'a', 'b'$"):
            assert result.best(name) == "a"
    assert result.rank().dtype.kind == "i"


def test_result_refuses_indices_that_were_not_computed():
    result = score_candidates(TRUTH, NAMED, indices="rand_score")
    with pytest.raises(ValueError, match="^index must be one of those computed: 'rand_score'; got"):
        result.best("purity_score")
    with pytest.raises(ValueError, match="^index must be one of .*got 'rand'"):
        result.rank("rand")
    with pytest.raises(AttributeError):
        result.names = []


def test_result_as_a_frame():
    result = score_candidates(TRUTH, NAMED, indices=FIVE)
    frame = result.to_frame()
    assert list(frame.columns) == ["n_clusters", "coverage", *FIVE]
    assert list(frame.index) == list(NAMED)
    assert frame.loc["far", "n_clusters"] == 3
    assert (frame[FIVE].to_numpy() == np.transpose(list(result.scores.values()))).all()


def test_result_as_text_and_html():
    many = {f"<{k}>": NAMED["far"] for k in range(11)}
    result = score_candidates(TRUTH, many | {"same": TRUTH}, indices="rand_score")
    lines = repr(result).splitlines()
    assert lines[0] == "CandidateScores: 12 candidates, the best 10 by rand_score"
    assert lines[1].split() == ["candidate", "rank", "n_clusters", "rand_score"]
    assert lines[2].split() == ["same", "1", "2", "1"]
    assert len(lines) == 12
    html = result._repr_html_()
    assert html.count("<tr>") == 11
    assert "&lt;0&gt;" in html
    assert "<0>" not in html
    dropped = score_candidates([0, 0, 1, -1], [[0, 0, 1, 1]], indices="rand_score", noise="drop")
    assert repr(dropped).splitlines()[1:] == [
        "candidate  rank  n_clusters  coverage  rand_score",
        "        0     1           2    0.7500           1",
    ]


# --------------------------------------------------------------------------- workers


@pytest.fixture(scope="module")
def dask_cluster():
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        )
        client = distributed.Client(cluster)
    yield client
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client.close()
        cluster.close()


BACKENDS = ["sequential", "threading", "loky", "multiprocessing", "dask"]


@pytest.fixture(params=BACKENDS)
def backend(request):
    if request.param == "dask":
        request.getfixturevalue("dask_cluster")
    with joblib.parallel_config(request.param, n_jobs=2):
        yield request.param


@pytest.mark.filterwarnings("ignore")
def test_results_do_not_depend_on_the_backend(backend, monkeypatch):
    truth, *candidates = _partitions()
    result = score_candidates(truth, iter(candidates), indices=FIVE)
    scores = {name: pairwise_scores(candidates, index=name) for name in FIVE[:2]}
    with joblib.parallel_config("sequential"):
        assert _equal(result, score_candidates(truth, candidates, indices=FIVE))
        for name, found in scores.items():
            assert found.tobytes() == pairwise_scores(candidates, index=name).tobytes()


@pytest.mark.filterwarnings("ignore")
def test_big_arrays_reach_the_workers_of_every_backend(backend):
    partitions = _partitions(200_000, (3, 20, 5, 300))
    scores = pairwise_scores(partitions, index="adjusted_rand_score")
    expected = _one_by_one(partitions, partitions, adjusted_rand_score)
    assert scores.tobytes() == expected.tobytes()
    result = score_candidates(partitions[0], partitions[1:], indices="adjusted_rand_score")
    assert result.scores["adjusted_rand_score"].tolist() == expected[0, 1:].tolist()


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, -1])
@pytest.mark.parametrize("size", [1, 700, 2**40])
def test_results_do_not_depend_on_jobs_and_blocks(n_jobs, size, monkeypatch):
    truth, *candidates = _partitions()
    expected = score_candidates(truth, candidates, indices=FIVE)
    pairs = pairwise_scores(candidates, index="purity_score")
    monkeypatch.setattr("sklearn_clustcompare.comparison._candidates._OBJECTS_PER_TASK", size)
    monkeypatch.setattr(
        "sklearn_clustcompare.comparison._candidates._PAIRED_OBJECTS_PER_TASK", size
    )
    monkeypatch.setattr("sklearn_clustcompare._table.all_pairs._BLOCK", min(size, 2**10))
    assert _equal(score_candidates(truth, candidates, indices=FIVE, n_jobs=n_jobs), expected)
    found = pairwise_scores(candidates, index="purity_score", n_jobs=n_jobs)
    assert found.tobytes() == pairs.tobytes()


@pytest.mark.parametrize(("n_jobs", "most"), [(1, 1), (2, 6)])
def test_iterators_are_read_no_further_than_needed(n_jobs, most, monkeypatch):
    """Workers that are busy hold the reader back."""
    monkeypatch.setattr("sklearn_clustcompare.comparison._candidates._CANDIDATES_PER_TASK", 1)
    truth, *candidates = _partitions()
    ahead = []
    n_read = n_done = 0

    def read():
        nonlocal n_read
        for labels in candidates * 5:
            n_read += 1
            ahead.append(n_read - n_done)
            yield labels

    def score(table):
        nonlocal n_done
        time.sleep(0.005)
        n_done += 1
        return 0.0

    index = INDICES["rand_score"]
    monkeypatch.setitem(index.__dict__, "function", score)
    with joblib.parallel_config("threading"):
        result = score_candidates(truth, read(), indices="rand_score", n_jobs=n_jobs)
    assert len(result) == n_read == 5 * len(candidates)
    assert max(ahead) <= most


def test_candidates_need_not_fit_into_memory_together():
    n_samples, n_candidates = 10**5, 60
    truth = np.arange(n_samples) % 7

    def candidates():
        for seed in range(n_candidates):
            yield np.random.default_rng(seed).integers(5, size=n_samples)

    tracemalloc.start()
    try:
        score_candidates(truth, candidates(), indices="rand_score")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * truth.nbytes < n_candidates * truth.nbytes / 5


# --------------------------------------------------------------------------- faults


class _BrokenSourceError(Exception):
    pass


@pytest.mark.parametrize("n_good", [0, 3, 400])
@pytest.mark.filterwarnings("ignore")
def test_what_an_iterator_raises_comes_out(backend, n_good):
    def read():
        yield from islice([TRUTH] * n_good, n_good)
        raise _BrokenSourceError

    with pytest.raises(_BrokenSourceError):
        score_candidates(TRUTH, read(), indices=FIVE)
    with pytest.raises(_BrokenSourceError):
        pairwise_scores(read(), index="rand_score")


def _die(table):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_worker_ends_the_call(monkeypatch):
    parent = os.getpid()

    def die_in_a_worker(table):
        if os.getpid() != parent:
            _die(table)
        return 0.0

    monkeypatch.setitem(INDICES["rand_score"].__dict__, "function", die_in_a_worker)
    with joblib.parallel_config("loky", n_jobs=2):
        for call in (
            lambda: score_candidates(TRUTH, [TRUTH] * 300, indices="rand_score"),
            lambda: pairwise_scores([TRUTH] * 5, index="rand_score"),
        ):
            with pytest.raises(RuntimeError, match="^a worker process died in the middle"):
                call()
    monkeypatch.undo()
    result = score_candidates(TRUTH, [TRUTH] * 300, indices="rand_score", n_jobs=2)
    assert result.scores["rand_score"].tolist() == [1.0] * 300


_INTERRUPTED = """
import sys, time
from sklearn_clustcompare import pairwise_scores, score_candidates
import numpy as np
import os

def read():
    yield from np.random.default_rng(0).integers(300, size=(4, 30_000))
    print("started", flush=True)
    while True:
        yield np.random.default_rng(0).integers(300, size=30_000)

try:
    score_candidates(next(read()), read(), indices="standardized_mutual_info_score", n_jobs=2)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(3)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_an_interrupt_leaves_no_workers(tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(_INTERRUPTED)
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    assert process.stdout.readline() == "started\n"
    time.sleep(1.5)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (3, "interrupted\n"), err
    deadline = time.monotonic() + 20
    while _processes_of_session(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _processes_of_session(process.pid) == []


def _processes_of_session(session):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(path.parent.name)
    return found


# --------------------------------------------------------------------------- progress


def test_nothing_is_said_unless_asked(capfd):
    score_candidates(TRUTH, NAMED, indices=FIVE)
    pairwise_scores(NAMED, index="rand_score")
    assert capfd.readouterr() == ("", "")


def test_progress_by_tqdm(capsys):
    pytest.importorskip("tqdm")
    result = score_candidates(TRUTH, NAMED, indices=FIVE, verbose=1)
    out, err = capsys.readouterr()
    assert out == ""
    assert "candidates: 100%" in err
    assert "3/3" in err
    assert _equal(result, score_candidates(TRUTH, NAMED, indices=FIVE))
    pairwise_scores(NAMED, index="rand_score", verbose=True)
    assert "blocks of pairs: 100%" in capsys.readouterr().err


def test_progress_as_plain_text(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr("sklearn_clustcompare._tasks._INTERVAL", 0.0)
    score_candidates(TRUTH, NAMED, indices=FIVE, verbose=1)
    assert capsys.readouterr().err.splitlines()[-1] == "candidates: 3 of 3"
    assert list(progress(iter("ab"), verbose=True, description="letters")) == ["a", "b"]
    lines = ["letters: 1", "letters: 2", "letters: 2"]
    assert capsys.readouterr() == ("", "\n".join(lines) + "\n")
    monkeypatch.setattr("sklearn_clustcompare._tasks._INTERVAL", 60.0)
    assert list(progress("ab", verbose=2, description="letters", total=2)) == ["a", "b"]
    assert capsys.readouterr().err == "letters: 2 of 2\n"


# --------------------------------------------------------------------------- real data


def _read_labels(path):
    return np.loadtxt(path, dtype=int)


def _read_real_candidates(battery, name):
    found = {}
    for path in sorted(CANDIDATES.glob(f"results/original/*/{battery}/{name}.result*.gz")):
        with gzip.open(path, "rt") as file:
            frame = pd.read_csv(file)
        method = path.parent.parent.name
        k = path.name.split(".result")[1].removesuffix(".gz")
        found |= {(method, k, run): frame[run].to_numpy() for run in frame}
    return found


@pytest.mark.skipif(not CANDIDATES.is_dir(), reason="needs shared/data beside the repository")
@pytest.mark.parametrize(
    ("battery", "name", "best"),
    [
        ("wut", "windows", 1.0),
        ("wut", "isolation", 1.0),
        ("wut", "labirynth", None),
        ("g2mg", "g2mg_8_50", None),
    ],
)
def test_candidates_of_a_benchmark(battery, name, best):
    truth = _read_labels(CANDIDATES / "data" / battery / f"{name}.labels0.gz")
    candidates = _read_real_candidates(battery, name)
    assert len(candidates) >= 99
    names = ["adjusted_rand_score", "normalized_mutual_info_score", "purity_score"]
    for noise in ("cluster", "drop"):
        result = score_candidates(truth, candidates, indices=names, noise=noise, noise_label=0)
        kept = truth != 0 if noise == "drop" else np.ones(len(truth), bool)
        for position in range(0, len(candidates), 37):
            labels = list(candidates.values())[position]
            for one in names:
                expected = getattr(metrics, one)(truth[kept], labels[kept])
                assert result.scores[one][position] == expected
        assert result.coverage.tolist() == [kept.mean()] * len(candidates)
        top = result.scores["adjusted_rand_score"].max()
        assert top == best if best else 0.2 < top <= 1.0


# --------------------------------------------------------------------------- ids of objects

LETTERS = list("wxyz")
INDEXED = pd.Series([0, 0, 1, 1], LETTERS)
SHUFFLED = INDEXED.loc[list("zxwy")]
FUZZY = pd.DataFrame(np.eye(2)[INDEXED], index=LETTERS)


def test_weights_with_other_ids_are_refused():
    weights = pd.Series([1, 2, 3, 4], LETTERS)
    same = score_candidates(INDEXED, [SHUFFLED], indices="purity_score", sample_weight=weights)
    assert same.scores["purity_score"] == [1.0]
    with pytest.raises(ValueError, match="labels_true and sample_weight must have the same index"):
        score_candidates(
            INDEXED, [SHUFFLED], indices="purity_score", sample_weight=weights.loc[list("zyxw")]
        )


def test_memberships_with_other_ids_are_refused():
    result = score_candidates(INDEXED, [FUZZY], indices="adjusted_rand_score")
    assert result.scores["adjusted_rand_score"] == [1.0]
    for reference, candidate in ((INDEXED, FUZZY.loc[SHUFFLED.index]), (FUZZY, SHUFFLED)):
        with pytest.raises(ValueError, match="candidate 0 must have the same index"):
            score_candidates(reference, [candidate], indices="adjusted_rand_score")


def test_pairs_are_aligned_whichever_is_first():
    scores = pairwise_scores([INDEXED], [INDEXED, SHUFFLED], index="adjusted_rand_score")
    assert scores.tolist() == [[1.0, 1.0]]
    with pytest.raises(ValueError, match="partition 0 must be a pandas Series of labels"):
        pairwise_scores([[0, 0, 1, 1]], [INDEXED, SHUFFLED], index="adjusted_rand_score")
    with pytest.raises(ValueError, match="partition 2 must be a pandas Series of labels"):
        pairwise_scores([INDEXED, SHUFFLED, [0, 0, 1, 1]], index="adjusted_rand_score")
