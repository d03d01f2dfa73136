"""Picture of the agreement of two partitions, in a plane."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import Array, FloatArray
from sklearn_clustcompare._palette import BLUE, ORANGE
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition import (
    NAMES,
    Reading,
    check_rows,
    names_of,
    read_labels,
    read_pair,
)
from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike, check_same_length
from sklearn_clustcompare._partition.memberships import NOISE_OBJECT, left_out, treat_one
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._table import count_read, require_objects
from sklearn_clustcompare.candidates._scores import object_agreement as agreement_of_objects
from sklearn_clustcompare.plot._axes import (
    draw_colorbar,
    ink,
    lay_out,
    nearest,
    new_axes,
    plain,
    read_places,
    shorten,
    shorten_all,
    write_title,
)
from sklearn_clustcompare.plot._display import Display, draws
from sklearn_clustcompare.plot._layers import numbered_color
from sklearn_clustcompare.report import cluster_names

_check_kind = one_of("clusters", "agreement")

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
        Agreement for each object.
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

    @classmethod
    @draws()
    def from_predictions(
        cls,
        X: ArrayLike,
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        data: TableLike = None,
        object_agreement: ArrayLike | None = None,
        names: tuple[str, str] | None = None,
        noise: str = "cluster",
        noise_label: Any = -1,
        missing: str = "error",
        unmatched: str = "error",
        **options: Any,
    ) -> EmbeddingAgreementDisplay:
        """Match the clusters of two partitions, and draw the objects.

        Use it to see where the partitions differ: at the borders of clusters, or in whole groups.

        Parameters
        ----------
        X : array-like of shape (n_samples, 2)
            Positions of the objects, such as the first two principal components.
        labels_true : array-like of shape (n_samples,)
            :term:`Labels` of the :term:`reference`.
        labels_pred : array-like of shape (n_samples,)
            Labels of the :term:`candidate`.
        data : DataFrame, mapping or object with ``obs``, default=None
            Table of which the other arguments name columns instead of being arrays: a frame of any
            package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
        object_agreement : array-like of shape (n_samples,), default=None
            Agreement for each object. None takes :func:`element_centric_similarities`: the number
            of objects that its two clusters share, divided by the size of the larger one.
        names : tuple of two str, default=None
            Names of the reference and of the candidate; None takes those of pandas Series, else
            reference and candidate.
        noise : {"cluster", "singletons", "drop"}, default="cluster"
            How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each,
            or leave them out.
        noise_label : hashable or collection of them, default=-1
            :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
        missing : {"error", "drop", "cluster"}, default="error"
            How to treat objects whose label is :term:`missing`: raise an error, leave them out, or
            take them as one cluster.
        unmatched : {"error", "drop", "singleton"}, default="error"
            How to treat objects that only one of two partitions has, where both name their objects
            (dicts, Series, sets): raise an error, leave them out, or make each a cluster of its own
            in the other partition.

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
        own = names_of(names, labels_true, labels_pred, data)
        labels_true, labels_pred = in_columns(
            data, labels_true=labels_true, labels_pred=labels_pred
        )
        reading = Reading(
            noise=noise, noise_label=noise_label, missing=missing, unmatched=unmatched
        )
        true, pred = read_pair(labels_true, labels_pred, NAMES, reading, read_labels)
        places = read_places(X)
        check_rows(X, len(places), true)
        if object_agreement is not None:
            object_agreement = np.asarray(object_agreement, dtype=np.float64)
            n_given = len(object_agreement)
            check_same_length(n_given, true.n_objects, ("object_agreement", "labels_true"))
        require_objects(count_read(true, pred, None, reading))
        shown = np.flatnonzero(~(left_out(true, reading) | left_out(pred, reading)))
        true, pred = true.take(shown), pred.take(shown)
        found = agreement_of_objects(treat_one(true, reading)[0], treat_one(pred, reading)[0])
        partners = {
            label: None if partner is NOISE_OBJECT else partner
            for label, partner in found.partners.items()
        }
        # Objects of noise are labels of their own there, but are shown with that of noise.
        known, _ = true.compact()
        partners = {label: partners.get(label) for label in plain(known.classes)}
        display = cls(
            places[shown],
            true.labels_of(true.zero_based()),
            pred.labels_of(pred.zero_based()),
            partners=partners,
            object_agreement=found.values if object_agreement is None else object_agreement[shown],
            names=None if own == NAMES else own,
        )
        return display.plot(**options)

    def plot(
        self,
        ax: Any = None,
        *,
        color_by: str = "clusters",
        cmap: Any = None,
        colorbar: bool = True,
    ) -> EmbeddingAgreementDisplay:
        """Draw the objects.

        :meth:`from_predictions` calls it: use it to draw again on other axes or with other colors.
        Interactive windows show the clusters of the object under the pointer.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.
        color_by : {"clusters", "agreement"}, default="clusters"
            What the colors show: the matched clusters, or the agreement for each object.
        cmap : str or matplotlib Colormap, default=None
            Colormap of the values; None takes that of the Display.
        colorbar : bool, default=True
            Whether to add a color bar.

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
        _check_kind("color_by", color_by)
        ax = new_axes(ax, self, (6.4, 5.2))
        self.other_points_ = None
        self.texts_: list[Any] = []
        if color_by == "clusters":
            self._draw_clusters(ax)
        else:
            self._draw_agreement(ax, cmap, colorbar)
        ax.set(xlabel="first coordinate", ylabel="second coordinate")
        lay_out(ax)
        self._size_points(ax)
        if color_by == "clusters":
            names = cluster_names(self.labels_true, self.labels_pred)
            self.texts_ = _draw_names(ax, self.X, plain(self.labels_pred), names)
        ax.format_coord = self._text_at
        return self

    def _size_points(self, ax: Any) -> None:
        extent = ax.get_window_extent()
        area = extent.width * extent.height * (72 / ax.figure.dpi) ** 2
        size = _MARKER_SHARE * area / max(len(self.X), 1)
        size = float(np.clip(size, _MIN_MARKER, _MAX_MARKER))
        self.points_.set_sizes([size])
        if self.other_points_ is not None:
            self.other_points_.set_sizes([1.5 * size])
            self.other_points_.set_linewidths(0.35 * np.sqrt(size))

    def _draw_agreement(self, ax: Any, cmap: Any, colorbar: bool) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        if cmap is None:
            cmap = LinearSegmentedColormap.from_list("agreement", _COLORS)
        # Objects with low agreement are drawn last, above the others.
        order = np.argsort(-self.object_agreement, kind="stable")
        values = self.object_agreement[order]
        within = len(values) and values[-1] >= 0 and values[0] <= 1
        self.points_ = ax.scatter(
            *self.X[order].T,
            c=values,
            cmap=cmap,
            vmin=0.0 if within else None,
            vmax=1.0 if within else None,
            linewidths=0,
        )
        write_title(ax, f"Agreement about {len(self.X)} objects")
        if colorbar:
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
        if others.any() and 72 / ax.figure.dpi * ax.get_window_extent().width >= _LEGEND_POINTS:
            # Not over the points.
            ax.legend(
                handles=[
                    ax.scatter([], [], c="0.6", linewidths=0, label="matched clusters"),
                    ax.scatter(
                        [],
                        [],
                        c="0.8",
                        edgecolors=ink(ax),
                        label=f"others: ring {first}, fill {second}",
                    ),
                ],
                title=f"names by {first}, above labels of {second}",
                loc="upper center",
                bbox_to_anchor=(0.5, -0.13),
                ncols=2,
                frameon=False,
                fontsize=_FONT_SIZE,
                title_fontsize=_FONT_SIZE,
            )

    def _text_at(self, x: float, y: float) -> str:
        """Describe the nearest object, for interactive windows."""
        at = nearest(self.points_.axes, self.X, x, y)
        if at is None:
            return ""
        return (
            f"object {at}: {self.labels_true[at]} | {self.labels_pred[at]}, "
            f"agreement {self.object_agreement[at]:.3g}"
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
