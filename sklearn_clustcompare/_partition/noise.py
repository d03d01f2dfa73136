"""Treatment of noise and of missing labels.

Labels are counted first, with noise and missing ones as ordinary clusters. Their treatment then
concerns a few cells, however many objects there are.
"""

from __future__ import annotations

import contextlib
import numbers
import operator
import warnings
from collections import defaultdict
from collections.abc import Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._partition.labels import Labels, as_objects, encode_together
from sklearn_clustcompare._partition.memberships import Memberships, Partition
from sklearn_clustcompare._partition.missing import MISSING
from sklearn_clustcompare._partition.options import Reading

# More would not fit into the memory of common machines.
_MAX_SINGLETONS = 10**8

# Number of labels that a warning names.
_MAX_SHOWN = 5


class _NoiseObject:
    """The label of every cluster that consists of one noise object.

    There is one such object per process, for all of these clusters: they have no name, and no two
    of them are the same cluster.
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

    def take(self, positions: NDArray[np.intp]) -> Cells:
        """Return the cells at these positions."""
        return Cells(self.true.take(positions), self.pred.take(positions), self.counts[positions])


def treat_noise(cells: Cells, reading: Reading) -> Cells:
    """Drop the cells that are noise or missing on either side, or split noise into objects."""
    return treated_cells(cells, reading)[0]


def treated_cells(cells: Cells, reading: Reading) -> tuple[Cells, NDArray[np.intp]]:
    """Treat noise and missing labels in the cells; also return which cell each one was before."""
    is_left_out = left_out(cells.true, reading) | left_out(cells.pred, reading)
    kept = np.arange(len(is_left_out))
    if is_left_out.any():
        kept = np.flatnonzero(~is_left_out)
        cells = cells.take(kept)
    if reading.noise != "singletons":
        return cells, kept
    true_noise = noise_mask(cells.true, reading.noise_labels)
    pred_noise = noise_mask(cells.pred, reading.noise_labels)
    either = true_noise | pred_noise
    if not either.any():
        return cells, kept
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
    true, pred, counts = cells.take(objects)
    treated = Cells(
        _with_singletons(true, true_noise[objects]),
        _with_singletons(pred, pred_noise[objects]),
        np.where(either[objects], 1, counts),
    )
    return treated, kept[objects]


def left_out(side: Partition, reading: Reading) -> NDArray[np.bool_]:
    """Return which objects of one partition are dropped, as noise or missing."""
    is_left_out = np.zeros(side.n_objects, bool)
    if isinstance(side, Memberships):
        return is_left_out if side.is_missing is None else side.is_missing
    if reading.noise == "drop":
        is_left_out |= noise_mask(side, reading.noise_labels)
    if reading.missing == "drop":
        is_left_out |= _has_label(side, MISSING)
    return is_left_out


def weigh_noise(
    sides: Sequence[Partition], weights: NDArray[Any] | None, reading: Reading
) -> tuple[NDArray[Any] | None, Any]:
    """Give dropped objects weight 0 if a side is soft; return their previous weight."""
    for side in sides:
        if reading.noise == "singletons" and isinstance(side, Labels):
            _refuse_singletons(side, reading)
    is_left_out = np.logical_or.reduce([left_out(side, reading) for side in sides])
    if not is_left_out.any():
        return weights, 0
    if weights is None:
        weights = np.ones(len(is_left_out), np.int64)
    return np.where(is_left_out, 0, weights), weights[is_left_out].sum().item()


def _refuse_singletons(labels: Labels, reading: Reading) -> None:
    if noise_mask(labels, reading.noise_labels).any():
        msg = (
            "noise must be 'cluster' or 'drop' where labels with noise are compared with "
            "memberships, got 'singletons'"
        )
        raise ValueError(msg)


def treat_one(labels: Labels, reading: Reading) -> tuple[Labels, NDArray[np.intp] | None]:
    """Treat noise and missing labels of a single partition.

    Also returns the positions of the remaining objects, or None if all remain.
    """
    is_left_out = left_out(labels, reading)
    if is_left_out.any():
        kept = np.flatnonzero(~is_left_out)
        return labels.take(kept), kept
    if reading.noise == "singletons":
        is_noise = noise_mask(labels, reading.noise_labels)
        if is_noise.any():
            return _with_singletons(labels.compact()[0], is_noise), None
    return labels, None


# --------------------------------------------------------------------------- labels of noise


def noise_mask(
    labels: Labels, noise_labels: Sequence[Any], argument: str = "noise_label"
) -> NDArray[np.bool_]:
    """Return which objects of one partition have a label of noise, by value."""
    is_noise = np.zeros(labels.n_objects, bool)
    if labels.is_named:
        for label in noise_labels:
            has_label = _has_label(labels, label)
            if not has_label.any():
                _reject_twin(labels, label, argument)
            is_noise |= has_label
    return is_noise


def warn_of_other_noise(labels: Labels, reading: Reading) -> None:
    """Warn about negative integers that are not labels of noise.

    Clusterers use them for kinds of noise, and number clusters from zero. Labels must be compact.
    """
    if reading.noise == "cluster" or not labels.is_named:
        return
    known = {*reading.noise_labels, *map(str, reading.noise_labels)}
    others = [label for label in _negative_integers(labels) if not known & {label, str(label)}]
    found = [label for label in reading.noise_labels if _code_of(labels, label) is not None]
    if others and all(map(_is_negative_integer, found)):
        shown = ", ".join(map(repr, sorted(others, key=int, reverse=True)[:_MAX_SHOWN]))
        warnings.warn(
            f"{labels.name} has clusters with negative labels, {shown}, that are not the "
            f"noise_label, {reading.noise_label!r}: if they are also noise, pass all of them "
            "as noise_label",
            UserWarning,
            stacklevel=2,
        )


def _negative_integers(labels: Labels) -> set[Any]:
    """Return labels that are negative integers, or the text of one."""
    classes = labels.labels_of(np.arange(labels.n_codes))
    if classes.dtype.kind not in "iUO":
        return set()
    return {label for label in classes.tolist() if _is_negative_integer(label)}


def _is_negative_integer(label: Any) -> bool:
    if isinstance(label, str):
        return label.startswith("-") and label[1:].isdecimal()
    return isinstance(label, numbers.Integral) and int(label) < 0


def _has_label(labels: Labels, label: Any) -> NDArray[np.bool_]:
    code = _code_of(labels, label)
    if code is None:
        return np.zeros(labels.n_objects, bool)
    return np.asarray(labels.codes == code + labels.low)


def _reject_twin(labels: Labels, noise_label: Any, argument: str) -> None:
    """Raise ValueError if the noise label does not occur, but one with the same text does.

    Labels read from a file are text, among which a number finds no noise.
    """
    twins: list[Any] = [str(noise_label)]
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        number = float(noise_label)
        twins += [int(number), str(number)] if number.is_integer() else [str(number)]
    for twin in twins:
        if twin != noise_label and _code_of(labels, twin) is not None:
            msg = (
                f"{argument} must have the type of the other labels: {shortened(noise_label)} does "
                f"not occur among the labels, but {shortened(twin)} does"
            )
            raise ValueError(msg)


def _code_of(labels: Labels, label: Any) -> int | None:
    if label is MISSING and (labels.classes is None or labels.classes.dtype.kind != "O"):
        return None
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
    if first.dtype.kind == second.dtype.kind != "O":
        return encode_together(first, second)
    first, second = as_objects(first), as_objects(second)
    _reject_drift(first.tolist(), second.tolist())
    is_noise = np.append(is_noise_object(first), is_noise_object(second))
    if not is_noise.any():
        return encode_together(first, second)
    named = np.append(first, second)[~is_noise]
    labels = encode_together(named, named[:0])
    codes = np.empty(len(is_noise), np.int64)
    codes[~is_noise] = labels.zero_based()
    return _with_singletons(labels._replace(codes=codes, low=0), is_noise)


def _reject_drift(first: list[Any], second: list[Any]) -> None:
    """Raise ValueError if a label of one table prints like one of the other, but differs.

    The type of labels has changed between two parts, and their clusters would be split.
    """
    types = {*map(type, first), *map(type, second)} - {_NoiseObject, type(MISSING)}
    if len(types) < 2:
        return
    texts: defaultdict[str, set[Any]] = defaultdict(set)
    for label in first:
        if type(label) in types:
            texts[str(label)].add(label)
    for label in second:
        if type(label) in types and texts.get(str(label), {label}) != {label}:
            (twin, *_) = texts[str(label)] - {label}
            msg = (
                "labels of one side must have one type in all the tables of a sum, "
                f"got {shortened(twin)} in one of them and {shortened(label)} in another"
            )
            raise ValueError(msg)


def is_noise_object(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which labels of a table are noise objects."""
    same = map(operator.is_, labels.tolist(), repeat(NOISE_OBJECT))
    return np.fromiter(same, bool, len(labels))


def _with_singletons(labels: Labels, is_noise: NDArray[np.bool_]) -> Labels:
    """Give each noise object of one partition its own cluster, last in order."""
    n_noise, n_named = np.count_nonzero(is_noise), labels.n_codes
    if n_noise == 0:
        return labels
    codes = labels.codes.copy()
    codes[is_noise] = np.arange(n_named, n_named + n_noise)
    classes = np.full(n_named + n_noise, NOISE_OBJECT, dtype=object)
    classes[:n_named] = as_objects(labels.labels_of(np.arange(n_named)))
    return Labels(codes, 0, len(classes), classes)
