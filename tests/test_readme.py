"""The commands of the README; its Python blocks are run as doctests."""

import re
import shlex
from pathlib import Path

import pytest

from sklearn_clustcompare.cli import main

README = Path(__file__).parents[1] / "README.rst"
COMMANDS = re.findall(r"\.\. code-block:: bash\n\n((?:   .*\n)+)", README.read_text("utf-8"))
OURS = [command for block in COMMANDS for command in re.findall(r"clustcompare .*", block)]


def test_the_blocks_were_found():
    # Two install, and the continuous integration of this package runs them whole.
    assert len(COMMANDS) == 3
    assert "-m pytest" in COMMANDS[1]
    assert [command.split()[1] for command in OURS] == ["select", "compare"]


@pytest.mark.parametrize("command", OURS)
def test_command_succeeds(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = ["class,cluster"] + [f"{i % 3},{'abc'[i % 3]}" for i in range(30)]
    Path("labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out
