"""What the docstrings of public objects say."""

import inspect
import operator
from collections import defaultdict

import pytest

import sklearn_clustcompare


def public_objects():
    """Return all that is public by its name; of records that are returned ``results.NAME``."""
    names = [*public_names(), *(f"results.{name}" for name in sklearn_clustcompare.results.__all__)]
    return {name: public(name) for name in names}


def public_names():
    """Return the names of all that users call or make, wherever it stands."""
    elsewhere = sklearn_clustcompare._in_parts()
    parts = [name for name in elsewhere if elsewhere[name] != "results"]
    return sorted([*sklearn_clustcompare.__all__, *parts])


def place_of(name):
    """Return where a public object stands below the package."""
    part = sklearn_clustcompare._in_parts().get(name.partition(".")[0])
    return f"{part}.{name}" if part else name


def public(name):
    """Return a public object, or a method of one, by its name."""
    return operator.attrgetter(place_of(name))(sklearn_clustcompare)


def docstring(name):
    return inspect.getdoc(public(name))


def parameter_texts(names):
    """Return the texts of each parameter, by its name and type, and where each text stands."""
    scrape = pytest.importorskip("numpydoc.docscrape").NumpyDocString
    texts = defaultdict(lambda: defaultdict(set))
    for name in names:
        for parameter in scrape(docstring(name))["Parameters"]:
            kind = parameter.type.partition(", default=")[0]
            texts[parameter.name, kind][" ".join(parameter.desc)].add(name)
    return texts
