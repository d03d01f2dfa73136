"""What an index is: a named function of a contingency table, and what is known about it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._parameters import Rule, options_text
from sklearn_clustcompare._partition import read
from sklearn_clustcompare._rendering import html_table
from sklearn_clustcompare._table.cell_sums import CellSum, SeesCellSum
from sklearn_clustcompare._table.contingency import ContingencyTable, require_objects
from sklearn_clustcompare._table.views import SeesIdentity
from sklearn_clustcompare.indices._data import value_of_data

# What list_indices chooses by, and Index.properties returns.
PROPERTIES = (
    "greater_is_better",
    "range",
    "symmetric",
    "metric",
    "similarity_metric",
    "identifies_equality",
    "adjusted",
    "constant_baseline",
    "bias",
    "monotone",
    "replication_invariant",
    "soft",
    "moments",
    "pairs",
    "linear_in",
    "linear_in_pair_counts",
    "covers",
    "hierarchies",
    "needs_data",
    "families",
    "source",
)


@dataclass(frozen=True, repr=False)
class Index:
    """An index of agreement or distance between two partitions, or of one and the data.

    Calling it with a :class:`ContingencyTable` and the parameters of the index gives a float; an
    index that needs the data is called with ``(X, labels)`` instead. :func:`get_index` returns the
    ones of the package; all parameters below are attributes of the same names, which cannot be set.

    Parameters
    ----------
    name : str
        Name of the index, of its public function and of its scorer.
    function : callable
        ``function(table, **parameters)``, a named function of a module. Where the index needs the
        data, ``function(X, labels, **parameters)`` with the data as they were given, and as labels
        numbers of clusters from 0 on, all of which occur; or memberships, one column a cluster, if
        the index is ``soft``.
    greater_is_better : bool
        Whether a larger value means more agreement; scorers of the others are negated.
    range : tuple of two floats
        Lowest and highest value that the index can take for labels; memberships may lead a little
        beyond.
    symmetric : bool
        Whether swapping the two partitions leaves the value unchanged, to the last bit. False
        where there is one only.
    source : str
        Where it comes from.
    metric : bool, default=False
        Whether it is a metric on partitions: symmetric, zero for equal partitions only,
        triangle inequality.
    similarity_metric : bool, default=None
        Whether its best value minus the index is a metric on partitions. None: not known.
    identifies_equality : bool, default=None
        Whether equal partitions, all of them, have the same best value, and no others have it
        (maximal agreement [1]_). Where it is False, a search may prefer a candidate to one that is
        equal to the reference. None: not known.
    adjusted : bool, default=False
        Whether it is adjusted for chance: expected value 0 for independent partitions of
        given cluster sizes.
    constant_baseline : {"exact", "asymptotic", "none"}, default=None
        Whether the mean over all orders of the objects of one side is the same for all cluster
        sizes: exactly, or in the limit of many objects and given shares of the clusters. One
        cluster and singletons aside. None: not known.
    bias : {"neutral", "many", "few", "varies"}, default=None
        Whether the mean over candidates with a given number of clusters stays the same, gets
        better or gets worse as that number grows; or what it does depends on the reference. None:
        not known.
    monotone : {"strict", "weak", "none"}, default=None
        Whether a candidate gets better, or at least not worse, when a cluster of it is split
        between classes of the reference, or two clusters within one class are merged [1]_, for
        references other than one cluster and singletons. None: not known.
    replication_invariant : bool, default=None
        Whether the value stays the same if every object stands twice. None: not known.
    soft : bool, default=True
        Whether it is defined for tables of real-valued counts, such as those of memberships.
    moments : bool, default=False
        Whether a table of memberships has to be made with ``moments=True`` for it.
    pairs : bool, default=False
        Whether, for labels, it is a function of the numbers of pairs alone: of the number of
        objects and the sums of squared cells and cluster sizes. Such an index is also called with
        objects that hold these only.
    linear_in : {None, "pairs", "information", "cells"} or callable, default=None
        In what it is linear for given cluster sizes: the number of pairs together in both
        partitions, the mutual information of its order ``q`` (1 if it has no such parameter), or
        its ``cell_sum``. Its mean and variance under permutation are then known exactly. None: in
        neither, so that they are estimated from draws. A function of the parameters of the index
        returns one of these where it depends on them.
    linear_in_pair_counts : bool, default=False
        Whether it is a function of the numbers of pairs alone (``pairs``) that is linear in them:
        in the numbers together in both partitions, in the first and in the second one, whatever
        the cluster sizes. Its mean is then known exactly under models of chance that do not fix
        the sizes, too.
    cell_sum : callable, default=None
        Where it is linear in "cells": function of the parameters of the index that returns the
        :class:`CellSum`. The index is then also called with objects that have ``n_samples``,
        ``row_sums`` and ``col_sums`` only, of which the sum is an expected value.
    by_parameters : callable, default=None
        Function of the parameters of the index that returns a dict of those properties that
        differ from the ones given here, which are those with its default parameters.
    unit : str or callable, default=""
        Unit of its values, such as "nats", for axes; or a function of the parameters.
    adjusted_form : tuple of str and dict, default=None
        Name and parameters of the index that is its form adjusted for chance.
    noise_bounds : callable, default=None
        Lowest and highest value over all that objects of noise could be, as
        :func:`noise_bounds` returns them.
    parameters : mapping of str to callable, default={}
        Its parameters and the rule each value has to obey: a function of name and value that
        raises TypeError or ValueError.
    of_covers : callable, default=None
        The index of two covers: ``of_covers(pair, **parameters)``, where ``pair.true`` and
        ``pair.pred`` are sparse matrices of 0 and 1 of the objects in the same clusters, one column
        a cluster, and ``pair.weights`` their numbers. None: it is not defined for covers.
    hierarchies : bool, default=False
        Whether ``of_covers`` is defined for a :class:`Hierarchy`, too, whose clusters weigh
        ``pair.scales``.
    needs_data : bool, default=False
        Whether it judges one partition by the data, without a reference.
    families : tuple of str, default=()
        Fields where it is in common use: "coreference", "diarization", "entity", "network",
        "segmentation", "single-cell", "tracking".

    Attributes
    ----------
    covers : bool
        Whether its function takes a :class:`Cover` where it takes labels.

    See Also
    --------
    get_index : The index of one name.
    list_indices : Names of all indices, or of those with given properties.
    check_index : Searches for partitions that break what is declared.

    References
    ----------
    .. [1] M. Gösgens, A. Tikhonov, L. Prokhorenkova, "Systematic analysis of cluster similarity
       indices: how to validate validation measures", ICML 2021

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
    function: Callable[..., float]
    greater_is_better: bool
    range: tuple[float, float]
    symmetric: bool
    source: str
    metric: bool = False
    similarity_metric: bool | None = None
    identifies_equality: bool | None = None
    adjusted: bool = False
    constant_baseline: str | None = None
    bias: str | None = None
    monotone: str | None = None
    replication_invariant: bool | None = None
    soft: bool = True
    moments: bool = False
    pairs: bool = False
    linear_in: str | Callable[..., str | None] | None = None
    linear_in_pair_counts: bool = False
    cell_sum: Callable[..., CellSum] | None = None
    by_parameters: Callable[..., Mapping[str, Any]] | None = None
    unit: str | Callable[..., str] = ""
    adjusted_form: tuple[str, Mapping[str, Any]] | None = None
    noise_bounds: Callable[..., tuple[float, float]] | None = None
    parameters: Mapping[str, Rule] = field(default_factory=dict)
    of_covers: Callable[..., float] | None = None
    hierarchies: bool = False
    needs_data: bool = False
    families: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.linear_in == "cells" and not callable(self.cell_sum):
            msg = (
                "cell_sum must be a function that returns a CellSum for linear_in='cells', "
                f"got {self.cell_sum!r}"
            )
            raise TypeError(msg)

    @property
    def covers(self) -> bool:
        """Whether its function takes a :class:`Cover` where it takes labels."""
        return self.of_covers is not None

    def __repr__(self) -> str:
        direction = "higher" if self.greater_is_better else "lower"
        low, high = self.range
        return f"Index: {self.name}, {direction} is better, range [{low:g}, {high:g}]"

    def _repr_html_(self) -> str:
        rows = [(name, str(getattr(self, name))) for name in PROPERTIES]
        return html_table(("property", "value"), rows, repr(self))

    def __call__(self, table: Any, labels: Any = None, /, **parameters: Any) -> float:
        if self.needs_data:
            return self._of_data(table, labels, parameters)
        if labels is not None or not isinstance(table, ContingencyTable):
            msg = (
                f"{self.name} takes a ContingencyTable here, got {type(table).__name__}: make one "
                "with ContingencyTable.from_labels, or call the function of that name with labels"
            )
            raise TypeError(msg)
        self.check_parameters(**parameters)
        return float(self.function(require_objects(table), **parameters))

    def _of_data(self, X: Any, labels: Any, parameters: Mapping[str, Any]) -> float:
        if labels is None or isinstance(X, ContingencyTable):
            got = type(X).__name__
            msg = f"{self.name} takes the data and one partition, (X, labels), got {got} alone"
            raise TypeError(msg)
        self.check_parameters(**parameters)
        return value_of_data(self, X, read(labels, "labels"), **parameters)

    def properties(self, **parameters: Any) -> dict[str, Any]:
        """Return what is known of the index with these parameters.

        The attributes of the same names hold for the default parameters.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        dict
            Values of the properties by which :func:`list_indices` chooses.

        Raises
        ------
        TypeError
            If the index has no such parameter, or a value is of the wrong type.
        ValueError
            If a value is out of its range.

        See Also
        --------
        list_indices : Indices with given properties.
        check_index : Searches for partitions that break them.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> distance = get_index("variation_of_information_distance")
        >>> distance.metric, distance.properties(q=0.5)["metric"]
        (True, False)
        """
        self.check_parameters(**parameters)
        known = {name: getattr(self, name) for name in PROPERTIES}
        if self.by_parameters is not None:
            known.update(self.by_parameters(**parameters))
        known["linear_in"] = self.linear_quantity(**parameters)
        return known

    def linear_quantity(self, **parameters: Any) -> str | None:
        """Return in what the index is linear with these parameters.

        What is linear in one of these has a mean and a variance under permutation that are known
        exactly; ``linear_in`` may depend on the parameters.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        {None, "pairs", "information", "cells"}
            As ``linear_in``.

        See Also
        --------
        permutation_test : Exact moments where they are known.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> index = get_index("normalized_mutual_info_score")
        >>> index.linear_quantity(average_method="max")
        'information'
        >>> index.linear_quantity(average_method="joint") is None
        True
        """
        return self.linear_in(**parameters) if callable(self.linear_in) else self.linear_in

    def unit_text(self, **parameters: Any) -> str:
        """Return the unit of the values with these parameters.

        Use it to print values of any index, whose ``unit`` may depend on the parameters.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        str
            Such as "nats", "bits" or "pairs"; empty for a number without a unit.

        See Also
        --------
        IndexCurveDisplay : Writes it at the axis.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> get_index("mutual_info_score").unit_text(base=2)
        'bits'
        """
        return self.unit(**parameters) if callable(self.unit) else self.unit

    def axis_text(self, **parameters: Any) -> str:
        """Name the index, its parameters and its unit, for an axis.

        The text at the axes of the Displays; use it in pictures of your own.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        str
            Such as "mutual_info_score (bits)".

        See Also
        --------
        Index.unit_text : The unit alone.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> get_index("mutual_info_score").axis_text(q=0.5)
        'mutual_info_score, q=0.5'
        """
        given = ", ".join(
            f"{key}={value if isinstance(value, str) else f'{value:g}'}"
            for key, value in parameters.items()
            if key != "base" and value is not None
        )
        unit = self.unit_text(**parameters)
        return self.name + (f", {given}" if given else "") + (f" ({unit})" if unit else "")

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


def ratio(numerator: float, denominator: float, table: SeesIdentity, name: str) -> float:
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


def require_whole(table: SeesCellSum, name: str, instead: str) -> None:
    """Raise ValueError unless a table counts whole objects."""
    if not table.is_whole:
        msg = (
            f"{name} needs whole counts, got real-valued ones (from memberships, sample_weight or "
            f"counts): round weights to frequencies; for memberships use {instead}"
        )
        raise ValueError(msg)
