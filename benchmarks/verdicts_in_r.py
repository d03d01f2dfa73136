"""How often are R's packages cluster and fpc right about the number of clusters?

Run ``python benchmarks/verdicts_in_r.py --seed SEED [--runs 5]`` where ``Rscript`` and these
packages are installed. The data, the clusterers and what is right are those of ``verdicts.py``,
with the same draws for the same seed: compare the shares with those of its table. The methods are

*clusGap*
    the gap statistic with 50 structureless data sets and the rule "Tibs2001SEmax", all as R has
    them;
*fpc*
    prediction strength with 20 divisions: the largest number with a mean of at least .8.

Neither can leave the number undetermined.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.verdicts import DESIGNS, NUMBERS, Design, data_of

IN_R = """
suppressMessages({library(cluster); library(fpc)})
arguments <- commandArgs(TRUE)
linkage <- arguments[1]
most <- as.integer(arguments[2])
cut <- function(x, k) list(cluster = cutree(hclust(dist(x), linkage), k))
for (file in arguments[-(1:2)]) {
  x <- as.matrix(read.csv(file, header = FALSE))
  set.seed(1)
  if (linkage == "") {
    gap <- clusGap(x, kmeans, K.max = most, B = 50, nstart = 3, verbose = FALSE)
    strength <- prediction.strength(x, 2, most, M = 20, clustermethod = kmeansCBI, runs = 3)
  } else {
    gap <- clusGap(x, cut, K.max = most, B = 50, verbose = FALSE)
    strength <- prediction.strength(
      x, 2, most, M = 20, clustermethod = hclustCBI, method = linkage, scaling = FALSE,
      classification = if (linkage == "single") "knn" else "averagedist", nnk = 1
    )
  }
  chosen <- maxSE(gap$Tab[, "gap"], gap$Tab[, "SE.sim"], "Tibs2001SEmax")
  cat(chosen, strength$optimalk, "\\n")
}
"""


def answers_of(design: Design, seed: int, runs: int, folder: Path) -> list[tuple[int, ...]]:
    """Return the two answers for each draw."""
    files = [folder / f"{run}.csv" for run in range(runs)]
    for run, file in enumerate(files):
        np.savetxt(file, data_of(design, seed, run), delimiter=",", fmt="%.17g")
    script = folder / "methods.R"
    script.write_text(IN_R, "utf-8")
    command = ["Rscript", script, design.linkage or "", str(NUMBERS[-1]), *files]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [tuple(map(int, line.split())) for line in printed.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--runs", type=int, default=5, help="draws of each design")
    arguments = parser.parse_args()
    print(f"{'':32} {'draws':>6} {'clusGap':>8} {'fpc':>6}")
    shares = []
    for design in DESIGNS:
        if not design.right:
            continue
        right = (*design.right, *([design.coarse] if design.coarse else ()))
        with tempfile.TemporaryDirectory() as folder:
            answers = answers_of(design, arguments.seed, arguments.runs, Path(folder))
        shares.append(np.mean([[one in right for one in answer] for answer in answers], axis=0))
        gap, strength = shares[-1]
        print(f"{design.name:32} {len(answers):6} {gap:8.2f} {strength:6.2f}", flush=True)
    means = np.array(shares)
    errors = np.sqrt(np.sum(means * (1 - means) / arguments.runs, axis=0)) / len(means)
    for title, (gap, strength) in (("mean", means.mean(axis=0)), ("s.e.", errors)):
        print(f"{title:32} {'':6} {gap:8.3f} {strength:6.3f}")


if __name__ == "__main__":
    main()
