"""The command ``clustcompare``.

Exit status: 0 for success, 1 if an index misses a ``--fail-under`` limit or a clusterer fails a
check, 2 for bad input or a worker process that died, 130 if interrupted, 141 if the reader of the
output closed it.

The parts of the command are imported in :func:`main`, so that interrupting the import prints one
line instead of a traceback.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence

from sklearn_clustcompare.cli._files import print_warning, say, write_out

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
            status = _run(argv)
        except BrokenPipeError:
            status = 141
        except OSError:  # stderr cannot be written
            status = 2
        except BaseException as error:
            if not _is_interruption(error):
                raise
            say("interrupted")
            status = 130
    _drop_unwritten()
    return status


def _run(argv: Sequence[str] | None) -> int:
    try:
        from importlib import import_module

        from sklearn_clustcompare.cli._options import COMMANDS
        from sklearn_clustcompare.cli._parser import check_rules, make_parser

        parser = make_parser(COMMANDS)
        if "_ARGCOMPLETE" in os.environ:  # a shell asks how to complete a line
            import argcomplete

            argcomplete.autocomplete(parser)
        arguments = parser.parse_args(argv)
        check_rules(arguments.command, arguments)
        module, _, function = arguments.command.run.partition(":")
        run = getattr(import_module(f"sklearn_clustcompare.cli.{module}"), function)
        status: int = run(arguments)
        write_out("", end="")
    except BrokenPipeError:
        raise
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        say(" ".join([f"error: {error}", *getattr(error, "__notes__", [])]))
        return 2
    return status


def _is_interruption(error: BaseException | None) -> bool:
    """Return whether it is a KeyboardInterrupt, or an ImportError due to one."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _drop_unwritten() -> None:
    """Drop output that cannot be written, which would raise an error when the process exits."""
    for stream in (sys.stdout, sys.stderr):
        try:
            print(end="", file=stream, flush=True)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
