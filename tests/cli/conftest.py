"""How the tests of the command run it."""

import gzip
import json
import subprocess
import sys

import pytest

from sklearn_clustcompare import cli
from sklearn_clustcompare.cli import _files
from tests._files import REPOSITORY, SHARED_DATA


@pytest.fixture
def write(tmp_path):
    def write_file(name, text):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return str(path)

    return write_file


@pytest.fixture
def run(capsys):
    """Run the command in this process: exit status, standard output, standard error."""

    def run_main(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_main


@pytest.fixture
def run_json(run):
    def run_main(*arguments):
        status, out, err = run(*arguments, "--json")
        assert (status, err) == (0, "")
        return json.loads(out, parse_constant=pytest.fail)

    return run_main


@pytest.fixture
def refuse(run):
    """Run the command on bad input and return its one line of complaint."""

    def run_main(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert err.startswith("clustcompare: error: ")
        assert err.count("\n") == 1
        return err

    return run_main


@pytest.fixture
def drawn(monkeypatch):
    """The Displays that the command draws."""
    pytest.importorskip("matplotlib")
    displays = []

    save = _files.draw
    monkeypatch.setattr(
        _files,
        "draw",
        lambda path, make: save(path, lambda: displays.append(make()) or displays[-1]),
    )
    return displays


@pytest.fixture
def run_code():
    """Run Python code in a process of its own."""

    def run_text(code, *arguments):
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=REPOSITORY,
            text=True,
            capture_output=True,
            check=True,
        )

    return run_text


@pytest.fixture
def five_partitions():
    """The text of a CSV file."""
    return """\
truth,same,renamed,near,far
a,a,2,x,1
a,a,2,x,2
b,b,1,y,1
b,b,1,y,2
b,b,1,x,1
c,c,3,z,2
"""


@pytest.fixture(scope="session")
def shared_data():
    """The folder of real data beside the repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip("needs the folder shared/data beside the repository")
    return SHARED_DATA
