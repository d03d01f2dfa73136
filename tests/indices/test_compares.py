"""What functions that compare partitions take alike: seen, read, refused and handed on."""

import inspect
import pickle
import pydoc
import traceback
from collections.abc import Iterator
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    index_curve,
    paired_comparison_test,
    pairwise_scores,
    permutation_test,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare._options import parameter_texts
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare.indices._compares import Given
from sklearn_clustcompare.significance import independence_test
from tests._docstrings import public_objects

# Of 40 objects in 10 groups, and of other numbers of clusters.
pytestmark = pytest.mark.filterwarnings("ignore:the interval may", "ignore:.* is not adjusted for")

RNG = np.random.default_rng(0)
TRUE, PRED = RNG.integers(3, size=40), RNG.integers(4, size=40)
FRAME = pd.DataFrame(
    {"true": TRUE, "pred": PRED, "other": 1 - TRUE % 2, "unit": np.arange(40) // 4}
)
MADE = {
    name: one
    for name, one in public_objects().items()
    if getattr(one, "__wrapped__", one).__annotations__.get("given") == "Given"
}
PARTITIONS = {
    "labels": TRUE,
    "labels_true": TRUE,
    "labels_pred": PRED,
    "labels_accepted": PRED,
    "labels_a": PRED,
    "labels_b": TRUE,
    "candidates": {"a": PRED},
    "partitions": [TRUE, PRED],
}
OTHERS = {
    "index": "purity_score",
    "tolerance": 0.9,
    "margin": 0.1,
    "method": "monte_carlo",
    "n_resamples": 20,
}
# Where nothing is drawn.
NOT_READ = {"random_state", "n_jobs"}


def arguments_of(name):
    """Return partitions and what else a call needs."""
    parameters = inspect.signature(MADE[name]).parameters
    given = {key: one for key, one in (PARTITIONS | OTHERS).items() if key in parameters}
    if name not in ("permutation_test", "independence_test"):
        given.pop("method", None)
    return given | ({"ari": -1} if name == "assert_clustering" else {})


def test_the_functions_that_are_made():
    assert {"permutation_test", "score_candidates", "cluster_decomposition"} <= set(MADE)
    assert len(MADE) == 30
    shared = {one.name for one in fields(Given)}
    documented = set(parameter_texts(inspect.getdoc(Given)))
    assert documented - {"params"} < shared
    assert set(parameter_texts(inspect.getdoc(Reading))) == {one.name for one in fields(Reading)}


@pytest.mark.parametrize("name", MADE)
def test_shared_arguments_are_read_and_refused_by_their_names(name):
    function, given = MADE[name], arguments_of(name)
    shared = {one.name for one in (*fields(Given), *fields(Reading))} - set(PARTITIONS)
    for argument in inspect.signature(function).parameters:
        if argument not in shared - NOT_READ:
            continue
        own = {"noise": "drop"} if argument == "noise_label" and name != "noise_bounds" else {}
        with pytest.raises((TypeError, ValueError), match=f"{argument}\\b.* must") as caught:
            function(**given | own | {argument: [[]]})
        # The call, the function, and what found the error.
        frames = [one.name for one in traceback.extract_tb(caught.tb)]
        assert frames[1] == name.rpartition(".")[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_arguments_are_given_by_position_by_name_or_not_at_all(name):
    function, given = MADE[name], arguments_of(name)
    parameters = inspect.signature(function).parameters
    kinds = [one.kind for one in parameters.values()]
    first = [one.name for one in parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    positions = [given[one] for one in first if one in given]
    by_name = {one: value for one, value in given.items() if one not in first}
    with np.errstate(all="ignore"):
        found = function(*positions, **by_name), function(**given)
    one, other = ([*each] if isinstance(each, Iterator) else each for each in found)
    assert repr(one) == repr(other)
    too_many = r"(too many positional arguments|takes several partitions as one list)"
    with pytest.raises(TypeError, match=rf"^{name}\(\) {too_many}"):
        function(*[TRUE] * (len(first) + 1), **by_name)
    with pytest.raises(TypeError, match=rf"^{name}\(\) multiple values for argument"):
        function(*positions, **given)
    for required in given:
        if required in parameters and parameters[required].default is inspect.Parameter.empty:
            others = {one: value for one, value in given.items() if one != required}
            with pytest.raises(TypeError, match=rf"^{name}\(\) missing .*'{required}'"):
                function(**others)
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        taken = ", ".join(parameters)
        with pytest.raises(TypeError, match=f"^{name}.. got .* 'colour'; it takes {taken}$"):
            function(**given, colour="red")
    if "index" in given and name != "index_curve":
        with pytest.raises(TypeError, match=rf"^{name}\(\) got .* 'noise_lable'; did you mean"):
            function(**given, noise_lable=0)


@pytest.mark.parametrize("name", MADE)
def test_help_and_pickles_know_the_public_function(name):
    function = MADE[name]
    assert pickle.loads(pickle.dumps(function)) is function
    header = pydoc.render_doc(function, renderer=pydoc.plaintext).splitlines()[2]
    assert header == name + str(inspect.signature(function))
    assert "given" not in inspect.signature(function).parameters
    assert set(inspect.signature(function).parameters) == set(parameter_texts(function.__doc__))


def test_parameters_of_an_index_are_told_from_slips():
    index = "mutual_info_score"
    assert permutation_test(TRUE, PRED, index=index, q=2).pvalue == pytest.approx(
        independence_test(TRUE, PRED, q=2).pvalue
    )
    with pytest.raises(TypeError, match=r"^permutation_test\(\) got .* did you mean 'n_resamples'"):
        permutation_test(TRUE, PRED, index=index, n_resample=9)
    with pytest.raises(TypeError, match="got .* 'exponent'; it takes labels_true, .*, and mu"):
        permutation_test(TRUE, PRED, index=index, exponent=9)


def test_names_of_columns_stand_for_them():
    how = {"index": "ari", "data": FRAME}
    by_name = score_interval("true", "pred", groups="unit", **how)
    assert by_name == score_interval(TRUE, PRED, index="ari", groups=FRAME["unit"])
    named = paired_comparison_test("true", labels_a="pred", labels_b="other", **how)
    assert named == paired_comparison_test(TRUE, PRED, FRAME["other"], index="ari")
    found = score_candidates("true", data=FRAME, indices="ari", sample_weight="unit")
    assert found.names == ["pred", "other"]
    assert pairwise_scores(["true", "pred"], **how).names == ["true", "pred"]
    assert pairwise_scores(data=FRAME, index="ari").names == list(FRAME)


def test_a_curve_counts_each_candidate_once(monkeypatch):
    module, counted = inspect.getmodule(score_candidates), []

    def count_and_note(*sides, **options):
        counted.append(sides[1].name)
        return original(*sides, **options)

    original = module.count_read
    monkeypatch.setattr(module, "count_read", count_and_note)
    candidates = {2: PRED, 3: TRUE}
    how = {"index": ["ari", "purity_score"], "n_resamples": 20}
    curve = index_curve(TRUE, candidates, confidence_level=0.9, **how)
    assert counted == ["candidate 0 (2)", "candidate 1 (3)"]
    found = score_candidates(
        TRUE, candidates, indices=how["index"], confidence_level=0.9, n_resamples=20
    )
    np.testing.assert_array_equal(curve.values, list(found.scores.values()))
    np.testing.assert_array_equal(curve.intervals, list(found.intervals.values()))


FEW, COMMON = dict.fromkeys("abcdefghij", 0) | {"a": 1}, {"a": 0, "b": 1}
IDS = pd.DataFrame({"true": TRUE, "pred": PRED, "id": np.arange(40)})
# Where clusters have a single object, intervals of information may not hold.
SINGLE, OTHER = np.arange(40) // np.repeat([1, 4], 20), np.arange(40) // 3
HALVES = {"confidence_level": 0.9, "n_resamples": 20}
WARNED = {
    "candidates failed": lambda: score_candidates(
        TRUE, {"a": "no labels", "b": PRED}, error_score=np.nan
    ),
    "are ids and no partitions": lambda: score_candidates("true", data=IDS, indices="ari"),
    "for some pairs": lambda: pairwise_scores([FEW, COMMON], index="ari", unmatched="drop"),
    "coverage is 20.0%": lambda: index_curve(FEW, {2: COMMON}, index="ari", unmatched="drop"),
    "the interval may not hold": lambda: score_interval(SINGLE, OTHER, index="nmi"),
    "may not hold for 1 of 1": lambda: score_candidates(SINGLE, [OTHER], indices="nmi", **HALVES),
    "hold for 1 of 1 ": lambda: index_curve(SINGLE, {2: OTHER}, index="nmi", **HALVES),
    "candidates are equally good": lambda: score_candidates(PRED, [TRUE, TRUE]).best(),
    "includes the bias": lambda: paired_comparison_test(TRUE, PRED, TRUE, index="purity_score"),
}


@pytest.mark.parametrize("text", WARNED)
def test_a_warning_shows_the_line_that_called(text):
    with pytest.warns(UserWarning, match=text) as record:
        WARNED[text]()
    assert {one.filename for one in record if text in str(one.message)} == {__file__}
