"""Scores of candidates written as JSON and read back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sklearn_clustcompare import _stored
from sklearn_clustcompare._stored import floats, hashable, name_of
from sklearn_clustcompare.indices import Index, get_index

_NAME = "CandidateScores"
_VERSION = 1
# By how much a value may be outside of its range.
_ROUNDING = 1e-9


def as_json(parts: Mapping[str, Any]) -> str:
    """Write the parts of a result; indices are written by name."""
    names = [name_of(name, "candidates") for name in parts["names"]]
    indices = {title: index.name for title, index in parts["indices"].items()}
    return _stored.as_json(_NAME, _VERSION, {**parts, "names": names, "indices": indices})


def from_json(text: str, indices: Iterable[Index]) -> dict[str, Any]:
    """Read the parts of a result that was written."""
    own = {index.name: index for index in indices}
    return _stored.from_json(text, _NAME, _VERSION, lambda stored: _parts(stored, own))


def _parts(stored: dict[str, Any], own: dict[str, Index]) -> dict[str, Any]:
    names = [hashable(name) for name in stored["names"]]
    arrays = {
        part: {title: floats(values) for title, values in stored[part].items()}
        for part in ("scores", "intervals", "first_shares")
    }
    intervals = {title: ends.reshape(-1, 2) for title, ends in arrays["intervals"].items()}
    parts = {
        **arrays,
        "names": names,
        "n_clusters": np.array(stored["n_clusters"], np.int64),
        "coverage": floats(stored["coverage"]),
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
