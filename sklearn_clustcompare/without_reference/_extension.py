"""Labels of objects outside the sample that was clustered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from sklearn_clustcompare._clusterers import pairs_taken
from sklearn_clustcompare._data import OF_DIFFERENCES, near_together, to_fit
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare.model_selection._labels import Found, innermost_data, predicted
from sklearn_clustcompare.without_reference._resamples import Sample, as_new, values_of

_check_name = one_of("auto", "predict", "nearest_centroid", "nearest", "a classifier")
_CLASSIFIERS = {
    "nearest_centroid": NearestCentroid(),
    "nearest": KNeighborsClassifier(n_neighbors=1),
}
_NEAREST = tuple(map(type, _CLASSIFIERS.values()))
# Label of objects that no other is near.
_NOISE = -1


def read_extension(extension: Any, estimator: Any) -> Any:
    """Return "predict" or the classifier that learns the labels of a sample."""
    is_name = isinstance(extension, str)
    if is_name or not (hasattr(extension, "fit") and is_classifier(extension)):
        _check_name("extension", extension)
    can_predict, pairs = hasattr(estimator, "predict"), pairs_taken(estimator)
    if is_name and extension == "auto":
        # Most clusterers of precomputed distances have a method predict that refuses them.
        extension = "predict" if can_predict and pairs in (None, "pairs") else "nearest"
    if is_name and extension == "predict" and not can_predict:
        msg = (
            "extension must be 'nearest_centroid', 'nearest' or a classifier for a clusterer "
            f"without predict, got 'predict' for {type(estimator).__name__}"
        )
        raise ValueError(msg)
    if pairs is not None:
        return _read_for_pairs(extension, pairs)
    return _CLASSIFIERS.get(extension, extension) if is_name else extension


def _read_for_pairs(extension: Any, pairs: str) -> Any:
    """Return "predict" or the classifier for a clusterer of pairs of objects."""
    if extension == "predict" or not isinstance(extension, str | NearestCentroid):
        if extension != "predict" and pairs_taken(extension) is None:
            msg = (
                "extension must be 'nearest' or a classifier of precomputed input for a clusterer "
                f"of {pairs}, got {extension!r}"
            )
            raise ValueError(msg)
        return extension
    if extension != "nearest":
        msg = f"extension must be 'nearest' for a clusterer of {pairs}, got {extension!r}"
        raise ValueError(msg)
    if pairs == "pairs":
        msg = (
            "extension='nearest' must know whether X holds distances or similarities: give the "
            "clusterer a parameter metric='precomputed' or affinity='precomputed', or compare the "
            "objects that two samples share, by resampling='subsample'"
        )
        raise ValueError(msg)
    return NearestOfPairs(pairs)


class NearestOfPairs(ClassifierMixin, BaseEstimator):
    """Gives an object the label of the fitted one at the smallest distance or largest similarity.

    Zeros of sparse distances are no neighbors, nor are similarities of 0; an object without a
    neighbor is noise (-1).
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def fit(self, X: Any, y: NDArray[Any]) -> NearestOfPairs:
        self._labels = y
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        are_distances = self.kind == "distances"
        if not issparse(X):
            nearest = X.argmin(axis=1) if are_distances else X.argmax(axis=1)
            alone = np.zeros(len(X), bool) if are_distances else ~X.any(axis=1)
        else:
            pairs = X.tocoo()
            row, column, value = (
                one[pairs.data != 0] for one in (pairs.row, pairs.col, pairs.data)
            )
            order = np.lexsort([column, value if are_distances else -value, row])
            found, first = np.unique(row[order], return_index=True)
            nearest, alone = np.zeros(X.shape[0], np.intp), np.ones(X.shape[0], bool)
            nearest[found], alone[found] = column[order][first], False
        if not alone.any():
            return self._labels[nearest]
        return np.where(alone, _NOISE, self._labels[nearest])


def labels_at(
    positions: NDArray[np.intp],
    fitted: Any,
    labels: NDArray[Any],
    sample: Sample,
    X: Any,
    extension: Any,
    noise_labels: Sequence[Any],
) -> NDArray[Any]:
    """Return labels of the objects at some positions: those found in the sample, else extended.

    An object that occurs several times in the sample gets the label of its last row.
    """
    row = np.full(X.shape[0], -1)
    is_object = sample.positions >= 0
    row[sample.positions[is_object]] = np.flatnonzero(is_object)
    rows = row[positions]
    found = labels[rows]
    outside = np.flatnonzero(rows < 0)
    if len(outside) == 0:
        return found
    is_noise = noise_mask(read_labels(labels, "estimator"), noise_labels)
    others = as_new(X, positions[outside], sample)
    if (labels == labels[0]).all():
        extended = np.repeat(labels[:1], len(outside))
    elif isinstance(extension, str):
        _check_noise_is_predicted(fitted, sample, is_noise, noise_labels)
        extended = np.asarray(predicted(fitted, others))
    else:
        _check_noise_is_learned(extension, is_noise)
        # The nearest centroid divides by the degrees of freedom of the spread, without using the
        # result; clusters of one object leave none.
        with np.errstate(divide="ignore", invalid="ignore"):
            seen, unseen = _as_seen(fitted, values_of(sample.X)), _as_seen(fitted, others)
            if type(extension) in _NEAREST and extension.metric in OF_DIFFERENCES:
                seen, unseen = near_together(seen, unseen)
            extended = clone(extension).fit(to_fit(seen), labels).predict(to_fit(unseen))
    # Labels that are text must not be truncated to the length of the others.
    found = found.astype(np.result_type(found, extended))
    found[outside] = extended
    return found


def _as_seen(fitted: Any, X: Any) -> Any:
    """Return the input of the clusterer, which may be the last step of a pipeline."""
    return innermost_data(Found(None, fitted, X))


def _check_noise_is_learned(classifier: Any, is_noise: NDArray[np.bool_]) -> None:
    if isinstance(classifier, NearestCentroid) and is_noise.any():
        msg = (
            "extension must be 'nearest' or another classifier if a clustering has noise, "
            f"whose mean is not a center, got {classifier!r} and {is_noise.sum()} objects of "
            "noise"
        )
        raise ValueError(msg)


def _check_noise_is_predicted(
    fitted: Any, sample: Sample, is_noise: NDArray[np.bool_], noise_labels: Sequence[Any]
) -> None:
    if not is_noise.any():
        return
    itself = Sample(sample.X, np.arange(len(is_noise)))
    found = predicted(fitted, as_new(sample.X, np.flatnonzero(is_noise), itself))
    if not noise_mask(read_labels(found, "estimator"), noise_labels).any():
        msg = (
            "extension must be 'nearest' or a classifier if predict never returns noise, got "
            f"'predict' for {type(fitted).__name__}, which predicts a cluster for all "
            f"{is_noise.sum()} objects that it has labeled noise"
        )
        raise ValueError(msg)
