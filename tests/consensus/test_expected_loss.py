"""The search for the least expected loss: its loops, its optima by enumeration, its input."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    _kernels,
    consensus_partition,
    get_index,
    pairwise_scores,
)
from sklearn_clustcompare._kernels import _consensus
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.consensus import _expected_loss
from sklearn_clustcompare.consensus._expected_loss import Draws, Loss, loss_of
from tests._examples import slow
from tests._laws import all_partitions

LOSSES = [
    ("variation_of_information_distance", {}),
    ("variation_of_information_distance", {"base": 2}),
    ("variation_of_information_distance", {"normalize": "joint"}),
    ("mirkin_distance", {}),
    ("mirkin_distance", {"normalize": True}),
    ("rand_score", {}),
    ("adjusted_rand_score", {}),
    ("information_distance", {}),
    ("normalized_information_distance", {}),
    ("normalized_mutual_info_score", {}),
    ("v_measure_score", {}),
    ("pair_jaccard_score", {}),
    ("pair_f_score", {}),
    ("fowlkes_mallows_score", {}),
]
MANY_COLUMNS = 40
FORMS = [pytest.param(_consensus.climb_partition, id="numpy")]
if _kernels.KERNELS == "compiled":
    FORMS.append(pytest.param(_kernels.climb_partition, id="compiled"))


def random_draws(rng, n_objects, *, is_partial=False):
    """Return random codes, some of them unknown, of at least one object each."""
    n_draws, n_classes = rng.integers(1, 90), rng.integers(1, MANY_COLUMNS)
    codes = rng.integers(n_classes, size=(n_draws, n_objects))
    if is_partial:
        codes[rng.random(codes.shape) < 0.3] = -1
        codes[:, 0] = 0
    for row in codes:
        row[row >= 0] = in_order_of_appearance(row[row >= 0])
    return codes.astype(np.int32)


def random_search(seed):
    """Return draws of any kind with any loss, bounds and labels to start from."""
    rng = np.random.default_rng(seed)
    n_cells, kind = int(rng.integers(1, 30)), int(rng.integers(9))
    of_information = kind in (2, 3, 4, 5) or (kind == 0 and bool(rng.integers(2)))
    loss = Loss(kind, of_information, (lambda n: n) if kind == 0 else None)
    if kind == 0:
        loss = loss._replace(cost=float(rng.uniform(0.2, 1.8)))
    elif kind != _consensus.ENTROPY:
        loss = loss._replace(is_micro=bool(rng.integers(2)))
    sizes = rng.integers(1, 4, size=n_cells) if rng.integers(2) else np.ones(n_cells, int)
    codes = random_draws(rng, n_cells, is_partial=bool(rng.integers(2)))
    draws = Draws(codes, rng.integers(1, 5, size=len(codes)).astype(float), sizes, loss)
    high = int(rng.integers(1, n_cells + 1))
    low = int(rng.integers(1, high + 1))
    start = np.full(n_cells, -1, np.int32)
    if rng.integers(2) and low == 1:
        start = in_order_of_appearance(rng.integers(high, size=n_cells)).astype(np.int32)
    return draws, start, (low, high), -(-high // 8) * 8, int(rng.choice([2, 10_000]))


def loss_by_definition(draws, labels):
    top, bottom = draws.ratios(in_order_of_appearance(labels))
    weights = draws.weights / draws.weights.sum()
    if draws.loss.is_micro:
        return weights @ top / (weights @ bottom)
    return weights @ (top / bottom)


@pytest.mark.parametrize("climb", FORMS)
@pytest.mark.parametrize("seed", [*range(40), *(slow(seed) for seed in range(40, 400))])
def test_search_keeps_its_bounds_and_knows_its_loss(seed, climb):
    draws, start, bounds, width, n_exact = random_search(seed)
    found = climb(draws.arrays, start, bounds, width, n_exact, 1e7 * (seed % 3 > 0), 50, 2048, seed)
    assert bounds[0] <= len(set(found.labels.tolist())) <= bounds[1]
    assert found.history[-1] == pytest.approx(
        loss_by_definition(draws, found.labels), rel=1e-8, abs=1e-10
    )
    assert (np.diff(found.history) < 0).all()
    assert found.is_optimum
    again = climb(draws.arrays, start, bounds, width, n_exact, 1e7 * (seed % 3 > 0), 50, 2048, seed)
    np.testing.assert_array_equal(again.labels, found.labels)


@pytest.mark.slow
@pytest.mark.parametrize("climb", FORMS)
@pytest.mark.parametrize("seed", range(20))
def test_no_move_and_no_union_is_better(seed, climb):
    draws, start, (low, high), width, _ = random_search(seed)
    found = climb(draws.arrays, start, (low, high), width, 10_000, 1e7, 50, 2048, seed)
    labels, least = found.labels, loss_by_definition(draws, found.labels)
    others = [
        np.where(np.arange(len(labels)) == cell, target, labels)
        for cell, target in itertools.product(range(len(labels)), range(width))
    ]
    others += [np.where(labels == one, two, labels) for one, two in np.ndindex(width, width)]
    for other in others:
        if low <= len(np.unique(other)) <= high:
            assert loss_by_definition(draws, other) >= least - 1e-9 * (1 + abs(least))


def values_with(candidates, draws, index, params):
    """Return the average index of each candidate with the draws."""
    record, known = get_index(index), {}

    def value(one, other):
        counts = np.zeros((one.max() + 1, other.max() + 1), int)
        np.add.at(counts, (one, other), 1)
        key = counts.tobytes(), counts.shape
        if key not in known:
            known[key] = record(ContingencyTable.from_labels(one, other), **params)
        return known[key]

    return np.array([np.mean([value(one, other) for one in draws]) for other in candidates])


@pytest.mark.parametrize(("index", "params"), LOSSES, ids=str)
@pytest.mark.parametrize(("n_objects", "n_times"), [(5, 6), slow(7, 25)])
def test_the_optimum_of_all_partitions(index, params, n_objects, n_times):
    rng, n_best = np.random.default_rng(0), 0
    everything = np.array(all_partitions(n_objects))
    sign = -1 if get_index(index).greater_is_better else 1
    for _ in range(n_times):
        draws = rng.integers(rng.integers(2, 5), size=(rng.integers(2, 7), n_objects))
        found = consensus_partition(
            draws, index=index, n_clusters=(None, n_objects), random_state=0, **params
        )
        best = (sign * values_with(everything, draws, index, params)).min()
        assert sign * found.score >= best - 1e-9
        n_best += sign * found.score == pytest.approx(best, abs=1e-9)
    assert n_best >= 0.95 * n_times


def test_the_bound_is_the_largest_number_of_clusters_of_a_draw():
    draws = np.random.default_rng(0).integers(3, size=(40, 30))
    options = {"index": "mirkin_distance", "normalize": True, "random_state": 0}
    bounded = consensus_partition(draws, **options)
    lifted = consensus_partition(draws, n_clusters=(None, 30), **options)
    assert bounded.labels.max() == 2
    assert lifted.labels.max() > 10
    assert lifted.score < bounded.score
    assert consensus_partition(draws, n_clusters=(5, None), **options).labels.max() == 4


@pytest.mark.slow
@pytest.mark.parametrize("index", ["variation_of_information_distance", "mirkin_distance"])
def test_cost_of_clusters(index):
    rng = np.random.default_rng(1)
    draws = rng.integers(3, size=(9, 8))
    numbers = []
    everything = np.array(all_partitions(6))
    few = draws[:, :6]
    for cost in (0.4, 1.0, 1.6):
        found = consensus_partition(
            few, index=index, cost=cost, n_clusters=(None, 6), random_state=0
        )
        numbers.append(found.labels.max() + 1)
        values = [loss_with_cost(few, other, index, cost) for other in everything]
        assert found.score == pytest.approx(min(values))
        assert found.score == pytest.approx(loss_with_cost(few, found.labels, index, cost))
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[2]


def loss_with_cost(draws, labels, index, cost):
    """Weigh what the consensus separates more than the draws by 2 - cost, the rest by cost."""
    values = []
    for one in draws:
        table = ContingencyTable.from_labels(one, labels)
        counts = [table.cell_counts, table.row_sums, table.col_sums]
        if index == "mirkin_distance":
            t, u, v = (float((part**2).sum()) for part in counts)
            values.append(cost * v + (2 - cost) * u - 2 * t)
        else:
            t, u, v = (float((part * np.log(part)).sum()) for part in counts)
            values.append((cost * v + (2 - cost) * u - 2 * t) / len(labels))
    return np.mean(values)


def test_ratio_of_averages():
    draws = np.random.default_rng(2).integers(3, size=(6, 6))
    found = consensus_partition(
        draws, index="adjusted_rand_score", average="micro", n_clusters=(None, 6), random_state=0
    )

    def ratio(labels):
        top = bottom = 0.0
        for one in draws:
            table = ContingencyTable.from_labels(one, labels)
            parts = table.cell_counts, table.row_sums, table.col_sums
            t, u, v = (float((part * (part - 1) / 2).sum()) for part in parts)
            top += t - u * v / 15
            bottom += (u + v) / 2 - u * v / 15
        return top / bottom if bottom else 1.0

    values = [ratio(np.array(one)) for one in all_partitions(6)]
    assert found.score == pytest.approx(max(values))
    macro = consensus_partition(draws, n_clusters=(None, 6), random_state=0)
    assert found.score != pytest.approx(macro.score)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"index": "vi", "cost": 2.0}, "^cost must lie between 0 and 2, both excluded, got 2.0"),
        ({"index": "vi", "cost": 0.0}, "^cost must be a positive finite number, got 0.0"),
        ({"index": "vi", "cost": np.nan}, "^cost must be a positive finite number, got nan"),
        ({"index": "ari", "cost": 1.5}, "^cost must be None unless index is variation"),
        ({"index": "vi", "q": 2.0, "cost": 1.5}, "^cost must be None unless index is variation"),
        ({"index": "purity_score", "average": "micro"}, "^average must be 'macro' for an index"),
        ({"average": "both"}, "^average must be one of 'macro', 'micro'; got 'both'"),
    ],
    ids=str,
)
def test_errors_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        consensus_partition([[0, 0, 1], [0, 1, 1]], **options)


def test_a_loss_is_that_of_a_known_index_only():
    assert loss_of(get_index("purity_score"), {}, None, "macro") is None
    assert loss_of(get_index("pair_f_score"), {"beta": 2.0}, None, "macro") is None
    assert loss_of(get_index("pair_f_score"), {"beta": 1}, None, "macro") is not None


def test_many_draws_are_searched_on_some_and_then_on_all():
    rng = np.random.default_rng(3)
    truth = rng.integers(4, size=60)
    draws = np.where(rng.random((700, 60)) < 0.3, rng.integers(4, size=(700, 60)), truth)
    found = consensus_partition(draws, index="adjusted_rand_score", random_state=0)
    np.testing.assert_array_equal(found.labels, in_order_of_appearance(truth))
    assert found.optima[0].n_hits >= 3
    values = values_with([found.labels], draws, "adjusted_rand_score", {})
    assert found.score == pytest.approx(values[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_search_may_end_at_its_best_optimum(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    draws = np.arange(60) // 3 + (rng.random((9, 60)) < 0.3) * rng.integers(20, size=(9, 60))
    options = {"index": "variation_of_information_distance", "random_state": 0}
    dissolved = consensus_partition(draws, **options)
    monkeypatch.setattr(_expected_loss, "_MOST_AFTER", 0.0)
    found = consensus_partition(draws, **options)
    least = pairwise_scores(draws, index=options["index"]).values.mean(axis=0).min()
    assert dissolved.score <= found.score <= least + 1e-12


@pytest.mark.parametrize("is_partial", [False, True])
def test_losses_of_pairs_of_both_kernels(is_partial):
    codes = random_draws(np.random.default_rng(1), 30, is_partial=is_partial)
    weights = np.random.default_rng(2).random(len(codes))
    expected = _consensus.pair_losses(codes, weights, 0.7)
    np.testing.assert_allclose(_kernels.pair_losses(codes, weights, 0.7), expected, atol=1e-12)


@pytest.mark.parametrize("most_paired", [59, 60])
def test_the_matrix_of_pairs_does_not_change_the_optimum(most_paired, monkeypatch):
    rng = np.random.default_rng(4)
    truth = rng.integers(4, size=60)
    draws = np.where(rng.random((90, 60)) < 0.4, rng.integers(4, size=(90, 60)), truth)
    monkeypatch.setattr(_expected_loss, "_MOST_PAIRED", most_paired)
    found = consensus_partition(draws, index="mirkin_distance", random_state=0)
    np.testing.assert_array_equal(found.labels, in_order_of_appearance(truth))


@pytest.mark.parametrize("climb", FORMS)
@pytest.mark.parametrize("most_united", [7, 8, 16])
def test_unions_up_to_a_number_of_columns(climb, most_united):
    # The union of the halves is better, and no object wants to move.
    halves = np.repeat([0, 1], 20).astype(np.int32)
    codes = np.array([0 * halves, 0 * halves, 0 * halves, halves, halves])
    loss = loss_of(get_index("vi"), {}, None, "macro")
    draws = Draws(codes, np.ones(5), np.ones(40, int), loss)
    found = climb(draws.arrays, halves, (1, 8), 8, 2, 0.0, 50, most_united, 0)
    assert len(set(found.labels.tolist())) == (1 if most_united >= 8 else 2)
    assert found.history[-1] == pytest.approx(np.log(2) * (0.4 if most_united >= 8 else 0.6))


MEMORY = """
import resource, numpy as np
from sklearn_clustcompare import consensus_partition
rng = np.random.default_rng(0)
def peak(n_draws, n):
    draws = np.where(rng.random((n_draws, n)) < 0.4, rng.integers(9, size=(n_draws, n)), 0)
    consensus_partition(draws, index="vi", n_init=1)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak(2, 1000)
print(peak(100, 20_000) - before)
"""


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory in KiB")
@pytest.mark.parametrize("n_objects", [slow(20_000)])
def test_memory_is_that_of_the_labels(n_objects):
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    # At most twenty numbers a label, those of the draws included; one a pair would be more.
    assert 1024 * int(done.stdout) < 20 * 8 * 100 * n_objects < n_objects**2
