"""The forms in which clusterers take objects: coordinates of the data sets as what they cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

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
