"""The decorator ``index`` turns a formula into a registered index and its public function.

A formula stands under the public name of its index, with its docstring. ``index`` declares the
rest; what the public functions take alike is documented and read here.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from inspect import Parameter, Signature
from typing import Any

from sklearn_clustcompare._options import (
    Call,
    Written,
    documented,
    entries,
    keyword_meant,
    named_as,
    parameter_texts,
    refuse_idle_noise_label,
    shortened,
)
from sklearn_clustcompare._partition import (
    DEFAULT,
    NAMES,
    Cover,
    Hierarchy,
    Labels,
    Reading,
    check_rows,
    read,
)
from sklearn_clustcompare._partition.arrays import READ_ALIKE
from sklearn_clustcompare._partition.covers import NoPartition, refuse_if_no_partition
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._table import count
from sklearn_clustcompare._table.cover_pair import CoverPair, pair_covers
from sklearn_clustcompare.indices._claims import CLAIMS
from sklearn_clustcompare.indices._record import (
    REGISTERED,
    Index,
    apply_to_data,
    rows_of_objects,
)

Formula = Callable[..., float]

# The public functions by name, which ``metrics`` exports.
PUBLIC: dict[str, Formula] = {}

# An index that declares one of these is a function of a statistic and of the margins.
_OF_STATISTIC = {"pairs", "linear_in", "ordered_by", "linear_in_pair_counts", "cell_sum"}


def index(**declared: Any) -> Callable[[Formula], Formula]:
    """Register a formula as an index, and return the public function of the same name.

    The formula takes what :class:`Index` says of ``of_statistic`` if a statistic is declared, else
    of ``function``; its keywords are the parameters of the index. ``declared`` are the other
    parameters of :class:`Index`; what is claimed of it is a row of ``_claims.py``.
    """
    by_statistic = "of_statistic" not in declared and not _OF_STATISTIC.isdisjoint(declared)

    def register(formula: Formula) -> Formula:
        name = formula.__name__
        role: dict[str, Any] = {"of_statistic" if by_statistic else "function": formula}
        REGISTERED[name] = record = Index(name, **role, **declared, **CLAIMS[name])

        def of_labels(
            labels_true: Any, labels_pred: Any = None, *, sample_weight: Any = None, **options: Any
        ) -> float:
            return evaluate(record, labels_true, labels_pred, sample_weight, options)

        def of_data(X: Any, labels: Any, **options: Any) -> float:
            return evaluate_data(record, X, labels, options)

        public = named_as(formula, of_data if record.needs_data else of_labels)
        PUBLIC[name] = _documented(public, record)
        return PUBLIC[name]

    return register


# --------------------------------------------------------------------------- evaluation


def evaluate(
    record: Index, labels_true: Any, labels_pred: Any, sample_weight: Any, options: dict[str, Any]
) -> float:
    """Evaluate an index of two partitions, or of a table of both."""
    reading, parameters = DEFAULT, options
    if options:
        reading, parameters = _split(record, options)
        labels_true, labels_pred, sample_weight = in_columns(
            options.get("data"),
            labels_true=labels_true,
            labels_pred=labels_pred,
            sample_weight=sample_weight,
        )
    if record.of_covers is not None and is_no_partition(labels_true, labels_pred):
        pair = pair_of(record, labels_true, labels_pred, sample_weight, reading)
        return float(record.of_covers(pair, **parameters))
    table = count(labels_true, labels_pred, sample_weight, reading, moments=record.moments)
    return float(record.function(table, **parameters))


def evaluate_data(record: Index, X: Any, labels: Any, options: dict[str, Any]) -> float:
    """Evaluate an index of the data and one partition."""
    reading, parameters = _split(record, options)
    partition = read(labels, "labels", reading)
    if isinstance(partition, Labels) and not reading.counts_all:
        check_rows(X, X.shape[0] if hasattr(X, "shape") else len(X), partition)
        partition, kept = treat_one(partition, reading)
        X = rows_of_objects(record, X, kept, parameters)
    return float(apply_to_data(record.function, record, X, partition, parameters))


def _split(record: Index, options: Mapping[str, Any]) -> tuple[Reading, dict[str, Any]]:
    """Split keywords into how partitions are read and the parameters of the index."""
    shared = _shared(record)
    given = {name: options[name] for name in options if name in shared}
    parameters = {name: options[name] for name in options if name not in shared}
    known = parameters
    if unknown := parameters.keys() - record.parameters.keys():
        call = Call(record.name, inspect.signature(PUBLIC[record.name]))
        slips = [one for one in unknown if not call.is_open or keyword_meant(one, call.known)]
        if slips:
            raise call.unknown(min(slips), given=options)
        known = {name: parameters[name] for name in parameters.keys() - unknown}  # of a distance
    refuse_idle_noise_label(given)
    record.check_parameters(**known)
    return reading_of(given), parameters


def reading_of(options: Mapping[str, Any]) -> Reading:
    """Return how partitions are read, by those of the options that say so."""
    given = {name: options[name] for name in READ_ALIKE if name in options}
    reading = Reading(**given) if given else DEFAULT
    return DEFAULT if reading == DEFAULT else reading


def is_no_partition(first: Any, second: Any) -> bool:
    """Return whether one of the two is a hierarchy, or a cover that is no partition."""
    return any(
        isinstance(side, NoPartition) and not (isinstance(side, Cover) and side.is_partition)
        for side in (first, second)
    )


def pair_of(
    record: Index, labels_true: Any, labels_pred: Any, sample_weight: Any, reading: Reading
) -> CoverPair:
    for side, name in zip((labels_true, labels_pred), NAMES, strict=True):
        if isinstance(side, Hierarchy) and not record.hierarchies:
            refuse_if_no_partition(side, name)
    for name in READ_ALIKE:
        plain, got = getattr(DEFAULT, name), getattr(reading, name)
        if got != plain:
            msg = (
                f"{name} must be {plain!r} with a Cover or a Hierarchy, whose memberships are 0 "
                f"and 1, got {shortened(got)}"
            )
            raise ValueError(msg)
    return pair_covers(labels_true, labels_pred, sample_weight)


# --------------------------------------------------------------------------- documentation

_PARTITIONS = {
    "soft": "",  # as they are counted
    "labels": """
labels_true : array-like of shape (n_samples,), or ContingencyTable
    :term:`Labels` of the :term:`reference`; or a :term:`contingency table` of both partitions,
    without ``labels_pred``.
labels_pred : array-like of shape (n_samples,), default=None
    Labels of the :term:`candidate`.
""",
    "covers": """
labels_true : array-like, Cover or ContingencyTable
    :term:`Cover`, :term:`labels` or :term:`memberships` of the :term:`reference`; or a
    :term:`contingency table` of both partitions, without ``labels_pred``.
labels_pred : array-like or Cover, default=None
    Cover, labels or memberships of the :term:`candidate`.
""",
    "hierarchies": """
labels_true : array-like of shape (n_samples,), Cover, Hierarchy or ContingencyTable
    :term:`Labels`, a :term:`cover` or a :term:`hierarchy` as the :term:`reference`; or a
    :term:`contingency table` of both partitions, without ``labels_pred``.
labels_pred : array-like of shape (n_samples,), Cover or Hierarchy, default=None
    Labels, a cover or a hierarchy as the :term:`candidate`.
""",
}
_DATA = """
X : array-like of shape (n_samples, n_features)
    The data.
"""
_DISTANCES = """
X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
    The data, or distances for ``metric="precomputed"``.
"""
_NOISE_OF_DATA = """
noise_label : hashable or collection of these, default=-1
    :term:`Label of noise <noise_label>`, or several; they need not occur.
"""
_LABELS = """
labels : array-like of shape (n_samples,){or_soft}
    :term:`Labels`{or_memberships} of one :term:`partition`.
"""


# Texts of these and of other arguments, which stand with what reads them.
OPTIONS: dict[str, str] = {}
for _reader in (Reading, count, in_columns):
    OPTIONS |= parameter_texts(inspect.getdoc(_reader) or "")
_TYPES: dict[str, tuple[str, Any]] = {"data": ("TableLike", None)}
_TYPES |= {one.name: (str(one.type), one.default) for one in fields(Reading)}
_RAISES = """
ValueError
    If lengths or objects differ, or labels{memberships}, weights or parameters are
    invalid{more}.
TypeError
    If labels are not hashable, or a parameter has the wrong type{covers}.
"""


def _shared(record: Index) -> tuple[str, ...]:
    """Return the names of the options that are no parameters of the index."""
    return _options_of(record.soft, record.needs_data, "noise_label" in record.parameters)


@functools.cache
def _options_of(is_soft: bool, needs_data: bool, treats_noise: bool) -> tuple[str, ...]:
    left_out = set() if is_soft else {"possibilistic"}
    if needs_data:
        left_out |= {"unmatched", "data"}
    if treats_noise:  # itself
        left_out |= {"noise", "noise_label"}
    return tuple(name for name in (*READ_ALIKE, "data") if name not in left_out)


def _documented(public: Formula, record: Index) -> Formula:
    """Give a public function its signature and its docstring."""
    show_signature(public, _signature(record))
    # Pickled by this name, since its own is that of the public function.
    record_formula = public.__wrapped__  # type: ignore[attr-defined]
    record_formula.__qualname__ = f"{record.name}.__wrapped__"
    if public.__doc__:  # python -OO drops it
        names = public.__signature__.parameters  # type: ignore[attr-defined]
        public.__doc__ = _docstring(inspect.cleandoc(public.__doc__), record, names)
    return public


def show_signature(public: Any, signature: Signature) -> None:
    """Let help, editors and other tools see the arguments of a function that takes any."""
    public.__signature__ = signature
    types = {name: one.annotation for name, one in signature.parameters.items()}
    public.__annotations__ = types | {"return": signature.return_annotation}


def _signature(record: Index) -> Signature:
    _, *own = (
        one.replace(annotation=Written(one.annotation))
        for one in inspect.signature(record.function).parameters.values()
    )
    first: list[tuple[str, str, Any]] = [
        ("labels_true", "PartitionLike", Parameter.empty),
        ("labels_pred", "PartitionLike | None", None),
    ]
    if record.needs_data:
        own = own[1:]
        first = [("X", "ArrayLike", Parameter.empty), ("labels", "PartitionLike", Parameter.empty)]
    by_keyword = [] if record.needs_data else [("sample_weight", "ArrayLike | None", None)]
    shared = [(name, *_TYPES[name]) for name in _shared(record)]
    return Signature(
        [
            *(_parameter(Parameter.POSITIONAL_OR_KEYWORD, *one) for one in first),
            *(_parameter(Parameter.KEYWORD_ONLY, *one) for one in by_keyword),
            *(one for one in own if one.kind is Parameter.KEYWORD_ONLY),
            *(_parameter(Parameter.KEYWORD_ONLY, *one) for one in shared),
            *(one for one in own if one.kind is Parameter.VAR_KEYWORD),
        ],
        return_annotation=Written("float"),
    )


def _parameter(kind: Any, name: str, type_: str, default: Any) -> Parameter:
    return Parameter(name, kind, annotation=Written(type_), default=default)


def _docstring(text: str, record: Index, names: Iterable[str]) -> str:
    """Insert what is documented alike: parameters, and errors unless the formula has its own."""
    if not record.needs_data:
        kind = "covers" if record.covers else "soft" if record.soft else "labels"
        first = _PARTITIONS["hierarchies" if record.hierarchies else kind]
    else:
        first = (_DISTANCES if "metric" in record.parameters else _DATA) + _LABELS.format(
            or_soft=" or (n_samples, n_clusters)" * record.soft,
            or_memberships=" or :term:`memberships`" * record.soft,
        )
        first += _NOISE_OF_DATA
    text = documented(text, OPTIONS | entries(first), names)
    if not re.search(r"^Raises\n---", text, re.MULTILINE):
        errors = _RAISES.format(
            memberships=", memberships" * record.soft,
            more="; or if weights are too small to count pairs" * record.pairs
            + "; or if weights are not whole numbers" * (not record.soft),
            covers="; or if memberships of\n    soft clusters are compared with a cover"
            * (record.covers and record.soft),
        )
        later = r"^(?=(Warns|Warnings|See Also)\n---)"
        text = re.sub(later, f"Raises\n------{errors}\n", text, count=1, flags=re.MULTILINE)
    return text
