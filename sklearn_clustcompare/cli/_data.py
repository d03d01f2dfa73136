"""The data that a command clusters: a CSV file, or a toy set of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn_clustcompare.cli._arguments import options_text
from sklearn_clustcompare.cli._csv import is_csv, read_csv

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOY_SETS = ("iris", "wine", "digits", "breast_cancer")


def load_data(
    data: str, label: str | None, drop: Sequence[str], delimiter: str, data_name: str, option: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return features and reference labels.

    ``data_name`` and ``option`` are what the command calls the data and the column of labels.
    """
    if data in TOY_SETS:
        for name, given in ((option, label), ("--drop", drop)):
            if given:
                msg = f"{name} names a column of a CSV file, but {data} is a toy set"
                raise ValueError(msg)
        return _load_toy_set(data)
    if not is_csv(data) and not Path(data).exists():
        msg = (
            f"no file is named {data!r}: "
            f"{data_name} must be a CSV file or one of {options_text(TOY_SETS, data)}"
        )
        raise ValueError(msg)
    file = read_csv(data, delimiter)
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


def _load_toy_set(name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X, y


def _is_fractional(text: str) -> bool:
    try:
        return not float(text).is_integer()
    except ValueError:
        return False
