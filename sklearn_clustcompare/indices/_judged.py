"""An index as a user chose it, its value for data and labels, and functions that are given one.

What functions that compare partitions take alike is declared, documented and read as ``Given``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from inspect import Parameter, Signature
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import FloatArray, Positions
from sklearn_clustcompare._chance.objects import orders_within
from sklearn_clustcompare._options import (
    IDLE_NOISE_LABEL,
    Call,
    Written,
    documented,
    has_idle_noise_label,
    named_as,
    parameter_texts,
    unknown_parameter,
    with_parameters,
)
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition import DEFAULT, Labels, Partition, Reading, names_of
from sklearn_clustcompare._partition.arrays import (
    READ_ALIKE,
    MatrixLike,
    PartitionLike,
    PartitionsLike,
    TableLike,
)
from sklearn_clustcompare._partition.labels import index_of
from sklearn_clustcompare._partition.memberships import treat_one
from sklearn_clustcompare._partition.reading import in_columns, several_in_columns
from sklearn_clustcompare._table import ContingencyTable, count
from sklearn_clustcompare._tasks import check_verbose
from sklearn_clustcompare.indices._index import (
    OPTIONS,
    reading_of,
    show_signature,
)
from sklearn_clustcompare.indices._record import Index, IndexLike, arguments_of, rows_of_objects
from sklearn_clustcompare.indices._registry import check_known, read_index
from sklearn_clustcompare.indices._undefined import UndefinedIndexError


@dataclass(frozen=True)
class Chosen:
    """An index with values of its parameters, and the name of its scores."""

    name: str
    index: Index
    parameters: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        given: IndexLike,
        parameters: Mapping[str, Any] = MappingProxyType({}),
        *,
        with_data: bool = True,
    ) -> Chosen:
        """Look up an index; its scores are named by it and the parameters given with it."""
        index, all_parameters = read_index(given, parameters, with_data=with_data)
        own = {key: all_parameters[key] for key in all_parameters if key not in parameters}
        return cls(with_parameters(index.name, own), index, all_parameters)

    @cached_property
    def evaluate(self) -> Callable[[ContingencyTable], float]:
        """Function of a table with objects; the parameters were checked when it was chosen."""
        return partial(self.index.function, **self.parameters)

    def value(self, table: ContingencyTable) -> float:
        return self.index(table, **self.parameters)


def choose(
    indices: Any,
    parameters: Mapping[str, Any],
    argument: str,
    *,
    with_data: bool = False,
    others: Mapping[str, Index] = MappingProxyType({}),
) -> tuple[Chosen, ...]:
    """Look up one index, several, or a mapping of names to indices with their parameters.

    Scores are named as the index was written. ``argument`` is their name for the caller;
    ``with_data`` admits indices that need the data, and ``others`` are known to the caller only.
    Each of the common parameters is passed to the indices that take it; parameters given for one
    index in a mapping take precedence.
    """
    named = _named(indices, argument, with_data, others)
    if not named:
        msg = f"{argument} must name at least one index, got an empty {type(indices).__name__}"
        raise ValueError(msg)
    for name, value in parameters.items():
        takers = [one for one in named if name in one.index.parameters]
        if not takers:
            raise unknown_parameter(name, {one.index.name: one.index.parameters for one in named})
        if all(name in one.parameters for one in takers):
            msg = f"{name} must be given once, got {name}={value!r} and another with {argument}"
            raise TypeError(msg)
        for one in takers:
            one.index.check_parameters(**{name: value})
    chosen = tuple(
        replace(one, parameters={**_taken(one.index, parameters), **one.parameters})
        for one in named
    )
    if not isinstance(indices, Mapping):
        check_different(chosen, argument)
    return chosen


def chosen_by_name(indices: Mapping[str, IndexLike]) -> dict[str, Chosen]:
    """Look up indices of two partitions, without parameters of their own."""
    check_known(indices.values())
    return {name: Chosen.of(one, with_data=False) for name, one in indices.items()}


def check_different(chosen: Iterable[Chosen], argument: str) -> None:
    """Raise ValueError if a list names an index twice, however it is written."""
    for one, other in combinations(chosen, 2):
        is_same = (one.index, one.parameters) == (other.index, other.parameters)
        if is_same or one.name == other.name:
            msg = f"{argument} must name each index once, got {one.name!r} and {other.name!r}"
            raise ValueError(msg)


def _taken(index: Index, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of common parameters that an index takes."""
    return {key: value for key, value in parameters.items() if key in index.parameters}


def spelled(index: IndexLike, names: Iterable[str]) -> str | None:
    """Return the name that stands for an index, however it was written; None if none does."""
    try:
        asked = Chosen.of(index)
    except (TypeError, ValueError):
        return None
    for name in names:
        with suppress(TypeError, ValueError):
            if name == asked.name or Chosen.of(name) == asked:
                return name
    return None


def _named(
    indices: Any,
    argument: str,
    with_data: bool,
    others: Mapping[str, Index] = MappingProxyType({}),
) -> list[Chosen]:
    names: Iterable[Any] = indices if isinstance(indices, list | tuple | Mapping) else [indices]
    if isinstance(indices, Mapping):
        several = [_with_parameters(name, given, argument) for name, given in indices.items()]
    else:
        several = [(one, {}) for one in names]
    known = [others.get(one.lower(), one) if isinstance(one, str) else one for one, _ in several]
    check_known(known)
    found = [
        Chosen.of(one, own, with_data=with_data)
        for one, (_, own) in zip(known, several, strict=True)
    ]
    return [
        replace(one, name=name) if isinstance(name, str) else one
        for one, name in zip(found, names, strict=True)
    ]


def _with_parameters(name: Any, given: Any, argument: str) -> tuple[IndexLike, Mapping[str, Any]]:
    if not isinstance(name, str):
        msg = f"{argument} must have strings as keys, the names of the scores, got {name!r}"
        raise TypeError(msg)
    if not isinstance(given, tuple):
        return given, {}
    if len(given) != 2 or not isinstance(given[1], Mapping):
        msg = (
            f"{argument}[{name!r}] must be an index or a tuple (index, dict of parameters), "
            f"got {given!r}"
        )
        raise TypeError(msg)
    return given[0], given[1]


def needs_moments(chosen: tuple[Chosen, ...]) -> bool:
    """Return whether one of the indices needs the moments of memberships."""
    return any(one.index.moments for one in chosen)


class Judged(NamedTuple):
    """Data, and a partition of those objects that are left after noise was treated.

    ``kept`` are the positions of these objects in the data, None for all.
    """

    X: Any
    partition: Partition
    kept: Positions | None
    noise_labels: tuple[Any, ...]

    @classmethod
    def of(cls, X: Any, partition: Partition, reading: Reading) -> Judged:
        kept = None
        if isinstance(partition, Labels):
            partition, kept = treat_one(partition, reading)
        return cls(X, partition, kept, reading.noise_labels)

    @property
    def positions(self) -> Positions:
        return np.arange(self.partition.n_objects) if self.kept is None else self.kept

    def take(self, objects: Positions) -> Judged:
        """Return some of the objects that are left."""
        return self._replace(
            partition=self.partition.with_ids(None).take(objects), kept=self.positions[objects]
        )

    def permuted(self, order: Positions) -> Judged:
        """Give the objects the clusters of others."""
        return self._replace(partition=self.partition.with_ids(None).take(order))

    def value(self, chosen: Chosen) -> float:
        """Evaluate an index; raise UndefinedIndexError if it has no value."""
        return float(self.apply(chosen.index.function, chosen))

    def apply(self, function: Callable[..., Any], chosen: Chosen) -> Any:
        """Call a function with the arguments of an index."""
        parameters, X = dict(chosen.parameters), self.X
        X = rows_of_objects(chosen.index, X, self.kept, parameters)
        if "noise_label" in chosen.index.parameters:
            parameters.setdefault("noise_label", self.noise_labels)
        X, labels, parameters = arguments_of(chosen.index, X, self.partition, parameters)
        return function(X, labels, **parameters)

    def value_or_nan(self, chosen: Chosen) -> float:
        try:
            return self.value(chosen)
        except UndefinedIndexError:
            return float("nan")


class PermutedLabels(NamedTuple):
    """Values of an index for the data and labels that are permuted within blocks."""

    judged: Judged
    chosen: Chosen
    blocks: Positions

    def draw(self, size: int, seed: int) -> FloatArray:
        orders = orders_within(self.blocks, size, seed)
        return np.array([self.judged.permuted(one).value_or_nan(self.chosen) for one in orders])


def reference_of(
    labels_true: Any, X: Any, indices: Iterable[Index], sample_weight: Any = None
) -> Any:
    """Check that indices get what they need: a reference, the data, or both.

    Without a reference, return one cluster of all objects in its place, so that candidates are
    read, checked and counted as others are.
    """
    indices = list(indices)
    judging = [index.name for index in indices if index.needs_data]
    comparing = [index.name for index in indices if not index.needs_data]
    if judging and X is None:
        msg = (
            f"X must be given for {', '.join(judging)}, which evaluates a partition by the data, "
            "got None"
        )
        raise ValueError(msg)
    if X is not None and not judging:
        msg = f"X must be None for {', '.join(comparing)}, which needs no data"
        raise ValueError(msg)
    if comparing and labels_true is None:
        msg = f"labels_true must be given for {', '.join(comparing)}, got None"
        raise ValueError(msg)
    if judging and sample_weight is not None:
        msg = f"sample_weight must be None for {', '.join(judging)}, which takes no weights"
        raise ValueError(msg)
    if comparing:
        return labels_true
    if labels_true is not None:
        msg = (
            f"labels_true must be None for {', '.join(judging)}, which evaluates a partition "
            f"without a reference, got {type(labels_true).__name__}"
        )
        raise ValueError(msg)
    n_objects = X.shape[0] if hasattr(X, "shape") else len(X)
    one = Labels.of_codes(np.zeros(n_objects, np.int64))
    return one._replace(name="X", ids=index_of(X), is_named=False)  # its label is not noise


# --------------------------------------------------------------------------- what is given

R = TypeVar("R")

# The default of an argument that must be given.
REQUIRED: Any = Parameter.empty
# How random values are drawn, and how much is done at the same time.
DRAWS = ("n_resamples", "random_state", "n_jobs", "verbose")
_SEVERAL = ("candidates", "partitions")
_POSITIONAL = ("labels_true", "labels_pred", "labels_a", "labels_b", *_SEVERAL)
_OF_OBJECTS = ("sample_weight", "blocks", "within", "groups")


@dataclass(frozen=True, kw_only=True)
class Given:
    """Arguments that functions share, each with those that it declares by :func:`compares`.

    Those of two partitions are documented where these are counted, see ``OPTIONS``.

    Columns of ``data`` stand in the place of their names. What has no default must be given.

    Parameters
    ----------
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples), default=None
        The data, for indices that need them, or distances for ``metric="precomputed"``;
        ``labels_true`` is None if no index compares.
    blocks : array-like of shape (n_samples,), default=None
        Block of each object, such as its batch, donor or document: objects are permuted within
        blocks only, so that agreement due to the blocks does not count. Of any type that labels
        may have; None permutes all objects.
    within : array-like of shape (n_samples,), default=None
        Group of each object, such as its document, image or recording: clusters of different groups
        are different, whatever their labels. Indices then have a micro value, computed from one
        table of all groups, and a macro value, the mean of the values of the groups. For labels
        only.
    groups : array-like of shape (n_samples,), default=None
        Sampling unit of each object, if groups of objects were sampled together: entities,
        documents, donors or speakers. None: each object is one. At least 10 groups.
    n_resamples : int, default=999
        Number of half samples, at least 2; drawn for indices with maxima or thresholds only.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int or None, default=None
        Progress on stderr: 0 shows none, 1 all of it. None shows one line with an estimate
        if it may take more than ten seconds, on a terminal or in a notebook.
    **params : dict
        Parameters of the index.
    """

    labels_true: PartitionLike = REQUIRED
    labels_pred: PartitionLike | None = None
    labels_a: PartitionLike = REQUIRED
    labels_b: PartitionLike = REQUIRED
    candidates: PartitionsLike | None = None
    partitions: PartitionsLike | None = None
    data: TableLike = None
    index: IndexLike = REQUIRED
    X: MatrixLike = None
    sample_weight: ArrayLike | None = None
    blocks: PartitionLike | None = None
    within: PartitionLike | None = None
    groups: PartitionLike | None = None
    n_resamples: int = 999
    random_state: RandomStateLike = 0
    n_jobs: int | None = None
    verbose: int | None = None
    # What was read of them: the index with its parameters, how partitions are read, and all as it
    # was given.
    chosen: Chosen = None  # type: ignore[assignment]
    reading: Reading = DEFAULT
    as_given: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, shared: dict[str, Any], params: dict[str, Any], *, with_data: bool) -> Given:
        """Look up an index, and columns; ``with_data`` admits indices that need the data."""
        reading, values = DEFAULT, shared
        if not shared.keys().isdisjoint(READ_ALIKE):
            reading = reading_of(shared)
            values = {name: one for name, one in shared.items() if name not in READ_ALIKE}
        if values.get("data") is not None or not values.keys().isdisjoint(_SEVERAL):
            values = values | _columns(values)
        if "verbose" in values:
            check_verbose(values["verbose"])
        chosen: Any = None
        if "index" in values:
            record, params = read_index(values["index"], params, with_data=with_data)
            chosen = Chosen(record.name, record, params)
        return cls(**values, chosen=chosen, reading=reading, as_given=shared)

    @property
    def draws(self) -> dict[str, Any]:
        """How random values are drawn, as keywords."""
        return {name: getattr(self, name) for name in DRAWS}

    def reference(self, *indices: Index) -> Any:
        """Return the reference; one cluster of all objects for indices that need the data."""
        indices = indices or (self.chosen.index,)
        return reference_of(self.labels_true, self.X, indices, self.sample_weight)

    def table(self) -> ContingencyTable:
        """Count two partitions."""
        return count(self.labels_true, self.labels_pred, self.sample_weight, self.reading)

    def titles(self, names: Any = None) -> tuple[str, str]:
        """Return the names of two partitions, see :func:`names_of`."""
        given = [self.as_given.get(one) for one in ("labels_true", "labels_pred", "data")]
        return names_of(names, *given)


def _columns(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be columns of a table, looked up."""
    data = given.get("data")
    of_objects = {n: given[n] for n in (*_POSITIONAL[:4], *_OF_OBJECTS) if n in given}
    found = dict(zip(of_objects, in_columns(data, **of_objects), strict=True))
    for name in given.keys() & {*_SEVERAL}:
        found[name] = several_in_columns(data, given[name], name, of_objects.values())
    return found


def compares(*names: str, **defaults: Any) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Make the public function of one that takes :class:`Given`, and then arguments of its own.

    ``names`` are the arguments of ``Given`` that it takes besides ``data``, with all options of
    :class:`Reading` unless some are among them; ``defaults`` those that differ from the ones of
    ``Given``. Of a function that has an ``index``, keywords without another meaning are parameters
    of that.
    """
    names += ("data", *(() if set(names).intersection(READ_ALIKE) else READ_ALIKE))
    # None stands for all columns of labels, where there are some.
    others = dict.fromkeys(name for name in names if name in _SEVERAL) | defaults

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        signature = _signature(function, names, defaults)
        allowed = Call(function, signature)
        has_index, with_data = "index" in names, "X" in names

        def call(*args: Any, **options: Any) -> R:
            given = allowed.read(args, options)
            if has_idle_noise_label(given) and "noise" in names and not treats_noise(given):
                raise ValueError(IDLE_NOISE_LABEL)
            shared = others | {one: given.pop(one) for one in names if one in given}
            unknown = given.keys() - allowed.known.keys() if has_index else ()
            params = {one: given.pop(one) for one in unknown}
            with allowed.asking_index(unknown if has_index else given):
                return function(Given.read(shared, params, with_data=with_data), **given)

        public = named_as(function, call)
        show_signature(public, signature)
        if public.__doc__:  # python -OO drops it
            texts = OPTIONS | parameter_texts(inspect.getdoc(Given) or "")
            public.__doc__ = documented(inspect.getdoc(function) or "", texts, signature.parameters)
        return cast("Callable[..., R]", public)

    return decorate


def treats_noise(given: Mapping[str, Any]) -> bool:
    """Return whether one of the indices of a call gets the labels of noise."""
    argument = "index" if "index" in given else "indices"
    named = _named(given.get(argument) or [], argument, with_data=True)
    return any("noise_label" in one.index.parameters for one in named)


_READ = ("chosen", "reading", "as_given")
_FIELDS = {one.name: one for one in fields(Given) if one.name not in _READ} | {
    one.name: one for one in fields(Reading) if one.name in READ_ALIKE
}


def _signature(
    function: Callable[..., Any], names: Iterable[str], defaults: Mapping[str, Any]
) -> Signature:
    """Return all arguments: partitions, what they are compared by, its own, and the others."""
    plain = inspect.signature(function)
    _, *own = (one.replace(annotation=Written(one.annotation)) for one in plain.parameters.values())
    shared = [
        Parameter(
            name,
            Parameter.POSITIONAL_OR_KEYWORD if name in _POSITIONAL else Parameter.KEYWORD_ONLY,
            annotation=Written(one.type),
            default=defaults.get(name, one.default),
        )
        for name, one in _FIELDS.items()
        if name in names
    ]
    if "index" in names:
        own.append(Parameter("params", Parameter.VAR_KEYWORD, annotation=Written("Any")))
    first = (*_POSITIONAL, "data", "index", "X")
    every = [
        *(one for one in shared if one.name in first),
        *own,
        *(one for one in shared if one.name not in first),
    ]
    every.sort(key=lambda one: one.kind)
    return Signature(every, return_annotation=Written(plain.return_annotation))
