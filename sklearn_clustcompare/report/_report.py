"""Two clusterings compared in words: the classification report of clustering."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._parameters import boolean, positive_integer
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._rendering import (
    Document,
    Section,
    document_as_html,
    document_as_markdown,
    document_as_text,
    html_page,
)
from sklearn_clustcompare._table.contingency import ContingencyTable, count
from sklearn_clustcompare._table.groups import count_groups
from sklearn_clustcompare.indices import Index, get_index
from sklearn_clustcompare.indices._moments import null_moments
from sklearn_clustcompare.indices._record import ratio
from sklearn_clustcompare.indices._registry import OF_MEMBERSHIPS, OVERVIEW
from sklearn_clustcompare.indices._soft import has_moments, is_possibilistic
from sklearn_clustcompare.report._cluster_values import HIGH, POOR, ClusterValues
from sklearn_clustcompare.report._decomposition import (
    CLUSTER_LEGEND,
    NAMES,
    ClusterDecomposition,
    check_limits,
    cluster_rows,
    label_texts,
    side_headline,
    size_text,
)

if TYPE_CHECKING:
    import pandas as pd

_LEGEND = (
    "coverage: share of the objects that are compared, and not left out as noise; adjusted: 0 on "
    "average for random partitions with the same cluster sizes, 1 for equal ones; -: no exact "
    "mean; see chance_adjusted_score.",
    CLUSTER_LEGEND,
)
_NOISE_ADVICE = 'choose noise="singletons" or noise="drop"'


class OverallIndex(NamedTuple):
    """An overall index in a report; the entries of :attr:`ComparisonReport.overall`.

    It is a named tuple: all parameters are attributes of the same names.

    Parameters
    ----------
    name : str
        Name of the index, of its public function and of its scorer.
    value : float or None
        Its value; None if it cannot be computed, for the reason given in the warnings of the
        report.
    adjusted : float or None
        The value adjusted for chance: 0 on average for random partitions with the same cluster
        sizes, 1 for equal ones. None if its mean has no closed form.
    adjusted_by : str or None
        The index that is the adjusted form, where it has a name of its own.
    macro : float or None, default=None
        Mean of the values for the single groups of objects; None where no groups were given.

    See Also
    --------
    clustering_comparison_report : Makes reports.
    chance_adjusted_score : Adjusts every index, by Monte Carlo where its mean has no closed form.

    Examples
    --------
    >>> from sklearn_clustcompare import clustering_comparison_report
    >>> report = clustering_comparison_report(list("aabb"), [0, 0, 0, 1])
    >>> line = report.overall[0]
    >>> line.name, line.value, line.adjusted, line.adjusted_by
    ('rand_score', 0.5, 0.0, 'adjusted_rand_score')
    """

    name: str
    value: float | None
    adjusted: float | None
    adjusted_by: str | None
    macro: float | None = None


class ComparisonReport(str):
    """Result of :func:`clustering_comparison_report`: a string with its numbers as attributes.

    It behaves like the text of the report, and is shown as HTML in notebooks.

    Parameters
    ----------
    decomposition : ClusterDecomposition
        The values of the single clusters, as :func:`cluster_decomposition` returns them.
    overall : tuple of OverallIndex
        The overall indices, with their forms adjusted for chance.
    warnings : tuple of str
        Notes on the interpretation of the numbers.
    digits : int
        Decimals in the text; at least 1.
    max_clusters : int
        Clusters to show on each side; of more, those that lost most of the information.
    names : tuple of two str
        Names of the reference and of the candidate.

    Attributes
    ----------
    decomposition, overall, warnings
        As given.

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
    _document: Document
    _digits: int
    _max_clusters: int
    _names: tuple[str, str]

    def __new__(
        cls,
        decomposition: ClusterDecomposition,
        overall: tuple[OverallIndex, ...],
        warnings: tuple[str, ...],
        digits: int,
        max_clusters: int,
        names: tuple[str, str],
    ) -> ComparisonReport:
        """Write the text and keep what it was written from."""
        document = _document(decomposition, overall, warnings, digits, max_clusters, names)
        self = super().__new__(cls, document_as_text(document))
        self.decomposition, self.overall, self.warnings = decomposition, overall, warnings
        self._document = document
        self._digits, self._max_clusters, self._names = digits, max_clusters, names
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (
            self.decomposition,
            self.overall,
            self.warnings,
            self._digits,
            self._max_clusters,
            self._names,
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return document_as_html(self._document)

    def to_html(self) -> str:
        """Return the report as a page of HTML.

        Save it with the results of a run, or attach it to a message. Notebooks show the report as
        HTML automatically.

        Returns
        -------
        str
            A complete page that needs no other file and no network.

        See Also
        --------
        ComparisonReport.to_markdown : For issues, pull requests and README files.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> report = clustering_comparison_report(list("aaabb"), [0, 0, 1, 1, 1])
        >>> report.to_html().splitlines()[0]
        '<!DOCTYPE html>'
        """
        return html_page(self._document.title, document_as_html(self._document))

    def to_markdown(self) -> str:
        """Return the report as Markdown, with tables between pipes.

        Paste it into issues, pull requests and README files.

        Returns
        -------
        str
            The report.

        See Also
        --------
        ComparisonReport.to_html : A page of HTML.

        Examples
        --------
        >>> from sklearn_clustcompare import clustering_comparison_report
        >>> report = clustering_comparison_report(list("aaabb"), [0, 0, 1, 1, 1])
        >>> report.to_markdown().splitlines()[0]
        '# Comparison of two clusterings'
        """
        return document_as_markdown(self._document)

    def to_frame(self) -> pd.DataFrame:
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

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as plain data that :mod:`json` writes as they are.

        Store it with the results of a run, or compare it with that of the last run.

        Returns
        -------
        dict
            With ``n_samples``, ``coverage``, ``overall`` (by name of the index: ``value``,
            ``adjusted``, ``adjusted_by``, and with groups ``macro``), ``true`` and ``pred`` (of
            each side ``overall``, ``unit_weighted``, ``n_clusters``, ``high``, ``poor``,
            ``n_high``, ``n_poor``, ``quantiles``, and ``clusters``, a list of all of them), and
            ``warnings``. What is undefined is None.
            Labels that are neither numbers nor strings are written as text.

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
            "n_samples": table.n_samples,
            "coverage": table.coverage,
            "overall": {
                line.name: {
                    "value": line.value,
                    "adjusted": line.adjusted,
                    "adjusted_by": line.adjusted_by,
                }
                | ({} if line.macro is None else {"macro": line.macro})
                for line in self.overall
            },
            "true": _side_as_dict(self.decomposition.true),
            "pred": _side_as_dict(self.decomposition.pred),
            "warnings": list(self.warnings),
        }


def clustering_comparison_report(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    names: tuple[str, str] = NAMES,
    digits: int = 2,
    max_clusters: int = 20,
    high: float = HIGH,
    poor: float = POOR,
    output_dict: bool = False,
) -> ComparisonReport | dict[str, Any]:
    """Report how two clusterings agree: overall and cluster by cluster, with notes.

    The counterpart of :func:`sklearn.metrics.classification_report` for clusters, whose names are
    arbitrary.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,) or (n_samples, n_clusters), or ContingencyTable
        :term:`Labels` or :term:`memberships` of the :term:`reference`; or a
        :term:`contingency table` of both partitions, without ``labels_pred``.
    labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters), default=None
        Labels or memberships of the :term:`candidate`.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    groups : array-like of shape (n_samples,), default=None
        Group of each object, such as its document, image or recording: clusters of different groups
        are different, whatever their labels. Indices then have a micro value, computed from one
        table of all groups, and a macro value, the mean of the values of the groups. For labels
        only.
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.
    names : tuple of two str, default=("labels_true", "labels_pred")
        Names of the reference and of the candidate.
    digits : int, default=2
        Decimals in the text; at least 1.
    max_clusters : int, default=20
        Clusters to show on each side; of more, those that lost most of the information.
    high : float, default=0.95
        Least adjusted value that the summaries count as high, in [0, 1].
    poor : float, default=0.5
        Largest adjusted value that the summaries count as poor, in [0, 1] and at most ``high``.
    output_dict : bool, default=False
        Whether to return :meth:`ComparisonReport.to_dict` of the report instead.

    Returns
    -------
    ComparisonReport or dict
        A string to print, with the methods ``to_frame``, ``to_html``, ``to_markdown`` and
        ``to_dict``; with ``output_dict=True`` the dict.

    Raises
    ------
    ValueError
        If lengths differ, or labels, memberships or weights are invalid; if a parameter is out of
        its range.
    TypeError
        If labels are not hashable, ``digits`` or ``max_clusters`` is not an integer, or memberships
        or a table have groups.

    See Also
    --------
    cluster_decomposition : The values of the single clusters alone.
    independence_test : Tests whether the agreement is more than chance.
    recommend_index : Recommends an index for a reference.

    Notes
    -----
    Values adjusted for chance are exact: those of pair counting and of mutual information have a
    mean under permutation in closed form. Those of set matching have none; estimate them with
    :func:`chance_adjusted_score`. For memberships it is the objects of one side that are permuted;
    then mutual information has no mean in closed form either.

    With ``groups`` the values and the clusters, which are called ``(group, label)``, are those of
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
    >>> for line in report.splitlines()[:8]:
    ...     print(line)
    Comparison of two clusterings
    =============================
    10 objects, 3 clusters of labels_true, 2 clusters of labels_pred, coverage 1.00
    <BLANKLINE>
    Overall
    index                         value  adjusted  adjusted by
    rand_score                     0.82      0.63  adjusted_rand_score
    pair_precision_score           0.62      0.46  adjusted_wallace_score (given=pred)
    >>> numbers = clustering_comparison_report(animals, found, output_dict=True)
    >>> round(numbers["overall"]["rand_score"]["adjusted"], 4)
    0.6341
    >>> [cluster["verdict"] for cluster in numbers["true"]["clusters"]]
    ['merged', 'kept', 'merged']
    """
    if isinstance(names, str) or len(names) != 2:
        msg = f"names must be one for the reference and one for the candidate, got {names!r}"
        raise ValueError(msg)
    positive_integer("digits", digits)
    positive_integer("max_clusters", max_clusters)
    check_limits(high, poor)
    boolean("output_dict", output_dict)
    reading = Reading(
        possibilistic=possibilistic, noise=noise, noise_label=noise_label, missing=missing
    )
    if groups is None:
        table = count(labels_true, labels_pred, sample_weight, reading, moments=True)
        overall, undefined = _overall_indices(table)
        kept_noise = _notes_on_noise(table, reading, names) if noise == "cluster" else []
    else:
        table, tables = count_groups(labels_true, labels_pred, sample_weight, groups, reading)
        overall, undefined = _overall_indices_of_groups(table, tables)
        kept_noise = []
    notes = tuple(_notes(table, names) + kept_noise + undefined)
    report = ComparisonReport(
        ClusterDecomposition(table, high=high, poor=poor),
        overall,
        notes,
        digits,
        max_clusters,
        names,
    )
    return report.to_dict() if output_dict else report


# --------------------------------------------------------------------------- overall indices


def _overall_indices(table: ContingencyTable) -> tuple[tuple[OverallIndex, ...], list[str]]:
    """Compute the overall indices; what is undefined comes as text."""
    reasons: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UndefinedMetricWarning)
        lines = [_overall_index(index, table, reasons) for index in OVERVIEW]
        if table.soft is not None and has_moments(table):
            value = OF_MEMBERSHIPS(table)
            lines.append(OverallIndex(OF_MEMBERSHIPS.name, value, value, OF_MEMBERSHIPS.name))
    reasons += [str(warning.message) for warning in caught]
    return tuple(lines), list(dict.fromkeys(reasons))


def _overall_indices_of_groups(
    table: ContingencyTable, tables: list[ContingencyTable]
) -> tuple[tuple[OverallIndex, ...], list[str]]:
    """Compute the overall indices of all groups in one table, and their means over the groups."""
    overall, reasons = _overall_indices(table)
    counted = [one for one in tables if one.n_samples]
    lines, macro_reasons = [], []
    for line in overall:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UndefinedMetricWarning)
            try:
                values = [get_index(line.name)(one) for one in counted]
            except ValueError as error:  # pairs of objects cannot be counted in every table
                macro_reasons.append(f"macro {line.name} is left out: {error}")
                lines.append(line)
                continue
        macro_reasons += [f"in a group, {warning.message}" for warning in caught]
        lines.append(line._replace(macro=math.fsum(values) / len(values)))
    n_empty = len(tables) - len(counted)
    notes = [
        f"{len(counted)} groups: value and adjusted are those of one table of all groups, in "
        "which clusters of different groups are different; macro is the mean of the values of the "
        "single groups",
        *([f"{n_empty} groups of which nothing is left do not count"] if n_empty else []),
    ]
    return tuple(lines), list(dict.fromkeys([*notes, *reasons, *macro_reasons]))


def _overall_index(index: Index, table: ContingencyTable, reasons: list[str]) -> OverallIndex:
    try:
        value = index(table)
    except ValueError as error:  # pairs of objects cannot be counted in every table
        reasons.append(f"{index.name} is left out: {error}")
        return OverallIndex(index.name, None, None, None)
    if table.is_whole and index.adjusted_form is not None:
        name, parameters = index.adjusted_form
        adjusted = get_index(name)(table, **parameters)
        given = ", ".join(f"{key}={value}" for key, value in parameters.items())
        return OverallIndex(index.name, value, adjusted, f"{name} ({given})" if given else name)
    if is_possibilistic(table) and index.linear_quantity() == "pairs":
        reasons.append(
            f"{index.name} is not adjusted for chance: cluster sizes of possibilistic partitions "
            "change under permutation; use chance_adjusted_score with method='monte_carlo'"
        )
    moments = null_moments(index, table)
    if moments is None:
        return OverallIndex(index.name, value, None, None)
    name = f"chance-adjusted {index.name}"
    adjusted = ratio(value - moments.mean, 1 - moments.mean, table, name)
    return OverallIndex(index.name, value, adjusted, None)


# --------------------------------------------------------------------------- what to mind


def _notes(table: ContingencyTable, names: tuple[str, str]) -> list[str]:
    notes = []
    if table.coverage < 1:
        notes.append(
            f"{1 - table.coverage:.1%} of the objects are noise or have no label on one of the "
            "sides and were left out: a candidate that leaves out more objects is judged by fewer"
        )
    if not table.n_samples:
        return [*notes, "there are no objects: all values are those of equal partitions"]
    if table.is_identity:
        notes.append("the two partitions are equal up to the names of the clusters")
    for name, n_clusters in zip(names, table.shape, strict=True):
        if n_clusters == 1:
            notes.append(f"{name} is a single cluster, which tells nothing")
        elif n_clusters > table.n_samples / 2:
            notes.append(
                f"{name} has more clusters ({n_clusters}) than half the objects "
                f"({size_text(table.n_samples)}): indices that are not adjusted for chance are "
                "high then, whatever the clusters are"
            )
    if table.soft is not None:
        notes.append(
            f"memberships are soft: no index but {OF_MEMBERSHIPS.name} is 1 for a soft partition "
            "against itself; adjusted_mutual_info_score is left out, since the exact mean of the "
            "mutual information needs whole counts"
        )
    elif not table.is_whole:
        notes.append(
            "the counts are not whole: adjusted_mutual_info_score is left out, since the exact "
            "mean of the mutual information needs whole counts"
        )
    return notes


def _notes_on_noise(table: ContingencyTable, reading: Reading, names: tuple[str, str]) -> list[str]:
    """Tell where a label of noise, or its text, is a cluster like any other."""
    texts = {str(one): f', with noise_label="{one}"' for one in reading.noise_labels}
    forms = texts | dict.fromkeys(reading.noise_labels, "")
    notes = []
    sides = ((table.row_labels, table.row_sums), (table.col_labels, table.col_sums))
    for name, (labels, sizes) in zip(names, sides, strict=True):
        known = labels.tolist()
        for label, addition in forms.items():
            if label in known:
                size = size_text(sizes[known.index(label)])
                notes.append(
                    f"{label!r} in {name} (size {size}) counts as a cluster like any other: if it "
                    f"stands for noise, {_NOISE_ADVICE}{addition}"
                )
    return notes


# --------------------------------------------------------------------------- layout


def _document(
    decomposition: ClusterDecomposition,
    overall: tuple[OverallIndex, ...],
    notes: tuple[str, ...],
    digits: int,
    max_clusters: int,
    names: tuple[str, str],
) -> Document:
    table = decomposition.table
    sides = (decomposition.true, decomposition.pred)
    titles = [side_headline(side, name) for side, name in zip(sides, names, strict=True)]
    has_groups = any(line.macro is not None for line in overall)
    rows = [
        [
            line.name,
            _number(line.value, digits),
            *([_number(line.macro, digits)] if has_groups else []),
            _number(line.adjusted, digits),
            line.adjusted_by or ("-" if line.adjusted is None else "exact mean"),
        ]
        for line in overall
    ]
    header = ["index", "value", *(["macro"] if has_groups else []), "adjusted", "adjusted by"]
    sections = [
        Section("Overall", (), header, rows, ()),
        *(
            _side_section(side, title, digits, max_clusters)
            for side, title in zip(sides, titles, strict=True)
        ),
    ]
    intro = (
        f"{size_text(table.n_samples)} objects, {', '.join(titles)}, coverage "
        f"{table.coverage:.{digits}f}"
    )
    return Document("Comparison of two clusterings", intro, sections, notes, _LEGEND)


def _side_section(side: ClusterValues, title: str, digits: int, max_clusters: int) -> Section:
    overall, value, weight = ("R", "R_i", "u_i") if side.side == "true" else ("C", "C_j", "v_j")
    header, rows = cluster_rows(side, max_clusters, digits)
    before = (
        f"{overall} = {side.overall:.{digits}f} is the mean of {value} weighted by {weight}; "
        f"weighted by cluster size it would be {side.unit_weighted:.{digits}f}.",
    )
    summary = side.summary
    after = []
    if summary.n_clusters:
        smallest, *quartiles, largest = (f"{one:.{digits}f}" for one in summary.quantiles)
        after.append(
            f"{'Adjusted ' if side.is_adjusted else ''}{value} is at least {side.high:g} for "
            f"{summary.n_high} of {summary.n_clusters}, at most {side.poor:g} for "
            f"{summary.n_poor}; from {smallest} to {largest}, quartiles {', '.join(quartiles)}."
        )
    if len(rows) < summary.n_clusters:
        after.append(f"Shown: the {len(rows)} with most of the lost information, worst first.")
    return Section(title, before, header, rows, tuple(after))


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _side_as_dict(side: ClusterValues) -> dict[str, Any]:
    columns = side.columns()
    names = list(columns)
    rows = zip(*(_plain(values) for values in columns.values()), strict=True)
    summary = side.summary
    return {
        "overall": side.overall,
        "unit_weighted": side.unit_weighted,
        "n_clusters": summary.n_clusters,
        "high": side.high,
        "poor": side.poor,
        "n_high": summary.n_high,
        "n_poor": summary.n_poor,
        "quantiles": list(summary.quantiles),
        "clusters": [dict(zip(names, row, strict=True)) for row in rows],
    }


def _plain(values: NDArray[Any]) -> list[Any]:
    """Return values that JSON can hold; NaN becomes None and other objects their text."""
    if values.dtype.kind == "f":
        return [None if value != value else value for value in values.tolist()]
    if values.dtype.kind in "iubU":
        return list(values.tolist())
    texts = label_texts(values)
    if values.dtype.kind != "O":
        return texts
    return [
        label if isinstance(label, int | float | str) else text
        for label, text in zip(values.tolist(), texts, strict=True)
    ]
