"""Scores of candidates: ranks, ties, frames, text."""

import numpy as np
import pytest

from sklearn_clustcompare import score_candidates
from tests.comparison._examples import FIVE, NAMED, TRUTH


def test_equal_values_share_the_best_rank_and_ties_are_told():
    candidates = {"a": TRUTH, "b": [5, 5, 5, 2, 2, 2], "c": NAMED["near"], "d": NAMED["far"]}
    names = ["adjusted_rand_score", "variation_of_information_distance"]
    result = score_candidates(TRUTH, candidates, indices=names)
    for name in (None, *names):
        assert result.rank(name).tolist() == [1, 1, 3, 4]
        with pytest.warns(UserWarning, match="^2 candidates are equally good by .*: 'a', 'b'$"):
            assert result.best(name) == "a"
    assert result.rank().dtype.kind == "i"


def test_result_refuses_indices_that_were_not_computed():
    result = score_candidates(TRUTH, NAMED, indices="rand_score")
    with pytest.raises(ValueError, match="^index must be one of those computed: 'rand_score'; got"):
        result.best("purity_score")
    with pytest.raises(ValueError, match="^index must be one of .*got 'rand'"):
        result.rank("rand")
    with pytest.raises(AttributeError):
        result.names = []


def test_result_as_a_frame():
    result = score_candidates(TRUTH, NAMED, indices=FIVE)
    frame = result.to_frame()
    assert list(frame.columns) == ["n_clusters", "coverage", *FIVE]
    assert list(frame.index) == list(NAMED)
    assert frame.loc["far", "n_clusters"] == 3
    assert (frame[FIVE].to_numpy() == np.transpose(list(result.scores.values()))).all()


def test_result_as_text_and_html():
    many = {f"<{k}>": NAMED["far"] for k in range(11)}
    result = score_candidates(TRUTH, many | {"same": TRUTH}, indices="rand_score")
    lines = repr(result).splitlines()
    assert lines[0] == "CandidateScores: 12 candidates, the best 10 by rand_score"
    assert lines[1].split() == ["candidate", "rank", "n_clusters", "rand_score"]
    assert lines[2].split() == ["same", "1", "2", "1"]
    assert len(lines) == 12
    html = result._repr_html_()
    assert html.count("<tr>") == 11
    assert "&lt;0&gt;" in html
    assert "<0>" not in html
    dropped = score_candidates([0, 0, 1, -1], [[0, 0, 1, 1]], indices="rand_score", noise="drop")
    assert repr(dropped).splitlines()[1:] == [
        "candidate  rank  n_clusters  coverage  rand_score",
        "        0     1           2    0.7500           1",
    ]
