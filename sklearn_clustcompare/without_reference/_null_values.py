"""Values for data and structureless data, for the gap statistic and the structure test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fitting import fit_seeds
from sklearn_clustcompare.without_reference._null_data import NullData, laws_of, read_data
from sklearn_clustcompare.without_reference._resamples import Square

FloatArray = NDArray[np.float64]
# Values for each of some data sets, with a seed for each; an instance that can be pickled.
Evaluate = Callable[[Sequence[Any], Sequence[list[int]]], list[list[float]]]
# Whether the values of the data and those of each law so far are enough.
IsEnough = Callable[[FloatArray, Sequence[FloatArray]], bool]


class NullValues:
    """Tasks for :func:`values_of_sets`, the data first, and their values as they are kept.

    All laws are drawn in turn, as often as each other, ``at_once`` sets a task. At each number of
    sets in ``looks`` it is asked whether the values are enough, and tasks then end. Where several
    workers have drawn more by then, that is left out, so that the result does not depend on them.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        n_values: int,
        X: Any,
        *,
        null: Any,
        n_null: Any,
        random_state: Any,
        at_once: int,
        looks: Sequence[int] = (),
        is_enough: IsEnough | None = None,
    ) -> None:
        several_resamples("n_null", n_null)
        self.laws = laws_of(null, X)
        self._evaluate = evaluate
        self._data = X if isinstance(X, Square) or hasattr(X, "iloc") else read_data(X)
        self._seeds = fit_seeds(1 + n_null, 1 + n_values, random_state)
        self._looks = [look for look in looks if look < n_null]
        ends = sorted({*self._looks, *range(at_once, n_null, at_once), n_null})
        self._blocks = list(pairwise([0, *ends]))
        self._is_enough = is_enough
        self._n_null, self._is_ended = n_null, False
        self._kept: dict[int, list[float]] = {}

    def __len__(self) -> int:
        return 1 + len(self._blocks) * len(self.laws)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        yield self._evaluate, [0], self._data, self._seeds[:1]
        step = len(self.laws)
        for start, end in self._blocks:
            for number, law in enumerate(self.laws):
                if self._is_ended:
                    return
                places = range(1 + number + step * start, 1 + number + step * end, step)
                yield self._evaluate, places, law, self._seeds[1 + start : 1 + end]

    def keep(self, results: dict[int, list[float]]) -> None:
        """Keep some results; end the tasks if what is known is enough."""
        self._kept |= results
        while not self._is_ended and self._looks and self._is_known(self._looks[0]):
            look = self._looks.pop(0)
            assert self._is_enough is not None
            if self._is_enough(self.own, self._first(look)):
                self._n_null, self._is_ended = look, True

    @property
    def own(self) -> FloatArray:
        """The values of the data."""
        return np.array(self._kept[0])

    @property
    def of_laws(self) -> list[FloatArray]:
        """The values of the structureless data sets of each law, one row each."""
        return self._first(self._n_null)

    def _is_known(self, n_sets: int) -> bool:
        return all(at in self._kept for at in range(1 + n_sets * len(self.laws)))

    def _first(self, n_sets: int) -> list[FloatArray]:
        step = len(self.laws)
        return [
            np.array([self._kept[1 + law + step * number] for number in range(n_sets)])
            for law in range(step)
        ]


def values_of_sets(
    evaluate: Evaluate, places: Sequence[int], data: Any, seeds: Sequence[list[int]]
) -> dict[int, list[float]]:
    """Return the values for data, or for structureless data sets that are drawn first, by place."""
    own_seeds = [others for _, *others in seeds]
    if not isinstance(data, NullData):
        return dict(zip(places, evaluate([data], own_seeds), strict=True))
    try:
        drawn = [data.draw(seed) for seed, *_ in seeds]
        return dict(zip(places, evaluate(drawn, own_seeds), strict=True))
    except Exception as error:
        error.add_note(f"The data were structureless, null={data.name!r}.")
        raise
