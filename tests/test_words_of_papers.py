"""The words of the papers: each is explained in a sentence, on the page that a search finds first.

``doc/check_site.py`` runs the search of the site in a browser. Here its main rule is used: an entry
of the index that is the word itself has the highest score, 100, and titles have at most 16.
"""

import collections
import csv
import importlib
import re

import pytest

from tests._files import DATA, REPOSITORY

DOC = REPOSITORY / "doc"
with (DATA / "words_of_papers.csv").open(encoding="utf-8", newline="") as file:
    WORDS = {row["term"]: row["page"] for row in csv.DictReader(file)}
SHEET = "user_guide/formulas"
_ENTRY = re.compile(r"^ +! single: (.+)$", re.MULTILINE)
# Terms, one below the other, and the text that explains them.
_TERMS = re.compile(r"^((?:   \S.*\n)+)((?:      .*\n|\n)+)", re.MULTILINE)


@pytest.fixture(scope="module")
def explained():
    """Return the texts that explain each entry of the index, by page and by entry."""
    pytest.importorskip("sphinx")
    found = collections.defaultdict(dict)
    for page in DOC.rglob("*.rst"):
        name, text = page.relative_to(DOC).with_suffix("").as_posix(), page.read_text("utf-8")
        for entry in _ENTRY.finditer(text):
            paragraph = text[entry.end() :].partition("\n\n")[2].partition("\n\n")[0]
            found[entry[1]][name] = paragraph
        if name == "glossary":
            for terms, definition in _TERMS.findall(text):
                for term in terms.split("\n"):
                    found[term.strip()][name] = f"{term} is {definition}"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOC / "_ext")
        formulas = importlib.import_module("formulas")
        for index, (terms, _) in formulas.FORMULAS.items():
            for term in terms.split(";"):
                found[term.strip()][SHEET] = f"{term}: {formulas.summary_of(index)}"
    return found


def test_there_are_76_words_of_five_papers():
    assert len(WORDS) == 76


@pytest.mark.parametrize("word", WORDS)
def test_word_is_an_entry_of_one_page_and_in_a_sentence_there(word, explained):
    assert list(explained[word]) == [WORDS[word]]
    text = " ".join(explained[word][WORDS[word]].split())
    sentences = [one for one in re.split(r"(?<=[.:;?]) ", text) if word.lower() in one.lower()]
    assert sentences
    assert len(text.split()) >= 7
    assert text.endswith((".", ":"))
