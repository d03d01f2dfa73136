"""The command ``clustcompare indices``: the registry."""

from __future__ import annotations

import argparse
from typing import Any

import sklearn_clustcompare as clustcompare
from sklearn_clustcompare.cli._arguments import (
    FAMILIES,
    add_command_parser,
    add_json_option,
    family_type,
)
from sklearn_clustcompare.cli._output import direction, json_text, table_text

_FLAGS = ("symmetric", "metric", "adjusted", "soft")
# The properties of an index of one partition.
_DATA_FLAGS = ("soft",)


def add_command(commands: Any) -> None:
    parser = add_command_parser(
        commands, "indices", _run, "list the indices and their properties", "--family entity"
    )
    parser.add_argument(
        "--family",
        type=family_type,
        metavar="NAME",
        help=f"list the indices commonly used in a field: {', '.join(FAMILIES)}",
    )
    parser.add_argument(
        "--needs-data",
        action="store_true",
        help="list the indices of one partition and the data instead of those of two partitions",
    )
    add_json_option(parser)


def _run(arguments: argparse.Namespace) -> int:
    family = {"families": arguments.family} if arguments.family else {}
    names = clustcompare.list_indices(needs_data=arguments.needs_data, **family)
    indices = [clustcompare.get_index(name) for name in names]
    if arguments.json:
        print(json_text([{"name": index.name, **index.properties()} for index in indices]))
        return 0
    rows = []
    for index in indices:
        low, high = index.range
        row = {
            "name": index.name,
            "short": " ".join(index.short_names),
            "better": direction(index),
            "range": f"[{low:g}, {high:g}]",
        }
        flags = _DATA_FLAGS if arguments.needs_data else _FLAGS
        row |= {flag: "yes" if getattr(index, flag) else "no" for flag in flags}
        rows.append(row | {"source": index.source})
    print(table_text(rows))
    return 0
