"""Slow definitions of sampling errors: every object or group is left out, every error is made."""

import itertools
import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import digamma, exp1
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


def bias(parts_without, value):
    """Return by how much a value exceeds that of the population, by those without each unit."""
    return (len(parts_without) - 1) * (np.mean(parts_without) - value)


def gain(index, value, bias):
    """Return by which share the error grows, as the bias is a share of what a value misses."""
    best = index.range[index.greater_is_better]
    return min(max((bias if index.greater_is_better else -bias) / abs(best - value), 0.0), 1.0)


def values_without(index, truth, found):
    kept = ~np.eye(len(truth), dtype=bool)
    return [value_of(index, np.asarray(truth)[one], np.asarray(found)[one]) for one in kept]


def slope(influences):
    """Return by how much the variance of a mean of influences grows as it falls."""
    return -np.sum(influences**3) / np.sum(influences**2) / len(influences)


def interval_below(best, value, variance, effect, df, slope=math.inf, tail=0.025):
    """Return the interval of a score with a largest value, by a search for its ends."""
    t, missed = student.isf(tail, df), best - value
    growth = min((variance + effect**2) / (missed + effect), max(math.sqrt(variance), effect))
    growth = min(max(slope, -growth), growth)

    def beyond(x):
        return (x - missed) ** 2 - t**2 * (variance + growth * (x - missed))

    far = 10 * t * (t * abs(growth) + math.sqrt(variance))
    top, bottom = missed + far, missed - far  # the outer roots
    if growth > 0:
        bottom = missed - variance / growth
    elif growth < 0:
        top = missed - variance / growth
    low = max(brentq(beyond, bottom, missed), 0.0)
    return best - brentq(beyond, missed, top), best - low


def interval_of_difference(difference, variance, effect, df, tail=0.025):
    """Return interval and p-value of a difference of rare gains of the same effect, by searches."""

    def variance_at(x):  # the two numbers of gains are most likely if they differ by x
        inner = variance**2 - 4 * effect**2 * x * (difference - x)
        return (variance + math.sqrt(inner)) / 2

    def beyond(x, t):
        return (difference - x) ** 2 - t**2 * variance_at(x)

    t, far = student.isf(tail, df), 100 * (math.sqrt(variance) + effect)
    low, high = (brentq(beyond, difference + s * far, difference, args=(t,)) for s in (-1, 1))
    statistic = brentq(lambda t: beyond(0.0, t), 0, 1e3)
    return (low, high), 2 * student.sf(statistic, df)


def unseen_entropy(counts, rows, cols, share):
    """Return by how much the entropy of all cells exceeds that of a table, cell by cell.

    Cells that were not seen are all empty ones, as large as the sizes of clusters tell, with the
    given share, and else as those with one and with two objects tell.
    """
    counts, total = np.asarray(counts), int(np.sum(counts))
    occupied = counts[counts > 0]
    single, double = np.sum(occupied == 1), np.sum(occupied == 2)
    known = sum(n / total * (digamma(total) - digamma(n) + math.log(n / total)) for n in occupied)
    if not single or (counts > 0).all():
        return known
    empty = [
        a * b / total**2
        for a, line in zip(rows, counts, strict=True)
        for b, n in zip(cols, line, strict=True)
        if not n
    ]
    # Objects in an empty cell, in the geometric mean by objects.
    rate = math.exp(np.average(np.log(empty), weights=empty)) * single / sum(empty)
    by_cells = 2 * double / single if double else 2 / max(single - 1, 1)
    tails = [single / total * math.exp(x) * exp1(x) for x in (by_cells, rate)]
    return known + (1 - share) * tails[0] + share * tails[1]
