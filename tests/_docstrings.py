"""What the docstrings of public objects say."""

import inspect
import operator
from collections import defaultdict

import pytest

import sklearn_clustcompare


def public_objects():
    """Return all that is public by its name below the package, as ``results.ScoreInterval``."""
    elsewhere = sklearn_clustcompare._in_parts()
    names = [*sklearn_clustcompare.__all__, *(f"{elsewhere[one]}.{one}" for one in elsewhere)]
    return {name: operator.attrgetter(name)(sklearn_clustcompare) for name in names}


def docstring(name):
    return inspect.getdoc(operator.attrgetter(name)(sklearn_clustcompare))


def parameter_texts(names):
    """Return the texts of each parameter, by its name and type, and where each text stands."""
    scrape = pytest.importorskip("numpydoc.docscrape").NumpyDocString
    texts = defaultdict(lambda: defaultdict(set))
    for name in names:
        for parameter in scrape(docstring(name))["Parameters"]:
            kind = parameter.type.partition(", default=")[0]
            texts[parameter.name, kind][" ".join(parameter.desc)].add(name)
    return texts
