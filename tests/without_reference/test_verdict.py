"""What the rule decides: a table of evidence, and what follows from it."""

import numpy as np
import pytest

from sklearn_clustcompare.without_reference._rule import Evidence, NullTest
from sklearn_clustcompare.without_reference._verdict import decide

N = 90
LABELS = {k: np.repeat(np.arange(k), N // k) for k in (2, 3, 5, 6, 9)}


class Known:
    """Evidence that is given: (k, silhouette, strength, ratio, z) for each division."""

    n_null = 39
    grade, is_dense = Evidence.grade, Evidence.is_dense

    def __init__(self, rows, pvalue=0.025, partitions=None, chains=False):
        self.rows = [dict(zip("ksprz", row, strict=True)) for row in rows]
        self.partitions = partitions or [LABELS[row["k"]] for row in self.rows]
        self.candidates = self.rows
        self.divisions = [at for at, row in enumerate(self.rows) if row["s"] == row["s"]]
        self.numbers = np.array([row["k"] for row in self.rows])
        self.silhouette = np.array([row["s"] for row in self.rows])
        self.ratio = np.array([row["r"] for row in self.rows])
        self.z = np.full(len(self.rows), np.nan)
        self.chains, self.beyond, self.test, self._p = chains, [], None, pvalue

    def strength(self, at):
        return self.rows[at]["p"]

    def comes_back(self, at):
        return self.rows[at]["p"] >= 0.8

    def precision(self, fine, coarse):
        joined = [
            self.partitions[coarse][i] == self.partitions[coarse][j]
            for i in range(N)
            for j in range(i)
            if self.partitions[fine][i] == self.partitions[fine][j]
        ]
        return np.mean(joined)

    def compare(self):
        self.z = np.array([row["z"] for row in self.rows])
        self.test = NullTest(self._p, self.z, ("copula",), ("pca",), 39)
        return self.test


NAN = np.nan
CASES = {
    # rows, p-value: grade, number, finer (none), at_least (False)
    "separated": ([(2, 0.5, 1, 2.5, NAN), (3, 0.4, 0.7, 1, NAN)], 0.9, "separated", 2),
    "the largest silhouette": (
        [(2, 0.5, 1, 3, NAN), (3, 0.6, 1, 3, NAN), (5, 0.7, 0.7, 3, NAN)],
        0.9,
        "separated",
        3,
        (),
        True,
    ),
    "finer": ([(3, 0.5, 1, 3, NAN), (6, 0.4, 0.8, 1, NAN)], 0.9, "separated", 3, (6,)),
    "finer, not dense": ([(3, 0.5, 1, 3, NAN), (6, 0.4, 1, 0.9, NAN)], 0.9, "separated", 3),
    "finer, crossing": ([(2, 0.5, 1, 3, NAN), (3, 0.4, 1, 3, NAN)], 0.9, "separated", 2),
    "the finest of as good silhouettes": (
        [(2, 0.5, 1, 9, NAN), (3, 0.46, 1, 2.5, NAN), (5, 0.44, 1, 2.5, NAN)],
        0.9,
        "separated",
        3,
    ),
    "dense, but not found again": (
        [(2, 0.4, 0.9, 2.4, 9), (3, 0.5, 0.7, 2.5, 0), (5, 0.3, 0.7, 2.6, 9)],
        0.9,
        "tentative",
        3,
    ),
    "not dense where the silhouette is largest": (
        [(2, 0.4, 0.7, 3, 9), (3, 0.5, 0.7, 2.4, 2)],
        0.025,
        "tentative",
        3,
        (),
        True,
    ),
    "at the end": ([(2, 0.5, 1, 3, NAN), (3, 0.6, 1, 3, NAN)], 0.9, "separated", 3, (), True),
    "one": ([(2, 0.5, 1, 2.4, 3), (3, 0.4, 0.7, 1, 1)], 0.075, "one", 1),
    "touching": ([(2, 0.5, 0.8, 1.0, 1.645), (3, 0.4, 1, 1, 1)], 0.05, "touching", 2),
    "touching comes first": (
        [(2, 0.5, 0.7, 2, 9), (3, 0.4, 0.8, 1, 2), (5, 0.3, 0.1, 1, 9)],
        0.025,
        "touching",
        3,
    ),
    "tentative": ([(2, 0.5, 0.7, 2, 9), (3, 0.4, 0.7, 1, 2)], 0.025, "tentative", 2),
    "tentative, not clear": ([(2, 0.5, 0.7, 2, 1.6), (3, 0.4, 0.7, 1, 2)], 0.025, "one", 1),
    "cut through one mode": ([(2, 0.5, 1, 0.9, 9), (3, 0.4, 0.7, 0.5, 2)], 0.025, "one", 1),
    "outliers alone": ([(2, NAN, NAN, NAN, NAN)], 0.025, "one", 1),
}


@pytest.mark.parametrize("case", CASES)
def test_the_rule(case):
    rows, pvalue, *expected = CASES[case]
    expected += [(), False][len(expected) - 2 :]
    evidence = Known(rows, pvalue)
    verdict, place = decide(evidence, None)
    assert [verdict.grade, verdict.n_clusters, verdict.finer, verdict.at_least] == expected
    assert (place is None) == (verdict.n_clusters in (1, None))
    assert (evidence.test is None) == (
        verdict.grade == "separated" or case.startswith("dense") or not evidence.divisions
    )
    assert str(verdict).splitlines() == [verdict.headline, *verdict.reasons]


def test_chains_need_no_silhouettes_and_the_finest_division_is_chosen():
    rows = [(2, 0.1, 1, 5, NAN), (6, -0.2, 1, 2.5, NAN), (9, 0.5, 1, 2.4, NAN)]
    evidence = Known(rows, chains=True)
    verdict, _ = decide(evidence, None)
    assert (verdict.grade, verdict.n_clusters, evidence.test) == ("separated", 6, None)
    verdict, _ = decide(Known(rows[2:], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("touching", 9)
    verdict, _ = decide(Known([(2, 0.5, 0.7, 2.4, NAN)], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("one", 1)
    verdict, _ = decide(Known([(2, 0.5, 0.7, 2.5, NAN)], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("tentative", 2)
    verdict, _ = decide(Known([(2, NAN, NAN, NAN, NAN)], chains=True), None)
    assert (verdict.grade, verdict.n_clusters) == ("nothing", None)


def test_words():
    rows = [(3, 0.5, 1, 4.1, NAN), (6, 0.4, 0.8, 1, NAN), (9, 0.4, 0.8, 1, NAN)]
    verdict, _ = decide(Known(rows), None)
    assert verdict.headline == (
        "3 clusters, separated; divisions into 6 and into 9, nested in these, come back, too"
    )
    assert "at least 4.1 times as dense as the passes between them" in verdict.reasons[0]
    verdict, _ = decide(Known([(2, 0.5, 0.9, 2, 3), (3, 0.4, 0.1, 1, 8)]), None)
    text = " ".join(verdict.reasons)
    assert "may be parts of one bent or skew cluster" in text
    assert "With 3 clusters the data differ from one cluster even more" in text
    assert "The data contradict other null distributions: pca." in text
    assert "p = 0.025, the least that 39 can give" in text
