"""The fixture of accepted results, as pytest finds it."""

import json
import subprocess
import sys
import tomllib

import pytest

from tests._files import REPOSITORY
from tests.checks._accepted import GOOD, POOR, Y

PLUGIN = "sklearn_clustcompare._pytest_plugin"


TESTED = """
    import json, pathlib
    def test_iris(clustering_baseline):
        truth, found = json.loads(pathlib.Path("labels.json").read_text())
        clustering_baseline.check("iris", truth, found)
"""


@pytest.fixture
def run_tests(pytester):
    """Run a test of the labels found, in the file's own folder."""
    pytester.makepyfile(TESTED)

    def run(found, *options):
        (pytester.path / "labels.json").write_text(json.dumps([Y.tolist(), found.tolist()]))
        return pytester.runpytest_inprocess("-p", PLUGIN, "-p", "no:randomly", *options)

    return run


def test_the_plugin_is_an_entry_point_of_its_own_name():
    # So that it is loaded once, also where it is named by -p.
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}


@pytest.mark.slow
def test_the_fixture_compares_and_updates(run_tests, pytester):
    result = run_tests(GOOD)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*clustering_baseline.json does not exist*"])
    run_tests(GOOD, "--clustering-baseline-update").assert_outcomes(passed=1)
    run_tests(GOOD).assert_outcomes(passed=1)
    result = run_tests(POOR)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*iris: adjusted_rand_score 0.*, accepted 0.*: worse by 0.*"])
    assert [path.name for path in pytester.path.glob("*.json")].count("clustering_baseline.json")


@pytest.mark.slow
def test_the_file_can_be_named(run_tests, pytester):
    pytester.makeini("[pytest]\nclustering_baseline = kept/accepted.json\n")
    (pytester.path / "kept").mkdir()
    run_tests(GOOD, "--clustering-baseline-update").assert_outcomes(passed=1)
    assert (pytester.path / "kept" / "accepted.json").exists()
    run_tests(GOOD).assert_outcomes(passed=1)


@pytest.mark.processes
@pytest.mark.slow
def test_several_processes_do_not_write_one_file(run_tests, pytester):
    pytest.importorskip("xdist")
    result = run_tests(GOOD, "--clustering-baseline-update", "-n", "1")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*run it in one process, with -n 0*"])
    assert not (pytester.path / "clustering_baseline.json").exists()


@pytest.mark.slow
@pytest.mark.processes
def test_an_unused_plugin_imports_nothing(tmp_path):
    code = f"""
import sys, pytest
status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "{PLUGIN}", sys.argv[1]])
loaded = {{name.partition(".")[0] for name in sys.modules}}
print(int(status), "{PLUGIN}" in sys.modules, sorted(loaded & {{"numpy", "scipy", "sklearn"}}))
"""
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    process = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=REPOSITORY,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(REPOSITORY)},
        text=True,
        capture_output=True,
        check=True,
    )
    assert process.stdout.splitlines()[-1] == "0 True []"
