"""A picture of the values and weights of single clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare.plot._axes import BLUE, ORANGE, label_clusters, new_axes, plain
from sklearn_clustcompare.report import ClusterDecomposition, cluster_decomposition


class DecompositionDisplay:
    """Picture of the value and the weight of each cluster, for both partitions.

    Each cluster is a bar as high as its value and as wide as its weight. The area of all bars of
    a side is the overall index, drawn as a dashed line: R upwards for the clusters of
    ``labels_true``, C downwards for those of ``labels_pred``. The best clusters stand left.

    Parameters
    ----------
    decomposition : ClusterDecomposition
        The values of the single clusters, as :func:`cluster_decomposition` returns them.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    label_ax_ : matplotlib Axes
        Twin of the axes that has the labels of the upper bars.
    true_bars_, pred_bars_ : matplotlib BarContainer
        Bars of the two sides, from left to right.

    See Also
    --------
    cluster_decomposition : The values.
    WeightFunctionDisplay : Where the weights come from.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import DecompositionDisplay
    >>> display = DecompositionDisplay.from_predictions([0, 0, 0, 1, 1], [0, 0, 0, 0, 1])
    >>> [round(float(bar.get_height()), 3) for bar in display.true_bars_]
    [0.437, 0.244]
    """

    def __init__(self, decomposition: ClusterDecomposition) -> None:
        self.decomposition = decomposition

    @classmethod
    def from_predictions(
        cls,
        labels_true: Any,
        labels_pred: Any = None,
        *,
        q: float = 1.0,
        sample_weight: ArrayLike | None = None,
        possibilistic: bool = False,
        noise: str = "cluster",
        noise_label: Any = -1,
        missing: str = "error",
        ax: Any = None,
    ) -> DecompositionDisplay:
        """Decompose the agreement of two partitions, and draw it.

        Use it to see which clusters lower an index: low bars that are wide cost the most, and
        narrow ones hardly matter.

        Parameters
        ----------
        labels_true : array-like or ContingencyTable
            :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
            :term:`contingency table` of both partitions, without ``labels_pred``.
        labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
            Labels or memberships of the :term:`candidate`.
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
        sample_weight : array-like of shape (n_samples,), default=None
            :term:`Frequency weights <sample_weight>`; None weighs every object 1.
        possibilistic : bool, default=False
            Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
        noise : {"cluster", "singletons", "drop"}, default="cluster"
            What objects with the label of :term:`noise` are: one cluster, a cluster each, or left
            out.
        noise_label : hashable or collection of them, default=-1
            :term:`Label of noise <noise_label>` on either side, or several; none need occur.
        missing : {"error", "drop", "cluster"}, default="error"
            What objects whose label is :term:`missing` are: an error, left out, or one cluster.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        DecompositionDisplay
            Drawn on ``ax_``.

        See Also
        --------
        cluster_decomposition : The values and weights as numbers.
        ContingencyDisplay.from_predictions : Where the objects of each cluster went.

        Examples
        --------
        >>> from sklearn_clustcompare import DecompositionDisplay
        >>> display = DecompositionDisplay.from_predictions([0, 0, 0, 1, 1], [0, 0, 0, 0, 1])
        >>> display.ax_.get_ylabel()
        'C_j, C = 0.446 (dashed)    R_i, R = 0.332 (dashed)'
        """
        decomposition = cluster_decomposition(
            labels_true,
            labels_pred,
            q=q,
            sample_weight=sample_weight,
            possibilistic=possibilistic,
            noise=noise,
            noise_label=noise_label,
            missing=missing,
        )
        return cls(decomposition).plot(ax=ax)

    def plot(self, ax: Any = None) -> DecompositionDisplay:
        """Draw the bars.

        :meth:`from_predictions` has done so already: call it for a decomposition that was
        computed before, or to draw again into other axes. The labels of the upper bars stand on
        axes of their own, ``label_ax_``, above those given.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        DecompositionDisplay
            Itself.

        See Also
        --------
        DecompositionDisplay.from_predictions : Computes the decomposition first.

        Examples
        --------
        >>> from sklearn_clustcompare import DecompositionDisplay, cluster_decomposition
        >>> parts = cluster_decomposition([0, 0, 0, 1, 1], [0, 0, 0, 0, 1])
        >>> display = DecompositionDisplay(parts).plot()
        >>> [round(float(bar.get_width()), 2) for bar in display.true_bars_]
        [0.46, 0.54]
        """
        ax = new_axes(ax, self, (9.0, 6.2))
        parts = self.decomposition
        ax.set_xlim(0, 1)
        self.label_ax_ = ax.twiny()
        self.label_ax_.set_xlim(0, 1)
        self.true_bars_ = _bars(
            ax, self.label_ax_.xaxis, parts.R_i, parts.u_i, parts.labels[0], BLUE, 1
        )
        self.pred_bars_ = _bars(ax, ax.xaxis, parts.C_j, parts.v_j, parts.labels[1], ORANGE, -1)
        ax.axhline(0, color="black", linewidth=1)
        ax.axhline(parts.R, color="black", linestyle="--", linewidth=1)
        ax.axhline(-parts.C, color="black", linestyle="--", linewidth=1)
        ticks = np.linspace(-1, 1, 9)
        ax.set_yticks(ticks, [f"{abs(tick):g}" for tick in ticks])
        ax.set_ylim(-1.04, 1.04)
        ax.set_xlabel(
            f"clusters of labels_pred ({len(parts.C_j)}), by value; width: weight v_j (share of "
            "the entropy)"
        )
        self.label_ax_.set_xlabel(
            f"clusters of labels_true ({len(parts.R_i)}), by value; width: weight u_i (share of "
            "the entropy)"
        )
        ax.set_ylabel(f"C_j, C = {parts.C:.3f} (dashed)    R_i, R = {parts.R:.3f} (dashed)")
        return self


def _bars(
    ax: Any,
    axis: Any,
    values: NDArray[Any],
    weights: NDArray[Any],
    labels: NDArray[Any],
    color: str,
    sign: int,
) -> Any:
    order = np.argsort(-values, kind="stable")
    widths = weights[order]
    lefts = np.cumsum(widths) - widths
    bars = ax.bar(
        lefts,
        sign * values[order],
        widths,
        align="edge",
        color=color,
        edgecolor="white",
        # Thin bars would be hidden by their edges.
        linewidth=0.8 if len(values) <= 50 else 0,
        antialiased=len(values) <= 50,
    )
    label_clusters(axis, lefts + widths / 2, plain(labels[order]))
    return bars
