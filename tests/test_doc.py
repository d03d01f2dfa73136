"""The pages of the documentation, apart from their doctests."""

import ast
import re
import shlex
import textwrap

import pytest

import sklearn_clustcompare
from sklearn_clustcompare.cli import main
from tests._files import REPOSITORY, write_cells

DOC = REPOSITORY / "doc"
PAGES = {
    page.relative_to(DOC).as_posix(): page.read_text("utf-8")
    for folder in (DOC, DOC / "user_guide")
    for page in sorted(folder.glob("*.rst"))
}


def _blocks(language):
    pattern = rf"\.\. code-block:: {language}\n\n((?:(?:   .*)?\n)+)"
    return [
        (name, textwrap.dedent(block).strip())
        for name, text in PAGES.items()
        for block in re.findall(pattern, text)
    ]


COMMANDS = [
    (name, line)
    for name, block in _blocks("bash")
    for line in block.splitlines()
    if line.startswith("clustcompare ")
]


def test_the_commands_were_found():
    assert {shlex.split(line)[1] for _, line in COMMANDS} >= {"compare", "select", "indices"}


@pytest.mark.parametrize(("name", "line"), COMMANDS)
def test_command_succeeds(name, line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_cells(tmp_path)
    assert main(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out or list(tmp_path.glob("report.*"))


@pytest.mark.parametrize(("name", "block"), _blocks("python"))
def test_block_that_needs_a_cluster_of_machines_is_python(name, block):
    ast.parse(block)


def test_every_public_object_is_in_the_api_reference():
    listed = set(re.findall(r"^   (\w+)$", PAGES["api.rst"], flags=re.MULTILINE))
    assert set(sklearn_clustcompare.__all__) <= listed
