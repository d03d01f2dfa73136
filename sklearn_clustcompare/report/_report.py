"""Reports of two clusterings: overall, cluster by cluster, and of entities."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import boolean, one_of, positive_integer
from sklearn_clustcompare._partition import Reading, names_of
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike, TableLike
from sklearn_clustcompare._partition.reading import in_columns
from sklearn_clustcompare._rendering import Drawn, result_record
from sklearn_clustcompare._table import ContingencyTable, count
from sklearn_clustcompare._table.many import count_groups
from sklearn_clustcompare.indices._registry import OVERVIEW
from sklearn_clustcompare.report._decomposition import (
    HIGH,
    POOR,
    ClusterDecomposition,
    ClusterValues,
    check_limits,
)
from sklearn_clustcompare.report._document import Report, make_document, plain
from sklearn_clustcompare.report._entities import EntityReport, entity_report
from sklearn_clustcompare.report._overall import (
    OverallIndex,
    ReportHeadline,
    ReportProvenance,
    ValuesOfData,
    check_date,
    make_headline,
    make_provenance,
    notes_on,
    notes_on_noise,
    overall_as_dict,
    overall_indices,
    overall_indices_of_groups,
    provenance_as_dict,
    values_of_data,
)
from sklearn_clustcompare.significance import permutation_test

if TYPE_CHECKING:
    import pandas as pd


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
    of_data : dict of str to tuple
        Values of the reference and of the candidate by each index of the data, None where they are
        undefined; empty without data.

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
    of_data: ValuesOfData

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
            With ``headline`` (``text``, ``scores``, ``intervals``, ``pvalue``, ``pvalue_method``,
            ``verdicts``, and ``worst``, which has ``label``, ``size`` and ``lost_share``),
            ``n_samples``, ``coverage``, ``overall`` (by name of the index: ``value``,
            ``adjusted``, ``adjusted_by``, and with groups ``macro``), ``true`` and ``pred`` (of
            each side ``overall``, ``unit_weighted``, ``n_clusters``, ``high``, ``poor``,
            ``n_high``, ``n_poor``, ``quantiles``, and ``clusters``, a list of all of them),
            ``warnings``, and ``provenance``, as :class:`ReportProvenance` has it; with data also
            ``of_data`` (by name of the index: ``true`` and ``pred``). What is undefined is None.
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
        of_data = {name: {"true": a, "pred": b} for name, (a, b) in self.of_data.items()}
        return {
            "headline": self._headline_as_dict(),
            "n_samples": table.n_samples,
            "coverage": table.coverage,
            "overall": overall_as_dict(self.overall),
            "true": _side_as_dict(self.decomposition.true),
            "pred": _side_as_dict(self.decomposition.pred),
            "warnings": list(self.warnings),
            "provenance": provenance_as_dict(self.provenance),
        } | ({"of_data": of_data} if of_data else {})

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
        "high": side.high,
        "poor": side.poor,
        "n_high": summary.n_high,
        "n_poor": summary.n_poor,
        "quantiles": list(summary.quantiles),
        "clusters": [dict(zip(names, row, strict=True)) for row in rows],
    }


_check_family = one_of(None, "entity")


def clustering_comparison_report(
    labels_true: PartitionLike,
    labels_pred: PartitionLike | None = None,
    *,
    data: TableLike = None,
    X: MatrixLike = None,
    sample_weight: ArrayLike | None = None,
    within: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    family: str | None = None,
    ids: ArrayLike | None = None,
    possibilistic: bool = False,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    unmatched: str = "error",
    names: tuple[str, str] | None = None,
    digits: int = 2,
    max_clusters: int = 20,
    high: float = HIGH,
    poor: float = POOR,
    date: datetime.date | None = None,
    output_dict: bool = False,
) -> ComparisonReport | EntityReport | dict[str, Any]:
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
    data : DataFrame, mapping or object with ``obs``, default=None
        Table of which the other arguments name columns instead of being arrays: a frame of any
        package, a mapping such as a dict of arrays, or an object with such a table as ``obs``.
    X : array-like of shape (n_samples, n_features), default=None
        Features of the objects. The report then has the indices of the data, such as
        :func:`silhouette_score`, for each partition by itself. Most of them need all distances.
    sample_weight : array-like of shape (n_samples,), default=None
        :term:`Frequency weights <sample_weight>`; None means 1 for every object.
    within : array-like of shape (n_samples,), default=None
        Group of each object, such as its document, image or recording: clusters of different groups
        are different, whatever their labels. Indices then have a micro value, computed from one
        table of all groups, and a macro value, the mean of the values of the groups. For labels
        only.
    groups : array-like of shape (n_samples,) or None, default=None
        Group of each object, if groups of objects were sampled together: entities, documents,
        donors or speakers. Groups are permuted whole; see the Notes of :func:`permutation_test`.
    family : {None, "entity"}, default=None
        Task whose report is made: "entity" for records of thousands of entities, with the worst
        merges and splits. None: the values of each cluster. For labels, or a table of whole counts,
        without ``sample_weight``, ``within``, ``possibilistic`` and ``X``.
    ids : array-like of shape (n_samples,), default=None
        Id of each record, which occurs once, for ``family="entity"``. None takes the index of
        pandas Series, else positions from zero.
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
    unmatched : {"error", "drop", "singleton"}, default="error"
        How to treat objects that only one of two partitions has, where both name their objects
        (dicts, Series, sets): raise an error, leave them out, or make each a cluster of its own
        in the other partition.
    names : tuple of two str, default=None
        Names of the reference and of the candidate; None takes those of pandas Series, else those
        of the arguments.
    digits : int, default=2
        Decimals in the text; at least 1.
    max_clusters : int, default=20
        Clusters to show on each side; of more, those that lost most of the information. With a
        family: the most merges and the most splits.
    high : float, default=0.95
        Least adjusted value that the summaries count as high, in [0, 1].
    poor : float, default=0.5
        Largest adjusted value that the summaries count as poor, in [0, 1] and at most ``high``.
    date : datetime.date, default=None
        Day of the report; None is today in UTC, or the day of the environment variable
        ``SOURCE_DATE_EPOCH``, which makes reports reproducible.
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
        If lengths differ, or labels, memberships, weights or X are invalid; if a parameter is out
        of its range, or not for this family; if X is given with weights, groups or a table; or if
        ``ids`` occur twice.
    TypeError
        If labels are not hashable, ``digits`` or ``max_clusters`` is not an integer, ``date`` is
        not a date, or memberships or a table have groups.

    See Also
    --------
    cluster_decomposition : The values of the single clusters alone.
    independence_test : Tests whether the agreement is more than chance.
    recommend_index : Recommends an index for a reference.
    score_candidates : Indices of the data with parameters, for many candidates.

    Notes
    -----
    The headline has the adjusted Rand index and the adjusted mutual information. Their intervals
    are those of :func:`score_interval`; tables of more than 300,000 occupied cells have none. The
    p-value is that of the mutual information by :func:`independence_test`. Memberships, real-valued
    weights and groups have neither intervals nor a p-value. The worst cluster is the one that lost
    most information. The bars and the order of the contingency table match clusters one to one, as
    :func:`match_clusters` does.

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

    With the data, also how well each partition fits them:

    >>> X = [[0], [1], [2], [3], [11], [12], [13], [14], [16], [17]]
    >>> report = clustering_comparison_report(animals, found, X=X)
    >>> reference, candidate = report.of_data["silhouette_score"]
    >>> round(reference, 2), round(candidate, 2)
    (0.7, 0.8)

    The records that were put into the wrong cluster:

    >>> people = ["ann", "ann", "bob", "bob", "eve"]
    >>> report = clustering_comparison_report(people, [1, 1, 1, 2, 3], family="entity")
    >>> print(report.splitlines()[2])
    B-cubed precision 0.73, recall 0.80; pair precision 0.33, recall 0.50; 1 of 5 records to move
    """
    titles = names_of(names, labels_true, labels_pred, data)
    labels_true, labels_pred, sample_weight, within, groups, ids = in_columns(
        data,
        labels_true=labels_true,
        labels_pred=labels_pred,
        sample_weight=sample_weight,
        within=within,
        groups=groups,
        ids=ids,
    )
    positive_integer("digits", digits)
    positive_integer("max_clusters", max_clusters)
    check_limits(high, poor)
    check_date(date)
    boolean("output_dict", output_dict)
    reading = Reading(possibilistic, noise, noise_label, missing, unmatched=unmatched)
    _check_family("family", family)
    if ids is not None and family != "entity":
        msg = f"ids must be None unless family is 'entity', got {type(ids).__name__}"
        raise ValueError(msg)
    if family is not None:
        for name, given in (
            ("sample_weight", sample_weight is not None),
            ("within", within is not None),
            ("groups", groups is not None),
            ("possibilistic", possibilistic),
            ("X", X is not None),
        ):
            if given:
                msg = f"{name} must be left out with family={family!r}"
                raise ValueError(msg)
        made = entity_report(
            labels_true, labels_pred, reading, titles, ids, date, digits, max_clusters
        )
        return made.to_dict() if output_dict else made
    test = None
    if groups is not None:
        if within is not None:
            msg = "groups must be None with within, whose groups are compared each by itself"
            raise ValueError(msg)
        test = permutation_test(
            labels_true,
            labels_pred,
            index="mutual_info_score",
            groups=groups,
            sample_weight=sample_weight,
            **reading.keywords,
        )
    of_data: ValuesOfData = {}
    undefined_of_data: list[str] = []
    tables: list[ContingencyTable] = []
    if within is None:
        table = count(labels_true, labels_pred, sample_weight, reading, moments=True)
        overall, undefined = overall_indices(table)
        kept_noise = notes_on_noise(table, reading, titles) if noise == "cluster" else []
    else:
        table, tables = count_groups(labels_true, labels_pred, sample_weight, within, reading)
        overall, undefined = overall_indices_of_groups(table, tables)
        kept_noise = []
    if X is not None:
        sides = labels_true, labels_pred
        refused = {"sample_weight": sample_weight, "within": within}
        of_data, undefined_of_data = values_of_data(X, sides, titles, reading, **refused)
    notes = tuple(notes_on(table, titles) + kept_noise + undefined + undefined_of_data)
    decomposition = ClusterDecomposition(table, high=high, poor=poor, names=titles)
    treated = None if isinstance(labels_true, ContingencyTable) else reading
    numbers: dict[str, Any] = {
        "decomposition": decomposition,
        "overall": overall,
        "warnings": notes,
        "headline": make_headline(decomposition, overall, test, has_groups=within is not None),
        "provenance": make_provenance(
            date,
            treated,
            OVERVIEW,
            is_weighted=sample_weight is not None,
            n_groups=None if within is None else len(tables),
        ),
        "of_data": of_data,
    }
    document = make_document(**numbers, digits=digits, max_clusters=max_clusters)
    report = ComparisonReport(document, numbers)
    return report.to_dict() if output_dict else report
