"""DataArrays of xarray: in memory and in blocks, with coordinates and without."""

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.model_selection import GridSearchCV

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    frobenius_adjusted_rand_score,
    make_clustering_scorer,
    pairwise_scores,
    purity_score,
    score_candidates,
)

xarray = pytest.importorskip("xarray", exc_type=ImportError)

TRUTH, FOUND = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 1, 2, 2])
WEIGHTS = np.array([1, 2, 3, 1, 2, 3])
NAMES = list("abcdef")
SOFT = np.array([[1, 0], [0.5, 0.5], [0.25, 0.75], [0, 1], [0.5, 0.5], [0, 1]])


def plain(values):
    return xarray.DataArray(values)


def named(values):
    # "index" and "columns" are names that pandas gives, and no attributes to rely on.
    dims = ("index", "columns")[: values.ndim]
    return xarray.DataArray(values, dims=dims, coords={"index": NAMES})


@pytest.mark.parametrize("form", [plain, named])
def test_labels_memberships_and_weights(form):
    weighted = adjusted_rand_score(TRUTH, FOUND, sample_weight=WEIGHTS)
    for other in (np.asarray, form):
        assert adjusted_rand_score(form(TRUTH), other(FOUND)) == adjusted_rand_score(TRUTH, FOUND)
        assert adjusted_rand_score(form(TRUTH), other(FOUND), sample_weight=form(WEIGHTS)) == (
            weighted
        )
        assert frobenius_adjusted_rand_score(form(SOFT), other(SOFT[::-1])) == (
            frobenius_adjusted_rand_score(SOFT, SOFT[::-1])
        )
    assert purity_score(form(np.array(["x", "y", "y", "x", "z", "z"])), form(FOUND)) == 5 / 6


def test_names_of_clusters():
    soft = xarray.DataArray(SOFT, dims=("cell", "type"), coords={"type": ["B", "T"]})
    assert ContingencyTable.from_memberships(TRUTH, soft).col_labels.tolist() == ["B", "T"]


def test_blocks():
    pytest.importorskip("dask.array")
    for form in (plain, named):
        chunked = (form(values).chunk(size) for values, size in ((TRUTH, 2), (FOUND, 4)))
        weights = form(WEIGHTS).chunk(3)
        assert adjusted_rand_score(*chunked, sample_weight=weights) == adjusted_rand_score(
            TRUTH, FOUND, sample_weight=WEIGHTS
        )
    other = xarray.DataArray(FOUND, dims="index", coords={"index": NAMES[::-1]}).chunk(2)
    with pytest.raises(ValueError, match="must have the same index"):
        adjusted_rand_score(named(TRUTH).chunk(2), other)
    images = [values.reshape(2, 3) for values in (TRUTH, FOUND)]
    chunked = [plain(image).chunk(2) for image in images]
    assert ContingencyTable.from_images(*chunked) == ContingencyTable.from_images(*images)


def test_other_coordinates_are_an_error_as_other_indexes_are():
    other = xarray.DataArray(FOUND, dims="index", coords={"index": NAMES[::-1]})
    for first in (named(TRUTH), pd.Series(TRUTH, index=NAMES)):
        with pytest.raises(ValueError, match="labels_true and labels_pred .* the same index"):
            adjusted_rand_score(first, other)
    by_name = dict(zip(NAMES[::-1], FOUND, strict=True))
    assert adjusted_rand_score(named(TRUTH), by_name) == adjusted_rand_score(TRUTH, FOUND[::-1])


def test_several_partitions():
    expected = adjusted_rand_score(TRUTH, FOUND)
    rows = xarray.DataArray(np.stack([FOUND, TRUTH]), dims=("k", "index"))
    data = xarray.Dataset({"far": ("index", FOUND), "same": ("index", TRUTH)})
    for candidates in (rows, data, [named(FOUND), TRUTH]):
        scores = score_candidates(plain(TRUTH), candidates, indices="adjusted_rand_score")
        assert scores.scores["adjusted_rand_score"].tolist() == [expected, 1.0]
    assert score_candidates(TRUTH, data, indices="rand_score").names == ["far", "same"]
    assert pairwise_scores(rows, index="adjusted_rand_score").values[0, 1] == expected


def test_y_of_a_search():
    X = np.arange(12.0).reshape(6, 2)
    scoring = make_clustering_scorer("adjusted_rand_score")
    found = [
        GridSearchCV(
            KMeans(random_state=0, n_init=1), {"n_clusters": [2, 3]}, scoring=scoring, cv=2
        ).fit(X, form(TRUTH))
        for form in (np.asarray, plain)
    ]
    assert found[1].best_score_ == found[0].best_score_


def test_images_are_compared_by_the_names_of_their_dimensions():
    first = xarray.DataArray(np.arange(6).reshape(2, 3) % 4, dims=("y", "x"))
    second = xarray.DataArray(np.arange(6).reshape(2, 3) % 3, dims=("y", "x"))
    expected = ContingencyTable.from_images(first.values, second.values)
    assert ContingencyTable.from_images(first, second) == expected
    assert ContingencyTable.from_images(first, second.transpose("x", "y")) == expected
    assert ContingencyTable.from_images(first, second.values) == expected
    with pytest.raises(ValueError, match="must have the same dimensions, got .*'y', 'x'.*'z'"):
        ContingencyTable.from_images(first, second.rename(y="z"))
    with pytest.raises(ValueError, match="dimension 'y' of image_true and .* the same index"):
        ContingencyTable.from_images(
            first.assign_coords(y=[0.5, 1.5]), second.assign_coords(y=[1.5, 0.5])
        )


def test_pixels_without_data():
    first = xarray.DataArray([[0.0, np.nan], [1.0, 1.0]], dims=("y", "x"))
    second = xarray.DataArray([[5, 5], [6, 5]], dims=("y", "x"))
    table = ContingencyTable.from_images(first, second, missing="drop")
    assert table == ContingencyTable.from_labels([0, 1, 1], [5, 6, 5])
