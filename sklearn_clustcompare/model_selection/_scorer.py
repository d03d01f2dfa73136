"""Scorers: indices for grid search, cross-validation and pipelines."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import UNCHANGED, MetadataRequest

from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import Partition, Reading, read
from sklearn_clustcompare._partition.labels import Labels
from sklearn_clustcompare._partition.memberships import is_membership_array
from sklearn_clustcompare._partition.noise import treat_noise_of_one
from sklearn_clustcompare._table.contingency import ContingencyTable, count
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.indices._chosen import Chosen, choose, needs_moments
from sklearn_clustcompare.indices._data import UndefinedIndexError, value_of_data

_known_space = one_of("last_step", "input")

# Share of the objects that should be predicted into the cluster of their largest membership.
_MOST = 0.9

# What some clusterers keep of the objects they were fitted to: positions and rows.
_KEPT_ROWS = (
    ("core_sample_indices_", "components_"),
    ("cluster_centers_indices_", "cluster_centers_"),
)


def make_clustering_scorer(
    index: Any,
    *,
    response: str = "auto",
    space: str = "last_step",
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    **params: Any,
) -> ClusteringScorer:
    """Make a scorer that compares the labels of a clusterer with reference labels, or judges them.

    Indices that need the data (``list_indices(needs_data=True)``) judge the labels without a
    reference, so that a search goes without ``y``. The scorer goes wherever scikit-learn takes
    ``scoring``: grid, randomized and halving search,
    :func:`~sklearn.model_selection.cross_validate`, with pipelines, in parallel. It works for
    clusterers that can predict and for those that cannot.

    Parameters
    ----------
    index : str, Index, list of these or dict
        Name of an index (see :func:`list_indices`) or a record of your own, or several: then the
        scorer computes all of them from one contingency table and returns a dict, and a search
        wants ``refit`` to name the one that decides. A dict of names to ``(index, parameters)``
        computes one index with several parameters.
    response : {"auto", "predict_proba", ``"labels_"``} or str, default="auto"
        Where the labels or memberships of the objects come from:

        - "auto": ``estimator.predict(X)`` if the estimator has ``predict``; else
          ``clone(estimator).fit_predict(X)`` on the objects that are scored. That second fit
          knows nothing of metadata given to ``fit``, such as ``sample_weight``: use
          ``"labels_"`` for labels of a weighted fit.
        - "predict_proba": the memberships ``estimator.predict_proba(X)``, for mixtures and
          pipelines that end in one;
        - ``"labels_"``: the labels found in fitting. This saves the second fit of "auto", but
          is right only if the objects scored are those fitted, so use it with
          :class:`TransductiveSplit`. What betrays other objects is checked: the number of
          labels; what the estimator predicts or keeps of the objects. Clusterers that keep
          nothing (such as agglomerative clustering) are checked for the number alone.
        - any other name: a method of the estimator, called with X, or an attribute that holds
          what was found in fitting, such as ``u`` of fuzzy c-means packages; labels, or
          memberships of shape (n_samples, n_clusters). Attributes are checked as
          ``"labels_"`` are; nine in ten objects must be predicted where their membership is
          largest.
    space : {"last_step", "input"}, default="last_step"
        Where indices that need the data are computed: in the data as the last step of a pipeline
        sees them, or in those given to the scorer. Values of "last_step" are comparable only among
        candidates whose steps before the last one are the same: take "input" for a grid that
        changes these.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        What objects with the label of :term:`noise` are: one cluster, a cluster each, or left out.
    noise_label : hashable, default=-1
        :term:`Label of noise <noise_label>` on either side; it need not occur.
    **params : dict
        Parameters of the indices, such as ``q=0.5``; each goes to those that take it.

    Returns
    -------
    ClusteringScorer
        Callable ``scorer(estimator, X, y, sample_weight=None)``. Higher is better: distances, and
        other indices of which lower values are better, are negated. ``sample_weight`` weighs
        objects in the comparison only; indices that need the data take none.

    Raises
    ------
    ValueError
        If an index or a value of a parameter is unknown.
    TypeError
        If no index takes a parameter, or the response is no text.

    See Also
    --------
    TransductiveSplit : Fit and score all objects, for clusterers that cannot predict.

    Notes
    -----
    ``noise="drop"`` rewards clusterers that leave out the difficult objects.

    Where an index that needs the data has no value, such as the silhouette of one cluster, the
    score is NaN with an :class:`~sklearn.exceptions.UndefinedMetricWarning`. Searches rank NaN
    last.

    A search with scikit-learn's default ``error_score=nan`` turns errors in scoring into
    warnings and NaN, and all candidates that fail tie for the best. Pass
    ``error_score="raise"`` to stop at the first error.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn_clustcompare import make_clustering_scorer
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(
    ...     KMeans(random_state=0),
    ...     {"n_clusters": [2, 3, 4, 5]},
    ...     scoring=make_clustering_scorer(["adjusted_rand_score", "purity_score"]),
    ...     refit="adjusted_rand_score",
    ... ).fit(X, y)
    >>> sorted(name for name in search.cv_results_ if name.startswith("rank"))
    ['rank_test_adjusted_rand_score', 'rank_test_purity_score']
    """
    chosen = choose(index, params, "index", with_data=True)
    _known_space("space", space)
    if not isinstance(response, str):
        msg = f"response must be 'auto' or the name of a method or attribute, got {response!r}"
        raise TypeError(msg)
    reading = Reading(possibilistic=possibilistic, noise=noise, noise_label=noise_label)
    several = isinstance(index, list | tuple | dict)
    return ClusteringScorer(chosen, several, response, reading, space)


class ClusteringScorer:
    """A scorer for clusterers; made by :func:`make_clustering_scorer`.

    Calling ``scorer(estimator, X, y, sample_weight=None)`` with a fitted estimator returns a
    float, or a dict of floats by index name if it was made for a list of indices. Higher is
    better: distances are negated. ``y`` is needed for indices of two partitions only.

    Parameters
    ----------
    chosen : tuple of Chosen
        The indices to compute, with their parameters.
    several : bool
        Whether a call returns a dict of scores.
    response : str
        Where the labels or memberships come from, as in :func:`make_clustering_scorer`.
    reading : Reading
        ``possibilistic``, ``noise`` and ``noise_label``, as in :func:`make_clustering_scorer`.
    space : str, default="last_step"
        Where indices of the data are computed, as in :func:`make_clustering_scorer`.

    See Also
    --------
    make_clustering_scorer : Makes it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn_clustcompare import make_clustering_scorer
    >>> X, y = [[0.0], [1.0], [9.0], [10.0]], ["low", "low", "high", "high"]
    >>> scorer = make_clustering_scorer("van_dongen_distance")
    >>> scorer
    make_clustering_scorer('van_dongen_distance', response='auto')
    >>> scorer(KMeans(n_clusters=2, random_state=0).fit(X), X, y)
    0.0
    >>> scorer(KMeans(n_clusters=1, random_state=0).fit(X), X, y)
    -2.0
    """

    def __init__(
        self,
        chosen: tuple[Chosen, ...],
        several: bool,
        response: str,
        reading: Reading,
        space: str = "last_step",
    ) -> None:
        self._chosen = chosen
        self._several = several
        self._response = response
        self._reading = reading
        self._space = space
        self._sample_weight_request: bool | str | None = None

    def __call__(
        self, estimator: Any, X: Any, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> float | dict[str, float]:
        """Score a fitted estimator.

        Parameters
        ----------
        estimator : object
            Fitted clusterer, or a pipeline that ends in one.
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
            Their reference labels or memberships; ignored by indices that need the data.
        sample_weight : array-like of shape (n_samples,), default=None
            :term:`Frequency weights <sample_weight>`; None weighs every object 1.

        Returns
        -------
        float or dict of str to float
            The score or scores; higher is better.
        """
        self._check_given(y, sample_weight)
        found = _find_labels(estimator, X, self._response)
        partition = read(found.labels, "labels_pred", self._reading)
        values: dict[str, float] = {}
        if compared := self._indices(needs_data=False):
            moments = needs_moments(compared)
            table = count(y, partition, sample_weight, self._reading, moments=moments)
            values.update((one.name, one.value(table)) for one in compared)
        if judged := self._indices(needs_data=True):
            space = X if self._space == "input" else _last_space(found.estimator, X)
            values.update(self._values_of_data(judged, space, partition))
        scores = {
            one.name: values[one.name] if one.index.greater_is_better else 0.0 - values[one.name]
            for one in self._chosen
        }
        return scores if self._several else next(iter(scores.values()))

    def _indices(self, *, needs_data: bool) -> tuple[Chosen, ...]:
        return tuple(one for one in self._chosen if one.index.needs_data == needs_data)

    def _check_given(self, y: Any, sample_weight: Any) -> None:
        compared, judged = (self._indices(needs_data=needs) for needs in (False, True))
        if compared and y is None:
            msg = (
                f"a scorer of {_names(compared)} needs reference labels: pass y to fit() or to the "
                "scorer, got y=None"
            )
            raise ValueError(msg)
        if judged and sample_weight is not None:
            msg = f"sample_weight must be None for {_names(judged)}, which take no weights"
            raise ValueError(msg)

    def _values_of_data(
        self, indices: tuple[Chosen, ...], X: Any, partition: Partition
    ) -> Iterator[tuple[str, float]]:
        kept = None
        if isinstance(partition, Labels):
            partition, kept = treat_noise_of_one(partition, self._reading)
        for one in indices:
            is_pairwise = one.parameters.get("metric") == "precomputed"
            points = X if kept is None else _take(X, kept, is_pairwise)
            try:
                if not partition.n_objects:
                    msg = "all objects are noise"
                    raise UndefinedIndexError(msg)
                yield one.name, value_of_data(one.index, points, partition, **one.parameters)
            except UndefinedIndexError as error:
                yield one.name, _undefined(one.name, error)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClusteringScorer):
            return NotImplemented
        return vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((tuple(one.name for one in self._chosen), self._several, self._response))

    def __repr__(self) -> str:
        arguments = [self._index_text(), f"response={self._response!r}"]
        arguments += [
            f"{one.name}={getattr(self._reading, one.name)!r}"
            for one in fields(Reading)
            if getattr(self._reading, one.name) != one.default
        ]
        if self._space != "last_step":
            arguments.append(f"space={self._space!r}")
        if not self._are_renamed:
            given = {key: value for one in self._chosen for key, value in one.parameters.items()}
            arguments += [f"{name}={value!r}" for name, value in given.items()]
        return f"make_clustering_scorer({', '.join(arguments)})"

    @property
    def _are_renamed(self) -> bool:
        return any(one.name != one.index.name for one in self._chosen)

    def _index_text(self) -> str:
        if self._are_renamed:
            return repr({one.name: (one.index.name, dict(one.parameters)) for one in self._chosen})
        names = [one.name for one in self._chosen]
        return repr(names if self._several else names[0])

    def set_score_request(
        self, *, sample_weight: bool | str | None = UNCHANGED
    ) -> ClusteringScorer:
        """Request metadata for scoring, where metadata routing is enabled.

        Call it before the scorer goes into a search that is given ``sample_weight``. Without
        metadata routing, scikit-learn's default, it has no effect.

        Parameters
        ----------
        sample_weight : bool, str or None, default=UNCHANGED
            Whether the ``sample_weight`` given to a search is passed on to this scorer, or
            under which name; None raises an error if weights are given.

        Returns
        -------
        ClusteringScorer
            The scorer itself.

        See Also
        --------
        ClusteringScorer.get_metadata_routing : What was requested.

        Examples
        --------
        >>> from sklearn_clustcompare import make_clustering_scorer
        >>> scorer = make_clustering_scorer("purity_score").set_score_request(sample_weight=True)
        >>> scorer.get_metadata_routing().score.requests
        {'sample_weight': True}
        """
        if sample_weight != UNCHANGED:
            self._sample_weight_request = sample_weight
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """Return which metadata the scorer takes, in scikit-learn's form.

        scikit-learn calls it where metadata routing is enabled; users need it only to see what
        was requested.

        Returns
        -------
        MetadataRequest
            The request for ``sample_weight``; none if an index needs the data.

        See Also
        --------
        ClusteringScorer.set_score_request : Sets it.

        Examples
        --------
        >>> from sklearn_clustcompare import make_clustering_scorer
        >>> make_clustering_scorer("purity_score").get_metadata_routing().score.requests
        {'sample_weight': None}
        """
        request = MetadataRequest(owner=repr(self))
        if self._accept_sample_weight():
            request.score.add_request(param="sample_weight", alias=self._sample_weight_request)
        return request

    def _accept_sample_weight(self) -> bool:
        # Asked by scikit-learn where metadata routing is off.
        return not self._indices(needs_data=True)


def _names(indices: tuple[Chosen, ...]) -> str:
    return ", ".join(one.name for one in indices)


def _undefined(name: str, reason: Exception) -> float:
    warnings.warn(
        f"the score of {name} is NaN, which a search ranks last: {reason}",
        UndefinedMetricWarning,
        stacklevel=2,
    )
    return math.nan


def _take(X: Any, positions: NDArray[np.intp], is_pairwise: bool) -> Any:
    taken = _rows(X, positions)
    return taken[:, positions] if is_pairwise else taken


def _rows(X: Any, positions: NDArray[np.intp]) -> Any:
    return X[positions] if issparse(X) else np.asarray(X)[positions]


# --------------------------------------------------------------------------- labels and data


class _Found(NamedTuple):
    """Labels or memberships, and the estimator that found them."""

    labels: Any
    estimator: Any


def _find_labels(estimator: Any, X: Any, response: str) -> _Found:
    if response == "auto":
        return _predicted_labels(estimator, X)
    return _Found(_named_response(estimator, X, response), estimator)


def _named_response(estimator: Any, X: Any, response: str) -> Any:
    if response != "labels_" and callable(getattr(estimator, response, None)):
        return getattr(estimator, response)(X)
    if isinstance(estimator, Pipeline):
        return _named_response(estimator[-1], estimator[:-1].transform(X), response)
    return _fitted_labels(estimator, X, response)


def _last_space(estimator: Any, X: Any) -> Any:
    """Return the data as the last step of a pipeline sees them."""
    if isinstance(estimator, Pipeline):
        return _last_space(estimator[-1], estimator[:-1].transform(X))
    return X


def _predicted_labels(estimator: Any, X: Any) -> _Found:
    if hasattr(estimator, "predict"):
        return _Found(estimator.predict(X), estimator)
    if hasattr(estimator, "fit_predict"):
        fresh = clone(estimator)
        return _Found(fresh.fit_predict(X), fresh)
    msg = (
        f"the estimator must have predict or fit_predict to be scored as a clusterer, "
        f"got {type(estimator).__name__}"
    )
    raise TypeError(msg)


def _fitted_labels(estimator: Any, X: Any, response: str) -> Any:
    name = type(estimator).__name__
    if not hasattr(estimator, response):
        msg = f"response={response!r} needs a fitted estimator with {response}, got {name}"
        raise TypeError(msg)
    labels = getattr(estimator, response)
    if not issparse(labels):
        labels = np.asarray(labels)
    if labels.ndim not in (1, 2):
        msg = (
            f"response={response!r} must name labels or memberships of {name}, "
            f"got {type(getattr(estimator, response)).__name__}"
        )
        raise TypeError(msg)
    n_scored = X.shape[0] if hasattr(X, "shape") else len(X)
    n_fitted = labels.shape[0]
    if n_fitted != n_scored:
        reason = f"{name} was fitted to {n_fitted} objects, {n_scored} are scored"
    elif not _fits_what_is_kept(estimator, X, labels):
        reason = f"{name} was fitted to other objects than are scored"
    else:
        return labels
    msg = (
        f"response={response!r} must score the objects that were fitted, but {reason}: "
        "use cv=TransductiveSplit() or response='auto'"
    )
    raise ValueError(msg)


def _fits_what_is_kept(estimator: Any, X: Any, labels: NDArray[Any]) -> bool:
    for positions, rows in _KEPT_ROWS:
        if hasattr(estimator, positions) and hasattr(estimator, rows):
            return _same_rows(X, getattr(estimator, positions), getattr(estimator, rows))
    if not hasattr(estimator, "predict"):
        return True
    predicted = estimator.predict(X)
    if not is_membership_array(labels):
        return bool(np.array_equal(predicted, labels))
    # The last memberships of an iteration need not be quite those of its last centres.
    largest = np.asarray(labels.argmax(axis=1)).ravel()
    table = ContingencyTable.from_labels(largest, predicted)
    return get_index("matching_accuracy_score")(table) >= _MOST


def _same_rows(X: Any, positions: NDArray[np.intp], rows: Any) -> bool:
    taken = _rows(X, positions)
    if issparse(taken):
        return bool((taken != rows).nnz == 0)
    return bool(np.array_equal(taken, rows))
