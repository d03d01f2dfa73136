"""Accepted results in a JSON file, to keep and review with the code.

``{"format": "sklearn_clustcompare baseline", "version": 3, "baselines": {name: ...}, "partitions":
{key: ...}}``. A baseline has the fields of :class:`Accepted`; its partition is the key of one, with
the fields of :class:`Partition`, which several indices share. Scores change by lines of a diff.
Labels are numbered by first appearance, and their steps from object to object written as JSON,
compressed by zlib, in base64. Ids are only matched, and reports name those of the new labels:
hashes of 8 bytes are packed like labels, and one id is kept as it is, to show their form. Two of a
million ids have the same hash with a probability of 3e-8. Without ids these fields and
``labels_true`` are empty, with ids ``data_hash``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from sklearn_clustcompare._array_types import FloatArray, IntArray
from sklearn_clustcompare._files import write_file
from sklearn_clustcompare._frozen import check_version
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._table.many import in_order_of_appearance

_FORMAT = "sklearn_clustcompare baseline"
_VERSION = 3
_NUMBER = (int, float)
# Of fields that are no text.
_KINDS: dict[str, type | tuple[type, ...]] = {
    "score": _NUMBER,
    "standard_error": _NUMBER,
    "interval_low": _NUMBER,
    "interval_high": _NUMBER,
    "n_samples": int,
}


@dataclass(frozen=True)
class Partition:
    """Packed labels of objects, with the hash of what they are labels of.

    With ids, their hashes are packed instead, and so are the labels of the reference.
    """

    data_hash: str
    labels: str
    ids: str = ""
    example_id: str = ""
    labels_true: str = ""

    @property
    def key(self) -> str:
        return hashlib.sha256("|".join(asdict(self).values()).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Accepted:
    """Accepted result for one data set, by one index."""

    index: str
    score: float
    standard_error: float
    interval_low: float
    interval_high: float
    n_samples: int
    scikit_learn: str
    partition: Partition

    def unpacked(self, name: str, where: str) -> IntArray:
        """Unpack a field of the partition: codes of labels, or hashes of ids."""
        packed = getattr(self.partition, name)
        try:
            values = json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))
            array = np.cumsum(np.array(values, dtype=np.int64), axis=0)
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


def pack(values: IntArray) -> str:
    steps = np.diff(values, prepend=0)  # most of them 0 or 1 for labels; of hashes they may wrap
    text = json.dumps(steps.tolist(), separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def hashes(ids: Iterable[str]) -> IntArray:
    digests = [hashlib.blake2b(one.encode(errors="surrogatepass"), digest_size=8) for one in ids]
    return np.frombuffer(b"".join(one.digest() for one in digests), "<i8").astype(np.int64)


def numbered(labels: Labels) -> IntArray:
    """Number clusters by first appearance, so that their names do not matter."""
    return in_order_of_appearance(labels.compact()[0].codes).astype(np.int64, copy=False)


def hash_of(labels_true: Labels, data: FloatArray | None) -> str:
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
    for what in ("baselines", "partitions"):
        if not isinstance(content.get(what), dict):
            msg = (
                f"the baseline file {path} must have {what}, by name, got {content.get(what)!r:.50}"
            )
            raise ValueError(msg)
    return {
        name: _as_accepted(entry, content["partitions"], f"baseline {name!r} of {path}")
        for name, entry in content["baselines"].items()
    }


def _as_accepted(entry: Any, partitions: dict[str, Any], where: str) -> Accepted:
    _check_fields(entry, Accepted, where)
    key = entry["partition"]
    if key not in partitions:
        msg = f"{where} must have a partition of the file, got {key!r:.50}"
        raise ValueError(msg)
    _check_fields(partitions[key], Partition, where)
    return Accepted(**entry | {"partition": Partition(**partitions[key])})


def _check_fields(entry: Any, of: type[Accepted | Partition], where: str) -> None:
    """Raise ValueError unless there are all fields, each of its type."""
    expected = [one.name for one in fields(of)]
    if not isinstance(entry, dict) or set(entry) != set(expected):
        got = ", ".join(map(repr, entry)) if isinstance(entry, dict) else repr(entry)
        msg = f"{where} must have the fields {', '.join(map(repr, expected))}, got {got:.200}"
        raise ValueError(msg)
    for key, value in entry.items():
        kind = _KINDS.get(key, str)
        if not isinstance(value, kind) or isinstance(value, bool):
            msg = f"{key} of {where} is of a wrong type, got {value!r:.50}"
            raise ValueError(msg)


def write_baselines(path: Path, baselines: dict[str, Accepted]) -> None:
    """Write the file as a whole: an error leaves the previous one unchanged."""
    partitions = {one.partition.key: asdict(one.partition) for one in baselines.values()}
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "baselines": {
            name: asdict(one) | {"partition": one.partition.key}
            for name, one in sorted(baselines.items())
        },
        "partitions": dict(sorted(partitions.items())),
    }
    text = json.dumps(content, indent=2) + "\n"
    write_file(path, text, f"the baseline file {path}")
