"""How often is the verdict of ``choose_n_clusters`` right, on data of a known answer?

Run ``python benchmarks/verdicts.py --seed SEED [--runs 20] FILE.jsonl``. Each draw of a design is a
line of the file; a second run with the same file goes on where the first one ended. The table has a
row for each design: the share of verdicts that are right, undetermined and wrong, and how often
other methods are right for the same data: the largest silhouette; the gap statistic of this package
with power 1, the law "pca" and the rule "tibshirani", which are those of ``clusGap`` of R's package
cluster with ``method="Tibs2001SEmax"`` (for discrete data with the law "copula"); and the smallest
BIC of Gaussian mixtures with full covariances; all for 1 to 8 clusters. ``--table`` prints the
table of a file only.

A verdict is right if it is the answer of the design; "undetermined" is never right where there is
one. Two designs have none: one bent cluster, which no number of round clusters describes, and two
latent classes of binary items, which one continuous factor can explain as well. There any number
above one cluster counts as wrong for the bent cluster, and any number but two for the classes. For
iris, two clusters, three, and two nested in three are all right.

Clusterers are k-means with three starts, and for two designs single and average linkage.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris, make_moons
from sklearn.mixture import GaussianMixture

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import choose_n_clusters
from sklearn_clustcompare.without_reference import _choose_n_clusters
from sklearn_clustcompare.without_reference._verdict import verdict_of

FloatArray = NDArray[np.float64]
Generator = np.random.Generator

NUMBERS = range(1, 9)
# Other values of the constant by which the silhouette of clusters that touch has to stand out.
STANDS_OUT = (2.0, 3.0)
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
TETRAHEDRON = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(8)


class Design(NamedTuple):
    """Data of a generator, the numbers of clusters that are right, and those that are not wrong.

    ``coarse`` is right as the coarse one of nested numbers only.
    """

    name: str
    draw: Callable[[Generator], FloatArray]
    right: tuple[int, ...]
    coarse: int | None = None
    passable: tuple[int, ...] = ()
    linkage: str | None = None


def clusters(rng: Generator, centers: Any, sizes: Sequence[int], spreads: Any = 1.0) -> FloatArray:
    centers = np.asarray(centers, float)
    members = np.repeat(np.arange(len(sizes)), sizes)
    spread = np.broadcast_to(spreads, len(sizes))[members, np.newaxis]
    return centers[members] + spread * rng.normal(size=(len(members), centers.shape[1]))


def correlated(rng: Generator) -> FloatArray:
    return np.sqrt(0.9) * rng.normal(size=(100, 1)) + np.sqrt(0.1) * rng.normal(size=(100, 5))


def banana(rng: Generator) -> FloatArray:
    angle = rng.uniform(0, 1.2 * np.pi, 150)
    radius = 5 + rng.normal(scale=0.6, size=150)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def groups_of_three(rng: Generator) -> FloatArray:
    return clusters(rng, np.vstack([6 * TRIANGLE, 6 * TRIANGLE + [30, 0]]), [25] * 6)


def three_in_300(rng: Generator) -> FloatArray:
    centers = rng.normal(size=(3, 300))
    centers *= 15 / np.sqrt(2) / np.linalg.norm(centers, axis=1, keepdims=True)
    return clusters(rng, centers, [20] * 3)


def five_apart(rng: Generator) -> FloatArray:
    while True:
        centers = rng.normal(scale=2.5, size=(5, 10))
        if pdist(centers).min() >= 8:
            return clusters(rng, centers, [30] * 5)


def two_classes(rng: Generator) -> FloatArray:
    shares = np.where(rng.random((2, 20)) < 0.5, 0.25, 0.75)
    return (rng.random((100, 20)) < np.repeat(shares, 50, axis=0)).astype(float)


def two_lognormal(rng: Generator) -> FloatArray:
    return np.exp(0.6 * rng.normal(size=(120, 2))) + np.repeat([[0.0, 0.0], [7.0, 7.0]], 60, axis=0)


def anisotropic(rng: Generator) -> FloatArray:
    turned = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2)
    return clusters(rng, np.zeros((3, 2)), [50] * 3) * [1.0, 2.5] @ turned + np.repeat(
        11 * TRIANGLE, 50, axis=0
    )


def heavy_tailed(rng: Generator) -> FloatArray:
    centers = 8 * np.column_stack([TRIANGLE, np.zeros(3)])
    return np.repeat(centers, 60, axis=0) + rng.standard_t(5, size=(180, 3))


def autoregressive(rng: Generator) -> FloatArray:
    X = rng.normal(size=(100, 20))
    for column in range(1, 20):
        X[:, column] = 0.7 * X[:, column - 1] + np.sqrt(1 - 0.7**2) * X[:, column]
    return X


def rated_counts(rng: Generator) -> FloatArray:
    return rng.poisson(rng.gamma(2.0, size=(100, 1)) * rng.uniform(0.5, 2, size=10)).astype(float)


def profiles(rng: Generator) -> FloatArray:
    often = np.repeat([8.0, 2.0, 2.0], 3)
    rates = np.repeat([np.roll(often, 3 * number) for number in range(3)], 40, axis=0)
    return rng.poisson(rng.gamma(20.0, 0.05, size=(120, 1)) * rates).astype(float)


def part_of_iris(rng: Generator) -> FloatArray:
    return load_iris().data[rng.choice(150, 120, replace=False)]


DESIGNS = [
    Design("Gaussian, d = 5, correlation .9", correlated, (1,)),
    Design("uniform square", lambda rng: rng.uniform(size=(100, 2)), (1,)),
    Design("lognormal, d = 2", lambda rng: np.exp(rng.normal(size=(100, 2))), (1,)),
    Design("4 coins", lambda rng: rng.integers(2, size=(100, 4)).astype(float), (1,)),
    Design("50 counts, Poisson(.1)", lambda rng: rng.poisson(0.1, (100, 50)).astype(float), (1,)),
    Design("Gaussian, 60 x 300", lambda rng: rng.normal(size=(60, 300)), (1,)),
    Design("banana", banana, (), passable=(1,)),
    Design("three blobs at 4 sd", lambda rng: clusters(rng, 4 * TRIANGLE, [50] * 3), (3,)),
    Design("sizes 150, 25, 15", lambda rng: clusters(rng, 6 * TRIANGLE, [150, 25, 15]), (3,)),
    Design(
        "spreads .3, 1, 1.8", lambda rng: clusters(rng, 8 * TRIANGLE, [50] * 3, [0.3, 1, 1.8]), (3,)
    ),
    Design("two groups of three", groups_of_three, (6,), coarse=2),
    Design(
        "two moons, single linkage",
        lambda rng: make_moons(200, noise=0.06, random_state=int(rng.integers(2**31)))[0],
        (2,),
        linkage="single",
    ),
    Design("three, 60 x 300", three_in_300, (3,)),
    Design("five blobs, d = 10", five_apart, (5,)),
    Design("two classes, 20 binary items", two_classes, (), passable=(1, 2)),
    Design("two lognormal", two_lognormal, (2,)),
    Design("iris, 120 of 150", part_of_iris, (2, 3)),
    Design("three elongated", anisotropic, (3,)),
    Design("three of t with 5 df, d = 3", heavy_tailed, (3,)),
    Design(
        "sizes 100, 60, 30, 15, d = 3",
        lambda rng: clusters(rng, 7 * TETRAHEDRON, [100, 60, 30, 15]),
        (4,),
    ),
    Design("AR(1), d = 20", autoregressive, (1,)),
    Design("gamma, shape 2, d = 3", lambda rng: rng.gamma(2.0, size=(150, 3)), (1,)),
    Design(
        "three of 20, average linkage",
        lambda rng: clusters(rng, 8 * TRIANGLE, [20] * 3),
        (3,),
        linkage="average",
    ),
    Design("10 counts, rates of objects", rated_counts, (1,)),
    Design("three profiles of 9 counts", profiles, (3,)),
]


def data_of(design: Design, seed: int, run: int) -> FloatArray:
    """Return a draw of a design, whatever the others are."""
    return design.draw(np.random.default_rng([seed, zlib.crc32(design.name.encode()), run]))


def clusterer(design: Design) -> Any:
    return AgglomerativeClustering(linkage=design.linkage) if design.linkage else KMeans(n_init=3)


def judged(design: Design, number: int | None, finer: Sequence[int] = ()) -> str:
    """Return whether a number of clusters, None for undetermined, is right."""
    if number is None:
        return "undetermined"
    if number in design.passable:
        return "passable"
    if design.coarse is not None:
        # All pairs of numbers of which one divides the other at the true borders.
        right = number == design.coarse and bool(set(design.right) & set(finer))
        return "right" if right else "wrong"
    return "right" if number in design.right else "wrong"


def smallest_bic(X: FloatArray) -> int:
    found = [GaussianMixture(k, random_state=0, reg_covar=1e-4).fit(X).bic(X) for k in NUMBERS]
    return NUMBERS[int(np.argmin(found))]


class Judge:
    """The rules of the verdict, and what they would say with other constants."""

    def __init__(self) -> None:
        self.others: dict[str, Any] = {}

    def __call__(self, *evidence: Any, chains: bool) -> Any:
        for times in STANDS_OUT:
            one, _ = verdict_of(*evidence, chains=chains, stands_out=times)
            self.others[str(times)] = [one.n_clusters, list(one.finer)]
        return verdict_of(*evidence, chains=chains)


def line_of(design: Design, seed: int, run: int) -> dict[str, Any]:
    """Return the verdict for a draw, and the answers of other methods."""
    X = data_of(design, seed, run)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        with patch.object(_choose_n_clusters, "verdict_of", judge := Judge()):
            choice = choose_n_clusters(clusterer(design), X, param_range=NUMBERS)
        seconds = time.process_time() - start
        bic = smallest_bic(X)
    verdict, choices = choice.verdict, choice.choices()
    return {
        "design": design.name,
        "seed": seed,
        "run": run,
        "kind": verdict.kind,
        "n_clusters": verdict.n_clusters,
        "finer": list(verdict.finer),
        "stands_out": judge.others,
        "seconds": round(seconds, 3),
        "silhouette": choices["silhouette_score, largest"],
        "gap": choice.gap.laws.get("pca", choice.gap).choices()["tibshirani"],
        "bic": bic,
    }


def table_of(lines: Sequence[dict[str, Any]]) -> str:
    """Return shares for each design and in all, with standard errors of what is in all."""
    titles = ("draws", "right", "undet.", "wrong", "silh.", "gap", "BIC")
    rows = [f"{'':32} " + " ".join(f"{title:>6}" for title in titles)]
    with_answer, all_wrong = [], []
    for design in DESIGNS:
        of_design = [line for line in lines if line["design"] == design.name]
        if not of_design:
            continue
        verdicts = shares_of(design, [(one["n_clusters"], one["finer"]) for one in of_design])
        all_wrong.append((verdicts["wrong"], len(of_design)))
        cells = [verdicts[one] for one in ("right", "undetermined", "wrong")]
        if design.right:
            # A method that gives one number is right with the fine one of nested numbers, too.
            answers = (*design.right, *([design.coarse] if design.coarse else ()))
            cells += [
                sum(one[peer] in answers for one in of_design) / len(of_design)
                for peer in ("silhouette", "gap", "bic")
            ]
            with_answer.append((cells, len(of_design)))
            texts = [f"{one:.2f}" for one in cells]
        else:
            # In brackets, verdicts that are neither right nor wrong.
            texts = [f"({verdicts['passable']:.2f})", *(f"{one:.2f}" for one in cells[1:])]
            texts += ["-"] * 3
        row = " ".join(f"{text:>6}" for text in (len(of_design), *texts))
        rows.append(f"{design.name:32} {row}")
    shares, n_draws = (np.array(one) for one in zip(*with_answer, strict=True))
    errors = np.sqrt(np.sum(shares * (1 - shares) / n_draws[:, np.newaxis], axis=0)) / len(shares)
    for title, values in (("mean, designs with an answer", shares.mean(axis=0)), ("s.e.", errors)):
        row = " ".join(f"{value:6.3f}" for value in values)
        rows.append(f"{title:32} {sum(n_draws) if title != 's.e.' else '':>6} {row}")
    wrong, n = (np.array(one) for one in zip(*all_wrong, strict=True))
    share = np.sum(wrong * n) / sum(n)
    seconds = np.array([line["seconds"] for line in lines])
    rows += [
        f"wrong in all: {np.sum(wrong * n):.0f} of {sum(n)} draws = {share:.3f} "
        f"(s.e. {np.sqrt(share * (1 - share) / sum(n)):.3f})",
        f"CPU seconds of a call: median {np.median(seconds):.2f}, largest {seconds.max():.2f}",
        *map(partial(of_other_constant, lines), STANDS_OUT),
    ]
    return "\n".join(rows)


def shares_of(design: Design, verdicts: Sequence[tuple[Any, Sequence[int]]]) -> dict[str, float]:
    """Return the shares of what verdicts are judged to be."""
    found = [judged(design, *verdict) for verdict in verdicts]
    kinds = ("right", "undetermined", "wrong", "passable")
    return {kind: found.count(kind) / len(found) for kind in kinds}


def of_other_constant(lines: Sequence[dict[str, Any]], times: float) -> str:
    """Return what another value of the constant for clusters that touch changes."""
    changed, right, wrong = 0, [], 0.0
    for design in DESIGNS:
        of_design = [line for line in lines if line["design"] == design.name]
        others = [line["stands_out"][str(times)] for line in of_design]
        if not others:
            continue
        changed += sum(
            one["n_clusters"] != number for one, (number, _) in zip(of_design, others, strict=True)
        )
        shares = shares_of(design, others)
        wrong += shares["wrong"] * len(others)
        right += [shares["right"]] if design.right else []
    return (
        f"if clusters that touch have to stand out by {times:g} times, not 2.5: {changed} other "
        f"verdicts, right {np.mean(right):.3f}, wrong {wrong:.0f} draws"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="lines of JSON, one for each draw")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=20, help="draws of each design")
    parser.add_argument("--table", action="store_true", help="print the table only")
    arguments = parser.parse_args()
    done = arguments.file.read_text("utf-8").splitlines() if arguments.file.exists() else []
    lines = [json.loads(line) for line in done]
    known = {(line["design"], line["seed"], line["run"]) for line in lines}
    for run in [] if arguments.table else range(arguments.runs):
        for design in DESIGNS:
            if (design.name, arguments.seed, run) not in known:
                lines.append(line_of(design, arguments.seed, run))
                with arguments.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(lines[-1]) + "\n")
    print(table_of(lines))


if __name__ == "__main__":
    main()
