"""The sampling error of one score."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from sklearn_clustcompare._parameters import probability, random_source
from sklearn_clustcompare._partition import Reading
from sklearn_clustcompare._rendering import Shown, decimals
from sklearn_clustcompare.indices import Index, reference_index
from sklearn_clustcompare.indices._chosen import Chosen
from sklearn_clustcompare.significance._joint_cells import joint_cells
from sklearn_clustcompare.significance._resampling import several_resamples
from sklearn_clustcompare.significance._sampling_errors import sampling_errors


@dataclass(frozen=True, repr=False)
class ScoreInterval(Shown):
    """A score with a confidence interval; made by :func:`score_interval`.

    All parameters are attributes of the same names, which cannot be set.

    Parameters
    ----------
    index : Index
        Record of the index.
    score : float
        Its value for all objects.
    interval : tuple of float
        Lower and upper end of the confidence interval; the score lies between them.
    standard_error : float
        Estimated standard deviation of the score from one sample of objects to the next.
    confidence_level : float
        Level of the interval, between 0 and 1.
    n_samples : int
        Number of objects.

    See Also
    --------
    score_interval : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import ScoreInterval, get_index
    >>> ScoreInterval(get_index("adjusted_rand_score"), 0.7, (0.6, 0.8), 0.05, 0.95, 100)
    ScoreInterval: adjusted_rand_score 0.7, 95 % interval 0.6 to 0.8 (100 objects)
    """

    index: Index
    score: float
    interval: tuple[float, float]
    standard_error: float
    confidence_level: float
    n_samples: int

    def _headline(self) -> str:
        score, low, high = decimals([self.score, *self.interval])
        return (
            f"ScoreInterval: {self.index.name} {score}, {100 * self.confidence_level:g} % interval "
            f"{low} to {high} ({self.n_samples} objects)"
        )


def score_interval(
    labels_true: Any,
    labels_pred: Any,
    *,
    index: str | Index,
    confidence_level: float = 0.95,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    noise: str = "cluster",
    noise_label: Any = -1,
    missing: str = "error",
    n_resamples: int = 999,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    **params: Any,
) -> ScoreInterval:
    """Compute a score and its confidence interval.

    The interval shows how much the score would change for other objects from the same population.
    The objects are resampled, each with both of its labels. The clusterings are taken as fixed: the
    interval does not include how the result of a clusterer depends on the data.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,) or (n_samples, n_clusters)
        Labels of any hashable kind, or memberships of soft partitions; at least 4 objects.
    index : str or Index
        The :term:`index`, by its name (see :func:`list_indices`) or as your own record.
    confidence_level : float, default=0.95
        Level of the interval, between 0 and 1.
    n_resamples : int, default=999
        Number of half samples of the objects, at least 2.
    random_state : int, RandomState, Generator, SeedSequence or None, default=None
        :term:`Source of randomness <random_state>`.
    n_jobs : int, default=None
        :term:`Number of parallel jobs <n_jobs>`; the result does not depend on it.
    verbose : int, default=0
        Whether to show progress on stderr.
    **params : dict
        Parameters of the index.

    Returns
    -------
    ScoreInterval
        With ``score``, ``interval``, ``standard_error``, ``confidence_level``, ``index`` and
        ``n_samples``.

    Raises
    ------
    ValueError
        If labels or parameters are invalid, or the index is not finite for a half sample.
    TypeError
        If a parameter is of the wrong type, or the index does not take it.

    See Also
    --------
    paired_comparison_test : The difference between two candidates, with an interval.
    independence_test : Test whether two partitions agree more than random ones.

    Notes
    -----
    Half of the objects are drawn repeatedly without replacement. The standard deviation of the
    index over these half samples, scaled for the objects left out, is the standard error (the
    delete-d jackknife [1]_ [2]_), and the interval follows from Student's t distribution. For
    labels it is cut off at the ends of the range of the index. The standard error is biased
    upwards: for independent partitions it is up to 1.7 times too large, and the interval then
    covers zero more often than its level.

    The interval is for the mean of the index over samples of the same size. Indices that are not
    adjusted for chance are higher for few objects than for many (distances such as the variation of
    information lower), by an amount that is proportional to 1 / n_samples and grows with the number
    of clusters. For 4 x 4 clusters and 200 objects it is half a standard error of the normalized
    mutual information and of the variation of information, and much less for purity and for
    pair-counting indices. The adjusted mutual information also has such a bias if partitions agree
    and clusters are small.

    References
    ----------
    .. [1] J. Shao, C. F. J. Wu, "A general theory for jackknife variance estimation", Annals of
       Statistics 17(3), 1989, :doi:`10.1214/aos/1176347263`.
    .. [2] D. N. Politis, J. P. Romano, "Large sample confidence regions based on subsamples under
       minimal assumptions", Annals of Statistics 22(4), 1994, :doi:`10.1214/aos/1176325770`.

    Examples
    --------
    >>> from sklearn_clustcompare import score_interval
    >>> truth = [0] * 50 + [1] * 50
    >>> found = [0] * 45 + [1] * 52 + [0] * 3
    >>> result = score_interval(truth, found, index="adjusted_rand_score", random_state=0)
    >>> low, high = result.interval
    >>> round(result.score, 3), 0.5 < low < result.score < high < 0.9
    (0.703, True)
    """
    record = reference_index(index)
    record.check_parameters(**params)
    probability("confidence_level", confidence_level)
    several_resamples("n_resamples", n_resamples)
    random_source(random_state)
    reading = Reading(noise=noise, noise_label=noise_label, missing=missing)
    names = ("labels_true", "labels_pred")
    cells = joint_cells((labels_true, labels_pred), names, sample_weight, groups, reading)
    (errors,) = sampling_errors(
        cells,
        (Chosen(record.name, record, params),),
        n_resamples=n_resamples,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    low, high = errors.check_finite().intervals(confidence_level)[0].tolist()
    for caution in errors.cautions(0):
        warnings.warn(f"the interval may not hold: {caution}", UserWarning, stacklevel=2)
    return ScoreInterval(
        record,
        float(errors.values[0]),
        (low, high),
        float(errors.standard_errors[0]),
        confidence_level,
        cells.n_samples,
    )
