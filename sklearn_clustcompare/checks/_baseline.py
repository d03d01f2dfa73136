"""Comparison of the current result of a clusterer with an accepted one."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._files import locked
from sklearn_clustcompare._parameters import non_negative, share
from sklearn_clustcompare._partition import (
    Labels,
    Reading,
    align_partitions,
    names_of,
    read_labels,
    read_pair,
)
from sklearn_clustcompare._partition.arrays import PartitionLike
from sklearn_clustcompare._rendering import (
    Shown,
    Table,
    number_text,
    number_texts,
    percent_text,
    result_record,
    table_of,
    text_table,
)
from sklearn_clustcompare._table import count
from sklearn_clustcompare.checks._baseline_file import (
    Accepted,
    hash_of,
    numbered,
    pack,
    pack_values,
    read_baselines,
    write_baselines,
)
from sklearn_clustcompare.indices import Index, IndexLike
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.report import (
    ClusterValues,
    cluster_decomposition,
    clustering_comparison_report,
)
from sklearn_clustcompare.report._decomposition import label_texts
from sklearn_clustcompare.report._entities import Members, mixed_clusters, parts_text
from sklearn_clustcompare.significance import PairedComparisonResult
from sklearn_clustcompare.significance._data_errors import read_errors
from sklearn_clustcompare.significance._intervals import interval_of
from sklearn_clustcompare.significance._joint_cells import JointCells, read_groups
from sklearn_clustcompare.significance._paired import compared
from sklearn_clustcompare.significance._sampling_errors import SamplingErrors

_LEVEL = 0.95
_MOST_CLUSTERS = 20
_MOST_CHARACTERS = 60
# For scores of the same labels, written as text and computed by another version of NumPy.
_ROUNDING = 1e-6


@result_record
@dataclass(frozen=True, repr=False)
class BaselineComparison(Shown):
    """Comparison of a new result with the accepted one; made by :meth:`ClusteringBaseline.compare`.

    All parameters are attributes of the same names, which cannot be set. Its text shows what got
    worse: the index, then the clusters of the reference, then the report of the new result.

    Parameters
    ----------
    name : str
        Name of the baseline.
    index : Index
        Record of the index.
    score : float
        Its value for the new labels.
    accepted_score : float
        Its value for the accepted labels, of the same objects.
    difference : float
        By how much the new labels are better; negative if they are worse, for distances as well.
    interval : tuple of float
        Lower and upper end of the confidence interval of the difference, of level 0.95.
    pvalue : float
        Two-sided p-value of no difference.
    tolerance : float
        By how much the new labels may be worse: a difference, or for an index whose range is not
        finite, such as a count, a share of the accepted value.
    message : str
        Message of a test that fails due to it.
    parameters : mapping, default={}
        Parameters of the index.
    coverage : float, default=1.0
        Share of the accepted objects that are in the new labels.

    See Also
    --------
    ClusteringBaseline.compare : Makes it.
    paired_comparison_test : The test.

    Examples
    --------
    >>> from sklearn_clustcompare import get_index
    >>> from sklearn_clustcompare.results import BaselineComparison
    >>> ari = get_index("adjusted_rand_score")
    >>> result = BaselineComparison("iris", ari, 0.5, 0.7, -0.2, (-0.3, -0.1), 0.01, 0.02, "")
    >>> result.is_worse
    True
    """

    name: str
    index: Index
    score: float
    accepted_score: float
    difference: float
    interval: tuple[float, float]
    pvalue: float
    tolerance: float
    message: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    coverage: float = 1.0

    @property
    def is_worse(self) -> bool:
        """Whether the new labels are significantly worse, and by more than the tolerance."""
        unit = 1.0 if self.has_finite_range else abs(self.accepted_score)
        return self.difference < -self.tolerance * unit and self.pvalue < 1 - _LEVEL

    @property
    def has_finite_range(self) -> bool:
        """Whether the index has a lowest and a highest value, unlike counts."""
        return bool(np.isfinite(self.index.properties(**self.parameters)["range"]).all())

    def __str__(self) -> str:
        return self.message

    def _headline(self) -> str:
        verdict = "worse than accepted" if self.is_worse else "not worse than accepted"
        return f"BaselineComparison: {self.name} by {self.index.name}, {verdict}"

    def _shown(self) -> Table:
        low, high = self.interval
        row = {
            "score": self.score,
            "accepted_score": self.accepted_score,
            "difference": self.difference,
            "low": low,
            "high": high,
            "pvalue": self.pvalue,
            "tolerance": self.tolerance,
            "coverage": self.coverage,
        }
        return table_of({name: [value] for name, value in row.items()})


class ClusteringBaseline:
    """A file of accepted results, and comparisons with them.

    The pytest fixture ``clustering_baseline`` and the command ``clustcompare check`` use it.

    Parameters
    ----------
    path : str or path-like
        The file, of JSON; it need not exist before the first result is accepted.
    update : bool, default=False
        Whether :meth:`check` accepts the given labels instead of comparing them.

    See Also
    --------
    assert_clustering : Compares with limits instead.
    check_clusterer : Checks properties, without an accepted result.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn_clustcompare.checks import ClusteringBaseline
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> good, poor = [0, 0, 0, 0, 1, 1, 1, 0] * 10, [0, 0, 1, 0, 1, 1, 0, 0] * 10
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
    ...     baseline.accept("blocks", truth, good)
    ...     comparison = baseline.compare("blocks", truth, poor)
    >>> comparison.is_worse, round(comparison.score, 2), round(comparison.accepted_score, 2)
    (True, 0.05, 0.56)
    """

    def __init__(self, path: str | os.PathLike[str], *, update: bool = False) -> None:
        self.path = Path(path)
        self.update = update

    def check(
        self,
        name: str,
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        ids: Any = None,
        data: ArrayLike | None = None,
        index: IndexLike = "adjusted_rand_score",
        groups: Any = None,
        tolerance: float = 0.02,
        min_coverage: float = 0.9,
        names: tuple[str, str] | None = None,
    ) -> None:
        """Fail if new labels are worse than the accepted ones, or accept them in an update.

        Call it in tests: the message of a failure is the text of the comparison.

        Parameters
        ----------
        name : str
            Name of the baseline.
        labels_true : array-like of shape (n_samples,)
            :term:`Labels` of the :term:`reference`.
        labels_pred : array-like of shape (n_samples,)
            Labels of the :term:`candidate`.
        ids : array-like of shape (n_samples,), default=None
            Ids of the objects, compared as text. With ids the objects may be in another order, and
            only those that are in both results are compared.
        data : array-like of shape (n_samples, n_features), default=None
            The features as they were loaded, to detect that they changed, in any digit. Changes of
            the reference are always detected.
        index : str, callable or Index, default="adjusted_rand_score"
            The :term:`index`: a name (see :func:`list_indices`), its function or a record.
        groups : array-like of shape (n_samples,), default=None
            Sampling unit of each object, if groups of objects were sampled together: entities,
            documents, donors or speakers. None: each object is one. At least 10 groups.
        tolerance : float, default=0.02
            By how much the new labels may be worse: a difference, or for an index whose range is
            not finite, such as a count, a share of the accepted value.
        min_coverage : float, default=0.9
            Smallest share of the accepted objects that must be in the new labels, in [0, 1]; with
            ids, without which the objects must be the same.
        names : tuple of two str, default=None
            Names of the reference and of the candidate; None takes those of pandas Series, else
            those of the arguments.

        Raises
        ------
        AssertionError
            If the new labels are worse, or lack too many of the accepted objects: see
            :meth:`compare`.
        ValueError
            If the file cannot be used or labels are invalid, as for :meth:`compare` and
            :meth:`accept`.

        See Also
        --------
        compare : The same comparison as an object.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn_clustcompare.checks import ClusteringBaseline
        >>> truth, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
        ...     baseline.accept("six", truth, found)
        ...     baseline.check("six", truth, found)
        """
        if self.update:
            self.accept(
                name, labels_true, labels_pred, ids=ids, data=data, index=index, groups=groups
            )
            return
        comparison = self.compare(
            name,
            labels_true,
            labels_pred,
            ids=ids,
            data=data,
            index=index,
            groups=groups,
            tolerance=tolerance,
            min_coverage=min_coverage,
            names=names,
        )
        if comparison.is_worse:
            raise AssertionError(comparison.message)

    def compare(
        self,
        name: str,
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        ids: Any = None,
        data: ArrayLike | None = None,
        index: IndexLike = "adjusted_rand_score",
        groups: Any = None,
        tolerance: float = 0.02,
        min_coverage: float = 0.9,
        names: tuple[str, str] | None = None,
    ) -> BaselineComparison:
        """Compare new labels with the accepted ones, on the same objects.

        The file is read in each call.

        Parameters
        ----------
        name : str
            Name of the baseline.
        labels_true : array-like of shape (n_samples,)
            :term:`Labels` of the :term:`reference`.
        labels_pred : array-like of shape (n_samples,)
            Labels of the :term:`candidate`.
        ids : array-like of shape (n_samples,), default=None
            Ids of the objects, compared as text. With ids the objects may be in another order, and
            only those that are in both results are compared.
        data : array-like of shape (n_samples, n_features), default=None
            The features as they were loaded, to detect that they changed, in any digit. Changes of
            the reference are always detected.
        index : str, callable or Index, default="adjusted_rand_score"
            The :term:`index`: a name (see :func:`list_indices`), its function or a record.
        groups : array-like of shape (n_samples,), default=None
            Sampling unit of each object, if groups of objects were sampled together: entities,
            documents, donors or speakers. None: each object is one. At least 10 groups.
        tolerance : float, default=0.02
            By how much the new labels may be worse: a difference, or for an index whose range is
            not finite, such as a count, a share of the accepted value.
        min_coverage : float, default=0.9
            Smallest share of the accepted objects that must be in the new labels, in [0, 1]; with
            ids, without which the objects must be the same.
        names : tuple of two str, default=None
            Names of the reference and of the candidate; None takes those of pandas Series, else
            those of the arguments.

        Returns
        -------
        BaselineComparison
            With ``is_worse``, which is True if the index is lower by more than the tolerance (for
            distances, higher) and :func:`paired_comparison_test` finds the difference at level
            0.95, and with the message.

        Raises
        ------
        AssertionError
            If a smaller share than ``min_coverage`` of the accepted objects is in the new labels:
            the others show too little.
        ValueError
            If the file is missing, broken or of another version, has no baseline of this name, or
            one of other data or another index; if labels are invalid, or there are fewer than
            10 groups.

        Warns
        -----
        UserWarning
            If the accepted labels were found with another version of scikit-learn; if the numbers
            of clusters differ and the index is not adjusted for chance; if objects are left out.

        See Also
        --------
        check : Raises an error for a worse result.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn_clustcompare.checks import ClusteringBaseline
        >>> truth, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
        ...     baseline.accept("six", truth, found)
        ...     comparison = baseline.compare("six", truth, truth)
        >>> comparison.score, comparison.is_worse
        (1.0, False)
        """
        (found,) = self._compare_each(
            {name: index},
            labels_true,
            labels_pred,
            ids=ids,
            data=data,
            groups=groups,
            tolerance=tolerance,
            min_coverage=min_coverage,
            names=names,
        )
        return found

    def _compare_each(
        self,
        indices: Mapping[str, IndexLike],
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        ids: Any,
        data: ArrayLike | None,
        groups: Any,
        tolerance: float,
        min_coverage: float,
        names: tuple[str, str] | None,
    ) -> list[BaselineComparison]:
        """Compare by several indices, each the one of a baseline of this name.

        The labels without each unit are counted once for all indices.
        """
        non_negative("tolerance", tolerance)
        share("min_coverage", min_coverage)
        titles = names_of(names, labels_true, labels_pred)
        chosen = _chosen(indices)
        given = _read(labels_true, labels_pred, data, ids, groups)
        accepted = {name: self._accepted(name, one.name, given) for name, one in chosen.items()}
        found = {}
        for alike in _with_the_same_labels(accepted):
            where = f"baseline {alike[0]!r} of {self.path}"
            some = {name: chosen[name] for name in alike}
            one = accepted[alike[0]]
            before = read_labels(one.codes(where), f"labels of {where}")
            both, coverage = given, 1.0
            if given.ids is not None:
                rows, old_rows = _common_rows(one, where, given.ids, min_coverage)
                reference = read_labels(one.true_codes(where), "labels_true").take(old_rows)
                both, before = given.take(rows), before.take(old_rows)
                if changed := _changed_pair(both.true, reference):
                    first, second, now = changed
                    pair = f"{given.ids[rows[first]]} and {given.ids[rows[second]]}"
                    msg = (
                        f"{where} is for other reference labels of the same objects, where {pair} "
                        f"are {'not ' if now else ''}in one cluster; if the new ones are right, "
                        "accept the result again"
                    )
                    raise ValueError(msg)
                coverage = len(rows) / one.n_samples
            tests = _tests(both, before, some)
            for name, test in tests.items():
                _warn_of_version(name, accepted[name])
                self._check_score(name, some[name], accepted[name], test, both, before)
            clusters = _clusters_beside(both, before, titles[0])
            report = clustering_comparison_report(both.true, both.pred, names=titles)
            for name, test in tests.items():
                comparison = BaselineComparison(
                    name,
                    some[name].index,
                    test.value_a,
                    test.value_b,
                    test.difference,
                    test.interval,
                    test.pvalue,
                    tolerance,
                    "",
                    some[name].parameters,
                    coverage,
                )
                headline = _headline(comparison, some[name].name, both)
                message = f"{headline}\n\n{clusters}\n\n{report}"
                found[name] = replace(comparison, message=message)
        return [found[name] for name in chosen]

    def _check_score(
        self,
        name: str,
        chosen: Chosen,
        accepted: Accepted,
        test: PairedComparisonResult,
        both: _Given,
        before: Labels,
    ) -> None:
        """Raise ValueError unless the accepted score is that of the accepted labels."""
        score = accepted.score
        if both.ids is not None:  # of the objects in common
            score = chosen.value(count(both.true, before, moments=True))
        if not abs(test.value_b - score) <= _ROUNDING:  # also NaN
            msg = (
                f"baseline {name!r} of {self.path} must have the score of its labels, "
                f"{test.value_b:g}, got {accepted.score:g}; accept the result again"
            )
            raise ValueError(msg)

    @contextmanager
    def _changed(self) -> Iterator[dict[str, Accepted]]:
        """Give all baselines, and write them with their changes while others wait."""
        with locked(self.path, f"the baseline file {self.path}"):
            baselines = read_baselines(self.path) if self.path.exists() else {}
            yield baselines
            write_baselines(self.path, baselines)

    def accept(
        self,
        name: str,
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        ids: Any = None,
        data: ArrayLike | None = None,
        index: IndexLike = "adjusted_rand_score",
        groups: Any = None,
    ) -> None:
        """Write labels to the file as the accepted ones.

        Other baselines in the file are kept, and the file is written as a whole.

        Parameters
        ----------
        name : str
            Name of the baseline.
        labels_true : array-like of shape (n_samples,)
            :term:`Labels` of the :term:`reference`.
        labels_pred : array-like of shape (n_samples,)
            Labels of the :term:`candidate`.
        ids : array-like of shape (n_samples,), default=None
            Ids of the objects, compared as text. With ids the objects may be in another order, and
            only those that are in both results are compared.
        data : array-like of shape (n_samples, n_features), default=None
            The features as they were loaded, to detect that they changed, in any digit. Changes of
            the reference are always detected.
        index : str, callable or Index, default="adjusted_rand_score"
            The :term:`index`: a name (see :func:`list_indices`), its function or a record.
        groups : array-like of shape (n_samples,), default=None
            Sampling unit of each object, if groups of objects were sampled together: entities,
            documents, donors or speakers. None: each object is one. At least 10 groups.

        Raises
        ------
        ValueError
            If the file is broken or of another version, or cannot be written; if labels are
            invalid. The file is then left unchanged.

        See Also
        --------
        compare : Compares others with these.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn_clustcompare.checks import ClusteringBaseline
        >>> truth, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
        ...     baseline.accept("six", truth, found)
        ...     baseline.path.exists()
        True
        """
        self._accept_each(
            {name: index}, labels_true, labels_pred, ids=ids, data=data, groups=groups
        )

    def _accept_each(
        self,
        indices: Mapping[str, IndexLike],
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        ids: Any,
        data: ArrayLike | None,
        groups: Any,
    ) -> None:
        """Accept labels as the baseline of each name, which has its index."""
        chosen = _chosen(indices)
        given = _read(labels_true, labels_pred, data, ids, groups)
        packed = pack(given.pred)
        with_ids: dict[str, Any] = {}
        if given.ids is not None:
            with_ids = {"ids": pack_values(given.ids.tolist()), "labels_true": pack(given.true)}
        scores = _scores_of(given, chosen)
        with self._changed() as baselines:
            for name, one in chosen.items():
                baselines[name] = Accepted(
                    given.data_hash,
                    one.name,
                    *scores[name],
                    given.true.n_objects,
                    sklearn.__version__,
                    packed,
                    **with_ids,
                )

    def _accepted(self, name: str, index: str, given: _Given) -> Accepted:
        baselines = read_baselines(self.path)
        if name not in baselines:
            known = ", ".join(map(repr, baselines)) or "none"
            msg = f"{self.path} must have a baseline {name!r}, got {known}; accept a first result"
            raise ValueError(msg)
        accepted = baselines[name]
        if bool(accepted.ids) != (given.ids is not None):
            has = "has ids: give those of" if accepted.ids else "has no ids: leave out those of"
            msg = f"baseline {name!r} of {self.path} {has} the objects, or accept the result again"
            raise ValueError(msg)
        if given.ids is None and accepted.data_hash != given.data_hash:
            msg = (
                f"baseline {name!r} of {self.path} is for other data: the reference labels or the "
                "features have changed since; accept a result for the new ones"
            )
            raise ValueError(msg)
        if accepted.index != index:
            msg = f"index must be that of baseline {name!r}, {accepted.index}, got {index}"
            raise ValueError(msg)
        return accepted


class _Given(NamedTuple):
    """Labels to compare or to accept, with the ids and the sampling units of the objects."""

    true: Labels
    pred: Labels
    ids: NDArray[np.str_] | None
    units: Labels | None
    data_hash: str

    def take(self, rows: NDArray[np.intp]) -> _Given:
        return self._replace(
            true=self.true.take(rows),
            pred=self.pred.take(rows),
            ids=None if self.ids is None else self.ids[rows],
            units=None if self.units is None else self.units.take(rows),
        )

    @property
    def units_text(self) -> str:
        if self.units is None:
            return f"{self.true.n_objects} objects"
        return f"{len(self.units.compact()[1])} groups"


def _chosen(indices: Mapping[str, IndexLike]) -> dict[str, Chosen]:
    for name in indices:
        if not isinstance(name, str):
            msg = f"name must be a str, got {name!r}"
            raise TypeError(msg)
    return {name: Chosen.of(one, with_data=False) for name, one in indices.items()}


def _read(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    data: ArrayLike | None,
    ids: Any,
    groups: Any,
) -> _Given:
    true, pred = read_pair(labels_true, labels_pred, how=read_labels)
    texts = None if ids is None else np.array([str(one) for one in ids])
    if texts is not None and (len(texts) != true.n_objects or len(set(texts)) < len(texts)):
        msg = (
            f"ids must be different for the {true.n_objects} objects, got {len(texts)}, of which "
            f"{len(set(texts))} are different"
        )
        raise ValueError(msg)
    features = None if data is None else _features(data, texts, true.n_objects)
    return _Given(true, pred, texts, read_groups(groups, true), hash_of(true, features))


def _features(
    data: ArrayLike, texts: NDArray[np.str_] | None, n_objects: int
) -> NDArray[np.float64]:
    if texts is not None:
        msg = "data must be None with ids, which allow other objects"
        raise ValueError(msg)
    try:
        features = np.asarray(data, dtype=np.float64)
    except (ValueError, TypeError):
        msg = f"data must be an array of numbers, got {type(data).__name__}"
        raise ValueError(msg) from None
    if features.ndim != 2 or len(features) != n_objects:
        msg = (
            f"data must have a row for each of the {n_objects} objects, got shape {features.shape}"
        )
        raise ValueError(msg)
    return features


def _changed_pair(new: Labels, old: Labels) -> tuple[int, int, bool] | None:
    """Return two objects that one of two partitions joins, and whether it is the new one."""
    codes = numbered(new), numbered(old)
    changed = codes[0] != codes[1]
    if not changed.any():
        return None
    row = int(changed.argmax())
    # Up to there both have the same numbers: the smaller one was seen before.
    is_new = bool(codes[0][row] < codes[1][row])
    joining = codes[0 if is_new else 1]
    return int((joining == joining[row]).argmax()), row, is_new


def _with_the_same_labels(accepted: Mapping[str, Accepted]) -> list[list[str]]:
    """Return names of baselines, those with the same labels of the same objects together."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, one in accepted.items():
        found.setdefault((one.labels, one.ids, one.labels_true), []).append(name)
    return [*found.values()]


def _tests(
    given: _Given, before: Labels, chosen: Mapping[str, Chosen]
) -> dict[str, PairedComparisonResult]:
    """Compare new with accepted labels as :func:`paired_comparison_test` does."""
    cells, errors = _errors((given.true, given.pred, before), given.units, chosen)
    return {name: compared(cells, one, _LEVEL) for name, one in zip(chosen, errors, strict=True)}


def _scores_of(
    given: _Given, chosen: Mapping[str, Chosen]
) -> dict[str, tuple[float, float, float]]:
    """Return the scores and the ends of their intervals, those of score_interval."""
    cells, errors = _errors((given.true, given.pred), given.units, chosen)
    results = [interval_of(cells, one, _LEVEL) for one in errors]
    return {
        name: (float(one.score), *one.interval) for name, one in zip(chosen, results, strict=True)
    }


def _errors(
    sides: tuple[Labels, ...], units: Labels | None, chosen: Mapping[str, Chosen]
) -> tuple[JointCells, list[SamplingErrors]]:
    return read_errors(
        sides,
        ("labels_true", "labels_pred", "the accepted labels")[: len(sides)],
        tuple(chosen.values()),
        Reading(),
        X=None,
        sample_weight=None,
        groups=units,
        n_resamples=999,
        random_state=0,
        n_jobs=None,
    )


def _common_rows(
    accepted: Accepted, where: str, texts: NDArray[np.str_], min_coverage: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows of the objects that are in both results: of the new and of the old one."""
    old = accepted.id_texts(where)
    rows = np.arange(len(texts)), np.arange(len(old))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that below names the baseline
            aligned = align_partitions(*rows, ids_true=texts, ids_pred=old)
    except ValueError:
        msg = (
            f"ids must be those of the objects of {where}, such as {str(old[0])!r}, got none of "
            f"them, but such as {str(texts[0])!r}"
        )
        raise ValueError(msg) from None
    new_rows, old_rows = (np.asarray(side, dtype=np.intp) for side in aligned.labels)
    n_common, n_all = len(new_rows), len(texts) + len(old) - len(new_rows)
    if n_common < min_coverage * len(old):
        msg = (
            f"{n_common} of the {len(old)} objects of {where} are in the new labels, "
            f"{percent_text(n_common / len(old), 1)}, less than min_coverage, {min_coverage:.3g}: "
            "check that the new labels are complete, or set a lower min_coverage"
        )
        raise AssertionError(msg)
    if n_common < n_all:
        warnings.warn(
            f"{n_common} of {n_all} objects are both in {where} and in the new labels; the "
            "others are left out",
            UserWarning,
            stacklevel=3,
        )
    return new_rows, old_rows


def _warn_of_version(name: str, accepted: Accepted) -> None:
    if accepted.scikit_learn != sklearn.__version__:
        warnings.warn(
            f"baseline {name!r} was accepted with scikit-learn {accepted.scikit_learn}, "
            f"this is {sklearn.__version__}",
            UserWarning,
            stacklevel=3,
        )


# --------------------------------------------------------------------------- text


def _headline(found: BaselineComparison, index: str, both: _Given) -> str:
    low, high = number_texts(found.interval, 3)
    size = number_text(abs(found.difference), 3)
    change = f"{'worse' if found.difference < 0 else 'better'} by {size}"
    units = both.units_text
    if found.coverage < 1:
        units += f", {percent_text(found.coverage, 1)} of the accepted objects"
    of = "" if found.has_finite_range else " of the accepted value"
    return (
        f"{found.name}: {index} {found.score:.3f}, accepted {found.accepted_score:.3f}: "
        f"{change if found.difference else 'no difference'} (95 % interval of the difference "
        f"{low} to {high}, p-value {found.pvalue:.2g}, of {units}; tolerance "
        f"{found.tolerance:g}{of})"
    )


def _clusters_beside(given: _Given, before: Labels, reference: str) -> str:
    """Return a table of the clusters of the reference, those that got worse first."""
    old, new = (_side(given.true, labels) for labels in (before, given.pred))
    change = new.jaccard - old.jaccard
    shown = np.argsort(change, kind="stable")[:_MOST_CLUSTERS]
    names = label_texts(new.labels)
    columns = {
        f"cluster of {reference}": [names[at] for at in shown],
        "size": [f"{new.sizes[at]:g}" for at in shown],
        "accepted": [f"{old.jaccard[at]:.2f}" for at in shown],
        "now": [f"{new.jaccard[at]:.2f}" for at in shown],
        "change": [f"{change[at]:+.2f}" for at in shown],
        "accepted as": old.verdict[shown].tolist(),
        "now as": new.verdict[shown].tolist(),
    }
    if given.ids is not None:
        members = Members.of_objects(given.true, given.pred, given.ids)
        found = mixed_clusters(members, shown)
        columns["objects now"] = [parts_text(one, str, _MOST_CHARACTERS) for one in found]
    more = "" if len(shown) == len(names) else f"\n({len(names) - len(shown)} more)"
    title = "Overlap (Jaccard) of each cluster with its best match, worst change first"
    return f"{title}\n{text_table([*columns], [*zip(*columns.values(), strict=True)])}{more}"


def _side(true: Labels, pred: Labels) -> ClusterValues:
    return cluster_decomposition(count(true, pred)).true
