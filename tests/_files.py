"""Where files lie, and those that README and documentation compare."""

import csv
import shutil
from pathlib import Path

DATA = Path(__file__).parent / "data"
REPOSITORY = Path(__file__).parents[1]
# Larger real data may lie beside the repository.
SHARED_DATA = REPOSITORY.parent / "shared" / "data"
CELLS = REPOSITORY / "doc" / "tutorials" / "cells.csv"


def write_cells(folder):
    """Copy the table of cells, and write its types and its clusters into two files."""
    shutil.copy(CELLS, folder)
    with CELLS.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name, columns, lines in (
        ("reference", ("id", "type"), rows),
        ("found", ("kmeans", "id"), reversed(rows)),
    ):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([line[column] for column in columns] for line in lines)
