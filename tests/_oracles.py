"""Every index by its definition, slowly: pairs of objects, permutations, exact arithmetic.

Nothing here uses the package.
"""

import functools
import itertools
import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np


def pair_counts(labels_true, labels_pred):
    """Return n11, n10, n01, n00 by looking at all pairs of objects."""
    objects = list(zip(labels_true, labels_pred, strict=True))
    kinds = Counter(
        (first[0] == second[0], first[1] == second[1])
        for first, second in itertools.combinations(objects, 2)
    )
    return tuple(kinds[kind] for kind in itertools.product((True, False), repeat=2))


def pair_counts_of_table(counts):
    """Return n11, n10, n01, n00 of a list of lists of whole counts, in exact arithmetic."""
    both = sum(math.comb(n, 2) for row in counts for n in row)
    true = sum(math.comb(sum(row), 2) for row in counts)
    pred = sum(math.comb(sum(col), 2) for col in zip(*counts, strict=True))
    total = math.comb(sum(map(sum, counts)), 2)
    return both, true - both, pred - both, total - true - pred + both


def dense_table(labels_true, labels_pred):
    """Return the contingency table as a list of lists, clusters in order of appearance."""
    counted = Counter(zip(labels_true, labels_pred, strict=True))
    rows, cols = dict.fromkeys(labels_true), dict.fromkeys(labels_pred)
    return [[counted[row, col] for col in cols] for row in rows]


def distinct_arrangements(labels):
    """Return all orders of the labels that differ."""
    return sorted(set(itertools.permutations(labels)))


# --------------------------------------------------------------------------- pairs


def rand(n11, n10, n01, n00):
    return Fraction(n11 + n00, n11 + n10 + n01 + n00)


def adjusted_rand(n11, n10, n01, n00):
    true, pred, total = n11 + n10, n11 + n01, n11 + n10 + n01 + n00
    expected = Fraction(true * pred, total)
    return (n11 - expected) / (Fraction(true + pred, 2) - expected)


def fowlkes_mallows(n11, n10, n01, n00):
    return n11 / mpmath.sqrt((n11 + n10) * (n11 + n01))


def jaccard(n11, n10, n01, n00):
    return Fraction(n11, n11 + n10 + n01)


def precision(n11, n10, n01, n00):
    return Fraction(n11, n11 + n01)


def recall(n11, n10, n01, n00):
    return Fraction(n11, n11 + n10)


def f_measure_of_pairs(n11, n10, n01, n00, beta=1):
    p, r = precision(n11, n10, n01, n00), recall(n11, n10, n01, n00)
    weight = Fraction(beta) ** 2
    return (1 + weight) * p * r / (weight * p + r)


def adjusted_wallace(n11, n10, n01, n00, given="true"):
    total = n11 + n10 + n01 + n00
    side, other = (n11 + n10, n11 + n01) if given == "true" else (n11 + n01, n11 + n10)
    expected = Fraction(other, total)
    return (Fraction(n11, side) - expected) / (1 - expected)


def mirkin(n11, n10, n01, n00):
    return 2 * (n10 + n01)


def partition_difference(n11, n10, n01, n00):
    return n00


PAIR_INDICES = {
    "rand_score": rand,
    "adjusted_rand_score": adjusted_rand,
    "fowlkes_mallows_score": fowlkes_mallows,
    "pair_jaccard_score": jaccard,
    "pair_precision_score": precision,
    "pair_recall_score": recall,
    "pair_f_score": f_measure_of_pairs,
    "adjusted_wallace_score": adjusted_wallace,
    "mirkin_distance": mirkin,
    "partition_difference": partition_difference,
}


def _marginals(a, b, c, d):
    return a + b, a + c, b + d, c + d


def _phi(a, b, c, d):
    product = math.prod(_marginals(a, b, c, d))
    if product == 0:
        raise ZeroDivisionError
    return (a * d - b * c) / mpmath.sqrt(product)


# By the formulas of the literature; all raise ZeroDivisionError where they are undefined.
COEFFICIENTS = {
    "hamann": lambda a, b, c, d: Fraction((a + d) - (b + c), a + b + c + d),
    "czekanowski": lambda a, b, c, d: Fraction(2 * a, 2 * a + b + c),
    "kulczynski": lambda a, b, c, d: (Fraction(a, a + b) + Fraction(a, a + c)) / 2,
    "mcconnaughey": lambda a, b, c, d: Fraction(a * a - b * c, (a + b) * (a + c)),
    "peirce": lambda a, b, c, d: Fraction(a * d - b * c, (a + b) * (c + d)),
    "gamma": _phi,
    "sokal_sneath_1": lambda a, b, c, d: (
        (Fraction(a, a + b) + Fraction(a, a + c) + Fraction(d, b + d) + Fraction(d, c + d)) / 4
    ),
    "sokal_sneath_2": lambda a, b, c, d: Fraction(a, a + 2 * (b + c)),
    "sokal_sneath_3": lambda a, b, c, d: (
        a * d / mpmath.sqrt(_nonzero(math.prod(_marginals(a, b, c, d))))
    ),
    "baulieu_1": lambda a, b, c, d: Fraction(
        (a + b + c + d) ** 2 - (a + b + c + d) * (b + c) + (b - c) ** 2, (a + b + c + d) ** 2
    ),
    "baulieu_2": lambda a, b, c, d: Fraction(a * d - b * c, (a + b + c + d) ** 2),
    "russell_rao": lambda a, b, c, d: Fraction(a, a + b + c + d),
    "rogers_tanimoto": lambda a, b, c, d: Fraction(a + d, a + 2 * (b + c) + d),
    "gower_legendre": lambda a, b, c, d: (a + d) / (a + Fraction(b + c, 2) + d),
    "goodman_kruskal": lambda a, b, c, d: Fraction(a * d - b * c, a * d + b * c),
    "pearson": lambda a, b, c, d: Fraction(a * d - b * c, math.prod(_marginals(a, b, c, d))),
    "fager_mcgowan": lambda a, b, c, d: (
        a / mpmath.sqrt(_nonzero((a + b) * (a + c))) - 1 / (2 * mpmath.sqrt(a + b))
    ),
}


def _nonzero(number):
    if number == 0:
        raise ZeroDivisionError
    return number


def chi_squared(counts):
    """Sum over all cells, the empty ones included."""
    n = sum(map(sum, counts))
    cols = [sum(col) for col in zip(*counts, strict=True)]
    total = Fraction(0)
    for row in counts:
        for cell, size in zip(row, cols, strict=True):
            expected = Fraction(sum(row) * size, n)
            total += (cell - expected) ** 2 / expected
    return total


# --------------------------------------------------------------------------- sets


def best_matching(counts):
    """Return the largest sum of cells, no two in the same row or column, over all matchings."""
    if len(counts) > len(counts[0]):
        counts = [list(col) for col in zip(*counts, strict=True)]
    n_cols = len(counts[0])
    return max(
        sum(row[col] for row, col in zip(counts, order, strict=True))
        for order in itertools.permutations(range(n_cols), len(counts))
    )


def greedy_sums(counts):
    """Return the sums of all ways to take cells one by one, the largest first."""

    @functools.cache
    def taken(rows, cols):
        free = {(row, col): counts[row][col] for row in rows for col in cols}
        largest = max(free.values(), default=0)
        if not largest:
            return {0}
        return {
            largest + rest
            for (row, col), n in free.items()
            if n == largest
            for rest in taken(rows - {row}, cols - {col})
        }

    return taken(frozenset(range(len(counts))), frozenset(range(len(counts[0]))))


def rank_maximal_matching(counts):
    """Return the sum of the matching with most of the largest cells, then of the next, ..."""
    if len(counts) > len(counts[0]):
        counts = list(zip(*counts, strict=True))
    return sum(
        max(
            sorted((row[col] for row, col in zip(counts, order, strict=True)), reverse=True)
            for order in itertools.permutations(range(len(counts[0])), len(counts))
        )
    )


def purity(counts):
    n = sum(map(sum, counts))
    return Fraction(sum(map(max, zip(*counts, strict=True))), n)


def inverse_purity(counts):
    return purity(list(zip(*counts, strict=True)))


def larsen_aone(counts, beta=1):
    n = sum(map(sum, counts))
    cols = [sum(col) for col in zip(*counts, strict=True)]
    weight = Fraction(beta) ** 2
    total = Fraction(0)
    for row in counts:
        best = Fraction(0)
        for cell, size in zip(row, cols, strict=True):
            if cell:
                p, r = Fraction(cell, size), Fraction(cell, sum(row))
                best = max(best, (1 + weight) * p * r / (weight * p + r))
        total += Fraction(sum(row), n) * best
    return total


def van_dongen(counts):
    n = sum(map(sum, counts))
    return 2 * n - sum(map(max, counts)) - sum(map(max, zip(*counts, strict=True)))


def _share(matching):
    return lambda counts: Fraction(matching(counts), sum(map(sum, counts)))


SET_INDICES = {
    "purity_score": purity,
    "meila_heckerman_score": purity,
    "inverse_purity_score": inverse_purity,
    "f_measure_score": larsen_aone,
    "van_dongen_distance": van_dongen,
    "matching_accuracy_score": _share(best_matching),
    "misclassification_distance": lambda counts: 1 - _share(best_matching)(counts),
    "maximum_match_score": _share(rank_maximal_matching),
}


# --------------------------------------------------------------------------- entities


def clusters(labels, background=None):
    """Return the clusters as sets of positions; the background is none."""
    found = {}
    for position, label in enumerate(labels):
        found.setdefault(label, set()).add(position)
    found.pop(background, None)
    return list(found.values())


def dice(first, second):
    return Fraction(2 * len(first & second), len(first) + len(second))


def jaccard_of_sets(first, second):
    return Fraction(len(first & second), len(first | second))


def best_assignment(true, pred, value):
    """Return the largest sum of values over all ways to pair up the sets of both sides."""
    if len(true) > len(pred):
        return best_assignment(pred, true, lambda first, second: value(second, first))
    return max(
        sum((value(first, second) for first, second in zip(true, order, strict=True)), start=0)
        for order in itertools.permutations(pred, len(true))
    )


def found_clusters(true, pred, threshold):
    """Return how many clusters are found, and their largest sum of overlaps, over all pairings."""

    def is_found(first, second):
        if threshold == "majority":
            return 2 * len(first & second) > max(len(first), len(second))
        overlap = jaccard_of_sets(first, second)
        return overlap == 1 if threshold == 1 else float(overlap) > threshold

    def worth(first, second):
        # A pair that is found outweighs all overlaps.
        return 1000 + jaccard_of_sets(first, second) if is_found(first, second) else Fraction(0)

    return divmod(best_assignment(true, pred, worth), 1000)


def lea_recall(true, pred):
    """Return the share of links that are kept, of each cluster by its size, pair by pair."""
    total = Fraction(0)
    for cluster in true:
        links = [set(pair) for pair in itertools.combinations(cluster, 2)] or [cluster]
        kept = [
            link
            for link in links
            if any(link == other or (len(link) == 2 and link <= other) for other in pred)
        ]
        total += len(cluster) * Fraction(len(kept), len(links))
    return total / sum(map(len, true))


def reduced_mutual_info(counts):
    """Return the reduced mutual information in nats, the columns described by the rows."""
    cols = [sum(col) for col in zip(*counts, strict=True)]
    rows = [sum(row) for row in counts]

    def factorials(numbers):
        return mpmath.fsum(mpmath.loggamma(number + 1) for number in numbers)

    def cost(numbers, alpha):
        total, q = sum(numbers), len(cols)
        if alpha == mpmath.inf:
            return total * mpmath.log(q) - factorials([total]) + factorials(numbers)
        return _log_choose(total, q * alpha) - mpmath.fsum(_log_choose(x, alpha) for x in numbers)

    def smallest(texts):
        def length(alpha):
            return mpmath.fsum(cost(text, alpha) for text in texts)

        def at(power):
            return length(mpmath.mpf(10) ** power)

        # Golden sections around the best of a grid: no steps where it is flat.
        grid = [mpmath.mpf(step) / 4 for step in range(-60, 81)]
        best = min(grid, key=at)
        low, high = best - mpmath.mpf(1) / 4, best + mpmath.mpf(1) / 4
        golden = (mpmath.sqrt(5) - 1) / 2
        for _ in range(90):
            left, right = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, right) if at(left) < at(right) else (left, high)
        return min(at((low + high) / 2), length(mpmath.inf))

    traditional = (
        factorials([sum(rows)])
        + factorials(n for row in counts for n in row)
        - factorials(rows)
        - factorials(cols)
    )
    return traditional + smallest([cols]) - smallest(counts)


def _log_choose(number, boxes):
    """Return the logarithm of the number of ways to put objects into boxes, a real number."""
    return (
        mpmath.loggamma(number + boxes) - mpmath.loggamma(boxes) - mpmath.loggamma(number + 1)
        if number
        else mpmath.mpf(0)
    )


# --------------------------------------------------------------------------- information


def entropy(sizes, q=1):
    """Return H_q in nats, at mpmath's precision."""
    n = sum(sizes)
    shares = [mpmath.mpf(size) / n for size in sizes if size]
    if q == 1:
        return -mpmath.fsum(share * mpmath.log(share) for share in shares)
    return (1 - mpmath.fsum(share ** mpmath.mpf(q) for share in shares)) / (mpmath.mpf(q) - 1)


class Information:
    """Entropies of a table: H(U), H(V), H(U, V), MI, VI, all of order q."""

    def __init__(self, counts, q=1):
        self.true = entropy([sum(row) for row in counts], q)
        self.pred = entropy([sum(col) for col in zip(*counts, strict=True)], q)
        self.joint = entropy([n for row in counts for n in row], q)
        self.mutual = self.true + self.pred - self.joint
        self.variation = 2 * self.joint - self.true - self.pred

    def bound(self, average_method):
        return {
            "min": min(self.true, self.pred),
            "geometric": mpmath.sqrt(self.true * self.pred),
            "arithmetic": (self.true + self.pred) / 2,
            "max": max(self.true, self.pred),
            "joint": self.joint,
        }[average_method]


# Linear in n11 for given margins, so that the mean of the coefficient is its value at E n11.
LINEAR_COEFFICIENTS = [
    *("hamann", "czekanowski", "kulczynski", "mcconnaughey", "peirce", "gamma"),
    *("sokal_sneath_1", "baulieu_1", "baulieu_2", "russell_rao", "pearson", "fager_mcgowan"),
]


def expected_mutual_info(true_sizes, pred_sizes):
    """Mean of MI over all permutations: each cell is hypergeometric."""
    n = sum(true_sizes)
    total = mpmath.mpf(0)
    true_counts, pred_counts = Counter(true_sizes), Counter(pred_sizes)
    for (a, n_a), (b, n_b) in itertools.product(true_counts.items(), pred_counts.items()):
        tables = math.comb(n, b)
        mean = mpmath.fsum(
            mpmath.mpf(math.comb(a, k) * math.comb(n - a, b - k))
            / tables
            * k
            / n
            * mpmath.log(mpmath.mpf(n) * k / (a * b))
            for k in range(max(1, a + b - n), min(a, b) + 1)
        )
        total += n_a * n_b * mean
    return total


# --------------------------------------------------------------------------- data, one partition


def incidence_proximity_correlation(points, labels):
    """Return Pearson's correlation over the pairs, in fifty digits."""
    with mpmath.workdps(50):
        pairs = list(itertools.combinations(range(len(points)), 2))
        distances = [mpmath.sqrt(_square(points[i], points[j])) for i, j in pairs]
        apart = [mpmath.mpf(int(labels[i] != labels[j])) for i, j in pairs]
        return float(_pearson(distances, apart))


def _pearson(first, second):
    means = mpmath.fsum(first) / len(first), mpmath.fsum(second) / len(second)
    products = [[a - means[0], b - means[1]] for a, b in zip(first, second, strict=True)]
    variances = [mpmath.fsum(pair[side] ** 2 for pair in products) for side in (0, 1)]
    return mpmath.fsum(a * b for a, b in products) / mpmath.sqrt(variances[0] * variances[1])


def _square(first, second):
    gaps = (mpmath.mpf(float(a)) - mpmath.mpf(float(b)) for a, b in zip(first, second, strict=True))
    return mpmath.fsum(gap**2 for gap in gaps)


def separation_and_diameter(points, labels):
    """Return the smallest distance between clusters and the largest one within, over all pairs."""
    separation, diameter = math.inf, 0.0
    for i, j in itertools.combinations(range(len(points)), 2):
        distance = math.dist(points[i], points[j])
        if labels[i] == labels[j]:
            diameter = max(diameter, distance)
        else:
            separation = min(separation, distance)
    return separation, diameter


def fuzzy_scatter(points, memberships):
    """Return centers and the sums u^2 |x - v|^2, u^2 |v - m|^2 of each cluster, as fractions."""
    points = [[Fraction(float(value)) for value in point] for point in points]
    mean = [sum(values) / len(points) for values in zip(*points, strict=True)]
    centers, within, between = [], [], []
    for column in zip(*memberships, strict=True):
        weights = [Fraction(float(share)) ** 2 for share in column]
        center = [
            sum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
            for values in zip(*points, strict=True)
        ]
        centers.append(center)
        within.append(
            sum(w * _square_gap(point, center) for w, point in zip(weights, points, strict=True))
        )
        between.append(sum(weights) * _square_gap(center, mean))
    return centers, within, between


def _square_gap(first, second):
    return sum((a - b) ** 2 for a, b in zip(first, second, strict=True))


def xie_beni(points, memberships):
    """Return the scatter by the number of objects and the smallest squared distance of centers."""
    centers, within, _ = fuzzy_scatter(points, memberships)
    separation = min(_square_gap(a, b) for a, b in itertools.combinations(centers, 2))
    return float(sum(within) / (len(points) * separation))


# --------------------------------------------------------------------------- covers


def _shared(clusters, first, second):
    """Return the number of clusters with both objects."""
    return sum(first in cluster and second in cluster for cluster in clusters)


def omega(true, pred, n_objects):
    """Agreement on the number of shared clusters over all pairs of objects, beyond chance."""
    pairs = list(itertools.combinations(range(n_objects), 2))
    counts = [(_shared(true, *pair), _shared(pred, *pair)) for pair in pairs]
    observed = Fraction(sum(one == other for one, other in counts), len(pairs))
    sides = [Counter(count[side] for count in counts) for side in (0, 1)]
    expected = Fraction(
        sum(number * sides[1][shared] for shared, number in sides[0].items()), len(pairs) ** 2
    )
    return (observed - expected) / (1 - expected)


def multiplicity_precision(true, pred, n_objects):
    """Mean over the objects of the mean over the objects that share a cluster with them."""
    means = []
    for one in range(n_objects):
        shares = []
        for other in range(n_objects):
            shared = _shared(pred, one, other)
            if shared:
                shares.append(Fraction(min(shared, _shared(true, one, other)), shared))
        if shares:
            means.append(sum(shares) / len(shares))
    return sum(means) / len(means)


def _information_left(cluster, clusters, n_objects):
    """Return H(X) and the least of H(X) and the H(X | Y) that count, in nats."""

    def term(number):
        share = mpmath.mpf(number) / n_objects
        return -share * mpmath.log(share) if number else mpmath.mpf(0)

    entropy = term(len(cluster)) + term(n_objects - len(cluster))
    left = [entropy]
    for other in clusters:
        both, neither = len(cluster & other), n_objects - len(cluster | other)
        alone = term(len(cluster - other)), term(len(other - cluster))
        if term(both) + term(neither) >= sum(alone):
            joint = term(both) + term(neither) + sum(alone)
            left.append(joint - term(len(other)) - term(n_objects - len(other)))
    return entropy, min(left)


def overlapping_nmi(true, pred, n_objects, variant):
    sides = [
        [_information_left(cluster, others, n_objects) for cluster in clusters]
        for clusters, others in ((true, pred), (pred, true))
    ]
    if variant == "lfk":
        lacking = [
            mpmath.fsum(left / entropy for entropy, left in side if entropy) / len(side)
            for side in sides
        ]
        return 1 - mpmath.fsum(lacking) / 2
    total = [mpmath.fsum(entropy for entropy, _ in side) for side in sides]
    left = [mpmath.fsum(one for _, one in side) for side in sides]
    return (sum(total) - sum(left)) / (2 * max(total))


def average_f(true, pred):
    def best(cluster, others):
        return max(Fraction(2 * len(cluster & one), len(cluster) + len(one)) for one in others)

    sides = [
        sum(best(cluster, others) for cluster in clusters) / len(clusters)
        for clusters, others in ((true, pred), (pred, true))
    ]
    return sum(sides) / 2


def element_centric(true, pred, n_objects, alpha=0.9, weights=None):
    """Return the similarity of each object, from personalized PageRanks solved one by one.

    ``weights`` are those of the clusters of both sides. A walker in no cluster stays where it is.
    """
    walks = []
    for side, clusters in enumerate((true, pred)):
        affinity = np.zeros((n_objects, len(clusters)))
        for number, cluster in enumerate(clusters):
            affinity[list(cluster), number] = 1 if weights is None else weights[side][number]
        step = np.eye(n_objects)
        for one in range(n_objects):
            if affinity[one].any():
                step[one] = affinity[one] / affinity[one].sum() @ (affinity / affinity.sum(0)).T
        walks.append((1 - alpha) * np.linalg.inv(np.eye(n_objects) - alpha * step))
    return 1 - np.abs(walks[0] - walks[1]).sum(axis=1) / (2 * alpha)
