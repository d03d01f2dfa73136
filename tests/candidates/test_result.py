"""Scores of candidates: ranks, ties, frames, text."""

import math

import numpy as np
import pytest

from sklearn_clustcompare import get_index, index_curve, score_candidates
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare.candidates._scores import object_agreement
from sklearn_clustcompare.results import CandidateScores
from tests._indices import own_index
from tests.candidates._examples import FIVE, NAMED, TRUTH


def test_equal_values_share_the_best_rank_and_ties_are_told():
    candidates = {"a": TRUTH, "b": [5, 5, 5, 2, 2, 2], "c": NAMED["near"], "d": NAMED["far"]}
    names = ["adjusted_rand_score", "variation_of_information_distance"]
    result = score_candidates(TRUTH, candidates, indices=names)
    for name in (None, *names):
        assert result.rank(name).tolist() == [1, 1, 3, 4]
        with pytest.warns(UserWarning, match="^2 candidates are equally good by .*: 'a', 'b'$"):
            assert result.best(name) == "a"
    assert result.rank().dtype.kind == "i"


def close_values(table):
    """Return nearly the same for two clusters and for more: they differ by 7e-18."""
    return 0.05 if table.shape[1] == 2 else math.nextafter(0.05, 1)


def test_rounding_makes_no_order_of_candidates():
    index = own_index(close_values, "close")
    candidates = {"two": [0, 0, 0, 1], "three": [0, 0, 1, 2]}
    result = score_candidates([0, 0, 1, 1], candidates, indices=index)
    assert 0 < np.ptp(result.scores["close"]) < 1e-17
    assert result.rank().tolist() == [1, 1]
    with pytest.warns(UserWarning, match="^2 candidates are equally good by close"):
        assert result.best() == "two"
    curve = index_curve([0, 0, 1, 1], candidates, index=index)
    assert curve.winners.tolist() == [[True, True]]


def test_result_refuses_indices_that_were_not_computed():
    result = score_candidates(TRUTH, NAMED, indices="rand_score")
    with pytest.raises(ValueError, match="^index must be one of those computed: 'rand_score'; got"):
        result.best("purity_score")
    for wrong in ("rande", ["rand_score"], 0):
        with pytest.raises(ValueError, match="^index must be one of those computed: .*; got "):
            result.rank(wrong)
    with pytest.raises(AttributeError):
        result.names = []


def test_result_as_a_frame():
    result = score_candidates(TRUTH, NAMED, indices=FIVE)
    frame = result.to_frame()
    assert list(frame.columns) == ["n_clusters", "coverage", *FIVE]
    assert list(frame.index) == list(NAMED)
    assert frame.loc["far", "n_clusters"] == 3
    assert (frame[FIVE].to_numpy() == np.transpose(list(result.scores.values()))).all()


def test_objects_of_a_class_without_a_match_agree_with_no_cluster():
    true = read_labels([0, 0, 0, 1, 1, 1, 2], "labels_true")
    pred = read_labels([0, 0, 0, 1, 1, 1, 1], "labels_pred")
    assert object_agreement(true, pred).is_matched.tolist() == [True] * 6 + [False]


def test_result_as_text_and_html():
    many = {f"<{k}>": NAMED["far"] for k in range(31)}
    result = score_candidates(TRUTH, many | {"same": TRUTH}, indices="rand_score")
    lines = repr(result).splitlines()
    assert lines[0] == "CandidateScores: 32 candidates by rand_score"
    assert lines[1].split() == ["candidate", "rank", "n_clusters", "rand_score"]
    assert lines[2].split() == ["same", "1", "2", "1.0"]
    assert lines[12] == "... 12 more"
    assert [line.split()[0] for line in lines[13:]] == [f"<{k}>" for k in range(21, 31)]
    html = result._repr_html_()
    assert html.count("<tr>") == 22
    assert "&lt;0&gt;" in html
    assert "<0>" not in html
    dropped = score_candidates([0, 0, 1, -1], [[0, 0, 1, 1]], indices="rand_score", noise="drop")
    assert repr(dropped).splitlines()[1:] == [
        "candidate  rank  n_clusters  coverage  rand_score",
        "        0     1           2      0.75           1",
    ]


def test_undefined_scores_rank_last():
    def result_of(names, *values):
        record, many = get_index("mirkin_distance"), len(values)
        of_index = [{record.name: one} for one in (np.array(values), record, {})]
        return CandidateScores(of_index[0], names, np.full(many, 2), np.ones(many), *of_index[1:])

    result = result_of(list("abcde"), np.nan, 2.0, np.inf, np.nan, 1.0)
    assert result.rank().tolist() == [4, 2, 3, 4, 1]
    assert result.best() == "e"
    assert [line.split()[0] for line in repr(result).splitlines()[2:]] == list("ebcad")
    assert repr(result).splitlines()[-1].split()[-1] == "-"
    undefined = result_of(list("ad"), np.nan, np.nan)
    assert undefined.rank().tolist() == [1, 1]
    with pytest.raises(
        ValueError, match="^there is no best .* none of the 2 has a score by mirkin"
    ):
        undefined.best()
