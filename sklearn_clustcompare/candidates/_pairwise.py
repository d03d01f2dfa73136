"""All pairs of many partitions: scores, intervals, and permutation tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._chance.draws import drawn_values
from sklearn_clustcompare._chance.objects import PermutedObjects
from sklearn_clustcompare._memory import require_memory
from sklearn_clustcompare._options import warn_caller
from sklearn_clustcompare._partition import (
    DEFAULT,
    Labels,
    Partition,
    Reading,
    partners,
    read_labels,
)
from sklearn_clustcompare._partition.arrays import (
    PartitionLike,
    PartitionsLike,
    check_same_length,
    check_whole_weights,
)
from sklearn_clustcompare._partition.labels import ids_of, read_ids
from sklearn_clustcompare._partition.labels import number_ids as number_objects
from sklearn_clustcompare._partition.reading import Naming
from sklearn_clustcompare._rendering import (
    Drawn,
    Result,
    Rows,
    Table,
    decimals,
    matrix_table,
)
from sklearn_clustcompare._table import count_read
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import KnownMargins, SquareSums
from sklearn_clustcompare._table.many import (
    AnyPartitions,
    CodedPartitions,
    Group,
    PartialPartitions,
    PartialTable,
    list_members,
    pair_groups,
)
from sklearn_clustcompare._tasks import n_workers, progress, run_tasks
from sklearn_clustcompare.indices import PARTIAL_INDICES, Index, preferred
from sklearn_clustcompare.indices._compares import Given, compares
from sklearn_clustcompare.indices._moments import Agreement, null_moments, with_deviation
from sklearn_clustcompare.indices._pairs import partial_difference
from sklearn_clustcompare.indices._sums import values_of_many


class PairwiseScores(Drawn, Result):
    """Scores of all pairs of partitions; made by :func:`pairwise_scores`.

    Printed, and as HTML in a notebook, it shows up to ten rows and columns. NumPy treats it as
    the array of its values, and ``scores[i, j]`` is one of them. All parameters are attributes of
    the same names, which cannot be set.

    Parameters
    ----------
    values : ndarray of shape (n_partitions, n_partitions)
        Element ``[i, j]`` has partition i as the reference and partition j as the candidate.
    names : list
        Names of the partitions; positions if they have none.
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    coverage : ndarray of shape (n_partitions, n_partitions)
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

    values: FloatArray
    names: list[Any]
    index: Index
    parameters: dict[str, Any]
    coverage: FloatArray

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

        return pd.DataFrame(self.values, index=self.names, columns=self.names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
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
        return matrix_table(self.names, self.names, self.values)


# Objects of the groups of partitions in one task: a tenth of a second, as it takes a process some
# milliseconds to begin one.
_PAIRED_OBJECTS_PER_TASK = 2**27
_TASKS_PER_JOB = 8
_FEWEST_IN_THREADS = 2**13


@compares("partitions", "index", "n_jobs", "verbose")
def pairwise_scores(given: Given) -> PairwiseScores:
    """Compare all pairs of partitions of the same objects.

    Every partition is encoded once. For a symmetric index, each pair is computed once.

    Parameters
    ----------
    partitions : array-like, mapping, DataFrame or iterable, default=None
        The partitions: an array of shape (n_partitions, n_samples), a list of labels or of
        memberships of shape (n_samples, n_clusters), a mapping of names to such, a DataFrame
        with one partition per column, or an iterator. With ``data`` a list of names of columns, or
        None for all of labels.
    **params : dict
        Parameters of the index, such as ``q=0.5``.

    Returns
    -------
    PairwiseScores
        With ``values`` of shape (n_partitions, n_partitions) and the ``names`` of the partitions;
        NumPy treats it as the array of its values. Element ``[i, j]`` is the index with partition i
        as the reference (``labels_true``) and partition j as the candidate.

    Raises
    ------
    ValueError
        If the index is unknown, there are no partitions, or they do not fit each other or have
        missing labels; the message names the position and the name.
    TypeError
        If the index does not take a parameter, or a partition without an index is to be aligned.
    RuntimeError
        If a worker process died.

    Warns
    -----
    UserWarning
        If objects are left out in alignment; ``coverage`` of the result contains the shares.

    See Also
    --------
    score_candidates : Many partitions against one reference, or several.

    Notes
    -----
    Alignment and dropping of noise are done per pair: subsamples need not all share objects, and an
    object counts in every pair in which neither partition labels it as noise.

    If there are few clusters relative to the objects, three partitions are counted at a time: the
    margins of their table are the tables of three pairs. The triples are those of Bose [1]_: each
    pair of partitions is in exactly one.

    References
    ----------
    .. [1] R. C. Bose, "On the construction of balanced incomplete block designs", Annals of
       Eugenics 9(4), 1939, :doi:`10.1111/j.1469-1809.1939.tb02219.x`

    Examples
    --------
    >>> from sklearn_clustcompare import pairwise_scores
    >>> raters = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], ["a", "a", "b", "b", "b"]]
    >>> pairwise_scores(raters, index="rand_score")
    PairwiseScores: 3 x 3 partitions by rand_score
         0    1    2
    0  1.0  0.8  0.8
    1  0.8  1.0  1.0
    2  0.8  1.0  1.0
    """
    reading, n_jobs = given.reading, given.n_jobs
    record, params = given.chosen.index, dict(given.chosen.parameters)
    names, read = _read(given.partitions, reading)
    n_partitions = len(read)
    require_memory(  # values and coverage, and the pairs themselves
        f"a matrix of {n_partitions} x {n_partitions} pairs of partitions",
        64.0 * n_partitions**2,
        "score candidates against a reference, or compare fewer at a time",
    )
    groups: list[Group] = [(one, one) for one in range(n_partitions)] + pair_groups(n_partitions)
    tables = _tables(read, record, reading)
    # To the last bit for whole counts.
    is_symmetric = record.properties(**params)["symmetric"]
    by_halves = is_symmetric and isinstance(tables, CodedPartitions | PartialPartitions)
    # Arrays are sent to the workers once, groups with every task: tasks are long, with a few per
    # worker.
    n_counted, most = len(groups) * read[0].n_objects, n_workers(n_jobs)  # dask asks its scheduler
    n_rounds = max(_TASKS_PER_JOB, n_counted // (_PAIRED_OBJECTS_PER_TASK * most))
    # As many tasks for each worker.
    size = max(-(-len(groups) // (n_rounds * most)), 1)
    tasks = (
        (tables, record, params, groups[start : start + size], not by_halves)
        for start in progress(
            range(0, len(groups), size), verbose=given.verbose, description="blocks of pairs"
        )
    )
    scores = np.empty((n_partitions, n_partitions))
    coverage = np.ones_like(scores)
    # Formulas of small tables hold the GIL longer than the loops are without it.
    prefer = "processes" if read[0].n_objects < _FEWEST_IN_THREADS else preferred(record)
    total = -(-len(groups) // size)
    parts = run_tasks(_pair_values, tasks, n_jobs=n_jobs, prefer=prefer, total=total)
    for pairs, found, shares in parts:
        rows, cols = pairs
        scores[rows, cols] = found
        coverage[rows, cols] = shares
        if by_halves:
            scores[cols, rows] = found
    if reading.unmatched == "drop" and coverage.min(initial=1.0) < 1:
        warn_caller(
            f"coverage is {coverage.min():.1%} for some pairs: objects that are in one partition "
            "of a pair only are left out; see the coverage of the result"
        )
    return PairwiseScores(scores, names, record, params, coverage)


def _read(partitions: PartitionsLike, reading: Reading) -> tuple[list[Any], list[Partition]]:
    """Read partitions, each of them once, and return them with their names."""
    given = list_members(partitions)
    read = [one.read(reading) for one in given]
    for partition in read:
        if not isinstance(partition, Labels):
            partition.judge()
    return [one.name for one in given], read


def _tables(
    partitions: list[Partition], index: Index, reading: Reading
) -> CodedPartitions | PartialPartitions | AnyPartitions:
    if reading.unmatched == "drop":
        ids = [ids_of(one.ids, one.name) for one in partitions]
        if any(not np.array_equal(ids[0], other) for other in ids[1:]):
            objects = number_objects(ids)
            if index.partial:
                return PartialPartitions.read(partitions, objects, reading)
            return AnyPartitions(partitions, reading, index.moments, objects)
    partitions = partners(*partitions, unmatched=reading.unmatched)
    labels = [one for one in partitions if isinstance(one, Labels)]
    if len(labels) < len(partitions) or not reading.counts_all:
        return AnyPartitions(partitions, reading, index.moments)
    return CodedPartitions.of(labels, index.pairs)


def _value(
    index: Index, seen: ContingencyTable | PartialTable | KnownMargins, params: dict[str, Any]
) -> float:
    if isinstance(seen, KnownMargins):
        return index.of_statistic(seen.square_sums, seen, **params)
    return index.function(seen, **params)


def _pair_values(
    tables: CodedPartitions | PartialPartitions | AnyPartitions,
    index: Index,
    params: dict[str, Any],
    groups: list[Group],
    both_ways: bool,
) -> tuple[Positions, FloatArray, FloatArray]:
    """Return the rows and columns of pairs, their values, and the shares of objects counted."""
    if isinstance(tables, CodedPartitions) and not both_ways:
        sums = tables.sums_of_groups(groups)
        if sums is not None:
            pairs, squares = sums
            n_objects = tables.codes.shape[1]
            values_of_all = None
            if len(pairs) > 1:  # a formula of one table would take one pair for a number
                values_of_all = values_of_many(index, squares, n_objects, params)
            if values_of_all is None:
                values_of_all = np.full(len(pairs), np.nan)
            for k in np.flatnonzero(np.isnan(values_of_all)):
                one = KnownMargins.of_squares(n_objects, SquareSums(*(int(s[k]) for s in squares)))
                values_of_all[k] = _value(index, one, params)
            return np.array(pairs).T, values_of_all, np.ones(len(pairs))
    rows, cols, values, coverage = zip(
        *(
            (row, col, _value(index, table, params), share)
            for row, col, table, share in tables.of_groups(groups, both_ways)
        ),
        strict=True,
    )
    return np.array([rows, cols]), np.array(values, np.float64), np.array(coverage)


_INDEX = PARTIAL_INDICES["partial_partition_distance"]


class PartialPartitionDistance(Result, eq=True):
    """Distance of two partitions of different objects; from :func:`partial_partition_distance`.

    ``float`` returns the distance. All parameters are attributes of the same names, which cannot be
    set.

    Parameters
    ----------
    distance : float
        ``moved + inserted + deleted``, or with ``normalize=True`` its share in [0, 1].
    inserted, deleted : int
        Numbers of objects that only the candidate, and only the reference has.
    moved : float
        How far the partitions differ if each of these objects is a cluster of its own where it is
        absent: the number of pairs that are together in one partition only; or for "information"
        the number of objects times the variation of information, in nats.
    kind : {"pairs", "information"}
        What is counted with the objects that one partition lacks: the pairs of objects that are
        together in one partition only, or the number of objects times the variation of information
        in nats.

    See Also
    --------
    partial_partition_distance : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import PartialPartitionDistance
    >>> float(PartialPartitionDistance(8.0, 1, 1, 6, "pairs"))
    8.0
    """

    distance: float
    inserted: int
    deleted: int
    moved: float
    kind: str

    def __float__(self) -> float:
        return self.distance

    def _headline(self) -> str:
        distance, moved = decimals([self.distance, self.moved])
        unit = {"pairs": "pairs", "information": "nats"}[self.kind]
        return (
            f"PartialPartitionDistance: {distance} ({moved} {unit} moved, "
            f"{self.inserted} inserted, {self.deleted} deleted)"
        )


def partial_partition_distance(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    *,
    ids_true: Any = None,
    ids_pred: Any = None,
    kind: str = "pairs",
    normalize: bool = False,
) -> PartialPartitionDistance:
    """Measure how far apart two partitions of different sets of objects are.

    For clusterings of data that change: objects are inserted, deleted and moved between clusters.
    It is a metric on all partitions of all sets of objects, so distances of many of them can be
    compared, mapped and clustered.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_true,) and (n_pred,), dict or list of sets
        :term:`Labels` of the objects of either partition, or a partition that names its objects,
        such as a pandas Series or a dict of objects to labels. A partition may be empty, and the
        two need not share an object.
    ids_true, ids_pred : array-like of shape (n_true,) and (n_pred,), default=None
        Ids of the objects: integers, strings, dates or any hashable objects. None takes the index
        of the Series.
    kind : {"pairs", "information"}, default="pairs"
        What is counted with the objects that one partition lacks: the pairs of objects that are
        together in one partition only, or the number of objects times the variation of information
        in nats.
    normalize : bool, default=False
        Whether to return the Steinhaus transform, in [0, 1]: 0.0 for equal partitions only and 1.0
        if no object is common.

    Returns
    -------
    PartialPartitionDistance
        With ``distance``, ``inserted``, ``deleted`` and ``moved``; ``float`` returns the distance.
        Lower is better.

    Raises
    ------
    ValueError
        If an id occurs twice in a partition, there are not as many ids as labels, labels are
        missing or memberships, or a parameter is invalid.
    TypeError
        If a partition without ids does not name its objects, or labels are not hashable.

    See Also
    --------
    align_partitions : Common objects of two partitions, for any index.
    pairwise_scores : All pairs of many, with this name as ``index`` and ``unmatched="drop"``.
    medoid_partition : The partition with the smallest average distance to others, likewise.

    Notes
    -----
    An object that a partition lacks is a cluster of its own there, and counts 1. With A and B the
    sets of objects, d = pairs that differ + ``|A xor B|``, or N VI + ``|A xor B|``. The variation
    of information is not divided by N, as no common N exists for all pairs of partitions.

    The first is the number of pairs, those of an object with itself included, that are in one of
    two equivalence relations only. The second is a sum of two metrics: it does not change if
    further objects are added to both partitions as singletons, so that all partitions can be
    completed to the same objects.

    With 0 the partition without objects, the normalized distance is
    2 d(p, q) / (d(p, 0) + d(q, 0) + d(p, q)), which is a metric if d is one [3]_.

    For the same objects it is half of :func:`mirkin_distance`, or the number of objects times
    :func:`variation_of_information_distance`.

    References
    ----------
    .. [1] B. Mirkin, "Mathematical classification and clustering", Kluwer, 1996
    .. [2] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate
       Analysis 98(5), 2007, :doi:`10.1016/j.jmva.2006.11.013`
    .. [3] E. Marczewski, H. Steinhaus, "On a certain distance of sets and the corresponding
       distance of functions", Colloquium Mathematicum 6, 1958

    Examples
    --------
    >>> from sklearn_clustcompare.candidates import partial_partition_distance
    >>> before = {"ann": 0, "bob": 0, "cem": 0, "dee": 1, "eve": 1}
    >>> after = {"ann": 0, "bob": 0, "cem": 1, "dee": 1, "flo": 1}
    >>> partial_partition_distance(before, after)
    PartialPartitionDistance: 8 (6 pairs moved, 1 inserted, 1 deleted)
    >>> round(float(partial_partition_distance(before, after, kind="information")), 4)
    8.5917
    >>> float(partial_partition_distance([], [0, 0], ids_true=[], ids_pred=[1, 2], normalize=True))
    1.0
    """
    _INDEX.check_parameters(kind=kind, normalize=normalize)
    true, ids_true = _identified(labels_true, ids_true, ("labels_true", "ids_true"))
    pred, ids_pred = _identified(labels_pred, ids_pred, ("labels_pred", "ids_pred"))
    objects = number_objects([ids_true, ids_pred])
    table, _ = PartialPartitions.read([true, pred], objects, DEFAULT).table(0, 1)
    difference = partial_difference(table, kind)
    return PartialPartitionDistance(
        difference.distance(normalize=normalize),
        difference.inserted,
        difference.deleted,
        difference.moved,
        kind,
    )


def _identified(labels: PartitionLike, ids: Any, names: tuple[str, str]) -> tuple[Labels, Array]:
    """Read labels and the ids of their objects."""
    partition = read_labels(labels, names[0])
    if ids is None:
        return partition, ids_of(partition.ids, names[0])
    objects = read_ids(ids, names[1])
    check_same_length(partition.n_objects, len(objects), names)
    return partition, objects


# Standardized values that are closer are ties.
_TIE = 1e-9


class CandidatePermutationTest(Rows):
    """Tests of candidates against one reference; made by :meth:`CandidateScores.permutation_test`.

    Printed, and as HTML in a notebook, it shows the p-values. All parameters are attributes of the
    same names.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    names : list
        Names of the candidates.
    scores : ndarray of shape (n_candidates,)
        Their values.
    standardized : ndarray of shape (n_candidates,)
        How far they agree beyond the mean, in standard deviations.
    pvalues : ndarray of shape (n_candidates,)
        Share of random references that agree at least as much with this candidate.
    pvalue_adjusted : ndarray of shape (n_candidates,)
        The p-values adjusted for the number of candidates.
    n_resamples : int
        Number of random references.

    See Also
    --------
    CandidateScores.permutation_test : Makes it.
    permutation_test : The test of one candidate.

    Examples
    --------
    >>> from sklearn_clustcompare import score_candidates
    >>> candidates = {"good": [0] * 9 + [1] * 11, "poor": [0, 1] * 10}
    >>> result = score_candidates([0] * 10 + [1] * 10, candidates, indices="rand_score")
    >>> test = result.permutation_test()
    >>> (test.pvalue_adjusted < 0.05).tolist()
    [True, False]
    """

    index: Index
    parameters: dict[str, Any]
    names: list[Any]
    scores: FloatArray
    standardized: FloatArray
    pvalues: FloatArray
    pvalue_adjusted: FloatArray
    n_resamples: int

    def _headline(self) -> str:
        by = self.index.axis_text(**self.parameters)
        n_small = int((self.pvalue_adjusted <= 0.05).sum())
        return (
            f"CandidatePermutationTest: {by}, {n_small} of {len(self.names)} candidates with "
            f"pvalue_adjusted up to 0.05 ({self.n_resamples} random references)"
        )

    def _columns(self) -> dict[str, Any]:
        return {
            "score": self.scores,
            "standardized": self.standardized,
            "pvalue": self.pvalues,
            "pvalue_adjusted": self.pvalue_adjusted,
        }

    def _row_names(self) -> tuple[str, Any]:
        return "candidate", self.names


class KeptPartitions(NamedTuple):
    """What was compared: the reference, the candidates as given, and the weights of the objects.

    Candidates are names and values, or None if they have no score.
    """

    reference: Partition
    candidates: list[tuple[Any, Any] | None]
    naming: Naming
    weights: Array | None
    reading: Reading
    groups: Labels | None = None


class _PermutedReference(NamedTuple):
    """Agreement of all candidates with a reference whose objects are permuted."""

    objects: PermutedObjects
    orders: list[Agreement]

    def draw(self, size: int, seed: int) -> FloatArray:
        drawn = self.objects.draw(size, seed)
        return np.array([self.agreements(tables) for tables in drawn], np.float64)

    def agreements(self, tables: list[ContingencyTable]) -> list[float]:
        return [order(table) for order, table in zip(self.orders, tables, strict=True)]


def permute_reference(
    kept: KeptPartitions,
    index: Index,
    parameters: dict[str, Any],
    names: list[Any],
    scores: FloatArray,
    *,
    n_resamples: int,
    **how: Any,
) -> CandidatePermutationTest:
    """Permute the reference, count all candidates against it, and take step-down maxima."""
    are_compared = np.array([one is not None for one in kept.candidates], bool)
    names = [name for name, one in zip(names, kept.candidates, strict=True) if one is not None]
    scores = scores[are_compared]
    reference = kept.reference
    candidates = [
        kept.naming.candidate(position, item).read(kept.reading)
        for position, item in enumerate(kept.candidates)
        if item is not None
    ]
    weights = kept.weights
    if weights is not None:
        check_whole_weights(weights, "to permute the objects")
    # Dropped objects change from draw to draw, and with them the cluster sizes.
    is_fixed = kept.reading.noise != "drop" and kept.reading.missing != "drop"
    orders, known = [], []
    tables = [count_read(reference, one, weights, kept.reading, moments=True) for one in candidates]
    for table in tables:
        null = null_moments(index, table, **parameters)
        orders.append(Agreement.of(index, parameters, null))
        null = with_deviation(null) if is_fixed and kept.groups is None else None
        known.append(np.nan if null is None else index.sign * null.standardized)
    sides, reading, moments = (reference, candidates), kept.reading, index.moments
    if kept.groups is None:
        objects = PermutedObjects.of(*sides, weights, reading, moments=moments)
    else:
        objects = PermutedObjects.in_groups(
            *sides, kept.groups, weights, reading, either_side=False, moments=moments
        )
    if objects.has_fixed_groups:
        msg = (
            "groups must be of equal size, or the labels of the reference constant within "
            "groups, to be permuted whole with all candidates; test one by permutation_test"
        )
        raise ValueError(msg)
    source = _PermutedReference(objects, orders)
    observed = np.array(source.agreements(tables), np.float64)
    drawn = drawn_values(source, n_resamples, **how, prefer=preferred(index))
    both = np.vstack([observed, drawn])
    undefined = np.isnan(both).any(axis=0)
    if undefined.any():
        msg = (
            "index must be defined for the reference and when it is permuted, got NaN for "
            f"{index.name} of candidate {names[int(undefined.argmax())]!r}"
        )
        raise ValueError(msg)
    deviations = both.std(axis=0)
    means = both.mean(axis=0)
    varies = deviations > _TIE * np.maximum(np.abs(means), 1e-300)
    standardized = np.where(varies, (both - means) / np.where(varies, deviations, 1.0), 0.0)
    pvalues, adjusted = step_down(standardized[0], standardized[1:])
    return CandidatePermutationTest(
        index,
        parameters,
        names,
        scores,
        np.where(np.isnan(known), standardized[0], known),
        pvalues,
        adjusted,
        n_resamples,
    )


def step_down(observed: FloatArray, drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return p-values, and those adjusted by the maxima of the candidates that are no better.

    P. H. Westfall, S. S. Young, "Resampling-based multiple testing", 1993, algorithm 2.8.
    """
    least = observed - _TIE
    pvalues = (1 + (drawn >= least).sum(axis=0)) / (1 + len(drawn))
    order = np.argsort(-observed, kind="stable")
    maxima = np.maximum.accumulate(drawn[:, order[::-1]], axis=1)[:, ::-1]
    steps = (1 + (maxima >= least[order]).sum(axis=0)) / (1 + len(drawn))
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(steps)
    return pvalues, adjusted
