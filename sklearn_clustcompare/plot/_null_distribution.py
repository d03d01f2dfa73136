"""Picture of the distribution of a statistic under a null model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._chance.moments import MomentLaw
from sklearn_clustcompare._palette import BLUE, ORANGE, SKY
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._rendering import p_text
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.plot._axes import ink, lay_out, new_axes, write_title
from sklearn_clustcompare.plot._display import Display, draws
from sklearn_clustcompare.significance import PermutationTestResult, permutation_test
from sklearn_clustcompare.significance._permutation import pvalue_text
from sklearn_clustcompare.without_reference import StructureTestResult

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


class NullDistributionDisplay(
    Display,
    of=(
        PermutationTestResult,
        StructureTestResult,
    ),
):
    """Picture of the distribution of a statistic under a null model, and of the observed value.

    A histogram shows an index for random partitions with the same cluster sizes, or a statistic for
    structureless data. The p-value is that of :func:`permutation_test`; if it comes from the law
    with four moments, the picture shows its density.

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
        Density of the law with four moments.
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

    @classmethod
    @draws(permutation_test, without=["X", "method", "alternative", "blocks"])
    def from_predictions(
        cls,
        labels_true: PartitionLike,
        labels_pred: PartitionLike | None = None,
        *,
        index: IndexLike = "adjusted_rand_score",
        n_resamples: int = 999,
        **options: Any,
    ) -> NullDistributionDisplay:
        """Permute two partitions at random, and draw the law of an index.

        Use it to see how far an index is from its values by chance with the same cluster sizes, and
        how a law with four moments fits the permutations. It works for any index.

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
        options |= {"index": index, "n_resamples": n_resamples}
        return cls._drawn(_test_with_draws, labels_true, labels_pred, **options)

    def plot(self, ax: Any = None) -> NullDistributionDisplay:
        """Draw the law.

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
        law = MomentLaw(test.skewness, test.excess_kurtosis)
        z = np.linspace(*_SHOWN_DEVIATIONS, _N_POINTS)
        tails = np.array([law.tail(one, is_upper=True) for one in z])
        shown = (tails > _TAIL) & (tails < 1 - _TAIL)
        density = -np.gradient(tails, z)[shown] / test.standard_deviation
        x = test.mean + test.standard_deviation * z[shown]
        (self.line_,) = ax.plot(x, density, color=BLUE, label="law with four moments")


def _test_with_draws(
    labels_true: Any, labels_pred: Any, *, n_resamples: int, **options: Any
) -> PermutationTestResult:
    """Return the test by the best method, with the null distribution of draws."""
    test = permutation_test(labels_true, labels_pred, **options)
    drawn = permutation_test(
        labels_true, labels_pred, method="monte_carlo", n_resamples=n_resamples, **options
    )
    tested = ("pvalue", "log10_pvalue", "relative_error", "method", "reason")
    names = (*tested, "skewness", "excess_kurtosis")
    return replace(drawn, **{name: getattr(test, name) for name in names})


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
