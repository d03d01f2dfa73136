"""The report for annotated objects: where each type went, and the names of the clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare._partition.missing import MISSING
from sklearn_clustcompare._partition.noise import noise_mask
from sklearn_clustcompare._rendering import (
    form_of,
    number_text,
    number_texts,
    percent_text,
    percent_texts,
    record_html,
    result_record,
)
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare.indices._registry import get_index
from sklearn_clustcompare.report._base import Report, plain_labels
from sklearn_clustcompare.report._cluster_rows import n_clusters_text, size_text
from sklearn_clustcompare.report._document import (
    Document,
    Section,
    overall_section,
    plain_section,
)
from sklearn_clustcompare.report._headline import INTERVALS_OF_OBJECTS, score_text
from sklearn_clustcompare.report._overall import OverallIndex, overall_as_dict
from sklearn_clustcompare.report._provenance import (
    ReportProvenance,
    provenance_as_dict,
    provenance_texts,
)

if TYPE_CHECKING:
    import pandas as pd

INDICES_OF_TYPES = tuple(
    map(
        get_index,
        (
            "rand_score",
            "normalized_mutual_info_score",
            "element_centric_similarity_score",
            "purity_score",
            "inverse_purity_score",
        ),
    )
)
_AMI = "adjusted_mutual_info_score"
SCORES_OF_TYPES = (_AMI, "rand_score", "normalized_mutual_info_score")
# Clusters of a type, or types of a cluster, that a cell names.
_MOST_PARTS = 6
# Characters that a line has for them, in text and on a page.
_ROOM, _ROOM_OF_PAGE = 45, 200
# Types without a cluster that the headline names.
_MOST_LOST = 5
_LEGEND = (
    "A cluster is named after the type of most of its objects, or after all types that tie. "
    "purity: share of the objects of a cluster that are of its type; found: share of the objects "
    "of a type that are in clusters of its name, lost if no cluster has it; unassigned: objects "
    "that the candidate labels as noise, or not at all; adjusted: 0 on average for random "
    "partitions with the same cluster sizes, 1 for equal ones; -: no exact mean, or no interval; "
    "AMI: adjusted mutual information.",
)


@result_record
class AnnotatedType(NamedTuple):
    """A type of the reference and the clusters it went to; in an :class:`AnnotationReport`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    label : object
        Name of the type.
    size : int
        Number of its objects.
    unassigned : int
        Number of its objects that the candidate labels as noise, or not at all.
    found : int
        Number of its objects that are in clusters of its name.
    is_lost : bool
        Whether no cluster has its name.
    clusters : list
        Labels of the clusters in which its objects are, most objects first.
    cluster_sizes : list of int
        Number of its objects in each of them.

    See Also
    --------
    clustering_comparison_report : Lists all types with ``family="single-cell"``.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report(list("BBTTT"), [0, 1, 1, 1, -1], family="single-cell")
    >>> report.types[0]  # doctest: +NORMALIZE_WHITESPACE
    AnnotatedType(label='B', size=2, unassigned=0, found=1, is_lost=False, clusters=[0, 1],
    cluster_sizes=[1, 1])
    """

    label: Any
    size: int
    unassigned: int
    found: int
    is_lost: bool
    clusters: list[Any]
    cluster_sizes: list[int]

    def _repr_html_(self) -> str:
        return record_html("AnnotatedType", self._asdict())


@result_record
class AnnotatedCluster(NamedTuple):
    """A cluster of the candidate and its name by majority; in an :class:`AnnotationReport`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    label : object
        Label of the cluster.
    size : int
        Number of its objects.
    names : list
        The type of most of its objects; several if they tie.
    purity : float
        Share of its objects that are of this type.
    types : list
        Types of its objects, those of most objects first.
    type_sizes : list of int
        Number of its objects that are of each of them.

    See Also
    --------
    clustering_comparison_report : Lists all clusters with ``family="single-cell"``.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report(list("BBTTT"), [0, 1, 1, 1, -1], family="single-cell")
    >>> [(cluster.label, cluster.names) for cluster in report.clusters]
    [(0, ['B']), (1, ['T'])]
    """

    label: Any
    size: int
    names: list[Any]
    purity: float
    types: list[Any]
    type_sizes: list[int]

    def _repr_html_(self) -> str:
        return record_html("AnnotatedCluster", self._asdict())


@result_record
class AnnotationReport(Report):
    """Report of annotated objects: a string with its numbers as attributes.

    It is made by :func:`clustering_comparison_report` with ``family="single-cell"``, behaves like
    the text of the report, and is shown as HTML in notebooks.

    Parameters
    ----------
    table : ContingencyTable
        The :term:`contingency table` of the two partitions.
    overall : tuple of OverallIndex
        The overall indices, with their forms adjusted for chance.
    intervals : dict of str to tuple of two float
        Confidence intervals at the level 0.95 by the names of the scores, those of
        :func:`score_interval`. Empty for fewer than 4 objects and more than 300,000 occupied cells.
    types : tuple of AnnotatedType
        All types, the rarest first.
    clusters : tuple of AnnotatedCluster
        All clusters, in the order of their labels.
    warnings : tuple of str
        Notes on the interpretation of the numbers.
    provenance : ReportProvenance
        Version, date, and how the objects were counted.
    digits : int
        Decimals in the text; at least 1.
    max_clusters : int
        Types and clusters to show; of more, the rarest types and the least pure clusters.
    names : tuple of two str
        What the reference and the candidate are called.

    Attributes
    ----------
    table, overall, intervals, types, clusters, warnings, provenance
        As given.

    See Also
    --------
    clustering_comparison_report : Makes a report from labels.
    relabel : Gives clusters the labels of the types that they are matched with.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> types = ["B"] * 4 + ["T"] * 5 + ["pDC"]
    >>> report = clustering_comparison_report(
    ...     types, [0] * 4 + [1] * 6, family="single-cell"
    ... )
    >>> [one.label for one in report.types if one.is_lost]
    ['pDC']
    """

    table: ContingencyTable
    overall: tuple[OverallIndex, ...]
    intervals: dict[str, tuple[float, float]]
    types: tuple[AnnotatedType, ...]
    clusters: tuple[AnnotatedCluster, ...]
    warnings: tuple[str, ...]
    provenance: ReportProvenance

    def __new__(
        cls,
        table: ContingencyTable,
        overall: tuple[OverallIndex, ...],
        intervals: dict[str, tuple[float, float]],
        types: tuple[AnnotatedType, ...],
        clusters: tuple[AnnotatedCluster, ...],
        warnings: tuple[str, ...],
        provenance: ReportProvenance,
        digits: int,
        max_clusters: int,
        names: tuple[str, str],
    ) -> AnnotationReport:
        """Write the text and keep what it was written from."""
        given = (table, overall, intervals, types, clusters, warnings, provenance)
        document = _document(*given, digits, max_clusters, names)
        self: AnnotationReport = cls._written(document, *given, digits, max_clusters, names)
        self.table, self.overall, self.intervals = table, overall, intervals
        self.types, self.clusters = types, clusters
        self.warnings, self.provenance = warnings, provenance
        return self

    def to_frame(self) -> pd.DataFrame:
        """Return the types and the clusters they went to as a DataFrame, a row for each pair.

        Sort, filter, join or save them with pandas, which has to be installed.

        Returns
        -------
        pandas.DataFrame
            With columns ``type``, ``size``, ``unassigned``, ``found``, ``is_lost``, ``cluster`` and
            ``n_samples``; types that are not assigned at all have a row without a cluster.

        See Also
        --------
        AnnotationReport.to_dict : All numbers, without pandas.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> report = clustering_comparison_report(
        ...     list("BBTTT"), [0, 1, 1, 1, -1], family="single-cell"
        ... )
        >>> report.to_frame()[["type", "cluster", "n_samples"]]
          type  cluster  n_samples
        0    B        0          1
        1    B        1          1
        2    T        1          2
        """
        import pandas as pd

        rows = [
            (one.label, one.size, one.unassigned, one.found, one.is_lost, *pair)
            for one in self.types
            for pair in zip(one.clusters or [None], one.cluster_sizes or [0], strict=True)
        ]
        titles = ["type", "size", "unassigned", "found", "is_lost", "cluster", "n_samples"]
        return pd.DataFrame(rows, columns=titles)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as plain data that :mod:`json` writes as they are.

        Store it with the results of a run, or compare it with that of the last run.

        Returns
        -------
        dict
            With ``headline`` (a text), ``n_samples``, ``coverage``, ``overall`` (by name of the
            index: ``value``, ``adjusted``, ``adjusted_by``, and ``interval`` where there is one),
            ``types`` and ``clusters`` (lists of dicts, as :class:`AnnotatedType` and
            :class:`AnnotatedCluster` have it), ``warnings``, and ``provenance``, as
            :class:`ReportProvenance` has it. What is undefined is None. Labels that are neither
            numbers nor strings are written as text.

        See Also
        --------
        AnnotationReport.to_frame : The types, for pandas.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> report = clustering_comparison_report(
        ...     list("BBTTT"), [0, 1, 1, 1, -1], family="single-cell"
        ... )
        >>> report.to_dict()["types"][1]["unassigned"]
        1
        """
        types = [
            one._asdict()
            | {"label": plain_labels([one.label])[0], "clusters": plain_labels(one.clusters)}
            for one in self.types
        ]
        clusters = [
            one._asdict()
            | {"label": plain_labels([one.label])[0]}
            | {"names": plain_labels(one.names), "types": plain_labels(one.types)}
            for one in self.clusters
        ]
        return {
            "headline": self._document.headline,
            "n_samples": self.table.n_samples,
            "coverage": self.table.coverage,
            "overall": overall_as_dict(self.overall, self.intervals),
            "types": types,
            "clusters": clusters,
            "warnings": list(self.warnings),
            "provenance": provenance_as_dict(self.provenance),
        }


# --------------------------------------------------------------------------- types and clusters


def annotate(
    table: ContingencyTable, noise_labels: Sequence[Any]
) -> tuple[tuple[AnnotatedType, ...], tuple[AnnotatedCluster, ...]]:
    """Return the types, the rarest first, and the clusters, of a table with noise as clusters."""
    are_types, are_clusters = (
        ~_is_unlabeled(labels, noise_labels) for labels in (table.row_labels, table.col_labels)
    )
    is_typed = are_types[table.cell_rows]
    rows, cols, counts = (
        cells[is_typed] for cells in (table.cell_rows, table.cell_cols, table.cell_counts)
    )
    row_labels, col_labels = table.row_labels.tolist(), table.col_labels.tolist()
    clusters, named = [], np.zeros(len(counts), np.bool_)
    for col in np.flatnonzero(are_clusters).tolist():
        cells = _largest_first(cols == col, counts)
        if not len(cells):
            continue
        largest = cells[counts[cells] == counts[cells[0]]]
        named[largest] = True
        size = int(counts[cells].sum())
        types = [row_labels[row] for row in rows[cells].tolist()]
        clusters.append(
            AnnotatedCluster(
                col_labels[col],
                size,
                types[: len(largest)],
                float(counts[cells[0]] / size),
                types,
                counts[cells].tolist(),
            )
        )
    is_assigned = are_clusters[cols]
    sizes = np.zeros(len(row_labels), np.int64)
    np.add.at(sizes, rows, counts)
    types_found = []
    for row in np.argsort(sizes, kind="stable").tolist():
        if not are_types[row]:
            continue
        cells = _largest_first((rows == row) & is_assigned, counts)
        found = cells[named[cells]]
        types_found.append(
            AnnotatedType(
                row_labels[row],
                int(sizes[row]),
                int(sizes[row] - counts[cells].sum()),
                int(counts[found].sum()),
                not len(found),
                [col_labels[col] for col in cols[cells].tolist()],
                counts[cells].tolist(),
            )
        )
    return tuple(types_found), tuple(clusters)


def _is_unlabeled(labels: NDArray[Any], noise_labels: Sequence[Any]) -> NDArray[np.bool_]:
    side = Labels.of_codes(np.arange(len(labels)), labels)
    is_missing = np.array([label is MISSING for label in labels.tolist()], np.bool_)
    return is_missing | noise_mask(side, noise_labels)


def _largest_first(chosen: NDArray[np.bool_], counts: NDArray[Any]) -> NDArray[np.intp]:
    cells = np.flatnonzero(chosen)
    return cells[np.argsort(-counts[cells], kind="stable")]


# --------------------------------------------------------------------------- document


def _document(
    table: ContingencyTable,
    overall: tuple[OverallIndex, ...],
    intervals: dict[str, tuple[float, float]],
    types: tuple[AnnotatedType, ...],
    clusters: tuple[AnnotatedCluster, ...],
    notes: tuple[str, ...],
    provenance: ReportProvenance,
    digits: int,
    max_clusters: int,
    names: tuple[str, str],
) -> Document:
    """Lay out a report of annotated objects."""
    form = form_of([one.label for one in types]), form_of([one.label for one in clusters])
    n_typed = sum(one.size for one in types)
    intro = (
        f"{n_typed} objects, {len(types)} type{'' if len(types) == 1 else 's'} ({names[0]}), "
        f"{n_clusters_text(len(clusters))} ({names[1]}), coverage "
        f"{percent_text(table.coverage, digits)}"
    )
    return Document(
        "Comparison with annotated types",
        _headline(overall, intervals, types, clusters, form[0], digits),
        intro,
        (overall_section(overall, digits, intervals),),
        None,
        (
            _types_section(types, names, max_clusters, digits, form),
            _clusters_section(clusters, names, max_clusters, digits, form),
        ),
        notes,
        _LEGEND,
        provenance_texts(
            provenance,
            [INTERVALS_OF_OBJECTS] if intervals else [],
            table.n_samples,
            table.coverage,
            digits,
        ),
    )


def _headline(
    overall: tuple[OverallIndex, ...],
    intervals: dict[str, tuple[float, float]],
    types: tuple[AnnotatedType, ...],
    clusters: tuple[AnnotatedCluster, ...],
    form: Callable[[Any], str],
    digits: int,
) -> str:
    adjusted = {line.adjusted_by: line.adjusted for line in overall}
    parts = []
    if (value := adjusted.get(_AMI)) is not None:
        parts.append(f"AMI {score_text(value, intervals.get(_AMI), digits)}")
    lost = [f"{form(one.label)} ({one.size})" for one in types if one.is_lost]
    text = f"{len(types) - len(lost)} of {len(types)} types have a cluster of their name"
    if lost:
        more = [f"{len(lost) - _MOST_LOST} more"] if len(lost) > _MOST_LOST else []
        text += f", lost: {', '.join([*lost[:_MOST_LOST], *more])}"
    parts.append(text)
    n_assigned, n_typed = sum(one.size for one in clusters), sum(one.size for one in types)
    if n_assigned:
        own = sum(one.type_sizes[0] for one in clusters)
        parts.append(f"purity {number_text(own / n_assigned, digits)}")
    if n_typed > n_assigned:
        parts.append(f"{percent_text(1 - n_assigned / n_typed, digits)} unassigned")
    return "; ".join(parts)


def _types_section(
    types: tuple[AnnotatedType, ...],
    names: tuple[str, str],
    max_clusters: int,
    digits: int,
    forms: tuple[Callable[[Any], str], Callable[[Any], str]],
) -> Section:
    shown = types[:max_clusters]
    found = percent_texts([one.found / one.size for one in shown], digits)
    columns = {
        "type": [forms[0](one.label) for one in shown],
        "objects": [size_text(one.size) for one in shown],
        "unassigned": [size_text(one.unassigned) for one in shown],
        "found": ["lost" if one.is_lost else text for one, text in zip(shown, found, strict=True)],
    }
    after = (f"Shown: the {len(shown)} rarest of {len(types)}.",)
    went_to = (
        [_parts_text(one.clusters, one.cluster_sizes, forms[1], room) for one in shown]
        for room in (_ROOM, _ROOM_OF_PAGE)
    )
    narrow, wide = (columns | {"went to": texts} for texts in went_to)
    return plain_section(
        f"Types ({names[0]}), the rarest first",
        narrow,
        after=after if len(shown) < len(types) else (),
        wide=wide,
    )


def _clusters_section(
    clusters: tuple[AnnotatedCluster, ...],
    names: tuple[str, str],
    max_clusters: int,
    digits: int,
    forms: tuple[Callable[[Any], str], Callable[[Any], str]],
) -> Section:
    shown: Sequence[AnnotatedCluster] = clusters
    after: tuple[str, ...] = ()
    if len(clusters) > max_clusters:
        shown = sorted(clusters, key=lambda one: one.purity)[:max_clusters]
        after = (f"Shown: the {len(shown)} least pure of {len(clusters)}.",)
    columns = {
        "cluster": [forms[1](one.label) for one in shown],
        "objects": [size_text(one.size) for one in shown],
        "purity": number_texts([one.purity for one in shown], digits),
        "name": [" or ".join(map(forms[0], one.names)) for one in shown],
    }
    types = (
        [_parts_text(one.types, one.type_sizes, forms[0], room) for one in shown]
        for room in (_ROOM, _ROOM_OF_PAGE)
    )
    narrow, wide = (columns | {"types": texts} for texts in types)
    return plain_section(f"Clusters of {names[1]} and their names", narrow, after=after, wide=wide)


def _parts_text(
    labels: Sequence[Any], sizes: Sequence[int], form: Callable[[Any], str], room: int
) -> str:
    """Write labels with their numbers of objects, the largest first, as many as fit in."""
    text = "-"
    for n_shown in range(1, min(len(labels), _MOST_PARTS) + 1):
        parts = [f"{form(labels[k])} ({sizes[k]})" for k in range(n_shown)]
        if n_more := len(labels) - n_shown:
            parts.append(f"{n_more} more ({sum(sizes[n_shown:])})")
        longer = ", ".join(parts)
        if n_shown > 1 and len(longer) > room:
            break
        text = longer
    return text
