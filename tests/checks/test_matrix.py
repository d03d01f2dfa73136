"""The matrix of the documentation: what scikit-learn's clusterers fail, and nothing else."""

import importlib

import pytest

from tests._files import REPOSITORY

pytestmark = pytest.mark.usefixtures("one_thread")

# The build of the documentation checks these as well; they take too long here.
SLOW = {"Affinity Propagation", "MeanShift", "OPTICS"}


@pytest.fixture
def matrix(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(REPOSITORY / "doc" / "_ext")
    return importlib.import_module("clusterer_matrix")


@pytest.mark.slow
def test_failures_of_scikit_learn_have_reasons_and_reasons_failures(matrix):
    assert len(matrix.CLUSTERERS) == 15
    found = {
        name: matrix.run_checks(estimator)
        for name, estimator in matrix.CLUSTERERS.items()
        if name not in SLOW
    }
    without_reason, without_failure = matrix.unexplained(found)
    assert without_reason == set()
    assert {name for name, _ in without_failure} <= SLOW


def test_reasons_are_words_that_the_page_explains(matrix):
    page = (REPOSITORY / "doc" / "user_guide" / "checks.rst").read_text("utf-8")
    for (name, _), reason in matrix.REASONS.items():
        assert name in matrix.CLUSTERERS
        assert f'"{reason.word}": ' in page
        assert reason.text.endswith(".")
