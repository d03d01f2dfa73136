"""The same partition in any container has the same value, whatever its clusters are called."""

import contextlib
import itertools

import numpy as np
import pytest

from sklearn_clustcompare import Cover
from tests._functions import FUNCTIONS, differ, leaves, result_of
from tests._inputs import import_or_skip
from tests.test_inputs import FOUND, SIDES, TRUTH

N_OBJECTS = len(TRUTH)
ORDER = np.random.default_rng(0).permutation(N_OBJECTS).tolist()

# Names of the clusters, in their order.
NAMES = {
    "numbers": [0, 1, 2, 3],
    "two": [0, 1, 1, 1],
    "far apart": [-(2**40), -1, 7, 2**40],
    "letters": ["a", "b", "c", "d"],
    "ends in NUL": ["", "\0", "a", "a\0"],
    "very long": ["x" * 20_000 + letter for letter in "abcd"],
    "scripts": ["Z", "e\u0301", "\u00e9", "\u202eabc"],
    "tuples": [(0, "a"), (0, "b"), (1, "a"), (1, "b")],
}


def of_numpy(dtype):
    return lambda y: np.array(y, dtype)


def of(module, make):
    return lambda y: make(import_or_skip(module), y)


def shuffled_index(pandas, labels):
    return pandas.Series(labels, index=[f"object {at}" for at in ORDER])


def category(pandas, labels):
    series = pandas.Series(pandas.Categorical(labels))
    if series.nunique() < len(set(labels)):
        pytest.skip("this version of pandas merges texts that end in NUL")
    return series


def string_dtype(labels):
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("an old version")
    return np.array(labels, np.dtypes.StringDType())


OBJECTS = {
    "tuple": tuple,
    "objects": lambda y: np.fromiter(y, object, len(y)),
    "Series of objects": of("pandas", lambda pd, y: pd.Series(y, dtype=object)),
    "category": of("pandas", category),
    "Series with an index": of("pandas", shuffled_index),
    "dict": lambda y: dict(enumerate(y)),
}
TEXT = {
    "StringDType": string_dtype,
    "Series": of("pandas", lambda pd, y: pd.Series(y)),
    "ArrowDtype": of(
        "pyarrow", lambda pa, y: import_or_skip("pandas").Series(pa.array(y)).convert_dtypes()
    ),
    "Polars": of("polars", lambda pl, y: pl.Series(y)),
    "Polars categories": of("polars", lambda pl, y: pl.Series(y, dtype=pl.Categorical)),
    "Polars Enum": of("polars", lambda pl, y: pl.Series(y, dtype=pl.Enum(sorted(set(y))))),
    "Arrow": of("pyarrow", lambda pa, y: pa.array(y)),
    "large Arrow": of("pyarrow", lambda pa, y: pa.array(y, pa.large_string())),
    "Arrow dictionary": of("pyarrow", lambda pa, y: pa.array(y).dictionary_encode()),
    "Arrow chunks": of("pyarrow", lambda pa, y: pa.chunked_array([y[:5], y[5:]])),
}
SMALL = {
    str(np.dtype(dtype)): of_numpy(dtype)
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "u8", ">i4", "f2", "f4", "O")
}
# Layouts in memory.
LAYOUTS = {
    "read-only": lambda y: np.frombuffer(np.array(y, np.int64).tobytes(), np.int64),
    "every third": lambda y: np.repeat(y, 3)[::3],
    "backwards": lambda y: np.array(y)[::-1].copy()[::-1],
    "column of an array": lambda y: np.column_stack([y, y])[:, 1],
    "bool": lambda y: np.array(y) > 0,
    "Index": of("pandas", lambda pd, y: pd.Index(y)),
    "Categorical": of(
        "pandas", lambda pd, y: pd.Categorical(y, categories=[9, *sorted({*y})[::-1]])
    ),
}
LARGE = {
    "int64": of_numpy("i8"),
    "float64": of_numpy("f8"),
    "Series": of("pandas", lambda pd, y: pd.Series(y)),
    "Int64": of("pandas", lambda pd, y: pd.Series(y, dtype="Int64")),
    "Polars": of("polars", lambda pl, y: pl.Series(y)),
    "Arrow": of("pyarrow", lambda pa, y: pa.array(y)),
}
CONTAINERS = {
    "two": OBJECTS | SMALL | LARGE | LAYOUTS,
    "numbers": OBJECTS | SMALL | LARGE,
    "far apart": OBJECTS | LARGE,
    "letters": OBJECTS | TEXT | {"text of NumPy": of_numpy("U")},
    "ends in NUL": OBJECTS | TEXT,
    "very long": OBJECTS | TEXT,
    "scripts": OBJECTS | TEXT | {"text of NumPy": of_numpy("U")},
    "tuples": OBJECTS,
}
CASES = [(names, container) for names, found in CONTAINERS.items() for container in found]


def named(labels, names):
    return [NAMES[names][label] for label in labels]


def value(name, true, pred):
    return leaves(result_of(name, [true, pred, TRUTH]))


def check(name, names, container, side):
    lists = [named(labels, names) for labels in (TRUTH, FOUND)]
    given = [
        CONTAINERS[names][container](labels) if at in side else labels
        for at, labels in enumerate(lists)
    ]
    if container == "bool":  # which names the clusters
        lists = [
            [one > 0 for one in labels] if at in side else labels for at, labels in enumerate(lists)
        ]
    what = f"{name} of {names} in {container} on the sides {side}"
    np.testing.assert_equal(value(name, *given), value(name, *lists), err_msg=what)


ALL = [*FUNCTIONS]


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_an_index_of_any_container(case):
    for name, side in itertools.product(("adjusted_rand_score", "match_clusters"), SIDES):
        check(name, *case, side)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_each_function_of_all_containers(name):
    for case, side in itertools.product(CASES, SIDES):
        with contextlib.suppress(pytest.skip.Exception):  # a package is missing
            check(name, *case, side)


# --------------------------------------------------------------------------- names of objects


def sets_of(labels):
    return [{at for at, one in enumerate(labels) if one == label} for label in sorted({*labels})]


# Partitions that name their objects, in another order than positions.
BY_NAME = {
    "dict": lambda y: {at: y[at] for at in ORDER},
    "sets": sets_of,
    "frozen sets": lambda y: [*map(frozenset, sets_of(y))],
    "sets as values": lambda y: dict(enumerate(sets_of(y))).values(),
    "cover": lambda y: Cover.from_sets(sets_of(y)),
}
# Functions whose numbers differ, and why.
EXCEPTIONS = {
    "a result for each object, in the order in which the reference names them": {
        "element_centric_similarities",
        "relabel",
        "relabel_partitions",
        "co_association_matrix",
    },
    "clusters are called, and sorted, by labels, which sets have not": {
        "match_clusters",
        "cluster_decomposition",
        "clustering_comparison_report",
        "sampled_reference_scores",
    },
    "draws take the objects in their order": {
        "permutation_test",
        "independence_test",
        "chance_adjusted_score",
        "score_interval",
        "paired_comparison_test",
    },
}
NUMBERS = [name for name in ALL if not any(name in names for names in EXCEPTIONS.values())]


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERS)
def test_objects_by_name_in_any_order(name):
    expected = value(name, TRUTH, FOUND)
    for number, (form, make) in enumerate(BY_NAME.items()):
        side = SIDES[(number + len(name)) % 3]
        given = [make(one) if at in side else one for at, one in enumerate((TRUTH, FOUND))]
        assert not differ(value(name, *given), expected), f"{name} of {form} on the sides {side}"
