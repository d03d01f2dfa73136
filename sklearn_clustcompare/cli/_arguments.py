"""Arguments shared by several commands, and the parser of the command line."""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import (
    MISSING_TREATMENTS,
    NOISE_TREATMENTS,
    options_text,
    split_parameters,
    with_parameters,
)
from sklearn_clustcompare.cli._console import PROGRAM
from sklearn_clustcompare.cli._text import STANDARD_INPUT

if TYPE_CHECKING:
    from sklearn_clustcompare import ContingencyTable, Index

DEFAULT_INDEX = "adjusted_rand_score"

FAMILIES = (
    "coreference",
    "diarization",
    "entity",
    "network",
    "segmentation",
    "single-cell",
    "tracking",
)

_DEFAULT_NOISE_LABEL = "-1"
_ONE_VALUE = (
    "--noise-label takes one label, and is repeated for several; other options take names with "
    "commas between them"
)


class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError, and OSError if its help cannot be written."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        # The method of argparse drops the error.
        print(message, end="", file=file or sys.stderr, flush=True)


class CommandParser(Parser):
    """A parser that takes options before, between and after the positional arguments."""

    _reading = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._reading:  # called by argparse
            return super().parse_known_args(args, namespace)
        self._reading = True
        try:
            parsed, unknown = self.parse_known_intermixed_args(args)
        finally:
            self._reading = False
        values = [text for text in unknown if not text.startswith("--")]
        if values:
            self.error(f"unrecognized arguments: {' '.join(values)} ({_ONE_VALUE})")
        return parsed, unknown


def add_command_parser(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], text: str, example: str
) -> argparse.ArgumentParser:
    sentence = f"{text[0].upper()}{text[1:]}."
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=f"{sentence}\n\nexample:\n  {PROGRAM} {name} {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


# --------------------------------------------------------------------------- shared options


def add_json_option(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def add_list_option(
    parser: argparse._ActionsContainer,
    flag: str,
    read: Callable[[str], Any],
    metavar: str,
    text: str,
) -> None:
    """Add an option of several names: with commas between them, or repeated."""
    parser.add_argument(
        flag,
        action="extend",
        type=lambda names: [read(name) for name in _names(names)],
        metavar=f"{metavar},...",
        help=text,
    )


def _names(text: str) -> list[str]:
    """Split a list at its commas; names with a comma stand in quotes, as in a CSV file."""
    try:
        (names,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (ValueError, csv.Error):
        names = []
    names = [name.strip() for name in names]
    if not names or not all(names):
        msg = f"must be names with commas between them, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return names


def add_index_option(
    parser: argparse.ArgumentParser,
    text: str,
    *,
    with_data: bool = False,
    of_family: str = "its indices follow those of --index",
) -> None:
    read = any_index_type if with_data else index_type
    add_list_option(parser, "--index", read, "NAME", text)
    parser.add_argument(
        "--family",
        dest="families",
        action="append",
        default=[],
        type=family_type,
        metavar="NAME",
        help=f"field of the work, {', '.join(FAMILIES)}: {of_family}; repeatable",
    )
    parser.epilog = (
        f"{PROGRAM} indices lists all indices and their short names, such as ari.\n"
        "NAME:key=value sets a parameter, for example nmi:average_method=max:q=2."
    )


def named_indices(arguments: argparse.Namespace) -> list[ChosenIndex]:
    """Return the indices of --index, then those of --family."""
    names = [
        name for family in arguments.families for name in clustcompare.list_indices(families=family)
    ]
    return [*(arguments.index or []), *map(index_type, names)]


def add_output_option(parser: argparse.ArgumentParser, metavar: str, text: str) -> None:
    parser.add_argument("--output", type=output_file, metavar=metavar, help=text)


def add_delimiter_option(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--delimiter",
        type=one_character,
        metavar="CHAR",
        help="separator of the fields of a CSV file; \\t is a tab, and ' ' a blank, as R writes "
        "(default: a tab if the name ends in .tsv, else a comma)",
    )


def add_n_jobs_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--n-jobs",
        type=number_of_jobs,
        metavar="N",
        help="number of processes; -1 uses all processors (default: 1)",
    )


def add_noise_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--noise",
        choices=NOISE_TREATMENTS,
        help="how to count objects labeled as noise: as one cluster, each as its own cluster, "
        "or not at all if either partition labels them as noise (default: cluster)",
    )
    parser.add_argument(
        "--noise-label",
        action="append",
        metavar="LABEL",
        help=f"label of noise; repeatable (default: {_DEFAULT_NOISE_LABEL})",
    )
    parser.add_argument(
        "--missing",
        choices=MISSING_TREATMENTS,
        default="error",
        help="how to count objects without a label (empty, or what pandas reads as missing, such "
        "as NA, NaN, None or null): as an error, not at all if either partition has none, or as "
        "one cluster (default: error)",
    )


def noise_keywords(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the treatment of noise and of missing labels, as keywords of the package."""
    if arguments.noise_label is not None and arguments.noise is None:
        msg = "--noise-label needs --noise, which sets how noise is counted"
        raise ValueError(msg)
    return {
        "noise": arguments.noise or "cluster",
        "noise_label": arguments.noise_label or [_DEFAULT_NOISE_LABEL],
        "missing": arguments.missing,
    }


@dataclass(frozen=True)
class ChosenIndex:
    """An index with values of its parameters, and its name on the command line."""

    title: str
    index: Index
    parameters: dict[str, Any]

    def value(self, table: ContingencyTable) -> float:
        return self.index(table, **self.parameters)


def chosen_indices(
    indices: Sequence[ChosenIndex] | None,
    judged: Iterable[ChosenIndex] = (),
    default: str = DEFAULT_INDEX,
) -> dict[str, ChosenIndex]:
    """Return each index once by its title: the default if none is named, then those with limits."""
    chosen = [*(indices or [any_index_type(default)]), *judged]
    return {one.title: one for one in chosen}


def as_mapping(chosen: Mapping[str, ChosenIndex]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return indices in the format of the functions of the package."""
    return {title: (one.index.name, one.parameters) for title, one in chosen.items()}


def leaves_out(keywords: Mapping[str, Any]) -> bool:
    """Return whether objects may be left out, so that the coverage is shown."""
    return "drop" in (keywords["noise"], keywords["missing"])


# --------------------------------------------------------------------------- types


def index_type(text: str) -> ChosenIndex:
    """Look up an index of two partitions during parsing."""
    chosen = any_index_type(text)
    if chosen.index.needs_data:
        msg = f"index must compare two partitions, got {text!r}, which evaluates one by the data"
        raise argparse.ArgumentTypeError(msg)
    return chosen


def any_index_type(text: str) -> ChosenIndex:
    """Look up an index during parsing: a name that is not an index may be a file."""
    try:
        name, parameters = split_parameters(text)
        index = _index(name)
        index.check_parameters(**parameters)
    except (TypeError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return ChosenIndex(with_parameters(index.name, parameters), index, parameters)


def _index(name: str) -> Index:
    try:
        return clustcompare.get_index(name)
    except ValueError as error:
        msg = f"{error} ({PROGRAM} indices lists all indices)"
        raise ValueError(msg) from None


def family_type(text: str) -> str:
    if text not in FAMILIES:
        msg = f"must be one of {options_text(FAMILIES, text)}"
        raise argparse.ArgumentTypeError(msg)
    return text


def input_file(text: str) -> str:
    if text.startswith("-") and text != STANDARD_INPUT and not Path(text).exists():
        msg = f"must be a file, got {text!r} ({_ONE_VALUE}, as in --noise-label={text})"
        raise argparse.ArgumentTypeError(msg)
    return text


def check_output(output: Path | None, inputs: Iterable[str | None]) -> None:
    """Raise ValueError if the file to write is one of those that are read."""
    for path in inputs:
        if output and path and output.exists() and Path(path).exists() and output.samefile(path):
            msg = f"--output must not be a file that is read, got {str(output)!r}"
            raise ValueError(msg)


def output_file(text: str) -> Path:
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():  # before a long search, not after it
        msg = f"must be a file in a folder that exists, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return path


def one_character(text: str) -> str:
    character = "\t" if text == "\\t" else text
    if len(character) != 1 or character in '"\r\n':
        msg = f"must be one character, neither a quote nor a line break, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return character


def number_of_jobs(text: str) -> int:
    if not re.fullmatch(r"-?\d+", text, re.ASCII) or int(text) == 0:
        msg = (
            "must be a whole number other than 0 (-1 for all processors, -2 for all but one), "
            f"got {text!r}"
        )
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def positive_int(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        msg = f"must be a positive whole number, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return int(text)
