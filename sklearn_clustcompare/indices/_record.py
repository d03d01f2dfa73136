"""What an index is: a named function of a contingency table, and what is known about it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._parameters import Rule, options_text
from sklearn_clustcompare._table.contingency import ContingencyTable


@dataclass(frozen=True)
class Index:
    """An index of agreement or distance between two partitions.

    Calling it with a :class:`ContingencyTable` and the parameters of the index gives a float.
    :func:`get_index` returns the ones of the package; all parameters below are attributes of the
    same names, which cannot be set.

    Parameters
    ----------
    name : str
        Name of the index, of its public function and of its scorer.
    function : callable
        ``function(table, **parameters)``, a named function of a module.
    greater_is_better : bool
        Whether a larger value means more agreement; scorers of the others are negated.
    range : tuple of two floats
        Lowest and highest value that the index can take for labels, with its default parameters.
    symmetric : bool
        Whether swapping the two partitions leaves the value unchanged (default parameters).
    source : str
        Where it comes from.
    metric : bool, default=False
        Whether it is a metric on partitions: symmetric, zero for equal partitions only,
        triangle inequality.
    adjusted : bool, default=False
        Whether it is adjusted for chance: expected value 0 for independent partitions of
        given cluster sizes.
    soft : bool, default=True
        Whether it is defined for tables of real-valued counts, such as those of memberships.
    moments : bool, default=False
        Whether a table of memberships has to be made with ``moments=True`` for it.
    pairs : bool, default=False
        Whether, for labels, it is a function of the numbers of pairs alone: of the number of
        objects and the sums of squared cells and cluster sizes.
    parameters : mapping of str to callable, default={}
        Its parameters and the rule each value has to obey: a function of name and value that
        raises TypeError or ValueError.

    See Also
    --------
    get_index : The index of one name.
    list_indices : Names of all indices, or of those with given properties.

    Examples
    --------
    >>> from sklearn_clustcompare import ContingencyTable, get_index
    >>> index = get_index("pair_f_score")
    >>> table = ContingencyTable.from_labels([0, 0, 1, 1], [0, 0, 0, 1])
    >>> round(index(table), 3)
    0.4
    >>> index.symmetric, index.range
    (True, (0.0, 1.0))
    """

    name: str
    function: Callable[..., float] = field(repr=False)
    greater_is_better: bool
    range: tuple[float, float]
    symmetric: bool
    source: str
    metric: bool = False
    adjusted: bool = False
    soft: bool = True
    moments: bool = False
    pairs: bool = False
    parameters: Mapping[str, Rule] = field(default_factory=dict, repr=False)

    def __call__(self, table: ContingencyTable, **parameters: Any) -> float:
        if not isinstance(table, ContingencyTable):
            msg = (
                f"{self.name} takes a ContingencyTable here, got {type(table).__name__}: make one "
                "with ContingencyTable.from_labels, or call the function of that name with labels"
            )
            raise TypeError(msg)
        self.check_parameters(**parameters)
        return float(self.function(table, **parameters))

    def check_parameters(self, **parameters: Any) -> None:
        """Raise TypeError or ValueError if the index does not take these parameters.

        Calling the index does so, too. Call it by itself to learn of a mistake before labels
        are read or random partitions drawn.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Raises
        ------
        TypeError
            If the index has no such parameter, or a value is of the wrong type.
        ValueError
            If a value is out of its range.

        See Also
        --------
        get_index : The index of one name.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> get_index("mutual_info_score").check_parameters(q=0)
        Traceback (most recent call last):
            ...
        ValueError: q must be a number from 0.001 to 30, got 0
        """
        for name, value in parameters.items():
            if name not in self.parameters:
                raise TypeError(
                    f"{self.name} takes {options_text(self.parameters, name)}"
                    if self.parameters
                    else f"{self.name} takes no parameters, got {name!r}"
                )
            self.parameters[name](name, value)


def ratio(numerator: float, denominator: float, table: ContingencyTable, name: str) -> float:
    """Divide; where that is 0/0, partitions that are equal score 1.

    For others the value is undefined: 0.0 with an UndefinedMetricWarning.
    """
    if denominator:
        return numerator / denominator
    if table.is_identity:
        return 1.0
    warnings.warn(
        f"{name} is undefined for these partitions (division of zero by zero) and set to 0.0",
        UndefinedMetricWarning,
        stacklevel=2,
    )
    return 0.0
