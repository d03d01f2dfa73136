"""The decision tree of indices, which the user guide draws and ``recommend_index`` follows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import IntArray
from sklearn_clustcompare._options import tells_keywords
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._rendering import Result
from sklearn_clustcompare._table import ContingencyTable, has_objects, require_objects
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.indices._entropies import entropy


@dataclass(frozen=True)
class Answer:
    """A recommended index: the value of ``task`` that leads to it, and what it is good for.

    The answers of the task "agreement" depend on the reference: ``reference`` names its kind.
    """

    task: str
    index: str
    reason: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    reference: str | None = None

    @property
    def call(self) -> str:
        """The index with its parameters as one writes them in Python."""
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{self.index}({given})"


@dataclass(frozen=True)
class Question:
    """A question and, by its options, other questions or answers."""

    text: str
    options: Mapping[str, Question | Answer]


TREE = Question(
    "What do you have?",
    {
        "labels to compare": Question(
            "What is the value for?",
            {
                "to report or choose candidates": Question(
                    "What is the reference like?",
                    {
                        "big equal clusters": Answer(
                            "agreement",
                            "adjusted_rand_score",
                            "pair counting (q of 2 or more) evaluates big equal clusters by how "
                            "many of their objects were found",
                            reference="equal",
                        ),
                        "unbalanced, small clusters": Answer(
                            "agreement",
                            "adjusted_mutual_info_score",
                            "small q favors candidates whose small clusters are pure",
                            {"q": 0.5},
                            reference="small",
                        ),
                        "neither": Answer(
                            "agreement",
                            "adjusted_mutual_info_score",
                            "Shannon's entropy (q = 1) lies between indices that favor pure small "
                            "clusters and those that favor big ones",
                            reference="neither",
                        ),
                        "few objects, many candidates": Answer(
                            "agreement",
                            "standardized_mutual_info_score",
                            "then adjusted indices prefer candidates whose index varies more by "
                            "chance; standardized ones treat all candidates equally",
                            reference="few",
                        ),
                    },
                ),
                "to count errors": Answer(
                    "errors",
                    "misclassification_distance",
                    "it is the share of objects that are not in the cluster matched with their "
                    "class, one to one",
                ),
                "as a distance": Question(
                    "In one data set?",
                    {
                        "yes": Answer(
                            "distances",
                            "variation_of_information_distance",
                            "it is a metric, and adds up over the clusters that are split",
                        ),
                        "no, in several": Answer(
                            "bounded_distances",
                            "normalized_information_distance",
                            "it is a metric, from 0 to 1 in every data set, and does not depend on "
                            "the number of objects",
                        ),
                    },
                ),
                "to accept finer clusters": Answer(
                    "finer",
                    "adjusted_wallace_score",
                    "a candidate is not worse for splitting clusters of the reference; report its "
                    "number of clusters as well",
                    {"given": "pred"},
                ),
                "to find records of entities": Answer(
                    "entities",
                    "bcubed_f_score",
                    "each record counts equally: which share of its cluster belongs to its entity, "
                    "and which share of its entity was found",
                ),
            },
        ),
        "memberships": Question(
            "On both sides?",
            {
                "yes": Answer(
                    "soft",
                    "frobenius_adjusted_rand_score",
                    "it is 1 for a soft partition and itself, and adjusted for chance",
                ),
                "no, labels as reference": Answer(
                    "soft_candidate",
                    "normalized_mutual_info_score",
                    "divided by the larger entropy it found the number of clusters most often in "
                    "the experiments of Lei et al. (2016)",
                    {"average_method": "max"},
                ),
            },
        ),
        "overlapping clusters": Answer(
            "overlap",
            "omega_score",
            "it compares in how many clusters each pair of objects is together, adjusted for "
            "chance",
        ),
        "data, no reference": Question(
            "What are the clusters?",
            {
                "compact groups": Answer(
                    "compact",
                    "silhouette_score",
                    "it compares distances within a cluster with those to the nearest other one",
                ),
                "dense, of any shape": Answer(
                    "dense",
                    "dbcv_score",
                    "it compares the sparsest place within a cluster with the densest between two",
                ),
                "communities of a graph": Answer(
                    "communities",
                    "modularity_score",
                    "it compares the edges within clusters with those of a random graph of the "
                    "same degrees",
                ),
            },
        ),
    },
)


def paths(
    node: Question | Answer = TREE, taken: tuple[tuple[str, str], ...] = ()
) -> Iterator[tuple[tuple[tuple[str, str], ...], Answer]]:
    """Yield each way to an answer: the questions with the options taken, and the answer."""
    if isinstance(node, Answer):
        yield taken, node
        return
    for option, following in node.options.items():
        yield from paths(following, (*taken, (node.text, option)))


ANSWERS = {(answer.task, answer.reference): answer for _, answer in paths()}
TASKS = tuple(dict.fromkeys(task for task, _ in ANSWERS))


# A reference is called balanced if its entropy comes this close to the largest possible one.
_BALANCED = 0.95
# Clusters below this share of the mean size are called small.
_SMALL = 0.5
# Clusters of this mean size are called big.
_BIG = 5.0
# With fewer objects than this per cell of the table, the best candidate by an adjusted index is
# more likely to have some numbers of clusters than others.
_FEW_PER_CELL = 5.0
_check_task = one_of(*TASKS)


class IndexRecommendation(Result, eq=True):
    """Recommended index and the reasons; made by :func:`recommend_index`.

    Printed, and as HTML in a notebook, it shows the index and the reasons. All
    parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    index : str
        Name of the index.
    parameters : dict, default={}
        Its parameters.
    reasons : tuple of str, default=()
        Reasons for the recommendation.

    See Also
    --------
    recommend_index : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import make_clustering_scorer, recommend_index
    >>> advice = recommend_index([0] * 130 + [1] * 10 + [2] * 10)
    >>> make_clustering_scorer(advice.index, **advice.parameters)
    make_clustering_scorer('adjusted_mutual_info_score', response='auto', q=0.5)
    """

    index: str
    parameters: dict[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    def _headline(self) -> str:
        return f"IndexRecommendation: {get_index(self.index).axis_text(**self.parameters)}"

    def _conclusion(self) -> list[str]:
        return [f"- {reason}" for reason in self.reasons]


@tells_keywords
def recommend_index(
    labels_true: PartitionLike | None = None,
    *,
    task: str = "agreement",
    candidate_n_clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> IndexRecommendation:
    """Recommend an index by the task, and by the cluster sizes of the reference.

    It follows the decision tree of :doc:`/user_guide/choosing`. The guidelines for the cluster
    sizes are those of Romano et al. [1]_. Their terms big, small and balanced are defined by
    thresholds of this package, which the reasons state.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,), default=None
        :term:`Labels` of the :term:`reference`.
    task : str, default="agreement"
        What the value is for. Only the answer to "agreement" depends on the reference, which it
        requires.

        - "agreement": to report or choose candidates by how far they agree with the reference;
        - "errors": to count objects in wrong clusters;
        - "distances", "bounded_distances": distances between partitions of one data set, or of
          several;
        - "finer": to accept candidates that are finer than the reference;
        - "entities": to find all records of each entity;
        - "soft", "soft_candidate": to compare memberships with memberships, or with labels;
        - "overlap": to compare clusters that overlap;
        - "compact", "dense", "communities": to evaluate clusters by the data, without a reference.
    candidate_n_clusters : array-like of shape (n_candidates,), default=None
        Number of clusters of each candidate from which the best will be chosen; None where none is.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.

    Returns
    -------
    IndexRecommendation
        With ``index``, ``parameters`` and ``reasons``.

    Raises
    ------
    ValueError
        If ``task`` is unknown, or needs a reference and none is given; if there are no objects, or
        labels are invalid; or if numbers of clusters are not positive.
    TypeError
        If numbers of clusters are not integers.

    See Also
    --------
    list_indices : All indices, or those with given properties.
    Index : Explains the properties.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, sec. 4 and 5.

    Examples
    --------
    >>> from sklearn_clustcompare import recommend_index
    >>> recommend_index([0] * 50 + [1] * 50 + [2] * 50).index
    'adjusted_rand_score'
    >>> advice = recommend_index([0] * 130 + [1] * 10 + [2] * 10)
    >>> advice.index, advice.parameters
    ('adjusted_mutual_info_score', {'q': 0.5})
    >>> print(advice.reasons[0])
    the reference is unbalanced: its entropy is 0.44 of the largest for 3 clusters (below 0.95)
    >>> recommend_index(task="errors").index
    'misclassification_distance'
    """
    _check_task("task", task)
    n_clusters = _read_n_clusters(candidate_n_clusters)
    if task != "agreement":
        return _answer(task)
    if labels_true is None:
        msg = "labels_true must be given for task='agreement', which depends on its cluster sizes"
        raise ValueError(msg)
    if has_objects(labels_true):
        labels_true = read_labels(labels_true, "labels_true")
    table = require_objects(
        ContingencyTable.from_labels(labels_true, labels_true, sample_weight=sample_weight)
    )
    if table.shape[0] == 0:
        msg = "labels_true must hold at least one object, got none"
        raise ValueError(msg)
    return _if_chance_chooses(table, n_clusters) or _by_cluster_sizes(table)


def _answer(
    task: str, reference: str | None = None, why: Sequence[str] = (), notes: Sequence[str] = ()
) -> IndexRecommendation:
    """Return the answer of the tree, with its reason after those why it is reached."""
    answer = ANSWERS[task, reference]
    reasons = (*why, answer.reason, *notes)
    return IndexRecommendation(answer.index, dict(answer.parameters), reasons)


def _read_n_clusters(candidate_n_clusters: ArrayLike | None) -> IntArray | None:
    if candidate_n_clusters is None:
        return None
    numbers = np.atleast_1d(np.asarray(candidate_n_clusters))
    if numbers.ndim != 1 or not len(numbers):
        msg = (
            "candidate_n_clusters must hold a number for each candidate, got an array of shape "
            f"{numbers.shape}"
        )
        raise ValueError(msg)
    for number in numbers.tolist():
        positive_integer("candidate_n_clusters", number)
    return numbers.astype(np.int64)


# --------------------------------------------------------------------------- guidelines


def _if_chance_chooses(
    table: ContingencyTable, n_clusters: IntArray | None
) -> IndexRecommendation | None:
    """Recommend a standardized index if the choice among the candidates would depend on chance.

    Adjusted indices have the same mean for all candidates, but their variance by chance depends on
    the number of clusters. Candidates with the same number of clusters vary about equally.
    """
    if n_clusters is None or n_clusters.min() == n_clusters.max():
        return None
    n_rows, n_cols = table.shape[0], int(n_clusters.max())
    per_cell = table.n_samples / (n_rows * n_cols)
    if per_cell >= _FEW_PER_CELL:
        return None
    return _answer(
        "agreement",
        "few",
        [
            f"the best of {len(n_clusters)} candidates of {n_clusters.min()} to {n_cols} clusters "
            f"is chosen, and there are few objects: {per_cell:.2g} per cell of a {n_rows} x "
            f"{n_cols} table (below {_FEW_PER_CELL:g})"
        ],
        [
            "pvalue_adjusted_mutual_info_score serves the same purpose, by probabilities: use "
            "scale='log', since the probability rounds to 1 for candidates far from chance"
        ],
    )


def _by_cluster_sizes(table: ContingencyTable) -> IndexRecommendation:
    sizes, n_samples, n_clusters = table.row_sums, table.n_samples, table.shape[0]
    evenness = entropy(sizes) / math.log(n_clusters) if n_clusters > 1 else 1.0
    smallest = sizes.min() / (n_samples / n_clusters)
    balance = (
        f"its entropy is {evenness:.2f} of the largest for {n_clusters} clusters "
        f"({'at least' if evenness >= _BALANCED else 'below'} {_BALANCED:g})"
    )
    if evenness >= _BALANCED and smallest >= _SMALL and n_samples >= _BIG * n_clusters:
        reference = "equal"
        why = [
            f"the reference has clusters of about equal size: {balance}",
            f"its smallest cluster has {smallest:.2f} of the mean size (at least {_SMALL:g})",
        ]
    elif evenness < _BALANCED and smallest < _SMALL:
        reference = "small"
        why = [
            f"the reference is unbalanced: {balance}",
            f"it has small clusters: the smallest has {smallest:.2f} of the mean size (below "
            f"{_SMALL:g})",
        ]
    else:
        reference = "neither"
        why = [
            f"the reference is neither clearly balanced nor clearly unbalanced: {balance}; its "
            f"smallest cluster has {smallest:.2f} of the mean size"
        ]
    return _answer("agreement", reference, why)
