"""Objects that only one partition has, in all functions of partitions that name their objects."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    clustering_comparison_report,
    co_association_matrix,
    consensus_partition,
    index_curve,
    paired_comparison_test,
    pairwise_scores,
    score_candidates,
    score_interval,
)
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.consensus import (
    common_coarsening,
    common_refinement,
    compare_posteriors,
    is_refinement,
)
from sklearn_clustcompare.hierarchies import clustering_tree
from sklearn_clustcompare.metrics import adjusted_rand_score, relabel_partitions
from tests._functions import (
    DRAWN,
    FUNCTIONS,
    NAMED,
    PARAMETERS,
    differ,
    leaves,
    result_of,
    with_parameters,
)

RNG = np.random.default_rng(4)
OBJECTS = [f"object {number}" for number in range(24)]
TRUE = dict(zip(OBJECTS[:20], RNG.integers(3, size=20).tolist(), strict=True))
PRED = dict(zip(OBJECTS[:3:-1], RNG.integers(4, size=20).tolist(), strict=True))
OTHER = dict(zip(OBJECTS[2:22], RNG.integers(3, size=20).tolist(), strict=True))
EACH = [*dict.fromkeys([*TRUE, *PRED, *OTHER])]


def outcome(name, labels, **options):
    """Return the leaves of a result, or an error; a report says itself what was left out."""
    try:
        found = result_of(name, labels, **options)
    except ValueError as error:
        return str(error)
    if name == "clustering_comparison_report":
        numbers = found.to_dict()
        found = {
            key: numbers[key] for key in numbers.keys() - {"coverage", "warnings", "provenance"}
        }
        found = dict(sorted(found.items()))
    return leaves(found)


def test_a_report_counts_those_that_were_left_out():
    labels = pd.Series([0, 0, 1, 1] * 10)
    for weights in (None, pd.Series([3] * 40)):
        with pytest.warns(UserWarning, match="coverage is 12.5%"):
            report = clustering_comparison_report(
                labels, labels.iloc[:5], unmatched="drop", sample_weight=weights
            )
        assert report.to_dict()["coverage"] == 0.125
        assert "coverage 12.5%" in report


@pytest.mark.slow
@pytest.mark.parametrize("name", with_parameters("labels_true", "labels_pred", "unmatched"))
def test_two_partitions_by_name(name):
    with pytest.raises(ValueError, match="objects.*unmatched='drop' or 'singleton'"):
        result_of(name, [TRUE, PRED, None])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        common = align_partitions(TRUE, PRED).labels
    found = outcome(name, [TRUE, PRED, None], unmatched="drop")
    assert not differ(found, outcome(name, [*common, None]))
    every = [*TRUE, *(one for one in PRED if one not in TRUE)]
    sides = [[side.get(one, f"alone {one}") for one in every] for side in (TRUE, PRED)]
    numbers = [pd.factorize(np.array(side, dtype=object))[0] for side in sides]
    exact = {"index": "rand_score"} if name in DRAWN else {}
    found = outcome(name, [TRUE, PRED, None], unmatched="singleton", **exact)
    if name not in NAMED:
        assert not differ(found, outcome(name, [*numbers, None], **exact))


@pytest.mark.filterwarnings("ignore:coverage")
@pytest.mark.parametrize("unmatched", ["drop", "singleton"])
def test_weights_and_groups_of_matched_objects_are_named(unmatched):
    """One rule: those by position might be of either side, or of what both have."""
    named = dict(zip(OBJECTS, range(1, 25), strict=True))
    calls = {
        "sample_weight": partial(adjusted_rand_score, TRUE, PRED, unmatched=unmatched),
        "groups": partial(score_interval, TRUE, PRED, index="ari", unmatched=unmatched),
    }
    for name, call in calls.items():
        with pytest.raises(ValueError, match=f"^{name} must name its objects, as a dict"):
            call(**{name: np.arange(1, 17 if unmatched == "drop" else 25)})
        call(**{name: named})
    aligned = align_partitions(TRUE, PRED, unmatched=unmatched)
    weights = [named[one] for one in aligned.ids]
    expected = adjusted_rand_score(*aligned.labels, sample_weight=weights)
    assert calls["sample_weight"](sample_weight=named) == pytest.approx(expected, rel=1e-12)


def in_common(*partitions):
    kept = [one for one in partitions[0] if all(one in other for other in partitions)]
    return [[side[one] for one in kept] for side in partitions]


@pytest.mark.filterwarnings("ignore:coverage")
def test_candidates_are_compared_with_the_reference_one_by_one():
    given = {"pred": PRED, "other": OTHER}
    for unmatched in ("drop", "singleton"):
        found = score_candidates(TRUE, given, indices="ari", unmatched=unmatched).scores["ari"]
        expected = [adjusted_rand_score(TRUE, one, unmatched=unmatched) for one in given.values()]
        assert found.tolist() == expected
    for name, value in {"sample_weight": [1] * 20, "groups": [*range(20)]}.items():
        with pytest.raises(ValueError, match=f"^{name} must be None with unmatched='singleton'"):
            score_candidates(TRUE, given, indices="ari", unmatched="singleton", **{name: value})


@pytest.mark.filterwarnings("ignore")
def test_candidates_are_compared_with_each_other_on_what_all_have():
    options = {"index": "ari", "random_state": 0}
    found = paired_comparison_test(TRUE, PRED, OTHER, **options, unmatched="drop")
    expected = paired_comparison_test(*in_common(TRUE, PRED, OTHER), **options)
    assert found.difference == expected.difference
    assert found.interval == expected.interval


@pytest.mark.filterwarnings("ignore:coverage")
def test_pairs_of_partitions():
    given = [TRUE, PRED, OTHER]
    found = pairwise_scores(given, index="ari", unmatched="drop").values
    assert found[0, 1] == adjusted_rand_score(TRUE, PRED, unmatched="drop")
    found = pairwise_scores(given, index="ari", unmatched="singleton").values
    sides = [[side.get(one, f"alone {one}") for one in OBJECTS] for side in given]
    assert found[1, 2] == pytest.approx(adjusted_rand_score(*sides[1:]))


def of_posteriors(partitions, **options):
    found = compare_posteriors(partitions[:2], partitions[1:], **options)
    return found.distance, found.radii


def renamed(partitions, **options):
    found = relabel_partitions(partitions[0], partitions[1:], **options)
    return pd.factorize(found.ravel())[0]


def of_levels(partitions, **options):
    tree = clustering_tree(partitions, **options)
    return [
        sorted(zip(*one, strict=True)) for one in zip(tree.sizes, tree.stabilities, strict=True)
    ]


# These match two partitions at a time.
BY_PAIRS = {"pairwise_scores", "medoid_partition"}
SEVERAL = {
    name: FUNCTIONS[name]
    for name in with_parameters("partitions", "unmatched")
    if name not in BY_PAIRS
} | {
    "common_refinement": lambda partitions, **how: common_refinement(*partitions, **how),
    "common_coarsening": lambda partitions, **how: common_coarsening(*partitions, **how),
    "compare_posteriors": of_posteriors,
    "relabel_partitions": renamed,
    "clustering_tree": of_levels,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SEVERAL)
def test_several_partitions_by_name(name):
    given, function = [TRUE, PRED, OTHER], SEVERAL[name]
    alone = [[side.get(one, f"alone {one}") for one in EACH] for side in given]
    by_hand = {
        "drop": in_common(*given),
        "singleton": [pd.factorize(np.array(one, object))[0] for one in alone],
    }
    exact = {"index": "rand_score"} if "index" in PARAMETERS.get(name, {}) else {}
    with pytest.raises(ValueError, match="objects.*unmatched='drop' or 'singleton'"):
        function(given, **exact)
    for unmatched, sides in by_hand.items():
        found = function(given, unmatched=unmatched, **exact)
        assert not differ(leaves(found), leaves(function(sides, **exact)))


@pytest.mark.filterwarnings("ignore")
def test_refinement_by_name():
    finer = {one: (label, PRED.get(one)) for one, label in TRUE.items()}
    with pytest.raises(ValueError, match="objects.*unmatched='drop' or 'singleton'"):
        is_refinement(finer, PRED)
    assert is_refinement(finer, PRED, unmatched="drop")
    assert is_refinement({1: 0, 2: 1}, {1: 0, 3: 0}, unmatched="singleton")
    assert not is_refinement({1: 0, 2: 0}, {1: 0, 3: 0}, unmatched="singleton")


@pytest.mark.filterwarnings("ignore:coverage")
def test_a_consensus_names_its_objects():
    given = [TRUE, PRED, OTHER]
    found = consensus_partition(given, unmatched="drop", random_state=0)
    expected = consensus_partition(in_common(*given), random_state=0)
    assert found.labels.tolist() == expected.labels.tolist()
    assert found.objects.tolist() == [one for one in TRUE if one in PRED and one in OTHER]
    found = consensus_partition(given, unmatched="singleton", random_state=0)
    assert sorted(found.objects) == sorted(OBJECTS)


def test_what_has_no_names_is_refused():
    with pytest.raises(ValueError, match="^labels_pred must name its objects for unmatched='drop'"):
        adjusted_rand_score(TRUE, list(PRED.values()), unmatched="drop")
    with pytest.raises(ValueError, match="must have an object in common, got none"):
        adjusted_rand_score({1: 0, 2: 1}, {3: 0, 4: 1}, unmatched="drop")
    with pytest.raises(ValueError, match="^unmatched must be one of"):
        pairwise_scores([TRUE, PRED], index="ari", unmatched="keep")


@pytest.mark.parametrize("function", [consensus_partition, co_association_matrix])
def test_a_consensus_of_all_objects_leaves_none_out(function):
    with pytest.raises(ValueError, match="^unmatched must be 'error' with align=True, .* 'drop'"):
        function([TRUE, PRED], align=True, unmatched="drop")


# ----------------------------------------------------------- what belongs to the objects, by name

MANY = [f"object {number}" for number in range(60)]
FIRST = dict(zip(MANY[:54], RNG.integers(3, size=54).tolist(), strict=True))
SECOND = dict(zip(MANY[:5:-1], RNG.integers(4, size=54).tolist(), strict=True))
KEPT = [one for one in FIRST if one in SECOND]
EVERY = [*FIRST, *(one for one in SECOND if one not in FIRST)]
OF_OBJECTS = {
    "sample_weight": {one: 1 + number % 3 for number, one in enumerate(MANY)},
    "groups": {one: number % 12 for number, one in enumerate(MANY)},
    "blocks": {one: number % 4 for number, one in enumerate(MANY)},
    "within": {one: number % 5 for number, one in enumerate(MANY)},
}
SHUFFLED = RNG.permutation(MANY).tolist()
CONTAINERS = {
    "dict": lambda values, order: {one: values[one] for one in order},
    "Series": lambda values, order: pd.Series([values[one] for one in order], index=order),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CONTAINERS)
@pytest.mark.parametrize(
    ("name", "argument"),
    [
        (name, argument)
        for argument in OF_OBJECTS
        for name in with_parameters("labels_true", "labels_pred", "unmatched", argument)
    ],
)
def test_weights_and_groups_are_brought_to_the_objects_that_are_kept(name, argument, kind):
    values, sides = OF_OBJECTS[argument], (FIRST, SECOND)
    by_name = CONTAINERS[kind]
    exact = {"index": "rand_score"} if name in DRAWN else {}
    if (name, argument) == ("assert_clustering", "groups"):
        exact = {"confidence_level": 0.9}

    def found(*sides, unmatched="error", given):
        options = {"unmatched": unmatched, argument: given}
        return outcome(name, [*sides, None], **options, **exact)

    by_hand = [[side[one] for one in KEPT] for side in sides]
    dropped = found(*sides, unmatched="drop", given=by_name(values, SHUFFLED))
    assert not isinstance(dropped, str)
    assert not differ(dropped, found(*by_hand, given=[values[one] for one in KEPT]))
    # What is drawn depends on the numbers of the clusters.
    if argument == "sample_weight" and name not in NAMED | DRAWN | {"independence_test"}:
        by_hand = [[side.get(one, f"alone {one}") for one in EVERY] for side in sides]
        by_hand = [pd.factorize(np.array(side, dtype=object))[0] for side in by_hand]
        alone = found(*sides, unmatched="singleton", given=by_name(values, EVERY))
        assert not differ(alone, found(*by_hand, given=[values[one] for one in EVERY]))
    lacking = by_name(values, [one for one in SHUFFLED if one != KEPT[3]])
    message = found(*sides, unmatched="drop", given=lacking)
    assert f"{argument} must have the same objects, got 'object 9'" in message


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", CONTAINERS)
@pytest.mark.parametrize("argument", ["sample_weight", "groups"])
def test_weights_and_groups_of_several_candidates(argument, kind):
    values, options = OF_OBJECTS[argument], {"index": "ari", "random_state": 0}
    named = {argument: CONTAINERS[kind](values, SHUFFLED)}
    third = {one: number % 3 for number, one in enumerate(MANY[3:])}
    sides = FIRST, SECOND, third
    found = paired_comparison_test(*sides, unmatched="drop", **named, **options)
    by_hand = in_common(*sides)
    kept = {argument: [values[one] for one in FIRST if one in SECOND and one in third]}
    assert found == paired_comparison_test(*by_hand, **kept, **options)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", CONTAINERS)
def test_weights_of_candidates_are_those_of_common_objects(kind):
    weights, given = OF_OBJECTS["sample_weight"], {"second": SECOND}
    named = {"sample_weight": CONTAINERS[kind](weights, SHUFFLED), "unmatched": "drop"}
    expected = adjusted_rand_score(FIRST, SECOND, **named)
    found = score_candidates(FIRST, given, indices="ari", **named)
    assert found.scores["ari"].tolist() == [expected]
    assert index_curve(FIRST, given, index="ari", **named).values.tolist() == [[expected]]
    within = OF_OBJECTS["within"]
    named = {"within": CONTAINERS[kind](within, SHUFFLED), "unmatched": "drop"}
    found = score_candidates(FIRST, given, indices="ari", **named)
    reference, candidate = ([side[one] for one in KEPT] for side in (FIRST, SECOND))
    by_hand = score_candidates(
        reference, [candidate], indices="ari", within=[within[one] for one in KEPT]
    )
    np.testing.assert_equal([*found.scores.values()], [*by_hand.scores.values()])


@pytest.mark.parametrize("kind", CONTAINERS)
def test_groups_of_candidates_are_those_of_the_reference_by_name(kind):
    groups, order = OF_OBJECTS["groups"], RNG.permutation([*FIRST]).tolist()
    candidate = dict(zip(FIRST, RNG.integers(3, size=54).tolist(), strict=True))
    if kind == "Series":  # two indexes of pandas are not brought together
        order = [*FIRST]
    how = {"indices": "ari", "confidence_level": 0.9}
    sides = (CONTAINERS[kind](side, [*FIRST]) for side in (FIRST, candidate))
    reference, other = sides
    found = score_candidates(reference, {"a": other}, groups=CONTAINERS[kind](groups, order), **how)
    by_hand = score_candidates(
        [*FIRST.values()],
        {"a": [*candidate.values()]},
        groups=[groups[one] for one in FIRST],
        **how,
    )
    np.testing.assert_equal(found.intervals, by_hand.intervals)
