"""Result records: the classes of what functions return, for annotations and ``isinstance``.

A class whose objects users do not make stands here, and not at the top of the package: functions,
methods and attributes return its objects. Classes that users make, by a call or by a class method
such as ``ContingencyTable.from_labels``, stand at the top. Pickled results name this module.
"""

from importlib import import_module
from typing import Any

import sklearn_clustcompare
from sklearn_clustcompare._rendering import RECORDS


def __getattr__(name: str) -> Any:
    # At their first use; editors read results.pyi.
    if name == "__all__" or not name.startswith("_"):
        for part in sklearn_clustcompare._PARTS:
            import_module(f"sklearn_clustcompare.{part}")
            if name in RECORDS:
                value = globals()[name] = getattr(import_module(RECORDS[name]), name)
                return value
        if name == "__all__":
            return sorted(RECORDS)
    raise sklearn_clustcompare._unknown_name(__name__, name)


def __dir__() -> Any:
    return __getattr__("__all__")
