"""Picture of the evidence for the number of clusters."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._palette import BLUE, GRAY, ORANGE, PURPLE, YELLOW
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare.plot._axes import draw_band, import_pyplot, ink
from sklearn_clustcompare.plot._display import Display
from sklearn_clustcompare.plot._gap import GapDisplay
from sklearn_clustcompare.without_reference import (
    NClustersChoice,
    StructureTestResult,
    choose_n_clusters,
)

# Least prediction strength and stability of a reproducible division.
_THRESHOLDS = {"prediction strength": 0.8, "worst Jaccard index": 0.75}
_OF_LAWS = (GRAY, YELLOW, PURPLE)


class NClustersDisplay(Display, of=(NClustersChoice,)):
    """Picture of the evidence for the number of clusters.

    Four panels: silhouette and valley, each with a band for each law of structureless data; the
    prediction strength and the stability of the worst cluster, with their thresholds; and the gap
    statistic, or the number of clusters found if another parameter was varied. Vertical lines are
    at the numbers of the verdict, which is the title.

    Parameters
    ----------
    choice : NClustersChoice
        The evidence, as :func:`choose_n_clusters` returns it.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes of shape (2, 2)
        The panels.
    figure_ : matplotlib Figure
        The figure of the axes.

    See Also
    --------
    choose_n_clusters : The values as numbers, and the reasons in words.
    GapDisplay : The last panel alone.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import NClustersDisplay, choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> [ax.get_ylabel() for ax in NClustersDisplay(choice).plot().axes_.flat]
    ['silhouette', 'valley', 'found again', 'gap']
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
            Values to try. Numbers of clusters are increasing integers, at least two above 1; one
            cluster is always included, without a fit. None tries 1 to 10 clusters, or every fifth
            ``min_cluster_size`` from 5 to 50 and to half of the objects.
        param_name : str, default="auto"
            Parameter to vary: the number of clusters, such as "kmeans__n_clusters" for a pipeline;
            or another one, such as "eps", where the number of clusters found stands for it. "auto"
            finds the last step's ``n_clusters``, ``n_components`` or ``min_cluster_size``.
        null : str, callable or list of them, default="auto"
            Law of the :term:`structureless data`, by its name or as a function, or several. "auto"
            is "copula" and "elliptical", also "pca" for continuous columns, and "rates" for counts.
        n_null : int, default=39
            Number of structureless data sets of each law, at least 19.
        n_resamples : int, default=20
            Number of splits, and of bootstrap samples, at most.
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
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
        >>> NClustersDisplay(choice).plot().axes_.shape
        (2, 2)
        """
        pyplot = import_pyplot(self)
        choice = self.choice
        self.figure_, self.axes_ = pyplot.subplots(2, 2, figsize=(12.0, 8.0), layout="constrained")
        first, second, third, last = self.axes_.flat
        values = choice.param_range
        is_numeric = values.dtype.kind in "iuf"
        x = values if is_numeric else np.arange(len(values))
        columns = choice.columns()
        for ax, test in ((first, choice.silhouette), (second, choice.valley)):
            _draw_tested(ax, x[choice.tested], test)
            ax.set(ylabel=test.name, title=test.name.capitalize())
        for name, column, color in (
            ("prediction strength", columns["prediction_strength"], BLUE),
            ("worst Jaccard index", columns["stability"], ORANGE),
        ):
            third.plot(x, column, color=color, marker="o", markersize=4, linewidth=1.3, label=name)
            third.axhline(
                _THRESHOLDS[name],
                color=color,
                linestyle=":",
                linewidth=1,
                label=f"at least {_THRESHOLDS[name]}",
            )
        third.set(ylabel="found again", title="Found again in halves and in bootstrap samples")
        if choice.gap is not None:
            GapDisplay(choice.gap).plot(ax=last)
        else:
            last.plot(x, choice.n_found, color=BLUE, marker="o", markersize=4, linewidth=1.3)
            last.set(ylabel="number of clusters", title="Clusters found")
        numbers = [choice.n_clusters or 0, *choice.verdict.finer]
        chosen = x[np.isin(choice.n_found, numbers)]
        title = choice.param_name.rsplit("__", 1)[-1]
        for ax in self.axes_.flat:
            for place in chosen.tolist():
                ax.axvline(place, color=ink(ax), alpha=0.3, linewidth=1, zorder=0)
            ax.set_xlabel(title)
            if not is_numeric:
                ax.set_xticks(x, list(map(str, values)))
            elif choice.gap is not None:
                ax.set_xlim(0.5, x[-1] + 0.5)
                ax.xaxis.get_major_locator().set_params(integer=True)
        for ax in (first, second, third):
            ax.margins(y=0.3)  # room for the legend
            ax.legend(loc="best", frameon=False, fontsize=9)
        self.figure_.suptitle(f"{choice.verdict.headline} (p = {choice.pvalue:.2g})")
        return self


def _draw_tested(ax: Any, x: Any, test: StructureTestResult) -> None:
    """Draw values of the data, and a band for each law."""
    for color, (law, one) in zip(itertools.cycle(_OF_LAWS), test.laws.items(), strict=False):
        draw_band(
            ax,
            x,
            one.null_values.mean(axis=0),
            one.null_values.std(axis=0, ddof=1),
            color=color,
            label=f"{law}: mean \N{PLUS-MINUS SIGN} 2 sd",
        )
    ax.plot(x, test.values, color=BLUE, marker="o", markersize=4, linewidth=1.3, label="data")
