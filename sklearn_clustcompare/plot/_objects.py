"""Pictures of single objects: silhouettes, and the agreement of two partitions in a plane."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import KW_ONLY
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._clusterers import main_parameter, pairs_given, pairs_taken
from sklearn_clustcompare._data import is_precomputed, near_for, read_pairs, reduced_blocks
from sklearn_clustcompare._numerics import silhouettes_of
from sklearn_clustcompare._palette import BLUE, GRAY, ORANGE
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    one_of,
    positive_integer,
    random_source,
)
from sklearn_clustcompare._partition import (
    NAMES,
    Labels,
    Reading,
    check_rows,
    read_labels,
    read_pair,
)
from sklearn_clustcompare._partition.arrays import (
    MatrixLike,
    PartitionLike,
)
from sklearn_clustcompare._partition.memberships import (
    NOISE_OBJECT,
    left_out,
    noise_mask,
    treat_one,
)
from sklearn_clustcompare._table import count_read, require_objects
from sklearn_clustcompare.candidates._scores import object_agreement as agreement_of_objects
from sklearn_clustcompare.indices import INTERNAL_INDICES
from sklearn_clustcompare.indices._compares import REQUIRED, Given, compares
from sklearn_clustcompare.indices._internal import check_number_of_labels
from sklearn_clustcompare.model_selection._scorer import innermost, parameters_of_space
from sklearn_clustcompare.plot._alluvial import numbered_color
from sklearn_clustcompare.plot._display import (
    Display,
    as_names,
    draw_colorbar,
    draws,
    import_pyplot,
    inches,
    ink,
    label_clusters,
    lay_out,
    new_axes,
    plain,
    read_places,
    shorten,
    shorten_all,
    write_title,
)
from sklearn_clustcompare.report import cluster_names
from sklearn_clustcompare.without_reference._fits import (
    checked_clustering,
    fit_seeds,
    one_call,
    seeded,
)

_SILHOUETTE = INTERNAL_INDICES["silhouette_score"]
# Objects to which distances are computed.
_AUTO = 5_000
# Fewest objects of a cluster that are drawn, if it has as many.
_FEWEST = 20
# Share of the height for all gaps between clusters, and the largest gap as a share.
_GAPS, _LARGEST_GAP = 0.2, 0.02
# More steps of a knife than a picture has rows show nothing.
_MOST_STEPS = 1000
_MOST_COLUMNS = 4


def _silhouettes(
    X: MatrixLike,
    labels: PartitionLike,
    *,
    metric: Any = "euclidean",
    subsample: int | str | None = "auto",
    random_state: RandomStateLike = 0,
    noise: str = "cluster",
    noise_label: Any = -1,
) -> tuple[FloatArray, Array, None, Any]:
    """Return the silhouettes of all objects, NaN of those left out, and the labels to show.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        The data, or distances for ``metric="precomputed"``.
    labels : array-like of shape (n_samples,)
        :term:`Labels` of one :term:`partition`.
    metric : str or callable, default="euclidean"
        Distance, as in :func:`sklearn.metrics.pairwise_distances`.
    subsample : int, "auto" or None, default="auto"
        Number of objects to which distances are computed: if there are more, the mean distances of
        all objects from a cluster are estimated from some that are drawn in it. "auto" is 5,000;
        None takes all, in time proportional to the square of their number.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    """
    _SILHOUETTE.check_parameters(metric=metric)
    size = _AUTO if subsample == "auto" else subsample
    if size is not None:
        positive_integer("subsample", size)
    partition = read_labels(labels, "labels")
    points = near_for(X, metric).values
    check_rows(X, points.shape[0], partition)
    shown = partition.labels_of(partition.zero_based())
    treated, kept = treat_one(partition, Reading(noise=noise, noise_label=noise_label))
    if kept is not None:
        points = points[kept][:, kept] if is_precomputed(metric) else points[kept]
    codes = treated.compact()[0].codes
    check_number_of_labels(codes)
    drawn = _drawn(codes, size, random_state)
    values = np.full(len(shown), np.nan)
    values[slice(None) if kept is None else kept] = _values(points, codes, drawn, metric)
    return values, shown, None, noise_label


class SilhouetteDisplay(Display):
    """Picture of the silhouettes of one clustering, or of several side by side.

    Each cluster is a knife: the silhouettes of its objects in descending order, as horizontal bars.
    A broad blade of even length is a cluster of its own, bars below 0 are objects that are closer
    to another cluster, and a dashed line is at the mean. Noise is gray.

    The silhouette of an object is (b - a) / max(a, b), with its mean distance a from the other
    objects of its cluster and b from those of the nearest other cluster [1]_. It is 0 for the only
    object of a cluster.

    Parameters
    ----------
    values : array-like of shape (n_samples,) or (n_clusterings, n_samples)
        Silhouettes, in [-1, 1]; objects with NaN are not drawn.
    labels : array-like of the same shape
        :term:`Labels` of the clusters.
    names : list of str, default=None
        Names of the clusterings, for the titles.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The first panel.
    axes_ : ndarray of matplotlib Axes of shape (n_clusterings,)
        All panels.
    figure_ : matplotlib Figure
        The figure of the panels.
    knives_ : list of dict
        For each panel a dict of labels to the matplotlib StepPatch of the cluster.
    mean_lines_ : list of matplotlib Line2D
        The line of each panel.

    See Also
    --------
    silhouette_score : The mean.
    internal_decomposition : The means of the clusters as numbers.
    NClustersDisplay : More evidence for a number of clusters.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of
       cluster analysis", Journal of Computational and Applied Mathematics 20, 1987,
       :doi:`10.1016/0377-0427(87)90125-7`

    Examples
    --------
    >>> from sklearn_clustcompare.plot import SilhouetteDisplay
    >>> display = SilhouetteDisplay.from_labels([[1], [2], [4], [5]], ["a", "a", "b", "b"])
    >>> display.values.round(3)
    array([0.714, 0.6  , 0.6  , 0.714])
    >>> display
    SilhouetteDisplay: Silhouettes
    """

    def __init__(
        self,
        values: ArrayLike,
        labels: ArrayLike,
        *,
        names: Iterable[str] | None = None,
        noise_label: Any = -1,
    ) -> None:
        self.values: FloatArray = np.asarray(values, dtype=np.float64)
        self.labels: Array = np.asarray(labels)
        n_rows = len(np.atleast_2d(self.values))
        self.names = None if names is None else as_names(names, n_rows, "clusterings")
        self.noise_label = noise_label
        if self.values.ndim not in (1, 2) or self.labels.shape != self.values.shape:
            msg = (
                "labels must have the shape of values, (n_samples,) or (n_clusterings, n_samples), "
                f"got {self.labels.shape} and {self.values.shape}"
            )
            raise ValueError(msg)

    @draws(_silhouettes)
    def from_labels(cls) -> Any:
        """Compute the silhouettes of given clusters, and draw them.

        Use it to see which objects of a cluster are close to another one.

        Returns
        -------
        SilhouetteDisplay
            Drawn on ``ax_``, with ``values`` of shape (n_samples,), NaN where noise is left out.

        Raises
        ------
        ValueError
            If there are not 2 to n_samples - 1 clusters, or X, labels or a parameter are invalid.

        See Also
        --------
        SilhouetteDisplay.from_estimator : Fits a clusterer first, for several parameters.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn_clustcompare.plot import SilhouetteDisplay
        >>> X, species = load_iris(return_X_y=True)
        >>> display = SilhouetteDisplay.from_labels(X, species)
        >>> display.values.shape, round(float(display.values.mean()), 3)
        ((150,), 0.503)
        """

    @draws(_silhouettes)
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike,
        param_range: Iterable[Any] | None = None,
        *,
        param_name: str = "auto",
        random_state: RandomStateLike = 0,
        **options: Any,
    ) -> Any:
        """Fit a clusterer, compute the silhouettes of its clusters, and draw them.

        Use ``param_range`` to see several numbers of clusters side by side. Clones of the estimator
        are fitted; silhouettes are computed in the input space of its last step.

        Parameters
        ----------
        estimator : estimator
            A clusterer, or a pipeline that ends in one.
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            The data; or distances between the objects, if the clusterer takes these.
        param_range : iterable, default=None
            Values of the parameter, such as numbers of clusters: a panel for each. None fits the
            estimator as it is.
        param_name : str, default="auto"
            Parameter to vary, such as ``"kmeans__n_clusters"`` of a pipeline; "auto" finds the last
            step's ``n_clusters``, ``n_components`` or ``min_cluster_size``.

        Returns
        -------
        SilhouetteDisplay
            Drawn on ``axes_``, with ``values`` of shape (n_samples,), or (n_values, n_samples) for
            a ``param_range``. Estimators whose ``random_state`` is an int keep it.

        Raises
        ------
        ValueError
            If a value gives one cluster or as many as objects, or X or a parameter are invalid.

        See Also
        --------
        SilhouetteDisplay.from_labels : For clusters that are known.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import load_iris
        >>> from sklearn_clustcompare.plot import SilhouetteDisplay
        >>> X, _ = load_iris(return_X_y=True)
        >>> display = SilhouetteDisplay.from_estimator(KMeans(n_init=5), X, [2, 3, 4])
        >>> [ax.get_title() for ax in display.axes_]
        ['n_clusters = 2', 'n_clusters = 3', 'n_clusters = 4']
        >>> display.values.mean(axis=1).round(2)
        array([0.68, 0.55, 0.5 ])
        """
        grid: list[dict[str, Any]] = [{}]
        if param_range is not None:
            name = main_parameter(estimator, param_name)
            grid = [{name: value} for value in param_range]
        if not grid:
            msg = "param_range must hold at least one value, got none"
            raise ValueError(msg)
        metric = options.pop("metric", "euclidean")
        if (pairs := pairs_given(estimator, X)) is not None:
            X = read_pairs(X, pairs)
        elif not hasattr(X, "shape"):
            X = np.asarray(X)
        (seeds,) = fit_seeds(1, len(grid) + 1, random_state)
        given = {} if metric == "euclidean" else {"metric": metric}
        found: list[Any] = []
        for seed, parameters in zip(seeds[1:], grid, strict=True):
            model = seeded(clone(estimator).set_params(**parameters), seed, unset_only=True)
            with one_call():
                _, labels, space = checked_clustering(model, X)
            taken = parameters_of_space(_SILHOUETTE, given, pairs_taken(innermost(model)))
            own = taken.get("metric", metric)
            options |= {"metric": own, "random_state": seeds[0]}
            try:
                found.append(_silhouettes(space, labels, **options))
            except ValueError as error:
                error.add_note(f"Raised by {type(estimator).__name__} with {parameters}.")
                raise
        if param_range is None:
            return found[0]
        values, shown = (np.stack([one[part] for one in found]) for part in (0, 1))
        titles = [f"{name.rsplit('__', 1)[-1]} = {one[name]}" for one in grid]
        return values, shown, titles, found[0][3]

    def plot(self, ax: Any = None) -> SilhouetteDisplay:
        """Draw the silhouettes.

        :meth:`from_labels` and :meth:`from_estimator` call it: use it to draw them again.

        Parameters
        ----------
        ax : matplotlib Axes or array of them, default=None
            Axes to draw on, one for each clustering; None makes a new figure.

        Returns
        -------
        SilhouetteDisplay
            Itself.

        Raises
        ------
        ValueError
            If there is another number of axes than of clusterings.

        See Also
        --------
        SilhouetteDisplay.from_labels : Computes the silhouettes first.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import SilhouetteDisplay
        >>> display = SilhouetteDisplay([0.5, 0.25, -0.25], ["a", "a", "b"]).plot()
        >>> list(display.knives_[0])
        ['a', 'b']
        """
        rows, labels = np.atleast_2d(self.values), np.atleast_2d(self.labels)
        self._set_axes(ax, len(rows))
        self.knives_: list[dict[Any, Any]] = []
        self.mean_lines_: list[Any] = []
        low = min(float(np.nanmin(rows)), 0.0)
        for number, panel in enumerate(self.axes_):
            is_drawn = ~np.isnan(rows[number])
            partition = read_labels(labels[number][is_drawn], "labels")
            self._draw_panel(panel, rows[number][is_drawn], partition, number)
            panel.set_xlim(low - 0.05 * (low < 0), 1.0)
        return self

    def _set_axes(self, ax: Any, n_panels: int) -> None:
        if ax is not None or n_panels == 1:
            given = [None] if ax is None else np.ravel(ax).tolist()
            if len(given) != n_panels:
                msg = f"ax must be one for each of the {n_panels} clusterings, got {len(given)}"
                raise ValueError(msg)
            panels = [new_axes(one, self, (5.6, 4.6)) for one in given]
        else:
            n_cols = min(n_panels, _MOST_COLUMNS)
            n_rows = math.ceil(n_panels / n_cols)
            _, axes = import_pyplot(self).subplots(
                n_rows,
                n_cols,
                figsize=(3.3 * n_cols, 4.2 * n_rows),
                layout="constrained",
                squeeze=False,
            )
            panels = axes.ravel().tolist()
            for unused in panels[n_panels:]:
                unused.remove()
        self.axes_ = np.array(panels[:n_panels], dtype=object)
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure

    def _draw_panel(self, ax: Any, values: FloatArray, partition: Labels, number: int) -> None:
        clusters, sizes = partition.compact()
        labels = clusters.labels_of(np.arange(len(sizes))).tolist()
        is_noise = noise_mask(clusters, Reading(noise_label=self.noise_label).noise_labels)
        gap = len(values) * min(_LARGEST_GAP, _GAPS / len(sizes))
        knives, middles, start = {}, [], 0.0
        for code, label in enumerate(labels):
            members = clusters.codes == code
            knife = np.sort(values[members])[::-1]
            color: Any = GRAY if is_noise[members].all() else numbered_color(code)
            knives[label] = _draw_knife(ax, knife, start, color)
            middles.append(start + len(knife) / 2)
            start += len(knife) + gap
        mean = float(values.mean())
        self.knives_.append(knives)
        self.mean_lines_.append(ax.axvline(mean, color=ink(ax), linestyle="--", linewidth=1))
        ax.axvline(0.0, color=ink(ax), linewidth=0.6)
        ax.set_ylim(start, -gap)
        ax.set_xlabel(f"silhouette, mean {mean:.2f}")
        ax.set_ylabel("cluster")
        ax.tick_params(axis="y", length=0)
        write_title(ax, "Silhouettes" if self.names is None else self.names[number])
        label_clusters(ax.yaxis, middles, labels)
        lay_out(ax)


def _draw_knife(ax: Any, values: FloatArray, start: float, color: Any) -> Any:
    """Draw bars of sorted values below each other, a share of them if there are too many."""
    n_steps = min(len(values), _MOST_STEPS)
    edges = np.linspace(0, len(values), n_steps + 1)
    middles = ((edges[:-1] + edges[1:]) / 2).astype(np.intp)
    return ax.stairs(
        values[middles],
        start + edges,
        orientation="horizontal",
        fill=True,
        color=color,
        linewidth=0,
    )


# --------------------------------------------------------------------------- values


def _drawn(codes: Positions, size: Any, seed: Any) -> Positions:
    """Return positions of objects in the order of their clusters, some of each if not all."""
    order = np.argsort(codes, kind="stable")
    if size is None or len(codes) <= size:
        return order
    rng = random_source(seed)
    members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    share = size / len(codes)
    return np.concatenate(
        [
            rng.permutation(one)[: max(round(share * len(one)), min(_FEWEST, len(one)))]
            for one in members
        ]
    )


def _values(X: Any, codes: Positions, drawn: Positions, metric: Any) -> FloatArray:
    """Return silhouettes by the distances of all objects from some, which are sorted by cluster."""
    counts = np.bincount(codes[drawn])
    starts = np.cumsum(counts) - counts
    column = np.full(len(codes), -1)
    column[drawn] = np.arange(len(drawn))
    pairs = is_precomputed(metric)

    def reduce(distances: Any, start: int) -> FloatArray:
        if pairs:
            distances = distances[:, drawn]
        rows = np.arange(distances.shape[0])
        own, itself = codes[start + rows], column[start + rows]
        distances[rows[itself >= 0], itself[itself >= 0]] = 0.0
        sums = np.add.reduceat(distances, starts, axis=1)
        n_others = counts[own] - (itself >= 0)
        within = sums[rows, own] / np.maximum(n_others, 1)
        means = sums / counts
        means[rows, own] = np.inf
        return np.where(n_others > 0, silhouettes_of(within, means.min(axis=1)), 0.0)

    others = {} if pairs else {"Y": X[drawn]}
    return np.concatenate([*reduced_blocks(X, metric, reduce, **others)])


# From no agreement to full agreement, visible on white and on black.
_COLORS = (ORANGE, "#B4B4B4", BLUE)
# Area of all markers together as a share of the axes, and of the smallest and largest in points^2.
_MARKER_SHARE, _MIN_MARKER, _MAX_MARKER = 0.25, 2.0, 36.0
_FONT_SIZE = 9
# Clusters with a smaller share of the objects are not labeled.
_MIN_NAMED_SHARE = 0.01
# Characters of a name, in small and in large axes, of which one may take this share.
_MIN_NAME, _MAX_NAME, _NAME_SHARE = 11, 24, 0.35
_CHARACTER_POINTS = 6.8
# Narrower axes have no legend, which would lie over their neighbors.
_LEGEND_POINTS = 300


@compares(*(*NAMES, "data", "noise", "noise_label", "missing", "unmatched"), labels_pred=REQUIRED)
def _matched(
    given: Given,
    *,
    X: ArrayLike,
    names: tuple[str, str] | None = None,
) -> dict[str, Any]:
    """Match the clusters of two partitions of objects in a plane.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,)
        Labels of the :term:`candidate`.
    X : array-like of shape (n_samples, 2)
        Positions of the objects, such as the first two principal components.
    names : tuple of two str, default=None
        Names of the reference and of the candidate; None takes those of pandas Series, else
        reference and candidate.
    """
    own, reading = given.titles(names), given.reading
    true, pred = read_pair(given.labels_true, given.labels_pred, NAMES, reading, read_labels)
    places = read_places(X)
    check_rows(X, len(places), true)
    require_objects(count_read(true, pred, None, reading))
    shown = np.flatnonzero(~(left_out(true, reading) | left_out(pred, reading)))
    true, pred = true.take(shown), pred.take(shown)
    found = agreement_of_objects(treat_one(true, reading)[0], treat_one(pred, reading)[0])
    # Objects of noise are labels of their own there, but are shown with that of noise.
    partners = dict.fromkeys(plain(true.compact()[0].classes))
    partners |= {
        label: partner
        for label, partner in found.partners.items()
        if label in partners and partner is not NOISE_OBJECT
    }
    return {
        "X": places[shown],
        "labels_true": true.labels_of(true.zero_based()),
        "labels_pred": pred.labels_of(pred.zero_based()),
        "partners": partners,
        "object_agreement": found.values,
        "names": None if own == NAMES else own,
    }


class EmbeddingAgreementDisplay(Display):
    """Picture of two partitions of objects in a plane.

    Clusters are matched one to one with the most objects in matched pairs, and matched clusters
    have the same color. An object has the color of its cluster of the candidate; if that is not
    matched with its cluster of the reference, it has a ring in the color of the latter. Clusters
    are named "reference | candidate". With ``color_by="agreement"`` the picture shows the
    agreement for each object instead.

    Parameters
    ----------
    X : ndarray of shape (n_samples, 2)
        Positions of the objects, such as the first two principal components.
    labels_true, labels_pred : ndarray of shape (n_samples,)
        Labels of the reference and of the candidate.
    partners : dict
        Maps each label of the reference to its matched label of the candidate, or None, as
        :func:`match_clusters` returns it.
    object_agreement : ndarray of shape (n_samples,)
        Agreement for each object, in [0, 1], as of :func:`element_centric_similarities`: the number
        of objects that its two clusters share, divided by the size of the larger one.
    names : tuple of two str, default=None
        Names of both partitions; None takes reference and candidate.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    points_ : matplotlib PathCollection
        The objects; for ``color_by="clusters"`` only those in matched clusters.
    other_points_ : matplotlib PathCollection or None
        The other objects, for ``color_by="clusters"``.
    texts_ : list of matplotlib Text
        Names of the clusters, as many as fit, for ``color_by="clusters"``.

    See Also
    --------
    AlluvialDisplay : The same without an embedding.
    match_clusters : The matching.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import EmbeddingAgreementDisplay
    >>> X = [[0, 0], [0, 1], [5, 5], [5, 6]]
    >>> display = EmbeddingAgreementDisplay.from_predictions(X, list("aabb"), [1, 1, 1, 0])
    >>> display.object_agreement.round(2)
    array([0.67, 0.67, 0.33, 0.5 ])
    """

    X: Array
    labels_true: Array
    labels_pred: Array
    _: KW_ONLY
    partners: dict[Any, Any]
    object_agreement: FloatArray
    names: tuple[str, str] | None = None
    _checks = MappingProxyType({"color_by": one_of("clusters", "agreement")})

    @draws(_matched)
    def from_predictions(
        cls, X: ArrayLike, labels_true: PartitionLike, labels_pred: PartitionLike, **options: Any
    ) -> Any:
        """Match the clusters of two partitions, and draw the objects.

        Use it to see where the partitions differ: at the borders of clusters, or in whole groups.

        Parameters
        ----------
        X : array-like of shape (n_samples, 2)
            Positions of the objects, such as the first two principal components.

        Returns
        -------
        EmbeddingAgreementDisplay
            Drawn on ``ax_``, without the objects that are left out. Objects of noise that are a
            cluster each are not matched.

        Raises
        ------
        ValueError
            If the shape of ``X`` is not (n_samples, 2), lengths differ, or labels are invalid.

        See Also
        --------
        EmbeddingAgreementDisplay.plot : Draws the other colors.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import EmbeddingAgreementDisplay
        >>> X = [[0, 0], [0, 1], [5, 5], [5, 6]]
        >>> display = EmbeddingAgreementDisplay.from_predictions(X, list("aabb"), [1, 1, 1, 0])
        >>> display.partners
        {'a': 1, 'b': 0}
        """
        return _matched(labels_true, labels_pred, X=X, **options)

    def plot(self, ax: Any = None, *, color_by: str = "clusters") -> EmbeddingAgreementDisplay:
        """Draw the objects.

        :meth:`from_predictions` calls it: use it to draw again on other axes or with other colors.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.
        color_by : {"clusters", "agreement"}, default="clusters"
            What the colors show: the matched clusters, or the agreement for each object.

        Returns
        -------
        EmbeddingAgreementDisplay
            Itself.

        Raises
        ------
        ValueError
            If ``color_by`` is unknown.

        See Also
        --------
        EmbeddingAgreementDisplay.from_predictions : Matches the clusters first.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import EmbeddingAgreementDisplay
        >>> X = [[0, 0], [0, 1], [5, 5], [5, 6]]
        >>> display = EmbeddingAgreementDisplay.from_predictions(X, [0, 0, 1, 1], [5, 5, 6, 5])
        >>> display.plot(color_by="agreement").ax_.get_title()
        'Agreement about 4 objects'
        """
        ax = new_axes(ax, self, (6.4, 5.2))
        self.other_points_ = None
        self.texts_: list[Any] = []
        if color_by == "clusters":
            self._draw_clusters(ax)
        else:
            self._draw_agreement(ax)
        ax.set(xlabel="first coordinate", ylabel="second coordinate")
        lay_out(ax)
        self._size_points(ax)
        if color_by == "clusters":
            names = cluster_names(self.labels_true, self.labels_pred)
            self.texts_ = _draw_names(ax, self.X, plain(self.labels_pred), names)
        return self

    def _size_points(self, ax: Any) -> None:
        area = np.prod(72 * inches(ax)) / max(len(self.X), 1)
        size = float(np.clip(_MARKER_SHARE * area, _MIN_MARKER, _MAX_MARKER))
        self.points_.set_sizes([size])
        if self.other_points_ is not None:
            self.other_points_.set_sizes([1.5 * size])
            self.other_points_.set_linewidths(0.35 * np.sqrt(size))

    def _draw_agreement(self, ax: Any) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        # Objects with low agreement are drawn last, above the others.
        order = np.argsort(-self.object_agreement, kind="stable")
        self.points_ = ax.scatter(
            *self.X[order].T,
            c=self.object_agreement[order],
            cmap=LinearSegmentedColormap.from_list("agreement", _COLORS),
            vmin=0.0,
            vmax=1.0,
            linewidths=0,
        )
        write_title(ax, f"Agreement about {len(self.X)} objects")
        draw_colorbar(self.points_, "agreement")

    def _draw_clusters(self, ax: Any) -> None:
        """Draw the objects in the colors of matched clusters."""
        true, pred = plain(self.labels_true), plain(self.labels_pred)
        number_of_true = {label: number for number, label in enumerate(self.partners)}
        true_of_pred = {other: label for label, other in self.partners.items() if other is not None}
        number_of_pred = {other: number_of_true[label] for other, label in true_of_pred.items()}
        for label in dict.fromkeys(pred):
            number_of_pred.setdefault(label, len(number_of_true) + len(number_of_pred))
        rings = np.array([numbered_color(number_of_true[label]) for label in true])
        fills = np.array([numbered_color(number_of_pred[label]) for label in pred])
        pairs = zip(true, pred, strict=True)
        is_matched = np.array([self.partners[one] == other for one, other in pairs], bool)
        others = ~is_matched
        self.points_ = ax.scatter(
            *self.X[is_matched].T, c=fills[is_matched], linewidths=0, alpha=0.7
        )
        self.other_points_ = ax.scatter(
            *self.X[others].T,
            c=fills[others],
            edgecolors=rings[others],
        )
        write_title(ax, f"{is_matched.sum()} of {len(self.X)} objects in matched clusters")
        first, second = map(shorten, self.names or ("reference", "candidate"))
        others_text = f"others: ring {first}, fill {second}"
        if others.any() and 72 * inches(ax)[0] >= _LEGEND_POINTS:
            # Not over the points.
            ax.legend(
                handles=[
                    ax.scatter([], [], c="0.6", linewidths=0, label="matched clusters"),
                    ax.scatter([], [], c="0.8", edgecolors=ink(ax), label=others_text),
                ],
                title=f"names by {first}, above labels of {second}",
                loc="upper center",
                bbox_to_anchor=(0.5, -0.13),
                ncols=2,
                frameon=False,
                fontsize=_FONT_SIZE,
                title_fontsize=_FONT_SIZE,
            )


def _draw_names(ax: Any, X: Array, labels: list[Any], names: dict[Any, str]) -> list[Any]:
    """Write names in the middle of the clusters, the large ones first, as many as fit.

    Where the name of a cluster does not fit, its first and last letters may.
    """
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.5, foreground=ax.get_facecolor())]
    members: dict[Any, list[int]] = {}
    for position, label in enumerate(labels):
        members.setdefault(label, []).append(position)
    extent = ax.get_window_extent().padded(-1)
    named = [label for label in members if len(members[label]) >= _MIN_NAMED_SHARE * len(X)]
    most = int(_NAME_SHARE * extent.width * 72 / ax.figure.dpi / _CHARACTER_POINTS)
    forms = [
        _names_of(named, names, width)
        for width in dict.fromkeys((min(max(most, _MIN_NAME), _MAX_NAME), _MIN_NAME))
    ]
    texts: list[Any] = []
    kept: list[Any] = []
    for label in sorted(named, key=lambda label: -len(members[label])):
        own = X[members[label]]
        middle = np.median(own, axis=0)
        place = ax.transData.transform(own[np.abs(own - middle).sum(axis=1).argmin()])
        for form in forms:
            text = ax.text(
                *place,
                form[label],
                transform=None,
                ha="center",
                va="center",
                fontsize=_FONT_SIZE,
                fontweight="bold",
                path_effects=halo,
                clip_on=True,
                zorder=5,
            )
            box = text.get_window_extent()
            shift = max(extent.x0 - box.x0, 0) + min(extent.x1 - box.x1, 0)
            box = box.translated(shift, 0)
            if not box.count_overlaps(kept):
                text.set_transform(ax.transData)
                text.set_position(ax.transData.inverted().transform(place + (shift, 0)))
                kept.append(box)
                texts.append(text)
                break
            text.remove()
    return texts


def _names_of(labels: list[Any], names: dict[Any, str], width: int) -> dict[Any, str]:
    """Return the labels of clusters of the candidate, below their names if these differ."""
    true = shorten_all([names[label] for label in labels], width)
    return {
        label: name if names[label] == str(label) else f"{above}\n{name}"
        for label, name, above in zip(labels, shorten_all(labels, width), true, strict=True)
    }
