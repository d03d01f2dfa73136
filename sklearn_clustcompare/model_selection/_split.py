"""Cross-validation splitters for estimators that cannot predict new objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator

from sklearn_clustcompare._partition.options import MatrixLike


class TransductiveSplit(BaseCrossValidator):
    """One split with all objects to fit and the same objects to score.

    Clusterers such as :class:`~sklearn.cluster.DBSCAN` or
    :class:`~sklearn.cluster.AgglomerativeClustering` label only the objects they were fitted to.
    Clusterers learn nothing from the reference labels, so scoring the fitted objects themselves is
    the usual way to choose their parameters.

    See Also
    --------
    sklearn_clustcompare.make_clustering_scorer : Scorers to go with it.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn_clustcompare import TransductiveSplit, make_clustering_scorer
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DBSCAN(),
    ...     {"eps": [0.4, 0.6, 0.8]},
    ...     scoring=make_clustering_scorer("adjusted_rand_score"),
    ...     cv=TransductiveSplit(),
    ... ).fit(X, y)
    >>> search.best_params_
    {'eps': 0.4}
    """

    def get_n_splits(self, X: MatrixLike = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits, which is 1.

        Searches call it to compute the number of fits.

        Parameters
        ----------
        X, y, groups : object
            Ignored; present for API consistency.

        Returns
        -------
        int
            1.

        See Also
        --------
        TransductiveSplit.split : The split itself.

        Examples
        --------
        >>> from sklearn_clustcompare import TransductiveSplit
        >>> TransductiveSplit().get_n_splits()
        1
        """
        return 1

    def split(
        self, X: MatrixLike, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the indices of all objects, twice.

        Searches and :func:`sklearn.model_selection.cross_val_score` call it; a clusterer is then
        scored on the objects that it was fitted to.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y, groups : object
            Ignored; present for API consistency.

        Yields
        ------
        train, test : ndarray of shape (n_samples,)
            ``0, 1, ..., n_samples - 1``.

        See Also
        --------
        TransductiveSplit.get_n_splits : Their number.

        Examples
        --------
        >>> from sklearn_clustcompare import TransductiveSplit
        >>> list(TransductiveSplit().split(["a", "b", "c"]))
        [(array([0, 1, 2]), array([0, 1, 2]))]
        """
        everything = np.arange(X.shape[0] if hasattr(X, "shape") else len(X))
        yield everything, everything
