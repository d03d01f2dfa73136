"""Published soft partitions, where the folder of data is there."""

import itertools

import numpy as np
import pandas as pd
import pytest

import sklearn_clustcompare
from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from tests._files import SHARED_DATA

DATA = SHARED_DATA / "soft"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="published soft partitions not there")


def read_partitions(name):
    """Return memberships by the part of a column name before the colon."""
    frame = pd.read_csv(DATA / f"{name}.csv", index_col="item")
    partition = frame.columns.str.split(":").str[0]
    return {one: frame.loc[:, partition == one] for one in partition.unique()}


def divided(memberships):
    """Printed to two or three digits, rows do not sum to 1 exactly."""
    return memberships.div(memberships.sum(axis=1), axis=0)


@pytest.mark.parametrize(
    ("name", "n_partitions", "n_objects"),
    [
        ("gvme_memberships", 5, 21),
        ("gvme_consensus_memberships", 8, 21),
        ("kinship82_consensus_memberships", 3, 15),
    ],
)
def test_every_soft_index_of_every_pair(name, n_partitions, n_objects):
    partitions = read_partitions(name)
    assert len(partitions) == n_partitions
    for first, second in itertools.combinations(map(divided, partitions.values()), 2):
        table = ContingencyTable.from_memberships(first, second, moments=True)
        assert table.n_samples == pytest.approx(n_objects, rel=1e-12)
        np.testing.assert_allclose(
            table.counts.toarray(), first.to_numpy().T @ second.to_numpy(), rtol=1e-12
        )
        for index in map(get_index, list_indices(soft=True)):
            low, high = index.range
            assert low <= index(table) <= high + 1e-12


def test_rows_as_printed_are_refused_by_name_and_accepted_when_normalized():
    frame = read_partitions("gvme_consensus_memberships")["JMF/2"]
    exact = divided(frame)
    off = frame.copy()
    off.iloc[3, 0] += 0.01
    with pytest.raises(ValueError, match="must sum to 1, got 1.01 in row 3; use possibilistic"):
        ContingencyTable.from_memberships(off, exact)
    table = ContingencyTable.from_memberships(off, exact, normalize=True)
    assert table.n_samples == pytest.approx(21)


def test_consensus_agrees_with_its_partitions_more_than_they_agree_with_each_other():
    partitions = [divided(one) for one in read_partitions("gvme_memberships").values()]
    consensus = divided(read_partitions("gvme_consensus_memberships")["MF1/2"])
    fari = sklearn_clustcompare.frobenius_adjusted_rand_score
    pairs = [fari(*pair) for pair in itertools.combinations(partitions, 2)]
    of_consensus = [fari(consensus, one) for one in partitions]
    assert np.mean(of_consensus) > np.mean(pairs) > 0
    assert all(fari(one, one) == pytest.approx(1, abs=1e-12) for one in partitions)


@pytest.mark.slow
def test_soft_consensus_of_sorted_kinship_terms_against_the_persons():
    persons = pd.read_csv(DATA / "kinship82.csv", index_col="item")
    consensus = divided(read_partitions("kinship82_consensus_memberships")["JMF"])
    assert persons.shape == (15, 85)
    rng = np.random.default_rng(0)
    shuffled = consensus.iloc[rng.permutation(15)].reset_index(drop=True)
    fari = sklearn_clustcompare.frobenius_adjusted_rand_score
    agreement = [fari(persons[one], consensus) for one in persons]
    by_chance = [fari(persons[one], shuffled) for one in persons]
    assert np.mean(agreement) > 0.3 > abs(np.mean(by_chance))
