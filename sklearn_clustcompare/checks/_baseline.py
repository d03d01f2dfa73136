"""Comparison of the current result of a clusterer with an accepted one."""

from __future__ import annotations

import inspect
import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._array_types import FloatArray, Mask, Positions
from sklearn_clustcompare._files import locked
from sklearn_clustcompare._options import Written, documented_as, shortened, tells_keywords
from sklearn_clustcompare._parameters import non_negative, one_of, share
from sklearn_clustcompare._partition import Labels, Reading, names_of, read_labels, read_pair
from sklearn_clustcompare._partition.arrays import MISSING, PartitionLike
from sklearn_clustcompare._rendering import missing_attribute, text_table
from sklearn_clustcompare._table import count
from sklearn_clustcompare.checks._gates import (
    Accepted,
    BaselineComparison,
    Change,
    Limits,
    Partition,
    Records,
    gates_of,
    has_finite_range,
    hash_of,
    hashes,
    numbered,
    pack,
    read_baselines,
    write_baselines,
)
from sklearn_clustcompare.indices import IndexLike
from sklearn_clustcompare.indices._judged import Chosen, chosen_by_name
from sklearn_clustcompare.report import cluster_decomposition, clustering_comparison_report
from sklearn_clustcompare.report._decomposition import label_texts
from sklearn_clustcompare.report._report import Members, mixed_clusters, parts_text
from sklearn_clustcompare.significance._intervals import (
    PairedComparisonResult,
    compared,
    interval_of,
)
from sklearn_clustcompare.significance._resampling import Sample, read_groups
from sklearn_clustcompare.significance._sampling_errors import SamplingErrors, read_errors

P = ParamSpec("P")
T = TypeVar("T")

_LEVEL = 0.95
_MOST_CLUSTERS = 20
_MOST_CHARACTERS = 60
_known_rule = one_of("auto", "difference", "test")
# For scores of the same labels, written as text and computed by another version of NumPy.
_ROUNDING = 1e-6


def _called_like(source: Callable[P, Any]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Give a method the parameters of another one, which it calls, and their texts."""

    def mark(method: Any) -> Any:
        called = [
            one if one.name == "self" else one.replace(annotation=Written(one.annotation))
            for one in inspect.signature(source).parameters.values()
        ]
        method.__signature__ = inspect.signature(method).replace(parameters=called)
        return documented_as(source)(method)

    return mark


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

    if not TYPE_CHECKING:
        __getattr__ = missing_attribute

    @tells_keywords
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
        rule: str = "auto",
        max_new: float = 0.2,
        max_unlabeled: float = 0.05,
        min_coverage: float = 0.9,
        names: tuple[str, str] | None = None,
    ) -> BaselineComparison:
        """Compare new labels with the accepted ones.

        There are three gates. "accepted": the index of the accepted objects, by their new and their
        accepted labels. "all": the index of all new labels against the accepted value, so that
        labels of new objects count as well. "records": the shares of new, lost and unlabeled
        objects. The file is read in each call.

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
        rule : {"auto", "difference", "test"}, default="auto"
            When a loss of the index fails: "difference" if it is larger than the tolerance, which
            suits fixed data, where nothing is sampled; "test" if it is significantly larger, by a
            one-sided test at level 0.025 whose units are the objects or ``groups``, which suits
            objects that change from run to run. "auto" tests if the objects are not the same.
        max_new : float, default=0.2
            Largest share of the labeled objects that may be new, in [0, 1]; with ids, as all
            shares: without ids the objects must be the same.
        max_unlabeled : float, default=0.05
            Largest share of the objects that may have a :term:`missing` label on either side, in
            [0, 1]. They are left out of the index.
        min_coverage : float, default=0.9
            Smallest share of the accepted objects that must be in the new labels, in [0, 1].
        names : tuple of two str, default=None
            Names of the reference and of the candidate; None takes those of pandas Series, else
            those of the arguments.

        Returns
        -------
        BaselineComparison
            With ``gates``, ``passed`` and the message.

        Raises
        ------
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

        Notes
        -----
        The test of the accepted objects is that of :func:`paired_comparison_test`. For all objects
        the variances of the two scores are added, although many objects may be in both: the test
        rather misses a small loss than to fail a good night. Both tests have the level 0.025, so
        that by an index at most 0.05 of the good nights fail. A count, such as ``split_count``, is
        taken for as many objects as were accepted.

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
            names,
            Limits(tolerance, rule, max_new, max_unlabeled, min_coverage)._asdict(),
            ids=ids,
            data=data,
            groups=groups,
        )
        return found

    @tells_keywords
    @_called_like(compare)
    def check(
        self, name: str, labels_true: PartitionLike, labels_pred: PartitionLike, **options: Any
    ) -> None:
        """Fail if new labels are worse than the accepted ones, or accept them in an update.

        Call it in tests: the message of a failure is the text of the comparison.

        Raises
        ------
        AssertionError
            If a gate fails: see :meth:`compare`.
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
            known = inspect.signature(self.accept).parameters
            kept = {one: options[one] for one in options if one in known}
            self.accept(name, labels_true, labels_pred, **kept)
        elif not (found := self.compare(name, labels_true, labels_pred, **options)).passed:
            raise AssertionError(found.message)

    def _compare_each(
        self,
        indices: Mapping[str, IndexLike],
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        names: tuple[str, str] | None,
        given_limits: Mapping[str, Any],
        **of_objects: Any,
    ) -> list[BaselineComparison]:
        """Compare by several indices, each the one of a baseline of this name.

        The labels without each unit are counted once for all indices.
        """
        limits = Limits(**given_limits)
        non_negative("tolerance", limits.tolerance)
        _known_rule("rule", limits.rule)
        for name in ("max_new", "max_unlabeled", "min_coverage"):
            share(name, getattr(limits, name))
        titles = names_of(names, labels_true, labels_pred)
        chosen = _chosen(indices)
        given = _read(labels_true, labels_pred, **of_objects)
        baselines = read_baselines(self.path)
        accepted = {
            name: self._accepted(baselines, name, one.name, given) for name, one in chosen.items()
        }
        found = {}
        for alike in _with_the_same_labels(accepted):
            where = f"baseline {alike[0]!r} of {self.path}"
            some = {name: chosen[name] for name in alike}
            both, before, records = _matched(given, accepted[alike[0]], where)
            tests = _tests(both, before, some)
            for name, test in tests.items():
                _warn_of_version(name, accepted[name])
                self._check_score(name, some[name], accepted[name], test, both, before)
            changes = {name: _change(test, some[name]) for name, test in tests.items()}
            has_others = records.n_common < max(records.n_labeled, records.n_accepted)
            of_all = _of_all(given, some, accepted, records) if has_others else changes
            clusters = _clusters_beside(both, before, titles[0])
            report = partial(clustering_comparison_report, both.true, both.pred, names=titles)
            for name, test in tests.items():
                found[name] = BaselineComparison(
                    name,
                    some[name].index,
                    test.value_a,
                    test.value_b,
                    test.difference,
                    test.interval,
                    test.pvalue,
                    limits.tolerance,
                    of_all[name],
                    records,
                    gates_of(changes[name], of_all[name], records, limits),
                    some[name].parameters,
                    both.units_text,
                    clusters,
                    report,
                )
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

    @tells_keywords
    @documented_as(compare)
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
        **of_objects: Any,
    ) -> None:
        """Accept labels as the baseline of each name, which has its index."""
        chosen = _chosen(indices)
        given = _read(labels_true, labels_pred, **of_objects)
        of_ids = {}
        if given.ids is not None:  # in an order of their own, in which labels are short
            keys = hashes(given.ids)
            order = np.argsort(keys)
            order = order[np.argsort(numbered(given.true.take(order)), kind="stable")]
            of_ids = {
                "ids": pack(keys[order]),
                "example_id": min(given.ids.tolist()),
                "labels_true": pack(numbered(given.true.take(order))),
            }
            given = given.take(order)
        partition = Partition(given.data_hash, pack(numbered(given.pred)), **of_ids)
        scores = _scores_of(given, chosen)
        with self._changed() as baselines:
            for name, one in chosen.items():
                baselines[name] = Accepted(
                    one.name,
                    *scores[name],
                    given.true.n_objects,
                    sklearn.__version__,
                    partition,
                )

    def _accepted(
        self, baselines: dict[str, Accepted], name: str, index: str, given: _Given
    ) -> Accepted:
        if name not in baselines:
            known = ", ".join(map(repr, baselines)) or "none"
            msg = (
                f"{self.path} must have a baseline {name!r}, got {known}; give one of these as "
                "name=, or accept a first result"
            )
            raise ValueError(msg)
        accepted = baselines[name]
        if bool(accepted.partition.ids) != (given.ids is not None):
            has = (
                "has ids: give those of"
                if accepted.partition.ids
                else "has no ids: leave out those of"
            )
            msg = f"baseline {name!r} of {self.path} {has} the objects, or accept the result again"
            raise ValueError(msg)
        if given.ids is None and accepted.partition.data_hash != given.data_hash:
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
    n_unlabeled: int

    def take(self, rows: Positions) -> _Given:
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
            msg = f"name must be a str, got {shortened(name)}"
            raise TypeError(msg)
    return chosen_by_name(indices)


def _read(
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    ids: Any = None,
    data: ArrayLike | None = None,
    groups: Any = None,
) -> _Given:
    reading = Reading() if ids is None else Reading(missing="cluster")
    true, pred = read_pair(labels_true, labels_pred, reading=reading, how=read_labels)
    texts = None if ids is None else np.array([str(one) for one in ids])
    if texts is not None and (len(texts) != true.n_objects or len(set(texts)) < len(texts)):
        msg = (
            f"ids must be different for the {true.n_objects} objects, got {len(texts)}, of which "
            f"{len(set(texts))} are different"
        )
        raise ValueError(msg)
    features = None if data is None else _features(data, texts, true.n_objects)
    units = read_groups(groups, true)
    data_hash = hash_of(true, features) if texts is None else ""
    given = _Given(true, pred, texts, units, data_hash, 0)
    labeled = np.flatnonzero(~(_is_unlabeled(true) | _is_unlabeled(pred)))
    if not len(labeled):
        msg = f"labels must not all be missing, got {true.n_objects} objects without a label"
        raise ValueError(msg)
    return given.take(labeled)._replace(n_unlabeled=true.n_objects - len(labeled))


def _is_unlabeled(labels: Labels) -> Mask:
    compact, _ = labels.compact()
    names = compact.labels_of(np.arange(compact.n_codes))
    return np.array([name is MISSING for name in names.tolist()])[compact.codes]


def _features(data: ArrayLike, texts: NDArray[np.str_] | None, n_objects: int) -> FloatArray:
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
    found: dict[Partition, list[str]] = {}
    for name, one in accepted.items():
        found.setdefault(one.partition, []).append(name)
    return [*found.values()]


def _tests(
    given: _Given, before: Labels, chosen: Mapping[str, Chosen]
) -> dict[str, PairedComparisonResult]:
    """Compare new with accepted labels as :func:`paired_comparison_test` does."""
    cells, errors = _errors((given.true, given.pred, before), given.units, chosen)
    return {name: compared(cells, one, _LEVEL) for name, one in zip(chosen, errors, strict=True)}


def _scores_of(
    given: _Given, chosen: Mapping[str, Chosen]
) -> dict[str, tuple[float, float, float, float]]:
    """Return the scores, their standard errors and intervals, those of score_interval."""
    cells, errors = _errors((given.true, given.pred), given.units, chosen)
    results = [interval_of(cells, one, _LEVEL) for one in errors]
    return {
        name: (float(one.score), one.standard_error, *one.interval)
        for name, one in zip(chosen, results, strict=True)
    }


def _errors(
    sides: tuple[Labels, ...], units: Labels | None, chosen: Mapping[str, Chosen]
) -> tuple[Sample, list[SamplingErrors]]:
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


def _matched(given: _Given, accepted: Accepted, where: str) -> tuple[_Given, Labels, Records]:
    """Return the objects that are in both results, their accepted labels, and the numbers."""
    before = read_labels(accepted.unpacked("labels", where), f"labels of {where}")
    n_given = given.true.n_objects + given.n_unlabeled
    n_common = n_accepted = before.n_objects
    both = given
    if given.ids is not None:
        rows, old_rows = _common_rows(accepted, where, given.ids)
        codes = accepted.unpacked("labels_true", where)[old_rows]
        reference = read_labels(codes, "labels_true")
        both, before, n_common = given.take(rows), before.take(old_rows), len(rows)
        if changed := _changed_pair(both.true, reference):
            first, second, now = changed
            pair = f"{given.ids[rows[first]]} and {given.ids[rows[second]]}"
            msg = (
                f"{where} is for other reference labels of the same objects, where {pair} "
                f"are {'not ' if now else ''}in one cluster; if the new ones are right, "
                "accept the result again"
            )
            raise ValueError(msg)
    return both, before, Records(n_given, given.n_unlabeled, n_common, n_accepted, where)


def _common_rows(
    accepted: Accepted, where: str, texts: NDArray[np.str_]
) -> tuple[Positions, Positions]:
    """Return the rows of the objects that are in both results: of the new and of the old one."""
    new, old = hashes(texts), accepted.unpacked("ids", where)
    _, rows, old_rows = np.intersect1d(new, old, assume_unique=True, return_indices=True)
    if not len(rows):
        msg = (
            f"ids must be those of the objects of {where}, such as "
            f"{accepted.partition.example_id!r}, got none of them, but such as "
            f"{str(texts[0])!r}"
        )
        raise ValueError(msg)
    order = np.argsort(rows)
    rows, old_rows = rows[order], old_rows[order]
    n_common, n_all = len(rows), len(new) + len(old) - len(rows)
    if n_common < n_all:
        warnings.warn(
            f"{n_common} of {n_all} objects are both in {where} and in the new labels; the "
            "others are left out of the paired comparison",
            UserWarning,
            stacklevel=4,
        )
    return rows, old_rows


def _change(test: PairedComparisonResult, chosen: Chosen) -> Change:
    unit = _unit(chosen, test.value_b)
    return Change(test.value_a, test.difference, test.standard_error, unit)


def _unit(chosen: Chosen, accepted_score: float) -> float:
    return 1.0 if has_finite_range(chosen.index, chosen.parameters) else abs(accepted_score)


def _of_all(
    given: _Given,
    chosen: Mapping[str, Chosen],
    accepted: Mapping[str, Accepted],
    records: Records,
) -> dict[str, Change]:
    """Compare the scores of all new labels with the accepted ones."""
    _, found = _errors((given.true, given.pred), given.units, chosen)
    changes = {}
    for (name, one), errors in zip(chosen.items(), found, strict=True):
        before, index = accepted[name], one.index
        of_counts = index.sampling == "counts"
        factor = records.n_accepted / records.n_labeled if of_counts else 1.0
        score = float(errors.check_finite().values[0])
        difference = factor * score - before.score
        error = math.hypot(factor * float(errors.standard_errors[0]), before.standard_error)
        changes[name] = Change(
            score,
            index.sign * difference,
            error,
            _unit(one, before.score),
        )
    return changes


def _warn_of_version(name: str, accepted: Accepted) -> None:
    if accepted.scikit_learn != sklearn.__version__:
        warnings.warn(
            f"baseline {name!r} was accepted with scikit-learn {accepted.scikit_learn}, "
            f"this is {sklearn.__version__}",
            UserWarning,
            stacklevel=3,
        )


# --------------------------------------------------------------------------- text


def _clusters_beside(given: _Given, before: Labels, reference: str) -> str:
    """Return a table of the clusters of the reference, those that got worse first."""
    both = (before, given.pred)
    old, new = (cluster_decomposition(count(given.true, labels)).true for labels in both)
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
