"""Objects that a clusterer left out: what becomes of the ones that carry the noise label.

Labels are counted first, noise like any other cluster. What noise means is then a matter of a few
cells, however many objects there are.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition.labels import Encoding, as_objects, encode_together

# More would not fit into the memory of common machines.
_MAX_SINGLETONS = 10**8

_known_treatment = one_of("cluster", "singletons", "drop")


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

    true: Encoding
    pred: Encoding
    counts: NDArray[Any]


def check_noise(noise: Any, noise_label: Any) -> None:
    """Raise ValueError or TypeError unless noise is a treatment and noise_label can be a label."""
    _known_treatment("noise", noise)
    try:
        hash(noise_label)
    except TypeError:
        msg = f"noise_label must be hashable, as labels are, got {type(noise_label).__name__}"
        raise TypeError(msg) from None


def treat_noise(cells: Cells, noise: str, noise_label: Any, labeled: tuple[bool, bool]) -> Cells:
    """Drop the cells that are noise on either side, or split them into single objects.

    ``labeled`` tells which sides are labels; memberships have no noise.
    """
    true_noise, pred_noise = (
        noise_mask(side, noise_label) if has_labels else np.zeros(len(side.codes), bool)
        for side, has_labels in zip((cells.true, cells.pred), labeled, strict=True)
    )
    either = true_noise | pred_noise
    if not either.any():
        return cells
    if noise == "drop":
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
    sides: Sequence[Any],
    weights: NDArray[Any] | None,
    noise: str,
    noise_label: Any,
    labeled: tuple[bool, bool],
) -> tuple[NDArray[Any] | None, Any]:
    """Give the dropped objects of a soft partition and labels weight 0; tell what they weighed."""
    if noise == "cluster" or not any(labeled):
        return weights, 0
    is_noise = noise_mask(sides[labeled.index(True)], noise_label)
    if not is_noise.any():
        return weights, 0
    if noise == "singletons":
        msg = (
            "noise must be 'cluster' or 'drop' where labels with noise are compared with "
            "memberships, got 'singletons'"
        )
        raise ValueError(msg)
    if weights is None:
        weights = np.ones(len(is_noise), np.int64)
    return np.where(is_noise, 0, weights), weights[is_noise].sum().item()


def noise_mask(encoding: Encoding, noise_label: Any) -> NDArray[np.bool_]:
    """Tell which objects of one partition carry the noise label, found by value."""
    code = _code_of(encoding, noise_label)
    if code is None:
        _reject_twin(encoding, noise_label)
        return np.zeros(len(encoding.codes), bool)
    return encoding.codes == code + encoding.low


def _reject_twin(encoding: Encoding, noise_label: Any) -> None:
    """Raise ValueError if the noise label does not occur, but what prints like it does.

    Labels read from a file are text, and a number would find no noise among them.
    """
    twins: list[Any] = [str(noise_label)]
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        number = float(noise_label)
        twins += [int(number), str(number)] if number.is_integer() else [str(number)]
    for twin in twins:
        if twin != noise_label and _code_of(encoding, twin) is not None:
            msg = (
                f"noise_label must be a label of the kind of the others: {noise_label!r} does not "
                f"occur among the labels, but {twin!r} does"
            )
            raise ValueError(msg)


def _code_of(encoding: Encoding, label: Any) -> int | None:
    if encoding.classes is None:
        if not isinstance(label, int | float | np.integer | np.floating | np.bool_):
            return None
        if not (np.isfinite(label) and int(label) == label):
            return None
        code = int(label) - encoding.low
        return code if 0 <= code < encoding.n_codes else None
    if encoding.classes.dtype.kind in "mM":
        matches = np.flatnonzero(encoding.classes == label)
        return int(matches[0]) if len(matches) else None
    numbers: dict[Any, int] = {found: i for i, found in enumerate(encoding.classes.tolist())}
    return numbers.get(label)


def align_labels(first: NDArray[Any], second: NDArray[Any]) -> Encoding:
    """Encode the labels of two tables together, by value; clusters of noise objects stay apart."""
    if first.dtype.kind != "O" and second.dtype.kind != "O":
        return encode_together(first, second)
    first, second = as_objects(first), as_objects(second)
    is_noise = np.append(is_noise_object(first), is_noise_object(second))
    if not is_noise.any():
        return encode_together(first, second)
    named = np.append(first, second)[~is_noise]
    encoding = encode_together(named, named[:0])
    codes = np.empty(len(is_noise), np.int64)
    codes[~is_noise] = encoding.zero_based()
    return _with_singletons(encoding._replace(codes=codes, low=0), is_noise)


def is_noise_object(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which labels of a table stand for a noise object."""
    same = map(operator.is_, labels.tolist(), repeat(NOISE_OBJECT))
    return np.fromiter(same, bool, len(labels))


def _with_singletons(encoding: Encoding, is_noise: NDArray[np.bool_]) -> Encoding:
    """Give each of the noise objects of one partition a cluster of its own, last in order."""
    n_noise, n_named = np.count_nonzero(is_noise), encoding.n_codes
    if n_noise == 0:
        return encoding
    codes = encoding.codes.copy()
    codes[is_noise] = np.arange(n_named, n_named + n_noise)
    classes = np.full(n_named + n_noise, NOISE_OBJECT, dtype=object)
    classes[:n_named] = as_objects(encoding.labels_of(np.arange(n_named)))
    return Encoding(codes, 0, len(classes), classes)


def _select_cells(cells: Cells, positions: NDArray[np.intp]) -> Cells:
    return Cells(
        cells.true._replace(codes=cells.true.codes[positions]),
        cells.pred._replace(codes=cells.pred.codes[positions]),
        cells.counts[positions],
    )
