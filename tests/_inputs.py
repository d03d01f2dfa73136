"""Kinds of input of labels, which any function of two partitions takes."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from sklearn_clustcompare import Cover


class Kind(NamedTuple):
    """A kind of input, and how to make it of numbers from zero."""

    name: str
    make: Callable[[list[int]], Any]


def _of(module, name):
    """Return what makes an input of a package, which need not be installed."""

    def make(labels):
        return name(import_or_skip(module), labels)

    return make


def import_or_skip(module):
    try:
        return importlib.import_module(module)
    except ImportError as error:  # not installed, or not for this NumPy
        pytest.skip(str(error))


def send_to_device(values):
    """Return an array on a device from which NumPy cannot read."""
    strict = import_or_skip("array_api_strict")
    if not hasattr(strict, "Device") or np.lib.NumpyVersion(np.__version__) < "2.0.0":
        pytest.skip("an old version, without devices")
    return strict.asarray(np.asarray(values), device=strict.Device("device1"))


def _sets(labels):
    return [set(np.flatnonzero(np.equal(labels, one)).tolist()) for one in range(max(labels) + 1)]


def _one_hot(labels):
    return np.eye(max(labels) + 1)[labels]


def _narwhals(narwhals, labels):
    return narwhals.from_native(import_or_skip("polars").Series(labels), series_only=True)


def _dask_series(frame, labels):
    return frame.from_pandas(import_or_skip("pandas").Series(labels), npartitions=2)


# What the user guide says of some kinds, and how to make each of them, by its name.
KINDS_BY_LINE = {
    "A list or a tuple, of labels of any hashable type.": {"list": list, "tuple": tuple},
    "An array of NumPy of one dimension: numbers, text, dates or objects.": {
        "array": np.array,
        "small": lambda y: np.array(y, np.uint8),
        "objects": lambda y: np.array(y, object),
    },
    "Floats that are whole numbers; NaN is a missing label.": {
        "floats": lambda y: np.array(y, float)
    },
    "A masked array of NumPy; masked labels are missing.": {"masked": np.ma.array},
    "A Series of pandas, whose index must be that of the other one, see :term:`align`.": {
        "Series": _of("pandas", lambda pd, y: pd.Series(y))
    },
    "Nullable integers of pandas, Polars or Arrow, with all their digits; nulls are missing.": {
        "Int64": _of("pandas", lambda pd, y: pd.Series(y, dtype="Int64"))
    },
    "Categories of pandas, Polars or Arrow.": {
        "category": _of("pandas", lambda pd, y: pd.Series(y, dtype="category"))
    },
    "A Series of Polars; call ``.collect()`` of a LazyFrame.": {
        "Polars": _of("polars", lambda pl, y: pl.Series(y))
    },
    "An array of Arrow, in chunks or not.": {
        "Arrow": _of("pyarrow", lambda pa, y: pa.array(y)),
        "chunks": _of("pyarrow", lambda pa, y: pa.chunked_array([y[:5], y[5:]])),
    },
    "A Series of narwhals.": {"narwhals": _of("narwhals.stable.v1", _narwhals)},
    "Arrays or Series of dask on both sides, which its workers count block by block.": {
        "dask": _of("dask.array", lambda da, y: da.from_array(np.array(y), chunks=5)),
        "dask Series": _of("dask.dataframe", _dask_series),
    },
    "A DataArray of xarray, in memory or in blocks of dask; its coordinates are an index.": {
        "xarray": _of("xarray", lambda xr, y: xr.DataArray(y)),
        "xarray blocks": _of(
            "xarray", lambda xr, y: (import_or_skip("dask.array"), xr.DataArray(y).chunk(5))[1]
        ),
    },
    "A dict of objects to labels; objects are brought together by their names.": {
        "dict": lambda y: dict(enumerate(y))
    },
    "A list of sets of objects, such as communities of networkx; the other side must name its "
    "objects as well, unless they are 0, 1, 2, ...": {"sets": _sets},
    "A :class:`Cover` without overlap that has all objects.": {
        "cover": lambda y: Cover.from_sets(_sets(y))
    },
    "A clustering of igraph, by the names of its vertices, or of cdlib.": {
        "igraph": _of("igraph", lambda ig, y: ig.VertexClustering(ig.Graph.Ring(len(y)), y))
    },
    "Memberships of shape (n_samples, n_clusters), dense or sparse, see :doc:`soft`.": {
        "memberships": _one_hot
    },
    "An array of CuPy, torch, JAX or another package with the array API: labels and memberships on "
    "a device are copied to the host. Arrays that require a gradient, and those within "
    "``jax.jit``, ``grad`` or ``vmap``, have no values to copy: pass ``.detach()``, or call the "
    "function outside of them or by ``jax.pure_callback``.": {
        "device": send_to_device,
        "memberships on a device": lambda y: send_to_device(_one_hot(y)),
        "JAX": _of("jax.numpy", lambda m, y: m.array(y)),
        "torch": _of("torch", lambda m, y: m.tensor(y)),
    },
}
KINDS = [Kind(*one) for kinds in KINDS_BY_LINE.values() for one in kinds.items()]
