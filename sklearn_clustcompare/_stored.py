"""Results written as JSON and read back: one object with a format, a version and their parts."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from sklearn_clustcompare._frozen import check_version

T = TypeVar("T")


def as_json(name: str, version: int, parts: Mapping[str, Any]) -> str:
    """Write the parts of a result of the class of this name."""
    content = {"format": f"sklearn_clustcompare.{name}", "version": version}
    content |= {key: numbers(value) for key, value in parts.items()}
    return json.dumps(content, allow_nan=False, default=_no_json)


def from_json(text: str, name: str, version: int, parts_of: Callable[[dict[str, Any]], T]) -> T:
    """Read what was written, and return its parts; all that is wrong is a ValueError."""
    try:
        stored = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"stored must be the output of to_json, got invalid JSON: {error}"
        raise ValueError(msg) from None
    if not isinstance(stored, dict) or stored.get("format") != f"sklearn_clustcompare.{name}":
        msg = f"stored must be the output of {name}.to_json, got other JSON"
        raise ValueError(msg)
    check_version("stored", stored.get("version"), version)
    try:
        return parts_of(stored)
    except (KeyError, IndexError, TypeError, AttributeError, OverflowError) as error:
        msg = f"stored must be the output of to_json, got a changed result: {error!r}"
        raise ValueError(msg) from None


def numbers(value: Any) -> Any:
    """Replace arrays by lists, and numbers that JSON cannot represent."""
    if isinstance(value, Mapping):
        return {key: numbers(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return numbers(value.tolist())
    if isinstance(value, list):
        return [numbers(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def floats(values: Any) -> Any:
    """Return the numbers that ``numbers`` replaced."""
    if not isinstance(values, list):
        return math.nan if values is None else float(values)
    return np.array([floats(one) for one in values], np.float64)


def name_of(name: Any, what: str) -> Any:
    """Return the name of a candidate or a cluster as JSON has it."""
    plain = name.item() if isinstance(name, np.generic) else name
    if isinstance(plain, tuple):
        return [name_of(one, what) for one in plain]
    if (
        plain is None
        or isinstance(plain, str | int)
        or (isinstance(plain, float) and math.isfinite(plain))
    ):
        return plain
    msg = (
        f"names of {what} must be text, finite numbers, booleans, None or tuples of these to be "
        f"written as JSON, got {name!r}"
    )
    raise TypeError(msg)


def hashable(name: Any) -> Any:
    """Return the name that ``name_of`` replaced."""
    return tuple(hashable(one) for one in name) if isinstance(name, list) else name


def _no_json(value: Any) -> Any:
    msg = f"parameters of indices must be such that JSON can hold them, got {value!r}"
    raise TypeError(msg)
