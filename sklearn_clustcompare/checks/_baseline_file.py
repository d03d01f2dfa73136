"""Accepted results in a JSON file, to keep and review with the code.

``{"format": "sklearn_clustcompare baseline", "version": 1, "baselines": {name: ...}}``, where each
baseline has the fields of :class:`Accepted`. Labels are numbered by first appearance, as JSON,
compressed by zlib, in base64; ids are packed like them. The last two fields may be missing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._files import write_file
from sklearn_clustcompare._frozen import check_version
from sklearn_clustcompare._partition import Labels

_FORMAT = "sklearn_clustcompare baseline"
_VERSION = 1
_KINDS: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "float": (int, float),
    "int": int,
}


@dataclass(frozen=True)
class Accepted:
    """Accepted result for one data set.

    With ids, those are packed, and so are the labels of the reference.
    """

    data_hash: str
    index: str
    score: float
    interval_low: float
    interval_high: float
    n_samples: int
    scikit_learn: str
    labels: str
    ids: str = ""
    labels_true: str = ""

    def codes(self, where: str) -> NDArray[np.int64]:
        """Unpack the labels, as codes."""
        return self._unpacked(self.labels, np.int64, "labels", where)

    def true_codes(self, where: str) -> NDArray[np.int64]:
        """Unpack the labels of the reference, as codes."""
        return self._unpacked(self.labels_true, np.int64, "labels_true", where)

    def id_texts(self, where: str) -> NDArray[np.str_]:
        """Unpack the ids."""
        return self._unpacked(self.ids, np.str_, "ids", where)

    def _unpacked(self, packed: str, kind: Any, name: str, where: str) -> NDArray[Any]:
        try:
            values = json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))
            array = np.array(values, dtype=kind)
        except (ValueError, TypeError, OverflowError, zlib.error) as error:
            msg = f"{where} must have packed {name}, got {name} that cannot be unpacked ({error})"
            raise ValueError(msg) from None
        if array.shape != (self.n_samples,):
            msg = (
                f"{where} must have {self.n_samples} {name} (n_samples), "
                f"got {'x'.join(map(str, array.shape))}"
            )
            raise ValueError(msg)
        return array


def pack(labels: Labels) -> str:
    return pack_values(numbered(labels).tolist())


def pack_values(values: list[Any]) -> str:
    text = json.dumps(values, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def numbered(labels: Labels) -> NDArray[np.int64]:
    """Number clusters by first appearance, so that their names do not matter."""
    codes = labels.compact()[0].codes
    _, first = np.unique(codes, return_index=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[codes]


def hash_of(labels_true: Labels, data: NDArray[np.float64] | None) -> str:
    """Return a hash of the reference partition and the features."""
    digest = hashlib.sha256(numbered(labels_true).astype("<i8").tobytes())
    if data is not None:
        digest.update(repr(data.shape).encode())
        digest.update(np.ascontiguousarray(data, dtype="<f8").tobytes())
    return digest.hexdigest()


# --------------------------------------------------------------------------- the file


def read_baselines(path: Path) -> dict[str, Accepted]:
    """Read all baselines of a file; each error names the file and the cause."""
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        msg = f"the baseline file {path} does not exist; accept a first result to write it"
        raise ValueError(msg) from None
    except OSError as error:
        msg = f"the baseline file {path} cannot be read: {error.strerror}"
        raise ValueError(msg) from None
    except (ValueError, RecursionError) as error:
        msg = f"the baseline file {path} must be JSON: {error}"
        raise ValueError(msg) from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        msg = f"{path} must be a baseline file, of the format {_FORMAT!r}"
        raise ValueError(msg)
    check_version(f"the baseline file {path}", content.get("version"), _VERSION)
    baselines = content.get("baselines")
    if not isinstance(baselines, dict):
        msg = f"the baseline file {path} must have baselines, by name, got {baselines!r:.50}"
        raise ValueError(msg)
    return {name: _as_accepted(entry, name, path) for name, entry in baselines.items()}


def _as_accepted(entry: Any, name: str, path: Path) -> Accepted:
    expected = {one.name: _KINDS[str(one.type)] for one in fields(Accepted)}
    optional = {"ids", "labels_true"}
    if not isinstance(entry, dict) or not expected.keys() - optional <= entry.keys() <= (
        expected.keys()
    ):
        got = ", ".join(map(repr, entry)) if isinstance(entry, dict) else repr(entry)
        msg = (
            f"baseline {name!r} of {path} must have the fields {', '.join(map(repr, expected))}, "
            f"got {got:.200}"
        )
        raise ValueError(msg)
    for key, value in entry.items():
        if not isinstance(value, expected[key]) or isinstance(value, bool):
            msg = f"{key} of baseline {name!r} of {path} is of a wrong type, got {value!r:.50}"
            raise ValueError(msg)
    return Accepted(**entry)


def write_baselines(path: Path, baselines: dict[str, Accepted]) -> None:
    """Write the file as a whole: an error leaves the previous one unchanged."""
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "baselines": {name: _as_entry(one) for name, one in sorted(baselines.items())},
    }
    text = json.dumps(content, indent=2) + "\n"
    write_file(path, text, f"the baseline file {path}")


def _as_entry(one: Accepted) -> dict[str, Any]:
    """Return the fields without those that are empty."""
    return {key: value for key, value in asdict(one).items() if value != ""}
