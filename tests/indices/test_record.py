"""Names and parameters of indices that are refused, with what was meant."""

import copy
import itertools
import pickle
import pickletools
from dataclasses import replace

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, list_indices, make_clustering_scorer
from tests._errors import said_by

TABLE = ContingencyTable.from_labels([0, 0, 1, 1], [0, 1, 1, 1])


@pytest.mark.parametrize("wrong", [3, None, ["rand_score"], b"rand_score"])
def test_index_that_is_no_name(wrong):
    assert repr(wrong) in said_by(ValueError, get_index, wrong)


def test_unknown_property_of_indices():
    message = said_by(TypeError, list_indices, symetric=True)
    assert "'symetric'" in message
    assert "symmetric" in message.split("did you mean")[1]


@pytest.mark.parametrize("name", list_indices())
def test_unknown_parameter(name):
    message = said_by(TypeError, get_index(name), TABLE, beeta=1)
    assert name in message
    assert "'beeta'" in message


OF_UNITS = ("mutual_info_score", "conditional_entropy", "variation_of_information_distance")
OF_MEANS = ("normalized_mutual_info_score", "adjusted_mutual_info_score")
OF_BETA = ("pair_f_score", "f_measure_score", "v_measure_score")
NOT_REAL = ["1", None, True, 1j, [1]]
# Of a parameter of some indices: values of a wrong type, and others that are wrong.
BAD_PARAMETERS = [
    ("q", OF_UNITS + OF_MEANS, NOT_REAL, [0, -1, 0.0, np.nan, np.inf]),
    ("base", OF_UNITS, ["2", True, [2]], [0, 1, -2, 0.5, np.nan, np.inf]),
    ("beta", OF_BETA, NOT_REAL, [-1, np.nan, np.inf]),
    ("average_method", OF_MEANS, [], ["mean", "Min", None, 1, ["min"]]),
    ("average_method", OF_MEANS[1:], [], ["joint"]),
    ("normalize", OF_UNITS[2:], [], ["Joint", True, False, 1]),
    ("normalize", ("mirkin_distance", "van_dongen_distance"), [1, 0, None, "True", "joint"], []),
    ("adjusted", ["pair_counting_score"], [1, None, "yes"], []),
    ("coefficient", ["pair_counting_score"], [], ["haman", None, 1]),
    ("given", ["adjusted_wallace_score"], [], ["rows", None, True]),
]


@pytest.mark.parametrize(("parameter", "names", "of_wrong_type", "wrong"), BAD_PARAMETERS)
def test_bad_parameter(parameter, names, of_wrong_type, wrong):
    errors = [(TypeError, one) for one in of_wrong_type] + [(ValueError, one) for one in wrong]
    for name, (error, value) in itertools.product(names, errors):
        message = said_by(error, get_index(name), TABLE, **{parameter: value})
        assert message.startswith(parameter), name
        assert repr(value) in message


def test_slip_in_a_parameter_offers_the_closest_option():
    index = get_index("pair_counting_score")
    message = said_by(ValueError, index, TABLE, coefficient="sokal_sneath")
    assert "did you mean" in message
    assert "sokal_sneath_1" in message.split("did you mean")[1]


@pytest.mark.parametrize("coefficient", ["rogers_tanimoto", "goodman_kruskal", "sokal_sneath_2"])
def test_coefficient_without_exact_adjustment(coefficient):
    index = get_index("pair_counting_score")
    message = said_by(ValueError, index, TABLE, coefficient=coefficient, adjusted=True)
    assert "adjusted" in message
    assert coefficient in message


@pytest.mark.parametrize("value", [np.float32(2), np.int8(2), 2])
def test_real_numbers_of_any_kind_are_parameters(value):
    index = get_index("variation_of_information_distance")
    assert index(TABLE, q=value) == index(TABLE, q=2.0)


@pytest.mark.parametrize(
    "weights", [[1e160] * 3, [1e-200, 1.0, 1e200], [1e-300] * 3, [0.5, 1e-31, 1.0]]
)
def test_weights_that_would_overflow_are_refused(weights):
    message = said_by(
        ValueError, ContingencyTable.from_labels, [0, 0, 1], [0, 1, 1], sample_weight=weights
    )
    assert "sample_weight must be 0 or at least 1e-30" in message


@pytest.mark.parametrize(
    ("name", "parameters", "limit"),
    [
        ("f_measure_score", {"beta": 1e200}, "at most 1e+100"),
        ("mutual_info_score", {"q": 1e6}, "from 0.001 to 30"),
        ("mutual_info_score", {"q": 1e-4}, "from 0.001 to 30"),
    ],
)
def test_parameters_that_would_overflow_are_refused(name, parameters, limit):
    assert limit in said_by(ValueError, get_index(name), TABLE, **parameters)


def test_an_index_takes_a_table():
    message = said_by(TypeError, get_index("rand_score"), np.eye(2))
    assert "rand_score takes a ContingencyTable here, got ndarray" in message


def _modules(pickled):
    """Modules that are named in a pickle."""
    texts = {argument for _, argument, _ in pickletools.genops(pickled)}
    return {text for text in texts if isinstance(text, str) and text.startswith("sklearn_")}


@pytest.mark.parametrize("name", [*list_indices(), *list_indices(needs_data=True)])
def test_an_index_is_pickled_by_name(name):
    index = get_index(name)
    scorer = make_clustering_scorer({"one": (index, {}), "two": index})
    for one in (index, copy.deepcopy(index), scorer):
        pickled = pickle.dumps(one)
        assert pickle.loads(pickled) == one
        parts = {"sklearn_clustcompare.indices", "sklearn_clustcompare.model_selection"}
        assert _modules(pickled) <= parts


def shared(table):
    return float(np.max(table.cell_counts) / table.n_samples)


def test_an_index_of_a_users_own_is_pickled_whole():
    own = replace(get_index("rand_score"), source="made up", parameters={})
    again = pickle.loads(pickle.dumps(own))
    assert again == own
    assert again(TABLE) == own(TABLE) == get_index("rand_score")(TABLE)
    other = replace(get_index("projection_distance"), function=shared)
    assert pickle.loads(pickle.dumps(other))(TABLE) == shared(TABLE)
