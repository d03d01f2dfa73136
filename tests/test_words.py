"""Public text without stilted words: ``doc/stilted_words.txt`` lists them, with replacements."""

import ast
import io
import re
import tokenize

import pytest

from tests._files import REPOSITORY

# Folders that a build of the site writes.
BUILT = {"_build", "gallery", "generated"}
WORDS = REPOSITORY / "doc" / "stilted_words.txt"
PAGES = [
    REPOSITORY / "README.rst",
    REPOSITORY / "CONTRIBUTING.rst",
    REPOSITORY / "benchmarks" / "README.rst",
    # Titles of publications are quoted as they are.
    *sorted(
        page
        for page in REPOSITORY.glob("doc/**/*.rst")
        if page.name != "references.rst" and not BUILT.intersection(page.parts)
    ),
]
MODULES = sorted((REPOSITORY / "sklearn_clustcompare").rglob("*.py"))
EXAMPLES = sorted(REPOSITORY.glob("doc/examples/**/*.py"))
CODE = [
    path
    for folder in ("sklearn_clustcompare", "tests", "benchmarks")
    for path in sorted((REPOSITORY / folder).rglob("*.py"))
    if path.name != "test_words.py"
]

# What is no prose: doctests, literal blocks, references, and inline literals and roles.
_NO_PROSE = [
    re.compile(r"^ *>>>.*(?:\n(?! *$).+)*", re.MULTILINE),
    re.compile(r"^( *)(?:\.\. code-block::.*|(?!\.\. ).*::)\n\n(?:(?:\1 +\S.*)?\n)+", re.MULTILINE),
    re.compile(r"^( *)\.\. \[\w+\].*(?:\n\1 +\S.*)*", re.MULTILINE),
    re.compile(r"``[^`]+``|:[\w:]+:`[^`]+`"),
]


def _entries(text):
    for line in text.splitlines():
        if line and not line.startswith("#"):
            pattern, replacement = line.split(" -> ", 1)
            pattern = pattern.replace(" ", r"\s+")
            # A pattern that starts with a comma follows a word.
            yield (
                re.compile(rf"(?:(?<!\w)|(?=,))(?:{pattern})(?![\w-])", re.IGNORECASE),
                replacement,
            )


LISTED = WORDS.read_text("utf-8")
ENTRIES = list(_entries(LISTED))
SPELLINGS = list(_entries(LISTED[LISTED.index("\n# One spelling") + 1 :]))


def _prose(text):
    """Blank what is no prose; the number of lines stays."""
    for pattern in _NO_PROSE:
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    return text


def _hits(text, first_line=1, entries=ENTRIES):
    """Yield line, word and replacement of each stilted word in a text."""
    prose = _prose(text)
    for pattern, replacement in entries:
        for found in pattern.finditer(prose):
            line = first_line + prose.count("\n", 0, found.start())
            yield line, " ".join(found[0].split()), replacement


def _strings(source):
    """Yield the line and the text of all docstrings and messages; names have no blanks."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def _comments(source):
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _texts(path):
    text = path.read_text("utf-8")
    if path.suffix == ".rst":
        return [(1, text)]
    return [*_strings(text), *(_comments(text) if path in EXAMPLES else ())]


TEXTS = [*PAGES, *MODULES, *EXAMPLES]


@pytest.mark.parametrize("start", range(0, len(TEXTS), 6))
def test_texts_have_no_stilted_words(start):
    listed = [
        f"{path.relative_to(REPOSITORY)}:{line}: {word!r}: write {instead}"
        for path in TEXTS[start : start + 6]
        for line, word, instead in sorted(
            hit for line, text in _texts(path) for hit in _hits(text, line)
        )
    ]
    assert not listed, "\n" + "\n".join(listed)


@pytest.mark.slow
def test_spelling_of_comments_and_names_is_american():
    listed = [
        f"{path.relative_to(REPOSITORY)}:{line}: {word!r}: write {instead}"
        for path in CODE
        for line, word, instead in _hits(path.read_text("utf-8"), entries=SPELLINGS)
    ]
    assert not listed, "\n" + "\n".join(listed)


def test_words_are_found_in_prose_only():
    page = (
        "The table tells\nwhich. Pass it in the\nplace of labels, too.\n\n"
        ">>> tell = 'says'\ntold\n\nCall ``tell``, :func:`tells` or foretell::\n\n    tells\n\n"
        '.. [1] A. Author, "On normalised\n   tables".\n\nColours.\n'
    )
    found = sorted((line, word) for line, word, _ in _hits(page))
    assert found == [(1, "tells"), (2, "in the place of"), (3, ", too"), (15, "Colours")]


def test_strings_of_modules_are_searched():
    source = 'def f(n):\n    """Tell n."""\n    raise ValueError(f"n says {n} alike")\n'
    found = [word for line, text in _strings(source) for _, word, _ in _hits(text, line)]
    assert sorted(found) == ["Tell", "alike", "says"]
