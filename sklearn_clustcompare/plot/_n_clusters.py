"""Picture of the evidence for the number of clusters."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._palette import BLUE, GRAY, PURPLE, YELLOW
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare.plot._axes import draw_band, import_pyplot, ink
from sklearn_clustcompare.plot._display import Display
from sklearn_clustcompare.without_reference import NClustersChoice, choose_n_clusters

# What a division needs, and what is said of it.
_COMES_BACK = 0.8
_RATIOS = {2.5: "separated", 1.0: "touching"}
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
    >>> from sklearn_clustcompare import NClustersDisplay, choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> [ax.get_ylabel() for ax in NClustersDisplay(choice).plot().axes_.flat]
    ['silhouette', 'strength', 'ratio']
    """

    def __init__(self, choice: NClustersChoice) -> None:
        self.choice = choice

    @classmethod
    def from_estimator(
        cls,
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
    ) -> NClustersDisplay:
        """Compute all evidence, and draw it.

        Use it for a first look at data without a reference.

        Parameters
        ----------
        estimator : estimator
            A clusterer, or a pipeline that ends in one.
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            The data; or distances or similarities between the objects, if the clusterer
            takes these.
        param_range : array-like of shape (n_values,), default=None
            Values to try. Numbers of clusters are increasing integers, at least one above 1; one
            cluster is always included. None tries 1 to 10 clusters, and more if 10 are the best; or
            every fifth ``min_cluster_size`` from 5 to 50 and to half of the objects.
        param_name : str, default="auto"
            Parameter to vary: the number of clusters, such as "kmeans__n_clusters" for a pipeline;
            or another one, such as "eps", where the number of clusters found stands for it. "auto"
            finds the last step's ``n_clusters``, ``n_components`` or ``min_cluster_size``.
        null : str, callable or list of them, default="auto"
            Law of the :term:`structureless data`, by its name or as a function, or several. "auto"
            is "copula" and "elliptical", also "pca" for continuous columns, and "rates" for counts.
        n_null : int, default=39
            Number of structureless data sets of each law at most, at least 19.
        n_resamples : int, default=20
            Number of splits of the data at most.
        subsample : int, None or "auto", default="auto"
            Rows of each sample that the evidence is taken from; None for all rows in one. "auto"
            takes samples of 500 above 1,500 rows. Clusters of fewer than some 5 % of the rows need
            larger ones.
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
        >>> from sklearn_clustcompare import NClustersDisplay
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> display = NClustersDisplay.from_estimator(KMeans(), X, param_range=range(1, 5))
        >>> display.choice.n_clusters
        3
        """
        choice = choose_n_clusters(
            estimator,
            X,
            param_name=param_name,
            param_range=param_range,
            null=null,
            n_null=n_null,
            n_resamples=n_resamples,
            subsample=subsample,
            n_subsamples=n_subsamples,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        return cls(choice).plot()

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
        >>> from sklearn_clustcompare import NClustersDisplay, choose_n_clusters
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
        strength.axhline(_COMES_BACK, color=GRAY, linestyle=":", label="comes back")
        for (least, name), style in zip(_RATIOS.items(), (":", "--"), strict=True):
            ratio.axhline(least, color=GRAY, linestyle=style, label=name)
        for ax, name in zip(self.axes_, ("silhouette", "strength", "ratio"), strict=True):
            column = getattr(choice, name)
            ax.plot(x, column, color=BLUE, marker="o", markersize=4, linewidth=1.3, label="data")
            for place in x[np.isin(choice.n_found, [choice.n_clusters or 0])].tolist():
                ax.axvline(place, color=ink(ax), alpha=0.3, linewidth=1, zorder=0)
            ax.set_ylabel(name)
            ax.margins(y=0.3)  # room for the legend
            ax.legend(loc="best", frameon=False, fontsize=9)
        ratio.set_xlabel(choice.param_name.rsplit("__", 1)[-1])
        if not is_numeric:
            ratio.set_xticks(x, list(map(str, values)))
        elif values.dtype.kind in "iu":
            ratio.xaxis.get_major_locator().set_params(integer=True)
        self.figure_.suptitle(choice.verdict.headline)
        return self
