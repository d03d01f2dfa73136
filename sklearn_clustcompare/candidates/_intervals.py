"""The sampling errors of the scores of many candidates."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._partition import Partition, Reading
from sklearn_clustcompare.candidates._scores import listed
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.significance._resampling import (
    HalfSamples,
    JointCells,
    cut_to_range,
    half_samples,
)


def sampling_errors(
    reference: Partition,
    candidates: Sequence[Partition | None],
    weights: NDArray[Any] | None,
    reading: Reading,
    chosen: tuple[Chosen, ...],
    names: Sequence[Any],
    *,
    confidence_level: float,
    **options: Any,
) -> dict[str, Any]:
    """Return what :class:`CandidateScores` holds of them, NaN where a candidate is None.

    The ``options`` are those of :func:`half_samples`.
    """
    scored = [position for position, one in enumerate(candidates) if one is not None]
    sides = [reference, *(one for one in candidates if one is not None)]
    for side in sides:
        if side.n_objects != reference.n_objects:
            msg = (
                "confidence_level must be None where a candidate lacks objects of labels_true, as "
                f"half samples are drawn of the objects that all have; {side.name} has "
                f"{side.n_objects} of {reference.n_objects}"
            )
            raise ValueError(msg)
    cells = JointCells.of(sides, weights, reading)
    found = half_samples(cells, chosen, **options)
    errors: dict[str, Any] = {"intervals": {}, "first_shares": {}, "half_samples": {}}
    are_crisp = np.zeros(len(candidates), np.bool_)
    are_crisp[scored] = cells.are_crisp
    for one, samples in zip(chosen, found, strict=True):
        samples = _spread_out(samples, scored, len(candidates))
        intervals = samples.scores().intervals(confidence_level)
        intervals = cut_to_range(intervals, samples.values, one, are_crisp)
        errors["half_samples"][one.name] = samples
        errors["intervals"][one.name] = intervals
        errors["first_shares"][one.name] = _first_shares(samples, one)
        _warn_of_undefined(samples, one.name, names)
    return errors


def _spread_out(samples: HalfSamples, scored: list[int], n_candidates: int) -> HalfSamples:
    """Return the values with NaN for candidates that were not scored."""
    values = np.full(n_candidates, np.nan)
    deviations = np.full((len(samples.deviations), n_candidates), np.nan)
    values[scored], deviations[:, scored] = samples.values, samples.deviations
    return samples._replace(values=values, deviations=deviations)


def _first_shares(samples: HalfSamples, chosen: Chosen) -> NDArray[np.float64]:
    shares = np.full(len(samples.values), np.nan)
    defined = np.flatnonzero(samples.are_defined)
    if len(defined):
        shares[defined] = samples.oriented(chosen.index).take(defined).first_shares()
    return shares


def _warn_of_undefined(samples: HalfSamples, index: str, names: Sequence[Any]) -> None:
    undefined = np.flatnonzero(~samples.are_defined & np.isfinite(samples.values)).tolist()
    if undefined:
        warnings.warn(
            f"{index} is undefined for some half samples of {len(undefined)} candidates, which "
            f"have no interval: {listed(names[position] for position in undefined)}",
            UndefinedMetricWarning,
            stacklevel=4,
        )
