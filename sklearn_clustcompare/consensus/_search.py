"""The search for a consensus by any index: whole partitions are tried, and moves of single cells.

Each partition that is tried is compared with all those of the ensemble, so that nothing is asked of
the index. This takes longer than the search of ``_expected_loss.py``, from whose optima it starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from sklearn_clustcompare._array_types import Positions
from sklearn_clustcompare._memory import warn_if_long
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare._tasks import UNDEFINED_IGNORED, progress, run_tasks
from sklearn_clustcompare.consensus._agreement import Agreement, is_better
from sklearn_clustcompare.consensus._ensemble import Bounds, Ensemble
from sklearn_clustcompare.consensus._evidence import average_tree
from sklearn_clustcompare.consensus._expected_loss import (
    Draws,
    Generator,
    LossSearch,
    Optimum,
    loss_of,
)
from sklearn_clustcompare.indices import get_index

T = TypeVar("T")

# The search starts from the optima of these losses, beside the partitions given.
_LOSSES = "adjusted_rand_score", "variation_of_information_distance"
# By default cells move from so many starts as count this many tables, in about so many rounds.
_TABLES_COUNTED, _ROUNDS, _MAX_STARTS = 100_000, 5, 40
_SECONDS_PER_TABLE = 4e-5
_COST_OF_MEMBERSHIPS = 10  # of a table of theirs, in tables of labels
# Up to so many objects, those that no partition separates may be separated in the end.
_MAX_SINGLE = 100


def search(
    agreement: Agreement,
    bounds: Bounds,
    max_iter: int,
    n_init: int | None,
    generator: Generator,
    *,
    n_jobs: int | None,
    verbose: int | None,
) -> tuple[Ensemble, Optimum]:
    """Return the best partition that is found from the best starts, and its cells."""
    ensemble, index = agreement.ensemble, agreement.index
    starts = _distinct(_starts(ensemble, bounds, max_iter, generator))

    def run(function: Callable[..., T], of: Any, tasks: list[Positions], name: str) -> list[T]:
        shown = progress(tasks, verbose=verbose, description=name, total=len(tasks))
        given = ((function, of, labels) for labels in shown)
        # Python holds the GIL.
        return run_tasks(_quietly, given, n_jobs=n_jobs, prefer="processes", total=len(tasks))

    averages = np.array(run(Agreement.average, agreement, starts, "starts"))
    order = np.argsort(-index.sign * averages, kind="stable")
    best = Optimum(starts[order[0]], [float(averages[order[0]])], 1, is_optimum=True)
    n_targets = int(best.labels.max(initial=-1)) + 2
    n_known = (ensemble.kinds >= 0).sum(axis=1)
    n_known[[*ensemble.memberships]] *= _COST_OF_MEMBERSHIPS
    n_counted = _ROUNDS * n_targets * int(n_known.sum())
    if n_init is None:
        n_init = min(_TABLES_COUNTED // max(n_counted, 1), _MAX_STARTS)
    warn_if_long(
        f"the search with {index.name}, which counts each of its tables,",
        _SECONDS_PER_TABLE * n_init * n_counted,
        "take a smaller n_init, or an index of sizes and overlaps such as adjusted_rand_score",
    )
    chosen = [starts[number] for number in order[:n_init].tolist()]
    while len(chosen) < n_init:
        chosen.append(_perturbed(chosen[len(chosen) % len(starts)], bounds, generator))
    climb = _Climb(agreement, bounds, max_iter)
    for found in run(_Climb.from_labels, climb, chosen, "searches"):
        if is_better(found.loss, best.loss, index):
            best = found
    n_objects = int(ensemble.sizes.sum())
    if chosen and best.is_optimum and ensemble.n_cells < n_objects <= _MAX_SINGLE:
        divided = replace(agreement, ensemble=ensemble.with_cells(n_objects))
        labels = np.repeat(best.labels, ensemble.sizes)
        more = _quietly(_Climb.from_labels, _Climb(divided, bounds, max_iter), labels)
        if len(more.history) > 1:
            history = best.history + more.history[1:]
            return divided.ensemble, more._replace(history=history)
    return ensemble, best


def _quietly(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function without warnings of undefined values, which come for the result only."""
    with UNDEFINED_IGNORED:
        return function(*arguments)


def _starts(
    ensemble: Ensemble, bounds: Bounds, max_iter: int, generator: Generator
) -> Iterator[Positions]:
    """Yield partitions of all cells within the bounds, memberships by the largest one.

    Those given, cuts of the tree of their co-associations, and optima of losses that are fast.
    """
    codes = ensemble.codes
    if not ensemble.n_cells:
        yield np.zeros(0, np.intp)
        return
    given = [labels.astype(np.intp) for labels in codes if (labels >= 0).all()]
    yield from filter(bounds.hold, given)
    tree = average_tree(ensemble)
    numbers = {len(np.unique(labels)) for labels in given}
    numbers |= {tree.n_clusters_at(0.5), tree.longest_lived(*bounds), bounds.low, bounds.high}
    for n_clusters in sorted(numbers):
        if bounds.low <= n_clusters <= min(bounds.high, tree.n_groups):
            yield tree.cut(n_clusters)
    for name in _LOSSES:
        loss = loss_of(get_index(name), {}, None, "macro")
        if loss is not None:
            draws = Draws(codes, ensemble.weights, ensemble.sizes, loss)
            for optimum in LossSearch(draws, bounds, max_iter, generator).find(None):
                yield optimum.labels


def _distinct(starts: Iterable[Positions]) -> list[Positions]:
    ordered = map(in_order_of_appearance, starts)
    return list({labels.tobytes(): labels for labels in ordered}.values())


def _perturbed(labels: Positions, bounds: Bounds, generator: Generator) -> Positions:
    """Move half of the cells to the clusters of others or to a new one, if the bounds allow it."""
    perturbed = labels.copy()
    pool = np.append(labels, labels.max(initial=-1) + 1)
    moved = generator.permutation(len(labels))[: (len(labels) + 1) // 2]
    perturbed[moved] = pool[generator.permutation(len(pool))[: len(moved)]]
    return in_order_of_appearance(perturbed) if bounds.hold(perturbed) else labels


@dataclass(frozen=True)
class _Climb:
    """Moves cells to other clusters, unites clusters and dissolves them while that is better."""

    agreement: Agreement
    bounds: Bounds
    max_iter: int

    def from_labels(self, labels: Positions) -> Optimum:
        history = [self.agreement.average(labels)]
        for _ in range(self.max_iter):
            average = history[-1]
            for cell in range(len(labels)):
                labels, average = self._best(_moves(labels, cell), labels, average)
            if average == history[-1]:
                labels, average = self._best(_unions(labels), labels, average)
            if average == history[-1]:
                return Optimum(labels, history, 1, is_optimum=True)
            history.append(average)
        return Optimum(labels, history, 1, is_optimum=False)

    def _best(
        self, trials: Iterable[Positions], labels: Positions, average: float
    ) -> tuple[Positions, float]:
        """Return the best partition within the bounds, and its average."""
        for trial in trials:
            if self.bounds.hold(trial):
                ordered = in_order_of_appearance(trial)
                value = self.agreement.average(ordered)
                if is_better(value, average, self.agreement.index):
                    labels, average = ordered, value
        return labels, average


def _moves(labels: Positions, cell: int) -> Iterator[Positions]:
    """Yield the partitions with one cell in another cluster, or alone."""
    for target in range(int(labels.max()) + 2):
        if target != labels[cell]:
            trial = labels.copy()
            trial[cell] = target
            yield trial


def _unions(labels: Positions) -> Iterator[Positions]:
    """Yield the partitions with two clusters united, or one divided into its cells."""
    n_clusters = int(labels.max(initial=-1)) + 1
    for one in range(n_clusters):
        yield np.where(labels == one, n_clusters + np.arange(len(labels)), labels)
        for other in range(one):
            yield np.where(labels == one, other, labels)
