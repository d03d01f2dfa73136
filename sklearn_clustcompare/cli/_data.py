"""The data to cluster: a CSV file, or a toy data set of scikit-learn."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sklearn_clustcompare._options import options_text
from sklearn_clustcompare.cli._console import say
from sklearn_clustcompare.cli._csv import CsvFile, is_table
from sklearn_clustcompare.cli._text import STANDARD_INPUT

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOY_SETS = ("iris", "wine", "digits", "breast_cancer")

# Least ratio of the widest to the narrowest feature for which a note is printed.
_MANY_TIMES = 100


class Data(NamedTuple):
    """Features of shape (n_objects, n_features), reference labels if any, names of features."""

    X: NDArray[Any]
    y: Any
    names: list[str]


def load_data(
    data: str,
    label: str | None,
    drop: Sequence[str] | None,
    delimiter: str | None,
    data_name: str,
    option: str,
) -> Data:
    """Return features and reference labels.

    ``data_name`` and ``option`` name the data and the column of labels on the command line.
    """
    if data in TOY_SETS:
        _refuse_columns(data, {option: label, "--drop": drop})
        return _load_toy_set(data)
    file, drop = _open(data, delimiter, data_name), drop or []
    label = file.names[-1] if label is None else label
    if label in drop:
        msg = f"--drop must not name the column of labels, got {label!r}"
        raise ValueError(msg)
    features = file.names_without([label, *drop])
    if not features:
        dropped = f", dropped {', '.join(map(repr, drop))}" if drop else ""
        msg = (
            f"{data} must have columns of features and one of labels, got {label!r} only{dropped}"
            f"{file.hint}"
        )
        raise ValueError(msg)
    columns = file.read([label], features)
    y = columns.labels[label].labels()
    fractional = next((text for text in columns.labels[label].texts if _is_fractional(text)), None)
    if fractional is not None:
        msg = (
            f"the label column {label!r} of {data} must hold discrete labels, got {fractional!r}; "
            f"choose another column with {option}"
        )
        raise ValueError(msg)
    return Data(columns.features, y, features)


def load_features(
    data: str, drop: Sequence[str] | None, delimiter: str | None, data_name: str
) -> Data:
    """Return features of data that have no reference labels."""
    if data in TOY_SETS:
        _refuse_columns(data, {"--drop": drop})
        return _load_toy_set(data)
    file, drop = _open(data, delimiter, data_name), drop or []
    features = file.names_without(drop)
    if not features:
        msg = f"{data} must have columns of features, dropped {', '.join(map(repr, drop))}"
        raise ValueError(msg)
    return Data(file.read(features=features).features, None, features)


def add_data_options(parser: Any, purpose: str) -> None:
    """Add options for the features of objects whose labels are in other files."""
    parser.add_argument(
        "--data",
        metavar="DATA",
        help="CSV file with the features of the objects in the same order, or a toy set of "
        f"scikit-learn, {purpose}: {', '.join(TOY_SETS)}",
    )
    parser.add_argument(
        "--scale", action="store_true", help="scale each feature of --data to variance 1"
    )


def load_beside(arguments: argparse.Namespace, n_rows: int, what: str) -> NDArray[Any] | None:
    """Return the features of ``--data``, a row for each label, or None without that option."""
    if arguments.data is None:
        if arguments.scale:
            msg = "--scale needs --data, whose features it scales"
            raise ValueError(msg)
        return None
    if arguments.data == STANDARD_INPUT:
        msg = "--data must be a file or a toy set, got standard input"
        raise ValueError(msg)
    data = load_features(arguments.data, None, arguments.delimiter, "--data")
    if len(data.X) != n_rows:
        msg = (
            f"--data must have a row for each label, got {len(data.X)} objects in "
            f"{arguments.data} and {n_rows} rows in {what}"
        )
        raise ValueError(msg)
    if not arguments.scale:
        note_on_scale(data)
        return data.X
    from sklearn.preprocessing import StandardScaler

    scaled: NDArray[Any] = StandardScaler().fit_transform(data.X)
    return scaled


def note_on_scale(data: Data) -> None:
    """Print a note if some features have a far larger range than others."""
    widths = data.X.max(axis=0) - data.X.min(axis=0)
    named = [pair for pair in zip(widths.tolist(), data.names, strict=True) if pair[0] > 0]
    (low, narrow), (high, wide) = min(named, default=(1, "")), max(named, default=(1, ""))
    if high >= _MANY_TIMES * low:
        say(
            f"note: features differ in scale: {wide!r} spans {high:.3g} and {narrow!r} {low:.3g}; "
            "--scale gives all of them the same variance"
        )


def _open(data: str, delimiter: str | None, data_name: str) -> CsvFile:
    if not is_table(data) and data != STANDARD_INPUT and not Path(data).exists():
        msg = (
            f"no file is named {data!r}: "
            f"{data_name} must be a CSV file or one of {options_text(TOY_SETS, data)}"
        )
        raise ValueError(msg)
    return CsvFile(data, delimiter)


def _refuse_columns(data: str, given: Mapping[str, Any]) -> None:
    for option, value in given.items():
        if value:
            msg = f"{option} names a column of a CSV file, but {data} is a toy set"
            raise ValueError(msg)


def _load_toy_set(name: str) -> Data:
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    return Data(bunch.data, bunch.target, list(bunch.feature_names))


def _is_fractional(text: str) -> bool:
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and not number.is_integer()
