"""What an index of the data sees: the data and one partition, as others see a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from sklearn_clustcompare._chance.objects import orders_within
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._partition.labels import index_of
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.indices._record import Index, arguments_of, rows_of_objects
from sklearn_clustcompare.indices._undefined import UndefinedIndexError


class Judged(NamedTuple):
    """Data, and a partition of those objects that are left after noise was treated.

    ``kept`` are the positions of these objects in the data, None for all.
    """

    X: Any
    partition: Partition
    kept: NDArray[np.intp] | None
    noise_labels: tuple[Any, ...]

    @classmethod
    def of(cls, X: Any, partition: Partition, reading: Reading) -> Judged:
        kept = None
        if isinstance(partition, Labels):
            partition, kept = treat_one(partition, reading)
        return cls(X, partition, kept, reading.noise_labels)

    @property
    def positions(self) -> NDArray[np.intp]:
        return np.arange(self.partition.n_objects) if self.kept is None else self.kept

    def take(self, objects: NDArray[np.intp]) -> Judged:
        """Return some of the objects that are left."""
        return self._replace(
            partition=self.partition.with_ids(None).take(objects), kept=self.positions[objects]
        )

    def permuted(self, order: NDArray[np.intp]) -> Judged:
        """Give the objects the clusters of others."""
        return self._replace(partition=self.partition.with_ids(None).take(order))

    def value(self, chosen: Chosen) -> float:
        """Evaluate an index; raise UndefinedIndexError if it has no value."""
        return float(self.apply(chosen.index.function, chosen))

    def apply(self, function: Callable[..., Any], chosen: Chosen) -> Any:
        """Call a function with the arguments of an index."""
        parameters, X = dict(chosen.parameters), self.X
        X = rows_of_objects(chosen.index, X, self.kept, parameters)
        if "noise_label" in chosen.index.parameters:
            parameters.setdefault("noise_label", self.noise_labels)
        X, labels, parameters = arguments_of(chosen.index, X, self.partition, parameters)
        return function(X, labels, **parameters)

    def value_or_nan(self, chosen: Chosen) -> float:
        try:
            return self.value(chosen)
        except UndefinedIndexError:
            return float("nan")


class PermutedLabels(NamedTuple):
    """Values of an index for the data and labels that are permuted within blocks."""

    judged: Judged
    chosen: Chosen
    blocks: NDArray[np.intp]

    def draw(self, size: int, seed: int) -> NDArray[np.float64]:
        orders = orders_within(self.blocks, size, seed)
        return np.array([self.judged.permuted(one).value_or_nan(self.chosen) for one in orders])


def reference_of(
    labels_true: Any, X: Any, indices: Iterable[Index], sample_weight: Any = None
) -> Any:
    """Check that indices get what they need: a reference, the data, or both.

    Without a reference, return one cluster of all objects in its place, so that candidates are
    read, checked and counted as others are.
    """
    indices = list(indices)
    judging = [index.name for index in indices if index.needs_data]
    comparing = [index.name for index in indices if not index.needs_data]
    if judging and X is None:
        msg = (
            f"X must be given for {', '.join(judging)}, which evaluates a partition by the data, "
            "got None"
        )
        raise ValueError(msg)
    if X is not None and not judging:
        msg = f"X must be None for {', '.join(comparing)}, which needs no data"
        raise ValueError(msg)
    if comparing and labels_true is None:
        msg = f"labels_true must be given for {', '.join(comparing)}, got None"
        raise ValueError(msg)
    if judging and sample_weight is not None:
        msg = f"sample_weight must be None for {', '.join(judging)}, which takes no weights"
        raise ValueError(msg)
    if comparing:
        return labels_true
    if labels_true is not None:
        msg = (
            f"labels_true must be None for {', '.join(judging)}, which evaluates a partition "
            f"without a reference, got {type(labels_true).__name__}"
        )
        raise ValueError(msg)
    n_objects = X.shape[0] if hasattr(X, "shape") else len(X)
    one = Labels.of_codes(np.zeros(n_objects, np.int64))
    return one._replace(name="X", ids=index_of(X), is_named=False)  # its label is not noise


def rows_of(X: Any, positions: NDArray[np.intp]) -> Any:
    return X.tocsr()[positions] if issparse(X) else np.asarray(X)[positions]
