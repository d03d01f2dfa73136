"""Bounds of an index over all clusters that noise objects might belong to."""

from __future__ import annotations

import numpy as np

from sklearn_clustcompare._parameters import options_text
from sklearn_clustcompare._partition import NAMES, Labels
from sklearn_clustcompare._partition.arrays import check_whole_weights
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._table import ContingencyTable, require_objects
from sklearn_clustcompare.indices import INDICES, IndexLike, read_index
from sklearn_clustcompare.indices._judged import REQUIRED, Given, compares


@compares(*NAMES, "sample_weight", "noise_label", "missing", "unmatched", labels_pred=REQUIRED)
def noise_bounds(given: Given, *, index: IndexLike) -> tuple[float, float]:
    """Return the lowest and the highest value of an index over all assignments of noise objects.

    Each noise object, of either partition, might belong to any cluster, known or new, alone or
    with others. The bounds are exact: each is the value of the index for some partition without
    noise.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        :term:`Labels` of the :term:`reference`.
    labels_pred : array-like of shape (n_samples,)
        Labels of the :term:`candidate`.
    index : {"purity_score", "inverse_purity_score", "meila_heckerman_score", \
"pair_recall_score", "pair_precision_score"}
        Name of an index. Pair recall needs a reference without noise, pair precision a
        candidate without noise.

    Returns
    -------
    low : float
        Lowest value, in [0, 1].
    high : float
        Highest value, in [0, 1]; equal to ``low`` if there is no noise.

    Raises
    ------
    ValueError
        If the bounds of the index have no cheap exact solution; the message names the indices that
        have one. If a side that pair recall or pair precision needs without noise has noise, or
        there are no pairs to recall. If weights are not whole.

    See Also
    --------
    ContingencyTable.from_labels : Noise as a cluster, as singletons, or dropped.

    Notes
    -----
    Let S be the sum of the largest cells of the clusters of the candidate, among the objects that
    are noise on neither side. For purity each of the m other objects adds at most one, and does so
    as a cluster of its own: the highest value is (S + m) / N. The lowest value is the larger of
    S / N (a known cluster without such objects counts one) and the share of the largest class:
    the largest cells cannot fall below that, and as long as one class is too large for the
    clusters, each object added to a largest cell makes room for one more object of every class.

    For pair recall the sum of the squared cells of each class is highest if all its noise
    objects join its largest cell, and lowest if each is alone.

    For the other indices the extreme assignment is a problem of combinatorial optimization,
    without a known cheap exact solution for both ends.

    Examples
    --------
    >>> from sklearn_clustcompare.report import noise_bounds
    >>> noise_bounds([0, 0, 0, 1, 1, 1], [0, 0, -1, 1, 1, 0], index="purity_score")
    (0.6666666666666666, 0.8333333333333334)
    """
    record, _ = read_index(index, with_data=False)
    if record.noise_bounds is None:
        bounded = [one.name for one in INDICES.values() if one.noise_bounds]
        msg = (
            f"index must be one of {options_text(bounded, record.name)}; the bounds of others are "
            "problems of combinatorial optimization"
        )
        raise ValueError(msg)
    counted = ContingencyTable.from_labels(
        given.labels_true,
        given.labels_pred,
        sample_weight=given.sample_weight,
        missing=given.reading.missing,
        unmatched=given.reading.unmatched,
    )
    table = require_objects(counted)
    if given.sample_weight is not None:
        check_whole_weights(table.cell_counts, "where each noise object may belong elsewhere")
    return record.noise_bounds(
        table,
        *(
            noise_mask(Labels.of_codes(np.arange(len(labels)), labels), given.reading.noise_labels)
            for labels in (table.row_labels, table.col_labels)
        ),
    )
