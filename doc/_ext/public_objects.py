"""Every public object has a page, and its short name is a link from anywhere."""

import inspect
import sys

from sphinx.util import logging

import sklearn_clustcompare

logger = logging.getLogger(__name__)

_PACKAGE = sklearn_clustcompare.__name__


def _check(app, env):
    documented = {name for name, *_ in env.get_domain("py").get_objects()}
    elsewhere = [f"{part}.{name}" for name, part in sklearn_clustcompare._in_parts().items()]
    for name in [*sklearn_clustcompare.__all__, *elsewhere]:
        if f"{_PACKAGE}.{name}" not in documented:
            logger.warning("%s is public and not listed in api.rst", name)


def _resolve(app, env, node, contnode):
    """Find ``cluster_decomposition`` or ``Index.moments`` whatever module speaks of it."""
    if node.get("refdomain") != "py":
        return None
    domain = env.get_domain("py")
    target = node["reftarget"].removeprefix(f"{_PACKAGE}.")
    # Fields of a class are described on its page without a place of their own.
    for ending in (f".{target}", f".{target.rpartition('.')[0]}"):
        found = [
            name
            for name, *_ in domain.get_objects()
            if name.startswith(_PACKAGE) and name.endswith(ending) and ending != "."
        ]
        if found:
            # The same object may be known by its module, too: the shortest name is the public one.
            name = min(found, key=len)
            return domain.resolve_xref(
                env, node["refdoc"], app.builder, "obj", name, node, contnode
            )
    return None


def _source(app, modname, attribute):
    """Return the module with the code of a class that names a public one."""
    exported = getattr(sys.modules[modname], attribute.partition(".")[0], None)
    functions = filter(
        inspect.isfunction, vars(exported).values() if inspect.isclass(exported) else ()
    )
    modules = [one.__module__ for one in functions if one.__module__.startswith(_PACKAGE)]
    return modules[0] if modules else None


def setup(app):
    """Check once all pages are read."""
    app.connect("env-check-consistency", _check)
    app.connect("missing-reference", _resolve)
    app.connect("viewcode-follow-imported", _source)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
