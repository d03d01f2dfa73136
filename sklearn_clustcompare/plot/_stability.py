"""Pictures of stability: of candidates against a parameter, and of single clusters."""

from __future__ import annotations

import numbers
import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._palette import BLUE, GRAY
from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare.plot._axes import (
    cycle,
    draw_band,
    draw_legend,
    faint,
    ink,
    label_clusters,
    lay_out,
    new_axes,
    shorten_all,
)
from sklearn_clustcompare.plot._display import Display, draws
from sklearn_clustcompare.without_reference import (
    ClusterStability,
    PredictionStrength,
    StabilityResult,
)

_MARKERS = "osD^vPX"
_THRESHOLD = 0.8
# With more clusters than this the points are small, so that the means are visible.
_MANY = 100
# Least values of the readings of the stability of a cluster.
_READINGS = {0.6: "doubtful", 0.75: "valid", 0.85: "highly stable"}


class _Curve(NamedTuple):
    """Candidates that differ in the parameter of the axis only, by their positions."""

    name: str
    x: FloatArray
    positions: Positions


class StabilityDisplay(
    Display,
    of=(
        StabilityResult,
        PredictionStrength,
    ),
):
    """Picture of the stability of candidates against a parameter.

    It shows a point for each pair of samples, a line through the means, and a band of two standard
    deviations around the mean stability of structureless data, if these were drawn: values within
    the band are no evidence of clusters. A star marks the candidate that a rule chooses. Each
    combination of the other parameters is a curve.

    Parameters
    ----------
    result : StabilityResult or PredictionStrength
        The values.
    rule : {"null", "null_max", "one_standard_error", "max"} or callable, default=None
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

    def __init__(
        self,
        result: StabilityResult | PredictionStrength,
        *,
        rule: Any = None,
        param_name: str = "auto",
    ) -> None:
        self.result = result
        self.rule = rule
        self.param_name = param_name

    @classmethod
    @draws(own=["param_name"])
    def from_estimator(cls, estimator: Any, **options: Any) -> StabilityDisplay:
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
        return cls._drawn(lambda: estimator.result_, rule=estimator.rule, **options)

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
        colors = cycle(ax)
        names = shorten_all([curve.name for curve in curves], 28)
        for number, curve in enumerate(curves):
            style = {
                "color": colors[number % len(colors)],
                "marker": _MARKERS[number % len(_MARKERS)],
                "label": names[number],
            }
            self._draw_curve(ax, curve, style, points)
        self._mark_choice(ax, curves)
        places = np.concatenate([curve.x for curve in curves])
        if np.array_equal(places, np.floor(places)):
            ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set(xlabel=name.rsplit("__", 1)[-1], ylabel=y_label, title=title)
        draw_legend(ax)
        lay_out(ax)
        return self

    def _curves(self) -> tuple[str, list[_Curve]]:
        if isinstance(self.result, PredictionStrength):
            x = self.result.param_range.astype(np.float64)
            return self.result.param_name, [_Curve("mean", x, np.argsort(x, kind="stable"))]
        candidates = self.result.candidates
        names = dict.fromkeys(name for one in candidates for name in one)
        numeric = [
            name
            for name in names
            if all(isinstance(one[name], numbers.Real) for one in candidates if name in one)
        ]
        name = next(iter(numeric), "") if self.param_name == "auto" else self.param_name
        if name not in numeric:
            msg = f"param_name must have numbers, one of {options_text(numeric, self.param_name)}"
            raise ValueError(msg)
        groups: dict[str, list[int]] = {}
        for position, one in enumerate(candidates):
            if name in one:
                others = ", ".join(f"{key}={one[key]}" for key in one if key != name)
                groups.setdefault(others, []).append(position)
        curves = []
        for text, members in groups.items():
            x = np.array([float(candidates[position][name]) for position in members])
            order = np.argsort(x, kind="stable")
            name_of = text or ("mean" if len(groups) == 1 else "no other parameter")
            curves.append(_Curve(name_of, x[order], np.array(members)[order]))
        return name, curves

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
        columns = {} if isinstance(self.result, PredictionStrength) else self.result.columns()
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
        if isinstance(self.result, PredictionStrength):
            ax.axhline(_THRESHOLD, color=ink(ax), linestyle=":", linewidth=1, label="threshold")
            chosen, text = self.result.choose(_THRESHOLD), f"chosen: above {_THRESHOLD}"
            if chosen is None:
                return
            position = int(np.argmax(self.result.param_range == chosen))
            x, y = float(chosen), float(self.result.mean[position])
            if chosen not in self.result.param_range:
                y = 1.0  # one cluster
        else:
            rule = self.result.default_rule if self.rule is None else self.rule
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # warnings were given at the time of the choice
                position = self.result.position(self.rule)
            text = f"chosen by {getattr(rule, '__name__', repr(rule))}"
            x, y = next(
                (float(curve.x[curve.positions == position][0]), float(self.result.mean[position]))
                for curve in curves
                if position in curve.positions
            )
        self.choice_mark_ = ax.scatter(
            [x],
            [y],
            marker="*",
            s=150,
            color=BLUE,
            edgecolor=ink(ax),
            linewidth=0.7,
            zorder=5,
            label=text,
        )

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
        for least, text in _READINGS.items():
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
        ax.format_coord = self._text_at
        return self

    def _text_at(self, x: float, y: float) -> str:
        cluster = round(x)
        if not 0 <= cluster < len(self.result):
            return ""
        return f"cluster {self._names()[cluster]}: mean {self.result.mean[cluster]:.3f}"

    def _names(self) -> list[Any]:
        clusters = zip(self.result.clusters.tolist(), self.result.is_noise, strict=True)
        return ["noise" if noise else label for label, noise in clusters]
