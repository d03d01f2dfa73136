"""Values for data and structureless data, for the gap statistic and the structure test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fitting import fit_seeds
from sklearn_clustcompare.without_reference._null_data import NullData, law_of, read_data

# Values for one data set, with a seed for each; an instance or a function that can be pickled.
Evaluate = Callable[[Any, list[int]], list[float]]


def null_tasks(
    evaluate: Evaluate, n_values: int, X: Any, *, null: Any, n_null: Any, random_state: Any
) -> tuple[list[tuple[Any, ...]], str]:
    """Return tasks for :func:`values_of_set`, the first for the data, and the name of the law."""
    several_resamples("n_null", n_null)
    law = law_of(null, X)
    data = [X if hasattr(X, "iloc") else read_data(X), *[law] * n_null]
    seeds = fit_seeds(1 + n_null, 1 + n_values, random_state)
    return [(evaluate, *one) for one in zip(data, seeds, strict=True)], law.name


def values_of_set(evaluate: Evaluate, data: Any, seeds: list[int]) -> list[float]:
    """Return the values for data, or for structureless data that are drawn first."""
    draw_seed, *other_seeds = seeds
    if not isinstance(data, NullData):
        return evaluate(data, other_seeds)
    try:
        return evaluate(data.draw(draw_seed), other_seeds)
    except Exception as error:
        error.add_note(f"The data were structureless, null={data.name!r}.")
        raise
