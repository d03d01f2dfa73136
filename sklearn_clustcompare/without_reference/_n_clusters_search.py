"""The number of clusters as an estimator."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare.model_selection._labels import predicted
from sklearn_clustcompare.without_reference._choose_n_clusters import chosen
from sklearn_clustcompare.without_reference._fitting import warn_once
from sklearn_clustcompare.without_reference._stability_search import best_can


class NClustersSearch(MetaEstimatorMixin, ClusterMixin, BaseEstimator):
    """Choose the number of clusters without a reference, as an estimator.

    It is :func:`choose_n_clusters` for pipelines and searches: the same rule, with the same result.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one.
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
    random_state : int, RandomState, Generator, SeedSequence or None, default=None
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.

    Attributes
    ----------
    n_clusters_ : int or None
        The number of clusters; None if nothing was divided.
    labels_ : ndarray of shape (n_samples,)
        Labels of all objects; those of one cluster if nothing was divided.
    verdict_ : NClustersVerdict
        The number with its grade and reasons.
    best_params_ : dict
        The value of the parameter that was chosen; empty for chains without a division.
    best_estimator_ : estimator or None
        The clusterer, fitted with it.
    result_ : NClustersChoice
        All evidence.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if all of them are text.

    See Also
    --------
    choose_n_clusters : Its short form, with the rule in its Notes.
    StabilitySearch : Chooses any parameters by stability.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import NClustersSearch
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> search = NClustersSearch(KMeans(), random_state=0).fit(X)
    >>> search.n_clusters_, search.best_params_
    (3, {'n_clusters': 3})
    """

    def __init__(
        self,
        estimator: Any,
        param_range: Any = None,
        *,
        param_name: str = "auto",
        null: Any = "auto",
        n_null: int = 39,
        n_resamples: int = 20,
        subsample: Any = "auto",
        n_subsamples: int = 5,
        random_state: RandomStateLike = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.param_range = param_range
        self.param_name = param_name
        self.null = null
        self.n_null = n_null
        self.n_resamples = n_resamples
        self.subsample = subsample
        self.n_subsamples = n_subsamples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: Any = None) -> NClustersSearch:
        """Choose the number of clusters, and label all objects.

        No reference is used.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            The data, as for :func:`choose_n_clusters`.
        y : object
            Ignored; present for API consistency.

        Returns
        -------
        NClustersSearch
            Itself.

        Warns
        -----
        UserWarning
            If nothing was divided, with the reason.

        See Also
        --------
        choose_n_clusters : The same as a function.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import NClustersSearch
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> NClustersSearch(KMeans(), random_state=0).fit(X).verdict_.grade
        'separated'
        """
        validate_data(self, X, skip_check_array=True)
        options = self.get_params(deep=False)
        found, kept = chosen(options.pop("estimator"), X, options.pop("param_range"), **options)
        warn_once(kept, stacklevel=2)
        self.result_, self.verdict_ = found, found.verdict
        self.n_clusters_, self.labels_ = found.n_clusters, found.labels
        self.best_estimator_, self.best_params_ = found.estimator, {}
        if found.estimator is not None:
            value = found.estimator.get_params(deep=True)[found.param_name]
            self.best_params_ = {found.param_name: value}
        if found.n_clusters is None:
            msg = f"X has no number of clusters: {found.verdict.reasons[0]}"
            warnings.warn(msg, UserWarning, stacklevel=2)
        return self

    @best_can("predict")  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> NDArray[Any]:
        """Label objects with the chosen clusterer, if it can predict.

        For clusterers that cannot predict, use ``labels_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.

        See Also
        --------
        NClustersSearch.fit : Finds the clusterer.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import NClustersSearch
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> search = NClustersSearch(KMeans(), random_state=0).fit(X)
        >>> bool((search.predict(X) == search.labels_).all())
        True
        """
        check_is_fitted(self, "best_estimator_")
        labels: NDArray[Any] = predicted(self.best_estimator_, X)
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        own = get_tags(self.estimator)
        tags.input_tags.sparse = own.input_tags.sparse
        tags.input_tags.allow_nan = own.input_tags.allow_nan
        tags.input_tags.positive_only = own.input_tags.positive_only
        tags.input_tags.pairwise = own.input_tags.pairwise
        return tags
