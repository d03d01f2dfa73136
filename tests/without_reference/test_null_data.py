"""Null data have the laws that their names say."""

import pickle

import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.datasets import load_iris

from sklearn_clustcompare.without_reference._null_data import laws_of
from tests.without_reference._stability_data import law_of

LAWS = ("copula", "elliptical", "pca", "gaussian", "sigclust", "box", "permute")


def _uniform(X, random_state):
    return np.random.default_rng(random_state).uniform(size=X.shape)


def _narrow(X, random_state):
    return X[:, :1]


@pytest.fixture
def correlated():
    rng = np.random.default_rng(0)
    x = rng.normal(size=4000)
    return np.column_stack([x, x + 0.1 * rng.normal(size=4000), rng.exponential(size=4000)]) + 50


def _rotation(X):
    """Return principal axes from the covariance, apart from the code tested."""
    return np.linalg.eigh(np.cov(X.T))[1]


def test_box_along_the_principal_axes_is_uniform_on_them(correlated):
    axes = _rotation(correlated)
    coordinates = (correlated - correlated.mean(axis=0)) @ axes
    drawn = (law_of("pca", correlated).draw(1) - correlated.mean(axis=0)) @ axes
    for column, own in zip(drawn.T, coordinates.T, strict=True):
        assert kstest(column, "uniform", (own.min(), np.ptp(own))).pvalue > 1e-3
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(0, abs=0.05)
    assert np.corrcoef(law_of("pca", correlated).draw(1).T)[0, 1] > 0.9


def test_box_is_uniform_in_the_ranges_of_the_features(correlated):
    drawn = law_of("box", correlated).draw(1)
    for column, own in zip(drawn.T, correlated.T, strict=True):
        assert kstest(column, "uniform", (own.min(), np.ptp(own))).pvalue > 1e-3
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(0, abs=0.05)


def test_permuted_columns_keep_the_values_of_each_and_no_correlation(correlated):
    drawn = law_of("permute", correlated).draw(1)
    assert np.array_equal(np.sort(drawn, axis=0), np.sort(correlated, axis=0))
    assert np.abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 0.06


@pytest.mark.parametrize("null", [*LAWS, _uniform])
def test_a_seed_gives_one_data_set_also_in_another_process(null):
    law = law_of(null, load_iris().data)
    first = law.draw(1)
    assert first.shape == (150, 4)
    assert np.array_equal(first, pickle.loads(pickle.dumps(law)).draw(1))
    assert not np.array_equal(first, law.draw(2))


@pytest.mark.parametrize("null", [law for law in LAWS if law != "sigclust"])
def test_constant_features_stay_constant(null):
    X = np.column_stack([np.full(20, 0.1), np.arange(20.0)])
    drawn = law_of(null, X).draw(3)
    assert np.ptp(drawn[:, 0]) < 1e-12
    assert np.ptp(drawn[:, 1]) > 1


@pytest.mark.parametrize(
    ("null", "X", "message"),
    [
        ("pac", np.eye(3), "null must be a callable, a list or one of 'auto', .* mean 'pca'"),
        (None, np.eye(3), "null must be a callable, a list or one of .*; got None"),
        (["pca", 3], np.eye(3), "null must be a callable, a list or one of .*; got 3"),
        ([], np.eye(3), r"null must hold one law or several different ones, got \[\]"),
        (["pca", "pca"], np.eye(3), "null must hold one law or several different ones, got"),
        ("pca", [[1.0, 2.0], [np.nan, 1.0]], "X must be finite, got nan in row 1, column 0"),
        ("box", [[1.0, 2.0]], "X must be a matrix of two objects or more: .*1 sample"),
        ("box", [1.0, 2.0], "X must be a matrix of two objects or more: .* 2D"),
        (_narrow, np.eye(3), r"null must return data of the shape of X, \(3, 3\), got \(3, 1\)"),
    ],
)
def test_unknown_laws_and_bad_data_are_errors(null, X, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        laws_of(null, X)[0].draw(0)


def test_automatic_laws_are_those_that_suit_the_columns():
    rng = np.random.default_rng(0)
    names = {
        kind: [law.name for law in laws_of("auto", X)]
        for kind, X in {
            "real": rng.normal(size=(50, 3)),
            "counts": rng.poisson(3, size=(50, 3)),
            "binary": rng.integers(2, size=(50, 3)),
            "mixed": np.column_stack([rng.normal(size=50), rng.integers(5, size=50)]),
        }.items()
    }
    assert names == {
        "real": ["copula", "elliptical", "pca"],
        "counts": ["copula", "elliptical", "rates"],
        "binary": ["copula", "elliptical"],
        "mixed": ["copula", "elliptical"],
    }
    assert [law.name for law in laws_of(["box", _uniform], np.eye(3))] == ["box", "_uniform"]
