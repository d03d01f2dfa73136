"""What the code blocks of the pages need: packages, and a table of labels."""

import pytest

from tests._files import write_cells

_NEEDED = {
    "getting_started.rst": ("matplotlib",),
    "own_index.rst": ("matplotlib",),
    "pictures.rst": ("matplotlib",),
    "networks.rst": ("networkx",),
    "single_cell.rst": ("pandas",),
    "scale.rst": ("dask.array", "duckdb", "pandas"),
}


@pytest.fixture(autouse=True)
def _in_a_folder_with_labels(request, tmp_path, monkeypatch):
    for module in _NEEDED.get(request.path.name, ()):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    write_cells(tmp_path)
