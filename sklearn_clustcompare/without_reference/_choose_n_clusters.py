"""Choose the number of clusters without a reference, by one rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import clone
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
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.without_reference._extension import read_extension
from sklearn_clustcompare.without_reference._fitting import (
    Clustering,
    Warnings,
    caught_warnings,
    checked_clustering,
    fit_seeds,
    seeded,
    warn_once,
)
from sklearn_clustcompare.without_reference._gap import read_range
from sklearn_clustcompare.without_reference._geometry import FEWEST
from sklearn_clustcompare.without_reference._large_data import (
    LookedAt,
    labels_of_all,
    look_at,
    scaled,
    scaled_parameters,
)
from sklearn_clustcompare.without_reference._n_clusters_result import NClustersChoice
from sklearn_clustcompare.without_reference._null_data import check_null, laws_of
from sklearn_clustcompare.without_reference._resamples import Square, all_distances, values_of
from sklearn_clustcompare.without_reference._rule import Evidence
from sklearn_clustcompare.without_reference._stability_search import check_n_null
from sklearn_clustcompare.without_reference._verdict import MOST, NClustersVerdict, decide

_CHAINING = (DBSCAN, HDBSCAN, OPTICS)
# At most five matrices at a time, as measured.
_BYTES_PER_PAIR = 40


def choose_n_clusters(
    estimator: Any,
    X: ArrayLike,
    param_range: Any = None,
    *,
    param_name: str = "auto",
    null: Any = "auto",
    n_null: int = 39,
    n_resamples: int = 20,
    subsample: Any = "auto",
    n_subsamples: int = 5,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> NClustersChoice:
    """Choose the number of clusters without a reference, with an honest grade.

    The best number is always named, and how sure it is: "separated" clusters have cores denser than
    the passes between them, and come back in other halves of the data; "touching" ones come back,
    but may be parts of one; "tentative" ones do not come back; "one" cluster if the data differ in
    nothing from :term:`structureless data`. Print the result, or draw it with ``.plot()``.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data; or the distances of all objects, if the clusterer takes these. Of large data, such
        as a memory map or a dask array, only samples are read, and blocks of rows to label them.
    param_range : array-like of shape (n_values,), default=None
        Values to try. Numbers of clusters are increasing integers, at least one above 1; one
        cluster is always included. None tries 1 to 10 clusters, and more if 10 are the best; or
        every fifth ``min_cluster_size`` from 5 to 50 and to half of the objects.
    param_name : str, default="auto"
        Parameter to vary: the number of clusters, such as "kmeans__n_clusters" for a pipeline; or
        another one, such as "eps", where the number of clusters found stands for it. "auto" finds
        the last step's ``n_clusters``, ``n_components`` or ``min_cluster_size``.
    null : str, callable or list of them, default="auto"
        Law of the :term:`structureless data`, by its name or as a function, or several. "auto" is
        "copula" and "elliptical", also "pca" for continuous columns, and "rates" for counts.
    n_null : int, default=39
        Number of structureless data sets of each law at most, at least 19.
    n_resamples : int, default=20
        Number of splits of the data at most.
    subsample : int, None or "auto", default="auto"
        Rows of each sample that the evidence is taken from; None for all rows in one. "auto" takes
        samples of 500 above 1,500 rows. Clusters of fewer than some 5 % of the rows need larger
        ones.
    n_subsamples : int, default=5
        Number of these samples, which are disjoint.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.

    Returns
    -------
    NClustersChoice
        With ``n_clusters``, ``verdict``, ``labels``, the fitted ``estimator``, and all evidence.

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
    NClustersSearch : The same as an estimator, for pipelines.
    gap_statistic : The gap statistic alone, with more rules.
    prediction_strength : The prediction strength alone.
    structure_test : The test against structureless data with other statistics.
    cluster_stability : The stability of single clusters.

    Notes
    -----
    Scale the features first, or in a pipeline. A *division* is a partition into several clusters of
    more than five objects each: fewer are outliers. The evidence for each is:

    - the silhouette;
    - the *strength*: the mean prediction strength of 20 splits of the data [1]_. A division *comes
      back* if it is at least 0.8, within its standard error;
    - the *ratio*. In the first max(3, k - 1) principal axes of k clusters, a step from one object
      to another is as long as the largest of their distance and the radii of both balls of m
      neighbors, with m a sixth of the smallest cluster, but 5 to 10. From the densest object of a
      cluster, the best path to that of any other has the longest step r. The ratio is the mean
      number of neighbors within r of the densest quarter of the cluster, divided by m; of the worst
      cluster. Rounded values are first spread within their rounding.

    The rule has five steps:

    1. Divisions that come back with a ratio of at least 2.5 are separated. Of these, that with the
       largest silhouette is chosen, and no structureless data are drawn. Finer divisions inside of
       its clusters (95 % of the pairs of objects) that come back with a ratio of at least 1 are
       named as ``finer``.
    2. Otherwise 39 structureless data sets of each law are clustered. z is the silhouette in
       standard deviations above the mean of those that have a division. Laws that the data
       contradict are dropped: some z is below -3, or most sets have no division [2]_.
    3. The p-value is that of the largest z, the largest one over the laws that are left. If it is
       above 0.05, the verdict is one cluster.
    4. Of the divisions with a ratio of at least 1, those that come back with a z of at least 1.645
       are touching, and that with the largest silhouette is chosen. If there are none, the largest
       silhouette of all is tentative if its z is as large, else the verdict is one cluster.
    5. If no range was given and the last number has the largest silhouette, numbers up to 30 are
       tried, up to the largest that comes back.

    More structureless data are drawn only while they might change the decision, at most ``n_null``.

    Chains have low silhouettes, and break if half of the objects are left out. For single linkage,
    DBSCAN, HDBSCAN, OPTICS and parameters that are not the number of clusters, the finest division
    is chosen that is separated, with the mean Jaccard index of its worst cluster in samples of 80 %
    of the objects as its strength. Other clusterers of chains declare it by an attribute of their
    class, ``finds_chains = True``.

    Above 1,500 rows, silhouettes are compared in five disjoint samples; above 2,500 rows, only
    these are read. The clusterer is fitted to them, and all other rows get their labels by
    ``predict``, or from the nearest object. Parameters that count objects, such as ``min_samples``,
    are multiplied by the share of the rows, to at least 5. A radius such as ``eps`` depends on the
    density of the data: then all rows are looked at, and time and memory grow with their square.

    Similarities are an error, as structureless ones are not known: how similar objects of one cloud
    are depends on how similarities were made. If these are a kernel, a positive semidefinite
    matrix, ``sqrt(k_ii + k_jj - 2 k_ij)`` are distances, and ``KernelPCA(kernel="precomputed")``
    finds points that have them; of other similarities s, ``1 - s / s.max()`` are dissimilarities,
    which points need not have.

    No rule can distinguish a continuum from clusters that touch. With fewer objects than features,
    clusters must be far apart to be found; those of fewer than some 15 objects are missed.

    References
    ----------
    .. [1] R. Tibshirani, G. Walther, "Cluster validation by prediction strength", Journal of
       Computational and Graphical Statistics 14(3), 2005, :doi:`10.1198/106186005X59243`
    .. [2] R. L. Berger, D. D. Boos, "P values maximized over a confidence set for the nuisance
       parameter", Journal of the American Statistical Association 89, 1994,
       :doi:`10.1080/01621459.1994.10476836`

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
    3 clusters, separated
    """
    choice, kept = chosen(
        estimator,
        X,
        param_range,
        param_name=param_name,
        null=null,
        n_null=n_null,
        n_resamples=n_resamples,
        subsample=subsample,
        n_subsamples=n_subsamples,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    warn_once(kept, stacklevel=2)
    return choice


def chosen(
    estimator: Any,
    X: Any,
    param_range: Any,
    *,
    param_name: str,
    null: Any,
    n_null: int,
    n_resamples: int,
    subsample: Any,
    n_subsamples: int,
    random_state: RandomStateLike,
    n_jobs: int | None,
    verbose: int,
) -> tuple[NClustersChoice, Warnings]:
    """Return the result, and the warnings of the fits."""
    check_n_null(n_null)
    several_resamples("n_resamples", n_resamples)
    check_null(null)
    name = main_parameter(estimator, param_name)
    is_count = clusters_parameter(estimator) == name
    (entropy,) = task_seeds(1, 1, random_state)[1]
    seeds = tuple(seed for (seed,) in fit_seeds(5, 1, entropy))
    data, looked = look_at(X, estimator, subsample, n_subsamples, seeds[4])
    rows = _as_fitted(estimator, looked.rows)
    if isinstance(rows, Square):
        all_distances(rows.values, rows.kind)  # raises an error for similarities
    if data.shape[0] < 2:
        msg = f"X must hold two objects or more, got n_samples={data.shape[0]}"
        raise ValueError(msg)
    share, n_rows = looked.share(data.shape[0]), rows.shape[0]
    values = _values(name, param_range, n_rows, is_count)
    n_bytes = _BYTES_PER_PAIR * float(n_rows) ** 2
    require_memory("the geometry of all pairs of objects", n_bytes, "pass subsample=500")
    with caught_warnings() as kept:
        evidence = Evidence(
            clone(estimator).set_params(**scaled_parameters(estimator, share)),
            rows,
            [{name: scaled(name, value, share)} for value in values],
            extension=read_extension("auto", estimator),
            laws=lambda: laws_of(null, rows),
            n_null=n_null,
            n_resamples=n_resamples,
            n_parts=looked.n_parts,
            chains=not is_count or _is_chaining(estimator),
            seeds=seeds,
            how={"n_jobs": n_jobs, "verbose": verbose},
        )
        can_go_on = param_range is None and is_count
        verdict, place = decide(evidence, (lambda k: {name: k}) if can_go_on else None)
        found = _final(evidence, looked, place, {name: 1} if is_count else None)
        labels = labels_of_all(data, looked, found, evidence.extension)
    tried = [one[name] for one in evidence.candidates] if is_count else values
    choice = _result(evidence, verdict, name, tried, is_count=is_count)
    return replace(choice, labels=labels, estimator=found.model, subsample=looked.size), kept


def _as_fitted(estimator: Any, rows: Any) -> Any:
    """Return rows as batches of k-means take them; whether they are finite is left to a fit."""
    is_batch = type(estimator) is KMeans and not issparse(rows)
    return np.asarray(rows, dtype=np.float64) if is_batch else rows


def _final(
    evidence: Evidence, looked: LookedAt, place: int | None, one: dict[str, Any] | None
) -> Clustering:
    """Return the fit of the clusterer to the rows that were looked at, as they were given."""
    parameters, n_rows = one if place is None else evidence.candidates[place], evidence.X.shape[0]
    if parameters is None:
        return Clustering(None, np.zeros(n_rows, np.intp), None)
    seed = fit_seeds(1, len(evidence.candidates), evidence.seeds[0])[0][place or 0]
    model = seeded(clone(evidence.estimator).set_params(**parameters), seed)
    found = checked_clustering(model, values_of(looked.rows))
    return found if place is not None else found._replace(labels=np.zeros(n_rows, np.intp))


def _result(
    evidence: Evidence,
    verdict: NClustersVerdict,
    name: str,
    tried: Sequence[Any],
    *,
    is_count: bool,
) -> NClustersChoice:
    """Return the evidence of all values; one cluster, which is not fitted, has none."""
    places = range(len(evidence.candidates))
    ones = np.ones(1 if is_count else 0, np.intp)
    none = np.full(len(ones), np.nan)
    return NClustersChoice(
        verdict=verdict,
        param_name=name,
        param_range=np.array([*ones.tolist(), *tried]),
        n_found=np.append(ones, evidence.numbers),
        silhouette=np.append(none, evidence.silhouette),
        strength=np.append(none, [evidence.strength(place) for place in places]),
        ratio=np.append(none, evidence.ratio),
        z=np.append(none, evidence.z),
        grades=(*[""] * len(ones), *(evidence.grade(place) for place in places)),
        null_silhouettes={
            law: np.column_stack([np.full((len(one), len(ones)), np.nan), one])
            for law, one in evidence.null_silhouettes.items()
        },
        pvalue=None if evidence.test is None else evidence.test.pvalue,
        labels=np.empty(0),
        estimator=None,
        subsample=None,
    )


def _values(name: str, given: Any, n_rows: int, is_count: bool) -> list[Any]:
    """Return the values to fit: without one cluster, which is no division."""
    if given is None and is_count:
        return list(range(2, min(MOST, max(n_rows // (FEWEST + 1), 2)) + 1))
    param_range = values_tried(name, given, n_rows)
    check_values(name, param_range if hasattr(param_range, "__iter__") else [])
    if is_count:
        numbers: list[Any] = np.setdiff1d(read_range(param_range), 1).tolist()
        if not numbers:
            msg = f"param_range must hold at least one number above 1, got {param_range!r}"
            raise ValueError(msg)
        if numbers[-1] > n_rows:
            msg = f"param_range must not exceed the {n_rows} objects of X, got {numbers[-1]}"
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
