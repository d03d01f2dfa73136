"""Kinds of input of labels, which any function of two partitions takes."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from sklearn_clustcompare import Cover


class Kind(NamedTuple):
    """A kind of input: its line in the user guide, and how to make it of numbers from zero."""

    name: str
    line: str
    make: Callable[[list[int]], Any]


def _of(module, name):
    """Return what makes an input of a package, which need not be installed."""

    def make(labels):
        return name(_import(module), labels)

    return make


def _import(module):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        pytest.skip(str(error))


def _sets(labels):
    return [set(np.flatnonzero(np.equal(labels, one)).tolist()) for one in range(max(labels) + 1)]


def _on_device(strict, labels):
    if not hasattr(strict, "Device"):
        pytest.skip("an old version, without devices")
    return strict.asarray(np.array(labels), device=strict.Device("device1"))


def _narwhals(narwhals, labels):
    return narwhals.from_native(_import("polars").Series(labels), series_only=True)


def _dask_series(frame, labels):
    return frame.from_pandas(_import("pandas").Series(labels), npartitions=2)


KINDS = [
    Kind("list", "a list or a tuple, of labels of any hashable type", list),
    Kind("tuple", "a list or a tuple, of labels of any hashable type", tuple),
    Kind("array", "an array of NumPy of one dimension", np.array),
    Kind("small", "an array of NumPy of one dimension", lambda y: np.array(y, np.uint8)),
    Kind("floats", "whole numbers as floats", lambda y: np.array(y, float)),
    Kind("objects", "an array of NumPy of one dimension", lambda y: np.array(y, object)),
    Kind("masked", "a masked array; masked labels are missing", np.ma.array),
    Kind("Series", "a Series of pandas", _of("pandas", lambda pd, y: pd.Series(y))),
    Kind(
        "Int64",
        "nullable integers of pandas, Polars and Arrow; nulls are missing",
        _of("pandas", lambda pd, y: pd.Series(y, dtype="Int64")),
    ),
    Kind("category", "categories", _of("pandas", lambda pd, y: pd.Series(y, dtype="category"))),
    Kind("Polars", "a Series of Polars", _of("polars", lambda pl, y: pl.Series(y))),
    Kind("Arrow", "an array of Arrow, in chunks or not", _of("pyarrow", lambda pa, y: pa.array(y))),
    Kind(
        "chunks",
        "an array of Arrow, in chunks or not",
        _of("pyarrow", lambda pa, y: pa.chunked_array([y[:5], y[5:]])),
    ),
    Kind("narwhals", "a Series of narwhals", _of("narwhals.stable.v1", _narwhals)),
    Kind(
        "dask",
        "an array or a Series of dask, which its workers count block by block",
        _of("dask.array", lambda da, y: da.from_array(np.array(y), chunks=5)),
    ),
    Kind(
        "dask Series",
        "an array or a Series of dask, which its workers count block by block",
        _of("dask.dataframe", _dask_series),
    ),
    Kind(
        "xarray",
        "a DataArray of xarray, in memory or in blocks of dask",
        _of("xarray", lambda xr, y: xr.DataArray(y)),
    ),
    Kind(
        "xarray blocks",
        "a DataArray of xarray, in memory or in blocks of dask",
        _of("xarray", lambda xr, y: (_import("dask.array"), xr.DataArray(y).chunk(5))[1]),
    ),
    Kind("dict", "a dict of objects to labels", lambda y: dict(enumerate(y))),
    Kind("sets", "a list of sets of objects, such as communities of networkx", _sets),
    Kind("cover", "a Cover without overlap", lambda y: Cover.from_sets(_sets(y))),
    Kind(
        "igraph",
        "a clustering of igraph or cdlib",
        _of("igraph", lambda ig, y: ig.VertexClustering(ig.Graph.Ring(len(y)), y)),
    ),
    Kind(
        "memberships",
        "memberships of shape (n_samples, n_clusters), dense or sparse, of 0 and 1 or soft",
        lambda y: np.eye(max(y) + 1)[y],
    ),
    Kind("device", "an array on a device: CuPy, torch, JAX", _of("array_api_strict", _on_device)),
    Kind(
        "JAX", "an array on a device: CuPy, torch, JAX", _of("jax.numpy", lambda m, y: m.array(y))
    ),
    Kind("torch", "an array on a device: CuPy, torch, JAX", _of("torch", lambda m, y: m.tensor(y))),
]
