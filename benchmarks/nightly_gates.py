"""How often the gates of a baseline fail good nights, and how often they find broken ones.

    python benchmarks/nightly_gates.py [N_NIGHTS]

Each night has 300 persons of 1 to 6 records, of which 6 % come and 6 % go until the next
night. A job splits and merges them as often each night, by fresh chance. A night is broken if new
records share one found cluster, or if splits become more frequent. Prints the share of nights that
fail, with its Monte Carlo error, for each index, and if one of the six scores of entities fails.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

from sklearn_clustcompare._options import SCORES_OF_ENTITIES
from sklearn_clustcompare.checks import ClusteringBaseline

N_PERSONS, SHARE_NEW = 300, 0.06
TOLERANCE = 0.01


class Job:
    """Persons with their records, and what a job finds."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        n_all = round(N_PERSONS * (1 + SHARE_NEW))
        self.persons = np.repeat(np.arange(n_all), self.rng.integers(1, 7, size=n_all))

    def night(self, first, split=0.04, merge=0.03, n_broken=0):
        """Return ids, persons and found clusters of the persons from ``first`` on."""
        here = (self.persons >= first) & (self.persons < first + N_PERSONS)
        ids, persons = np.flatnonzero(here), self.persons[here]
        found = persons.copy()
        merged = self.rng.permutation(len(self.persons))[: round(merge * N_PERSONS)]
        others = self.rng.integers(N_PERSONS, size=len(self.persons)) + first
        found = np.where(np.isin(persons, merged), others[persons], found)
        is_split = self.rng.random(len(found)) < split
        found = np.where(is_split, 10_000 + ids, found)
        broken = 100_000 + np.arange(n_broken)
        return (
            [*ids, *broken],
            np.append(persons, broken),
            np.append(found, np.full(n_broken, 99_999)),
        )


NIGHTS = {
    "good, other records": {"first": round(N_PERSONS * SHARE_NEW)},
    "40 new records in one cluster": {"first": 0, "n_broken": 40},
    "8 % split instead of 4 %": {"first": round(N_PERSONS * SHARE_NEW), "split": 0.08},
}


def failures(seed, night):
    """Return the indices of which a gate fails."""
    job = Job(seed)
    indices = {name: name for name in ("adjusted_rand_score", *SCORES_OF_ENTITIES)}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        baseline = ClusteringBaseline(Path(folder) / "nights.json")
        ids, persons, found = job.night(0)
        baseline._accept_each(indices, persons, found, ids=ids, groups=persons)
        ids, persons, found = job.night(**night)
        limits = {"tolerance": TOLERANCE}
        compared = baseline._compare_each(
            indices, persons, found, None, limits, ids=ids, groups=persons
        )
    return {one.name for one in compared if not one.passed}


def main():
    """Print the shares."""
    n_nights = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for title, night in NIGHTS.items():
        found = [failures(seed, night) for seed in range(n_nights)]
        print(f"{title}, {n_nights} nights")
        shares = {
            name: np.mean([name in one for one in found])
            for name in ("adjusted_rand_score", *SCORES_OF_ENTITIES)
        }
        shares["one of the six of entities"] = np.mean(
            [bool(one & set(SCORES_OF_ENTITIES)) for one in found]
        )
        for name, share in shares.items():
            error = (share * (1 - share) / n_nights) ** 0.5
            print(f"  {name:28} {share:.3f} +- {error:.3f}")


if __name__ == "__main__":
    main()
