"""Picture of several criteria for the number of clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._numerics import are_best
from sklearn_clustcompare._palette import BLUE, GRAY
from sklearn_clustcompare.plot._axes import draw_band, import_pyplot, ink
from sklearn_clustcompare.plot._gap import GapDisplay
from sklearn_clustcompare.plot._stability import StabilityDisplay
from sklearn_clustcompare.without_reference import NClustersChoice, choose_n_clusters


class NClustersDisplay:
    """Picture of several criteria for the number of clusters.

    Four panels: the gap statistic with the choices of its rules, the stability with the band of
    structureless data, the prediction strength with its threshold, and the silhouette score with
    the band of structureless data.

    Parameters
    ----------
    choice : NClustersChoice
        The values, as :func:`choose_n_clusters` returns them.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes of shape (2, 2)
        The panels.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    choose_n_clusters : The values as numbers, and a summary in words.
    GapDisplay : The first panel alone.
    StabilityDisplay : The second and the third panel alone.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import NClustersDisplay, choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_resamples=5)
    >>> [ax.get_ylabel() for ax in NClustersDisplay(choice).plot().axes_.flat]
    ['gap', 'adjusted_rand_score', 'prediction strength', 'silhouette_score']
    """

    def __init__(self, choice: NClustersChoice) -> None:
        self.choice = choice

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        param_range: ArrayLike = range(1, 11),
        *,
        param_name: str = "auto",
        null: Any = "pca",
        n_null: int = 19,
        n_resamples: int = 20,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> NClustersDisplay:
        """Compute all criteria, and draw them.

        Use it for a first look at data without a reference.

        Parameters
        ----------
        estimator : estimator
            A clusterer, or a pipeline that ends in one.
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            The data; or distances or similarities between the objects, if the clusterer
            takes these.
        param_range : array-like of int of shape (n_values,), default=range(1, 11)
            Its values, increasing. One cluster is always included, without a fit, so that the
            criteria can find that there are no clusters.
        param_name : str, default="auto"
            Parameter with the number of clusters, such as ``"kmeans__n_clusters"`` of a pipeline;
            "auto" finds the last step's ``n_clusters`` or ``n_components``.
        null : {"pca", "box", "gaussian", "permute"} or callable, default="pca"
            Law of the :term:`structureless data`.
        n_null : int, default=19
            Number of structureless data sets, at least 19.
        n_resamples : int, default=20
            Number of pairs of samples, of splits, and of samples for the stability of clusters.
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
        choose_n_clusters : The values as numbers, and a summary in words.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import NClustersDisplay
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> display = NClustersDisplay.from_estimator(
        ...     KMeans(), X, param_range=range(1, 5), n_resamples=5
        ... )
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
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        return cls(choice).plot()

    def plot(self) -> NClustersDisplay:
        """Draw the four panels in a new figure.

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
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5), n_resamples=5)
        >>> NClustersDisplay(choice).plot().axes_.shape
        (2, 2)
        """
        pyplot = import_pyplot(self)
        self.figure_, self.axes_ = pyplot.subplots(2, 2, figsize=(12.0, 8.0), layout="constrained")
        GapDisplay(self.choice.gap).plot(ax=self.axes_[0, 0])
        StabilityDisplay(self.choice.stability).plot(ax=self.axes_[0, 1])
        StabilityDisplay(self.choice.prediction_strength).plot(ax=self.axes_[1, 0])
        self._draw_silhouettes(self.axes_[1, 1])
        for ax in self.axes_.flat:
            ax.set_xlim(0.5, self.choice.gap.param_range[-1] + 0.5)
        return self

    def _draw_silhouettes(self, ax: Any) -> None:
        test = self.choice.structure
        assert test.param_range is not None
        x = np.array(test.param_range)
        draw_band(
            ax,
            x,
            test.null_values.mean(axis=0),
            test.null_values.std(axis=0, ddof=1),
            color=GRAY,
            label="structureless data: mean \N{PLUS-MINUS SIGN} 2 sd",
        )
        ax.plot(x, test.values, color=BLUE, marker="o", markersize=4, linewidth=1.3, label="data")
        best = int(are_best(test.values).argmax())
        ax.scatter(
            [x[best]],
            [test.values[best]],
            marker="*",
            s=150,
            color=BLUE,
            edgecolor=ink(ax),
            linewidth=0.7,
            zorder=5,
            label="largest",
        )
        ax.xaxis.get_major_locator().set_params(integer=True)
        name = self.choice.gap.param_name.rsplit("__", 1)[-1]
        ax.margins(y=0.3)  # room for the legend
        title = f"Silhouette, best of {len(x)}: p = {test.pvalue:.2g}"
        ax.set(xlabel=name, ylabel=test.name, title=title)
        ax.legend(loc="best", frameon=False, fontsize=9)
