"""Picture of the objects that a clustering depends on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._partition import read_labels
from sklearn_clustcompare._partition.options import MatrixLike
from sklearn_clustcompare.plot._axes import (
    COLORMAP,
    draw_colorbar,
    ink,
    keep_to_cell,
    new_axes,
    read_places,
    write_title,
)
from sklearn_clustcompare.plot._display import Display
from sklearn_clustcompare.plot._layers import numbered_color
from sklearn_clustcompare.without_reference import Influence, influence

_MARKER, _CHANGED_MARKER = 14.0, 55.0


class InfluenceDisplay(Display):
    """Picture of how far a clustering moves when each object is left out.

    Objects without which nothing changes are small, in the color of their cluster. Each of the
    others is a large mark whose color shows the index.

    Parameters
    ----------
    X : ndarray of shape (n_samples, 2)
        Positions of the objects, such as the first two principal components.
    result : Influence
        What :func:`influence` returns for ``change="delete"``.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    others_ : matplotlib PathCollection
        Objects without influence, and those that were not left out.
    points_ : matplotlib PathCollection
        Objects with influence.

    See Also
    --------
    influence : The values as numbers.
    EmbeddingAgreementDisplay : Two partitions in a plane.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn_clustcompare import InfluenceDisplay
    >>> X = [[0, 0], [1, 0], [3, 0], [7, 1], [8, 1], [30, 0]]
    >>> display = InfluenceDisplay.from_estimator(AgglomerativeClustering(2), X)
    >>> len(display.points_.get_offsets())
    1
    """

    def __init__(self, X: NDArray[Any], result: Influence) -> None:
        self.X = X
        self.result = result

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike,
        *,
        coordinates: ArrayLike | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        ax: Any = None,
        **params: Any,
    ) -> InfluenceDisplay:
        """Compute the influence of each object, and draw it.

        Use :meth:`from_result` for a result that you have.

        Parameters
        ----------
        estimator : estimator
            A clusterer, or a pipeline that ends in one.
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            The data; or distances or similarities between the objects, if the clusterer takes
            these.
        coordinates : array-like of shape (n_samples, 2), default=None
            Positions of the objects in the picture. None takes ``X``, which then has two columns.
        n_jobs : int, default=None
            :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
        verbose : int, default=0
            Whether to show progress on stderr.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.
        **params : dict
            Further parameters of :func:`influence`, such as ``index``.

        Returns
        -------
        InfluenceDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the coordinates do not have the shape (n_samples, 2).

        See Also
        --------
        InfluenceDisplay.from_result : Draws a result.

        Examples
        --------
        >>> from sklearn.cluster import AgglomerativeClustering
        >>> from sklearn_clustcompare import InfluenceDisplay
        >>> X = [[0, 0], [1, 0], [3, 0], [7, 1], [8, 1], [30, 0]]
        >>> display = InfluenceDisplay.from_estimator(AgglomerativeClustering(2), X)
        >>> int(display.result.ranking[0])
        5
        """
        places = read_places(X if coordinates is None else coordinates)
        found = influence(estimator, X, n_jobs=n_jobs, verbose=verbose, **params)
        return cls.from_result(places, found, ax=ax)

    @classmethod
    def from_result(cls, X: ArrayLike, result: Influence, *, ax: Any = None) -> InfluenceDisplay:
        """Draw the influence of the objects at their positions.

        Use it for results of long computations, and for embeddings.

        Parameters
        ----------
        X : array-like of shape (n_samples, 2)
            Positions of the objects, such as the first two principal components.
        result : Influence
            What :func:`influence` returns for ``change="delete"``.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        InfluenceDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the positions do not have the shape (n_samples, 2), or the result is one of orders.

        See Also
        --------
        InfluenceDisplay.from_estimator : Computes the result first.

        Examples
        --------
        >>> from sklearn.cluster import AgglomerativeClustering
        >>> from sklearn_clustcompare import InfluenceDisplay, influence
        >>> X = [[0, 0], [1, 0], [3, 0], [7, 1], [8, 1], [30, 0]]
        >>> found = influence(AgglomerativeClustering(2), X)
        >>> InfluenceDisplay.from_result(X, found).ax_.get_title()
        '1 of 6 objects change the clustering'
        """
        places = read_places(X)
        if result.objects is None:
            msg = "result must be one of objects that are left out, got one of orders"
            raise ValueError(msg)
        if len(places) != len(result.labels):
            msg = f"X must have {len(result.labels)} rows, one an object, got {len(places)}"
            raise ValueError(msg)
        return cls(places, result).plot(ax=ax)

    def plot(self, ax: Any = None, *, cmap: Any = None, colorbar: bool = True) -> InfluenceDisplay:
        """Draw the objects.

        :meth:`from_result` calls it: use it to draw again on other axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.
        cmap : str or matplotlib Colormap, default=None
            Colormap of the values; None takes that of the Display.
        colorbar : bool, default=True
            Whether to add a color bar.

        Returns
        -------
        InfluenceDisplay
            Itself.

        See Also
        --------
        InfluenceDisplay.from_result : Checks positions and result first.

        Examples
        --------
        >>> from sklearn.cluster import AgglomerativeClustering
        >>> from sklearn_clustcompare import InfluenceDisplay
        >>> X = [[0, 0], [1, 0], [3, 0], [7, 1], [8, 1], [30, 0]]
        >>> display = InfluenceDisplay.from_estimator(AgglomerativeClustering(2), X)
        >>> display.plot(cmap="plasma", colorbar=False).points_.get_cmap().name
        'plasma'
        """
        ax = new_axes(ax, self, (6.4, 5.2))
        result = self.result
        assert result.objects is not None
        moving, values = result.objects[result.is_changed], result.values[result.is_changed]
        # The most influential objects are drawn last, above the others.
        order = np.argsort(-values if result.index.greater_is_better else values, kind="stable")
        moving, values = moving[order], values[order]
        still = np.setdiff1d(np.arange(len(self.X)), moving)
        codes = read_labels(result.labels, "labels").compact()[0].codes[still]
        self.others_ = ax.scatter(
            *self.X[still].T,
            c=[numbered_color(code) for code in codes.tolist()],
            s=_MARKER,
            alpha=0.45,
            linewidths=0,
        )
        self.points_ = ax.scatter(
            *self.X[moving].T,
            c=values,
            cmap=COLORMAP if cmap is None else cmap,
            s=_CHANGED_MARKER,
            edgecolors=ink(ax),
            linewidths=0.8,
        )
        ax.set(xlabel="first coordinate", ylabel="second coordinate")
        write_title(ax, f"{len(moving)} of {len(result.values)} objects change the clustering")
        if colorbar and len(moving):
            draw_colorbar(self.points_, result.index.axis_text(**result.parameters))
        keep_to_cell(ax)
        return self
