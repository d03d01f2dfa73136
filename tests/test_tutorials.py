"""The tutorials, read from top to bottom in an empty folder of a checkout, as their readers do."""

import doctest
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests._files import REPOSITORY

TUTORIALS = sorted((REPOSITORY / "doc" / "tutorials").glob("*.rst"))
_BLOCK = re.compile(r"^\.\. code-block:: (bash|text)\n\n((?:(?:   .*)?\n)+)", re.MULTILINE)
# An environment is there already.
_INSTALLS = re.compile(r"^(?:python3 -m venv|pip install) .*\n?", re.MULTILINE)
_OPTIONS = doctest.ELLIPSIS


def _steps(text):
    """Yield what a page has the reader type, with what it shows, in the order of the page."""
    examples = doctest.DocTestParser().get_examples(text)
    lines = text.splitlines(keepends=True)
    offsets = [sum(map(len, lines[: example.lineno])) for example in examples]
    steps = [*zip(offsets, examples, strict=True)]
    steps += [(found.start(), found) for found in _BLOCK.finditer(text)]
    for _, step in sorted(steps, key=lambda step: step[0]):
        if isinstance(step, doctest.Example):
            yield "python", step
        else:
            yield step[1], textwrap.dedent(step[2]).strip() + "\n"


def _shell(commands, folder):
    """Run commands in a folder; return what they print, and the folder to which they change."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    last = folder / "last"
    done = subprocess.run(
        ["bash", "-c", f"set -e\n{commands}\npwd > '{last}'"],
        cwd=folder,
        env=os.environ | {"PATH": path, "MPLBACKEND": "agg"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout, Path(last.read_text("utf-8").strip())


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_every_step_has_the_result_of_the_page(page, tmp_path, monkeypatch):
    for module in ("matplotlib", "networkx", "pandas"):
        pytest.importorskip(module)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "doc").symlink_to(REPOSITORY / "doc")
    names, output = {}, ""
    folder = checkout
    runner = doctest.DocTestRunner(optionflags=_OPTIONS)
    for number, (language, step) in enumerate(_steps(page.read_text("utf-8"))):
        if language == "bash":
            output, folder = _shell(_INSTALLS.sub("", step), folder)
        elif language == "text":
            for line in step.splitlines():
                assert line.strip() in output, f"{line!r} is not in\n{output}"
        else:
            monkeypatch.chdir(folder)
            one = doctest.DocTest([step], names, f"step {number}", page.name, step.lineno, None)
            reported = []
            result = runner.run(one, out=reported.append, clear_globs=False)
            names = one.globs
            assert result.failed == 0, "".join(reported)
