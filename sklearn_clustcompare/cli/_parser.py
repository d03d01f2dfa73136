"""The parser, made of rows of options and of commands; types of options, and their values.

Types read a text while the command line is parsed. NumPy is not imported, so that ``--help`` is
fast.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import importlib.util
import itertools
import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare._options import (
    meant,
    options_text,
    split_parameters,
    with_parameters,
)
from sklearn_clustcompare.cli._files import PROGRAM, STANDARD_INPUT, fail, write_out

if TYPE_CHECKING:
    from sklearn_clustcompare.indices._judged import Chosen

T = TypeVar("T")

DEFAULT_INDEX = "adjusted_rand_score"
ENTITY = "entity"  # the family with a report of its own
FAMILIES = (
    "coreference",
    "diarization",
    ENTITY,
    "network",
    "segmentation",
    "single-cell",
    "tracking",
)
DEFAULT_NOISE_LABEL = "-1"
_PICTURES = (".png", ".pdf", ".svg")
_FAILS = "  2  bad input\n  130  interrupted"
_ONE_VALUE = (
    "--noise-label takes one label, and is repeated for several; other options take names with "
    "commas between them"
)


class Option(NamedTuple):
    """A row of the table of a command's options.

    ``flag`` names the option and its value, a switch without one; without dashes it is a positional
    argument. A value ``NAME,...`` is a list, and an option whose default is an empty list may be
    repeated. ``keyword`` is the name of the value, and of the keyword of the function that takes
    it. ``needs`` tells which option must be given as well, and ``against`` which must not, each
    with the rest of the sentence that begins with the flag; of a ``group`` one option is given.
    """

    flag: str
    help: str
    type: Callable[[str], Any] | Sequence[str] = str
    keyword: str = ""
    default: Any = None
    needs: tuple[str, ...] = ()
    against: Mapping[str, str] = {}
    group: str = ""

    @property
    def name(self) -> str:
        return self.flag.split()[0]

    @property
    def dest(self) -> str:
        return self.keyword or self.name.lstrip("-").replace("-", "_").lower()

    def is_given(self, arguments: argparse.Namespace) -> bool:
        of_nothing = self.default if " " in self.flag else False
        return bool(getattr(arguments, self.dest) != of_nothing)

    def add_to(self, parser: Any) -> None:
        name, _, metavar = self.flag.partition(" ")
        options: dict[str, Any] = {"help": self.help}
        if not name.startswith("-"):
            name, metavar = self.dest, name
            options |= {"nargs": "+"} if self.default == [] else {}
        else:
            options |= {"dest": self.dest, "default": self.default}
        if not metavar:
            parser.add_argument(name, action="store_true", dest=self.dest, help=self.help)
            return
        if callable(self.type):
            options |= {"type": self.type, "metavar": metavar}
        else:
            options |= {"type": one_of(self.type), "metavar": f"{{{','.join(self.type)}}}"}
        if metavar.endswith(",..."):
            options |= {"type": _list_of(self.type), "action": "extend"}
        elif name.startswith("-") and self.default == []:
            options |= {"action": "append"}
        parser.add_argument(name, **options)


class Command(NamedTuple):
    """A command: a function of the values of its options; a text among these is a heading.

    ``run`` names its module and the function, which are imported when it runs.

    ``epilog`` and ``fails``, which tells when the exit status is 1, end with a line end.
    """

    name: str
    run: str
    text: str
    examples: tuple[str, ...]
    options: Sequence[Option | str]
    epilog: str = ""
    fails: str = ""


# Options that others have, and what may be called so here; a command has some of these.
_OF_OTHERS = {
    other: ours
    for others, *ours in (
        ("--columns --exclude --ignore", "--drop"),
        ("--plot --figure --png", "--picture"),
        ("--max-drop --max-loss", "--tolerance"),
        ("--metric --scoring --sort --sort-by", "--index"),
        ("--fail-above --fail-over --max", "--fail-under"),
        ("-o --csv --out --save", "--output"),
        ("--by --key --keys --on", "--id"),
        ("--candidates --candidate --labels --column --pred", "--pred", "--candidate"),
        ("--label --truth --gold --reference --true", "--true", "--reference", "--label"),
        ("--sep --separator", "--delimiter"),
        ("--algorithm --clusterer --model", "--estimator"),
        (
            "--ci --confidence --confidence-level --interval",
            *("--report", "in Python only: score_candidates(..., confidence_level=0.95)"),
        ),
        ("--format", "--json"),
        ("--k --k-max --k-min --max-k --min-k --n-clusters", "-k"),
        ("--seed", "--random-state"),
        ("--sample-weight --weight --weights", "in Python only: sample_weight="),
        ("--within", "in Python only: within="),
    )
    for other in others.split()
}


class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError, also if its help cannot be written."""

    names: Sequence[str] = ()
    options: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        """Raise ValueError; it names the command or option that was meant."""
        if command := re.match("argument COMMAND: invalid choice: '(.*?)'", message):
            got = command[1]
            close = difflib.get_close_matches(got, self.names, n=1)
            close = close or [one for one in self.options if one.endswith(f" --{got}")]
            raise ValueError(message + (meant(close) or clustcompare._meant_in_python(got)))
        hint = ""
        if message.startswith("unrecognized arguments: "):
            options = re.findall(r"(?<= )--?[a-zA-Z][^ =]*", message)
            hints = [self._option_meant(one, is_only=len(options) == 1) for one in options]
            hint = "; ".join(["", *dict.fromkeys(hints)])
        raise ValueError(message + hint)

    def _option_meant(self, got: str, *, is_only: bool) -> str:
        """Write which option may have been meant, and what it does if it is the only one."""
        if got in _OF_OTHERS:
            close = [name for name in _OF_OTHERS[got] if name in self.names][:1]
            advice = [one for one in _OF_OTHERS[got] if " " in one] or ["in Python only"]
            return f"for {got} {self._meant(close[0], is_only)}" if close else f"{got}: {advice[0]}"
        options = {name.strip("-"): name for name in self.names if name.startswith("-")}
        close = difflib.get_close_matches(got.strip("-"), options, n=1, cutoff=0.7)
        close = close or [name for name in options if len(got) == 2 and got[1] == name[0]][:1]
        if close:
            return self._meant(options[close[0]], is_only)
        return f"it takes {', '.join(options.values())}"

    def _meant(self, option: str, is_explained: bool) -> str:
        does = f" ({self._option_string_actions[option].help})" if is_explained else ""
        return f"did you mean {option!r}{does}?"

    def _print_message(self, message: str, file: Any = None) -> None:
        # The method of argparse drops the error.
        write_out(message, end="", file=file or sys.stderr)


class CommandParser(Parser):
    """A parser that takes options before, between and after the positional arguments."""

    _reading = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._wrong: list[str] = []

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        """Read a value; those that are wrong are told together."""
        try:
            return super()._get_value(action, text)
        except argparse.ArgumentError as error:
            self._wrong.append(str(error))
            return []

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._reading:  # called by argparse
            return super().parse_known_args(args, namespace)
        self._reading = True
        try:
            parsed, unknown = self.parse_known_intermixed_args(args)
        finally:
            self._reading = False
        if self._wrong:
            self.error("; ".join(self._wrong))
        options = [text for text in unknown if re.match("--?[a-zA-Z]", text)]
        if options:
            self.error(f"unrecognized arguments: {' '.join(options)}")
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)} ({_ONE_VALUE})")
        return parsed, unknown


def make_parser(commands: Sequence[Command]) -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Compare clusterings and choose the number of clusters.",
        epilog="For completion in bash and zsh, install argcomplete, and add to the file that the\n"
        f'shell reads at its start: eval "$(register-python-argcomplete {PROGRAM})"',
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = f"%(prog)s {clustcompare.__version__}"
    parser.add_argument("--version", action="version", version=version)
    parser.names = [command.name for command in commands]
    parser.options = [
        f"{command.name} {option.name}"
        for command in commands
        for option in command.options
        if isinstance(option, Option)
    ]
    parsers = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=CommandParser)
    for command in commands:
        sentence = f"{command.text[0].upper()}{command.text[1:]}."
        examples = [f"  {PROGRAM} {command.name} {example}" for example in command.examples]
        options = [option.name for option in command.options if isinstance(option, Option)]
        one = parsers.add_parser(
            command.name,
            help=command.text,
            description="\n".join([sentence, "", "examples:", *examples]),
            epilog=f"{command.epilog}exit status:\n  0  success\n{command.fails}{_FAILS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        one.set_defaults(command=command)
        one.names = options
        _add_options(one, command.options)
    return parser


def _add_options(parser: Any, options: Iterable[Option | str]) -> None:
    place, groups = parser, dict[str, Any]()
    for option in options:
        if isinstance(option, str):
            place = parser.add_argument_group(option)
        elif option.group:
            if option.group not in groups:
                groups[option.group] = place.add_mutually_exclusive_group()
            option.add_to(groups[option.group])
        else:
            option.add_to(place)


def check_rules(command: Command, arguments: argparse.Namespace) -> None:
    """Raise ValueError if an option lacks one that it needs, or has one that it must not have."""
    rows = {option.name: option for option in command.options if isinstance(option, Option)}
    for option in rows.values():
        if not option.is_given(arguments):
            continue
        if option.flag.endswith("COLUMN,..."):
            given = getattr(arguments, option.dest)
            if twice := [name for name in given if given.count(name) > 1]:
                fail(f"{option.name} must name each column once, got {twice[0]!r} twice")
        for needed in option.needs:
            if not rows[re.split("[ ,;]", needed)[0]].is_given(arguments):
                fail(f"{option.name} needs {needed}")
        for other, text in option.against.items():
            if rows[other].is_given(arguments):
                fail(f"{option.name} {text}")
    _check_written(arguments)


# Options whose values are files.
_READ = ("files", "candidates", "reference_file", "data", "baseline")


def _check_written(arguments: argparse.Namespace) -> None:
    """Raise ValueError if a file to write is one of those that are read."""
    given = map(vars(arguments).get, _READ)
    lists = (one if isinstance(one, list) else [one] for one in given if one is not None)
    read = [*filter(os.path.exists, itertools.chain.from_iterable(lists))]
    for name in ("output", "picture"):
        path = getattr(arguments, name, None)
        if path and path.exists() and any(map(path.samefile, read)):
            fail(f"--{name} must not be a file that is read, got {str(path)!r}")


def keywords(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return the values that were given, as keywords of a public function."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


# --------------------------------------------------------------------------- types


def _list_of(read: Any) -> Callable[[str], list[Any]]:
    def read_all(text: str) -> list[Any]:
        found, wrong = [], []
        for name in _names(text):
            try:
                found.append(read(name))
            except argparse.ArgumentTypeError as error:
                wrong.append(str(error))
        return refuse("; ".join(wrong)) if wrong else found

    return read_all


def _names(text: str) -> list[str]:
    """Split a list at its commas; names with a comma stand in quotes, as in a CSV file."""
    try:
        (names,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (ValueError, csv.Error):
        names = []
    names = [name.strip() for name in names]
    if not names or not all(names):
        refuse(f"must be names with commas between them, got {text!r}")
    return names


def refuse(message: str) -> NoReturn:
    raise argparse.ArgumentTypeError(message)


class Threshold(NamedTuple):
    """An index, and the value that it must reach, or must not exceed if it is a distance."""

    chosen: Chosen
    limit: float


def any_index_type(text: str) -> Chosen:
    """Look up an index: a name that is not one may be a file."""
    try:
        name, parameters = split_parameters(text)
        index = clustcompare.get_index(name)
    except (TypeError, ValueError) as error:
        refuse(f"{error} ({PROGRAM} indices lists all indices)")
    try:
        index.check_parameters(**parameters)
    except (TypeError, ValueError) as error:
        refuse(str(error))
    from sklearn_clustcompare.indices._judged import Chosen

    return Chosen(with_parameters(index.name, parameters), index, parameters)


def index_type(text: str) -> Chosen:
    """Look up an index of two partitions."""
    chosen = any_index_type(text)
    if chosen.index.needs_data:
        refuse(f"index must compare two partitions, got {text!r}, which evaluates one by the data")
    return chosen


def threshold_of(read: Callable[[str], Chosen]) -> Callable[[str], Threshold]:
    """Return what reads an index, by a function, and its limit."""

    def read_threshold(text: str) -> Threshold:
        name, _, value = text.rpartition("=")
        try:
            limit = float(value)
        except ValueError:
            limit = math.nan
        if not math.isfinite(limit) or not name or "=" in name.partition(":")[0]:
            refuse(f"must be NAME=VALUE with a finite number, such as ari=0.5, got {text!r}")
        chosen = read(name)
        low, high = chosen.range
        is_score = chosen.index.greater_is_better
        if limit > high if is_score else limit < low:
            best = f"at most {high:g}" if is_score else f"at least {low:g}"
            refuse(f"must be {best} for {chosen.name}, its best value, got {limit:g}")
        return Threshold(chosen, limit)

    return read_threshold


def one_of(options: Collection[str]) -> Callable[[str], str]:
    """Return what reads one of some words, and names the one that was meant."""

    def read(text: str) -> str:
        if text not in options:
            refuse(f"must be one of {options_text(options, text)}")
        return text

    return read


def typed(rule: str, read: Callable[[str], T], holds: Callable[[T], object]) -> Callable[[str], T]:
    """Return what reads a text whose value must keep a rule; the rule is said if it does not."""

    def read_value(text: str) -> T:
        try:
            value = read(text)
        except ValueError:
            refuse(f"must be {rule}, got {text!r}")
        return value if holds(value) else refuse(f"must be {rule}, got {text!r}")

    return read_value


def whole_number(text: str) -> int:
    """Read digits; int takes blanks and underscores as well."""
    return int(text) if re.fullmatch(r"-?\d+", text, re.ASCII) else int("")


positive_number = typed("a positive number", float, lambda number: 0 < number < math.inf)
# Before a long search, not after it.
output_file = typed(
    "a file in a folder that exists", Path, lambda path: path.parent.is_dir() and not path.is_dir()
)
one_character = typed(
    "one character, neither a quote nor a line break",
    lambda text: "\t" if text == "\\t" else text,
    lambda text: len(text) == 1 and text not in '"\r\n',
)
number_of_jobs = typed(
    "a whole number other than 0 (-1 for all processors, -2 for all but one)", whole_number, bool
)


def input_file(text: str) -> str:
    if text.startswith("-") and text != STANDARD_INPUT and not Path(text).exists():
        refuse(f"must be a file, got {text!r} ({_ONE_VALUE}, as in --noise-label={text})")
    return text


def picture_file(text: str) -> Path:
    path = output_file(text)
    if path.suffix.lower() not in _PICTURES:
        refuse(f"must be a file whose name ends with {', '.join(_PICTURES)}, got {text!r}")
    if importlib.util.find_spec("matplotlib") is None:
        refuse("needs Matplotlib, which is not installed: pip install matplotlib")
    return path


# --------------------------------------------------------------------------- values


def noise_keywords(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the treatment of noise and of missing labels, as keywords of the package."""
    return {
        "noise": arguments.noise or "cluster",
        "noise_label": arguments.noise_label or [DEFAULT_NOISE_LABEL],
        "missing": arguments.missing,
    }


def leaves_out(noise: Mapping[str, Any]) -> bool:
    """Return whether objects may be left out, so that the coverage is shown."""
    return "drop" in (noise["noise"], noise["missing"])


def named_indices(arguments: argparse.Namespace) -> list[Chosen]:
    """Return the indices of --index, then those of --family."""
    names = [
        name for family in arguments.families for name in clustcompare.list_indices(families=family)
    ]
    return [*(arguments.index or []), *map(index_type, names)]


def chosen_indices(indices: Sequence[Chosen], judged: Iterable[Threshold]) -> dict[str, Chosen]:
    """Return each index once by its title: the default if none is named, then those with limits."""
    chosen = [*(indices or [index_type(DEFAULT_INDEX)]), *(one.chosen for one in judged)]
    return {one.name: one for one in chosen}


def as_mapping(chosen: Mapping[str, Chosen]) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return indices in the format of the functions of the package."""
    return {title: (one.index.name, one.parameters) for title, one in chosen.items()}
