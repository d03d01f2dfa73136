"""The record of an index: a named function of a table or of data, and what is claimed of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from inspect import Signature, signature
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.sparse import issparse

from sklearn_clustcompare._array_types import Array, FloatArray, Positions
from sklearn_clustcompare._data import check_data, is_precomputed
from sklearn_clustcompare._options import shortened, unknown_parameter, warn_caller
from sklearn_clustcompare._parameters import Rule, one_of
from sklearn_clustcompare._partition import Labels, Partition, check_rows, read
from sklearn_clustcompare._partition.arrays import MatrixLike, PartitionLike, as_collection
from sklearn_clustcompare._partition.memberships import noise_mask
from sklearn_clustcompare._rendering import html_table
from sklearn_clustcompare._table import require_objects
from sklearn_clustcompare._table.cell_sums import CellSum
from sklearn_clustcompare._table.contingency import ContingencyTable
from sklearn_clustcompare._table.counts import Margins
from sklearn_clustcompare._tasks import Prefer
from sklearn_clustcompare.indices._entropies import Information

Parameters = Mapping[str, Any]


class UndefinedIndexError(ValueError):
    """The index has no value for this partition and these data."""


class _Comparable(Protocol):
    @property
    def is_identity(self) -> bool: ...


def ratio(numerator: Any, denominator: Any, compared: _Comparable, name: str) -> Any:
    """Divide; if that is 0/0, equal partitions score 1.

    For others the value is undefined: 0.0 with an UndefinedMetricWarning. Arrays, of many tables,
    are NaN there.
    """
    if isinstance(denominator, np.ndarray) or denominator:
        return numerator / denominator
    if compared.is_identity:
        return 1.0
    from sklearn.exceptions import UndefinedMetricWarning

    warn_caller(
        f"{name} is undefined for these partitions (division of zero by zero) and set to 0.0",
        UndefinedMetricWarning,
    )
    return 0.0


def at_most(value: Any, most: float) -> Any:
    """Cut off a value, or an array of many tables, where rounding leads beyond a bound."""
    return np.minimum(value, most) if isinstance(value, np.ndarray) else min(value, most)


def require_whole(margins: Margins, name: str, instead: str) -> None:
    """Raise ValueError unless the counts are of whole objects."""
    if not margins.is_whole:
        msg = (
            f"{name} needs whole counts, got real-valued ones (from memberships, sample_weight or "
            f"counts): round weights to frequencies; for memberships use {instead}"
        )
        raise ValueError(msg)


# The statistics that indices are functions of, for given sizes of the clusters.
#
# An index of pairs is a function of the sum of squared cells, one of information of the mutual
# information, and others of another sum over the cells. Such an index is declared as that function
# of the statistic and the margins: it can be evaluated at a mean, or while clusters merge, and from
# it follows the function of a table.


class Statistic(NamedTuple):
    """What an index is a function of: "pairs", "information", or "cells" for a sum over them."""

    quantity: str
    declared_sum: CellSum | Callable[..., CellSum] | None = None

    def of(self, table: ContingencyTable, parameters: Parameters) -> Any:
        """Return the SquareSums of a table, its Information or the sum over its cells."""
        if self.quantity == "pairs":
            return table.square_sums
        if self.quantity == "information":
            return Information(table, parameters.get("q", 1.0))
        sums = self.cell_sum(parameters)
        return sums(table) if isinstance(sums, CellSum) else tuple(one(table) for one in sums)

    def cell_sum(self, parameters: Parameters) -> Any:
        """Return the sum over the cells, or several, for these parameters of the index."""
        declared = self.declared_sum
        assert declared is not None
        return declared if isinstance(declared, CellSum) else declared(**parameters)


@dataclass(frozen=True)
class OfTable:
    """The function of a table that is a function of its statistic and its margins."""

    of_statistic: Callable[..., float]
    statistic: Statistic

    def __call__(self, table: ContingencyTable, **parameters: Any) -> float:
        return self.of_statistic(self.statistic.of(table, parameters), table, **parameters)

    @property
    def __signature__(self) -> Signature:
        _, margins, *parameters = signature(self.of_statistic).parameters.values()
        return Signature([margins.replace(name="table"), *parameters])


# The indices of the package by name, which the decorator ``index`` fills.
REGISTERED: dict[str, Index] = {}


@dataclass(frozen=True, repr=False, kw_only=True)
class Claims:
    """What is declared about an index; for the meaning see :class:`Index`.

    The one list of properties: indices are chosen by them, the tests search for counter-examples to
    them, and the tables of the documentation show them.
    """

    greater_is_better: bool
    range: tuple[float, float]
    symmetric: bool
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
    linear_in: str | None = None
    linear_in_pair_counts: bool = False
    hierarchies: bool = False
    needs_data: bool = False
    needs_graph: bool = False
    families: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    source: str = ""


# An index wherever one is given: a name, possibly with parameters, its public function or a record.
IndexLike = str | Callable[..., float]

# The criteria of list_indices, and the keys of Index.properties.
PROPERTIES = (*(one.name for one in fields(Claims)), "covers")

ALL_NOISE = "all objects are noise"

_known_order = one_of(None, "pairs", "information", "cells")
_known_sampling = one_of(None, "smooth", "counts", "maximum", "extreme")

# What is known for the default parameters only, unless ``by_parameters`` says more.
_OF_DEFAULTS = (
    *("metric", "similarity_metric", "identifies_equality", "constant_baseline", "bias"),
    *("monotone", "replication_invariant"),
)


@dataclass(frozen=True, repr=False)
class Index(Claims):
    """Record of an index, of two partitions or of one partition and the data.

    Call it with a :class:`ContingencyTable` and the parameters of the index to get a float, or with
    ``(X, labels)`` if the index needs the data. :func:`get_index` returns the records of the
    package. All parameters below are attributes of the same names, which cannot be set.

    Parameters
    ----------
    name : str
        Name of the index, of its public function and of its scorer.
    function : callable, default=None
        ``function(table, **parameters)``, a named function of a module; None if it follows from
        ``of_statistic``. If the index needs the data, ``function(X, labels, **parameters)`` with
        the data unchanged, and consecutive cluster numbers from 0 on as labels; or memberships, one
        column per cluster, if the index is ``soft``. If it takes a ``noise_label``, objects of
        noise have the number -1.
    of_statistic : callable, default=None
        ``of_statistic(statistic, margins, **parameters)`` of an index that for given cluster sizes
        is a function of one statistic: if it is declared in ``pairs``, ``linear_in`` or
        ``ordered_by``. The statistic of "pairs" has the sums of squares ``cells``, ``rows`` and
        ``cols``, that of "information" the ``mutual`` information, the ``entropies`` of both
        partitions and those ``given`` the other partition, in nats, and that of "cells" is the sum.
        The margins have ``n_samples``, ``row_sums``, ``col_sums``, ``is_whole`` and
        ``is_identity``, whether the partitions are known to be equal.
    cell_sum : CellSum or callable, default=None
        The statistic of an index that is linear in "cells", or ordered by them: the
        :class:`CellSum`, or a function of the parameters of the index that returns it. Of an index
        that is neither it may return several, whose values the statistic then holds.
    ordered_by : {"pairs", "information", "cells"}, default=None
        Statistic of which it is a strictly monotone function for given cluster sizes, as those of
        ``linear_in``, where it is not linear: both have the same p-values under permutation.
    by_parameters : callable, default=None
        Function of the parameters of the index that returns a dict of the properties that differ
        from those given here, which hold for the default parameters. With others those of the index
        as a measure, from ``metric`` to ``replication_invariant`` in the list below except
        ``adjusted``, are None, not known, unless it returns them.
    unit : str or callable, default=""
        Unit of its values, such as "nats", for axes; or a function of the parameters.
    adjusted_form : tuple of str and dict, default=None
        Name and parameters of its form adjusted for chance.
    noise_bounds : callable, default=None
        Function that returns the lowest and highest value over all assignments of noise objects;
        see :func:`noise_bounds`.
    parameters : mapping of str to callable, default={}
        Its parameters and the rule for each value: a function of name and value that raises
        TypeError or ValueError.
    sampling : {"smooth", "counts", "maximum", "extreme"}, default=None
        How it varies from sample to sample, which determines the method of its intervals: a
        "smooth" function of sums over cells or objects; a number of cells or clusters ("counts");
        a "maximum", such as a matching or a threshold, which may jump; or a function of a few
        "extreme" objects, which has no interval. None: not known; intervals then have the larger
        one of two standard errors.
    sums : callable, default=None
        Function of the parameters of the index that returns the :class:`CellSum` objects that
        determine it, together with the number of objects, for an index that varies smoothly or
        counts. Intervals are then computed from the known changes of these sums, and those of
        tables with many cells from a few values of it.
    without_each : callable, default=None
        The index of the data without each object: ``without_each(X, labels, **parameters)`` returns
        a value for each, NaN where it has none. For intervals; None leaves out objects one by one.
    of_covers : callable, default=None
        The index of two covers: ``of_covers(pair, **parameters)``, where ``pair.true`` and
        ``pair.pred`` are sparse matrices of 0 and 1 with a row for the objects in the same clusters
        and a column for each cluster, and ``pair.weights`` are the numbers of these objects. None:
        not defined for covers.
    partial : bool, default=False
        Whether it is also defined for partitions of different objects: its function then takes
        tables whose cluster sizes ``row_sums`` and ``col_sums`` exceed the sums of the cells by the
        objects that the other partition lacks.
    greater_is_better : bool
        Whether a larger value means more agreement; scorers of other indices are negated.
    range : tuple of two floats
        Lowest and highest value of the index for labels; values for memberships may exceed them
        slightly.
    symmetric : bool
        Whether swapping the two partitions leaves the value unchanged, to the last bit. False for
        indices of one partition.
    metric : bool, default=False
        Whether it is a metric on partitions: symmetric, zero for equal partitions only,
        triangle inequality.
    similarity_metric : bool, default=None
        Whether its best value minus the index is a metric on partitions. None: not known.
    identifies_equality : bool, default=None
        Whether all equal partitions have the same best value, and no others have it (maximal
        agreement [1]_). If False, a search may prefer another candidate to one that is equal to the
        reference. None: not known.
    adjusted : bool, default=False
        Whether it is adjusted for chance: expected value 0 for independent partitions of
        given cluster sizes.
    constant_baseline : {"exact", "asymptotic", "none"}, default=None
        Whether the mean over all orders of the objects of one side is the same for all cluster
        sizes: exactly, or in the limit of many objects and given shares of the clusters. Except for
        one cluster and singletons. None: not known.
    bias : {"neutral", "many", "few", "varies"}, default=None
        Whether the mean over candidates with a given number of clusters stays the same, gets better
        or gets worse as that number grows; "varies" if it depends on the reference. None: not
        known.
    monotone : {"strict", "weak", "none"}, default=None
        Whether a candidate gets better, or at least not worse, when a cluster of it is split
        between classes of the reference, or two clusters within one class are merged [1]_, for
        references other than one cluster and singletons. None: not known.
    replication_invariant : bool, default=None
        Whether the value stays the same if every object is duplicated. None: not known.
    soft : bool, default=True
        Whether it is defined for tables of real-valued counts, such as those of memberships.
    moments : bool, default=False
        Whether it needs tables of memberships made with ``moments=True``.
    pairs : bool, default=False
        Whether, for labels, it is a function of the numbers of pairs alone: of the number of
        objects and the sums of squared cells and cluster sizes. The margins it is called with have
        no ``row_sums`` and ``col_sums`` then.
    linear_in : {None, "pairs", "information", "cells"}, default=None
        Statistic in which it is linear for given cluster sizes: the number of pairs together in
        both partitions, the mutual information of its order ``q`` (1 if it has no such parameter),
        or its ``cell_sum``. Its mean and variance under permutation are then known exactly. None:
        in none of these; mean and variance are estimated from draws.
    linear_in_pair_counts : bool, default=False
        Whether it is a function of the numbers of pairs alone (``pairs``) that is linear in them:
        in the numbers together in both partitions, in the first and in the second one, whatever
        the cluster sizes. Its mean is then also known exactly under models of chance that do not
        fix the sizes.
    hierarchies : bool, default=False
        Whether ``of_covers`` is also defined for a :class:`Hierarchy`, whose clusters have the
        weights ``pair.scales``.
    needs_data : bool, default=False
        Whether it evaluates one partition by the data, without a reference.
    needs_graph : bool, default=False
        Whether these data are a graph: the square matrix of the weights of the edges between the
        objects, of which rows and columns are taken together.
    families : tuple of str, default=()
        Fields in which it is commonly used: "coreference", "diarization", "entity", "network",
        "segmentation", "single-cell", "tracking".
    short_names : tuple of str, default=()
        Names by which it is known in the field, such as "ari"; each stands for the index wherever
        one is named, in capitals as well.
    source : str, default=""
        Publication that defines it.

    Attributes
    ----------
    covers : bool
        Whether its public function also accepts a :class:`Cover`.
    sign : {1, -1}
        1 if ``greater_is_better``, else -1: values times it are better the higher they are.

    See Also
    --------
    get_index : Looks up an index by name.
    list_indices : Names of all indices, or of those with given properties.

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

    __module__ = "sklearn_clustcompare.indices"  # as pickles name it

    name: str
    # Of these two at least one is given; the first follows from the second.
    function: Callable[..., float] = None  # type: ignore[assignment]
    of_statistic: Callable[..., float] = None  # type: ignore[assignment]
    cell_sum: CellSum | Callable[..., CellSum] | None = None
    ordered_by: str | None = None
    by_parameters: Callable[..., Mapping[str, Any]] | None = None
    unit: str | Callable[..., str] = ""
    adjusted_form: tuple[str, Mapping[str, Any]] | None = None
    noise_bounds: Callable[..., tuple[float, float]] | None = None
    parameters: Mapping[str, Rule] = field(default_factory=dict)
    sampling: str | None = None
    sums: Callable[..., Sequence[Any]] | None = None
    without_each: Callable[..., FloatArray] | None = None
    of_covers: Callable[..., float] | None = None
    partial: bool = False

    def __post_init__(self) -> None:
        _known_order("ordered_by", self.ordered_by)
        for name in ("linear_in", "ordered_by"):
            if getattr(self, name) == "cells" and not callable(self.cell_sum):
                msg = (
                    "cell_sum must be a CellSum, or a function that returns one, for "
                    f"{name}='cells', got {shortened(self.cell_sum)}"
                )
                raise TypeError(msg)
        _known_sampling("sampling", self.sampling)
        if (self.statistic is None) != (self.of_statistic is None):
            msg = (
                "of_statistic must be a function of a statistic and of the margins if pairs, "
                "linear_in, linear_in_pair_counts, ordered_by or cell_sum specify the statistic, "
                f"and None if they do not, got {shortened(self.of_statistic)}"
            )
            raise TypeError(msg)
        if self.statistic and (self.function is None or isinstance(self.function, OfTable)):
            function = OfTable(self.of_statistic, self.statistic)
            object.__setattr__(self, "function", function)
        if not callable(self.function):
            msg = "function must be a function of a ContingencyTable, as in Index('name', function"
            msg += f", ...), got {shortened(self.function)}"
            raise TypeError(msg)
        takes = "(X, labels)" if self.needs_data else "(table), a ContingencyTable"
        try:
            with contextlib.suppress(ValueError):  # no signature is known
                called = signature(self.function)
                named = self.parameters.keys() & called.parameters.keys()
                places = ("table", "labels")[: 1 + self.needs_data]
                called.bind(*places, **dict.fromkeys(named))
        except TypeError:
            msg = (
                f"function must take {takes}, and parameters with defaults, got {self.name}{called}"
            )
            raise TypeError(msg) from None

    def __getstate__(self) -> dict[str, Any]:
        """Return the name of an index of the package, or the arguments that make another one."""
        if REGISTERED.get(self.name) == self:
            return {"name": self.name}
        state = {one.name: getattr(self, one.name) for one in fields(self)}
        if isinstance(self.function, OfTable):
            del state["function"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if len(state) > 1:
            Index.__init__(self, **state)
        elif state["name"] in REGISTERED:
            vars(self).update(vars(REGISTERED[state["name"]]))
        else:
            msg = f"a pickled Index must be one of this version, got {state['name']!r}"
            raise ValueError(msg)

    @cached_property
    def statistic(self) -> Statistic | None:
        """What ``of_statistic`` is a function of."""
        quantity = self.linear_in or self.ordered_by
        if quantity is not None:
            return Statistic(quantity, self.cell_sum)
        if self.cell_sum is not None:
            return Statistic("cells", self.cell_sum)
        return Statistic("pairs") if self.pairs or self.linear_in_pair_counts else None

    @property
    def covers(self) -> bool:
        """Whether its public function also accepts a :class:`Cover`."""
        return self.of_covers is not None

    @property
    def sign(self) -> int:
        """1 if ``greater_is_better``, else -1: values times it are better the higher they are."""
        return 1 if self.greater_is_better else -1

    def __repr__(self) -> str:
        direction = "higher" if self.greater_is_better else "lower"
        low, high = self.range
        return f"Index: {self.name}, {direction} is better, range [{low:g}, {high:g}]"

    def _repr_html_(self) -> str:
        rows = [(name, str(getattr(self, name))) for name in PROPERTIES]
        return html_table(("property", "value"), rows, repr(self))

    def __call__(
        self, table: Any, labels: PartitionLike | None = None, /, **parameters: Any
    ) -> float:
        if self.needs_data:
            return self._of_data(table, labels, parameters)
        if labels is not None or not isinstance(table, ContingencyTable):
            msg = (
                f"{self.name} takes a ContingencyTable here, got {type(table).__name__}: make one "
                "with ContingencyTable.from_labels, or call the function of that name with labels"
            )
            raise TypeError(msg)
        if parameters:
            self.check_parameters(**parameters)
        return float(self.function(require_objects(table), **parameters))

    def _of_data(
        self, X: MatrixLike, labels: PartitionLike, parameters: Mapping[str, Any]
    ) -> float:
        if labels is None or isinstance(X, ContingencyTable):
            got = type(X).__name__
            msg = f"{self.name} takes the data and one partition, (X, labels), got {got} alone"
            raise TypeError(msg)
        self.check_parameters(**parameters)
        partition = read(labels, "labels")
        return float(apply_to_data(self.function, self, X, partition, parameters))

    def properties(self, **parameters: Any) -> dict[str, Any]:
        """Return the properties of the index for these parameters.

        The attributes of the same names are those for the default parameters.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        dict
            Values of the properties that :func:`list_indices` filters by. With other than the
            default parameters many are None: not known.

        Raises
        ------
        TypeError
            If the index has no such parameter, or a value is of the wrong type.
        ValueError
            If a value is out of its range.

        See Also
        --------
        list_indices : Indices with given properties.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> distance = get_index("variation_of_information_distance")
        >>> distance.range, distance.properties(normalize="joint")["range"]
        ((0.0, inf), (0.0, 1.0))
        >>> distance.metric, distance.properties(q=0.5)["metric"]
        (True, None)
        """
        self.check_parameters(**parameters)
        known = {name: getattr(self, name) for name in PROPERTIES}
        if not all(self._is_default(name, value) for name, value in parameters.items()):
            known.update(dict.fromkeys(_OF_DEFAULTS))
        if self.by_parameters is not None:
            known.update(self.by_parameters(**parameters))
        return known

    def _is_default(self, name: str, value: Any) -> bool:
        declared = signature(self.function).parameters
        return name in declared and np.array_equal(value, declared[name].default)

    def linear_quantity(self, **parameters: Any) -> str | None:
        """Return the quantity in which the index is linear for these parameters.

        An index that is linear in one of these has an exactly known mean and variance under
        permutation; ``linear_in`` may depend on the parameters.

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
        permutation_test : Uses exact moments if they are known.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> index = get_index("normalized_mutual_info_score")
        >>> index.linear_quantity(average_method="max")
        'information'
        >>> index.linear_quantity(average_method="joint") is None
        True
        """
        self.check_parameters(**parameters)
        if self.by_parameters is None:
            return self.linear_in
        return self.by_parameters(**parameters).get("linear_in", self.linear_in)

    def order_quantity(self, **parameters: Any) -> str | None:
        """Return the quantity of which the index is a strictly monotone function.

        For given cluster sizes indices of one quantity order all tables in the same way, and have
        the same p-values under permutation.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        {None, "pairs", "information", "cells"}
            As ``linear_in`` if the index is linear for these parameters, else ``ordered_by``.

        See Also
        --------
        permutation_test : Tests by this quantity.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> index = get_index("normalized_mutual_info_score")
        >>> index.linear_quantity(average_method="joint") is None
        True
        >>> index.order_quantity(average_method="joint")
        'information'
        """
        return self.linear_quantity(**parameters) or self.ordered_by

    def unit_text(self, **parameters: Any) -> str:
        """Return the unit of the values for these parameters.

        Use it to print values of any index, whose ``unit`` may depend on the parameters.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        str
            For example "nats", "bits" or "pairs"; empty for a number without a unit.

        See Also
        --------
        IndexCurveDisplay : Uses it as an axis label.

        Examples
        --------
        >>> from sklearn_clustcompare import get_index
        >>> get_index("mutual_info_score").unit_text(base=2)
        'bits'
        """
        return self.unit(**parameters) if callable(self.unit) else self.unit

    def axis_text(self, **parameters: Any) -> str:
        """Return an axis label with the index, its parameters and its unit.

        The Displays use it; use it in your own pictures.

        Parameters
        ----------
        **parameters : dict
            Parameters of the index and their values.

        Returns
        -------
        str
            For example "mutual_info_score (bits)".

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

    def check_parameters(self, /, **parameters: Any) -> None:
        """Raise TypeError or ValueError if the index does not take these parameters.

        Calling the index checks them as well. Call this method to find mistakes before reading
        labels or drawing random partitions.

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
        get_index : Looks up an index by name.

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
                raise unknown_parameter(name, {self.name: self.parameters})
            self.parameters[name](name, value)


def preferred(*indices: Index) -> Prefer:
    """Return where joblib should call indices: the loops of the package release the GIL."""
    ours = all(REGISTERED.get(one.name) == one for one in indices)
    return "threads" if ours else "processes"


def apply_to_data(
    function: Callable[..., Any],
    index: Index,
    X: Any,
    partition: Partition,
    parameters: Parameters,
    noise_labels: tuple[Any, ...] = (-1,),
) -> Any:
    """Call a function with the arguments of an index of the data.

    It gets the data unchanged, and consecutive cluster numbers from 0 on, or memberships of shape
    (n_samples, n_clusters). If it takes ``noise_label``, noise has the number -1.
    """
    check_data(X)
    check_rows(X, X.shape[0] if hasattr(X, "shape") else len(X), partition)
    others, treated = dict(parameters), ()
    if "noise_label" in index.parameters:
        treated = as_collection(others.pop("noise_label", noise_labels))
    return function(X, _as_array(index, partition, treated), **others)


def rows_of(X: Any, positions: Positions) -> Any:
    return X.tocsr()[positions] if issparse(X) else np.asarray(X)[positions]


def rows_of_objects(
    index: Index, X: Any, kept: Positions | None, parameters: Mapping[str, Any]
) -> Any:
    """Return the data of the objects that are left, at positions ``kept``; all of them for None."""
    if kept is None:
        return X
    if not len(kept):
        raise UndefinedIndexError(ALL_NOISE)
    X = rows_of(X, kept)
    is_square = index.needs_graph or is_precomputed(parameters.get("metric"))
    return X[:, kept] if is_square else X


def _as_array(index: Index, partition: Partition, noise_labels: tuple[Any, ...]) -> Array:
    if isinstance(partition, Labels):
        is_noise = noise_mask(partition, noise_labels)
        if not is_noise.any():
            return partition.compact()[0].codes
        codes = np.full(len(is_noise), -1)
        others = np.flatnonzero(~is_noise)
        codes[others] = partition.take(others).compact()[0].codes
        return codes
    if index.soft:
        return partition.rows(0, partition.n_objects)
    msg = (
        f"{partition.name} must be labels for {index.name}, got memberships of shape "
        f"{partition.values.shape}: take the largest of each row, .argmax(axis=1)"
    )
    raise ValueError(msg)
