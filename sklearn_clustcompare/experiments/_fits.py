"""Fits of an experiment: which are wanted, and how each is made."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from sklearn_clustcompare._clusterers import clusters_parameter
from sklearn_clustcompare._partition import Reading, read_labels
from sklearn_clustcompare._partition.noise import left_out, noise_mask
from sklearn_clustcompare.experiments._fit_file import Fit, Task
from sklearn_clustcompare.experiments._scoring import described, seed_of_names
from sklearn_clustcompare.without_reference._fitting import checked_labels, seeded


class Wanted(NamedTuple):
    """A fit and the reference with which it is compared."""

    task: Task
    reference: str


def wanted(
    estimators: Mapping[str, Any],
    references: Mapping[str, Mapping[str, Any]],
    reading: Reading | None,
    n_repeats: int,
) -> Iterator[Wanted]:
    """Go through all fits; with a reading they have the number of clusters of the reference."""
    for dataset, several in references.items():
        numbers = {
            reference: None if reading is None else _number_of_clusters(labels, dataset, reading)
            for reference, labels in several.items()
        }
        for name, estimator in estimators.items():
            parameters = estimator.get_params(deep=True)
            is_random = any(key.split("__")[-1] == "random_state" for key in parameters)
            takes_number = clusters_parameter(estimator) is not None
            for repeat in range(n_repeats if is_random else 1):
                for reference, number in numbers.items():
                    task = Task(dataset, name, repeat, number if takes_number else None)
                    yield Wanted(task, reference)


def _number_of_clusters(labels: Any, dataset: str, reading: Reading) -> int:
    """Count the clusters of a reference, without noise and missing labels that are no cluster."""
    read = read_labels(labels, f"labels_true of {dataset!r}", reading)
    is_none = left_out(read, reading)
    if reading.noise == "singletons":
        is_none |= noise_mask(read, reading.noise_labels)
    return len(np.unique(read.codes[~is_none]))


def fit(task: Task, estimator: Any, X: Any, entropy: int, raises: bool) -> Fit:
    """Fit a clone with a seed that depends on the names of the task only."""
    start = time.perf_counter()
    try:
        parameters: dict[str, Any] = {}
        if task.n_clusters is not None:
            parameters[clusters_parameter(estimator) or ""] = task.n_clusters
        model = seeded(clone(estimator).set_params(**parameters), _seed(task, entropy))
        start = time.perf_counter()
        labels = checked_labels(model, X)
    except Exception as error:
        if raises:
            error.add_note(f"Raised by {task.estimator!r} on {task.dataset!r}.")
            raise
        return Fit(task, time.perf_counter() - start, None, described(error))
    return Fit(task, time.perf_counter() - start, labels)


def _seed(task: Task, entropy: int) -> int:
    numbers = [entropy, task.repeat, task.n_clusters or 0]
    return seed_of_names(numbers, [task.dataset, task.estimator])
