"""Values of a statistic for data and for null data: what gap statistic and structure test share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._tasks import progress, run_tasks
from sklearn_clustcompare.model_selection._fitting import (
    Warnings,
    caught_warnings,
    fit_seeds,
    warn_once,
)
from sklearn_clustcompare.model_selection._null_data import NullData, null_data, read_data
from sklearn_clustcompare.significance._resampling import several_resamples

FloatArray = NDArray[np.float64]
# Values for one data set, with a seed for each fit; a function of a module.
Evaluate = Callable[[Any, list[int]], list[float]]


def values_on_null_data(
    evaluate: Evaluate,
    n_values: int,
    X: Any,
    *,
    null: Any,
    n_null: Any,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any,
) -> tuple[FloatArray, FloatArray, str]:
    """Return values for the data, values for each null data set as rows, and the name of the law.

    Warnings of the fits are given once each, after all fits.
    """
    several_resamples("n_null", n_null)
    law = null_data(null, X)
    seeds = fit_seeds(1 + n_null, 1 + n_values, random_state)
    data = [X if hasattr(X, "iloc") else read_data(X), *[law] * n_null]
    tasks = (
        (evaluate, *one)
        for one in progress(
            zip(data, seeds, strict=True),
            verbose=verbose,
            description="data sets",
            total=len(data),
        )
    )
    with caught_warnings() as in_threads:
        results = run_tasks(_values_of_set, tasks, n_jobs=n_jobs)
    warn_once([*in_threads, *(one for _, kept in results for one in kept)], stacklevel=3)
    values = np.array([values for values, _ in results], np.float64)
    return values[0], values[1:], law.name


def _values_of_set(evaluate: Evaluate, data: Any, seeds: list[int]) -> tuple[list[float], Warnings]:
    draw_seed, *seeds_of_fits = seeds
    is_null = isinstance(data, NullData)
    try:
        with caught_warnings() as kept:
            values = evaluate(data.draw(draw_seed) if is_null else data, seeds_of_fits)
    except Exception as error:
        if is_null:
            error.add_note(f"The data were null data, null={data.name!r}.")
        raise
    return values, kept
