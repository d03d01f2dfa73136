"""What the classes that never change have in common."""

import copy
import pickle

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, Cover, Hierarchy
from sklearn_clustcompare.significance import PermutationModel

MADE = {
    "table": lambda: ContingencyTable.from_labels([0, 0, 1], [0, 1, 1]),
    "soft table": lambda: ContingencyTable.from_memberships([0, 1], [[1, 0], [0.5, 0.5]]),
    "fractional table": lambda: ContingencyTable.from_counts([[0.5, 1.25], [2, 3]]).T,
    "table of objects": lambda: ContingencyTable.from_labels(
        np.fromiter([(1, 2), "a"], object), [0, 1]
    ),
    "sum": lambda: (
        ContingencyTable.from_counts([[1, 2], [3, 4]]) + ContingencyTable.from_labels([5], [6])
    ),
    "cover": lambda: Cover.from_matrix([[1, 0], [1, 1]]),
    "cover of names": lambda: Cover.from_sets([{"a", "b"}, {"b", 3}]),
    "dendrogram": lambda: Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 1, 3]]),
    "levels": lambda: Hierarchy.from_labels([[0, 0, 1], [0, 1, 2]], r=0.5),
    "model": lambda: PermutationModel([3, 2], [4, 1]),
}
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


@pytest.fixture(params=MADE)
def make(request):
    return MADE[request.param]


def arrays_of(frozen):
    """Return all arrays that an object holds, and those that its sparse matrices hold."""
    names = "counts", "levels", "linkage"
    held = [*vars(frozen).values(), *(getattr(frozen, name, 0) for name in names)]
    held += [getattr(one, part, 0) for one in held for part in ("data", "indices", "indptr")]
    return [one for one in held if isinstance(one, np.ndarray)]


def test_attributes_cannot_be_set_or_deleted(make):
    frozen = make()
    kind = type(frozen).__name__
    for name in [*vars(frozen), "n_samples", "another"]:
        with pytest.raises(AttributeError, match=f"^a {kind} is frozen, {name} cannot be set"):
            setattr(frozen, name, 1)
        with pytest.raises(AttributeError, match=f"^a {kind} is frozen, {name} cannot be deleted"):
            delattr(frozen, name)


def test_equal_content_is_equal_and_has_the_same_hash(make):
    first, second = make(), make()
    assert first == second
    assert len({first, second}) == 1
    assert all(first != other() for other in MADE.values() if other is not make)
    assert first != vars(first)


@pytest.mark.parametrize(
    "as_copy",
    [copy.copy, copy.deepcopy]
    + [lambda one, how=how: pickle.loads(pickle.dumps(one, how)) for how in PROTOCOLS],
)
def test_copies_are_equal_and_frozen(make, as_copy):
    frozen = make()
    made = as_copy(frozen)
    assert made == frozen
    assert hash(made) == hash(frozen)
    assert repr(made) == repr(frozen)
    for one in (frozen, made):
        assert not any(array.flags.writeable for array in arrays_of(one))
        with pytest.raises(AttributeError, match="is frozen"):
            one.another = 1


@pytest.mark.parametrize("version", [0, 2, None])
def test_a_pickle_of_another_version_is_refused(make, version):
    frozen = make()
    empty = object.__new__(type(frozen))
    kind = type(frozen).__name__
    match = f"^a pickled {kind} must be of version 1, got version {version}"
    with pytest.raises(ValueError, match=match):
        empty.__setstate__(frozen.__getstate__() | {"version": version})
    with pytest.raises(ValueError, match=f"^a pickled {kind} must be of version 1, got version N"):
        empty.__setstate__((1, 2))
