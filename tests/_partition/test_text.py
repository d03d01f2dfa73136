"""Text as labels: its last characters, its length, and characters that no line shows."""

import numpy as np
import pytest

import sklearn_clustcompare
from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    adjusted_rand_score,
    cluster_decomposition,
    clustering_comparison_report,
    pairwise_scores,
    rand_score,
    score_candidates,
    silhouette_score,
)
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.consensus import medoid_partition
from sklearn_clustcompare.hierarchies import clustering_tree
from tests._inputs import import_or_skip

LABELS = ["a", "a\0", "", "\0", "a\0", "a"]
EXPECTED = [0, 1, 2, 3, 1, 0]
LONG = "x" * 100_000 + "end"


def _forms():
    yield "list", list
    yield "objects", lambda y: np.array(y, object)
    for module, names in {
        "polars": ["Series", "Categorical", "Enum"],
        "pyarrow": ["array", "dictionary"],
        "pandas": ["Series", "object", "category"],
    }.items():
        for name in names:
            yield f"{module} {name}", lambda y, at=(module, name): _of_package(*at, y)


def _of_package(module, name, labels):
    package = import_or_skip(module)
    if module == "polars":
        dtype = {
            "Series": package.String,
            "Categorical": package.Categorical,
            "Enum": package.Enum(sorted(set(labels))) if name == "Enum" else None,
        }[name]
        return package.Series(labels, dtype=dtype)
    if module == "pyarrow":
        array = package.array(labels)
        return array.dictionary_encode() if name == "dictionary" else array
    series = package.Series(labels, dtype={"Series": None}.get(name, name))
    if series.nunique() < len(set(labels)):
        pytest.skip("this version of pandas merges texts that end in NUL")
    return series


FORMS = dict(_forms())


@pytest.mark.parametrize("form", FORMS)
def test_text_that_ends_in_nul_keeps_its_end(form):
    labels = FORMS[form](LABELS)
    assert adjusted_rand_score(labels, EXPECTED) == 1.0
    assert rand_score(EXPECTED, labels) == 1.0


@pytest.mark.parametrize("na", [None, np.nan])
@pytest.mark.parametrize("missing", ["drop", "cluster"])
def test_text_of_numpy_may_be_missing(na, missing):
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("an old version")
    labels = np.array(["a", "b", na, "b"], np.dtypes.StringDType(na_object=na))
    found = ContingencyTable.from_labels(labels, [0, 1, 1, 1], missing=missing)
    plain = np.array(["a", "b", na, "b"], object)
    assert found == ContingencyTable.from_labels(plain, [0, 1, 1, 1], missing=missing)


def test_integers_that_numpy_does_not_have_are_an_error_that_names_the_argument():
    polars = pytest.importorskip("polars")
    labels = polars.Series([1, 2, 2], dtype=polars.Int128)
    with pytest.raises(TypeError, match="^labels_pred must be an array, got Series: .*i128"):
        rand_score([0, 1, 1], labels)


class _Tensor:
    """What torch's tensors have, of a kind that NumPy cannot read."""

    shape, ndim, requires_grad, dtype = (3,), 1, False, "torch.int64"

    def __init__(self, device, layout):
        self.device, self.layout = device, layout

    def __dlpack__(self):
        raise TypeError

    def __array__(self, *args, **kwargs):
        raise NotImplementedError

    def __getitem__(self, item):
        return self

    def __len__(self):
        return 3

    def cpu(self):
        return self


@pytest.mark.parametrize(
    ("device", "layout", "reason"),
    [
        ("meta", "torch.strided", "must have values, .* on the device 'meta'"),
        ("cpu", "torch.sparse_coo", r"must be dense: pass its \.to_dense\(\)"),
        ("cpu", "torch.sparse_csr", r"must be dense: pass its \.to_dense\(\)"),
    ],
)
def test_tensors_without_values_are_an_error_that_names_the_argument(device, layout, reason):
    tensor = _Tensor(device, layout)
    calls = {
        "labels_true": lambda: rand_score(tensor, [0, 1, 1]),
        "labels_pred": lambda: rand_score([0, 1, 1], tensor),
        "sample_weight": lambda: rand_score([0, 1, 1], [0, 1, 1], sample_weight=tensor),
        "X": lambda: silhouette_score(tensor, [0, 1, 1]),
        "counts": lambda: ContingencyTable.from_counts(tensor),
    }
    for name, call in calls.items():
        with pytest.raises(TypeError, match=f"^{name} {reason}"):
            call()


def test_large_whole_floats_name_the_limit():
    limit = 2.0**53
    assert rand_score([limit, limit, 0.0], [1, 1, 0]) == 1.0
    with pytest.raises(ValueError, match=r"whole numbers of at most 2\*\*53.*got 1\.15\d*e\+18"):
        rand_score([2.0**60, 2.0**60, 0.0], [1, 1, 0])
    with pytest.raises(ValueError, match=r"floats only if they are whole numbers\), got 0\.5"):
        rand_score([0.5, 2.0**60, 0.0], [1, 1, 0])


TEXTS = {
    "report": lambda name: clustering_comparison_report([name, name, "b"], [0, 0, 1]),
    "decomposition": lambda name: cluster_decomposition([name, name, "b"], [0, 0, 1]),
    "table": lambda name: ContingencyTable.from_labels([name, name, "b"], [0, 0, 1]),
    "candidates": lambda name: score_candidates([0, 0, 1], {name: [0, 0, 1]}),
    "pairs": lambda name: pairwise_scores({name: [0, 0, 1], "b": [0, 1, 1]}, index="rand_score"),
    "medoid": lambda name: medoid_partition({name: [0, 0, 1], "b": [0, 1, 1]}),
    "tree": lambda name: clustering_tree({"a": [name, name, "b"], "b": [0, 0, 1]}),
    "aligned": lambda name: align_partitions({name: 0, "b": 1}, {name: 0, "b": 1}),
    "cover": lambda name: Cover.from_sets([[name, "c"], ["a"]]),
}


@pytest.mark.parametrize("text", TEXTS)
def test_names_are_cut_in_their_middle_and_turn_nothing(text):
    shown = str(TEXTS[text](LONG))
    assert len(shown) < 20_000
    assert "xxx...xxx" in shown
    shown = str(TEXTS[text]("ab\u202ecd\u2066ef\ngh"))
    assert not {"\u202e", "\u2066"} & set(shown)
    assert "\\u202e" in shown
    assert "\\n" in shown


@pytest.mark.parametrize(
    "call",
    [
        lambda: rand_score({LONG: 0, "b": 1}, {"c": 0, "b": 1}),
        lambda: rand_score([{LONG, "b"}, {LONG}], {LONG: 1, "b": 1}),
        lambda: align_partitions([0, 1], [0, 1], ids_true=[LONG, LONG], ids_pred=[0, 1]),
        lambda: ContingencyTable.from_counts([[1, 2], [3, 4]], row_labels=[LONG, LONG]),
        lambda: score_candidates([0, 1], {LONG: [0]}),
        lambda: ContingencyTable.from_labels(["1", LONG], [0, 1], noise=LONG),
        lambda: Cover.from_sets([[LONG, LONG], ["a"]]),
        lambda: Cover.from_sets([[LONG, "c"], ["a"]], objects=["a", "b"]),
        lambda: score_candidates(LONG, ["a"], data={"a": [0, 1]}),
        lambda: sklearn_clustcompare.get_index(LONG),
    ],
)
def test_errors_cut_names(call):
    with pytest.raises(ValueError, match="xxx|must name a column") as caught:
        call()
    assert len(str(caught.value)) < 1_000
