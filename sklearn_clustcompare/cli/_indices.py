"""The command ``clustcompare indices``: the registry."""

from __future__ import annotations

import argparse
from typing import Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._arguments import add_command_parser, add_json_option
from sklearn_clustcompare.cli._output import direction, json_text, table_text

_FLAGS = ("symmetric", "metric", "adjusted", "soft")


def add_command(commands: Any) -> None:
    parser = add_command_parser(commands, "indices", _run, "list the indices and their properties")
    add_json_option(parser)


def _run(arguments: argparse.Namespace) -> int:
    indices = [clustcompare.get_index(name) for name in clustcompare.list_indices()]
    if arguments.json:
        print(json_text([{"name": index.name, **index.properties()} for index in indices]))
        return 0
    rows = []
    for index in indices:
        low, high = index.range
        row = {"name": index.name, "better": direction(index), "range": f"[{low:g}, {high:g}]"}
        row |= {flag: "yes" if getattr(index, flag) else "no" for flag in _FLAGS}
        rows.append(row | {"source": index.source})
    print(table_text(rows))
    return 0
