"""Growth of the time and memory of a fit with the number of objects."""

from __future__ import annotations

import time
import tracemalloc
import warnings
from dataclasses import dataclass
from typing import Any

from sklearn_clustcompare._parameters import positive_integer
from sklearn_clustcompare._rendering import Shown, Table, result_record, table_of
from sklearn_clustcompare.checks._data import large_blobs
from sklearn_clustcompare.checks._subject import Subject

_FACTOR = 4


@result_record
@dataclass(frozen=True, repr=False)
class FitGrowth(Shown):
    """Time and memory of two fits, of n and of 4 n objects; made by :func:`measure_fit_growth`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    n_samples : tuple of int
        The two numbers of objects.
    seconds : tuple of float
        Time of a fit, the shortest of several.
    peak_bytes : tuple of int
        Largest memory that Python traces during a fit, with the arrays of NumPy.

    See Also
    --------
    measure_fit_growth : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare.results import FitGrowth
    >>> FitGrowth((100, 400), (0.01, 0.04), (2000, 32000)).memory_factor
    16.0
    """

    n_samples: tuple[int, int]
    seconds: tuple[float, float]
    peak_bytes: tuple[int, int]

    @property
    def time_factor(self) -> float:
        """Time of the larger fit divided by that of the smaller one."""
        return self.seconds[1] / self.seconds[0]

    @property
    def memory_factor(self) -> float:
        """Memory of the larger fit divided by that of the smaller one."""
        return self.peak_bytes[1] / self.peak_bytes[0]

    def _headline(self) -> str:
        return (
            f"FitGrowth: {_FACTOR} times the objects take {self.time_factor:.3g} times the time "
            f"and {self.memory_factor:.3g} times the memory"
        )

    def _shown(self) -> Table:
        return table_of(vars(self))


def measure_fit_growth(
    estimator: Any,
    *,
    n_samples: int = 250,
    n_fits: int = 3,
    param_name: str | None = "auto",
    random_state: int = 0,
) -> FitGrowth:
    """Measure how time and memory of a clusterer grow from n to 4 n objects.

    Data are three blobs in the plane.

    Parameters
    ----------
    estimator : estimator object
        A clusterer, a mixture or a pipeline that ends in one. Copies of it are fitted, with its
        parameters except ``random_state`` and the number of clusters, which are set.
    n_samples : positive int, default=250
        Number of objects of the smaller fit.
    n_fits : int, default=3
        Number of fits of which the shortest time counts.
    param_name : str or None, default="auto"
        Parameter with the number of clusters, which is set; "auto" means ``n_clusters`` or
        ``n_components``, in a pipeline those of the last step; None if there is none, as in
        density-based clustering.
    random_state : int, default=0
        Seed of every parameter ``random_state`` of the copies, and the first seed if several starts
        are compared.

    Returns
    -------
    FitGrowth
        With ``seconds``, ``peak_bytes``, ``time_factor`` and ``memory_factor``.

    Raises
    ------
    ValueError
        If a parameter is out of its range, or the estimator has no such parameter.
    TypeError
        If ``estimator`` is a class or not an estimator, or a number is not an integer.

    See Also
    --------
    check_clusterer : Its ``check_memory_growth`` fails if memory grows faster than n^2.

    Notes
    -----
    A factor of 4 means linear growth, 16 quadratic. Constant costs of a small fit reduce it. Times
    vary from run to run, so no check depends on them; memory does not vary. Python traces the
    memory of the whole process: call this function from one thread only.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn_clustcompare.checks import measure_fit_growth
    >>> growth = measure_fit_growth(AgglomerativeClustering(), n_samples=200)
    >>> growth.n_samples, growth.memory_factor > 2
    ((200, 800), True)
    """
    positive_integer("n_samples", n_samples)
    positive_integer("n_fits", n_fits)
    subject = Subject(estimator, param_name, random_state)
    sizes = (n_samples, _FACTOR * n_samples)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        few, many = (
            min(_seconds(subject, n_objects) for _ in range(n_fits)) for n_objects in sizes
        )
        return FitGrowth(
            sizes, (few, many), (peak_bytes(subject, sizes[0]), peak_bytes(subject, sizes[1]))
        )


def _seconds(subject: Subject, n_samples: int) -> float:
    X, estimator = large_blobs(n_samples), subject.make()
    start = time.perf_counter()
    estimator.fit(X)
    return time.perf_counter() - start


def peak_bytes(subject: Subject, n_samples: int) -> int:
    """Return the peak memory of a fit above that before it, as traced by Python."""
    X = large_blobs(n_samples)
    subject.fit(X)  # what the first fit imports and keeps does not count
    estimator = subject.make()
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        subject.fit(X, estimator=estimator)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return max(peak - before, 1)
