"""How does ``cluster_significance`` compare with R's packages sigclust, sigclust2 and clusterpval?

Run ``python benchmarks/cluster_significance_in_r.py --seed SEED [--runs 60]`` where ``Rscript`` and
its packages sigclust and palmerpenguins are installed. There are two tables.

*Designs*
    The data of ``cluster_significance.py``: the share of the draws in which all objects are more
    than one cloud, p <= .05, by sigclust and here. sigclust divides by 2-means, and draws 100 sets
    of one Gaussian law. Its covariance has eigenvalues with a soft threshold, the default
    (``icovest = 1``, "soft"), or is that of the sample (2, "sample"), as the manual advises in few
    dimensions; where the first fails, which it does if no eigenvalue is small, it is the second. Of
    one cloud the shares are errors, at most .05 up to the standard error; of several clusters they
    are the power.
*Published examples*
    Those of the manuals of the packages: the number of clusters here, beside what the packages
    find. R draws them by the laws that are stated, and with the seed where there is one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import warnings
import zlib
from pathlib import Path

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cluster_significance import DESIGNS, Design
from sklearn_clustcompare import cluster_significance

LEVEL = 0.05
SIGCLUST = """
suppressMessages(library(sigclust))
for (file in commandArgs(TRUE)) {
  x <- as.matrix(read.csv(file, header = FALSE))
  set.seed(1)
  sample <- sigclust(x, 100, nrep = 5, icovest = 2)
  soft <- tryCatch(sigclust(x, 100, nrep = 5, icovest = 1), error = function(e) sample)
  cat(soft@pval, sample@pval, "\\n")
}
"""
EXAMPLES = """
folder <- commandArgs(TRUE)
save <- function(x, name) {
  write.table(x, file.path(folder, name), sep = ",", row.names = FALSE, col.names = FALSE)
}
set.seed(1)
sign <- rep(c(5, -5), each = 30)
save(cbind(sign + rnorm(60), matrix(rnorm(60 * 499), 60)), "sigclust")
place <- rep(1:3, c(60, 40, 50))
noise <- matrix(rnorm(150 * 100), 150)
noise[, 1:2] <- noise[, 1:2] + cbind(c(2, -2, 0), c(0, 0, 3 * sqrt(3)))[place, ]
save(noise, "sigclust2")
set.seed(123)
corners <- cbind(c(-1, 0, 1), c(0, sqrt(3), 0))[rep(1:3, length = 100), ]
save(corners + matrix(0.2 * rnorm(200), 100), "clusterpval")
birds <- na.omit(palmerpenguins::penguins)
save(birds[birds$sex == "female", c("bill_length_mm", "flipper_length_mm")], "penguins")
"""
# What the manuals print, or say of their data.
FOUND = {
    "sigclust": "two clusters, of 30 objects each",
    "sigclust2": "p = 0, .011 and .92 at the first nodes: three clusters",
    "clusterpval": "three clusters, of 33 or 34 objects each",
    "penguins": "three species; six clusters are tested in pairs",
}


def in_r(script: str, *arguments: object) -> str:
    command = ["Rscript", "-e", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def pvalues_of(design: Design, seed: int, runs: int, folder: Path) -> np.ndarray:
    """Return the p-values of all objects of each draw, by both forms of sigclust and here."""
    files, ours = [], []
    for run in range(runs):
        X = design.draw(np.random.default_rng([seed, zlib.crc32(design.name.encode()), run]))
        files.append(folder / f"{run}.csv")
        np.savetxt(files[-1], X, delimiter=",", fmt="%.17g")
        labels = KMeans(2, n_init=3, random_state=run).fit_predict(X)
        ours.append(float(cluster_significance(labels, X, random_state=run).pvalues[-1]))
    theirs = np.array(in_r(SIGCLUST, *files).split(), float).reshape(-1, 2)
    return np.vstack([theirs.T, ours])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--runs", type=int, default=60, help="draws of each design")
    parser.add_argument("--only", nargs="*", default=[""], help="words in the names of designs")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'design':28} clusters  draws   soft   s.e.  sample   s.e.    here   s.e.")
    for design in DESIGNS:
        if not any(word in design.name for word in options.only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            pvalues = pvalues_of(design, options.seed, options.runs, Path(folder))
        shares = (pvalues <= LEVEL).mean(axis=1)
        errors = np.sqrt(shares * (1 - shares) / options.runs)
        numbers = "  ".join(map("{:6.3f}  {:5.3f}".format, shares, errors))
        n_clusters = max(len(design.sizes), 1)
        print(f"{design.name:28} {n_clusters:8}  {options.runs:5} {numbers}", flush=True)
    print(f"\n{'example':12} objects  found here  p of all  soft  sample  in its manual")
    with tempfile.TemporaryDirectory() as folder:
        in_r(EXAMPLES, folder)
        for name, words in FOUND.items():
            X = np.loadtxt(Path(folder) / name, delimiter=",")
            found = cluster_significance(AgglomerativeClustering(6), X)
            soft, sample = in_r(SIGCLUST, Path(folder) / name).split()
            ours = f"{found.n_clusters:10}  {found.pvalues[-1]:8.2g}"
            print(f"{name:12} {len(X):7}  {ours}  {soft:>4}  {sample:>6}  {words}")


if __name__ == "__main__":
    main()
