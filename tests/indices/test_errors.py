"""What is wrong is an error that names it."""

import pickle

import networkx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    consensus_partition,
    dbcv_score,
    get_index,
    omega_score,
    pairwise_scores,
    silhouette_score,
    variation_of_information_distance,
)
from sklearn_clustcompare.consensus import element_consistency, medoid_partition
from sklearn_clustcompare.hierarchies import compare_hierarchies
from sklearn_clustcompare.metrics import (
    cluster_f_score,
    conditional_entropy,
    davies_bouldin_score,
    dunn_score,
    element_centric_similarities,
    incidence_proximity_correlation,
    modularity_score,
    mutual_info_score,
    reduced_mutual_info_score,
    within_cluster_sum_of_squares,
    xie_beni_score,
)
from sklearn_clustcompare.report import noise_bounds
from tests._errors import error_cases, using
from tests._indices import own_index

density = using(dbcv_score, [[0.0], [1.0], [2.0], [5.0]])
dunn, silhouette, xie_beni = using(dunn_score), using(silhouette_score), using(xie_beni_score)
found = using(cluster_f_score, [0, 1], [0, 1])
graph = using(modularity_score)
full = using(modularity_score, np.ones((3, 3)), [0, 1, 1])
information = using(mutual_info_score, [0, 0, 1, 1], [0, 1, 1, 1])
entropy = using(conditional_entropy, [0, 0, 1, 1], [0, 1, 1, 1])
distance = using(variation_of_information_distance, [0, 0, 1, 1], [0, 1, 1, 1])
consistency = using(element_consistency)

THREE, SPLIT = [[1.0], [np.nan], [3.0]], [0, 0, 1]
SHUFFLED = pd.DataFrame(np.ones((3, 3)), index=[2, 0, 1]), pd.Series(SPLIT)
LINE, PAIRS = np.arange(50.0)[:, np.newaxis], [[0.5, 0.5], [0.4, 0.6]]
OVERLAP = Cover.from_sets([{0, 1}, {1, 2}])
TABLE = ContingencyTable.from_labels([0, 1], [0, 1])
OF_TWO_PARTITIONS = (
    using(noise_bounds, [0, 0, 1, 1], [0, 1, 1, 1]),
    using(compare_hierarchies, [[0, 1, 1.0, 2]], [[0, 1, 1.0, 2]]),
    using(consensus_partition, [[0, 0, 1, 1], [0, 1, 1, 1]]),
    using(medoid_partition, [[0, 0, 1, 1], [0, 1, 1, 1]]),
    using(pairwise_scores, [[0, 0, 1, 1], [0, 1, 1, 1]]),
)

VALUE_ERRORS = {
    # density
    "two clusters of at least two objects|^Number of labels": [
        density([0, 0, 0, -1]),
        density([-1] * 4),
        density([0, 0, 1, -1]),
    ],
    # entity
    "the type of the other labels: 0 does not occur": using(cluster_f_score)(
        ["0", "1"], ["0", "2"], background=0
    ),
    "^threshold must be 'majority' or a number in": [
        found(threshold=one) for one in (-0.1, 1.5, "half", None, True)
    ],
    "normalize='log_n' needs whole counts": distance(
        normalize="log_n", sample_weight=[0.5, 1, 1, 1]
    ),
    "base must be None for a normalized score": using(reduced_mutual_info_score)(
        list("rrrbbbgg"), [1, 1, 1, 1, 2, 2, 2, 2], normalize=True, base=2
    ),
    # information
    "base.*q": [one(base=2, q=2) for one in (information, entropy, distance)],
    "base": [distance(base=2, normalize=one) for one in ("joint", "expected")],
    # sums over cells
    "at least two, got 1": consistency([[0, 1]]),
    "same length, got 2 and 3": consistency([[0, 1], [0, 1, 1]]),
    "alpha must lie between 0 and 1": using(element_centric_similarities)(
        [0, 1], [0, 1], alpha=1.0
    ),
    # graphs
    r"^X must be square, the weights of edges .* got \(3, 2\)": graph(np.ones((3, 2)), [0, 1, 1]),
    "^X must hold weights of edges, .* got -0.5": graph(np.eye(3) - 0.5, [0, 1, 1]),
    "^X must be symmetric.*directed=True": [
        graph(np.tri(3), [0, 1, 1]),
        graph(sparse.csr_array(np.tri(3)), [0, 1, 1]),
    ],
    "X must be finite, got nan in row 0": graph(np.full((3, 3), np.nan), [0, 1, 1]),
    "^modularity_score is undefined: the graph has no edges": graph(np.zeros((3, 3)), [0, 1, 1]),
    "^modularity_score is undefined: the graph has no": graph(sparse.csr_array((3, 3)), [0, 1, 1]),
    "^resolution must be a non-negative finite number": full(resolution=-1),
    "X and labels must have the same length, got 3 and 2": graph(np.ones((3, 3)), [0, 1]),
    "X and labels must have the same index": [
        graph(*SHUFFLED),
        using(within_cluster_sum_of_squares)(*SHUFFLED),
    ],
    # internal
    "^Number of labels is 1": silhouette(
        LINE, np.repeat([0, 1], [49, 1]), sample_size=3, random_state=0
    ),
    "X must be finite, got nan in row 1, column 0": [dunn(THREE, SPLIT), xie_beni(THREE, SPLIT)],
    "labels must not contain": using(davies_bouldin_score)([[1.0], [2.0], [3.0]], [0, None, 1]),
    "Expected 2D array, got 1D array": dunn([1.0, 2.0, 3.0], SPLIT),
    "must be labels for silh": silhouette([[1.0], [2.0]], PAIRS),
    "must sum to 1": xie_beni(LINE[:4], [[0.9, 0.3], [0.9, 0.3], [0.3, 0.9], [0.3, 0.9]]),
    "^metric must be one of .* did you mean 'manhattan'": [
        using(one)(None, None, metric="manhatten")
        for one in (silhouette_score, dunn_score, incidence_proximity_correlation)
    ],
    r"two partitions here, got 'dunn_score'.*score_candidates\(None": [
        one(index=index)
        for one in OF_TWO_PARTITIONS
        for index in ("dunn_score", get_index("dunn_score"))
    ],
    # options of all
    "noise must be 'cluster' with a Cover": using(omega_score)(OVERLAP, OVERLAP, noise="drop"),
    # registry
    "^a pickled Index must be one of this version, got 'hand": using(pickle.loads)(
        pickle.dumps(get_index("rand_score")).replace(b"rand_score", b"hand_score")
    ),
}

TYPE_ERRORS = {
    # of one's own
    r"^function must take \(table\), a ContingencyTable, and .* got own\(a, b\)": lambda: own_index(
        lambda a, b: 1.0
    ),
    r"^function must take \(X, labels\), and .* got own\(table\)": lambda: own_index(
        lambda table: 1.0, needs_data=True
    ),
    # sets of one size look like an array
    "use Cover.from_sets for clusters as sets": using(omega_score)(
        [["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]]
    ),
    # entity
    "^background must be a label": [found(background=one) for one in ([0], (0,), True)],
    # sums over cells
    "partition 1 must be a 1-D array of labels, got memb": consistency([[0, 1], PAIRS]),
    "labels_pred must be labels": using(element_centric_similarities)([0, 1], PAIRS),
    # graphs
    "^X must be the matrix .* got Graph: pass networkx": graph(networkx.path_graph(3), [0, 1, 1]),
    "^directed must be True or False, got 1": full(directed=1),
    # internal
    "rand_score takes a ContingencyTable": using(get_index("rand_score"))(TABLE, [0, 1]),
    "^metric must be the name of a distance or a callable, got 3": silhouette(
        LINE, LINE[:, 0] > 9, metric=3
    ),
    "^sample_size must be an integer, got 2.5": silhouette(LINE, LINE[:, 0] > 9, sample_size=2.5),
    "^random_state must be None, an int or a RandomState, got 'x'": silhouette(
        LINE, LINE[:, 0] > 9, random_state="x"
    ),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
