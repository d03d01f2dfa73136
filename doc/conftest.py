"""What the code blocks of the pages need: packages, and a file of labels."""

from pathlib import Path

import pytest

_NEEDED = {
    "getting_started.rst": ("matplotlib",),
    "scale.rst": ("dask.array", "duckdb", "pandas"),
}


@pytest.fixture(autouse=True)
def _in_a_folder_with_labels(request, tmp_path, monkeypatch):
    for module in _NEEDED.get(request.path.name, ()):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    rows = [
        f"cell{i},{'TBN'[i % 3]},{(i + i // 20) % 3},{-1 if i % 10 == 9 else i % 3}"
        for i in range(30)
    ]
    Path("cells.csv").write_text("\n".join(["id,type,kmeans,dbscan", *rows, ""]), encoding="utf-8")
