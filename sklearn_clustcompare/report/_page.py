"""A report as HTML: a part for notebooks, or a whole page that needs no other file."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from importlib.resources import files

from sklearn_clustcompare._palette import BLUE, GRAY, ORANGE, PURPLE, YELLOW
from sklearn_clustcompare._rendering import (
    Row,
    html,
    html_name,
    paragraphs,
    percent_text,
)
from sklearn_clustcompare.report._cluster_rows import size_text
from sklearn_clustcompare.report._counts import Bar, Part
from sklearn_clustcompare.report._document import (
    HISTOGRAM,
    HISTOGRAM_ROLES,
    LONGEST_BAR,
    WHERE,
    CountsSection,
    Document,
    Section,
)

VERDICT_COLORS = {
    "kept": BLUE,
    "split": ORANGE,
    "part": YELLOW,
    "merged": PURPLE,
    "split and merged": GRAY,
}
# A color, that of text on it, and what it means.
_ROLES = {
    "match": (BLUE, "#fff", "in the match"),
    "mixed": (ORANGE, "#000", "in the match of another cluster"),
    "split": (YELLOW, "#000", "in a cluster without a match"),
    "other": (GRAY, "#fff", "in several other clusters"),
}
_MATCHING = "Clusters are matched one to one so that most objects are in matched pairs."
_TEXT_COLUMNS = ("match", "verdict", "adjusted by", "better", "interval", "name", HISTOGRAM, *WHERE)
_SHADE = tuple(int(BLUE[at : at + 2], 16) for at in (1, 3, 5))
_DARKEST = 0.45
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


def html_part(document: Document) -> str:
    """Return what a notebook shows, with headings below those of the page around it."""
    return _body(document, 3)


def _body(document: Document, level: int) -> str:
    parts = [
        f"<style>{_asset('report.css')}{_color_rules()}</style>",
        _heading(document.title, level),
        f'<p class="headline">{html(document.headline)}</p>',
        *paragraphs((document.intro,)),
    ]
    if document.counts:
        parts += [_bars(document.counts, level + 1), _counts(document.counts, level + 1)]
    parts += [_section(one, level + 1) for one in (*document.indices, *document.sides)]
    if document.notes:
        items = paragraphs(f"- {note}" for note in document.notes)
        parts += [_heading("Notes", level + 1), *items]
    parts += [_heading("Legend", level + 1), *paragraphs(document.legend)]
    parts.append(f'<p class="made">{html(" ".join(document.provenance))}</p>')
    return f'<div class="clustcompare">{"".join(parts)}</div>'


def _asset(name: str) -> str:
    return files("sklearn_clustcompare.report").joinpath(name).read_text("utf-8")


def _color_rules() -> str:
    rules = [
        f".clustcompare .v-{_slug(verdict)}::before {{ background: {color} }}"
        for verdict, color in VERDICT_COLORS.items()
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


def _section(section: Section, level: int) -> str:
    header, body = section.wide
    table = _table(header, body, section.title) if body else ""
    return "".join(
        [
            _heading(section.title, level),
            *paragraphs(section.before),
            table,
            *paragraphs(section.after),
        ]
    )


def _table(header: Row, body: Sequence[Row], name: str) -> str:
    """Lay out a table that scrolls within the page and can be sorted."""
    first, *others = header
    numbers = ["" if title in _TEXT_COLUMNS else ' class="n"' for title in others]
    head = f'<th scope="col">{html_name(first)}</th>' + "".join(
        f'<th scope="col"{number}>{html_name(title)}</th>'
        for title, number in zip(others, numbers, strict=True)
    )
    marks = [_MARKED.get(one, html_name if one in _TEXT_COLUMNS else html) for one in others]
    rows = []
    for label, *cells in body:
        marked = (mark(cell) for mark, cell in zip(marks, cells, strict=True))
        columns = "".join(
            f"<td{number}>{cell}</td>" for cell, number in zip(marked, numbers, strict=True)
        )
        # Names of indices break at underscores first.
        name_in_lines = html_name(label).replace("_", "_<wbr>")
        rows.append(f'<tr><th scope="row">{name_in_lines}</th>{columns}</tr>')
    return _scrolling(
        f'<table class="sortable"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody>'
        "</table>",
        name,
    )


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


def _scrolling(table: str, name: str) -> str:
    return f'<div class="scroll" role="region" tabindex="0" aria-label="{html(name)}">{table}</div>'


def _counts(section: CountsSection, level: int) -> str:
    header, body = section.counts.rows()
    shares = section.counts.shares
    n_rows, n_cols = shares.shape
    head = "".join(f'<th scope="col" class="n">{html_name(cell)}</th>' for cell in header[1:])
    rows = []
    for i, (label, *cells) in enumerate(body):
        columns = [
            f'<td class="n"{_shade(shares[i, j]) if i < n_rows and j < n_cols else ""}>{cell}</td>'
            for j, cell in enumerate(cells)
        ]
        rows.append(f'<tr><th scope="row">{html_name(label)}</th>{"".join(columns)}</tr>')
    corner = f'<th scope="col">{html_name(section.names[0])}</th>'
    table = (
        f'<table class="counts"><thead><tr>{corner}{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
    return "".join(
        [
            _heading(section.title, level),
            *paragraphs(("The stronger the color of a cell, the larger its share of the row.",)),
            _scrolling(table, section.title),
        ]
    )


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
    items = "".join(map(_bar, section.bars))
    return "".join(
        [
            _heading(section.bars_title, level),
            *paragraphs((_MATCHING,)),
            f'<p class="keys">{key}</p><ul class="bars">{items}</ul>',
        ]
    )


def _bar(bar: Bar) -> str:
    parts = ", ".join(map(_part_text, bar.parts))
    segments = "".join(
        f'<span class="{part.role}" style="width: {100 * part.share:.3f}%" '
        f'title="{html(_part_text(part))}">{_label_in(part)}</span>'
        for part in bar.parts
    )
    return (
        f'<li><span class="name">{html_name(bar.label)} <small>{size_text(bar.size)}</small></span>'
        f'<span class="bar" role="img" aria-label="{html(f"{bar.label}: {parts}")}">{segments}'
        "</span></li>"
    )


def _label_in(part: Part) -> str:
    return html_name(part.label) if part.share >= _LABELED_SHARE else ""


def _part_text(part: Part) -> str:
    return (
        f"{size_text(part.size)} ({percent_text(part.share, 2)}) {_ROLES[part.role][2]}: "
        f"{part.label}"
    )
