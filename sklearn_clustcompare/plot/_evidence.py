"""Pictures of evidence: null distributions, gaps, stability, tests and numbers of clusters."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import KW_ONLY, replace
from itertools import cycle
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sklearn_clustcompare._array_types import FloatArray, IntArray, Positions
from sklearn_clustcompare._chance.moments import MomentTail
from sklearn_clustcompare._palette import BLUE, CYCLE, GRAY, ORANGE, PURPLE, SKY, YELLOW
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._rendering import n_clusters_text, p_text
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.plot._alluvial import numbered_color
from sklearn_clustcompare.plot._display import (
    MARKERS,
    Display,
    brackets,
    curve_colors,
    draw_band,
    draw_legend,
    draw_stars,
    draws,
    faint,
    import_pyplot,
    ink,
    label_clusters,
    lay_out,
    new_axes,
    numeric_curves,
    plain,
    shorten_all,
    whole_ticks,
    write_title,
)
from sklearn_clustcompare.significance import permutation_test
from sklearn_clustcompare.significance._permutation import PermutationTestResult, pvalue_text
from sklearn_clustcompare.without_reference import (
    choose_n_clusters,
    cluster_significance,
    gap_statistic,
)
from sklearn_clustcompare.without_reference._gap import GapStatistic
from sklearn_clustcompare.without_reference._n_clusters import NClustersChoice
from sklearn_clustcompare.without_reference._stability import (
    READINGS,
    ClusterStability,
    PredictionStrength,
)
from sklearn_clustcompare.without_reference._stability_search import StabilityResult
from sklearn_clustcompare.without_reference._structure import (
    ClusterSignificance,
    StructureTestResult,
)
from sklearn_clustcompare.without_reference._verdict import COMES_BACK, SEPARATED, TOUCHING

_MAX_BINS = 60
# The law is drawn between quantiles that leave this much on either side.
_TAIL = 1e-4
_SHOWN_DEVIATIONS, _N_POINTS = (-8.0, 12.0), 801
# Its density may be infinite at its lower end: the axis ends at this multiple of the highest bar,
# which leaves room for the legend, in two columns or, in narrow axes, in one.
_HEADROOM = {2: 1.3, 1: 1.7}
_WIDE_INCHES = 4.8
# The observed value is shown by an arrow if it is more than this many widths of the law away.
_FAR = 1.5
# Shown of the test by the best method, beside the null distribution of draws.
_OF_TEST = (
    *("pvalue", "log10_pvalue", "relative_error", "method", "reason"),
    *("skewness", "excess_kurtosis"),
)


class NullDistributionDisplay(Display, of=(PermutationTestResult, StructureTestResult)):
    """Picture of the distribution of a statistic under a null model, and of the observed value.

    A histogram shows an index for random partitions with the same cluster sizes, or a statistic for
    structureless data. The p-value is that of :func:`permutation_test`; if it comes from the
    approximation with four moments, the picture shows its density.

    Parameters
    ----------
    result : PermutationTestResult or StructureTestResult
        Result of :func:`permutation_test` with ``method="monte_carlo"``, or of
        :func:`structure_test`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    bars_ : matplotlib BarContainer
        The histogram.
    line_ : matplotlib Line2D or None
        Density of the approximation with four moments.
    value_line_ : matplotlib Line2D
        The observed value.
    mean_line_ : matplotlib Line2D
        The mean.
    arrow_ : matplotlib Annotation or None
        Points to the observed value if it is far away, and the axes show the distribution alone.

    See Also
    --------
    independence_test : The same test in numbers, for the mutual information.
    structure_test : Another test whose result can be drawn.
    chance_adjusted_score : Any index adjusted by its mean under permutation.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import NullDistributionDisplay
    >>> truth = [0] * 10 + [1] * 10
    >>> found = [0] * 8 + [1] * 12
    >>> display = NullDistributionDisplay.from_predictions(
    ...     truth, found, index="adjusted_rand_score", random_state=0
    ... )
    >>> test = display.result
    >>> test.has_exact_moments, test.method, round(test.standardized, 2)
    (True, 'exact', 8.49)
    """

    result: PermutationTestResult | StructureTestResult

    @draws(permutation_test, without=["X", "method", "alternative", "blocks"])
    def from_predictions(
        cls,
        labels_true: PartitionLike,
        labels_pred: PartitionLike | None = None,
        *,
        index: IndexLike = "adjusted_rand_score",
        n_resamples: int = 999,
        **options: Any,
    ) -> Any:
        """Permute two partitions at random, and draw the null distribution of an index.

        Use it to see how far an index is from its values by chance with the same cluster sizes, and
        how an approximation with four moments fits the permutations. It works for any index.

        Parameters
        ----------
        n_resamples : int, default=999
            Number of random partitions to draw; the p-value does not depend on it.

        Returns
        -------
        NullDistributionDisplay
            Drawn on ``ax_``.

        See Also
        --------
        independence_test : The same test in numbers, for the mutual information.
        chance_adjusted_score : Any index adjusted by its mean under permutation.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import NullDistributionDisplay
        >>> truth = [0] * 10 + [1] * 10
        >>> found = [0] * 8 + [1] * 12
        >>> display = NullDistributionDisplay.from_predictions(
        ...     truth, found, index="purity_score", n_resamples=99, random_state=0
        ... )
        >>> test = display.result
        >>> test.statistic, test.has_exact_moments, test.pvalue < 0.001
        (0.9, False, True)
        """
        options["index"] = index
        test = permutation_test(labels_true, labels_pred, **options)
        options |= {"method": "monte_carlo", "n_resamples": n_resamples}
        drawn = permutation_test(labels_true, labels_pred, **options)
        return replace(drawn, **{name: getattr(test, name) for name in _OF_TEST})

    def plot(self, ax: Any = None) -> NullDistributionDisplay:
        """Draw the null distribution.

        :meth:`from_predictions` calls it: use it to draw again on other axes. The legend shows the
        p-values, the mean and the standardized value.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        NullDistributionDisplay
            Itself.

        See Also
        --------
        NullDistributionDisplay.from_predictions : Draws the random partitions first.

        Examples
        --------
        >>> from sklearn_clustcompare import permutation_test
        >>> from sklearn_clustcompare.plot import NullDistributionDisplay
        >>> test = permutation_test(
        ...     [0] * 10 + [1] * 10,
        ...     [0] * 8 + [1] * 12,
        ...     index="purity_score",
        ...     method="monte_carlo",
        ... )
        >>> NullDistributionDisplay(test).plot().value_line_.get_label()
        'observed 0.9, z = 4.2'
        """
        test = self.result
        if test.null_distribution is None:
            msg = (
                "result must have a null_distribution to draw, got one of "
                f"method={test.method!r}: call permutation_test with method='monte_carlo'"
            )
            raise ValueError(msg)
        texts = _texts(test)
        ax = new_axes(ax, self, (7.2, 4.4))
        draws = test.null_distribution[np.isfinite(test.null_distribution)]
        n_bins = min(len(np.histogram_bin_edges(draws, "auto")) - 1, _MAX_BINS)
        heights, _, self.bars_ = ax.hist(
            draws,
            bins=n_bins,
            density=True,
            color=SKY,
            edgecolor=ax.get_facecolor(),
            linewidth=0.4,
            label=f"{len(draws)} {texts.draws}, {texts.pvalue}",
        )
        self.line_ = None
        if isinstance(test, PermutationTestResult):
            self._draw_law(ax, test)
        n_columns = 2 if ax.get_window_extent().width > _WIDE_INCHES * ax.figure.dpi else 1
        headroom = _HEADROOM[n_columns]
        self.mean_line_ = ax.axvline(
            test.mean,
            ymax=1 / headroom,
            color=ink(ax),
            linestyle="--",
            linewidth=1,
            label=f"{texts.mean} {test.mean:.4g}, sd {test.standard_deviation:.3g}",
        )
        self.value_line_ = ax.axvline(
            test.statistic,
            ymax=1 / headroom,
            color=ORANGE,
            linewidth=2,
            label=f"observed {test.statistic:.4g}, z = {test.standardized:.1f}",
        )
        ax.set(xlabel=texts.axis, ylabel="density")
        ax.ticklabel_format(axis="x", scilimits=(-2, 4))  # long ticks would overlap
        write_title(ax, texts.title)
        ax.set_ylim(0, headroom * heights.max())
        self.arrow_ = self._point_to_value(ax, draws)
        ax.set_xlim(left=max(ax.get_xlim()[0], texts.lowest))
        ax.legend(loc="upper center", ncols=n_columns, framealpha=0.9)
        lay_out(ax)
        return self

    def _point_to_value(self, ax: Any, draws: FloatArray) -> Any:
        """Show the distribution alone, and an arrow, if the observed value is far from it."""
        value = self.result.statistic
        low, high = float(draws.min(initial=math.inf)), float(draws.max(initial=-math.inf))
        width = high - low
        if not _FAR * width < max(low - value, value - high) < math.inf or width == 0:
            return None
        is_right = value > high
        ax.set_xlim(
            low - (0.1 if is_right else 0.6) * width, high + (0.6 if is_right else 0.1) * width
        )
        return ax.annotate(
            f"observed\n{value:.4g}",
            xy=(1.0 if is_right else 0.0, 0.35),
            xytext=(0.8 if is_right else 0.2, 0.35),
            xycoords="axes fraction",
            ha="center",
            va="center",
            color=ORANGE,
            arrowprops={"arrowstyle": "->", "color": ORANGE, "linewidth": 2},
        )

    def _draw_law(self, ax: Any, test: PermutationTestResult) -> None:
        if test.skewness is None or test.excess_kurtosis is None:
            return
        law = MomentTail(test.skewness, test.excess_kurtosis)
        z = np.linspace(*_SHOWN_DEVIATIONS, _N_POINTS)
        tails = np.array([law.tail(one, is_upper=True) for one in z])
        shown = (tails > _TAIL) & (tails < 1 - _TAIL)
        density = -np.gradient(tails, z)[shown] / test.standard_deviation
        x = test.mean + test.standard_deviation * z[shown]
        (self.line_,) = ax.plot(x, density, color=BLUE, label="approximation with four moments")


class _Texts(NamedTuple):
    """Texts of the picture, and the lowest possible value."""

    axis: str
    title: str
    draws: str
    pvalue: str
    mean: str
    lowest: float


def _texts(test: PermutationTestResult | StructureTestResult) -> _Texts:
    if isinstance(test, PermutationTestResult):
        return _Texts(
            test.index.axis_text(**test.parameters),
            "Index of random partitions with the same cluster sizes",
            "permutations",
            pvalue_text(test.pvalue, test.method),
            f"{'exact' if test.has_exact_moments else 'sampled'} mean",
            test.index.properties(**test.parameters)["range"][0],
        )
    is_one = len(test.values) == 1
    return _Texts(
        test.name if is_one else f"largest standardized {test.name} by {test.param_name}",
        "Statistic of structureless data",
        f"structureless data sets ({test.null})",
        p_text(test.pvalue, 1 / (len(test.null_distribution) + 1)),
        "mean",
        -math.inf,
    )


# Inches for the axis and the title, and for each cluster; inches at least and at most.
_AROUND, _PER_CLUSTER, _LOWEST, _HIGHEST = 1.2, 0.32, 3.2, 14.0
_FONT_SIZE = 8


class ClusterSignificanceDisplay(Display, of=(ClusterSignificance,)):
    """Picture of the tree over the clusters, with the p-values of its nodes.

    Branches have a color for each cluster that remains; those above them are dark. A filled circle
    is a node that is more than one cluster, an open one a node that is one cluster. Nodes without a
    circle were not tested: they are too small, or inside one cluster.

    Parameters
    ----------
    result : ClusterSignificance
        What :func:`cluster_significance` returns.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    branches_ : matplotlib LineCollection
        Two lines for each merge.
    points_ : matplotlib PathCollection
        The nodes that were tested.
    texts_ : list of matplotlib Text
        Their p-values.

    See Also
    --------
    cluster_significance : The values as numbers.
    NClustersDisplay : The evidence for the number of clusters.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn_clustcompare.plot import ClusterSignificanceDisplay
    >>> X = [[number] for number in range(20)]
    >>> display = ClusterSignificanceDisplay.from_estimator(KMeans(2), X)
    >>> display.ax_.get_title()
    '1 cluster remains of 2'
    """

    result: ClusterSignificance

    @draws(cluster_significance)
    def from_estimator(cls) -> Any:
        """Test the clusters of an estimator, or given labels, and draw the tree.

        Use it to see which clusters are parts of one cluster.

        Returns
        -------
        ClusterSignificanceDisplay
            Drawn on ``ax_``.

        See Also
        --------
        cluster_significance : The values as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import ClusterSignificanceDisplay
        >>> X = [[number] for number in range(20)]
        >>> display = ClusterSignificanceDisplay.from_estimator([0] * 10 + [1] * 10, X)
        >>> display.result.n_clusters
        1
        """

    def plot(self, ax: Any = None) -> ClusterSignificanceDisplay:
        """Draw the tree, with its root on the left.

        :meth:`from_estimator` calls it: use it for an existing result, or to draw again on other
        axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        ClusterSignificanceDisplay
            Itself.

        See Also
        --------
        ClusterSignificanceDisplay.from_estimator : Computes the result first.

        Examples
        --------
        >>> from sklearn_clustcompare import cluster_significance
        >>> from sklearn_clustcompare.plot import ClusterSignificanceDisplay
        >>> X = [[number] for number in range(20)]
        >>> found = cluster_significance([0] * 10 + [1] * 10, X)
        >>> len(ClusterSignificanceDisplay(found).plot().texts_)
        1
        """
        from matplotlib.collections import LineCollection

        result = self.result
        k = len(result.clusters)
        height = min(max(_AROUND + _PER_CLUSTER * k, _LOWEST), _HIGHEST)
        ax = new_axes(ax, self, (7.2, height))
        order, levels = _leaves(result.merges), _levels(result.merges)
        corners = brackets(result.merges, levels[k:], order)
        colors = [
            numbered_color(result.groups[one[0]]) if len(set(result.groups[one])) == 1 else ink(ax)
            for one in result.members
        ]
        middles = np.zeros(2 * k - 1)
        middles[order] = np.arange(k)
        middles[k:] = corners[:, 1:3, 1].mean(axis=1)
        lines, line_colors = [], []
        for merge, shape in zip(result.merges.tolist(), corners, strict=True):
            center = shape[1:3].mean(axis=0)
            lines += [[shape[0], shape[1], center], [shape[3], shape[2], center]]
            line_colors += [colors[part] for part in merge]
        self.branches_ = ax.add_collection(
            LineCollection(lines, colors=line_colors, linewidths=1.5, zorder=1)
        )
        tested = np.flatnonzero(~np.isnan(result.pvalues))
        is_significant = result.is_significant[tested]
        background = ax.get_facecolor()
        self.points_ = ax.scatter(
            levels[tested],
            middles[tested],
            s=34,
            c=[
                colors[node] if is_full else background
                for node, is_full in zip(tested, is_significant, strict=True)
            ],
            edgecolors=[colors[node] for node in tested],
            linewidths=1.5,
            zorder=2,
        )
        self.texts_ = [
            ax.annotate(
                f"p = {result.pvalues[node]:.2g}",
                (levels[node], middles[node]),
                xytext=(-7, 4) if node < k else (7, 0),
                textcoords="offset points",
                ha="right" if node < k else "left",
                va="bottom" if node < k else "center",
                fontsize=_FONT_SIZE,
                color=ink(ax) if is_full else GRAY,
            )
            for node, is_full in zip(tested, is_significant, strict=True)
        ]
        most = max(levels[-1], 1)
        ax.set(xlim=(most + 0.06 * most, -0.03 * most), ylim=(k - 0.4, -0.6))
        ax.set(xlabel="levels of the tree below", ylabel="cluster (objects)")
        ax.yaxis.tick_right()
        ax.yaxis.set_label_position("right")
        whole_ticks(ax)
        ax.spines[["top", "left", "right"]].set_visible(False)
        remain = f"{n_clusters_text(result.n_clusters)} remain{'s' * (result.n_clusters == 1)}"
        write_title(ax, f"{remain} of {k}")
        names, sizes = plain(result.clusters), result.sizes[:k]
        label_clusters(
            ax.yaxis,
            np.arange(k),
            [names[code] for code in order],
            suffixes=[f" ({sizes[code]:,})" for code in order],
        )
        lay_out(ax)
        ax.tick_params(axis="y", length=0)  # ticks before numbers would be read as minus signs
        return self


def _leaves(merges: IntArray) -> IntArray:
    """Return the clusters in an order in which no branches cross."""
    k, waiting, order = len(merges) + 1, [2 * len(merges)], []
    while waiting:
        node = waiting.pop()
        if node < k:
            order.append(node)
        else:
            waiting += merges[node - k].tolist()[::-1]
    return np.array(order)


def _levels(merges: IntArray) -> FloatArray:
    """Return the number of merges on the longest way down from each node."""
    levels = np.zeros(2 * len(merges) + 1)
    for number, parts in enumerate(merges):
        levels[len(merges) + 1 + number] = 1 + levels[parts].max()
    return levels


# Share of the height for the choices below the gaps.
_STRIP = 0.33
# Of the gaps of further laws: twelve lines that differ in color or in dashes.
_COLORS, _DASHES = CYCLE[2:], ("--", "-.", ":")


class GapDisplay(Display, of=(GapStatistic,)):
    """Picture of the gap statistic, or of the two curves whose difference it is.

    The gaps have error bars of one standard error, and the choice of each rule is marked below
    them; those of further null distributions are dashed lines, and a legend names all. With
    ``curve="elbow"`` it shows log W against the number of clusters, together with the same curve
    for :term:`structureless data` of the first null distribution: every such curve falls and bends,
    and only the distance between the two is informative. No elbow is marked.

    Parameters
    ----------
    result : GapStatistic
        Result of :func:`gap_statistic`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    errorbar_ : matplotlib ErrorbarContainer or None
        The gaps.
    choice_marks_ : dict of str to matplotlib Line2D
        The choice of each rule; empty for ``curve="elbow"``.
    lines_ : list of matplotlib Line2D
        log W of the data and its mean over the structureless data; for ``curve="gap"`` the gaps of
        other null distributions.
    band_ : matplotlib PolyCollection or None
        Two standard deviations of the structureless data on either side of their mean.

    See Also
    --------
    gap_statistic : The values as numbers.
    IndexCurveDisplay : An index of agreement against the number of clusters.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare.plot import GapDisplay
    >>> X, _ = make_blobs(60, centers=3, random_state=2)
    >>> display = GapDisplay.from_estimator(
    ...     KMeans(), X, param_range=range(1, 5), n_null=10, random_state=0
    ... )
    >>> display.result.choose(), display.ax_.get_ylabel()
    (3, 'gap')
    """

    result: GapStatistic
    _checks = MappingProxyType({"curve": one_of("gap", "elbow")})

    @draws(gap_statistic)
    def from_estimator(cls) -> Any:
        """Compute the gap statistic, and draw it.

        Use it to choose a number of clusters without a reference, and to see how much the choice
        depends on the rule.

        Returns
        -------
        GapDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If X or a parameter are invalid.

        See Also
        --------
        gap_statistic : The values as numbers.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare.plot import GapDisplay
        >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0], [9.1], [9.2]]
        >>> display = GapDisplay.from_estimator(
        ...     KMeans(n_init=3), X, param_range=[1, 2, 3], n_null=5, curve="elbow", random_state=0
        ... )
        >>> display.lines_[0].get_xdata()
        array([1, 2, 3])
        """

    def plot(self, ax: Any = None, *, curve: str = "gap") -> GapDisplay:
        """Draw the gaps or the two curves.

        :meth:`from_estimator` calls it: use it for an existing result, or to draw both kinds side
        by side.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.
        curve : {"gap", "elbow"}, default="gap"
            Whether to draw the gaps, or log W of the data and of the structureless data.

        Returns
        -------
        GapDisplay
            Itself.

        Raises
        ------
        ValueError
            If ``curve`` is unknown.

        See Also
        --------
        GapDisplay.from_estimator : Computes the gap statistic first.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_clustcompare.plot import GapDisplay
        >>> from sklearn_clustcompare.results import GapStatistic
        >>> null = np.array([[4.1, 3.0, 2.5], [3.9, 3.2, 2.3]])
        >>> own = np.array([4.0, 2.5, 2.0])
        >>> gap = GapStatistic("n_clusters", np.arange(1, 4), own, null, "pca", 2)
        >>> GapDisplay(gap).plot().choice_marks_["tibshirani"].get_xdata()
        array([2])
        """
        ax = new_axes(ax, self, (7.2, 4.4))
        self.errorbar_ = self.band_ = None
        self.choice_marks_: dict[str, Any] = {}
        self.lines_: list[Any] = []
        if curve == "gap":
            self._draw_gap(ax)
        else:
            self._draw_elbow(ax)
        whole_ticks(ax)
        ax.set_xlabel(self.result.param_name.rsplit("__", 1)[-1])
        lay_out(ax)
        return self

    def _draw_gap(self, ax: Any) -> None:
        result = self.result
        gap, error = result.gap, result.standard_error
        self.errorbar_ = ax.errorbar(
            *(result.param_range, gap, error),
            color=BLUE,
            marker="o",
            markersize=4,
            capsize=3,
            label=result.null,
        )
        for one, color, dashes in zip(result.others, cycle(_COLORS), cycle(_DASHES), strict=False):
            self.lines_ += ax.plot(
                one.param_range, one.gap, color=color, linestyle=dashes, label=one.null
            )
        if result.others:
            draw_legend(ax)
        ax.set_ylabel("gap")
        write_title(ax, f"Gap statistic, {self._null_text(result.laws)}")
        low, high = ax.get_ylim()
        ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= high])
        ax.set_ylim(low - _STRIP / (1 - _STRIP) * (high - low), high)
        choices = result.choices()
        ax.text(
            1.01, _STRIP, "chosen by", transform=ax.transAxes, va="center", fontsize=9, color=GRAY
        )
        heights = np.linspace(_STRIP, 0, len(choices) + 2)[1:-1].tolist()
        for height, (rule, choice) in zip(heights, choices.items(), strict=True):
            self._draw_choice(ax, height, rule, choice)

    def _draw_choice(self, ax: Any, height: float, rule: str, choice: int | None) -> None:
        """Mark a choice in its own row, with the name of the rule next to the axes."""
        ax.plot([0, 1], [height] * 2, color=GRAY, linewidth=0.4, transform=ax.transAxes)
        name = rule if choice is not None else f"{rule} (none)"
        ax.text(1.01, height, name, transform=ax.transAxes, va="center", fontsize=9)
        if choice is not None:
            (self.choice_marks_[rule],) = ax.plot(
                [choice], [height], "D", color=ORANGE, transform=ax.get_xaxis_transform()
            )

    def _draw_elbow(self, ax: Any) -> None:
        result = self.result
        x, expected = result.param_range, result.expected_log_dispersion
        style = {"marker": "o", "markersize": 4, "linewidth": 1.3}
        self.lines_ = [
            *ax.plot(x, result.log_dispersion, color=BLUE, label="data", **style),
            *ax.plot(
                x, expected, color=ink(ax), linestyle="--", label="structureless data", **style
            ),
        ]
        self.band_ = draw_band(
            ax,
            x,
            expected,
            result.null_log_dispersion.std(axis=0),
            color=GRAY,
            label="\N{PLUS-MINUS SIGN} 2 sd",
        )
        ax.set_ylabel("log W")
        write_title(ax, f"Dispersion within clusters, {self._null_text([result.null])}")
        draw_legend(ax)

    def _null_text(self, laws: Iterable[str]) -> str:
        n_null = len(self.result.null_log_dispersion)
        return f"{n_null} structureless data sets ({', '.join(laws)})"


_THRESHOLD = 0.8
# With more clusters than this the points are small, so that the means are visible.
_MANY = 100


class _Curve(NamedTuple):
    """Candidates that differ in the parameter of the axis only, by their positions."""

    name: str
    x: FloatArray
    positions: Positions


class StabilityDisplay(Display, of=(StabilityResult, PredictionStrength)):
    """Picture of the stability of candidates against a parameter.

    It shows a point for each pair of samples, a line through the means, and a band of two standard
    deviations around the mean stability of structureless data, if these were drawn: values within
    the band are no evidence of clusters. A star marks the candidate that a rule chooses. Each
    combination of the other parameters is a curve.

    Parameters
    ----------
    result : StabilityResult or PredictionStrength
        The values.
    rule : {"null", "one_standard_error", "max"} or callable, default=None
        The rule, see the Notes of :class:`StabilitySearch`; or a function of the
        :class:`StabilityResult` that returns the position of a candidate. None takes "null"
        where structureless data were drawn, else "max".
    param_name : str, default="auto"
        Parameter to draw against; "auto" takes the first one whose values are numbers.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    lines_ : list of matplotlib Line2D
        The means.
    points_ : list of matplotlib PathCollection
        Values of the pairs of samples.
    bands_ : list of matplotlib PolyCollection
        Bands of structureless data.
    choice_mark_ : matplotlib PathCollection
        Star at the candidate chosen.

    See Also
    --------
    StabilitySearch : Computes the values.
    ClusterStabilityDisplay : Stability of single clusters.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import prediction_strength
    >>> from sklearn_clustcompare.plot import StabilityDisplay
    >>> X = load_iris(return_X_y=True)[0]
    >>> result = prediction_strength(KMeans(), X, param_range=[1, 2, 3], n_resamples=10)
    >>> display = StabilityDisplay(result).plot()
    >>> float(display.choice_mark_.get_offsets()[0, 0])
    2.0
    """

    result: StabilityResult | PredictionStrength
    _: KW_ONLY
    rule: Any = None
    param_name: str = "auto"

    @draws(own=["param_name"])
    def from_estimator(cls, estimator: Any) -> Any:
        """Draw the values of a fitted search; nothing is fitted again.

        The star marks the choice of the search.

        Parameters
        ----------
        estimator : StabilitySearch
            Fitted search.

        Returns
        -------
        StabilityDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the search has no such parameter.

        See Also
        --------
        StabilityDisplay.plot : Draws it again.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> from sklearn_clustcompare.plot import StabilityDisplay
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> search = StabilitySearch(
        ...     KMeans(), {"n_clusters": [2, 3]}, n_resamples=9, random_state=0
        ... ).fit(X)
        >>> StabilityDisplay.from_estimator(search).ax_.get_xlabel()
        'n_clusters'
        """
        check_is_fitted(estimator, "result_")
        return estimator.result_, estimator.rule

    def plot(self, ax: Any = None) -> StabilityDisplay:
        """Draw the values.

        Call it for an existing result, or to draw again on other axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        StabilityDisplay
            Itself.

        Raises
        ------
        ValueError
            If the result has no such parameter, or no parameter with numbers.

        See Also
        --------
        StabilityDisplay.from_estimator : Takes a fitted search.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import StabilitySearch
        >>> from sklearn_clustcompare.plot import StabilityDisplay
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> search = StabilitySearch(
        ...     KMeans(), {"n_clusters": [2, 3]}, n_resamples=9, random_state=0
        ... ).fit(X)
        >>> display = StabilityDisplay(search.result_, rule="max").plot()
        >>> display.choice_mark_.get_label()
        "chosen by 'max'"
        """
        name, curves = self._curves()
        title, y_label, points = self._texts()
        ax = new_axes(ax, self, (7.2, 4.6))
        self.lines_: list[Any] = []
        self.points_: list[Any] = []
        self.bands_: list[Any] = []
        colors = curve_colors(ax)
        names = shorten_all([curve.name for curve in curves], 28)
        for number, curve in enumerate(curves):
            style = {
                "color": colors[number % len(colors)],
                "marker": MARKERS[number % len(MARKERS)],
                "label": names[number],
            }
            self._draw_curve(ax, curve, style, points)
        self._mark_choice(ax, curves)
        whole_ticks(ax, np.concatenate([curve.x for curve in curves]))
        ax.set(xlabel=name.rsplit("__", 1)[-1], ylabel=y_label, title=title)
        draw_legend(ax)
        lay_out(ax)
        return self

    def _curves(self) -> tuple[str, list[_Curve]]:
        candidates = self.result.candidates
        name, groups = numeric_curves(candidates, self.param_name)
        return name, [
            _Curve(text or "mean", np.array([float(candidates[k][name]) for k in members]), members)
            for text, members in groups.items()
        ]

    def _draw_curve(self, ax: Any, curve: _Curve, style: dict[str, Any], points: str) -> None:
        values = self.result.values[curve.positions]
        self._draw_band(ax, curve, style["color"])
        is_known = ~np.isnan(values)
        self.points_.append(
            ax.scatter(
                np.broadcast_to(curve.x[:, np.newaxis], values.shape)[is_known],
                values[is_known],
                s=9,
                color=style["color"],
                alpha=faint(ax, 0.25),
                linewidth=0,
                label=None if self.points_ else points,
            )
        )
        self.lines_ += ax.plot(
            curve.x,
            self.result.mean[curve.positions],
            markersize=4,
            linewidth=1.3,
            **style,
        )

    def _draw_band(self, ax: Any, curve: _Curve, color: Any) -> None:
        columns = dict(self.result._columns())
        if "null_mean" not in columns:
            return
        self.bands_.append(
            draw_band(
                ax,
                curve.x,
                columns["null_mean"][curve.positions],
                columns["null_standard_deviation"][curve.positions],
                color=GRAY if len(self.lines_) == 0 else color,
                label=None if self.bands_ else "structureless data: mean \N{PLUS-MINUS SIGN} 2 sd",
            )
        )

    def _mark_choice(self, ax: Any, curves: list[_Curve]) -> None:
        result = self.result
        if isinstance(result, PredictionStrength):
            ax.axhline(_THRESHOLD, color=ink(ax), linestyle=":", linewidth=1, label="threshold")
            chosen, text = result.choose(_THRESHOLD), f"chosen: above {_THRESHOLD}"
            if chosen is None:
                return
            places = np.flatnonzero(result.param_range == chosen)
            x, y = float(chosen), [*result.mean[places].tolist(), 1.0][0]  # one cluster has 1
        else:
            rule = result.default_rule if self.rule is None else self.rule
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # warnings were given at the time of the choice
                position = result.position(self.rule)
            text = f"chosen by {getattr(rule, '__name__', repr(rule))}"
            x, y = next(
                (float(curve.x[curve.positions == position][0]), float(result.mean[position]))
                for curve in curves
                if position in curve.positions
            )
        self.choice_mark_ = draw_stars(ax, [x], [y], [BLUE], text)

    def _texts(self) -> tuple[str, str, str]:
        """Return the title, the label of the axis, and that of the points."""
        if isinstance(self.result, PredictionStrength):
            return "Prediction strength", "prediction strength", "split"
        return "Stability", self.result.index.axis_text(**self.result.parameters), "pair of samples"


class ClusterStabilityDisplay(Display, of=(ClusterStability,)):
    """Picture of the stability of single clusters, from :func:`cluster_stability`.

    It shows a point for each resample, a bar at the mean of each cluster, and the least value for
    each reading.

    Parameters
    ----------
    result : ClusterStability
        The values.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    points_ : matplotlib PathCollection
        Values of the resamples.
    bars_ : matplotlib LineCollection
        Bars at the means.

    See Also
    --------
    cluster_stability : Computes the values.
    StabilityDisplay : Stability against a parameter.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_clustcompare import cluster_stability
    >>> from sklearn_clustcompare.plot import ClusterStabilityDisplay
    >>> X = load_iris(return_X_y=True)[0]
    >>> result = cluster_stability(KMeans(3, n_init=5, random_state=0), X, n_resamples=20)
    >>> ClusterStabilityDisplay(result).plot().ax_.get_ylabel()
    'largest Jaccard index'
    """

    result: ClusterStability

    def plot(self, ax: Any = None) -> ClusterStabilityDisplay:
        """Draw the values.

        Call it again to draw on other axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        ClusterStabilityDisplay
            Itself.

        See Also
        --------
        ClusterStability.to_frame : The numbers.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn_clustcompare import cluster_stability
        >>> from sklearn_clustcompare.plot import ClusterStabilityDisplay
        >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
        >>> result = cluster_stability(KMeans(2, random_state=0), X, resampling="subsample")
        >>> display = ClusterStabilityDisplay(result).plot()
        >>> [text.get_text() for text in display.ax_.get_xticklabels()]
        ['0 (3)', '1 (3)']
        """
        ax = new_axes(ax, self, (7.2, 4.6))
        result = self.result
        places = np.arange(len(result))
        # The same picture each time, without overlapping points.
        spread = np.random.default_rng(0).uniform(-0.25, 0.25, result.jaccard.shape)
        is_known = ~np.isnan(result.jaccard)
        self.points_ = ax.scatter(
            (places + spread)[is_known],
            result.jaccard[is_known],
            s=9 if len(result) <= _MANY else 1,
            color=BLUE,
            alpha=faint(ax, 0.35 if len(result) <= _MANY else 0.15),
            linewidth=0,
            label="resample",
        )
        self.bars_ = ax.hlines(
            result.mean, places - 0.32, places + 0.32, color=ink(ax), linewidth=2, label="mean"
        )
        for least, text in READINGS[:-1]:
            ax.axhline(least, color=GRAY, linestyle=":", linewidth=1)
            ax.annotate(
                text,
                (1.01, least),
                xycoords=("axes fraction", "data"),
                fontsize=8,
                va="center",
                color=GRAY,
            )
        ax.set(
            xlim=(-0.6, len(result) - 0.4),
            ylim=(min(0.0, float(np.nanmin(result.jaccard, initial=0.0))), 1.03),
            xlabel="cluster (objects)",
            ylabel="largest Jaccard index",
            title="Stability of clusters",
        )
        ax.legend(loc="lower left", frameon=False, fontsize=9)
        names, sizes = self._names(), [f" ({size})" for size in result.sizes.tolist()]
        label_clusters(ax.xaxis, places, names, suffixes=sizes)
        lay_out(ax)
        return self

    def _names(self) -> list[Any]:
        clusters = zip(self.result.clusters.tolist(), self.result.is_noise, strict=True)
        return ["noise" if noise else label for label, noise in clusters]


# What is said of a ratio.
_RATIOS = {SEPARATED: "separated", TOUCHING: "touching"}
_OF_LAWS = (GRAY, YELLOW, PURPLE)


class NClustersDisplay(Display, of=(NClustersChoice,)):
    """Picture of the evidence for the number of clusters.

    Three panels: the silhouette, with a band for each null distribution of structureless data that
    was drawn; the strength, with the threshold above which a division comes back; and the ratio of
    the density of the cores to that of the passes, with those of separated and of touching
    clusters. Vertical lines are at the numbers of the verdict, which is the title.

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

    @draws(choose_n_clusters)
    def from_estimator(cls) -> Any:
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
        laws = zip(cycle(_OF_LAWS), choice.null_silhouettes.items(), strict=False)
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
            ax.legend(loc="best", framealpha=0.9, fontsize=9)
        ratio.set_xlabel(choice.param_name.rsplit("__", 1)[-1])
        if not is_numeric:
            ratio.set_xticks(x, list(map(str, values)))
        elif values.dtype.kind in "iu":
            whole_ticks(ratio)
        self.figure_.suptitle(choice.verdict.headline)
        return self
