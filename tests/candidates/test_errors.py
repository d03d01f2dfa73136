"""Messages of errors: a table of calls and what each says."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    clustering_comparison_report,
    consensus_partition,
    pairwise_scores,
    score_candidates,
)
from sklearn_clustcompare.candidates import partial_partition_distance, reference_profile
from tests._errors import error_cases
from tests.candidates._examples import FIVE, INDEXED, SHUFFLED, TRUTH

scored = partial(score_candidates, TRUTH, [TRUTH], indices="rand_score")
paired = partial(pairwise_scores, index="rand_score")
aligned = partial(paired, unmatched="drop")
profile = partial(reference_profile, [0, 0, 0, 1, 1], index="rand_score")
changed = partial(pairwise_scores, index="partial_partition_distance", unmatched="drop")
report = clustering_comparison_report
NAN = [*TRUTH[1:], np.nan]
TWO = {"one": TRUTH, "two": TRUTH}
RUNS = {"p": pd.Series([0, 0], [1, 2]), "q": pd.Series([0, 0], [2, 3])}
FORTY = {"within": np.arange(40) % 7, "confidence_level": 0.9}


def unread():
    pytest.fail("read")
    yield


VALUE_ERRORS = {
    # candidates
    "^noise must be one of": lambda: scored(noise="keep"),
    "^random_state must be None, an int": [
        lambda: score_candidates(TRUTH, unread(), indices="rand_score", random_state="x"),
        lambda: scored(confidence_level=0.9, random_state="a"),
    ],
    "^indices must name at least one index, got an empty list": lambda: scored(indices=[]),
    "^index must be .*, got 'rande'; .*'rand_score'": lambda: scored(indices="rande"),
    "^indices must name each index once": lambda: scored(indices=["rand_score"] * 2),
    "^q must be a number from 0.001 to 30": lambda: scored(indices=FIVE, q=-1),
    "^sample_weight must have shape": lambda: scored(sample_weight=[1]),
    "^confidence_level must lie between 0 and 1, got 95": lambda: scored(confidence_level=95),
    "^n_resamples must be at least 2, got 1": lambda: scored(confidence_level=0.9, n_resamples=1),
    "^error_score must be 'raise' or a real number, got": lambda: scored(error_score="nan"),
    # before candidates are read
    "^labels_true must hold at least 4 objects": lambda: score_candidates(
        [0, 0, 1], unread(), indices="rand_score", confidence_level=0.9
    ),
    "^sample_weight must hold whole frequencies": lambda: score_candidates(
        TRUTH, unread(), confidence_level=0.9, sample_weight=[0.5] * 6
    ),
    # references
    "^labels_true must have at least one reference, got an empty dict": lambda: score_candidates(
        {}, [TRUTH]
    ),
    "^references must be one of 'max', 'mean'; got 'min'": lambda: scored(references="min"),
    "^confidence_level must be None where labels_true": lambda: score_candidates(
        TWO, [TRUTH], confidence_level=0.9
    ),
    "^within must be None where labels_true has several": lambda: score_candidates(
        TWO, [TRUTH], within=[0] * 6
    ),
    r"^labels_true\['first'\] ": lambda: score_candidates({"first": [0, np.nan]}, [[0, 1]]),
    r"labels_true\['one'\].*candidate 0": lambda: score_candidates(TWO, [[0, 1]]),
    # groups
    "^groups must be None where within is given": lambda: scored(
        within=TRUTH, groups=TRUTH, confidence_level=0.9
    ),
    "^within .*, got 7; without confidence_level group": lambda: score_candidates(
        np.arange(40) % 3, [np.arange(40) % 2], indices="rand_score", **FORTY
    ),
    "^labels_true and within must have the same length": lambda: scored(within=TRUTH[1:]),
    "^within must not contain NaN, got nan at position 0$": lambda: score_candidates(
        [0], [[0]], within=[np.nan]
    ),
    "^within must hold at least one object, got none": lambda: score_candidates(
        [], [[]], within=[]
    ),
    "^sample_weight must be positive for at least one": lambda: report(
        [0, 1], [0, 1], within=[0, 1], sample_weight=[0, 0]
    ),
    # pairs
    "^partition 0 and partition 1 must have the same length": [
        lambda: paired([TRUTH, TRUTH[1:]]),
        lambda: paired([TRUTH, [[0.5, 0.5]] * 5]),
    ],
    "^partition 1: memberships of a row must sum to 1": lambda: paired([TRUTH, [[0.5, 0.6]] * 6]),
    "^partitions must be a 2-D array": lambda: paired(np.array(TRUTH)),
    "^partition 0 and partition 1 must have an object in": lambda: aligned(
        [pd.Series([0, 1], [0, 1]), pd.Series([0, 1], [2, 3])]
    ),
    r"must have the same index.*align_partitions.*to_numpy": [
        lambda: paired([INDEXED, SHUFFLED]),
        lambda: paired([[0] * 4, INDEXED, SHUFFLED]),
    ],
    "^partitions must hold at least one partition, got none": [
        lambda: paired([]),
        lambda: paired({}),
        lambda: paired(np.zeros((0, 4), int)),
    ],
    # partial partitions
    "^objects must not be left out with 'partial_partition_distance'": [
        lambda: consensus_partition(RUNS, index="partial_partition_distance", unmatched="drop"),
        lambda: score_candidates(
            RUNS["p"], RUNS, indices="partial_partition_distance", unmatched="drop"
        ),
    ],
    "labels_true and ids_true": lambda: partial_partition_distance(
        [0, 0], [0], ids_true=[1], ids_pred=[1]
    ),
    "ids_true must name each object once": lambda: partial_partition_distance(
        [0, 0], {1: 0}, ids_true=[1, 1]
    ),
    "^kind must be": lambda: partial_partition_distance({1: 0}, {1: 0}, kind="sets"),
    "^labels_true must": lambda: partial_partition_distance({1: None}, {1: 0}),
    "must be labels, to be compared on different objects": lambda: changed(
        [pd.DataFrame([[0.5, 0.5], [0.3, 0.7]], ["a", "b"]), pd.Series([0], ["a"])]
    ),
    # profiles of references
    "^index must compare two partitions": lambda: profile(index="silhouette_score"),
    "^n_clusters must be": [lambda: profile(n_clusters=0), lambda: profile(n_clusters=6)],
    "^n_clusters must have at least one number": lambda: profile(n_clusters=[]),
    "^n_resamples must be": lambda: profile(n_resamples=0),
    "^labels_true must have at least one object": lambda: reference_profile([], index="ri"),
}
TYPE_ERRORS = {
    "rand_score takes no parameters": lambda: profile(q=2),
    "^confidence_level must be an int or a float": lambda: scored(confidence_level="95 %"),
    "^candidate 0 must be labels where within is given": lambda: score_candidates(
        TRUTH, [[[0.5, 0.5]] * 6], within=TRUTH
    ),
    "^within must be None unless labels_true and labels_pred": lambda: report(
        ContingencyTable.from_labels([0], [0]), within=[0]
    ),
    "^partition 0 must be a dict, a pandas Series": lambda: aligned(
        [[0, 0, 1, 1], INDEXED, SHUFFLED]
    ),
    "^partition 2 must be a dict, a pandas Series": lambda: aligned(
        [INDEXED, SHUFFLED, [0, 0, 1, 1]]
    ),
    "^labels_true must be a dict, a pandas Series": lambda: partial_partition_distance([0], [0]),
    "^normalize must be": lambda: partial_partition_distance({1: 0}, {1: 0}, normalize=2),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_errors_say_what_is_wrong(error, text, call):
    with pytest.raises(error, match=text):
        call()
