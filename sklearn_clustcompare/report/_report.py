"""Reports of two clusterings: overall, cluster by cluster, and of entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import Array, IntArray, Positions
from sklearn_clustcompare._kernels import number_codes
from sklearn_clustcompare._options import SCORES_OF_ENTITIES
from sklearn_clustcompare._parameters import boolean, one_of, positive_integer
from sklearn_clustcompare._partition import Labels, Reading, read_pair
from sklearn_clustcompare._partition.arrays import (
    check_same_length,
)
from sklearn_clustcompare._partition.labels import read_ids
from sklearn_clustcompare._partition.memberships import Cells, treated_cells
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import (
    Drawn,
    form_of,
    n_clusters_text,
    percent_text,
    result_record,
    takes_no_path,
)
from sklearn_clustcompare._table import count, count_read, has_objects, require_objects
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.many import count_groups
from sklearn_clustcompare.indices._compares import Given, compares
from sklearn_clustcompare.indices._registry import OVERVIEW, get_index
from sklearn_clustcompare.report._decomposition import (
    HIGH,
    POOR,
    ClusterDecomposition,
    ClusterValues,
    size_text,
)
from sklearn_clustcompare.report._document import (
    HISTOGRAM,
    LONGEST_BAR,
    Document,
    Report,
    Section,
    make_document,
    overall_section,
    plain,
    plain_labels,
    plain_section,
)
from sklearn_clustcompare.report._overall import (
    LEVEL,
    OverallIndex,
    ReportHeadline,
    ReportProvenance,
    make_headline,
    make_provenance,
    notes_on,
    notes_on_noise,
    overall_as_dict,
    overall_indices,
    overall_indices_of_groups,
    provenance_as_dict,
    provenance_texts,
    score_text,
    table_intervals,
)


@result_record
class MixedCluster(NamedTuple):
    """A cluster that was merged or split, with its records; in an :class:`EntityReport`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    label : object
        Label of the cluster: of the candidate for a merge, of the reference for a split.
    size : int
        Number of its records.
    wrong_pairs : int
        Pairs of its records that are in different clusters of the other side.
    parts : list
        Labels of the clusters of the other side in which its records are, most records first.
    part_sizes : list of int
        Number of its records in each of them.
    part_ids : list of lists or None
        Ids of these records; None for a report of a contingency table.

    See Also
    --------
    clustering_comparison_report : Lists the worst with ``family="entity"``.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> people, found = ["ann", "ann", "bob"], [1, 1, 1]
    >>> report = clustering_comparison_report(people, found, family="entity", ids=["x", "y", "z"])
    >>> merge = report.merges[0]
    >>> merge.label, merge.wrong_pairs, merge.parts, merge.part_ids
    (1, 2, ['ann', 'bob'], [['x', 'y'], ['z']])
    """

    label: Any
    size: int
    wrong_pairs: int
    parts: list[Any]
    part_sizes: list[int]
    part_ids: list[list[Any]] | None


class Members(NamedTuple):
    """Cells of two partitions, and the ids of the objects in each, if these are known.

    ``ids`` are those of the cells, one cell after the other, and ``ends`` where each cell ends.
    """

    rows: Labels
    cols: Labels
    counts: IntArray
    ids: Array | None = None
    ends: Positions | None = None

    @classmethod
    def of_table(cls, table: ContingencyTable) -> Members:
        rows = Labels.of_codes(table.cell_rows, table.row_labels)
        cols = Labels.of_codes(table.cell_cols, table.col_labels)
        return cls(rows, cols, table.cell_counts)

    @classmethod
    def of_objects(cls, true: Labels, pred: Labels, ids: Array) -> Members:
        (true, _), (pred, _) = true.compact(), pred.compact()
        cells, number, counts = number_codes(
            true.codes * pred.n_codes + pred.codes, true.n_codes * pred.n_codes
        )
        rows, cols = np.divmod(cells, max(pred.n_codes, 1))
        return cls(
            true._replace(codes=rows),
            pred._replace(codes=cols),
            counts,
            ids[np.argsort(number, kind="stable")],
            np.cumsum(counts),
        )

    def ids_in(self, cell: int) -> list[Any]:
        assert self.ids is not None
        assert self.ends is not None
        end = self.ends[cell]
        return list(self.ids[end - self.counts[cell] : end].tolist())


def worst_clusters(members: Members, n_worst: int, *, of_pred: bool) -> tuple[MixedCluster, ...]:
    """Return the clusters of a side with most wrong pairs; of equal ones the largest, the first."""
    if of_pred:
        members = members._replace(rows=members.cols, cols=members.rows)
    sizes, wrong = _sizes_and_wrong_pairs(members)
    worst = np.lexsort((-sizes, -wrong))[:n_worst]
    return tuple(mixed_clusters(members, worst[wrong[worst] > 0]))


def mixed_clusters(members: Members, clusters: Positions) -> list[MixedCluster]:
    """Return clusters of the rows, with their parts in those of the columns."""
    own, other = members.rows, members.cols
    sizes, wrong = _sizes_and_wrong_pairs(members)
    found = []
    for cluster in clusters.tolist():
        cells = np.flatnonzero(own.codes == cluster)
        cells = cells[np.argsort(-members.counts[cells], kind="stable")]
        found.append(
            MixedCluster(
                own.labels_of(np.array([cluster])).tolist()[0],
                int(sizes[cluster]),
                int(wrong[cluster]),
                other.labels_of(other.codes[cells]).tolist(),
                members.counts[cells].tolist(),
                None if members.ids is None else list(map(members.ids_in, cells.tolist())),
            )
        )
    return found


def _sizes_and_wrong_pairs(members: Members) -> tuple[IntArray, IntArray]:
    sizes, squares = (np.zeros(members.rows.n_codes, np.int64) for _ in range(2))
    np.add.at(sizes, members.rows.codes, members.counts)
    np.add.at(squares, members.rows.codes, members.counts**2)
    return sizes, (sizes**2 - squares) // 2


def size_counts(sizes: Array) -> dict[int, int]:
    """Count clusters by their size."""
    return dict(sorted(Counter(sizes.tolist()).items()))


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
class EntityReport(Report, Drawn):
    """Report of entities: a string with its numbers as attributes.

    It is made by :func:`clustering_comparison_report` with ``family="entity"``, behaves like the
    text of the report, and is shown as HTML in notebooks.

    Attributes
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
    names : tuple of two str
        Names of the reference and of the candidate.

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
    names: tuple[str, str]

    @property
    def n_moved(self) -> int:
        """Fewest records that are in another cluster if clusters are matched one to one."""
        return _n_moved(self.table)

    @takes_no_path
    def to_frame(self) -> Any:
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

    @takes_no_path
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
    merges: tuple[MixedCluster, ...],
    splits: tuple[MixedCluster, ...],
    warnings: tuple[str, ...],
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
        f"{n_records} {records}, {entities} {'entity' if entities == 1 else 'entities'} of "
        f"{names[0]}, {n_clusters_text(clusters)} of {names[1]}, coverage "
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
        overall_section(overall, digits, intervals),
        None,
        (
            _sizes_section(table, names),
            _mixed_section(
                f"Merges: clusters of {names[1]} with records of several entities",
                ("cluster", "entities", "wrong pairs"),
                merges,
                _n_mixed(table.cell_cols),
                (forms[1], forms[0]),
            ),
            _mixed_section(
                f"Splits: entities of {names[0]} with records in several clusters",
                ("entity", "clusters", "missed pairs"),
                splits,
                _n_mixed(table.cell_rows),
                forms,
            ),
        ),
        warnings,
        _LEGEND,
        provenance_texts(provenance, statistics, table.n_samples, table.coverage, digits),
    )


def _n_mixed(codes: Array) -> int:
    """Return how many clusters have several cells."""
    return int(np.count_nonzero(np.bincount(codes) > 1))


def _form(labels: Array) -> Callable[[Any], str]:
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


def _by_size(sums: Array) -> dict[tuple[int, int], int]:
    """Count clusters by ranges of sizes."""
    found = Counter[tuple[int, int]]()
    for size, number in size_counts(sums).items():
        high = size if size <= _MOST_SINGLE else 1 << (size - 1).bit_length()
        low = size if size <= _MOST_SINGLE else high // 2 + 1
        found[low, high] += number
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
        return Section(title, ("None.",))
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


def _counted(
    labels_true: Any, labels_pred: Any, reading: Reading
) -> tuple[ContingencyTable, tuple[Labels, Labels] | None]:
    """Return the table of two labelings, and the labels unless the table was given."""
    sides = None
    if has_objects(labels_true, labels_pred) and labels_pred is not None:
        sides = read_pair(labels_true, labels_pred, reading=reading)
        table = require_objects(count_read(*sides, reading=reading))
    else:
        table = count(labels_true, labels_pred, reading=reading)
    if table.soft is not None or not table.is_whole:
        msg = "with family, labels or a table of whole counts must be given, got "
        raise ValueError(msg + ("memberships" if table.soft is not None else "fractions"))
    return table, sides


def _members(true: Labels, pred: Labels, ids: Any, reading: Reading) -> Members:
    """Return the objects in the cells, by their ids, else their index or position."""
    if ids is not None:
        names = read_ids(ids, "ids")
        check_same_length(true.n_objects, len(names), ("labels_true", "ids"))
    elif true.ids is not None:
        names = np.asarray(true.ids)
    else:
        names = np.arange(true.n_objects)
    each = np.ones(true.n_objects, np.int64)
    cells, kept = treated_cells(Cells(true.compact()[0], pred.compact()[0], each), reading)
    return Members.of_objects(cells.true, cells.pred, names[kept])


def entity_report(
    labels_true: Any,
    labels_pred: Any,
    reading: Reading,
    names: tuple[str, str],
    ids: Any,
    digits: int,
    max_clusters: int,
) -> EntityReport:
    """Report on entities: the scores, and which records are in the wrong cluster."""
    table, sides = _counted(labels_true, labels_pred, reading)
    if sides is None and ids is not None:
        msg = f"ids must be None unless labels are given as arrays, got {type(ids).__name__}"
        raise ValueError(msg)
    members = Members.of_table(table) if sides is None else _members(*sides, ids, reading)
    noise = notes_on_noise(table, reading, names) if reading.noise == "cluster" else []
    overall, undefined = overall_indices(table, INDICES_OF_ENTITIES)
    no_pairs = _notes_on_pairs(table, names)
    # Without a pair, scores of pairs are 0 or undefined, and do not vary.
    scores = [name for name in SCORES_OF_ENTITIES if not (no_pairs and name.startswith("pair"))]
    intervals, cautions = table_intervals(table, scores, by_entity=True)
    given = None if sides is None else reading
    numbers: dict[str, Any] = {
        "table": table,
        "overall": overall,
        "intervals": intervals,
        "merges": worst_clusters(members, max_clusters, of_pred=True),
        "splits": worst_clusters(members, max_clusters, of_pred=False),
        "warnings": tuple(notes_on(table, names) + no_pairs + noise + undefined + cautions),
        "provenance": make_provenance(given, INDICES_OF_ENTITIES),
        "names": names,
    }
    return EntityReport(_document(**numbers, digits=digits), numbers)


def _notes_on_pairs(table: ContingencyTable, names: tuple[str, str]) -> list[str]:
    sides = zip(names, (table.row_sums, table.col_sums), strict=True)
    return [
        f"{name} joins no two records: scores of pairs are 0 or undefined, whatever the other side "
        "is"
        for name, sizes in sides
        if sizes.max(initial=0) < 2
    ]


@result_record
class ComparisonReport(Report, Drawn):
    """Result of :func:`clustering_comparison_report`: a string with its numbers as attributes.

    It is made by :func:`clustering_comparison_report`, behaves like the text of the report, and is
    shown as HTML in notebooks.

    Attributes
    ----------
    decomposition : ClusterDecomposition
        The values of the single clusters, as :func:`cluster_decomposition` returns them.
    overall : tuple of OverallIndex
        The overall indices, with their forms adjusted for chance.
    warnings : tuple of str
        Notes on the interpretation of the numbers.
    headline : ReportHeadline
        Scores with intervals, a p-value, and how many clusters were kept.
    provenance : ReportProvenance
        Version, date, and how the objects were counted.

    See Also
    --------
    clustering_comparison_report : Makes a report from labels.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report(list("aaabb"), [0, 0, 1, 1, 1])
    >>> isinstance(report, str)
    True
    >>> [line.name for line in report.overall if line.adjusted is None]
    ['purity_score', 'inverse_purity_score', 'f_measure_score']
    >>> report.decomposition.true.verdict.tolist()
    ['split', 'merged']
    """

    decomposition: ClusterDecomposition
    overall: tuple[OverallIndex, ...]
    warnings: tuple[str, ...]
    headline: ReportHeadline
    provenance: ReportProvenance

    @takes_no_path
    def to_frame(self) -> Any:
        """Return the values of all clusters as a DataFrame, including those not shown.

        Sort, filter, join or save them with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame
            As from :meth:`ClusterDecomposition.to_frame`.

        See Also
        --------
        ClusterDecomposition.to_frame : Explains the columns.
        ComparisonReport.to_dict : All numbers, without pandas.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> report = clustering_comparison_report(list("aaabb"), [0, 0, 1, 1, 1])
        >>> report.to_frame().groupby("side")["size"].sum().to_dict()
        {'pred': 5, 'true': 5}
        """
        return self.decomposition.to_frame()

    @takes_no_path
    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as plain data that :mod:`json` writes as they are.

        Store it with the results of a run, or compare it with that of the last run.

        Returns
        -------
        dict
            With ``headline`` (``text``, ``scores``, ``intervals``, ``pvalue``, ``pvalue_method``,
            ``verdicts``, and ``worst``, which has ``label``, ``size`` and ``lost_share``),
            ``n_samples``, ``coverage``, ``overall`` (by name of the index: ``value``,
            ``adjusted``, ``adjusted_by``, and with groups ``macro``), ``true`` and ``pred`` (of
            each side ``overall``, ``unit_weighted``, ``n_clusters``, ``high``, ``poor``,
            ``n_high``, ``n_poor``, ``quantiles``, and ``clusters``, a list of all of them),
            ``warnings``, and ``provenance``, as :class:`ReportProvenance` has it. What is undefined
            is None. Labels that are neither numbers nor strings are written as text.

        See Also
        --------
        ComparisonReport.to_frame : The values of the clusters, for pandas.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> numbers = clustering_comparison_report(list("aaabb"), [0, 0, 1, 1, 1]).to_dict()
        >>> numbers["n_samples"], numbers["overall"]["purity_score"]["value"]
        (5, 0.8)
        """
        table = self.decomposition.table
        return {
            "headline": self._headline_as_dict(),
            "n_samples": table.n_samples,
            "coverage": table.coverage,
            "overall": overall_as_dict(self.overall),
            "true": _side_as_dict(self.decomposition.true),
            "pred": _side_as_dict(self.decomposition.pred),
            "warnings": list(self.warnings),
            "provenance": provenance_as_dict(self.provenance),
        }

    def _headline_as_dict(self) -> dict[str, Any]:
        headline, table = self.headline, self.decomposition.table
        position, worst = headline.worst, None
        if position is not None:
            worst = {
                "label": plain(table.row_labels[[position]])[0],
                "size": table.row_sums[position].item(),
                "lost_share": float(self.decomposition.true.lost_share[position]),
            }
        return {
            "text": self._document.headline,
            "scores": headline.scores,
            "intervals": {name: list(ends) for name, ends in headline.intervals.items()},
            "pvalue": headline.pvalue,
            "pvalue_method": headline.pvalue_method,
            "verdicts": headline.verdicts,
            "worst": worst,
        }


def _side_as_dict(side: ClusterValues) -> dict[str, Any]:
    columns = side.columns()
    names = list(columns)
    rows = zip(*(plain(values) for values in columns.values()), strict=True)
    summary = side.summary
    return {
        "overall": side.overall,
        "unit_weighted": side.unit_weighted,
        "n_clusters": summary.n_clusters,
        "high": HIGH,
        "poor": POOR,
        "n_high": summary.n_high,
        "n_poor": summary.n_poor,
        "quantiles": list(summary.quantiles),
        "clusters": [dict(zip(names, row, strict=True)) for row in rows],
    }


_check_family = one_of(None, "entity")


@compares("labels_true", "labels_pred", "sample_weight", "within", "groups")
def clustering_comparison_report(
    given: Given,
    *,
    family: str | None = None,
    ids: ArrayLike | None = None,
    names: tuple[str, str] | None = None,
    digits: int = 2,
    max_clusters: int = 20,
    output_dict: bool = False,
) -> ComparisonReport | EntityReport | dict[str, Any]:
    """Report how two clusterings agree: overall and cluster by cluster, with notes.

    The counterpart of :func:`sklearn.metrics.classification_report` for clusters, whose names are
    arbitrary.

    Parameters
    ----------
    groups : array-like of shape (n_samples,) or None, default=None
        Group of each object, if groups of objects were sampled together: entities, documents,
        donors or speakers. Groups are permuted whole; see the Notes of :func:`permutation_test`.
    family : {None, "entity"}, default=None
        Task whose report is made: "entity" for records of thousands of entities, with the worst
        merges and splits. None: the values of each cluster. For labels, or a table of whole counts,
        without ``sample_weight``, ``within`` and ``possibilistic``.
    ids : array-like of shape (n_samples,), default=None
        Id of each record, which occurs once, for ``family="entity"``. None takes the index of
        pandas Series, else positions from zero.
    names : tuple of two str, default=None
        Names of the reference and of the candidate; None takes those of pandas Series, else those
        of the arguments.
    digits : int, default=2
        Decimals in the text; at least 1.
    max_clusters : int, default=20
        Clusters to show on each side; of more, those that lost most of the information. With a
        family: the most merges and the most splits.
    output_dict : bool, default=False
        Whether to return the result of ``to_dict`` of the report instead.

    Returns
    -------
    ComparisonReport, EntityReport or dict
        A string to print, with the methods ``to_frame``, ``to_html``, ``to_markdown`` and
        ``to_dict``; with ``output_dict=True`` the dict. An :class:`EntityReport` for "entity".

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if a parameter is out of
        its range, or not for this family; or if ``ids`` occur twice.
    TypeError
        If labels are not hashable, ``digits`` or ``max_clusters`` is not an integer, or a table has
        groups.

    See Also
    --------
    cluster_decomposition : The values of the single clusters alone.
    independence_test : Tests whether the agreement is more than chance.
    recommend_index : Recommends an index for a reference.
    score_candidates : Many candidates, also by the data.

    Notes
    -----
    The headline has the adjusted Rand index and the adjusted mutual information. Their intervals
    are those of :func:`score_interval`; tables of more than 300,000 occupied cells have none. The
    p-value is that of the mutual information by :func:`independence_test`. Memberships and
    real-valued weights have neither; with ``groups`` both are of groups, if there are enough. The
    worst cluster is the one that lost most information. The bars and the order of the contingency
    table match clusters one to one, as :func:`match_clusters` does.

    Values adjusted for chance are exact: those of pair counting and of mutual information have a
    mean under permutation in closed form. Those of set matching have none; estimate them with
    :func:`chance_adjusted_score`. For memberships it is the objects of one side that are permuted;
    then mutual information has no mean in closed form either.

    With ``family="entity"`` the intervals are for other entities with all their records: those of
    :func:`score_interval` with ``labels_true`` as ``groups``. Merges and splits are ordered by
    their pairs of records of different entities, or in different clusters.

    With ``within`` the values and the clusters, which are called ``(group, label)``, are those of
    one table, and a column has the macro values. Adjusted values of that table are above 0 for
    random labels within the groups.

    References
    ----------
    .. [1] H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for
       comparing clusterings", Behaviormetrika 46, 2019, :doi:`10.1007/s41237-018-0075-7`

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> animals = ["fish"] * 4 + ["bird"] * 4 + ["frog"] * 2
    >>> found = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> report = clustering_comparison_report(animals, found)
    >>> lines = report.splitlines()
    >>> lines[2].partition(":")[0]
    'ARI 0.63 [0.14, 0.91], AMI 0.74 [0.26, 0.96] (p = 0.010)'
    >>> for line in lines[3:9]:
    ...     print(line)
    frog, 57.5% of the lost information
    10 objects, 3 clusters of labels_true, 2 clusters of labels_pred, coverage 100%
    <BLANKLINE>
    Overall
    index                         value  adjusted  adjusted by
    rand_score                     0.82      0.63  adjusted_rand_score
    >>> numbers = clustering_comparison_report(animals, found, output_dict=True)
    >>> round(numbers["overall"]["rand_score"]["adjusted"], 4)
    0.6341
    >>> [cluster["verdict"] for cluster in numbers["true"]["clusters"]]
    ['merged', 'kept', 'merged']

    The records that were put into the wrong cluster:

    >>> people = ["ann", "ann", "bob", "bob", "eve"]
    >>> report = clustering_comparison_report(people, [1, 1, 1, 2, 3], family="entity")
    >>> print(report.splitlines()[2])
    B-cubed precision 0.73, recall 0.80; pair precision 0.33, recall 0.50; 1 of 5 records to move
    """
    titles = given.titles(names)
    sides, reading = (given.labels_true, given.labels_pred), given.reading
    positive_integer("digits", digits)
    positive_integer("max_clusters", max_clusters)
    boolean("output_dict", output_dict)
    _check_family("family", family)
    if ids is not None and family != "entity":
        msg = f"ids must be None unless family is 'entity', got {type(ids).__name__}"
        raise ValueError(msg)
    if family is not None:
        others = {name: getattr(given, name) for name in ("sample_weight", "within", "groups")}
        others["possibilistic"] = reading.possibilistic or None
        for name, one in others.items():
            if one is not None:
                msg = f"{name} must be left out with family={family!r}"
                raise ValueError(msg)
        (ids,) = in_columns(given.data, ids=ids)
        made = entity_report(*sides, reading, titles, ids, digits, max_clusters)
        return made.to_dict() if output_dict else made
    if given.groups is not None and given.within is not None:
        msg = "groups must be None with within, whose groups are compared each by itself"
        raise ValueError(msg)
    tables: list[ContingencyTable] = []
    if given.within is None:
        table = count(*sides, given.sample_weight, reading, moments=True)
        overall, undefined = overall_indices(table)
        kept_noise = notes_on_noise(table, reading, titles) if reading.noise == "cluster" else []
    else:
        table, tables = count_groups(*sides, given.sample_weight, given.within, reading)
        overall, undefined = overall_indices_of_groups(table, tables)
        kept_noise = []
    decomposition = ClusterDecomposition(table, names=titles)
    headline, lacking = make_headline(decomposition, overall, given)
    notes = tuple(notes_on(table, titles) + kept_noise + undefined + lacking)
    numbers: dict[str, Any] = {
        "decomposition": decomposition,
        "overall": overall,
        "warnings": notes,
        "headline": headline,
        "provenance": make_provenance(
            None if isinstance(given.labels_true, ContingencyTable) else reading,
            OVERVIEW,
            is_weighted=given.sample_weight is not None,
            n_groups=None if given.within is None else len(tables),
        ),
    }
    document = make_document(**numbers, digits=digits, max_clusters=max_clusters)
    report = ComparisonReport(document, numbers)
    return report.to_dict() if output_dict else report
