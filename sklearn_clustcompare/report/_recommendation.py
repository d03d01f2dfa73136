"""The decision tree of indices, which the user guide draws and ``recommend_index`` follows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import IntArray
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import one_of, options_text, positive_integer
from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._rendering import Result
from sklearn_clustcompare._table import ContingencyTable, has_objects, require_objects
from sklearn_clustcompare.indices import INDICES, get_index
from sklearn_clustcompare.indices._entropies import entropy
from sklearn_clustcompare.indices._registry import check_property, has_property


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
# If the choice of the guidelines lacks a property that is needed, the first of these that has it is
# recommended, and then the first of all others.
_PREFERENCE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("adjusted_rand_score", {}),
    ("adjusted_mutual_info_score", {}),
    ("frobenius_adjusted_rand_score", {}),
    ("normalized_information_distance", {}),
    ("normalized_mutual_info_score", {"average_method": "max"}),
    ("variation_of_information_distance", {}),
    ("matching_accuracy_score", {}),
    ("misclassification_distance", {}),
)


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


def recommend_index(
    labels_true: PartitionLike | None = None,
    *,
    task: str = "agreement",
    n_candidates: int = 1,
    candidate_n_clusters: ArrayLike | None = None,
    needs: Sequence[str] | Mapping[str, Any] = (),
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
    n_candidates : int, default=1
        Number of candidates from which the best will be chosen.
    candidate_n_clusters : array-like of shape (n_candidates,), default=None
        Number of clusters of each candidate. None means about as many as the reference.
    needs : sequence of str, or mapping of str to object, default=()
        Properties that the index must have, as for :func:`list_indices`: names of properties that
        must be true, or a mapping of names to values.
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
        labels are invalid; if numbers of clusters are not positive, or
        not as many as ``n_candidates``; if a name in ``needs`` is not a property, or no index has
        all of them.
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
    >>> recommend_index([0] * 50 + [1] * 50 + [2] * 50, needs=["metric"]).index
    'normalized_information_distance'
    >>> recommend_index(task="errors").index
    'misclassification_distance'
    """
    _check_task("task", task)
    positive_integer("n_candidates", n_candidates)
    n_clusters = _read_n_clusters(candidate_n_clusters, n_candidates)
    needed = _read_needs(needs)
    if task != "agreement":
        advice = _answer(task)
        if missing := _missing(advice.index, advice.parameters, needed):
            msg = (
                f"needs must be properties of the index for task={task!r}, {advice.index}, but it "
                f"lacks {_listed({key: needed[key] for key in missing})}"
            )
            raise ValueError(msg)
        return advice
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
    advice = _if_chance_chooses(table, n_candidates, n_clusters) or _by_cluster_sizes(table)
    return _with_needs(advice, needed) if needed else advice


def _answer(
    task: str, reference: str | None = None, why: Sequence[str] = (), notes: Sequence[str] = ()
) -> IndexRecommendation:
    """Return the answer of the tree, with its reason after those why it is reached."""
    answer = ANSWERS[task, reference]
    reasons = (*why, answer.reason, *notes)
    return IndexRecommendation(answer.index, dict(answer.parameters), reasons)


def _read_n_clusters(candidate_n_clusters: ArrayLike | None, n_candidates: int) -> IntArray | None:
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
    if n_candidates not in (1, len(numbers)):
        msg = (
            "n_candidates must be the length of candidate_n_clusters or be left out, "
            f"got {n_candidates} and {len(numbers)}"
        )
        raise ValueError(msg)
    return numbers.astype(np.int64)


def _read_needs(needs: Sequence[str] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(needs, str):
        msg = (
            f"needs must be a sequence or a mapping of names of properties, got {shortened(needs)}"
        )
        raise TypeError(msg)
    known = get_index("rand_score").properties()
    for name in needs:
        if name not in known:
            msg = f"needs must name properties of an index, of {options_text(known, name)}"
            raise ValueError(msg)
        if not isinstance(needs, Mapping) and not isinstance(known[name], bool):
            values = sorted({repr(index.properties()[name]) for index in INDICES.values()})
            msg = (
                f"needs must be a mapping to give the value of {name!r}, which is not true or "
                f"false but one of {', '.join(values)}"
            )
            raise ValueError(msg)
    wanted = dict(needs) if isinstance(needs, Mapping) else dict.fromkeys(needs, True)
    for name, value in wanted.items():
        check_property(name, value)
    return wanted


# --------------------------------------------------------------------------- guidelines


def _if_chance_chooses(
    table: ContingencyTable, n_candidates: int, n_clusters: IntArray | None
) -> IndexRecommendation | None:
    """Recommend a standardized index if the choice among the candidates would depend on chance.

    Adjusted indices have the same mean for all candidates, but their variance by chance depends on
    the number of clusters. Candidates with the same number of clusters vary about equally.
    """
    n_rows = table.shape[0]
    if n_clusters is None:
        n_cols, numbers = n_rows, "as many clusters as the reference"
    else:
        n_candidates, n_cols = len(n_clusters), int(n_clusters.max())
        if n_clusters.min() == n_cols:
            return None
        numbers = f"{n_clusters.min()} to {n_cols} clusters"
    per_cell = table.n_samples / (n_rows * n_cols)
    if n_candidates == 1 or per_cell >= _FEW_PER_CELL:
        return None
    return _answer(
        "agreement",
        "few",
        [
            f"the best of {n_candidates} candidates of {numbers} is chosen, and there are few "
            f"objects: {per_cell:.2g} per cell of a {n_rows} x {n_cols} table (below "
            f"{_FEW_PER_CELL:g})"
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


# --------------------------------------------------------------------------- needs


def _with_needs(advice: IndexRecommendation, needed: dict[str, Any]) -> IndexRecommendation:
    wanted = _listed(needed)
    missing = _missing(advice.index, advice.parameters, needed)
    if not missing:
        return replace(advice, reasons=(*advice.reasons, f"it has the properties needed: {wanted}"))
    # Other indices may prefer another candidate to one that is equal to the reference.
    rest = sorted(INDICES, key=lambda name: INDICES[name].identifies_equality is not True)
    others = (*_PREFERENCE, *((name, {}) for name in rest))
    chosen = next((one for one in others if not _missing(*one, needed)), None)
    if chosen is None:
        raise ValueError(_nothing_has(needed, wanted))
    name, parameters = chosen
    reasons = [
        f"by the cluster sizes {advice.index} would be recommended, but it lacks: "
        f"{_listed({key: needed[key] for key in missing})}",
        f"{name} is the first that has all of these ({wanted}): adjusted indices come before "
        "others, and bounded ones before those without a bound",
    ]
    if get_index(name).properties(**parameters)["constant_baseline"] != "exact":
        reasons.append(
            "it is not adjusted for chance: compare candidates with similar numbers of clusters "
            "only, or adjust it by chance_adjusted_score"
        )
    return IndexRecommendation(name, parameters, tuple(reasons))


def _missing(name: str, parameters: Mapping[str, Any], needed: Mapping[str, Any]) -> list[str]:
    known = get_index(name).properties(**parameters)
    return [key for key, value in needed.items() if not has_property(known, key, value)]


def _listed(needed: Mapping[str, Any]) -> str:
    return ", ".join(key if value is True else f"{key}={value!r}" for key, value in needed.items())


def _nothing_has(needed: dict[str, Any], wanted: str) -> str:
    msg = f"needs must leave at least one index, but none has all of {wanted}"
    for key in needed:
        others = {name: value for name, value in needed.items() if name != key}
        name = next((one for one in INDICES if not _missing(one, {}, others)), None)
        if others and name:
            msg += f"; without {_listed({key: needed[key]})} there is {name}"
    return msg
