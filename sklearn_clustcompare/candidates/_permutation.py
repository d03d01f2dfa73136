"""Tests of many candidates at once, against one reference whose objects are permuted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._chance.draws import drawn_values
from sklearn_clustcompare._chance.groups import GroupedModel
from sklearn_clustcompare._chance.permuted_objects import PermutedObjects
from sklearn_clustcompare._partition import Labels, Partition, Reading
from sklearn_clustcompare._partition.arrays import check_whole_weights
from sklearn_clustcompare._partition.reading import Naming
from sklearn_clustcompare._rendering import Shown, Table, result_record, table_of
from sklearn_clustcompare._table import ContingencyTable, count_read
from sklearn_clustcompare.indices import Index, preferred
from sklearn_clustcompare.indices._moments import (
    Agreement,
    null_moments,
    with_deviation,
)

# Standardized values that are closer are ties.
_TIE = 1e-9


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class CandidatePermutationTest(Shown):
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
    scores: NDArray[np.float64]
    standardized: NDArray[np.float64]
    pvalues: NDArray[np.float64]
    pvalue_adjusted: NDArray[np.float64]
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

    def _shown(self) -> Table:
        return table_of({"candidate": self.names, **self._columns()})

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per candidate.

        Join it with that of :meth:`CandidateScores.to_frame`; pandas has to be installed.

        Returns
        -------
        pandas.DataFrame
            Indexed by the names; columns are ``score``, ``standardized``, ``pvalue`` and
            ``pvalue_adjusted``.

        See Also
        --------
        CandidateScores.to_frame : The scores.

        Examples
        --------
        >>> from sklearn_clustcompare import score_candidates
        >>> result = score_candidates([0, 0, 1, 1], [[0, 0, 1, 1]], indices="rand_score")
        >>> result.permutation_test(n_resamples=99).to_frame().columns.tolist()
        ['score', 'standardized', 'pvalue', 'pvalue_adjusted']
        """
        import pandas as pd

        index = pd.Index(self.names, name="candidate", tupleize_cols=False)
        return pd.DataFrame(self._columns(), index=index)


class KeptPartitions(NamedTuple):
    """What was compared: the reference, the candidates as given, and the weights of the objects.

    Candidates are names and values, or None if they have no score.
    """

    reference: Partition
    candidates: list[tuple[Any, Any] | None]
    naming: Naming
    weights: NDArray[Any] | None
    reading: Reading
    groups: Labels | None = None


class _PermutedGroups(NamedTuple):
    """Tables of all candidates with a reference whose groups are permuted whole."""

    model: GroupedModel
    candidates: list[Partition]

    @classmethod
    def of(
        cls,
        kept: KeptPartitions,
        groups: Labels,
        candidates: list[Partition],
        table: ContingencyTable,
        *,
        moments: bool,
    ) -> _PermutedGroups:
        """Leave out objects of weight 0; raise ValueError if groups cannot be permuted."""
        reference, weights = kept.reference, kept.weights
        weights = np.ones(reference.n_objects, np.int64) if weights is None else weights
        rows = np.flatnonzero(weights)
        side = reference.take(rows)
        model = GroupedModel.of(
            table, (side, side), groups.take(rows), weights[rows], kept.reading,
            draws_moments=moments,
        )  # fmt: skip
        if model.members is None:
            msg = (
                "groups must be of equal size, or the labels of the reference constant within "
                "groups, to be permuted whole with all candidates; test one by permutation_test"
            )
            raise ValueError(msg)
        return cls(model, [one.take(rows) for one in candidates])

    def draw(self, size: int, seed: int) -> Iterator[list[ContingencyTable]]:
        for order in self.model.orders(size, seed):
            side = self.model.sides[0].take(order)
            yield [self.model.table_of([side, one], self.model.weights) for one in self.candidates]


class _PermutedReference(NamedTuple):
    """Agreement of all candidates with a reference whose objects are permuted."""

    objects: PermutedObjects | _PermutedGroups
    orders: list[Agreement]

    def draw(self, size: int, seed: int) -> NDArray[np.float64]:
        drawn = self.objects.draw(size, seed)
        return np.array([self.agreements(tables) for tables in drawn], np.float64)

    def agreements(self, tables: list[ContingencyTable]) -> list[float]:
        return [order(table) for order, table in zip(self.orders, tables, strict=True)]


def permute_reference(
    kept: KeptPartitions,
    index: Index,
    parameters: dict[str, Any],
    names: list[Any],
    scores: NDArray[np.float64],
    *,
    n_resamples: int,
    random_state: Any,
    n_jobs: int | None,
    verbose: Any,
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
        moments = null_moments(index, table, **parameters)
        orders.append(Agreement.of(index, parameters, moments))
        moments = with_deviation(moments) if is_fixed and kept.groups is None else None
        known.append(None if moments is None else moments.standardized)
    objects: PermutedObjects | _PermutedGroups = PermutedObjects.of(
        reference, candidates, weights, kept.reading, moments=index.moments
    )
    if kept.groups is not None:
        objects = _PermutedGroups.of(
            kept, kept.groups, candidates, tables[0], moments=index.moments
        )
    source = _PermutedReference(objects, orders)
    observed = np.array(source.agreements(tables), np.float64)
    drawn = drawn_values(
        source, n_resamples, random_state, n_jobs, prefer=preferred(index), verbose=verbose
    )
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
    exact = [
        found if far is None else (far if index.greater_is_better else -far)
        for far, found in zip(known, standardized[0], strict=True)
    ]
    return CandidatePermutationTest(
        index,
        parameters,
        names,
        scores,
        np.array(exact, np.float64),
        pvalues,
        adjusted,
        n_resamples,
    )


def step_down(
    observed: NDArray[np.float64], drawn: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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
