"""Options that all public functions of indices take alike, against treating the labels first."""

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare import Cover
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES

RNG = np.random.default_rng(0)
N = 60
TRUE = RNG.integers(-1, 4, N)
PRED = np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(-1, 5, N))
X = RNG.normal(size=(N, 3)) + PRED[:, None]
GRAPH = np.abs(X @ X.T)
OF_TWO = sorted(INDICES)
OF_DATA = sorted(INTERNAL_INDICES)
KEPT = (TRUE != -1) & (PRED != -1)


def function(name):
    return getattr(clustcompare, name)


def data_of(name):
    return GRAPH if INTERNAL_INDICES[name].needs_graph else X


def value(call, *args, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **keywords)


def with_singletons(labels):
    return [f"alone {i}" if one == -1 else one for i, one in enumerate(labels.tolist())]


@pytest.mark.parametrize("name", OF_TWO)
def test_noise(name):
    call = function(name)
    dropped = value(call, TRUE, PRED, noise="drop")
    assert dropped == pytest.approx(value(call, TRUE[KEPT], PRED[KEPT]), rel=1e-12)
    alone = value(call, TRUE, PRED, noise="singletons")
    expected = value(call, with_singletons(TRUE), with_singletons(PRED))
    assert alone == pytest.approx(expected, rel=1e-12)
    named = value(call, TRUE, PRED, noise="drop", noise_label=[-1, 3])
    kept = KEPT & (TRUE != 3) & (PRED != 3)
    assert named == pytest.approx(value(call, TRUE[kept], PRED[kept]), rel=1e-12)


@pytest.mark.parametrize("name", OF_TWO)
def test_missing(name):
    call = function(name)
    true, pred = (pd.Series(side).where(side != -1) for side in (TRUE, PRED))
    with pytest.raises(ValueError, match="missing"):
        call(true, pred)
    dropped = value(call, true, pred, missing="drop")
    assert dropped == pytest.approx(value(call, TRUE[KEPT], PRED[KEPT]), rel=1e-12)
    as_cluster = value(call, true, pred, missing="cluster")
    assert as_cluster == pytest.approx(value(call, TRUE, PRED), rel=1e-12)


@pytest.mark.parametrize("name", OF_TWO)
@pytest.mark.parametrize("unmatched", ["drop", "singleton"])
def test_unmatched(name, unmatched):
    call = function(name)
    true = dict(zip(range(50), TRUE.tolist(), strict=False))
    pred = dict(zip(range(N - 1, 9, -1), PRED.tolist(), strict=False))
    with pytest.raises(ValueError, match="unmatched"):
        call(true, pred)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        aligned = align_partitions(true, pred, unmatched=unmatched)
    found = value(call, true, pred, unmatched=unmatched)
    assert found == pytest.approx(value(call, *aligned.labels), rel=1e-12)


@pytest.mark.parametrize("name", OF_TWO)
def test_columns_of_a_table(name):
    table = pd.DataFrame({"type": TRUE, "found": PRED, "weight": np.arange(N) % 3})
    call = function(name)
    found = value(call, "type", "found", sample_weight="weight", data=table)
    expected = value(call, TRUE, PRED, sample_weight=np.arange(N) % 3)
    assert found == pytest.approx(expected, rel=1e-12)


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


def test_covers_have_no_noise():
    cover = Cover.from_sets([{0, 1}, {1, 2}])
    with pytest.raises(ValueError, match="noise must be 'cluster' with a Cover"):
        clustcompare.omega_score(cover, cover, noise="drop")
