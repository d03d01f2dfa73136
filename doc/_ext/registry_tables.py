"""Tables made from the registry of indices, so that they cannot disagree with the code.

``.. index-properties::`` is a table of all indices and what is known of each,
``.. index-sources::`` one of their parameters and sources, and ``.. index-summary::`` says how many
there are of each kind.
"""

import math
from typing import ClassVar

from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from sklearn_clustcompare.indices import INDICES

_KINDS = ("symmetric", "metric", "adjusted", "soft")


def _bound(value):
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:g}"


def _span(index):
    low, high = index.range
    left = "(" if math.isinf(low) else "["
    right = ")" if math.isinf(high) else "]"
    return f"{left}{_bound(low)}, {_bound(high)}{right}"


def _link(index):
    return f":func:`{index.name} <sklearn_clustcompare.{index.name}>`"


class _Table(SphinxDirective):
    """A table with a row for each index."""

    heads: ClassVar[list[str]]

    def row(self, index):
        """Return the cells of an index."""
        raise NotImplementedError

    def run(self):
        lines = [".. list-table::", "   :header-rows: 1", "   :class: index-properties", ""]
        for first, *others in [self.heads, *map(self.row, INDICES.values())]:
            lines += [f"   * - {first}", *(f"     - {cell}" for cell in others)]
        return self.parse_text_to_nodes(StringList(lines, self.get_source_info()[0]))


class IndexProperties(_Table):
    """What the registry knows of each index."""

    heads: ClassVar = ["index", "range", "better", *_KINDS]

    def row(self, index):
        """Return the cells of an index."""
        marks = ["✓" if getattr(index, kind) else "–" for kind in _KINDS]
        return [
            _link(index),
            _span(index),
            "higher" if index.greater_is_better else "lower",
            *marks,
        ]


class IndexSources(_Table):
    """Parameters and source of each index."""

    heads: ClassVar = ["index", "parameters", "source"]

    def row(self, index):
        """Return the cells of an index."""
        parameters = ", ".join(f"``{parameter}``" for parameter in index.parameters)
        return [_link(index), parameters or "–", index.source]


class IndexSummary(SphinxDirective):
    """A sentence with the number of indices of each kind."""

    def run(self):
        counts = {kind: sum(getattr(i, kind) for i in INDICES.values()) for kind in _KINDS}
        text = (
            f"{len(INDICES)} indices: {counts['metric']} are metrics, {counts['adjusted']} are "
            f"adjusted for chance, {counts['symmetric']} are symmetric, {counts['soft']} take "
            "soft partitions."
        )
        return self.parse_text_to_nodes(StringList([text], self.get_source_info()[0]))


def setup(app):
    """Register the directives."""
    app.add_directive("index-properties", IndexProperties)
    app.add_directive("index-sources", IndexSources)
    app.add_directive("index-summary", IndexSummary)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
