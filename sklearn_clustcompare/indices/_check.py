"""Check of the properties declared for an index."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sklearn_clustcompare._rendering import Shown, Table, result_record
from sklearn_clustcompare.indices._properties import PROPERTIES, Property
from sklearn_clustcompare.indices._properties.search import CounterExample, Search
from sklearn_clustcompare.indices._record import Index, IndexLike
from sklearn_clustcompare.indices._registry import read_index

_HEADER = ("property", "declared", "result", "smallest counter-example")


@result_record
@dataclass(frozen=True, repr=False)
class PropertyCheck(Shown):
    """Result for one property of an index; a part of :class:`IndexCheck`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    name : str
        Name of the property, as in :class:`Index`; or "independent_of_names", which every index
        has to be.
    declared : object
        The value in the record of the index, for the parameters checked.
    result : {"holds", "broken", "not claimed", "could be declared"}
        Whether partitions were found that break the declared property; if nothing is declared,
        whether something could be.
    counter_example : CounterExample or None
        Partitions that break the declared property; if nothing is declared, partitions that break
        the weakest claim that could be made.
    could_be : object
        The strongest claim that could be made, if nothing is claimed and none was broken.

    See Also
    --------
    check_index : Makes them.

    Examples
    --------
    >>> from sklearn_clustcompare import check_index
    >>> check = check_index("purity_score")["symmetric"]
    >>> check.declared, check.result
    (False, 'not claimed')
    >>> check.counter_example.partitions, check.counter_example.values
    (((0, 0), (0, 1)), (1.0, 0.5))
    """

    name: str
    declared: Any
    result: str
    counter_example: CounterExample | None = None
    could_be: Any = None

    def _headline(self) -> str:
        return f"PropertyCheck of {self.name}"

    def _shown(self) -> Table:
        return Table(_HEADER, [self._row()])

    def _row(self) -> tuple[str, ...]:
        result = self.result + (f": {self.could_be!r}" if self.could_be is not None else "")
        example = str(self.counter_example) if self.result == "broken" else ""
        return self.name, _as_text(self.declared), result, example


def _as_text(declared: Any) -> str:
    if isinstance(declared, tuple):
        return "[{:g}, {:g}]".format(*declared)
    return "not known" if declared is None else str(declared)


@result_record
@dataclass(frozen=True, repr=False)
class IndexCheck(Shown):
    """Results for the declared properties of an index; made by :func:`check_index`.

    All parameters are attributes of the same names, which cannot be set. The check of one property
    is ``check[name]``.

    Parameters
    ----------
    index : Index
        Record of the index.
    parameters : dict
        Its parameters.
    checks : tuple of PropertyCheck
        One for each property.

    See Also
    --------
    check_index : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import check_index
    >>> check = check_index("pair_f_score", beta=2)
    >>> check.passed, check["symmetric"].declared
    (True, False)
    """

    index: Index
    parameters: dict[str, Any]
    checks: tuple[PropertyCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether no declared property was found to be broken."""
        return not self.broken

    @property
    def broken(self) -> tuple[str, ...]:
        """Names of the properties that are declared and broken."""
        return tuple(one.name for one in self.checks if one.result == "broken")

    @property
    def could_be_declared(self) -> dict[str, Any]:
        """Values that could be declared for properties without a declaration."""
        return {one.name: one.could_be for one in self.checks if one.could_be is not None}

    def __getitem__(self, name: str) -> PropertyCheck:
        for one in self.checks:
            if one.name == name:
                return one
        raise KeyError(name)

    def _headline(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        found = f"broken: {', '.join(self.broken)}" if self.broken else "all properties hold"
        return f"IndexCheck of {self.index.name}{given}: {found}"

    def _shown(self) -> Table:
        return Table(_HEADER, [one._row() for one in self.checks])


def check_index(index: IndexLike, **params: Any) -> IndexCheck:
    """Check the declared properties of an index, by searching for counter-examples.

    Use it for an index of your own. Other functions rely on the declared properties, and their
    results are wrong if a declaration is.

    Parameters
    ----------
    index : str, callable or Index
        The :term:`index`: a name (see :func:`list_indices`), its function or a record.
    **params : dict
        Parameters of the index; its properties may depend on them.

    Returns
    -------
    IndexCheck
        For each property whether it holds, the smallest counter-example if it is broken, and
        which further properties could be declared.

    Raises
    ------
    ValueError
        If there is no index of that name, or a parameter is out of its range.
    TypeError
        If the index does not take a parameter.

    See Also
    --------
    Index : The properties.
    list_indices : Indices with given properties.

    Notes
    -----
    The search covers all pairs of partitions of up to six objects (298 tables for six objects, up
    to the order of rows and columns), all partitions of four objects some of which are repeated,
    and random ones of up to 60 objects; for the triangle inequality and for perfect splits and
    merges, also all triples. Means are exact for up to six objects. A property that was not broken
    is therefore likely, but not proved.

    An index must not depend on the names of clusters, to the last bit, so that equal partitions
    score the same: sort values before adding them, or use ``math.fsum``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_clustcompare import Index, check_index
    >>> def largest_share(table):
    ...     return table.cell_counts.max() / table.n_samples
    >>> index = Index(
    ...     "largest_share", largest_share, greater_is_better=True, range=(0, 1), symmetric=True,
    ...     source="own work", identifies_equality=True,
    ... )
    >>> check = check_index(index)
    >>> check.broken
    ('identifies_equality',)
    >>> print(check["identifies_equality"].counter_example)
    f(a, a) = 0.5, and 1 for a single object, where a = 01
    >>> check.could_be_declared["replication_invariant"]
    True
    """
    record, params = read_index(index, params, with_data=False)
    declared = record.properties(**params)
    search = Search(record, params)
    return IndexCheck(record, params, tuple(_checks(search, declared)))


def _checks(search: Search, declared: dict[str, Any]) -> Iterator[PropertyCheck]:
    for name, one in PROPERTIES.items():
        claim = declared.get(name, True)
        if one.is_claim(claim):
            broken = _refute(one, search, claim)
            yield PropertyCheck(name, claim, "broken" if broken else "holds", broken)
            if name == "range" and broken and not _has_value(broken):
                return  # no other check applies
            continue
        refuted = [_refute(one, search, other) for other in one.claims]
        if all(refuted):
            yield PropertyCheck(name, claim, "not claimed", refuted[-1])
        else:
            could_be = one.claims[refuted.index(None)]
            yield PropertyCheck(name, claim, "could be declared", None, could_be)


def _has_value(example: CounterExample) -> bool:
    """Return whether the index has a finite value there, and raises no error."""
    return bool(example.values) and math.isfinite(example.values[0])


def _refute(one: Property, search: Search, claim: Any) -> CounterExample | None:
    try:
        return one.refute(search, claim)
    except Exception as error:  # the index may fail where it was never called before
        return CounterExample((), (), f"f raises {type(error).__name__}: {error}")
