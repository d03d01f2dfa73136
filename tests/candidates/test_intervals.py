"""Intervals of the scores of candidates, and candidates compared with each other."""

import itertools
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import ContingencyTable, get_index, score_candidates, score_interval
from sklearn_clustcompare.significance import _resampling as resampling
from tests._examples import FEW_EXAMPLES, slow
from tests._laws import noisy_copy
from tests.significance import _slow

pytestmark = pytest.mark.filterwarnings("ignore:the intervals of .* may not hold:UserWarning")

ARI, PURITY, VI = (
    "adjusted_rand_score",
    "purity_score",
    "variation_of_information_distance",
)
TRUTH = np.array([0, 0, 0, 0, 1, 1, 1, 2])
CANDIDATES = {
    "first": [0, 0, 1, 1, 1, 1, 2, 2],
    "second": [0, 1, 0, 0, 1, 1, 1, 1],
    "third": [0, 0, 0, -1, 1, 1, 2, 2],
}


def scored(truth, candidates, indices=ARI, **options):
    settings = {"confidence_level": 0.95, "n_resamples": 99, "random_state": 0} | options
    return score_candidates(truth, candidates, indices=indices, **settings)


# More objects, and candidates that differ in the share that is anywhere.
TRUE = np.repeat(np.arange(3), 40)
SHARES = {"a": 0.1, "b": 0.5, "c": 0.2, "d": 0.12}
MANY = {name: noisy_copy(TRUE, 3, share, seed) for seed, (name, share) in enumerate(SHARES.items())}


# --------------------------------------------------------------------------- brute force


@pytest.fixture
def all_half_samples(monkeypatch):
    """Let every half sample be drawn, once."""

    def draw(self, size, generator):
        counts = self.counts
        objects = np.repeat(np.arange(len(counts)), counts)
        halves = itertools.combinations(objects, len(objects) // 2)
        drawn = np.array([np.bincount(half, minlength=len(counts)) for half in halves])
        # Of an even number those with the first object, which come first: the others are the rest.
        assert size == len(drawn) / (2 - len(objects) % 2)
        return drawn[:size]

    monkeypatch.setattr(resampling.Sample, "_half", draw)
    monkeypatch.setattr(resampling, "DRAWS_PER_TASK", 10**6)


def table_of(truth, candidate, **noise):
    if np.ndim(candidate) == 2:
        return ContingencyTable.from_memberships(truth, candidate, moments=True)
    return ContingencyTable.from_labels(truth, candidate, **noise)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("n_objects", [7, slow(8)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"noise": "drop"},
        {"noise": "singletons"},
        {"sample_weight": np.array([1, 2, 0, 1, 1, 2, 1, 1])},
        {"memberships": True},
    ],
    ids=lambda options: "-".join(options) or "labels",
)
def test_intervals_and_shares_are_those_of_all_half_samples(all_half_samples, n_objects, options):
    names = [PURITY, "matching_accuracy_score", "van_dongen_distance"]
    truth = TRUTH[:n_objects]
    candidates = {name: np.array(labels)[:n_objects] for name, labels in CANDIDATES.items()}
    options = dict(options)
    if options.pop("memberships", False):
        candidates["soft"] = np.random.default_rng(0).dirichlet([1, 1, 1], n_objects)
    noise = {key: value for key, value in options.items() if key == "noise"}
    objects = np.arange(n_objects)
    if "sample_weight" in options:
        options["sample_weight"] = options["sample_weight"][:n_objects]
        objects = np.repeat(objects, options["sample_weight"])
    n_drawn = len(objects) // 2
    halves = [list(half) for half in itertools.combinations(objects, n_drawn)]
    result = scored(truth, candidates, names, n_resamples=len(halves), **options)

    factor = math.sqrt(n_drawn / (len(objects) - n_drawn))
    for name in names:
        index = get_index(name)
        grown = len(objects) / n_drawn if name == "van_dongen_distance" else 1
        scores, drawn = [], []
        for labels in candidates.values():
            scores.append(index(table_of(truth[objects], labels[objects], **noise)))
            drawn.append(
                [grown * index(table_of(truth[half], labels[half], **noise)) for half in halves]
            )
        deviations = [factor * (np.array(one) - np.mean(one)) for one in drawn]
        assert result.scores[name] == pytest.approx(scores, rel=1e-12)
        expected = [math.sqrt(sum(one**2) / (len(halves) - 1)) for one in deviations]
        errors = result.sampling_errors[name].standard_errors
        assert errors == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.filterwarnings("ignore:.* is not adjusted for chance")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["bcubed_f_score", "bcubed_precision_score"])
def test_all_pairs_from_the_definition(name):
    """Of indices whose bias is that of the values without single objects alone."""
    index = get_index(name)
    sign = 1 if index.greater_is_better else -1
    comparison = scored(TRUTH, CANDIDATES, name, confidence_level=0.9).compare()
    parts = {key: sign * _slow.influences(index, TRUTH, one) for key, one in CANDIDATES.items()}
    effects = {key: _slow.effect_of_an_error(index, TRUTH, one) for key, one in CANDIDATES.items()}
    expected = []
    for first, second in itertools.combinations(CANDIDATES, 2):
        values = [_slow.value_of(index, TRUTH, CANDIDATES[one]) for one in (first, second)]
        without = [_slow.values_without(index, TRUTH, CANDIDATES[one]) for one in (first, second)]
        biases = [_slow.bias(*one) for one in zip(without, values, strict=True)]
        difference, bias = sign * (values[0] - values[1]), sign * (biases[0] - biases[1])
        gains = [_slow.gain(index, *one) for one in zip(values, biases, strict=True)]
        error = (1 + np.mean(gains)) * _slow.standard_error(parts[first] - parts[second])
        variance = error**2 + (0.75 * bias) ** 2
        effect = (effects[first] + effects[second]) / 2
        ends, pvalue = _slow.interval_of_difference(
            difference - bias, variance, effect, 7, tail=0.1 / 3 / 2
        )
        expected.append(((first, second), difference, ends, pvalue))
    assert comparison.pairs == [one[0] for one in expected]
    assert comparison.differences == pytest.approx([one[1] for one in expected], rel=1e-12)
    most = index.range[1] - index.range[0]  # of a difference
    ends = np.clip([one[2] for one in expected], -most, most)
    assert comparison.intervals == pytest.approx(ends, rel=1e-7)
    pvalues = sorted(one[3] for one in expected)
    steps = [max((3 - k) * pvalues[k] for k in range(step + 1)) for step in range(3)]
    assert sorted(comparison.pvalues) == pytest.approx([min(1, one) for one in steps], rel=1e-6)


@pytest.mark.parametrize("n_candidates", [2, slow(5)])
@pytest.mark.parametrize("index", [ARI, slow(PURITY)])
def test_the_best_of_equal_candidates_is_mostly_in_the_set(n_candidates, index):
    n_runs, missed = 40, 0
    for seed in range(n_runs):
        rng = np.random.default_rng(seed)
        truth = rng.integers(3, size=150)
        candidates = [noisy_copy(truth, 3, 0.3, rng) for _ in range(n_candidates)]
        missed += 0 not in scored(truth, candidates, index).best_set()
    # Of one in twenty at most; more have a probability below .001 then.
    assert missed <= 8


def test_worse_candidates_are_not_in_the_set():
    truth = np.repeat(np.arange(3), 60)
    shares = {"fine": 0.1, "same": 0.1, "poor": 0.5}
    candidates = {
        name: noisy_copy(truth, 3, share, k) for k, (name, share) in enumerate(shares.items())
    }
    result = scored(truth, candidates, [ARI, VI])
    assert set(result.best_set()) == set(result.best_set(VI)) == {"fine", "same"}
    assert set(result.best_set(confidence_level=0.5)) <= {"fine", "same"}
    with pytest.raises(ValueError, match="^confidence_level must lie between 0 and 1, got 95"):
        result.best_set(confidence_level=95)


@pytest.mark.parametrize("index", [ARI, PURITY])
def test_an_interval_is_that_of_the_score_alone(index):
    result = scored(TRUE, {"a": MANY["a"]}, index)
    alone = score_interval(TRUE, MANY["a"], index=index, n_resamples=99, random_state=0)
    assert result.intervals[index][0] == pytest.approx(alone.interval, rel=1e-12)
    assert result.best_set() == ["a"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@FEW_EXAMPLES
@given(
    st.integers(4, 30).flatmap(lambda n: arrays(np.int64, (4, n), elements=st.integers(-1, 4))),
    st.sampled_from(["rand_score", PURITY, VI]),
    st.sampled_from(["cluster", "singletons", "drop"]),
    st.integers(2, 20),
)
@example(np.array([[0, -1, -1, -1]] * 2 + [[-1] * 4] * 2), VI, "drop", 2)  # one object is left
def test_intervals_hold_their_scores(partitions, index, noise, n_resamples):
    truth, *candidates = partitions
    result = scored(
        truth, candidates, index, noise=noise, n_resamples=n_resamples, confidence_level=0.6
    )
    low, high = result.intervals[index].T
    has_interval = ~np.isnan(low)
    values = result.scores[index] - result.sampling_errors[index].biases
    assert (np.isnan(low) == np.isnan(high)).all()
    assert not has_interval[np.isnan(values)].any()
    rows = get_index(index).range
    values = np.clip(values, *rows)
    assert (low <= values + 1e-12)[has_interval].all()
    assert (values - 1e-12 <= high)[has_interval].all()
    found = result.best_set()
    assert bool(found) == has_interval.any()
    assert has_interval[found].all()
    rows = get_index(index).range
    assert ((rows[0] <= low) & (high <= rows[1]))[has_interval].all()


# --------------------------------------------------------------------------- comparisons


def test_a_candidate_is_compared_with_all_others():
    result = scored(TRUE, MANY)
    one, all_pairs = result.compare(against="c"), result.compare()
    assert one.pairs == [("c", "a"), ("c", "b"), ("c", "d")]
    assert len(all_pairs) == 6
    for name, difference in zip("abd", one.differences, strict=True):
        values = dict(zip(MANY, result.scores[ARI], strict=True))
        assert difference == values["c"] - values[name]
    width = one.intervals[1] - one.differences[1]
    wider = all_pairs.intervals[3] - all_pairs.differences[3]
    assert all_pairs.pairs[3] == ("b", "c")
    assert abs(wider[0]) > abs(width[0])
    with pytest.raises(ValueError, match=r"^against must name one .* got 0 that are called 'x'$"):
        result.compare(against="x")


def test_names_that_repeat_cannot_be_compared_against():
    frame = pd.DataFrame(np.transpose(list(MANY.values())), columns=list("aabc"))
    result = scored(TRUE, frame)
    assert len(result.compare()) == 6
    with pytest.raises(ValueError, match="got 2 that are called 'a'$"):
        result.compare(against="a")


def test_equal_candidates_do_not_differ():
    truth = np.repeat(np.arange(3), 40)
    best = noisy_copy(truth, 3, 0.05, 0)
    result = scored(truth, [best, 2 - best, noisy_copy(truth, 3, 0.9, 1)])
    assert result.best_set() == [0, 1]
    comparison = result.compare()
    assert comparison.differences[0] == 0
    low, high = comparison.intervals[0]
    assert low == -high < 0
    assert comparison.pvalues[0] == 1


def test_without_intervals_there_is_nothing_to_compare():
    result = score_candidates(TRUE, MANY, indices=ARI)
    assert (result.confidence_level, result.intervals) == (None, {})
    with pytest.raises(ValueError, match=r"^best_set\(\) needs .*: pass confidence_level to score"):
        result.best_set()
    with pytest.raises(ValueError, match=r"^compare\(\) needs .*: pass confidence_level to score"):
        result.compare()
    with pytest.raises(ValueError, match="^index must be one of those computed"):
        result.compare(PURITY)


def test_too_many_pairs_are_refused(monkeypatch):
    result = scored(TRUE, MANY, n_resamples=5)
    monkeypatch.setattr("sklearn_clustcompare.candidates._scores._MAX_PAIRS", 5)
    with pytest.raises(ValueError, match="at most 5 pairs, got 6 of 4 candidates: name one of"):
        result.compare()
    assert len(result.compare(against="a")) == 3


def test_the_bias_of_the_number_of_clusters_is_told():
    result = scored(TRUE, MANY | {"fine": np.arange(120) // 4}, [PURITY, ARI])
    with pytest.warns(UserWarning, match="^purity_score is not adjusted .* have 3 to 30 clusters"):
        result.compare()
    result.compare(ARI)


def test_one_candidate_has_no_other():
    comparison = scored(TRUE, {"a": MANY["a"]}).compare()
    assert (len(comparison), comparison.intervals.shape) == (0, (0, 2))
    assert comparison.to_frame().shape == (0, 6)
    assert repr(comparison).startswith("CandidateComparison: 0 pairs by adjusted_rand_score")
    with pytest.raises(
        ValueError, match="^candidates must hold at least one partition, got an empty"
    ):
        scored(TRUE, {})


@pytest.mark.slow
def test_parameters_reach_the_half_samples():
    nmi = "normalized_mutual_info_score"
    by_name = {"max": (nmi, {"average_method": "max"}), "min": (nmi, {"average_method": "min"})}
    result = scored(TRUE, MANY, by_name)
    for name in by_name:
        alone = scored(TRUE, MANY, nmi, average_method=name)
        np.testing.assert_array_equal(result.intervals[name], alone.intervals[nmi])
        np.testing.assert_array_equal(result.compare(name).pvalues, alone.compare().pvalues)
    assert result.parameters["max"] == {"average_method": "max"}
    assert "average_method=max" in repr(result.compare())


# --------------------------------------------------------------------------- inputs


@pytest.mark.slow
def test_forms_of_candidates_and_jobs_change_nothing():
    expected = scored(TRUE, list(MANY.values()))
    frame = pd.DataFrame(MANY, index=[f"object {k}" for k in range(120)])
    for result in (
        scored(TRUE, iter(MANY.values())),
        scored(TRUE, frame),
        scored(TRUE, np.array(list(MANY.values())), n_jobs=2),
        scored(
            pd.Series(TRUE, frame.index), frame.sample(frac=1, random_state=0), unmatched="drop"
        ),
        pickle.loads(pickle.dumps(expected)),
    ):
        np.testing.assert_array_equal(result.intervals[ARI], expected.intervals[ARI])
        np.testing.assert_array_equal(result.compare().pvalues, expected.compare().pvalues)


def test_dask_arrays_are_candidates():
    dask = pytest.importorskip("dask.array")
    lazy = {key: dask.from_array(labels, chunks=50) for key, labels in MANY.items()}
    result = scored(dask.from_array(TRUE, chunks=50), lazy)
    np.testing.assert_array_equal(result.intervals[ARI], scored(TRUE, MANY).intervals[ARI])


def test_candidates_that_lack_objects_have_no_intervals():
    with (
        pytest.warns(UserWarning, match="^coverage is"),
        pytest.raises(
            ValueError, match=r"^confidence_level must be None where .*; candidate 1 has 90 of 120$"
        ),
    ):
        scored(
            pd.Series(TRUE),
            [pd.Series(MANY["a"]), pd.Series(MANY["b"]).iloc[:90]],
            unmatched="drop",
        )


def test_a_score_of_one_object_has_no_interval():
    rest = np.where(np.arange(120) < 1, 1, -1)
    undefined = r"^adjusted_rand.* parts of the sample.* for 'rest'$"
    with pytest.warns(UndefinedMetricWarning, match=undefined):
        result = scored(TRUE, MANY | {"rest": rest}, noise="drop")
    assert result.scores[ARI][-1] == 1.0
    assert np.isnan(result.intervals[ARI][-1]).all()
    assert "rest" not in result.best_set()
    assert len(result.compare()) == 6
    with pytest.raises(ValueError, match="got without an interval 'rest'$"):
        result.compare(against="rest")


# --------------------------------------------------------------------------- shown


def test_intervals_are_shown():
    result = scored(TRUE, MANY, [ARI, PURITY])
    lines = repr(result).splitlines()
    assert lines[0] == "CandidateScores: 4 candidates by adjusted_rand_score, 95 % intervals"
    header = ["candidate", "rank", "n_clusters", ARI, "low", "high", PURITY]
    assert lines[1].split() == header
    low, high = result.intervals[ARI][result.names.index(result.best())]
    assert [f"{low:.4f}", f"{high:.4f}"] == lines[2].split()[4:6]
    assert result._repr_html_().count('<th scope="col"') == len(header)
    frame = result.to_frame()
    assert frame.loc["b", f"{PURITY}_low"] == result.intervals[PURITY][1, 0]


def test_comparisons_are_shown():
    others = {f"<{k}>": noisy_copy(TRUE, 3, 0.3, 9 + k) for k in range(2)}
    comparison = scored(TRUE, MANY | others).compare()
    lines = repr(comparison).splitlines()
    assert lines[0] == "CandidateComparison: 15 pairs by adjusted_rand_score, 95 % intervals"
    assert lines[1].split() == ["first", "second", "difference", "low", "high", "pvalue"]
    assert len(lines) == 17
    shown = [float(line.split()[-1]) for line in lines[2:]]
    np.testing.assert_allclose(shown, np.sort(comparison.pvalues), rtol=0.05, atol=5.1e-5)
    assert "&lt;0&gt;" in comparison._repr_html_()
    frame = comparison.to_frame()
    assert list(zip(frame["first"], frame["second"], strict=True)) == comparison.pairs
    assert frame["pvalue"].tolist() == comparison.pvalues.tolist()


@pytest.mark.filterwarnings("ignore:the interval may not hold")
def test_groups_are_units_of_intervals():
    generator = np.random.default_rng(0)
    truth = np.repeat(np.arange(30), generator.integers(1, 6, 30))
    found = np.where((truth % 4 == 0), 30 + np.arange(len(truth)), truth)
    result = scored(truth, {"a": found}, groups=truth)
    alone = score_interval(truth, found, index=ARI, groups=truth)
    assert result.intervals[ARI][0] == pytest.approx(alone.interval, rel=1e-12)


def test_candidates_whose_intervals_may_not_hold_are_named():
    with pytest.warns(
        UserWarning, match="^the intervals of rand_score may not hold for 1 of 2 cand.*: 'one'$"
    ):
        score_candidates(
            [0, 1] * 50,
            {"one": [0] * 100, "two": [0, 1] * 45 + [1] * 10},
            indices="rand_score",
            confidence_level=0.95,
        )
