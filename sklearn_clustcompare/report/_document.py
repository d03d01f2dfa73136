"""What a report holds, and how it is written: as text, Markdown and HTML."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from html import escape
from importlib.resources import files
from inspect import Signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from sklearn_clustcompare._array_types import Array, Positions
from sklearn_clustcompare._palette import BLUE, GRAY, ORANGE, VERDICTS, YELLOW
from sklearn_clustcompare._rendering import (
    WIDTH,
    Row,
    distinct_texts,
    ends,
    html,
    html_name,
    markdown,
    markdown_table,
    missing_attribute,
    n_clusters_text,
    number_texts,
    paragraphs,
    percent_text,
    printable,
    takes_no_path,
    text_table,
    without_middle,
    wrapped,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices import get_index
from sklearn_clustcompare.report._clusters import names_by_majority, unnamed_classes
from sklearn_clustcompare.report._decomposition import (
    CLUSTER_LEGEND,
    HIGH,
    POOR,
    ClusterDecomposition,
    ClusterValues,
    cluster_rows,
    column_places,
    label_texts,
    side_headline,
    size_text,
)
from sklearn_clustcompare.report._overall import (
    OverallIndex,
    ReportHeadline,
    ReportProvenance,
    headline_text,
    interval_text,
    provenance_texts,
    statistics_texts,
)

# --------------------------------------------------------------------------- counts

# Clusters of either side that are shown; of more, some and "other".
_MAX_SHOWN = 12
# Parts that a bar has at most, and the smallest share that is a part of its own.
_MAX_PARTS, _SMALLEST_PART = 6, 0.02


class ShownCounts(NamedTuple):
    """Rows and columns of a table; the last ones are "other" where clusters are left out."""

    row_labels: list[str]
    col_labels: list[str]
    counts: Array

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows with marginal sums, as text."""
        counts = np.vstack([self.counts, self.counts.sum(axis=0)])
        counts = np.column_stack([counts, counts.sum(axis=1)])
        body = [
            [label, *map(size_text, row)]
            for label, row in zip([*self.row_labels, "sum"], counts.tolist(), strict=True)
        ]
        return ["", *self.col_labels, "sum"], body


class Part(NamedTuple):
    """Objects of a cluster that are in one cluster of the other side.

    ``role`` is "match" for the cluster it is matched with one to one, "mixed" for one that is
    matched with another cluster, "split" for one that is matched with none, and "other" for several
    clusters together.
    """

    label: str
    role: str
    size: float
    share: float


class Bar(NamedTuple):
    """A cluster and the parts in which its objects are, the match first."""

    label: str
    size: float
    parts: list[Part]


def shown_counts(table: ContingencyTable, unmatched: Array) -> ShownCounts:
    """Choose the clusters with most unmatched objects, and those that have these objects."""
    rows, other_rows = _chosen(np.argsort(-unmatched, kind="stable"), table.shape[0])
    is_shown = np.isin(table.cell_rows, rows)
    held = np.bincount(
        table.cell_cols[is_shown], table.cell_counts[is_shown], minlength=table.shape[1]
    )
    cols, other_cols = _chosen(np.argsort(-held, kind="stable"), table.shape[1])
    cols = _facing(table, rows, cols)
    return ShownCounts(
        _labels(table.row_labels, rows, other_rows),
        _labels(table.col_labels, cols, other_cols),
        counts_of(table, rows, cols),
    )


def counts_of(table: ContingencyTable, rows: Positions, cols: Positions) -> Array:
    """Return the cells of some rows and columns; the last ones are the sums of the others."""
    sides = list(zip(table.shape, (rows, cols), strict=True))
    shape = [len(shown) + (len(shown) < size) for size, shown in sides]
    row_places, col_places = (_places(shown, size) for size, shown in sides)
    counts = np.zeros(shape, table.cell_counts.dtype)
    at = (row_places[table.cell_rows], col_places[table.cell_cols])
    np.add.at(counts, at, table.cell_counts)
    return counts


def _chosen(worst_first: Positions, n_clusters: int) -> tuple[Positions, int]:
    """Return the clusters to show, and the number of the others."""
    if n_clusters <= _MAX_SHOWN:
        return np.arange(n_clusters), 0
    return worst_first[: _MAX_SHOWN - 1], n_clusters - (_MAX_SHOWN - 1)


def _facing(table: ContingencyTable, rows: Positions, cols: Positions) -> Positions:
    """Order columns by the rows that they belong to, matched ones first."""
    place, is_matched = column_places(table)
    return cols[np.lexsort((~is_matched[cols], _places(rows, table.shape[0])[place[cols]]))]


def _places(shown: Positions, n_clusters: int) -> Positions:
    """Return where each cluster is shown; what is not comes last."""
    places = np.full(n_clusters, len(shown))
    places[shown] = np.arange(len(shown))
    return places


def _labels(labels: Array, shown: Positions, n_other: int) -> list[str]:
    other = [f"other ({n_clusters_text(n_other)})"] if n_other else []
    return [*label_texts(labels[shown], labels), *other]


def bars(table: ContingencyTable, unmatched: Array) -> list[Bar]:
    """Return the parts of the clusters with most unmatched objects."""
    rows, _ = _chosen(np.argsort(-unmatched, kind="stable"), table.shape[0])
    own = np.full(table.shape[0], -1)
    own[table.cell_rows[table.optimal_matching]] = table.cell_cols[table.optimal_matching]
    return [_bar(table, row, own) for row in rows.tolist()]


def _bar(table: ContingencyTable, row: int, own: Positions) -> Bar:
    cells = np.flatnonzero(table.cell_rows == row)
    cols, sizes = table.cell_cols[cells], table.cell_counts[cells]
    total = table.row_sums[row].item()
    order = np.lexsort((-sizes, cols != own[row]))
    cols, sizes = cols[order], sizes[order]
    shares = sizes / total
    is_own_part = shares >= _SMALLEST_PART
    # One small part needs no "other".
    if len(cols) > _MAX_PARTS or np.count_nonzero(~is_own_part) > 1:
        is_own_part[_MAX_PARTS - 1 :] = False
    else:
        is_own_part[:] = True
    is_own_part[0] |= cols[0] == own[row]
    labels = label_texts(table.col_labels[cols], table.col_labels)
    is_matched = np.isin(cols, own)
    parts = [
        Part(
            labels[k],
            "match" if cols[k] == own[row] else "mixed" if is_matched[k] else "split",
            sizes[k].item(),
            float(shares[k]),
        )
        for k in np.flatnonzero(is_own_part).tolist()
    ]
    n_other = int(np.count_nonzero(~is_own_part))
    if n_other:
        rest = sizes[~is_own_part].sum().item()
        parts.append(Part(n_clusters_text(n_other), "other", rest, rest / total))
    (label,) = label_texts(table.row_labels[[row]], table.row_labels)
    return Bar(label, total, parts)


# --------------------------------------------------------------------------- document

# Characters of a name in a contingency table, and of a cell of others as far as lines are too long.
_MOST_NAME, _MOST_CHARACTERS = 24, (60, 40, 30, 20, 12, 10)
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


# Header and rows.
Grid = tuple[Row, Sequence[Row]]


class Section(NamedTuple):
    """A table with its title, and paragraphs before and after it.

    ``narrow`` is the table in lines of text, ``wide`` that where there is room for more columns.
    """

    title: str
    before: Sequence[str] = ()
    narrow: Grid = ((), ())
    after: Sequence[str] = ()
    wide: Grid = ((), ())


class CountsSection(NamedTuple):
    """The contingency table and a bar for each cluster of the reference."""

    title: str
    bars_title: str
    counts: ShownCounts
    bars: list[Bar]
    names: tuple[str, str]

    def as_section(self) -> Section:
        rows = _counts_as_rows(self.counts)
        return Section(self.title, narrow=rows, wide=rows)


class Document(NamedTuple):
    """What a report holds, whatever its form; without objects there are no counts."""

    title: str
    headline: str
    intro: str
    overall: Section
    counts: CountsSection | None
    sides: tuple[Section, ...]
    notes: tuple[str, ...]
    legend: tuple[str, ...]
    provenance: tuple[str, ...]
    appendix: str = ""

    def sections(self) -> list[Section]:
        """Return all tables in the order of a text."""
        counts = [self.counts.as_section()] if self.counts else []
        return [self.overall, *counts, *self.sides]


def make_document(
    decomposition: ClusterDecomposition,
    overall: tuple[OverallIndex, ...],
    warnings: tuple[str, ...],
    headline: ReportHeadline,
    provenance: ReportProvenance,
    digits: int,
    max_clusters: int,
) -> Document:
    """Lay out a report."""
    table, names = decomposition.table, decomposition.names
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
        overall_section(overall, digits),
        counts,
        tuple(
            _side_section(side, title, digits, max_clusters)
            for side, title in zip(sides, titles, strict=True)
        ),
        warnings,
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
    narrow, with_room = (
        (list(one), list(zip(*one.values(), strict=True))) for one in (columns, wide or columns)
    )
    return Section(title, before, _fitting(*narrow), after, with_room)


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
            f"{HIGH:g} for {summary.n_high} of {summary.n_clusters}, at most {POOR:g} "
            f"for {summary.n_poor}; from {smallest} to {largest}, quartiles "
            f"{', '.join(quartiles)}."
        )
    if len(rows) < summary.n_clusters:
        after.append(f"Shown: the {len(rows)} with most of the lost information, worst first.")
        if side.sizes.sum() < _SMALL * summary.n_clusters:
            after.append(
                'If these are records of entities, a report with family "entity" names them.'
            )
    if side.side == "pred" and summary.n_clusters:
        after += _names_texts(side, min(max_clusters, _MAX_SHOWN))
    wide = cluster_rows(side, max_clusters, digits, is_wide=True)
    return Section(title, (before,), _fitting(header, rows), after, wide)


def _names_texts(side: ClusterValues, most: int) -> list[str]:
    """Say how the clusters of the candidate are named, the largest first if they are many."""
    table = side.table.T
    labels, names = label_texts(side.labels), names_by_majority(table)
    shown = sorted(np.argsort(-side.sizes, kind="stable")[:most].tolist())
    listed = "; ".join(f"{labels[cluster]}: {names[cluster]}" for cluster in shown)
    more = f"; {len(names) - len(shown)} more" if len(shown) < len(names) else ""
    texts = [f"Names, by the classes of at least half of the objects: {listed}{more}."]
    if missing := unnamed_classes(table):
        some = missing[:most]
        more = f" and {len(missing) - len(some)} more" if len(some) < len(missing) else ""
        texts.append(f"No cluster is named after: {', '.join(some)}{more}.")
    return texts


# --------------------------------------------------------------------------- text


def document_as_text(document: Document) -> str:
    parts = [document.title, "=" * len(document.title)]
    parts += [wrapped(document.headline), wrapped(document.intro)]
    for one in document.sections():
        table = [text_table(*one.narrow)] if one.narrow[1] else []
        parts += ["", printable(one.title), *map(wrapped, one.before), *table]
        parts += map(wrapped, one.after)
    if document.notes:
        parts += ["", "Notes"]
        parts += [wrapped(f"- {note}", "  ") for note in document.notes]
    parts += ["", *map(wrapped, document.legend), "", *map(wrapped, document.provenance)]
    parts += ["", document.appendix] if document.appendix else []
    return "\n".join(parts) + "\n"


def document_as_markdown(document: Document) -> str:
    parts = [f"# {document.title}", f"**{markdown(document.headline)}**", markdown(document.intro)]
    for one in document.sections():
        table = [markdown_table(*one.wide)] if one.wide[1] else []
        parts += [f"## {markdown(one.title)}", *map(markdown, one.before), *table]
        parts += map(markdown, one.after)
    if document.notes:
        parts += ["## Notes", "\n".join(f"- {markdown(note)}" for note in document.notes)]
    parts += ["## Legend", *map(markdown, document.legend), *map(markdown, document.provenance)]
    parts += [f"```text\n{document.appendix}\n```"] if document.appendix else []
    return "\n\n".join(parts) + "\n"


def _counts_as_rows(counts: ShownCounts) -> Grid:
    """Return the header and the rows of a contingency table, as many columns as fit into lines."""
    header, rows = counts.rows()
    names = distinct_texts(header, _MOST_NAME)
    of_rows = distinct_texts([row[0] for row in rows], _MOST_NAME)
    lines = [names, *([name, *row[1:]] for name, row in zip(of_rows, rows, strict=True))]
    for n_columns in range(len(names) - 1, 1, -1):
        kept = ends(len(names) - 1, n_columns)
        shown = [[line[0], *(line[1 + column] for column in kept)] for line in lines]
        if n_columns < len(names) - 1:
            for line in shown:
                line.insert(1 + (n_columns + 1) // 2, "...")
        if _is_narrow(shown[0], shown[1:]):
            break
    return shown[0], shown[1:]


def _fitting(header: Row, body: Sequence[Row]) -> Grid:
    """Shorten long cells, as far as lines are too long; names remain different if there is room."""
    given = list(zip(*body, strict=True))
    steps = [(_short_names, most) for most in _MOST_CHARACTERS]
    for shorten, most in (*steps, (_short_texts, _MOST_CHARACTERS[-1])):
        if not body or _is_narrow(header, body):
            break
        columns = [
            column
            if title == "verdict"
            else (_short_texts if title in WHERE else shorten)(column, most)
            for title, column in zip(header, given, strict=True)
        ]
        body = list(zip(*columns, strict=True))
    return header, body


def _short_texts(cells: Row, most: int) -> Row:
    return [without_middle(cell, most) for cell in cells]


def _short_names(cells: Row, most: int) -> Row:
    """Shorten names, some of which stand in parentheses."""
    names = [cell.removeprefix("(").removesuffix(")") for cell in cells]
    return [
        cell.replace(name, text) if name else cell
        for cell, name, text in zip(cells, names, distinct_texts(names, most), strict=True)
    ]


def _is_narrow(header: Row, body: Sequence[Row]) -> bool:
    return max(map(len, text_table(header, body).splitlines())) <= WIDTH


# --------------------------------------------------------------------------- page

# A color, that of text on it, and what it means.
_ROLES = {
    "match": (BLUE, "#fff", "in the match"),
    "mixed": (ORANGE, "#000", "in the match of another cluster"),
    "split": (YELLOW, "#000", "in a cluster without a match"),
    "other": (GRAY, "#fff", "in several other clusters"),
}
_MATCHING = "Clusters are matched one to one so that most objects are in matched pairs."
_TEXT_COLUMNS = ("match", "verdict", "adjusted by", "interval", "name", HISTOGRAM, *WHERE)
_SHADE = tuple(int(BLUE[at : at + 2], 16) for at in (1, 3, 5))
_DARKEST = 0.45
# Clusters of fewer objects on average may be entities with their records.
_SMALL = 5
# Characters of a name of a column that would be broken into too many lines.
_LONG = 8
# A smaller part of a bar has no room for a label.
_LABELED_SHARE = 0.06


def html_page(document: Document) -> str:
    """Return a page that needs no other file, whose tables can be sorted."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html(document.title)}</title><style>{_asset('page.css')}</style></head>"
        f"<body><main>{_body(document, 1)}</main><script>{_asset('sort.js')}</script></body>"
        "</html>\n"
    )


def _body(document: Document, level: int) -> str:
    parts = [
        f"<style>{_asset('report.css')}{_color_rules()}</style>",
        _heading(document.title, level),
        f'<p class="headline">{html(document.headline)}</p>',
        *paragraphs((document.intro,)),
    ]
    if document.counts:
        parts += [_bars(document.counts, level + 1), _counts(document.counts, level + 1)]
    parts += [
        _section(one.title, level + 1, one.before, _table(*one.wide, one.title), one.after)
        for one in (document.overall, *document.sides)
    ]
    if document.notes:
        items = paragraphs(f"- {note}" for note in document.notes)
        parts += [_heading("Notes", level + 1), *items]
    parts += [_heading("Legend", level + 1), *paragraphs(document.legend)]
    parts.append(f'<p class="made">{html(" ".join(document.provenance))}</p>')
    parts += [f'<pre class="scroll">{escape(document.appendix)}</pre>'] if document.appendix else []
    return f'<div class="clustcompare">{"".join(parts)}</div>'


def _asset(name: str) -> str:
    return files("sklearn_clustcompare.report").joinpath(name).read_text("utf-8")


def _color_rules() -> str:
    rules = [
        f".clustcompare .v-{_slug(verdict)}::before {{ background: {color} }}"
        for verdict, color in VERDICTS.items()
    ]
    rules += [
        f".clustcompare .{role} {{ background: {color}; color: {ink} }}"
        for role, (color, ink, _) in _ROLES.items()
    ]
    return "\n".join(rules)


def _slug(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _heading(text: str, level: int) -> str:
    return f"<h{level}>{html(text)}</h{level}>"


# --------------------------------------------------------------------------- tables


def _section(
    title: str, level: int, before: Sequence[str], content: str, after: Sequence[str] = ()
) -> str:
    return "".join([_heading(title, level), *paragraphs(before), content, *paragraphs(after)])


def _table(header: Row, body: Sequence[Row], name: str) -> str:
    """Lay out a table that can be sorted; none without rows."""
    if not body:
        return ""
    first, *others = header
    numbers = ["" if title in _TEXT_COLUMNS else ' class="n"' for title in others]
    head = "".join(
        f'<th scope="col"{number}>{html_name(title)}</th>'
        for title, number in zip(others, numbers, strict=True)
    )
    marks = [_MARKED.get(one, _in_lines if one in _TEXT_COLUMNS else html) for one in others]
    rows = []
    for label, *cells in body:
        marked = (mark(cell) for mark, cell in zip(marks, cells, strict=True))
        columns = (f"<td{number}>{cell}</td>" for cell, number in zip(marked, numbers, strict=True))
        rows.append((label, "".join(columns)))
    return _scrolling("sortable", first, head, rows, name)


def _scrolling(
    kind: str, corner: str, head: str, rows: Iterable[tuple[str, str]], name: str
) -> str:
    """Make a table that scrolls within the page, of rows with a label and their other cells."""
    body = "".join(
        f'<tr><th scope="row">{_in_lines(label)}</th>{cells}</tr>' for label, cells in rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{html(name)}">'
        f'<table class="{kind}"><thead><tr><th scope="col">{html_name(corner)}</th>{head}</tr>'
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _in_lines(name: str) -> str:
    """Let a name break at underscores first."""
    return html_name(name).replace("_", "_<wbr>")


def _verdict(text: str) -> str:
    return f'<span class="v v-{_slug(text)}">{html(text)}</span>'


def _histogram(text: str) -> str:
    """Draw runs of characters as parts of a bar."""
    runs = [(HISTOGRAM_ROLES[mark], len(list(run))) for mark, run in itertools.groupby(text)]
    segments = "".join(
        f'<span class="{role}" style="width: {100 * length / LONGEST_BAR:.3g}%"></span>'
        for role, length in runs
    )
    return f'<span class="bar histogram" role="img" aria-label="{text}">{segments}</span>'


# How cells of some columns are shown, by their titles.
_MARKED = {"verdict": _verdict, HISTOGRAM: _histogram}


def _counts(section: CountsSection, level: int) -> str:
    header, body = section.counts.rows()
    counts = section.counts.counts
    shares = counts / counts.sum(axis=1, keepdims=True)
    n_rows, n_cols = shares.shape
    head = "".join(
        f'<th scope="col" class="n{" long" * (len(cell) > _LONG)}">{_in_lines(cell)}</th>'
        for cell in header[1:]
    )
    rows = []
    for i, (label, *cells) in enumerate(body):
        columns = [
            f'<td class="n"{_shade(shares[i, j]) if i < n_rows and j < n_cols else ""}>{cell}</td>'
            for j, cell in enumerate(cells)
        ]
        rows.append((label, "".join(columns)))
    table = _scrolling("counts", section.names[0], head, rows, section.title)
    before = "The stronger the color of a cell, the larger its share of the row."
    return _section(section.title, level, (before,), table)


def _shade(share: float) -> str:
    red, green, blue = _SHADE
    return f' style="background: rgb({red} {green} {blue} / {_DARKEST * share:.3f})"'


# --------------------------------------------------------------------------- bars


def _bars(section: CountsSection, level: int) -> str:
    used = {part.role for bar in section.bars for part in bar.parts}
    key = "".join(
        f'<span class="key"><span class="chip {role}"></span>{meaning}</span> '
        for role, (_, _, meaning) in _ROLES.items()
        if role in used
    )
    items = "".join(map(_bar_of_page, section.bars))
    content = f'<p class="keys">{key}</p><ul class="bars">{items}</ul>'
    return _section(section.bars_title, level, (_MATCHING,), content)


def _bar_of_page(bar: Bar) -> str:
    parts = ", ".join(map(_part_text, bar.parts))
    segments = "".join(
        f'<span class="{part.role}" style="width: {100 * part.share:.3f}%" '
        f'title="{html(_part_text(part))}">'
        f"{html_name(part.label) if part.share >= _LABELED_SHARE else ''}</span>"
        for part in bar.parts
    )
    return (
        f'<li><span class="name">{html_name(bar.label)} <small>{size_text(bar.size)}</small></span>'
        f'<span class="bar" role="img" aria-label="{html(f"{bar.label}: {parts}")}">{segments}'
        "</span></li>"
    )


def _part_text(part: Part) -> str:
    return (
        f"{size_text(part.size)} ({percent_text(part.share, 2)}) {_ROLES[part.role][2]}: "
        f"{part.label}"
    )


# --------------------------------------------------------------------------- report


class Report(str):
    """The text of a document, with its numbers as attributes; also as Markdown and HTML."""

    __signature__: ClassVar = Signature()  # made by clustering_comparison_report
    _document: Document

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            found = None
            with suppress(ValueError):
                index = get_index(name).name
                known = [line for line in self.overall if index in (line.name, line.adjusted_by)]
                found = known and f"to_dict()['overall'][{known[0].name!r}]"
                if index in getattr(vars(self).get("headline"), "scores", ()):
                    found = f"headline.scores[{index!r}]"
            return missing_attribute(self, name, found)

    def __new__(cls, document: Document, numbers: Mapping[str, Any]) -> Self:
        self = super().__new__(cls, document_as_text(document))
        vars(self).update(numbers, _document=document)
        return self

    def _with(self, notes: Sequence[str], appendix: str) -> Self:
        """Return the report with more notes, and with lines that follow it as they are."""
        numbers = vars(self).copy()
        document = numbers.pop("_document")
        numbers["warnings"] = (*numbers["warnings"], *notes)
        document = document._replace(notes=numbers["warnings"], appendix=appendix)
        return type(self)(document, numbers)

    def __getnewargs__(self) -> Any:
        return self._document, {}  # copies get the attributes afterwards

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return _body(self._document, 3)  # with headings below those of the page around it

    @takes_no_path
    def to_html(self) -> str:
        """Return the report as a page of HTML.

        Save it with the results of a run, or attach it to a message. It has bars or shaded cells
        where the text has numbers only, and its tables can be sorted. A notebook shows the report
        as HTML by itself.

        Returns
        -------
        str
            A complete page that needs no other file and no network.

        See Also
        --------
        clustering_comparison_report : Makes reports.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> report = clustering_comparison_report(list("aaabb"), [0, 0, 1, 1, 1])
        >>> report.to_html().splitlines()[0]
        '<!DOCTYPE html>'
        """
        return html_page(self._document)

    @takes_no_path
    def to_markdown(self) -> str:
        """Return the report as Markdown, with tables between pipes.

        Paste it into issues, pull requests and README files.

        Returns
        -------
        str
            The report.

        See Also
        --------
        clustering_comparison_report : Makes reports.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> report = clustering_comparison_report(list("aaabb"), [0, 0, 1, 1, 1])
        >>> report.to_markdown().splitlines()[0]
        '# Comparison of two clusterings'
        """
        return document_as_markdown(self._document)


def plain(values: Array) -> list[Any]:
    """Return values that JSON can hold; NaN becomes None and other objects their text."""
    if values.dtype.kind == "f":
        return [None if value != value else value for value in values.tolist()]
    if values.dtype.kind in "iubU":
        return list(values.tolist())
    return plain_labels(values.tolist()) if values.dtype.kind == "O" else label_texts(values)


def plain_labels(labels: list[Any]) -> list[Any]:
    """Return labels that JSON can hold: numbers and strings as they are, others as text."""
    return [label if isinstance(label, int | float | str) else str(label) for label in labels]
