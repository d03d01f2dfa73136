"""Objects that a clusterer left out: what becomes of the ones that carry the noise label.

Labels are counted first, noise like any other cluster. What noise means is then a matter of a few
cells, however many objects there are.
"""

from __future__ import annotations

import contextlib
import operator
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition.labels import Labels, as_objects, encode_together
from sklearn_clustcompare._partition.reading import Reading

# More would not fit into the memory of common machines.
_MAX_SINGLETONS = 10**8


class _NoiseObject:
    """The label of every cluster that consists of one noise object.

    There is one such object in a process, for all of these clusters: they have no name, and two
    of them are never the same cluster.
    """

    def __repr__(self) -> str:
        return "<noise>"

    def __reduce__(self) -> str:
        return "NOISE_OBJECT"


NOISE_OBJECT = _NoiseObject()


class Cells(NamedTuple):
    """Cells of a table: the cluster of each in two partitions, and its count."""

    true: Labels
    pred: Labels
    counts: NDArray[Any]


def treat_noise(cells: Cells, reading: Reading) -> Cells:
    """Drop the cells that are noise on either side, or split them into single objects."""
    true_noise = noise_mask(cells.true, reading.noise_label)
    pred_noise = noise_mask(cells.pred, reading.noise_label)
    either = true_noise | pred_noise
    if not either.any():
        return cells
    if reading.noise == "drop":
        return _select_cells(cells, np.flatnonzero(~either))
    if cells.counts.dtype.kind == "f":
        msg = (
            "sample_weight must be whole numbers with noise='singletons' (an object of weight 3 is "
            "three clusters of their own), got fractions"
        )
        raise ValueError(msg)
    n_singletons = int(cells.counts[either].sum())
    if n_singletons > _MAX_SINGLETONS:
        msg = (
            f"noise must not be 'singletons' for more than {_MAX_SINGLETONS} objects of noise "
            f"(each is a cluster of its own), got {n_singletons}"
        )
        raise ValueError(msg)
    objects = np.repeat(np.arange(len(either)), np.where(either, cells.counts, 1))
    true, pred, counts = _select_cells(cells, objects)
    return Cells(
        _with_singletons(true, true_noise[objects]),
        _with_singletons(pred, pred_noise[objects]),
        np.where(either[objects], 1, counts),
    )


def weigh_noise(
    labels: Labels, weights: NDArray[Any] | None, reading: Reading
) -> tuple[NDArray[Any] | None, Any]:
    """Give objects of noise weight 0 beside a soft partition; return what they weighed, too."""
    if reading.noise == "cluster":
        return weights, 0
    is_noise = noise_mask(labels, reading.noise_label)
    if not is_noise.any():
        return weights, 0
    if reading.noise == "singletons":
        msg = (
            "noise must be 'cluster' or 'drop' where labels with noise are compared with "
            "memberships, got 'singletons'"
        )
        raise ValueError(msg)
    if weights is None:
        weights = np.ones(len(is_noise), np.int64)
    return np.where(is_noise, 0, weights), weights[is_noise].sum().item()


def treat_noise_of_one(labels: Labels, reading: Reading) -> tuple[Labels, NDArray[np.intp] | None]:
    """Drop the objects of noise of one partition, or give each of them a cluster of its own.

    Returns the positions of the objects that are left, too, or None if all of them are.
    """
    if reading.noise == "cluster":
        return labels, None
    is_noise = noise_mask(labels, reading.noise_label)
    if not is_noise.any():
        return labels, None
    if reading.noise == "singletons":
        return _with_singletons(labels.compact()[0], is_noise), None
    kept = np.flatnonzero(~is_noise)
    return labels.take(kept), kept


def noise_mask(labels: Labels, noise_label: Any) -> NDArray[np.bool_]:
    """Tell which objects of one partition carry the noise label, found by value."""
    if not labels.is_named:
        return np.zeros(len(labels.codes), bool)
    code = _code_of(labels, noise_label)
    if code is None:
        _reject_twin(labels, noise_label)
        return np.zeros(len(labels.codes), bool)
    return labels.codes == code + labels.low


def _reject_twin(labels: Labels, noise_label: Any) -> None:
    """Raise ValueError if the noise label does not occur, but what prints like it does.

    Labels read from a file are text, and a number would find no noise among them.
    """
    twins: list[Any] = [str(noise_label)]
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        number = float(noise_label)
        twins += [int(number), str(number)] if number.is_integer() else [str(number)]
    for twin in twins:
        if twin != noise_label and _code_of(labels, twin) is not None:
            msg = (
                f"noise_label must be a label of the kind of the others: {noise_label!r} does not "
                f"occur among the labels, but {twin!r} does"
            )
            raise ValueError(msg)


def _code_of(labels: Labels, label: Any) -> int | None:
    if labels.classes is None:
        if not isinstance(label, int | float | np.integer | np.floating | np.bool_):
            return None
        if not (np.isfinite(label) and int(label) == label):
            return None
        code = int(label) - labels.low
        return code if 0 <= code < labels.n_codes else None
    if labels.classes.dtype.kind in "mM":
        matches = np.flatnonzero(labels.classes == label)
        return int(matches[0]) if len(matches) else None
    numbers: dict[Any, int] = {found: i for i, found in enumerate(labels.classes.tolist())}
    return numbers.get(label)


def align_labels(first: NDArray[Any], second: NDArray[Any]) -> Labels:
    """Encode the labels of two tables together, by value; clusters of noise objects stay apart."""
    if first.dtype.kind != "O" and second.dtype.kind != "O":
        return encode_together(first, second)
    first, second = as_objects(first), as_objects(second)
    is_noise = np.append(is_noise_object(first), is_noise_object(second))
    if not is_noise.any():
        return encode_together(first, second)
    named = np.append(first, second)[~is_noise]
    labels = encode_together(named, named[:0])
    codes = np.empty(len(is_noise), np.int64)
    codes[~is_noise] = labels.zero_based()
    return _with_singletons(labels._replace(codes=codes, low=0), is_noise)


def is_noise_object(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which labels of a table stand for a noise object."""
    same = map(operator.is_, labels.tolist(), repeat(NOISE_OBJECT))
    return np.fromiter(same, bool, len(labels))


def _with_singletons(labels: Labels, is_noise: NDArray[np.bool_]) -> Labels:
    """Give each of the noise objects of one partition a cluster of its own, last in order."""
    n_noise, n_named = np.count_nonzero(is_noise), labels.n_codes
    if n_noise == 0:
        return labels
    codes = labels.codes.copy()
    codes[is_noise] = np.arange(n_named, n_named + n_noise)
    classes = np.full(n_named + n_noise, NOISE_OBJECT, dtype=object)
    classes[:n_named] = as_objects(labels.labels_of(np.arange(n_named)))
    return Labels(codes, 0, len(classes), classes)


def _select_cells(cells: Cells, positions: NDArray[np.intp]) -> Cells:
    return Cells(
        cells.true._replace(codes=cells.true.codes[positions]),
        cells.pred._replace(codes=cells.pred.codes[positions]),
        cells.counts[positions],
    )
