"""Pictures of candidates: an index as a curve, and as a list of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Mask, Positions
from sklearn_clustcompare._numerics import are_best
from sklearn_clustcompare._palette import BLUE, GRAY, ORANGE, SKY
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition.arrays import PartitionLike, PartitionsLike, TableLike
from sklearn_clustcompare._rendering import n_candidates_text
from sklearn_clustcompare.candidates import index_curve, score_candidates
from sklearn_clustcompare.candidates._candidates import score_with_moments
from sklearn_clustcompare.candidates._curve import IndexCurve
from sklearn_clustcompare.candidates._scores import (
    CandidateScores,
    computed_name,
)
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.plot._display import (
    MARKERS,
    Display,
    curve_colors,
    draw_band,
    draw_legend,
    draw_stars,
    draws,
    faint,
    inches,
    label_clusters,
    lay_out,
    new_axes,
    numeric_curves,
    shorten_all,
    whole_ticks,
    write_title,
)

# With more curves only those that contain a winner have a color and a name.
_MAX_NAMED = 7
# Candidates at the same position are spread within this share of the gap on each side.
_SPREAD = 0.3
_MAX_NAME = 40


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
    >>> from sklearn_clustcompare.plot import IndexCurveDisplay
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> candidates = {1: [0] * 6, 2: [0, 0, 0, 1, 1, 1], 3: [0, 0, 1, 1, 2, 2]}
    >>> display = IndexCurveDisplay.from_predictions(
    ...     truth, candidates, index="adjusted_rand_score"
    ... )
    >>> display.lines_[0].get_ydata().round(2)
    array([0.  , 1.  , 0.24])
    """

    curve: IndexCurve

    @draws(index_curve)
    def from_predictions(cls) -> Any:
        """Compare candidates with a reference, and draw the index.

        Use it to choose the number of clusters among existing labelings; with ``q_range``, to see
        whether the winner depends on the order of the entropy, that is, on the weight of large
        clusters.

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
        >>> from sklearn_clustcompare.plot import IndexCurveDisplay
        >>> candidates = {"two": [0, 0, 1, 1, 1, 1], "three": [0, 0, 1, 1, 2, 1]}
        >>> display = IndexCurveDisplay.from_predictions(
        ...     [0, 0, 1, 1, 2, 2], candidates, index="normalized_mutual_info_score",
        ...     q_range=[0.5, 1, 2],
        ... )
        >>> display.ax_.get_xlabel(), [line.get_label() for line in display.lines_]
        ('order q of the entropy', ['two', 'three'])
        """

    @draws()
    def from_estimator(
        cls, estimator: Any, *, param_name: str = "auto", score_name: str | None = None
    ) -> Any:
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
        >>> from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer
        >>> from sklearn_clustcompare.plot import IndexCurveDisplay
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
        return _of_search(estimator.cv_results_, param_name, score_name)

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
        >>> from sklearn_clustcompare.plot import IndexCurveDisplay
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
        styles = _styles(curve, np.asarray(winners.any(axis=1)), curve_colors(ax))
        signs = np.broadcast_to(np.where(curve.greater_is_better, 1, -1), len(values))
        places = _side_by_side(x)
        self.lines_: list[Any] = []
        self.points_: list[Any] = []
        self.errorbars_: list[Any] = []
        self.bands_: list[Any] = []
        for position, (heights, style) in enumerate(zip(values, styles, strict=True)):
            if style["color"] != GRAY:
                self._draw_band(ax, x, position, style["color"])
                self._draw_intervals(ax, places, heights, position, style["color"])
            if places is x:
                self._draw_line(ax, x, heights, style)
            else:
                self._draw_points(ax, places, heights, signs[position], style)
        rows, cols = np.nonzero(winners)
        colors = [styles[row]["color"] for row in rows]
        self.winner_marks_ = draw_stars(ax, places[cols], values[rows, cols], colors, "winner")
        if len(np.unique(x)) == 1:
            ax.set_xticks(x[:1])
            ax.set_xlim(x[0] - 1, x[0] + 1)
        else:
            whole_ticks(ax, x)
        ax.set(xlabel=curve.x_label, ylabel=curve.y_label)
        write_title(ax, curve.title)
        draw_legend(ax)
        lay_out(ax)
        return self

    def _draw_line(self, ax: Any, x: Array, heights: Array, style: Any) -> None:
        self.lines_ += ax.plot(
            x,
            heights,
            markersize=4 if len(x) <= 60 else 0,
            linewidth=1.3 if style["color"] != GRAY else 0.6,
            **style,
        )

    def _draw_points(
        self, ax: Any, places: Array, heights: Array, sign: int, style: dict[str, Any]
    ) -> None:
        """Draw the candidates, and marks at the best of each number of clusters."""
        x = np.asarray(self.curve.x, dtype=np.float64)
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
                label=style.get("label") or "candidate",
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

    def _draw_intervals(
        self, ax: Any, places: Array, heights: Array, position: int, color: Any
    ) -> None:
        if self.curve.intervals is None:
            return
        ends = np.asarray(self.curve.intervals, dtype=np.float64)[position].T
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

    def _draw_band(self, ax: Any, x: FloatArray, position: int, color: Any) -> None:
        curve = self.curve
        if curve.expected is None or curve.standard_deviation is None:
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


def _side_by_side(x: FloatArray) -> FloatArray:
    """Return x itself, with repeated values spread around their position."""
    unique, counts = np.unique(x, return_counts=True)
    if len(unique) == len(x):
        return x
    spread = _SPREAD * np.diff(unique).min(initial=1.0)
    steps = [np.linspace(-spread, spread, count) if count > 1 else [0.0] for count in counts]
    places = x.copy()
    places[np.argsort(x, kind="stable")] += np.concatenate(steps)
    return places


def _styles(curve: IndexCurve, wins: Mask, colors: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the style of each curve; those that are not gray have a name, if there are names."""
    named = np.flatnonzero(wins) if len(wins) > _MAX_NAMED else np.arange(len(wins))
    shown = named[:_MAX_NAMED].tolist()
    styles: list[dict[str, Any]] = [{"color": GRAY, "zorder": 1, "alpha": 0.35} for _ in wins]
    names: list[Any] = [None] * len(shown)
    if curve.names is not None:
        names = shorten_all([curve.names[position] for position in shown], _MAX_NAME)
    for position, color, marker, name in zip(shown, colors, MARKERS, names, strict=False):
        styles[position] = {"color": color, "marker": marker, "zorder": 3, "label": name}
    return styles


def _of_search(results: Mapping[str, Any], param_name: str, score_name: str | None) -> IndexCurve:
    scores = [key.removeprefix("mean_test_") for key in results if key.startswith("mean_test_")]
    score = scores[0] if score_name is None else score_name
    one_of(*scores)("score_name", score)
    settings = results["params"]
    name, curves = numeric_curves(settings, param_name)
    x = np.unique([one[name] for one in settings if name in one])
    found = np.asarray(results[f"mean_test_{score}"])
    values = np.full((len(curves), len(x)), np.nan)
    winners = np.zeros(values.shape, np.bool_)
    # The best of all, also of those without the parameter, which are not shown.
    best = are_best(found)
    for row, won, members in zip(values, winners, curves.values(), strict=True):
        places = np.searchsorted(x, [settings[position][name] for position in members])
        row[places], won[places] = found[members], best[members]
    return IndexCurve(
        x,
        values,
        winners=winners,
        names=list(curves) if any(curves) else None,
        x_label=name.rsplit("__", 1)[-1],
        y_label=f"mean test {score}",
        title="Scores of the search",
    )


_MARKER_POINTS = 5.5


class CandidateScoresDisplay(Display, of=(CandidateScores,)):
    """Picture of the scores of candidates, the best at the top.

    Each candidate is a dot, with its confidence interval if there is one; dots of tied candidates
    are joined. A gray bar is the mean plus and minus two standard deviations for random partitions
    with the same cluster sizes, if they are given: scores within it may be due to chance. If there
    are many candidates, the best and the worst have their own rows, and the others share a row.

    Parameters
    ----------
    scores : CandidateScores
        Result of :func:`score_candidates`.
    index : str, callable, Index or None, default=None
        Index to compare by; None takes the first one.
    expected, standard_deviation : array-like of shape (n_candidates,), default=None
        Mean and standard deviation of the index for each candidate under permutation.
    max_shown : int, default=30
        Largest number of candidates with their own rows: two thirds of them are the best ones.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    points_ : matplotlib PathCollection
        The candidates with their own rows, from the top down.
    other_points_ : matplotlib PathCollection or None
        The others.
    intervals_ : matplotlib LineCollection or None
        The intervals, if there are any.
    ties_ : matplotlib LineCollection
        Lines that join tied candidates.
    band_ : matplotlib BarContainer or None
        The range due to chance, if known.

    See Also
    --------
    score_candidates : The scores.
    IndexCurveDisplay : Scores against the number of clusters.

    Examples
    --------
    >>> from sklearn_clustcompare.plot import CandidateScoresDisplay
    >>> candidates = {"far": [0, 1, 0, 1], "same": [1, 1, 0, 0], "near": [0, 0, 1, 2]}
    >>> display = CandidateScoresDisplay.from_predictions(
    ...     [0, 0, 1, 1], candidates, index="adjusted_rand_score"
    ... )
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['same', 'near', 'far']
    """

    scores: CandidateScores
    _: KW_ONLY
    index: IndexLike | None = None
    expected: ArrayLike | None = None
    standard_deviation: ArrayLike | None = None
    max_shown: int = 30

    @draws(
        score_candidates,
        own=["max_shown"],
        without=["indices", "references", "within", "groups", "align", "error_score"],
    )
    def from_predictions(
        cls,
        labels_true: PartitionLike,
        candidates: PartitionsLike | None = None,
        *,
        data: TableLike = None,
        index: IndexLike,
        sample_weight: ArrayLike | None = None,
        **options: Any,
    ) -> Any:
        """Score candidates, and draw the scores.

        Use it to see by how much the best candidate leads, and which candidates are no better than
        chance. The gray bars are drawn if the mean and the standard deviation of the index are
        known exactly; candidates that share a row share one bar that covers theirs.

        Parameters
        ----------
        index : str, callable or Index
            The :term:`index`: a name (see :func:`list_indices`), its function or a record.

        Returns
        -------
        CandidateScoresDisplay
            Drawn on ``ax_``.

        See Also
        --------
        score_candidates : The scores as numbers, for several indices at once.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import CandidateScoresDisplay
        >>> display = CandidateScoresDisplay.from_predictions(
        ...     [0, 0, 1, 1], [[0, 0, 1, 2], [1, 1, 0, 0]], index="rand_score"
        ... )
        >>> display.points_.get_offsets().data.round(3).tolist()
        [[1.0, 0.0], [0.833, 1.0]]
        """
        if candidates is None and data is None:
            msg = "candidates must be given, or columns of data, got None"
            raise TypeError(msg)
        options |= {"data": data, "sample_weight": sample_weight}
        scores, *moments = score_with_moments(labels_true, candidates, indices=index, **options)
        return scores, None, *([] if np.isnan(moments).any() else moments)

    def plot(self, ax: Any = None) -> CandidateScoresDisplay:
        """Draw the scores.

        :meth:`from_predictions` calls it: use it for existing scores, or to draw again on other
        axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        CandidateScoresDisplay
            Itself.

        Raises
        ------
        ValueError
            If there are no candidates, or the index was not computed.

        See Also
        --------
        CandidateScoresDisplay.from_predictions : Computes the scores first.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> from sklearn_clustcompare.plot import CandidateScoresDisplay
        >>> scores = score_candidates(
        ...     [0, 0, 1, 1],
        ...     [[0, 0, 1, 2], [1, 1, 0, 0]],
        ...     indices=["rand_score", "van_dongen_distance"],
        ... )
        >>> display = CandidateScoresDisplay(scores, index="van_dongen_distance").plot()
        >>> display.ax_.get_xlabel().splitlines()
        ['van_dongen_distance (objects)', '(lower is better)']
        """
        positive_integer("max_shown", self.max_shown)
        result = self.scores
        ranks = result.rank(self.index)
        if not len(ranks):
            msg = "scores must hold at least one candidate to draw, got none"
            raise ValueError(msg)
        name = computed_name(self.index, result.scores)
        rows = _Rows.of(ranks, self.max_shown)
        ax = new_axes(ax, self, (6.8, max(2.8, 1.3 + 0.25 * rows.n_rows)))
        ax.set_ylim(rows.n_rows - 0.4, -0.6)
        record = result.indices[name]
        direction = "" if record.greater_is_better else "\n(lower is better)"
        ax.set(
            xlabel=record.axis_text(**result.parameters[name]) + direction,
            ylabel="candidates, by rank",
        )
        write_title(ax, f"Scores of {n_candidates_text(len(ranks))}")
        values = result.scores[name]
        self.band_ = self._draw_band(ax, rows)
        self.ties_ = _draw_ties(ax, values, ranks, rows)
        self.intervals_ = self._draw_intervals(ax, name, rows)
        self.points_ = ax.scatter(
            values[rows.shown],
            rows.places,
            c=[ORANGE if rank == 1 else BLUE for rank in ranks[rows.shown]],
            zorder=4,
        )
        self.other_points_ = None
        if len(rows.others):
            place = np.full(len(rows.others), rows.place_of_others)
            self.other_points_ = ax.scatter(
                values[rows.others],
                place,
                color=BLUE,
                alpha=0.25,
                linewidths=0,
                zorder=4,
            )
        self._label(ax, rows)
        if ax.get_legend_handles_labels()[0]:
            draw_legend(ax)
        lay_out(ax)
        size = min(_MARKER_POINTS, 0.9 * 72 * inches(ax)[1] / np.ptp(ax.get_ylim())) ** 2
        self.points_.set_sizes([size])
        if self.other_points_ is not None:
            self.other_points_.set_sizes([size / 2])
        _mark_undefined(ax, values, rows)
        ax.spines[["top", "right"]].set_visible(False)
        return self

    def _draw_band(self, ax: Any, rows: _Rows) -> Any:
        if self.expected is None or self.standard_deviation is None:
            return None
        mean = np.asarray(self.expected, np.float64)
        spread = 2 * np.asarray(self.standard_deviation, np.float64)
        low, high = (mean - spread)[rows.shown], (mean + spread)[rows.shown]
        places = rows.places
        if len(rows.others):
            low = np.append(low, (mean - spread)[rows.others].min())
            high = np.append(high, (mean + spread)[rows.others].max())
            places = np.append(places, rows.place_of_others)
        return ax.barh(
            places,
            high - low,
            1.0,
            left=low,
            color=GRAY,
            alpha=faint(ax, 0.35),
            linewidth=0,
            label="due to chance: mean \N{PLUS-MINUS SIGN} 2 sd",
            zorder=1,
        )

    def _draw_intervals(self, ax: Any, name: str, rows: _Rows) -> Any:
        ends = self.scores.intervals.get(name)
        if ends is None:
            return None
        return ax.hlines(
            rows.places,
            *ends[rows.shown].T,
            color=BLUE,
            linewidth=1.5,
            zorder=3,
            label=f"{100 * (self.scores.confidence_level or 0):g} % interval",
        )

    def _label(self, ax: Any, rows: _Rows) -> None:
        names = [self.scores.names[position] for position in rows.shown]
        places = rows.places.tolist()
        if len(rows.others):
            names.append(f"{len(rows.others)} others")
            places.append(rows.place_of_others)
        label_clusters(ax.yaxis, places, names)


class _Rows(NamedTuple):
    """Candidates with their own rows and their positions, and candidates that share a row."""

    shown: Positions
    places: Positions
    others: Positions
    place_of_others: int
    n_rows: int

    @classmethod
    def of(cls, ranks: IntArray, max_shown: int) -> _Rows:
        order = np.argsort(ranks, kind="stable")
        n_worst = max_shown // 3 if len(order) > max_shown else 0
        n_best = min(max_shown, len(order)) - n_worst
        others = order[n_best : len(order) - n_worst]
        places = np.arange(n_best + n_worst)
        if len(others):
            places[n_best:] += 1
        shown = np.append(order[:n_best], order[len(order) - n_worst :])
        return cls(shown, places, others, n_best, len(places) + bool(len(others)))


def _mark_undefined(ax: Any, values: FloatArray, rows: _Rows) -> None:
    for place in rows.places[np.isnan(values[rows.shown])]:
        ax.text(
            0.02,
            place,
            "undefined",
            transform=ax.get_yaxis_transform(),
            va="center",
            fontsize=9,
            style="italic",
        )


def _draw_ties(ax: Any, values: FloatArray, ranks: IntArray, rows: _Rows) -> Any:
    """Join the dots of candidates of the same rank."""
    of_rows = ranks[rows.shown]
    firsts = [
        (place, np.flatnonzero(of_rows == rank)[-1])
        for place, rank in enumerate(of_rows)
        if (of_rows == rank).sum() > 1 and (of_rows[:place] != rank).all()
    ]
    defined = [ends for ends in firsts if not np.isnan(values[rows.shown[ends[0]]])]
    return ax.vlines(
        [values[rows.shown[first]] for first, _ in defined],
        [rows.places[first] for first, _ in defined],
        [rows.places[last] for _, last in defined],
        color=SKY,
        linewidth=5,
        zorder=2,
        label="tied" if defined else None,
    )
