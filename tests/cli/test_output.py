"""The files of ``--output`` and ``--picture``: written as a whole, after the result is printed."""

import contextlib
import math
import os
import stat
import sys
from pathlib import Path

import pytest

from sklearn_clustcompare.cli import main
from sklearn_clustcompare.cli._files import table_text

pytestmark = pytest.mark.skipif(os.name == "nt", reason="files, pipes and limits of POSIX")

POINTS = "x,class\n0,u\n0,u\n9,v\n9,v\n"
COMMANDS = {
    "rank": ["rank", "POINTS", "--reference", "class"],
    "select": ["select", "POINTS", "-k", "2"],
    "compare": ["compare", "POINTS", "--true", "class", "--pred", "x", "--report", "markdown"],
}


@pytest.fixture(params=COMMANDS)
def arguments(request, write):
    points = write("points.csv", POINTS)
    return [points if text == "POINTS" else text for text in COMMANDS[request.param]]


@contextlib.contextmanager
def no_room():
    """Let no file grow, as a full disk does; not longer, as pytest may write to a file."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("former", ["former text\n", None])
@pytest.mark.parametrize("option", ["--output", "--picture"])
def test_an_error_leaves_the_former_file_and_no_other(run, arguments, tmp_path, former, option):
    output = tmp_path / "result.svg"
    if former is not None:
        output.write_text(former)
    before = sorted(tmp_path.iterdir())
    is_report = arguments[0] == "compare" and option == "--output"
    printed = "" if is_report else run(*arguments)[1]
    with no_room():
        status, out, err = run(*arguments, option, output)
    assert (status, out) == (2, printed)
    assert err == f"clustcompare: error: {output} cannot be written: File too large\n"
    assert sorted(tmp_path.iterdir()) == before
    if former is not None:
        assert output.read_text() == former


def test_a_former_file_is_replaced_where_it_is_with_its_mode(run, arguments, tmp_path):
    (tmp_path / "folder").mkdir()
    output = tmp_path / "folder" / "result"
    output.write_text("former text\n" * 100)
    output.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(output)
    assert run(*arguments, "--output", link)[0] == 0
    assert link.is_symlink()
    assert "former" not in output.read_text()
    assert stat.S_IMODE(output.stat().st_mode) == 0o640
    assert list(output.parent.iterdir()) == [output]


def test_a_new_file_has_the_usual_mode(run, arguments, tmp_path):
    usual, output = tmp_path / "usual", tmp_path / "result"
    usual.touch()
    assert run(*arguments, "--output", output)[0] == 0
    assert output.stat().st_mode == usual.stat().st_mode


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may write everything")
def test_a_protected_file_stays(run, arguments, tmp_path):
    output = tmp_path / "result"
    output.write_text("former text\n")
    output.chmod(0o444)
    status, _, err = run(*arguments, "--output", output)
    assert (status, output.read_text()) == (2, "former text\n")
    assert err == f"clustcompare: error: {output} cannot be written: Permission denied\n"


def test_a_pipe_is_written_to_not_replaced(run, arguments, tmp_path):
    output, pipe = tmp_path / "result", tmp_path / "pipe"
    run(*arguments, "--output", output)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        assert run(*arguments, "--output", pipe)[0] == 0
        assert pipe.is_fifo()
        assert os.read(reader, 2**16) == output.read_bytes()
    finally:
        os.close(reader)


@pytest.mark.parametrize("command", ["rank", "select"])
def test_the_file_is_written_though_the_reader_went_away(write, tmp_path, monkeypatch, command):
    points = write("points.csv", POINTS)
    arguments = [points if text == "POINTS" else text for text in COMMANDS[command]]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        status = main([*arguments, "--output", str(tmp_path / "result")])
    assert status == 141
    assert (tmp_path / "result").read_text().startswith("rank,")


def test_an_input_is_never_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text(POINTS)
    for path in ("points.csv", "./points.csv"):
        for arguments in COMMANDS.values():
            given = ["points.csv" if text == "POINTS" else text for text in arguments]
            assert main([*given, "--output", path]) == 2
            assert "--output must not be a file that is read" in capsys.readouterr().err
    assert Path("points.csv").read_text() == POINTS
    Path("b.json").write_text("{}")
    baseline = ["--true", "class", "--pred", "x", "--baseline", "b.json"]
    assert main(["compare", "points.csv", *baseline, "--report", "text", "--output", "b.json"]) == 2
    assert "--output must not be a file that is read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.51455, "0.5145"),
        (1.0, "1.0000"),
        (-0.0, "0.0000"),
        (0.99996, "0.99996"),
        (1 - 2**-53, "1.0000"),
        (-0.9999999, "-0.999999"),
        (3e-7, "3.0e-07"),
        (-3e-7, "-3.0e-07"),
        (9876.54321, "9876.5432"),
        (123456789012.0, "123456789012.0000"),
        (math.nan, "-"),
        (None, "-"),
        (3, "3"),
        (math.inf, "inf"),
    ],
)
def test_numbers_have_four_decimals_and_none_looks_like_a_0_or_1_that_it_is_not(value, text):
    assert table_text([{"title": value}]).split() == ["title", text]


def test_missing_numbers_stand_in_columns_of_numbers():
    rows = [{"name": "a\nb", "value": 0.5}, {"name": "c", "value": None}]
    assert table_text(rows) == "name   value\na\\nb  0.5000\nc          -"
