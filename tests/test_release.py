"""What a release consists of agrees: version, headings, supported Pythons, workflows, citation."""

import re
import shutil
import subprocess
import sys
import tomllib

import pytest

from sklearn_clustcompare import __version__
from tests._files import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = REPOSITORY / ".github" / "workflows"
# An sdist has no workflows.
needs_workflows = pytest.mark.skipif(not WORKFLOWS.exists(), reason="not a checkout")


def _workflow(name):
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((WORKFLOWS / name).read_text("utf-8"))


def _supported():
    """Return the Python versions of the classifiers."""
    last = (one.rpartition(" ")[2] for one in PROJECT["project"]["classifiers"])
    return [version for version in last if re.fullmatch(r"3\.\d+", version)]


def test_supported_pythons_begin_with_the_required_one():
    assert PROJECT["project"]["requires-python"] == f">={_supported()[0]}"


@needs_workflows
def test_workflows_run_all_supported_pythons():
    matrix = _workflow("ci.yml")["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == _supported()
    wheels = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert wheels[:-1] == [f"cp{version.replace('.', '')}-*" for version in _supported()]
    assert wheels[-1] == wheels[-2].replace("-*", "t-*")  # of threads without a lock


@needs_workflows
def test_actions_are_pinned_to_commits():
    used = [
        line.split("uses:")[1].strip()
        for path in WORKFLOWS.glob("*.yml")
        for line in path.read_text("utf-8").splitlines()
        if "uses:" in line
    ]
    others = [one for one in used if not one.startswith("./")]
    assert len(others) > 5
    assert [one for one in others if not re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", one)] == []


@needs_workflows
def test_the_recipe_has_the_requirements_of_the_package():
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load((REPOSITORY / ".ci" / "recipe.yaml").read_text("utf-8"))
    required = {one.replace(" ", "") for one in recipe["requirements"]["run"]} - {"python"}
    assert required == set(PROJECT["project"]["dependencies"])
    host = {one.replace(" ", "") for one in recipe["requirements"]["host"]} - {"python", "pip"}
    assert host == {one.lower() for one in PROJECT["build-system"]["requires"]}
    assert recipe["package"]["name"] == PROJECT["project"]["name"]
    assert recipe["context"]["version"] == __version__.partition(".dev")[0]


@needs_workflows
@pytest.mark.processes
def test_the_address_of_the_repository_is_filled_in_everywhere(tmp_path):
    names = [
        "pyproject.toml",
        "CITATION.cff",
        "README.rst",
        ".ci/recipe.yaml",
        ".ci/set_address.py",
    ]
    (tmp_path / ".ci").mkdir()
    for name in names:
        shutil.copy(REPOSITORY / name, tmp_path / name)
    address = "https://example.org/someone/repository"
    command = [sys.executable, str(tmp_path / ".ci" / "set_address.py"), f"{address}/"]
    subprocess.run(command, check=True)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["urls"]["Repository"] == address
    assert project["urls"]["Issues"] == f"{address}/issues"
    assert project["scripts"] == PROJECT["project"]["scripts"]
    readme = (tmp_path / "README.rst").read_text("utf-8")
    assert not re.search(r"<(?!https?:|#)[\w./#-]+>`_", readme)
    assert f".. image:: {address}/raw/main/doc/_static/overview.png" in readme
    assert f'repository-code: "{address}"\n' in (tmp_path / "CITATION.cff").read_text("utf-8")
    yaml = pytest.importorskip("yaml")
    recipe = yaml.safe_load((tmp_path / ".ci" / "recipe.yaml").read_text("utf-8"))
    assert recipe["about"]["repository"] == address


@needs_workflows
def test_workflows_run_every_step():
    script = (REPOSITORY / ".ci" / "run").read_text("utf-8")
    steps = set(re.findall(r"^run_(\w+)\(\)", script, flags=re.MULTILINE))
    jobs = _workflow("ci.yml")["jobs"]
    (by_name,) = (one["run"] for one in jobs["tests"]["steps"] if "run" in one)
    called = {*by_name.split()[1:], *jobs["checks"]["strategy"]["matrix"]["step"]}
    # The workflow of releases builds the wheels; mutation testing takes hours, and runs by hand.
    assert called == steps - {"wheels", "mutation"}


@needs_workflows
def test_only_a_published_release_is_uploaded_and_without_a_secret():
    text = (WORKFLOWS / "release.yml").read_text("utf-8")
    assert "secrets" not in text
    workflow = _workflow("release.yml")
    publish = workflow["jobs"]["publish"]
    assert set(publish["needs"]) == set(workflow["jobs"]) - {"publish"}
    assert publish["if"] == "github.event_name == 'release'"
    assert publish["permissions"] == {"id-token": "write"}
    assert workflow["permissions"] == {"contents": "read"}
