"""The smallest partitions on which two indices disagree, searched when the site is built.

``.. index-disagreements::`` is a table with a row for each pair of the indices named in it.
"""

import itertools
from typing import NamedTuple

import numpy as np
from docutils.statemachine import StringList
from registry_tables import table
from sphinx.util.docutils import SphinxDirective

from sklearn_clustcompare import ContingencyTable, get_index
from tests.oracle.partitions import all_small_partitions
from tests.oracle.values import Values, rounding_of


class Disagreement(NamedTuple):
    """A reference and two candidates; each index takes another one for closer to the reference."""

    reference: tuple[int, ...]
    closer_by_first: tuple[int, ...]
    closer_by_second: tuple[int, ...]


def smallest_disagreement(first, second, *, trivial=False):
    """Return the smallest and clearest example, or None if there is none up to six objects.

    Candidates of one cluster or of singletons only take part if ``trivial``.
    """
    searches = [Values(get_index(name)) for name in (first, second)]
    for space in all_small_partitions():
        clearest, example = 0.0, None
        for reference in space.proper_references:
            leads = [_leads(search, space, reference) for search in searches]
            opposed = np.minimum(leads[0], -leads[1])
            if not trivial:
                opposed[space.is_trivial] = opposed[:, space.is_trivial] = 0
            place = np.unravel_index(opposed.argmax(), opposed.shape)
            if opposed[place] > clearest:
                clearest, example = opposed[place], space.example(reference, *place)
        if example:
            return Disagreement(*example)
    return None if trivial else smallest_disagreement(first, second, trivial=True)


def _leads(search, space, reference):
    """How far each candidate is ahead of each other one, as a share of the range of values."""
    values = search.sign * search.matrix(space)[reference]
    leads = values[:, np.newaxis] - values
    leads[abs(leads) <= rounding_of(values)] = 0
    largest = leads.max()
    return leads / largest if largest else leads


def _as_text(labels):
    return "".join("abcdef"[label] for label in labels)


def _values(name, example):
    index = get_index(name)
    values = [
        index(ContingencyTable.from_labels(example.reference, candidate))
        for candidate in (example.closer_by_first, example.closer_by_second)
    ]
    return " : ".join(f"{value:.2f}" for value in values)


class IndexDisagreements(SphinxDirective):
    """A row for each pair of indices."""

    has_content = True

    def run(self):
        names = [name for line in self.content for name in line.split()]
        rows = []
        for first, second in itertools.combinations(names, 2):
            example = smallest_disagreement(first, second)
            cells = ["–"] * 5
            if example:
                cells = [f"``{_as_text(labels)}``" for labels in example]
                cells += [_values(name, example) for name in (first, second)]
            rows.append([f"``{first}``", f"``{second}``", *cells])
        heads = [
            *("first index", "second index", "reference", "closer by the first"),
            *("closer by the second", "first values", "second values"),
        ]
        return self.parse_text_to_nodes(StringList(table(heads, rows), self.get_source_info()[0]))


def setup(app):
    """Register the directive."""
    app.add_directive("index-disagreements", IndexDisagreements)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
