"""The command as a whole: its registry, its help, its exit status."""

import os
import re
import shlex
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import sklearn_clustcompare
from sklearn_clustcompare import cli
from sklearn_clustcompare.cli import _select
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES
from tests._files import REPOSITORY, write_cells

COMMANDS = ("select", "compare", "rank", "check", "indices")


@pytest.mark.parametrize(
    ("options", "registry"), [((), INDICES), (("--needs-data",), INTERNAL_INDICES)]
)
def test_indices_lists_the_registry(run, run_json, options, registry):
    status, out, _ = run("indices", *options)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["name", *registry]
    for row, index in zip(run_json("indices", *options), registry.values(), strict=True):
        bounds = [None if np.isinf(bound) else bound for bound in index.range]
        assert row["range"] == bounds
        assert row.pop("name") == index.name
        tuples = {name: tuple(row[name]) for name in ("families", "short_names")}
        tuples["range"] = index.range
        assert row | tuples == index.properties()


LISTED = "clustcompare indices lists all indices and their short names, such as ari."


@pytest.mark.parametrize(
    ("arguments", "start", "text"),
    [
        (["--version"], f"clustcompare {sklearn_clustcompare.__version__}\n", ""),
        (["--help"], "usage: clustcompare", ""),
        *(
            ([command, "--help"], "usage: clustcompare", LISTED)
            for command in ("select", "compare", "rank")
        ),
    ],
)
def test_version_and_help(capsys, arguments, start, text):
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith(start)
    assert text in " ".join(out.split())


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(one, marks=[pytest.mark.processes, pytest.mark.slow] if one == "check" else [])
        for one in COMMANDS
    ],
)
def test_examples_of_the_help_succeed(capsys, tmp_path, monkeypatch, command):
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    text = capsys.readouterr().out
    examples = re.findall(rf"^  clustcompare ({command} .+)$", text, re.MULTILINE)
    assert len(examples) == 2
    monkeypatch.chdir(tmp_path)
    write_cells(tmp_path)
    for example in examples:
        assert cli.main(shlex.split(example)) == 0
        assert capsys.readouterr().out
    assert "exit status:\n  0  success\n" in text
    assert "\n  2  bad input\n" in text


def test_a_shell_completes_commands_and_options(monkeypatch):
    def complete(parser):
        completed.append(parser)
        raise SystemExit(0)

    completed = []
    monkeypatch.setitem(sys.modules, "argcomplete", SimpleNamespace(autocomplete=complete))
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    with pytest.raises(SystemExit):
        cli.main([])
    (actions,) = (one.choices for one in completed[0]._actions if one.choices)
    assert tuple(actions) == COMMANDS
    assert "--true" in actions["compare"].format_help()


def test_interruption_is_status_130(run, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(_select, "search", interrupt)
    assert run("select", "iris") == (130, "", "clustcompare: interrupted\n")


@pytest.mark.slow
@pytest.mark.processes
def test_a_real_interruption_ends_in_one_line():
    process = subprocess.Popen(
        [
            *[sys.executable, "-m", "sklearn_clustcompare", "select", "digits", "-k", "2:500"],
            "--verbose",
        ],
        cwd=REPOSITORY,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr.readline() == "clustcompare: candidate 1 of 499 done: kmeans, k = 2\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    *progress, last = err.splitlines()
    assert last == "clustcompare: interrupted"
    assert all(line.startswith("clustcompare: candidate ") for line in progress)


INTERRUPTED_IMPORT = """
import signal, sys
from sklearn_clustcompare.cli import main

class Interrupter:
    def find_spec(self, name, *_):
        if name == target:
            signal.raise_signal(signal.SIGINT)

class CompiledInterrupter:
    def find_spec(self, name, *_):
        if name == target:
            raise ImportError("initialization failed") from KeyboardInterrupt()

target = sys.argv[1]
for finder in Interrupter(), CompiledInterrupter():
    sys.meta_path.insert(0, finder)
    print(main(["indices"]), flush=True)
    sys.meta_path.remove(finder)
"""


@pytest.mark.slow
@pytest.mark.parametrize("module", ["argparse", "numpy"])
def test_an_interruption_of_an_import_ends_in_one_line(run_code, module):
    process = run_code(INTERRUPTED_IMPORT, module)
    assert process.stdout == "130\n130\n"
    assert process.stderr == "clustcompare: interrupted\n" * 2


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize("arguments", [["--help"], ["compare", "--help"]])
def test_a_full_disk_is_an_error(arguments):
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "sklearn_clustcompare", *arguments],
            cwd=REPOSITORY,
            text=True,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert process.returncode == 2
    text = "the output cannot be written: No space left on device"
    assert process.stderr == f"clustcompare: error: {text}\n"


@pytest.mark.skipif(os.name == "nt", reason="no such pipes on Windows")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["rank", "--help"],
        ["--version"],
        ["indices"],
        ["compare", "LABELS", "LABELS", "--report", "html"],
        ["rank", "FIVE", "--reference", "truth", "--json"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_reader_that_goes_away_is_status_141(
    arguments, write, five_partitions, monkeypatch, capsys
):
    files = {"LABELS": write("a.txt", "a\nb\nb\n"), "FIVE": write("five.csv", five_partitions)}
    arguments = [files.get(argument, argument) for argument in arguments]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        assert cli.main(arguments) == 141
        monkeypatch.undo()
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(os.name == "nt", reason="no such pipes on Windows")
def test_a_reader_that_goes_away_leaves_no_traceback():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        process = subprocess.run(
            [sys.executable, "-m", "sklearn_clustcompare", "indices"],
            cwd=REPOSITORY,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (process.returncode, process.stderr) == (141, b"")


ALL_HELP = """
import sys
from sklearn_clustcompare.cli import main

for arguments in ["--version"], ["--help"], *([name, "--help"] for name in sys.argv[1:]):
    try:
        main(arguments)
    except SystemExit as stop:
        assert stop.code == 0
print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.processes
def test_help_imports_none_of_the_big_packages(run_code):
    process = run_code(ALL_HELP, *COMMANDS)
    assert process.stdout.count("usage: clustcompare") == 1 + len(COMMANDS)
    loaded = set(process.stderr.split())
    assert "sklearn_clustcompare.cli._options" in loaded
    assert not loaded & {"numpy", "scipy", "sklearn", "joblib", "pandas", "matplotlib"}


@pytest.mark.slow
@pytest.mark.processes
def test_indices_imports_nothing_of_scikit_learn(run_code):
    listed = "import sys; from sklearn_clustcompare.cli import main; status = main(['indices'])"
    process = run_code(f"{listed}; print(*sys.modules, file=sys.stderr)")
    loaded = set(process.stderr.split())
    assert "sklearn_clustcompare.cli" in loaded
    assert not loaded & {"sklearn", "pandas", "matplotlib"}
