"""Scorers and splits for searches, and how they find the labels of the objects to score."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from inspect import Parameter, signature
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import BaseCrossValidator
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import UNCHANGED, MetadataRequest

from sklearn_clustcompare._array_types import Positions
from sklearn_clustcompare._clusterers import pairs_given, pairs_taken
from sklearn_clustcompare._data import (
    caution,
    check_data,
    is_far,
    nearest_centers,
    read_pairs,
    to_fit,
)
from sklearn_clustcompare._options import shortened, tells_keywords, warn_caller
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import Partition, Reading, partners, read, read_weights
from sklearn_clustcompare._partition.arrays import MatrixLike, device_error, is_on_device
from sklearn_clustcompare._partition.memberships import left_out
from sklearn_clustcompare._table import count_read, require_objects
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import INTERNAL_INDICES, Index
from sklearn_clustcompare.indices._judged import (
    Chosen,
    Judged,
    choose,
    needs_moments,
    spelled,
    treats_noise,
)
from sklearn_clustcompare.indices._record import ALL_NOISE, UndefinedIndexError, rows_of

# Halving searches draw the objects to fit and to score.
_WAYS_OUT = (
    "response='fit_predict' to cluster the objects that are scored again, or "
    "cv=TransductiveSplit() to score the objects fitted (also in a halving search, by an int as "
    "its random_state)"
)

# Attributes in which some clusterers keep objects they were fitted to: positions and rows.
_KEPT_ROWS = (
    ("core_sample_indices_", "components_"),
    ("cluster_centers_indices_", "cluster_centers_"),
)
# Distances of these rows from those scored, relative to their scatter: by rounding, and where the
# steps of a pipeline transform the objects of their fit in another way (NMF: up to 0.1).
_ROUNDING, _TRANSFORMED = 1e-6, 0.2
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class Found(NamedTuple):
    """Labels or memberships, the estimator that found them, and the data it was given."""

    labels: Any
    estimator: Any
    X: Any


def parameters_of_space(
    index: Index, parameters: Mapping[str, Any], pairs: str | None
) -> dict[str, Any]:
    """Return parameters of an index of the data for a space of pairs of objects, or features.

    Distances are taken as such unless another metric is given, which takes their rows for features.
    Raise ValueError where an index cannot be computed of what a clusterer takes.
    """
    given = dict(parameters)
    if index.needs_graph:
        if pairs == "distances":
            msg = (
                f"{index.name} must be computed of the edges of a graph or of similarities, got "
                "the distances between objects that the clusterer takes"
            )
            raise ValueError(msg)
        return given
    is_known = INTERNAL_INDICES.get(index.name) is index
    if pairs is None or not is_known or given.get("metric", "precomputed") != "precomputed":
        return given
    if "metric" in index.parameters and pairs == "distances":
        return given | {"metric": "precomputed"}
    needs = "distances" if "metric" in index.parameters else "features of the objects"
    msg = (
        f"{index.name} must be computed of {needs}, got the {pairs} between objects that the "
        "clusterer takes"
    )
    raise ValueError(msg)


def find_labels(estimator: Any, X: Any, y: Any, sample_weight: Any, response: str) -> Found:
    """Return the labels to score; raise ValueError if they are not those of the objects in X."""
    if X is None:
        check_data(X)
    try:
        if response == "auto" and hasattr(estimator, "predict"):
            return Found(predicted(estimator, X), estimator, X)
        if (pairs := pairs_given(estimator, X)) is not None:
            X = read_pairs(X, pairs)
        if response not in ("auto", "fit_predict"):
            return Found(_named_response(estimator, X, response), estimator, X)
        if response == "fit_predict":
            return _fresh_fit(estimator, X, y, sample_weight)
        return Found(_labels_of_fit(estimator, X, y, sample_weight), estimator, X)
    except Exception as error:
        # Some estimators of scikit-learn take arrays on a device.
        if is_on_device(X):
            raise device_error(X) from error
        raise


# --------------------------------------------------------------------------- steps inside


def innermost_data(found: Found) -> Any:
    """Return the data that the clusterer in pipelines and searches gets."""
    return _inside(found.estimator, found.X)[1]


def space_fitted(estimator: Any, X: Any) -> Any:
    """Return the data that the clusterer in pipelines was fitted to; warn if it may lose digits.

    k-means subtracts the means of dense data itself.
    """
    model, space = innermost(estimator), innermost_data(Found(None, estimator, X))
    if pairs_taken(model) is None:
        caution(model, space, subtracts_means=type(model) is KMeans and not issparse(space))
    return space


def innermost(estimator: Any) -> Any:
    """Return the clusterer in pipelines and searches."""
    return _inside(estimator, None, change=lambda *_: None)[0]


def _inside(
    estimator: Any,
    X: Any,
    method: str = "",
    change: Callable[[Any, Any], Any] = lambda steps, X: steps.transform(X),
) -> tuple[Any, Any]:
    """Return the first estimator with a method in pipelines and searches, and what it gets.

    ``change`` applies the steps before the last one.
    """
    while _is_wrapper(estimator) and not callable(getattr(estimator, method, None)):
        if not isinstance(estimator, Pipeline):
            estimator = estimator.best_estimator_
        else:
            # One without steps does not transform.
            X = change(estimator[:-1], to_fit(X)) if len(estimator) > 1 else X
            estimator = estimator[-1]
    return estimator, X


def _is_wrapper(estimator: Any) -> bool:
    return isinstance(estimator, Pipeline) or hasattr(estimator, "best_estimator_")


def predicted(estimator: Any, X: Any) -> Any:
    """Return what a clusterer predicts, with a caution where it may lose digits of the data.

    k-means is fitted to data less their mean, but predicts by products of the features as they are:
    of data far from 0, objects get the nearest center by differences.
    """
    model, space = _inside(estimator, X)
    if hasattr(model, "fit") and pairs_taken(model) is None and is_far(space):
        if type(model) is KMeans and not issparse(space):
            return nearest_centers(space, model.cluster_centers_)
        caution(model, space)
    return estimator.predict(to_fit(X))


# --------------------------------------------------------------------------- the fit that was made


def _labels_of_fit(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Return the labels found in fitting, if these objects were fitted.

    Rows that the clusterer kept decide it, else another fit with what the scorer got, which must
    find the same clusters.
    """
    step = innermost(estimator)
    name, n_scored = type(step).__name__, _n_objects(X)
    if not hasattr(step, "labels_"):
        msg = (
            "the estimator must be fitted, and have predict or fit_predict with labels_ to be "
            f"scored as a clusterer, got {name}; response='fit_predict' fits it to the objects"
        )
        raise TypeError(msg)
    labels = np.asarray(step.labels_)
    if len(labels) != n_scored:
        reason = f"was fitted to {len(labels)} objects, {n_scored} are scored"
    else:
        seen = _inside(estimator, X)[1]
        if _keeps_rows(step, seen, _ROUNDING):
            return labels
        # The fit need not have got the weights of the score. Steps before the last may transform in
        # another way than in fitting, or find something else in each fit.
        fits = [(step, seen)] if seen is X else [(step, seen), (estimator, X)]
        weights = (None,) if sample_weight is None else (sample_weight, None)
        for (model, data), weight in product(fits, weights):
            if _same_partition(labels, _fresh_fit(model, data, y, weight).labels):
                return labels
        reason = (
            "another fit to the objects that are scored, with y and sample_weight of the score, "
            "finds other clusters: other objects were fitted, or with other arguments"
        )
        if _draws_at_random(estimator):
            reason += ", or each fit finds others (set random_state to an int)"
    msg = (
        f"{name} cannot predict, and {reason}; pass response='labels_' to take labels_ as they are "
        f"if the objects are those fitted, else {_WAYS_OUT}"
    )
    raise ValueError(msg)


def _fresh_fit(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Found:
    """Fit clones of all steps to the objects, the clusterer also with y and weights if it can."""
    estimator, X = _inside(estimator, X, change=lambda one, X: clone(one).fit_transform(X, y))
    if not hasattr(estimator, "fit_predict"):
        msg = (
            "response='fit_predict' needs an estimator with fit_predict, got "
            f"{type(estimator).__name__}"
        )
        raise TypeError(msg)
    fresh = clone(estimator)
    taken = list(signature(fresh.fit).parameters.values())[1:]
    # Searches pass y by position, whatever it is called.
    is_taken = taken and taken[0].name != "sample_weight" and taken[0].kind in _BY_POSITION
    given = [y] if y is not None and is_taken else []
    weighted = sample_weight is not None and any(one.name == "sample_weight" for one in taken)
    fresh.fit(to_fit(X), *given, **({"sample_weight": sample_weight} if weighted else {}))
    space_fitted(fresh, X)
    return Found(
        fresh.labels_ if hasattr(fresh, "labels_") else fresh.fit_predict(to_fit(X)), fresh, X
    )


def _named_response(estimator: Any, X: Any, response: str) -> Any:
    """Return what a method finds for the objects, or an attribute kept of the objects fitted."""
    step, seen = _inside(estimator, X, response)
    name, is_method = type(step).__name__, callable(getattr(step, response, None))
    if not hasattr(step, response):
        msg = f"response={response!r} needs a fitted estimator with {response}, got {name}"
        raise TypeError(msg)
    value = getattr(step, response)(to_fit(seen)) if is_method else getattr(step, response)
    labels = value if issparse(value) else np.asarray(value)
    if labels.ndim not in (1, 2):
        msg = (
            f"response={response!r} must name labels or memberships of {name}, "
            f"got {type(value).__name__}"
        )
        raise TypeError(msg)
    n_found, n_scored = labels.shape[0], _n_objects(X)
    if n_found != n_scored and labels.shape[-1] == n_scored:
        msg = (
            f"response={response!r} must have a row for each of the {n_scored} objects, got the "
            f"shape {labels.shape} of {name}: is it transposed? Name a method or attribute that "
            "returns its .T"
        )
        raise ValueError(msg)
    if is_method:
        return value
    if n_found != n_scored:
        reason = f"{name} was fitted to {n_found} objects, {n_scored} are scored"
    elif _keeps_rows(step, seen, _ROUNDING if seen is X else _TRANSFORMED) is False:
        reason = f"{name} was fitted to other objects than are scored"
    else:
        return labels
    msg = (
        f"response={response!r} must score the objects that were fitted, but {reason}; pass "
        f"{_WAYS_OUT}"
    )
    raise ValueError(msg)


def _keeps_rows(estimator: Any, X: Any, tolerance: float) -> bool | None:
    """Return whether the rows that a clusterer kept are those of X; None if it kept none."""
    for positions, rows in _KEPT_ROWS:
        kept = np.asarray(getattr(estimator, positions, ()))
        if hasattr(estimator, rows) and len(kept):
            return _offset(rows_of(X, kept), getattr(estimator, rows)) <= tolerance
    return None


def _offset(rows: Any, kept: Any) -> float:
    """Return the distance of rows from those kept, relative to the scatter of the latter."""
    if rows.shape != kept.shape:
        return math.inf
    if issparse(rows) and issparse(kept):
        return math.inf if (rows != kept).nnz else 0.0
    rows, kept = (one.toarray() if issparse(one) else one for one in (rows, kept))
    if np.array_equal(rows, kept):
        return 0.0
    scatter = np.linalg.norm(kept - kept.mean(axis=0))
    return float(np.linalg.norm(rows - kept) / scatter) if scatter else math.inf


def _n_objects(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _same_partition(first: Any, second: Any) -> bool:
    """Return whether two results have the same clusters."""
    table = ContingencyTable.from_labels(first, second)
    # The same labels as well, so that noise is not a cluster.
    return table.is_identity and set(table.row_labels) == set(table.col_labels)


def _draws_at_random(estimator: Any) -> bool:
    """Return whether another fit to the same objects may find other clusters."""
    return any(
        name.split("__")[-1] == "random_state" and not isinstance(value, int | np.integer)
        for name, value in estimator.get_params().items()
    )


_known_space = one_of("last_step", "input")


def _bic(estimator: Any, X: Any) -> float:
    return float(estimator.bic(X))


def _aic(estimator: Any, X: Any) -> float:
    return float(estimator.aic(X))


# Criteria of fitted estimators, which evaluate the estimator in place of its labels.
_OF_ESTIMATORS = {
    name: Index(
        name,
        function=function,
        greater_is_better=False,
        range=(-math.inf, math.inf),
        symmetric=False,
        needs_data=True,
        source=source,
    )
    for name, function, source in (("bic", _bic, "Schwarz (1978)"), ("aic", _aic, "Akaike (1974)"))
}


@partial(tells_keywords, treats_noise=treats_noise)
def make_clustering_scorer(
    index: Any,
    *,
    response: str = "auto",
    space: str = "last_step",
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    **params: Any,
) -> ClusteringScorer:
    """Make a scorer from indices, for the labels that a clusterer finds.

    Pass the scorer as ``scoring`` to scikit-learn: grid, randomized and halving search,
    :func:`~sklearn.model_selection.cross_validate`, with pipelines, in parallel. Most indices
    compare the labels with reference labels ``y``. Indices that need the data
    (``list_indices(needs_data=True)``) evaluate the labels without a reference, in searches without
    ``y``. Clusterers need not be able to predict.

    Parameters
    ----------
    index : str, callable, Index, list of these or dict
        The :term:`index` (see :func:`list_indices`), or several: the scorer then computes all of
        them from one contingency table and returns a dict, and ``refit`` of a search must name the
        one that decides, as it was written. Pass a dict of names to ``(index, parameters)`` to
        compute one index with several parameters. "bic" and "aic" are the information criteria of
        the estimator, such as a Gaussian mixture: ``estimator.bic(X)``, negated, without ``y``.
    response : {"auto", "predict_proba", "fit_predict", ``"labels_"``} or str, default="auto"
        Where the labels or memberships of the objects come from:

        - "auto": ``estimator.predict(X)`` if the estimator has ``predict``; else its ``labels_``,
          if these are of the objects scored. Rows of the data that it kept, as DBSCAN does, show
          it. Other clusterers are fitted again to the objects scored, with ``y`` and
          ``sample_weight`` if they take them, and must find the same clusters.
        - "predict_proba": the memberships ``estimator.predict_proba(X)``, for mixtures and
          pipelines that end in one;
        - ``"labels_"``: the labels found in fitting as they are, of the best estimator if this is a
          search. Only their number and rows that the estimator kept are checked, so use it with
          :class:`TransductiveSplit`. It saves the second fit of "auto", and takes clusterers that
          find other clusters in each fit, or were fitted with arguments that a scorer does not get.
        - "fit_predict": labels of a fresh fit to the objects scored, with ``y`` and
          ``sample_weight`` if the estimator takes them. In folds, parameters that depend on the
          number of objects, such as ``eps``, are then chosen for samples of that size.
        - any other name: a method of the estimator, called with X, or an attribute that holds
          what was found in fitting, such as ``u`` of fuzzy c-means packages; labels, or
          memberships of shape (n_samples, n_clusters). Attributes are checked as
          ``"labels_"`` are.
    space : {"last_step", "input"}, default="last_step"
        Where indices that need the data are computed: in the input of the last step of a pipeline,
        or in the data given to the scorer. Values of "last_step" are comparable only among
        candidates whose steps before the last one are the same: use "input" for a grid that changes
        them.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.
    **params : dict
        Parameters of the indices, such as ``q=0.5``; each is passed to the indices that take it.

    Returns
    -------
    ClusteringScorer
        Callable ``scorer(estimator, X, y=None, sample_weight=None)``. Higher is better: distances,
        and other indices of which lower values are better, are negated. ``sample_weight`` weights
        the objects compared; indices that need the data take none. Searches of scikit-learn hand it
        to scorers from version 1.7 on.

    Raises
    ------
    ValueError
        If an index or a value of a parameter is unknown, or a list contains an index twice.
    TypeError
        If no index takes a parameter, or the response is not a string.

    See Also
    --------
    TransductiveSplit : Fit and score all objects, for clusterers that cannot predict.

    Notes
    -----
    ``noise="drop"`` favors clusterers that label difficult objects as noise.

    If the clusterer takes precomputed distances, indices with a parameter ``metric`` are computed
    of these; pass ``metric`` to take the rows for features. Other indices, and similarities, are an
    error. Use :class:`TransductiveSplit`: folds hold the distances to other objects.

    If an index is undefined, the score is NaN with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`, and searches rank the candidate last. This
    concerns indices that need the data for one cluster or singletons, and ``noise="drop"`` if all
    objects are noise.

    A fold whose objects are all of one class says nothing about the clusters: there is a warning.
    Rows that are sorted by class need ``KFold(shuffle=True)``.

    Halving searches use the score named "score": with several indices, give one of them this name
    in a dict, and pass ``refit="score"``. Set ``random_state`` of the search to an int; otherwise
    it draws different objects to fit and to score.

    A search with scikit-learn's default ``error_score=nan`` turns errors in scoring into
    warnings and NaN, and all candidates that fail tie for the best. Pass
    ``error_score="raise"`` to stop at the first error.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(
    ...     KMeans(random_state=0),
    ...     {"n_clusters": [2, 3, 4, 5]},
    ...     scoring=make_clustering_scorer(["adjusted_rand_score", "purity_score"]),
    ...     refit="adjusted_rand_score",
    ...     cv=TransductiveSplit(),
    ... ).fit(X, y)
    >>> sorted(name for name in search.cv_results_ if name.startswith("rank"))
    ['rank_test_adjusted_rand_score', 'rank_test_purity_score']
    >>> search.best_params_
    {'n_clusters': 3}
    """
    chosen = choose(index, params, "index", others=_OF_ESTIMATORS)
    _known_space("space", space)
    if not isinstance(response, str):
        rule = "must be 'auto' or the name of a method or attribute"
        msg = f"response {rule}, got {shortened(response)}"
        raise TypeError(msg)
    reading = Reading(possibilistic, noise, noise_label, missing)
    several = isinstance(index, list | tuple | dict)
    return ClusteringScorer(chosen, several, response, reading, space)


class ClusteringScorer:
    """Scorer for clusterers; made by :func:`make_clustering_scorer`.

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

    __module__ = "sklearn_clustcompare.model_selection"  # as pickles name it

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
        self, estimator: Any, X: MatrixLike, y: Any = None, sample_weight: ArrayLike | None = None
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
            :term:`Frequency weights <sample_weight>`; None means 1 for every object.

        Returns
        -------
        float or dict of str to float
            The score or scores; higher is better.
        """
        self._check_given(y, sample_weight)
        values = {one.name: _criterion(one, estimator, X) for one in self._chosen if _is_own(one)}
        if len(values) < len(self._chosen):
            values.update(self._values_of_labels(estimator, X, y, sample_weight))
        scores = {
            one.name: values[one.name] if one.index.greater_is_better else 0.0 - values[one.name]
            for one in self._chosen
        }
        return scores if self._several else next(iter(scores.values()))

    def _values_of_labels(
        self, estimator: Any, X: MatrixLike, y: Any, sample_weight: Any
    ) -> Iterator[tuple[str, float]]:
        compared = self._indices(needs_data=False)
        # Before a clusterer is fitted again. Blocks of dask are computed, as labels are in memory.
        true = read(y, "labels_true", self._reading) if compared else None
        found = find_labels(estimator, X, y, sample_weight, self._response)
        partition = read(found.labels, "labels_pred", self._reading)
        if true is not None:
            yield from self._values_of_table(compared, true, partition, sample_weight)
        judged = self._indices(needs_data=True)
        if judged := tuple(one for one in judged if not _is_own(one)):
            if self._space == "input":
                space, pairs = X, pairs_given(estimator, X)
            else:
                space, pairs = innermost_data(found), pairs_taken(innermost(estimator))
            if pairs is not None:
                space = read_pairs(space, pairs)
            yield from self._values_of_data(judged, space, pairs, partition)

    def _indices(self, *, needs_data: bool) -> tuple[Chosen, ...]:
        return tuple(one for one in self._chosen if one.index.needs_data == needs_data)

    def _check_given(self, y: Any, sample_weight: Any) -> None:
        compared = self._indices(needs_data=False)
        if compared and y is None:
            msg = (
                f"a scorer of {_names(compared)} needs reference labels: pass y to fit() or to the "
                "scorer, got y=None"
            )
            raise ValueError(msg)
        self._check_weightless(sample_weight)

    def _check_weightless(self, sample_weight: Any) -> None:
        judged = self._indices(needs_data=True)
        if judged and sample_weight is not None:
            names = _names(judged)
            msg = f"sample_weight must be None for {names}: indices of the data take no weights"
            raise ValueError(msg)

    def _values_of_table(
        self, indices: tuple[Chosen, ...], true: Partition, partition: Partition, sample_weight: Any
    ) -> Iterator[tuple[str, float]]:
        true, pred = partners(true, partition)
        weights = read_weights(sample_weight, true)
        if not self._reading.counts_all and _leaves_nothing(true, pred, self._reading):
            yield from ((one.name, _undefined(one.name, ALL_NOISE)) for one in indices)
            return
        moments = needs_moments(indices)
        table = require_objects(count_read(true, pred, weights, self._reading, moments=moments))
        if table.shape[0] == 1 < table.n_samples:
            warn_caller(
                "the objects scored are all of one class, of which any clusters are parts: folds "
                "need objects of several classes, as KFold(shuffle=True) makes, or pass "
                "cv=TransductiveSplit() to score all objects"
            )
        for one in indices:
            value = one.value(table)
            _warn_at_ceiling(one, value)
            yield one.name, value

    def _values_of_data(
        self, indices: tuple[Chosen, ...], X: MatrixLike, pairs: str | None, partition: Partition
    ) -> Iterator[tuple[str, float]]:
        judged = Judged.of(X, partition, self._reading)
        for one in indices:
            try:
                parameters = parameters_of_space(one.index, one.parameters, pairs)
                yield one.name, judged.value(replace(one, parameters=parameters))
            except UndefinedIndexError as error:
                yield one.name, _undefined(one.name, str(error))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClusteringScorer):
            return NotImplemented
        return vars(self) == vars(other)

    def __getstate__(self) -> dict[str, Any]:
        """Return what pickles contain: indices by name, and plain values."""
        chosen = [(one.name, one.index, dict(one.parameters)) for one in self._chosen]
        return vars(self) | {"_chosen": chosen, "_reading": self._reading.keywords}

    def __setstate__(self, state: dict[str, Any]) -> None:
        chosen = tuple(Chosen(*one) for one in state["_chosen"])
        vars(self).update(state, _chosen=chosen, _reading=Reading(**state["_reading"]))

    @property
    def __name__(self) -> str:
        # The axis label in scikit-learn's displays of curves.
        return " and ".join(
            f"{'' if one.index.greater_is_better else 'neg_'}"
            f"{one.name if _is_renamed(one) else one.index.name}"
            for one in self._chosen
        )

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
        if not any(map(_is_renamed, self._chosen)):
            given = {key: value for one in self._chosen for key, value in one.parameters.items()}
            arguments += [f"{name}={value!r}" for name, value in given.items()]
        text = f"make_clustering_scorer({', '.join(arguments)})"
        return f"{text}  # {self._refit_text()}" if self._several else text

    def _refit_text(self) -> str:
        """Write what searches need that get several scores."""
        names = [one.name for one in self._chosen]
        if "score" in names:
            return "refit='score'"
        return f"refit={names[0]!r} or another key; halving searches need a key 'score'"

    def _index_text(self) -> str:
        if any(map(_is_renamed, self._chosen)):
            return repr({one.name: (one.index.name, dict(one.parameters)) for one in self._chosen})
        names = [one.name for one in self._chosen]
        return repr(names if self._several else names[0])

    def set_score_request(
        self, *, sample_weight: bool | str | None = UNCHANGED
    ) -> ClusteringScorer:
        """Request metadata for scoring, if metadata routing is enabled.

        Call it before passing the scorer to a search that is given ``sample_weight``. Without
        metadata routing, scikit-learn's default, weights are passed on without a request.

        Parameters
        ----------
        sample_weight : bool, str or None, default=UNCHANGED
            Whether the ``sample_weight`` given to a search is passed on to this scorer, or
            under which name; None raises an error if weights are given.

        Returns
        -------
        ClusteringScorer
            The scorer itself.

        Raises
        ------
        RuntimeError
            If metadata routing is not enabled.
        ValueError
            If the request is none of these, or weights are requested for an index that needs the
            data.

        See Also
        --------
        ClusteringScorer.get_metadata_routing : What was requested.

        Examples
        --------
        >>> import sklearn
        >>> from sklearn_clustcompare import make_clustering_scorer
        >>> scorer = make_clustering_scorer("purity_score")
        >>> with sklearn.config_context(enable_metadata_routing=True):
        ...     scorer = scorer.set_score_request(sample_weight=True)
        >>> scorer.get_metadata_routing().score.requests
        {'sample_weight': True}
        """
        if not sklearn.get_config()["enable_metadata_routing"]:
            msg = (
                "set_score_request must be called with metadata routing enabled: "
                "sklearn.set_config(enable_metadata_routing=True)"
            )
            raise RuntimeError(msg)
        if sample_weight != UNCHANGED:
            self._check_weightless(sample_weight or None)
            MetadataRequest(owner=repr(self)).score.add_request(
                param="sample_weight", alias=sample_weight
            )
            self._sample_weight_request = sample_weight
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """Return the metadata request of the scorer, in scikit-learn's format.

        scikit-learn calls it if metadata routing is enabled; use it to see what was requested.

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
        # scikit-learn checks this method if metadata routing is off.
        return not self._indices(needs_data=True)


def _is_renamed(one: Chosen) -> bool:
    """Return whether scores have another name than one by which the index alone is known."""
    return spelled(one.index, [one.name]) is None


def _is_own(one: Chosen) -> bool:
    return _OF_ESTIMATORS.get(one.index.name) == one.index


def _criterion(one: Chosen, estimator: Any, X: Any) -> float:
    """Return the criterion of the last step, of the data that it gets."""
    step = innermost(estimator)
    if not hasattr(step, one.index.name):
        msg = (
            f"{one.index.name} must be a method of the estimator, as of GaussianMixture, got "
            f"{type(step).__name__}"
        )
        raise TypeError(msg)
    return float(one.index.function(step, innermost_data(Found(None, estimator, X))))


def _warn_at_ceiling(one: Chosen, value: float) -> None:
    """Warn of a largest value that many candidates may have, where another scale has none."""
    has_ceiling = "scale" in one.index.parameters and one.parameters.get("scale") != "log"
    if has_ceiling and value >= one.index.range[1]:
        warn_caller(
            f"{one.name} is {value}, its largest value: candidates that reach it tie, and a search "
            'takes the first of them; pass scale="log" to rank them',
        )


def _names(indices: tuple[Chosen, ...]) -> str:
    return ", ".join(one.name for one in indices)


def _leaves_nothing(true: Partition, pred: Partition, reading: Reading) -> bool:
    """Return whether the candidate's noise leaves none of the objects of the reference."""
    true_left_out, pred_left_out = (left_out(side, reading) for side in (true, pred))
    if true_left_out.all():
        return False  # an error of the reference
    return bool((true_left_out | pred_left_out).all())


def _undefined(name: str, reason: str) -> float:
    warn_caller(
        f"the score of {name} is NaN, which a search ranks last: {reason}",
        UndefinedMetricWarning,
    )
    return math.nan


class TransductiveSplit(BaseCrossValidator):
    """One split with all objects to fit and the same objects to score.

    Clusterers such as :class:`~sklearn.cluster.DBSCAN` or
    :class:`~sklearn.cluster.AgglomerativeClustering` label only the objects they were fitted to.
    Clusterers learn nothing from the reference labels, so scoring the fitted objects themselves is
    the usual way to choose their parameters.

    See Also
    --------
    sklearn_clustcompare.make_clustering_scorer : Scorers to go with it.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DBSCAN(),
    ...     {"eps": [0.4, 0.6, 0.8]},
    ...     scoring=make_clustering_scorer("adjusted_rand_score"),
    ...     cv=TransductiveSplit(),
    ... ).fit(X, y)
    >>> search.best_params_
    {'eps': 0.4}
    """

    def get_n_splits(self, X: MatrixLike = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits, which is 1.

        Searches call it to compute the number of fits.

        Parameters
        ----------
        X, y, groups : object
            Ignored; present for API consistency.

        Returns
        -------
        int
            1.

        See Also
        --------
        TransductiveSplit.split : The split itself.

        Examples
        --------
        >>> from sklearn_clustcompare import TransductiveSplit
        >>> TransductiveSplit().get_n_splits()
        1
        """
        return 1

    def split(
        self, X: MatrixLike, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[Positions, Positions]]:
        """Yield the indices of all objects, twice.

        Searches and :func:`sklearn.model_selection.cross_val_score` call it; a clusterer is then
        scored on the objects that it was fitted to.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y, groups : object
            Ignored; present for API consistency.

        Yields
        ------
        train, test : ndarray of shape (n_samples,)
            ``0, 1, ..., n_samples - 1``.

        See Also
        --------
        TransductiveSplit.get_n_splits : Their number.

        Examples
        --------
        >>> from sklearn_clustcompare import TransductiveSplit
        >>> list(TransductiveSplit().split(["a", "b", "c"]))
        [(array([0, 1, 2]), array([0, 1, 2]))]
        """
        everything = np.arange(X.shape[0] if hasattr(X, "shape") else len(X))
        yield everything, everything
