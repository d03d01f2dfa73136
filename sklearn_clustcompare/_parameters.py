"""Rules for parameters: functions of a name and a value that raise an error if violated.

Every message names the argument, the rule and the value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from sklearn_clustcompare._options import options_text as options_text
from sklearn_clustcompare._options import shortened

Rule = Callable[[str, Any], None]
# What signatures show.
RandomStateLike: TypeAlias = (
    int | np.random.RandomState | np.random.Generator | np.random.SeedSequence | None
)

# Powers of small proportions underflow at larger orders of the entropy: (1e-9)^q must not. At
# smaller orders clusters of any size count the same, and the size of cells is lost in rounding
# errors.
_MIN_ORDER = 0.001
_MAX_ORDER = 30.0

_REAL = (int, float, np.integer, np.floating)

# Its square is used.
_MAX_BETA = 1e100


def entropy_order(name: str, value: Any) -> None:
    rule = f"be a number from {_MIN_ORDER:g} to {_MAX_ORDER:g}"
    _check_between(name, value, _MIN_ORDER, _MAX_ORDER, rule, with_ends=True)


def non_negative(name: str, value: Any) -> None:
    rule = f"be a non-negative finite number of at most {_MAX_BETA:g}"
    _check_between(name, value, 0, _MAX_BETA, rule, with_ends=True)


def positive_integer(name: str, value: Any) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        msg = f"{name} must be an integer, got {shortened(value)}"
        raise TypeError(msg)
    if value < 1:
        msg = f"{name} must be at least 1, got {shortened(value)}"
        raise ValueError(msg)


def at_most_objects(name: str, value: Any, n_objects: int) -> None:
    positive_integer(name, value)
    if value > n_objects:
        msg = f"{name} must be at most the number of objects, {n_objects}, got {shortened(value)}"
        raise ValueError(msg)


def probability(name: str, value: Any) -> None:
    _check_between(name, value, 0, 1, "lie between 0 and 1")


def share(name: str, value: Any) -> None:
    _check_between(name, value, 0, 1, "lie in [0, 1]", with_ends=True)


def share_or_majority(name: str, value: Any) -> None:
    if not _equal_text(value, "majority"):
        _check_or_say(share, name, value, "be 'majority' or a number in [0, 1]")


def label_or_none(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str):
        rule = "be a label, a number or a string, or None"
        _check_or_say(_check_real, name, value, rule, TypeError)


def positive_number(name: str, value: Any) -> None:
    _check_between(name, value, 0, np.inf, "be a positive finite number")


def finite(name: str, value: Any) -> None:
    _check_between(name, value, -np.inf, np.inf, "be a finite number")


def warn_or_number(name: str, value: Any) -> None:
    _word_or_number("warn", name, value)


def raise_or_number(name: str, value: Any) -> None:
    _word_or_number("raise", name, value)


def logarithm_base(name: str, value: Any) -> None:
    if value is not None:
        rule = "be None (nats) or a number above 1 (2 for bits)"
        _check_between(name, value, 1, np.inf, rule)


def check_random_source(random_state: Any) -> None:
    """Raise ValueError for an invalid ``random_state``; to seed a generator takes long."""
    if type(random_state) is not int or not 0 <= random_state < 2**32:
        random_source(random_state)


def random_source(random_state: Any) -> np.random.Generator | np.random.RandomState:
    """Return a source of random numbers; raise ValueError for an invalid ``random_state``."""
    if isinstance(random_state, np.random.SeedSequence):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.Generator):
        return random_state
    from sklearn.utils import check_random_state

    try:
        return check_random_state(random_state)
    except ValueError:
        msg = (
            "random_state must be None, an int from 0 to 2**32 - 1, or a RandomState, "
            f"Generator or SeedSequence of numpy.random; got {shortened(random_state)}"
        )
        raise ValueError(msg) from None


def boolean(name: str, value: Any) -> None:
    if not isinstance(value, bool | np.bool_):
        msg = f"{name} must be True or False, got {shortened(value)}"
        raise TypeError(msg)


@dataclass(frozen=True)
class OneOf:
    """A rule that accepts only the given options; an instance, so that it can be pickled.

    ``meant`` are other words for options, which the message answers.
    """

    options: tuple[Any, ...]
    meant: tuple[tuple[str, str], ...] = ()

    def __call__(self, name: str, value: Any) -> None:
        if type(value) is str and value in self.options:
            return
        if not any(value is option or _equal_text(value, option) for option in self.options):
            msg = f"{name} must be one of {options_text(self.options, value)}"
            for word, option in self.meant:
                msg += f"; did you mean {option!r}?" if _equal_text(value, word) else ""
            raise ValueError(msg)


def one_of(*options: Any, **meant: str) -> OneOf:
    return OneOf(options, tuple(meant.items()))


def _equal_text(value: Any, option: Any) -> bool:
    return isinstance(value, str) and isinstance(option, str) and value == option


def _word_or_number(word: str, name: str, value: Any) -> None:
    if not _equal_text(value, word):
        _check_or_say(_check_real, name, value, f"be {word!r} or a real number")


def _check_or_say(
    check: Rule, name: str, value: Any, rule: str, kind: type[Exception] = ValueError
) -> None:
    """Check a value by a rule that is part of another one, which the message tells."""
    try:
        check(name, value)
    except (TypeError, ValueError):
        msg = f"{name} must {rule}, got {shortened(value)}"
        raise kind(msg) from None


def _check_between(
    name: str, value: Any, low: float, high: float, rule: str, *, with_ends: bool = False
) -> None:
    _check_real(name, value)
    if not (low <= value <= high if with_ends else low < value < high):
        msg = f"{name} must {rule}, got {shortened(value)}"
        raise ValueError(msg)


def _check_real(name: str, value: Any) -> None:
    if type(value) is float:  # most are, and types of NumPy take longer to look up
        return
    if not isinstance(value, _REAL) or isinstance(value, bool):
        msg = f"{name} must be an int or a float, got {shortened(value)}"
        raise TypeError(msg)
