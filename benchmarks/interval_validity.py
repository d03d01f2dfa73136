"""Where the intervals of scores and the paired tests hold: coverage, size and power by simulation.

    python benchmarks/interval_validity.py --samples FOLDER --seed 20261122
    python benchmarks/interval_validity.py --samples FOLDER --table

Objects are drawn from a population with a reference, two candidates A and B of equal quality, and
a poorer one, C. A design has a number of objects and of clusters, equal, skewed or Zipf sizes, a
share of objects with a random label, and as many, half or twice as many clusters found; or
entities, each with all of its records, of which some are split and some merged. The first command
stores what each sample gives. The second makes a table: for each design and index the share of
intervals that contain the mean score of all samples (``coverage``), their mean width over that of
the normal law (``width``), the mean standard error over the standard deviation of the scores
(``ratio``), how often A and B differ at the level .05 (``size``), how often A and C do (``power``),
and the share of samples with a caution (``cautioned``). Monte Carlo errors are those of shares of
so many samples.

Scores, influences and cautions are computed from their formulas, for all cells or samples at once,
and not by the package; the tests compare both. Of the mean under permutation only terms of first
order change, and of more than 256 errors 128 are taken. Sums, ends of intervals and half samples
are those of the package. A file is continued where it ends.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri
from scipy.stats import norm

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import PermutationModel, get_index
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare.indices import _sums
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.indices._entity import quality_found
from sklearn_clustcompare.indices._sums import SizedCells
from sklearn_clustcompare.significance import _leave_one_out as leave_one_out
from sklearn_clustcompare.significance import _sampling_errors as sampling_errors
from sklearn_clustcompare.significance._ends import Estimates, Leads
from sklearn_clustcompare.significance._joint_cells import JointCells, LabeledPair
from sklearn_clustcompare.significance._resampling import _HalfSampling, parts_of

FloatArray = NDArray[np.float64]

LEVEL = 0.95
N_RUNS = 300
N_HALF_SAMPLES = 99
N_MOVED, N_MOVED_MAXIMA = 128, 64
N_POWER = 60
FIELDS = ("design", "index", "runs", "coverage", "width", "ratio", "size", "power", "cautioned")
COVERAGE, SIZE = (0.90, 0.99), 0.065

# --------------------------------------------------------------------------- designs


class Design(NamedTuple):
    """A population of objects, or of entities with several records each."""

    number: int
    n: int
    k: int
    sizes: str
    noise: float
    found: str
    entities: bool = False

    def __str__(self) -> str:
        unit = "entities" if self.entities else f"{self.sizes} clusters, {self.found} found"
        return f"{self.number}: n={self.n}, {self.k} {unit}, noise {self.noise:g}"

    def draw(self, generator: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return the reference and the candidates A, B and C."""
        if self.entities:
            return self._draw_entities(generator)
        shares = {
            "equal": np.ones(self.k),
            "skewed": np.append(9.0 * max(self.k - 1, 1), np.ones(self.k - 1)),
            "zipf": 1 / np.arange(1, self.k + 1),
        }[self.sizes]
        true = generator.choice(self.k, self.n, p=shares / shares.sum())
        noises = self.noise, self.noise, min(1.5 * self.noise + 0.05, 1.0)
        return [true, *(self._candidate(true, noise, generator) for noise in noises)]

    def _candidate(
        self, true: NDArray[np.int64], noise: float, generator: np.random.Generator
    ) -> NDArray[np.int64]:
        if self.found == "half":
            n_found, kept = max(self.k // 2, 1), true % max(self.k // 2, 1)
        elif self.found == "twice":
            n_found, kept = 2 * self.k, 2 * true + generator.integers(2, size=self.n)
        else:
            n_found, kept = self.k, true
        return np.where(
            generator.random(self.n) < noise, generator.integers(n_found, size=self.n), kept
        )

    def _draw_entities(self, generator: np.random.Generator) -> list[NDArray[np.int64]]:
        n_records = generator.integers(1, 2 * self.n // self.k, size=self.k)
        true = np.repeat(np.arange(self.k), n_records)
        labels = [true]
        for noise in (self.noise, self.noise, min(1.5 * self.noise + 0.05, 1.0)):
            is_split = generator.random(self.k) < noise
            is_merged = generator.random(self.k) < noise / 2
            entity = np.arange(self.k) - (is_merged & ~is_split)
            alone = self.k + np.arange(len(true))
            labels.append(np.where(is_split[true], alone, np.maximum(entity, 0)[true]))
        return labels


def designs() -> list[Design]:
    """Return all designs: fixed ones, so that a file can be continued."""
    generator = np.random.default_rng(20260101)
    sizes = [16, 30, 50, 100, 200, 300, 500, 1000, 2000]
    numbers = np.append(np.tile(sizes, 15), np.full(15, 10_000))
    noises = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
    found = []
    for position, n in enumerate(numbers.tolist()):
        kinds = [2, 3, 4, 5, 8, 10, 20, 50, n // 10, n // 4, n // 2]
        largest = n // 2 if n < 10_000 or position % 5 == 0 else 50
        k = int(generator.choice([one for one in kinds if 2 <= one <= largest]))
        found.append(
            Design(
                position,
                n,
                k,
                str(generator.choice(["equal", "equal", "zipf", "skewed"])),
                0.0 if position % 40 == 7 else float(generator.choice(noises)),
                str(generator.choice(["same", "same", "half", "twice"])),
            )
        )
    for n_entities in (30, 60, 100, 150):
        for noise in (0.05, 0.2, 0.4)[n_entities > 60 :]:
            number = len(found)
            found.append(Design(number, 15 * n_entities, n_entities, "equal", noise, "same", True))
    return found


# --------------------------------------------------------------------------- indices by formula


def _pairs(n: float, s: Any) -> tuple[Any, Any, Any, Any]:
    squares, rows, cols = (s[:, k] for k in range(3))
    return (squares - n) / 2, (rows - n) / 2, (cols - n) / 2, n * (n - 1) / 2


def _over(numerator: Any, denominator: Any, same: Any) -> Any:
    """Divide; 0/0 is 1 for equal partitions, else 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = numerator / denominator
    return np.where(np.abs(denominator) > 1e-12, quotient, np.asarray(same, np.float64))


def _scores(n: float, s: FloatArray) -> dict[str, FloatArray]:
    """Return all indices but those of matchings, of rows of sums over cells."""
    both, true, pred, total = _pairs(n, s)
    same = (s[:, 14] == s[:, 9]) & (s[:, 9] == s[:, 10])
    expected = true * pred / total
    log_n = np.log(n)
    joint, of_true, of_pred = (log_n - s[:, k] / n for k in (3, 4, 5))
    information = np.maximum(of_true + of_pred - joint, 0.0)
    mean = (of_true + of_pred) / 2
    precision, recall = s[:, 6] / n, s[:, 7] / n
    clusters = np.rint(np.minimum(s[:, 9], s[:, 10])) - 1
    rows, cols, occupied = (np.rint(s[:, k]) for k in (9, 10, 14))
    one = np.ones(len(s))
    chance = np.maximum(s[:, 13], 0.0)
    # AMI as 1 less a share: near equal partitions both parts are small.
    return {
        "rand_score": _over(total - true - pred + 2 * both, total, one),
        "adjusted_rand_score": _over(both - expected, (true + pred) / 2 - expected, same),
        "fowlkes_mallows_score": _over(both, np.sqrt(true * pred), same),
        "pair_jaccard_score": _over(both, true + pred - both, same),
        "pair_recall_score": _over(both, true, same),
        "normalized_mutual_info_score": _over(information, mean, same),
        "adjusted_mutual_info_score": _over(information - chance, mean - chance, same),
        "variation_of_information_distance": np.maximum(2 * joint - of_true - of_pred, 0.0),
        "mutual_info_score": information,
        "homogeneity_score": _over(information, of_true, one),
        "completeness_score": _over(information, of_pred, one),
        "bcubed_f_score": 2 * precision * recall / (precision + recall),
        "element_centric_similarity_score": s[:, 8] / n,
        "muc_f_score": _over(2 * (n - occupied), 2 * n - rows - cols, same),
        "cramers_v_score": np.where(
            same, 1.0, np.sqrt(np.clip(_over(s[:, 11] - 1, clusters, 0 * one), 0.0, 1.0))
        ),
        "split_count": occupied - rows,
        "merge_distance": 2 * occupied - rows - cols,
        "panoptic_quality_score": 2 * s[:, 12] / (rows + cols),
    }


def _sums_of_cells() -> tuple[Any, ...]:
    pairs, information = _sums.pair_sums(), _sums.information_sums()
    precision, recall = _sums.bcubed_sums()
    (element,) = _sums.element_centric_sums()
    squares, rows, cols = _sums.association_sums()
    occupied = _sums.occupied_sums()[0]
    expected = _sums.ExpectedInformation(1.0)
    return (
        *pairs, *information, precision, recall, element, rows, cols, squares,
        quality_found(), expected, occupied,
    )  # fmt: skip


SUMS = _sums_of_cells()
EXPECTED = 13
BY_FORMULA = tuple(_scores(4.0, np.ones((1, len(SUMS)))))
BY_HALVES = ("purity_score", "f_measure_score", "panoptic_quality_score")
NAMES = (*(name for name in BY_FORMULA if name not in BY_HALVES), *BY_HALVES)
CHOSEN = {name: Chosen(name, get_index(name), {}) for name in NAMES}
COUNTS = {
    name: leave_one_out._least_step(CHOSEN[name]) for name in ("split_count", "merge_distance")
}


def _depends_on_sizes(labels_true: list[int], labels_pred: list[int]) -> dict[str, bool]:
    """Return which indices change with the sizes of one side if the other is one cluster."""
    joint = JointCells.of([Labels.of_codes(np.array(one)) for one in (labels_true, labels_pred)])
    (pair,) = joint.pairs()
    counted = leave_one_out.CountedPair.of(pair, joint.counts)
    return {
        name: counted.depends_on_sizes(one, counted._value(one, counted.cells))
        for name, one in CHOSEN.items()
    }


ONE_FOUND = _depends_on_sizes([0, 0, 0, 1, 1], [0] * 5)
ONE_TRUE = _depends_on_sizes([0] * 5, [0, 0, 0, 1, 1])


def _totals(cells: SizedCells) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.array(
            [
                PermutationModel(*map(np.rint, _sums._sizes(cells))).expected_mutual_info()
                if k == EXPECTED
                else one.function(cells.counts, cells.row_sizes, cells.col_sizes).sum()
                for k, one in enumerate(SUMS)
            ]
        )


# --------------------------------------------------------------------------- one sample


class Candidate(NamedTuple):
    """Values of a candidate, influences by the cells of its table, and effects of an error."""

    values: dict[str, float]
    influences: dict[str, FloatArray]
    effects: dict[str, float]
    cells: NDArray[np.intp]
    pair: LabeledPair
    biases: dict[str, float]
    table: tuple[float, ...]


def _candidate(joint: JointCells, position: int, n_units: float) -> Candidate:
    pair = list(joint._replace(candidates=(joint.candidates[position],)).pairs())[0]
    counted = leave_one_out.CountedPair.of(pair, joint.counts)
    cells, n = counted.sized, float(joint.counts.sum())
    totals = _totals(cells)
    values = {name: float(one[0]) for name, one in _scores(n, totals[np.newaxis]).items()}
    maxima = _maxima(*cells[:3], cells.rows, cells.cols, cells.shape, n)
    values |= {name: float(one) for name, one in maxima.items()}
    if joint.units is None:
        without = _scores(n - 1, totals + _sums.changes(SUMS, cells, None))
        if len(cells.counts) <= leave_one_out.MOST_VALUES:
            without |= _maxima_without_one(cells, n)
        codes, counts, scale = pair.kinds, cells.counts, 1.0
    else:
        without = _without_rows(cells, n)
        codes, counts, scale = joint.units, np.ones(int(n_units)), n / n_units
    influences, biases = {}, {}
    for name, one in without.items():
        shifts = one - values[name]
        biases[name] = (n_units - 1) * float(counts @ shifts) / n_units
        influences[name] = (n_units - 1) * (counts @ shifts / n_units - shifts)
    effects = _effects(counted, totals, values, n)
    if joint.units is not None:
        effects = {
            name: _effect_in_unit(
                one, scale, influences[name], sampling_errors._missed(CHOSEN[name], values[name])
            )
            for name, one in effects.items()
        }
    return Candidate(
        values,
        influences,
        effects,
        codes,
        pair,
        biases,
        (*cells.shape, len(cells.counts), *_near_threshold(cells)),
    )


def _effect_in_unit(of_object: float, size: float, influences: FloatArray, missed: float) -> float:
    """Return the effect of one more entity with errors."""
    squares = influences**2
    fourth = (squares**2).sum()
    if not np.isfinite(missed) or missed <= 1e-11 or fourth == 0:
        return size * of_object
    n_effective = squares.sum() ** 2 / fourth
    seen = squares.sum() / (len(squares) * (len(squares) - 1) * missed)
    seen = np.clip(seen, of_object, size * of_object)
    return float((n_effective * seen + size * of_object) / (n_effective + 1))


def _near_threshold(cells: SizedCells) -> tuple[float, float]:
    """Return how many overlaps lie within two standard errors of one half, and how many above."""
    unions = cells.row_sizes + cells.col_sizes - cells.counts
    overlap = cells.counts / unions
    errors = np.sqrt(overlap * (1 - overlap) / unions)
    near = np.abs(overlap - 0.5) < 2 * errors
    return float(near.sum()), float((overlap > 0.5).sum())


def _maxima(
    n: FloatArray, a: FloatArray, b: FloatArray, rows: Any, cols: Any, shape: Any, total: Any
) -> dict[str, FloatArray]:
    """Return purity and F-measure of cells, of shape (n_cells,) or (n_cells, n_tables)."""
    in_cols, in_rows = (np.zeros((size, *n.shape[1:])) for size in shape[::-1])
    np.maximum.at(in_cols, cols, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.maximum.at(in_rows, rows, np.where(n > 0, a * (2 * n / (a + b)), 0.0))
    return {
        "purity_score": in_cols.sum(axis=0) / total,
        "f_measure_score": in_rows.sum(axis=0) / total,
    }


def _maxima_without_one(cells: SizedCells, n: float) -> dict[str, FloatArray]:
    """Return them without an object of each cell."""
    less = np.eye(len(cells.counts))
    return _maxima(
        cells.counts[:, np.newaxis] - less,
        cells.row_sizes[:, np.newaxis] - (cells.rows[:, np.newaxis] == cells.rows),
        cells.col_sizes[:, np.newaxis] - (cells.cols[:, np.newaxis] == cells.cols),
        cells.rows, cells.cols, cells.shape, n - 1,
    )  # fmt: skip


def _without_rows(cells: SizedCells, n: float) -> dict[str, FloatArray]:
    """Return the indices without each cluster of the reference."""
    n_rows = cells.shape[0]
    rows, cols = _sums._sizes(cells)
    left = []
    table = np.zeros(cells.shape)
    table[cells.rows, cells.cols] = cells.counts
    for row in range(n_rows):
        kept = cells.rows != row
        sizes = cols - table[row]
        part = SizedCells(
            cells.counts[kept], cells.row_sizes[kept], sizes[cells.cols[kept]],
            cells.rows[kept] - (cells.rows[kept] > row), cells.cols[kept], cells.shape,
        )  # fmt: skip
        number = np.cumsum(sizes > 0) - 1
        left.append(
            (
                float(part.counts.sum()),
                part._replace(cols=number[part.cols], shape=(n_rows - 1, int((sizes > 0).sum()))),
            )
        )
    found = [
        {name: float(one[0]) for name, one in _scores(total, _totals(part)[np.newaxis]).items()}
        | {name: float(one) for name, one in _maxima(*part[:5], part.shape, total).items()}
        for total, part in left
    ]
    return {name: np.array([one[name] for one in found]) for name in found[0]}


def _effects(
    counted: Any, totals: FloatArray, values: dict[str, float], n: float
) -> dict[str, float]:
    """Return the effect of an error on each index."""
    effects: dict[str, float] = dict(COUNTS)
    cells = counted.sized
    if cells.shape[1] > 1:
        moves, weights = counted._errors(N_MOVED)
        moved = _scores(n, totals + _sums.changes(SUMS, cells, moves))
        some = np.arange(0, len(weights), max(len(weights) // N_MOVED_MAXIMA, 1))
        moved |= _maxima_moved(cells, moves, some, n)
        for name, one in moved.items():
            if name in COUNTS:
                continue
            sign = 1 if CHOSEN[name].index.greater_is_better else -1
            falls = sign * (values[name] - one)
            share = weights[some] if len(falls) < len(weights) else weights
            mean = float(np.average(falls, weights=share))
            effects[name] = mean if mean > 0 else float(np.average(np.abs(falls), weights=share))
    for name in NAMES:
        if name not in effects:
            effects[name] = counted.effect_of_an_error(CHOSEN[name], values[name])
    return effects


def _maxima_moved(cells: SizedCells, moves: Any, some: Any, n: float) -> dict[str, FloatArray]:
    """Return purity and F-measure after some of the moves."""
    source, col = moves.cells[some], moves.cols[some]
    row, every = cells.rows[source], np.arange(len(some))
    target = moves.targets[some]
    counts = np.repeat(cells.counts[:, np.newaxis], len(some), axis=1)
    counts[source, every] -= 1
    counts = np.vstack([counts, np.where(target < 0, 1.0, 0.0)])
    counts[target[target >= 0], every[target >= 0]] += 1
    # The last cell is another one for each move: it is added to the largest of row and column.
    rows, cols = _sums._sizes(cells)
    b = cols[cells.cols][:, np.newaxis] - (cells.cols[:, np.newaxis] == cells.cols[source])
    b = b + (cells.cols[:, np.newaxis] == col)
    found = {
        name: one * n
        for name, one in _maxima(
            counts[:-1], cells.row_sizes[:, np.newaxis], b, cells.rows, cells.cols, cells.shape, n
        ).items()
    }
    new, entered = target < 0, cols[col] + 1
    best = np.zeros((cells.shape[0], len(some)))
    a = cells.row_sizes[:, np.newaxis]
    np.maximum.at(best, cells.rows, a * (2 * counts[:-1] / (a + b)))
    largest = np.zeros((cells.shape[1], len(some)))
    np.maximum.at(largest, cells.cols, counts[:-1])
    alone = 2 * rows[row] / (rows[row] + entered)
    found["f_measure_score"] += new * np.maximum(alone - best[row, every], 0.0)
    found["purity_score"] += new * np.maximum(1 - largest[col, every], 0.0)
    return {name: one / n for name, one in found.items()}


def _drawn_maxima(pair: LabeledPair, drawn: NDArray[Any]) -> dict[str, FloatArray]:
    """Return the indices with maxima or thresholds of some of the objects."""
    n = np.asarray(pair.members @ drawn.T, np.float64)
    rows, cols = (side.codes for side in (pair.true, pair.pred))
    of_rows, of_cols = (np.zeros((side.n_codes, n.shape[1])) for side in (pair.true, pair.pred))
    np.add.at(of_rows, rows, n)
    np.add.at(of_cols, cols, n)
    a, b = of_rows[rows], of_cols[cols]
    found = _maxima(n, a, b, rows, cols, (len(of_rows), len(of_cols)), drawn.sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        overlap = n / (a + b - n)
        quality = np.where(overlap > 0.5, overlap, 0.0).sum(axis=0)
    n_clusters = (of_rows > 0).sum(axis=0) + (of_cols > 0).sum(axis=0)
    return found | {"panoptic_quality_score": 2 * quality / n_clusters}


def _influences_of_parts(joint: JointCells, pair: LabeledPair) -> dict[str, FloatArray]:
    """Return the influences of parts of the objects on indices with maxima or thresholds."""
    left = joint.counts - np.concatenate([*parts_of(joint.counts, leave_one_out.MOST_VALUES)])
    return {
        name: (len(one) - 1) * (one.mean() - one) for name, one in _drawn_maxima(pair, left).items()
    }


def _halves(joint: JointCells, parts: list[Candidate], generator: np.random.Generator) -> Any:
    """Return the deviations in half samples of the indices that need them."""
    sampling = _HalfSampling(joint, (), ())
    drawn = sampling._draw(N_HALF_SAMPLES, generator)
    found: dict[str, list[FloatArray]] = {name: [] for name in BY_HALVES}
    for part in parts:
        one = _drawn_maxima(part.pair, drawn)
        for name, values in one.items():
            found[name].append(values)
    n_units = sampling.n_units
    scale = np.sqrt((n_units // 2) / (n_units - n_units // 2))
    biases = {name: float(np.mean(one[0])) - parts[0].values[name] for name, one in found.items()}
    return {
        name: scale * (np.column_stack(one) - np.mean(one, axis=1)) for name, one in found.items()
    }, biases


class Sample(NamedTuple):
    """Scores of A, and leads of A over B and over C, for each index."""

    values: FloatArray
    scores: FloatArray
    leads: list[list[list[float]]]
    table: tuple[float, ...]


def sample(design: Design, generator: np.random.Generator, n_candidates: int = 3) -> Sample:
    drawn_labels = design.draw(generator)[: 1 + n_candidates]
    labels = [Labels.of_codes(one) for one in drawn_labels]
    groups = labels[0] if design.entities else None
    joint = JointCells.of(labels, groups=groups)
    n_units = float(joint.n_units)
    parts = [_candidate(joint, position, n_units) for position in range(n_candidates)]
    halves, joint_biases = _halves(joint, parts, generator)
    kinds = [one.cells if not design.entities else np.arange(int(n_units)) for one in parts]
    most = max(part.table[2] for part in parts)
    of_parts: list[dict[str, FloatArray]] = []
    if not design.entities and most > leave_one_out.MOST_VALUES:
        of_parts = [_influences_of_parts(joint, one.pair) for one in parts]
    scores, leads = [], []
    for name in NAMES:
        sign = 1 if CHOSEN[name].index.greater_is_better else -1
        counts = joint.unit_counts
        of_units = [
            sign * one.influences[name][kind] if name in one.influences else None
            for one, kind in zip(parts, kinds, strict=True)
        ]
        if of_parts and name in of_parts[0]:
            of_units = [sign * one[name] for one in of_parts]
            counts = np.ones(len(of_units[0]))
        values = [one.values[name] for one in parts]
        effects = [one.effects[name] for one in parts]
        drawn = halves.get(name)
        spread = _spread(of_units[0], counts, drawn, (0,), design)
        biases = parts[0].biases.get(name, np.nan), joint_biases.get(name, np.nan)
        scores.append([values[0], *spread, effects[0], *_shape(of_units[0], counts), *biases])
        of_index: list[list[float]] = []
        leads.append(of_index)
        for other in range(1, n_candidates):
            lead = sign * (values[0] - values[other])
            rest = None
            if of_units[0] is not None and of_units[other] is not None:
                rest = of_units[0] - of_units[other]
            error, df = _spread(rest, counts, drawn, (0, other), design)
            row = [lead, error, df, (effects[0] + effects[other]) / 2]
            gains = _gains(rest, lead, error, counts)
            of_index.append([*row, *gains, *_shape(rest, counts)])
    return Sample(
        np.array([[one.values[name] for one in parts[:2]] for name in NAMES]),
        np.array(scores),
        leads,
        parts[0].table,
    )


def _spread(
    influences: FloatArray | None, counts: Any, drawn: Any, which: tuple[int, ...], design: Design
) -> tuple[float, float]:
    n_units = float(counts.sum())
    df, variance = n_units - 1, 0.0
    if influences is not None:
        squares = counts * influences**2
        variance = float(squares.sum()) / (n_units * (n_units - 1))
        if design.entities and variance:
            df = float(np.clip(squares.sum() ** 2 / (squares * influences**2).sum(), 1.0, df))
    if drawn is not None:
        one = drawn[:, which[0]] - (drawn[:, which[1]] if len(which) == 2 else 0.0)
        variance = float(one @ one) / (len(one) - 1)
        df = 1 / (1 / df + 1 / (len(one) - 1))
    return float(np.sqrt(variance)), df


def _shape(influences: Any, counts: Any) -> list[float]:
    """Return the number of units that the variance rests on, and the mean size of an influence."""
    if influences is None:
        return [np.nan, np.nan]
    squares = counts * influences**2
    fourth = float((squares * influences**2).sum())
    size = float((counts * np.abs(influences)).sum() / counts.sum())
    return [float(squares.sum()) ** 2 / fourth if fourth > 0 else 0.0, size]


def _gains(influences: Any, lead: float, error: float, counts: Any) -> list[float]:
    if influences is None:
        return [np.nan] * 4
    n_units = float(counts.sum())
    leads = influences + lead
    gains = [np.maximum(leads, 0.0), np.maximum(-leads, 0.0)]
    variances = [float(counts @ one**2) for one in gains]
    total = sum(variances)
    return [
        *(float(counts @ one) / n_units for one in gains),
        *(error**2 * one / total if total > 0 else 0.0 for one in variances),
    ]


# --------------------------------------------------------------------------- all samples


def simulate(design: Design, seed: int, n_runs: int = N_RUNS) -> dict[str, FloatArray]:
    """Return the values of A and B, the estimates of A, and the leads of A over B and over C."""
    generator = np.random.default_rng([seed, design.number])
    runs = [sample(design, generator, 3 if run < N_POWER else 2) for run in range(n_runs)]
    return {
        "values": np.array([one.values for one in runs]),
        "scores": np.array([one.scores for one in runs]),
        "equal": np.array([[of_index[0] for of_index in one.leads] for one in runs]),
        "poorer": np.array([[of_index[1] for of_index in one.leads] for one in runs[:N_POWER]]),
        "tables": np.array([one.table for one in runs]),
    }


def cautions(
    name: str, scores: FloatArray, tables: FloatArray, rand: FloatArray, design: Design
) -> NDArray[Any]:
    """Return for which samples the functions have a caution; ``rand`` are their Rand indices."""
    values, errors, _, effects, n_effective = scores[:5]
    record = CHOSEN[name].index
    low, high = record.range
    missed = np.abs((high if record.greater_is_better else low) - values)
    n_rows, n_cols, n_occupied, n_near = tables.T[:4]
    varies = (n_effective > 0) & (errors > 1e-12 * np.maximum(np.abs(values), 1.0))
    found = varies & _few(missed, effects, n_effective, design)
    may_be_equal = _may_be_equal(np.maximum(n_rows, n_cols), rand, design)
    found |= (n_rows > 1) & (n_cols == 1) & ONE_FOUND[name] & may_be_equal
    found |= (n_rows == 1) & (n_cols > 1) & ONE_TRUE[name] & may_be_equal
    if name == "panoptic_quality_score":
        found |= (n_near > 0) & (1 / (n_rows + n_cols) > errors)
    if name in COUNTS:
        is_full = n_occupied >= sampling_errors._FULL * n_rows * n_cols
        found |= is_full & (np.minimum(n_rows, n_cols) > 1)
    return np.asarray(found)


def _may_be_equal(n_clusters: FloatArray, rand: FloatArray, design: Design) -> NDArray[Any]:
    """Return where equal clusters may have the sizes of those that are found, or are, as one.

    The Rand index is then the share of pairs within them.
    """
    statistic = n_clusters * (rand * (design.n - 1) + 1) - design.n
    limit = chdtri(n_clusters - 1, sampling_errors._LEVEL_OF_SIZES)
    return np.asarray(statistic <= limit)


def _few(missed: Any, effects: Any, n_effective: Any, design: Design) -> Any:
    """Return where the standard error depends on few units."""
    if design.entities:
        return n_effective < sampling_errors._FEW_GROUPS
    least = sampling_errors._FEW_ERRORS * np.maximum(n_effective, 1.0) * effects
    return (n_effective < sampling_errors._FEW_OBJECTS) & (missed >= least)


def tabulate(folder: Path, table: Path, summary: Path) -> None:
    """Write coverage, size and power of all designs, and a summary by index."""
    found = [
        row
        for design in designs()
        if (folder / f"{design.number}.npz").exists()
        for row in rows(design, np.load(folder / f"{design.number}.npz"))
    ]
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    with summary.open("w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(
            ["index", "designs", "coverage", "< .90", "> .99", "size", "largest", "left"]
        )
        for name in (*NAMES, "all"):
            some = [row for row in found if name in (row["index"], "all")]
            coverage, size, cautioned = (
                np.array([row[key] for row in some]) for key in ("coverage", "size", "cautioned")
            )
            is_out = (coverage < COVERAGE[0]) | (size > SIZE)
            lines.writerow(
                [
                    name,
                    len({row["design"] for row in some}),
                    *(
                        f"{one:.3f}"
                        for one in (
                            coverage.mean(),
                            np.mean(coverage < COVERAGE[0]),
                            np.mean(coverage > COVERAGE[1]),
                            size.mean(),
                            size.max(),
                            np.mean(is_out & (cautioned < 0.5)),
                        )
                    ),
                ]
            )


def rows(design: Design, samples: Any) -> Iterator[dict[str, Any]]:
    """Return a row of the table for each index."""
    tail = (1 - LEVEL) / 2
    rand = samples["scores"][:, NAMES.index("rand_score"), 0]
    tables = samples["tables"]
    for k, name in enumerate(NAMES):
        record = CHOSEN[name].index
        values, scores = samples["values"][:, k], samples["scores"][:, k].T
        truth, sd = float(values.mean()), float(values[:, 0].std(ddof=1))
        low, high = record.range
        n_units = design.k if design.entities else design.n
        # The package gives an index that no error changes the share of an object in its range.
        span = high - low if np.isfinite(high - low) else np.maximum(np.abs(scores[0]), 1.0)
        is_rounding = scores[3] <= 1e-11 * np.maximum(np.abs(scores[0]), 1.0)
        scores[3] = np.where(is_rounding, span / n_units, scores[3])
        estimates, best = Estimates(*scores[:4]), high if record.greater_is_better else low
        if np.isfinite(best):
            ends = estimates.intervals_within(best, tail, 1 if record.greater_is_better else -1)
        else:
            wider = np.hypot(estimates.errors, estimates.effects)
            ends = estimates._replace(errors=wider).intervals(tail)
        rounding = 1e-9 * max(abs(truth), sd, 1e-3)
        covered = (ends[:, 0] <= truth + rounding) & (truth - rounding <= ends[:, 1])
        normal = 2 * norm.isf(tail) * sd
        found = []
        for leads in (samples["equal"][:, k], samples["poorer"][:, k]):
            below, above = Leads.of(leads[:, :8]).intervals(tail).T
            found.append(float(np.mean((below > 0) | (above < 0))))
        yield {
            "design": design.number,
            "index": name,
            "runs": len(values),
            "coverage": round(float(covered.mean()), 3),
            "width": round(float(np.diff(ends).mean()) / normal, 2) if sd > rounding else "",
            "ratio": round(float(scores[1].mean()) / sd, 2) if sd > rounding else "",
            "size": round(found[0], 3),
            "power": round(found[1], 3),
            "cautioned": round(float(cautions(name, scores, tables, rand, design).mean()), 2),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, help="one that was not used before")
    parser.add_argument("--runs", type=int, default=N_RUNS)
    parser.add_argument("--samples", type=Path, required=True, help="folder, may be continued")
    parser.add_argument("--every", type=int, default=1, help="take each so many designs only")
    parser.add_argument("--table", action="store_true", help="make the tables of these samples")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.table:
        here = Path(__file__).with_suffix("")
        tabulate(options.samples, here.with_suffix(".csv"), Path(f"{here}_summary.csv"))
        return
    options.samples.mkdir(parents=True, exist_ok=True)
    start = time.process_time()
    # In mixed order, so that a part of them is a sample of all.
    for design in sorted(designs()[:: options.every], key=lambda one: one.number * 67 % 163):
        path = options.samples / f"{design.number}.npz"
        if not path.exists():
            began = time.process_time()
            found = simulate(design, options.seed, options.runs)
            part = path.with_suffix(".part.npz")
            np.savez(part, **{name: one.astype(np.float64) for name, one in found.items()})
            part.rename(path)
            print(f"{design}: {time.process_time() - began:.1f} s", flush=True)
    print(f"{time.process_time() - start:.0f} CPU s")


if __name__ == "__main__":
    main()
