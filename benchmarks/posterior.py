"""Time of the consensus of draws of a posterior, and how far its loss is above a long search.

``python -m benchmarks.posterior`` prints a row for each kind of draws and each loss: CPU seconds,
the ratio to those of the expected VI of 20 partitions, the number of clusters, the average index,
and with ``--long`` its relative excess over a search of so many starts, negative where it is the
better one. ``posterior.txt`` has the commands and their rows.
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
    parser.add_argument("--long", type=int, default=0, help="starts of the long search")
    options = parser.parse_args()
    print("draws x objects, kind, loss: CPU s, times one pass, clusters, value, excess over long")
    for size in options.sizes:
        n_draws, n_objects = map(int, size.split("x"))
        for kind, draws in cases(n_draws, n_objects, options.seed):
            unit = one_pass(draws)
            for loss in options.losses:
                seconds, found = timed(draws, loss)
                excess = ""
                if options.long:
                    best = timed(draws, loss, options.long)[1].score
                    excess = f", {found.index.sign * (best - found.score) / (abs(best) or 1):.1e}"
                print(
                    f"{size}, {kind}, {loss}: {seconds:.3f}, {seconds / unit:.2f}, "
                    f"{found.labels.max() + 1}, {found.score:.9f}{excess}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
