"""A picture of mean ranks and of what does not differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._palette import BLUE, ORANGE
from sklearn_clustcompare.experiments import MethodRanks, rank_methods
from sklearn_clustcompare.plot._axes import (
    ink,
    keep_to_cell,
    new_axes,
    shorten_all,
    write_title,
)
from sklearn_clustcompare.plot._display import Display

_FONT_SIZE = 9
_CHARACTER_INCHES = 0.08
_MAX_NAME = 28
# Heights in rows; a row is as high as a line of text.
_ROW_INCHES = 0.24
_TICK_LABELS = 1.3
_DIFFERENCE = 2.0
_BAR_STEP = 0.55
_BETWEEN = 0.8
_BELOW = 0.5
_MARGIN = 0.02
# Bars on one level are further apart than this share of the axis.
_GAP = 0.03
_TESTS = {"nemenyi": "Nemenyi's", "wilcoxon": "Wilcoxon's"}


class CriticalDifferenceDisplay(Display):
    """Diagram of critical differences: mean ranks, and bars that join what does not differ.

    Each method has a line from its mean rank on the axis to its name; the best has rank 1. Methods
    on the same thick bar do not differ significantly: dots on a bar mark those that it joins. After
    Nemenyi's test the critical difference is drawn above the axis.

    Parameters
    ----------
    ranks : MethodRanks
        What :func:`rank_methods` returns.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    lines_ : matplotlib LineCollection
        The lines from the axis to the names, the best first.
    texts_ : list of matplotlib Text
        The names with the mean ranks, the best first.
    bars_ : matplotlib LineCollection
        The bars, in the order of ``ranks.groups()``.
    difference_ : matplotlib Line2D or None
        The critical difference, after Nemenyi's test.

    See Also
    --------
    rank_methods : The ranks and the tests.
    CandidateScoresDisplay : Candidates on one data set.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
       Machine Learning Research 7, 2006

    Examples
    --------
    >>> from sklearn_clustcompare import CriticalDifferenceDisplay
    >>> from sklearn_clustcompare.experiments import rank_methods
    >>> scores = [[0.9, 0.8, 0.1], [0.8, 0.9, 0.1], [0.9, 0.7, 0.1], [0.6, 0.7, 0.1]] * 5
    >>> ranks = rank_methods(scores, names=["k-means", "ward", "single"])
    >>> display = CriticalDifferenceDisplay(ranks).plot()
    >>> [text.get_text() for text in display.texts_]
    ['k-means  1.50', 'ward  1.50', '3.00  single']
    """

    def __init__(self, ranks: MethodRanks) -> None:
        self.ranks = ranks

    @classmethod
    def from_scores(
        cls,
        scores: Any,
        *,
        names: Any = None,
        greater_is_better: bool = True,
        post_hoc: str = "nemenyi",
        significance_level: float = 0.05,
        ax: Any = None,
    ) -> CriticalDifferenceDisplay:
        """Rank methods, and draw the ranks.

        Use it for any table of values; a benchmark has its ranks from :meth:`BenchmarkResult.rank`.

        Parameters
        ----------
        scores : array-like of shape (n_datasets, n_methods), DataFrame or mapping
            Value of each method on each data set: one row per data set and one column per method.
            The columns of a DataFrame have the names of the methods, and a mapping has a column by
            the name of each method. NaN, a masked or a missing value is a method that failed.
        names : sequence, default=None
            Names of the methods; None takes those of the columns, or their positions.
        greater_is_better : bool, default=True
            Whether a higher value is better; False for distances, times and ranks.
        post_hoc : {"nemenyi", "wilcoxon"}, default="nemenyi"
            The test of pairs: Nemenyi's test of mean ranks, or Wilcoxon's signed-rank test of the
            scores of two methods with Holm's correction.
        significance_level : float, default=0.05
            Significance level of the test of pairs, for all pairs together.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        CriticalDifferenceDisplay
            Drawn on ``ax_``.

        See Also
        --------
        rank_methods : The ranks as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare import CriticalDifferenceDisplay
        >>> scores = {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.7, 0.6], "c": [0.7, 0.6, 0.5]}
        >>> display = CriticalDifferenceDisplay.from_scores(scores)
        >>> display.ranks.mean_ranks.tolist()
        [1.0, 2.0, 3.0]
        """
        ranks = rank_methods(
            scores,
            names=names,
            greater_is_better=greater_is_better,
            post_hoc=post_hoc,
            significance_level=significance_level,
        )
        return cls(ranks).plot(ax=ax)

    def plot(self, ax: Any = None) -> CriticalDifferenceDisplay:
        """Draw the ranks.

        :meth:`from_scores` has done so already: call it for ranks that were computed before, or to
        draw again into other axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        CriticalDifferenceDisplay
            Itself.

        Raises
        ------
        TypeError
            If ``ranks`` is not what :func:`rank_methods` returns.

        See Also
        --------
        CriticalDifferenceDisplay.from_scores : Ranks the methods first.

        Examples
        --------
        >>> from sklearn_clustcompare import CriticalDifferenceDisplay
        >>> from sklearn_clustcompare.experiments import rank_methods
        >>> scores = {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.7, 0.6], "c": [0.7, 0.6, 0.5]}
        >>> display = CriticalDifferenceDisplay(rank_methods(scores)).plot()
        >>> [text.get_text() for text in display.ax_.get_xticklabels()]
        ['1', '2', '3']
        """
        if not isinstance(self.ranks, MethodRanks):
            msg = f"ranks must be what rank_methods returns, got {self.ranks!r:.80}"
            raise TypeError(msg)
        mean = self.ranks.mean_ranks
        order = np.argsort(mean, kind="stable")
        groups = [
            np.array([self.ranks.names.index(name) for name in group])
            for group in self.ranks.groups()
        ]
        gap = _GAP * (len(mean) - 1)
        levels = _levels([(mean[group[0]], mean[group[-1]] + gap) for group in groups])
        names = shorten_all([self.ranks.names[k] for k in order], _MAX_NAME)
        n_left = (len(mean) + 1) // 2
        first_row = _BETWEEN + _BAR_STEP * (max(levels, default=-1) + 1)
        depth = first_row + n_left - 1 + _BELOW
        difference = self.ranks.critical_difference
        above = _TICK_LABELS + (0.0 if difference is None else _DIFFERENCE)
        ax = new_axes(ax, self, (_width(names), 0.5 + _ROW_INCHES * (above + depth)))
        ax.set_xlim(1 - 0.05 * (len(mean) - 1), len(mean) + 0.05 * (len(mean) - 1))
        ax.set_ylim(depth, -above)
        _draw_axis(ax, len(mean))
        self.difference_ = None if difference is None else _draw_difference(ax, difference)
        self._draw_names(ax, order, names, n_left, first_row)
        ax.set_ylabel("mean rank", rotation=0, ha="right", va="center", fontsize=_FONT_SIZE)
        ax.yaxis.set_label_coords(-_MARGIN, first_row - 1, transform=ax.get_yaxis_transform())
        self.bars_ = self._draw_bars(ax, groups, levels)
        n_datasets = len(self.ranks.ranks)
        write_title(ax, f"Mean ranks on {n_datasets} data sets (1 is the best)")
        ax.set_xlabel(
            f"joined: no significant difference ({_TESTS[self.ranks.post_hoc]} test, "
            f"level {self.ranks.significance_level:g})",
            fontsize=_FONT_SIZE,
        )
        keep_to_cell(ax)
        return self

    def _draw_names(
        self, ax: Any, order: NDArray[np.intp], names: list[str], n_left: int, first_row: float
    ) -> None:
        """Draw elbows from the axis to the names: the better half ends on the left."""
        mean = self.ranks.mean_ranks
        low, high = ax.get_xlim()
        elbows, self.texts_ = [], []
        for place, (k, name) in enumerate(zip(order, names, strict=True)):
            is_left = place < n_left
            row = first_row + (place if is_left else len(order) - 1 - place)
            end = low if is_left else high
            elbows.append([(mean[k], 0), (mean[k], row), (end, row)])
            self.texts_.append(
                ax.text(
                    -_MARGIN if is_left else 1 + _MARGIN,
                    row,
                    f"{name}  {mean[k]:.2f}" if is_left else f"{mean[k]:.2f}  {name}",
                    transform=ax.get_yaxis_transform(),
                    ha="right" if is_left else "left",
                    va="center",
                    fontsize=_FONT_SIZE,
                )
            )
        self.lines_ = _add_lines(ax, elbows, colors=ink(ax), linewidths=0.8)

    def _draw_bars(self, ax: Any, groups: list[NDArray[np.intp]], levels: list[int]) -> Any:
        mean = self.ranks.mean_ranks
        heights = [_BETWEEN / 2 + _BAR_STEP * level for level in levels]
        for group, height in zip(groups, heights, strict=True):
            ax.plot(mean[group], np.full(len(group), height), "o", color=BLUE, markersize=5)
        ends = [
            [(mean[group[0]], height), (mean[group[-1]], height)]
            for group, height in zip(groups, heights, strict=True)
        ]
        return _add_lines(ax, ends, colors=BLUE, linewidths=3)


def _width(names: list[str]) -> float:
    """Return the width of a new figure, in inches, with names on both sides of the axis."""
    longest = max(map(len, names)) + len("  1.00")
    return min(max(4.0 + 2 * _CHARACTER_INCHES * longest, 6.0), 10.0)


def _levels(ends: list[tuple[float, float]]) -> list[int]:
    """Give each bar, in the order of their starts, the first level where it overlaps no other."""
    last: list[float] = []
    levels = []
    for start, end in ends:
        free = [level for level, reached in enumerate(last) if reached < start]
        level = free[0] if free else len(last)
        last[level : level + 1] = [end]
        levels.append(level)
    return levels


def _draw_axis(ax: Any, n_methods: int) -> None:
    ax.xaxis.tick_top()
    step = -(-n_methods // 20)
    ax.set_xticks(range(1, n_methods + 1, step))
    ax.set_yticks([])
    ax.spines[["left", "right", "bottom"]].set_visible(False)
    ax.spines["top"].set_position(("data", 0))
    ax.spines["top"].set_bounds(1, n_methods)


def _draw_difference(ax: Any, difference: float) -> Any:
    """Draw the critical difference above the axis, from the best rank on."""
    (line,) = ax.plot(
        [1, 1 + difference],
        [-_TICK_LABELS - 0.4] * 2,
        color=ORANGE,
        marker="|",
        linewidth=2,
        clip_on=False,
    )
    ax.text(
        1,
        -_TICK_LABELS - 0.8,
        f"critical difference {difference:.2f}",
        va="bottom",
        fontsize=_FONT_SIZE,
    )
    return line


def _add_lines(ax: Any, segments: list[Any], **style: Any) -> Any:
    from matplotlib.collections import LineCollection

    return ax.add_collection(LineCollection(segments, **style), autolim=False)
