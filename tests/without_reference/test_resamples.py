"""Samples: what they hold, and which objects they hold."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import poisson

from sklearn_clustcompare.without_reference._resamples import (
    Sample,
    has_distinct_objects,
    read_resampling,
    without_copies,
)

X = np.random.default_rng(0).normal(size=(30, 3))
SCHEMES = ["bootstrap", "subsample", "split", "jitter", "noise", "thin-gaussian"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_seed_is_a_sample_and_another_one_is_another(scheme):
    drawing = read_resampling(scheme, None, len(X))
    for first, again in zip(drawing.draw(X, 2, 5), drawing.draw(X, 2, 5), strict=True):
        assert np.array_equal(first.X, again.X)
        assert np.array_equal(first.positions, again.positions)
        assert len(first.X) == len(first.positions)
    one, other = drawing.draw(X, 2, 5)
    assert one.X.shape != other.X.shape or not np.array_equal(one.X, other.X)
    assert not np.array_equal(one.X, drawing.draw(X, 1, 6)[0].X)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_rows_are_the_objects_at_the_positions(n_samples, seed):
    rows = np.arange(n_samples)[:, np.newaxis] * 10.0
    for scheme, size in [("bootstrap", None), ("bootstrap", 7 / 8), ("subsample", 0.5)]:
        samples = read_resampling(scheme, size, n_samples).draw(rows, 2, seed)
        for sample in samples:
            share = {"bootstrap": 1.0, "subsample": 0.5}[scheme] if size is None else size
            assert len(sample.positions) == max(round(share * n_samples), 1)
            assert np.array_equal(sample.X[:, 0], sample.positions * 10.0)
            if scheme == "subsample":
                assert len(set(sample.positions.tolist())) == len(sample.positions)
    halves = read_resampling("split", None, n_samples).draw(rows, 2, seed)
    assert sorted(np.concatenate([half.positions for half in halves])) == list(range(n_samples))
    assert abs(len(halves[0].positions) - len(halves[1].positions)) <= 1


def test_data_are_perturbed_by_the_amounts_told():
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(4000, 2)) * [1.0, 50.0]
    (jittered,) = read_resampling("jitter", None, len(wide)).draw(wide, 1, 0)
    moves = jittered.X - wide
    assert moves.std(axis=0) == pytest.approx(0.1 * wide.std(axis=0), rel=0.05)
    assert np.array_equal(jittered.positions, np.arange(len(wide)))
    (noisy,) = read_resampling("noise", None, len(wide)).draw(wide, 1, 0)
    replaced = noisy.positions < 0
    assert replaced.sum() == 200
    assert np.array_equal(noisy.X[~replaced], wide[~replaced])
    assert np.array_equal(noisy.positions[~replaced], np.flatnonzero(~replaced))
    reach = 3 * wide.std(axis=0)
    assert (np.abs(noisy.X[replaced] - wide.mean(axis=0)) <= reach).all()
    # Uniform: a standard deviation of the reach divided by the root of three.
    assert noisy.X[replaced].std(axis=0) == pytest.approx(reach / np.sqrt(3), rel=0.15)


def test_sizes_are_shares_or_numbers():
    for size, n_rows in [(0.25, 8), (1.0, 30), (1, 1), (30, 30), (np.float64(0.5), 15)]:
        sample = read_resampling("subsample", size, 30).draw(X, 1, 0)[0]
        assert len(sample.positions) == n_rows


def test_a_function_draws():
    drawing = read_resampling(lambda X, random_state: [3, 1, 1], None, 30)
    (sample,) = drawing.draw(X, 1, 0)
    assert np.array_equal(sample.X, X[[3, 1, 1]])
    moved = read_resampling(lambda X, random_state: (np.array([-1, 2]), X[:2] + 1), None, 30)
    assert np.array_equal(moved.draw(X, 1, 0)[0].X, X[:2] + 1)
    seeds = []
    recording = read_resampling(lambda X, random_state: seeds.append(random_state) or [0], None, 30)
    recording.draw(X, 2, 0)
    assert len(set(seeds)) == 2


@given(st.lists(st.integers(0, 5), min_size=1, max_size=300), st.integers(1, 8))
def test_distinct_objects_are_counted(values, n_objects):
    rows = np.array(values, float)[:, np.newaxis]
    expected = len(set(values)) >= n_objects
    assert has_distinct_objects(Sample(rows, np.arange(len(values))), n_objects) == expected
    assert (
        has_distinct_objects(Sample(sparse.csr_array(rows), np.arange(len(values))), n_objects)
        == expected
    )
    same = Sample(rows, np.zeros(len(values), int))
    assert has_distinct_objects(same, 2) is False


@given(st.lists(st.integers(-1, 6), min_size=1, max_size=40))
def test_copies_go_and_rows_of_noise_stay(positions):
    sample = Sample(np.arange(len(positions)), np.array(positions))
    once = without_copies(sample)
    assert np.array_equal(once.positions, sample.positions[once.X])
    objects = [one for one in once.positions.tolist() if one >= 0]
    assert sorted(objects) == sorted(set(positions) - {-1})
    assert once.positions.tolist().count(-1) == positions.count(-1)


@pytest.mark.parametrize("n_parts", [2, 3])
def test_thinned_normal_values_are_independent_parts(n_parts):
    mean = np.array([-3.0, 0.0, 8.0])
    X = np.random.default_rng(1).normal(mean, size=(20_000, 3))
    parts = read_resampling("thin-gaussian", None, len(X)).draw(X, n_parts, 2)
    values = np.array([part.X for part in parts])
    np.testing.assert_allclose(values.sum(axis=0), X)
    for part in values:
        np.testing.assert_allclose(part.mean(axis=0), mean / n_parts, atol=0.03)
    # All features and parts are uncorrelated; normal values are then independent.
    covariances = np.cov(np.hstack(list(values)).T)
    np.testing.assert_allclose(covariances, np.eye(3 * n_parts) / n_parts, atol=0.03)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, pd.DataFrame])
def test_thinned_counts_are_independent_poisson_parts(form):
    rates = np.array([0.4, 2.0])
    X = np.random.default_rng(1).poisson(rates, size=(20_000, 2))
    first, second = read_resampling("thin-poisson", None, len(X)).draw(form(X), 2, 2)
    one, other = (
        part.X.toarray() if sparse.issparse(part.X) else part.X for part in (first, second)
    )
    np.testing.assert_array_equal(one + other, X)
    np.testing.assert_array_equal(first.positions, np.arange(len(X)))
    for column, rate in enumerate(rates):
        # The joint law is the product of two Poisson laws.
        for a, b in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]:
            share = np.mean((one[:, column] == a) & (other[:, column] == b))
            expected = poisson.pmf(a, rate / 2) * poisson.pmf(b, rate / 2)
            assert abs(share - expected) < 4 * np.sqrt(expected / len(X))


def returning(wrong):
    return lambda X, random_state: wrong


SIZE = "sample_size must be a share of the objects"
POSITIONS = "resampling must return the positions of objects, a 1-D array of integers from 0 to 29"
COUNTS = "X must hold counts for resampling='thin-poisson'"
WRONG = [
    *(("subsample", size, X, SIZE) for size in (0, 31, 1.5, -0.5, True, "half", 0.0)),
    ("split", 0.5, X, "sample_size must be None unless resampling is"),
    ("bootstraps", None, X, "resampling must be one of 'bootstrap', .*did you mean"),
    ("jitter", None, sparse.csr_array(X), "resampling must not be 'jitter' for sparse data"),
    ("noise", None, sparse.csr_array(X), "resampling must not be 'noise' for sparse data"),
    (returning([0.5]), None, X, POSITIONS),
    (returning([]), None, X, POSITIONS),
    (returning([30]), None, X, POSITIONS),
    (returning(([-2, 0], X[:2])), None, X, POSITIONS),
    (returning([-1, 0]), None, X, POSITIONS),
    (returning(([0, 1], X[:3])), None, X, "resampling must .*, got 3 rows and 2 positions"),
    *(("thin-poisson", None, np.full((30, 2), one), COUNTS) for one in (0.5, -1.0, np.nan)),
]


@pytest.mark.parametrize(("scheme", "size", "data", "message"), WRONG)
def test_what_cannot_be_drawn_is_named(scheme, size, data, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        read_resampling(scheme, size, 30).draw(data, 2, 0)
