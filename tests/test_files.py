"""Files that are written as a whole, by one at a time."""

import json
import subprocess
import sys

import pytest

from tests._files import REPOSITORY

WRITES = """
import sys
from sklearn_clustcompare.checks import ClusteringBaseline
baseline = ClusteringBaseline(sys.argv[1])
for i in range(10):
    baseline.accept(f"{sys.argv[2]} {i}", [0, 0, 1, 1], [0, 0, 1, 1])
"""


@pytest.mark.processes
@pytest.mark.slow
def test_two_jobs_that_write_one_file_lose_nothing(tmp_path):
    path = tmp_path / "nights.json"
    jobs = [
        subprocess.Popen([sys.executable, "-c", WRITES, str(path), name], cwd=REPOSITORY)
        for name in ("first", "second")
    ]
    assert [job.wait() for job in jobs] == [0, 0]
    baselines = json.loads(path.read_text())["baselines"]
    assert len(baselines) == 20
    assert [one.name for one in tmp_path.iterdir()] == ["nights.json"]
