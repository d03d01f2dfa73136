"""Results written as JSON and read back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sklearn_clustcompare._frozen import check_version
from sklearn_clustcompare.indices import Index, get_index

_FORMAT = "sklearn_clustcompare.CandidateScores"
_VERSION = 1
# By how much a value may be outside of its range.
_ROUNDING = 1e-9


def as_json(parts: Mapping[str, Any]) -> str:
    """Write the parts of a result; indices are written by name."""
    stored = {key: _numbers(value) for key, value in parts.items()}
    stored["names"] = [_name(name) for name in parts["names"]]
    stored["indices"] = {title: index.name for title, index in parts["indices"].items()}
    return json.dumps(
        {"format": _FORMAT, "version": _VERSION, **stored}, allow_nan=False, default=_no_json
    )


def from_json(text: str, indices: Iterable[Index]) -> dict[str, Any]:
    """Read the parts of a result that was written."""
    try:
        stored = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"stored must be the output of to_json, got invalid JSON: {error}"
        raise ValueError(msg) from None
    if not isinstance(stored, dict) or stored.get("format") != _FORMAT:
        msg = "stored must be the output of CandidateScores.to_json, got other JSON"
        raise ValueError(msg)
    check_version("stored", stored.get("version"), _VERSION)
    try:
        return _parts(stored, {index.name: index for index in indices})
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        msg = f"stored must be the output of to_json, got a changed result: {error!r}"
        raise ValueError(msg) from None


def _parts(stored: dict[str, Any], own: dict[str, Index]) -> dict[str, Any]:
    names = [_hashable(name) for name in stored["names"]]
    arrays = {
        part: {title: _floats(values) for title, values in stored[part].items()}
        for part in ("scores", "intervals", "first_shares")
    }
    intervals = {title: ends.reshape(-1, 2) for title, ends in arrays["intervals"].items()}
    parts = {
        **arrays,
        "names": names,
        "n_clusters": np.array(stored["n_clusters"], np.int64),
        "coverage": _floats(stored["coverage"]),
        "indices": {title: _index(name, own) for title, name in stored["indices"].items()},
        "parameters": {title: dict(given) for title, given in stored["parameters"].items()},
        "confidence_level": stored["confidence_level"],
        "intervals": intervals,
    }
    columns = [parts["n_clusters"], parts["coverage"], *arrays["scores"].values()]
    if any(len(column) != len(names) for column in columns):
        msg = f"stored must have as many scores as names, got {len(names)} names"
        raise ValueError(msg)
    _check_values(parts)
    return parts


def _check_values(parts: dict[str, Any]) -> None:
    """Raise ValueError for values that no result has."""
    scores, level = parts["scores"], parts["confidence_level"]
    if not scores or any(list(parts[part]) != list(scores) for part in ("indices", "parameters")):
        msg = "stored must have scores, an index and parameters of the same names, got "
        raise ValueError(msg + f"{list(scores)}, {list(parts['indices'])} for scores and indices")
    for part in ("intervals", "first_shares"):
        if not set(parts[part]) <= set(scores):
            msg = f"stored must have {part} of scores only, got {list(parts[part])}"
            raise ValueError(msg)
    if level is not None and not 0 < level < 1:
        msg = f"stored must have a confidence_level between 0 and 1, got {level}"
        raise ValueError(msg)
    coverage = parts["coverage"]
    if ((coverage < 0) | (coverage > 1 + _ROUNDING)).any() or (parts["n_clusters"] < 0).any():
        msg = (
            "stored must have a coverage in [0, 1] and at least 0 clusters of each candidate, got "
            f"{coverage.tolist()} and {parts['n_clusters'].tolist()}"
        )
        raise ValueError(msg)
    for title, values in scores.items():
        low, high = parts["indices"][title].range
        # Candidates that failed have the score that a user chose, and no coverage.
        known = values[coverage > 0]
        slack = _ROUNDING * max(1.0, *(abs(end) for end in (low, high) if math.isfinite(end)))
        outside = known[(known < low - slack) | (known > high + slack)]
        if len(outside):
            msg = f"stored must have values of {title} in [{low:g}, {high:g}], got {outside[0]:g}"
            raise ValueError(msg)


def _index(name: str, own: dict[str, Index]) -> Index:
    if name in own:
        return own[name]
    try:
        return get_index(name)
    except ValueError:
        msg = (
            "indices must have the records of all indices that are not in the package, "
            f"got none for {name!r}"
        )
        raise ValueError(msg) from None


# --------------------------------------------------------------------------- numbers and names


def _numbers(value: Any) -> Any:
    """Replace arrays by lists, and numbers that JSON cannot represent."""
    if isinstance(value, Mapping):
        return {key: _numbers(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _numbers(value.tolist())
    if isinstance(value, list):
        return [_numbers(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def _floats(values: Any) -> Any:
    if not isinstance(values, list):
        return math.nan if values is None else float(values)
    return np.array([_floats(one) for one in values], np.float64)


def _name(name: Any) -> Any:
    plain = name.item() if isinstance(name, np.generic) else name
    if isinstance(plain, tuple):
        return [_name(one) for one in plain]
    if (
        plain is None
        or isinstance(plain, str | int)
        or (isinstance(plain, float) and math.isfinite(plain))
    ):
        return plain
    msg = (
        "names of candidates must be text, finite numbers, booleans, None or tuples of these to be "
        f"written as JSON, got {name!r}"
    )
    raise TypeError(msg)


def _hashable(name: Any) -> Any:
    return tuple(_hashable(one) for one in name) if isinstance(name, list) else name


def _no_json(value: Any) -> Any:
    msg = f"parameters of indices must be such that JSON can hold them, got {value!r}"
    raise TypeError(msg)
