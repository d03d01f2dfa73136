"""A report as a document, and the document as text and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from sklearn_clustcompare._rendering import (
    WIDTH,
    Row,
    markdown,
    markdown_table,
    number_texts,
    percent_text,
    printable,
    text_table,
    wrapped,
)
from sklearn_clustcompare.indices import INTERNAL_INDICES
from sklearn_clustcompare.report._cluster_rows import (
    CLUSTER_LEGEND,
    cluster_rows,
    side_headline,
    size_text,
)
from sklearn_clustcompare.report._cluster_values import ClusterValues
from sklearn_clustcompare.report._counts import Bar, ShownCounts, bars, shown_counts
from sklearn_clustcompare.report._decomposition import ClusterDecomposition
from sklearn_clustcompare.report._headline import (
    ReportHeadline,
    headline_text,
    interval_text,
    statistics_texts,
)
from sklearn_clustcompare.report._of_data import ValuesOfData
from sklearn_clustcompare.report._overall import OverallIndex
from sklearn_clustcompare.report._provenance import ReportProvenance, provenance_texts

# Larger contingency tables are in the page only.
_MOST_COLUMNS = 10
_TOO_LARGE = "Too wide for text; see the report as HTML."
# Titles of columns that a page shows in a way of its own: bars made of characters, up to so many,
# and the clusters or records in which objects are.
HISTOGRAM, LONGEST_BAR = "histogram", 40
HISTOGRAM_ROLES = {"=": "match", "-": "split", "+": "mixed"}
WHERE = ("records", "went to", "types")
_LEGEND = (
    "ARI: adjusted Rand index; AMI: adjusted mutual information; coverage: share of the objects "
    "that are compared, and not left out; adjusted: 0 on average for random partitions with the "
    "same cluster sizes, 1 for equal ones; -: no exact mean, see chance_adjusted_score.",
    CLUSTER_LEGEND,
)


class Section(NamedTuple):
    """A table with its title, and paragraphs before and after it.

    ``wide`` is the table where there is room for more columns.
    """

    title: str
    before: tuple[str, ...]
    header: Row
    body: Sequence[Row]
    after: tuple[str, ...]
    wide: tuple[Row, Sequence[Row]]


class CountsSection(NamedTuple):
    """The contingency table and a bar for each cluster of the reference."""

    title: str
    bars_title: str
    counts: ShownCounts
    bars: list[Bar]
    names: tuple[str, str]


class Document(NamedTuple):
    """What a report holds, whatever its form; without objects there are no counts.

    ``indices`` are the overall ones, and those of the data if there are some.
    """

    title: str
    headline: str
    intro: str
    indices: tuple[Section, ...]
    counts: CountsSection | None
    sides: tuple[Section, ...]
    notes: tuple[str, ...]
    legend: tuple[str, ...]
    provenance: tuple[str, ...]


def make_document(
    decomposition: ClusterDecomposition,
    overall: tuple[OverallIndex, ...],
    notes: tuple[str, ...],
    headline: ReportHeadline,
    provenance: ReportProvenance,
    digits: int,
    max_clusters: int,
    names: tuple[str, str],
    of_data: ValuesOfData,
) -> Document:
    """Lay out a report."""
    table = decomposition.table
    sides = (decomposition.true, decomposition.pred)
    titles = [side_headline(side, name) for side, name in zip(sides, names, strict=True)]
    coverage = percent_text(table.coverage, digits)
    counts = None
    if table.n_samples:
        counts = CountsSection(
            f"Objects by cluster: rows {names[0]}, columns {names[1]}",
            f"Where the objects of each cluster of {names[0]} are in {names[1]}",
            shown_counts(table, headline.unmatched),
            bars(table, headline.unmatched),
            names,
        )
    return Document(
        "Comparison of two clusterings",
        headline_text(headline, decomposition, digits),
        f"{size_text(table.n_samples)} objects, {', '.join(titles)}, coverage {coverage}",
        (
            overall_section(overall, digits),
            *([_section_of_data(of_data, names, digits)] if of_data else []),
        ),
        counts,
        tuple(
            _side_section(side, title, digits, max_clusters)
            for side, title in zip(sides, titles, strict=True)
        ),
        notes,
        _LEGEND,
        provenance_texts(
            provenance, statistics_texts(headline), table.n_samples, table.coverage, digits
        ),
    )


def plain_section(
    title: str,
    columns: Mapping[str, Sequence[str]],
    before: Sequence[str] = (),
    after: Sequence[str] = (),
    *,
    wide: Mapping[str, Sequence[str]] | None = None,
) -> Section:
    """Make a section of columns, by default the same ones where there is more room."""
    (header, body), with_room = (
        (list(one), list(zip(*one.values(), strict=True))) for one in (columns, wide or columns)
    )
    return Section(title, tuple(before), header, body, tuple(after), with_room)


def overall_section(
    overall: tuple[OverallIndex, ...],
    digits: int,
    intervals: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> Section:
    columns = {
        "index": [line.name for line in overall],
        "value": number_texts((line.value for line in overall), digits),
        "interval": [interval_text(intervals.get(line.name), digits) for line in overall],
        "macro": number_texts((line.macro for line in overall), digits),
        "adjusted": number_texts((line.adjusted for line in overall), digits),
        "adjusted by": [line.adjusted_by or "-" for line in overall],
    }
    if not intervals:
        del columns["interval"]
    if all(line.macro is None for line in overall):
        del columns["macro"]
    return plain_section("Overall", columns)


def _section_of_data(of_data: ValuesOfData, names: tuple[str, str], digits: int) -> Section:
    header = ["index", *names, "better"]
    columns = [number_texts(values, digits) for values in zip(*of_data.values(), strict=True)]
    better = ["higher" if INTERNAL_INDICES[name].greater_is_better else "lower" for name in of_data]
    rows = list(zip(of_data, *columns, better, strict=True))
    return Section("Indices of the data", (), header, rows, (), (header, rows))


def _side_section(side: ClusterValues, title: str, digits: int, max_clusters: int) -> Section:
    header, rows = cluster_rows(side, max_clusters, digits)
    name = "homogeneity, R" if side.side == "true" else "completeness, C"
    overall, unit_weighted = number_texts([side.overall, side.unit_weighted], digits)
    before = f"Mean agreement: {overall} by weight ({name}), {unit_weighted} by cluster size."
    summary = side.summary
    after = []
    if summary.n_clusters:
        smallest, *quartiles, largest = number_texts(summary.quantiles, digits)
        after.append(
            f"{'Adjusted agreement' if side.is_adjusted else 'Agreement'}: at least "
            f"{side.high:g} for {summary.n_high} of {summary.n_clusters}, at most {side.poor:g} "
            f"for {summary.n_poor}; from {smallest} to {largest}, quartiles "
            f"{', '.join(quartiles)}."
        )
    if len(rows) < summary.n_clusters:
        after.append(f"Shown: the {len(rows)} with most of the lost information, worst first.")
    wide = cluster_rows(side, max_clusters, digits, is_wide=True)
    return Section(title, (before,), header, rows, tuple(after), wide)


# --------------------------------------------------------------------------- text


def document_as_text(document: Document) -> str:
    parts = [document.title, "=" * len(document.title), wrapped(document.headline)]
    parts.append(wrapped(document.intro))
    for section in document.indices:
        parts += _section_as_text(section)
    if document.counts:
        table = _small_table(document.counts)
        shown = text_table(*table) if table else _TOO_LARGE
        parts += ["", printable(document.counts.title), shown]
    for section in document.sides:
        parts += _section_as_text(section)
    if document.notes:
        parts += ["", "Notes"]
        parts += [wrapped(f"- {note}", "  ") for note in document.notes]
    parts += ["", *map(wrapped, document.legend), "", *map(wrapped, document.provenance)]
    return "\n".join(parts) + "\n"


def _section_as_text(section: Section) -> list[str]:
    table = [text_table(section.header, section.body)] if section.body else []
    return [
        "",
        printable(section.title),
        *map(wrapped, section.before),
        *table,
        *map(wrapped, section.after),
    ]


def document_as_markdown(document: Document) -> str:
    parts = [f"# {document.title}", f"**{markdown(document.headline)}**", markdown(document.intro)]
    for section in document.indices:
        parts += _section_as_markdown(section)
    if document.counts:
        table = _small_table(document.counts)
        shown = markdown_table(*table) if table else _TOO_LARGE
        parts += [f"## {markdown(document.counts.title)}", shown]
    for section in document.sides:
        parts += _section_as_markdown(section)
    if document.notes:
        parts += ["## Notes", "\n".join(f"- {markdown(note)}" for note in document.notes)]
    parts += ["## Legend", *map(markdown, document.legend), *map(markdown, document.provenance)]
    return "\n\n".join(parts) + "\n"


def _section_as_markdown(section: Section) -> list[str]:
    header, body = section.wide
    table = [markdown_table(header, body)] if body else []
    return [
        f"## {markdown(section.title)}",
        *map(markdown, section.before),
        *table,
        *map(markdown, section.after),
    ]


def _small_table(section: CountsSection) -> tuple[Row, Sequence[Row]] | None:
    """Return the contingency table if it is whole and fits into lines of text."""
    if section.counts.is_cut:
        return None
    header, rows = section.counts.rows()
    if len(section.counts.col_labels) > _MOST_COLUMNS:
        return None
    is_narrow = max(map(len, text_table(header, rows).splitlines())) <= WIDTH
    return (header, rows) if is_narrow else None
