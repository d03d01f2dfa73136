"""Pages of objects and their source code: links back, and titles that may break behind "_" and ".".

Objects of one module are documented under several public modules. ``viewcode`` takes one of these
for all of them; the right one is in the name of the page that the link leads to.
"""

import re

_BACK = re.compile(r'(generated/([\w.]+\.)?(\w+)\.html#)[\w.]+?\.\3((?:\.\w+)*")')
_TITLE = re.compile("<h1>[^<]*")


def _mended(body):
    """Return the HTML with other addresses and possible breaks."""
    body = _BACK.sub(r"\1\2\3\4", body)
    return _TITLE.sub(lambda found: re.sub(r"([._])(?=\w)", r"\1<wbr>", found[0]), body, count=1)


def _mend(app, pagename, templatename, context, doctree):
    if pagename.startswith(("_modules/sklearn_clustcompare", "generated/")):
        context["body"] = _mended(context["body"])


def setup(app):
    app.connect("html-page-context", _mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
