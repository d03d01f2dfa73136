"""What the commands write: lines on stderr, tables, JSON, files, pictures, and limits of scores."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO

from sklearn_clustcompare._files import write_file
from sklearn_clustcompare._options import shortened_text
from sklearn_clustcompare._rendering import number_texts, printable, text_table

if TYPE_CHECKING:
    from sklearn_clustcompare.cli._options import Threshold
    from sklearn_clustcompare.indices import Index

PROGRAM = "clustcompare"
N_DECIMALS = 4

_LONGEST = 2_000  # characters of a line
_MOST_DECIMALS = 17


def say(text: str) -> None:
    """Write one line to stderr."""
    line = shortened_text(printable(" ".join(text.split())), _LONGEST)
    print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)


def fail(message: str) -> NoReturn:
    """End the command: the message is all that is told of an error."""
    raise ValueError(message) from None


def print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    say(f"warning: {message}")


# --------------------------------------------------------------------------- tables and files


def table_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Align rows in columns; the numbers of a column have at least four decimals."""
    columns = [[row[name] for row in rows] for name in rows[0]]
    return text_table(list(rows[0]), list(zip(*map(_cell_texts, columns), strict=True)))


def _cell_texts(column: Sequence[Any]) -> list[str]:
    if any(isinstance(value, float) for value in column):
        return number_texts(column, N_DECIMALS)
    return ["-" if value is None else str(value) for value in column]


def direction(index: Index) -> str:
    return "higher" if index.greater_is_better else "lower"


def json_text(data: Any) -> str:
    return json.dumps(_plain(data), indent=2, allow_nan=False)


def _plain(data: Any) -> Any:
    """Replace infinite bounds and undefined scores, which JSON cannot represent, by null."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def check_output(output: Path | None, *inputs: str | None) -> None:
    """Raise ValueError if the file to write is one of those that are read."""
    for path in inputs:
        if output and path and output.exists() and Path(path).exists() and output.samefile(path):
            fail(f"--output must not be a file that is read, got {str(output)!r}")


def put(text: str, output: Path | None, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the result, then write its rows to a CSV file if one is given.

    Results that took long are printed before writing the file can fail, and are in the file even if
    the reader of the output closed it.
    """
    try:
        print(text, flush=True)
    finally:
        if output:
            stream = io.StringIO()
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            write_file(output, stream.getvalue(), str(output))


def draw(path: Path | None, make: Callable[[], Any]) -> None:
    """Make a Display, which draws it, and save its figure; do nothing if there is no path."""
    if path is None:
        return
    from matplotlib import pyplot

    pyplot.switch_backend("agg")  # without a window, on any machine
    figure = make().figure_
    try:
        figure.savefig(path)
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}")
    finally:
        pyplot.close(figure)


# --------------------------------------------------------------------------- limits of scores


class Verdict(NamedTuple):
    """The result of checking a threshold."""

    threshold: Threshold
    value: float
    candidate: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the value keeps the limit; NaN does not."""
        chosen, limit = self.threshold
        return self.value >= limit if chosen.index.greater_is_better else self.value <= limit

    def as_dict(self) -> dict[str, Any]:
        candidate = {} if self.candidate is None else {"candidate": self.candidate}
        return candidate | {
            "index": self.threshold.chosen.title,
            "value": self.value,
            "threshold": self.threshold.limit,
            "passed": self.passed,
        }


def judge(
    scores: Mapping[str, float], thresholds: Iterable[Threshold], candidate: str | None = None
) -> list[Verdict]:
    """Check scores by their titles; the candidate is named if there are several."""
    return [Verdict(one, scores[one.chosen.title], candidate) for one in thresholds]


def verdicts_as_dict(verdicts: list[Verdict]) -> dict[str, Any]:
    """Return the verdicts for JSON: empty if no threshold was given."""
    if not verdicts:
        return {}
    return {
        "thresholds": [one.as_dict() for one in verdicts],
        "passed": all(one.passed for one in verdicts),
    }


def exit_status(verdicts: Iterable[Verdict]) -> int:
    """Report on stderr which thresholds are missed, and return the exit status."""
    missed = [one for one in verdicts if not one.passed]
    for one in missed:
        value, limit = _texts(one.value, one.threshold.limit)
        side = "below" if one.threshold.chosen.index.greater_is_better else "above"
        how = "undefined, required is" if math.isnan(one.value) else f"{value}, {side}"
        of = "" if one.candidate is None else f" of {one.candidate!r}"
        say(f"failed: {one.threshold.chosen.title}{of} is {how} {limit}")
    return 1 if missed else 0


def _texts(value: float, limit: float) -> tuple[str, str]:
    """Write a value as tables do, with more digits if they do not separate it from the limit."""
    for n_decimals in range(N_DECIMALS, _MOST_DECIMALS):
        (text,) = number_texts([value], n_decimals)
        if not math.isfinite(value) or (float(text) - limit) * (value - limit) > 0:
            return text, repr(limit)
    return repr(value), repr(limit)
