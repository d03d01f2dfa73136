"""Signatures without what Python writes where it cannot show a value, and initials of authors.

A reference on one line that begins with an initial, ``.. [1] W. Author``, would be read as the
beginning of a list.
"""

import dataclasses
import re

_INITIAL = re.compile(r"^(\s*\.\. \[[^]]+\] [A-Z])\. ")


def _readable(app, what, name, obj, options, signature, return_annotation):
    if what != "class" or signature is None:
        return None
    if signature == "()":
        return "", return_annotation
    if dataclasses.is_dataclass(obj):
        for field in dataclasses.fields(obj):
            if field.default_factory is not dataclasses.MISSING:
                value = repr(field.default_factory())
                signature = signature.replace(f"{field.name}=<factory>", f"{field.name}={value}")
    return signature, return_annotation


def _keep_initials(app, what, name, obj, options, lines):
    lines[:] = [_INITIAL.sub(r"\1\\. ", line) for line in lines]


def setup(app):
    """Listen to autodoc, the second time after numpydoc."""
    app.connect("autodoc-process-signature", _readable)
    app.connect("autodoc-process-docstring", _keep_initials, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
