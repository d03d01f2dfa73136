"""What is wrong is an error that names it."""

import pickle

import networkx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    dbcv_score,
    get_index,
    omega_score,
    silhouette_score,
    variation_of_information_distance,
)
from sklearn_clustcompare.indices import Index
from sklearn_clustcompare.metrics import (
    cluster_f_score,
    davies_bouldin_score,
    dunn_score,
    incidence_proximity_correlation,
    modularity_score,
    reduced_mutual_info_score,
    within_cluster_sum_of_squares,
    xie_beni_score,
)
from tests._errors import error_cases

OWN = {"greater_is_better": True, "range": (0, 1), "symmetric": True}
COLORS, NUMBERS = list("rrrbbbgg"), [1, 1, 1, 1, 2, 2, 2, 2]


IRIS, SPECIES = load_iris(return_X_y=True)

VALUE_ERRORS = {
    # density
    "two clusters of at least two objects|^Number of labels": [
        lambda: dbcv_score([[0.0], [1.0], [2.0], [5.0]], [0, 0, 0, -1]),
        lambda: dbcv_score([[0.0], [1.0], [2.0], [5.0]], [-1] * 4),
        lambda: dbcv_score([[0.0], [1.0], [2.0], [5.0]], [0, 0, 1, -1]),
    ],
    # entity
    "the type of the other labels: 0 does not occur": lambda: cluster_f_score(
        ["0", "1"], ["0", "2"], background=0
    ),
    "^threshold must be 'majority' or a number in": [
        lambda: cluster_f_score([0, 1], [0, 1], threshold=-0.1),
        lambda: cluster_f_score([0, 1], [0, 1], threshold=1.5),
        lambda: cluster_f_score([0, 1], [0, 1], threshold="half"),
        lambda: cluster_f_score([0, 1], [0, 1], threshold=None),
        lambda: cluster_f_score([0, 1], [0, 1], threshold=True),
    ],
    "normalize='log_n' needs whole counts": lambda: variation_of_information_distance(
        [0, 0, 1], [0, 1, 1], normalize="log_n", sample_weight=[0.5, 1, 1]
    ),
    "base must be None for a normalized score": lambda: reduced_mutual_info_score(
        COLORS, NUMBERS, normalize=True, base=2
    ),
    # graphs
    r"^X must be square, the weights of edges .* got \(3, 2\)": lambda: modularity_score(
        np.ones((3, 2)), [0, 1, 1]
    ),
    "^X must hold weights of edges, .* got -0.5": lambda: modularity_score(
        np.eye(3) - 0.5, [0, 1, 1]
    ),
    "^X must be symmetric.*directed=True": [
        lambda: modularity_score(np.tri(3), [0, 1, 1]),
        lambda: modularity_score(sparse.csr_array(np.tri(3)), [0, 1, 1]),
    ],
    "X must be finite, got nan in row 0": lambda: modularity_score(
        np.full((3, 3), np.nan), [0, 1, 1]
    ),
    "^modularity_score is undefined: the graph has no edges": lambda: modularity_score(
        np.zeros((3, 3)), [0, 1, 1]
    ),
    "^modularity_score is undefined: the graph has no": lambda: modularity_score(
        sparse.csr_array((3, 3)), [0, 1, 1]
    ),
    "^resolution must be a non-negative finite number": lambda: modularity_score(
        np.ones((3, 3)), [0, 1, 1], resolution=-1
    ),
    "X and labels must have the same length, got 3 and 2": lambda: modularity_score(
        np.ones((3, 3)), [0, 1]
    ),
    "X and labels must have the same index": [
        lambda: modularity_score(
            pd.DataFrame(np.ones((3, 3)), index=[2, 0, 1]), pd.Series([0, 0, 1])
        ),
        lambda: within_cluster_sum_of_squares(
            pd.DataFrame({"x": [1.0, 2.0, 4.0]}, index=[2, 0, 1]), pd.Series([0, 0, 1])
        ),
    ],
    # internal
    "^Number of labels is 1": lambda: silhouette_score(
        np.arange(50.0)[:, np.newaxis], np.repeat([0, 1], [49, 1]), sample_size=3, random_state=0
    ),
    "X must be finite, got nan in row 1, column 0": [
        lambda: dunn_score([[1.0], [np.nan], [3.0]], [0, 0, 1]),
        lambda: xie_beni_score([[1.0], [np.nan], [3.0]], [0, 0, 1]),
    ],
    "labels must not contain": lambda: davies_bouldin_score([[1.0], [2.0], [3.0]], [0, None, 1]),
    "Expected 2D array, got 1D array": lambda: dunn_score([1.0, 2.0, 3.0], [0, 0, 1]),
    "must be labels for silh": lambda: silhouette_score([[1.0], [2.0]], [[0.5, 0.5], [0.4, 0.6]]),
    "^metric must be one of .* did you mean 'manhattan'": [
        lambda: silhouette_score(None, None, metric="manhatten"),
        lambda: dunn_score(None, None, metric="manhatten"),
        lambda: incidence_proximity_correlation(None, None, metric="manhatten"),
    ],
    # options of all
    "noise must be 'cluster' with a Cover": lambda: omega_score(
        Cover.from_sets([{0, 1}, {1, 2}]), Cover.from_sets([{0, 1}, {1, 2}]), noise="drop"
    ),
    # registry
    "^a pickled Index must be one of this version, got 'hand": lambda: pickle.loads(
        pickle.dumps(get_index("rand_score")).replace(b"rand_score", b"hand_score")
    ),
}

TYPE_ERRORS = {
    # sets of one size look like an array
    "use Cover.from_sets for clusters as sets": lambda: omega_score(
        [["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]]
    ),
    # entity
    "^background must be a label": [
        lambda: cluster_f_score([0, 1], [0, 1], background=[0]),
        lambda: cluster_f_score([0, 1], [0, 1], background=(0,)),
        lambda: cluster_f_score([0, 1], [0, 1], background=True),
    ],
    # graphs
    "^X must be the matrix .* got Graph: pass networkx": lambda: modularity_score(
        networkx.path_graph(3), [0, 1, 1]
    ),
    "^directed must be True or False, got 1": lambda: modularity_score(
        np.ones((3, 3)), [0, 1, 1], directed=1
    ),
    # of one's own
    r"^function must take \(table\), a ContingencyTable, got own\(a, b\)": lambda: Index(
        "own", lambda a, b: 1.0, **OWN
    ),
    r"^function must take \(X, labels\), got own\(table\)": lambda: Index(
        "own", lambda table: 1.0, **OWN, needs_data=True
    ),
    # internal
    "rand_score takes a ContingencyTable": lambda: get_index("rand_score")(
        ContingencyTable.from_labels([0, 1], [0, 1]), [0, 1]
    ),
    "^metric must be the name of a distance or a callable, got 3": lambda: silhouette_score(
        IRIS, SPECIES, metric=3
    ),
    "^sample_size must be an integer, got 2.5": lambda: silhouette_score(
        IRIS, SPECIES, sample_size=2.5
    ),
    "^random_state must be None, an int or a RandomState, got 'x'": lambda: silhouette_score(
        IRIS, SPECIES, random_state="x"
    ),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
