"""Time of the consensus of draws of a posterior, and how far its loss is above a long search.

``python -m benchmarks.posterior`` prints a row for each kind of draws and each loss: CPU seconds,
the ratio to those of the expected VI of 20 partitions, the number of clusters, the average index.
With ``--cases`` it prints how far the losses of so many random cases are above those of 100 starts,
relative to these and negative where they are lower; with ``--halves`` how often two halves of draws
are said to disagree. ``posterior.txt`` has the commands and their rows.
"""

import argparse
import time
import warnings

import numpy as np

from sklearn_clustcompare import consensus_partition, get_index
from sklearn_clustcompare._table import ContingencyTable

LOSSES = {
    "VI": ("variation_of_information_distance", {}),
    "Binder": ("mirkin_distance", {"normalize": True}),
    "ARI": ("adjusted_rand_score", {}),
}


def diffuse(n_draws, n_objects, n_clusters, seed, share=0.4):
    """Return draws in which a share of the objects is anywhere."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_clusters, size=n_objects)
    anywhere = rng.integers(n_clusters, size=(n_draws, n_objects))
    return np.where(rng.random(anywhere.shape) < share, anywhere, truth)


def mixture(n_draws, n_objects, n_clusters, seed, deviation):
    """Return draws of the components of points, given the components."""
    rng = np.random.default_rng(seed)
    centers = 3 * rng.normal(size=(n_clusters, 2))
    points = centers[rng.integers(n_clusters, size=n_objects)]
    points = points + deviation * rng.normal(size=points.shape)
    squares = ((points[:, np.newaxis] - centers) ** 2).sum(axis=2) / deviation**2
    shares = np.exp((squares.min(axis=1, keepdims=True) - squares) / 2)
    ends = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)
    return (rng.random((n_draws, n_objects, 1)) > ends).sum(axis=2)


def cases(n_draws, n_objects, seed):
    yield "sharp, 2", mixture(n_draws, n_objects, 2, seed, 0.3)
    yield "sharp, 10", mixture(n_draws, n_objects, 10, seed, 0.3)
    yield "diffuse, 5", diffuse(n_draws, n_objects, 5, seed)
    yield "diffuse, 30", diffuse(n_draws, n_objects, 30, seed)
    yield "mixture, 30", mixture(n_draws, n_objects, 30, seed, 1.0)


def chain(n_draws, n_objects, n_clusters, seed):
    """Return draws of a Gibbs sampler of a mixture of normal distributions of known variance."""
    rng = np.random.default_rng(seed)
    centers = 3 * rng.normal(size=(n_clusters, 2))
    points = centers[rng.integers(n_clusters, size=n_objects)] + rng.normal(size=(n_objects, 2))
    draws = [rng.integers(n_clusters, size=n_objects)]
    for _ in range(n_draws):
        sizes = np.bincount(draws[-1], minlength=n_clusters)
        sums = np.array([points[draws[-1] == k].sum(axis=0) for k in range(n_clusters)])
        precision = sizes[:, np.newaxis] + 1 / 9
        centers = sums / precision + rng.normal(size=sums.shape) / np.sqrt(precision)
        squares = ((points[:, np.newaxis] - centers) ** 2).sum(axis=2)
        likelihood = np.log(rng.dirichlet(sizes + 1 / n_clusters) + 1e-300) - squares / 2
        draws.append((likelihood + rng.gumbel(size=likelihood.shape)).argmax(axis=1))
    return np.array(draws[1:])


def random_case(seed):
    """Return the kind of random draws, what they are like, and the draws."""
    rng = np.random.default_rng(seed)
    kind = ("sharp", "diffuse", "mixture", "chain")[seed % 4]
    size = *(100 * 10 ** rng.random(2)).astype(int), rng.integers(2, 31), seed
    if kind == "sharp":
        return kind, size, mixture(*size, 0.3)
    if kind == "diffuse":
        return kind, size, diffuse(*size, rng.uniform(0.2, 0.7))
    return kind, size, mixture(*size, rng.uniform(0.5, 1.5)) if kind == "mixture" else chain(*size)


def print_excess(n_cases, seed):
    """Compare the default search with 100 starts."""
    print("kind, draws x objects x clusters, loss: CPU s, of 100 starts, excess")
    excesses = []
    for number in range(seed, seed + n_cases):
        kind, (n_draws, n_objects, n_clusters, _), draws = random_case(number)
        loss = list(LOSSES)[number // 4 % 3]
        (seconds, found), (long, best) = timed(draws, loss), timed(draws, loss, 100)
        least = 1 - best.score if best.index.greater_is_better else best.score
        excesses.append(found.index.sign * (best.score - found.score) / max(least, 1e-12))
        if abs(excesses[-1]) > 1e-9:
            print(
                f"{kind}, {n_draws} x {n_objects} x {n_clusters}, {loss}: {seconds:.2f}, "
                f"{long:.2f}, {excesses[-1]:.1e}",
                flush=True,
            )
    above = np.mean(np.array(excesses) > 1e-9)
    error = np.sqrt(above * (1 - above) / n_cases)
    print(f"{n_cases} cases: {above:.3f} +- {error:.3f} above, at most {max(excesses):.1e}")


def print_halves(n_times, seed):
    """Count how often halves are said to disagree, in the same draws and in those of two truths."""
    print("kind, share of objects that differ: share that disagrees, standard error")
    for kind, draw in (("diffuse", diffuse), ("mixture", lambda *size: mixture(*size, 1.0))):
        for share in (0, 0.1, 0.3):
            n_warned = 0
            for number in range(seed, seed + n_times):
                rng = np.random.default_rng(number)
                draws = draw(int(rng.integers(100, 401)), 100, int(rng.integers(2, 11)), number)
                moved = np.flatnonzero(rng.random(100) < share)
                half = draws[len(draws) // 2 :]
                half[:, moved] = half[:, rng.permutation(moved)]
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    consensus_partition(draws, index="variation_of_information_distance")
                n_warned += any("disagree" in str(one.message) for one in caught)
            rate = n_warned / n_times
            error = np.sqrt(rate * (1 - rate) / n_times)
            print(f"{kind}, {share}: {rate:.3f}, {error:.3f}", flush=True)


def timed(draws, loss, n_init=None):
    index, params = LOSSES[loss]
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = consensus_partition(draws, index=index, n_init=n_init, **params)
    return time.process_time() - start, found


def one_pass(draws):
    """Return the CPU seconds of the expected variation of information of 20 partitions."""
    record, start = get_index("variation_of_information_distance"), time.process_time()
    for other in draws[:2]:
        for one in draws[:: max(len(draws) // 100, 1)][:100]:
            record(ContingencyTable.from_labels(one, other))
    return (time.process_time() - start) / 200 * 20 * len(draws)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sizes", nargs="*", default=["1000x1000", "1000x100"])
    parser.add_argument("--losses", nargs="*", default=list(LOSSES))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, help="random cases to compare with 100 starts")
    parser.add_argument("--halves", type=int, help="times that halves are compared")
    options = parser.parse_args()
    if options.cases:
        print_excess(options.cases, options.seed)
    if options.halves:
        print_halves(options.halves, options.seed)
    if options.cases or options.halves:
        return
    print("draws x objects, kind, loss: CPU s, times one pass, clusters, value")
    for size in options.sizes:
        n_draws, n_objects = map(int, size.split("x"))
        for kind, draws in cases(n_draws, n_objects, options.seed):
            unit = one_pass(draws)
            for loss in options.losses:
                seconds, found = timed(draws, loss)
                print(
                    f"{size}, {kind}, {loss}: {seconds:.3f}, {seconds / unit:.2f}, "
                    f"{found.labels.max() + 1}, {found.score:.9f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
