"""The results of comparing many partitions: with a reference, and with each other."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from sklearn_clustcompare._rendering import html_table, text_table
from sklearn_clustcompare.indices import Index

_MAX_SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class CandidateScores:
    """Scores of candidate partitions; made by :func:`score_candidates`.

    Printed, and as HTML in a notebook, it shows the best ten candidates. All parameters are
    attributes of the same names, which cannot be set.

    Parameters
    ----------
    scores : dict of str to ndarray of shape (n_candidates,)
        Values of each index by its name, in the order of the candidates.
    names : list
        Names of the candidates; their positions where they have none.
    n_clusters : ndarray of shape (n_candidates,)
        Number of clusters of each candidate.
    coverage : ndarray of shape (n_candidates,)
        Share of the objects that were compared; 1.0 unless some were left out.
    indices : dict of str to Index
        Record of the index of each name in ``scores``.

    See Also
    --------
    score_candidates : Makes it.
    pairwise_scores : Partitions compared with each other, without a reference.

    Examples
    --------
    >>> from sklearn_clustcompare import score_candidates
    >>> result = score_candidates(
    ...     [0, 0, 1, 1],
    ...     {"same": [1, 1, 0, 0], "one": [0, 0, 0, 0], "three": [0, 0, 1, 2]},
    ...     indices=["adjusted_rand_score", "van_dongen_distance"],
    ... )
    >>> result.scores["van_dongen_distance"]
    array([0., 2., 1.])
    >>> result.n_clusters
    array([2, 1, 3])
    """

    scores: dict[str, NDArray[np.float64]]
    names: list[Any]
    n_clusters: NDArray[np.int64]
    coverage: NDArray[np.float64]
    indices: dict[str, Index]

    def best(self, index: str | Index | None = None) -> Any:
        """Return the name of the best candidate.

        The best has the highest score, or the lowest distance. Nothing is decided silently:
        candidates that tie are named in a warning.

        Parameters
        ----------
        index : str, Index or None, default=None
            The index that decides; None takes the first one.

        Returns
        -------
        object
            Name of the candidate; the first one if several are equally good, with a warning
            that names the others.

        Raises
        ------
        ValueError
            If there are no candidates, or the index was not computed.

        See Also
        --------
        CandidateScores.rank : The ranks of all candidates.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> candidates = {"coarse": [0, 0, 0, 0, 1], "fine": [0, 0, 1, 1, 2]}
        >>> result = score_candidates(
        ...     [0, 0, 1, 1, 1], candidates, indices=["purity_score", "maximum_match_score"]
        ... )
        >>> result.best()
        'fine'
        """
        ranks = self.rank(index)
        if len(ranks) == 0:
            msg = "there is no best candidate, as there are no candidates"
            raise ValueError(msg)
        winners = [self.names[position] for position in np.flatnonzero(ranks == 1)]
        if len(winners) > 1:
            warnings.warn(
                f"{len(winners)} candidates are equally good by {self._index_name(index)}, "
                f"the first of them is returned: {_listed(winners)}",
                UserWarning,
                stacklevel=2,
            )
        return winners[0]

    def rank(self, index: str | Index | None = None) -> NDArray[np.int64]:
        """Rank the candidates, 1 for the best.

        Equal values share the best rank: 1, 1, 3. For distances the lowest value is the best.
        Compare the ranks by several indices to see whether the choice depends on the index.

        Parameters
        ----------
        index : str, Index or None, default=None
            The index that decides; None takes the first one.

        Returns
        -------
        ndarray of shape (n_candidates,)
            Rank of each candidate.

        Raises
        ------
        ValueError
            If the index was not computed.

        See Also
        --------
        CandidateScores.best : The name of the candidate of rank 1.
        recommend_index : Which index to rank by.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> candidates = [[0, 0, 0, 0, 1], [1, 1, 1, 1, 0], [0, 0, 1, 1, 1]]
        >>> result = score_candidates([0, 0, 1, 1, 1], candidates, indices="mirkin_distance")
        >>> result.rank()
        array([2, 2, 1])
        """
        name = self._index_name(index)
        values = self.scores[name]
        return rankdata(
            -values if self.indices[name].greater_is_better else values, method="min"
        ).astype(np.int64)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per candidate.

        The rows stand in the order of the candidates; sort, filter, join or save them with
        pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (n_candidates, 2 + n_indices)
            Indexed by the names; columns are ``n_clusters``, ``coverage`` and the indices.

        See Also
        --------
        CandidateScores.rank : Ranks by one of the columns.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> candidates = {"same": [1, 1, 0, 0], "three": [0, 0, 1, 2]}
        >>> frame = score_candidates([0, 0, 1, 1], candidates, indices="rand_score").to_frame()
        >>> frame["rand_score"].round(2).to_dict()
        {'same': 1.0, 'three': 0.83}
        """
        import pandas as pd

        return pd.DataFrame(
            {"n_clusters": self.n_clusters, "coverage": self.coverage, **self.scores},
            index=pd.Index(self.names, name="candidate"),
        )

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        header, *body = self._shown()
        return "\n".join([self._headline(), *([text_table(header, body)] if body else [])])

    def _repr_html_(self) -> str:
        header, *body = self._shown()
        return html_table(header, body, caption=self._headline())

    def _headline(self) -> str:
        shown = f", the best {_MAX_SHOWN}" if len(self) > _MAX_SHOWN else ""
        return f"CandidateScores: {len(self)} candidates{shown} by {self._index_name(None)}"

    def _shown(self) -> list[list[str]]:
        """Return the best candidates by the first index as text, below their header."""
        ranks = self.rank()
        with_coverage = bool((self.coverage < 1).any())
        rows = [
            ["candidate", "rank", "n_clusters", *(["coverage"] if with_coverage else [])]
            + list(self.scores)
        ]
        rows.extend(
            [str(self.names[k]), str(ranks[k]), str(self.n_clusters[k])]
            + ([f"{self.coverage[k]:.4f}"] if with_coverage else [])
            + [f"{values[k]:.6g}" for values in self.scores.values()]
            for k in np.argsort(ranks, kind="stable")[:_MAX_SHOWN]
        )
        return rows

    def _index_name(self, index: str | Index | None) -> str:
        if index is None:
            return next(iter(self.scores))
        name = index.name if isinstance(index, Index) else index
        if name not in self.scores:
            msg = f"index must be one of those computed: {_listed(self.scores)}; got {index!r}"
            raise ValueError(msg)
        return name


def _listed(names: Iterable[Any]) -> str:
    names = list(names)
    more = ", ..." if len(names) > _MAX_SHOWN else ""
    return ", ".join(map(repr, names[:_MAX_SHOWN])) + more


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseScores:
    """Scores of all pairs of partitions; made by :func:`pairwise_scores`.

    Printed, and as HTML in a notebook, it shows the first ten rows and columns. NumPy takes it for
    the array of its values, and ``scores[i, j]`` is one of them. All parameters are attributes of
    the same names, which cannot be set.

    Parameters
    ----------
    values : ndarray of shape (n_partitions, n_others)
        Element ``[i, j]`` has partition i as the reference and partition j as the candidate.
    names, col_names : list
        Names of the partitions of the rows and of the columns, the same unless others were given;
        positions where they have none.
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

    def __repr__(self) -> str:
        header, *body = self._shown()
        return "\n".join([self._headline(), *([text_table(header, body)] if body else [])])

    def _repr_html_(self) -> str:
        header, *body = self._shown()
        return html_table(header, body, caption=self._headline())

    def _headline(self) -> str:
        rows, cols = self.values.shape
        return f"PairwiseScores: {rows} x {cols} partitions by {self.index.name}"

    def _shown(self) -> list[list[str]]:
        """Return the upper left corner as text, with the names around it."""
        more = ["..."] if len(self.col_names) > _MAX_SHOWN else []
        header = ["", *map(str, self.col_names[:_MAX_SHOWN]), *more]
        rows = [
            [str(name), *(f"{value:.4g}" for value in row[:_MAX_SHOWN]), *more]
            for name, row in zip(self.names[:_MAX_SHOWN], self.values.tolist(), strict=False)
        ]
        if len(self.names) > _MAX_SHOWN:
            rows.append(["..."] * len(header))
        return [header, *rows]
