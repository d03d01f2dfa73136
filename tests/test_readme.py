"""The commands of the README; its Python blocks are run as doctests."""

import io
import re
import shlex

import pytest

from sklearn_clustcompare import list_indices
from sklearn_clustcompare.cli import main
from tests._files import REPOSITORY, write_cells

README = REPOSITORY / "README.rst"
COMMANDS = re.findall(r"\.\. code-block:: bash\n\n((?:   .*\n)+)", README.read_text("utf-8"))
OURS = [command for block in COMMANDS for command in re.findall(r"clustcompare .*", block)]


def test_the_blocks_were_found():
    # Two install, and the continuous integration of this package runs them whole.
    assert sum("python3 -m venv" in block for block in COMMANDS) == 2
    assert "-m pytest" in COMMANDS[1]
    assert {command.split()[1] for command in OURS} == {"select", "compare", "rank", "check"}


@pytest.mark.parametrize("command", OURS)
def test_command_succeeds(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_cells(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out or list(tmp_path.glob("report.*"))


def test_the_numbers_of_indices_are_those_of_the_registry():
    numbers = len(list_indices()), len(list_indices(needs_data=True))
    text = "{} indices of two partitions and {} of the data".format(*numbers)
    assert text in README.read_text("utf-8")


# Slow tests are run where docutils is installed.
@pytest.mark.slow
@pytest.mark.parametrize("page", [README, REPOSITORY / "doc" / "README.rst"], ids=["front", "doc"])
def test_docutils_reads_it_without_a_message(page):
    core = pytest.importorskip("docutils.core")
    messages = io.StringIO()
    core.publish_doctree(
        page.read_text("utf-8"), settings_overrides={"warning_stream": messages, "report_level": 1}
    )
    assert messages.getvalue() == ""
