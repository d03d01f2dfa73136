"""Scores of candidates: ranks, ties, frames, text, JSON."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import CandidateScores, Index, get_index, index_curve, score_candidates
from tests._examples import FEW_EXAMPLES
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
    index = Index(
        "close", close_values, greater_is_better=True, range=(0, 1), symmetric=False, source="test"
    )
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
    for wrong in ("rand", ["rand_score"], 0):
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
    record = get_index("mirkin_distance")
    values = np.array([np.nan, 2.0, np.inf, np.nan, 1.0])
    result = CandidateScores(
        {"mirkin_distance": values},
        list("abcde"),
        np.full(5, 2),
        np.ones(5),
        {"mirkin_distance": record},
        {"mirkin_distance": {}},
    )
    assert result.rank().tolist() == [4, 2, 3, 4, 1]
    assert result.best() == "e"
    assert [line.split()[0] for line in repr(result).splitlines()[2:]] == list("ebcad")
    assert repr(result).splitlines()[-1].split()[-1] == "-"
    undefined = CandidateScores(
        {"mirkin_distance": values[[0, 3]]},
        list("ad"),
        np.full(2, 2),
        np.ones(2),
        {"mirkin_distance": record},
        {"mirkin_distance": {}},
    )
    assert undefined.rank().tolist() == [1, 1]
    with pytest.raises(
        ValueError, match="^there is no best .* none of the 2 has a score by mirkin"
    ):
        undefined.best()


# --------------------------------------------------------------------------- JSON

NAMES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda names: st.lists(names, max_size=3).map(tuple),
    max_leaves=5,
)
VALUES = st.floats() | st.sampled_from([math.nan, math.inf, -math.inf, -0.0])


@st.composite
def results(draw):
    names = draw(st.lists(NAMES, max_size=5))
    n_candidates = len(names)
    column = st.lists(VALUES, min_size=n_candidates, max_size=n_candidates).map(np.array)
    titles = {"rand_score": {}, "NMI, max": {"average_method": "max", "q": draw(st.floats(0.1, 9))}}
    indices = [get_index("rand_score"), get_index("normalized_mutual_info_score")]
    has_intervals = draw(st.booleans())
    ends = column.flatmap(lambda low: column.map(lambda high: np.column_stack([low, high])))
    shares = st.sampled_from([0.0, -0.0, 1.0, math.nan]) | st.floats(0, 1)
    coverage = np.array(draw(st.lists(shares, min_size=n_candidates, max_size=n_candidates)))
    # Candidates that failed have any score.
    scores = {title: draw(column) for title in titles}
    scores = {
        title: np.where(coverage > 0, np.clip(values, 0, 1), values)
        for title, values in scores.items()
    }
    return CandidateScores(
        scores,
        names,
        np.array(
            draw(st.lists(st.integers(0, 2**62), min_size=n_candidates, max_size=n_candidates))
        ),
        coverage,
        dict(zip(titles, indices, strict=True)),
        titles,
        draw(st.floats(0.01, 0.99)) if has_intervals else None,
        {title: draw(ends) for title in titles} if has_intervals else {},
        {title: draw(column) for title in titles} if has_intervals else {},
    )


@FEW_EXAMPLES
@given(results())
def test_what_is_stored_comes_back(result):
    text = result.to_json()
    stored = json.loads(text, parse_constant=pytest.fail)
    assert stored["version"] == 1
    again = CandidateScores.from_json(text)
    assert [(type(name), name) for name in again.names] == [
        (type(name), name) for name in result.names
    ]
    assert again.indices == result.indices
    assert again.parameters == result.parameters
    assert again.confidence_level == result.confidence_level
    assert again.n_clusters.tolist() == result.n_clusters.tolist()
    np.testing.assert_array_equal(again.coverage, result.coverage)
    for part in ("scores", "intervals", "first_shares"):
        first, second = getattr(again, part), getattr(result, part)
        assert list(first) == list(second)
        for title in first:
            np.testing.assert_array_equal(first[title], second[title])
            assert first[title].shape == (*second[title].shape,)
    assert again.to_json() == text
    assert repr(again) == repr(result)


@pytest.mark.filterwarnings("ignore:the intervals of")
def test_a_computed_result_is_stored_and_read():
    result = score_candidates(
        TRUTH, NAMED, indices=FIVE, confidence_level=0.9, n_resamples=20, random_state=0
    )
    again = CandidateScores.from_json(result.to_json())
    pd.testing.assert_frame_equal(again.to_frame(), result.to_frame())
    assert again.best() == result.best()
    with pytest.raises(ValueError, match="to_json does not store them"):
        again.compare()


def test_names_of_numpy_and_of_other_kinds():
    frame = pd.DataFrame(np.transpose([TRUTH, TRUTH]), columns=np.array([7, 8]))
    result = score_candidates(TRUTH, frame, indices="rand_score")
    assert CandidateScores.from_json(result.to_json()).names == [7, 8]
    for name in (pd.Timestamp("2024-01-01"), frozenset(), math.nan, (1, 2j)):
        result = score_candidates(TRUTH, {name: TRUTH}, indices="rand_score")
        with pytest.raises(TypeError, match="^names of candidates must be text, finite numbers"):
            result.to_json()


def first_cell(table, *, power=None):
    return float(table.cell_counts[0])


def test_an_index_of_ones_own_is_stored_by_its_name():
    own = Index(
        "first_cell",
        first_cell,
        greater_is_better=True,
        range=(0.0, math.inf),
        symmetric=True,
        source="these tests",
        parameters={"power": lambda name, value: None},
    )
    text = score_candidates(TRUTH, NAMED, indices=own).to_json()
    again = CandidateScores.from_json(text, indices=[own])
    assert again.indices["first_cell"] is own
    with pytest.raises(
        ValueError, match="^indices must have the records .* none for 'first_cell'$"
    ):
        CandidateScores.from_json(text)
    result = score_candidates(TRUTH, NAMED, indices=own, power=object())
    with pytest.raises(TypeError, match="^parameters of indices must be such that JSON"):
        result.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-1], "stored must be the output of to_json, got invalid JSON"),
        (lambda text: None, "stored must be the output of to_json, got invalid JSON"),
        (lambda text: "[]", "stored must be the output of CandidateScores.to_json, got other"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "stored must be of version 1"),
        (lambda text: text.replace('"coverage"', '"cover"'), ".* a changed result"),
        (
            lambda text: text.replace('"near", ', ""),
            "stored must have as many scores as names, got 2",
        ),
    ],
)
def test_what_was_not_stored_is_refused(change, message):
    text = score_candidates(TRUTH, NAMED, indices="rand_score").to_json()
    with pytest.raises(ValueError, match=f"^{message}"):
        CandidateScores.from_json(change(text))


def test_a_stored_result_with_impossible_values_is_refused():
    truth = [0, 0, 1, 1] * 20
    result = score_candidates(
        truth,
        {"a": truth, "b": [0, 1, 1, 1] * 20},
        indices="adjusted_rand_score",
        confidence_level=0.95,
    )
    stored = json.loads(result.to_json())
    for changed, message in (
        ({"scores": {"adjusted_rand_score": [7, 1]}}, r"adjusted_rand_score in \[.*\], got 7"),
        ({"confidence_level": 5}, "confidence_level between 0 and 1, got 5"),
        ({"scores": {}}, "scores, an index and parameters of the same names"),
        ({"scores": {"other": [1, 1]}}, "scores, an index and parameters of the same names"),
        ({"intervals": {"other": [[0, 1], [0, 1]]}}, "intervals of scores only"),
        ({"coverage": [2, 1]}, r"coverage in \[0, 1\]"),
        ({"n_clusters": [-1, 2]}, "at least 0 clusters"),
    ):
        with pytest.raises(ValueError, match=f"^stored must have .*{message}"):
            CandidateScores.from_json(json.dumps({**stored, **changed}))
    with pytest.raises(ValueError, match="^stored must be the output of to_json"):
        CandidateScores.from_json("[" * 100_000)


def test_the_score_of_failed_candidates_is_kept():
    with pytest.warns(UserWarning, match="1 of 2 candidates failed"):
        result = score_candidates(
            [0, 0, 1], [[0, 0, 1], [0]], indices="rand_score", error_score=-5.0
        )
    assert CandidateScores.from_json(result.to_json()).scores["rand_score"].tolist() == [1.0, -5.0]
