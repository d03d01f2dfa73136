"""Slow definitions of sampling errors: every object or group is left out, every error is made."""

import itertools
import math

import numpy as np
from scipy.optimize import brentq
from scipy.stats import gamma, norm
from scipy.stats import t as student

from sklearn_clustcompare import ContingencyTable


def value_of(index, truth, found, **options):
    return index(ContingencyTable.from_labels(truth, found, **options))


def influences(index, truth, found, groups=None, **options):
    """Return the influence of each object, or of each group, one after the other."""
    truth, found = np.asarray(truth), np.asarray(found)
    units = np.arange(len(truth)) if groups is None else np.unique(groups, return_inverse=True)[1]
    left = []
    for unit in range(units.max() + 1):
        kept = units != unit
        left.append(value_of(index, truth[kept], found[kept], **options))
    n_units = len(left)
    return (n_units - 1) * (np.mean(left) - np.array(left))


def standard_error(parts):
    return math.sqrt(np.sum(np.square(parts)) / (len(parts) * (len(parts) - 1)))


def effect_of_an_error(index, truth, found):
    """Return the mean loss if an object joins the cluster of another, over all pairs of objects."""
    found = np.asarray(found)
    value, losses = value_of(index, truth, found), []
    for one, other in itertools.permutations(range(len(found)), 2):
        if found[one] != found[other]:
            wrong = found.copy()
            wrong[one] = found[other]
            loss = value - value_of(index, truth, wrong)
            losses.append(loss if index.greater_is_better else -loss)
    return np.mean(losses) if np.mean(losses) > 0 else np.mean(np.abs(losses))


def limit(probability, mean, variance, effect):
    """Return the mid-p limit of an amount, by a search."""
    if mean == 0 and probability < 0.5:
        return 0.0

    def law(m, v):
        return gamma(m * m / v, scale=v / m).cdf if m > 0 and v > 0 else lambda x: float(x >= m)

    one, other = law(mean, variance), law(mean + effect, variance + effect**2)
    top = mean + effect + 50 * math.sqrt(variance + effect**2)
    while (one(top) + other(top)) / 2 < probability and top < 1e9:
        top *= 2
    return brentq(lambda x: (one(x) + other(x)) / 2 - probability, 0, top, xtol=1e-14)


def widening(tail, df):
    return (student.isf(tail, df) / norm.isf(tail)) ** 2


def interval_below(best, value, error, effect, df, tail=0.025):
    """Return the interval of a score with a largest value."""
    missed, variance = best - value, widening(tail, df) * error**2
    return best - limit(1 - tail, missed, variance, effect), best - limit(
        tail, missed, variance, effect
    )


def interval_of_difference(first, second, difference, effect, df, tail=0.025):
    """Return hull and p-value of a difference, from the influences on both values."""
    parts = np.array(first) - np.array(second)
    error, n = standard_error(parts), len(parts)
    leads = parts + difference
    gains = [np.maximum(leads, 0), np.maximum(-leads, 0)]
    means = [one.mean() for one in gains]
    raw = [np.sum(one**2) / n**2 for one in gains]

    def of_gains(tail):
        scale = widening(tail, df) * error**2 / sum(raw)
        ends = [
            [limit(p, mean, scale * part, effect) for p in (tail, 1 - tail)]
            for mean, part in zip(means, raw, strict=True)
        ]
        (low_p, high_p), (low_m, high_m) = ends
        return (
            difference - math.hypot(means[0] - low_p, high_m - means[1]),
            difference + math.hypot(high_p - means[0], means[1] - low_m),
        )

    low, high = of_gains(tail)
    reach = student.isf(tail, df) * error
    side = 0 if difference > 0 else 1
    sign = 1 if difference > 0 else -1
    # Where the end of the interval that lies nearer to zero reaches it.
    ends_at = brentq(
        lambda x: sign * of_gains(math.exp(x))[side], math.log(1e-12), math.log(0.4999)
    )
    pvalue = max(2 * math.exp(ends_at), 2 * student.sf(abs(difference) / error, df))
    return (min(low, difference - reach), max(high, difference + reach)), pvalue
