"""What functions that compare partitions take alike: declared, documented and read as ``Given``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from inspect import Parameter, Signature
from typing import Any, TypeVar, cast

from numpy.typing import ArrayLike

from sklearn_clustcompare._options import (
    Call,
    Written,
    documented,
    named_as,
    parameter_texts,
)
from sklearn_clustcompare._parameters import RandomStateLike
from sklearn_clustcompare._partition import DEFAULT, NAMES, Reading, names_of
from sklearn_clustcompare._partition.arrays import (
    READ_ALIKE,
    MatrixLike,
    PartitionLike,
    PartitionsLike,
    TableLike,
)
from sklearn_clustcompare._partition.reading import in_columns, several_in_columns
from sklearn_clustcompare._table import ContingencyTable, count
from sklearn_clustcompare._tasks import check_verbose
from sklearn_clustcompare.indices._index import (
    OPTIONS,
    reading_of,
    show_signature,
)
from sklearn_clustcompare.indices._judged import Chosen, reference_of, treats_noise
from sklearn_clustcompare.indices._record import (
    Index,
    IndexLike,
)
from sklearn_clustcompare.indices._registry import read_index

R = TypeVar("R")

# The default of an argument that must be given.
REQUIRED: Any = Parameter.empty
# How random values are drawn, and how much is done at the same time.
DRAWS = ("n_resamples", "random_state", "n_jobs", "verbose")
_SEVERAL = frozenset(("candidates", "partitions"))
_READ_ALIKE = frozenset(READ_ALIKE)
_SINGLE = ("labels", *NAMES, "labels_accepted", "labels_a", "labels_b")
_POSITIONAL = (*_SINGLE, *_SEVERAL)
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

    labels: PartitionLike = REQUIRED
    labels_true: PartitionLike = REQUIRED
    labels_pred: PartitionLike | None = None
    labels_accepted: PartitionLike = REQUIRED
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
        if not _READ_ALIKE.isdisjoint(shared):
            reading = reading_of(shared)
            values = {name: one for name, one in shared.items() if name not in READ_ALIKE}
        if values.get("data") is not None or not _SEVERAL.isdisjoint(values):
            values = values | _columns(values)
        if "verbose" in values:
            check_verbose(values["verbose"])
        chosen: Any = None
        if "index" in values:
            record, params = read_index(values["index"], params, with_data=with_data)
            chosen = Chosen(record.name, record, params)
        return _made({**values, "chosen": chosen, "reading": reading, "as_given": shared})

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


def _made(read: dict[str, Any]) -> Given:
    """Make what was read, four times as fast as the constructor of a frozen class."""
    given = object.__new__(Given)
    given.__dict__.update(read)
    return given


def _columns(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be columns of a table, looked up."""
    data = given.get("data")
    of_objects = {n: given[n] for n in (*_SINGLE, *_OF_OBJECTS) if n in given}
    found = dict(zip(of_objects, in_columns(data, **of_objects), strict=True))
    for name in given.keys() & {*_SEVERAL}:
        found[name] = several_in_columns(data, given[name], name, of_objects.values())
    return found


def compares(
    *names: str, like: Callable[..., Any] | None = None, **defaults: Any
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Make the public function of one that takes :class:`Given`, and then arguments of its own.

    ``names`` are the arguments of ``Given`` that it takes besides ``data``, with all options of
    :class:`Reading` unless some are among them; ``defaults`` those that differ from the ones of
    ``Given``. Of a function that has an ``index``, keywords without another meaning are parameters
    of that. Texts of parameters that its docstring lacks are those of the function that it is
    ``like``, if any.
    """
    names += ("data", *(() if set(names).intersection(READ_ALIKE) else READ_ALIKE))
    # None stands for all columns of labels, where there are some.
    others = dict.fromkeys(_SEVERAL.intersection(names)) | defaults

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        signature = _signature(function, names, defaults)
        allowed = Call(function.__qualname__, signature, treats_noise=treats_noise)
        has_index, with_data = "index" in names, "X" in names
        # The most common call, two partitions by their places, has nothing to look up.
        alone = () if has_index or not _SEVERAL.isdisjoint(names) else allowed.plain

        def call(*args: Any, **options: Any) -> R:
            if not options and len(args) in alone:
                given = others | dict(zip(allowed.positional, args, strict=False))
                return function(_made({**given, "as_given": given}))
            shared = others | allowed.read(args, options)
            own = {one: shared.pop(one) for one in [*shared] if one not in names}
            unknown = own.keys() - allowed.known.keys() if own and has_index else ()
            params = {one: own.pop(one) for one in unknown}
            try:
                return function(Given.read(shared, params, with_data=with_data), **own)
            except TypeError as error:
                if not hasattr(error, "unknown"):
                    raise
                raise allowed.told(error, options) from None

        public = named_as(function, call)
        show_signature(public, signature)
        if public.__doc__:  # python -OO drops it
            texts = OPTIONS
            for one in (Given, like) if like else (Given,):
                texts = texts | parameter_texts(inspect.getdoc(one) or "")
            public.__doc__ = documented(inspect.getdoc(function) or "", texts, signature.parameters)
        return cast("Callable[..., R]", public)

    return decorate


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
