"""Local search for a consensus from many starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from sklearn_clustcompare._array_types import Positions
from sklearn_clustcompare._memory import warn_if_long
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, progress, run_tasks
from sklearn_clustcompare.consensus._agglomeration import average_tree, class_shares
from sklearn_clustcompare.consensus._agreement import MAX_TARGETS, Agreement, is_better
from sklearn_clustcompare.consensus._ensemble import Ensemble, Member
from sklearn_clustcompare.consensus._search import Bounds, Found, LocalSearch

T = TypeVar("T")

# By default so many cells are searched in total, in searches of at least one start.
_CELLS_SEARCHED = 1000
_MAX_STARTS = 40
# Where each move is a table of its own, so many are counted by default; and what is expected.
_TABLES_COUNTED = 50_000
_STEPS = 10
_SECONDS_PER_TABLE = 4e-5
# Up to so many objects, those that no partition separates may be separated in the end.
_MAX_SINGLE = 100
# Share of the cells that move to a random cluster, for more starts.
_PERTURBED = 1 / 2
# Draws of a perturbation within the bounds.
_TRIALS = 20


def search(
    local: LocalSearch,
    n_init: int | None,
    generator: np.random.RandomState | np.random.Generator,
    *,
    n_jobs: int | None,
    verbose: int | None,
) -> tuple[Ensemble, Found]:
    """Return the best that local search finds from the best starts, and its cells."""
    agreement = local.agreement
    starts = list(_distinct(_starts(local)))
    tasks = ((agreement, start) for start in _shown(starts, verbose, "starts"))
    # Steps of the search hold the GIL.
    averages = np.array(
        run_tasks(_average, tasks, n_jobs=n_jobs, prefer="processes", total=len(starts))
    )
    sign = -1 if agreement.index.greater_is_better else 1
    order = np.argsort(sign * averages, kind="stable")
    n_counted = _STEPS * agreement.n_counted(starts[order[0]])
    if n_init is None:
        n_init = min(max(_CELLS_SEARCHED // max(agreement.ensemble.n_cells, 1), 1), _MAX_STARTS)
        n_init = min(n_init, max(_TABLES_COUNTED // max(n_counted, 1), 1))
    warn_if_long(
        f"the search with {agreement.index.name}, which counts each of its tables,",
        _SECONDS_PER_TABLE * n_init * n_counted,
        "an index that is linear in pairs, information or cells, see list_indices, takes less",
    )
    chosen = [starts[number] for number in order[:n_init].tolist()]
    while len(chosen) < n_init:
        chosen.append(_perturbed(chosen[len(chosen) % len(starts)], local.bounds, generator))
    searches = [(local, start) for start in chosen]
    shown = _shown(searches, verbose, "searches")
    found = run_tasks(_climb, shown, n_jobs=n_jobs, prefer="processes", total=len(searches))
    best = found[0]
    for other in found[1:]:
        if is_better(other.history[-1], best.history[-1], agreement.index):
            best = other
    return _search_on(local, best) if best.is_optimum else (agreement.ensemble, best)


def _search_on(local: LocalSearch, found: Found) -> tuple[Ensemble, Found]:
    """Search on by pairs of moves, and with cells of one object each where there are few."""
    ensemble, labels = local.agreement.ensemble, found.labels
    n_objects = int(ensemble.sizes.sum())
    last = replace(local, is_last=True)
    if ensemble.n_cells < n_objects <= _MAX_SINGLE:
        divided = ensemble.with_cells(n_objects)
        last = replace(last, agreement=replace(local.agreement, ensemble=divided))
        labels = np.repeat(labels, ensemble.sizes)
    elif local.bounds.low <= 1 and local.bounds.high >= n_objects:  # no move is forbidden
        return ensemble, found
    more = _climb(last, labels)
    if len(more.history) == 1:
        return ensemble, found
    return last.agreement.ensemble, more._replace(history=found.history + more.history[1:])


def _shown(items: list[Any], verbose: int | None, description: str) -> Iterator[Any]:
    return progress(items, verbose=verbose, description=description, total=len(items))


def _average(agreement: Agreement, labels: Positions) -> float:
    return _quietly(agreement.average, labels)


def _climb(local: LocalSearch, labels: Positions) -> Found:
    return _quietly(local.climb, labels)


def _quietly(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function without warnings of undefined values, which come for the result only."""
    with UNDEFINED_IGNORED:
        return function(*arguments)


def _starts(local: LocalSearch) -> Iterator[Positions]:
    """Yield partitions of the cells within the bounds: those given, cuts of their tree, and one
    cluster without some cells, where there are few.
    """
    ensemble, bounds = local.agreement.ensemble, local.bounds
    if not ensemble.n_cells:
        yield np.zeros(0, np.intp)
        return
    shares = class_shares(ensemble)
    given = [_completed(ensemble, member, shares) for member in ensemble.members]
    yield from filter(bounds.hold, given)
    tree = average_tree(ensemble)
    numbers = {len(np.unique(labels)) for labels in given}
    numbers |= {tree.n_clusters_at(0.5), tree.longest_lived(*bounds), bounds.low, bounds.high}
    for n_clusters in sorted(numbers):
        if bounds.low <= n_clusters <= min(bounds.high, tree.n_groups):
            yield tree.cut(n_clusters)
    if bounds.low > tree.n_groups:
        yield np.arange(ensemble.n_cells) % bounds.low
    if ensemble.n_cells <= _CELLS_SEARCHED and bounds.low <= MAX_TARGETS:
        yield _quietly(local.divide)


def _completed(ensemble: Ensemble, member: Member, shares: csr_array) -> Positions:
    """Return a partition of all cells: each one it lacks joins the cluster with most in common."""
    labels = np.full(ensemble.n_cells, -1)
    codes = member.codes
    labels[member.cells] = np.asarray(member.shares).argmax(axis=1) if codes is None else codes
    unknown = np.flatnonzero(labels < 0)
    while len(unknown):
        known = np.flatnonzero(labels >= 0)
        sizes = ensemble.sizes[known]
        entries = sizes / np.bincount(labels[known], sizes)[labels[known]]
        means = csr_array((entries, (known, labels[known])), (len(labels), labels.max() + 1))
        shared = (shares[unknown] @ (shares.T @ means)).toarray()
        found = shared.max(axis=1) > 0
        if not found.any():
            # Clusters that no chain of common classes links to those of this partition.
            first_class = shares[unknown].toarray().astype(bool).argmax(axis=1)
            labels[unknown] = labels.max() + 1 + in_order_of_appearance(first_class)
            break
        labels[unknown[found]] = shared[found].argmax(axis=1)
        unknown = unknown[~found]
    return in_order_of_appearance(labels)


def _distinct(starts: Iterator[Positions]) -> Iterator[Positions]:
    seen = set()
    for labels in starts:
        labels = in_order_of_appearance(labels)
        key = labels.tobytes()
        if key not in seen:
            seen.add(key)
            yield labels


def _perturbed(
    labels: Positions,
    bounds: Bounds,
    generator: np.random.RandomState | np.random.Generator,
) -> Positions:
    """Move some cells to random clusters or new ones, as far as the bounds allow."""
    n_clusters = int(labels.max(initial=-1)) + 1
    # Labels of cells drawn at random, and one label that is new.
    pool = np.append(labels, n_clusters) if n_clusters < bounds.high else labels
    for _ in range(_TRIALS):
        moved = generator.permutation(len(labels))[: max(int(len(labels) * _PERTURBED), 1)]
        perturbed = labels.copy()
        perturbed[moved] = pool[generator.permutation(len(pool))[: len(moved)]]
        if bounds.hold(perturbed):
            return in_order_of_appearance(perturbed)
    return labels
