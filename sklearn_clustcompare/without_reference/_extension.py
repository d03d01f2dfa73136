"""Labels of objects outside the sample that was clustered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import Pipeline

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.noise import noise_mask
from sklearn_clustcompare.without_reference._resamples import Sample, take_rows

_check_name = one_of("auto", "predict", "nearest_centroid", "nearest", "a classifier")
_CLASSIFIERS = {
    "nearest_centroid": NearestCentroid(),
    "nearest": KNeighborsClassifier(n_neighbors=1),
}


def read_extension(extension: Any, estimator: Any) -> Any:
    """Return "predict" or the classifier that learns the labels of a sample."""
    is_name = isinstance(extension, str)
    if is_name or not (hasattr(extension, "fit") and is_classifier(extension)):
        _check_name("extension", extension)
    can_predict = hasattr(estimator, "predict")
    if is_name and extension == "auto":
        extension = "predict" if can_predict else "nearest"
    if is_name and extension == "predict" and not can_predict:
        msg = (
            "extension must be 'nearest_centroid', 'nearest' or a classifier for a clusterer "
            f"without predict, got 'predict' for {type(estimator).__name__}"
        )
        raise ValueError(msg)
    return _CLASSIFIERS.get(extension, extension) if is_name else extension


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
    others = take_rows(X, positions[outside])
    if (labels == labels[0]).all():
        extended = np.repeat(labels[:1], len(outside))
    elif isinstance(extension, str):
        _check_noise_is_predicted(fitted, sample, is_noise, noise_labels)
        extended = np.asarray(fitted.predict(others))
    else:
        _check_noise_is_learned(extension, is_noise)
        # The nearest centroid divides by the degrees of freedom of the spread, without using the
        # result; clusters of one object leave none.
        with np.errstate(divide="ignore", invalid="ignore"):
            classifier = clone(extension).fit(_as_seen(fitted, sample.X), labels)
        extended = classifier.predict(_as_seen(fitted, others))
    # Labels that are text must not be truncated to the length of the others.
    found = found.astype(np.result_type(found, extended))
    found[outside] = extended
    return found


def _as_seen(fitted: Any, X: Any) -> Any:
    """Return the input of the clusterer, which may be the last step of a pipeline."""
    return fitted[:-1].transform(X) if isinstance(fitted, Pipeline) and len(fitted) > 1 else X


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
    predicted = fitted.predict(take_rows(sample.X, np.flatnonzero(is_noise)))
    if not noise_mask(read_labels(predicted, "estimator"), noise_labels).any():
        msg = (
            "extension must be 'nearest' or a classifier if predict never returns noise, got "
            f"'predict' for {type(fitted).__name__}, which predicts a cluster for all "
            f"{is_noise.sum()} objects that it has labeled noise"
        )
        raise ValueError(msg)
