"""Arrays and values as people give them: devices, options, missing values, validation."""

from __future__ import annotations

import math
import sys
from collections.abc import KeysView, Sequence, Set, ValuesView
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sklearn_clustcompare._array_types import Array, IntArray, Mask
from sklearn_clustcompare._options import (
    MISSING_TREATMENTS,
    NOISE_TREATMENTS,
    UNMATCHED_TREATMENTS,
    shortened,
)
from sklearn_clustcompare._parameters import boolean, one_of


def is_on_device(values: Any) -> bool:
    """Return whether an argument is an array that NumPy cannot read where it is."""
    if type(values) is np.ndarray or not hasattr(values, "__dlpack__"):
        return False
    if not getattr(values, "ndim", 0):  # columns of Arrow, which are read where they are
        return False
    nothing = (slice(0), *[slice(None)] * (values.ndim - 1))
    try:
        np.asarray(values[nothing])
    except (RuntimeError, TypeError):
        return True
    return False


def namespace_of(values: Any) -> Any:
    """Return the functions of the array API for an array, or None if none are installed."""
    if hasattr(values, "__array_namespace__"):
        return values.__array_namespace__()
    # Of scikit-learn, which has imported it, unless its version is old.
    compat = sys.modules.get("sklearn.externals.array_api_compat")
    return None if compat is None else compat.array_namespace(values)


def check_on_host(values: Any, name: str = "X") -> None:
    """Raise TypeError for data on a device."""
    if is_on_device(values):
        raise device_error(values, name)


def device_error(values: Any, name: str = "X") -> TypeError:
    """Build the error for data on a device."""
    if reason := kept_back(values):
        return TypeError(f"{name} {reason}")
    where = getattr(values, "device", "a device")
    return TypeError(
        f"{name} must be in the memory of the host here, got an array on {where}: pass "
        "its .get() or .cpu(), by what its package has"
    )


def kept_back(values: Any) -> str:
    """Return why the values of an array cannot be read anywhere, and the way out; else ""."""
    if getattr(values, "requires_grad", False):
        return "must not require a gradient: pass its .detach()"
    if str(getattr(values, "device", "")) == "meta":
        return "must have values, which an array on the device 'meta' does not have"
    if str(getattr(values, "layout", "")).startswith("torch.sparse"):
        return "must be dense: pass its .to_dense()"
    jax = sys.modules.get("jax")  # imported by whoever makes its arrays
    if jax is not None and isinstance(values, jax.core.Tracer):
        return (
            "must have values, which an array within jax.jit, grad or vmap does not have: call "
            "this outside of them, or by jax.pure_callback"
        )
    return ""


def to_host(values: Any) -> Any:
    """Return an array on a device as one in the memory of the host, unchanged if it cannot be."""
    if kept_back(values):
        return values
    try:
        for copy in ("get", "cpu"):  # CuPy, torch
            if hasattr(values, copy):
                copied = getattr(values, copy)()
                # NumPy has no such type.
                return copied.float() if str(copied.dtype) == "torch.bfloat16" else copied
        default = namespace_of(values).__array_namespace_info__().default_device()
        return np.asarray(values.to_device(default))
    except (RuntimeError, AttributeError):  # of the package, such as for torch's device "meta"
        return values


def is_data_array(values: Any) -> bool:
    """Return whether an argument is a DataArray of xarray."""
    return hasattr(values, "dims") and hasattr(values, "to_pandas") and hasattr(values, "ndim")


def plain(values: Any) -> Any:
    """Return a DataArray of xarray as pandas has it, and an array on a device as one on the host.

    Coordinates of its objects and of its clusters become the index and the names of the columns.
    All other input is returned unchanged.
    """
    if type(values) is np.ndarray:
        return values
    if is_on_device(values):
        return to_host(values)
    if not is_data_array(values):
        return values
    is_in_memory = isinstance(values.data, np.ndarray)
    return values.to_pandas() if is_in_memory and values.ndim in (1, 2) else values.data


class _Missing:
    """The label of all objects whose label is missing.

    There is one such object per process. It comes after all other labels in sorted order.
    """

    def __repr__(self) -> str:
        return "<missing>"

    def __reduce__(self) -> str:
        return "MISSING"

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return other is not self

    def __float__(self) -> float:
        return math.inf


MISSING = _Missing()


def is_missing(label: Any) -> bool:
    """Return whether a label is a missing value."""
    if label is None:
        return True
    try:
        return bool(label != label)
    except TypeError:  # pandas.NA has no truth value
        return True
    except ValueError:  # an array has several, and is not a label
        return False


def missing_advice(name: str) -> str:
    """Return advice for an error due to a missing label in the argument ``name``."""
    if name.startswith("image_"):
        return "; leave such pixels out with missing='drop'"
    if not name.startswith(("labels_true", "labels_pred", "candidate")):
        return ""
    advice = "; leave such objects out with missing='drop'"
    if name.startswith("labels"):
        advice += (
            ", or ContingencyTable.from_labels(..., missing='drop') where there is no such option"
        )
    if name == "labels_true":
        advice += (
            "; sampled_reference_scores is for a reference of which only some clusters were drawn"
        )
    return advice


def missing_entries(array: Array) -> Mask:
    """Return which entries of an array are missing or masked."""
    mask, entries = np.ma.getmaskarray(array), np.asarray(array)
    if entries.dtype.kind == "f":
        return mask | np.isnan(entries)
    if entries.dtype.kind in "mM":
        return mask | np.isnat(entries)
    if entries.dtype.kind in "OT":  # T is the text of NumPy, which may have missing entries
        return mask | np.fromiter(map(is_missing, entries.ravel().tolist()), bool, entries.size)
    return mask


# What signatures show. Checkers of types cannot tell frames of all packages and sets from the rest.
PartitionLike: TypeAlias = Any
PartitionsLike: TypeAlias = Any
TableLike: TypeAlias = Any
MatrixLike: TypeAlias = Any

_known_treatment = one_of(*NOISE_TREATMENTS)
_known_missing = one_of(*MISSING_TREATMENTS)
_known_unmatched = one_of(*UNMATCHED_TREATMENTS)

# Options of reading, which public functions take alike.
READ_ALIKE = ("possibilistic", "noise", "noise_label", "missing", "unmatched")


@dataclass(frozen=True)
class Reading:
    """Rules for rows of memberships, and treatment of noise and missing labels.

    Raises TypeError or ValueError for other values. Public functions document these options by the
    texts below.

    Parameters
    ----------
    possibilistic : bool, default=False
        Whether memberships are :term:`possibilistic`: their rows need not sum to 1.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.
    unmatched : {"error", "drop", "singleton"}, default="error"
        How to treat objects that not all partitions have, where they name objects (dicts,
        Series, sets): raise an error, leave them out, or make each a cluster of its own where
        it lacks.
    normalize : bool, default=False
        Whether to divide the rows of memberships by their sum first.
    """

    possibilistic: bool = False
    noise: str = "cluster"
    noise_label: Any = -1
    missing: str = "error"
    unmatched: str = field(default="error", kw_only=True)
    normalize: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        boolean("possibilistic", self.possibilistic)
        boolean("normalize", self.normalize)
        if self.possibilistic and self.normalize:
            msg = "possibilistic and normalize must not both be True: normalized rows sum to 1"
            raise ValueError(msg)
        _known_treatment("noise", self.noise)
        _known_missing("missing", self.missing)
        _known_unmatched("unmatched", self.unmatched)
        check_hashable(self.noise_labels, "noise_label")
        if not self.noise_labels:
            msg = "noise_label must be a label or a collection of at least one, got an empty one"
            raise ValueError(msg)

    @property
    def keywords(self) -> dict[str, Any]:
        """The options as keywords of another public function."""
        return {name: getattr(self, name) for name in READ_ALIKE}

    @property
    def noise_labels(self) -> tuple[Any, ...]:
        """The labels of noise: each item of a list, tuple or set is one."""
        return as_collection(self.noise_label)

    @property
    def counts_all(self) -> bool:
        """Whether every object counts, with its label unchanged."""
        return self.noise == "cluster" and self.missing != "drop"


def as_collection(label: Any) -> tuple[Any, ...]:
    """Return the items of a list, tuple or set of labels, or one label alone."""
    return tuple(label) if isinstance(label, list | tuple | set | frozenset) else (label,)


def check_hashable(labels: tuple[Any, ...], name: str) -> None:
    """Raise TypeError unless all labels can be labels."""
    for label in labels:
        try:
            hash(label)
        except TypeError:
            msg = f"{name} must be hashable, as labels are, got {type(label).__name__}"
            raise TypeError(msg) from None


DEFAULT = Reading()


# Beyond this float64 does not represent all whole numbers.
_MAX_EXACT_FLOAT = 2.0**53


# Between these, products of several counts neither overflow nor underflow.
_MIN_WEIGHT, _MAX_TOTAL = 1e-30, 1e30

SETS_HINT = "use Cover.from_sets for clusters as sets of objects"
_PAIRS_HINT = "pass dict(...) of pairs of an object and its label"


# --------------------------------------------------------------------------- labels


def as_label_array(labels: Any, name: str) -> Array:
    """Return labels as a 1-D array of integers, booleans, strings, dates or objects.

    Whole floats become integers. Missing entries of object arrays are left to the encoder, which
    checks the distinct labels only.
    """
    given = labels
    if type(labels) is not np.ndarray:
        labels = to_array(labels, name)
    if labels.ndim != 1:
        if getattr(given, "ndim", None) == 1 or len(getattr(given, "shape", ())) == 1:
            msg = (
                f"{name} must be a 1-D array of labels, got a column of records: use one field, or "
                "tuples of all of them"
            )
            raise ValueError(msg)
        hint = parts_hint(given) or (
            "use .ravel() for the labels of an image or of a column, or "
            "ContingencyTable.from_images for two images"
        )
        msg = f"{name} must be a 1-D array of labels, got an array of shape {labels.shape}: {hint}"
        raise ValueError(msg)
    if isinstance(labels, np.ma.MaskedArray):
        is_masked = np.ma.getmaskarray(labels)
        if labels is given:
            _reject_missing(is_masked, labels, name, "masked values")
        _reject_missing(is_masked, np.full(labels.shape, None), name, "missing values")
        labels = labels.data
    kind = labels.dtype.kind
    if kind in "biuOUS":
        return labels
    if kind == "f":
        return _whole_floats(labels, name)
    if kind == "T":
        return labels.astype(object)
    if kind in "mM":
        _reject_missing(np.isnat(labels), labels, name, "missing values")
        return labels
    msg = (
        f"{name} must hold integers, booleans, strings or hashable objects, "
        f"got an array of dtype {labels.dtype}"
    )
    raise TypeError(msg)


def to_array(labels: Any, name: str) -> Array:
    """Return labels as an array, masked if they are; values are not checked."""
    if isinstance(labels, np.ma.MaskedArray):
        return labels
    if isinstance(labels, str | bytes | dict | set | frozenset) or np.isscalar(labels):
        msg = f"{name} must be a 1-D array of labels, got {type(labels).__name__}{advice(labels)}"
        raise TypeError(msg)
    if isinstance(labels, list | tuple) and set(map(type, labels)) == {str}:
        return _as_objects(labels)
    try:
        array = _host_array(labels, name)
    except ValueError as error:
        if not _holds_tuples(labels):
            hint = parts_hint(labels) or SETS_HINT
            msg = f"{name} must be a 1-D array of labels, got a ragged nested sequence: {hint}"
            raise ValueError(msg) from error
        array = _as_objects(labels)
    if array.dtype.kind == "f" and np.isnan(array).any():
        array = _nullable_integers(labels, array)
    if array.ndim > 1 and _holds_tuples(labels):
        array = _as_objects(labels)
    if array.ndim == 0:
        msg = f"{name} must be a 1-D array of labels, got {type(labels).__name__}{advice(labels)}"
        raise TypeError(msg)
    # Text of other packages, which NumPy cuts at NUL and makes as wide as the longest.
    if array.dtype.kind in "US" and hasattr(labels, "to_list"):
        return _as_objects(labels.to_list())
    # NumPy converts mixed lists to one type ([1, "a"] -> ["1", "a"]), rounds integers among floats
    # and cuts strings at NUL, all of which would merge different labels.
    if isinstance(labels, list | tuple) and array.ndim == 1:
        kind = array.dtype.kind
        if kind in "US" or (kind == "f" and not all(isinstance(one, float) for one in labels)):
            return _as_objects(labels)
    return array


def _host_array(values: Any, name: str) -> Array:
    try:
        array = np.asarray(to_host(values) if is_on_device(values) else values)
        # Types that other packages add to NumPy, such as JAX's bfloat16.
        is_added = array.dtype.isbuiltin == 2 and array.dtype.itemsize <= 2
        return array.astype(np.float32) if is_added else array
    except ValueError:
        raise
    except Exception as error:  # of packages of arrays on devices, or with types NumPy has not
        if kept_back(values):
            raise device_error(values, name) from error
        msg = f"{name} must be an array, got {type(values).__name__}: {error}"
        raise TypeError(msg) from error


def parts_hint(values: Any) -> str:
    """Return how to make labels of a list of arrays, or of pairs of objects and labels."""
    is_list = isinstance(values, list | tuple) and len(values)
    if is_list and all(getattr(one, "ndim", 0) for one in values):
        return (
            "concatenate the arrays if they are parts of the objects; score_candidates and "
            "plot.AlluvialDisplay.from_partitions take several partitions"
        )
    if isinstance(values, Set):  # such as the nodes of a graph with data
        return _PAIRS_HINT
    return ""


def advice(values: Any) -> str:
    """Return how to make labels of what is no array, if that is known."""
    if isinstance(values, set | frozenset):
        return ": a partition is a list of sets, one for each cluster"
    if isinstance(values, Set) and not isinstance(values, KeysView):
        return f": {_PAIRS_HINT}"
    if isinstance(values, dict):
        return (
            ": a partition is a dict of objects to labels, or the list of its values if these are "
            "sets of objects; score_candidates takes several partitions"
        )
    if hasattr(values, "children_"):
        return "; its flat clusters are .labels_, and Hierarchy.from_linkage takes all of them"
    if hasattr(values, "__next__") or isinstance(values, KeysView | ValuesView | memoryview):
        return ": pass list(...) of it"
    if hasattr(values, "collect"):
        return ": call .collect() first"
    if isinstance(values, str):
        return "; functions with data= take names of columns"
    return ""


def _nullable_integers(labels: Any, floats: Array) -> Array:
    """Return a column of integers and nulls as masked integers, and all others as floats.

    Packages convert it to float64, which does not represent all integers.
    """
    for fill, is_null in (("fillna", "isna"), ("fill_null", "is_null")):
        if hasattr(labels, fill) and hasattr(labels, is_null):
            filled = np.asarray(getattr(labels, fill)(0))
            if filled.dtype.kind in "iu":
                return np.ma.MaskedArray(filled, np.asarray(getattr(labels, is_null)()))
    return floats


def _holds_tuples(labels: Any) -> bool:
    """Return whether labels of a list are tuples, which NumPy would read as rows of an array."""
    return isinstance(labels, list | tuple) and any(isinstance(label, tuple) for label in labels)


def _as_objects(labels: Sequence[Any]) -> Array:
    # One by one: NumPy would unpack labels that are sequences.
    return np.fromiter(labels, dtype=object, count=len(labels))


def _whole_floats(labels: Array, name: str) -> IntArray:
    labels = labels.astype(np.float64)  # half floats cannot be compared with 2**53
    _reject_missing(np.isnan(labels), labels, name, "NaN")
    rule = "must be discrete labels (floats only if they are whole numbers"
    _reject_first(labels != np.floor(labels), labels, name, f"{rule})")
    is_large = np.abs(labels) > _MAX_EXACT_FLOAT
    _reject_first(is_large, labels, name, f"{rule} of at most 2**53, which floats represent)")
    return labels.astype(np.int64)


def check_distinct_labels(distinct: Array, positions: IntArray, name: str) -> None:
    """Reject None, NaN and fractional numbers among the distinct labels of an object array."""
    for label, position in zip(distinct.tolist(), positions.tolist(), strict=True):
        if is_missing(label):
            msg = f"{name} must not contain missing values, got {label!r} at position {position}"
            raise ValueError(msg + missing_advice(name))
        if isinstance(label, float | np.floating) and not label.is_integer():
            msg = (
                f"{name} must be discrete labels (floats only if they are whole numbers), "
                f"got {shortened(label)} at position {position}"
            )
            raise ValueError(msg)


def unhashable_label(labels: Array, name: str) -> TypeError:
    """Build the error for an object array whose elements cannot be hashed."""
    position, label = next(item for item in enumerate(labels) if not _is_hashable(item[1]))
    hint = "" if not isinstance(label, set | list) else f"; {SETS_HINT}"
    return TypeError(
        f"{name} must hold hashable labels, got {type(label).__name__} at position {position}{hint}"
    )


def _is_hashable(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def check_same_length(n_first: int, n_second: int, names: tuple[str, str], more: str = "") -> None:
    if n_first != n_second:
        msg = f"{names[0]} and {names[1]} must have the same length, got {n_first} and {n_second}"
        raise ValueError(msg + more)


# --------------------------------------------------------------------------- counts, weights


def as_sample_weight(sample_weight: ArrayLike, n_samples: int) -> Array:
    """Return weights as int64 where all are whole numbers, else as float64."""
    weights = as_numbers(sample_weight, "sample_weight")
    if weights.shape != (n_samples,):
        msg = (
            f"sample_weight must have shape ({n_samples},), one weight per object, "
            f"got an array of shape {weights.shape}{advice(sample_weight)}"
        )
        raise ValueError(msg)
    return as_counts(weights, "sample_weight")


def check_some_weight(weights: Array | None) -> None:
    """Raise ValueError if there are objects, but all of them have weight 0."""
    if is_weightless(weights):
        msg = "sample_weight must be positive for at least one object, got zeros only"
        raise ValueError(msg)


def is_weightless(weights: Array | None) -> bool:
    """Return whether there are objects, but all of them have weight 0."""
    return weights is not None and weights.size > 0 and not weights.any()


def check_whole_weights(weights: Array, purpose: str) -> None:
    """Raise ValueError unless weights are numbers of repetitions."""
    if weights.dtype.kind != "i":
        msg = (
            f"sample_weight must hold whole frequencies {purpose}, got "
            f"{weights[weights != np.floor(weights)][0]:g}"
        )
        raise ValueError(msg)


def as_numbers(values: Any, name: str) -> Array:
    """Return an array of any shape; refuse masks and ragged sequences."""
    if isinstance(values, np.ma.MaskedArray):
        _reject_first(np.ma.getmaskarray(values), values.data, name, "must not be masked")
        return np.asarray(values.data)
    try:
        return _host_array(values, name)
    except ValueError as error:
        msg = f"{name} must be an array of numbers, got a ragged nested sequence"
        raise ValueError(msg) from error


def as_reals(values: Any, rule: str) -> Any:
    """Return an array, dense or sparse, of booleans, integers or floats; ``rule`` requires them."""
    if values.dtype.kind == "O":
        try:
            return values.astype(np.float64)
        except (TypeError, ValueError) as error:
            msg = f"{rule}, got objects: {error}"
            raise TypeError(msg) from error
    if values.dtype.kind not in "biuf":
        msg = f"{rule}, got an array of dtype {values.dtype} and shape {values.shape}"
        raise TypeError(msg)
    return values


def as_counts(counts: Array, name: str) -> Array:
    """Return non-negative finite numbers as int64 where all are whole, else as float64."""
    counts = as_reals(counts, f"{name} must be real numbers")
    if counts.dtype.kind == "f":
        _reject_first(~np.isfinite(counts), counts, name, "must be finite")
    if counts.dtype.kind in "if":
        _reject_first(counts < 0, counts, name, "must not be negative")
    with np.errstate(over="ignore"):
        total = float(counts.sum(dtype=np.float64))
    if counts.dtype.kind == "f" and (
        total > _MAX_EXACT_FLOAT or np.any(counts != np.floor(counts))
    ):
        smallest = float(counts.min(initial=1.0, where=counts > 0))
        if smallest < _MIN_WEIGHT or total > _MAX_TOTAL:
            msg = (
                f"{name} must be 0 or at least {_MIN_WEIGHT:g}, and add up to at most "
                f"{_MAX_TOTAL:g}, got the smallest {smallest:g} and the total {total:g}"
            )
            raise ValueError(msg)
        return counts.astype(np.float64)
    if total >= 2.0**63:
        msg = f"{name} must add up to less than 2**63, got {total:g}"
        raise ValueError(msg)
    return counts.astype(np.int64, copy=False)


def as_unique_labels(labels: Any, n_labels: int, name: str, axis: str) -> Array:
    """Return the names of rows or columns, each of them once; None numbers them."""
    if labels is None:
        return np.arange(n_labels)
    array = as_label_array(labels, name)
    if len(array) != n_labels:
        msg = f"{name} must name the {n_labels} {axis} of counts, got {len(array)}"
        raise ValueError(msg)
    try:
        n_distinct = len(set(array.tolist()))
    except TypeError:
        raise unhashable_label(array, name) from None
    if n_distinct != n_labels:
        msg = f"{name} must be unique, got {shortened(array.tolist())}"
        raise ValueError(msg)
    return array


# --------------------------------------------------------------------------- messages


def _reject_missing(bad: Array, values: Array, name: str, what: str) -> None:
    _reject_first(bad, values, name, f"must not contain {what}", missing_advice(name))


def _reject_first(bad: Array, values: Array, name: str, rule: str, advice: str = "") -> None:
    if bad.any():
        position = tuple(int(i) for i in np.argwhere(bad)[0])
        got = values[position]
        where = position[0] if len(position) == 1 else position
        msg = f"{name} {rule}, got {got} at position {where}{advice}"
        raise ValueError(msg)
