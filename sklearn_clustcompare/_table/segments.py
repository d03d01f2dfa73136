"""Seconds of speech by who speaks in a reference and in a hypothesis."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._partition.missing import is_missing

# Seconds; ends of segments that are closer are equal up to rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, repr=False)
class Together:
    """The label of the time in which several speakers are heard, or none.

    It comes after single speakers in sorted order, and silence after all others.
    """

    speakers: frozenset[Hashable]

    def __repr__(self) -> str:
        return " + ".join(sorted(map(str, self.speakers))) or "<silence>"

    def __lt__(self, other: object) -> bool:
        return isinstance(other, Together) and self._place < other._place

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, Together) or self._place > other._place

    @property
    def _place(self) -> tuple[bool, str]:
        return not self.speakers, repr(self)


def speakers_of(label: Hashable) -> frozenset[Hashable]:
    """Return the speakers that a label stands for."""
    return label.speakers if isinstance(label, Together) else frozenset([label])


class Seconds(NamedTuple):
    """A table of seconds, and the labels of its rows and columns."""

    values: FloatArray
    row_labels: NDArray[Any]
    col_labels: NDArray[Any]


class _Speech(NamedTuple):
    """Starts and ends of segments, and the numbers of their speakers."""

    starts: FloatArray
    ends: FloatArray
    numbers: NDArray[np.int64]
    speakers: list[Hashable]

    def heard(self, times: FloatArray) -> NDArray[np.bool_]:
        """Return who is heard between consecutive times, a row for each interval."""
        changes = np.zeros((len(times), len(self.speakers)), np.int64)
        np.add.at(changes, (np.searchsorted(times, self.starts), self.numbers), 1)
        np.add.at(changes, (np.searchsorted(times, self.ends), self.numbers), -1)
        return changes.cumsum(axis=0)[:-1] > 0

    def label(self, are_heard: NDArray[np.bool_]) -> Hashable:
        found = [self.speakers[number] for number in np.flatnonzero(are_heard)]
        return found[0] if len(found) == 1 else Together(frozenset(found))


def count_seconds(reference: Any, hypothesis: Any, collar: float, skip_overlap: bool) -> Seconds:
    """Count the seconds in which speakers of two annotations are heard together."""
    sides = _read(reference, "reference"), _read(hypothesis, "hypothesis")
    true, pred = sides
    bounds = np.concatenate([true.starts, true.ends])
    around = _Speech(
        bounds - collar / 2, bounds + collar / 2, np.zeros(len(bounds), np.int64), ["collar"]
    )
    parts = sides if not collar else (*sides, around)
    times = np.unique(np.concatenate([ends for part in parts for ends in (part.starts, part.ends)]))
    seconds, heard = np.diff(times), [side.heard(times) for side in sides]
    is_counted = (seconds > _ROUNDING) & (heard[0].any(axis=1) | heard[1].any(axis=1))
    if collar:
        is_counted &= ~around.heard(times)[:, 0]
    if skip_overlap:
        is_counted &= heard[0].sum(axis=1) < 2
    codes, labels = [], []
    for side, one in zip(sides, heard, strict=True):
        kinds, places = np.unique(one[is_counted], axis=0, return_inverse=True)
        codes.append(places.ravel())
        labels.append(np.fromiter(map(side.label, kinds), object, len(kinds)))
    values = np.zeros((len(labels[0]), len(labels[1])))
    np.add.at(values, tuple(codes), seconds[is_counted])
    return Seconds(values, *labels)


def _read(segments: Any, name: str) -> _Speech:
    """Read (start, end, label) tuples or an annotation of pyannote."""
    numbers: dict[Hashable, int] = {}
    found = []
    for start, end, label in _tuples(segments, name):
        try:
            bounds = float(start), float(end)
            number = numbers.setdefault(label, len(numbers))
        except (TypeError, ValueError):
            msg = (
                f"{name} must hold segments of two numbers and a hashable label, got "
                f"{(start, end, label)!r}"
            )
            raise TypeError(msg) from None
        if is_missing(label) or isinstance(label, Together):
            msg = f"{name} must name the speaker of each segment, got {label!r}"
            raise ValueError(msg)
        if not (math.isfinite(bounds[0]) and _ROUNDING < bounds[1] - bounds[0] < math.inf):
            msg = f"{name} must hold segments that end after they start, got {bounds}"
            raise ValueError(msg)
        found.append((*bounds, number))
    starts, ends, speakers = np.array(found, np.float64).reshape(-1, 3).T
    return _Speech(starts, ends, speakers.astype(np.int64), [*numbers])


def _tuples(segments: Any, name: str) -> Iterator[tuple[Any, Any, Any]]:
    if hasattr(segments, "itertracks"):
        for segment, _, label in segments.itertracks(yield_label=True):
            yield segment.start, segment.end, label
        return
    if isinstance(segments, str) or not isinstance(segments, Iterable):
        msg = (
            f"{name} must be (start, end, label) tuples or an annotation of pyannote, got "
            f"{type(segments).__name__}"
        )
        raise TypeError(msg)
    for segment in segments:
        try:
            start, end, label = segment
        except (TypeError, ValueError):
            msg = f"{name} must hold (start, end, label) tuples, got {segment!r}"
            raise TypeError(msg) from None
        yield start, end, label
