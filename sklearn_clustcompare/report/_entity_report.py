"""The report for entities: thousands of small clusters, and records that are in a wrong one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._options import SCORES_OF_ENTITIES
from sklearn_clustcompare._rendering import form_of, percent_text, result_record
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._registry import get_index
from sklearn_clustcompare.report._base import Report, plain_labels
from sklearn_clustcompare.report._cluster_rows import n_clusters_text, size_text
from sklearn_clustcompare.report._document import (
    HISTOGRAM,
    LONGEST_BAR,
    Document,
    Section,
    overall_section,
    plain_section,
)
from sklearn_clustcompare.report._headline import LEVEL, score_text
from sklearn_clustcompare.report._mixed_clusters import MixedCluster, size_counts
from sklearn_clustcompare.report._overall import OverallIndex, overall_as_dict
from sklearn_clustcompare.report._provenance import (
    ReportProvenance,
    provenance_as_dict,
    provenance_texts,
)

if TYPE_CHECKING:
    import pandas as pd

# Scores without intervals.
_FOUND = tuple(f"cluster_{what}_score" for what in ("precision", "recall", "f"))
INDICES_OF_ENTITIES = tuple(map(get_index, (*SCORES_OF_ENTITIES, *_FOUND)))
# Sizes that are counted one by one; larger ones up to the next power of two.
_MOST_SINGLE = 4
# Numbers of clusters and of ids in each that a cell shows, and characters that a line has for them.
_SHOWN = ((6, 6), (4, 4), (3, 3), (2, 3), (2, 2), (2, 1), (1, 1))
_MOST_CHARACTERS = 60
_LEGEND = (
    "B-cubed: mean over the records, of the share of the cluster (precision) or of the entity "
    "(recall) that a record shares with both; pair: shares of the pairs of records; cluster: "
    "shares of the clusters and entities that are the same; adjusted: 0 on average for random "
    "clusters of the same sizes, 1 for equal ones; -: no exact mean, or no interval; to move: "
    "fewest records that are in another cluster if clusters and entities are matched one to one; "
    "wrong pairs: pairs of the cluster that are of different entities; missed pairs: pairs of the "
    "entity that are in different clusters; records: their ids, or without ids their positions, "
    "counted from 0.",
    f"{HISTOGRAM}: entities and clusters of a size; = or blue: as many of both; - or yellow: "
    "entities beyond that; + or orange: clusters beyond that.",
)


@result_record
class EntityReport(Report):
    """Report of entities: a string with its numbers as attributes.

    It is made by :func:`clustering_comparison_report` with ``family="entity"``, behaves like the
    text of the report, and is shown as HTML in notebooks.

    Parameters
    ----------
    table : ContingencyTable
        The :term:`contingency table` of the two partitions.
    overall : tuple of OverallIndex
        The overall indices, with their forms adjusted for chance.
    intervals : dict of str to tuple of two float
        Confidence intervals at the level 0.95 by the names of the scores, those of
        :func:`score_interval` with the entities as ``groups``. Empty for fewer than 10 entities or
        4 records, and more than 300,000 occupied cells.
    merges : tuple of MixedCluster
        The clusters with most pairs of different entities, the worst first.
    splits : tuple of MixedCluster
        The entities with most pairs in different clusters, the worst first.
    warnings : tuple of str
        Notes on the interpretation of the numbers.
    provenance : ReportProvenance
        Version, date, and how the objects were counted.
    digits : int
        Decimals in the text; at least 1.
    names : tuple of two str
        What the reference and the candidate are called.

    Attributes
    ----------
    table, overall, intervals, merges, splits, warnings, provenance
        As given.

    See Also
    --------
    clustering_comparison_report : Makes a report from labels.
    ComparisonReport : For a few clusters.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> people = ["ann", "ann", "bob", "bob", "eve"]
    >>> report = clustering_comparison_report(people, [1, 1, 1, 2, 3], family="entity")
    >>> report.n_moved
    1
    >>> [(merge.label, merge.part_ids) for merge in report.merges]
    [(1, [[0, 1], [2]])]
    """

    table: ContingencyTable
    overall: tuple[OverallIndex, ...]
    intervals: dict[str, tuple[float, float]]
    merges: tuple[MixedCluster, ...]
    splits: tuple[MixedCluster, ...]
    warnings: tuple[str, ...]
    provenance: ReportProvenance

    def __new__(
        cls,
        table: ContingencyTable,
        overall: tuple[OverallIndex, ...],
        intervals: dict[str, tuple[float, float]],
        merges: tuple[MixedCluster, ...],
        splits: tuple[MixedCluster, ...],
        warnings: tuple[str, ...],
        provenance: ReportProvenance,
        digits: int,
        names: tuple[str, str],
    ) -> EntityReport:
        """Write the text and keep what it was written from."""
        document = _document(
            table, overall, intervals, (merges, splits), warnings, provenance, digits, names
        )
        self: EntityReport = cls._written(
            document,
            *(table, overall, intervals, merges, splits, warnings, provenance, digits, names),
        )
        self.table, self.overall, self.intervals = table, overall, intervals
        self.merges, self.splits = merges, splits
        self.warnings, self.provenance = warnings, provenance
        return self

    @property
    def n_moved(self) -> int:
        """Fewest records that are in another cluster if clusters are matched one to one."""
        return _n_moved(self.table)

    def to_frame(self) -> pd.DataFrame:
        """Return the worst merges and splits as a DataFrame, a row for each of their parts.

        Send the rows to those who resolve them, with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame
            With columns ``error`` ("merge" or "split"), ``label``, ``size``, ``wrong_pairs``,
            ``part``, ``part_size`` and ``ids``.

        See Also
        --------
        EntityReport.to_dict : All numbers, without pandas.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> people = ["ann", "ann", "bob", "bob", "eve"]
        >>> report = clustering_comparison_report(people, [1, 1, 1, 2, 3], family="entity")
        >>> report.to_frame()[["error", "label", "part", "ids"]]
           error label part     ids
        0  merge     1  ann  [0, 1]
        1  merge     1  bob     [2]
        2  split   bob    1     [2]
        3  split   bob    2     [3]
        """
        import pandas as pd

        rows = [
            (kind, mixed.label, mixed.size, mixed.wrong_pairs, *part)
            for kind, several in (("merge", self.merges), ("split", self.splits))
            for mixed in several
            for part in zip_longest(mixed.parts, mixed.part_sizes, mixed.part_ids or [])
        ]
        titles = ["error", "label", "size", "wrong_pairs", "part", "part_size", "ids"]
        return pd.DataFrame(rows, columns=titles)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as plain data that :mod:`json` writes as they are.

        Store it with the results of a run, or compare it with that of the last run.

        Returns
        -------
        dict
            With ``headline`` (a text), ``n_samples``, ``coverage``, ``n_true`` and ``n_pred``
            (entities and clusters), ``n_moved``, ``overall`` (by name of the index: ``value``,
            ``adjusted``, ``adjusted_by``, and ``interval`` where there is one), ``sizes`` (of
            ``true`` and ``pred`` lists of a size and the number of clusters that have it),
            ``merges`` and ``splits`` (lists of dicts, as :class:`MixedCluster` has it),
            ``warnings``, and ``provenance``, as :class:`ReportProvenance` has it. What is
            undefined is None. Labels and ids that are neither numbers nor strings are written as
            text.

        See Also
        --------
        EntityReport.to_frame : The worst merges and splits, for pandas.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> people = ["ann", "ann", "bob", "bob", "eve"]
        >>> report = clustering_comparison_report(people, [1, 1, 1, 2, 3], family="entity")
        >>> numbers = report.to_dict()
        >>> numbers["n_moved"], numbers["sizes"]["true"], numbers["splits"][0]["part_ids"]
        (1, [[1, 1], [2, 2]], [[2], [3]])
        """
        table = self.table
        sides = (("true", table.row_sums), ("pred", table.col_sums))
        return {
            "headline": self._document.headline,
            "n_samples": table.n_samples,
            "coverage": table.coverage,
            "n_true": table.shape[0],
            "n_pred": table.shape[1],
            "n_moved": self.n_moved,
            "overall": overall_as_dict(self.overall, self.intervals),
            "sizes": {side: list(map(list, size_counts(sums).items())) for side, sums in sides},
            "merges": list(map(_mixed_as_dict, self.merges)),
            "splits": list(map(_mixed_as_dict, self.splits)),
            "warnings": list(self.warnings),
            "provenance": provenance_as_dict(self.provenance),
        }


def _mixed_as_dict(mixed: MixedCluster) -> dict[str, Any]:
    ids = mixed.part_ids
    return mixed._asdict() | {
        "label": plain_labels([mixed.label])[0],
        "parts": plain_labels(mixed.parts),
        "part_ids": None if ids is None else list(map(plain_labels, ids)),
    }


def _n_moved(table: ContingencyTable) -> int:
    return int(table.n_samples - table.cell_counts[table.optimal_matching].sum())


# --------------------------------------------------------------------------- document


def _document(
    table: ContingencyTable,
    overall: tuple[OverallIndex, ...],
    intervals: dict[str, tuple[float, float]],
    mixed: tuple[tuple[MixedCluster, ...], tuple[MixedCluster, ...]],
    notes: tuple[str, ...],
    provenance: ReportProvenance,
    digits: int,
    names: tuple[str, str],
) -> Document:
    """Lay out a report of entities."""
    values = {line.name: np.nan if line.value is None else line.value for line in overall}
    scores = [
        f"{title} precision "
        + ", recall ".join(
            score_text(values[name], intervals.get(name), digits)
            for name in (f"{kind}_precision_score", f"{kind}_recall_score")
        )
        for title, kind in (("B-cubed", "bcubed"), ("pair", "pair"))
    ]
    n_records = size_text(table.n_samples)
    entities, clusters = table.shape
    records = "record" if n_records == "1" else "records"
    intro = (
        f"{n_records} {records}, {_n_text(entities, 'entity', 'entities')} of {names[0]}, "
        f"{n_clusters_text(clusters)} of {names[1]}, coverage "
        f"{percent_text(table.coverage, digits)}"
    )
    statistics = []
    if intervals:
        statistics.append(f"In brackets: {100 * LEVEL:g} % intervals, for other entities.")
    forms = _form(table.row_labels), _form(table.col_labels)
    return Document(
        "Comparison of entities",
        f"{'; '.join(scores)}; {_n_moved(table)} of {n_records} {records} to move",
        intro,
        (overall_section(overall, digits, intervals),),
        None,
        (
            _sizes_section(table, names),
            _mixed_section(
                f"Merges: clusters of {names[1]} with records of several entities",
                ("cluster", "entities", "wrong pairs"),
                mixed[0],
                _n_mixed(table.cell_cols),
                (forms[1], forms[0]),
            ),
            _mixed_section(
                f"Splits: entities of {names[0]} with records in several clusters",
                ("entity", "clusters", "missed pairs"),
                mixed[1],
                _n_mixed(table.cell_rows),
                forms,
            ),
        ),
        notes,
        _LEGEND,
        provenance_texts(provenance, statistics, table.n_samples, table.coverage, digits),
    )


def _n_text(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _n_mixed(codes: NDArray[Any]) -> int:
    """Return how many clusters have several cells."""
    return int(np.count_nonzero(np.bincount(codes) > 1))


def _form(labels: NDArray[Any]) -> Callable[[Any], str]:
    return form_of(labels.tolist()) if labels.dtype.kind == "O" else str


def _sizes_section(table: ContingencyTable, names: tuple[str, str]) -> Section:
    """Return a histogram of the sizes of both sides."""
    sides = [_by_size(sums) for sums in (table.row_sums, table.col_sums)]
    sizes = sorted({*sides[0], *sides[1]})
    true, pred = ([side.get(size, 0) for size in sizes] for side in sides)
    scale = LONGEST_BAR / max([*true, *pred, 1])
    columns = {
        "records": [str(low) if low == high else f"{low} to {high}" for low, high in sizes],
        "entities": list(map(str, true)),
        "clusters": list(map(str, pred)),
        HISTOGRAM: [_bar(*pair, scale) for pair in zip(true, pred, strict=True)],
    }
    before = f"Number of entities of {names[0]} and clusters of {names[1]} with so many records."
    return plain_section("Sizes", columns, (before,))


def _by_size(sums: NDArray[Any]) -> dict[tuple[int, int], int]:
    """Count clusters by ranges of sizes."""
    found: dict[tuple[int, int], int] = {}
    for size, number in size_counts(sums).items():
        high = size if size <= _MOST_SINGLE else 1 << (size - 1).bit_length()
        low = size if size <= _MOST_SINGLE else high // 2 + 1
        found[low, high] = found.get((low, high), 0) + number
    return found


def _bar(true: int, pred: int, scale: float) -> str:
    """Write two numbers as a bar: what they have in common, and what one has more."""
    longest = max(round(scale * max(true, pred)), 1)
    common = round(scale * min(true, pred)) if true != pred else longest
    return "=" * common + ("-" if true > pred else "+") * (longest - common)


def _mixed_section(
    title: str,
    titles: tuple[str, str, str],
    mixed: tuple[MixedCluster, ...],
    n_mixed: int,
    forms: tuple[Callable[[Any], str], Callable[[Any], str]],
) -> Section:
    """Return the worst merges or splits; ``forms`` write their own labels, and those of parts."""
    if not mixed:
        return Section(title, ("None.",), (), (), (), ((), ()))
    numbers = {
        titles[0]: [forms[0](one.label) for one in mixed],
        "size": [str(one.size) for one in mixed],
        titles[1]: [str(len(one.parts)) for one in mixed],
        titles[2]: [str(one.wrong_pairs) for one in mixed],
    }
    after = (f"Shown: the {len(mixed)} with most {titles[2]}, of {n_mixed}.",)
    return plain_section(
        title,
        numbers | {"records": [parts_text(one, forms[1], _MOST_CHARACTERS) for one in mixed]},
        after=after if len(mixed) < n_mixed else (),
        wide=numbers | {"records": [parts_text(one, forms[1]) for one in mixed]},
    )


def parts_text(
    mixed: MixedCluster, form: Callable[[Any], str], most_characters: float = np.inf
) -> str:
    """Write the parts of a cluster and the ids in them, as many as there is room for."""
    for n_parts, n_ids in _SHOWN:
        parts = [_part_text(mixed, part, form, n_ids) for part in range(len(mixed.parts))[:n_parts]]
        if n_more := len(mixed.parts) - len(parts):
            parts.append(f"{n_more} more")
        if len(text := "; ".join(parts)) <= most_characters:
            break
    return text


def _part_text(mixed: MixedCluster, part: int, form: Callable[[Any], str], n_ids: int) -> str:
    name, size = form(mixed.parts[part]), mixed.part_sizes[part]
    if mixed.part_ids is None:
        return f"{name} ({size})"
    ids = list(map(str, mixed.part_ids[part][:n_ids]))
    more = [f"{size - len(ids)} more"] if size > len(ids) else []
    return f"{name}: {', '.join([*ids, *more])}"
