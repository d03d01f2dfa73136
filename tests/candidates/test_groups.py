"""Objects in groups: micro and macro values of many candidates, and in the report."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    clustering_comparison_report,
    get_index,
    score_candidates,
)
from tests._examples import slow

INDICES = ["rand_score", "normalized_mutual_info_score", "van_dongen_distance"]
OBJECTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(-1, 3), st.integers(-1, 3), st.integers(1, 3)),
    min_size=1,
    max_size=20,
)


def columns(objects):
    groups, true, pred, weights = map(list, zip(*objects, strict=True))
    return groups, true, pred, np.array(weights)


def expected(name, groups, true, pred, weights, **options):
    """Return micro and macro value and those of the groups, each counted by itself."""
    index = get_index(name)
    tables = []
    for group in sorted(set(groups)):
        members = [k for k, one in enumerate(groups) if one == group]
        sides = [np.array(side)[members] for side in (true, pred)]
        tables.append(
            ContingencyTable.from_labels(*sides, sample_weight=weights[members], **options)
        )
    pairs = [
        [f"{g} {label}" for g, label in zip(groups, side, strict=True)] for side in (true, pred)
    ]
    if options.get("noise") != "cluster":
        pairs = [
            ["-1" if label == -1 else one for one, label in zip(pair, side, strict=True)]
            for pair, side in zip(pairs, (true, pred), strict=True)
        ]
        options = options | {"noise_label": "-1"}
    pooled = ContingencyTable.from_labels(*pairs, sample_weight=weights, **options)
    of_groups = [index(table) if table.n_samples else math.nan for table in tables]
    return index(pooled), np.nanmean(of_groups), of_groups


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.filterwarnings("ignore:labels_.* has clusters with negative labels:UserWarning")
@given(OBJECTS, st.sampled_from(["cluster", "singletons", "drop"]))
def test_micro_and_macro_by_their_definitions(objects, noise):
    groups, true, pred, weights = columns(objects)
    result = score_candidates(
        true, [pred], indices=INDICES, within=groups, sample_weight=weights, noise=noise
    )
    kept = [
        weight
        for weight, *labels in zip(weights, true, pred, strict=True)
        if noise != "drop" or -1 not in labels
    ]
    assert result.coverage[0] == pytest.approx(sum(kept) / weights.sum())
    if not kept:
        assert np.isnan(result.scores["rand_score_micro"]).all()
        return
    for name in INDICES:
        micro, macro, of_groups = expected(name, groups, true, pred, weights, noise=noise)
        assert result.scores[f"{name}_micro"][0] == pytest.approx(micro, abs=1e-14)
        assert result.scores[f"{name}_macro"][0] == pytest.approx(macro, abs=1e-14)
        assert result.group_scores[name][0].tolist() == pytest.approx(of_groups, nan_ok=True)
    assert result.group_names == sorted(set(groups))
    assert list(result.scores) == [f"{n}_micro" for n in INDICES] + [f"{n}_macro" for n in INDICES]


def made_up(seed=0, n=200, n_groups=7):
    rng = np.random.default_rng(seed)
    groups = rng.integers(n_groups, size=n)
    truth = rng.integers(3, size=n)
    candidates = {
        f"p{share}": np.where(rng.random(n) < share, truth, rng.integers(4, size=n))
        for share in (0.3, 0.6, 0.9)
    }
    return groups, truth, candidates


GROUPS, TRUTH, CANDIDATES = made_up()


def test_the_result_ranks_and_prints_both_averages():
    result = score_candidates(
        TRUTH, CANDIDATES, indices=["adjusted_rand_score", "mirkin_distance"], within=GROUPS
    )
    assert result.best() == result.best("adjusted_rand_score_macro") == "p0.9"
    assert result.rank("mirkin_distance_micro").tolist() == [3, 2, 1]
    assert "adjusted_rand_score_macro" in repr(result)
    with pytest.raises(ValueError, match=r"^group_frame\(\) needs the values of groups"):
        score_candidates(TRUTH, CANDIDATES, indices="rand_score").group_frame()
    frame = result.group_frame()
    assert frame.loc[("p0.6", 2), "mirkin_distance"] == result.group_scores["mirkin_distance"][1, 2]
    assert frame.shape == (21, 2)
    means = frame.groupby(level="candidate")["adjusted_rand_score"].mean()
    macro = result.to_frame()["adjusted_rand_score_macro"]
    assert means[list(CANDIDATES)].tolist() == pytest.approx(macro.tolist())


def test_groups_with_jobs_alignment_and_other_orders():
    known = score_candidates(TRUTH, CANDIDATES, indices="rand_score", within=GROUPS)
    jobs = score_candidates(TRUTH, CANDIDATES, indices="rand_score", within=GROUPS, n_jobs=2)
    assert jobs.scores["rand_score_macro"].tolist() == known.scores["rand_score_macro"].tolist()
    order = np.random.default_rng(1).permutation(len(TRUTH))
    shuffled = score_candidates(
        TRUTH[order],
        {name: labels[order] for name, labels in CANDIDATES.items()},
        indices="rand_score",
        within=[f"doc {group}" for group in GROUPS[order]],
    )
    for name in ("rand_score_micro", "rand_score_macro"):
        assert shuffled.scores[name] == pytest.approx(known.scores[name], rel=1e-14)
    aligned = score_candidates(
        pd.Series(TRUTH),
        {name: pd.Series(labels)[order] for name, labels in CANDIDATES.items()},
        indices="rand_score",
        within=GROUPS,
        unmatched="drop",
    )
    assert aligned.scores["rand_score_macro"] == pytest.approx(known.scores["rand_score_macro"])
    few = pd.Series(CANDIDATES["p0.9"])[GROUPS != 3]
    with pytest.warns(UserWarning, match="^coverage is"):
        part = score_candidates(
            pd.Series(TRUTH), [few], indices="rand_score", within=GROUPS, unmatched="drop"
        )
    assert np.isnan(part.group_scores["rand_score"][0]).tolist() == [k == 3 for k in range(7)]
    assert part.scores["rand_score_macro"][0] == pytest.approx(
        np.delete(known.group_scores["rand_score"][2], 3).mean()
    )


def test_a_candidate_that_fails_has_no_values_of_groups():
    with pytest.warns(UserWarning, match="^1 of 2 candidates failed"):
        result = score_candidates(
            TRUTH,
            [CANDIDATES["p0.9"], TRUTH[1:]],
            indices="rand_score",
            within=GROUPS,
            error_score=np.nan,
        )
    assert np.isnan(result.group_scores["rand_score"][1]).all()
    assert result.best() == 0


# --------------------------------------------------------------------------- report


def test_the_report_has_both_averages():
    found = CANDIDATES["p0.6"]
    report = clustering_comparison_report(TRUTH, found, within=GROUPS)
    names = [line.name for line in report.overall]
    result = score_candidates(TRUTH, [found], indices=names, within=GROUPS)
    for line in report.overall:
        assert line.value == result.scores[f"{line.name}_micro"][0]
        assert line.macro == pytest.approx(result.scores[f"{line.name}_macro"][0])
    assert "macro" in report.to_dict()["overall"]["rand_score"]
    assert "  macro  " in report.split("Overall\n")[1].splitlines()[0]
    assert report.warnings[-1].startswith("7 groups: ") or any(
        note.startswith("7 groups: ") for note in report.warnings
    )
    clusters = report.decomposition.true.labels.tolist()
    assert set(clusters) == {(int(g), int(t)) for g, t in zip(GROUPS, TRUTH, strict=True)}
    sizes = dict(zip(clusters, report.decomposition.true.sizes.tolist(), strict=True))
    assert sizes[2, 1] == np.sum((GROUPS == 2) & (TRUTH == 1))


def test_one_group_is_no_group():
    with_groups = clustering_comparison_report(TRUTH, CANDIDATES["p0.6"], within=["all"] * 200)
    without = clustering_comparison_report(TRUTH, CANDIDATES["p0.6"])
    for one, other in zip(with_groups.overall, without.overall, strict=True):
        assert one._replace(macro=None) == other
        assert one.macro == pytest.approx(one.value)
    assert "macro" not in str(without)
    assert "macro" not in without.to_dict()["overall"]["rand_score"]


def test_groups_of_which_nothing_is_left():
    report = clustering_comparison_report(
        [0, 0, 1, 1, -1], [5, 5, 5, 6, 6], within=list("aabbc"), noise="drop"
    )
    assert "1 groups of which nothing is left do not count" in report.warnings
    assert report.decomposition.table.coverage == 0.8
    assert [line.macro for line in report.overall if line.name == "rand_score"] == [0.5]


def test_an_undefined_value_in_a_group_is_told():
    with pytest.warns(UndefinedMetricWarning):
        get_index("pair_recall_score")(ContingencyTable.from_labels([0, 1], [0, 0]))
    report = clustering_comparison_report([0, 1, 0, 0], [0, 0, 0, 0], within=[1, 1, 2, 2])
    assert any(note.startswith("in a group, pair_recall_score is") for note in report.warnings)


@pytest.mark.filterwarnings("ignore:the intervals of")
@pytest.mark.parametrize("noise", [slow("cluster"), slow("singletons"), slow("drop")])
def test_intervals_leave_out_whole_groups(noise):
    groups, truth, candidates = made_up(n=60, n_groups=12)
    truth = truth - 1
    given = {"indices": ["adjusted_rand_score", "purity_score"], "noise": noise}
    result = score_candidates(
        truth, candidates, within=groups, confidence_level=0.9, random_state=0, **given
    )
    without = [
        score_candidates(
            truth[groups != left_out],
            {name: labels[groups != left_out] for name, labels in candidates.items()},
            within=groups[groups != left_out],
            **given,
        ).scores
        for left_out in range(12)
    ]
    for name in ("adjusted_rand_score_micro", "adjusted_rand_score_macro"):
        values = np.array([one[name] for one in without])
        expected = np.sqrt(11 / 12 * ((values - values.mean(axis=0)) ** 2).sum(axis=0))
        assert result.sampling_errors[name].standard_errors == pytest.approx(expected)
        low, high = result.intervals[name].T
        assert ((low < result.scores[name]) & (result.scores[name] < high)).all()
    assert len(result.compare("adjusted_rand_score_macro").to_frame()) == 3
    spread = result.sampling_errors["purity_score_macro"].standard_errors
    of_groups = result.group_scores["purity_score"]
    n_defined = np.isfinite(of_groups).sum(axis=1)
    of_groups = np.nanstd(of_groups, axis=1, ddof=1) / np.sqrt(n_defined)
    assert spread == pytest.approx(of_groups, rel=0.2)


@pytest.mark.filterwarnings("ignore:the intervals of")
def test_intervals_of_groups_whose_candidate_failed():
    groups, truth, candidates = made_up(n=120, n_groups=12)
    with pytest.warns(UserWarning, match="^1 of 2 candidates failed"):
        result = score_candidates(
            truth,
            [truth[1:], candidates["p0.9"]],
            indices="rand_score",
            within=groups,
            confidence_level=0.9,
            error_score=np.nan,
        )
    assert np.isnan(result.intervals["rand_score_micro"]).tolist() == [[True] * 2, [False] * 2]
