"""The extensions of the site, in doc/_ext."""

import importlib

import pytest

from sklearn_clustcompare import ContingencyTable
from sklearn_clustcompare.results import CandidateScores
from tests._files import REPOSITORY

pytest.importorskip("sphinx")


@pytest.fixture
def extension(monkeypatch):
    monkeypatch.syspath_prepend(REPOSITORY / "doc" / "_ext")
    return importlib.import_module


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("sklearn.cluster.KMeans", "/sklearn.cluster.KMeans.html#sklearn.cluster.KMeans"),
        ("sklearn.cluster.KMeans.fit", "/sklearn.cluster.KMeans.html#sklearn.cluster.KMeans.fit"),
        ("scipy.sparse.csr_array.T", "/scipy.sparse.csr_array.T.html#scipy.sparse.csr_array.T"),
    ],
)
def test_address_of_an_object_of_another_package(extension, name, ending):
    assert extension("other_packages")._address(name).endswith(ending)


@pytest.mark.parametrize("name", ["sklearn.cluster.KMeens", "unknown.cluster.KMeans", ""])
def test_what_does_not_exist_has_no_address(extension, name):
    assert extension("other_packages")._address(name) is None


@pytest.mark.parametrize(
    ("cls", "shown", "expected"),
    [
        (ContingencyTable, "()", ""),
        (CandidateScores, "(a, intervals=<factory>)", "(a, intervals={})"),
        (CandidateScores, "(a, group_names=<factory>)", "(a, group_names=[])"),
    ],
)
def test_signatures_show_values(extension, cls, shown, expected):
    signature, _ = extension("signatures")._readable(None, "class", "", cls, None, shown, None)
    assert signature == expected


@pytest.mark.parametrize(
    ("draw", "has_sentence"),
    [
        (lambda ax: ax.plot([0, 1]), False),
        (lambda ax: ax.scatter([0, 1], [0, 1]), False),
        (lambda ax: ax.imshow([[0, 1]]), True),
        (lambda ax: ax.figure.colorbar(ax.scatter([0, 1], [0, 1], c=[0, 1])), True),
    ],
)
def test_pictures_whose_colors_are_values_have_a_sentence_on_dark_pages(
    extension, monkeypatch, draw, has_sentence
):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pytest.importorskip("sphinx_gallery")
    style = extension("gallery_style")
    monkeypatch.setattr(style, "matplotlib_scraper", lambda *_: ":alt: plot one\n")
    pyplot.close("all")
    _, ax = pyplot.subplots(figsize=(1, 1))
    ax.set_title("title")
    draw(ax)
    rst = style.described_pictures(("code", '# sphinx_gallery_alt = "a picture"', 1), {}, {})
    assert ":alt: a picture" in rst
    assert ("container:: only-dark" in rst) == has_sentence


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("pkg.results.Ids.html#pkg.Ids", "pkg.results.Ids.html#pkg.results.Ids"),
        ("pkg.results.Ids.html#pkg.Ids.n_ids", "pkg.results.Ids.html#pkg.results.Ids.n_ids"),
        ("pkg.score.html#pkg.results.score", "pkg.score.html#pkg.score"),
        ("pkg.Ids.html#pkg.Ids.Ids", "pkg.Ids.html#pkg.Ids.Ids"),
        ("pkg.Ids.html", "pkg.Ids.html"),
    ],
)
def test_source_code_links_to_the_place_on_the_page(extension, link, expected):
    body = f'<h1>Source code for pkg._ids</h1><a href="../generated/{link}">pkg._ids</a>'
    assert extension("source_pages")._mended(body) == (
        f'<h1>Source code for pkg.<wbr>_<wbr>ids</h1><a href="../generated/{expected}">pkg._ids</a>'
    )


def test_a_reference_that_begins_with_an_initial_is_no_list(extension):
    lines = ["   .. [2] W. G. Author, 1977", "A. stays, and", ".. [1] Wagner"]
    extension("signatures")._keep_initials(None, "function", "f", None, None, lines)
    assert lines == ["   .. [2] W\\. G. Author, 1977", "A. stays, and", ".. [1] Wagner"]
