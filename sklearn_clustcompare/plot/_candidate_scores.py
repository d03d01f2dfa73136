"""Picture of the ranked scores of many candidates."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._palette import BLUE, GRAY, ORANGE, SKY
from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._partition.columns import in_columns, several_in_columns
from sklearn_clustcompare._partition.options import (
    PartitionLike,
    PartitionsLike,
    TableLike,
)
from sklearn_clustcompare._rendering import n_candidates_text
from sklearn_clustcompare.candidates import CandidateScores, score_candidates
from sklearn_clustcompare.candidates._chance import candidate_moments
from sklearn_clustcompare.candidates._scores import computed_name
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.plot._axes import (
    faint,
    label_clusters,
    lay_out,
    new_axes,
    write_title,
)
from sklearn_clustcompare.plot._display import Display, draws, taken

_MARKER_POINTS = 5.5
_LEGEND_INCHES = 0.19


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

    def __init__(
        self,
        scores: CandidateScores,
        *,
        index: IndexLike | None = None,
        expected: ArrayLike | None = None,
        standard_deviation: ArrayLike | None = None,
        max_shown: int = 30,
    ) -> None:
        self.scores = scores
        self.index = index
        self.expected = expected
        self.standard_deviation = standard_deviation
        self.max_shown = max_shown

    @classmethod
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
    ) -> CandidateScoresDisplay:
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
        >>> from sklearn_clustcompare import CandidateScoresDisplay
        >>> display = CandidateScoresDisplay.from_predictions(
        ...     [0, 0, 1, 1], [[0, 0, 1, 2], [1, 1, 0, 0]], index="rand_score"
        ... )
        >>> display.points_.get_offsets().data.round(3).tolist()
        [[1.0, 0.0], [0.833, 1.0]]
        """
        candidates = several_in_columns(
            data, candidates, "candidates", [labels_true, sample_weight]
        )
        labels_true, sample_weight = in_columns(
            data, labels_true=labels_true, sample_weight=sample_weight
        )
        if not hasattr(candidates, "__len__"):
            candidates = list(candidates)  # read twice
        own, drawing = taken(options, cls), taken(options, cls.plot)
        options |= {"sample_weight": sample_weight}
        scores = score_candidates(labels_true, candidates, indices=index, **options)
        known = taken(options, score_candidates)
        reading = Reading(**{name: known[name] for name in Reading().keywords if name in known})
        moments = candidate_moments(labels_true, candidates, index, sample_weight, reading, options)
        expected, deviation = moments or (None, None)
        display = cls(scores, expected=expected, standard_deviation=deviation, **own)
        return display.plot(**drawing)

    def plot(self, ax: Any = None) -> CandidateScoresDisplay:
        """Draw the scores.

        :meth:`from_predictions` calls it: use it for existing scores, or to draw again on other
        axes. Interactive windows show the candidate of the row under the pointer.

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
        >>> from sklearn_clustcompare import CandidateScoresDisplay, score_candidates
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
        lay_out(ax)
        _draw_legend(ax, rows)
        points = 72 / ax.figure.dpi * ax.get_window_extent().height
        size = min(_MARKER_POINTS, 0.9 * points / np.ptp(ax.get_ylim())) ** 2
        self.points_.set_sizes([size])
        if self.other_points_ is not None:
            self.other_points_.set_sizes([size / 2])
        _mark_undefined(ax, values, rows)
        ax.spines[["top", "right"]].set_visible(False)
        ax.format_coord = lambda x, y: self._text_at(y, rows, name, ranks)
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

    def _text_at(self, y: float, rows: _Rows, name: str, ranks: NDArray[np.int64]) -> str:
        """Describe the candidate of a row, for interactive windows."""
        under = np.flatnonzero(np.abs(rows.places - y) <= 0.5)
        if not len(under):
            return ""
        position = rows.shown[under[0]]
        result = self.scores
        return (
            f"rank {ranks[position]}: {result.names[position]}, "
            f"{result.scores[name][position]:.4g}, {result.n_clusters[position]} clusters"
        )


class _Rows(NamedTuple):
    """Candidates with their own rows and their positions, and candidates that share a row."""

    shown: NDArray[np.intp]
    places: NDArray[np.intp]
    others: NDArray[np.intp]
    place_of_others: int
    n_rows: int

    @classmethod
    def of(cls, ranks: NDArray[np.int64], max_shown: int) -> _Rows:
        order = np.argsort(ranks, kind="stable")
        n_worst = max_shown // 3 if len(order) > max_shown else 0
        n_best = min(max_shown, len(order)) - n_worst
        others = order[n_best : len(order) - n_worst]
        places = np.arange(n_best + n_worst)
        if len(others):
            places[n_best:] += 1
        shown = np.append(order[:n_best], order[len(order) - n_worst :])
        return cls(shown, places, others, n_best, len(places) + bool(len(others)))


def _draw_legend(ax: Any, rows: _Rows) -> None:
    """Draw the legend below the rows, if it has entries."""
    n_lines = len(ax.get_legend_handles_labels()[0])
    if not n_lines:
        return
    height = ax.get_window_extent().height / ax.figure.dpi
    share = min((n_lines + 0.5) * _LEGEND_INCHES / height, 0.5)
    ax.set_ylim(-0.6 + (rows.n_rows + 0.2) / (1 - share), -0.6)
    ax.legend(loc="lower right", frameon=False, fontsize=9, borderaxespad=0.2)


def _mark_undefined(ax: Any, values: NDArray[np.float64], rows: _Rows) -> None:
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


def _draw_ties(ax: Any, values: NDArray[np.float64], ranks: NDArray[np.int64], rows: _Rows) -> Any:
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
