"""Limits of results: assertions, gates beside an accepted result, and the file of such results.

The file is JSON, to keep and review with the code: ``{"format": "sklearn_clustcompare baseline",
"version": 3, "baselines": {name: ...}, "partitions": {key: ...}}``. A baseline has the fields of
:class:`Accepted`; its partition is the key of one, with the fields of :class:`Partition`, which
several indices share. Scores change by lines of a diff. Labels are numbered by first appearance,
and their steps from object to object written as JSON, compressed by zlib, in base64. Ids are only
matched, and reports name those of the new labels: hashes of 8 bytes are packed like labels, and one
id is kept as it is, to show their form. Two of a million ids have the same hash with a probability
of 3e-8. Without ids these fields and ``labels_true`` are empty, with ids ``data_hash``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._files import write_file
from sklearn_clustcompare._frozen import check_version
from sklearn_clustcompare._options import shortened, with_parameters
from sklearn_clustcompare._parameters import finite, non_negative, probability
from sklearn_clustcompare._partition import Labels, read
from sklearn_clustcompare._rendering import (
    Rows,
    number_text,
    number_texts,
    percent_text,
    text_table,
)
from sklearn_clustcompare._table import count
from sklearn_clustcompare._table.many import in_order_of_appearance
from sklearn_clustcompare.indices import NAMES, Index
from sklearn_clustcompare.indices._compares import REQUIRED, Given, compares
from sklearn_clustcompare.indices._judged import Chosen, chosen_by_name
from sklearn_clustcompare.report import clustering_comparison_report
from sklearn_clustcompare.significance import noninferiority_test, score_interval

# The losses of accepted and of all records share the level of a night, 0.05.
_QUANTILE = NormalDist().inv_cdf(1 - 0.05 / 2)
# Scores of the same labels, summed in another order, may differ by that.
_ROUNDING = 1e-12
_RESULTS = {True: "passed", False: "failed"}
_LOSS = {"difference": "loss", "test": "loss, at least"}


class Gate(NamedTuple):
    """What a gate measures, its value, its limit, and whether the value keeps it."""

    gate: str
    measure: str
    value: float
    limit: float
    passed: bool


class Limits(NamedTuple):
    """The limits of the gates, and the rule for losses."""

    tolerance: float = 0.02
    rule: str = "auto"
    max_new: float = 0.2
    max_unlabeled: float = 0.05
    min_coverage: float = 0.9


class Records(NamedTuple):
    """Numbers of records: of tonight, without a label, in both nights, and accepted.

    ``where`` names the baseline in messages.
    """

    n_given: int
    n_unlabeled: int
    n_common: int
    n_accepted: int
    where: str

    @property
    def n_labeled(self) -> int:
        return self.n_given - self.n_unlabeled

    @property
    def are_the_same(self) -> bool:
        return self.n_common == self.n_given == self.n_accepted

    @property
    def coverage(self) -> float:
        return self.n_common / self.n_accepted

    def gates(self, limits: Limits) -> list[Gate]:
        new, most_new = (self.n_labeled - self.n_common) / self.n_labeled, limits.max_new
        unlabeled, most_unlabeled = self.n_unlabeled / self.n_given, limits.max_unlabeled
        coverage, least = self.coverage, limits.min_coverage
        return [
            Gate("records", "new", new, most_new, new <= most_new),
            Gate("records", "unlabeled", unlabeled, most_unlabeled, unlabeled <= most_unlabeled),
            Gate("records", "coverage", coverage, least, coverage >= least),
        ]


class Change(NamedTuple):
    """A difference from the accepted score, positive where tonight is better, and its error.

    ``unit`` is that of losses: the accepted value for an index whose range is not finite.
    """

    score: float
    difference: float
    standard_error: float
    unit: float

    def gate(self, name: str, rule: str, tolerance: float) -> Gate:
        error = _QUANTILE * self.standard_error if rule == "test" else 0.0
        loss = -self.difference - error
        value = loss / self.unit if self.unit else math.copysign(math.inf, loss) if loss else 0.0
        return Gate(name, _LOSS[rule], value, tolerance, bool(value <= tolerance + _ROUNDING))


def gates_of(accepted: Change, of_all: Change, records: Records, limits: Limits) -> list[Gate]:
    """Return the gates of losses of the accepted and of all records, then those of records."""
    rule = limits.rule
    if rule == "auto":
        rule = "difference" if records.are_the_same else "test"
    losses = {"accepted": accepted, "all": of_all}
    found = [one.gate(name, rule, limits.tolerance) for name, one in losses.items()]
    return [*found, *records.gates(limits)]


def has_finite_range(index: Index, parameters: Mapping[str, Any]) -> bool:
    """Return whether the index has a lowest and a highest value, unlike counts."""
    return bool(np.isfinite(index.properties(**parameters)["range"]).all())


class BaselineComparison(Rows, eq=True):
    """Comparison of a new result with the accepted one; made by :meth:`ClusteringBaseline.compare`.

    All parameters are attributes of the same names, which cannot be set. Its text shows what got
    worse: the index, the gates, then the clusters of the reference, then the report of the new
    result.

    Parameters
    ----------
    name : str
        Name of the baseline.
    index : Index
        Record of the index.
    score : float
        Its value for the new labels of the accepted objects.
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
    of_all : Change
        Value of the index for all new labels, and its difference from the accepted one.
    records : Records
        Numbers of new, lost and unlabeled objects.
    rows : list of Gate
        What ``gates`` shows.
    parameters : mapping
        Parameters of the index.
    units : str
        What was sampled, such as "40 groups".
    clusters : str
        Table of the clusters of the reference, those that got worse first.
    report : callable
        Makes the report of the new result, which takes most of the time.

    See Also
    --------
    ClusteringBaseline.compare : Makes it.
    paired_comparison_test : The test.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn_clustcompare.checks import ClusteringBaseline
    >>> truth, found = [0, 0, 0, 1, 1, 1] * 5, [0, 0, 1, 1, 1, 1] * 5
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     baseline = ClusteringBaseline(Path(folder) / "baseline.json")
    ...     baseline.accept("thirty", truth, truth)
    ...     comparison = baseline.compare("thirty", truth, found)
    >>> comparison.passed, comparison.is_worse
    (False, True)
    >>> comparison.gates.loc["loss", "passed"].tolist()
    [False, False]
    """

    name: str
    index: Index
    score: float
    accepted_score: float
    difference: float
    interval: tuple[float, float]
    pvalue: float
    tolerance: float
    of_all: Change
    records: Records
    rows: list[Gate]
    parameters: Mapping[str, Any]
    units: str
    clusters: str
    report: Callable[[], Any]

    @property
    def gates(self) -> Any:
        """The gates as a pandas DataFrame, which has to be installed.

        Columns ``gate`` ("accepted", "all", "records"), ``value``, ``limit`` and ``passed``,
        indexed by what the gate measures: the "loss" of the index; with the rule "test" the "loss,
        at least", which is the lower end of a 95 % interval; or the shares of objects
        that are "new" and "unlabeled", and the "coverage" of the accepted ones. Losses and the
        first two shares must not exceed their limits, the coverage must reach its own.
        """
        import pandas as pd

        frame = pd.DataFrame(list(self.rows), columns=Gate._fields)
        return frame.set_index("measure")

    @property
    def title(self) -> str:
        """Name of the index with its parameters."""
        return with_parameters(self.index.name, self.parameters)

    @property
    def coverage(self) -> float:
        """Share of the accepted objects that are in the new labels."""
        return self.records.coverage

    @property
    def passed(self) -> bool:
        """Whether all gates are passed."""
        return all(one.passed for one in self.rows)

    @property
    def is_worse(self) -> bool:
        """Whether a loss of the index is larger than the tolerance, of accepted or all objects."""
        return not all(one.passed for one in self.rows if one.gate != "records")

    @property
    def failures(self) -> dict[str, list[str]]:
        """What failed, in sentences, by the gate."""
        return {
            gate: [text for one in self.rows if one.gate == gate and (text := self._failure(one))]
            for gate in ("accepted", "all", "records")
        }

    def _failure(self, one: Gate) -> str:
        n_given, n_unlabeled, n_common, n_accepted, where = self.records
        shares = f"{percent_text(one.value, 1)}, {{}}, {one.limit:.3g}"
        if one.passed or (one.gate == "all" and self.records.are_the_same):
            return ""
        if one.gate in ("accepted", "all"):
            found = self if one.gate == "accepted" else self.of_all
            of = "" if one.gate == "accepted" else f" in all {self.records.n_labeled} objects"
            return (
                f"{self.name} is worse than accepted{of}: {self.title} {found.score:.3f}, by "
                f"{-found.difference:.3f}"
            )
        if one.measure == "new":
            n_new = self.records.n_labeled - n_common
            return (
                f"{n_new} of the {self.records.n_labeled} objects of the new labels are not in "
                f"{where}, {shares.format('more than max_new')}: check that they are no copies, or "
                "accept the result again"
            )
        if one.measure == "unlabeled":
            return (
                f"{n_unlabeled} of the {n_given} objects have no label, "
                f"{shares.format('more than max_unlabeled')}: check that the job labels all of them"
            )
        return (
            f"{n_common} of the {n_accepted} objects of {where} are in the new labels, "
            f"{shares.format('less than min_coverage')}: check that the new labels are complete, "
            "or set a lower min_coverage"
        )

    @property
    def message(self) -> str:
        """Message of a test that fails due to it."""
        failures = self.failures
        lines = [*failures["records"], *failures["all"], self.headline]
        return "\n\n".join(
            ["\n".join(lines), self.clusters, self._gates_text([self]), str(self.report())]
        )

    @staticmethod
    def _gates_text(alike: Sequence[BaselineComparison]) -> str:
        """Return a table of the gates: those of losses for each index, those of records once.

        ``alike`` are comparisons of the same labels by several indices.
        """
        rows = [(one.title, gate) for one in alike for gate in one.rows if gate.gate != "records"]
        rows += [("-", gate) for gate in alike[0].rows if gate.gate == "records"]
        values = number_texts([gate.value for _, gate in rows], 4)
        body = [
            (gate.gate, gate.measure, title, value, f"{gate.limit:g}", _RESULTS[gate.passed])
            for (title, gate), value in zip(rows, values, strict=True)
        ]
        return text_table(["gate", "of", "index", "value", "limit", "result"], body)

    @property
    def headline(self) -> str:
        """The scores in one sentence."""
        low, high = number_texts(self.interval, 3)
        size = number_text(abs(self.difference), 3)
        change = f"{'worse' if self.difference < 0 else 'better'} by {size}"
        units = self.units
        if self.coverage < 1:
            units += f", {percent_text(self.coverage, 1)} of the accepted objects"
        of = "" if has_finite_range(self.index, self.parameters) else " of the accepted value"
        return (
            f"{self.name}: {self.title} {self.score:.3f}, accepted {self.accepted_score:.3f}: "
            f"{change if self.difference else 'no difference'} (95 % interval of the difference "
            f"{low} to {high}, p-value {self.pvalue:.2g}, of {units}; tolerance "
            f"{self.tolerance:g}{of})"
        )

    def __str__(self) -> str:
        return self.message

    def _headline(self) -> str:
        verdict = "worse than accepted" if self.is_worse else "not worse than accepted"
        return f"BaselineComparison: {self.name} by {self.index.name}, {verdict}"

    def _columns(self) -> list[tuple[str, Any]]:
        names = "score", "accepted_score", "difference", "pvalue", "tolerance", "coverage"
        row = {name: getattr(self, name) for name in names}
        row["low"], row["high"] = self.interval
        return [(name, [value]) for name, value in row.items()]


_FORMAT = "sklearn_clustcompare baseline"
_VERSION = 3
# Types of fields, as their annotations are written; in the file a partition is named by its key.
_KINDS: dict[Any, Any] = {"float": (int, float), "int": int, "str": str, "Partition": str}


@dataclass(frozen=True)
class Partition:
    """Packed labels of objects, with the hash of what they are labels of.

    With ids, their hashes are packed instead, and so are the labels of the reference.
    """

    data_hash: str
    labels: str
    ids: str = ""
    example_id: str = ""
    labels_true: str = ""

    @property
    def key(self) -> str:
        return hashlib.sha256("|".join(asdict(self).values()).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Accepted:
    """Accepted result for one data set, by one index."""

    index: str
    score: float
    standard_error: float
    interval_low: float
    interval_high: float
    n_samples: int
    scikit_learn: str
    partition: Partition

    def unpacked(self, name: str, where: str) -> IntArray:
        """Unpack a field of the partition: codes of labels, or hashes of ids."""
        packed = getattr(self.partition, name)
        try:
            values = json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))
            array = np.cumsum(np.array(values, dtype=np.int64), axis=0)
        except (ValueError, TypeError, OverflowError, zlib.error) as error:
            msg = f"{where} must have packed {name}, got {name} that cannot be unpacked ({error})"
            raise ValueError(msg) from None
        if array.shape != (self.n_samples,):
            msg = (
                f"{where} must have {self.n_samples} {name} (n_samples), "
                f"got {'x'.join(map(str, array.shape))}"
            )
            raise ValueError(msg)
        return array


def pack(values: IntArray) -> str:
    steps = np.diff(values, prepend=0)  # most of them 0 or 1 for labels; of hashes they may wrap
    text = json.dumps(steps.tolist(), separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def hashes(ids: Iterable[str]) -> IntArray:
    digests = [hashlib.blake2b(one.encode(errors="surrogatepass"), digest_size=8) for one in ids]
    return np.frombuffer(b"".join(one.digest() for one in digests), "<i8").astype(np.int64)


def numbered(labels: Labels) -> IntArray:
    """Number clusters by first appearance, so that their names do not matter."""
    return in_order_of_appearance(labels.compact()[0].codes).astype(np.int64, copy=False)


def hash_of(labels_true: Labels, data: FloatArray | None) -> str:
    """Return a hash of the reference partition and the features."""
    digest = hashlib.sha256(numbered(labels_true).astype("<i8").tobytes())
    if data is not None:
        digest.update(repr(data.shape).encode())
        digest.update(np.ascontiguousarray(data, dtype="<f8").tobytes())
    return digest.hexdigest()


# --------------------------------------------------------------------------- the file


def read_baselines(path: Path) -> dict[str, Accepted]:
    """Read all baselines of a file; each error names the file and the cause."""
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        msg = f"the baseline file {path} does not exist; accept a first result to write it"
        raise ValueError(msg) from None
    except OSError as error:
        msg = f"the baseline file {path} cannot be read: {error.strerror}"
        raise ValueError(msg) from None
    except (ValueError, RecursionError) as error:
        msg = f"the baseline file {path} must be JSON: {error}"
        raise ValueError(msg) from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        msg = f"{path} must be a baseline file, of the format {_FORMAT!r}"
        raise ValueError(msg)
    check_version(f"the baseline file {path}", content.get("version"), _VERSION)
    for what in ("baselines", "partitions"):
        if not isinstance(content.get(what), dict):
            msg = (
                f"the baseline file {path} must have {what}, by name, got {content.get(what)!r:.50}"
            )
            raise ValueError(msg)
    return {
        name: _as_accepted(entry, content["partitions"], f"baseline {name!r} of {path}")
        for name, entry in content["baselines"].items()
    }


def _as_accepted(entry: Any, partitions: dict[str, Any], where: str) -> Accepted:
    _check_fields(entry, Accepted, where)
    key = entry["partition"]
    if key not in partitions:
        msg = f"{where} must have a partition of the file, got {shortened(key)}"
        raise ValueError(msg)
    _check_fields(partitions[key], Partition, where)
    return Accepted(**entry | {"partition": Partition(**partitions[key])})


def _check_fields(entry: Any, of: type[Accepted | Partition], where: str) -> None:
    """Raise ValueError unless there are all fields, each of its type."""
    expected = [one.name for one in fields(of)]
    if not isinstance(entry, dict) or set(entry) != set(expected):
        got = ", ".join(map(repr, entry)) if isinstance(entry, dict) else repr(entry)
        msg = f"{where} must have the fields {', '.join(map(repr, expected))}, got {got:.200}"
        raise ValueError(msg)
    for one in fields(of):
        value = entry[one.name]
        if not isinstance(value, _KINDS[one.type]) or isinstance(value, bool):
            msg = f"{one.name} of {where} is of a wrong type, got {shortened(value)}"
            raise ValueError(msg)


def write_baselines(path: Path, baselines: dict[str, Accepted]) -> None:
    """Write the file as a whole: an error leaves the previous one unchanged."""
    partitions = {one.partition.key: asdict(one.partition) for one in baselines.values()}
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "baselines": {
            name: asdict(one) | {"partition": one.partition.key}
            for name, one in sorted(baselines.items())
        },
        "partitions": dict(sorted(partitions.items())),
    }
    text = json.dumps(content, indent=2) + "\n"
    write_file(path, text.encode(), f"the baseline file {path}")


@compares("labels_true", "labels_pred", "data", "sample_weight", "groups")
def assert_clustering(
    given: Given, *, confidence_level: float | None = None, **limits: float
) -> None:
    """Assert that the agreement of a clustering with a reference keeps limits.

    Use it in tests: the message shows which clusters are wrong.

    Parameters
    ----------
    confidence_level : float or None, default=None
        If given, the lower end of a confidence interval of this level (for distances the upper end)
        must keep the limit instead of the value: see :func:`score_interval`.
    **limits : dict
        Names or short names of indices and their limits: the lowest allowed value of a score, the
        highest one of a distance. At least one.

    Raises
    ------
    AssertionError
        If a limit is not kept. The message names the limit and includes the report of the
        comparison (:func:`clustering_comparison_report`).
    TypeError
        If no limit is given, or one is not a number.
    ValueError
        If labels are invalid, a name is not an index, or a limit is not finite.

    See Also
    --------
    clustering_comparison_report : The report of the message.
    score_interval : The interval.
    ClusteringBaseline.check : Compares with an accepted result instead of a limit.

    Notes
    -----
    The interval shows how the score varies from one sample of objects to the next. Its lower end is
    below 1 even for perfect agreement, by about three times the effect of one error: a test that
    requires 0.9 of the interval fails where so few objects cannot show it. The same labels always
    give the same result.

    Examples
    --------
    >>> from sklearn_clustcompare import assert_clustering
    >>> truth, found = list("aaaabbbbcc"), [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> assert_clustering(truth, found, ari=0.6, misclassification_distance=0.3)
    >>> try:
    ...     assert_clustering(truth, found, ari=0.7)
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    adjusted_rand_score must be at least 0.7, got 0.634
    """
    if not limits:
        msg = "at least one limit must be given, such as ari=0.7, got none"
        raise TypeError(msg)
    for name, limit in limits.items():
        if isinstance(limit, Mapping) or (isinstance(limit, str) and limit.lower() in NAMES):
            got = f"a dict: pass **{name}" if isinstance(limit, Mapping) else f"{name}={limit!r}"
            msg = f"limits must be given by name, such as ari=0.7, got {got}"
            raise TypeError(msg)
    if confidence_level is not None:
        probability("confidence_level", confidence_level)
    elif given.groups is not None:
        msg = "groups must be None without confidence_level, as they change no score"
        raise ValueError(msg)
    chosen = chosen_by_name(dict(zip(limits, limits, strict=True)))
    for name, limit in limits.items():
        finite(chosen[name].name, limit)
    table = count(
        given.labels_true, given.labels_pred, given.sample_weight, given.reading, moments=True
    )
    broken = []
    for name, limit in limits.items():
        one = chosen[name]
        value, shown = one.value(table), ""
        if confidence_level is not None:
            value, shown = _worse_end(given, one, confidence_level)
        if not one.keeps(value, limit):
            side = "at least" if one.index.greater_is_better else "at most"
            broken.append(f"{one.name} must be {side} {limit:g}, got {shown}{value:.3f}")
    if broken:
        report = clustering_comparison_report(**given.as_given)
        msg = "\n".join([*broken, "", str(report)])
        raise AssertionError(msg)


def _worse_end(given: Given, chosen: Chosen, confidence_level: float) -> tuple[float, str]:
    """Return the end of the interval that has to keep the limit, and its name."""
    result = score_interval(
        **given.as_given,
        index=chosen.index,
        confidence_level=confidence_level,
        **chosen.parameters,
    )
    low, high = result.interval
    level = f"{100 * confidence_level:g} % interval of {result.score:.3f}"
    if chosen.index.greater_is_better:
        return low, f"the lower end of the {level}: "
    return high, f"the upper end of the {level}: "


@compares("labels_true", "labels_pred", "labels_accepted", "index", "groups", labels_pred=REQUIRED)
def assert_not_worse(
    given: Given, *, tolerance: float = 0.02, confidence_level: float = 0.95
) -> None:
    """Assert that a clustering is shown to be not worse than an accepted one.

    It fails as well where there are too few objects to show that.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters)
        :term:`Labels` or :term:`memberships` of the :term:`reference`.
    labels_pred, labels_accepted : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels or memberships of the new clustering, and of the accepted one.
    tolerance : int or float, default=0.02
        By how much the new clustering may be worse, in units of the index; not negative.
    confidence_level : float, default=0.95
        One minus the level of the one-sided test, between 0 and 1.

    Raises
    ------
    AssertionError
        If it was not shown. The message has the difference and the p-value.
    ValueError
        If labels, ``tolerance`` or another parameter are invalid.
    TypeError
        If a parameter is of the wrong type.

    See Also
    --------
    sklearn_clustcompare.significance.noninferiority_test : The test.
    assert_clustering : Keeps a fixed limit.

    Examples
    --------
    >>> from sklearn_clustcompare.checks import assert_not_worse
    >>> truth = [0] * 300 + [1] * 300
    >>> accepted = [0] * 290 + [1] * 310
    >>> assert_not_worse(truth, accepted, accepted, index="adjusted_rand_score")
    """
    non_negative("tolerance", tolerance)
    probability("confidence_level", confidence_level)
    names = "labels_true", "labels_pred", "labels_accepted"
    true, pred, accepted = (read(getattr(given, one), one, given.reading) for one in names)
    test = noninferiority_test(
        true,
        pred,
        accepted,
        index=given.chosen.index,
        margin=tolerance,
        groups=given.groups,
        **given.reading.keywords,
        **given.chosen.parameters,
    )
    if not test.pvalue < 1 - confidence_level:
        msg = (
            f"labels_pred must be at most {tolerance:g} worse by {given.chosen.name} than "
            "labels_accepted, "
            f"which was not shown: got {test.value_a:.4g} for {test.value_b:.4g}, "
            f"p = {test.pvalue:.3g}; more objects or a larger tolerance may show it, and "
            "ClusteringBaseline compares the difference alone"
        )
        raise AssertionError(msg)
