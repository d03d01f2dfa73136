"""The result of a report: its text, its other forms, and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn_clustcompare._rendering import result_record
from sklearn_clustcompare.report._base import Report, plain
from sklearn_clustcompare.report._cluster_values import ClusterValues
from sklearn_clustcompare.report._decomposition import ClusterDecomposition
from sklearn_clustcompare.report._document import make_document
from sklearn_clustcompare.report._headline import ReportHeadline
from sklearn_clustcompare.report._of_data import ValuesOfData
from sklearn_clustcompare.report._overall import OverallIndex, overall_as_dict
from sklearn_clustcompare.report._provenance import ReportProvenance, provenance_as_dict

if TYPE_CHECKING:
    import pandas as pd


@result_record
class ComparisonReport(Report):
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
    headline : ReportHeadline
        Scores with intervals, a p-value, and how many clusters were kept.
    provenance : ReportProvenance
        Version, date, and how the objects were counted.
    digits : int
        Decimals in the text; at least 1.
    max_clusters : int
        Clusters to show on each side; of more, those that lost most of the information.
    names : tuple of two str
        What the reference and the candidate are called.
    of_data : dict of str to tuple, default=None
        Values of the reference and of the candidate by each index of the data, None where they are
        undefined; None or empty without data.

    Attributes
    ----------
    decomposition, overall, warnings, headline, provenance, of_data
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
    headline: ReportHeadline
    provenance: ReportProvenance
    of_data: ValuesOfData

    def __new__(
        cls,
        decomposition: ClusterDecomposition,
        overall: tuple[OverallIndex, ...],
        warnings: tuple[str, ...],
        headline: ReportHeadline,
        provenance: ReportProvenance,
        digits: int,
        max_clusters: int,
        names: tuple[str, str],
        of_data: ValuesOfData | None = None,
    ) -> ComparisonReport:
        """Write the text and keep what it was written from."""
        of_data = dict(of_data or {})
        document = make_document(
            decomposition,
            overall,
            warnings,
            headline,
            provenance,
            digits,
            max_clusters,
            names,
            of_data,
        )
        self: ComparisonReport = cls._written(
            document,
            *(decomposition, overall, warnings, headline, provenance),
            *(digits, max_clusters, names, of_data),
        )
        self.decomposition, self.overall, self.warnings = decomposition, overall, warnings
        self.headline, self.provenance, self.of_data = headline, provenance, of_data
        return self

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
        return {
            "headline": self._headline_as_dict(),
            "n_samples": table.n_samples,
            "coverage": table.coverage,
            "overall": overall_as_dict(self.overall),
            "true": _side_as_dict(self.decomposition.true),
            "pred": _side_as_dict(self.decomposition.pred),
            "warnings": list(self.warnings),
            "provenance": provenance_as_dict(self.provenance),
        } | ({"of_data": self._of_data_as_dict()} if self.of_data else {})

    def _of_data_as_dict(self) -> dict[str, Any]:
        return {name: {"true": a, "pred": b} for name, (a, b) in self.of_data.items()}

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
