"""Coverage and width of intervals, and errors of paired tests, on named designs.

    python benchmarks/interval_widths.py --seed 20270212

The designs are others than those of ``interval_validity.py``, whose simulation draws them; the
columns are those of its table. The difference of two candidates of equal quality is 0: the coverage
of its interval is 1 less the size of the test.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.interval_validity import LEVEL, N_RUNS, Design, rows, simulate


class Rare(Design):
    """Three clusters with 95, 3 and 2 % of the objects."""

    def draw(self, generator: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return the reference and the candidates A, B and C."""
        true = generator.choice(3, self.n, p=[0.95, 0.03, 0.02])
        noises = self.noise, self.noise, 1.5 * self.noise + 0.05
        return [true, *(self._candidate(true, noise, generator) for noise in noises)]


DESIGNS = (
    Design(1001, 30, 3, "equal", 0.1, "same"),
    Design(1002, 36, 2, "skewed", 0.1, "same"),
    Rare(1003, 150, 3, "95:3:2", 0.1, "same"),
    Design(1004, 120, 6, "equal", 0.0, "same"),
    Design(1005, 120, 6, "equal", 0.01, "same"),
    Design(1006, 240, 6, "equal", 0.05, "same"),
    Design(1007, 240, 6, "equal", 0.15, "same"),
    Design(1008, 240, 6, "equal", 0.3, "same"),
    Design(1009, 700, 25, "equal", 0.1, "same"),
    Design(1010, 400, 180, "equal", 0.2, "same"),
    Design(1011, 1500, 45, "zipf", 0.1, "same"),
    Design(1012, 400, 4, "skewed", 0.1, "same"),
    Design(1013, 250, 5, "equal", 1.0, "same"),
    Design(1014, 3000, 10, "equal", 0.1, "twice"),
    Design(1015, 1200, 80, "equal", 0.15, "same", True),
    Design(1016, 3000, 200, "equal", 0.3, "same", True),
)


COLUMNS = ("coverage", "width", "ratio", "size", "power", "cautioned")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True, help="one that was not used before")
    parser.add_argument("--runs", type=int, default=N_RUNS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    error = np.sqrt(LEVEL * (1 - LEVEL) / options.runs)
    print(f"Monte Carlo error of a coverage of {LEVEL}: {error:.3f}")
    for design in DESIGNS:
        print(f"\n{design}\n{'':34}" + "".join(f"{name:>10}" for name in COLUMNS))
        for row in rows(design, simulate(design, options.seed, options.runs)):
            print(f"{row['index']:34}" + "".join(f"{row[name]:>10}" for name in COLUMNS))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
