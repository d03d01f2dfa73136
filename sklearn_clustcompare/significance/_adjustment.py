"""Adjustment of any index for chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import FloatArray
from sklearn_clustcompare._chance.draws import (
    ModelTables,
    NullModel,
    TableValues,
    drawn_values,
)
from sklearn_clustcompare._chance.random_models import (
    FixedClusterCountModel,
    MultinomialEstimate,
    MultinomialModel,
    RandomModel,
)
from sklearn_clustcompare._options import shortened
from sklearn_clustcompare._parameters import one_of, positive_integer
from sklearn_clustcompare._rendering import record_html, result_record
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare.indices import Index, preferred
from sklearn_clustcompare.indices._compares import Given, compares
from sklearn_clustcompare.indices._moments import is_constant
from sklearn_clustcompare.indices._pairs import is_possibilistic
from sklearn_clustcompare.indices._record import ratio
from sklearn_clustcompare.significance._permutation import (
    PERMUTED,
    moments_under,
    null_model,
    permuted_labels,
)

_check_adjustment = one_of("auto", "exact", "limit", "monte_carlo")


@result_record
class ChanceAdjustedScore(float):
    """A score adjusted for chance; made by :func:`chance_adjusted_score`.

    It is a float, the score, with attributes that describe how the score was obtained, named as the
    parameters.

    Parameters
    ----------
    score : float
        The adjusted score, ``(unadjusted - expected) / (best - expected)``.
    method : {"exact", "limit", "monte_carlo"}
        How the expected value was computed.
    unadjusted : float
        The index before the adjustment.
    expected : float
        Its expected value for random partitions with the same cluster sizes, or for those of the
        model.
    standard_error : float
        Monte Carlo standard error of the adjusted score; 0.0 for the other methods.

    See Also
    --------
    chance_adjusted_score : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import chance_adjusted_score
    >>> score = chance_adjusted_score([0, 0, 1, 1], [0, 0, 0, 1], index="purity_score")
    >>> score.method, score.unadjusted
    ('monte_carlo', 0.75)
    >>> score = chance_adjusted_score([0, 0, 1, 1], [0, 0, 0, 1], index="rand_score")
    >>> score
    ChanceAdjustedScore(0.0, method='exact', unadjusted=0.5, expected=0.5, standard_error=0.0)
    >>> score + 1
    1.0
    """

    method: str
    unadjusted: float
    expected: float
    standard_error: float

    def __new__(
        cls, score: float, method: str, unadjusted: float, expected: float, standard_error: float
    ) -> ChanceAdjustedScore:
        """Make a float and store how it was obtained."""
        self = super().__new__(cls, score)
        self.method, self.unadjusted = method, unadjusted
        self.expected, self.standard_error = expected, standard_error
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), *vars(self).values()

    def __repr__(self) -> str:
        how = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"ChanceAdjustedScore({float(self)!r}, {how})"

    def _repr_html_(self) -> str:
        return record_html("ChanceAdjustedScore", {"score": float(self), **vars(self)})


@compares("labels_true", "labels_pred", "index", "X", *PERMUTED)
def chance_adjusted_score(
    given: Given, *, method: str = "auto", model: Any = "permutation"
) -> ChanceAdjustedScore:
    """Adjust any index for chance: ``(value - expected) / (best - expected)``.

    For any index, random partitions score 0 on average: those with the given cluster sizes, or
    those of another model of chance. Equal partitions score 1 if the index has its best value for
    them. Distances become scores.

    Parameters
    ----------
    method : {"auto", "exact", "limit", "monte_carlo"}, default="auto"
        How to compute the expected value:

        - "exact": in closed form, for indices that are linear in the number of pairs together
          in both partitions, or, for labels, in the mutual information or another sum over the
          cells of the table, given the cluster sizes; under other models than permutation for
          those that are ``linear_in_pair_counts``, see :class:`Index`;
        - "limit": the value at the expected table ``a_i b_j / N``, for many objects per cell; under
          permutation only;
        - "monte_carlo": the mean over random tables;
        - "auto": exact where that exists, else Monte Carlo.
    model : {"permutation", "multinomial"} or a random model, default="permutation"
        Distribution of random partitions, as a word or as a :class:`FixedClusterCountModel`,
        :class:`AllPartitionsModel` or :class:`MultinomialModel`:

        - "permutation": all partitions with the same cluster sizes;
        - "multinomial": each object falls into the clusters at random. The mean is estimated from
          the table without bias, for indices that are ``linear_in_pair_counts`` [3]_;
        - a model of the same number of objects and, where it fixes them, the same numbers of
          clusters or the cluster sizes of the reference.

        Other models than "permutation" take labels only.
    groups : array-like of shape (n_samples,) or None, default=None
        Group of each object, if groups of objects were sampled together: entities, documents,
        donors or speakers. Groups are permuted whole; see the Notes of :func:`permutation_test`.
    n_resamples : int, default=999
        Number of random tables for Monte Carlo.

    Returns
    -------
    ChanceAdjustedScore
        A float, at most 1, with attributes ``method``, ``unadjusted``, ``expected`` and
        ``standard_error``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, if the index is unknown or has no best value, if there
        is no exact form, if a model does not fit the partitions, or if weights are not whole
        numbers, except for pair counting under permutation.
    TypeError
        If the index does not take a parameter, or ``model`` is none.

    See Also
    --------
    adjusted_rand_score : Adjusted Rand index, exactly.
    adjusted_mutual_info_score : Adjusted mutual information, exactly.

    Notes
    -----
    With an index of the data that has a best value, such as the silhouette, labels are permuted
    among the objects; a score of 0 is that of labels that are unrelated to the data, and
    not that of clusters found in structureless data.

    References
    ----------
    .. [1] S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering
       comparison measures", JMLR 17(134), 2016, Definitions 1 and 2.
    .. [2] A. J. Gates, Y.-Y. Ahn, "The impact of random models on clustering similarity", JMLR
       18(87), 2017: other models, and which one fits a clusterer.
    .. [3] M. Sundqvist, J. Chiquet, G. Rigaill, "Adjusting the adjusted Rand index: a multinomial
       story", Computational Statistics 38, 2023, :doi:`10.1007/s00180-022-01230-7`: the score of
       the Rand index under this model is their MARI.

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

    Against all candidates of three clusters, and not only those of the same sizes:

    >>> from sklearn_clustcompare.significance import FixedClusterCountModel
    >>> model = FixedClusterCountModel.one_sided([3, 3, 3], n_clusters=3)
    >>> score = chance_adjusted_score(truth, found, index="rand_score", model=model)
    >>> round(score, 4), score.method
    (0.3898, 'exact')

    As a sample of a population, for which the cluster sizes are random as well:

    >>> score = chance_adjusted_score(truth, found, index="rand_score", model="multinomial")
    >>> round(score, 4), score.method
    (0.346, 'exact')
    """
    chosen = given.chosen
    index, params = chosen.index, dict(chosen.parameters)
    _check_adjustment("method", method)
    positive_integer("n_resamples", given.n_resamples)
    best = index.range[index.greater_is_better]
    if not math.isfinite(best):
        msg = (
            f"index must have a best value to be adjusted towards, got {index.name!r}; its "
            "normalized or adjusted forms have one"
        )
        raise ValueError(msg)
    how = {**given.draws, "prefer": preferred(index)}
    is_plain = isinstance(model, str) and model == "permutation"
    _check_permuted(given, method, model, is_plain=is_plain)
    if index.needs_data:
        source = permuted_labels(given)
        found = drawn_values(source, **how)
        return _adjusted_by(source.judged.value(chosen), found[np.isfinite(found)], best)
    null = null_model(given)
    if null.objects is not None and null.objects.has_fixed_groups:
        msg = (
            "groups must be of equal size, or labels of one side constant within groups, to be "
            "permuted whole"
        )
        raise ValueError(msg)
    table = null.table
    tables: NullModel | ModelTables = null
    if is_plain:
        expected = _closed_expected_value(index, null, params, method)
    elif isinstance(model, str) and model == "multinomial":
        _require_whole(model, table)
        expected = _expected_under(MultinomialEstimate.of(table), index, params, method)
        if expected is None:
            msg = (
                f"model must not be 'multinomial' for {index.name} with method={method!r}, as its "
                "mean cannot be estimated without bias from one table: pass MultinomialModel("
                "n_samples, row_shares, col_shares) to draw tables from given shares"
            )
            raise ValueError(msg)
    else:
        tables = ModelTables(_checked_model(model, table))
        expected = _expected_under(tables.model, index, params, method)
    value = index(table, **params)
    used, error = method, 0.0
    if expected is None:
        function = index.of_statistic if index.pairs else index.function
        values = drawn_values(TableValues(tables, function, params, index.pairs), **how)
        used, expected = "monte_carlo", float(values.mean())
        error = float(values.std() / math.sqrt(len(values)))
    elif used != "limit" or is_constant(table):
        used = "exact"
    score = ratio(value - expected, best - expected, table, f"chance-adjusted {index.name}")
    slope = abs(value - best) / (best - expected) ** 2 if best != expected else 0.0
    return ChanceAdjustedScore(score, used, value, expected, slope * error)


def _check_permuted(given: Given, method: str, model: Any, *, is_plain: bool) -> None:
    """Refuse what is not known of labels of data, of groups, and of blocks."""
    name, is_drawn = given.chosen.index.name, is_plain and method in ("auto", "monte_carlo")
    if given.chosen.index.needs_data:
        if given.groups is not None:
            msg = f"groups must be None for {name}, an index of the data"
            raise ValueError(msg)
        if not is_drawn:
            msg = (
                "method must be 'monte_carlo' or 'auto', and model 'permutation', for "
                f"{name}, which needs the data, got {shortened(method)} and {model!r}"
            )
            raise ValueError(msg)
    if given.groups is not None and (given.blocks is not None or not is_drawn):
        msg = (
            "groups must be None with blocks, another model or another method than "
            f"'monte_carlo', got {shortened(model)} and {method!r}"
        )
        raise ValueError(msg)
    if given.blocks is not None and not is_plain:
        msg = f"model must be 'permutation' with blocks, got {shortened(model)}"
        raise ValueError(msg)


def _adjusted_by(value: float, drawn: FloatArray, best: float) -> ChanceAdjustedScore:
    """Adjust a value by those of permuted labels."""
    expected, error = float(drawn.mean()), float(drawn.std() / math.sqrt(len(drawn)))
    slope = abs(value - best) / (best - expected) ** 2
    score = (value - expected) / (best - expected)
    return ChanceAdjustedScore(score, "monte_carlo", value, expected, slope * error)


def _closed_expected_value(
    index: Index,
    model: NullModel,
    params: dict[str, Any],
    method: str,
) -> float | None:
    """Return the expected value in closed form, or None where draws are needed."""
    table = model.table
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
        moments = moments_under(model, index, params)
        if moments is None and method == "exact":
            msg = (
                f"method must not be 'exact' for {index.name}, whose mean has no closed form; "
                "use 'monte_carlo' or, for large tables, 'limit'"
            )
            raise ValueError(msg)
        return None if moments is None else moments.mean
    if method == "monte_carlo":
        return None
    if model.within == "blocks":
        msg = "method must not be 'limit' with blocks, got 'limit'"
        raise ValueError(msg)
    if index.adjusted and table.is_whole:
        return 0.0
    if not index.soft:
        msg = f"method must not be 'limit' for {index.name}, which needs whole counts"
        raise ValueError(msg)
    sizes = np.outer(table.row_sums.astype(float), table.col_sums.astype(float))
    # Weighted cells, as counts might be taken for totals.
    rows, cols = (code.ravel() for code in np.indices(sizes.shape))
    shares = sizes.ravel() / table.n_samples
    return index(ContingencyTable.from_labels(rows, cols, sample_weight=shares), **params)


def _checked_model(model: Any, table: ContingencyTable) -> RandomModel:
    """Raise TypeError or ValueError unless a model can generate the table."""
    if not isinstance(model, RandomModel):
        msg = (
            "model must be 'permutation', 'multinomial', a FixedClusterCountModel, an "
            f"AllPartitionsModel or a MultinomialModel, got {shortened(model)}"
        )
        raise TypeError(msg)
    _require_whole(model, table)
    if model.n_samples != table.n_samples:
        msg = (
            f"model must be of {table.n_samples} objects, as the labels are, got {shortened(model)}"
        )
        raise ValueError(msg)
    if model.row_sums is not None and sorted(model.row_sums) != sorted(table.row_sums):
        got = shortened(model)
        msg = f"model must have the cluster sizes of labels_true, {table.row_sums}, got {got}"
        raise ValueError(msg)
    if isinstance(model, FixedClusterCountModel) and model.n_clusters != table.shape:
        msg = f"model must have {table.shape} clusters, as the labels have, got {shortened(model)}"
        raise ValueError(msg)
    if isinstance(model, MultinomialModel):
        n_clusters = np.count_nonzero(model.row_shares), np.count_nonzero(model.col_shares)
        if n_clusters[0] < table.shape[0] or n_clusters[1] < table.shape[1]:
            got = shortened(model)
            msg = f"model must have at least {table.shape} clusters, as the labels, got {got}"
            raise ValueError(msg)
    return model


def _require_whole(model: Any, table: ContingencyTable) -> None:
    if not table.is_whole:
        msg = f"model must be 'permutation' for real-valued counts, got {shortened(model)}"
        raise ValueError(msg)


def _expected_under(
    model: RandomModel | MultinomialEstimate, index: Index, params: dict[str, Any], method: str
) -> float | None:
    """Return the expected value where that of pair counts gives it, or None for draws."""
    if method == "limit":
        msg = f"method must not be 'limit' except under permutation, got model={model!r}"
        raise ValueError(msg)
    is_linear = index.properties(**params)["linear_in_pair_counts"]
    if method == "exact" and not is_linear:
        msg = (
            f"method must not be 'exact' for {index.name} under {type(model).__name__}, as it is "
            "not linear in pair counts; use 'monte_carlo'"
        )
        raise ValueError(msg)
    if method == "monte_carlo" or not is_linear:
        return None
    n_samples = model.n_samples
    pairs = model.expected_pair_count(), *model.expected_joined_pairs()
    squares = SquareSums(*(2 * number + n_samples for number in pairs))
    return float(index.of_statistic(squares, KnownMargins(n_samples), **params))
