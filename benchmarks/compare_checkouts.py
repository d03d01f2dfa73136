"""Is this checkout slower than another one? Medians of paired runs, on one pinned processor.

Run ``python benchmarks/compare_checkouts.py /path/to/the/other/checkout [--rounds 7] [CASE ...]``.
Every case runs in turn in a process of each checkout; the table shows the median over the rounds of
the times, and of their ratio in each round.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]

_LABELS = "y, found = np.random.default_rng(0).integers({k}, size=(2, {n}))"
_SCORE = "s.{name}(y, found)"

# name: (setup, statement)
CASES = {
    "ARI n=150 k=3": (_LABELS.format(n=150, k=3), _SCORE.format(name="adjusted_rand_score")),
    "ARI n=1e4 k=10": (_LABELS.format(n=10**4, k=10), _SCORE.format(name="adjusted_rand_score")),
    "ARI n=1e6 k=100": (_LABELS.format(n=10**6, k=100), _SCORE.format(name="adjusted_rand_score")),
    "ARI n=1e6 k=1000": (
        _LABELS.format(n=10**6, k=1000),
        _SCORE.format(name="adjusted_rand_score"),
    ),
    "ARI n=1e5 k=n/2": (
        _LABELS.format(n=10**5, k=50_000),
        _SCORE.format(name="adjusted_rand_score"),
    ),
    "NMI n=150 k=3": (
        _LABELS.format(n=150, k=3),
        _SCORE.format(name="normalized_mutual_info_score"),
    ),
    "AMI n=1e4 k=10": (
        _LABELS.format(n=10**4, k=10),
        _SCORE.format(name="adjusted_mutual_info_score"),
    ),
    "purity n=1e4 k=10": (_LABELS.format(n=10**4, k=10), _SCORE.format(name="purity_score")),
    "SMI n=1e4 k=10": (
        _LABELS.format(n=10**4, k=10),
        _SCORE.format(name="standardized_mutual_info_score"),
    ),
    "ARI <U10 n=1e5": (
        _LABELS.format(n=10**5, k=20) + "; y, found = y.astype('U10'), found.astype('U10')",
        _SCORE.format(name="adjusted_rand_score"),
    ),
    "soft ARI n=1e5 k=10": (
        "y, found = np.random.default_rng(0).dirichlet(np.ones(10), (2, 10**5))",
        _SCORE.format(name="adjusted_rand_score"),
    ),
    "soft FARI n=1e5 k=10": (
        "y, found = np.random.default_rng(0).dirichlet(np.ones(10), (2, 10**5))",
        _SCORE.format(name="frobenius_adjusted_rand_score"),
    ),
    "candidates 100 x 1e4": (
        "y, *c = np.random.default_rng(0).integers(20, size=(101, 10**4))",
        "s.score_candidates(y, c, indices=['adjusted_rand_score', 'purity_score'])",
    ),
    "candidates 20 x 1e5 by soft": (
        "c = np.random.default_rng(0).integers(20, size=(20, 10**5));"
        "y = np.random.default_rng(1).dirichlet(np.ones(5), 10**5)",
        "s.score_candidates(y, c, indices='purity_score')",
    ),
    "all pairs 100 x 1e4, ARI": (
        "c = np.random.default_rng(0).integers(20, size=(100, 10**4))",
        "s.pairwise_scores(c, index='adjusted_rand_score')",
    ),
    "all pairs 50 x 1e4, VI": (
        "c = np.random.default_rng(0).integers(20, size=(50, 10**4))",
        "s.pairwise_scores(c, index='variation_of_information_distance')",
    ),
    "Monte Carlo, 999 purities": (
        _LABELS.format(n=1000, k=8),
        "s.chance_adjusted_score(y, found, index='purity_score', random_state=0)",
    ),
    "consensus 10 x 1000": (
        "r = np.random.default_rng(0); t = r.integers(5, size=1000);"
        "c = [np.where(r.random(1000) < .3, r.integers(5, size=1000), t) for _ in range(10)]",
        "s.consensus_partition(c, random_state=0)",
    ),
    "report n=1e4 k=50": (
        _LABELS.format(n=10**4, k=50),
        "s.clustering_comparison_report(y, found)",
    ),
    "hierarchies n=500": (
        "from scipy.cluster.hierarchy import linkage;"
        "X = np.random.default_rng(0).random((500, 2));"
        "Z = linkage(X, 'average'), linkage(X, 'ward')",
        "s.compare_hierarchies(*Z)",
    ),
    "element-centric, chains n=2000": (
        "r = np.random.default_rng(0); n = 2000;"
        "i = np.arange(1.0, n); merged = np.stack([i + n - 2, i, i, i + 1], axis=1);"
        "chains = np.repeat(merged[None], 2, axis=0); chains[:, 0, 0] = 0;"
        "order = r.permutation(n); chains[1, :, 1], chains[1, 0, 0] = order[1:], order[0];"
        "chains = [s.Hierarchy.from_linkage(Z) for Z in chains]",
        "s.element_centric_similarity_score(*chains)",
    ),
}

_CHILD = """
import json, sys, timeit, warnings
import numpy as np
sys.path.insert(0, sys.argv[1])
import sklearn_clustcompare as s
assert s.__file__.startswith(sys.argv[1]), s.__file__
warnings.simplefilter("ignore")
setup, statement = json.loads(sys.argv[2])
space = {"np": np, "s": s}
exec(setup, space)
timer = timeit.Timer(statement, globals=space)
timer.timeit(2)
number = max(1, int(0.1 / max(timer.timeit(1), 1e-7)))
print(min(timer.repeat(5, number)) / number)
"""


def time_once(checkout: Path, case: tuple[str, str]) -> float:
    """Return the seconds that a case takes in a checkout, in a process of its own."""
    process = subprocess.run(
        [sys.executable, "-c", _CHILD, str(checkout), json.dumps(case)],
        check=True,
        capture_output=True,
        text=True,
        cwd=checkout,
    )
    return float(process.stdout)


def import_once(checkout: Path, name: str) -> float:
    """Return the seconds that Python needs to import a name, and to start."""
    code = f"import time; t = time.perf_counter(); {name}; print(time.perf_counter() - t)"
    process = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=checkout
    )
    return float(process.stdout)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", type=Path, help="the checkout to compare with")
    parser.add_argument("cases", nargs="*", choices=[[], *CASES], help="all of them by default")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'case':30} {'other':>10} {'this':>10} {'this / other':>13}")
    imports = {
        "import sklearn_clustcompare": "import sklearn_clustcompare",
        "import of adjusted_rand_score": "from sklearn_clustcompare import adjusted_rand_score",
    }
    jobs = {name: (import_once, code) for name, code in imports.items()}
    jobs |= {name: (time_once, CASES[name]) for name in arguments.cases or CASES}
    for name, (measure, case) in jobs.items():
        pairs = [
            (measure(arguments.other.resolve(), case), measure(HERE, case))
            for _ in range(arguments.rounds)
        ]
        other, this = (statistics.median(times) for times in zip(*pairs, strict=True))
        ratio = statistics.median(mine / theirs for theirs, mine in pairs)
        print(f"{name:30} {other * 1e3:8.3f}ms {this * 1e3:8.3f}ms {ratio:13.3f}", flush=True)


if __name__ == "__main__":
    main()
