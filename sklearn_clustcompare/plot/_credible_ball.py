"""Picture of a consensus and of the bounds of its credible ball."""

from __future__ import annotations

from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._partition.arrays import PartitionsLike
from sklearn_clustcompare._rendering import n_clusters_text
from sklearn_clustcompare.consensus import consensus_partition
from sklearn_clustcompare.consensus._posterior import LEVEL, CredibleBall
from sklearn_clustcompare.plot._alluvial import match_colors, numbered_color
from sklearn_clustcompare.plot._display import Display, draws, lay_out, new_axes, write_title


class CredibleBallDisplay(Display, of=(CredibleBall,)):
    """Picture of a consensus and of the partitions at the bounds of its credible ball.

    Each row is a partition, each column an object, each color a cluster; matched clusters have the
    color of the cluster of the consensus. Objects are in the order of the clusters. Where the rows
    have the same colors, the draws agree. An object that a partition does not know is white.

    Parameters
    ----------
    ball : CredibleBall
        What :meth:`~sklearn_clustcompare.results.ConsensusResult.credible_ball` returns.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the picture.
    figure_ : matplotlib Figure
        The figure of the axes.
    im_ : matplotlib AxesImage
        The rows.

    See Also
    --------
    consensus_partition : Finds the consensus.
    AlluvialDisplay : The objects as streams between partitions.

    Examples
    --------
    >>> from sklearn_clustcompare import consensus_partition
    >>> from sklearn_clustcompare.plot import CredibleBallDisplay
    >>> draws = [[0, 0, 1, 1]] * 9 + [[0, 0, 0, 1]]
    >>> CredibleBallDisplay(consensus_partition(draws).credible_ball()).plot().im_.get_array().shape
    (4, 4, 3)
    """

    ball: CredibleBall

    @draws(consensus_partition)
    def from_partitions(
        cls, partitions: PartitionsLike, *, level: float = LEVEL, **options: Any
    ) -> Any:
        """Find the consensus of partitions or draws, and draw its credible ball.

        Use it to see which parts of a clustering are sure.

        Parameters
        ----------
        level : float, default=0.95
            Share of the draws, by their weights, that the ball holds.

        Returns
        -------
        CredibleBallDisplay
            Drawn on ``ax_``.

        See Also
        --------
        consensus_partition : The consensus as numbers.

        Examples
        --------
        >>> from sklearn_clustcompare.plot import CredibleBallDisplay
        >>> draws = [[0, 0, 1, 1]] * 9 + [[0, 0, 0, 1]]
        >>> CredibleBallDisplay.from_partitions(draws, index="rand_score", level=0.9).ball.radius
        0.0
        """
        return consensus_partition(partitions, **options).credible_ball(level)

    def plot(self, ax: Any = None) -> CredibleBallDisplay:
        """Draw the rows.

        :meth:`from_partitions` calls it: use it for an existing ball, or to draw again on other
        axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a new figure.

        Returns
        -------
        CredibleBallDisplay
            Itself.

        See Also
        --------
        CredibleBallDisplay.from_partitions : Finds the consensus first.

        Examples
        --------
        >>> from sklearn_clustcompare import consensus_partition
        >>> draws = [[0, 0, 1, 1]] * 9 + [[0, 0, 0, 1]]
        >>> consensus_partition(draws).credible_ball(0.9).plot().ax_.get_xlabel()
        '4 objects, by cluster'
        """
        ball = self.ball
        rows = {
            "consensus": ball.center,
            "farthest": ball.horizontal,
            "fewest clusters": ball.upper,
            "most clusters": ball.lower,
        }
        ax = new_axes(ax, self, (6.4, 2.8))
        order = np.lexsort((ball.lower, ball.upper, ball.horizontal, ball.center))
        image = np.stack([_colors(ball.center, labels)[order] for labels in rows.values()])
        self.im_ = ax.imshow(image, aspect="auto", interpolation="nearest")
        numbers = [len(np.unique(labels[labels >= 0])) for labels in rows.values()]
        texts = [
            f"{name}\n{n_clusters_text(number)}" for name, number in zip(rows, numbers, strict=True)
        ]
        ax.set_yticks(range(len(rows)), texts)
        ax.hlines(np.arange(1, len(rows)) - 0.5, -0.5, len(order) - 0.5, color="white", lw=3)
        ax.set(xlabel=f"{len(order)} objects, by cluster", ylabel="partitions")
        write_title(
            ax, f"{100 * ball.level:g} % of the draws are within {ball.radius:.3g} of the consensus"
        )
        lay_out(ax)
        return self


def _colors(center: IntArray, labels: IntArray) -> FloatArray:
    """Return the color of each object, that of the matched cluster of the consensus."""
    both = (center >= 0) & (labels >= 0)
    flow = np.zeros((int(center.max(initial=-1)) + 1, int(labels.max(initial=-1)) + 1))
    np.add.at(flow, (center[both], labels[both]), 1.0)
    numbers = match_colors([flow], [False, False])[1]
    palette = [numbered_color(number) for number in numbers.tolist()]
    return np.array([*palette, (1.0, 1.0, 1.0)])[labels]
