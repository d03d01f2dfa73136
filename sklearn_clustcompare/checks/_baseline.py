"""Comparison of the current result of a clusterer with an accepted one."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._files import locked
from sklearn_clustcompare._parameters import non_negative
from sklearn_clustcompare._partition import Labels, align_partitions, read_labels, read_pair
from sklearn_clustcompare._partition.options import PartitionLike
from sklearn_clustcompare._rendering import (
    Shown,
    Table,
    number_text,
    result_record,
    table_of,
    text_table,
)
from sklearn_clustcompare._table import count
from sklearn_clustcompare.checks._baseline_file import (
    Accepted,
    Run,
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
from sklearn_clustcompare.report._cluster_rows import label_texts
from sklearn_clustcompare.significance import (
    PairedComparisonResult,
    paired_comparison_test,
    score_interval,
)

_LEVEL = 0.95
_MOST_CLUSTERS = 20
_MOST_RUNS = 60
_HEIGHTS = "▁▂▃▄▅▆▇█"
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
        By how much the new labels may be worse.
    message : str
        Message of a test that fails due to it.
    history : tuple, default=()
        Runs with this name, the last one at the end: date and time, score, lower and upper end of
        its interval of level 0.95. Empty without a history.
    parameters : mapping, default={}
        Parameters of the index.

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
    history: tuple[Run, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def history_line(self) -> str:
        """The scores of the last 60 runs as a line, between the lowest and the highest one."""
        runs = self.history[-_MOST_RUNS:]
        scores = [score for _, score, _, _ in runs]
        if not scores:
            return ""
        low, high = min(scores), max(scores)
        step = (high - low) / (len(_HEIGHTS) - 1) or 1.0
        line = "".join(_HEIGHTS[round((score - low) / step)] for score in scores)
        _, score, lower, upper = runs[-1]
        return (
            f"{self.name}, {len(runs)} runs from {runs[0][0][:10]} to {runs[-1][0][:10]}: {line} "
            f"from {low:.3f} to {high:.3f}, the last {score:.3f} "
            f"(95 % interval {lower:.3f} to {upper:.3f})"
        )

    @property
    def is_worse(self) -> bool:
        """Whether the new labels are significantly worse, and by more than the tolerance."""
        return self.difference < -self.tolerance and self.pvalue < 1 - _LEVEL

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
    history : bool, default=False
        Whether each comparison and each accepted result is added to the history in the file, as
        for a job that runs every night.

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

    def __init__(
        self, path: str | os.PathLike[str], *, update: bool = False, history: bool = False
    ) -> None:
        self.path = Path(path)
        self.update = update
        self.history = history

    def check(
        self,
        name: str,
        labels_true: PartitionLike,
        labels_pred: PartitionLike,
        *,
        ids: Any = None,
        data: ArrayLike | None = None,
        index: IndexLike = "adjusted_rand_score",
        tolerance: float = 0.02,
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
        tolerance : float, default=0.02
            By how much the new labels may be worse.

        Raises
        ------
        AssertionError
            If the new labels are worse: see :meth:`compare`.
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
            self.accept(name, labels_true, labels_pred, ids=ids, data=data, index=index)
            return
        comparison = self.compare(
            name, labels_true, labels_pred, ids=ids, data=data, index=index, tolerance=tolerance
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
        tolerance: float = 0.02,
    ) -> BaselineComparison:
        """Compare new labels with the accepted ones, on the same objects.

        The file is read in each call, and written if there is a history.

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
        tolerance : float, default=0.02
            By how much the new labels may be worse.

        Returns
        -------
        BaselineComparison
            With ``is_worse``, which is True if the index is lower by more than the tolerance (for
            distances, higher) and :func:`paired_comparison_test` finds the difference at level
            0.95, and with the message.

        Raises
        ------
        ValueError
            If the file is missing, broken or of another version, has no baseline of this name, or
            one of other data or another index; if labels are invalid.

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
        non_negative("tolerance", tolerance)
        chosen = Chosen.of(index, with_data=False)
        true, pred, features, texts = _read(name, labels_true, labels_pred, data, ids)
        accepted = self._accepted(name, chosen.name, hash_of(true, features), texts)
        where = f"baseline {name!r} of {self.path}"
        before = read_labels(accepted.codes(where), f"labels of {where}")
        _warn_of_version(name, accepted)
        accepted_score = accepted.score
        if texts is not None:
            true, pred, before = _on_common_objects(accepted, where, texts, true, pred, before)
            accepted_score = chosen.value(count(true, before, moments=True))
        test = paired_comparison_test(
            true,
            pred,
            before,
            index=chosen.index,
            confidence_level=_LEVEL,
            random_state=0,
            **chosen.parameters,
        )
        if not abs(test.value_b - accepted_score) <= _ROUNDING:  # also NaN
            msg = (
                f"{where} must have the score of its labels, {test.value_b:g}, "
                f"got {accepted.score:g}; accept the result again"
            )
            raise ValueError(msg)
        headline = _headline(name, chosen.name, test, tolerance)
        clusters = _clusters_beside(true, before, pred)
        report = clustering_comparison_report(true, pred)
        return BaselineComparison(
            name,
            chosen.index,
            test.value_a,
            test.value_b,
            test.difference,
            test.interval,
            test.pvalue,
            tolerance,
            f"{headline}\n\n{clusters}\n\n{report}",
            self._recorded(name, _run_of(true, pred, chosen)) if self.history else (),
            chosen.parameters,
        )

    def _recorded(self, name: str, run: Run) -> tuple[Run, ...]:
        """Add a run to the history, and return this."""
        with self._changed() as baselines:
            history = [*baselines[name].history, run]
            baselines[name] = replace(baselines[name], history=history)
        return tuple(history)

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
        chosen = Chosen.of(index, with_data=False)
        true, pred, features, texts = _read(name, labels_true, labels_pred, data, ids)
        run = _run_of(true, pred, chosen)
        _, score, low, high = run
        accepted = Accepted(
            hash_of(true, features),
            chosen.name,
            score,
            low,
            high,
            true.n_objects,
            sklearn.__version__,
            pack(pred),
        )
        if texts is not None:
            accepted = replace(accepted, ids=pack_values(texts.tolist()), labels_true=pack(true))
        with self._changed() as baselines:
            history = baselines[name].history if name in baselines else []
            added = [run] if self.history else []
            baselines[name] = replace(accepted, history=[*history, *added])

    def _accepted(
        self, name: str, index: str, data_hash: str, texts: NDArray[np.str_] | None
    ) -> Accepted:
        baselines = read_baselines(self.path)
        if name not in baselines:
            known = ", ".join(map(repr, baselines)) or "none"
            msg = f"{self.path} must have a baseline {name!r}, got {known}; accept a first result"
            raise ValueError(msg)
        accepted = baselines[name]
        if bool(accepted.ids) != (texts is not None):
            has = "has ids: give those of" if accepted.ids else "has no ids: leave out those of"
            msg = f"baseline {name!r} of {self.path} {has} the objects, or accept the result again"
            raise ValueError(msg)
        if texts is None and accepted.data_hash != data_hash:
            msg = (
                f"baseline {name!r} of {self.path} is for other data: the reference labels or the "
                "features have changed since; accept a result for the new ones"
            )
            raise ValueError(msg)
        if accepted.index != index:
            msg = f"index must be that of baseline {name!r}, {accepted.index}, got {index}"
            raise ValueError(msg)
        return accepted


def _read(
    name: Any,
    labels_true: PartitionLike,
    labels_pred: PartitionLike,
    data: ArrayLike | None,
    ids: Any,
) -> tuple[Labels, Labels, NDArray[np.float64] | None, NDArray[np.str_] | None]:
    if not isinstance(name, str):
        msg = f"name must be a str, got {name!r}"
        raise TypeError(msg)
    true, pred = read_pair(labels_true, labels_pred, how=read_labels)
    texts = None if ids is None else np.array([str(one) for one in ids])
    if texts is not None and (len(texts) != true.n_objects or len(set(texts)) < len(texts)):
        msg = (
            f"ids must be different for the {true.n_objects} objects, got {len(texts)}, of which "
            f"{len(set(texts))} are different"
        )
        raise ValueError(msg)
    if data is None:
        return true, pred, None, texts
    if texts is not None:
        msg = "data must be None with ids, which allow other objects"
        raise ValueError(msg)
    try:
        features = np.asarray(data, dtype=np.float64)
    except (ValueError, TypeError):
        msg = f"data must be an array of numbers, got {type(data).__name__}"
        raise ValueError(msg) from None
    if features.ndim != 2 or len(features) != true.n_objects:
        msg = (
            f"data must have a row for each of the {true.n_objects} objects, "
            f"got shape {features.shape}"
        )
        raise ValueError(msg)
    return true, pred, features, None


def _run_of(true: Labels, pred: Labels, chosen: Chosen) -> Run:
    """Return the time, the score and the ends of its interval."""
    result = score_interval(
        true,
        pred,
        index=chosen.index,
        confidence_level=_LEVEL,
        random_state=0,
        **chosen.parameters,
    )
    low, high = result.interval
    return (
        datetime.now(UTC).isoformat(timespec="seconds"),
        float(result.score),
        float(low),
        float(high),
    )


def _on_common_objects(
    accepted: Accepted,
    where: str,
    texts: NDArray[np.str_],
    true: Labels,
    pred: Labels,
    before: Labels,
) -> tuple[Labels, Labels, Labels]:
    """Return reference, new and accepted labels of the objects that are in both results."""
    old = accepted.id_texts(where)
    rows = np.arange(len(texts)), np.arange(len(old))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that below names the baseline
            aligned = align_partitions(*rows, ids_true=texts, ids_pred=old)
    except ValueError:
        msg = f"{where} must have objects in common with ids, got none; accept the result again"
        raise ValueError(msg) from None
    new_rows, old_rows = (np.asarray(side, dtype=np.intp) for side in aligned.labels)
    n_all = len(texts) + len(old) - len(new_rows)
    if len(new_rows) < n_all:
        warnings.warn(
            f"{len(new_rows)} of {n_all} objects are both in {where} and in the new labels; the "
            "others are left out",
            UserWarning,
            stacklevel=3,
        )
    true = true.take(new_rows)
    reference = read_labels(accepted.true_codes(where), "labels_true").take(old_rows)
    if not np.array_equal(numbered(true), numbered(reference)):
        msg = f"{where} is for other reference labels of the same objects; accept the result again"
        raise ValueError(msg)
    return true, pred.take(new_rows), before.take(old_rows)


def _warn_of_version(name: str, accepted: Accepted) -> None:
    if accepted.scikit_learn != sklearn.__version__:
        warnings.warn(
            f"baseline {name!r} was accepted with scikit-learn {accepted.scikit_learn}, "
            f"this is {sklearn.__version__}",
            UserWarning,
            stacklevel=3,
        )


# --------------------------------------------------------------------------- text


def _headline(name: str, index: str, test: PairedComparisonResult, tolerance: float) -> str:
    low, high = test.interval
    size = number_text(abs(test.difference), 3)
    change = f"{'worse' if test.difference < 0 else 'better'} by {size}"
    return (
        f"{name}: {index} {test.value_a:.3f}, accepted {test.value_b:.3f}: "
        f"{change if test.difference else 'no difference'} (95 % interval of the difference "
        f"{low:.3f} to {high:.3f}, p-value {test.pvalue:.2g}, tolerance {tolerance:g})"
    )


def _clusters_beside(true: Labels, before: Labels, now: Labels) -> str:
    """Return a table of the clusters of the reference, those that got worse first."""
    old, new = (_side(true, labels) for labels in (before, now))
    change = new.jaccard - old.jaccard
    shown = np.argsort(change, kind="stable")[:_MOST_CLUSTERS]
    header = ["cluster of labels_true", "size", "accepted", "now", "change", "accepted as", "now"]
    names = label_texts(new.labels)
    rows = [
        [
            names[at],
            f"{new.sizes[at]:g}",
            f"{old.jaccard[at]:.2f}",
            f"{new.jaccard[at]:.2f}",
            f"{change[at]:+.2f}",
            str(old.verdict[at]),
            str(new.verdict[at]),
        ]
        for at in shown.tolist()
    ]
    more = "" if len(shown) == len(names) else f"\n({len(names) - len(shown)} more)"
    title = "Overlap (Jaccard) of each cluster with its best match, worst change first"
    return f"{title}\n{text_table(header, rows)}{more}"


def _side(true: Labels, pred: Labels) -> ClusterValues:
    return cluster_decomposition(count(true, pred)).true
