"""The base of all Displays: axes, colors, labels of clusters, keywords and docstrings."""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import os
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_clustcompare._array_types import Array, FloatArray, IntArray, Positions
from sklearn_clustcompare._data import check_data
from sklearn_clustcompare._options import (
    Call,
    Written,
    documented,
    options_text,
    parameter_texts,
    shortened,
)
from sklearn_clustcompare._palette import CYCLE, GRAY
from sklearn_clustcompare._rendering import (
    DOTS,
    distinct_texts,
    missing_attribute,
    one_line,
    without_middle,
)
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare.indices._compares import Given, compares

# Small values light, large ones dark, and no value white.
COLORMAP = "cividis_r"

# Matrices with more rows or columns have no numbers, nor do those with smaller text.
_MAX_NUMBERED = 20
_READABLE = 4.5

MARKERS = "osD^vPX"
_MAX_TEXT = 14
# Labels of small axes are shorter, so that they take at most this share of the axes.
_MIN_TEXT, _MAX_LABEL = 6, 24
_TEXT_SHARE = 0.4
_FONT_SIZE = 9
_LINE_INCHES = 0.17
_CHARACTER_INCHES = 0.095
_TITLE_INCHES = 0.093
_SHRINKAGE = 0.85
# Width of a legend beside the axes, as a share of theirs, and height of an axis with its label.
_BESIDE, _AXIS_INCHES = 0.6, 0.45


def import_pyplot(display: Any) -> Any:
    """Return pyplot; raise ImportError with the name of the Display if it is missing."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        msg = (
            f"{type(display).__name__}.plot needs Matplotlib, which is not installed: "
            "pip install matplotlib"
        )
        raise ImportError(msg) from error
    return pyplot


def read_places(X: Any) -> Array:
    """Return positions in a plane."""
    check_data(X)
    places = np.asarray(X)
    if places.ndim != 2 or places.shape[1] != 2:
        msg = f"X must have the shape (n_samples, 2), got {places.shape}"
        raise ValueError(msg)
    return places


def as_names(names: Any, number: int, what: str, argument: str = "names") -> list[Any]:
    """Return names as a list; raise an error unless there is one for each of a number of things."""
    rule = f"{argument} must name the {number} {what}"
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        msg = f"{rule}, got {shortened(names)}"
        raise TypeError(msg)
    listed = list(names)
    try:
        hash(tuple(listed))
    except TypeError:
        msg = f"{rule} by values that can be hashed, got {shortened(listed)}"
        raise TypeError(msg) from None
    if len(listed) != number:
        msg = f"{rule}, got {len(listed)}"
        raise ValueError(msg)
    return listed


def new_axes(ax: Any, display: Any, figsize: tuple[float, float]) -> Any:
    """Return the given axes, or those of a new figure; store them on the Display."""
    pyplot = import_pyplot(display)
    if ax is None:
        _, ax = pyplot.subplots(figsize=figsize, layout="compressed")
    display.ax_, display.figure_ = ax, ax.figure
    return ax


def inches(ax: Any) -> FloatArray:
    """Return the width and the height of axes."""
    return np.asarray(ax.get_window_extent().size / ax.figure.dpi)


def ink(ax: Any) -> Any:
    """Return the color of prominent lines on these axes: white in a dark style."""
    return ax.xaxis.label.get_color()


def curve_colors(ax: Any) -> tuple[Any, ...]:
    """Return the colors of curves."""
    return (*CYCLE, ink(ax))


def faint(ax: Any, alpha: float) -> float:
    """Return the opacity of faint artists: larger on dark axes, where colors fade."""
    return alpha if is_dark(ink(ax)) else min(2 * alpha, 1.0)


def is_dark(color: Any) -> bool:
    """Whether white text is more readable than black text on a color."""
    from matplotlib.colors import to_rgb

    return bool(np.dot(to_rgb(color), (0.3, 0.59, 0.11)) < 0.5)


def shorten(label: Any, width: int = _MAX_TEXT) -> str:
    """Return a label as one line, without its middle if it is too long."""
    return _escape(without_middle(one_line(label), width))


def shorten_all(labels: Iterable[Any], width: int = _MAX_TEXT) -> list[str]:
    """Return labels as one line each, such that different labels remain different."""
    return [_escape(text) for text in distinct_texts(labels, width)]


def _escape(text: str) -> str:
    return text.replace("$", r"\$")  # two dollar signs would enclose a formula


def label_clusters(
    axis: Any,
    positions: ArrayLike,
    labels: Sequence[Any],
    *,
    suffixes: Sequence[str] | None = None,
    rotation: Any = None,
    frame: Any = None,
) -> None:
    """Put labels on an axis, as many as fit, long ones shortened, with suffixes behind them.

    Long labels of the horizontal axis are rotated, unless a rotation is given. The ``frame`` of a
    secondary axis differs from its own axes.
    """
    from matplotlib.ticker import FuncFormatter

    from sklearn_clustcompare.plot._ticks import RoomyLocator

    frame = axis.axes if frame is None else frame
    places = np.asarray(positions, dtype=np.float64)
    width, height = inches(frame)
    is_x = axis.axis_name == "x"
    most = int(_TEXT_SHARE * (height if is_x else width) / _CHARACTER_INCHES)
    texts = shorten_all(labels, min(max(most, _MIN_TEXT), _MAX_LABEL))
    if suffixes is not None:
        texts = [text + suffix for text, suffix in zip(texts, suffixes, strict=True)]
    gap = _LINE_INCHES
    if is_x and rotation is None:
        # Dots are as wide as two letters.
        longest = max((len(text) + text.count(DOTS) for text in texts), default=0)
        room = _SHRINKAGE * width / np.ptp(axis.get_view_interval())
        narrowest = np.diff(np.sort(places)).min(initial=math.inf)
        if longest * _CHARACTER_INCHES > narrowest * room:
            rotation = 90
        else:
            gap = longest * _CHARACTER_INCHES
    names = dict(zip(places.tolist(), texts, strict=True))
    axis.set_major_locator(RoomyLocator(np.sort(places), gap, frame))
    axis.set_major_formatter(FuncFormatter(partial(_name_at, names)))
    ax = axis.axes
    ax.tick_params(axis=axis.axis_name, labelsize=_FONT_SIZE, length=2)
    if rotation is not None:
        degrees = {"vertical": 90, "horizontal": 0}.get(rotation, rotation)
        ax.tick_params(axis=axis.axis_name, labelrotation=degrees)


def _name_at(names: dict[float, str], place: float, _: int) -> str:
    return names.get(place, "")


def lay_out(ax: Any) -> None:
    """Lay the figure out, so that no text covers a neighbor; what follows knows its size.

    A figure without a layout gets a constrained one, which also makes room for what is drawn later.
    """
    figure = ax.figure.canvas.figure
    if ax.get_subplotspec() is not None:
        if figure.get_layout_engine() is None:
            figure.set_layout_engine("constrained")
        figure.get_layout_engine().execute(figure)


def write_title(ax: Any, text: str) -> None:
    """Set the title, in lines that are not longer than the axes."""
    ax.set_title(_wrapped(text, inches(ax)[0]))


def _wrapped(text: str, room: float) -> str:
    width = max(int(room / _TITLE_INCHES), 12)
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def tick_decades(axis: Any, low: float, high: float) -> None:
    """Put ticks on a logarithmic axis, at 1, 2 and 5 times the powers of ten."""
    powers = 10.0 ** np.arange(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [tick for tick in np.outer(powers, (1, 2, 5)).ravel() if low <= tick <= high]
    axis.set_ticks(ticks, [f"{tick:,.12g}" for tick in ticks])
    axis.set_ticks([], minor=True)


def draw_legend(ax: Any) -> None:
    """Draw a legend where it hides nothing: in the axes, else next to them, or below.

    It is below where it is wide, or would narrow the neighbors.
    """
    from matplotlib.transforms import ScaledTranslation

    style = {"frameon": False, "fontsize": _FONT_SIZE}
    box = ax.legend(loc="best", **style).get_window_extent()
    if not _is_drawn_on(ax, box):
        return
    place = ax.get_subplotspec()
    has_neighbors = place is not None and place.get_gridspec().ncols > 1
    if not has_neighbors and box.width < _BESIDE * ax.get_window_extent().width:
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), **style)
    else:
        below = ax.transAxes + ScaledTranslation(0, -_AXIS_INCHES, ax.figure.dpi_scale_trans)
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=below, **style)


def _is_drawn_on(ax: Any, box: Any) -> bool:
    """Whether points, lines or areas of the axes reach into a box."""
    from matplotlib.collections import PathCollection

    drawn = [(line, line.get_path(), False) for line in ax.lines]
    for one in ax.collections:
        if isinstance(one, PathCollection):
            if box.count_contains(one.get_offset_transform().transform(one.get_offsets())):
                return True
        else:
            is_area = len(one.get_facecolor()) > 0
            drawn += [(one, path, is_area) for path in one.get_paths()]
    return any(
        one.get_transform().transform_path(path).intersects_bbox(box, filled=is_area)
        for one, path, is_area in drawn
    )


def draw_colorbar(image: Any, label: str) -> Any:
    """Add a color bar as high as the axes; for images a layout would not do so."""
    ax = image.axes
    bar = ax.figure.colorbar(image, cax=ax.inset_axes((1.03, 0, 0.045, 1)))
    bar.set_label(_wrapped(label, inches(ax)[1]))
    return bar


def _number_texts(values: Array, values_format: str | None) -> Array:
    """Return numbers as text: whole ones in full, others with two digits."""
    spec = ("d" if values.dtype.kind in "iu" else ".2f") if values_format is None else values_format
    texts = np.array([format(value, spec) for value in values.ravel().tolist()], object)
    return texts.reshape(values.shape)


def write_values(
    image: Any,
    values: Array,
    values_format: str | None,
    text_kw: dict[str, Any] | None,
    *,
    include: bool | None,
    is_plain: Any = False,
) -> Array | None:
    """Write numbers into the cells of an image, in a fitting size and a contrasting color.

    None includes them if there are few and they are readable. Plain cells have no color.
    """
    if include is False or (include is None and max(values.shape) > _MAX_NUMBERED):
        return None
    from matplotlib import cbook
    from matplotlib.text import Text

    ax = image.axes
    texts = _number_texts(values, values_format)
    width, height = 72 * inches(ax) / texts.shape[::-1]
    if ax.get_aspect() != "auto":
        width = height = min(width, height)
    longest = max(len(text) for text in texts.ravel())
    size = min(1.4 * width / longest, 0.6 * height)
    if include is None and size < _READABLE:
        return None
    given = cbook.normalize_kwargs(text_kw or {}, Text)
    artists = np.empty(texts.shape, dtype=object)
    is_plain = np.broadcast_to(is_plain, texts.shape)
    for (row, col), text in np.ndenumerate(texts):
        color: Any = "white" if is_dark(image.cmap(image.norm(values[row, col]))) else "black"
        if is_plain[row, col]:
            color = GRAY if text.strip("0.") == "" else ink(ax)
        style = {
            "horizontalalignment": "center",
            "verticalalignment": "center",
            "fontsize": max(min(size, _FONT_SIZE), _READABLE),
            "color": color,
        }
        artists[row, col] = ax.text(col, row, text, **(style | given))
    return artists


def whole_ticks(ax: Any, places: ArrayLike = 0) -> None:
    """Put no ticks between whole numbers, if all places are such."""
    if np.array_equal(places, np.floor(places)):
        ax.xaxis.get_major_locator().set_params(integer=True)


def draw_stars(ax: Any, x: Any, y: Any, colors: Sequence[Any], label: str) -> Any:
    """Mark what was chosen."""
    style = {"marker": "*", "edgecolor": ink(ax), "linewidth": 0.7, "zorder": 5, "label": label}
    return ax.scatter(x, y, s=150 if len(x) <= 20 else 50, color=colors, **style)


def draw_band(
    ax: Any,
    x: Array,
    mean: FloatArray,
    deviation: FloatArray,
    *,
    color: Any,
    **style: Any,
) -> Any:
    """Shade two standard deviations on either side of a mean; a single point gets a width."""
    low, high = mean - 2 * deviation, mean + 2 * deviation
    if len(x) == 1:
        x, low, high = np.array([x[0] - 0.25, x[0] + 0.25]), low.repeat(2), high.repeat(2)
    style = {
        "facecolor": (color, faint(ax, 0.25)),
        "edgecolor": (color, 0.6),
        "linewidth": 0.8,
        **style,
    }
    return ax.fill_between(x, low, high, **style)


def numeric_curves(
    settings: Sequence[Mapping[str, Any]], param_name: str
) -> tuple[str, dict[str, Positions]]:
    """Return the parameter to draw against, "auto" the first one whose values are numbers.

    Also, for each combination of the other parameters, the positions of its settings by that
    parameter.
    """
    numeric = [
        name
        for name in dict.fromkeys(name for one in settings for name in one)
        if all(isinstance(one[name], numbers.Real) for one in settings if name in one)
    ]
    name = next(iter(numeric), "") if param_name == "auto" else param_name
    if name not in numeric:
        msg = f"param_name must have numbers, one of {options_text(numeric, param_name)}"
        raise ValueError(msg)
    others = {
        position: ", ".join(f"{key}={value}" for key, value in one.items() if key != name)
        for position, one in enumerate(settings)
        if name in one
    }
    curves: dict[str, list[int]] = {text: [] for text in others.values()}
    for position in sorted(others, key=lambda position: settings[position][name]):
        curves[others[position]].append(position)
    unnamed = "no other parameter" if len(curves) > 1 else ""
    return name, {text or unnamed: np.array(members) for text, members in curves.items()}


def plain(values: Iterable[Any]) -> list[Any]:
    """Return labels as Python values, for texts without NumPy's types."""
    return np.asarray(values).tolist()


def brackets(merges: IntArray, heights: FloatArray, order: NDArray[np.integer]) -> FloatArray:
    """Return the four corners of each merge, as height and position among the leaves.

    ``merges`` numbers clusters as a linkage does, and ``order`` has the objects from the first to
    the last leaf. SciPy's dendrogram is recursive and fails for deep trees, such as those of single
    linkage.
    """
    n = len(order)
    middles, levels = np.zeros((2, 2 * n - 1))
    middles[order] = np.arange(n)
    corners = np.empty((n - 1, 4, 2))
    for step, (first, second) in enumerate(merges.tolist()):
        height = heights[step]
        corners[step, :, 0] = levels[first], height, height, levels[second]
        corners[step, :, 1] = middles[[first, first, second, second]]
        middles[n + step] = (middles[first] + middles[second]) / 2
        levels[n + step] = height
    return corners


# The Display that draws each class of results.
_DISPLAYS: dict[type, Any] = {}
D = TypeVar("D", bound="Display")


class Making(Protocol):
    """A method that returns a Display, whose keywords are those of functions."""

    def __get__(self, one: object, cls: type[D], /) -> Callable[..., D]: ...


class DisplayKind(type):
    """Class of all Displays: what is wrong with a call says how a Display is made."""

    def __call__(cls: Any, *args: Any, **options: Any) -> Any:
        Call(cls.__name__, inspect.signature(cls), cls._ways()).read(args, options)
        if args and cls._of and not (cls._of_result or isinstance(args[0], cls._of)):
            names = " or ".join(one.__name__ for one in cls._of)
            msg = f"{cls.__name__} draws a {names}, got {type(args[0]).__name__}{cls._ways()}"
            raise TypeError(msg)
        return super().__call__(*args, **options)

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            hint = "" if name.startswith("_") else cls._ways()
            msg = f"type object {cls.__name__!r} has no attribute {name!r}{hint}"
            raise AttributeError(msg, name=name, obj=None)

    def _ways(cls: Any) -> str:
        """Write how it is made, at the end of a message."""
        ways = {name: getattr(cls, name) for name in dir(cls) if name.startswith("from_")}
        calls = [
            f"{name}({', '.join(Call(name, inspect.signature(one)).positional)})"
            for name, one in ways.items()
        ]
        if cls._of and not cls._of_result:
            calls.append(f"{cls.__name__}({' or '.join(one.__name__ for one in cls._of)}).plot()")
        return f"; it is made by {', '.join(calls)}"


@dataclass_transform(eq_default=False)
class Display(metaclass=DisplayKind):
    """Base of all Displays: values, and a picture of them.

    What is drawn are the parameters of the class: its fields, as of a dataclass, unless it has an
    ``__init__`` of its own. A class method that is marked by :func:`draws` takes the keywords of a
    function that computes them, some of the class, and those of ``plot``.
    """

    ax_: Any
    plot: Callable[..., Any]
    __signature__: ClassVar[inspect.Signature]
    _of: ClassVar[tuple[type, ...]] = ()
    # Rules of keywords of ``plot``.
    _checks: ClassVar[Mapping[str, Callable[[str, Any], None]]] = MappingProxyType({})
    # The class method that draws a result, where the class has other parameters.
    _of_result: ClassVar[str] = ""

    if TYPE_CHECKING:

        def __init__(self, *values: Any, **options: Any) -> None: ...

    else:

        def __getattr__(self, name: str) -> Any:
            if name in ("ax_", "figure_", "axes_"):
                msg = f"{type(self).__name__!r} object has no {name!r} before its plot() is called"
                raise AttributeError(msg)
            missing_attribute(self, name)

    def __init_subclass__(cls, of: tuple[type, ...] = ()) -> None:
        if "__init__" not in vars(cls):
            dataclass(eq=False, repr=False)(cls)
        made = inspect.signature(cls.__init__)
        _, *own = made.parameters.values()
        cls.__signature__ = made.replace(
            parameters=[one.replace(annotation=Written(one.annotation)) for one in own]
        )
        cls._of = of or cls._of
        _DISPLAYS.update(dict.fromkeys(of, cls))
        if "plot" in vars(cls):  # whose keywords are those of the others as well
            cls.plot = _checked(cls.plot, cls)
        for name, method in [*vars(cls).items()]:
            if hasattr(method, "_draws") and name != "plot":
                setattr(cls, name, _making(method, cls))

    @classmethod
    def _drawn_by(cls, name: str, *args: Any, **options: Any) -> Any:
        """Return what a class method draws."""
        method: Any = getattr(cls, name)
        return method.__wrapped__(cls, *args, **options)

    def __repr__(self) -> str:
        ax: Any = vars(self).get("ax_")
        title = ax.get_title() if hasattr(ax, "get_title") else ""
        return f"{type(self).__name__}{': ' if title else ''}{' '.join(title.split())}"


def draw_result(result: Any, ax: Any, options: dict[str, Any]) -> Any:
    """Draw a result by its Display; this is the method ``plot`` of results."""
    display = _DISPLAYS[type(result)]
    if isinstance(ax, str | os.PathLike):
        path = shortened(str(ax))
        msg = f"plot() draws into axes, got {path}: for a file, plot().figure_.savefig({path})"
        raise TypeError(msg)
    options = options if ax is None else {"ax": ax, **options}
    if display._of_result:
        return getattr(display, display._of_result)(result, **options)
    known = {**_keywords(display), **_keywords(display.plot)}
    Call(f"{display.__name__}.plot", inspect.Signature([*known.values()])).read((), options)
    plotting = taken(options, display.plot)
    return display(result, **options).plot(**plotting)


def draws(
    *functions: Any, own: Sequence[str] = (), without: Sequence[str] = ()
) -> Callable[[Callable[..., Any]], Making]:
    """Mark a method whose other keywords are those of functions.

    A class method ``from_...`` returns what is drawn: the first parameter of the class, a tuple of
    the first ones, or a dict; one without arguments draws what the first function returns. It takes
    the keywords of the functions but for those ``without``, the ``own`` ones of the class, and
    those of ``plot``.
    """

    def mark(method: Any) -> Any:
        method._draws = functions, own, without
        return method

    return mark


def taken(options: dict[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """Take those of the options out that are keywords of a function."""
    return {name: options.pop(name) for name in _keywords(function) if name in options}


@compares("labels_true", "labels_pred", "sample_weight")
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


def _check_values(cls: Any, options: Mapping[str, Any]) -> None:
    """Check keywords of ``plot``, before anything is computed."""
    for name in cls._checks.keys() & options.keys():
        cls._checks[name](name, options[name])


def _checked(method: Any, cls: Any) -> Any:
    """Return ``plot`` with the keywords of the functions that it calls."""

    @functools.wraps(method)
    def plot(self: Any, *args: Any, **options: Any) -> Any:
        allowed.read(args, options)
        _check_values(cls, options)
        return method(self, *args, **options)

    functions, own, without = getattr(method, "_draws", ((), (), ()))
    bound = _show_all_keywords(plot, inspect.signature(method), functions, own, without, cls)
    allowed = Call(f"{cls.__name__}.plot", bound)
    return plot


def _making(method: Any, cls: Any) -> Any:
    """Return the class method that draws what a method, or the function it names, returns."""
    functions, own, without = method._draws
    signature = inspect.signature(method)
    is_whole = len(signature.parameters) == 1
    if is_whole:
        of_function = inspect.signature(functions[0]).parameters
        more = [of_function[one] for one in Call("", inspect.signature(functions[0])).positional]
        signature = signature.replace(parameters=[*signature.parameters.values(), *more])

    @functools.wraps(method)
    def make(cls: Any, *args: Any, **options: Any) -> Any:
        allowed.read(args, options)
        plotting = taken(options, cls.plot)
        _check_values(cls, plotting)
        of_class = {name: options.pop(name) for name in own if name in options}
        try:
            found = functions[0](*args, **options) if is_whole else method(cls, *args, **options)
        except TypeError as error:
            if not hasattr(error, "unknown"):
                raise
            raise allowed.told(error, options) from None
        if not isinstance(found, dict):
            values = found if type(found) is tuple else (found,)
            found = dict(zip(inspect.signature(cls).parameters, values, strict=False))
        return cls(**found, **of_class).plot(**plotting)

    bound = _show_all_keywords(make, signature, functions, own, without, cls)
    has_more = "labels_pred" in bound.parameters and hasattr(cls, "from_partitions")
    ways = "; from_partitions takes several partitions" if has_more else ""
    allowed = Call(f"{cls.__name__}.{method.__name__}", bound, ways)
    return classmethod(make)


def _show_all_keywords(
    shown: Any, plain: inspect.Signature, functions: Any, own: Any, without: Any, cls: Any
) -> inspect.Signature:
    """Let ``help`` and editors show all keywords of a method; return those of a bound one."""
    every = {n: one for n, one in plain.parameters.items() if one.kind is not one.VAR_KEYWORD}
    of_class = _keywords(cls)
    for more in (*map(_keywords, functions), {n: of_class[n] for n in own}, _keywords(cls.plot)):
        every |= {n: one for n, one in more.items() if n not in (*every, *without)}
    rest = [
        one
        for function in functions
        for one in inspect.signature(function).parameters.values()
        if one.kind is one.VAR_KEYWORD
    ]
    parameters = [
        one if one.annotation is one.empty else one.replace(annotation=Written(one.annotation))
        for one in (*every.values(), *rest[:1])
    ]
    signature = plain.replace(parameters=parameters, return_annotation=Written(cls.__name__))
    shown.__signature__ = signature
    if shown.__doc__:
        texts: dict[str, str] = {}
        for source in (cls.plot, cls, *reversed(functions)):
            texts |= parameter_texts(inspect.getdoc(source) or "")
        names = list(signature.parameters)[1:]
        shown.__doc__ = documented(inspect.getdoc(shown) or "", texts, names)
    return signature.replace(parameters=parameters[1:])
