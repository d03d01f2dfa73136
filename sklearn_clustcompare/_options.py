"""Words and names that parameters accept; without NumPy, for the help of the command line."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

NOISE_TREATMENTS = ("cluster", "singletons", "drop")
MISSING_TREATMENTS = ("error", "drop", "cluster")
UNMATCHED_TREATMENTS = ("error", "drop", "singleton")

# Keywords that others have, and what is called so here.
_OF_OTHERS = {
    **dict.fromkeys(
        ("k", "k_range", "n_clusters", "n_components", "max_clusters", "ks"), "param_range"
    ),
    **dict.fromkeys(
        ("n_boot", "n_bootstraps", "n_iter", "n_permutations", "n_repeats", "B"), "n_resamples"
    ),
    "alpha": "confidence_level",
    "seed": "random_state",
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

_PACKAGE = f"{__name__.partition('.')[0]}."
# A section of a docstring begins after this; what it documents begins with no space.
_SECTION = re.compile(r"\n(?=[A-Z][\w ]+\n-{3,}\n)")
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)

_CONSTANTS = {"true": True, "false": False, "none": None}
_MAX_SHOWN = 60  # characters of a value
_N_NEAREST = 5
# Words less similar than this are different, and names less similar are not worth mentioning.
_SIMILAR = 0.75
_NEAR = 0.7


class Written(str):
    """A type as it is written."""

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
                if base.__module__.startswith("sklearn_clustcompare"):
                    show_types({k: v for k, v in vars(base).items() if not isinstance(v, type)})


def publish(part: dict[str, Any]) -> None:
    """Let the help of a part show types without quotes, and its error for a name what was meant."""
    package, name_of_part = sys.modules[_PACKAGE[:-1]], part["__name__"]

    def raise_unknown(name: str) -> Any:
        raise package._unknown_name(name_of_part, name)

    show_types(part)
    part["__getattr__"] = raise_unknown


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and show the line that called the package, however many functions lie between."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
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


def options_text(options: Iterable[Any], got: Any) -> str:
    """List the options, the closest ones first if the value looks like a typing error."""
    names = [str(option) for option in options]
    close = difflib.get_close_matches(str(got), names, n=3)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"{', '.join(repr(option) for option in options)}; got {shortened(got)}{hint}"


def did_you_mean(got: str, names: Mapping[str, str], where: str = "") -> str:
    """Write what may have been meant, at the end of a message.

    ``names`` are all names by which something may be called, and its own name for each.
    """
    close = [got] if got in names else _nearest(got, names)
    text = ", ".join(map(repr, dict.fromkeys(names[one] for one in close)))
    return text and f"; did you mean {text}{where}?"


def keyword_meant(got: str, known: Iterable[str]) -> str:
    """Write which of the known keywords may have been meant, also by what others call them."""
    names = {name: name for name in known}
    others = {other: ours for other, ours in _OF_OTHERS.items() if ours in names}
    return did_you_mean(got, others | names)


def positional(signature: inspect.Signature) -> list[str]:
    """Return the names of the arguments that need no name."""
    parameters = signature.parameters.values()
    return [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]


def check_call(
    name: str, signature: inspect.Signature, args: Any, keywords: Any, ways: str = ""
) -> None:
    """Raise TypeError for arguments that do not fit, with those that do.

    ``ways`` are further ones, at the end of the message.
    """
    try:
        signature.bind(*args, **keywords)
    except TypeError as error:
        known, first = list(signature.parameters), positional(signature)
        if unknown := [one for one in keywords if one not in known]:
            hint = keyword_meant(unknown[0], known) or f"; it takes {', '.join(known)}"
            msg = f"{name}() got an unexpected keyword argument {unknown[0]!r}{hint}"
        elif len(args) > 1 and first[:1] == ["partitions"]:
            msg = f"{name}() takes several partitions as one list: {name}([a, b, ...])"
        elif len(args) == 1 and first[:2] == ["estimator", "X"]:
            msg = f"{name}() needs a clusterer and the data: {name}(estimator, X)"
        else:
            named = ", ".join(one for one in known if one not in first)
            msg = f"{name}() {error}; it takes {', '.join(first)}, and by name {named}{ways}"
        raise TypeError(msg) from None


def tells_keywords(function: Function) -> Function:
    """Let the error for a wrong call name what is right."""
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.name != "self"]
    bound = signature.replace(parameters=own)
    name = function.__qualname__.removesuffix(".__init__")
    n_self = len(signature.parameters) - len(own)

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        check_call(name, bound, args[n_self:], keywords)
        return function(*args, **keywords)

    return cast("Function", call)


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
    best = sorted(similarity, key=similarity.__getitem__, reverse=True)[:_N_NEAREST]
    return [name for name in best if similarity[name] > _NEAR]


def _words(text: str) -> list[str]:
    """Split a name at capitals and at all that is no letter or digit."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text[:_MAX_SHOWN]).lower()
    return re.findall(r"[a-z0-9]+", parts) or [""]


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
