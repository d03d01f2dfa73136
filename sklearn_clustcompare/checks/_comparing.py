"""Comparison of labels in checks, and its messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from sklearn_clustcompare.checks._subject import FOUND, Labels
from sklearn_clustcompare.metrics import adjusted_rand_score

T = TypeVar("T")


def require(condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(message)


def require_of_one(starts: Iterable[T], claim: Callable[[T], None]) -> None:
    """Require that a claim holds for one of some random starts: a single one may be a bad one."""
    failure: AssertionError | None = None
    for start in starts:
        try:
            return claim(start)
        except AssertionError as error:
            failure = failure or error
    assert failure is not None
    raise failure


def require_same_labels(expected: Labels, got: Labels, what: str) -> None:
    """Require the same label for every object."""
    require(
        expected.shape == got.shape,
        f"{what} must have shape {expected.shape}, got {got.shape}",
    )
    differ = np.flatnonzero(expected != got)
    if len(differ):
        first = int(differ[0])
        msg = (
            f"{what} must have the same labels, got others for {len(differ)} of {len(expected)} "
            f"objects; the first is object {first}: {expected[first]} and {got[first]}"
        )
        raise AssertionError(msg)


def require_same_partition(
    expected: Labels, got: Labels, what: str, at_least: float = FOUND
) -> None:
    """Require the same clusters, up to their names."""
    require(
        expected.shape == got.shape,
        f"{what} must have labels of shape {expected.shape}, got {got.shape}",
    )
    score = adjusted_rand_score(expected, got)
    require(
        score >= at_least,
        f"{what} must have the same clusters: adjusted_rand_score at least {at_least:g}, "
        f"got {score:.3f} ({len(np.unique(expected))} and {len(np.unique(got))} clusters)",
    )


def n_clusters_of(labels: Labels) -> int:
    return len(np.unique(labels[labels >= 0]))


def require_labels_or_error(find: Callable[[], Labels], n_objects: int, what: str) -> Labels | None:
    """Require a whole number for each object, or a ValueError or TypeError with a message."""
    try:
        labels = find()
    except (ValueError, TypeError) as error:
        require(bool(str(error)), f"the {type(error).__name__} for {what} must have a message")
        return None
    except Exception as error:
        msg = f"{what} must give labels or a ValueError, got {type(error).__name__}: {error}"
        raise AssertionError(msg) from error
    else:
        require_valid(labels, n_objects, what)
        return labels


def require_valid(labels: Labels, n_objects: int, what: str) -> None:
    require(
        labels.shape == (n_objects,),
        f"labels of {what} must have shape {(n_objects,)}, got {labels.shape}",
    )
    require(_are_whole(labels), f"labels of {what} must be whole numbers, got {_shown(labels)}")


def _are_whole(labels: Labels) -> bool:
    return labels.dtype.kind in "iu" or (
        labels.dtype.kind == "f" and bool((labels == np.floor(labels)).all())
    )


def _shown(labels: Labels) -> str:
    distinct: list[Any] = list(dict.fromkeys(labels.tolist()))
    return ", ".join(map(repr, distinct[:5]))
