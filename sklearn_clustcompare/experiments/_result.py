"""The result of comparing clusterers on many data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._numerics import ranked
from sklearn_clustcompare._rendering import Shown, Table, result_record, table_of
from sklearn_clustcompare.candidates._scores import computed_name
from sklearn_clustcompare.experiments._ranks import (
    MethodRanks,
    rank_methods,
)
from sklearn_clustcompare.indices import Index, IndexLike


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class BenchmarkResult(Shown):
    """Scores of clusterers on data sets, as a long table.

    Made by :func:`benchmark_clusterers` and :func:`benchmark_partitions`. Printed, and as HTML in a
    notebook, it shows the clusterers by their mean rank in the first index. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    records : list of dict
        Rows of the table, one for each data set, estimator, repeat, reference and index. The keys
        are

        - ``dataset``, ``estimator``, ``repeat`` (from 0 on), ``reference`` and ``index``, which
          name the value;
        - ``value``, and ``low`` and ``high``, the ends of its confidence interval, NaN if none were
          requested;
        - ``n_clusters``, the number of clusters that were compared, and ``coverage``, the share of
          the objects that were;
        - ``seconds``, the time of the fit, NaN if it is not known;
        - ``error``, why there is no value, or None.
    datasets, estimators : list of str
        Names of the data sets and of the estimators.
    indices : dict of str to Index
        Record of the index of each name.
    parameters : dict of str to dict
        Parameters of the index of each name.
    references : {"max", "mean"}
        What the score is where a data set has several references.
    confidence_level : float or None
        Level of the intervals; None if none were requested.

    See Also
    --------
    benchmark_clusterers : Fits clusterers and scores what they find.
    benchmark_partitions : Scores existing partitions.

    Examples
    --------
    >>> from sklearn_clustcompare.experiments import benchmark_partitions
    >>> result = benchmark_partitions(
    ...     {"small": [0, 0, 1, 1]}, {"small": {"a": [0, 0, 1, 2]}}, "rand_score"
    ... )
    >>> record = result.records[0]
    >>> record["dataset"], record["estimator"], round(record["value"], 3), record["n_clusters"]
    ('small', 'a', 0.833, 3)
    """

    records: list[dict[str, Any]]
    datasets: list[str]
    estimators: list[str]
    indices: dict[str, Index]
    parameters: dict[str, dict[str, Any]]
    references: str
    confidence_level: float | None

    def scores(self, index: IndexLike | None = None) -> NDArray[np.float64]:
        """Return one score for each data set and estimator.

        That is the best value or the mean over the references of a data set, and the mean of these
        over repeats. It is NaN where one of them is.

        Parameters
        ----------
        index : str, callable, Index or None, default=None
            Index to compare by; None takes the first one.

        Returns
        -------
        ndarray of shape (n_datasets, n_estimators)
            In the order of ``datasets`` and ``estimators``.

        Raises
        ------
        ValueError
            If the index was not computed.

        See Also
        --------
        BenchmarkResult.to_frame : All values.

        Examples
        --------
        >>> from sklearn_clustcompare.experiments import benchmark_partitions
        >>> references = {"coarse": [0, 0, 1, 1], "fine": [0, 1, 2, 2]}
        >>> result = benchmark_partitions(
        ...     {"small": references}, {"small": {"a": [0, 0, 1, 1]}}, "rand_score"
        ... )
        >>> result.scores()
        array([[1.]])
        """
        name = self._index_name(index)
        over: Callable[..., Any] = np.mean
        if self.references == "max":
            over = np.max if self.indices[name].greater_is_better else np.min
        values: dict[tuple[str, str], dict[int, list[float]]] = {}
        for record in self.records:
            if record["index"] == name:
                repeats = values.setdefault((record["dataset"], record["estimator"]), {})
                repeats.setdefault(record["repeat"], []).append(record["value"])
        return np.array(
            [
                [
                    np.mean([over(repeat) for repeat in values[dataset, estimator].values()])
                    for estimator in self.estimators
                ]
                for dataset in self.datasets
            ]
        )

    def rank(
        self,
        index: IndexLike | None = None,
        *,
        post_hoc: str = "nemenyi",
        significance_level: float = 0.05,
    ) -> MethodRanks:
        """Rank the estimators on the data sets, and test which of them differ.

        Use it to see whether the best estimator would be the best on other data sets like these.

        Parameters
        ----------
        index : str, callable, Index or None, default=None
            Index to compare by; None takes the first one.
        post_hoc : {"nemenyi", "wilcoxon"}, default="nemenyi"
            The test of pairs: Nemenyi's test of mean ranks, or Wilcoxon's signed-rank test of the
            scores of two methods with Holm's correction.
        significance_level : float, default=0.05
            Significance level of the test of pairs, for all pairs together.

        Returns
        -------
        MethodRanks
            With the mean ranks and the tests; :class:`CriticalDifferenceDisplay` draws it.

        Raises
        ------
        ValueError
            If there are fewer than 3 estimators or 2 data sets, the index was not computed, or a
            score is NaN for Wilcoxon's test.

        Warns
        -----
        UserWarning
            If scores are NaN: they share the last rank of their data set.

        See Also
        --------
        rank_methods : The same for any table.

        Examples
        --------
        >>> from sklearn_clustcompare.experiments import benchmark_partitions
        >>> found = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 1, 2]}
        >>> result = benchmark_partitions(
        ...     {"first": [0, 0, 1, 1], "second": [0, 0, 0, 1]},
        ...     {"first": found, "second": found},
        ...     "rand_score",
        ... )
        >>> result.rank().mean_ranks
        array([2.  , 1.75, 2.25])
        """
        name = self._index_name(index)
        return rank_methods(
            self.scores(name),
            names=self.estimators,
            greater_is_better=self.indices[name].greater_is_better,
            post_hoc=post_hoc,
            significance_level=significance_level,
        )

    def to_frame(self) -> Any:
        """Return the records as a pandas DataFrame, in long form.

        pandas has to be installed.

        Returns
        -------
        pandas.DataFrame
            One row per record, with its keys as columns.

        See Also
        --------
        BenchmarkResult.scores : One score per data set and estimator.

        Examples
        --------
        >>> from sklearn_clustcompare.experiments import benchmark_partitions
        >>> found = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]}
        >>> frame = benchmark_partitions(
        ...     {"small": [0, 0, 1, 1]}, {"small": found}, "rand_score"
        ... ).to_frame()
        >>> frame.pivot(index="dataset", columns="estimator", values="value").round(2).to_dict()
        {'a': {'small': 1.0}, 'b': {'small': 0.83}}
        """
        import pandas as pd

        return pd.DataFrame(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def _index_name(self, index: IndexLike | None) -> str:
        return computed_name(index, self.indices)

    def _headline(self) -> str:
        return (
            f"BenchmarkResult: {len(self.estimators)} estimators on {len(self.datasets)} "
            f"data sets by {self._index_name(None)}"
        )

    def _shown(self) -> Table:
        """Return the estimators by their mean rank."""
        scores = self.scores()
        is_better = self.indices[self._index_name(None)].greater_is_better
        ranks = ranked(scores, greater_is_better=is_better, method="average").mean(axis=0)
        order = np.argsort(ranks, kind="stable").tolist()
        defined = [column[~np.isnan(column)] for column in scores.T[order]]
        return table_of(
            {
                "estimator": [self.estimators[k] for k in order],
                "mean rank": ranks[order].tolist(),
                "mean score": [float(one.mean()) if len(one) else np.nan for one in defined],
                "failed": [len(scores) - len(one) for one in defined],
                "seconds": [self._mean_time(self.estimators[k]) for k in order],
            },
            names=["estimator"],
        )

    def _mean_time(self, name: Any) -> float:
        seconds = {
            (record["dataset"], record["repeat"], record["reference"]): record["seconds"]
            for record in self.records
            if record["estimator"] == name
        }
        return float(np.mean(list(seconds.values())))
