"""What all reports have in common: a text, and its other forms."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from sklearn_clustcompare.report._cluster_rows import label_texts
from sklearn_clustcompare.report._document import (
    Document,
    document_as_markdown,
    document_as_text,
)
from sklearn_clustcompare.report._page import html_page, html_part


class Report(str):
    """A text that was written from a document, with the arguments that a copy is made of."""

    _document: Document
    _arguments: tuple[Any, ...]

    @classmethod
    def _written(cls, document: Document, *arguments: Any) -> Any:
        """Write the text and keep what it was written from."""
        self = super().__new__(cls, document_as_text(document))
        self._document, self._arguments = document, arguments
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self._arguments

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html_part(self._document)

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


def plain(values: NDArray[Any]) -> list[Any]:
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


def plain_labels(labels: list[Any]) -> list[Any]:
    """Return labels that JSON can hold: numbers and strings as they are, others as text."""
    return [label if isinstance(label, int | float | str) else str(label) for label in labels]
