"""The permutation model: contingency tables with fixed margins, and moments of indices.

Letters of the mathematics: N objects (``n_samples``); a_i and b_j, the sizes of the clusters of
the two partitions U and V (``row_sums``, ``col_sums``); n_ij, the cells; mu_ij = a_i b_j / N, their
means; s_ij^2, their variances; p = n / N, proportions. The objects of one partition are permuted
at random, so that n_ij is hypergeometric, Hyp(N, a_i, b_j).

Entropies are those of Havrda, Charvat and Tsallis, H_q(p) = (1 - sum p^q) / (q - 1), Shannon's for
q = 1; MI_q = H_q(U) + H_q(V) - H_q(U, V) and VI_q = 2 H_q(U, V) - H_q(U) - H_q(V) [1]_.

*Mean.* With phi(n) = n (n^(q-1) - 1) / (q - 1), N^q MI_q is a constant plus sum phi(n_ij). Without
its tangent at mu_ij, phi is non-negative, and since E n_ij = mu_ij the tangents contribute the
value at independence: E MI_q = (q - 1) H_q(U) H_q(V) + N^-q sum E f_ij(n_ij), where f_ij is phi
without its tangent. VI_q is itself a sum of non-negative terms. Of the two forms the one with the
smaller sum has the smaller absolute error.

*Clusters.* Row cluster i has the part h_i = (p_i - p_i^q) / (q - 1) in H_q(U), and the sums of the
cells of row i are its parts in MI_q and in H_q(U | V), which add up to h_i.

*Variance.* The model is diagonal in orthogonal polynomials: see
``spectral.SpectralMoments``, as for the deviation of a table from the mean.

Results depend on sizes, not on names: clusters of equal size are grouped, and both the order within
a margin and the order of the two margins are made canonical, so that they do not change a bit.

References
----------
.. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering comparison
   measures", JMLR 17(134), 2016.
.. [2] N. X. Vinh, J. Epps, J. Bailey, "Information theoretic measures for clusterings comparison:
   variants, properties, normalization and correction for chance", JMLR 11, 2010.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import random_table

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray
from sklearn_clustcompare._chance.functions import (
    AnyCells,
    CellFunction,
    InformationCells,
    Margin,
    PairCounts,
    SquareCells,
    check_smooth,
    conditional_gain_sums,
    convex_gain_sums,
    entropy_parts,
    expected_convex_gain,
    expected_shared_information,
    margin_entropy,
)
from sklearn_clustcompare._chance.spectral import CellSumMoments, InformationMoments
from sklearn_clustcompare._frozen import Frozen, lazy
from sklearn_clustcompare._kernels import expected_information, group_sizes
from sklearn_clustcompare._kernels.hypergeometric import (
    VARIANCE_PRECISION,
    pair_chunks,
    sums_of_means,
)
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import (
    RandomStateLike,
    boolean,
    entropy_order,
    one_of,
    random_source,
)
from sklearn_clustcompare._partition.arrays import as_numbers
from sklearn_clustcompare._rendering import Shown
from sklearn_clustcompare._table.cell_sums import CellSum, Squares
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins, read_only

_LARGEST_EXACT = 2**53
# SciPy's draws lose digits beyond, and crash from about 2**36 objects on.
_LARGEST_DRAWN = 2**31 - 1

_known_method = one_of("exact", "limit")


class PermutationModel(Frozen, Shown):
    """Distribution of a table with fixed margins, when objects are permuted at random.

    The permutation (or generalized hypergeometric) model of chance behind the adjusted Rand index,
    the adjusted mutual information and their standardized forms [1]_. All moments are exact up to
    rounding, for every order q from 0.001 to 30, and their cost does not grow with the number of
    objects.

    Parameters
    ----------
    row_sums : array-like of int of shape (n_rows,)
        Cluster sizes of the first partition. Zeros are dropped.
    col_sums : array-like of int of shape (n_cols,)
        Cluster sizes of the second partition, with the same total.

    Attributes
    ----------
    row_sums : ndarray of int64
        Positive cluster sizes of the first partition, in the order given; read-only.
    col_sums : ndarray of int64
        Positive cluster sizes of the second partition, in the order given; read-only.
    n_samples : int
        Number of objects.

    See Also
    --------
    expected_mutual_info : The mean for two labelings.
    mutual_info_variance : The variance for two labelings.
    chance_adjusted_score : Any index adjusted by its mean under this model.
    independence_test : A test of agreement beyond chance.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016.

    Examples
    --------
    >>> from sklearn_clustcompare.significance import PermutationModel
    >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
    >>> model
    PermutationModel(row_sums=[3, 2, 2], col_sums=[4, 2, 1])
    >>> print(f"{model.expected_mutual_info():.6f}")
    0.404761
    """

    n_samples: int
    _sizes: IntArray  # those of rows, and then those of columns
    _n_rows: int

    def __init__(self, row_sums: ArrayLike, col_sums: ArrayLike) -> None:
        self._fill({"row_sums": row_sums, "col_sums": col_sums})

    def _fill(self, parts: dict[str, Any]) -> None:
        rows, n_samples = _check_margin(parts["row_sums"], "row_sums")
        cols, n_cols_samples = _check_margin(parts["col_sums"], "col_sums")
        if n_samples != n_cols_samples:
            msg = (
                "row_sums and col_sums must have the same total, "
                f"got {n_samples} and {n_cols_samples}"
            )
            raise ValueError(msg)
        self._set_sizes(read_only(np.concatenate([rows, cols])), len(rows), n_samples)

    def _set_sizes(self, sizes: IntArray, n_rows: int, n_samples: int) -> PermutationModel:
        """Set the sizes of clusters, which are positive and have this total."""
        parts = self.__dict__
        parts["_sizes"], parts["_n_rows"], parts["n_samples"] = sizes, n_rows, n_samples
        return self

    @lazy
    def row_sums(self) -> IntArray:
        return read_only(self._sizes[: self._n_rows])

    @lazy
    def col_sums(self) -> IntArray:
        return read_only(self._sizes[self._n_rows :])

    @lazy
    def _margins(self) -> tuple[Margin, Margin, bool]:
        """Both sides in an order of their own, and whether they were swapped."""
        first, second = group_sizes(self._sizes, self._n_rows)
        margins = Margin(*first), Margin(*second)
        is_transposed = margins[0].sort_key() < margins[1].sort_key()
        return margins[is_transposed], margins[not is_transposed], is_transposed

    @property
    def _rows(self) -> Margin:
        return self._margins[0]

    @property
    def _cols(self) -> Margin:
        return self._margins[1]

    @property
    def _is_transposed(self) -> bool:
        return self._margins[2]

    def _parts(self) -> dict[str, Any]:
        return {"row_sums": self.row_sums, "col_sums": self.col_sums}

    def _content(self) -> Hashable:
        return self.row_sums.tobytes(), self.col_sums.tobytes()

    def _headline(self) -> str:
        row_sums, col_sums = map(sizes_text, (self.row_sums, self.col_sums))
        return f"PermutationModel(row_sums={row_sums}, col_sums={col_sums})"

    def expected_mutual_info(self, q: float = 1.0, *, method: str = "exact") -> float:
        """Mean of MI_q, in nats for q = 1.

        Romano et al. (2016), Theorem 1, and Theorem 3 for the limit; q = 1: Vinh et al. (2010). For
        q >= 1 only non-negative terms are added, so the relative error stays at rounding level even
        if the mean is tiny.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
        method : {"exact", "limit"}, default="exact"
            "limit" leaves out the terms that vanish as the number of objects grows.

        Returns
        -------
        float
            The mean.

        See Also
        --------
        PermutationModel.expected_convex_gain : The part that the limit leaves out.
        PermutationModel.mutual_info_variance : The variance.
        adjusted_mutual_info_score : The index that it adjusts.

        Examples
        --------
        >>> model = PermutationModel([5, 3, 1], [2, 2, 2, 3])
        >>> print(f"{model.expected_mutual_info():.6f}")
        0.429766
        >>> print(f"{model.expected_mutual_info(q=2, method='limit'):.6f}")
        0.420668
        """
        q = _checked_order(q)
        at_independence = 0.0
        if q != 1.0:
            at_independence = (q - 1.0) * self._row_entropy(q) * self._col_entropy(q)
        _known_method("method", method)
        if method == "limit":
            return at_independence
        gain = self._expected_gain(q)
        mean = at_independence + gain
        if abs(mean) < gain / 2:  # for q < 1 both may cancel
            other, size = expected_shared_information(
                self._rows, self._cols, float(self.n_samples), q
            )
            return other if size < gain else mean
        return mean

    def expected_convex_gain(self, q: float = 1.0) -> float:
        """Mean of MI_q beyond its value at independence, ``(q - 1) H_q(U) H_q(V)``.

        The part that ``method="limit"`` leaves out in :meth:`expected_mutual_info`, with full
        relative accuracy.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.

        Returns
        -------
        float
            The mean, not negative; for q = 1 that of the mutual information, in nats.

        See Also
        --------
        PermutationModel.expected_mutual_info : The mean with the value at independence.

        Examples
        --------
        >>> print(f"{PermutationModel([3, 2, 2], [4, 2, 1]).expected_convex_gain(q=2):.6f}")
        0.062196
        """
        return self._expected_gain(_checked_order(q))

    def _expected_gain(self, q: float) -> float:
        if q == 1.0:
            return expected_information(self._sizes, self._n_rows)
        return expected_convex_gain(self._rows, self._cols, float(self.n_samples), q)

    def expected_variation_of_information(self, q: float = 1.0, *, method: str = "exact") -> float:
        """Mean of VI_q, in nats for q = 1, as a sum of non-negative terms.

        Romano et al. (2016), Theorem 1, and Theorem 3 for the limit. The relative error stays at
        rounding level even if nearly all clusters are singletons. In that case the mean of MI_q is
        close to the entropies, and an adjusted index must be computed from VI_q.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
        method : {"exact", "limit"}, default="exact"
            "limit" leaves out the terms that vanish as the number of objects grows.

        Returns
        -------
        float
            The mean.

        See Also
        --------
        PermutationModel.expected_mutual_info : The mean of MI_q.
        variation_of_information_distance : The index itself.

        Examples
        --------
        Two partitions of 1,000 objects into singletons and one pair; the pairs differ.

        >>> import math
        >>> sizes = [2] + [1] * 998
        >>> expected = PermutationModel(sizes, sizes).expected_variation_of_information()
        >>> observed = 4 * math.log(2) / 1000
        >>> print(f"adjusted mutual information: {(expected - observed) / expected:.9e}")
        adjusted mutual information: -2.002006010e-06
        """
        q = _checked_order(q)
        _known_method("method", method)
        if method == "limit":
            row, col = self._row_entropy(q), self._col_entropy(q)
            return row + col - 2.0 * (q - 1.0) * row * col
        rows, cols = self._conditional_entropies(q)
        return self._rows.total(rows) + self._cols.total(cols)

    def expected_joint_entropy(self, q: float = 1.0, *, method: str = "exact") -> float:
        """Mean of H_q(U, V), in nats for q = 1.

        Romano et al. (2016), Theorem 1, and Theorem 3 for the limit.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.
        method : {"exact", "limit"}, default="exact"
            "limit" leaves out the terms that vanish as the number of objects grows.

        Returns
        -------
        float
            The mean.

        See Also
        --------
        PermutationModel.expected_mutual_info : The mean of MI_q; both add up to the entropies.

        Examples
        --------
        >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
        >>> print(f"{model.expected_joint_entropy():.6f}")
        1.629931
        """
        q = _checked_order(q)
        mutual_info = self.expected_mutual_info(q, method=method)
        return self._row_entropy(q) + self._col_entropy(q) - mutual_info

    def mutual_info_variance(self, q: float = 1.0) -> float:
        """Variance of MI_q, in squared nats for q = 1.

        It is also the variance of H_q(U, V), and a quarter of that of VI_q. Romano et al. (2016),
        Theorem 4, gives the same value as a sum over all pairs of cells, for q != 1.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.

        Returns
        -------
        float
            The variance; 0.0 if all tables have the same MI_q, as when a partition has one cluster,
            or singletons only. For large orders and many small clusters it may also underflow to
            0.0; the standardized value does not.

        See Also
        --------
        PermutationModel.expected_mutual_info : The mean.
        standardized_mutual_info_score : Deviation of a table from the mean, in standard deviations.

        Examples
        --------
        >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
        >>> print(f"{model.mutual_info_variance():.6f}")
        0.022617
        """
        q = _checked_order(q)
        if q == 2.0:
            return float(4 * self._pair_counts().variance / Fraction(max(self.n_samples, 1)) ** 4)
        return self._information_moments(q).standard_deviation ** 2

    def expected_cluster_information(self, q: float = 1.0) -> tuple[FloatArray, FloatArray]:
        """Mean of the part of each cluster in MI_q, in nats for q = 1.

        With p_i = a_i / N, p_j = b_j / N and p_ij = n_ij / N, row cluster i has the part

            I_i = sum_j (p_ij - p_ij p_i^(q-1) - p_ij p_j^(q-1) + p_ij^q) / (q - 1)

        of the mutual information, for q = 1 its limit sum_j p_ij ln(p_ij / (p_i p_j)), and the
        part h_i = (p_i - p_i^q) / (q - 1) of the entropy H_q(U). Its mean is

            E I_i = (q - 1) h_i H_q(V) + N^-q sum_j E f_ij(n_ij),

        where f_ij(n) is n (n^(q-1) - 1) / (q - 1) without its tangent at a_i b_j / N. These are
        the terms of Romano et al. (2016), Theorem 1, added up by row instead of all together.
        Column clusters likewise. Both sides together take as long as :meth:`expected_mutual_info`
        and have its accuracy.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.

        Returns
        -------
        rows : ndarray of shape (n_rows,)
            Mean for each cluster of ``row_sums``, in their order. The sum is the mean of MI_q.
        cols : ndarray of shape (n_cols,)
            Mean for each cluster of ``col_sums``, in their order. The sum is the same.

        See Also
        --------
        PermutationModel.expected_mutual_info : The sum over the clusters of either side.
        PermutationModel.expected_cluster_conditional_entropy : The rest of the entropy.
        cluster_decomposition : Adjusts the values of single clusters by these means.

        Examples
        --------
        >>> model = PermutationModel([5, 3, 1], [2, 2, 2, 3])
        >>> rows, cols = model.expected_cluster_information()
        >>> rows.round(4), cols.round(4)
        (array([0.1117, 0.166 , 0.1521]), array([0.1098, 0.1098, 0.1098, 0.1004]))
        >>> print(f"{rows.sum():.6f} {model.expected_mutual_info():.6f}")
        0.429766 0.429766
        """
        q = _checked_order(q)
        row_parts, col_parts = self._entropy_parts(q)
        if q == 2.0:
            # The variance of n_ij is a product of a part of the row and a part of the column.
            shared = self.n_samples / max(self.n_samples - 1, 1)
            rows = shared * self._col_entropy(q) * row_parts
            cols = shared * self._row_entropy(q) * col_parts
        else:
            rows, cols = convex_gain_sums(self._rows, self._cols, float(self.n_samples), q)
            rows += (q - 1.0) * self._col_entropy(q) * row_parts
            cols += (q - 1.0) * self._row_entropy(q) * col_parts
        return self._by_cluster(rows, cols)

    def expected_cluster_conditional_entropy(self, q: float = 1.0) -> tuple[FloatArray, FloatArray]:
        """Mean of the part of each cluster in the conditional entropy, in nats for q = 1.

        Row cluster i has the part sum_j p_ij (p_j^(q-1) - p_ij^(q-1)) / (q - 1) in H_q(U | V), for
        q = 1 its limit sum_j p_ij ln(p_j / p_ij). A column cluster has such a part in H_q(V | U).
        The terms are not negative, so the relative error of the mean stays at rounding level even
        if nearly all clusters are singletons. In that case the mean part in MI_q is close to that
        in the entropy, and an adjusted value must be computed from these means.

        Parameters
        ----------
        q : float, default=1.0
            :term:`Order <q>` of the entropy, from 0.001 to 30: 1 is Shannon's, 2 counts pairs.

        Returns
        -------
        rows : ndarray of shape (n_rows,)
            Mean for each cluster of ``row_sums``, in their order. It is 0.0 if every table has 0.0:
            for the only row cluster, and for all row clusters if the column clusters are
            singletons.
        cols : ndarray of shape (n_cols,)
            Mean for each cluster of ``col_sums``, in their order.

        See Also
        --------
        PermutationModel.expected_cluster_information : The rest of the entropy.
        PermutationModel.expected_variation_of_information : The sum over all clusters.

        Examples
        --------
        >>> model = PermutationModel([5, 3, 1], [2, 2, 2, 3])
        >>> rows, cols = model.expected_cluster_conditional_entropy()
        >>> rows.round(4), cols.round(4)
        (array([0.2149, 0.2002, 0.092 ]), array([0.2245, 0.2245, 0.2245, 0.2658]))
        >>> distance = model.expected_variation_of_information()
        >>> print(f"{rows.sum() + cols.sum():.6f} {distance:.6f}")
        1.446279 1.446279
        """
        return self._by_cluster(*self._conditional_entropies(_checked_order(q)))

    def _conditional_entropies(self, q: float) -> tuple[FloatArray, FloatArray]:
        """Mean of what is lost of a cluster of each distinct size."""
        if q != 2.0:
            return conditional_gain_sums(self._rows, self._cols, float(self.n_samples), q)
        rows, cols = self._entropy_parts(q)
        n_pairs = max(math.perm(self.n_samples, 2), 1)
        of_cols, of_rows = (side.pairs_together() / n_pairs for side in (self._cols, self._rows))
        return rows * of_cols, cols * of_rows

    def expected_pair_count(self) -> float:
        """Mean of n11, the number of pairs of objects together in both partitions.

        Hubert and Arabie (1985); it determines the adjusted Rand index.

        Returns
        -------
        float
            The mean.

        See Also
        --------
        PermutationModel.pair_count_variance : The variance.
        adjusted_rand_score : The index that it adjusts.

        Examples
        --------
        >>> print(f"{PermutationModel([3, 2, 2], [4, 2, 1]).expected_pair_count():.6f}")
        1.666667
        """
        return float(self._pair_counts().mean)

    def pair_count_variance(self) -> float:
        """Variance of n11, the number of pairs of objects together in both partitions.

        Fowlkes and Mallows (1983), in exact rational arithmetic; it determines the standardized
        Rand index.

        Returns
        -------
        float
            The variance.

        See Also
        --------
        PermutationModel.expected_pair_count : The mean.
        standardized_rand_score : The index that needs both.

        Examples
        --------
        >>> print(f"{PermutationModel([3, 2, 2], [4, 2, 1]).pair_count_variance():.6f}")
        0.774603
        """
        return float(self._pair_counts().variance)

    def expected_cell_sum(self, phi: Callable[..., Any], *, smooth: bool = False) -> float:
        """Mean of the sum of a function over all cells of the table.

        Each cell is hypergeometric, so the mean is a sum over its counts. Many indices are such
        sums: see :class:`CellSum`.

        Parameters
        ----------
        phi : callable
            ``phi(n, a, b)`` of the cells and of the sizes of their clusters in ``row_sums`` and
            ``col_sums``: takes read-only arrays of floats of one shape, and returns a finite array
            of that shape. Empty cells count, with ``phi(0, a, b)``.
        smooth : bool, default=False
            Whether the function is as smooth in n as a power or a logarithm: some dozen counts then
            represent all counts of a large cell.

        Returns
        -------
        float
            The mean.

        Raises
        ------
        TypeError
            If phi is not callable, or does not return real numbers.
        ValueError
            If phi returns an array of another shape, or values that are not finite, or jumps
            although it is declared smooth, as far as a few sizes show.

        See Also
        --------
        PermutationModel.cell_sum_variance : The variance.
        chance_adjusted_score : An index adjusted by its mean.

        Examples
        --------
        How many cells are occupied?

        >>> from sklearn_clustcompare.significance import PermutationModel
        >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
        >>> print(f"{model.expected_cell_sum(lambda n, a, b: n > 0):.6f}")
        5.447619
        """
        function = self._cell_function(phi, smooth)
        if isinstance(function, SquareCells):
            sizes = self._rows.sizes, self._cols.sizes
            weights = self._rows.multiplicities, self._cols.multiplicities
            return math.fsum(
                weights[0][rows] @ (function.mean(laws).reshape(-1, sizes[1].size) @ weights[1])
                for rows, laws in pair_chunks(*sizes, float(self.n_samples))
            )
        rows, _ = sums_of_means(
            *self._rows,
            *self._cols,
            float(self.n_samples),
            lambda block: function.values(block.counts, block.deviations, block.laws),
            precision=VARIANCE_PRECISION,
            growth=function.growth,
            strided=smooth,
        )
        return self._rows.total(rows)

    def cell_sum_variance(self, phi: Callable[..., Any], *, smooth: bool = False) -> float:
        """Variance of the sum of a function over all cells of the table.

        The coefficients of phi in the orthogonal polynomials of each cell determine its covariance
        with other cells [1]_. For a smooth function they vanish within a few dozen degrees; for a
        function that jumps, they are computed for all degrees in which cells are coupled.

        Parameters
        ----------
        phi : callable
            ``phi(n, a, b)`` of the cells and of the sizes of their clusters in ``row_sums`` and
            ``col_sums``: takes read-only arrays of floats of one shape, and returns a finite array
            of that shape. Empty cells count, with ``phi(0, a, b)``.
        smooth : bool, default=False
            Whether the function is as smooth in n as a power or a logarithm: some dozen counts then
            represent all counts of a large cell.

        Returns
        -------
        float
            The variance; 0.0 if it does not exceed the rounding error of phi. Its relative error is
            that of phi divided by the relative variation of phi, and at best rounding error.

        Raises
        ------
        TypeError
            If phi is not callable, or does not return real numbers.
        ValueError
            If phi returns an array of another shape, or values that are not finite, or jumps
            although it is declared smooth, as far as a few sizes show; or if the degrees left out
            may contain more than 1e-12 of the variance, as they do if phi jumps within large cells
            and a cluster has nearly half of the objects or more.

        See Also
        --------
        PermutationModel.expected_cell_sum : The mean.
        standardized_mutual_info_score : Deviation of a table from the mean, in standard deviations.

        Notes
        -----
        With c_k(i, j), the coefficient of degree k of phi in the Hahn polynomials that are
        orthonormal for the law of cell (i, j), and g_k(a) = sqrt(C(a, k) / C(N - a, k)),

            Var S = sum_k sum_ij,i'j' c_k(i, j) c_k(i', j') G_k(i, i') G_k(j, j'),

        where G_k(i, i) = 1 and G_k(i, i') = (-1)^k g_k(a_i) g_k(a_i'), columns likewise. The
        variance in degrees beyond K is known within cells by Parseval's identity, which also bounds
        it between cells.

        References
        ----------
        .. [1] S. Karlin, J. L. McGregor, "The Hahn polynomials, formulas and an application",
           Scripta Mathematica 26, 1961.

        Examples
        --------
        >>> from sklearn_clustcompare.significance import PermutationModel
        >>> model = PermutationModel([3, 2, 2], [4, 2, 1])
        >>> print(f"{model.cell_sum_variance(lambda n, a, b: n * n, smooth=True):.6f}")
        3.098413
        """
        moments = self._moments_of_cells(self._cell_function(phi, smooth))
        return moments.standard_deviation**2

    def rvs(
        self,
        size: int = 1,
        random_state: RandomStateLike = 0,
    ) -> IntArray:
        """Draw random tables with these margins.

        They come from ``scipy.stats.random_table``, for fewer than 2**31 objects.

        Use them to estimate the distribution of an index without exact moments, by its values for
        many tables. Tables are dense. Each call draws the same tables by default: pass a
        ``Generator`` to draw others.

        Parameters
        ----------
        size : int, default=1
            Number of tables.
        random_state : int, RandomState, Generator, SeedSequence or None, default=0
            :term:`Source of randomness <random_state>`.

        Returns
        -------
        ndarray of int64 of shape (size, n_rows, n_cols)
            The tables.

        Raises
        ------
        ValueError
            If ``size`` is negative or not an integer, there are 2**31 objects or more, or
            ``random_state`` is invalid.

        See Also
        --------
        chance_adjusted_score : Any index adjusted by the mean of such draws.
        NullDistributionDisplay.from_predictions : A picture of the null distribution of an index.

        Examples
        --------
        >>> PermutationModel([2, 1], [1, 1, 1]).rvs(size=5, random_state=0).sum(axis=2).tolist()
        [[2, 1], [2, 1], [2, 1], [2, 1], [2, 1]]
        """
        source = random_source(random_state)
        shape = (checked_size(size), self.row_sums.size, self.col_sums.size)
        if 1 in shape[1:]:
            # There is only one such table; SciPy's Patefield algorithm returns a wrong one.
            only = np.minimum.outer(self.row_sums, self.col_sums)
            return np.broadcast_to(only, shape).copy()
        if 0 in shape:
            return np.zeros(shape, dtype=np.int64)
        if self.n_samples > _LARGEST_DRAWN:
            msg = (
                "row_sums must sum to less than 2**31 to draw tables, as sample_weight or the "
                f"counts of a table must where tables are drawn, got {self.n_samples}: moments are "
                "exact for up to 2**53"
            )
            raise ValueError(msg)
        tables = random_table.rvs(self.row_sums, self.col_sums, size=shape[0], random_state=source)
        return np.asarray(tables).astype(np.int64).reshape(shape)

    def _row_entropy(self, q: float) -> float:
        return margin_entropy(self._rows, float(self.n_samples), q)

    def _col_entropy(self, q: float) -> float:
        return margin_entropy(self._cols, float(self.n_samples), q)

    def _entropy_parts(self, q: float) -> tuple[FloatArray, FloatArray]:
        """Parts in H_q(U) and in H_q(V) of a cluster of each distinct size."""
        n = float(self.n_samples)
        return entropy_parts(self._rows, n, q), entropy_parts(self._cols, n, q)

    def _by_cluster(self, rows: FloatArray, cols: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the value of each cluster by its size, in the order of the sums."""
        if self._rows.sort_key() == self._cols.sort_key():
            cols = rows  # they differ by rounding, which must not depend on the order of margins
        sides = [(self._rows.sizes, rows), (self._cols.sizes, cols)]
        (row_sizes, rows), (col_sizes, cols) = sides[::-1] if self._is_transposed else sides
        return (
            rows[np.searchsorted(row_sizes, self.row_sums)],
            cols[np.searchsorted(col_sizes, self.col_sums)],
        )

    def _information_moments(self, q: float) -> CellSumMoments:
        return self._moments_of_cells(
            InformationCells(self._rows, self._cols, float(self.n_samples), q)
        )

    def _moments_of_cells(self, function: CellFunction) -> CellSumMoments:
        return CellSumMoments(
            self._rows, self._cols, self.n_samples, function, is_transposed=self._is_transposed
        )

    def _cell_function(self, phi: Callable[..., Any], smooth: bool) -> SquareCells | AnyCells:
        if not callable(phi):
            msg = f"phi must be a function of n, a and b, got {shortened(phi)}"
            raise TypeError(msg)
        boolean("smooth", smooth)
        if isinstance(phi, Squares):
            return SquareCells(phi, self._is_transposed)
        cells = AnyCells(phi, bool(smooth), self._is_transposed)
        if smooth:
            check_smooth(cells, self._rows, self._cols, float(self.n_samples))
        return cells

    def _pair_counts(self) -> PairCounts:
        return PairCounts(self._rows, self._cols, self.n_samples)


def checked_size(size: int) -> int:
    """Return a number of tables to draw; raise ValueError for others."""
    if not isinstance(size, numbers.Integral) or size < 0:
        msg = f"size must be a non-negative integer, got {shortened(size)}"
        raise ValueError(msg)
    return int(size)


def sizes_text(sums: Array) -> str:
    """Write cluster sizes in one line, of many the first and the last ones."""
    return np.array2string(sums, separator=", ", threshold=10, max_line_width=10**6)


def _checked_order(q: float) -> float:
    entropy_order("q", q)
    return float(q)


def _check_margin(sums: ArrayLike, name: str) -> tuple[IntArray, int]:
    """Positive whole cluster sizes as an array, and their total."""
    values = as_numbers(sums, name)
    if values.ndim != 1:
        msg = f"{name} must be one-dimensional, got an array of shape {values.shape}"
        raise ValueError(msg)
    if values.size == 0:
        values = values.astype(np.int64)
    if values.dtype.kind not in "iuf":
        msg = f"{name} must hold whole counts, got values of type {values.dtype}"
        raise TypeError(msg)
    if values.dtype.kind == "f" and not np.all(np.isfinite(values) & (values == np.floor(values))):
        first = values[~(np.isfinite(values) & (values == np.floor(values)))][0]
        msg = (
            f"{name} must hold whole counts, got {first}: the hypergeometric model counts objects. "
            "For weighted or soft tables estimate moments by Monte Carlo, permuting the objects"
        )
        raise ValueError(msg)
    if np.any(values < 0):
        msg = f"{name} must not be negative, got {values.min()}"
        raise ValueError(msg)
    total = sum(values.tolist())
    if total > _LARGEST_EXACT:
        msg = f"{name} must sum to at most 2**53, got {total}"
        raise ValueError(msg)
    positive: IntArray = values[values > 0].astype(np.int64)
    return positive, int(total)


def has_permutation_model(table: ContingencyTable) -> bool:
    """Return whether the counts of a table are whole, and few enough for exact moments."""
    return table.is_whole and table.n_samples <= _LARGEST_EXACT


def permutation_model(margins: Margins) -> PermutationModel:
    """Return the null model of a table, or raise ValueError if its counts are not whole."""
    if not margins.is_whole:
        msg = (
            "the permutation model needs whole counts, got real-valued ones (from memberships, "
            "sample_weight or counts): with weights use adjusted_rand_score, or round them; for "
            "memberships frobenius_adjusted_rand_score, standardized_rand_score, or Monte Carlo: "
            "significance.independence_test(method='monte_carlo'), chance_adjusted_score of an "
            "index that is not adjusted, such as 'v_measure_score'"
        )
        raise ValueError(msg)
    if margins.n_samples > _LARGEST_EXACT:
        msg = (
            "sample_weight, or the counts of a table, must sum to at most 2**53 for the "
            f"permutation model, got {margins.n_samples}"
        )
        raise ValueError(msg)
    if isinstance(margins, ContingencyTable):
        model = object.__new__(PermutationModel)
        packed = margins._packed  # its sizes are positive and add up
        return model._set_sizes(packed.sizes, packed.shape[0], margins.n_samples)
    return PermutationModel(margins.row_sums, margins.col_sums)


def information_moments(model: PermutationModel, q: float) -> InformationMoments:
    """Return mean, deviation and position of MI_q under a model."""
    if q == 2.0:
        return model._pair_counts()
    return model._information_moments(q)


def cell_sum_moments(model: PermutationModel, cell_sum: CellSum) -> CellSumMoments:
    """Return the same of a sum over the occupied cells."""
    return model._moments_of_cells(model._cell_function(cell_sum.function, cell_sum.smooth))
