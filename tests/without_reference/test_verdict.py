"""Rules of the verdict: a table of evidence, and what follows from it."""

import pytest

from sklearn_clustcompare.without_reference._verdict import Division, Structure, verdict_of

STRUCTURE = Structure(0.025, "silhouette", ("copula", "pca"), 39)
NONE = STRUCTURE._replace(pvalue=0.075)


def division(k, silhouette=0.5, z=5.0, valley=5.0, strength=0.9, jaccard=0.9, smallest=20):
    return Division(k, silhouette, z, valley, smallest, strength, jaccard)


# Numbers that come back, but touch: neither separated by a valley nor by the silhouette.
TOUCHING = [division(2, 0.6, valley=1.0), division(3, 0.5, valley=0.5)]
NOT_FOUND_AGAIN = [division(2, strength=0.79), division(3, jaccard=0.74)]
STANDS_OUT = [
    division(2, z=2.0, strength=0.5, valley=0.1),
    division(3, z=5.0, valley=0.1),
    division(4, z=1.0, strength=0.5),
]
CASES = {
    # evidence, structure, pair precision: kind, number, finer
    "no structure": ([division(2, strength=0.9), division(3)], NONE, 1.0, "one", 1, ()),
    "p of exactly the level": ([division(2)], NONE._replace(pvalue=0.05), 1.0, "several", 2, ()),
    "no structure, but sure": (
        [division(2, strength=0.95, jaccard=0.9)], NONE, 1.0, "undetermined", None, (),
    ),
    "no structure, strength not sure": ([division(2, strength=0.949)], NONE, 1.0, "one", 1, ()),
    "no structure, Jaccard not sure": (
        [division(2, strength=1.0, jaccard=0.89)], NONE, 1.0, "one", 1, (),
    ),
    "no candidate": (NOT_FOUND_AGAIN, STRUCTURE, 1.0, "undetermined", None, ()),
    "no valley": (TOUCHING, STRUCTURE, 1.0, "undetermined", None, ()),
    "low silhouette": ([division(2, z=1.64)], STRUCTURE, 1.0, "undetermined", None, ()),
    "bounds": (
        [division(2, z=1.645, valley=1.645, strength=0.8, jaccard=0.75)],
        STRUCTURE, 1.0, "several", 2, (),
    ),
    "one candidate": ([division(2, strength=0.5), division(3)], STRUCTURE, 1.0, "several", 3, ()),
    "largest silhouette, finer": (
        [division(2, 0.4), division(3, 0.6)], STRUCTURE, 0.0, "several", 3, (),
    ),
    "nested": ([division(2, 0.6), division(6, 0.5)], STRUCTURE, 0.95, "nested", 2, (6,)),
    "nested twice": (
        [division(2, 0.6), division(6, 0.5), division(4, 0.5)],
        STRUCTURE, 1.0, "nested", 2, (4, 6),
    ),
    "crossing": ([division(2, 0.6), division(6, 0.5)], STRUCTURE, 0.94, "undetermined", None, ()),
    "finer ones that are no candidates": (
        [division(2, 0.6), division(6, 0.5, strength=0.7)], STRUCTURE, 0.0, "several", 2, (),
    ),
    "objects divided off, which have no core": (
        [division(3, 0.6), division(4, 0.5, smallest=5)], STRUCTURE, 1.0, "several", 3, (),
    ),
    "parts, clear in sum": (
        [division(2, 0.6), division(3, 0.61, z=1.65, valley=0.68)],
        STRUCTURE, 0.95, "several", 3, (),
    ),
    "parts, not clear in sum": (
        [division(2, 0.6), division(3, 0.61, z=1.65, valley=0.67)],
        STRUCTURE, 1.0, "several", 2, (),
    ),
    "parts of the same silhouette": (
        [division(2, 0.6), division(3, 0.6, valley=1.0)], STRUCTURE, 1.0, "several", 2, (),
    ),
    "parts without a valley": (
        [division(2, 0.6), division(3, 0.7, valley=0.0)], STRUCTURE, 1.0, "several", 2, (),
    ),
    "parts of a low silhouette for one cloud": (
        [division(2, 0.6), division(3, 0.7, z=0.0)], STRUCTURE, 1.0, "several", 2, (),
    ),
    "parts that do not come back": (
        [division(2, 0.6), division(3, 0.7, valley=1.0, jaccard=0.74)],
        STRUCTURE, 1.0, "several", 2, (),
    ),
    "parts without a core": (
        [division(2, 0.6), division(3, 0.7, valley=1.0, smallest=5)],
        STRUCTURE, 1.0, "several", 2, (),
    ),
    "a better one that crosses": (
        [division(2, 0.6), division(3, 0.7, valley=1.0)], STRUCTURE, 0.94, "several", 2, (),
    ),
    "coarser, clear in sum": (
        [division(2, 0.7, valley=1.0), division(3, 0.6)], STRUCTURE, 1.0, "several", 3, (),
    ),
    "parts, and parts of these": (
        [division(2, 0.6), division(3, 0.7, valley=1.0), division(6, 0.5)],
        STRUCTURE, 1.0, "nested", 3, (6,),
    ),
    "only objects divided off": (
        [division(2, smallest=5)], STRUCTURE, 1.0, "undetermined", None, (),
    ),
    "stands out, one without a core": (
        [STANDS_OUT[0], STANDS_OUT[1]._replace(smallest=5), STANDS_OUT[2]],
        STRUCTURE, 1.0, "several", 3, (),
    ),
    "stands out": (STANDS_OUT, STRUCTURE, 1.0, "several", 3, ()),
    "stands out too little": (
        [STANDS_OUT[0]._replace(z_silhouette=2.01), *STANDS_OUT[1:]],
        STRUCTURE, 1.0, "undetermined", None, (),
    ),
    "stands out of one other only": (STANDS_OUT[:2], STRUCTURE, 1.0, "undetermined", None, ()),
    "stands out, but has the opposite of a valley": (
        [STANDS_OUT[0], STANDS_OUT[1]._replace(z_valley=-0.1), STANDS_OUT[2]],
        STRUCTURE, 1.0, "undetermined", None, (),
    ),
    "undefined evidence": (
        [division(2, strength=float("nan")), division(3, jaccard=float("nan"))],
        STRUCTURE, 1.0, "undetermined", None, (),
    ),
    "nothing found": ([division(0), division(1)], STRUCTURE, 1.0, "undetermined", None, ()),
    "the same number twice": (
        [division(3, 0.5), division(3, 0.6)], STRUCTURE, 0.0, "several", 3, (),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_rules(case):
    divisions, structure, precision, kind, number, finer = CASES[case]
    verdict, place = verdict_of(divisions, structure, lambda *_: precision, chains=False)
    assert (verdict.kind, verdict.n_clusters, verdict.finer) == (kind, number, finer)
    assert len(verdict.reasons) == 3
    if kind in ("several", "nested"):
        assert divisions[place].n_clusters == number
        best = max(one.silhouette for one in divisions if one.n_clusters == number)
        assert divisions[place].silhouette == best
    else:
        assert place is None


def test_only_crossing_divisions_are_asked_about():
    divisions = [division(2, 0.5), division(3, 0.6), division(5, 0.5), division(7, 0.4, strength=0)]
    asked = []

    def precision(fine, coarse):
        asked.append((divisions[fine].n_clusters, divisions[coarse].n_clusters))
        return 1.0

    verdict_of(divisions, STRUCTURE, precision, chains=False)
    assert asked == [(5, 3)]


@pytest.mark.parametrize(
    ("valley", "jaccard", "smallest", "number"),
    [
        (1.645, 0.85, 6, 2),
        (1.64, 0.85, 6, None),
        (1.645, 0.84, 6, None),
        (1.645, 0.85, 5, None),
    ],
)
def test_chains_need_a_valley_and_stability_only(valley, jaccard, smallest, number):
    chain = division(2, -0.2, -3.0, valley, strength=0.1, jaccard=jaccard, smallest=smallest)
    verdict, _ = verdict_of([chain], STRUCTURE, lambda *_: 1.0, chains=True)
    assert verdict.n_clusters == number


def reasons(divisions, structure):
    return verdict_of(divisions, structure, lambda *_: 1.0, chains=False)[0].reasons


def test_reasons_say_what_was_found():
    first, second, third = reasons([division(2, 0.6), division(6, 0.5)], STRUCTURE)
    assert first == (
        "The data are not one cloud: the best silhouette of 2 clusterings is better than that of "
        "39 data sets of one cloud (copula and pca), each law by itself, p = 0.025."
    )
    assert second == (
        "2 clusters are separated and come back in other samples (prediction strength 0.9, worst "
        "Jaccard index 0.9), and so are 6 clusters inside of them."
    )
    assert third.startswith("No evidence knows the purpose")


def test_reasons_of_a_bent_cluster_and_of_a_continuum():
    assert reasons(TOUCHING, STRUCTURE)[1] == (
        "Not one ellipsoid or skew cloud, but the 2 or 3 clusters that come back in other samples "
        "touch: no valley between them; perhaps one bent cluster."
    )
    first, second, _ = reasons([division(2, strength=1.0)], NONE)
    assert first.startswith("No evidence of more than one cloud or continuum: ")
    assert second == (
        "2 clusters come back in other samples, but so do the parts of a continuum: it can explain "
        "them."
    )
    assert (
        "differ from one cloud, but no division is both" in reasons(NOT_FOUND_AGAIN, STRUCTURE)[1]
    )


@pytest.mark.parametrize(
    ("evidence", "headline"),
    [
        ("no structure", "1 cluster"),
        ("one candidate", "3 clusters"),
        ("nested twice", "2 clusters, which consist of 4 and 6 smaller ones"),
        ("crossing", "undetermined number of clusters"),
    ],
)
def test_headline(evidence, headline):
    divisions, structure, precision, *_ = CASES[evidence]
    verdict, _ = verdict_of(divisions, structure, lambda *_: precision, chains=False)
    assert verdict.headline == headline
    assert str(verdict).splitlines() == [headline, *verdict.reasons]
    assert headline in verdict._repr_html_()
