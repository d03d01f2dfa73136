"""The report of entities, made from labels."""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

import numpy as np

from sklearn_clustcompare._options import SCORES_OF_ENTITIES
from sklearn_clustcompare._partition import Labels, Reading, read_pair
from sklearn_clustcompare._partition.arrays import check_same_length
from sklearn_clustcompare._partition.labels import read_ids
from sklearn_clustcompare._partition.memberships import Cells, treated_cells
from sklearn_clustcompare._table import (
    ContingencyTable,
    count,
    count_read,
    has_objects,
    require_objects,
)
from sklearn_clustcompare.report._entity_report import (
    INDICES_OF_ENTITIES,
    EntityReport,
)
from sklearn_clustcompare.report._headline import table_intervals
from sklearn_clustcompare.report._mixed_clusters import Members, worst_clusters
from sklearn_clustcompare.report._overall import notes_on, notes_on_noise, overall_indices
from sklearn_clustcompare.report._provenance import make_provenance


class Counted(NamedTuple):
    """Labels as they were counted: their table, and the labels unless the table was given."""

    table: ContingencyTable
    sides: tuple[Labels, Labels] | None
    reading: Reading
    names: tuple[str, str]

    @classmethod
    def of(
        cls, labels_true: Any, labels_pred: Any, reading: Reading, names: tuple[str, str]
    ) -> Counted:
        sides = None
        if has_objects(labels_true, labels_pred) and labels_pred is not None:
            sides = read_pair(labels_true, labels_pred, reading=reading)
            table = require_objects(count_read(*sides, reading=reading))
        else:
            table = count(labels_true, labels_pred, reading=reading)
        if table.soft is not None or not table.is_whole:
            msg = "with family, labels or a table of whole counts must be given, got "
            raise ValueError(msg + ("memberships" if table.soft is not None else "fractions"))
        return cls(table, sides, reading, names)

    def members(self, ids: Any) -> Members:
        """Return the objects in the cells, by their ids, else their index or position."""
        if self.sides is None:
            if ids is not None:
                msg = "ids must be None unless labels are given as arrays, got "
                raise ValueError(msg + type(ids).__name__)
            return Members.of_table(self.table)
        true, pred = self.sides
        if ids is not None:
            names = read_ids(ids, "ids")
            check_same_length(true.n_objects, len(names), ("labels_true", "ids"))
        elif true.ids is not None:
            names = np.asarray(true.ids)
        else:
            names = np.arange(true.n_objects)
        each = np.ones(true.n_objects, np.int64)
        cells, kept = treated_cells(Cells(true.compact()[0], pred.compact()[0], each), self.reading)
        return Members.of_objects(cells.true, cells.pred, names[kept])


def entity_report(
    counted: Counted, ids: Any, date: datetime.date | None, digits: int, max_clusters: int
) -> EntityReport:
    """Report on entities: the scores, and which records are in the wrong cluster."""
    table, reading = counted.table, counted.reading
    members = counted.members(ids)
    noise = notes_on_noise(table, reading, counted.names) if reading.noise == "cluster" else []
    overall, undefined = overall_indices(table, INDICES_OF_ENTITIES)
    no_pairs = _notes_on_pairs(table, counted.names)
    # Without a pair, scores of pairs are 0 or undefined, and do not vary.
    scores = [name for name in SCORES_OF_ENTITIES if not (no_pairs and name.startswith("pair"))]
    intervals, cautions = table_intervals(table, scores, by_entity=True)
    return EntityReport(
        table,
        overall,
        intervals,
        worst_clusters(members, max_clusters, of_pred=True),
        worst_clusters(members, max_clusters, of_pred=False),
        tuple(notes_on(table, counted.names) + no_pairs + noise + undefined + cautions),
        make_provenance(
            date,
            None if counted.sides is None else reading,
            None if counted.sides is None else False,
            None,
            INDICES_OF_ENTITIES,
        ),
        digits,
        counted.names,
    )


def _notes_on_pairs(table: ContingencyTable, names: tuple[str, str]) -> list[str]:
    sides = zip(names, (table.row_sums, table.col_sums), strict=True)
    return [
        f"{name} joins no two records: scores of pairs are 0 or undefined, whatever the other side "
        "is"
        for name, sizes in sides
        if sizes.max(initial=0) < 2
    ]
