"""Where files lie, and the one that README and documentation compare."""

from pathlib import Path

DATA = Path(__file__).parent / "data"
REPOSITORY = Path(__file__).parents[1]
# Larger real data may lie beside the repository.
SHARED_DATA = REPOSITORY.parent / "shared" / "data"


def write_cells(folder):
    """Write a table with columns of ids, classes and clusters, and these in two files."""
    rows = [
        f"cell{i},{'TBN'[i % 3]},{(i + i // 28) % 3},{-1 if i % 10 == 9 else i % 3}"
        for i in range(30)
    ]
    text = "\n".join(["id,type,kmeans,dbscan", *rows, ""])
    (folder / "cells.csv").write_text(text, encoding="utf-8")
    reference = ["id,type", *(",".join(row.split(",")[:2]) for row in rows)]
    found = ["kmeans,id", *(",".join(row.split(",")[2::-2]) for row in reversed(rows))]
    for name, lines in (("reference", reference), ("found", found)):
        (folder / f"{name}.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
