"""Choose the number of clusters by several criteria at once."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._clusterers import check_values, main_parameter
from sklearn_clustcompare._numerics import are_best
from sklearn_clustcompare._rendering import Shown, Table, decimal, table_of
from sklearn_clustcompare.without_reference._cluster_stability import (
    ClusterStability,
    cluster_stability,
)
from sklearn_clustcompare.without_reference._gap import GapStatistic, gap_statistic, read_range
from sklearn_clustcompare.without_reference._prediction_strength import (
    PredictionStrength,
    prediction_strength,
)
from sklearn_clustcompare.without_reference._stability_result import LEVEL, StabilityResult
from sklearn_clustcompare.without_reference._stability_search import StabilitySearch
from sklearn_clustcompare.without_reference._structure import StructureTestResult, structure_test

# The silhouette is not defined for one cluster, and cannot choose it.
_STATISTIC = "silhouette_score"


@dataclass(frozen=True, eq=False, repr=False)
class NClustersChoice(Shown):
    """Numbers of clusters by several criteria; made by :func:`choose_n_clusters`.

    Printed, and as HTML in a notebook, it shows a row for each number of clusters, which criterion
    chooses which, and a summary in words. All parameters are attributes of the same names, which
    cannot be set.

    Parameters
    ----------
    gap : GapStatistic
        The gap statistic.
    prediction_strength : PredictionStrength
        The prediction strength.
    stability : StabilityResult
        Stability of the clustering of two samples, and that of structureless data.
    structure : StructureTestResult
        The silhouette score, and that of structureless data; not for one cluster.
    cluster_stability : ClusterStability or None
        Stability of each cluster for ``n_clusters``; None for one cluster.

    See Also
    --------
    choose_n_clusters : Makes it.
    NClustersDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_resamples=5)
    >>> choice.choices()["silhouette_score, largest"]
    3
    """

    gap: GapStatistic
    prediction_strength: PredictionStrength
    stability: StabilityResult
    structure: StructureTestResult
    cluster_stability: ClusterStability | None

    def choices(self) -> dict[str, int | None]:
        """Return the number of clusters that each criterion chooses.

        Report them all: if they disagree, the data do not determine the number of clusters.

        Returns
        -------
        dict of str to int or None
            Maps each criterion and rule to its number; None where a rule chooses nothing.

        See Also
        --------
        NClustersChoice.n_clusters : The number that most of them choose.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_resamples=5)
        >>> for criterion, n_clusters in choice.choices().items():
        ...     print(n_clusters, criterion)
        3 gap_statistic, tibshirani
        3 gap_statistic, first_se_max
        3 prediction_strength, above 0.8
        3 stability, null
        3 stability, null_max
        3 silhouette_score, largest
        """
        by_gap = self.gap.choices()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # ties: the row for each number shows them
            by_stability = {
                rule: self.stability.choose(rule)[self.gap.param_name]
                for rule in ("null", "null_max")
            }
        return {
            "gap_statistic, tibshirani": by_gap["tibshirani"],
            "gap_statistic, first_se_max": by_gap["first_se_max"],
            "prediction_strength, above 0.8": self.prediction_strength.choose(),
            "stability, null": by_stability["null"],
            "stability, null_max": by_stability["null_max"],
            "silhouette_score, largest": self._tried[int(are_best(self.structure.values).argmax())],
        }

    @property
    def n_clusters(self) -> int:
        """The number of clusters that most criteria choose; the smallest one in case of ties."""
        return _most_frequent(self.choices())

    @property
    def summary(self) -> str:
        """Summary of the criteria in words, including their limits."""
        return "\n".join(
            [self._text_of_choices(), self._text_of_structure(), *self._text_of_clusters(), _CAVEAT]
        )

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per number of clusters.

        Save or draw the values with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (n_values, 6)
            Columns are ``gap`` and its ``standard_error``, ``prediction_strength``, ``stability``
            (the mean adjusted Rand index of pairs of samples), its mean for structureless data as
            ``null_stability``, and ``silhouette_score``; NaN where it is undefined.

        See Also
        --------
        NClustersChoice.choices : What each criterion chooses.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_resamples=5)
        >>> int(choice.to_frame()["silhouette_score"].idxmax())
        3
        """
        import pandas as pd

        return pd.DataFrame(self.columns()).set_index(self.gap.param_name)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the values of all criteria by name.

        Use it to build tables without pandas.

        Returns
        -------
        dict of str to ndarray of shape (n_values,)
            The number of clusters, by the name of the parameter, and the columns of
            :meth:`to_frame`.

        See Also
        --------
        NClustersChoice.to_frame : The same as a DataFrame.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_resamples=5)
        >>> choice.columns()["n_clusters"]
        array([1, 2, 3, 4])
        """
        numbers = self.gap.param_range
        silhouettes = np.full(len(numbers), np.nan)
        silhouettes[np.isin(numbers, self._tried)] = self.structure.values
        stability = self.stability.columns()
        return {
            self.gap.param_name: numbers,
            "gap": self.gap.gap,
            "standard_error": self.gap.standard_error,
            "prediction_strength": self.prediction_strength.mean,
            "stability": stability["mean"],
            "null_stability": stability["null_mean"],
            "silhouette_score": silhouettes,
        }

    @property
    def _tried(self) -> list[int]:
        assert self.structure.param_range is not None
        return list(self.structure.param_range)

    def _headline(self) -> str:
        n_null, null = len(self.gap.null_log_dispersion), self.gap.null
        return f"NClustersChoice: {n_null} structureless data sets ({null})"

    def _shown(self) -> Table:
        columns, choices = self.columns(), self.choices()
        chosen_by = [
            "; ".join(name for name, choice in choices.items() if choice == number)
            for number in self.gap.param_range
        ]
        return table_of({**columns, "chosen by": chosen_by})

    def _conclusion(self) -> list[str]:
        return self.summary.splitlines()

    def _text_of_choices(self) -> str:
        choices, best = self.choices(), self.n_clusters
        groups: dict[int | None, list[str]] = {}
        for criterion, number in choices.items():
            groups.setdefault(number, []).append(criterion)
        others = [
            f"{'nothing' if number is None else number} by {' and '.join(criteria)}"
            for number, criteria in groups.items()
            if number != best
        ]
        text = f"{_clusters(best)}: the choice of {len(groups[best])} of {len(choices)} criteria"
        counts = [len(criteria) for number, criteria in groups.items() if number is not None]
        if counts.count(max(counts)) > 1:
            text += ", the smallest of several that as many choose"
        return text + (f"; {'; '.join(others)}." if others else ".")

    def _text_of_structure(self) -> str:
        pvalue, null = self.structure.pvalue, self.structure.null
        if pvalue <= LEVEL:
            n_null = len(self.structure.null_values)
            smallest = ", the smallest possible" if pvalue <= 1 / (n_null + 1) else ""
            return (
                f"The data have structure: the best silhouette score of {len(self._tried)} numbers "
                f"of clusters is better than for {n_null} structureless data sets ({null}), "
                f"p = {decimal(pvalue)}{smallest}."
            )
        return (
            f"No evidence of structure: the best silhouette score of {len(self._tried)} numbers of "
            f"clusters is not better than for structureless data ({null}), p = {decimal(pvalue)}."
        )

    def _text_of_clusters(self) -> list[str]:
        if self.cluster_stability is None:
            return []
        counts = Counter(self.cluster_stability.readings)
        readings = ", ".join(f"{count} {reading}" for reading, count in counts.items())
        return [f"With {_clusters(self.n_clusters)}, when the data are resampled: {readings}."]


_CAVEAT = (
    "No criterion knows the purpose of the clusters. All of these prefer compact groups, depend on "
    "the scales of the features and on the clusterer, and may miss long or nested clusters."
)


def _clusters(number: int) -> str:
    return f"{number} cluster{'s' if number > 1 else ''}"


def _most_frequent(choices: dict[str, int | None]) -> int:
    counts = Counter(number for number in choices.values() if number is not None)
    return min(counts, key=lambda number: (-counts[number], number))


def choose_n_clusters(
    estimator: Any,
    X: ArrayLike,
    param_range: ArrayLike = range(1, 11),
    *,
    param_name: str = "auto",
    null: Any = "pca",
    n_null: int = 19,
    n_resamples: int = 20,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> NClustersChoice:
    """Choose the number of clusters without a reference, by several criteria side by side.

    It computes the gap statistic, the prediction strength, the stability compared with that of
    structureless data, and the silhouette score with a test against structureless data. For the
    number of clusters that most criteria choose, it also computes the stability of each cluster. No
    criterion is right for all data, so look at all of them: print the result, or draw it with
    :class:`NClustersDisplay`.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or distances or similarities between the objects, if the clusterer takes these.
    param_range : array-like of int of shape (n_values,), default=range(1, 11)
        Its values, increasing. One cluster is always included, without a fit, so that the criteria
        can find that there are no clusters.
    param_name : str, default="auto"
        Parameter with the number of clusters, such as ``"kmeans__n_clusters"`` of a pipeline;
        "auto" finds the last step's ``n_clusters`` or ``n_components``.
    null : {"pca", "box", "gaussian", "permute"} or callable, default="pca"
        Law of the :term:`structureless data`.
    n_null : int, default=19
        Number of structureless data sets, at least 19.
    n_resamples : int, default=20
        Number of pairs of samples, of splits, and of samples for the stability of clusters.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.

    Returns
    -------
    NClustersChoice
        With ``choices()``, ``n_clusters``, ``summary`` and the results of all criteria.

    Raises
    ------
    ValueError
        If X, the structureless data or a parameter are invalid, ``param_range`` has no two values
        above 1, or a clusterer fails for one of them.
    TypeError
        If X is sparse.

    Warns
    -----
    UserWarning
        If samples are skipped, or a clusterer finds fewer clusters than requested.

    See Also
    --------
    gap_statistic : The gap statistic alone, with more rules.
    StabilitySearch : Stability with other indices and samples, for any parameter.
    prediction_strength : The prediction strength alone.
    structure_test : The test against structureless data with other statistics.
    cluster_stability : The stability of single clusters alone.

    Notes
    -----
    The clusterer must have a fixed number of clusters, and the data must be numeric and finite.
    Scale the features first, or in a pipeline. The criteria and their rules are:

    - "gap_statistic, tibshirani" and "gap_statistic, first_se_max": based on distances, not on
      their squares (``power=1``); see :meth:`GapStatistic.choose`;
    - "prediction_strength, above 0.8": see :meth:`PredictionStrength.choose`;
    - "stability, null": the number of clusters whose stability, by the adjusted Rand index of pairs
      of bootstrap samples, exceeds that of structureless data most clearly; one cluster if none
      does. "stability, null_max": the most stable of those that exceed it; see
      :class:`StabilitySearch`;
    - "silhouette_score, largest": the largest silhouette score. It cannot choose one cluster; the
      p-value in the summary tests whether there are any.

    The cost is about 2 ``n_resamples`` (1 + ``n_null``) fits for each number of clusters, most of
    them for the stability of structureless data. The time for silhouettes and gaps grows with the
    square of the number of objects: for large data, cluster a sample of some thousand objects.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_resamples=5)
    >>> choice.n_clusters
    3
    >>> print(choice.summary.splitlines()[0])
    3 clusters: the choice of 6 of 6 criteria.
    """
    param_name = main_parameter(estimator, param_name)
    check_values(param_name, read_range(param_range))
    numbers = np.union1d(1, read_range(param_range))
    several = numbers[1:]
    if len(several) < 2:
        msg = f"param_range must hold at least two numbers above 1, got {param_range!r}"
        raise ValueError(msg)
    seeds = [int(seed) for seed in task_seeds(5, 1, random_state)[1]]
    common: dict[str, Any] = {"n_jobs": n_jobs, "verbose": verbose}
    drawn: dict[str, Any] = {"null": null, "n_null": n_null}
    gap = gap_statistic(
        estimator,
        X,
        param_name=param_name,
        param_range=numbers,
        power=1,
        random_state=seeds[0],
        **drawn,
        **common,
    )
    strength = prediction_strength(
        estimator,
        X,
        param_name=param_name,
        param_range=numbers,
        n_resamples=n_resamples,
        random_state=seeds[1],
        **common,
    )
    search = StabilitySearch(
        estimator,
        {param_name: numbers.tolist()},
        n_resamples=n_resamples,
        refit=False,
        error_score="raise",
        random_state=seeds[2],
        **drawn,
        **common,
    ).fit(X)
    structure = structure_test(
        estimator,
        X,
        statistic=_STATISTIC,
        param_name=param_name,
        param_range=several,
        random_state=seeds[3],
        **drawn,
        **common,
    )
    choice = NClustersChoice(gap, strength, search.result_, structure, None)
    if choice.n_clusters == 1:
        return choice
    chosen = clone(estimator).set_params(**{param_name: choice.n_clusters})
    clusters = cluster_stability(
        chosen, X, n_resamples=n_resamples, random_state=seeds[4], **common
    )
    return NClustersChoice(gap, strength, search.result_, structure, clusters)
