"""Options that all public functions of indices take alike, against treating the labels first."""

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES

RNG = np.random.default_rng(0)
N = 60
TRUE = RNG.integers(-1, 4, N)
PRED = np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(-1, 5, N))
X = RNG.normal(size=(N, 3)) + PRED[:, None]
GRAPH = np.abs(X @ X.T)
OF_TWO = sorted(INDICES)
OF_DATA = sorted(INTERNAL_INDICES)


def function(name):
    return getattr(clustcompare.metrics, name)


def data_of(name):
    return GRAPH if INTERNAL_INDICES[name].needs_graph else X


def value(call, *args, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **keywords)


@pytest.mark.parametrize("name", OF_DATA)
def test_noise_of_data(name):
    call, data = function(name), data_of(name)
    if "noise_label" in INTERNAL_INDICES[name].parameters:  # it treats noise itself
        assert "noise" not in inspect.signature(call).parameters
        return
    is_kept = PRED != -1
    rest = data[is_kept][:, is_kept] if INTERNAL_INDICES[name].needs_graph else data[is_kept]
    found = value(call, data, PRED, noise="drop")
    assert found == pytest.approx(value(call, rest, PRED[is_kept]), rel=1e-12)
    missing = pd.Series(PRED).where(is_kept)
    assert value(call, data, missing, missing="drop") == found


def test_noise_of_distances():
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    is_kept = PRED != -1
    found = clustcompare.silhouette_score(distances, PRED, metric="precomputed", noise="drop")
    assert found == pytest.approx(clustcompare.silhouette_score(X[is_kept], PRED[is_kept]))


@pytest.mark.parametrize("name", [*OF_TWO, *OF_DATA])
def test_an_unknown_keyword_is_named(name):
    first = data_of(name) if name in OF_DATA else TRUE
    with pytest.raises(TypeError, match=f"{name}.*missin"):
        function(name)(first, PRED, missin="drop")
    if "unmatched" in inspect.signature(function(name)).parameters:
        with pytest.raises(ValueError, match="unmatched must be one of"):
            function(name)(TRUE, PRED, unmatched="dorp")


def test_labels_by_position_cannot_be_unmatched():
    with pytest.raises(ValueError, match="labels_true must name its objects for unmatched='drop'"):
        clustcompare.rand_score(TRUE, PRED, unmatched="drop")
    with pytest.raises(ValueError, match="labels_true must be labels for unmatched='singleton'"):
        clustcompare.rand_score(
            pd.DataFrame(RNG.dirichlet(np.ones(2), N)), pd.Series(PRED), unmatched="singleton"
        )
