"""Objects that never change: no attribute is set or deleted, and equal contents are equal."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from inspect import Signature
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    lazy = functools.cached_property
else:

    class lazy:
        """Do as ``functools.cached_property``, without its lock (of Python below 3.12)."""

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self._function, self._name = function, function.__name__
            self.__doc__ = function.__doc__

        def __get__(self, instance: Any, owner: Any) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._function(instance)
            return value


class Frozen:
    """Base of classes with read-only attributes, equality, a hash and pickles with a version.

    A class declares how its objects are ``made_by`` class methods; without it, it has an
    ``__init__`` of its own. Values that are computed at their first use are cached properties.
    """

    # Version of the pickle format.
    _version: ClassVar[int] = 1
    _made_by: ClassVar[str]

    def __init_subclass__(cls, made_by: str = "") -> None:
        if made_by:
            cls._made_by = made_by
            # What help and the documentation show: parameters are those of the class methods.
            cls.__signature__ = Signature()  # type: ignore[attr-defined]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        msg = f"{type(self).__name__} is made by {self._made_by}"
        raise TypeError(msg)

    @classmethod
    def _of_parts(cls, **parts: Any) -> Self:
        """Make an object of its attributes, whose arrays become read-only."""
        made = object.__new__(cls)
        made._fill(parts)
        return made

    def _fill(self, parts: dict[str, Any]) -> None:
        for part in parts.values():
            _freeze(part)
        self.__dict__.update(parts)

    def _parts(self) -> dict[str, Any]:
        """Return the attributes from which the object can be made again."""
        return self.__dict__.copy()

    def _content(self) -> Hashable:
        """Return what is the same for equal objects, and for these only."""
        raise NotImplementedError

    def __eq__(self, other: Any) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(self is other or self._content() == other._content())

    def __hash__(self) -> int:
        return hash((type(self), self._content()))

    def __setattr__(self, name: str, value: Any) -> None:
        msg = f"a {type(self).__name__} is frozen, {name} cannot be set"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> None:
        msg = f"a {type(self).__name__} is frozen, {name} cannot be deleted"
        raise AttributeError(msg)

    def __getstate__(self) -> dict[str, Any]:
        return {"version": self._version, **self._parts()}

    def __setstate__(self, state: Any) -> None:
        parts = dict(state) if isinstance(state, dict) else {}
        version = parts.pop("version", None)
        check_version(f"a pickled {type(self).__name__}", version, self._version)
        self._fill(parts)  # unpickled arrays are writeable


def counted(items: Iterable[Hashable]) -> frozenset[tuple[Hashable, int]]:
    """Return items in no order, each with the number of times that it occurs."""
    return frozenset(Counter(items).items())


def check_version(what: str, version: Any, known: int) -> None:
    """Raise ValueError unless something stored has the version that this release can read."""
    if version != known:
        msg = (
            f"{what} must be of version {known}, got version {version!r}: read it with the release "
            "of the package that wrote it"
        )
        raise ValueError(msg)


def _freeze(part: Any) -> None:
    if isinstance(part, np.ndarray):
        part.flags.writeable = False
    elif sparse.issparse(part):
        for array in (part.data, part.indices, part.indptr):
            array.flags.writeable = False
