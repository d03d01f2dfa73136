"""Fits of an experiment in a file that grows by one line with each fit.

A line of JSON each: the first is ``{"format": "sklearn_clustcompare benchmark", "version": 1,
"entropy": ..., "scikit_learn": ...}``; then, before its first fit, ``{"estimator": name,
"parameters": {...}}`` or ``{"dataset": name, "hash": ...}``; and the fits, with the fields of
:class:`Fit`. A line counts when it is complete, so that an interrupted write loses that fit alone.
Labels are JSON, compressed by zlib, in base64. Of several lines of one fit the last one counts.
"""

from __future__ import annotations

import base64
import json
import os
import re
import warnings
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import joblib
import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

_FORMAT = "sklearn_clustcompare benchmark"
_VERSION = 1
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class Task(NamedTuple):
    """What is fitted: names, the number of the repeat, the number of clusters if it is set."""

    dataset: str
    estimator: str
    repeat: int
    n_clusters: int | None


class Fit(NamedTuple):
    """The labels of a fit and the seconds that it took, or the error that it ended with."""

    task: Task
    seconds: float
    labels: NDArray[Any] | None
    error: str | None = None


class FitFile:
    """A file of fits; it is read and checked when it is made, and opened as a context to append.

    The ``entropy`` is that of the file, if it has one, or the one given.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        entropy: int,
        is_given: bool,
        estimators: Mapping[str, Any],
        datasets: Mapping[str, Any],
    ) -> None:
        self.path = Path(path)
        self.entropy = entropy
        self.fits: dict[Task, Fit] = {}
        described = {
            "estimator": {name: parameter_texts(one) for name, one in estimators.items()},
            "dataset": {name: joblib.hash(X) for name, X in datasets.items()},
        }
        known: dict[str, dict[str, Any]] = {"estimator": {}, "dataset": {}}
        lines = self._lines()
        self._is_new = not lines
        if lines:
            self._check_header(lines[0], is_given)
            for number, line in enumerate(lines[1:], 2):
                self._take(line, number, known)
        for kind, names in known.items():
            self._compare(kind, names, described[kind])
        self._to_add = [
            {kind: name, _FIELDS[kind]: value}
            for kind, names in described.items()
            for name, value in names.items()
            if name not in known[kind]
        ]

    def __enter__(self) -> FitFile:
        self._file = self.path.open("ab")
        try:
            if self._is_new:
                header = {"format": _FORMAT, "version": _VERSION, "entropy": self.entropy}
                self._write(header | {"scikit_learn": sklearn.__version__})
            else:
                self._file.truncate(self._length)  # without a line that was interrupted
            for line in self._to_add:
                self._write(line)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, fit: Fit) -> None:
        """Append a fit; it is on the disk when this returns."""
        labels = None if fit.labels is None else _packed(fit.labels)
        self._write(fit._asdict() | {"labels": labels})
        self.fits[fit.task] = fit

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write((json.dumps(line) + "\n").encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    # ------------------------------------------------------------------- what was written

    def _lines(self) -> list[bytes]:
        """Return the lines that are complete."""
        content = self.path.read_bytes() if self.path.exists() else b""
        self._length = content.rfind(b"\n") + 1
        if content and not self._length:
            msg = f"path must be a file of this function or a new one, got another: {self.path}"
            raise ValueError(msg)
        return content[: self._length].splitlines()

    def _check_header(self, line: bytes, is_given: bool) -> None:
        try:
            header = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("format") != _FORMAT:
            msg = f"path must be a file of this function or a new one, got another: {self.path}"
            raise ValueError(msg)
        if header.get("version") != _VERSION:
            msg = (
                f"{self.path} must be of version {_VERSION}, got version "
                f"{header.get('version')!r}: read it with the release of the package that wrote it"
            )
            raise ValueError(msg)
        entropy, version = header.get("entropy"), header.get("scikit_learn")
        if not isinstance(entropy, int) or not isinstance(version, str):
            msg = f"{self.path} must be as it was written, got a damaged line 1"
            raise ValueError(msg)
        if is_given and entropy != self.entropy:
            msg = (
                f"random_state must be the one with which {self.path} was started, or None to take "
                "that, got another one"
            )
            raise ValueError(msg)
        self.entropy = entropy
        if version != sklearn.__version__:
            warnings.warn(
                f"{self.path} was started with scikit-learn {version} and is continued "
                f"with {sklearn.__version__}: fits may differ for that reason alone",
                UserWarning,
                stacklevel=4,
            )

    def _take(self, line: bytes, number: int, known: dict[str, dict[str, Any]]) -> None:
        """Take what a line holds."""
        try:
            content = json.loads(line)
            for kind, field in _FIELDS.items():
                if kind in content:
                    known[kind][content[kind]] = content[field]
                    return
            fit = Fit(**content)
            task = Task(*fit.task)
            labels = None if fit.labels is None else _unpacked(fit.labels)
        except (ValueError, TypeError, KeyError, zlib.error) as error:
            msg = f"{self.path} must be as it was written, got a damaged line {number} ({error})"
            raise ValueError(msg) from None
        self.fits[task] = Fit(task, fit.seconds, labels, fit.error)

    def _compare(self, kind: str, known: dict[str, Any], described: dict[str, Any]) -> None:
        """Raise ValueError unless all that is in the file is the same in the arguments."""
        argument = f"{kind}s"
        lacking = [name for name in known if name not in described]
        if lacking:
            msg = (
                f"{argument} must have all that are in {self.path}, got none called "
                f"{', '.join(map(repr, lacking))}: name another file for another experiment"
            )
            raise ValueError(msg)
        for name, former in known.items():
            if described[name] != former:
                what = "other data" if kind == "dataset" else _changes(former, described[name])
                msg = (
                    f"{argument}[{name!r}] must be the same as in {self.path}, got {what}: name "
                    "another file for another experiment"
                )
                raise ValueError(msg)


# What is known of an estimator, and of a data set.
_FIELDS = {"estimator": "parameters", "dataset": "hash"}


def parameter_texts(estimator: Any) -> dict[str, str]:
    """Describe an estimator by its class and its parameters, those of its steps among them.

    Without random states, as these are set for each fit.
    """
    parameters = estimator.get_params(deep=True)
    return {"class": _class_name(estimator)} | {
        name: _text(value)
        for name, value in sorted(parameters.items())
        if name.split("__")[-1] != "random_state"
    }


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype} {value.shape} {joblib.hash(value)}"
    if isinstance(value, BaseEstimator):
        return _class_name(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return _ADDRESS.sub("", repr(value))


def _class_name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _changes(former: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Write the parameters that differ."""
    return ", ".join(
        f"{name}={now.get(name, 'nothing')} for {former.get(name, 'nothing')}"
        for name in sorted({*former, *now})
        if former.get(name) != now.get(name)
    )


def _packed(labels: NDArray[Any]) -> str:
    text = json.dumps(labels.tolist(), separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _unpacked(packed: Any) -> NDArray[Any]:
    return np.array(json.loads(zlib.decompress(base64.b64decode(packed, validate=True))))
