"""The data of checks, and the forms in which clusterers take them: rows, distances, graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import scale

from sklearn_clustcompare._clusterers import pairs_taken

Show = Callable[[NDArray[Any], NDArray[Any]], Any]

# Where counts are taken: they tell the four blobs apart, also as shares of their sum.
_LANDMARKS = np.array([[3.0, 3.0], [6.0, 3.0], [4.5, 6.0], [7.5, 6.0]])


class Form(NamedTuple):
    """How rows of coordinates are shown to a clusterer, given the rows that it was fitted to."""

    name: str
    show: Show


class OwnData(NamedTuple):
    """Data of the user: objects, true labels or None, and the limits that an index must keep."""

    name: str
    X: Any
    y: Any
    limits: Mapping[str, float]


def _categories(X: NDArray[Any]) -> NDArray[Any]:
    """Return coarse categories, which are those of the blobs, and two fine ones."""
    coarse = np.round(np.column_stack([X, X.sum(axis=1), X[:, :1] - X[:, 1:]]) / 1.5)
    return np.column_stack([coarse, np.round(2 * X)]).astype(int).astype(str)


def _mixed(X: NDArray[Any]) -> NDArray[Any]:
    """Return the coordinates as numbers, followed by the coarse categories as objects."""
    return np.column_stack([X.astype(object), _categories(X)[:, :4].astype(object)])


def _counts(X: NDArray[Any]) -> NDArray[Any]:
    return np.round(40 * np.exp(-(cdist(X, _LANDMARKS) ** 2) / 4)).astype(int)


def _sequences(X: NDArray[Any]) -> list[str]:
    """Return words, of which the numbers of two letters are the coordinates in fifths."""
    return ["a" * a + "b" * b for a, b in np.round(5 * X).clip(0).astype(int).tolist()]


def _affinities(X: NDArray[Any], fitted: NDArray[Any]) -> NDArray[Any]:
    return np.exp(-(cdist(X, fitted) ** 2))


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form("continuous", lambda X, _: X),
        Form("categories", lambda X, _: _categories(X)),
        Form("mixed", lambda X, _: _mixed(X)),
        Form("counts", lambda X, _: _counts(X)),
        Form("sequences", lambda X, _: _sequences(X)),
        Form("distances", lambda X, fitted: cdist(X, fitted)),
        Form("affinities", _affinities),
    )
}
CONTINUOUS = FORMS["continuous"]


def form_of(estimator: Any, tags: Any) -> Form:
    """Return the form that the parameters and tags of a clusterer require."""
    if (pairs := pairs_taken(estimator)) is not None:
        return FORMS["affinities" if pairs == "similarities" else "distances"]
    if tags.input_tags.categorical and not tags.input_tags.two_d_array:
        return FORMS["categories"]
    return CONTINUOUS


def rows_of(X: Any, pairwise: bool) -> Show:
    """Return how numbers of rows are shown: as those rows of one's own data."""

    def show(rows: NDArray[Any], fitted: NDArray[Any]) -> Any:
        at = rows[:, 0]
        if pairwise:
            return np.asarray(X)[np.ix_(at, fitted[:, 0])]
        if hasattr(X, "iloc"):
            return X.iloc[at]
        return X[at] if hasattr(X, "shape") else [X[i] for i in at]

    return show


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_CENTERS = np.array([[3.0, 3.0], [6.0, 3.0], [4.5, 6.0], [7.5, 6.0]])
_SIZES = (24, 20, 16, 12)


def blobs(n_clusters: int = 3) -> tuple[FloatArray, IntArray]:
    """Up to 4 round blobs in the plane of 24, 20, 16 and 12 objects, 15 standard deviations apart.

    Blobs have a standard deviation of 0.2, cut at 0.4, and a distance of 3.
    """
    return _normal_groups(n_clusters, spread=0.2, copies=1)


def overlapping() -> tuple[FloatArray, IntArray]:
    """Three groups of 48, 40 and 32 objects that overlap: 0.8 wide, 3 apart."""
    return _normal_groups(3, spread=0.8, copies=2)


def _normal_groups(n_groups: int, spread: float, copies: int) -> tuple[FloatArray, IntArray]:
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat(np.arange(n_groups), copies * np.array(_SIZES[:n_groups])))
    noise = np.clip(rng.normal(size=(len(y), 2)), -2, 2)
    return _rounded(_CENTERS[y] + spread * noise), y


def many_blobs() -> FloatArray:
    """Twelve blobs of ten objects at random places: one start seldom finds them all."""
    rng = np.random.default_rng(0)
    centers = rng.uniform(1, 9, (12, 2))
    noise = np.clip(rng.normal(size=(120, 2)), -2, 2)
    return _rounded(centers[np.arange(120) % 12] + 0.3 * noise)


def small_beside_large() -> tuple[FloatArray, IntArray]:
    """Two round groups of 200 and 5 objects, 15 standard deviations of a blob apart."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [200, 5])
    noise = np.clip(rng.normal(size=(205, 2)), -2, 2)
    return _rounded(_CENTERS[y] + np.where(y, 0.05, 0.1)[:, np.newaxis] * noise), y


def in_many_features() -> tuple[FloatArray, IntArray]:
    """Return the blobs in the last two of 40 features; the others are small noise."""
    X, y = blobs()
    noise = 0.02 * np.random.default_rng(1).normal(size=(len(X), 38))
    return np.column_stack([1 + _rounded(noise), X]), y


def with_zeros() -> FloatArray:
    """Return 60 objects in three groups: at zero, the first exactly, and far along two features."""
    rng = np.random.default_rng(0)
    X = np.zeros((60, 4))
    X[20:40, 0], X[40:, 1] = 3, 5
    X[1:, 2] = 0.1 * np.clip(rng.normal(size=59), 0, 2)
    X[1:, 3] = 0.1 * np.clip(rng.normal(size=59), -2, 0)
    return _rounded(X)


def weighted_line() -> tuple[FloatArray, IntArray]:
    """Return 40 objects along a line, of weights that fall from 24 to 1 along it.

    With these weights the best split in two lies at a third of the line; without weights it lies in
    the middle.
    """
    place = np.linspace(0, 1, 40)
    X = np.column_stack([1 + 4 * place, 1 + 0.05 * (np.arange(40) % 2)])
    return _rounded(X), np.ceil(24 * np.exp(-4 * place)).astype(np.int64)


def weighted_pairs() -> tuple[FloatArray, IntArray]:
    """Return the three blobs and two objects of weight 4 far from them; others have weight 1.

    With weights the two count as eight objects, without weights as two.
    """
    X, _ = blobs()
    X = np.vstack([X, [[12.0, 12.0], [12.125, 12.0]]])
    return X, np.repeat([1, 4], [len(X) - 2, 2])


def large_blobs(n_samples: int) -> FloatArray:
    """Return three blobs with more objects: object i is of blob i modulo 3."""
    rng = np.random.default_rng(0)
    noise = np.clip(rng.normal(size=(n_samples, 2)), -2, 2)
    return _rounded(_CENTERS[np.arange(n_samples) % 3] + 0.2 * noise)


def _rounded(X: FloatArray) -> FloatArray:
    return np.round(1024 * X) / 1024


# --------------------------------------------------------------------------- data with classes


@cache
def iris_petals() -> tuple[FloatArray, IntArray]:
    """Fisher's iris data, lengths and widths of the petals in cm: 150 objects, 3 classes."""
    X, y = load_iris(return_X_y=True)
    return np.ascontiguousarray(X[:, 2:]), y


@cache
def standardized_wine() -> tuple[FloatArray, IntArray]:
    """The wine data, 13 features of mean 0 and variance 1: 178 objects, 3 classes."""
    X, y = load_wine(return_X_y=True)
    return scale(X), y


@cache
def standardized_breast_cancer() -> tuple[FloatArray, IntArray]:
    """The breast cancer data, 30 features of mean 0 and variance 1: 569 objects, 2 classes."""
    X, y = load_breast_cancer(return_X_y=True)
    return scale(X), y
