"""Picture of the evidence for the number of clusters."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._palette import BLUE, GRAY, PURPLE, YELLOW
from sklearn_clustcompare.plot._display import Display, draw_band, draws, import_pyplot, ink
from sklearn_clustcompare.without_reference import choose_n_clusters
from sklearn_clustcompare.without_reference._n_clusters import NClustersChoice
from sklearn_clustcompare.without_reference._verdict import COMES_BACK, SEPARATED, TOUCHING

# What is said of a ratio.
_RATIOS = {SEPARATED: "separated", TOUCHING: "touching"}
_OF_LAWS = (GRAY, YELLOW, PURPLE)


class NClustersDisplay(Display, of=(NClustersChoice,)):
    """Picture of the evidence for the number of clusters.

    Three panels: the silhouette, with a band for each law of structureless data that was drawn; the
    strength, with the threshold above which a division comes back; and the ratio of the density of
    the cores to that of the passes, with those of separated and of touching clusters. Vertical
    lines are at the numbers of the verdict, which is the title.

    Parameters
    ----------
    choice : NClustersChoice
        The evidence, as :func:`choose_n_clusters` returns it.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes of shape (3,)
        The panels.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    choose_n_clusters : The values as numbers, and the reasons in words.
    GapDisplay : The gap statistic.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import choose_n_clusters
    >>> from sklearn_clustcompare.plot import NClustersDisplay
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> [ax.get_ylabel() for ax in NClustersDisplay(choice).plot().axes_.flat]
    ['silhouette', 'strength', 'ratio']
    """

    choice: NClustersChoice

    @classmethod
    @draws(choose_n_clusters)
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, param_range: Any = None, **options: Any
    ) -> NClustersDisplay:
        """Compute all evidence, and draw it.

        Use it for a first look at data without a reference.

        Returns
        -------
        NClustersDisplay
            Drawn on ``axes_``.

        Raises
        ------
        ValueError
            If X, the structureless data or a parameter are invalid.

        See Also
        --------
        choose_n_clusters : The values as numbers, and the reasons in words.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare.plot import NClustersDisplay
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> display = NClustersDisplay.from_estimator(KMeans(), X, param_range=range(1, 5))
        >>> display.choice.n_clusters
        3
        """
        return cls._drawn(choose_n_clusters, estimator, X, param_range, **options)

    def plot(self) -> NClustersDisplay:
        """Draw the three panels in a new figure.

        :meth:`from_estimator` calls it: use it for an existing result.

        Returns
        -------
        NClustersDisplay
            Itself.

        See Also
        --------
        NClustersDisplay.from_estimator : Computes the criteria first.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> from sklearn_clustcompare.plot import NClustersDisplay
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
        >>> NClustersDisplay(choice).plot().axes_.shape
        (3,)
        """
        pyplot = import_pyplot(self)
        choice = self.choice
        self.figure_, self.axes_ = pyplot.subplots(
            3, 1, figsize=(7.0, 8.0), layout="constrained", sharex=True
        )
        silhouette, strength, ratio = self.axes_
        values = choice.param_range
        n_clusters = (choice.n_clusters or 0) - len(choice.small_groups)
        is_numeric = values.dtype.kind in "iuf"
        x = values if is_numeric else np.arange(len(values))
        laws = zip(itertools.cycle(_OF_LAWS), choice.null_silhouettes.items(), strict=False)
        for color, (law, sets) in laws:
            known = (~np.isnan(sets)).sum(axis=0) > 1
            if not known.any():
                continue
            label = f"one cluster, {law}: mean \N{PLUS-MINUS SIGN} 2 sd"
            mean, deviation = np.nanmean(sets[:, known], axis=0), np.nanstd(sets[:, known], axis=0)
            draw_band(silhouette, x[known], mean, deviation, color=color, label=label)
        strength.axhline(COMES_BACK, color=GRAY, linestyle=":", label="comes back")
        for (least, name), style in zip(_RATIOS.items(), (":", "--"), strict=True):
            ratio.axhline(least, color=GRAY, linestyle=style, label=name)
        for ax, name in zip(self.axes_, ("silhouette", "strength", "ratio"), strict=True):
            column = getattr(choice, name)
            ax.plot(x, column, color=BLUE, marker="o", markersize=4, linewidth=1.3, label="data")
            for place in x[choice.n_found == n_clusters].tolist():
                ax.axvline(place, color=ink(ax), alpha=0.3, linewidth=1, zorder=0)
            ax.set_ylabel(name)
            n_lines = len(ax.get_legend_handles_labels()[1])
            ax.margins(y=0.1 + 0.15 * n_lines)  # room for the legend
            ax.legend(loc="best", frameon=False, fontsize=9)
        ratio.set_xlabel(choice.param_name.rsplit("__", 1)[-1])
        if not is_numeric:
            ratio.set_xticks(x, list(map(str, values)))
        elif values.dtype.kind in "iu":
            ratio.xaxis.get_major_locator().set_params(integer=True)
        self.figure_.suptitle(choice.verdict.headline)
        return self
