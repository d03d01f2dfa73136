"""Margins, totals and weights of tables; arguments are read once, and a table goes alone."""

import copy
import inspect
import math
import pickle
from collections import Counter

import numpy as np
import pytest
from scipy import sparse

from sklearn_clustcompare import (
    ContingencyTable,
    clustering_comparison_report,
    get_index,
    list_indices,
    make_clustering_scorer,
    metrics,
    pairwise_scores,
    permutation_test,
    relabel,
    score_candidates,
)
from sklearn_clustcompare._partition import labels as labels_module
from sklearn_clustcompare._partition import memberships as memberships_module
from sklearn_clustcompare._partition import reading as reading_module
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.significance import independence_test
from tests._docstrings import public_objects
from tests.test_seams import FOUND, TABLE, TRUTH


@pytest.mark.parametrize("name", list_indices(pairs=True))
def test_pair_counting_needs_no_more_than_sums_of_squares(name):
    rng = np.random.default_rng(0)
    index = get_index(name)
    for labels in (rng.integers(3, size=(2, 20)), np.tile(rng.integers(3, size=20), (2, 1))):
        table = ContingencyTable.from_labels(*labels)
        pairs = KnownMargins.of_squares(table.n_samples, table.square_sums)
        assert index.of_statistic(pairs.square_sums, pairs) == index.function(table)
        assert index.of_statistic(pairs.T.square_sums, pairs.T) == index.function(table.T)


def test_margins_of_pairs_have_no_sizes_to_take_for_empty_ones():
    with pytest.raises(AttributeError, match="row_sums"):
        get_index("standardized_rand_score").of_statistic(SquareSums(20, 30, 30), KnownMargins(20))


# ------------------------------------------------------- totals among counts, and images of colors


pd = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
LABELS = RNG.integers(3, size=50), RNG.integers(4, size=50)
TEXT = tuple(np.array(list("uvwx"))[one] for one in LABELS)


@pytest.mark.slow
@pytest.mark.parametrize("labels", [LABELS, TEXT, (TEXT[0], LABELS[1]), (LABELS[0], TEXT[1])])
@pytest.mark.parametrize("name", ["All", "Sum of all"])
def test_totals_of_a_crosstab_are_no_clusters(labels, name):
    frame = pd.crosstab(*labels, margins=True, margins_name=name)
    for given in (frame, frame.to_numpy(), sparse.csr_array(frame.to_numpy()), frame * 0.5):
        with pytest.raises(ValueError, match="must not contain totals, .*without margins=True"):
            ContingencyTable.from_counts(given)
    expected = ContingencyTable.from_labels(*labels)
    assert ContingencyTable.from_counts(frame.iloc[:-1, :-1]) == expected
    assert ContingencyTable.from_counts(pd.crosstab(*labels)) == expected


@pytest.mark.parametrize("name", ["All", "Gesamt"])
def test_totals_of_few_clusters_and_objects_by_their_name(name):
    for labels in ((np.zeros(5, int), LABELS[1][:5]), ([0, 1, 1, 1], [1, 1, 0, 1])):
        frame = pd.crosstab(*labels, margins=True, margins_name=name)
        with pytest.raises(ValueError, match="must not contain totals"):
            ContingencyTable.from_counts(frame)


@pytest.mark.parametrize("name", ["All", "Total", "sum"])
@pytest.mark.parametrize("labels", [LABELS, TEXT])
def test_a_total_row_or_column_alone_by_its_name(labels, name):
    frame = pd.crosstab(*labels, margins=True, margins_name=name)
    counts = pd.crosstab(*labels)
    for given, rest in ((frame.iloc[:, :-1], r"iloc\[:-1\]"), (frame.iloc[:-1], r"iloc\[:, :-1\]")):
        with pytest.raises(ValueError, match=f"must not contain totals, .*{name}.*{rest}"):
            ContingencyTable.from_counts(given)
        names = {"row_labels": [*given.index], "col_labels": [*given.columns]}
        with pytest.raises(ValueError, match="must not contain totals"):
            ContingencyTable.from_counts(given.to_numpy(), **names)
        assert (
            ContingencyTable.from_counts(given.to_numpy()).n_samples == 2 * counts.to_numpy().sum()
        )
        others = given.rename(index={name: 9}, columns={name: 9})
        assert ContingencyTable.from_counts(others).n_samples == 2 * counts.to_numpy().sum()
    other = counts.copy()
    other.loc[name] = counts.sum() + 1  # a cluster of this name
    assert ContingencyTable.from_counts(other).n_samples == other.to_numpy().sum()


def test_totals_of_two_clusters_a_side():
    with pytest.raises(ValueError, match="must not contain totals"):
        ContingencyTable.from_counts([[1, 1, 2], [2, 1, 3], [3, 2, 5]])  # 20 with them


@pytest.mark.parametrize(
    "counts",
    [
        [[1, 1], [1, 1]],
        [[2, 3, 5], [2, 3, 5]],
        [[2, 1], [3, 4], [5, 5]],
        [[1, 2, 3], [4, 5, 9], [5, 7, 11]],
        [[1, 0, 1], [1, 2, 3], [2, 2, 4]],  # of few objects, by chance
        [[1, 2, 3, 6], [4, 5, 9, 18], [2, 2, 2, 6], [7, 9, 14, 31]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ],
)
def test_counts_that_are_no_totals(counts):
    assert ContingencyTable.from_counts(counts).n_samples == np.sum(counts)


def test_clusters_that_look_like_totals_may_come_first():
    counts = np.array([[1, 2, 3, 6], [4, 5, 9, 18], [2, 2, 2, 6], [7, 9, 14, 30]])
    with pytest.raises(ValueError, match="put them first"):
        ContingencyTable.from_counts(counts)
    assert ContingencyTable.from_counts(counts[::-1, ::-1]).n_samples == 120


@pytest.mark.parametrize(
    ("shape", "is_asked"),
    [
        ((9, 8, 3), True),
        ((9, 8, 4), True),
        ((9, 8, 5), False),
        ((9, 8), False),
        ((3, 9, 8), False),
        ((4, 4, 4), False),
    ],
)
def test_images_of_colors_are_asked_about(shape, is_asked):
    images = RNG.integers(4, size=(2, *shape)).astype(np.uint8)
    if is_asked:
        with pytest.warns(UserWarning, match=r"shape \(9, 8, .\), as images of colors"):
            ContingencyTable.from_images(*images)
    else:
        ContingencyTable.from_images(*images)


# ----------------------------------- weights that leave no objects to compare, and sums of weights


TRUE, PRED, ZEROS = [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]
SOFT = np.array([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1], [0.3, 0.7]])
MESSAGE = "^sample_weight must be positive for at least one object, got zeros only"

WEIGHTED = {
    name: function
    for name, function in public_objects().items()
    if inspect.isfunction(function) and "sample_weight" in inspect.signature(function).parameters
}


@pytest.mark.parametrize("pred", [PRED, SOFT], ids=["labels", "memberships"])
def test_weights_of_zero_leave_nothing_to_compare(pred):
    given = {
        "labels_true": TRUE,
        "labels_pred": pred,
        "labels_a": pred,
        "labels_b": pred,
        "labels": pred,
        "candidates": {"one": pred},
        "partitions": [TRUE, PRED],
        "memberships": SOFT,
        "index": "adjusted_rand_score",
        "indices": "adjusted_rand_score",
        "margin": 0.1,
    }
    for name, function in WEIGHTED.items():
        taken = {key: given[key] for key in inspect.signature(function).parameters if key in given}
        if name in ("noise_bounds", "relabel"):  # of labels
            taken |= {"labels_pred": PRED}
        if name == "noise_bounds":  # of few indices
            taken |= {"index": "purity_score"}
        if name == "assert_clustering":
            taken |= {"purity_score": 0}
        with pytest.raises(ValueError, match=MESSAGE):
            function(**taken, sample_weight=ZEROS)


def test_functions_with_weights_are_found():
    assert len(WEIGHTED) > 40


@pytest.mark.parametrize("weights", [ZEROS, np.zeros(4), np.zeros(4, bool)])
def test_such_a_table_is_a_summand_and_no_comparison(weights):
    nothing = ContingencyTable.from_labels(TRUE, PRED, sample_weight=weights)
    table = ContingencyTable.from_labels(TRUE, PRED)
    whole = ContingencyTable.from_labels(TRUE, PRED)
    for empty in (
        nothing,
        nothing.T,
        nothing + nothing,
        nothing + ContingencyTable.from_labels([], []),
        nothing - nothing,
        pickle.loads(pickle.dumps(nothing)),
        copy.deepcopy(nothing),
        ContingencyTable.from_memberships(SOFT, SOFT, sample_weight=weights),
        ContingencyTable.from_labels(
            TRUE, PRED, sample_weight=weights, noise="drop", noise_label=1
        ),
    ):
        assert (empty.coverage, empty.n_samples) == (0.0, 0)
        assert empty + table == table + empty == whole
        assert (empty + table).coverage == 1.0
        for name in list_indices():
            with pytest.raises(ValueError, match=MESSAGE):
                get_index(name)(empty)


def test_no_objects_at_all_are_two_equal_partitions():
    table = ContingencyTable.from_labels([], [], sample_weight=[])
    assert table.coverage == 1.0
    assert get_index("rand_score")(table) == 1.0


def test_a_fold_without_weight_is_an_error_of_the_scorer():
    class Clusterer:
        def predict(self, X):
            return PRED

    scorer = make_clustering_scorer("purity_score")
    with pytest.raises(ValueError, match=MESSAGE):
        scorer(Clusterer(), np.zeros((4, 1)), TRUE, sample_weight=ZEROS)


@pytest.mark.parametrize("n_clusters", [3, 3000], ids=["dense", "sparse"])
def test_sums_of_weights_are_rounded_once_in_any_order(n_clusters):
    rng = np.random.default_rng(0)
    true, pred = rng.integers(n_clusters, size=(2, 3000))
    for weights in (np.full(3000, 0.1), rng.random(3000), 10 ** rng.uniform(-6, 6, 3000)):
        exact = {}
        for i, j, weight in zip(true.tolist(), pred.tolist(), weights.tolist(), strict=True):
            exact.setdefault((i, j), []).append(weight)
        table = ContingencyTable.from_labels(true, pred, sample_weight=weights)
        cells = zip(
            table.row_labels[table.cell_rows].tolist(),
            table.col_labels[table.cell_cols].tolist(),
            strict=True,
        )
        sums = [math.fsum(exact[cell]) for cell in cells]
        assert table.cell_counts.tolist() == sums
        order = rng.permutation(3000)
        assert table == ContingencyTable.from_labels(
            true[order], pred[order], sample_weight=weights[order]
        )


def test_a_threshold_is_reached_with_any_weights():
    found = [get_index("cluster_recall_score"), get_index("panoptic_quality_score")]
    for weight in (1, 0.1, 0.3, 1 / 3, np.pi * 1e-5):
        # Clusters of 4 and of 5 that share 3 objects overlap by one half, which is not above it.
        table = ContingencyTable.from_labels(
            [0] * 4 + [1] * 2, [0] * 3 + [1] + [0] * 2, sample_weight=[weight] * 6
        )
        assert found[0](table, threshold=0.5) == found[1](table) == 0
        assert found[0](table, threshold=0.5 * (1 - 1e-10)) == 0.5
        assert found[0](table, threshold=0.5 * (1 - 1e-13)) == (0.5 if weight == 1 else 0)


def test_the_largest_cell_does_not_depend_on_rounding():
    # Of equal cells the first: .1 + .2 exceeds .3 by rounding, and 1 / 3 + .2 has no simple unit.
    for parts in ((0.3, 0.1, 0.2), (np.sqrt(2) + np.pi, np.sqrt(2), np.pi)):
        labels = relabel([0, 1, 1], [0, 0, 0], method="majority", sample_weight=list(parts))
        assert labels.tolist() == [0, 0, 0]


def test_what_is_left_of_a_cell_is_more_than_rounding():
    for share, left in ((1e-8, 1), (1e-10, 0)):
        table = ContingencyTable.from_counts([[1.5 + 1.5 * share, 1.0]])
        rest = table - ContingencyTable.from_counts([[1.5, 1.0]])
        assert rest.n_cells == left


# ------------------------------------------------------- one door


@pytest.mark.parametrize("name", [*INDICES, "pair_confusion_matrix", "match_clusters"])
def test_what_stands_beside_a_table_is_an_error(name):
    function = getattr(metrics, name)
    with pytest.raises(TypeError, match="^labels_pred must be None with a ContingencyTable"):
        function(TABLE, FOUND)
    with pytest.raises(TypeError, match="^sample_weight must be None with a ContingencyTable"):
        function(TABLE, sample_weight=np.ones(30))
    with pytest.raises(TypeError, match="^labels_pred must be given unless labels_true is a Cont"):
        function(TRUTH)
    with pytest.raises(TypeError, match="^labels_pred must not be a ContingencyTable"):
        function(TRUTH, TABLE)


def test_options_of_reading_beside_a_table_are_an_error():
    for options in ({"noise": "drop"}, {"possibilistic": True}, {"missing": "drop"}):
        with pytest.raises(ValueError, match="must be left out with a ContingencyTable"):
            clustering_comparison_report(TABLE, **options)


def test_proportions_go_where_they_make_sense():
    proportions = ContingencyTable.from_counts(TABLE.counts.toarray() / 30)
    assert metrics.purity_score(proportions) == pytest.approx(metrics.purity_score(TABLE))
    assert metrics.v_measure_score(proportions) == pytest.approx(metrics.v_measure_score(TABLE))
    report = clustering_comparison_report(proportions)
    known = {line.name: line.value for line in report.overall}
    assert known["rand_score"] is None
    assert known["purity_score"] == pytest.approx(metrics.purity_score(TABLE))
    left_out = "rand_score is left out: sample_weight must be frequencies"
    assert any(left_out in note for note in report.warnings)
    with pytest.raises(ValueError, match="whole counts"):
        independence_test(proportions)


def test_a_soft_table_alone_has_no_objects_to_permute():
    memberships = np.random.default_rng(0).dirichlet([1, 1, 1], 30)
    table = ContingencyTable.from_memberships(TRUTH, memberships)
    with pytest.raises(ValueError, match="holds no objects that could be permuted"):
        permutation_test(table, index="purity_score")
    assert permutation_test(TRUTH, memberships, index="purity_score", n_resamples=19).pvalue > 0


@pytest.fixture
def reads(monkeypatch):
    """Count how often labels are encoded, and blocks of memberships judged."""
    counts = Counter()

    def counted(function, name):
        def call(*arguments, **options):
            counts[name] += 1
            return function(*arguments, **options)

        return call

    monkeypatch.setattr(reading_module, "encode", counted(labels_module.encode, "encoded"))
    monkeypatch.setattr(memberships_module, "_BLOCK_SIZE", 100)
    judge = memberships_module.Memberships._judged_rows
    monkeypatch.setattr(memberships_module.Memberships, "_judged_rows", counted(judge, "judged"))
    return counts


def test_candidates_are_encoded_once_each_and_memberships_judged_once(reads):
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([1] * 5, 60)  # three blocks of 20 objects
    candidates = rng.integers(4, size=(10, 60))
    score_candidates(soft, candidates, indices=["rand_score", "purity_score"])
    assert reads == {"encoded": 10, "judged": 3}
    reads.clear()
    score_candidates(candidates[0], [*candidates, soft, soft], indices="purity_score")
    # Integers of a reference and of candidates are counted as they are.
    assert reads == {"encoded": 1, "judged": 6}


def test_partitions_are_encoded_once_each_for_all_pairs(reads):
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([1] * 5, 60)
    pairwise_scores([*rng.integers(4, size=(9, 60)), soft], index="purity_score")
    assert reads == {"encoded": 9, "judged": 3}
    reads.clear()
    pairwise_scores(rng.dirichlet([1] * 5, (4, 60)), index="purity_score")
    assert reads == {"judged": 12}
