"""The base of all Displays, and what their class methods take from the functions they draw."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar, dataclass_transform

from numpy.typing import ArrayLike

from sklearn_clustcompare._options import Written, documented, parameter_texts
from sklearn_clustcompare._partition import Reading, names_of
from sklearn_clustcompare._partition.arrays import PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._table import ContingencyTable, count

Method = TypeVar("Method", bound=Callable[..., Any])


# The Display that draws each class of results.
_DISPLAYS: dict[type, Any] = {}


@dataclass_transform(eq_default=False)
class Display:
    """Base of all Displays: values, and a picture of them.

    What is drawn are the parameters of the class: its fields, as of a dataclass, unless it has an
    ``__init__`` of its own. A class method that is marked by :func:`draws` takes the keywords of a
    function that computes them, some of the class, and those of ``plot``.
    """

    ax_: Any
    plot: Callable[..., Any]

    if TYPE_CHECKING:

        def __init__(self, *values: Any, **options: Any) -> None: ...

    def __init_subclass__(cls, of: tuple[type, ...] = ()) -> None:
        if "__init__" not in vars(cls):
            dataclass(eq=False, repr=False)(cls)
        _DISPLAYS.update(dict.fromkeys(of, cls))
        for one in vars(cls).values():
            method = getattr(one, "__func__", None)
            if hasattr(method, "_draws"):
                _show_all_keywords(method, cls)

    def __repr__(self) -> str:
        ax: Any = getattr(self, "ax_", None)
        title = ax.get_title() if hasattr(ax, "get_title") else ""
        return f"{type(self).__name__}{': ' if title else ''}{' '.join(title.split())}"

    @classmethod
    def _drawn(cls, function: Callable[..., Any], *args: Any, **options: Any) -> Self:
        """Call a function, and draw its result; each takes its own of the keywords."""
        plotting, computing = taken(options, cls.plot), taken(options, function)
        own = taken(options, cls)
        display: Self = cls(function(*args, **computing, **options), **own).plot(**plotting)
        return display


def draw_result(result: Any, **options: Any) -> Any:
    """Draw a result by its Display; this is the method ``plot`` of results."""
    display = _DISPLAYS[type(result)]
    if hasattr(display, "_of_result"):
        return display._of_result(result, **options)
    return display._drawn(lambda: result, **options)


def draws(
    *functions: Any, own: Sequence[str] = (), without: Sequence[str] = ()
) -> Callable[[Method], Method]:
    """Mark a class method that hands its ``**options`` to functions and to ``plot``.

    Its signature and docstring get the keywords that the method does not name itself: those of the
    functions but for those ``without``, its ``own`` ones of the class, and those of ``plot``.
    """

    def mark(method: Method) -> Method:
        plain = [getattr(one, "__func__", one) for one in functions]
        method._draws = plain, own, without  # type: ignore[attr-defined]
        return method

    return mark


def taken(options: dict[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """Take those of the options out that are keywords of a function."""
    return {name: options.pop(name) for name in _keywords(function) if name in options}


def count_named(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    names: Any = None,
    sample_weight: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
) -> tuple[ContingencyTable, tuple[str, str]]:
    """Count the objects of two partitions; return the table, and the names of both sides.

    Parameters
    ----------
    labels_true : array-like or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    names : tuple of two str, default=None
        Names of the reference and of the candidate; None takes those of pandas Series, else
        those of the arguments.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each,
        or leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or
        take them as one cluster.
    unmatched : {"error", "drop", "singleton"}, default="error"
        How to treat objects that only one of two partitions has, where both name their objects
        (dicts, Series, sets): raise an error, leave them out, or make each a cluster of its own
        in the other partition.
    """
    titles = names_of(names, labels_true, labels_pred, data)
    labels_true, labels_pred, sample_weight = in_columns(
        data, labels_true=labels_true, labels_pred=labels_pred, sample_weight=sample_weight
    )
    reading = Reading(possibilistic, noise, noise_label, missing, unmatched=unmatched)
    return count(labels_true, labels_pred, sample_weight, reading), titles


def _keywords(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters that must be named, and the axes."""
    return {
        one.name: one.replace(kind=one.KEYWORD_ONLY)
        for one in inspect.signature(function).parameters.values()
        if one.kind is one.KEYWORD_ONLY or one.name == "ax"
    }


def _show_all_keywords(method: Any, cls: type[Display]) -> None:
    """Let ``help`` and editors show all keywords of a class method, with their texts."""
    functions, own, without = method._draws
    plain = inspect.signature(method)
    shown = {n: one for n, one in plain.parameters.items() if one.kind is not one.VAR_KEYWORD}
    of_class = _keywords(cls)
    for more in (*map(_keywords, functions), {n: of_class[n] for n in own}, _keywords(cls.plot)):
        shown |= {n: one for n, one in more.items() if n not in (*shown, *without)}
    rest = [
        one
        for function in functions
        for one in inspect.signature(function).parameters.values()
        if one.kind is one.VAR_KEYWORD
    ]
    parameters = [
        one.replace(annotation=Written(one.annotation)) for one in (*shown.values(), *rest[:1])
    ]
    returned = Written(plain.return_annotation)
    method.__signature__ = plain.replace(parameters=parameters, return_annotation=returned)
    if method.__doc__:
        texts: dict[str, str] = {}
        for source in (cls.plot, cls, *reversed(functions)):
            texts |= parameter_texts(inspect.getdoc(source) or "")
        names = list(method.__signature__.parameters)[1:]
        method.__doc__ = documented(inspect.getdoc(method) or "", texts, names)
