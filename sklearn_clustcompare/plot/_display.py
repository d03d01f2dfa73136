"""The base of all Displays, and what their class methods take from the functions they draw."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar, dataclass_transform

from sklearn_clustcompare._options import Written, documented, parameter_texts
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.indices._judged import Given, compares

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


@compares("labels_true", "labels_pred", "data", "sample_weight")
def count_named(given: Given, *, names: Any = None) -> tuple[ContingencyTable, tuple[str, str]]:
    """Count the objects of two partitions; return the table, and the names of both sides.

    Parameters
    ----------
    names : tuple of two str, default=None
        Names of the reference and of the candidate; None takes those of pandas Series, else
        those of the arguments.
    """
    return given.table(), given.titles(names)


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
