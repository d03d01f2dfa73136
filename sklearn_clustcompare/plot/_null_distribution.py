"""A picture of the law of an index under permutation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import gamma

from sklearn_clustcompare._chance.draws import null_tables, null_values
from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.reading import tabulate
from sklearn_clustcompare.indices import INDICES, get_index
from sklearn_clustcompare.indices._chance import gamma_p_value, standardized_moments
from sklearn_clustcompare.indices._moments import NullMoments, gamma_shape, null_moments
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.plot._axes import BLUE, ORANGE, SKY, index_label, new_axes

# Values relatively closer than this count as ties, so that rounding does not decide between them.
_TIE = 1e-12
_MAX_BINS = 60
# The gamma law is drawn between quantiles that leave this much on either side.
_TAIL = 1e-4
# Its density may be infinite at its lower end: the axis ends at so many times the highest bar,
# which leaves room for the legend, in two columns or, in narrow axes, in one.
_HEADROOM = {2: 1.3, 1: 1.7}
_WIDE_INCHES = 4.8


class NullDistributionDisplay:
    """Picture of an index under permutation, and of the value observed.

    A histogram shows the index for random partitions with the same cluster sizes. For indices
    that are linear in the number of pairs together in both partitions, or in the mutual
    information, the exact mean and standard deviation and the gamma law that has them are
    drawn as well.

    Parameters
    ----------
    value : float
        The index observed.
    null_values : ndarray of float of shape (n_resamples,)
        The index for random partitions.
    mean, standard_deviation : float
        Moments of the index under permutation.
    pvalue : float
        Share of the random partitions that agree as much, the one observed included.
    is_exact : bool, default=False
        Whether the moments are exact, and not those of ``null_values``.
    shape : float, default=None
        Shape of the gamma law, negative for an index that falls with agreement; None draws
        none.
    gamma_pvalue : float, default=None
        Probability of as much agreement by the gamma law.
    index : str, default="index"
        Name of the index.
    params : mapping of str to object, default=None
        Parameters of the index.

    Attributes
    ----------
    standardized : float
        ``(value - mean) / standard_deviation``, or 0.0 if the latter is zero.
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    bars_ : matplotlib BarContainer
        The histogram.
    line_ : matplotlib Line2D or None
        Density of the gamma law.
    value_line_ : matplotlib Line2D
        The value observed.
    mean_line_ : matplotlib Line2D
        The mean.

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
    ...     truth, found, index="adjusted_rand_score", random_state=0
    ... )
    >>> display.is_exact, display.pvalue, round(display.standardized, 2)
    (True, 0.001, 8.49)
    """

    def __init__(
        self,
        value: float,
        *,
        null_values: NDArray[np.float64],
        mean: float,
        standard_deviation: float,
        pvalue: float,
        is_exact: bool = False,
        shape: float | None = None,
        gamma_pvalue: float | None = None,
        index: str = "index",
        params: Mapping[str, Any] | None = None,
    ) -> None:
        self.value = value
        self.null_values = null_values
        self.mean = mean
        self.standard_deviation = standard_deviation
        self.pvalue = pvalue
        self.is_exact = is_exact
        self.shape = shape
        self.gamma_pvalue = gamma_pvalue
        self.index = index
        self.params = params

    @property
    def standardized(self) -> float:
        """Value observed in standard deviations from the mean."""
        if not self.standard_deviation:
            return 0.0
        return (self.value - self.mean) / self.standard_deviation

    @classmethod
    def from_predictions(
        cls,
        labels_true: Any,
        labels_pred: Any,
        *,
        index: str = "mutual_info_score",
        n_resamples: int = 999,
        random_state: Any = None,
        n_jobs: int | None = None,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **params: Any,
    ) -> NullDistributionDisplay:
        """Permute two partitions at random, and draw the law of an index.

        Use it to see how far an index lies from what chance gives with the same cluster sizes,
        and whether a gamma law can stand for the permutations. Any index will do.

        Parameters
        ----------
        labels_true, labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters)
            The reference and the candidate: labels or memberships.
        index : str, default="mutual_info_score"
            Name of the index.
        n_resamples : int, default=999
            Number of random partitions.
        random_state : int, RandomState, Generator or None, default=None
            Source of randomness.
        n_jobs : int, default=None
            Number of parallel jobs; the result does not depend on it.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights as whole frequencies.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **params : dict
            Parameters of the index.

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
        >>> from sklearn_clustcompare import NullDistributionDisplay
        >>> truth = [0] * 10 + [1] * 10
        >>> found = [0] * 8 + [1] * 12
        >>> display = NullDistributionDisplay.from_predictions(
        ...     truth, found, index="purity_score", n_resamples=99, random_state=0
        ... )
        >>> display.value, display.is_exact, display.pvalue
        (0.9, False, 0.01)
        """
        record = get_index(index)
        record.check_parameters(**params)
        positive_integer("n_resamples", n_resamples)
        table = tabulate(
            labels_true, labels_pred, sample_weight=sample_weight, moments=record.moments
        )
        drawn = null_values(
            null_tables(table, labels_true, labels_pred, sample_weight),
            lambda one: record(one, **params),
            n_resamples,
            random_state,
            n_jobs,
        )
        display = _of_draws(record, table, drawn, null_moments(table, record, **params), params)
        return display.plot(ax=ax)

    def plot(self, ax: Any = None) -> NullDistributionDisplay:
        """Draw the law.

        :meth:`from_predictions` has done so already: call it to draw again into other axes. The
        legend tells the p-values, the mean and the standardised value.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        NullDistributionDisplay
            Itself.

        See Also
        --------
        NullDistributionDisplay.from_predictions : Draws the random partitions first.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_clustcompare import NullDistributionDisplay
        >>> display = NullDistributionDisplay(
        ...     0.9,
        ...     null_values=np.array([-0.1, 0.0, 0.0, 0.1]),
        ...     mean=0.0,
        ...     standard_deviation=0.1,
        ...     pvalue=0.2,
        ... )
        >>> display.plot().value_line_.get_label()
        'observed 0.9, z = 9.0'
        """
        ax = new_axes(ax, self, (7.2, 4.4))
        n_bins = min(len(np.histogram_bin_edges(self.null_values, "auto")) - 1, _MAX_BINS)
        heights, _, self.bars_ = ax.hist(
            self.null_values,
            bins=n_bins,
            density=True,
            color=SKY,
            edgecolor="white",
            linewidth=0.4,
            label=f"{len(self.null_values)} permutations, p = {self.pvalue:.3g}",
        )
        self.line_ = None
        if self.shape is not None and self.standard_deviation:
            x, density = self._gamma_law(self.shape)
            label = "gamma law"
            if self.gamma_pvalue is not None:
                label += f", p = {self.gamma_pvalue:.3g}"
            (self.line_,) = ax.plot(x, density, color=BLUE, label=label)
        n_columns = 2 if ax.get_window_extent().width > _WIDE_INCHES * ax.figure.dpi else 1
        headroom = _HEADROOM[n_columns]
        kind = "exact" if self.is_exact else "sampled"
        self.mean_line_ = ax.axvline(
            self.mean,
            ymax=1 / headroom,
            color="black",
            linestyle="--",
            linewidth=1,
            label=f"{kind} mean {self.mean:.4g}, sd {self.standard_deviation:.3g}",
        )
        self.value_line_ = ax.axvline(
            self.value,
            ymax=1 / headroom,
            color=ORANGE,
            linewidth=2,
            label=f"observed {self.value:.4g}, z = {self.standardized:.1f}",
        )
        ax.set(
            xlabel=index_label(self.index, self.params or {}),
            ylabel="density",
            title="Index of random partitions with the same cluster sizes",
        )
        ax.set_ylim(0, headroom * heights.max())
        if self.index in INDICES:
            ax.set_xlim(left=max(ax.get_xlim()[0], INDICES[self.index].range[0]))
        ax.legend(loc="upper center", ncols=n_columns, framealpha=0.9)
        return self

    def _gamma_law(self, shape: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Density of the gamma law that has the mean and the standard deviation."""
        size = abs(shape)
        scale = math.copysign(self.standard_deviation / math.sqrt(size), shape)
        grid = np.linspace(gamma.ppf(_TAIL, size), gamma.isf(_TAIL, size), 401)
        return self.mean + scale * (grid - size), gamma.pdf(grid, size) / abs(scale)


def _of_draws(
    index: Index,
    table: ContingencyTable,
    drawn: NDArray[np.float64],
    moments: NullMoments | None,
    params: dict[str, Any],
) -> NullDistributionDisplay:
    value = index(table, **params)
    sign = 1.0 if index.greater_is_better else -1.0
    tie = _TIE * max(abs(value), float(np.abs(drawn).max()))
    as_close = int(np.count_nonzero(sign * drawn >= sign * value - tie))
    pvalue = (1 + as_close) / (1 + len(drawn))
    if moments is None:
        return NullDistributionDisplay(
            value,
            null_values=drawn,
            mean=float(drawn.mean()),
            standard_deviation=float(drawn.std()),
            pvalue=pvalue,
            index=index.name,
            params=params,
        )
    shape = gamma_shape(table, moments.q)
    return NullDistributionDisplay(
        value,
        null_values=drawn,
        mean=moments.expected,
        standard_deviation=moments.standard_deviation,
        pvalue=pvalue,
        is_exact=True,
        shape=shape if shape is None or moments.rises else -shape,
        gamma_pvalue=gamma_p_value(standardized_moments(table, moments.q)),
        index=index.name,
        params=params,
    )
