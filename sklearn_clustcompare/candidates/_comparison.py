"""The result of comparing candidates with each other, given a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._rendering import Shown, Table, result_record, table_of
from sklearn_clustcompare.indices import Index


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class CandidateComparison(Shown):
    """Differences between candidates; made by :meth:`CandidateScores.compare`.

    Printed, and as HTML in a notebook, it shows the pairs by p-value. All parameters are attributes
    of the same names, which cannot be set.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    confidence_level : float
        Simultaneous level of all intervals.
    pairs : list of tuple
        Names of the two candidates of each pair.
    differences : ndarray of shape (n_pairs,)
        By how much the first candidate of the pair is better than the second, for distances as
        well; negative if it is worse.
    intervals : ndarray of shape (n_pairs, 2)
        Lower and upper ends of the confidence intervals of the differences.
    pvalues : ndarray of shape (n_pairs,)
        Two-sided p-values of no difference, corrected for the number of pairs.

    See Also
    --------
    CandidateScores.compare : Makes it.
    paired_comparison_test : Compares two candidates.

    Examples
    --------
    >>> from sklearn_clustcompare import score_candidates
    >>> truth = [0] * 30 + [1] * 30
    >>> candidates = {"good": [0] * 28 + [1] * 32, "poor": [0] * 15 + [1] * 45}
    >>> comparison = score_candidates(
    ...     truth,
    ...     candidates,
    ...     indices="adjusted_rand_score",
    ...     confidence_level=0.95,
    ...     random_state=0,
    ... ).compare()
    >>> comparison.pairs, comparison.differences.round(3).tolist()
    ([('good', 'poor')], [0.629])
    """

    index: Index
    parameters: dict[str, Any]
    confidence_level: float
    pairs: list[tuple[Any, Any]]
    differences: NDArray[np.float64]
    intervals: NDArray[np.float64]
    pvalues: NDArray[np.float64]

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per pair.

        Sort, filter or save the pairs with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (n_pairs, 6)
            With the columns ``first``, ``second``, ``difference``, ``low``, ``high`` and
            ``pvalue``.

        See Also
        --------
        CandidateScores.to_frame : The scores of the candidates.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> result = score_candidates(
        ...     [0, 0, 1, 1, 1, 1] * 9,
        ...     {"a": [0, 0, 1, 1, 1, 1] * 9, "b": [1, 1, 0, 0, 0, 0] * 9},
        ...     indices="rand_score",
        ...     confidence_level=0.95,
        ... )
        >>> result.compare().to_frame().to_dict("list")["difference"]
        [0.0]
        """
        import pandas as pd

        return pd.DataFrame(self._columns(np.arange(len(self))))

    def _columns(self, positions: NDArray[np.intp]) -> dict[str, Any]:
        low, high = self.intervals[positions].T
        return {
            "first": [self.pairs[k][0] for k in positions],
            "second": [self.pairs[k][1] for k in positions],
            "difference": self.differences[positions],
            "low": low,
            "high": high,
            "pvalue": self.pvalues[positions],
        }

    def __len__(self) -> int:
        return len(self.pairs)

    def _headline(self) -> str:
        by = self.index.axis_text(**self.parameters)
        level = f"{100 * self.confidence_level:g} % intervals"
        return f"CandidateComparison: {len(self)} pairs by {by}, {level}"

    def _shown(self) -> Table:
        """Return the pairs by their p-values."""
        columns = self._columns(np.argsort(self.pvalues, kind="stable"))
        return table_of(columns, names=("first", "second"))
