"""Any index adjusted for chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._chance.draws import NullModel, null_values
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import Index, reference_index
from sklearn_clustcompare.indices._chance import is_constant
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._record import ratio
from sklearn_clustcompare.indices._soft import is_possibilistic

_check_adjustment = one_of("auto", "exact", "limit", "monte_carlo")


class ChanceAdjustedScore(float):
    """A score adjusted for chance; made by :func:`chance_adjusted_score`.

    It is a float, the score, with attributes of the names of the other parameters, which say how
    the score was obtained.

    Parameters
    ----------
    score : float
        The adjusted score, ``(value - expected) / (best - expected)``.
    method : {"exact", "limit", "monte_carlo"}
        How the expected value was computed.
    value : float
        The index before the adjustment.
    expected : float
        Its expected value for random partitions with the same cluster sizes.
    standard_error : float
        Monte Carlo standard error of the adjusted score; 0.0 for the other methods.

    See Also
    --------
    chance_adjusted_score : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import chance_adjusted_score
    >>> score = chance_adjusted_score([0, 0, 1, 1], [0, 0, 0, 1], index="purity_score")
    >>> score.method, score.value
    ('monte_carlo', 0.75)
    >>> score = chance_adjusted_score([0, 0, 1, 1], [0, 0, 0, 1], index="rand_score")
    >>> score
    ChanceAdjustedScore(0.0, method='exact', value=0.5, expected=0.5, standard_error=0.0)
    >>> score + 1
    1.0
    """

    method: str
    value: float
    expected: float
    standard_error: float

    def __new__(
        cls, score: float, method: str, value: float, expected: float, standard_error: float
    ) -> ChanceAdjustedScore:
        """Make a float and note how it was obtained."""
        self = super().__new__(cls, score)
        self.method, self.value = method, value
        self.expected, self.standard_error = expected, standard_error
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), self.method, self.value, self.expected, self.standard_error

    def __repr__(self) -> str:
        return (
            f"ChanceAdjustedScore({float(self)!r}, method={self.method!r}, value={self.value!r}, "
            f"expected={self.expected!r}, standard_error={self.standard_error!r})"
        )


def chance_adjusted_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    index: str | Index,
    method: str = "auto",
    n_resamples: int = 999,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    **params: Any,
) -> ChanceAdjustedScore:
    """Adjust any index for chance: ``(value - expected) / (best - expected)``.

    Random partitions with the given cluster sizes score 0 on average, whatever the index, and
    equal partitions score 1 if the index is at its best for them. Distances turn into scores.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    index : str or Index
        The :term:`index`, by its name (see :func:`list_indices`) or as a record of your own.
    method : {"auto", "exact", "limit", "monte_carlo"}, default="auto"
        How to get the expected value under permutation:

        - "exact": in closed form, for indices that are linear in the number of pairs together
          in both partitions, or, for labels, in the mutual information, given the cluster sizes;
        - "limit": the value at the expected table ``a_i b_j / N``, for many objects per cell;
        - "monte_carlo": the mean over random tables;
        - "auto": exact where that exists, else Monte Carlo.
    n_resamples : int, default=999
        Number of random tables for Monte Carlo.
    random_state : int, RandomState, Generator, SeedSequence or None, default=None
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None weighs every object 1.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        What objects with the label of :term:`noise` are: one cluster, a cluster each, or left out.
    noise_label : hashable, default=-1
        :term:`Label of noise <noise_label>` on either side; it need not occur.
    **params : dict
        Parameters of the index.

    Returns
    -------
    ChanceAdjustedScore
        A float, at most 1, that has attributes ``method``, ``value``, ``expected`` and
        ``standard_error``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, if the index is unknown or has no best value, if
        there is no exact form, or if weights are not whole numbers, except for pair counting.
    TypeError
        If the index does not take a parameter.

    See Also
    --------
    adjusted_rand_score : Adjusted Rand index, exactly.
    adjusted_mutual_info_score : Adjusted mutual information, exactly.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, Definitions 1 and 2.

    Examples
    --------
    >>> from sklearn_clustcompare import chance_adjusted_score
    >>> truth = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    >>> found = [0, 0, 1, 1, 1, 1, 2, 2, 0]
    >>> score = chance_adjusted_score(truth, found, index="rand_score")
    >>> round(score, 4), score.method
    (0.3571, 'exact')
    >>> jaccard = chance_adjusted_score(
    ...     truth, found, index="pair_jaccard_score", random_state=0
    ... )
    >>> jaccard.method, 0 < jaccard.standard_error < 0.01
    ('monte_carlo', True)
    """
    record = reference_index(index)
    record.check_parameters(**params)
    _check_adjustment("method", method)
    positive_integer("n_resamples", n_resamples)
    best = record.range[1] if record.greater_is_better else record.range[0]
    if not math.isfinite(best):
        msg = (
            f"index must have a best value to be adjusted towards, got {record.name!r}; its "
            "normalized or adjusted forms have one"
        )
        raise ValueError(msg)
    reading = Reading(possibilistic=possibilistic, noise=noise, noise_label=noise_label)
    model = NullModel.read(
        labels_true, labels_pred, sample_weight, reading, draws_moments=record.moments
    )
    table = model.table
    value = record(table, **params)
    used, expected, error = method, _closed_expected_value(record, table, params, method), 0.0
    if expected is None:
        values = null_values(
            model,
            record.function,
            params,
            n_resamples,
            random_state,
            n_jobs,
            sees_pairs=record.pairs,
            verbose=verbose,
        )
        used, expected = "monte_carlo", float(values.mean())
        error = float(values.std() / math.sqrt(len(values)))
    elif used != "limit" or is_constant(table):
        used = "exact"
    score = ratio(value - expected, best - expected, table, f"chance-adjusted {record.name}")
    slope = abs(value - best) / (best - expected) ** 2 if best != expected else 0.0
    return ChanceAdjustedScore(score, used, value, expected, slope * error)


def _closed_expected_value(
    index: Index, table: ContingencyTable, params: dict[str, Any], method: str
) -> float | None:
    """Return the expected value in closed form, or None where draws are needed."""
    possibilistic = is_possibilistic(table)
    if is_constant(table) and not possibilistic:
        return index(table, **params)
    if method == "exact" and possibilistic:
        msg = (
            "method must not be 'exact' for possibilistic partitions, whose cluster sizes change "
            "under permutation; use 'monte_carlo'"
        )
        raise ValueError(msg)
    if method in ("auto", "exact"):
        moments = null_moments(index, table, **params)
        if moments is None and method == "exact":
            msg = (
                f"method must not be 'exact' for {index.name}, whose mean has no closed form; "
                "use 'monte_carlo' or, for large tables, 'limit'"
            )
            raise ValueError(msg)
        return None if moments is None else moments.mean
    if method == "monte_carlo":
        return None
    if index.adjusted and table.is_whole:
        return 0.0
    if not index.soft:
        msg = f"method must not be 'limit' for {index.name}, which needs whole counts"
        raise ValueError(msg)
    sizes = np.outer(table.row_sums.astype(float), table.col_sums.astype(float))
    return index(ContingencyTable.from_counts(sizes / table.n_samples), **params)
