"""Reduced mutual information: shared information less the cost of the contingency table.

A sequence with n_1 to n_q objects of each label is encoded with its Dirichlet-multinomial
probability of concentration alpha, which depends on these numbers only. The candidate is encoded
twice: by itself, and within each cluster of the reference, each time with the best alpha. The
reduced information is the difference of the two code lengths.

All factorials cancel in that difference. The remaining terms are logarithms of rising factorials
over powers, sum of log(1 + k/m) for k below n: with m = alpha for each cell and m = q alpha for
each sum of cells. They vanish as alpha grows, so no digits are lost at any alpha.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._kernels import shortest_code
from sklearn_clustcompare._parameters import boolean, logarithm_base
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._entropies import in_base
from sklearn_clustcompare.indices._index import index
from sklearn_clustcompare.indices._sums import standardized_information_sums
from sklearn_clustcompare.indices._terms import Properties
from sklearn_clustcompare.indices._undefined import ratio, require_whole


def reduced_properties(*, normalize: bool = False, base: float | None = None) -> Properties:
    # Describing a candidate given the reference takes at least its number of labels.
    return {"range": (-math.inf, 1.0)} if normalize else {}


Counts = NDArray[np.int64]


def reduced_unit(*, normalize: bool = False, base: float | None = None) -> str:
    if normalize or base is None:
        return "" if normalize else "nats"
    return "bits" if base == 2 else f"base {base:g}"


@index(
    short_names=("rmi",),
    parameters={"normalize": boolean, "base": logarithm_base},
    unit=reduced_unit,
    by_parameters=reduced_properties,
    sampling="smooth",
    sums=standardized_information_sums,
    families=("network",),
    source="Jerdee, Kirkley & Newman (2024)",
)
def reduced_mutual_info_score(
    table: ContingencyTable, *, normalize: bool = False, base: float | None = None
) -> float:
    """Reduced mutual information: shared information less the cost of the contingency table.

    The mutual information grows with the number of clusters because it ignores the cost of
    describing the contingency table. Here that cost is subtracted, so that random splits do not
    raise the score and useless candidates score below 0. **Not symmetric**: ``labels_pred`` is
    described given ``labels_true``. To measure how much a candidate reveals about the reference,
    pass the candidate first.

    Parameters
    ----------
    normalize : bool, default=False
        Divide by the value of ``labels_pred`` with itself.
    base : float, default=None
        Base of the logarithm, above 1: 2 for :term:`bits`, None for :term:`nats`.

    Returns
    -------
    float
        Information about all objects together, in nats (in units of ``base``); negative if the
        table costs more than the information is worth. Normalized, at most 1.0, which equal
        partitions reach. Higher is better.

    Raises
    ------
    ValueError
        If lengths differ, or labels or weights are invalid; if weights are not whole numbers; if
        ``base`` is not above 1, or is given with ``normalize``.
    TypeError
        If labels are not hashable, or ``normalize`` is not a bool or ``base`` not a real number.

    See Also
    --------
    mutual_info_score : Per object, and without the cost of the table.
    adjusted_mutual_info_score : Subtracts the mean of random candidates.

    Notes
    -----
    log N! + sum log n_ij! - sum log a_i! - sum log b_j! + min_alpha H(b; alpha) - min_alpha sum_i
    H(n_i; alpha), where n_i are the cells of reference cluster i, b the sizes of the candidate's
    clusters, and H(x; alpha) = log C(n + q alpha - 1, q alpha - 1) - sum_r log C(x_r + alpha - 1,
    alpha - 1) for n objects in q clusters. Both minima are over all positive alpha, up to the
    limits 0 and infinity.

    Normalized, it is divided by the value of the candidate with itself. For a candidate of one
    cluster or of singletons this is 0/0: equal partitions score 1.0, others 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    References
    ----------
    .. [1] M. Jerdee, A. Kirkley, M. E. J. Newman, "Mutual information and the encoding of
       contingency tables", Physical Review E 110, 2024, :doi:`10.1103/PhysRevE.110.064306`
    .. [2] M. E. J. Newman, G. T. Cantwell, J.-G. Young, "Improved mutual information measure for
       clustering, classification, and community detection", Physical Review E 101, 2020,
       :doi:`10.1103/PhysRevE.101.042304`

    Examples
    --------
    >>> from sklearn_clustcompare import reduced_mutual_info_score
    >>> colors, numbers = list("rrrbbbgg"), [1, 1, 1, 1, 2, 2, 2, 2]
    >>> round(reduced_mutual_info_score(colors, numbers, base=2), 4)
    0.9091
    >>> round(reduced_mutual_info_score(numbers, colors, base=2), 4)
    0.3195
    """
    name = "reduced_mutual_info_score"
    require_whole(table, name, "mutual_info_score")
    if not normalize:
        return in_base(_reduced_nats(table.row_sums, table.col_sums, table.cell_counts), base, 1)
    if base is not None:
        msg = f"base must be None for a normalized score, which has no unit, got {base!r}"
        raise ValueError(msg)
    if table.is_identity:
        return 1.0
    sizes = table.col_sums
    if len(sizes) in (1, table.n_samples):  # encoding them costs as much as their information
        return ratio(0, 0, table, name)
    most = _reduced_nats(sizes, sizes, sizes)
    return min(_reduced_nats(table.row_sums, sizes, table.cell_counts) / most, 1.0)


def _reduced_nats(row_sums: Counts, col_sums: Counts, cells: Counts) -> float:
    if not len(cells):
        return 0.0
    n_labels = len(col_sums)
    alone = shortest_code(col_sums.sum(keepdims=True), col_sums, n_labels)
    return alone - shortest_code(row_sums, cells, n_labels)
