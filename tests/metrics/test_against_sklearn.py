"""Every index that another package has: the same value there."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_clustcompare
from sklearn_clustcompare import ContingencyTable, get_index
from tests._deviations import (
    SKLEARN_AMI_CONSTANT,
    SKLEARN_AMI_MANY_CLUSTERS,
    SKLEARN_EMPTY_MUTUAL_INFO,
    SKLEARN_EQUAL_SINGLETONS,
)
from tests._examples import FEW_EXAMPLES

# scikit-learn warns where labels look like a continuous target.
pytestmark = pytest.mark.filterwarnings("ignore:The number of unique classes is greater")

AVERAGES = ["min", "geometric", "arithmetic", "max"]
IN_SKLEARN = [
    ("rand_score", {}),
    ("adjusted_rand_score", {}),
    ("fowlkes_mallows_score", {}),
    ("mutual_info_score", {}),
    *(("normalized_mutual_info_score", {"average_method": method}) for method in AVERAGES),
    *(("adjusted_mutual_info_score", {"average_method": method}) for method in AVERAGES),
    ("homogeneity_score", {}),
    ("completeness_score", {}),
    *(("v_measure_score", {"beta": beta}) for beta in (0.2, 0.5, 1.0, 2.0, 10.0)),
]

labels_of_any_size = st.tuples(st.integers(0, 40), st.integers(1, 40)).flatmap(
    lambda sizes: st.tuples(
        *[st.lists(st.integers(0, sizes[1]), min_size=sizes[0], max_size=sizes[0])] * 2
    )
)


def of(name, labels_true, labels_pred, **parameters):
    table = ContingencyTable.from_labels(labels_true, labels_pred)
    with warnings.catch_warnings():
        if "average_method" in parameters:  # 0/0, which scikit-learn takes for 0 silently
            warnings.simplefilter("ignore", UndefinedMetricWarning)
        return get_index(name)(table, **parameters)


def numbers_of_clusters(pair):
    return {len(set(np.asarray(labels).tolist())) for labels in pair}


def assert_agrees(name, parameters, pair):
    n_samples, n_clusters = len(pair[0]), numbers_of_clusters(pair)
    ours = of(name, *pair, **parameters)
    if name == "mutual_info_score" and n_samples == 0:
        assert ours == SKLEARN_EMPTY_MUTUAL_INFO[0]
        return
    is_constant = n_clusters & {1, n_samples} and len(n_clusters) == 2
    if parameters == {"average_method": "min"} and "adjusted" in name and is_constant:
        assert ours == SKLEARN_AMI_CONSTANT[0]
        return
    theirs = getattr(metrics, name)(*pair, **parameters)
    if name == SKLEARN_EQUAL_SINGLETONS[0] and n_clusters == {n_samples}:
        assert (theirs, ours) == SKLEARN_EQUAL_SINGLETONS[1:3]
        return
    if name == "adjusted_mutual_info_score" and n_clusters == {n_samples} and n_samples > 1:
        assert ours == 1.0  # there scikit-learn divides what rounding leaves of 0 by 0
        return
    many_clusters = name == "adjusted_mutual_info_score" and min(n_clusters) > 500
    tolerance = SKLEARN_AMI_MANY_CLUSTERS[0] if many_clusters else 1e-12
    assert ours == pytest.approx(theirs, rel=tolerance, abs=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), IN_SKLEARN, ids=str)
@FEW_EXAMPLES
@given(pair=labels_of_any_size)
@example(pair=([], []))
@example(pair=([3], [3]))
@example(pair=([0, 0, 0], [0, 1, 2]))
@example(pair=([0, 1, 2], [0, 1, 2]))
@example(pair=([0, 1, 2], [0, 0, 0]))
@example(pair=([0, 0], [1, 1]))
def test_agrees_on_random_labels(name, parameters, pair):
    assert_agrees(name, parameters, pair)


@pytest.mark.slow
def test_agrees_on_named_cases(case):
    number = [{label: i for i, label in enumerate(dict.fromkeys(labels))} for labels in case]
    pair = [np.array([number[side][label] for label in case[side]], dtype=int) for side in (0, 1)]
    for name, parameters in IN_SKLEARN:
        assert_agrees(name, parameters, pair)


def test_public_functions_are_drop_ins(case):
    table = ContingencyTable.from_labels(*case)
    for name in (
        *("rand_score", "adjusted_rand_score", "fowlkes_mallows_score", "mutual_info_score"),
        *("normalized_mutual_info_score", "adjusted_mutual_info_score", "homogeneity_score"),
        *("completeness_score", "v_measure_score"),
    ):
        value = getattr(sklearn_clustcompare.metrics, name)(*case)
        assert value == get_index(name)(table), name
        assert type(value) is float, name


# --------------------------------------------------------------------------- other packages

IN_GENIECLUST = {
    "adjusted_rand_score": "adjusted_rand_score",
    "rand_score": "rand_score",
    "fowlkes_mallows_score": "fm_score",
    "mutual_info_score": "mi_score",
    "normalized_mutual_info_score": "normalized_mi_score",
    "adjusted_mutual_info_score": "adjusted_mi_score",
}
SEVERAL_CLUSTERS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=6, max_size=60
).filter(lambda objects: all(len(set(side)) > 1 for side in zip(*objects, strict=True)))


@pytest.mark.parametrize("name", IN_GENIECLUST)
def test_agrees_with_genieclust(name):
    compare_partitions = pytest.importorskip("genieclust.compare_partitions")
    theirs = getattr(compare_partitions, IN_GENIECLUST[name])

    @FEW_EXAMPLES
    @given(SEVERAL_CLUSTERS)
    def check(objects):
        pair = [np.array(side) for side in zip(*objects, strict=True)]
        assert of(name, *pair) == pytest.approx(theirs(*pair), rel=1e-11, abs=1e-11)

    check()


# In clusim the first clustering is the candidate where order matters; all of these are symmetric.
IN_CLUSIM = {
    "rand_score": ("rand_index", {}),
    "pair_jaccard_score": ("jaccard_index", {}),
    "adjusted_rand_score": ("adjrand_index", {}),
    "fowlkes_mallows_score": ("fowlkes_mallows_index", {}),
    "pair_f_score": ("czekanowski_index", {}),
    "normalized_mutual_info_score": ("nmi", {"norm_type": "sum"}),
}


@pytest.mark.parametrize("name", IN_CLUSIM)
def test_agrees_with_clusim(name):
    sim = pytest.importorskip("clusim.sim")
    clustering = pytest.importorskip("clusim.clustering")
    theirs, parameters = IN_CLUSIM[name]

    @FEW_EXAMPLES
    @given(SEVERAL_CLUSTERS)
    def check(objects):
        pair = [list(side) for side in zip(*objects, strict=True)]
        made = [clustering.Clustering().from_membership_list(side) for side in pair]
        value = getattr(sim, theirs)(*made, **parameters)
        assert of(name, *pair) == pytest.approx(value, rel=1e-11, abs=1e-11)

    check()
