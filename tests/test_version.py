"""One place has the version."""

import re

from sklearn_clustcompare import __version__
from tests._files import REPOSITORY
from tests.test_release import PROJECT


def test_the_citation_has_no_version():
    assert PROJECT["project"]["dynamic"] == ["version"]
    citation = (REPOSITORY / "CITATION.cff").read_text("utf-8")
    assert not re.search(r"^(version|date-released):", citation, flags=re.MULTILINE)


def test_first_heading_of_the_changes_is_the_version():
    page = (REPOSITORY / "doc" / "whats_new.rst").read_text("utf-8")
    version, state = re.search(r"^(\S+) \((.+)\)\n---", page, flags=re.MULTILINE).groups()
    base, dev, _ = __version__.partition(".dev")
    assert version == base
    assert (state == "in development") if dev else re.fullmatch(r"\d{4}-\d\d-\d\d", state)
