"""Options that all functions of partitions take alike, against treating the labels first."""

import numpy as np
import pandas as pd
import pytest

from sklearn_clustcompare import ContingencyTable
from tests._functions import (
    DRAWN,
    NAMED,
    PARAMETERS,
    differ,
    leaves,
    outcome,
    result_of,
    with_parameters,
)

RNG = np.random.default_rng(0)
N = 60
TRUE = RNG.integers(-1, 4, N)
PRED = np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(-1, 5, N))
KEPT = (TRUE != -1) & (PRED != -1)
OTHER = np.where(KEPT, np.where(RNG.random(N) < 0.6, PRED, TRUE), -1)
WEIGHTS = np.arange(N) % 3
# The sample is what was given; all else is of the objects that are kept.
OF_KEPT = {
    "clustering_comparison_report": lambda found, _: found.to_dict()["overall"],
    "score_interval": lambda found, _: found.score,
    "paired_comparison_test": lambda found, _: found.difference,
    "noninferiority_test": lambda found, _: found.difference,
    "score_candidates": lambda found, _: found.scores,
    "pairwise_scores": lambda found, _: found.values,
    "consensus_partition": lambda found, _: found.score,
    "medoid_partition": lambda found, _: found.score,
    # Objects that are left out have a place in these.
    "relabel": lambda found, kept: found[kept] if len(found) == N else found,
    "element_centric_similarities": lambda found, kept: found[kept] if len(found) == N else found,
    "element_consistency": lambda found, kept: found[kept] if len(found) == N else found,
    "relabel_partitions": lambda found, kept: found[:, kept] if found.shape[1] == N else found,
    "co_association_chunked": lambda found, kept: _pairs_kept(np.concatenate([*found]), kept),
    "co_association_matrix": lambda found, kept: _pairs_kept(found.toarray(), kept),
}


def _pairs_kept(matrix, kept):
    return matrix[np.ix_(kept, kept)] if len(matrix) == N else matrix


def sides_of(name, kept=KEPT, noise=-1):
    """Return three partitions; where several are compared, all lack the same objects."""
    if {"labels_b", "candidates", "partitions"} & set(PARAMETERS[name]) or noise != -1:
        return [np.where(kept, side, noise) for side in (TRUE, PRED, OTHER)]
    return [TRUE, PRED, OTHER]


def found_by(name, sides, kept=KEPT, **options):
    exact = {"index": "rand_score"} if name in DRAWN else {}
    found = result_of(name, sides, **exact, **options)
    return leaves(OF_KEPT[name](found, kept) if name in OF_KEPT else found)


@pytest.mark.slow
@pytest.mark.parametrize("name", with_parameters("missing"))
def test_missing(name):
    sides = sides_of(name)
    gone = [pd.Series(side).where(side != -1) for side in sides]
    with pytest.raises(ValueError, match="missing|NaN"):
        result_of(name, gone)
    expected = found_by(name, [side[KEPT] for side in sides])
    assert not differ(found_by(name, gone, missing="drop"), expected)
    if name not in NAMED | {"noise_bounds"}:  # where -1 is noise
        assert not differ(found_by(name, gone, missing="cluster"), found_by(name, sides))


@pytest.mark.slow
@pytest.mark.parametrize("name", with_parameters("noise"))
def test_noise(name):
    rest = KEPT & (TRUE != 3) & (PRED != 3)
    for kept, noise, noise_label in ((KEPT, -1, -1), (rest, 3, [-1, 3])):
        sides = sides_of(name, kept, noise)
        found = found_by(name, sides, kept, noise="drop", noise_label=noise_label)
        assert not differ(found, found_by(name, [side[kept] for side in sides], kept))
    if name not in NAMED:
        sides = sides_of(name)
        alone = [[f"alone {k}" if x == -1 else x for k, x in enumerate(one)] for one in sides]
        assert not differ(found_by(name, sides, noise="singletons"), found_by(name, alone))


@pytest.mark.slow
@pytest.mark.parametrize("name", with_parameters("data"))
def test_columns_of_a_table(name):
    frame = pd.DataFrame({"type": TRUE, "found": PRED, "other": OTHER, "weight": WEIGHTS})
    names = ["type", "found", "other"]
    weighs = "sample_weight" in PARAMETERS[name]
    several = "candidates" in PARAMETERS[name]
    expected = outcome(
        name,
        [frame[one] for one in names],
        **({"sample_weight": WEIGHTS} if weighs else {}),
        **({"candidates": {one: frame[one] for one in names[1:]}} if several else {}),
    )
    options = {"sample_weight": "weight"} if weighs else {}
    options |= {"candidates": names[1:]} if several else {}
    assert not differ(outcome(name, names, data=frame, **options), expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", with_parameters("labels_true", "labels_pred"))
def test_a_table_goes_alone(name):
    """It has the clusters and their counts, and no objects."""
    table = ContingencyTable.from_labels(TRUE, PRED)
    if PARAMETERS[name]["labels_pred"].default is None or name == "assert_clustering":
        found = outcome(name, [table, None, None])
        assert not differ(found, outcome(name, [TRUE, PRED, OTHER]))
    else:
        with pytest.raises(TypeError, match="got a ContingencyTable"):
            result_of(name, [table, PRED, OTHER])
