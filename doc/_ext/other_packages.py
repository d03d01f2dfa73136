"""Links to the documentation of other packages, made from the name: a build needs no network.

A name must exist in the package that is installed; the address follows from it. A package is added
by a line of ``_PAGES``.
"""

import inspect
import pydoc

from docutils import nodes

# Pages of a function or a class; methods have one of their own only where classes are long.
_PAGES = {
    "sklearn": "https://scikit-learn.org/stable/modules/generated/{owner}.html#{name}",
    "scipy": "https://docs.scipy.org/doc/scipy/reference/generated/{name}.html#{name}",
    "numpy": "https://numpy.org/doc/stable/reference/generated/{name}.html#{name}",
    "matplotlib": "https://matplotlib.org/stable/api/_as_gen/{name}.html#{name}",
    "pandas": "https://pandas.pydata.org/docs/reference/api/{name}.html#{name}",
    "joblib": "https://joblib.readthedocs.io/en/stable/generated/{name}.html#{name}",
    "json": "https://docs.python.org/3/library/{name}.html",
}


def _address(name):
    """Return the address of an object's documentation; None if there is no such object."""
    page = _PAGES.get(name.partition(".")[0])
    if page is None or pydoc.locate(name) is None:
        return None
    parent = name.rpartition(".")[0]
    owner = parent if inspect.isclass(pydoc.locate(parent)) else name
    return page.format(name=name, owner=owner)


def _resolve(app, env, node, contnode):
    name = node.get("reftarget", "")
    address = _address(name) if node.get("refdomain") == "py" else None
    if address is None:
        return None
    return nodes.reference("", "", contnode, internal=False, refuri=address, reftitle=name)


def setup(app):
    """Resolve what the documentation itself does not have."""
    app.connect("missing-reference", _resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
