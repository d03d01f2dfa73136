"""An index as a function of the number of clusters, or of the order of the entropy."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._numerics import are_best
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition import Reading, read
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike
from sklearn_clustcompare._partition.reading import each_candidate
from sklearn_clustcompare._rendering import Drawn, Rows, result_record
from sklearn_clustcompare._table import ContingencyTable, count
from sklearn_clustcompare.candidates._candidates import score_candidates
from sklearn_clustcompare.indices import IndexLike, read_index
from sklearn_clustcompare.indices._chosen import Chosen, check_different
from sklearn_clustcompare.indices._judged import Judged, reference_of
from sklearn_clustcompare.indices._moments import null_moments, with_deviation


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class IndexCurve(Drawn, Rows):
    """Values of an index along an axis, in one or more curves; made by :func:`index_curve`.

    Printed, and as HTML in a notebook, it shows a row for each point, and which curves are best
    there. All parameters are attributes of the same names.

    Parameters
    ----------
    x : array-like of shape (n_points,)
        Numbers of clusters, or other positions on the horizontal axis.
    values : array-like of shape (n_curves, n_points)
        The index; NaN where there is none.
    winners : array-like of bool of shape (n_curves, n_points)
        Which points are the best; several if they tie.
    names : sequence of str of shape (n_curves,), default=None
        Names of the curves; None for a single one without a name.
    greater_is_better : bool or sequence of bool of shape (n_curves,), default=True
        Whether higher values are better.
    candidates : sequence of shape (n_points,), default=None
        Names of the candidates at the points; None where a point is not one candidate.
    expected, standard_deviation : array-like of shape (n_curves, n_points), default=None
        Exact moments of the index under permutation, NaN where they are not known.
    intervals : array-like of shape (n_curves, n_points, 2), default=None
        Lower and upper ends of confidence intervals, NaN where there are none.
    x_label : str, default="number of clusters k"
        Label of the horizontal axis.
    y_label : str, default="index"
        Label of the vertical axis.
    title : str, default="Candidates compared with the reference"
        Title of the picture.

    See Also
    --------
    index_curve : Makes it.
    IndexCurveDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn_clustcompare import index_curve
    >>> curve = index_curve([0, 0, 1, 1], {2: [0, 0, 1, 1], 3: [0, 0, 1, 2]}, index="rand_score")
    >>> curve.values.round(2), curve.winners
    (array([[1.  , 0.83]]), array([[ True, False]]))
    """

    x: ArrayLike
    values: ArrayLike
    winners: ArrayLike = field(kw_only=True)
    names: Sequence[str] | None = field(default=None, kw_only=True)
    greater_is_better: bool | Sequence[bool] = field(default=True, kw_only=True)
    candidates: Sequence[Any] | None = field(default=None, kw_only=True)
    expected: ArrayLike | None = field(default=None, kw_only=True)
    standard_deviation: ArrayLike | None = field(default=None, kw_only=True)
    intervals: ArrayLike | None = field(default=None, kw_only=True)
    x_label: str = field(default="number of clusters k", kw_only=True)
    y_label: str = field(default="index", kw_only=True)
    title: str = field(default="Candidates compared with the reference", kw_only=True)

    def _headline(self) -> str:
        return f"IndexCurve: {self.y_label} against {self.x_label}"

    def _columns(self) -> list[tuple[str, Any]]:
        x, values = np.asarray(self.x), np.asarray(self.values, float)
        columns: list[tuple[str, Any]] = [("x", x)]
        if self.candidates is not None:
            columns.append(("candidate", list(map(str, self.candidates))))
        winners = np.asarray(self.winners, bool).T.tolist()
        if self.names is None and len(values) == 1:
            columns += [("value", values[0]), *self._errors().items()]
            best = ["yes" if wins else "" for (wins,) in winners]
        else:
            names = list(map(str, self.names or range(len(values))))
            columns += zip(names, values, strict=True)
            best = [", ".join(itertools.compress(names, wins)) for wins in winners]
        return [*columns, ("best", best)]

    def _errors(self) -> dict[str, NDArray[np.float64]]:
        """Return what is known of the values of a single curve."""
        columns = {}
        for name in ("expected", "standard_deviation"):
            if getattr(self, name) is not None:
                columns[name] = np.asarray(getattr(self, name), float)[0]
        if self.intervals is not None:
            columns["low"], columns["high"] = np.asarray(self.intervals, float)[0].T
        return columns


def index_curve(
    labels_true: PartitionLike,
    candidates: Mapping[Any, Any],
    *,
    index: IndexLike | Sequence[IndexLike],
    X: MatrixLike = None,
    q_range: ArrayLike | None = None,
    confidence_level: float | None = None,
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    **params: Any,
) -> IndexCurve:
    """Compare candidates with a reference, by number of clusters or order of the entropy.

    Use it to choose the number of clusters among existing labelings; with ``q_range``, to see
    whether the winner depends on the order of the entropy, that is, on the weight of large
    clusters.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of the :term:`reference`.
    candidates : mapping of key to array-like
        Labels or memberships of each candidate. If all keys are numbers, they are the positions of
        the candidates on the axis; otherwise candidates are placed at their numbers of clusters,
        those with the same number side by side.
    index : str, callable, Index or sequence of these
        The :term:`index`: a name (see :func:`list_indices`), its function or a record;
        several give a curve each.
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples), default=None
        The data, for indices that need them, or distances for ``metric="precomputed"``;
        ``labels_true`` is None if no index compares.
    q_range : array-like of float of shape (n_orders,), default=None
        Orders of the entropy. If given, there is a curve for each candidate against q, and the
        winner is found at each q.
    confidence_level : float, default=None
        Level of the intervals of the scores, between 0 and 1,; None
        computes none.
    n_resamples : int, default=999
        Number of half samples for the intervals.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
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
        Parameters of the index.

    Returns
    -------
    IndexCurve
        With ``x``, ``values``, ``winners`` and, if they are known exactly, the ``expected`` values
        and ``standard_deviation`` under permutation.

    Raises
    ------
    ValueError
        If there are no candidates, or labels or parameters are invalid.
    TypeError
        If the index does not take a parameter.

    See Also
    --------
    IndexCurveDisplay : A picture of it.
    score_candidates : The values alone, for several indices at once.

    Examples
    --------
    >>> from sklearn_clustcompare import index_curve
    >>> candidates = {"two": [0, 0, 1, 1, 1, 1], "three": [0, 0, 1, 1, 2, 1]}
    >>> curve = index_curve(
    ...     [0, 0, 1, 1, 2, 2], candidates, index="normalized_mutual_info_score",
    ...     q_range=[0.5, 1, 2],
    ... )
    >>> curve.names, curve.values.round(2).tolist()
    (['two', 'three'], [[0.7, 0.73, 0.8], [0.64, 0.74, 0.87]])
    """
    several = list(index) if isinstance(index, Sequence) and not isinstance(index, str) else [index]
    chosen = [Chosen.of(one, params) for one in several]
    records = [one.index for one in chosen]
    if not isinstance(candidates, Mapping) or not candidates:
        got = "an empty one" if isinstance(candidates, Mapping) else type(candidates).__name__
        msg = f"candidates must be a mapping of names to at least one candidate, got {got}"
        raise ValueError(msg)
    orders = None if q_range is None else np.atleast_1d(np.asarray(q_range, float))
    if orders is not None and (orders.ndim != 1 or len(orders) == 0):
        msg = f"q_range must be None or hold at least one order, got {q_range!r}"
        raise ValueError(msg)
    if not chosen or (orders is not None and len(chosen) > 1):
        msg = f"index must be one index with q_range, and at least one without, got {len(records)}"
        raise ValueError(msg)
    check_different(chosen, "index")
    if orders is not None and confidence_level is not None:
        msg = f"confidence_level must be None with q_range, got {confidence_level!r}"
        raise ValueError(msg)
    for order in () if orders is None else orders.tolist():
        read_index(several[0], {"q": order})
    reading = Reading(possibilistic, noise, noise_label, missing)
    reference = read(reference_of(labels_true, X, records, sample_weight), "labels_true", reading)
    tables, judged = {}, {}
    for candidate in each_candidate(candidates, "candidates", "candidate").stream:
        partition = candidate.read(reading)
        moments = any(record.moments for record in records)
        sides = reference, partition, sample_weight, reading
        tables[candidate.name] = count(*sides, moments=moments)
        judged[candidate.name] = Judged.of(X, partition, reading)
    if orders is not None:
        return _against_orders(tables, chosen[0], orders)
    intervals = None
    if confidence_level is not None:
        scores = score_candidates(
            labels_true,
            candidates,
            indices={one.name: (one.index, one.parameters) for one in chosen},
            X=X,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
            sample_weight=sample_weight,
            **reading.keywords,
        )
        intervals = np.array(list(scores.intervals.values()))
    return _against_clusters(tables, judged, chosen, intervals)


def _against_clusters(
    tables: dict[Any, ContingencyTable],
    judged: dict[Any, Judged],
    chosen: list[Chosen],
    intervals: NDArray[np.float64] | None,
) -> IndexCurve:
    is_number = all(isinstance(key, numbers.Real) and not isinstance(key, bool) for key in tables)
    n_clusters = np.array([table.shape[1] for table in tables.values()])
    x = np.array(list(tables)) if is_number else n_clusters
    order = np.argsort(x, kind="stable")
    curves = np.array(
        [
            _evaluate_data(list(judged.values()), one)
            if one.index.needs_data
            else _evaluate(list(tables.values()), one)
            for one in chosen
        ]
    )
    indices = [one.index for one in chosen]
    by_data = all(one.needs_data for one in indices)
    values, expected, deviation = np.moveaxis(curves[:, :, order], 1, 0)
    texts = [one.index.axis_text(**one.parameters) for one in chosen]
    return IndexCurve(
        x[order],
        values,
        winners=np.array(
            [
                are_best(curve, greater_is_better=one.greater_is_better)
                for curve, one in zip(values, indices, strict=True)
            ]
        ),
        names=texts if len(texts) > 1 else None,
        greater_is_better=[one.greater_is_better for one in indices],
        candidates=[list(tables)[position] for position in order.tolist()],
        expected=expected,
        standard_deviation=deviation,
        intervals=None if intervals is None else intervals[:, order],
        x_label="number of clusters k" if np.array_equal(x, n_clusters) else "candidate",
        y_label=texts[0] if len(texts) == 1 else "value of the index",
        title=f"Candidates compared {'by the data' if by_data else 'with the reference'}",
    )


def _against_orders(
    tables: dict[Any, ContingencyTable],
    chosen: Chosen,
    orders: NDArray[np.float64],
) -> IndexCurve:
    of_order = [replace(chosen, parameters={**chosen.parameters, "q": q}) for q in orders.tolist()]
    results = np.array([_evaluate(list(tables.values()), one) for one in of_order])
    values, expected, deviation = np.moveaxis(results, 1, 0).swapaxes(1, 2)
    return IndexCurve(
        orders,
        values,
        winners=are_best(values.T, greater_is_better=chosen.index.greater_is_better).T,
        names=[str(key) for key in tables],
        greater_is_better=chosen.index.greater_is_better,
        expected=expected,
        standard_deviation=deviation,
        x_label="order q of the entropy",
        y_label=chosen.index.axis_text(**chosen.parameters),
    )


def _evaluate(tables: list[ContingencyTable], chosen: Chosen) -> NDArray[np.float64]:
    """Return values, means and standard deviations as three rows; NaN for unknown moments."""
    columns = []
    for table in tables:
        moments = with_deviation(null_moments(chosen.index, table, **chosen.parameters))
        known = (moments.mean, moments.standard_deviation) if moments else (np.nan, np.nan)
        columns.append((chosen.value(table), *known))
    return np.array(columns).T


def _evaluate_data(judged: list[Judged], chosen: Chosen) -> NDArray[np.float64]:
    """Return values as the first of three rows, as of other indices; NaN where undefined."""
    values = [one.value_or_nan(chosen) for one in judged]
    unknown = np.full(len(judged), np.nan)
    return np.array([values, unknown, unknown])
