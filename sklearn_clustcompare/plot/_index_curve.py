"""Picture of an index against the number of clusters or the order of the entropy."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from sklearn_clustcompare._numerics import are_best
from sklearn_clustcompare._palette import GRAY
from sklearn_clustcompare._partition.columns import in_columns, several_in_columns
from sklearn_clustcompare._partition.options import (
    PartitionLike,
    PartitionsLike,
    TableLike,
)
from sklearn_clustcompare.candidates import IndexCurve, index_curve
from sklearn_clustcompare.plot._axes import (
    cycle,
    draw_band,
    draw_legend,
    faint,
    ink,
    lay_out,
    new_axes,
    shorten_all,
    write_title,
)
from sklearn_clustcompare.plot._display import Display, draws

_MARKERS = "osD^vPX"
# With more curves only those that contain a winner have a color and a name.
_MAX_NAMED = 7
# Candidates at the same position are spread within this share of the gap on each side.
_SPREAD = 0.3
_MAX_NAME = 40
# Largest distance of the pointer from a candidate, in pixels.
_NEAR = 12


class IndexCurveDisplay(Display, of=(IndexCurve,)):
    """Picture of one or more indices against the number of clusters k, or against the order q.

    A star marks the winner, or all winners in case of ties. If the exact mean and standard
    deviation of the index under permutation are known, a band of two standard deviations around the
    mean is drawn: values within it may be due to chance.

    Parameters
    ----------
    curve : IndexCurve
        The values, as :func:`index_curve` returns them.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    lines_ : list of matplotlib Line2D
        The curves; if several candidates have the same k, marks at the best of each k.
    points_ : list of matplotlib PathCollection
        The candidates of each curve, if several have the same k.
    errorbars_ : list of matplotlib ErrorbarContainer
        Intervals of each curve, if there are any.
    winner_marks_ : matplotlib PathCollection
        Stars at the winners.
    bands_ : list of matplotlib PolyCollection
        Chance bands of the curves that have one.

    See Also
    --------
    make_clustering_scorer : Scorers for a search over the number of clusters.
    sklearn.model_selection.ValidationCurveDisplay : Fits an estimator for each value first.

    Examples
    --------
    >>> from sklearn_clustcompare import IndexCurveDisplay
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> candidates = {1: [0] * 6, 2: [0, 0, 0, 1, 1, 1], 3: [0, 0, 1, 1, 2, 2]}
    >>> display = IndexCurveDisplay.from_predictions(
    ...     truth, candidates, index="adjusted_rand_score"
    ... )
    >>> display.lines_[0].get_ydata().round(2)
    array([0.  , 1.  , 0.24])
    """

    def __init__(self, curve: IndexCurve) -> None:
        self.curve = curve

    @classmethod
    @draws(index_curve)
    def from_predictions(
        cls,
        labels_true: PartitionLike,
        candidates: PartitionsLike | None = None,
        *,
        data: TableLike = None,
        sample_weight: ArrayLike | None = None,
        **options: Any,
    ) -> IndexCurveDisplay:
        """Compare candidates with a reference, and draw the index.

        Use it to choose the number of clusters among existing labelings; with ``q_range``, to see
        whether the winner depends on the order of the entropy, that is, on the weight of large
        clusters.

        Parameters
        ----------
        data : DataFrame, mapping or object with ``obs``, default=None
            Table of which the other arguments name columns instead of being arrays: a frame of any
            package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.

        Returns
        -------
        IndexCurveDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If there are no candidates, or labels or parameters are invalid.

        See Also
        --------
        score_candidates : The values as numbers, for several indices at once.
        IndexCurveDisplay.from_estimator : Draws the scores of a search.

        Examples
        --------
        >>> from sklearn_clustcompare import IndexCurveDisplay
        >>> candidates = {"two": [0, 0, 1, 1, 1, 1], "three": [0, 0, 1, 1, 2, 1]}
        >>> display = IndexCurveDisplay.from_predictions(
        ...     [0, 0, 1, 1, 2, 2], candidates, index="normalized_mutual_info_score",
        ...     q_range=[0.5, 1, 2],
        ... )
        >>> display.ax_.get_xlabel(), [line.get_label() for line in display.lines_]
        ('order q of the entropy', ['two', 'three'])
        """
        candidates = several_in_columns(
            data, candidates, "candidates", [labels_true, sample_weight]
        )
        labels_true, sample_weight = in_columns(
            data, labels_true=labels_true, sample_weight=sample_weight
        )
        return cls._drawn(
            index_curve, labels_true, candidates, sample_weight=sample_weight, **options
        )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        param_name: str = "auto",
        score_name: str | None = None,
        ax: Any = None,
    ) -> IndexCurveDisplay:
        """Draw the scores of a fitted search against one of its parameters.

        Nothing is fitted again: the mean test scores of ``cv_results_`` are drawn, with a star at
        the best. There are no chance bands, since the search keeps no labels.

        Parameters
        ----------
        estimator : GridSearchCV, RandomizedSearchCV or the like
            Fitted search with ``cv_results_``. Each combination of the other parameters is a curve.
        param_name : str, default="auto"
            Parameter to draw against; "auto" takes the first one whose values are numbers.
        score_name : str, default=None
            Name of the score in a search with several; None takes the only one, or the first.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        IndexCurveDisplay
            Drawn on ``ax_``.

        Raises
        ------
        ValueError
            If the search has no such parameter or score.

        See Also
        --------
        make_clustering_scorer : Scorers for such a search.
        IndexCurveDisplay.from_predictions : Takes existing labels.
        sklearn.model_selection.ValidationCurveDisplay : Fits an estimator for each value first.

        Examples
        --------
        >>> from sklearn.cluster import DBSCAN
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import GridSearchCV
        >>> from sklearn_clustcompare import (
        ...     IndexCurveDisplay, TransductiveSplit, make_clustering_scorer
        ... )
        >>> search = GridSearchCV(
        ...     DBSCAN(),
        ...     {"eps": [0.4, 0.6, 0.8]},
        ...     scoring=make_clustering_scorer("adjusted_rand_score"),
        ...     cv=TransductiveSplit(),
        ... ).fit(*load_iris(return_X_y=True))
        >>> display = IndexCurveDisplay.from_estimator(search)
        >>> display.ax_.get_xlabel(), display.lines_[0].get_ydata().round(2)
        ('eps', array([0.59, 0.54, 0.56]))
        """
        check_is_fitted(estimator, "cv_results_")
        return cls(_of_search(estimator.cv_results_, param_name, score_name)).plot(ax=ax)

    def plot(self, ax: Any = None) -> IndexCurveDisplay:
        """Draw the curves.

        The class methods call it: use it for your own values, or to draw again on other axes. If
        there are more than seven curves, only the first seven of those that contain a winner have a
        color and a name, and the others are gray.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        IndexCurveDisplay
            Itself.

        See Also
        --------
        IndexCurveDisplay.from_predictions : Compares candidates first.
        IndexCurveDisplay.from_estimator : Takes the scores of a search.

        Examples
        --------
        >>> from sklearn_clustcompare import IndexCurveDisplay
        >>> from sklearn_clustcompare.results import IndexCurve
        >>> curve = IndexCurve(
        ...     [2, 3, 4], [[0.5, 0.9, 0.7]], winners=[[False, True, False]], y_label="stability"
        ... )
        >>> IndexCurveDisplay(curve).plot().ax_.get_ylabel()
        'stability'
        """
        ax = new_axes(ax, self, (7.2, 4.6))
        curve = self.curve
        x = np.asarray(curve.x, dtype=np.float64)
        values = np.atleast_2d(np.asarray(curve.values, dtype=np.float64))
        winners = np.atleast_2d(np.asarray(curve.winners, dtype=bool))
        styles = _styles(len(values), np.asarray(winners.any(axis=1)), cycle(ax))
        places = _side_by_side(x)
        labels = self._labels(styles)
        self.lines_: list[Any] = []
        self.points_: list[Any] = []
        self.errorbars_: list[Any] = []
        self.bands_: list[Any] = []
        for position, (heights, style) in enumerate(zip(values, styles, strict=True)):
            self._draw_band(ax, x, position, style["color"])
            self._draw_intervals(ax, places, position, style["color"])
            if places is x:
                self._draw_line(ax, x, heights, style, labels[position])
            else:
                self._draw_points(ax, places, position, style, labels[position])
        rows, cols = np.nonzero(winners)
        self.winner_marks_ = ax.scatter(
            places[cols],
            values[rows, cols],
            marker="*",
            s=150 if len(cols) <= 20 else 50,
            color=[styles[row]["color"] for row in rows],
            edgecolor=ink(ax),
            linewidth=0.7,
            zorder=5,
            label="winner",
        )
        if len(np.unique(x)) == 1:
            ax.set_xticks(x[:1])
            ax.set_xlim(x[0] - 1, x[0] + 1)
        elif np.array_equal(x, np.floor(x)):
            ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set(xlabel=curve.x_label, ylabel=curve.y_label)
        write_title(ax, curve.title)
        draw_legend(ax)
        lay_out(ax)
        if curve.candidates is not None:
            self._places, self._values = places, values
            ax.format_coord = lambda x, y: self._text_at(ax, x, y)
        return self

    def _labels(self, styles: list[dict[str, Any]]) -> list[str | None]:
        """Return the names of the curves that have one and are not gray."""
        if self.curve.names is None:
            return [None] * len(styles)
        named = [position for position, one in enumerate(styles) if one["color"] != GRAY]
        texts = shorten_all([self.curve.names[position] for position in named], _MAX_NAME)
        given = dict(zip(named, texts, strict=True))
        return [given.get(position) for position in range(len(styles))]

    def _draw_line(
        self, ax: Any, x: NDArray[Any], heights: NDArray[Any], style: Any, label: Any
    ) -> None:
        self.lines_ += ax.plot(
            x,
            heights,
            label=label,
            markersize=4 if len(x) <= 60 else 0,
            linewidth=1.3 if style["color"] != GRAY else 0.6,
            **style,
        )

    def _draw_points(
        self, ax: Any, places: NDArray[Any], position: int, style: dict[str, Any], label: Any
    ) -> None:
        """Draw the candidates, and marks at the best of each number of clusters."""
        x = np.asarray(self.curve.x, dtype=np.float64)
        heights = np.atleast_2d(np.asarray(self.curve.values, dtype=np.float64))[position]
        directions = np.broadcast_to(self.curve.greater_is_better, np.shape(self.curve.values)[:1])
        sign = 1 if directions[position] else -1
        known = np.flatnonzero(~np.isnan(heights))
        order = known[np.lexsort((-sign * heights[known], x[known]))]
        best = order[np.unique(x[order], return_index=True)[1]]
        self.points_.append(
            ax.scatter(
                places,
                heights,
                s=16 if len(x) <= 100 else 6,
                alpha=faint(ax, 0.6),
                linewidth=0,
                color=style["color"],
                marker=style.get("marker", "o"),
                label=label or "candidate",
            )
        )
        self.lines_ += ax.plot(
            x[best],
            heights[best],
            "_",
            markersize=20,
            markeredgewidth=2,
            color=style["color"],
            zorder=4,
            label=None if self.lines_ else "best of each k",
        )

    def _draw_intervals(self, ax: Any, places: NDArray[Any], position: int, color: Any) -> None:
        curve = self.curve
        if curve.intervals is None or color == GRAY:
            return
        heights = np.atleast_2d(np.asarray(curve.values, dtype=np.float64))[position]
        ends = np.asarray(curve.intervals, dtype=np.float64)[position].T
        self.errorbars_.append(
            ax.errorbar(
                places,
                heights,
                # An interval need not contain the score.
                yerr=np.maximum([heights - ends[0], ends[1] - heights], 0),
                fmt="none",
                ecolor=(color, 0.6),
                elinewidth=1,
                capsize=3 if len(places) <= 60 else 0,
            )
        )

    def _draw_band(self, ax: Any, x: NDArray[np.float64], position: int, color: Any) -> None:
        curve = self.curve
        if curve.expected is None or curve.standard_deviation is None or color == GRAY:
            return
        mean, deviation = (
            np.atleast_2d(np.asarray(moments, dtype=np.float64))[position]
            for moments in (curve.expected, curve.standard_deviation)
        )
        if np.isnan(mean).all():
            return
        # For candidates at the same position, the band that covers those of all.
        order = np.argsort(x, kind="stable")
        at, first = np.unique(x[order], return_index=True)
        low = np.fmin.reduceat((mean - 2 * deviation)[order], first)
        high = np.fmax.reduceat((mean + 2 * deviation)[order], first)
        self.bands_.append(
            draw_band(
                ax,
                at,
                (low + high) / 2,
                (high - low) / 4,
                color=color,
                label=None if self.bands_ else "chance: mean \N{PLUS-MINUS SIGN} 2 sd",
            )
        )

    def _text_at(self, ax: Any, x: float, y: float) -> str:
        """Return the name of the candidate next to the pointer."""
        assert self.curve.candidates is not None
        pixels = ax.transData.transform
        points = np.stack(np.broadcast_arrays(self._places, self._values), axis=-1)
        away = np.linalg.norm(pixels(points.reshape(-1, 2)) - pixels((x, y)), axis=1)
        if not (away < _NEAR).any():
            return ""
        curve, at = divmod(int(np.nanargmin(away)), len(self._places))
        name = "" if self.curve.names is None else f", {self.curve.names[curve]}"
        return f"{self.curve.candidates[at]}{name}: {self._values[curve, at]:.4g}"


def _side_by_side(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return x itself, with repeated values spread around their position."""
    unique, counts = np.unique(x, return_counts=True)
    if len(unique) == len(x):
        return x
    spread = _SPREAD * np.diff(unique).min(initial=1.0)
    steps = [np.linspace(-spread, spread, count) if count > 1 else [0.0] for count in counts]
    places = x.copy()
    places[np.argsort(x, kind="stable")] += np.concatenate(steps)
    return places


def _styles(n_curves: int, wins: NDArray[np.bool_], colors: Sequence[Any]) -> list[dict[str, Any]]:
    named = np.flatnonzero(wins)[:_MAX_NAMED] if n_curves > _MAX_NAMED else np.arange(n_curves)
    number = {int(curve): position for position, curve in enumerate(named)}
    return [
        {"color": colors[number[curve]], "marker": _MARKERS[number[curve]], "zorder": 3}
        if curve in number
        else {"color": GRAY, "zorder": 1, "alpha": 0.35}
        for curve in range(n_curves)
    ]


def _of_search(results: Mapping[str, Any], param_name: str, score_name: str | None) -> IndexCurve:
    scores = [key.removeprefix("mean_test_") for key in results if key.startswith("mean_test_")]
    score = scores[0] if score_name is None else score_name
    if score not in scores:
        msg = f"score_name must be one of {scores}, the scores of the search, got {score_name!r}"
        raise ValueError(msg)
    settings = results["params"]
    numeric = [
        name
        for name in settings[0]
        if all(isinstance(one.get(name), numbers.Real) for one in settings)
    ]
    name = next(iter(numeric), "") if param_name == "auto" else param_name
    if name not in numeric:
        msg = f"param_name must be one of {numeric}, the numbers searched over, got {param_name!r}"
        raise ValueError(msg)
    others = [
        ", ".join(f"{key}={value}" for key, value in one.items() if key != name) for one in settings
    ]
    curves = list(dict.fromkeys(others))
    x = np.unique([one[name] for one in settings])
    values = np.full((len(curves), len(x)), np.nan)
    for one, other, value in zip(settings, others, results[f"mean_test_{score}"], strict=True):
        values[curves.index(other), np.searchsorted(x, one[name])] = value
    return IndexCurve(
        x,
        values,
        winners=are_best(values.ravel()).reshape(values.shape),
        names=curves if curves != [""] else None,
        x_label=name.rsplit("__", 1)[-1],
        y_label=f"mean test {score}",
        title="Scores of the search",
    )
