"""
Summarize a posterior of partitions
===================================

A Gibbs sampler of a mixture of normal distributions draws partitions of the iris flowers. The
consensus of the draws is an estimate, and its credible ball shows how sure it is.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import invwishart
from sklearn.datasets import load_iris

from sklearn_clustcompare import adjusted_rand_score, consensus_partition

X, species = load_iris(return_X_y=True)


# %%
# Of six components some are empty: the weights have a Dirichlet prior with a small concentration.
# Means and covariances have the conjugate prior, normal and inverse Wishart.
def sample(X, n_draws, seed, *, n_components=6, concentration=0.2, warm_up=300):
    rng = np.random.default_rng(seed)
    (n, d), center, scatter = X.shape, X.mean(axis=0), np.cov(X.T) / 10
    labels, draws = rng.integers(n_components, size=n), []
    for _ in range(warm_up + n_draws):
        sizes = np.bincount(labels, minlength=n_components)
        shares = rng.gamma(concentration + sizes) + 1e-300
        logs = np.empty((n, n_components))
        for one, size in enumerate(sizes):
            own = X[labels == one]
            mean = own.mean(axis=0) if size else center
            squares = (own - mean).T @ (own - mean)
            gap = mean - center
            scale = scatter * (d + 2) + squares + 0.1 * size / (0.1 + size) * np.outer(gap, gap)
            covariance = invwishart.rvs(d + 3 + size, scale, random_state=rng)
            place = (0.1 * center + size * mean) / (0.1 + size)
            place = rng.multivariate_normal(place, covariance / (0.1 + size))
            root = np.linalg.inv(np.linalg.cholesky(covariance))
            logs[:, one] = np.log(shares[one]) + np.log(np.diag(root)).sum()
            logs[:, one] -= (((X - place) @ root.T) ** 2).sum(axis=1) / 2
        labels = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1)
        draws.append(labels)
    return np.array(draws[warm_up:])


chains = np.array([sample(X, 300, seed) for seed in range(2)])

# %%
# Labels mean nothing across draws, so that they cannot be averaged. The consensus has the least
# expected distance to the draws. The loss decides: Binder's loss makes small clusters where the
# draws are divided, the variation of information does not.
losses = {"variation of information": {"index": "variation_of_information_distance"}}
losses["Binder"] = {"index": "mirkin_distance", "normalize": True}
for name, options in losses.items():
    found = consensus_partition(chains, random_state=0, **options)
    sizes = np.bincount(found.labels).tolist()
    agreement = adjusted_rand_score(species, found.labels)
    print(f"{name}: {found.score:.4f} +- {found.standard_error:.4f}, sizes {sizes}")
    print(f"  adjusted Rand index with the species {agreement:.2f}")

# %%
# The ball around the estimate holds 95 % of the draws. The bounds are the draws in it that are
# farthest, and those with the fewest and the most clusters. All of them have the first species.
# The picture is a ``CredibleBallDisplay``.
estimate = consensus_partition(chains, index="variation_of_information_distance", random_state=0)
estimate.credible_ball(0.95).plot()
# sphinx_gallery_alt = "Four rows of colors, one for each partition: the first cluster is the same in all of them"
plt.show()

# %%
# Flowers that are often with others are those between the two other species.
unsure = np.argsort(estimate.object_certainty)[:5]
print(estimate.object_certainty[unsure].round(2), species[unsure])
