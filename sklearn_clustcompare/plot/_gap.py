"""Picture of the gap statistic."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._palette import BLUE, CYCLE, GRAY, ORANGE
from sklearn_clustcompare._parameters import one_of
from sklearn_clustcompare.plot._axes import (
    draw_band,
    draw_legend,
    ink,
    lay_out,
    new_axes,
    write_title,
)
from sklearn_clustcompare.plot._display import Display, draws
from sklearn_clustcompare.without_reference import GapStatistic, gap_statistic

_check_curve = one_of("gap", "elbow")
# Share of the height for the choices below the gaps.
_STRIP = 0.33
# Of the gaps of further laws: twelve lines that differ in color or in dashes.
_COLORS, _DASHES = CYCLE[2:], ("--", "-.", ":")


class GapDisplay(Display, of=(GapStatistic,)):
    """Picture of the gap statistic, or of the two curves whose difference it is.

    The gaps have error bars of one standard error, and the choice of each rule is marked below
    them; those of further laws are dashed lines, and a legend names all. With ``curve="elbow"`` it
    shows log W against the number of clusters, together with the same curve for
    :term:`structureless data` of the first law: every such curve falls and bends, and only the
    distance between the two is informative. No elbow is marked.

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
        other laws.
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

    @classmethod
    @draws(gap_statistic)
    def from_estimator(
        cls, estimator: Any, X: ArrayLike, param_range: ArrayLike | None = None, **options: Any
    ) -> GapDisplay:
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
        _check_curve("curve", options.get("curve", "gap"))
        return cls._drawn(gap_statistic, estimator, X, param_range, **options)

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
        _check_curve("curve", curve)
        ax = new_axes(ax, self, (7.2, 4.4))
        self.errorbar_ = self.band_ = None
        self.choice_marks_: dict[str, Any] = {}
        self.lines_: list[Any] = []
        if curve == "gap":
            self._draw_gap(ax)
        else:
            self._draw_elbow(ax)
        ax.xaxis.get_major_locator().set_params(integer=True)
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
