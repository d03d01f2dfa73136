"""The data that a command clusters: a CSV file, or a toy set of scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn_clustcompare.cli._arguments import options_text
from sklearn_clustcompare.cli._csv import CsvFile, is_csv, read_csv

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOY_SETS = ("iris", "wine", "digits", "breast_cancer")


def load_data(
    data: str,
    label: str | None,
    drop: Sequence[str],
    delimiter: str | None,
    data_name: str,
    option: str,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return features and reference labels.

    ``data_name`` and ``option`` are what the command calls the data and the column of labels.
    """
    if data in TOY_SETS:
        _refuse_columns(data, {option: label, "--drop": drop})
        return _load_toy_set(data)
    file = _read(data, delimiter, data_name)
    label = file.names[-1] if label is None else label
    y = file.labels(label)
    if label in drop:
        msg = f"--drop must leave the column of labels, got {label!r}"
        raise ValueError(msg)
    features = file.names_without([label, *drop])
    if not features:
        dropped = f", dropped {', '.join(map(repr, drop))}" if drop else ""
        msg = (
            f"{data} must have columns of features beside the labels, got {label!r} only{dropped}"
            f"{file.hint}"
        )
        raise ValueError(msg)
    fractional = next((text for text in y if _is_fractional(text)), None)
    if fractional is not None:
        msg = (
            f"the label column {label!r} of {data} must hold discrete labels, got {fractional!r}; "
            f"name another column with {option}"
        )
        raise ValueError(msg)
    return file.features(features), y


def load_features(
    data: str, drop: Sequence[str], delimiter: str | None, data_name: str
) -> NDArray[Any]:
    """Return features of data that have no reference labels."""
    if data in TOY_SETS:
        _refuse_columns(data, {"--drop": drop})
        return _load_toy_set(data)[0]
    file = _read(data, delimiter, data_name)
    features = file.names_without(drop)
    if not features:
        msg = f"{data} must have columns of features, dropped {', '.join(map(repr, drop))}"
        raise ValueError(msg)
    return file.features(features)


def _read(data: str, delimiter: str | None, data_name: str) -> CsvFile:
    if not is_csv(data) and not Path(data).exists():
        msg = (
            f"no file is named {data!r}: "
            f"{data_name} must be a CSV file or one of {options_text(TOY_SETS, data)}"
        )
        raise ValueError(msg)
    return read_csv(data, delimiter)


def _refuse_columns(data: str, given: Mapping[str, Any]) -> None:
    for option, value in given.items():
        if value:
            msg = f"{option} names a column of a CSV file, but {data} is a toy set"
            raise ValueError(msg)


def _load_toy_set(name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X, y


def _is_fractional(text: str) -> bool:
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and not number.is_integer()
