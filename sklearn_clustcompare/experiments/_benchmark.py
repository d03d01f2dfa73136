"""Many clusterers on many data sets: fit, score, rank."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Any

import numpy as np

from sklearn_clustcompare._chance.draws import task_seeds
from sklearn_clustcompare._parameters import RandomStateLike, one_of, positive_integer
from sklearn_clustcompare._partition import Reading, read
from sklearn_clustcompare._partition.ids import check_same_objects, index_of
from sklearn_clustcompare._partition.options import PartitionLike
from sklearn_clustcompare.experiments._fit_file import Fit, FitFile
from sklearn_clustcompare.experiments._fits import fit, wanted
from sklearn_clustcompare.experiments._result import BenchmarkResult
from sklearn_clustcompare.experiments._scoring import Case, Scoring, score
from sklearn_clustcompare.without_reference._fit_tasks import keep_fits, run_fits

# The name of the reference where a data set has one only.
_ONLY = "reference"


def benchmark_clusterers(
    estimators: Mapping[str, Any],
    datasets: Mapping[str, Any],
    indices: Any,
    *,
    references: str = "max",
    n_clusters: str | None = None,
    n_repeats: int = 1,
    path: str | os.PathLike[str] | None = None,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    confidence_level: float | None = None,
    n_resamples: int = 999,
    random_state: RandomStateLike = 0,
    error_score: float | str = math.nan,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> BenchmarkResult:
    """Fit many clusterers to many data sets, and score what they find.

    Each clusterer is cloned and fitted to each data set, and its labels are scored by all indices
    with all references of the data set. The result is a long table, and ranks the clusterers.

    Parameters
    ----------
    estimators : dict of str to estimator
        Clusterers of scikit-learn's kind, or pipelines with one at their end.
    datasets : dict of str to tuple (X, labels_true)
        Features, as the estimators take them, and labels of the :term:`reference`; or several
        references of the same objects, as a dict of their names to labels. ``labels_true`` may be
        None if all indices need the data.
    indices : str, callable, Index, list of these or dict
        One :term:`index` or several, see :func:`list_indices`; the first one decides by default. A
        dict of names to ``(index, parameters)`` computes one index with several parameters.
    references : {"max", "mean"}, default="max"
        What the score on a data set with several references is: the best value, which is the
        lowest one of a distance, or the mean of the values.
    n_clusters : {"reference", None}, default=None
        "reference" sets the number of clusters of each estimator that has such a parameter
        (``n_clusters`` or ``n_components``, that of the last step of a pipeline) to the number of
        clusters in the reference, without noise unless ``noise`` is "cluster". For references of
        different numbers of clusters it is fitted several times. None leaves estimators as they
        are.
    n_repeats : int, default=1
        How often each estimator that has a ``random_state`` is fitted, each time with another seed.
        Others are fitted once.
    path : str or path-like, default=None
        A file in which each fit is kept as soon as it is finished; None keeps them in memory only.
        If it exists, the fits in it are not made again; ``random_state`` must then be the same as
        before, or None.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.
    confidence_level : float or None, default=None
        Level of the intervals of all values, between 0 and 1; None computes none.
    n_resamples : int, default=999
        Number of half samples, at least 2; drawn for indices with maxima or thresholds only.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    error_score : "raise" or float, default=nan
        Treatment of a fit or a score that fails: the error is raised, or the value is this
        number, with a warning and with the error in the table.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the indices, such as ``q=0.5``; each goes to those that take it.

    Returns
    -------
    BenchmarkResult
        With ``records``, ``to_frame()``, ``scores()`` and ``rank()``.

    Raises
    ------
    ValueError
        If an index is unknown, a parameter is out of its range, a reference cannot be read or does
        not fit its data, or the file is none of this function, is damaged, is in use by another
        call, or was started with other estimators, data or another random state. With a file, if a
        parameter of an estimator cannot be hashed, or is a function that cannot be imported from a
        module.
    TypeError
        If names are no strings, or estimators or data sets are no dicts. With a file, if labels are
        no numbers, booleans or strings.
    RuntimeError
        If a worker process died. What was finished before is in the file.

    Warns
    -----
    UserWarning
        If fits or scores failed. If the file was started with another version of scikit-learn.
    UndefinedMetricWarning
        If a value is undefined.

    See Also
    --------
    benchmark_partitions : Scores existing partitions.
    rank_methods : Ranks and tests for any table.
    CriticalDifferenceDisplay : Draws the ranks.

    Notes
    -----
    Every ``random_state`` of the estimators is set from the one given here. The seed of a fit
    depends on it, the names of the data set and of the estimator and the number of the repeat only.
    So more estimators, data sets and repeats can be added to a file, and other indices be computed,
    without fitting anything again; fits that failed are tried again. A file keeps the parameters of
    the estimators, arrays and other objects by their hash and functions by their name, and a hash
    of the features: if they differ, an error names what differs. It is written by the calling
    process alone, and a second call that is given the file meanwhile is an error.

    The time of a fit is that of the fit alone, in one thread. To compare times, use ``n_jobs=1`` on
    an idle machine.

    ``n_clusters="reference"``, ``references="max"`` and ``noise="drop"`` are the rules of
    Gagolewski's benchmark [1]_; relabel noise of the references as -1 first.

    References
    ----------
    .. [1] M. Gagolewski, "A framework for benchmarking clustering algorithms", SoftwareX 20, 2022,
       :doi:`10.1016/j.softx.2022.101270`.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering, KMeans
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn_clustcompare import benchmark_clusterers
    >>> result = benchmark_clusterers(
    ...     {"k-means": KMeans(n_init=3), "ward": AgglomerativeClustering()},
    ...     {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)},
    ...     "adjusted_rand_score",
    ...     n_clusters="reference",
    ...     random_state=0,
    ... )
    >>> result.scores().round(2)
    array([[0.73, 0.73],
           [0.37, 0.37]])
    >>> [record["n_clusters"] for record in result.records]
    [3, 3, 3, 3]
    """
    scoring = Scoring.read(
        indices,
        params,
        references=references,
        reading=Reading(noise=noise, noise_label=noise_label, missing=missing),
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        error_score=error_score,
    )
    one_of("reference", None)("n_clusters", n_clusters)
    positive_integer("n_repeats", n_repeats)
    _check_names(estimators, "estimators")
    _check_names(datasets, "datasets")
    _check_fits(estimators, datasets)
    features = {
        name: X if hasattr(X, "shape") else np.asarray(X) for name, (X, _) in datasets.items()
    }
    named = {
        name: _named_references(labels, name, scoring, features[name])
        for name, (_, labels) in datasets.items()
    }
    reading = None if n_clusters is None else scoring.reading
    all_wanted = list(wanted(estimators, named, reading, n_repeats))
    _, (entropy,) = task_seeds(1, 1, random_state)
    file = (
        nullcontext()
        if path is None
        else FitFile(path, entropy, random_state is not None, estimators, features)
    )
    with file as kept:
        fits = {}
        if kept is not None:
            entropy = kept.entropy
            fits = {task: done for task, done in kept.fits.items() if done.error is None}
        tasks = [
            (
                task,
                estimators[task.estimator],
                features[task.dataset],
                entropy,
                error_score == "raise",
            )
            for task in dict.fromkeys(one.task for one in all_wanted)
            if task not in fits
        ]

        def keep(found: Fit) -> None:
            fits[found.task] = found
            if kept is not None:
                kept.add(found)

        keep_fits(fit, tasks, keep, n_jobs=n_jobs, verbose=verbose, description="fits")
    cases = [
        Case(
            task.dataset,
            task.estimator,
            task.repeat,
            reference,
            named[task.dataset][reference],
            fits[task].labels,
            fits[task].seconds,
            fits[task].error,
            features[task.dataset],
        )
        for task, reference in all_wanted
    ]
    found = run_fits(
        score,
        scoring.tasks(cases, entropy),
        n_jobs=n_jobs,
        verbose=verbose,
        description="scores",
    )
    return scoring.result(cases, found, list(datasets), list(estimators))


def benchmark_partitions(
    labels_true: Mapping[str, Any],
    partitions: Mapping[str, Mapping[str, Any]],
    indices: Any,
    *,
    X: Mapping[str, Any] | None = None,
    references: str = "max",
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    confidence_level: float | None = None,
    n_resamples: int = 999,
    random_state: Any = 0,
    error_score: float | str = math.nan,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> BenchmarkResult:
    """Score what several methods have found on many data sets.

    Use it for existing partitions, such as published results: nothing is fitted.

    Parameters
    ----------
    labels_true : dict of str to labels or dict
        For each data set, labels or memberships of the :term:`reference`; or several references of
        the same objects, as a dict of their names to such.
    partitions : dict of str to dict
        For each data set, a dict of the names of the methods to labels or memberships; the methods
        are the same for all data sets. Where a method has another partition for each reference,
        such as one of as many clusters, it is a dict of the names of the references to partitions.
        None is a method that has failed.
    indices : str, callable, Index, list of these or dict
        One :term:`index` or several, see :func:`list_indices`; the first one decides by default. A
        dict of names to ``(index, parameters)`` computes one index with several parameters.
    X : dict of str to array-like, default=None
        For each data set the data, for indices that need them; ``labels_true`` may have None
        instead of a reference if all indices do.
    references : {"max", "mean"}, default="max"
        What the score on a data set with several references is: the best value, which is the
        lowest one of a distance, or the mean of the values.
    noise : {"cluster", "singletons", "drop"}, default="cluster"
        How to treat objects with the label of :term:`noise`: as one cluster, as a cluster each, or
        leave them out.
    noise_label : hashable or collection of them, default=-1
        :term:`Label of noise <noise_label>` on either side, or several; they need not occur.
    missing : {"error", "drop", "cluster"}, default="error"
        How to treat objects whose label is :term:`missing`: raise an error, leave them out, or take
        them as one cluster.
    confidence_level : float or None, default=None
        Level of the intervals of all values, between 0 and 1; None computes none.
    n_resamples : int, default=999
        Number of half samples, at least 2; drawn for indices with maxima or thresholds only.
    random_state : int, RandomState, Generator, SeedSequence or None, default=0
        :term:`Source of randomness <random_state>`.
    error_score : "raise" or float, default=nan
        Treatment of a partition that cannot be scored: the error is raised, or the value is this
        number, with a warning and with the error in the table.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the indices, such as ``q=0.5``; each goes to those that take it.

    Returns
    -------
    BenchmarkResult
        With ``records``, ``to_frame()``, ``scores()`` and ``rank()``.

    Raises
    ------
    ValueError
        If an index is unknown, a parameter is out of its range, a reference cannot be read, or data
        sets, methods or references do not fit together.
    TypeError
        If names are no strings, or an argument is no dict.

    Warns
    -----
    UserWarning
        If methods or scores failed.
    UndefinedMetricWarning
        If a value is undefined.

    See Also
    --------
    benchmark_clusterers : Fits clusterers first.
    score_candidates : Many partitions of one data set.

    Examples
    --------
    >>> from sklearn_clustcompare.experiments import benchmark_partitions
    >>> result = benchmark_partitions(
    ...     {"first": [0, 0, 1, 1], "second": {"coarse": [0, 0, 0, 1], "fine": [0, 1, 1, 2]}},
    ...     {
    ...         "first": {"a": [1, 1, 0, 0], "b": [0, 1, 0, 1]},
    ...         "second": {"a": [0, 1, 1, 2], "b": [0, 0, 1, 1]},
    ...     },
    ...     "rand_score",
    ... )
    >>> result
    BenchmarkResult: 2 estimators on 2 data sets by rand_score
    estimator  mean rank  mean score  failed  seconds
    a                  1      1.0000       0        -
    b                  2      0.4167       0        -
    """
    scoring = Scoring.read(
        indices,
        params,
        references=references,
        reading=Reading(noise=noise, noise_label=noise_label, missing=missing),
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        error_score=error_score,
    )
    _check_names(labels_true, "labels_true")
    _check_names(partitions, "partitions")
    if X is not None:
        _check_names(X, "X")
        if X.keys() != labels_true.keys():
            msg = (
                "X must have the data sets of labels_true, "
                f"{', '.join(map(repr, labels_true))}; got {', '.join(map(repr, X))}"
            )
            raise ValueError(msg)
    if partitions.keys() != labels_true.keys():
        msg = (
            "partitions must have the data sets of labels_true, "
            f"{', '.join(map(repr, labels_true))}; got {', '.join(map(repr, partitions))}"
        )
        raise ValueError(msg)
    for dataset, found in partitions.items():
        _check_names(found, f"partitions[{dataset!r}]")
    methods = list(next(iter(partitions.values())))
    cases = [
        case
        for dataset, labels in labels_true.items()
        for case in _cases_of(
            dataset,
            _named_references(labels, dataset, scoring),
            partitions[dataset],
            methods,
            None if X is None else X[dataset],
        )
    ]
    _, (entropy,) = task_seeds(1, 1, random_state)
    scored = run_fits(
        score,
        scoring.tasks(cases, entropy),
        n_jobs=n_jobs,
        verbose=verbose,
        description="scores",
    )
    return scoring.result(cases, scored, list(labels_true), methods)


# --------------------------------------------------------------------------- arguments


def _check_names(given: Any, argument: str) -> None:
    if not isinstance(given, Mapping):
        msg = f"{argument} must be a dict, with names as keys, got {type(given).__name__}"
        raise TypeError(msg)
    if not given:
        msg = f"{argument} must not be empty, got an empty dict"
        raise ValueError(msg)
    for name in given:
        if not isinstance(name, str):
            msg = f"{argument} must have strings as keys, got {name!r}"
            raise TypeError(msg)


def _check_fits(estimators: Mapping[str, Any], datasets: Mapping[str, Any]) -> None:
    for name, estimator in estimators.items():
        if not hasattr(estimator, "get_params") or isinstance(estimator, type):
            msg = f"estimators[{name!r}] must be an estimator, got {estimator!r:.80}"
            raise TypeError(msg)
    for name, dataset in datasets.items():
        if not isinstance(dataset, tuple | list) or len(dataset) != 2:
            msg = f"datasets[{name!r}] must be a tuple (X, labels_true), got {dataset!r:.80}"
            raise TypeError(msg)


def _named_references(
    labels: PartitionLike, dataset: str, scoring: Scoring, X: Any = None
) -> dict[str, Any]:
    """Return the references of a data set by name; raise an error if one cannot be read."""
    title = f"labels_true of {dataset!r}"
    if labels is None and not scoring.compares:
        return {_ONLY: None}
    if isinstance(labels, Mapping):
        _check_names(labels, title)
        named = {name: (one, f"reference {name!r} in {title}") for name, one in labels.items()}
    else:
        named = {_ONLY: (labels, title)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Scores warn of the same.
        read_references = [read(one, name, scoring.reading) for one, name in named.values()]
    for partition in read_references:
        n_objects = read_references[0].n_objects if X is None else X.shape[0]
        if partition.n_objects != n_objects:
            msg = (
                f"{partition.name} must have a label for each of {n_objects} objects, got "
                f"{partition.n_objects}"
            )
            raise ValueError(msg)
        check_same_objects(index_of(X), partition.ids, (f"X of {dataset!r}", partition.name))
    return {name: one for name, (one, _) in named.items()}


def _cases_of(
    dataset: str, references: dict[str, Any], found: Any, methods: list[str], X: Any
) -> Iterator[Case]:
    """Bring what was found on a data set together with its references."""
    if set(found) != set(methods):
        msg = (
            f"partitions[{dataset!r}] must have the methods of the other data sets, "
            f"{', '.join(map(repr, methods))}; got {', '.join(map(repr, found))}"
        )
        raise ValueError(msg)
    for method in methods:
        labels = found[method]
        if isinstance(labels, Mapping) and labels.keys() != references.keys():
            msg = (
                f"partitions[{dataset!r}][{method!r}] must be a partition, or one for each of the "
                f"references {', '.join(map(repr, references))}; got {', '.join(map(repr, labels))}"
            )
            raise ValueError(msg)
        for reference, truth in references.items():
            one = labels[reference] if isinstance(labels, Mapping) else labels
            error = "the method has no partition" if one is None else None
            yield Case(dataset, method, 0, reference, truth, one, math.nan, error, X)
