"""Tables made from the registry of indices, so that they cannot disagree with the code.

``.. index-properties::`` is a table of all indices and what is known of each,
``.. index-sources::`` one of their short names, parameters and sources,
``.. internal-indices::`` one of the indices that need the data, and ``.. index-summary::`` a
summary for the landing page.
"""

import math
from typing import ClassVar

from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES

_HEADS = [
    *("range", "better", "symmetric", "metric", "equality", "adjusted", "baseline"),
    *("bias", "monotone", "doubling", "soft"),
]


def _bound(value):
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:g}"


def _span(known):
    low, high = known["range"]
    left = "(" if math.isinf(low) else "["
    right = ")" if math.isinf(high) else "]"
    return f"{left}{_bound(low)}, {_bound(high)}{right}"


def _link(name):
    return f":func:`{name} <sklearn_clustcompare.{name}>`"


def _mark(value):
    if value is None:
        return "?"
    if isinstance(value, str):
        return "–" if value == "none" else value
    return "✓" if value else "–"


def _cells(known):
    """Return what is known of an index, in the order of the heads."""
    metric = "1 − S" if known["similarity_metric"] else _mark(known["metric"])
    if known["similarity_metric"] is None:
        metric = "?"
    return [
        _span(known),
        "higher" if known["greater_is_better"] else "lower",
        _mark(known["symmetric"]),
        metric,
        _mark(known["identifies_equality"]),
        _mark(known["adjusted"]),
        _mark(known["constant_baseline"]),
        _mark(known["bias"]),
        _mark(known["monotone"]),
        _mark(known["replication_invariant"]),
        _mark(known["soft"]),
    ]


def table(heads, rows):
    """Return the lines of a table."""
    lines = [".. list-table::", "   :header-rows: 1", "   :class: index-properties", ""]
    for first, *others in [heads, *rows]:
        lines += [f"   * - {first}", *(f"     - {cell}" for cell in others)]
    return lines


class _Table(SphinxDirective):
    """A table made of rows of cells."""

    heads: ClassVar[list[str]]

    def rows(self):
        """Return the cells of all rows."""
        raise NotImplementedError

    def run(self):
        lines = table(self.heads, self.rows())
        return self.parse_text_to_nodes(StringList(lines, self.get_source_info()[0]))


class IndexProperties(_Table):
    """What the registry knows of each index."""

    heads: ClassVar = ["index", *_HEADS]

    def rows(self):
        """Return a row for each index."""
        return [[_link(name), *_cells(index.properties())] for name, index in INDICES.items()]


class IndexSources(_Table):
    """Short names, parameters and source of each index."""

    heads: ClassVar = ["index", "short", "parameters", "source"]

    def rows(self):
        """Return a row for each index."""
        return [
            [_link(name), _words(index.short_names), _words(index.parameters), index.source]
            for name, index in INDICES.items()
        ]


class InternalIndices(_Table):
    """The indices of the data and one partition."""

    heads: ClassVar = ["index", "short", "range", "better", "soft", "parameters", "source"]

    def rows(self):
        """Return a row for each index."""
        return [
            [
                _link(name),
                _words(index.short_names),
                _span(index.properties()),
                "higher" if index.greater_is_better else "lower",
                _mark(index.soft),
                _words(index.parameters),
                index.source,
            ]
            for name, index in INTERNAL_INDICES.items()
        ]


def _words(names):
    return ", ".join(f"``{name}``" for name in names) or "–"


class IndexSummary(SphinxDirective):
    """A sentence with the number of indices of each kind."""

    def run(self):
        n_soft = sum(index.soft for index in INDICES.values())
        text = (
            f"{len(INDICES)} indices compare two partitions. Each can be adjusted for chance, "
            f"tested and given an interval; {n_soft} also take soft clusters. "
            f"{len(INTERNAL_INDICES)} more score one partition by the data. "
            ":func:`~sklearn_clustcompare.recommend_index` chooses one for your reference."
        )
        return self.parse_text_to_nodes(StringList([text], self.get_source_info()[0]))


def setup(app):
    """Register the directives."""
    app.add_directive("index-properties", IndexProperties)
    app.add_directive("index-sources", IndexSources)
    app.add_directive("internal-indices", InternalIndices)
    app.add_directive("index-summary", IndexSummary)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
