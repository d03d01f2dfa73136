"""False alarms and power of ``clustcompare compare --family entity --baseline`` by simulation.

    python benchmarks/equal_nights.py --seed 20261123

Two nights are drawn from one law of entities and errors; each failure is a false alarm. Worse
nights have a second law. For each design, with the entities as groups and with single records:

``least``, ``most``  the shares of pairs with p < 0.05, of the six scores that are compared
``any``              the share of pairs with a significantly worse score, without a tolerance
``fails``            the share of pairs with a score that is significantly worse, by more than 0.01
``power``            the share of worse nights with such a score
``holm``             in brackets behind the last three: with p-values corrected by Holm's method
``cautioned``        the share of pairs with a warning that the test may not hold
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import score_candidates
from sklearn_clustcompare._options import SCORES_OF_ENTITIES

LEVEL, TOLERANCE = 0.05, 0.01
Labels = NDArray[np.int64]


class Errors(NamedTuple):
    """Shares: of records that are lost, of entities that break up, and that join another one."""

    lost: float = 0.0
    broken: float = 0.0
    joined: float = 0.0

    def draw(self, true: Labels, generator: np.random.Generator) -> Labels:
        """Return the labels of a night."""
        n = int(true.max()) + 1
        is_joined = generator.random(n) < self.joined
        found = np.where(is_joined, generator.integers(n, size=n), np.arange(n))[true]
        is_alone = generator.random(len(true)) < self.lost
        is_alone |= (generator.random(n) < self.broken)[true]
        return np.where(is_alone, n + np.arange(len(true)), found)


class Design(NamedTuple):
    """Sizes of entities, errors of each night, and those of a worse one."""

    name: str
    sizes: str
    errors: Errors
    worse: Errors

    def reference(self, generator: np.random.Generator) -> Labels:
        """Draw entities of random sizes."""
        sizes = {
            "small": lambda: 1 + generator.poisson(1, 150),
            "singletons": lambda: np.where(
                generator.random(300) < 0.9, 1, generator.integers(2, 6, 300)
            ),
            "giant": lambda: np.append(1 + generator.poisson(1, 150), 100),
            "large": lambda: generator.integers(10, 40, 20),
        }[self.sizes]()
        return np.repeat(np.arange(len(sizes)), sizes)


BOTH = Errors(lost=0.05, joined=0.03)
DESIGNS = (
    Design("150 entities of 2", "small", BOTH, Errors(lost=0.05, joined=0.1)),
    Design("few errors", "small", Errors(0.003, 0, 0.003), Errors(0.003, 0, 0.05)),
    Design("90 % singletons", "singletons", BOTH, Errors(lost=0.05, joined=0.1)),
    Design("one of 100 records", "giant", BOTH, Errors(lost=0.05, joined=0.1)),
    Design("entities break up", "small", Errors(broken=0.15), Errors(broken=0.3)),
    Design("both, all kinds", "small", Errors(0.02, 0.05, 0.05), Errors(0.02, 0.2, 0.05)),
    Design("20 entities of 25", "large", Errors(0.05, 0.05, 0.05), Errors(0.15, 0.05, 0.05)),
)


def holm(pvalues: NDArray[Any]) -> NDArray[Any]:
    """Correct p-values, a row for each family of tests, by Holm's method."""
    order = np.argsort(pvalues, axis=1)
    factors = np.arange(pvalues.shape[1], 0, -1)
    scaled = np.maximum.accumulate(np.take_along_axis(pvalues, order, axis=1) * factors, axis=1)
    corrected = np.empty_like(pvalues)
    np.put_along_axis(corrected, order, scaled, axis=1)
    return corrected


def simulate(design: Design, n_runs: int, seed: int, *, by_groups: bool) -> str:
    """Return a row of the table."""
    rows, cautioned = [], []
    for run in range(n_runs):
        generator = np.random.default_rng([seed, DESIGNS.index(design), run])
        true = design.reference(generator)
        laws = design.errors, design.errors, design.worse
        nights = [law.draw(true, generator) for law in laws]
        of_scores = score_candidates(
            true,
            nights,
            indices=SCORES_OF_ENTITIES,
            groups=true if by_groups else None,
            confidence_level=1 - LEVEL,
        ).sampling_errors.values()
        found = [one.differences([(1, [0]), (2, [0])], 1 - LEVEL) for one in of_scores]
        rows.append([[one.values for one in found], [one.pvalues for one in found]])
        cautioned.append(any(one.cautions_of_difference(1, 0) for one in of_scores))
    # Values and p-values by run, score and night.
    of_values, of_tests = np.array(rows).swapaxes(0, 1)
    differences, worse = np.moveaxis(of_values, 2, 0)
    pvalues, pvalues_worse = np.moveaxis(of_tests, 2, 0)
    shares = []
    for values, tests, tolerance in (
        (differences, pvalues, 0.0),
        (differences, pvalues, TOLERANCE),
        (worse, pvalues_worse, TOLERANCE),
    ):
        for corrected in (tests, holm(tests)):
            failed = (values < -tolerance) & (corrected < LEVEL)
            shares.append(failed.any(axis=1).mean())
    of_score = np.mean(pvalues < LEVEL, axis=0)
    plain, corrected = shares[::2], shares[1::2]
    columns = [f"{one:5.3f}" for one in (of_score.min(), of_score.max())]
    columns += [f"{a:5.3f} ({b:5.3f})" for a, b in zip(plain, corrected, strict=True)]
    units = "entities" if by_groups else "records"
    return f"{design.name:<18} {units:<8}  {'  '.join(columns)}  {np.mean(cautioned):9.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True, help="one that was not used before")
    parser.add_argument("--runs", type=int, default=400)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    error = np.sqrt(LEVEL * (1 - LEVEL) / options.runs)
    print(f"{options.runs} pairs of nights; Monte Carlo error of a share of .05: {error:.3f}")
    print(
        f"{'design':<18} {'groups':<8}  least   most  any    (holm)  fails  (holm)  power  (holm)"
        "  cautioned"
    )
    for design in DESIGNS:
        for by_groups in (True, False):
            print(simulate(design, options.runs, options.seed, by_groups=by_groups), flush=True)


if __name__ == "__main__":
    main()
