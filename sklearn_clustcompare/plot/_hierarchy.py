"""Picture of two hierarchies compared at each cut."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._palette import BLUE, GRAY
from sklearn_clustcompare.hierarchies import HierarchyComparison, compare_hierarchies
from sklearn_clustcompare.plot._axes import (
    draw_band,
    draw_legend,
    ink,
    lay_out,
    new_axes,
    tick_decades,
    write_title,
)
from sklearn_clustcompare.plot._display import Display, draws

# From this ratio of the largest to the smallest number of clusters on, the axis is logarithmic.
_WIDE = 50


class HierarchyComparisonDisplay(Display, of=(HierarchyComparison,)):
    """Picture of an index against the number of clusters of two hierarchies.

    If they are known exactly, the expected value for random partitions with the same cluster sizes
    and a band of two standard deviations around it are drawn: values within the band may be due to
    chance [1]_.

    Parameters
    ----------
    comparison : HierarchyComparison
        Result of :func:`compare_hierarchies`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_ : matplotlib Line2D
        The index.
    expected_line_ : matplotlib Line2D or None
        Its expected value, if known.
    band_ : matplotlib PolyCollection or None
        The band, if known.

    See Also
    --------
    compare_hierarchies : The values.

    References
    ----------
    .. [1] E. B. Fowlkes, C. L. Mallows, "A method for comparing two hierarchical clusterings",
       Journal of the American Statistical Association 78(383), 1983,
       :doi:`10.1080/01621459.1983.10478008`

    Examples
    --------
    >>> from scipy.cluster.hierarchy import linkage
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare.plot import HierarchyComparisonDisplay
    >>> X = load_iris().data
    >>> display = HierarchyComparisonDisplay.from_linkages(
    ...     linkage(X, "average"), linkage(X, "ward"), param_range=range(2, 21)
    ... )
    >>> display.line_.get_ydata()[:3].round(3)
    array([1.   , 0.961, 0.77 ])
    """

    def __init__(self, comparison: HierarchyComparison) -> None:
        self.comparison = comparison

    @classmethod
    @draws(compare_hierarchies)
    def from_linkages(
        cls, Z1: Any, Z2: Any, param_range: ArrayLike | None = None, **options: Any
    ) -> HierarchyComparisonDisplay:
        """Compare two linkages, and draw the values.

        Both trees are cut into each number of clusters. The curve shows at which numbers the trees
        agree, and at which they agree no more than by chance.

        Returns
        -------
        HierarchyComparisonDisplay
            Drawn on ``ax_``.

        See Also
        --------
        compare_hierarchies : The values as numbers.
        scipy.cluster.hierarchy.linkage : Makes linkage matrices.

        Examples
        --------
        >>> from scipy.cluster.hierarchy import linkage
        >>> from sklearn_clustcompare import HierarchyComparisonDisplay
        >>> X = [[0.0], [1.0], [2.1], [3.3], [4.6]]
        >>> display = HierarchyComparisonDisplay.from_linkages(
        ...     linkage(X, "single"), linkage(X, "complete")
        ... )
        >>> display.line_.get_xdata(), display.line_.get_ydata().round(2)
        (array([2, 3, 4]), array([-0.15,  0.21,  1.  ]))
        """
        return cls._drawn(compare_hierarchies, Z1, Z2, param_range, **options)

    def plot(self, ax: Any = None) -> HierarchyComparisonDisplay:
        """Draw the values.

        :meth:`from_linkages` calls it: use it for an existing comparison, or to draw again on other
        axes. The axis of the numbers of clusters is logarithmic if their range is wide.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        HierarchyComparisonDisplay
            Itself.

        See Also
        --------
        HierarchyComparisonDisplay.from_linkages : Compares the linkages first.

        Examples
        --------
        >>> from scipy.cluster.hierarchy import linkage
        >>> from sklearn_clustcompare import HierarchyComparisonDisplay, compare_hierarchies
        >>> X = [[0.0], [1.0], [2.1], [3.3], [4.6]]
        >>> comparison = compare_hierarchies(linkage(X, "single"), linkage(X, "complete"))
        >>> HierarchyComparisonDisplay(comparison).plot().ax_.get_ylabel()
        'adjusted_rand_score'
        """
        ax = new_axes(ax, self, (7.2, 4.4))
        shown = self.comparison
        k = shown.k
        self.band_ = self.expected_line_ = None
        if shown.expected is not None and shown.standard_deviation is not None:
            self.band_ = draw_band(
                ax,
                k,
                shown.expected,
                shown.standard_deviation,
                color=GRAY,
                label="mean \N{PLUS-MINUS SIGN} 2 sd",
            )
            (self.expected_line_,) = ax.plot(
                k,
                shown.expected,
                "--" if len(k) > 1 else "_",
                color=ink(ax),
                linewidth=1,
                label="mean under permutation",
            )
        (self.line_,) = ax.plot(
            k,
            shown.values,
            "o-" if len(k) <= 60 else "-",
            color=BLUE,
            markersize=4,
            linewidth=1.3,
            label=shown.index.name,
        )
        if len(k) == 1:
            ax.set_xticks(k)
        elif len(k) and k[-1] > _WIDE * k[0]:
            ax.set_xscale("log")
            tick_decades(ax.xaxis, k[0], k[-1])
        else:
            ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set(
            xlabel="number of clusters k of both hierarchies",
            ylabel=shown.index.axis_text(**shown.parameters),
        )
        write_title(ax, "Two hierarchies at each number of clusters")
        draw_legend(ax)
        lay_out(ax)
        return self
