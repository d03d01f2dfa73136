"""Comparison of the current result of a clusterer with an accepted one."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._parameters import non_negative
from sklearn_clustcompare._partition import Labels, read_labels, read_pair
from sklearn_clustcompare._rendering import Shown, Table, number_text, table_of, text_table
from sklearn_clustcompare._table import count
from sklearn_clustcompare.checks._baseline_file import (
    Accepted,
    hash_of,
    pack,
    read_baselines,
    write_baselines,
)
from sklearn_clustcompare.indices import Index, reference_index
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
# For scores of the same labels, written as text and computed by another version of NumPy.
_ROUNDING = 1e-6


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

    See Also
    --------
    ClusteringBaseline.compare : Makes it.
    paired_comparison_test : The test.

    Examples
    --------
    >>> from sklearn_clustcompare import BaselineComparison, get_index
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

    See Also
    --------
    assert_clustering : Compares with limits instead.
    check_clusterer : Checks properties, without an accepted result.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn_clustcompare import ClusteringBaseline
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
        labels_true: Any,
        labels_pred: Any,
        *,
        data: ArrayLike | None = None,
        index: str | Index = "adjusted_rand_score",
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
        data : array-like of shape (n_samples, n_features), default=None
            The features as they were loaded, to detect that they changed, in any digit. Changes of
            the reference are always detected.
        index : str or Index, default="adjusted_rand_score"
            The :term:`index`, by its name (see :func:`list_indices`) or as your own record.
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
        >>> from sklearn_clustcompare import ClusteringBaseline
        >>> truth, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
        ...     baseline.accept("six", truth, found)
        ...     baseline.check("six", truth, found)
        """
        if self.update:
            self.accept(name, labels_true, labels_pred, data=data, index=index)
            return
        comparison = self.compare(
            name, labels_true, labels_pred, data=data, index=index, tolerance=tolerance
        )
        if comparison.is_worse:
            raise AssertionError(comparison.message)

    def compare(
        self,
        name: str,
        labels_true: Any,
        labels_pred: Any,
        *,
        data: ArrayLike | None = None,
        index: str | Index = "adjusted_rand_score",
        tolerance: float = 0.02,
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
        data : array-like of shape (n_samples, n_features), default=None
            The features as they were loaded, to detect that they changed, in any digit. Changes of
            the reference are always detected.
        index : str or Index, default="adjusted_rand_score"
            The :term:`index`, by its name (see :func:`list_indices`) or as your own record.
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
            of clusters differ and the index is not adjusted for chance.

        See Also
        --------
        check : Raises an error for a worse result.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn_clustcompare import ClusteringBaseline
        >>> truth, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
        ...     baseline.accept("six", truth, found)
        ...     comparison = baseline.compare("six", truth, truth)
        >>> comparison.score, comparison.is_worse
        (1.0, False)
        """
        non_negative("tolerance", tolerance)
        record = reference_index(index)
        true, pred, features = _read(name, labels_true, labels_pred, data)
        accepted = self._accepted(name, record, hash_of(true, features))
        where = f"baseline {name!r} of {self.path}"
        before = read_labels(accepted.codes(where), f"labels of {where}")
        _warn_of_version(name, accepted)
        test = paired_comparison_test(
            true, pred, before, index=record, confidence_level=_LEVEL, random_state=0
        )
        if not abs(test.value_b - accepted.score) <= _ROUNDING:  # also NaN
            msg = (
                f"{where} must have the score of its labels, {test.value_b:g}, "
                f"got {accepted.score:g}; accept the result again"
            )
            raise ValueError(msg)
        headline = _headline(name, record, test, tolerance)
        clusters = _clusters_beside(true, before, pred)
        report = clustering_comparison_report(true, pred)
        return BaselineComparison(
            name,
            record,
            test.value_a,
            test.value_b,
            test.difference,
            test.interval,
            test.pvalue,
            tolerance,
            f"{headline}\n\n{clusters}\n\n{report}",
        )

    def accept(
        self,
        name: str,
        labels_true: Any,
        labels_pred: Any,
        *,
        data: ArrayLike | None = None,
        index: str | Index = "adjusted_rand_score",
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
        data : array-like of shape (n_samples, n_features), default=None
            The features as they were loaded, to detect that they changed, in any digit. Changes of
            the reference are always detected.
        index : str or Index, default="adjusted_rand_score"
            The :term:`index`, by its name (see :func:`list_indices`) or as your own record.

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
        >>> from sklearn_clustcompare import ClusteringBaseline
        >>> truth, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
        ...     baseline.accept("six", truth, found)
        ...     baseline.path.exists()
        True
        """
        record = reference_index(index)
        true, pred, features = _read(name, labels_true, labels_pred, data)
        result = score_interval(true, pred, index=record, confidence_level=_LEVEL, random_state=0)
        low, high = result.interval
        baselines = read_baselines(self.path) if self.path.exists() else {}
        baselines[name] = Accepted(
            hash_of(true, features),
            record.name,
            result.score,
            low,
            high,
            true.n_objects,
            sklearn.__version__,
            pack(pred),
        )
        write_baselines(self.path, baselines)

    def _accepted(self, name: str, index: Index, data_hash: str) -> Accepted:
        baselines = read_baselines(self.path)
        if name not in baselines:
            known = ", ".join(map(repr, baselines)) or "none"
            msg = f"{self.path} must have a baseline {name!r}, got {known}; accept a first result"
            raise ValueError(msg)
        accepted = baselines[name]
        if accepted.data_hash != data_hash:
            msg = (
                f"baseline {name!r} of {self.path} is for other data: the reference labels or the "
                "features have changed since; accept a result for the new ones"
            )
            raise ValueError(msg)
        if accepted.index != index.name:
            msg = f"index must be that of baseline {name!r}, {accepted.index}, got {index.name}"
            raise ValueError(msg)
        return accepted


def _read(
    name: Any, labels_true: Any, labels_pred: Any, data: ArrayLike | None
) -> tuple[Labels, Labels, NDArray[np.float64] | None]:
    if not isinstance(name, str):
        msg = f"name must be a str, got {name!r}"
        raise TypeError(msg)
    true, pred = read_pair(labels_true, labels_pred, how=read_labels)
    if data is None:
        return true, pred, None
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
    return true, pred, features


def _warn_of_version(name: str, accepted: Accepted) -> None:
    if accepted.scikit_learn != sklearn.__version__:
        warnings.warn(
            f"baseline {name!r} was accepted with scikit-learn {accepted.scikit_learn}, "
            f"this is {sklearn.__version__}",
            UserWarning,
            stacklevel=3,
        )


# --------------------------------------------------------------------------- text


def _headline(name: str, index: Index, test: PairedComparisonResult, tolerance: float) -> str:
    low, high = test.interval
    size = number_text(abs(test.difference), 3)
    change = f"{'worse' if test.difference < 0 else 'better'} by {size}"
    return (
        f"{name}: {index.name} {test.value_a:.3f}, accepted {test.value_b:.3f}: "
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
