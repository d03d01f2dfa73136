"""Checks of randomness."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from sklearn_clustcompare.checks._record import (
    BUILT_IN,
    N_JOBS,
    RANDOM_STATE,
    REPEATABLE,
    check,
    require,
    require_same_labels,
)
from sklearn_clustcompare.checks._subject import FOUND, N_STARTS, Subject
from sklearn_clustcompare.metrics import adjusted_rand_score


@check(REPEATABLE)
def check_same_random_state_same_labels(subject: Subject) -> None:
    """With the same ``random_state`` a second copy finds the same labels.

    Data: overlapping groups. Tolerance: none.
    """
    X, _ = subject.overlapping()
    require_same_labels(subject.fitted_overlapping.labels, subject.labels(X), "a second copy")


@check()
def check_global_random_state_is_not_changed(subject: Subject) -> None:
    """Fitting with ``random_state`` set leaves the global generators as they were.

    The generators are those of NumPy and of Python's ``random``. Data: overlapping groups.
    Tolerance: none.
    """
    X, _ = subject.overlapping()
    with _global_state_kept():
        _set_global_seed(1729)  # a global generator that the clusterer does not set
        before = _global_state()
        subject.labels(X)
        require(
            before == _global_state(),
            "fit must not change the global random state where random_state is set",
        )


@check(REPEATABLE)
def check_global_random_state_is_not_read(subject: Subject) -> None:
    """The labels do not depend on the global generators if ``random_state`` is set.

    The generators are those of NumPy and of Python's ``random``. Data: overlapping groups.
    Tolerance: none.
    """
    X, _ = subject.overlapping()
    with _global_state_kept():
        _set_global_seed(1)
        first = subject.labels(X)
        _set_global_seed(2)
        second = subject.labels(X)
    require_same_labels(first, second, "a fit after another global seed")


@check(RANDOM_STATE, BUILT_IN)
def check_different_starts_agree(subject: Subject) -> None:
    """Most of five values of ``random_state`` lead to the same separated clusters.

    Data: blobs. Tolerance: adjusted Rand index of at least 0.99 with a good start, for three.
    """
    X, _ = subject.blobs()
    expected = subject.fitted_blobs.labels
    found = [subject.labels(X, random_state=seed) for seed in subject.seeds(N_STARTS)]
    n_same = sum(adjusted_rand_score(expected, labels) >= FOUND for labels in found)
    require(
        n_same > N_STARTS / 2,
        f"most values of random_state must lead to the same clusters, got them for {n_same} of "
        f"{N_STARTS}",
    )


@check(RANDOM_STATE)
def check_random_state_instance_advances(subject: Subject) -> None:
    """A ``RandomState`` that is passed is used itself, so that a second fit goes on with it.

    Data: overlapping groups. It must have advanced after the fit, unless five seeds find the same
    labels, so that it need not be used. Tolerance: none.
    """
    X, _ = subject.overlapping()
    instance = np.random.RandomState(subject.random_state)  # noqa: NPY002
    before = instance.get_state(legacy=False)
    subject.labels(X, random_state=instance)
    if repr(before) == repr(instance.get_state(legacy=False)):
        seeds = subject.seeds(N_STARTS)
        found = {tuple(subject.labels(X, random_state=seed).tolist()) for seed in seeds}
        require(
            len(found) == 1,
            "fit must draw from the RandomState that is passed, got one as it was before, and "
            "other labels with other seeds",
        )


@check(N_JOBS, REPEATABLE)
def check_n_jobs_does_not_change_labels(subject: Subject) -> None:
    """The labels do not depend on ``n_jobs``.

    Data: overlapping groups, ``n_jobs`` of 1 and 2. Tolerance: none.
    """
    X, _ = subject.overlapping()
    one, two = (subject.fit(X, estimator=subject.make(n_jobs=n)).labels for n in (1, 2))
    require_same_labels(one, two, "n_jobs=2 and n_jobs=1")


def _set_global_seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002


def _global_state() -> tuple[Any, ...]:
    kind, keys, *others = np.random.get_state()  # noqa: NPY002
    return kind, np.asarray(keys).tolist(), *others, random.getstate()


@contextmanager
def _global_state_kept() -> Iterator[None]:
    ours, pythons = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(ours)  # noqa: NPY002
        random.setstate(pythons)
