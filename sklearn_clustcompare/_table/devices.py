"""Counts on a device: only the occupied cells of labels, or the sums of memberships, are sent."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from sklearn_clustcompare._partition import Labels, Reading, read_labels
from sklearn_clustcompare._partition.devices import (
    is_on_device,
    kept_back,
    namespace_of,
    to_device_of,
    to_host,
)
from sklearn_clustcompare._partition.forms import plain
from sklearn_clustcompare._partition.memberships import (
    BLOCK_ROWS,
    MembershipMoments,
    Memberships,
    Partition,
    is_membership_array,
    ranges,
    tolerance_of,
)
from sklearn_clustcompare._partition.named import names_objects
from sklearn_clustcompare._partition.validation import as_sample_weight, check_same_length
from sklearn_clustcompare._table.overlap import SoftSides, side_labels

Cells = tuple[Labels, Labels, NDArray[np.int64]]


class Products(NamedTuple):
    """Sums of products of memberships, and what else the table is made of."""

    product: NDArray[np.float64]
    sides: tuple[Partition, Partition]
    soft: SoftSides
    total: float


class _Coded(NamedTuple):
    """Labels as numbers on the device, and what each of them stands for."""

    codes: Any
    labels: Labels

    @property
    def n_objects(self) -> int:
        return int(self.codes.shape[0])

    def rows(self, start: int, stop: int) -> Any:
        """Return objects as memberships of 0 and 1."""
        xp = namespace_of(self.codes)
        numbers = xp.arange(self.labels.n_codes, dtype=self.codes.dtype, device=self.codes.device)
        codes = xp.reshape(self.codes[start:stop], (-1, 1))
        return xp.astype(codes == xp.reshape(numbers, (1, -1)), xp.float64)


class _Soft(NamedTuple):
    """Memberships on the device; ``labels`` has the names of the clusters, but no objects."""

    values: Any
    labels: Memberships

    @property
    def n_objects(self) -> int:
        return int(self.values.shape[0])

    def rows(self, start: int, stop: int) -> Any:
        """Return a block of rows, divided by their sums on request."""
        xp = namespace_of(self.values)
        block = xp.astype(self.values[start:stop, :], xp.float64)
        if self.labels.reading.normalize:
            block = block / xp.sum(block, axis=1, keepdims=True)
        return block

    def is_allowed(self, block: Any) -> bool:
        """Return whether rows that were not divided are memberships."""
        xp, reading = namespace_of(block), self.labels.reading
        sums = xp.sum(block, axis=1)
        tolerance = tolerance_of(np.dtype(f"f{xp.finfo(self.values.dtype).bits // 8}"))
        if reading.normalize:
            has_sum = (sums > 0) & xp.isfinite(sums)
            return bool(xp.all(block >= 0) & xp.all(has_sum))
        is_right = block <= 1 + tolerance if reading.possibilistic else abs(sums - 1) <= tolerance
        return bool(xp.all(block >= 0) & xp.all(is_right))


def count_there(
    first: Any,
    second: Any,
    sample_weight: Any,
    reading: Reading,
    names: tuple[str, str],
    *,
    may_be_soft: bool,
    moments: bool,
) -> Cells | Products | None:
    """Return the occupied cells of two labelings, or the products of memberships.

    At least one of them is on a device, and the other one is sent there. Returns None for what is
    counted on the host: labels with weights, memberships with noise or missing objects or in rows
    that break a rule, partitions on two devices, and arrays of packages that have no functions of
    the array API.
    """
    sides = (first, second)
    lead = next(side for side in sides if is_on_device(side))
    if not all(_is_countable(side, lead) for side in sides) or namespace_of(lead) is None:
        return None
    are_soft = [is_membership_array(side) for side in sides]
    if any(are_soft) and (
        not may_be_soft or reading.noise != "cluster" or reading.missing != "error"
    ):
        return None
    try:
        true, pred = (
            (_memberships if is_soft else _coded)(side, name, reading, lead)
            for side, name, is_soft in zip(sides, names, are_soft, strict=True)
        )
        if true is None or pred is None:
            return None
        check_same_length(true.n_objects, pred.n_objects, names)
        if isinstance(true, _Coded) and isinstance(pred, _Coded):
            return None if sample_weight is not None else _cells(true, pred)
        return _products(true, pred, sample_weight, moments=moments)
    except (RuntimeError, AttributeError) as error:  # of the package
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        msg = (
            f"{' and '.join(names)} cannot be counted on {getattr(lead, 'device', 'their device')} "
            f"({reason[:100]}): pass arrays in the memory of the host"
        )
        raise TypeError(msg) from error


def _cells(true: _Coded, pred: _Coded) -> Cells | None:
    xp, n_cols = namespace_of(true.codes), pred.labels.n_codes
    if true.labels.n_codes * n_cols > xp.iinfo(true.codes.dtype).max:
        return None
    found = xp.unique_counts(true.codes * n_cols + pred.codes)
    cells, counts = (np.asarray(to_host(one)).astype(np.int64) for one in found)
    rows, cols = np.divmod(cells, max(n_cols, 1))
    return true.labels.take(rows), pred.labels.take(cols), counts


def _products(
    true: _Coded | _Soft, pred: _Coded | _Soft, sample_weight: Any, *, moments: bool
) -> Products | None:
    n_objects, weights, total = true.n_objects, None, float(true.n_objects)
    lead = true.codes if isinstance(true, _Coded) else true.values
    xp = namespace_of(lead)
    if sample_weight is not None:
        on_host = as_sample_weight(plain(sample_weight), n_objects).astype(np.float64)
        weights, total = to_device_of(on_host[:, np.newaxis], lead), float(on_host.sum())
    sums: list[Any] = []
    for start, stop in ranges(n_objects, BLOCK_ROWS):
        blocks = [side.rows(start, stop) for side in (true, pred)]
        for side, block in zip((true, pred), blocks, strict=True):
            given = block if isinstance(side, _Coded) else side.values[start:stop, :]
            if isinstance(side, _Soft) and not side.is_allowed(xp.astype(given, xp.float64)):
                return None
        part = None if weights is None else weights[start:stop, :]
        weighted = [block if part is None else block * part for block in blocks]
        found = [xp.matmul(xp.matrix_transpose(weighted[0]), blocks[1])]
        if moments:
            for pair in zip(blocks, weighted, strict=True):
                found += _moments(xp, *pair, part)
        sums = [one + more for one, more in zip(sums, found, strict=True)] if sums else found
    product, *of_sides = (np.asarray(to_host(one), np.float64) for one in sums)
    labels = true.labels, pred.labels
    soft = SoftSides(None, None)
    if moments:
        size = len(of_sides) // 2
        soft = SoftSides(
            _moments_of(labels[0], *of_sides[:size]), _moments_of(labels[1], *of_sides[size:])
        )
    return Products(product, labels, soft, total)


def _moments(xp: Any, block: Any, weighted: Any, weights: Any) -> list[Any]:
    squares = xp.sum(block * block, axis=1, keepdims=True)
    fourth = squares * squares if weights is None else squares * squares * weights
    return [
        xp.sum(weighted, axis=0),
        xp.matmul(xp.matrix_transpose(weighted), block),
        xp.sum(squares * weighted, axis=0),
        xp.sum(fourth),
    ]


def _moments_of(
    side: Partition, sizes: Any, gram: Any, cubes: Any, fourth: Any
) -> MembershipMoments:
    return MembershipMoments(side_labels(side), sizes, sparse.csr_array(gram), cubes, float(fourth))


def _is_countable(side: Any, lead: Any) -> bool:
    if not is_on_device(side):
        return type(side) is np.ndarray or not (is_membership_array(side) or names_objects(side))
    if type(side) is not type(lead) or kept_back(side):
        return False
    return side.ndim in (1, 2) and bool(side.device == lead.device)


def _memberships(side: Any, name: str, reading: Reading, lead: Any) -> _Coded | _Soft | None:
    """Take memberships; those of 0 and 1 are labels. None for what may be an image of labels."""
    xp = namespace_of(lead)
    side = side if is_on_device(side) else to_device_of(side, lead)
    n_objects, n_clusters = side.shape
    if not xp.isdtype(side.dtype, "real floating") or n_objects == 0 or n_clusters < 2:
        return None
    names = Memberships(np.zeros((0, n_clusters)), np.arange(n_clusters), name, reading)
    # The first row alone is enough for most soft partitions.
    if not _is_crisp(xp, side[:1, :]) or not _is_crisp(xp, side):
        return _Soft(side, names)
    labels = Labels.of_codes(np.arange(n_clusters), names.labels)
    return _Coded(xp.argmax(side, axis=1), labels._replace(name=name, is_named=False))


def _is_crisp(xp: Any, values: Any) -> bool:
    are_ones = values == 1
    n_ones = xp.sum(xp.astype(are_ones, xp.int64), axis=1)
    return bool(xp.all(are_ones | (values == 0)) & xp.all(n_ones == 1))


def _coded(side: Any, name: str, reading: Reading, lead: Any) -> _Coded:
    xp = namespace_of(lead)
    if not is_on_device(side):
        known, _ = read_labels(side, name, reading).compact()
        codes = to_device_of(known.codes, lead)
        return _Coded(codes, known._replace(codes=np.arange(known.n_codes), ids=None))
    is_boolean = xp.isdtype(side.dtype, "bool")
    if is_boolean:
        side = xp.astype(side, xp.uint8)
    is_missing = None
    if xp.isdtype(side.dtype, "real floating"):
        if xp.finfo(side.dtype).bits < 32:  # NumPy has no bfloat16
            side = xp.astype(side, xp.float32)
        is_missing = xp.isnan(side)
        # Errors name the first label that breaks a rule, at its position among all objects.
        wrong = is_missing if reading.missing == "error" else xp.zeros_like(is_missing)
        wrong = wrong | (~is_missing & (side != xp.floor(side)))
        if bool(xp.any(wrong)):
            until = int(xp.argmax(xp.astype(wrong, xp.uint8))) + 1
            read_labels(to_host(side[:until]), name, reading)
        side = xp.where(is_missing, xp.zeros_like(side), side)
    values, codes = xp.unique_inverse(side)
    distinct = np.asarray(to_host(values))
    if is_boolean:
        distinct = distinct.astype(bool)
    if is_missing is not None and bool(xp.any(is_missing)):
        codes = xp.where(is_missing, xp.full_like(codes, len(distinct)), codes)
        distinct = np.append(distinct, np.nan)
    known = read_labels(distinct, name, reading)
    labels = Labels.of_codes(np.arange(len(distinct)), known.labels_of(known.zero_based()))
    return _Coded(codes, labels._replace(name=name))
