"""Choose the number of clusters by independent evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import DBSCAN, HDBSCAN, OPTICS, KMeans

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._clusterers import (
    check_values,
    clusters_parameter,
    last_step,
    main_parameter,
    values_tried,
)
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._numerics import are_best
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._rendering import Drawn, Shown, Table, result_record, table_of
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._cluster_stability import ClusterStability
from sklearn_clustcompare.without_reference._evidence import Evidence, gather
from sklearn_clustcompare.without_reference._extension import read_extension
from sklearn_clustcompare.without_reference._fitting import caught_warnings, warn_once
from sklearn_clustcompare.without_reference._gap import GapStatistic, read_range
from sklearn_clustcompare.without_reference._null_data import laws_of, read_data
from sklearn_clustcompare.without_reference._prediction_strength import PredictionStrength
from sklearn_clustcompare.without_reference._resamples import as_rows
from sklearn_clustcompare.without_reference._stability_search import check_n_null
from sklearn_clustcompare.without_reference._structure import StructureTestResult
from sklearn_clustcompare.without_reference._verdict import (
    REPRODUCIBLE,
    REPRODUCIBLE_CHAINS,
    Division,
    NClustersVerdict,
    Structure,
    verdict_of,
)

FloatArray = NDArray[np.float64]

_CHAINING = (DBSCAN, HDBSCAN, OPTICS)
# At most five matrices at a time, as measured.
_BYTES_PER_PAIR = 40


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class NClustersChoice(Drawn, Shown):
    """The number of clusters by independent evidence; made by :func:`choose_n_clusters`.

    Printed, and as HTML in a notebook, it shows the verdict, a row of evidence for each value of
    the parameter, and the reasons. All parameters are attributes of the same names, which cannot be
    set.

    Parameters
    ----------
    verdict : NClustersVerdict
        The answer, with its reasons.
    pvalue : float
        The p-value of the test for structure, the largest one over the laws.
    param_name : str
        Name of the parameter that was varied.
    param_range : ndarray of shape (n_values,)
        Its values.
    n_found : ndarray of int of shape (n_values,)
        Number of clusters found for each, without noise.
    silhouette : StructureTestResult
        The silhouette score against structureless data, of each law in ``laws``.
    valley : StructureTestResult
        The same for the valley statistic, see the Notes of :func:`choose_n_clusters`.
    prediction_strength : PredictionStrength
        The prediction strength; splits that can change no verdict are left out.
    stability : ndarray of shape (n_values,)
        Mean Jaccard index of the worst cluster in bootstrap samples; NaN where no verdict needs it.
    gap : GapStatistic or None
        The gap statistic, of each law, for numbers below that of the distinct objects; None unless
        numbers of clusters were given.
    cluster_stability : ClusterStability or None
        Stability of each cluster for ``n_clusters``; None for one cluster and for undetermined.

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
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> choice.n_clusters
    3
    >>> choice.cluster_stability.readings
    ['highly stable', 'highly stable', 'highly stable']
    """

    verdict: NClustersVerdict
    pvalue: float
    param_name: str
    param_range: NDArray[Any]
    n_found: NDArray[np.intp]
    silhouette: StructureTestResult
    valley: StructureTestResult
    prediction_strength: PredictionStrength
    stability: FloatArray
    gap: GapStatistic | None
    cluster_stability: ClusterStability | None

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters of the verdict, the coarse one of nested; None if undetermined."""
        return self.verdict.n_clusters

    @property
    def summary(self) -> str:
        """The verdict and its reasons, in four lines."""
        return str(self.verdict)

    def choices(self) -> dict[str, int | None]:
        """Return the number of clusters that each criterion alone would choose.

        Compare them with the verdict: single criteria always choose something, and where the data
        do not determine the number of clusters they disagree.

        Returns
        -------
        dict of str to int or None
            Maps each criterion and rule to its number; None where a rule chooses nothing.

        See Also
        --------
        NClustersVerdict : The verdict of all evidence together.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
        >>> for criterion, n_clusters in choice.choices().items():
        ...     print(n_clusters, criterion)
        3 gap_statistic, tibshirani
        3 gap_statistic, first_se_max
        3 prediction_strength, above 0.8
        3 stability, all valid
        3 silhouette_score, largest
        """
        by_gap = {} if self.gap is None else self.gap.choices()
        silhouettes = self.columns()["silhouette_score"]
        valid = self.n_found[self.stability >= REPRODUCIBLE.jaccard]
        return {
            **{
                f"gap_statistic, {rule}": by_gap[rule]
                for rule in ("tibshirani", "first_se_max")
                if rule in by_gap
            },
            "prediction_strength, above 0.8": self.prediction_strength.choose(),
            "stability, all valid": int(max(valid, default=1)),
            "silhouette_score, largest": int(self.n_found[are_best(silhouettes).argmax()]),
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per value of the parameter.

        Save or draw the values with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (n_values, n_columns)
            The columns of :meth:`columns`, indexed by the parameter.

        See Also
        --------
        NClustersChoice.choices : What each criterion chooses.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
        >>> int(choice.to_frame()["silhouette_score"].idxmax())
        3
        """
        import pandas as pd

        return pd.DataFrame(self.columns()).set_index(self.param_name)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the evidence by name, NaN where it is undefined or was not needed.

        Use it to build tables without pandas.

        Returns
        -------
        dict of str to ndarray of shape (n_values,)
            The parameter, by its name; ``n_found``, the number of clusters found, unless the
            parameter is this number; ``silhouette_score`` and ``valley``, each with its ``z``, the
            least number of standard deviations above the mean of a law of structureless data;
            ``prediction_strength``; ``stability``, the mean Jaccard index of the worst cluster; and
            ``gap`` with its ``standard_error``, if the parameter is the number of clusters.

        See Also
        --------
        NClustersChoice.to_frame : The same as a DataFrame.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
        >>> choice.columns()["n_clusters"]
        array([1, 2, 3, 4])
        """
        found = {} if self.gap is not None else {"n_found": self.n_found}
        gap = {}
        if self.gap is not None:
            has_gap = np.isin(self.param_range, self.gap.param_range)
            gap = {
                "gap": _placed(self.gap.gap, has_gap),
                "standard_error": _placed(self.gap.standard_error, has_gap),
            }
        return {
            self.param_name: self.param_range,
            **found,
            "silhouette_score": self._of_all(self.silhouette.values),
            "z_silhouette": self._of_all(least_z(self.silhouette)),
            "valley": self._of_all(self.valley.values),
            "z_valley": self._of_all(least_z(self.valley)),
            "prediction_strength": self.prediction_strength.mean,
            "stability": self.stability,
            **gap,
        }

    @property
    def tested(self) -> NDArray[np.intp]:
        """Positions of the values of the parameter that were fitted: all but one cluster."""
        known = self.silhouette.param_range
        assert known is not None
        return np.arange(len(self.param_range) - len(known), len(self.param_range))

    def _of_all(self, of_tested: FloatArray) -> FloatArray:
        """Place values for those that were fitted among all."""
        return _placed(of_tested, np.isin(np.arange(len(self.param_range)), self.tested))

    def _headline(self) -> str:
        return f"NClustersChoice: {self.verdict.headline}"

    def _shown(self) -> Table:
        return table_of(self.columns())

    def _conclusion(self) -> Sequence[str]:
        return self.verdict.reasons


def _placed(values: FloatArray, where: NDArray[np.bool_]) -> FloatArray:
    """Return values in their places, and NaN in the others."""
    placed = np.full(len(where), np.nan)
    placed[where] = values
    return placed


def least_z(test: StructureTestResult) -> FloatArray:
    """Return the least standardized value over the laws, for each value of the parameter."""
    least: FloatArray = np.min([one.standardized_values for one in test.laws.values()], axis=0)
    return least


def choose_n_clusters(
    estimator: Any,
    X: ArrayLike,
    param_range: Any = None,
    *,
    param_name: str = "auto",
    null: Any = "auto",
    n_null: int = 39,
    n_resamples: int = 20,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> NClustersChoice:
    """Choose the number of clusters without a reference, by independent evidence.

    The verdict is one number of clusters, a number whose clusters divide again, or that the data do
    not determine it. A number is only named if its division is better than that of
    :term:`structureless data`, separated by valleys, and found again in halves of the data and in
    bootstrap samples. Print the result, or draw it with :class:`NClustersDisplay`.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or the distances of all objects, if the clusterer takes these. No similarities,
        see Notes.
    param_range : array-like of shape (n_values,), default=None
        Values to try. Numbers of clusters are increasing integers, at least two above 1; one
        cluster is always included, without a fit. None tries 1 to 10 clusters, or every fifth
        ``min_cluster_size`` from 5 to 50 and to half of the objects.
    param_name : str, default="auto"
        Parameter to vary: the number of clusters, such as "kmeans__n_clusters" for a pipeline; or
        another one, such as "eps", where the number of clusters found stands for it. "auto" finds
        the last step's ``n_clusters``, ``n_components`` or ``min_cluster_size``.
    null : str, callable or list of them, default="auto"
        Law of the :term:`structureless data`, by its name or as a function, or several. "auto" is
        "copula" and "elliptical", also "pca" for continuous columns, and "rates" for counts.
    n_null : int, default=39
        Number of structureless data sets of each law, at least 19.
    n_resamples : int, default=20
        Number of splits, and of bootstrap samples, at most.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.

    Returns
    -------
    NClustersChoice
        With ``verdict``, ``n_clusters``, and all evidence.

    Raises
    ------
    ValueError
        If X, the structureless data or a parameter are invalid, or a clusterer fails for a value.
    MemoryError
        If there are too many objects for matrices of all pairs, see Notes.

    Warns
    -----
    UserWarning
        Warnings of the clusterer, once each.

    See Also
    --------
    gap_statistic : The gap statistic alone, with more rules.
    StabilitySearch : Stability with other indices and samples, for any parameter.
    prediction_strength : The prediction strength alone.
    structure_test : The test against structureless data with other statistics.
    cluster_stability : The stability of single clusters alone.

    Notes
    -----
    Scale the features first, or in a pipeline. The evidence for each value of the parameter is:

    - the silhouette score; noise counts as 0;
    - the *valley*: core(i) is the distance of object i to its fifth neighbor, and a step from i to
      j is as long as the largest of their distance, core(i) and core(j). The saddle of two clusters
      is the longest step of the best path between their densest objects. The valley is the mean
      over the clusters a of the smallest log((saddle + e) / (r + e)), where r is the larger median
      core of a and of the other cluster, and e is 5 % of the median distance. Clusters that touch
      have no valley, and neither have the parts of a bent cluster. It is multiplied by the share of
      the objects that are no noise;
    - the prediction strength, see :func:`prediction_strength`;
    - the stability: the mean Jaccard index of the worst cluster in bootstrap samples, see
      :func:`cluster_stability`.

    Silhouette and valley are standardized by those of each law of structureless data; z is the
    least of the results, so that evidence has to exceed that of every law. The rules are:

    1. There is structure if the largest z of the silhouettes has p <= 0.05 for each law (if another
       parameter than the number of clusters is varied, the largest silhouette). If not,
       the verdict is one cluster; it is undetermined if some division has a strength of at least
       0.95 and a stability of at least 0.9, which a continuum can also have.
    2. Numbers are candidates if their strength is at least 0.8, their stability at least 0.75, and
       both z at least 1.645, and if each cluster has more than five objects: fewer that are divided
       off, such as outliers, have no core of their own. Of clusters that touch the valley needs a
       positive z only, if the z of the silhouette is at least 2.5 times that of all other numbers:
       a continuum is divided nearly as well by the next number. If there is no candidate, the
       verdict is undetermined.
    3. Of the candidates, that with the largest silhouette is chosen. A finer division, inside of
       its clusters (at least 95 % of the pairs of objects), of a larger silhouette, and of the same
       strength, stability and least size as a candidate, takes its place if both z are positive,
       and their sum is at least 1.645 times the square root of 2: that the data are not one cloud
       is known by then. If other candidates have more clusters, the verdict is nested if these lie
       inside of those chosen, and undetermined if not.

    Chains have low silhouettes, and break if half of the objects are left out. For single linkage,
    DBSCAN, HDBSCAN and OPTICS the test is that of the valley, and candidates need a stability of at
    least 0.85, the z of the valley and more than five objects only. Other clusterers of chains
    declare it by an attribute of their class, ``finds_chains = True``.

    Data sets, splits and samples are clustered once for each value, and all evidence shares these
    fits; k-means clusters many small data sets at a time. Splits and samples of a value end as soon
    as it can no longer be a candidate, and samples are drawn only if its strength suffices. Time
    and memory grow with the square of the number of objects: for large data, cluster a sample of
    some thousand objects.

    Similarities are an error, as structureless ones are not known: how similar objects of one cloud
    are depends on how similarities were made. If these are a kernel, a positive semidefinite
    matrix, ``sqrt(k_ii + k_jj - 2 k_ij)`` are distances, and ``KernelPCA(kernel="precomputed")``
    finds points that have them; of other similarities s, ``1 - s / s.max()`` are dissimilarities,
    which points need not have.

    No rule can distinguish a continuum from clusters that touch, or the halves of a bent cluster
    from clusters if there are few objects. With fewer objects than features, clusters must be far
    apart to be found.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> choice.n_clusters
    3
    >>> print(choice.verdict.headline)
    3 clusters
    """
    check_n_null(n_null)
    several_resamples("n_resamples", n_resamples)
    param_name = main_parameter(estimator, param_name)
    is_count = clusters_parameter(estimator) == param_name
    # Batches of k-means take arrays.
    data = read_data(X) if type(estimator) is KMeans else as_rows(X, estimator)
    values = _read_values(values_tried(param_name, param_range, data.shape[0]), is_count)
    check_values(param_name, values)
    n_bytes = _BYTES_PER_PAIR * float(data.shape[0]) ** 2
    require_memory("the geometry of all pairs of objects", n_bytes, "cluster a sample of X")
    laws = laws_of(null, data)
    if is_count and values[-1] > data.shape[0]:
        msg = f"param_range must not exceed the {data.shape[0]} objects of X, got {values[-1]}"
        raise ValueError(msg)
    chains = _is_chaining(estimator)
    with caught_warnings() as kept:
        evidence = gather(
            estimator,
            data,
            param_name=param_name,
            param_range=values,
            is_count=is_count,
            laws=laws,
            n_null=n_null,
            n_resamples=n_resamples,
            extension=read_extension("auto", estimator),
            needs=REPRODUCIBLE_CHAINS if chains else REPRODUCIBLE,
            random_state=int(task_seeds(1, 1, random_state)[1][0]),
            n_jobs=n_jobs,
            verbose=verbose,
        )
    warn_once(kept, stacklevel=2)
    return _choice(evidence, n_null, is_count=is_count, chains=chains)


def _read_values(param_range: Any, is_count: bool) -> list[Any]:
    if is_count:
        numbers: list[Any] = np.union1d(1, read_range(param_range)).tolist()
        if len(numbers) < 3:
            msg = f"param_range must hold at least two numbers above 1, got {param_range!r}"
            raise ValueError(msg)
        return numbers
    is_list = hasattr(param_range, "__iter__") and not isinstance(param_range, str)
    values = np.asarray(param_range).tolist() if is_list else []
    if len(values) < 2 or len(set(values)) < len(values):
        msg = f"param_range must hold at least two different values, got {param_range!r}"
        raise ValueError(msg)
    return values


def _is_chaining(estimator: Any) -> bool:
    """Return whether clusters are chains of neighbors, which may have any shape."""
    estimator = last_step(estimator)
    return (
        isinstance(estimator, _CHAINING)
        or getattr(estimator, "linkage", None) == "single"
        or getattr(estimator, "finds_chains", False) is True
    )


def _choice(evidence: Evidence, n_null: int, *, is_count: bool, chains: bool) -> NClustersChoice:
    silhouette, valley = (evidence.test(name) for name in ("silhouette", "valley"))
    tested = valley if chains else silhouette
    fitted = np.flatnonzero(evidence.several)
    z_silhouette, z_valley = least_z(silhouette), least_z(valley)
    divisions = [
        Division(
            n_clusters=int(evidence.n_found[number]),
            silhouette=float(silhouette.values[place]),
            z_silhouette=float(z_silhouette[place]),
            z_valley=float(z_valley[place]),
            smallest=int(evidence.smallest[number]),
            strength=float(evidence.strength[number]),
            jaccard=float(evidence.jaccard[number]),
        )
        for place, number in enumerate(fitted)
    ]
    pvalue = evidence.pvalue(tested.name, is_count=is_count)
    structure = Structure(pvalue, tested.name, evidence.laws, n_null)
    verdict, place = verdict_of(
        divisions,
        structure,
        lambda fine, coarse: evidence.precision(int(fitted[fine]), int(fitted[coarse])),
        chains=chains,
    )
    strengths = evidence.strengths
    return NClustersChoice(
        verdict=verdict,
        pvalue=pvalue,
        param_name=evidence.param_name,
        param_range=np.array(evidence.param_range),
        n_found=evidence.n_found,
        silhouette=silhouette,
        valley=valley,
        prediction_strength=PredictionStrength(
            evidence.n_found, strengths, np.isnan(strengths).sum(axis=1)
        ),
        stability=evidence.jaccard,
        gap=evidence.gap() if is_count else None,
        cluster_stability=None if place is None else evidence.cluster_stability(int(fitted[place])),
    )
