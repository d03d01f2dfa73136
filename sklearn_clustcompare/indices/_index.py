"""The decorator ``index`` turns a formula into a registered index and its public function.

A formula stands under the public name of its index, with its docstring. ``index`` declares the
rest; what the public functions take alike is documented and read here.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Set
from inspect import Parameter, Signature
from typing import Any

from sklearn_clustcompare._options import Written, did_you_mean
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
from sklearn_clustcompare._partition.covers import NoPartition, refuse_if_no_partition
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._table import count
from sklearn_clustcompare._table.cover_pair import CoverPair, pair_covers
from sklearn_clustcompare.indices._claims import CLAIMS
from sklearn_clustcompare.indices._record import (
    REGISTERED,
    Index,
    rows_of_objects,
    value_of_data,
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

        @functools.wraps(formula)
        def of_labels(
            labels_true: Any, labels_pred: Any = None, *, sample_weight: Any = None, **options: Any
        ) -> float:
            return evaluate(record, labels_true, labels_pred, sample_weight, options)

        @functools.wraps(formula)
        def of_data(X: Any, labels: Any, **options: Any) -> float:
            return evaluate_data(record, X, labels, options)

        public: Any = of_data if record.needs_data else of_labels
        # A traceback names the index.
        public.__code__ = public.__code__.replace(co_name=name, co_qualname=name)
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
        pair = _pair_of(record, labels_true, labels_pred, sample_weight, reading)
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
    return value_of_data(record, X, partition, **parameters)


def _split(record: Index, options: Mapping[str, Any]) -> tuple[Reading, dict[str, Any]]:
    """Split keywords into how partitions are read and the parameters of the index."""
    shared = _shared(record)
    parameters = {name: value for name, value in options.items() if name not in shared}
    known = parameters
    if unknown := parameters.keys() - record.parameters.keys():
        known = _known(record, parameters, unknown)
    record.check_parameters(**known)
    given = {name: options[name] for name in options if name in shared and name != "data"}
    reading = Reading(**given) if given else DEFAULT
    return DEFAULT if reading == DEFAULT else reading, parameters


def _known(record: Index, parameters: dict[str, Any], unknown: Set[str]) -> dict[str, Any]:
    """Return the parameters to check, not those of a distance; raise TypeError for slips."""
    shared = _shared(record)
    for name in unknown:
        if nearest := did_you_mean(name, dict(zip(shared, shared, strict=True))):
            msg = f"{record.name}() got an unexpected keyword argument {name!r}{nearest}"
            raise TypeError(msg)
    own = inspect.signature(record.function).parameters.values()
    if any(one.kind is Parameter.VAR_KEYWORD for one in own):
        return {name: value for name, value in parameters.items() if name in record.parameters}
    return parameters


def is_no_partition(first: Any, second: Any) -> bool:
    """Return whether one of the two is a hierarchy, or a cover that is no partition."""
    return any(
        isinstance(side, NoPartition) and not (isinstance(side, Cover) and side.is_partition)
        for side in (first, second)
    )


def _pair_of(
    record: Index, labels_true: Any, labels_pred: Any, sample_weight: Any, reading: Reading
) -> CoverPair:
    for side, name in zip((labels_true, labels_pred), NAMES, strict=True):
        if isinstance(side, Hierarchy) and not record.hierarchies:
            refuse_if_no_partition(side, name)
    for name, (_, default) in _DEFAULTS.items():
        if getattr(reading, name, default) != default:
            msg = (
                f"{name} must be {default!r} with a Cover or a Hierarchy, whose memberships are 0 "
                f"and 1, got {getattr(reading, name)!r}"
            )
            raise ValueError(msg)
    return pair_covers(labels_true, labels_pred, sample_weight)


# --------------------------------------------------------------------------- documentation

_WEIGHT = """
sample_weight : array-like of shape (n_samples,), default=None
    :term:`Frequency weights <sample_weight>`; None means 1 for every object.
"""
_PARTITIONS = {
    "soft": """
labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
    :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
    :term:`contingency table` of both partitions, without ``labels_pred``.
labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
    Labels or memberships of the :term:`candidate`.
""",
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


# Keywords that public functions take alike: their types, defaults and texts.
_DEFAULTS: dict[str, tuple[str, Any]] = {
    "possibilistic": ("bool", False),
    "noise": ("str", "cluster"),
    "noise_label": ("Any", -1),
    "missing": ("str", "error"),
    "unmatched": ("str", "error"),
    "data": ("Any", None),
}
_TEXTS = """
possibilistic : bool, default=False
    Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
noise : {"cluster", "singletons", "drop"}, default="cluster"
    How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
    leave them out.
noise_label : hashable or collection of them, default=-1
    :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
missing : {"error", "drop", "cluster"}, default="error"
    How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
    them as one cluster.
unmatched : {"error", "drop", "singleton"}, default="error"
    How to treat objects that only one of two partitions has, where both name their objects
    (dicts, Series, sets): raise an error, leave them out, or make each a cluster of its own
    in the other partition.
data : data frame or mapping, default=None
    Table, of which the arguments above may name columns.
"""
_OPTIONS = dict(zip(_DEFAULTS, re.split(r"\n(?=\w)", _TEXTS)[1:], strict=True))
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
    return tuple(name for name in _OPTIONS if name not in left_out)


def _documented(public: Formula, record: Index) -> Formula:
    """Give a public function its signature and its docstring."""
    signature = _signature(record)
    public.__signature__ = signature  # type: ignore[attr-defined]
    public.__annotations__ = {
        name: one.annotation for name, one in signature.parameters.items()
    } | {"return": signature.return_annotation}
    # Pickled by this name, since its own is that of the public function.
    record_formula = public.__wrapped__  # type: ignore[attr-defined]
    record_formula.__qualname__ = f"{record.name}.__wrapped__"
    if public.__doc__:  # python -OO drops it
        public.__doc__ = _docstring(inspect.cleandoc(public.__doc__), record)
    return public


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
    shared = [(name, *_DEFAULTS[name]) for name in _shared(record)]
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


def _docstring(text: str, record: Index) -> str:
    """Insert what is documented alike: parameters, and errors unless the formula has its own."""
    head, *sections = re.split(r"\n\n(?=[A-Z][A-Za-z ]*\n-{3,}\n)", text)
    own = sections.pop(0).split("\n", 2)[2] if sections[0].startswith("Parameters") else ""
    if record.needs_data:
        first = _DISTANCES if "metric" in record.parameters else _DATA
        if graph := re.match(r"X : .*\n(?:    .*\n?)+", own):
            first, own = graph.group(), own[graph.end() :]
        first += _LABELS.format(
            or_soft=" or (n_samples, n_clusters)" * record.soft,
            or_memberships=" or :term:`memberships`" * record.soft,
        )
    else:
        kind = "covers" if record.covers else "soft" if record.soft else "labels"
        first = _PARTITIONS["hierarchies" if record.hierarchies else kind] + _WEIGHT
    own, *rest = re.split(r"^(?=\*\*)", own, flags=re.MULTILINE)  # keywords of a distance come last
    shared = {name: _OPTIONS[name] for name in _shared(record)}
    if record.needs_data and "noise_label" in shared:
        shared["noise_label"] = _NOISE_OF_DATA
    texts = [first, own, *shared.values(), *rest]
    parameters = re.sub(r"\n{2,}", "\n", "\n".join(texts)).strip("\n")
    if not any(section.startswith("Raises") for section in sections):
        errors = _RAISES.format(
            memberships=", memberships" * record.soft,
            more="; or if weights are too small to count pairs" * record.pairs
            + "; or if weights are not whole numbers" * (not record.soft),
            covers="; or if memberships of\n    soft clusters are compared with a cover"
            * (record.covers and record.soft),
        )
        later = ("Warns", "Warnings", "See Also")
        at = next(i for i, section in enumerate(sections) if section.startswith(later))
        sections.insert(at, f"Raises\n------{errors.rstrip()}")
    return "\n\n".join([head, f"Parameters\n----------\n{parameters}", *sections]) + "\n"
