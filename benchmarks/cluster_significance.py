"""How often does ``cluster_significance`` divide one cloud, and find the clusters that there are?

Run ``python benchmarks/cluster_significance.py --seed SEED [--runs 200] [--only WORD] FILE.jsonl``.
Each draw of a design is a line of the file; a second run with the same file goes on where the first
one ended. ``--table`` prints the table of a file only.

Of several clusters, a third as many draws are made. Clusterers look for six clusters, or for
twice as many as there are. A row has the share of the
draws that end with the right number of clusters, with one cloud divided (more clusters than there
are, or clusters that mix two true ones and cut one), with too few, and the standard error of the
first. Of one cloud, at most .05 may be divided, up to the standard error.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import AgglomerativeClustering, KMeans

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import adjusted_rand_score, cluster_significance

FloatArray = NDArray[np.float64]
Generator = np.random.Generator
Draw = Callable[[Generator], FloatArray]

TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
# Clusters that agree so well with the true ones are right, though some objects may be misplaced.
_NEARLY = 0.8


class Design(NamedTuple):
    """Data of a generator, and the sizes of their true clusters, in this order."""

    name: str
    draw: Draw
    sizes: tuple[int, ...] = ()
    clusterer: str = "k-means"


def gaussian(n: int, d: int, spreads: Sequence[float] = ()) -> Draw:
    scale = np.ones(d)
    scale[: len(spreads)] = spreads
    return lambda rng: rng.normal(size=(n, d)) * scale


def equally_correlated(n: int, d: int, correlation: float) -> Draw:
    covariance = np.full((d, d), correlation) + (1 - correlation) * np.eye(d)
    root = np.linalg.cholesky(covariance)
    return lambda rng: rng.normal(size=(n, d)) @ root.T


def clusters(sizes: Sequence[int], centers: Any, d: int = 0) -> Draw:
    places = np.asarray(centers, float)
    places = np.pad(places, ((0, 0), (0, max(d - places.shape[1], 0))))
    members = np.repeat(np.arange(len(sizes)), sizes)
    return lambda rng: places[members] + rng.normal(size=(len(members), places.shape[1]))


def of_clusters(
    name: str, sizes: tuple[int, ...], centers: Any, d: int = 0, clusterer: str = "k-means"
) -> Design:
    return Design(name, clusters(sizes, centers, d), sizes, clusterer)


_TWO_OF_THREE = np.vstack([6 * TRIANGLE, 6 * TRIANGLE + [25, 0]])
DESIGNS = [
    Design("Gaussian 40 x 2", gaussian(40, 2)),
    Design("Gaussian 1000 x 2", gaussian(1000, 2)),
    Design("Gaussian 200 x 10", gaussian(200, 10)),
    Design("Gaussian 40 x 30", gaussian(40, 30)),
    Design("Gaussian 60 x 500", gaussian(60, 500)),
    Design("one axis 5 x, 200 x 2", gaussian(200, 2, [5])),
    Design("axes 5 x and 3 x, 200 x 10", gaussian(200, 10, [5, 3])),
    Design("one axis 4 x, 40 x 100", gaussian(40, 100, [4])),
    Design("rho .9, 100 x 5", equally_correlated(100, 5, 0.9)),
    Design("rho .7, 40 x 50", equally_correlated(40, 50, 0.7)),
    Design("Gaussian 100 x 5, Ward", gaussian(100, 5), clusterer="ward"),
    Design("lognormal 100 x 2", lambda rng: rng.lognormal(size=(100, 2))),
    Design("lognormal 200 x 5", lambda rng: rng.lognormal(size=(200, 5))),
    Design("lognormal 1000 x 2", lambda rng: rng.lognormal(size=(1000, 2))),
    Design("lognormal 1000 x 5", lambda rng: rng.lognormal(size=(1000, 5))),
    Design("t3, 150 x 3", lambda rng: rng.standard_t(3, size=(150, 3))),
    Design("uniform 150 x 2", lambda rng: rng.uniform(size=(150, 2))),
    Design("counts 100 x 5", lambda rng: rng.poisson(2.0, size=(100, 5)).astype(float)),
    of_clusters("three at 6 sd", (40,) * 3, 6 * TRIANGLE),
    of_clusters("three at 6 sd, Ward", (40,) * 3, 6 * TRIANGLE, clusterer="ward"),
    of_clusters("four in d = 5 at 6 sd", (40,) * 4, np.eye(5)[:4] * 6 / np.sqrt(2)),
    of_clusters("sizes 150/25/15", (150, 25, 15), 6 * TRIANGLE),
    of_clusters("two at 6 sd, 40 x 20", (20, 20), [[0], [6]], 20),
    of_clusters("two groups of three", (30,) * 6, _TWO_OF_THREE),
    of_clusters("two at 4 sd, 100 x 2", (50, 50), [[0, 0], [4, 0]]),
    of_clusters("two at 8 sd, 40 x 100", (20, 20), [[0], [8]], 100),
]


def line_of(design: Design, seed: int, run: int) -> dict[str, Any]:
    """Return what was found in a draw of a design, whatever the others are."""
    X = design.draw(np.random.default_rng([seed, zlib.crc32(design.name.encode()), run]))
    truth = np.repeat(np.arange(len(design.sizes)), design.sizes) if design.sizes else [0] * len(X)
    n_asked = max(6, 2 * len(design.sizes))
    clusterer: Any = KMeans(n_asked, n_init=3)
    if design.clusterer == "ward":
        clusterer = AgglomerativeClustering(n_asked)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        found = cluster_significance(clusterer, X, random_state=run)
        seconds = time.process_time() - start
    return {
        "design": design.name,
        "seed": seed,
        "run": run,
        "n_clusters": found.n_clusters,
        "agreement": round(float(adjusted_rand_score(truth, found.labels)), 4),
        "pvalue": float(found.pvalues[-1]),
        "seconds": round(seconds, 3),
    }


def outcome(design: Design, line: dict[str, Any]) -> str:
    true = max(len(design.sizes), 1)
    if line["n_clusters"] != true:
        return "divided" if line["n_clusters"] > true else "too few"
    return "right" if line["agreement"] >= _NEARLY else "divided"


def table_of(lines: Sequence[dict[str, Any]]) -> str:
    rows = [f"{'design':28}  draws  right  divided  too few   s.e.  CPU s"]
    for design in DESIGNS:
        of_design = [line for line in lines if line["design"] == design.name]
        if not of_design:
            continue
        found = [outcome(design, line) for line in of_design]
        shares = [found.count(one) / len(found) for one in ("right", "divided", "too few")]
        error = np.sqrt(shares[0] * (1 - shares[0]) / len(found))
        seconds = np.median([line["seconds"] for line in of_design])
        rows.append(
            f"{design.name:28}  {len(found):5}  {shares[0]:5.3f}  {shares[1]:7.3f}  "
            f"{shares[2]:7.3f}  {error:5.3f}  {seconds:5.2f}"
        )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    lines = []
    if options.file.exists():
        lines = [json.loads(line) for line in options.file.read_text().splitlines()]
    known = {(line["design"], line["seed"], line["run"]) for line in lines}
    if not options.table:
        with options.file.open("a") as file:
            # An end before the last run leaves as many draws of each design.
            for run, design in itertools.product(range(options.runs), DESIGNS):
                is_left_out = options.only not in design.name or (design.sizes and run % 3)
                if is_left_out or (design.name, options.seed, run) in known:
                    continue
                lines.append(line_of(design, options.seed, run))
                file.write(json.dumps(lines[-1]) + "\n")
                file.flush()
    print(table_of(lines))


if __name__ == "__main__":
    main()
