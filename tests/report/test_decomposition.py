"""Values of single clusters: by definition, as printed, and put together again."""

import itertools
import json
import math
import subprocess
import sys
import tracemalloc
import warnings
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.metrics import clustering_entropy
from sklearn_clustcompare.report._decomposition import (
    CLUSTER_LEGEND,
    ClusterDecomposition,
    cluster_decomposition,
)
from tests._examples import FEW_EXAMPLES, pairs_of_labels
from tests._files import DATA
from tests._pages import Page

GOLDEN = json.loads((DATA / "van_der_hoef_warrens_2018.json").read_text("utf-8"))
# All figures of the paper have two decimals; half a unit is either way.
HALF_A_UNIT = 0.005 + 1e-12
# Printed figures that the definition does not give: table, weights, place, printed, by definition.
SLIPS = {
    ("2b", "u_i", 0): (0.30, 0.3051298),
    ("5b", "u_i", 2): (0.16, 0.1545001),
    ("5b", "v_j", 2): (0.16, 0.1545001),
    ("7", "v_j", 3): (0.05, 0.0436938),
}
ORDERS = [0.3, 1, 1.5, 2, 4]
labelings = pairs_of_labels(1, 40, 7)


def of_counts(counts):
    return ClusterDecomposition(ContingencyTable.from_counts(counts))


def together(weights, values):
    """Weigh values by their definition; where the weight is 0 a value may be undefined."""
    terms = zip(weights.tolist(), values.tolist(), strict=True)
    return math.fsum(weight * value for weight, value in terms if weight)


def close(value, expected):
    return abs(value - expected) <= 1e-14 * max(1.0, abs(expected))


def value_of(name, table, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return get_index(name)(table, **parameters)


# ------------------------------------------------------------------- printed figures


@pytest.mark.parametrize("name", GOLDEN["tables"])
def test_tables_6_and_8_as_printed(name):
    printed = GOLDEN["tables"][name]
    decomposition = of_counts(printed["counts" if "counts" in printed else "proportions"])
    assert abs(decomposition.R - printed["R"]) <= HALF_A_UNIT
    assert abs(decomposition.C - printed["C"]) <= HALF_A_UNIT
    for part in ("R_i", "u_i", "C_j", "v_j"):
        values = getattr(decomposition, part)
        assert len(values) == len(printed[part])
        for place, (value, figure) in enumerate(zip(values, printed[part], strict=True)):
            if (name, part, place) in SLIPS:
                slip, definition = SLIPS[name, part, place]
                assert figure == slip
                assert value == pytest.approx(definition, abs=1e-7)
                assert abs(value - figure) > HALF_A_UNIT
            else:
                assert abs(value - figure) <= HALF_A_UNIT, (part, place)


@pytest.mark.parametrize(
    "row", GOLDEN["weights_two_clusters"] + GOLDEN["weights_three_clusters"], ids=str
)
def test_tables_3_and_4_as_printed(row):
    n_clusters = len(row) // 2
    sizes, printed = np.array(row[:n_clusters]), np.array(row[n_clusters:])
    weights = of_counts(sizes[:, np.newaxis] * [0.5, 0.5]).u_i
    assert np.abs(weights - printed).max() <= HALF_A_UNIT


# ------------------------------------------------------------------- definitions


def entropy_part(share, q):
    if q == 1:
        return -share * mpmath.log(share)
    return (share - share**q) / (q - 1)


def information_part(row, rows, cols, i, n, q):
    """Part of row i in the mutual information, by the definition."""
    total = mpmath.mpf(0)
    p_i = mpmath.mpf(rows[i]) / n
    for count, col in zip(row, cols, strict=True):
        p_ij, p_j = mpmath.mpf(count) / n, mpmath.mpf(col) / n
        if not p_ij:
            continue
        if q == 1:
            total += p_ij * mpmath.log(p_ij / (p_i * p_j))
        else:
            total += (p_ij - p_ij * p_i ** (q - 1) - p_ij * p_j ** (q - 1) + p_ij**q) / (q - 1)
    return total


def defined_values(counts, q):
    """Return R_i, u_i and the shares of the lost information in fifty digits."""
    rows, cols = [sum(row) for row in counts], [sum(col) for col in zip(*counts, strict=True)]
    n, q = sum(rows), mpmath.mpf(q)
    entropies = [entropy_part(mpmath.mpf(size) / n, q) for size in rows]
    parts = [information_part(row, rows, cols, i, n, q) for i, row in enumerate(counts)]
    lost = [whole - part for whole, part in zip(entropies, parts, strict=True)]
    return (
        [part / whole for part, whole in zip(parts, entropies, strict=True)],
        [whole / sum(entropies) for whole in entropies],
        [one / sum(lost) for one in lost],
    )


@pytest.mark.parametrize("q", ORDERS)
@pytest.mark.parametrize(
    "counts",
    [
        [[3, 0, 1], [0, 5, 2]],
        [[1, 2], [3, 4], [5, 6]],
        [[1000, 1], [1, 2], [0, 1]],
        [[7, 0, 0, 1], [0, 1, 0, 0], [2, 2, 2, 2], [0, 0, 0, 9]],
    ],
    ids=str,
)
def test_values_by_definition(counts, q):
    with mpmath.workdps(50):
        true = defined_values(counts, q)
        pred = defined_values(list(zip(*counts, strict=True)), q)
    table = ContingencyTable.from_counts(counts)
    decomposition = ClusterDecomposition(table, q)
    for expected, side in ((true, decomposition.true), (pred, decomposition.pred)):
        for numbers, values in zip(
            expected, (side.values, side.weights, side.lost_share), strict=True
        ):
            np.testing.assert_allclose(values, [float(x) for x in numbers], rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(
            side.mutual_info + side.lost, side.entropies, rtol=1e-13, atol=1e-16
        )
        assert side.unit_weighted == pytest.approx(
            float(np.dot(side.sizes, [float(x) for x in expected[0]]) / table.n_samples), rel=1e-13
        )


def test_clusters_close_to_independence_keep_their_digits():
    counts = [[10**6 + 1, 10**6, 10**6], [10**6, 10**6 + 2, 10**6]]
    with mpmath.workdps(60):
        expected = defined_values(counts, 1)[0]
    decomposition = of_counts(counts)
    assert max(expected) < 1e-12
    np.testing.assert_allclose(decomposition.R_i, [float(x) for x in expected], rtol=1e-12)
    np.testing.assert_allclose(
        decomposition.true.mutual_info, decomposition.R_i * decomposition.true.entropies, rtol=1e-14
    )


@given(labelings)
def test_pairs_by_looking_at_all_of_them(labels):
    labels_true, labels_pred = labels
    side = cluster_decomposition(labels_true, labels_pred).true
    if side.table.is_identity:
        assert (side.wallace == 1).all()
        assert (side.adjusted_wallace == 1).all()
        return
    objects = list(zip(labels_true, labels_pred, strict=True))
    pairs = list(itertools.combinations(objects, 2))
    chance = Fraction(sum(a[1] == b[1] for a, b in pairs), len(pairs))
    for place, label in enumerate(side.labels.tolist()):
        own = [(a, b) for a, b in pairs if a[0] == b[0] == label]
        if not own:
            assert math.isnan(side.wallace[place])
            assert math.isnan(side.adjusted_wallace[place])
            continue
        kept = Fraction(sum(a[1] == b[1] for a, b in own), len(own))
        assert side.wallace[place] == pytest.approx(float(kept), abs=1e-15)
        if chance == 1:
            assert math.isnan(side.adjusted_wallace[place])
        else:
            adjusted = (kept - chance) / (1 - chance)
            assert side.adjusted_wallace[place] == pytest.approx(float(adjusted), rel=1e-14)


@given(labelings)
@example((list("aab"), list("xyy")))
@example(([0, 0, 0, 0], [0, 0, 1, 1]))
def test_matches_by_comparing_all_clusters(labels):
    decomposition = cluster_decomposition(*labels)
    sets = [
        {label: {k for k, one in enumerate(side) if one == label} for label in sorted(set(side))}
        for side in labels
    ]
    for side, own, others in (
        (decomposition.true, *sets),
        (decomposition.pred, *reversed(sets)),
    ):
        for place, (_, members) in enumerate(own.items()):
            best = side.match[place]
            common = len(members & others[best])
            if not side.is_matched[place]:
                assert common == max(len(members & other) for other in others.values())
            shares = common / len(members), common / len(others[best])
            recall, precision = shares if side.side == "true" else shares[::-1]
            assert side.recall[place] == recall
            assert side.precision[place] == precision
            assert side.f_score[place] == 2 * common / (len(members) + len(others[best]))
            assert side.jaccard[place] == common / len(members | others[best])
    pairs = [
        set(zip(side.labels[own].tolist(), side.match[own].tolist(), strict=True))
        for side in (decomposition.true, decomposition.pred)
        for own in [side.is_matched]
    ]
    assert pairs[0] == {(true, pred) for pred, true in pairs[1]}
    assert (
        len({true for true, _ in pairs[0]}) == len({pred for _, pred in pairs[0]}) == len(pairs[0])
    )


@pytest.mark.parametrize(
    ("counts", "true", "pred"),
    [
        ([[4, 0], [0, 4]], ["kept", "kept"], ["kept", "kept"]),
        ([[5, 5], [0, 0]], ["split"], ["part", "part"]),
        ([[5], [5]], ["merged", "merged"], ["merged"]),
        ([[2, 2], [2, 2]], ["split and merged"] * 2, ["split and merged"] * 2),
        ([[3, 1], [0, 8]], ["kept", "kept"], ["kept", "kept"]),
        ([[299, 101], [0, 800]], ["split", "kept"], ["part", "kept"]),
        ([[28, 72, 0], [0, 0, 9]], ["split", "kept"], ["part", "part", "kept"]),
        ([[9, 0], [9, 0], [2, 2]], ["merged", "merged", "split"], ["merged", "part"]),
        # The second row is matched with one object, and merged with the first one.
        ([[99, 0], [49, 1]], ["merged", "merged"], ["merged", "part"]),
    ],
)
def test_verdict(counts, true, pred):
    decomposition = of_counts(counts)
    assert decomposition.true.verdict.tolist() == true
    assert decomposition.pred.verdict.tolist() == pred


# ------------------------------------------------------------------- put together again


@given(labelings, st.sampled_from(ORDERS))
@example(([0, 0], [0, 1]), 1)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_information_recombines(labels, q):
    decomposition = cluster_decomposition(*labels, q=q)
    table = decomposition.table
    assert close(together(decomposition.u_i, decomposition.R_i), decomposition.R)
    assert close(together(decomposition.v_j, decomposition.C_j), decomposition.C)
    for side in (decomposition.true, decomposition.pred):
        assert close(math.fsum(side.weights), 1.0)
        assert math.fsum(side.lost_share) == pytest.approx(float(side.lost.any()), abs=1e-14)
    if q == 1:
        assert value_of("homogeneity_score", table) == decomposition.R
        assert value_of("completeness_score", table) == decomposition.C
    parts = decomposition.normalized_mutual_info()
    assert parts.value == value_of("normalized_mutual_info_score", table, q=q)
    assert close(
        together(parts.true_weights, decomposition.R_i)
        + together(parts.pred_weights, decomposition.C_j),
        parts.value,
    )
    assert close(math.fsum(parts.true_weights) + math.fsum(parts.pred_weights), 1.0)


@FEW_EXAMPLES
@given(labelings)
def test_pairs_recombine(labels):
    decomposition = cluster_decomposition(*labels)
    table, (true, pred) = decomposition.table, (decomposition.true, decomposition.pred)
    assert close(together(true.pair_weights, true.wallace), value_of("pair_recall_score", table))
    assert close(together(pred.pair_weights, pred.wallace), value_of("pair_precision_score", table))
    for given_side, side in (("true", true), ("pred", pred)):
        expected = value_of("adjusted_wallace_score", table, given=given_side)
        if not np.isnan(side.adjusted_wallace).all():
            assert close(together(side.pair_weights, side.adjusted_wallace), expected)
    parts = decomposition.adjusted_rand()
    assert parts.value == value_of("adjusted_rand_score", table)
    assert close(
        together(parts.true_weights, true.adjusted_wallace)
        + together(parts.pred_weights, pred.adjusted_wallace),
        parts.value,
    )
    assert close(math.fsum(parts.true_weights) + math.fsum(parts.pred_weights), 1.0)


@given(labelings)
def test_matches_recombine(labels):
    parts = cluster_decomposition(*labels)
    for side, share in ((parts.true, parts.true.recall), (parts.pred, parts.pred.precision)):
        shares = side.sizes / side.table.n_samples * side.is_matched
        assert close(together(shares, share), value_of("matching_accuracy_score", parts.table))


@given(labelings, st.sampled_from([1, 1.5, 2, 4]))
def test_values_lie_between_0_and_1_from_order_1_on(labels, q):
    decomposition = cluster_decomposition(*labels, q=q)
    for values in (decomposition.R_i, decomposition.C_j):
        assert ((values >= 0) & (values <= 1)).all()


@pytest.mark.parametrize(
    "counts",
    [
        [[10**12, 3], [5, 10**11]],
        [[10**12, 10**12 + 7], [10**12, 10**12]],
        [[10**9, 1, 0], [0, 1, 1], [0, 0, 1]],
    ],
    ids=str,
)
def test_large_counts_recombine(counts):
    decomposition = of_counts(counts)
    table, true = decomposition.table, decomposition.true
    assert close(together(true.weights, true.values), value_of("homogeneity_score", table))
    assert close(together(true.pair_weights, true.wallace), value_of("pair_recall_score", table))
    assert close(
        together(true.pair_weights, true.adjusted_wallace),
        value_of("adjusted_wallace_score", table),
    )


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.5, 1, 2])
def test_entropies_within_are_those_of_the_objects_of_each_cluster(q, case):
    decomposition = cluster_decomposition(*case, q=q)
    labels_true, labels_pred = (np.asarray(labels, dtype=object) for labels in case)
    for side, own, other in (
        (decomposition.true, labels_true, labels_pred),
        (decomposition.pred, labels_pred, labels_true),
    ):
        expected = [
            clustering_entropy([b for a, b in zip(own, other, strict=True) if a == label], q=q)
            for label in side.labels.tolist()
        ]
        np.testing.assert_allclose(side.entropies_within, expected, rtol=1e-13, atol=1e-15)
        np.testing.assert_array_equal(side.columns()["entropy_within"], side.entropies_within)


# ------------------------------------------------------------------- limits


@pytest.mark.parametrize("q", [1, 2])
def test_no_objects(q):
    decomposition = cluster_decomposition([], [], q=q)
    assert (decomposition.R, decomposition.C) == (1.0, 1.0)
    assert (decomposition.true.unit_weighted, decomposition.pred.unit_weighted) == (1.0, 1.0)
    for side in (decomposition.true, decomposition.pred):
        assert all(len(column) == 0 for column in side.columns().values())
        assert side.summary == (0, 0, 0, ())
    assert repr(decomposition).startswith("ClusterDecomposition: 0 objects, R = 1.0000, C = 1.0000")
    assert len(repr(decomposition).splitlines()) == 1
    assert len(decomposition.to_frame()) == 0


def test_one_cluster_on_one_side():
    decomposition = cluster_decomposition(list("aaaa"), [0, 0, 1, 1])
    assert decomposition.R_i.tolist() == decomposition.u_i.tolist() == [1.0]
    assert decomposition.C_j.tolist() == [0.0, 0.0]
    assert decomposition.v_j.tolist() == [0.5, 0.5]
    assert decomposition.true.lost_share.tolist() == [0.0]
    assert decomposition.normalized_mutual_info().value == 0.0


@pytest.mark.parametrize("labels", [[5], [0, 0, 0], range(6), list("aabbbc")], ids=str)
def test_equal_partitions_have_exactly_1_everywhere(labels):
    decomposition = cluster_decomposition(labels, [f"x{label}" for label in labels])
    for side in (decomposition.true, decomposition.pred):
        columns = side.columns()
        for name in ("value", "adjusted", "wallace", "adjusted_wallace", "precision", "recall"):
            assert columns[name].tolist() == [1.0] * len(side.sizes), name
        assert columns["lost_share"].tolist() == [0.0] * len(side.sizes)
        assert set(columns["verdict"].tolist()) == {"kept"}
    assert decomposition.adjusted_rand().value == 1.0


def test_all_singletons_on_one_side():
    decomposition = cluster_decomposition([0, 0, 1, 1], range(4))
    assert decomposition.R_i.tolist() == [1.0, 1.0]
    assert decomposition.C_j.tolist() == [0.5] * 4
    assert decomposition.true.wallace.tolist() == [0.0, 0.0]
    assert np.isnan(decomposition.pred.wallace).all()
    assert decomposition.pred.pair_weights.tolist() == [0.0] * 4


def test_summary_counts_high_and_poor_values():
    side = of_counts(GOLDEN["tables"]["7"]["counts"]).true
    assert (side.values >= 0.95).sum() == 2
    assert (side.values <= 0.5).sum() == 5  # birds at 0.4987 are poor, though printed as 0.50
    assert side.summary[:3] == (7, (side.adjusted >= 0.95).sum(), (side.adjusted <= 0.5).sum())
    assert side.summary.quantiles == tuple(np.quantile(side.adjusted, [0, 0.25, 0.5, 0.75, 1]))


# ------------------------------------------------------------------- what goes in


def test_names_and_order_of_clusters_change_no_bit():
    rng = np.random.default_rng(0)
    labels_true, labels_pred = rng.integers(9, size=90), rng.integers(7, size=90)
    weights = 3 * rng.random(90)
    table = ContingencyTable.from_labels(labels_true, labels_pred, sample_weight=weights)
    assert (table.counts.toarray() == 0).any()
    names = rng.permutation(7)
    renamed = ContingencyTable.from_counts(table.counts.toarray()[:, names])
    for q in (1, 2.5):
        first = ClusterDecomposition(table, q).true.columns()
        second = ClusterDecomposition(renamed, q).true.columns()
        for name in ("value", "weight", "lost_share", "wallace", "precision", "jaccard"):
            np.testing.assert_array_equal(first[name], second[name], err_msg=name)


def test_swapping_the_partitions_swaps_the_sides(case):
    there, back = cluster_decomposition(*case), cluster_decomposition(*case[::-1])
    first, second = there.pred.columns(), back.true.columns()
    swapped = {"precision": "recall", "recall": "precision"}
    for name in set(first) - {"verdict"}:
        np.testing.assert_array_equal(first[name], second[swapped.get(name, name)], err_msg=name)


def test_shares_instead_of_frequencies_have_no_pairs():
    decomposition = of_counts([[0.3, 0.1], [0.2, 0.4]])
    assert np.isnan(decomposition.true.wallace).all()
    assert np.isnan(decomposition.true.adjusted_wallace).all()
    with pytest.raises(ValueError, match="frequencies"):
        decomposition.adjusted_rand()


def test_soft_partitions():
    rng = np.random.default_rng(0)
    memberships = rng.dirichlet([0.3, 0.3, 0.3], size=80)
    labels = memberships.argmax(axis=1)
    for labels_true, labels_pred in ((labels, memberships), (memberships, memberships)):
        decomposition = cluster_decomposition(labels_true, labels_pred)
        table = decomposition.table
        assert decomposition.pred.labels.tolist() == [0, 1, 2]
        np.testing.assert_allclose(decomposition.pred.sizes, memberships.sum(axis=0))
        assert value_of("homogeneity_score", table) == decomposition.R
        assert 0.1 < decomposition.R < 1
        assert close(together(decomposition.u_i, decomposition.R_i), decomposition.R)
        parts = decomposition.adjusted_rand()
        recombined = together(parts.true_weights, decomposition.true.adjusted_wallace)
        recombined += together(parts.pred_weights, decomposition.pred.adjusted_wallace)
        assert close(recombined, value_of("adjusted_rand_score", table))


# ------------------------------------------------------------------- many clusters, what comes out


@pytest.mark.slow
@pytest.mark.thread_unsafe(reason="memory of the whole process is traced")
def test_many_clusters_need_no_dense_table():
    rng = np.random.default_rng(0)
    labels_true = rng.integers(40_000, size=100_000)
    labels_pred = np.where(
        rng.random(100_000) < 0.5, labels_true, rng.integers(40_000, size=100_000)
    )
    tracemalloc.start()
    decomposition = cluster_decomposition(labels_true, labels_pred)
    frame = decomposition.to_frame()
    text = repr(decomposition)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6  # a dense table would have 10 GB
    assert len(frame) == sum(decomposition.table.shape) > 70_000
    assert len(text.splitlines()) < 30
    assert close(together(decomposition.u_i, decomposition.R_i), decomposition.R)


def test_frame():
    decomposition = cluster_decomposition(list("aab"), [0, 1, 1])
    frame = decomposition.to_frame()
    assert frame["side"].tolist() == ["true"] * 2 + ["pred"] * 2
    assert frame["label"].tolist() == ["a", "b", 0, 1]
    assert frame["match"].tolist() == [0, 1, "a", "b"]
    np.testing.assert_array_equal(frame["value"], [*decomposition.R_i, *decomposition.C_j])
    np.testing.assert_array_equal(frame["weight"], [*decomposition.u_i, *decomposition.v_j])
    assert list(frame.columns[1:]) == [*decomposition.true.columns(), "name"]


def test_the_worst_of_many_clusters_are_shown():
    counts = np.diag([5] * 30)
    counts[17, 18] = 4
    decomposition = of_counts(counts)
    lines = repr(decomposition).split("\n\n")[1].splitlines()
    assert lines[0] == "30 clusters of labels_true"
    assert len(lines) == 12
    assert lines[2].split()[:2] == ["17", "9"]
    assert lines[3].split()[:2] == ["18", "5"]
    assert np.argsort(-decomposition.true.lost_share)[:2].tolist() == [17, 18]


def test_html_is_well_formed_and_escaped():
    page = Page(cluster_decomposition(["<b>", "&"], [0, 1])._repr_html_())
    assert "<b>" in page.texts
    assert page.texts[-1] == CLUSTER_LEGEND


@pytest.mark.slow
@pytest.mark.processes
def test_pandas_is_needed_by_to_frame_only():
    code = (
        "import sys; sys.modules['pandas'] = None;"
        "import sklearn_clustcompare.report._report as r;"
        "report = r.clustering_comparison_report([0, 1], [0, 0]); report.to_html();"
        "report.decomposition.to_frame()"
    )
    failed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert failed.returncode == 1
    assert "in to_frame" in failed.stderr
    assert "pandas" in failed.stderr.splitlines()[-1]
