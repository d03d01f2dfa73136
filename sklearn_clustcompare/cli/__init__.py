"""The command ``clustcompare``.

Exit status: 0 when all is well, 1 when an index fails a ``--fail-under``, 2 for bad input
or a worker process that died, 130 when interrupted, 141 when the reader of the output went away.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence

import sklearn_clustcompare
from sklearn_clustcompare.cli import _compare, _indices, _rank, _select
from sklearn_clustcompare.cli._arguments import CommandParser, Parser
from sklearn_clustcompare.cli._output import PROGRAM, print_warning, say

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, default=None
        Arguments; None takes those of the process.

    Returns
    -------
    int
        The exit status.
    """
    with warnings.catch_warnings():
        warnings.showwarning = print_warning
        try:
            arguments = _make_parser().parse_args(argv)
            status: int = arguments.run(arguments)
            sys.stdout.flush()
        except BrokenPipeError:
            # Nobody reads on: what is still in the buffer must not fail at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 141
        except (ValueError, TypeError, OSError, RuntimeError) as error:
            say(" ".join([f"error: {error}", *getattr(error, "__notes__", [])]))
            return 2
        except KeyboardInterrupt:
            say("interrupted")
            return 130
    return status


def _make_parser() -> Parser:
    parser = Parser(
        prog=PROGRAM, description="Compare clusterings and choose the number of clusters."
    )
    version = f"%(prog)s {sklearn_clustcompare.__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=CommandParser)
    for command in (_select, _compare, _rank, _indices):
        command.add_command(commands)
    return parser
