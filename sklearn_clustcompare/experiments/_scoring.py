"""Scores of partitions of many data sets, as the rows of one table."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._parameters import one_of, probability, raise_or_number
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare.candidates import score_candidates
from sklearn_clustcompare.experiments._result import BenchmarkResult
from sklearn_clustcompare.indices._chosen import Chosen, choose
from sklearn_clustcompare.significance._resampling import several_resamples


class Case(NamedTuple):
    """A partition and the reference with which it is compared."""

    dataset: str
    estimator: str
    repeat: int
    reference: str
    labels_true: Any
    labels: Any
    seconds: float
    error: str | None
    X: Any = None

    @property
    def title(self) -> str:
        return f"{self.estimator!r} on {self.dataset!r}"


class Scored(NamedTuple):
    """Values with their intervals by index, or the error."""

    values: list[float]
    intervals: list[tuple[float, float]]
    n_clusters: int
    coverage: float
    error: str | None = None


class Scoring(NamedTuple):
    """How partitions are scored."""

    chosen: tuple[Chosen, ...]
    references: str
    reading: Reading
    confidence_level: float | None
    n_resamples: int
    error_score: float | str

    @classmethod
    def read(cls, indices: Any, params: Mapping[str, Any], **options: Any) -> Scoring:
        """Check what all functions have in common."""
        scoring = cls(choose(indices, params, "indices", with_data=True), **options)
        one_of("max", "mean")("references", scoring.references)
        if scoring.confidence_level is not None:
            probability("confidence_level", scoring.confidence_level)
        several_resamples("n_resamples", scoring.n_resamples)
        raise_or_number("error_score", scoring.error_score)
        return scoring

    @property
    def compares(self) -> bool:
        """Whether an index needs a reference."""
        return not all(one.index.needs_data for one in self.chosen)

    @property
    def judges(self) -> bool:
        """Whether an index needs the data."""
        return any(one.index.needs_data for one in self.chosen)

    def tasks(self, cases: list[Case], entropy: int) -> list[tuple[Any, ...]]:
        return [
            (
                self,
                case,
                seed_of_names(
                    [entropy, case.repeat], [case.dataset, case.estimator, case.reference]
                ),
            )
            for case in cases
        ]

    def failed(self, error: str) -> Scored:
        if isinstance(self.error_score, str):
            raise ValueError(error)
        return Scored(
            [self.error_score] * len(self.chosen),
            [(math.nan, math.nan)] * len(self.chosen),
            0,
            0.0,
            error,
        )

    def result(
        self, cases: list[Case], found: list[Scored], datasets: list[str], estimators: list[str]
    ) -> BenchmarkResult:
        """Write the table; warnings name the caller of the caller."""
        self._warn_of_failures(cases, found)
        records = [
            {
                "dataset": case.dataset,
                "estimator": case.estimator,
                "repeat": case.repeat,
                "reference": case.reference,
                "index": one.name,
                "value": value,
                "low": low,
                "high": high,
                "n_clusters": scored.n_clusters,
                "coverage": scored.coverage,
                "seconds": case.seconds,
                "error": scored.error,
            }
            for case, scored in zip(cases, found, strict=True)
            for one, value, (low, high) in zip(
                self.chosen, scored.values, scored.intervals, strict=True
            )
        ]
        return BenchmarkResult(
            records,
            datasets,
            estimators,
            {one.name: one.index for one in self.chosen},
            {one.name: dict(one.parameters) for one in self.chosen},
            self.references,
            self.confidence_level,
        )

    def _warn_of_failures(self, cases: list[Case], found: list[Scored]) -> None:
        failures = {
            case.title: scored.error
            for case, scored in zip(cases, found, strict=True)
            if scored.error is not None
        }
        if failures:
            warnings.warn(
                f"{len(failures)} of {len({case.title for case in cases})} results failed, their "
                f"scores are set to {self.error_score}: {', '.join(failures)}. The first error: "
                f"{next(iter(failures.values()))}",
                UserWarning,
                stacklevel=4,
            )


def seed_of_names(numbers: list[int], names: list[str]) -> int:
    """Return a seed that does not depend on what else is computed."""
    lengths = [len(name) for name in names[:-1]]
    sequence = np.random.SeedSequence([*numbers, *lengths, *"".join(names).encode()])
    return int(sequence.generate_state(1)[0])


def described(error: Exception) -> str:
    """Write an error as it is kept in the table."""
    return f"{type(error).__name__}: {error}"


def score(scoring: Scoring, case: Case, seed: int) -> Scored:
    """Score one partition; an error becomes part of the result, unless it is to be raised."""
    if case.error is not None:
        return scoring.failed(case.error)
    try:
        scores = score_candidates(
            case.labels_true if scoring.compares else None,
            {case.estimator: case.labels},
            indices={one.name: (one.index, one.parameters) for one in scoring.chosen},
            X=case.X if scoring.judges else None,
            **scoring.reading.keywords,
            confidence_level=scoring.confidence_level,
            n_resamples=scoring.n_resamples,
            random_state=seed,
            n_jobs=1,
        )
    except Exception as error:
        if isinstance(scoring.error_score, str):
            error.add_note(f"Raised in scoring {case.title}.")
            raise
        return scoring.failed(described(error))
    nothing = np.full((1, 2), math.nan)
    return Scored(
        [float(scores.scores[one.name][0]) for one in scoring.chosen],
        [tuple(scores.intervals.get(one.name, nothing)[0].tolist()) for one in scoring.chosen],
        int(scores.n_clusters[0]),
        float(scores.coverage[0]),
    )
