"""What the docstrings of public objects say."""

import inspect
import operator
from collections import defaultdict

import pytest

import sklearn_clustcompare


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
