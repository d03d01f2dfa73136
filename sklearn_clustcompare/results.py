"""Result records: the classes of what functions return, for annotations and ``isinstance``.

A class whose objects users do not make stands here, and not at the top of the package: functions,
methods and attributes return its objects. Classes that users make, by a call or by a class method
such as ``ContingencyTable.from_labels``, stand at the top. Pickled results name this module, as
their classes do: it has what the parts of the package import from below and is of this module.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import sklearn_clustcompare


def __getattr__(name: str) -> Any:
    # At their first use; editors read results.pyi.
    if name == "__all__":
        return sorted({known for found in _parts() for known, one in found.items() if _is_own(one)})
    if not name.startswith("_"):
        for found in _parts():
            if _is_own(found.get(name)):
                value = globals()[name] = found[name]
                return value
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> Any:
    return __getattr__("__all__")


def _parts() -> Iterator[dict[str, Any]]:
    for part in sklearn_clustcompare._PARTS:
        yield vars(import_module(f"sklearn_clustcompare.{part}"))


def _is_own(one: Any) -> bool:
    return isinstance(one, type) and one.__module__ == __name__
