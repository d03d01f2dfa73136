"""The sampling errors of the scores of many candidates."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare.candidates._scores import listed
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.significance._data_errors import errors_of_both
from sklearn_clustcompare.significance._joint_cells import JointCells
from sklearn_clustcompare.significance._sampling_errors import SamplingErrors


def candidate_errors(
    reference: Partition,
    candidates: Sequence[Partition | None],
    weights: NDArray[Any] | None,
    reading: Reading,
    groups: Labels | None,
    chosen: tuple[Chosen, ...],
    names: Sequence[Any],
    *,
    X: Any,
    confidence_level: float,
    **options: Any,
) -> dict[str, Any]:
    """Return what :class:`CandidateScores` holds of them, NaN where a candidate is None.

    The ``options`` are those of :func:`sampling_errors`, and ``X`` the data for indices of them.
    """
    scored = [position for position, one in enumerate(candidates) if one is not None]
    sides = [reference, *(one for one in candidates if one is not None)]
    for side in sides:
        if side.n_objects != reference.n_objects:
            msg = (
                "confidence_level must be None where a candidate lacks objects of labels_true, as "
                f"intervals are of the objects that all have; {side.name} has "
                f"{side.n_objects} of {reference.n_objects}"
            )
            raise ValueError(msg)
    cells = JointCells.of(sides, weights, reading, groups)
    found = errors_of_both(cells, X, sides[1:], chosen, groups, **options)
    return held_errors(found, scored, names, confidence_level)


def held_errors(
    found: list[SamplingErrors], scored: list[int], names: Sequence[Any], confidence_level: float
) -> dict[str, Any]:
    """Return what :class:`CandidateScores` holds of the candidates, of which some were scored."""
    errors: dict[str, Any] = {"intervals": {}, "sampling_errors": {}}
    for of_index in found:
        name, of_index = of_index.chosen.name, of_index.spread_out(scored, len(names))
        errors["sampling_errors"][name] = of_index
        errors["intervals"][name] = of_index.intervals(confidence_level)
        _warn_of_undefined(of_index, name, names)
        _warn_of_cautions(of_index, name, names)
    return errors


def _warn_of_undefined(errors: SamplingErrors, index: str, names: Sequence[Any]) -> None:
    undefined = np.flatnonzero(~errors.are_defined & np.isfinite(errors.values)).tolist()
    if undefined:
        warnings.warn(
            f"{index} is undefined for some parts of the sample, in which a single cluster may be "
            f"left; no intervals for {listed(names[position] for position in undefined)}",
            UndefinedMetricWarning,
            stacklevel=5,
        )


def _warn_of_cautions(errors: SamplingErrors, index: str, names: Sequence[Any]) -> None:
    doubtful = [
        name
        for position, name in enumerate(names)
        if errors.are_defined[position] and errors.cautions(position)
    ]
    if doubtful:
        warnings.warn(
            f"the intervals of {index} may not hold for {len(doubtful)} of {len(names)} "
            f"candidates, see the warnings of score_interval: {listed(doubtful)}",
            UserWarning,
            stacklevel=5,
        )
