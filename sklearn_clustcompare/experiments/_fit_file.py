"""Fits of an experiment in a file that grows by one line with each fit.

A line of JSON each: the first is ``{"format": "sklearn_clustcompare benchmark", "version": 1,
"entropy": ..., "scikit_learn": ...}``; then, before its first fit, ``{"estimator": name,
"parameters": {...}}`` or ``{"dataset": name, "hash": ...}``; and the fits, with the fields of
:class:`Fit`. A line counts when it is complete, so that an interrupted write loses that fit alone.
Labels are JSON, compressed by zlib, in base64. Of several lines of one fit the last one counts.
"""

from __future__ import annotations

import base64
import functools
import json
import math
import os
import sys
import types
import warnings
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import joblib
import numpy as np
import sklearn
from numpy.typing import NDArray

from sklearn_clustcompare._files import open_alone
from sklearn_clustcompare._frozen import check_version

_FORMAT = "sklearn_clustcompare benchmark"
_VERSION = 1
_SCALARS = (type(None), bool, int, float, complex, str, bytes)
_FUNCTIONS = (type, types.FunctionType, types.BuiltinFunctionType)
# Labels of these come back from JSON as they were.
_KEPT_KINDS = "biufU"


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
    """A file of fits: opened as a context it is locked, read and checked, and fits are appended.

    The ``entropy`` is then that of the file, if it has one, or the one given.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        entropy: int,
        is_given: bool,
        estimators: Mapping[str, Any],
        datasets: Mapping[str, Any],
    ) -> None:
        self.path = _checked_path(path)
        self.entropy = entropy
        self._is_given = is_given
        self.fits: dict[Task, Fit] = {}
        self._described: dict[str, dict[str, Any]] = {
            "estimator": {
                name: parameter_texts(one, f"estimators[{name!r}]")
                for name, one in estimators.items()
            },
            "dataset": {name: _hash(X, f"datasets[{name!r}]") for name, X in datasets.items()},
        }
        hashes = self._described["dataset"]
        self._lengths = {(name, hashes[name]): X.shape[0] for name, X in datasets.items()}

    def __enter__(self) -> FitFile:
        # Read under the lock only: another call may have begun or continued the file.
        self._file = open_alone(self.path, "path")
        try:
            self._begin()
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
        labels = None if fit.labels is None else _packed(fit.labels, fit.task)
        self._write(fit._asdict() | {"labels": labels})
        self.fits[fit.task] = fit

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write((json.dumps(line) + "\n").encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    # ------------------------------------------------------------------- what was written

    def _begin(self) -> None:
        """Read what is in the file, and write what is new before any fit."""
        content = self._file.read()
        length = content.rfind(b"\n") + 1
        if content and not length:
            msg = f"path must be a file of this function or a new one, got another: {self.path}"
            raise ValueError(msg)
        lines = content[:length].splitlines()
        known: dict[str, dict[str, Any]] = {kind: {} for kind in _FIELDS}
        if lines:
            self._check_header(lines[0])
            for number, line in enumerate(lines[1:], 2):
                self._take(line, number, known)
        for kind, names in known.items():
            self._compare(kind, names, self._described[kind])
        self._file.truncate(length)  # without a line that was interrupted
        if not lines:
            header = {"format": _FORMAT, "version": _VERSION, "entropy": self.entropy}
            self._write(header | {"scikit_learn": sklearn.__version__})
        for kind, described in self._described.items():
            for name, value in described.items():
                if name not in known[kind]:
                    self._write({kind: name, _FIELDS[kind]: value})

    def _check_header(self, line: bytes) -> None:
        try:
            header = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("format") != _FORMAT:
            msg = f"path must be a file of this function or a new one, got another: {self.path}"
            raise ValueError(msg)
        check_version(str(self.path), header.get("version"), _VERSION)
        entropy, version = header.get("entropy"), header.get("scikit_learn")
        if type(entropy) is not int or entropy < 0 or not isinstance(version, str):
            msg = f"{self.path} must be as it was written, got a damaged line 1"
            raise ValueError(msg)
        if self._is_given and entropy != self.entropy:
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
                stacklevel=5,
            )

    def _take(self, line: bytes, number: int, known: dict[str, dict[str, Any]]) -> None:
        """Take what a line holds."""
        try:
            content = json.loads(line)
            for kind, field in _FIELDS.items():
                if kind in content:
                    known[kind][_text_of(content[kind])] = _DESCRIPTIONS[kind](content[field])
                    return
            fit = _read_fit(content)
            task = fit.task
            length = self._lengths.get((task.dataset, known["dataset"][task.dataset]))
            _require(task.estimator in known["estimator"], "its estimator must be known")
            _require(
                fit.labels is None or length in (None, len(fit.labels)),
                "labels must be as many as the objects",
            )
        except (ValueError, TypeError, KeyError, zlib.error) as error:
            msg = f"{self.path} must be as it was written, got a damaged line {number} ({error})"
            raise ValueError(msg) from None
        self.fits[task] = fit

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


def parameter_texts(estimator: Any, argument: str) -> dict[str, str]:
    """Describe an estimator by its class and its parameters, those of its steps among them.

    Without random states, as these are set for each fit.
    """
    parameters = estimator.get_params(deep=True)
    nested = {id(value) for value in parameters.values() if _is_estimator(value)}
    return {"class": _class_name(estimator)} | {
        name: _text(value, nested, f"{name} of {argument}")
        for name, value in sorted(parameters.items())
        if name.split("__")[-1] != "random_state"
    }


def _text(value: Any, nested: set[int], title: str) -> str:
    """Describe a value so that different values differ; estimators in ``nested`` by their class."""
    if type(value) in _SCALARS:
        return repr(value)
    if _is_estimator(value):
        return _class_name(value) if id(value) in nested else repr(parameter_texts(value, title))
    if type(value) in (list, tuple):
        return f"[{', '.join(_text(one, nested, title) for one in value)}]"
    if type(value) is dict:
        texts = [
            f"{_text(key, nested, title)}: {_text(one, nested, title)}"
            for key, one in value.items()
        ]
        return f"{{{', '.join(texts)}}}"
    if isinstance(value, functools.partial):
        parts = [value.func, value.args, value.keywords]
        return f"partial {_text(parts, nested, title)}"
    if isinstance(value, _FUNCTIONS):
        return _function_name(value, title)
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype} {value.shape} {_hash(value, title)}"
    return f"{_class_name(value)} {_hash(value, title)}"


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _function_name(function: Any, title: str) -> str:
    """Return where a function or class is imported from; in a program it may change unnoticed."""
    module, name = function.__module__, function.__qualname__
    found = sys.modules.get(module or "")
    for part in name.split("."):
        found = getattr(found, part, None)
    if module == "__main__" or found is not function:
        msg = (
            f"{title} must be a function or class that can be imported from a module, as path "
            f"keeps its name only, got {module}.{name}"
        )
        raise ValueError(msg)
    return f"{module}.{name}"


def _hash(value: Any, title: str) -> str:
    try:
        return str(joblib.hash(value))
    except Exception as error:
        msg = (
            f"{title} must be a value that joblib.hash can hash, as path keeps its hash, got "
            f"{type(value).__name__} ({error})"
        )
        raise ValueError(msg) from error


def _class_name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _changes(former: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Write the parameters that differ."""
    return ", ".join(
        f"{name}={now.get(name, 'nothing')} for {former.get(name, 'nothing')}"
        for name in sorted({*former, *now})
        if former.get(name) != now.get(name)
    )


# --------------------------------------------------------------------------- path, lines


def _checked_path(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike):
        msg = f"path must be a str, a path or None, got {path!r:.80}"
        raise TypeError(msg)
    file = Path(path)
    is_other = file.exists() and not file.is_file()
    if not os.fspath(path) or is_other or not file.parent.is_dir():
        msg = f"path must be a file, new or not, in a folder that exists, got {os.fspath(path)!r}"
        raise ValueError(msg)
    return file


def _require(is_so: bool, rule: str) -> None:
    if not is_so:
        raise ValueError(rule)


def _text_of(value: Any) -> str:
    _require(isinstance(value, str), "a name or description must be a string")
    return str(value)


def _texts_of(value: Any) -> dict[str, str]:
    _require(isinstance(value, dict), "parameters must be a dict")
    return {name: _text_of(text) for name, text in value.items()}


_DESCRIPTIONS: dict[str, Callable[[Any], Any]] = {"estimator": _texts_of, "dataset": _text_of}


def _read_fit(content: dict[str, Any]) -> Fit:
    fit = Fit(**content)
    task = Task(*fit.task)
    _text_of(task.dataset), _text_of(task.estimator)
    for number in (task.repeat, 0 if task.n_clusters is None else task.n_clusters):
        _require(type(number) is int and number >= 0, "numbers of a task must be integers")
    seconds = fit.seconds
    _require(type(seconds) in (int, float) and 0 <= seconds < math.inf, "seconds must be a number")
    _require((fit.labels is None) != (fit.error is None), "a fit must have labels or an error")
    if fit.labels is None:
        return Fit(task, seconds, None, _text_of(fit.error))
    return Fit(task, seconds, _unpacked(fit.labels))


def _packed(labels: NDArray[Any], task: Task) -> str:
    is_text = labels.dtype.kind == "O" and all(type(label) is str for label in labels.tolist())
    if labels.dtype.kind not in _KEPT_KINDS and not is_text:
        msg = (
            f"labels of {task.estimator!r} on {task.dataset!r} must be integers, floats, booleans "
            f"or strings to be kept in path, got an array of dtype {labels.dtype}"
        )
        raise TypeError(msg)
    text = json.dumps(labels.tolist(), separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _unpacked(packed: Any) -> NDArray[Any]:
    labels = json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))
    array = np.array(labels)
    _require(array.ndim == 1 and array.dtype.kind in _KEPT_KINDS, "labels must be a list")
    return array
