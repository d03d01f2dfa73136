"""``--fail-under`` of all commands, and indices with parameters and short names."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.cli._files import Verdict, _texts, failures_of
from sklearn_clustcompare.cli._parser import Threshold, index_type

TRUE, PRED = "aaabb", "11112"
TABLE = ContingencyTable.from_labels(list(TRUE), list(PRED))
POINTS = "x,class\n0,u\n0,u\n1,u\n9,v\n9,v\n8,v\n"


@pytest.fixture
def two_files(write):
    return [write("true.txt", "\n".join(TRUE)), write("pred.txt", "\n".join(PRED))]


@pytest.fixture
def rank(write, five_partitions):
    return ["rank", write("five.csv", five_partitions), "--reference", "truth"]


@pytest.fixture
def select(write):
    return ["select", write("points.csv", POINTS), "-k", "2:3"]


# --------------------------------------------------------------------------- indices


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("ari", "adjusted_rand_score"),
        ("ami", "adjusted_mutual_info_score"),
        ("nmi", "normalized_mutual_info_score"),
        ("vi", "variation_of_information_distance"),
    ],
)
def test_short_names(run, run_json, two_files, short, name):
    result = run_json("compare", *two_files, "--index", short)
    assert result["scores"] == {name: get_index(name)(TABLE)}
    assert run("compare", *two_files, "--index", f"{short},{name}") == run(
        "compare", *two_files, "--index", name
    )


@pytest.mark.parametrize(
    ("text", "title", "parameters"),
    [
        ("nmi:average_method=max", None, {"average_method": "max"}),
        ("nmi:average_method=max:q=2", None, {"average_method": "max", "q": 2}),
        ("nmi:average_method=max:q=2.5", None, {"average_method": "max", "q": 2.5}),
        ("vi:normalize=joint", None, {"normalize": "joint"}),
        ("vi:base=none", "variation_of_information_distance:base=None", {"base": None}),
        ("mirkin_distance:normalize=true", "mirkin_distance:normalize=True", {"normalize": True}),
    ],
)
def test_parameters_of_indices(run_json, two_files, text, title, parameters):
    chosen = index_type(text)
    assert chosen.parameters == parameters
    result = run_json("compare", *two_files, "--index", text)
    value = chosen.index(TABLE, **parameters)
    expected = ":".join([chosen.index.name, *(f"{k}={v}" for k, v in parameters.items())])
    assert result["scores"] == {title or expected: value}


def test_one_index_with_several_parameters(run_json, run, two_files, rank, select):
    names = ["nmi:average_method=max", "nmi", "nmi:average_method=min"]
    titles = [name.replace("nmi", "normalized_mutual_info_score") for name in names]
    scores = run_json("compare", *two_files, "--index", ",".join(names))["scores"]
    assert list(scores) == titles
    assert scores[titles[0]] < scores[titles[1]] < scores[titles[2]]
    for arguments in (rank, select):
        result = run_json(*arguments, "--index", ",".join(names))
        assert result["index"] == titles[0]
        assert all(set(titles) <= set(row) for row in result["candidates"])
        header = run(*arguments, "--index", ",".join(names))[1].splitlines()[2].split()
        assert header[-3:] == titles


# --------------------------------------------------------------------------- thresholds


def test_thresholds_and_verdict_are_in_json(run, two_files):
    arguments = ["compare", *two_files, "--index", "rand_score", "--json"]
    limits = [
        "--fail-under",
        "ari=0.9",
        "--fail-under",
        "vi:q=2=5",
        "--fail-under",
        "rand_score=0.6",
    ]
    status, out, err = run(*arguments, *limits)
    result = json.loads(out)
    ari, vi = get_index("adjusted_rand_score"), get_index("variation_of_information_distance")
    expected = [
        ("adjusted_rand_score", ari(TABLE), 0.9, False),
        ("variation_of_information_distance:q=2", vi(TABLE, q=2), 5.0, True),
        ("rand_score", 0.6, 0.6, True),
    ]
    assert [tuple(one.values()) for one in result["thresholds"]] == expected
    assert list(result["thresholds"][0]) == ["index", "value", "threshold", "passed"]
    assert (status, result["passed"]) == (1, False)
    assert err == f"clustcompare: failed: adjusted_rand_score is {ari(TABLE):.4f}, below 0.9\n"
    assert list(result["scores"]) == ["rand_score", expected[0][0], expected[1][0]]
    status, out, _ = run(*arguments, *limits[2:])
    assert (status, json.loads(out)["passed"]) == (0, True)
    assert "passed" not in json.loads(run(*arguments)[1])


def test_a_report_as_json_has_the_verdict(run, two_files):
    arguments = ["compare", *two_files, "--report", "json"]
    status, out, _ = run(*arguments, "--fail-under", "ari=0.9")
    result = json.loads(out)
    assert (status, result.pop("passed")) == (1, False)
    assert [one["threshold"] for one in result.pop("thresholds")] == [0.9]
    assert result == json.loads(run(*arguments)[1])


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_rank_judges_the_best_candidate(run, rank, options):
    columns = ["--candidate", "far,near"]
    plain = run(*rank, *columns, "--index", "ari,mirkin_distance", *options)
    for limits, failed in (
        (["ari=0.1", "mirkin_distance=30"], None),
        (["ari=0.9"], "adjusted_rand_score is "),
        (["mirkin_distance=1.5", "ari=0.1"], "mirkin_distance is "),
    ):
        flags = [part for limit in limits for part in ("--fail-under", limit)]
        status, out, err = run(*rank, *columns, "--index", "ari,mirkin_distance", *flags, *options)
        assert status == (0 if failed is None else 1)
        assert err == "" if failed is None else err.startswith(f"clustcompare: failed: {failed}")
        if options:
            result = json.loads(out)
            assert result["passed"] == (failed is None)
            assert len(result["thresholds"]) == len(limits)
            best = result["candidates"][0]
            assert [one["value"] for one in result["thresholds"]] == [
                best[one["index"]] for one in result["thresholds"]
            ]
        else:
            assert out == plain[1]


def test_rank_shows_what_is_judged(run, run_json, rank):
    result = run_json(*rank, "--fail-under", "purity_score=0.5")
    assert result["candidates"][0]["purity_score"] == 1.0
    assert result["index"] == "adjusted_rand_score"
    assert run(*rank, "--fail-under", "mutual_info_score=9")[0] == 1


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [
        (2 / 3, 0.7, "0.6667, below 0.7"),
        (2 / 3, 0.6667, "0.66667, below 0.6667"),
        (0.95916, 0.95917, "0.95916, below 0.95917"),
        (0.69999999, 0.7, "0.69999999, below 0.7"),
        (float("nan"), 0.7, "undefined, required is 0.7"),
    ],
)
def test_a_failure_is_rounded_as_tables_are_unless_it_would_look_like_the_limit(value, limit, text):
    verdicts = [Verdict(Threshold(index_type("rand_score"), limit), value)]
    assert [*failures_of(verdicts)] == [f"rand_score is {text}"]


def test_undefined_values_fail():
    for name in ("rand_score", "mirkin_distance"):
        threshold = Threshold(index_type(name), 0.5)
        assert not Verdict(threshold, float("nan")).passed
        assert Verdict(threshold, 0.5).passed


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_value_is_written_on_its_side_of_the_limit(value, limit):
    text, given_limit = _texts(value, limit)
    assert float(given_limit) == limit
    assert np.sign(float(text) - limit) == np.sign(value - limit)
