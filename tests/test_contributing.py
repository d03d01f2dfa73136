"""The walk-through of the contributing guide: its blocks add an index that works."""

import doctest
import re
import textwrap
from importlib import import_module
from pathlib import Path

import pytest

from sklearn_clustcompare import indices, make_clustering_scorer, metrics
from sklearn_clustcompare.indices._claims import CLAIMS, read_claims
from sklearn_clustcompare.indices._record import REGISTERED
from sklearn_clustcompare.indices._registry import NAMES
from tests._docstrings import parameter_texts
from tests.oracle import broken_claims, possible_claims

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.rst").read_text("utf-8")
BLOCKS = {
    path: textwrap.dedent(block)
    for path, block in re.findall(
        r"\.\. code-block:: python\n\n   # (\S+)\n((?:(?:   .*)?\n)+)", GUIDE
    )
}
NAME = "pair_overlap_score"


def _namespace(path):
    """Return the names that a block sees in the file it belongs to."""
    return dict(vars(import_module(path.removesuffix(".py").replace("/", "."))))


@pytest.fixture
def steps(monkeypatch):
    """Take the first two steps, and return what the third one sees."""
    function, truth = BLOCKS
    (row,) = re.findall(rf"^   ({NAME} .*)$", GUIDE, re.MULTILINE)
    monkeypatch.setitem(CLAIMS, NAME, read_claims(*row.split()[1:]))
    monkeypatch.setitem(NAMES, NAME, NAME)
    monkeypatch.setitem(REGISTERED, NAME, None)  # and what the block registers is taken away
    namespace = _namespace(function)
    exec(BLOCKS[function], namespace)
    monkeypatch.setitem(indices.INDICES, NAME, REGISTERED[NAME])
    monkeypatch.setattr(metrics, NAME, namespace[NAME], raising=False)
    monkeypatch.setattr(metrics, "__all__", [*metrics.__all__, NAME])
    return REGISTERED[NAME], namespace[NAME], truth


def test_blocks_belong_to_files_that_exist():
    assert len(BLOCKS) == 2
    assert all((ROOT / path).is_file() for path in BLOCKS)


def test_walk_through_passes_its_own_test(steps):
    index, _, truth = steps
    assert index.name == NAME
    namespace = _namespace(truth)
    before = set(namespace)
    exec(BLOCKS[truth], namespace)
    (added,) = set(namespace) - before - {"__builtins__"}
    namespace[added]()


def test_docstring_of_the_walk_through_is_as_that_of_any_index(steps):
    validate = pytest.importorskip("numpydoc.validate").validate
    _, function, _ = steps
    assert validate(f"sklearn_clustcompare.metrics.{NAME}")["errors"] == []
    (examples,) = doctest.DocTestFinder().find(function, NAME, globs={})
    assert doctest.DocTestRunner().run(examples) == (0, 2)
    texts, neighbors = (
        {parameter: set(found) for parameter, found in parameter_texts([name]).items()}
        for name in (NAME, "pair_precision_score")
    )
    assert texts == neighbors


def test_record_of_the_walk_through_says_all_that_was_proved(steps):
    index, _, _ = steps
    assert broken_claims(index) == {}
    assert possible_claims(index) == {"linear_in": "pairs"}
    known = index.properties()
    assert [name for name in known if known[name] is None] == ["linear_in"]


def test_index_of_the_walk_through_goes_by_its_name(steps):
    assert repr(make_clustering_scorer(NAME)).startswith(f"make_clustering_scorer('{NAME}'")
    assert NAME in indices.list_indices(pairs=True, symmetric=True)


def test_files_and_folders_that_the_guide_names_exist():
    named = re.findall(
        r"``((?:tests|doc|benchmarks|plot|metrics|sklearn_clustcompare)/[\w./]*)``", GUIDE
    )
    assert len(named) > 10
    for path in named:
        assert (ROOT / path).exists() or (ROOT / "sklearn_clustcompare" / path).exists(), path
