"""Signatures as they are read: without what Python writes where it cannot show a value."""

import dataclasses


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


def setup(app):
    """Listen to autodoc."""
    app.connect("autodoc-process-signature", _readable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
