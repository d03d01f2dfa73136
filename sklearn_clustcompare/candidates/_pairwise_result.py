"""The result of comparing all pairs of many partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._rendering import Drawn, Shown, Table, matrix_table, result_record
from sklearn_clustcompare.indices import Index


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class PairwiseScores(Drawn, Shown):
    """Scores of all pairs of partitions; made by :func:`pairwise_scores`.

    Printed, and as HTML in a notebook, it shows up to ten rows and columns. NumPy treats it as
    the array of its values, and ``scores[i, j]`` is one of them. All parameters are attributes of
    the same names, which cannot be set.

    Parameters
    ----------
    values : ndarray of shape (n_partitions, n_others)
        Element ``[i, j]`` has partition i as the reference and partition j as the candidate.
    names, col_names : list
        Names of the partitions of the rows and of the columns, the same unless others were given;
        positions if they have none.
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    coverage : ndarray of shape (n_partitions, n_others)
        Share of the objects that were compared; 1.0 unless some were left out.

    See Also
    --------
    pairwise_scores : Makes it.
    SimilarityMatrixDisplay.from_scores : A picture of it.

    Examples
    --------
    >>> from sklearn_clustcompare import pairwise_scores
    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [1, 1, 0, 0]}
    >>> scores = pairwise_scores(runs, index="rand_score")
    >>> scores.names, round(float(scores[0, 1]), 3)
    (['a', 'b', 'c'], 0.333)
    """

    values: NDArray[np.float64]
    names: list[Any]
    col_names: list[Any]
    index: Index
    parameters: dict[str, Any]
    coverage: NDArray[np.float64]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of rows and of columns."""
        return self.values.shape

    def to_frame(self) -> Any:
        """Return the values as a pandas DataFrame with the names of the partitions.

        Select, sort or save scores by the names of the partitions with pandas, which has to be
        installed.

        Returns
        -------
        pandas.DataFrame of shape (n_partitions, n_others)
            The values.

        See Also
        --------
        SimilarityMatrixDisplay.from_scores : A picture of them.

        Examples
        --------
        >>> from sklearn_clustcompare import pairwise_scores
        >>> runs = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}
        >>> pairwise_scores(runs, index="rand_score").to_frame().loc["a"].to_dict()
        {'a': 1.0, 'b': 0.3333333333333333}
        """
        import pandas as pd

        return pd.DataFrame(self.values, index=self.names, columns=self.col_names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False and dtype is not None and dtype != self.values.dtype:
            msg = f"an array of {dtype} of the scores cannot be made without a copy"
            raise ValueError(msg)
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __len__(self) -> int:
        return len(self.values)

    def _headline(self) -> str:
        rows, cols = self.values.shape
        by = self.index.axis_text(**self.parameters)
        return f"PairwiseScores: {rows} x {cols} partitions by {by}"

    def _shown(self) -> Table:
        return matrix_table(self.names, self.col_names, self.values)
