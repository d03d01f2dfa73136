"""Covers to test with, as lists of sets."""

from hypothesis import strategies as st

from sklearn_clustcompare import Cover

# Sets of the objects 0 to 5, and what two programs of the authors of the indices print for them.
OVERLAPPING = [{0, 1, 2}, {2, 3}, {4, 5}], [{0, 1, 2}, {2, 3, 5}, {0, 4, 5}]
DISJOINT = [{0, 3}, {1, 2, 5}, {4}], [{0, 3}, {1, 2}, {4, 5}]


def cover_of(sets, n_objects):
    return Cover.from_sets(sets, objects=range(n_objects))


def random_covers(rng, n_objects, n_clusters, n_covers=2, share=0.4):
    """Draw covers without empty clusters; some objects are in no cluster."""
    covers = []
    for _ in range(n_covers):
        members = rng.random((n_clusters, n_objects)) < share
        members[range(n_clusters), rng.integers(n_objects, size=n_clusters)] = True
        covers.append([set(map(int, row.nonzero()[0])) for row in members])
    return covers


@st.composite
def pairs_of_covers(draw, max_objects=9):
    n_objects = draw(st.integers(2, max_objects))
    objects = st.sets(st.integers(0, n_objects - 1), min_size=1)
    covers = st.lists(objects, min_size=1, max_size=5)
    return draw(covers), draw(covers), n_objects
