"""Scores of diarization, against pyannote.metrics and a loop over moments, and their table."""

import itertools
import json
import math
import pickle
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import (
    ContingencyTable,
    diarization_scores,
    misclassification_distance,
    purity_score,
)
from sklearn_clustcompare.results import DiarizationScores
from tests._files import DATA

PRINTED = json.loads((DATA / "pyannote_metrics.json").read_text(encoding="utf-8"))["cases"]
REFERENCE = [(0, 10, "ann"), (8, 15, "bob"), (20, 25, "ann")]
HYPOTHESIS = [(1, 9, 1), (9, 16, 2), (20, 24, 2)]
# Moments of the recording, of a quarter of a second.
STEP = 0.25


def annotation(segments):
    """Return what is used of an annotation of pyannote."""
    tracks = [
        (SimpleNamespace(start=start, end=end), number, label)
        for number, (start, end, label) in enumerate(segments)
    ]
    return SimpleNamespace(itertracks=lambda yield_label: iter(tracks))


@pytest.mark.parametrize("read", [list, annotation], ids=["tuples", "annotation"])
def test_scores_of_random_segments_are_those_of_pyannote(read):
    n_options = Counter()
    for case in PRINTED:
        sides = read(case["reference"]), read(case["hypothesis"])
        for printed in case["scores"]:
            options = {"collar": printed["collar"], "skip_overlap": printed["skip_overlap"]}
            found = diarization_scores(*sides, **options)
            for name in printed.keys() - options.keys():
                assert getattr(found, name) == pytest.approx(printed[name], rel=1e-12, abs=1e-12)
                n_options[name] += 1
    assert n_options["jaccard_error_rate"] == 100 + 23
    assert n_options["purity"] == 25 + 23


# --------------------------------------------------------------------------- moments


def random_segments(rng, n_speakers):
    """Return segments on a grid of moments, in random order; those of a speaker may overlap."""
    found = []
    for speaker in range(n_speakers):
        for _ in range(int(rng.integers(1, 4))):
            start = int(rng.integers(30))
            end = start + int(rng.integers(1, 12))
            found.append((STEP * start, STEP * end, f"speaker {speaker}"))
    return [found[number] for number in rng.permutation(len(found))]


def moments(reference, hypothesis, collar, skip_overlap):
    """Yield who is heard in each moment that counts."""
    bounds = [bound for start, end, _ in reference for bound in (start, end)]
    for number in range(-20, 80):
        middle = STEP * (number + 0.5)
        true, pred = (
            {label for start, end, label in side if start < middle < end}
            for side in (reference, hypothesis)
        )
        if any(abs(middle - bound) < collar / 2 for bound in bounds):
            continue
        if (true or pred) and not (skip_overlap and len(true) > 1):
            yield frozenset(true), frozenset(pred)


def scores_by_moments(heard):
    """Return the scores by their definitions, with the best of all mappings."""
    true = sorted({speaker for side, _ in heard for speaker in side})
    pred = sorted({speaker for _, side in heard for speaker in side})
    pairs = Counter(pair for sides in heard for pair in itertools.product(*sides))
    own = [Counter(one for sides in heard for one in sides[side]) for side in (0, 1)]

    def overlap(i, j):
        return pairs[i, j] / (own[0][i] + own[1][j] - pairs[i, j])

    padded = [*pred, *[None] * len(true)]
    mappings = (
        [(i, j) for i, j in zip(true, chosen, strict=True) if j is not None]
        for chosen in set(itertools.permutations(padded, len(true)))
    )
    agreed, overlaps = max(
        (sum(pairs[pair] for pair in mapping), sum(overlap(*pair) for pair in mapping))
        for mapping in mappings
    )
    total = sum(own[0].values())
    errors = sum(max(map(len, sides)) for sides in heard) - agreed
    missed = sum(max(len(true) - len(pred), 0) for true, pred in heard)
    false_alarm = sum(max(len(pred) - len(true), 0) for true, pred in heard)
    return {
        "error_rate": errors / total,
        "jaccard_error_rate": 1 - overlaps / len(true),
        "purity": sum(max(pairs[i, j] for i in true) for j in pred) / sum(own[1].values()),
        "coverage": sum(max(pairs[i, j] for j in pred) for i in true) / total,
        "missed": STEP * missed,
        "false_alarm": STEP * false_alarm,
        "confusion": STEP * (errors - missed - false_alarm),
        "total": STEP * total,
    }


@pytest.mark.parametrize("collar", [0, 0.5, 1])
@pytest.mark.parametrize("skip_overlap", [False, True])
def test_scores_are_those_of_moments(collar, skip_overlap):
    rng = np.random.default_rng(0)
    n_tested = 0
    for _ in range(30):
        sides = random_segments(rng, 3), random_segments(rng, int(rng.integers(1, 4)))
        heard = list(moments(*sides, collar, skip_overlap))
        if not all(any(pair[side] for pair in heard) for side in (0, 1)):
            continue
        n_tested += 1
        table = ContingencyTable.from_segments(*sides, collar=collar, skip_overlap=skip_overlap)
        assert table.n_samples == pytest.approx(STEP * len(heard), rel=1e-14)
        found = diarization_scores(table)
        for name, value in scores_by_moments(heard).items():
            assert getattr(found, name) == pytest.approx(value, rel=1e-12, abs=1e-12), name
    assert n_tested > 7


# --------------------------------------------------------------------------- the table


def test_cells_are_seconds_and_silence_and_overlap_are_labels_of_their_own():
    table = ContingencyTable.from_segments(REFERENCE, HYPOTHESIS)
    assert [str(label) for label in table.row_labels] == ["ann", "bob", "ann + bob", "<silence>"]
    assert [str(label) for label in table.col_labels] == ["1", "2", "<silence>"]
    assert table.counts.toarray().tolist() == [[7, 4, 2], [0, 5, 0], [1, 1, 0], [0, 1, 0]]
    assert table == ContingencyTable.from_segments(REFERENCE[::-1], iter(HYPOTHESIS))
    assert pickle.loads(pickle.dumps(table)) == table
    without = ContingencyTable.from_segments(REFERENCE, HYPOTHESIS, skip_overlap=True)
    assert [str(label) for label in without.row_labels] == ["ann", "bob", "<silence>"]


def test_speech_without_overlap_and_silence_is_scored_by_indices():
    reference = [(0, 4, "a"), (4, 6, "b"), (6, 9, "a"), (9, 12, "c")]
    hypothesis = [(0, 5, 1), (5, 8, 2), (8, 12, 3)]
    table = ContingencyTable.from_segments(reference, hypothesis)
    found = diarization_scores(table)
    assert found.error_rate == pytest.approx(misclassification_distance(table))
    assert found.purity == purity_score(table)
    assert found.coverage == purity_score(table.T)


def test_recordings_add_up_if_their_speakers_have_different_labels():
    def of(name):
        return [
            [(start, end, (name, label)) for start, end, label in side]
            for side in (REFERENCE, HYPOTHESIS)
        ]

    first, second = of("first"), of("second")
    second[1] = [(start, end, second[1][0][2]) for start, end, _ in second[1]]
    tables = [ContingencyTable.from_segments(*sides) for sides in (first, second)]
    alone = [diarization_scores(table) for table in tables]
    both = diarization_scores(sum(tables))
    errors = sum(one.error_rate * one.total for one in alone)
    assert both.error_rate == pytest.approx(errors / 44, rel=1e-14)
    assert both.mapping == alone[0].mapping | alone[1].mapping
    assert alone[0].mapping == {("first", 1): ("first", "ann"), ("first", 2): ("first", "bob")}


def test_ends_that_are_equal_up_to_rounding_make_no_moments():
    reference = [(0.1 + 0.2, 1.0, "a"), (1.0, 1.1 + 2.2, "b")]
    hypothesis = [(0.3, 1.0, 1), (1.0, 3.3, 2)]
    found = diarization_scores(reference, hypothesis)
    assert (found.error_rate, found.jaccard_error_rate) == (0.0, 0.0)
    assert ContingencyTable.from_segments(reference, hypothesis).shape == (2, 2)


def test_of_mappings_that_agree_as_long_the_one_that_overlaps_most_is_taken():
    for names in ("xy", "yx"):
        hypothesis = [(0, 1, names[0]), (0, 1, names[1]), (5, 9, names[1])]
        found = diarization_scores([(0, 1, "a"), (2, 9, "b"), (0, 1, "b")], hypothesis)
        assert found.mapping == {names[0]: "a", names[1]: "b"}
        tied = diarization_scores([(0, 1, "a")], hypothesis)
        assert tied.mapping == {names[0]: "a"}
        assert tied.jaccard_error_rate == 0.0


# --------------------------------------------------------------------------- limits, errors


@pytest.mark.parametrize(
    ("sides", "undefined"),
    [
        (([], []), {"error_rate", "jaccard_error_rate", "purity", "coverage"}),
        (([], HYPOTHESIS), {"error_rate", "jaccard_error_rate", "coverage"}),
        ((REFERENCE, []), {"purity"}),
    ],
)
def test_without_speech_what_is_divided_by_it_is_nan(sides, undefined):
    with pytest.warns(UndefinedMetricWarning, match="has no speech, and set to NaN"):
        found = diarization_scores(*sides)
    rates = ("error_rate", "jaccard_error_rate", "purity", "coverage")
    assert {name for name in rates if math.isnan(getattr(found, name))} == undefined
    assert found.mapping == {}
    if sides[0]:
        assert (found.error_rate, found.jaccard_error_rate, found.coverage) == (1.0, 1.0, 0.0)


def test_the_result_as_text_and_html():
    found = diarization_scores(REFERENCE, HYPOTHESIS)
    assert isinstance(found, DiarizationScores)
    assert repr(found).splitlines()[2].split() == ["error_rate", "0.409"]
    assert "<caption" in found._repr_html_()


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        ([(0, 1)], TypeError, r"^reference must hold \(start, end, label\) tuples, got \(0, 1\)"),
        ([3], TypeError, r"^reference must hold \(start, end, label\) tuples, got 3"),
        ("ann", TypeError, "^reference must be .* tuples or an annotation of pyannote, got str"),
        (None, TypeError, "^reference must be .* tuples or an annotation of pyannote, got None"),
        ([(0, "b", "ann")], TypeError, "^reference must hold segments of two numbers and a hash"),
        ([(0, 1, ["ann"])], TypeError, "^reference must hold segments of two numbers and a hash"),
        ([(1, 1, "ann")], ValueError, r"^reference must hold segments that end .* got \(1.0, 1.0"),
        ([(0, math.inf, "ann")], ValueError, "^reference must hold segments that end after"),
        ([(math.nan, 1, "ann")], ValueError, "^reference must hold segments that end after"),
        ([(0, 1, None)], ValueError, "^reference must name the speaker of each segment, got None"),
    ],
)
def test_bad_segments_are_named(reference, error, message):
    with pytest.raises(error, match=message):
        diarization_scores(reference, HYPOTHESIS)
    with pytest.raises(error, match=message.replace("reference", "hypothesis")):
        ContingencyTable.from_segments(REFERENCE, reference)


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="^collar must be a non-negative finite number"):
        diarization_scores(REFERENCE, HYPOTHESIS, collar=-1)
    with pytest.raises(TypeError, match="^skip_overlap must be True or False, got 1"):
        diarization_scores(REFERENCE, HYPOTHESIS, skip_overlap=1)
    table = ContingencyTable.from_segments(REFERENCE, HYPOTHESIS)
    for keywords in ({"hypothesis": HYPOTHESIS}, {"collar": 0.5}, {"skip_overlap": True}):
        with pytest.raises(ValueError, match="^hypothesis, collar and skip_overlap must be left"):
            diarization_scores(table, **keywords)
