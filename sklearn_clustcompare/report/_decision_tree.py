"""The decision tree of indices, which the user guide draws and ``recommend_index`` follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


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
