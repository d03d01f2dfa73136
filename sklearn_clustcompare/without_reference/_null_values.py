"""Values for data and structureless data, for the gap statistic and the structure test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._fitting import fit_seeds
from sklearn_clustcompare.without_reference._null_data import NullData, laws_of, read_data
from sklearn_clustcompare.without_reference._resamples import Square

FloatArray = NDArray[np.float64]
# Values for one data set, with a seed for each; an instance or a function that can be pickled.
Evaluate = Callable[[Any, list[int]], list[float]]
# Whether the values of the data and those of each law so far are enough.
IsEnough = Callable[[FloatArray, Sequence[FloatArray]], bool]


class NullValues:
    """Tasks for :func:`value_of_set`, the data first, and their values as they are kept.

    All laws are drawn in turn, as often as each other. At each number of sets in ``looks`` it is
    asked whether the values are enough, and tasks then end. Where several workers have drawn more
    by then, that is left out, so that the result does not depend on them.
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
        looks: Sequence[int] = (),
        is_enough: IsEnough | None = None,
    ) -> None:
        several_resamples("n_null", n_null)
        self.laws = laws_of(null, X)
        self._evaluate = evaluate
        self._data = X if isinstance(X, Square) or hasattr(X, "iloc") else read_data(X)
        self._seeds = fit_seeds(1 + n_null, 1 + n_values, random_state)
        self._looks = [look for look in looks if look < n_null]
        self._is_enough = is_enough
        self._n_null, self._is_ended = n_null, False
        self._kept: dict[int, list[float]] = {}

    def __len__(self) -> int:
        return 1 + self._n_null * len(self.laws)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for at in range(len(self)):
            if self._is_ended:
                return
            number, law = divmod(at - 1, len(self.laws))
            data = self._data if at == 0 else self.laws[law]
            yield self._evaluate, at, data, self._seeds[0 if at == 0 else number + 1]

    def keep(self, result: tuple[int, list[float]]) -> None:
        """Keep one result; end the tasks if what is known is enough."""
        at, values = result
        self._kept[at] = values
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


def value_of_set(
    evaluate: Evaluate, at: int, data: Any, seeds: list[int]
) -> tuple[int, list[float]]:
    """Return the values for data, or for structureless data that are drawn first, and a number."""
    draw_seed, *other_seeds = seeds
    if not isinstance(data, NullData):
        return at, evaluate(data, other_seeds)
    try:
        return at, evaluate(data.draw(draw_seed), other_seeds)
    except Exception as error:
        error.add_note(f"The data were structureless, null={data.name!r}.")
        raise
