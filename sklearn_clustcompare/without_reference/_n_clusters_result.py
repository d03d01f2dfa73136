"""The result of choosing the number of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._rendering import Drawn, Shown, Table, result_record, table_of
from sklearn_clustcompare.without_reference._verdict import NClustersVerdict

FloatArray = NDArray[np.float64]


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class NClustersChoice(Drawn, Shown):
    """The number of clusters and its evidence; made by :func:`choose_n_clusters`.

    Printed, and as HTML in a notebook, it shows the verdict, a row of evidence for each value of
    the parameter, and the reasons. All parameters are attributes of the same names, which cannot be
    set.

    Parameters
    ----------
    verdict : NClustersVerdict
        The answer, with its grade and reasons.
    param_name : str
        Name of the parameter that was varied.
    param_range : ndarray of shape (n_values,)
        Its values.
    n_found : ndarray of int of shape (n_values,)
        Number of clusters found for each, without noise.
    silhouette : ndarray of shape (n_values,)
        Mean silhouette, in [-1, 1]; NaN unless there are several clusters, each of more than five
        objects.
    strength : ndarray of shape (n_values,)
        Mean prediction strength, in [0, 1]; of chains, the mean Jaccard index of the worst cluster.
    ratio : ndarray of shape (n_values,)
        How much denser the cores of the clusters are than the passes between them, of the worst
        cluster.
    z : ndarray of shape (n_values,)
        Standard deviations of the silhouette above the mean of :term:`structureless data`, the
        least over their laws; NaN where none were drawn.
    grades : tuple of str of length n_values
        The grade that each value alone would have; "" for none.
    null_silhouettes : dict of str to ndarray of shape (n_null, n_values)
        Silhouettes of structureless data sets, by the name of their law; empty if none were drawn.
    pvalue : float or None
        The p-value of the comparison with structureless data; None where none were drawn.
    labels : ndarray of shape (n_samples,)
        Labels of all objects, clustered together.
    estimator : fitted estimator or None
        The clusterer, fitted for the number that was chosen; None for chains without a division.
    subsample : int or None
        Rows of each sample that was looked at; None where all rows were.

    See Also
    --------
    choose_n_clusters : Makes it.
    NClustersDisplay : A picture of it.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_clustcompare import choose_n_clusters
    >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
    >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
    >>> choice.n_clusters, choice.verdict.grade
    (3, 'separated')
    """

    verdict: NClustersVerdict
    param_name: str
    param_range: NDArray[Any]
    n_found: NDArray[np.intp]
    silhouette: FloatArray
    strength: FloatArray
    ratio: FloatArray
    z: FloatArray
    grades: tuple[str, ...]
    null_silhouettes: dict[str, FloatArray]
    pvalue: float | None
    labels: NDArray[Any]
    estimator: Any
    subsample: int | None

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters of the verdict; None only if nothing was divided."""
        return self.verdict.n_clusters

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per value of the parameter.

        Save or draw the values with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame of shape (n_values, n_columns)
            The columns of :meth:`columns`.

        See Also
        --------
        NClustersChoice.plot : A picture of the values.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> frame = choose_n_clusters(KMeans(), X, param_range=range(1, 5)).to_frame()
        >>> int(frame.set_index("n_clusters")["silhouette"].idxmax())
        3
        """
        import pandas as pd

        return pd.DataFrame(self.columns())

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the evidence by name, NaN where it is undefined or was not needed.

        Use it to build tables without pandas.

        Returns
        -------
        dict of str to ndarray of shape (n_values,)
            The parameter, if it is not the number of clusters; ``n_clusters``, the number found;
            ``silhouette``, ``strength``, ``ratio``, ``z`` and ``grade``, as the attributes.

        See Also
        --------
        NClustersChoice.to_frame : The same as a DataFrame.

        Examples
        --------
        >>> from sklearn.cluster import KMeans
        >>> from sklearn.datasets import make_blobs
        >>> from sklearn_clustcompare import choose_n_clusters
        >>> X, _ = make_blobs(90, centers=[[0, 0], [9, 0], [4, 8]], random_state=0)
        >>> choice = choose_n_clusters(KMeans(), X, param_range=range(1, 5))
        >>> choice.columns()["n_clusters"].tolist()
        [1, 2, 3, 4]
        """
        is_number = np.array_equal(self.param_range, self.n_found)
        return {
            **({} if is_number else {self.param_name: self.param_range}),
            "n_clusters": self.n_found,
            "silhouette": self.silhouette,
            "strength": self.strength,
            "ratio": self.ratio,
            "z": self.z,
            "grade": np.array(self.grades, dtype=str),
        }

    def _headline(self) -> str:
        return f"NClustersChoice: {self.verdict.headline}"

    def _shown(self) -> Table:
        return table_of(self.columns())

    def _conclusion(self) -> Sequence[str]:
        return self.verdict.reasons
