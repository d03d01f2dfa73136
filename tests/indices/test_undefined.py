"""Values that are not defined, and the rule for 0/0."""

import math

import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.indices import INDICES
from tests.indices._variants import AVERAGES, Variant
from tests.indices.test_common import failing, same, table_of


@pytest.mark.parametrize(
    ("variant", "labels_true", "labels_pred"),
    [
        (Variant("pair_precision_score", {}), [0, 0, 0], [0, 1, 2]),
        (Variant("pair_recall_score", {}), [0, 1, 2], [0, 0, 0]),
        (Variant("adjusted_wallace_score", {}), [0, 1, 2], [0, 0, 1]),
        *(
            (Variant(name, {"average_method": method}), *sides)
            for name, method, one in [
                ("normalized_mutual_info_score", "min", [0, 0, 0]),
                ("normalized_mutual_info_score", "geometric", [0, 0, 0]),
                ("adjusted_mutual_info_score", "min", [0, 0, 0]),
                ("adjusted_mutual_info_score", "min", [0, 1, 2]),
                ("adjusted_mutual_info_score", "geometric", [0, 0, 0]),
            ]
            for sides in ((one, [0, 0, 1]), ([0, 0, 1], one))
        ),
        (Variant("pvalue_adjusted_mutual_info_score", {}), [0, 0, 0], [0, 0, 1]),
        (Variant("pvalue_adjusted_mutual_info_score", {}), [0, 1, 1, 1], [0, 0, 1, 1]),
        *(
            (Variant("pair_counting_score", {"coefficient": name}), [0, 1, 2], [0, 0, 0])
            for name in ("kulczynski", "mcconnaughey", "gamma", "fager_mcgowan", "pearson")
        ),
    ],
    ids=str,
)
def test_undefined_value_is_zero_with_a_warning(variant, labels_true, labels_pred):
    table = ContingencyTable.from_labels(labels_true, labels_pred)
    with pytest.warns(UndefinedMetricWarning, match=f"{variant.name}.*undefined"):
        assert same(variant.index(table, **variant.parameters), 0.0)


@pytest.mark.parametrize(
    ("name", "parameters", "labels_true", "labels_pred", "value"),
    [
        ("homogeneity_score", {}, [0, 0, 0], [0, 1, 1], 1.0),
        ("completeness_score", {}, [0, 1, 1], [0, 0, 0], 1.0),
        ("v_measure_score", {}, [0, 0, 0], [0, 1, 1], 0.0),
        ("fowlkes_mallows_score", {}, [0, 1, 2], [0, 0, 1], 0.0),
        ("fowlkes_mallows_score", {}, [0, 0, 1], [0, 1, 2], 0.0),
    ],
)
def test_where_scikit_learn_has_a_value_it_is_taken_silently(
    name, parameters, labels_true, labels_pred, value
):
    variant = Variant(name, parameters)
    table = table_of((labels_true, labels_pred))
    assert same(variant.index(table, **parameters), value)
    assert getattr(sklearn.metrics, name)(labels_true, labels_pred) == value


@pytest.mark.parametrize("labels", [[0, 0, 0], [0, 1, 2], [0]])
def test_equal_trivial_partitions_have_the_best_value(labels):
    """Also where chance allows no other table, and the formula is 0/0."""
    table = table_of((labels, labels))
    index = get_index("pvalue_adjusted_mutual_info_score")
    assert same(index(table), 1.0)
    for average_method in AVERAGES:
        for name in ("normalized_mutual_info_score", "adjusted_mutual_info_score"):
            assert same(get_index(name)(table, average_method=average_method), 1.0)


def test_no_objects_are_equal_partitions():
    def best(index):
        return 1.0 if index.greater_is_better and index.range[1] != math.inf else 0.0

    assert not failing(
        [Variant(name, {}) for name in INDICES], lambda v: v([], []) == best(v.index)
    )
