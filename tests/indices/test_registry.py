"""Names and parameters of indices that are refused, with what was meant."""

import copy
import pickle
import pickletools
from dataclasses import replace

import numpy as np
import pytest

from sklearn_clustcompare import ContingencyTable, get_index, list_indices, make_clustering_scorer
from tests._errors import said_by

TABLE = ContingencyTable.from_labels([0, 0, 1, 1], [0, 1, 1, 1])


@pytest.mark.parametrize(
    ("wrong", "close"),
    [
        ("adjusted_rand", "adjusted_rand_score"),
        ("mutual_information_score", "mutual_info_score"),
        ("van_dongen", "van_dongen_distance"),
        ("puritty_score", "purity_score"),
    ],
)
def test_unknown_index_offers_the_closest_names(wrong, close):
    message = said_by(ValueError, get_index, wrong)
    assert repr(wrong) in message
    assert close in message.split("did you mean")[1]


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


REAL = [("1", TypeError), (None, TypeError), (True, TypeError), (1j, TypeError), ([1], TypeError)]
BAD_PARAMETERS = [
    *(
        (name, "q", value, error)
        for name in (
            *("mutual_info_score", "normalized_mutual_info_score", "adjusted_mutual_info_score"),
            *("conditional_entropy", "variation_of_information_distance"),
        )
        for value, error in [
            *REAL,
            *((value, ValueError) for value in (0, -1, 0.0, np.nan, np.inf)),
        ]
    ),
    *(
        (name, "base", value, error)
        for name in (
            *("mutual_info_score", "conditional_entropy"),
            "variation_of_information_distance",
        )
        for value, error in [
            ("2", TypeError),
            (True, TypeError),
            ([2], TypeError),
            *((value, ValueError) for value in (0, 1, -2, 0.5, np.nan, np.inf)),
        ]
    ),
    *(
        (name, "beta", value, error)
        for name in ("pair_f_score", "f_measure_score", "v_measure_score")
        for value, error in [*REAL, *((value, ValueError) for value in (-1, np.nan, np.inf))]
    ),
    *(
        (name, "average_method", value, ValueError)
        for name in ("normalized_mutual_info_score", "adjusted_mutual_info_score")
        for value in ("mean", "Min", None, 1, ["min"])
    ),
    ("adjusted_mutual_info_score", "average_method", "joint", ValueError),
    *(
        ("variation_of_information_distance", "normalize", value, ValueError)
        for value in ("Joint", True, False, 1)
    ),
    *(
        (name, "normalize", value, TypeError)
        for name in ("mirkin_distance", "van_dongen_distance")
        for value in (1, 0, None, "True", "joint")
    ),
    *(("pair_counting_score", "adjusted", value, TypeError) for value in (1, None, "yes")),
    *(("pair_counting_score", "coefficient", value, ValueError) for value in ("haman", None, 1)),
    *(("adjusted_wallace_score", "given", value, ValueError) for value in ("rows", None, True)),
]


@pytest.mark.parametrize(("name", "parameter", "value", "error"), BAD_PARAMETERS)
def test_bad_parameter(name, parameter, value, error):
    message = said_by(error, get_index(name), TABLE, **{parameter: value})
    assert message.startswith(parameter)
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


@pytest.mark.parametrize(
    "name", ["mutual_info_score", "conditional_entropy", "variation_of_information_distance"]
)
def test_base_is_for_shannon_entropy_only(name):
    message = said_by(ValueError, get_index(name), TABLE, base=2, q=2)
    assert "base" in message
    assert "q" in message


@pytest.mark.parametrize("normalize", ["joint", "expected"])
def test_normalized_distance_has_no_base(normalize):
    index = get_index("variation_of_information_distance")
    message = said_by(ValueError, index, TABLE, base=2, normalize=normalize)
    assert "base" in message


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


def test_a_pickled_index_of_another_version_is_refused():
    pickled = pickle.dumps(get_index("rand_score")).replace(b"rand_score", b"hand_score")
    with pytest.raises(ValueError, match="^a pickled Index must be one of this version, got 'hand"):
        pickle.loads(pickled)
