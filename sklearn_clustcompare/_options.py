"""Words and names that parameters accept; without NumPy, for the help of the command line."""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import math
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from itertools import chain
from types import FunctionType
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

NOISE_TREATMENTS = ("cluster", "singletons", "drop")
MISSING_TREATMENTS = ("error", "drop", "cluster")
UNMATCHED_TREATMENTS = ("error", "drop", "singleton")

_UP_TO = "param_range=range(2, K + 1)"
# Keywords that others have, and what it may be called here; a function takes some of these.
_OF_OTHERS = {
    other: ours
    for others, *ours in (
        ("alpha", "significance_level", "'confidence_level' (1 - alpha)", "'level' (1 - alpha)"),
        ("ci confidence level", "confidence_level", "level"),
        ("dropna na na_action nan_policy skipna", "missing='drop'"),
        ("loss measure method metric metrics score scoring", "index", "indices", "statistic"),
        ("index indices", "index", "indices", "statistic"),
        ("by group_by groupby strata", "within", "groups"),
        ("k k_range ks n_clusters n_components", "param_range", "n_clusters"),
        ("k_min kmin min_clusters min_k range_n_clusters", "param_range"),
        ("k_max kmax max_clusters max_k max_n_clusters", _UP_TO, "n_clusters=(None, K)"),
        ("sample_weight sample_weights weights", "sample_weight", "weights"),
        ("B n_boot n_bootstrap n_bootstraps", "n_resamples", "n_null"),
        ("n_iter n_permutations n_repeats", "n_resamples", "n_null"),
        ("rng seed", "random_state"),
        ("margin tol", "tolerance"),
        ("n_processes n_workers processes workers", "n_jobs"),
        ("class_names label_names target_names", "labels_true=names[labels_true]"),
    )
    for other in others.split()
}

# Two indices adjusted for chance, by pairs and by information; purity of clusters and of classes;
# and the share of correctly assigned objects. Without a reference, the last one.
DEFAULT_INDICES = (
    "adjusted_rand_score",
    "adjusted_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "matching_accuracy_score",
)
DEFAULT_INDEX_OF_DATA = "silhouette_score"

# Of entities, with intervals in a report; those by which nights are compared.
SCORES_OF_ENTITIES = tuple(
    f"{kind}_{what}_score" for kind in ("bcubed", "pair") for what in ("precision", "recall", "f")
)

PACKAGE = f"{__name__.partition('.')[0]}."
# A section of a docstring begins after this; what it documents begins with no space.
_SECTION = re.compile(r"\n(?=[A-Z][\w ]+\n-{3,}\n)")
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)

_CONSTANTS = {"true": True, "false": False, "none": None}
_MAX_SHOWN = 60  # characters of a value
_N_NEAREST = 5
# Words less similar than this are different, and names less similar are not worth mentioning.
_SIMILAR = 0.75
_NEAR, _SAME = 0.7, 0.9
# Nor are those that are so much less similar than the best one.
_NEARLY_BEST = 0.6
# A name in the documentation of more others is a word of the field.
_MOST_MENTIONS = 3
_BETWEEN = "[-_.]?"
_PICTURES = frozenset(("chart", "diagram", "display", "draw", "plot"))


class Written(str):
    """A text whose ``repr`` has no quotes: a type, or code in a message."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def show_types(exported: Mapping[str, Any]) -> None:
    """Let ``help`` show the types of functions and methods, which are texts, without quotes."""
    for one in exported.values():
        function = getattr(one, "__wrapped__", getattr(one, "__func__", one))
        if isinstance(function, FunctionType):
            types = function.__annotations__
            types.update({name: Written(type) for name, type in types.items()})
        elif isinstance(one, type):
            for base in one.__mro__:
                if f"{base.__module__}.".startswith(PACKAGE):
                    show_types({k: v for k, v in vars(base).items() if not isinstance(v, type)})


def publish(part: dict[str, Any]) -> None:
    """Let the help of a part show types without quotes, and its error for a name what was meant."""
    package, name_of_part = sys.modules[PACKAGE[:-1]], part["__name__"]

    def raise_unknown(name: str) -> Any:
        raise package._unknown_name(name_of_part, name)

    show_types(part)
    part["__getattr__"] = raise_unknown


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and show the line that called the package, however many functions lie between."""
    frame, level = sys._getframe(1), 2
    inside = PACKAGE, contextlib.__name__
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(inside):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def parameter_texts(doc: str) -> dict[str, str]:
    """Return the text of each parameter of a docstring; several may have one together."""
    listed = [one for one in _SECTION.split(doc) if one.startswith("Parameters\n")]
    return entries(listed[0].split("\n", 2)[2]) if listed else {}


def entries(text: str) -> dict[str, str]:
    """Split a section of parameters."""
    texts = [f"{one.rstrip()}\n" for one in _ENTRY.split(text.strip("\n")) if one]
    return {name.lstrip("*"): one for one in texts for name in one.partition(" : ")[0].split(", ")}


def documented(doc: str, texts: Mapping[str, str], names: Iterable[str]) -> str:
    """Return a docstring with the parameters of these names; it may have texts of its own."""
    texts = {**texts, **parameter_texts(doc)}
    listed = "".join(dict.fromkeys(texts[name] for name in names))
    head, *sections = [one for one in _SECTION.split(doc) if not one.startswith("Parameters\n")]
    return "\n".join([head, f"Parameters\n----------\n{listed}", *sections, ""])


def documented_as(source: Callable[..., Any]) -> Callable[[Function], Function]:
    """Give a function the texts of parameters that another one documents, in its own order."""

    def document(function: Function) -> Function:
        if source.__doc__:  # python -OO drops it
            texts = parameter_texts(inspect.getdoc(source) or "")
            names = [one for one in inspect.signature(function).parameters if one not in _BOUND]
            function.__doc__ = documented(inspect.getdoc(function) or "", texts, names)
        return function

    return document


def options_text(options: Iterable[Any], got: Any) -> str:
    """List the options, the closest ones first if the value looks like a typing error."""
    names = [str(option) for option in options]
    close = difflib.get_close_matches(str(got), names, n=3)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"{', '.join(repr(option) for option in options)}; got {shortened(got)}{hint}"


def did_you_mean(
    got: str,
    names: Mapping[str, str],
    where: str = "",
    others: Mapping[str, str] = {},
    docs: Mapping[str, str] = {},
) -> str:
    """Write what may have been meant, at the end of a message.

    ``names`` are all names by which something may be called, and its own name for each, ``others``
    those that others have; ``docs`` the documentation, which may mention more of these.
    """
    if got not in (*names, *others):  # what others call an index is a score here
        got = re.sub("_(index|coefficient)$", "_score", got).replace("_fscore", "_f_score")
    words = _words(got)
    is_picture = bool(docs and _PICTURES.intersection(words))
    if is_picture:
        names = {name: one for name, one in names.items() if name.endswith("Display")}
        words = [word for word in words if word not in _PICTURES]
    is_typing_error = difflib.get_close_matches(got, names, n=1, cutoff=_SAME)
    mentioned = [] if is_typing_error else [n for n in _mentioning(words, docs) if n in names]
    # A word that no name has says nothing.
    known = {word for name in (*names, *others) for word in _words(name)}
    short = "_".join(one for one in words if any(_similarity(one, other) for other in known))
    exact = [one for one in (got, short) if one in (*names, *others)][:1]
    pictures = [name for name in mentioned if name.endswith("Display")]
    found = [*exact, *pictures] if exact and not is_picture else mentioned
    first = [one for one in words[:1] if one in others]  # what is done, whatever it is done to
    found = found or first + _nearest("_".join(words), names) or exact
    found = (found or _nearest(words[-1], names))[:_N_NEAREST]
    return meant(dict.fromkeys({**others, **names}[one] for one in found), where)


def _mentioning(words: list[str], docs: Mapping[str, str]) -> list[str]:
    """Return the few names whose documentation has the words as one name."""
    phrase = re.compile(rf"\b(?i:{_BETWEEN.join(words)})(?![a-z])")
    found = [name for name, doc in docs.items() if phrase.search(doc)] if len(words) > 1 else []
    return found if len(found) <= _MOST_MENTIONS else []


def meant(names: Iterable[str], where: str = "") -> str:
    """Write names that may have been meant, at the end of a message."""
    text = ", ".join(map(repr, names))
    return text and f"; did you mean {text}{where}?"


def keyword_meant(got: str, known: Iterable[str]) -> str:
    """Write which of the known keywords may have been meant, also by what others call them."""
    ends = {"min", "max"}
    of_got = ends.intersection(_words(got))
    names = {name: name for name in known if of_got ^ ends & {*_words(name)} != ends}
    for ours in _OF_OTHERS.get(got, ()):
        if re.findall(r"\w+", ours)[0] in names:
            return meant([ours if ours in names else Written(ours)])
    return did_you_mean(got, names)


def unknown_parameter(got: str, taken: Mapping[str, Iterable[str]]) -> TypeError:
    """Return the error for a parameter that is none of those that each index takes."""
    known = dict.fromkeys(chain(*taken.values()))
    subject = f"{next(iter(taken))} takes" if len(taken) == 1 else "the indices take"
    text = f"{subject} {', '.join(map(repr, known)) or 'no parameters'}"
    hint = keyword_meant(got, known)
    message = f"{text}{';' if known else ','} got {shortened(got)}{hint}"
    return _unknown(message, got, known, f", and {text}")


def _unknown(message: str, got: str, known: Iterable[str], others: str) -> TypeError:
    """Return an error that a function to which a keyword was passed on puts into other words.

    The keyword is none of those ``known``, the last of which ``others`` tell; see :class:`Call`.
    """
    error = TypeError(message)
    error.unknown = got, known, others  # type: ignore[attr-defined]
    return error


class Call:
    """How a function may be called; its errors name what may be meant, or all that there is."""

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        ways: str = "",
        treats_noise: Callable[[dict[str, Any]], bool] = lambda given: False,
    ) -> None:
        """``ways`` are further ones to get the result, for messages.

        A ``noise_label`` that has no effect is refused, unless an index ``treats_noise`` itself.
        """
        self.name, self.ways = name.removesuffix(".__init__"), ways
        self._treats_noise = treats_noise
        kinds = {name: one.kind for name, one in signature.parameters.items()}
        self.positional = [n for n in kinds if kinds[n] is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        self.is_open = inspect.Parameter.VAR_KEYWORD in kinds.values()
        self.known = {
            name: one.default
            for name, one in signature.parameters.items()
            if kinds[name] is not inspect.Parameter.VAR_KEYWORD
        }
        self._required = {n for n, value in self.known.items() if value is inspect.Parameter.empty}
        # Numbers of arguments by position that are all right without others.
        least = len(self._required) if self._required <= {*self.positional} else math.inf
        self.plain = {n for n in range(len(self.positional) + 1) if n >= least}

    def read(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments by name; raise TypeError unless the function takes them."""
        given = dict(zip(self.positional, args, strict=False))
        if not keywords and len(args) in self.plain:
            return given
        given |= keywords
        if (
            len(given) < len(args) + len(keywords)
            or not self._required <= given.keys()
            or not (self.is_open or given.keys() <= self.known.keys())
        ):
            raise self._error(args, keywords)
        if "noise_label" in given and "noise" in self.known and not self._treats_noise(given):
            refuse_idle_noise_label(given)
        return given

    def unknown(
        self, got: str, more: Iterable[str] = (), others: str = "", given: Container[str] = ()
    ) -> TypeError:
        """Return the error for a keyword beside those ``given``, and ``more`` of an index."""
        names, more = [name for name in self.known if name not in _BOUND], tuple(more)
        hint = keyword_meant(got, [name for name in (*names, *more) if name not in given])
        hint = hint or (
            f"{'' if '.' in self.name else _taken_elsewhere(got)}; it takes "
            f"{', '.join(names) or 'none'}{others}{self.ways}"
        )
        message = f"{self.name}() got an unexpected keyword argument {shortened(got)}{hint}"
        return _unknown(message, got, (*names, *more), others)

    def told(self, error: TypeError, given: Container[str]) -> TypeError:
        """Return the error for a keyword that was passed on in own words, or another error."""
        got, known, others = getattr(error, "unknown", ("", (), ""))
        if got in self.known or got not in given:
            return error
        return self.unknown(got, [one for one in known if one not in self.known], others, given)

    def _error(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> TypeError:
        unknown = [
            self.unknown(got, others=_index_meant(value), given=keywords)
            for got, value in keywords.items()
            if got not in self.known and (not self.is_open or keyword_meant(got, self.known))
        ]
        fits = [hasattr(one, "fit") for one in args[:2]]
        if unknown and self.positional[:2] == ["estimator", "X"] and fits == [False, True]:
            unknown.append(TypeError("the clusterer comes first, then X"))
        if unknown:
            return TypeError("\n".join(map(str, unknown))) if len(unknown) > 1 else unknown[0]
        own = [name for name in self.positional if name not in _BOUND]
        left = {n: one for n, one in self.known.items() if n not in {*self.positional, *keywords}}
        if len(args) > len(self.positional):
            extra = args[len(self.positional)]
            if own == ["partitions"] and not isinstance(extra, str):
                msg = f"takes several partitions as one list: {self.name}([a, b, ...])"
                return TypeError(f"{self.name}() {msg}{self.ways}")
            takers = [name for name in left if name in ("index", "indices", "method")]
            hint = "the others by keyword"
            if "data" in left and (hasattr(args[0], "columns") or hasattr(args[0], "obs")):
                hint = "the table as data="
            elif takers and isinstance(extra, str):
                hint = f"{takers[0]}={shortened(extra)}"
            msg = f"too many positional arguments, it takes {', '.join(own)}: pass {hint}"
            return TypeError(f"{self.name}() {msg}{self.ways}")
        if twice := [name for name in self.positional[: len(args)] if name in keywords]:
            return TypeError(f"{self.name}() multiple values for argument {twice[0]!r}")
        asked = [
            n for n in own if n in self._required or n in (own[0], "labels_pred", "candidates")
        ]
        by_keyword = self._required.difference(self.positional)
        asked += [f"{n}={_EXAMPLES.get(n, '...')}" for n in self.known if n in by_keyword]
        missing = self._required - {*self.positional[: len(args)], *keywords} - _BOUND
        first = next((name for name in self.known if name in missing), "self")
        msg = f"missing a required argument: {first!r}, as in {self.name}({', '.join(asked)})"
        return TypeError(f"{self.name}() {msg}{self.ways}")


def _index_meant(value: Any) -> str:
    """Write which function an index is that was given by a keyword that is none."""
    names = getattr(sys.modules.get(f"{PACKAGE}indices"), "NAMES", {})
    name = names.get(value.lower()) if isinstance(value, str) else None
    return f"; {value!r} is sklearn_clustcompare.metrics.{name}" if name else ""


def _taken_elsewhere(got: str) -> str:
    """Write which public functions take a keyword that another one lacks, if they are few."""
    package = sys.modules[PACKAGE[:-1]]
    homes = package._HOMES | package._in_parts()
    found = [
        f"{part}.{name}"
        for name, part in homes.items()
        if isinstance(one := getattr(package._import_part(part), name), FunctionType)
        and got in inspect.signature(one).parameters
    ]
    return f"; taken by {', '.join(found)}" if 0 < len(found) <= _MOST_MENTIONS else ""


_BOUND = {"self", "cls"}
_EXAMPLES = {"index": "'adjusted_rand_score'"}


def tells_keywords(function: Function, **options: Any) -> Function:
    """Let errors for the arguments of a public function say what may be meant.

    The options are those of :class:`Call`.
    """
    allowed = Call(function.__qualname__, inspect.signature(function), **options)

    def call(*args: Any, **keywords: Any) -> Any:
        if keywords or len(args) not in allowed.plain:
            allowed.read(args, keywords)
        try:
            return function(*args, **keywords)
        except TypeError as error:
            if not hasattr(error, "unknown"):
                raise
            raise allowed.told(error, keywords) from None

    return cast("Function", named_as(function, call))


def refuse_idle_noise_label(given: Container[str]) -> None:
    """Raise ValueError if keywords have labels of noise, but not how to treat it."""
    if "noise_label" in given and "noise" not in given:
        msg = "noise_label has no effect with noise='cluster': pass noise='drop' or 'singletons'"
        raise ValueError(msg)


def named_as(function: Callable[..., Any], call: Any) -> Any:
    """Give a function that calls another one its name, also in a traceback, and docstring."""
    name = function.__name__
    call.__code__ = call.__code__.replace(co_name=name, co_qualname=name)
    return functools.wraps(function)(call)


def _nearest(got: str, names: Iterable[str]) -> list[str]:
    """Return up to five names that are most like a text: in their words, then in their letters."""
    words_of = {name: _words(name) for name in names}
    n_names = Counter(word for words in words_of.values() for word in words)
    # What many names contain says little.
    weights = {word: 1 / (1 + n_names[word]) for word in _words(got)}
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2("_".join(weights))
    similarity = {}
    for name, words in words_of.items():
        matcher.set_seq1("_".join(words))
        shared = sum(
            weight * max(_similarity(one, other) for other in words)
            for one, weight in weights.items()
        )
        similarity[name] = shared / sum(weights.values()) + matcher.ratio()
    least = max(_NEAR, _NEARLY_BEST * max(similarity.values(), default=0))
    best = sorted(similarity, key=similarity.__getitem__, reverse=True)[:_N_NEAREST]
    return [name for name in best if similarity[name] > least]


def _words(text: str) -> list[str]:
    """Split a name at capitals, at numbers, and at all that is neither."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text[:_MAX_SHOWN]).lower()
    return re.findall(r"[a-z]+|\d+", parts) or [""]


def _similarity(one: str, other: str) -> float:
    """Return the similarity of two words: 1 if one abbreviates the other, 0 if they differ."""
    if min(len(one), len(other)) > 3 and (one.startswith(other) or other.startswith(one)):
        return 1.0
    ratio = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    return ratio if ratio >= _SIMILAR else 0.0


def shortened(value: Any) -> str:
    """Write a value in a message."""
    return shortened_text(repr(value), _MAX_SHOWN)


def shortened_text(text: str, n_characters: int) -> str:
    """Cut a long text in its middle."""
    if len(text) <= n_characters:
        return text
    n_last = (n_characters - 3) // 2
    return f"{text[: n_characters - 3 - n_last]}...{text[-n_last:]}"


def split_parameters(text: str) -> tuple[str, dict[str, Any]]:
    """Split NAME:key=value; raise ValueError for any other form."""
    name, *settings = text.split(":")
    parameters: dict[str, Any] = {}
    for setting in settings:
        key, _, value = setting.partition("=")
        if not key or not value or key in parameters:
            msg = f"an index must be NAME or NAME:key=value, each key once, got {shortened(text)}"
            raise ValueError(msg)
        parameters[key] = _value_of(value)
    return name, parameters


def with_parameters(name: str, parameters: Mapping[str, Any]) -> str:
    """Write NAME:key=value."""
    return ":".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def _value_of(text: str) -> Any:
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return _CONSTANTS.get(text.lower(), text)
