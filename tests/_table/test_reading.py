"""Arguments of functions of two partitions are read once, and a table goes alone."""

from collections import Counter

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    clustering_comparison_report,
    metrics,
    pairwise_scores,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare._partition import labels as labels_module
from sklearn_clustcompare._partition import memberships as memberships_module
from sklearn_clustcompare._partition import reading as reading_module
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.significance import independence_test
from tests.test_seams import FOUND, TABLE, TRUTH


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
