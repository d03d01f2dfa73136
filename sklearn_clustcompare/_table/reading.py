"""Functions of two partitions read their arguments here, and get a ContingencyTable."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import Array
from sklearn_clustcompare._kernels import count_pair
from sklearn_clustcompare._partition import DEFAULT, NAMES, Labels, Partition, Reading
from sklearn_clustcompare._partition.memberships import is_membership_array
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import count_any, count_partitions
from sklearn_clustcompare._table.overlap import is_dask


def count(
    labels_true: Any,
    labels_pred: Any = None,
    sample_weight: Any = None,
    reading: Reading = DEFAULT,
    names: tuple[str, str] = NAMES,
    *,
    moments: bool = False,
) -> ContingencyTable:
    """Count two partitions, raw or already read; or take a table of both, given alone.

    The moments of memberships are kept with ``moments=True`` only, since they take as long as the
    table. A table without objects is an error. Public functions document these arguments by the
    texts below.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    """
    # The most common input first: arrays of integers, which are counted as they are.
    are_arrays = type(labels_true) is type(labels_pred) is np.ndarray
    if are_arrays and sample_weight is None and reading is DEFAULT:
        packed = count_pair(labels_true, labels_pred)
        if packed is not None:
            return ContingencyTable._of(packed)
    given = {names[1]: labels_pred, "sample_weight": sample_weight}
    if isinstance(labels_true, ContingencyTable):
        _check_alone(given, reading)
        return require_objects(labels_true)
    for name, other in given.items():
        if isinstance(other, ContingencyTable):
            msg = f"{name} must not be a ContingencyTable: pass a table alone, as {names[0]}"
            raise TypeError(msg)
    if labels_pred is None:
        got = type(labels_true).__name__
        msg = f"{names[1]} must be given unless {names[0]} is a ContingencyTable, got {got} alone"
        if is_membership_array(labels_true):
            msg += ": pass ContingencyTable.from_counts(...) of an array of counts"
        raise TypeError(msg)
    counts = count_any(labels_true, labels_pred, sample_weight, reading, names, moments=moments)
    return require_objects(ContingencyTable._of(*counts))


def cells_as_objects(
    table: ContingencyTable, given: dict[str, Any], reading: Reading
) -> tuple[Labels, Labels, Array]:
    """Return the labels of the cells of a table that was given alone, and their whole counts."""
    _check_alone(given, reading)
    if not table.is_whole:
        msg = (
            f"{NAMES[0]} must be a ContingencyTable of whole counts where objects are the sample, "
            "got one of memberships or fractional weights"
        )
        raise ValueError(msg)
    true, pred = (
        Labels.of_codes(codes)._replace(name=name)
        for codes, name in zip((table.cell_rows, table.cell_cols), NAMES, strict=True)
    )
    return true, pred, table.cell_counts


def count_read(
    true: Partition,
    pred: Partition,
    weights: Array | None = None,
    reading: Reading = DEFAULT,
    *,
    moments: bool = False,
) -> ContingencyTable:
    """Count two partitions and weights that were already read, of the same objects."""
    return ContingencyTable._of(*count_partitions(true, pred, weights, reading, moments=moments))


def has_objects(*given: Any) -> bool:
    """Return whether the objects can be read: they are not in a table, nor on other machines."""
    return not (is_dask(*given) or any(isinstance(one, ContingencyTable) for one in given))


def require_objects(table: ContingencyTable) -> ContingencyTable:
    """Return the table itself, unless all of its objects were dropped or have no weight.

    It is a valid summand, but indices must not treat it as two equal partitions.
    """
    if not table.n_samples and table.coverage == 0:
        msg = (
            "sample_weight must be positive for at least one object, got zeros only"
            if table._is_weightless
            else "what is ignored, noise='drop' and missing='drop' must leave at least one object "
            "that is neither noise nor missing on either side, got none"
        )
        raise ValueError(msg)
    return table


def _check_alone(given: dict[str, Any], reading: Reading) -> None:
    for name, value in given.items():
        if value is not None:
            msg = (
                f"{name} must be None with a ContingencyTable, which has counted both "
                f"partitions, got {type(value).__name__}"
            )
            raise TypeError(msg)
    if reading is not DEFAULT and reading != DEFAULT:
        msg = (
            "possibilistic, noise and missing must be left out with a ContingencyTable: they are "
            f"for the method that makes the table, got {reading}"
        )
        raise ValueError(msg)
