"""Every kind of input, every index and every result goes one way through the package."""

import importlib
import math
import pickle
import pkgutil
from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    chance_adjusted_score,
    consensus_partition,
    get_index,
    index_curve,
    make_clustering_scorer,
    metrics,
    paired_comparison_test,
    pairwise_scores,
    permutation_test,
    score_candidates,
)
from sklearn_clustcompare.consensus import medoid_partition
from sklearn_clustcompare.hierarchies import compare_hierarchies
from sklearn_clustcompare.indices import INDICES
from sklearn_clustcompare.plot import (
    ContingencyDisplay,
    DecompositionDisplay,
    IndexCurveDisplay,
    NullDistributionDisplay,
)
from tests._docstrings import public
from tests._examples import slow
from tests._indices import own_index
from tests._laws import law

DATA = Path(__file__).parent / "data"
TRUTH = np.repeat([0, 1, 2], [12, 9, 9])
FOUND = np.where(np.random.default_rng(0).random(30) < 0.3, 1, TRUTH)
TABLE = ContingencyTable.from_labels(TRUTH, FOUND)

# --------------------------------------------------------------------------- a table alone

ALONE = {
    "table picture": lambda *sides: ContingencyDisplay.from_predictions(*sides).counts.tolist(),
    "decomposition picture": lambda *sides: (
        DecompositionDisplay.from_predictions(*sides).decomposition.R
    ),
    "null picture": lambda *sides: (
        NullDistributionDisplay.from_predictions(*sides, n_resamples=20).result
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("function", ALONE.values(), ids=ALONE)
def test_pictures_take_a_table_alone(function):
    pytest.importorskip("matplotlib")
    assert function(TABLE) == function(TRUTH, FOUND)


# --------------------------------------------------------------------------- one set of options


def test_errors_name_public_functions_and_arguments_only():
    calls = [
        lambda: chance_adjusted_score(TRUTH, FOUND, index="rand_score", beta=2),
        lambda: permutation_test(TRUTH, FOUND, index="rand_score", beta=2),
        lambda: index_curve(TRUTH, {2: FOUND}, index="rand_score", beta=2),
        lambda: IndexCurveDisplay.from_predictions(TRUTH, {2: FOUND}, index="rand_score", beta=2),
        lambda: pairwise_scores([TRUTH, FOUND], index="rand_score", beta=2),
        lambda: score_candidates(TRUTH, [FOUND], indices="rand_score", beta=2),
        lambda: make_clustering_scorer("rand_score", beta=2),
        lambda: consensus_partition([TRUTH, FOUND], index="rand_score", beta=2),
        lambda: compare_hierarchies([[0, 1, 1, 2]], [[0, 1, 1, 2]], index="rand_score", beta=2),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="'beta'; it takes .*, and rand_score takes no"):
            call()
    with pytest.raises(ValueError, match="^q must be"):
        index_curve(TRUTH, {2: FOUND}, index="mutual_info_score", q_range=[1, -1])


def test_names_come_from_the_package_and_its_documented_parts():
    modules = {
        name
        for _, name, _ in pkgutil.walk_packages(
            sklearn_clustcompare.__path__, "sklearn_clustcompare."
        )
        if not any(part.startswith("_") for part in name.split("."))
    }
    parts = {
        "indices",
        "metrics",
        "significance",
        "candidates",
        "consensus",
        "hierarchies",
        "report",
    }
    parts |= {"model_selection", "without_reference", "checks", "plot"}
    assert modules == {f"sklearn_clustcompare.{part}" for part in (*parts, "results", "cli")}
    for part in parts:
        module = importlib.import_module(f"sklearn_clustcompare.{part}")
        for name in module.__all__:
            assert public(name) is getattr(module, name)
    with pytest.raises(AttributeError, match="has no attribute 'rand_scores'"):
        _ = sklearn_clustcompare.rand_scores
    assert set(sklearn_clustcompare.__all__) <= set(dir(sklearn_clustcompare))


# --------------------------------------------------------------------------- an index of one's own


def overlap_of_largest(table, *, power=1.0):
    """Share of the objects in the largest cell, to a power."""
    return float(table.cell_counts.max() / table.n_samples) ** power


def positive(name, value):
    if not value > 0:
        msg = f"{name} must be positive, got {value!r}"
        raise ValueError(msg)


OWN = own_index(
    overlap_of_largest, "overlap_of_largest", symmetric=True, parameters={"power": positive}
)


@pytest.mark.slow
def test_an_index_of_ones_own_goes_everywhere():
    pytest.importorskip("matplotlib")
    expected = overlap_of_largest(TABLE)
    result = score_candidates(TRUTH, {"found": FOUND, "same": TRUTH}, indices=[OWN, "rand_score"])
    assert result.scores["overlap_of_largest"].tolist() == [expected, 0.4]
    assert result.best(OWN) == result.best("overlap_of_largest") == result.best()
    assert sorted(result.rank(OWN)) == [1, 2]
    assert "overlap_of_largest" in repr(result)
    assert "overlap_of_largest" in result._repr_html_()
    assert pickle.loads(pickle.dumps(result)).best() == result.best()
    assert pairwise_scores([TRUTH, FOUND], index=OWN)[0, 1] == expected
    assert "overlap_of_largest" in repr(pairwise_scores([TRUTH, FOUND], index=OWN))
    adjusted = chance_adjusted_score(TRUTH, FOUND, index=OWN, n_resamples=20, random_state=0)
    assert adjusted.method == "monte_carlo"
    test = permutation_test(TRUTH, FOUND, index=OWN, n_resamples=20, power=2.0)
    assert (test.index, test.statistic) == (OWN, expected**2)
    assert (test.method, test.has_exact_moments) == ("exact", True)
    drawn = permutation_test(
        TRUTH, FOUND, index=OWN, method="monte_carlo", n_resamples=20, power=2.0
    )
    assert (drawn.statistic, drawn.has_exact_moments) == (expected**2, False)
    assert 0 < test.pvalue <= 1
    test = paired_comparison_test(TRUTH, FOUND, FOUND[::-1], index=OWN, n_resamples=20)
    assert test.value_a == expected
    assert consensus_partition([TRUTH, FOUND], index=OWN).score > 0
    assert medoid_partition([TRUTH, FOUND, TRUTH], index=OWN).score > 0
    curve = index_curve(TRUTH, {2: FOUND, 3: TRUTH}, index=OWN)
    assert curve.values[0].tolist() == [expected, 0.4]
    assert np.isnan(curve.expected).all()
    display = IndexCurveDisplay.from_predictions(TRUTH, {2: FOUND}, index=OWN, power=2.0)
    assert display.ax_.get_ylabel() == "overlap_of_largest, power=2"
    display = NullDistributionDisplay.from_predictions(TRUTH, FOUND, index=OWN, n_resamples=20)
    assert display.ax_.get_xlabel() == "overlap_of_largest"
    link = [[0, 1, 1, 2], [2, 3, 2, 3]]
    hierarchies = compare_hierarchies(link, link, index=OWN, param_range=[1, 2, 3])
    assert hierarchies.values.tolist() == [1.0, 2 / 3, 1 / 3]
    assert hierarchies.index is OWN
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        KMeans(random_state=0),
        {"n_clusters": [2, 3]},
        scoring=make_clustering_scorer([OWN, "rand_score"]),
        cv=KFold(3, shuffle=True, random_state=0),
        refit="overlap_of_largest",
    ).fit(X, y)
    assert search.best_params_["n_clusters"] in (2, 3)


def test_parameters_of_an_index_of_ones_own_are_checked():
    for call in (
        lambda **options: score_candidates(TRUTH, [FOUND], indices=OWN, **options),
        lambda **options: permutation_test(TRUTH, FOUND, index=OWN, **options),
        lambda **options: index_curve(TRUTH, {2: FOUND}, index=OWN, **options),
    ):
        with pytest.raises(ValueError, match="^power must be positive, got -1"):
            call(power=-1)
        with pytest.raises(TypeError, match="'r'; .*, and overlap_of_largest takes 'power'$"):
            call(r=2)


def test_one_index_goes_with_several_parameters():
    averages = {
        name: ("normalized_mutual_info_score", {"average_method": name})
        for name in ("min", "max", "joint")
    }
    result = score_candidates(TRUTH, [FOUND], indices={**averages, "own": OWN}, power=3.0)
    for name in averages:
        expected = metrics.normalized_mutual_info_score(TABLE, average_method=name)
        assert result.scores[name].tolist() == [expected]
    assert result.scores["own"].tolist() == [overlap_of_largest(TABLE, power=3.0)]
    scorer = make_clustering_scorer(averages)
    assert pickle.loads(pickle.dumps(scorer)) == scorer
    assert eval(repr(scorer)) == scorer  # noqa: S307
    with pytest.raises(TypeError, match=r"^indices\['x'\] must be an index or a tuple"):
        score_candidates(TRUTH, [FOUND], indices={"x": ("rand_score", {}, 3)})
    with pytest.raises(ValueError, match="^average_method must be one of"):
        make_clustering_scorer({"x": ("normalized_mutual_info_score", {"average_method": "no"})})


# --------------------------------------------------------------------------- farmed out one way


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_draws_are_the_same_under_every_backend(backend):
    soft = np.random.default_rng(0).dirichlet([1, 1, 1], 30)
    calls = [
        lambda **options: chance_adjusted_score(
            TRUTH, FOUND, index="pair_jaccard_score", random_state=0, n_resamples=250, **options
        ),
        lambda **options: (
            permutation_test(TRUTH, FOUND, index="purity_score", n_resamples=250, **options).pvalue
        ),
        lambda **options: (
            permutation_test(TRUTH, soft, index="purity_score", n_resamples=250, **options).pvalue
        ),
        lambda **options: (
            permutation_test(TRUTH, FOUND, index=OWN, n_resamples=250, **options).pvalue
        ),
        lambda **options: (
            paired_comparison_test(
                TRUTH, FOUND, FOUND[::-1], index="rand_score", random_state=0, **options
            ).interval
        ),
    ]
    for call in calls:
        assert call() == call(n_jobs=1)


# --------------------------------------------------------------------------- permutation tests


@pytest.mark.parametrize("name", sorted(set(INDICES) - {"pvalue_adjusted_mutual_info_score"}))
@pytest.mark.parametrize("n_resamples", [49, slow(1999)])
def test_permutation_test_against_all_permutations(name, n_resamples):
    truth, found = [0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 0, 2, 2]
    index = get_index(name)
    counts, shares = zip(*law(*map(np.bincount, (truth, found))), strict=True)
    values = np.array([index(ContingencyTable.from_counts(one)) for one in counts])
    observed = index.sign * index(ContingencyTable.from_labels(truth, found))
    pvalue = np.sum(shares, where=index.sign * values >= observed - 1e-12)
    mean = np.average(values, weights=shares)
    deviation = math.sqrt(np.average((values - mean) ** 2, weights=shares))
    default = permutation_test(truth, found, index=name)
    is_exact = default.has_exact_moments or index.ordered_by is not None
    assert default.method == ("exact" if is_exact else "monte_carlo")
    if default.method == "exact":
        assert default.pvalue == pytest.approx(pvalue, rel=1e-12)
        less = permutation_test(truth, found, index=name, alternative="less")
        both = permutation_test(truth, found, index=name, alternative="two-sided")
        assert default.pvalue + less.pvalue >= 1
        assert both.pvalue == min(1, 2 * min(default.pvalue, less.pvalue))
    result = permutation_test(
        truth, found, index=name, method="monte_carlo", n_resamples=n_resamples
    )
    error = math.sqrt(pvalue * (1 - pvalue) / n_resamples)
    assert abs(result.pvalue - pvalue) < 5 * error + 1 / (n_resamples + 1)
    if result.has_exact_moments:
        assert result.mean == pytest.approx(mean, abs=1e-12)
        assert result.standard_deviation == pytest.approx(deviation, rel=1e-9, abs=1e-12)
    else:
        error = 5 * deviation / math.sqrt(n_resamples)
        assert result.mean == pytest.approx(mean, abs=error + 1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"method": "exact"},
            "^method must be 'monte_carlo' or 'auto' for purity_score .* got 'exact'",
        ),
        ({"method": "cantelli"}, "^method must be 'monte_carlo' or 'auto' for purity_score"),
        ({"method": "bootstrap"}, "^method must be one of 'auto', 'exact'"),
        ({"n_resamples": 0}, "^n_resamples must be at least 1"),
        ({"noise": "keep"}, "^noise must be one of"),
        ({"n_jobs": 0}, "^n_jobs must not be 0"),
    ],
)
def test_permutation_test_names_what_is_wrong(options, message):
    labels = np.tile(TRUTH, 9), np.tile(FOUND, 9)  # of too many tables to be evaluated
    with pytest.raises(ValueError, match=message):
        permutation_test(*labels, index="purity_score", **options)
    with pytest.raises(TypeError, match="^n_jobs must be None or an integer, got '2'"):
        permutation_test(*labels, index="purity_score", n_jobs="2")


# --------------------------------------------------------------------------- ties


def test_all_winners_of_a_curve_are_marked():
    pytest.importorskip("matplotlib")
    renamed = np.array([5, 3, 4])[FOUND]
    display = IndexCurveDisplay.from_predictions(
        TRUTH, {2: FOUND, 3: renamed, 4: np.arange(30) % 2}, index="mirkin_distance"
    )
    assert display.curve.winners.tolist() == [[True, True, False]]
    assert display.winner_marks_.get_offsets()[:, 0].tolist() == [2, 3]


# --------------------------------------------------------------------------- versioned state


def test_a_pickle_of_this_version_is_read():
    with (DATA / "contingency_table_v1.pickle").open("rb") as stream:
        tables = pickle.load(stream)
    assert tables["labels"] == ContingencyTable.from_labels(
        ["a", "a", "b", "b", "c"], [1, 1, 1, 2, -1], noise="drop"
    )
    assert tables["labels"].coverage == 0.8
    soft = ContingencyTable.from_memberships(
        [0, 0, 1], [[1, 0], [0.5, 0.5], [0.25, 0.75]], moments=True
    )
    assert tables["memberships"] == soft
    index = get_index("frobenius_adjusted_rand_score")
    assert index(tables["memberships"]) == index(soft)


def test_to_frame_has_the_labels():
    pandas = pytest.importorskip("pandas")
    frame = ContingencyTable.from_labels(["x", "y", "y"], [3, 3, 1]).to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.to_dict() == {1: {"x": 0, "y": 1}, 3: {"x": 1, "y": 1}}
    assert (frame.index.name, frame.columns.name) == ("labels_true", "labels_pred")
