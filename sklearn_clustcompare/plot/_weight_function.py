"""Picture of the weight of a cluster as a function of its size."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import KW_ONLY
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from sklearn_clustcompare._palette import BLUE, ORANGE
from sklearn_clustcompare._parameters import logarithm_base
from sklearn_clustcompare._partition import Reading, read
from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns, own_name
from sklearn_clustcompare._rendering import n_clusters_text
from sklearn_clustcompare.indices._entropies import unit as information_unit
from sklearn_clustcompare.plot._axes import (
    ink,
    lay_out,
    new_axes,
    plain,
    shorten,
    shorten_all,
    write_title,
)
from sklearn_clustcompare.plot._display import Display, count_named, draws, taken

_MAX_NAMED = 12
_LINE_INCHES = 0.19
_WIDE_INCHES = 4.5
# Names of marks near the top are above the curve, which is flat there.
_HIGH = 0.93
# Height of the axes relative to that of the curve.
_ROOM = 1.15


class WeightFunctionDisplay(Display):
    """Picture of the weight function f(p) = -p log p, with the clusters of a partition marked.

    The weight of a cluster in the entropy-weighted means R and C is f(p) divided by the entropy,
    with p the share of the objects in the cluster [1]_. It is largest at p = 1/e, about 0.368:
    smaller and larger clusters have less weight.

    Parameters
    ----------
    shares : array-like of shape (n_clusters,), default=()
        Shares of the objects in each cluster, in [0, 1].
    labels : array-like of shape (n_clusters,), default=None
        Labels of the clusters; None leaves the marks without names.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.
    name : str, default=None
        Name of the partition, which stands in the title.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_ : matplotlib Line2D
        The function.
    marks_ : matplotlib Line2D
        The clusters.

    See Also
    --------
    DecompositionDisplay : Values and weights together.
    cluster_decomposition : The weights as numbers, u_i and v_j.

    References
    ----------
    .. [1] H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for
       comparing clusterings", Behaviormetrika 46, 2019, :doi:`10.1007/s41237-018-0075-7`,
       Figure 1.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import WeightFunctionDisplay
    >>> display = WeightFunctionDisplay.from_predictions(list("aaab"), base=2)
    >>> display.marks_.get_ydata().round(3)
    array([0.311, 0.5  ])
    """

    shares: ArrayLike = ()
    labels: Any = None
    _: KW_ONLY
    base: float | None = None
    name: str | None = None

    @classmethod
    @draws(count_named, own=["base"], without=["names"])
    def from_predictions(
        cls,
        labels: PartitionLike,
        *,
        data: TableLike = None,
        sample_weight: ArrayLike | None = None,
        **options: Any,
    ) -> WeightFunctionDisplay:
        """Mark the clusters of a partition.

        Use it to see which clusters of a partition have the most weight in an index of information,
        without a second partition.

        Parameters
        ----------
        labels : array-like of shape (n_samples,) or (n_samples, n_clusters)
            :term:`Labels` or :term:`memberships` of one :term:`partition`.

        Returns
        -------
        WeightFunctionDisplay
            Drawn on ``ax_``.

        See Also
        --------
        DecompositionDisplay.from_predictions : Values and weights of two partitions.
        clustering_entropy : The sum of the weights drawn.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import WeightFunctionDisplay
        >>> display = WeightFunctionDisplay.from_predictions(list("aaab"))
        >>> display.marks_.get_xdata(), display.marks_.get_ydata().round(3)
        (array([0.75, 0.25]), array([0.216, 0.347]))
        """
        name = own_name(labels, data)
        labels, sample_weight = in_columns(data, labels=labels, sample_weight=sample_weight)
        own, counting = taken(options, cls), taken(options, count_named)
        partition = read(labels, "labels", Reading(**counting))
        table, _ = count_named(partition, partition, sample_weight=sample_weight, **counting)
        shares = table.row_sums / table.n_samples if table.n_samples else table.row_sums
        own["name"] = None if name is None else str(name)
        return cls(shares, plain(table.row_labels), **own).plot(**options)

    def plot(self, ax: Any = None) -> WeightFunctionDisplay:
        """Draw the function and the clusters.

        :meth:`from_predictions` calls it: use it for your own shares, for the function alone, or to
        draw again on other axes. With more than twelve clusters the marks have no names.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        WeightFunctionDisplay
            Itself.

        See Also
        --------
        WeightFunctionDisplay.from_predictions : Counts the shares first.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import WeightFunctionDisplay
        >>> display = WeightFunctionDisplay([0.05, 0.95], ["rare", "common"]).plot()
        >>> display.marks_.get_ydata().round(3)
        array([0.15 , 0.049])
        """
        logarithm_base("base", self.base)
        ax = new_axes(ax, self, (6.4, 4.4))
        unit = 1.0 if self.base is None else math.log(self.base)
        grid = np.linspace(0, 1, 501)
        shares = np.asarray(self.shares, dtype=np.float64)
        weights = entr(shares) / unit
        (self.line_,) = ax.plot(grid, entr(grid) / unit, color=BLUE)
        ax.axvline(1 / math.e, color=ink(ax), linestyle=":", linewidth=1)
        top = 1 / math.e / unit
        ax.annotate(f"p = 1/e, f = {top:.3f}", (1 / math.e, 0), (4, 4), textcoords="offset points")
        (self.marks_,) = ax.plot(
            shares,
            weights,
            "o",
            color=ORANGE,
            markeredgecolor="white",
            markersize=7 if len(shares) <= 50 else 5,
            alpha=1.0 if len(shares) <= 50 else 0.6,
        )
        if self.labels is not None and len(shares) <= _MAX_NAMED:
            self._name(ax, shares, weights, top)
        ax.set(
            xlim=(-0.02, 1.02),
            ylim=(0, _ROOM * top),
            xlabel="p, share of the objects in a cluster",
            ylabel=f"f(p) = \N{MINUS SIGN}p log p ({information_unit(base=self.base)})",
        )
        of = "" if self.name is None else f" of {shorten(self.name)}"
        marked = f" ({n_clusters_text(len(shares))}{of} marked)" if len(shares) else ""
        write_title(ax, f"Weight of a cluster by its size{marked}")
        lay_out(ax)
        return self

    def _name(self, ax: Any, shares: Any, weights: Any, top: float) -> None:
        """Write the labels next to the marks; those of equal or close clusters share a line."""
        lines: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        names = shorten_all(self.labels, 12)
        width, height = np.array(ax.get_window_extent().size) / ax.figure.dpi
        n_lines = max(int(height / _ROOM / _LINE_INCHES), 1)
        n_names = 3 if width > _WIDE_INCHES else 1
        for position in np.argsort(shares, kind="stable").tolist():
            line = round(weights[position] / top * n_lines)
            lines[int(shares[position] > 1 / math.e), line].append(position)
        for (is_right, line), positions in lines.items():
            text = ", ".join(names[position] for position in positions[:n_names])
            if len(positions) > n_names:
                text += f" and {len(positions) - n_names} more"
            place = positions[-1 if is_right else 0]
            is_high = weights[place] > _HIGH * top
            ax.annotate(
                text,
                (shares[place], weights[place] if is_high else line * top / n_lines),
                (0, 10) if is_high else (8, 0),
                textcoords="offset points",
                ha="center" if is_high else "left",
                va="center",
                fontsize=9,
            )
