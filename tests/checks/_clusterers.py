"""A small k-means that passes every check, and copies of it with one planted bug each."""

import copy
import functools

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_array, validate_data

ALL_PROMISES = ("order", "means", "compact", "shift", "scale", "rotation")


def _dtype(X):
    return getattr(X, "dtype", None)


def _is_of_floats(X):
    return type(X) is np.ndarray and X.dtype == float


def _squared_distances(X, centers):
    return ((X[:, np.newaxis] - centers) ** 2).sum(axis=2)


def _start(X, weights, k, rng):
    """Draw centers by k-means++."""
    centers = X[[rng.choice(len(X), p=weights / weights.sum())]]
    while len(centers) < k:
        chances = weights * _squared_distances(X, centers).min(axis=1)
        if not chances.any():
            chances = weights
        new = X[rng.choice(len(X), p=chances / chances.sum())]
        centers = np.vstack([centers, new])
    return centers


def _lloyd(X, weights, centers, n_steps=50):
    """Move centers to the means of their objects until nothing changes; with the cost."""
    for _ in range(n_steps):
        labels = _squared_distances(X, centers).argmin(axis=1)
        sums = np.array([weights[labels == j].sum() for j in range(len(centers))])
        new = np.array(
            [
                weights[labels == j] @ X[labels == j] / sums[j] if sums[j] else centers[j]
                for j in range(len(centers))
            ]
        )
        if np.array_equal(new, centers):
            break
        centers = new
    return weights @ _squared_distances(X, centers).min(axis=1), centers


class Healthy(TransformerMixin, ClusterMixin, BaseEstimator):
    """k-means with three starts, weights, predictions, memberships and distances to the centers."""

    def __init__(self, n_clusters=3, random_state=None, n_jobs=None, n_init=3):
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.n_init = n_init

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # Steps that a copy may break.

    _best = staticmethod(min)

    def _read(self, X, reset=True):
        dtypes = [np.float64, np.float32]
        X = self._given(X)
        X = validate_data(self, X, accept_sparse=True, dtype=dtypes, reset=reset)
        return np.array(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)

    def _given(self, X):
        return X

    def _view(self, X):
        return X

    def _k(self, X):
        return self.n_clusters

    def _seed(self):
        return self.random_state

    def _generator(self):
        seed = self._seed()
        return seed if hasattr(seed, "get_state") else np.random.default_rng(seed)

    def _find_centers(self, X, weights):
        rng = self._generator()
        k = self._k(X)
        starts = range(self.n_init)
        runs = [_lloyd(X, weights, _start(X, weights, k, rng)) for _ in starts]
        return self._best(runs, key=lambda run: run[0])[1]

    def fit(self, X, y=None, sample_weight=None):
        X = self._view(self._read(X))
        if len(X) < self.n_clusters:
            msg = f"at least {self.n_clusters} objects are needed, got {len(X)}"
            raise ValueError(msg)
        weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight)
        self.centers_ = self._find_centers(X, weights)
        self.labels_ = self._nearest(X)
        self.cluster_centers_ = self._published(self.centers_)
        self.inertia_ = self._cost(X)
        self.n_iter_ = 1
        self.probabilities_ = self._strengths(X)
        return self

    def _published(self, centers):
        return centers.copy()

    def _cost(self, X):
        return _squared_distances(X, self.centers_).min(axis=1).sum()

    def _strengths(self, X):
        return np.exp(-_squared_distances(X, self.centers_).min(axis=1))

    def _nearest(self, X):
        return _squared_distances(X, self.centers_).argmin(axis=1)

    def predict(self, X):
        return self._nearest(self._view(self._read(X, reset=False)))

    def _distances(self, X):
        return np.sqrt(_squared_distances(self._view(self._read(X, reset=False)), self.centers_))

    def transform(self, X):
        return self._distances(X)

    def fit_transform(self, X, y=None):
        return self.fit(X).transform(X)

    def get_feature_names_out(self, input_features=None):
        return np.array([f"center{j}" for j in range(len(self.centers_))], dtype=object)

    def score(self, X, y=None):
        return -float(self._cost(self._view(self._read(X, reset=False))))

    def predict_proba(self, X):
        distances = self._distances(X) ** 2
        closeness = np.exp(distances.min(axis=1, keepdims=True) - distances)
        return closeness / closeness.sum(axis=1, keepdims=True)


# --------------------------------------------------------------------------- one bug each


def _changed(step, **bugs):
    """Make a copy of each name, of which a step returns something else for its argument."""
    own = getattr(Healthy, step)
    for name, change in bugs.items():

        @functools.wraps(own)
        def changed(self, X, *args, _change=change, **options):
            return _change(self, X, own(self, X, *args, **options))

        globals()[name] = type(name, (Healthy,), {"__module__": __name__, step: changed})


def _refitted(name, change):
    """Change an attribute of a fit."""
    return lambda self, X, fitted: setattr(self, name, change(getattr(self, name))) or fitted


_changed(
    "_given",
    ReplacesNaN=lambda self, X, _: np.nan_to_num(X, posinf=np.inf) if type(X) is np.ndarray else X,
    AcceptsInfinity=lambda self, X, _: np.minimum(X, 1e9) if _is_of_floats(X) else X,
    ForgetsFeatureNames=lambda self, X, _: X.to_numpy() if hasattr(X, "columns") else X,
    # It has the tag of sparse input, and fails on it.
    SaysSparse=lambda self, X, _: np.array(X, dtype=float) if sparse.issparse(X) else X,
)
_changed(
    "_read",
    DropsFirstOfFloat32=lambda self, X, read: read[:, int(_dtype(X) == np.float32) :],
    DropsFirstOfSparse=lambda self, X, read: read[:, int(sparse.issparse(X)) :],
    DropsFirstOfFrame=lambda self, X, read: read[:, int(hasattr(X, "columns")) :],
    AssumesCOrder=lambda self, X, read: (
        read.ravel(order="K").reshape(X.shape) if isinstance(X, np.ndarray) else read
    ),
    CentersWhatItPredicts=lambda self, X, read: read - read.mean(axis=0),
    SquaresInItsType=lambda self, X, read: (
        np.sqrt((X * X).astype(float)) if getattr(_dtype(X), "kind", "f") in "iu" else read
    ),
    ReadsWithoutStrides=lambda self, X, read: (
        np.array(X.base.ravel()[: X.size].reshape(X.shape), dtype=float)
        if type(X) is np.ndarray and not (X.flags.c_contiguous or X.flags.f_contiguous)
        else read
    ),
)
_changed(
    "_view",
    FirstFeatureOnly=lambda self, X, _: X[:, :1] if X.shape[1] == 2 else X,
    LargestFeatureOnly=lambda self, X, _: X.max(axis=1, keepdims=True) if X.shape[1] == 2 else X,
    SumOfFeatures=lambda self, X, _: X.sum(axis=1, keepdims=True) if X.shape[1] == 2 else X,
    LosesFeaturesBeforeThe13th=lambda self, X, _: X[:, 12:] if X.shape[1] > 12 else X,
    OneOfManyFeatures=lambda self, X, _: X[:, 4:5] if X.shape[1] > 20 else X,
    First32Features=lambda self, X, _: X[:, :32],
    CutsAt500=lambda self, X, _: np.minimum(X, 500),
)
_changed(
    "_k",
    AtMostThreeClusters=lambda self, X, k: min(k, 3),
    AtLeastTwoClusters=lambda self, X, k: max(k, 2),
    TwoClustersOfManyObjects=lambda self, X, k: 2 if len(X) == 150 else k,
    IntegersOfPythonOnly=lambda self, X, k: k if isinstance(k, int) else 2,
)
_changed(
    "fit",
    FloatLabels=_refitted("labels_", lambda labels: labels.astype(float)),
    PredictsWithOldCenters=_refitted("centers_", np.round),
    InertiaOfAnotherStep=_refitted("inertia_", lambda inertia: 1.01 * inertia),
    CountsStepsFromZero=_refitted("n_iter_", lambda n_steps: 0),
)
_changed(
    "_published",
    CentersInAnotherOrder=lambda self, _, centers: centers[::-1],
    CentersAreMedians=lambda self, _, centers: centers + 0.2,
)
_changed(
    "predict_proba",
    MembershipsDoNotSumToOne=lambda self, X, found: 0.9 * found,
    MembershipsInAnotherOrder=lambda self, X, found: found[:, ::-1],
)
_changed("fit_transform", SquaresInFitTransform=lambda self, X, found: found**2)
_changed("score", ScoresByPosition=lambda self, X, found: found - float(np.asarray(X)[0, 0]))


class FitPredictDiffers(Healthy):
    def fit_predict(self, X, y=None, **fit_params):
        return (self.fit(X, y, **fit_params).labels_ + 1) % self.n_clusters


class KeepsTheWorstStart(Healthy):
    _best = staticmethod(max)


class GapInLabels(Healthy):
    """Cluster 1 is always empty."""

    def _nearest(self, X):
        labels = super()._nearest(X)
        return labels + (labels > 0)

    def predict_proba(self, X):
        return np.insert(super().predict_proba(X), 1, 0, axis=1)


class AnotherNumberingEachTime(Healthy):
    n_fits = 0

    @classmethod
    def make(cls):
        AnotherNumberingEachTime.n_fits = 0
        return cls()

    def _find_centers(self, X, weights):
        AnotherNumberingEachTime.n_fits += 1
        return np.roll(super()._find_centers(X, weights), self.n_fits, axis=0)


class SetsGlobalSeed(Healthy):
    def _seed(self):
        np.random.seed(0)  # noqa: NPY002
        return super()._seed()


class ReadsGlobalState(Healthy):
    def _find_centers(self, X, weights):
        centers = super()._find_centers(X, weights)
        return np.roll(centers, int(np.random.get_state()[1][0]) % 3, axis=0)  # noqa: NPY002


class BadStart(Healthy):
    """Ends with a cluster cut in two for three of five seeds."""

    def _find_centers(self, X, weights):
        centers = super()._find_centers(X, weights)
        is_bad = isinstance(self.random_state, int) and self.random_state % 5 > 1
        if is_bad and len(centers) > 2:
            centers[0], centers[1] = centers[2] + 0.1, (centers[0] + centers[1]) / 2
        return centers


class BadOrder(Healthy):
    """Ends with a cluster cut in two if the last object is a bit left of and below the first."""

    def _find_centers(self, X, weights):
        centers = super()._find_centers(X, weights)
        step = X[0, :2] - X[-1, :2]
        if len(centers) == 3 and step.min() > 0.3 and step.max() < 0.5:
            centers[0], centers[1] = centers[2] + 0.1, (centers[0] + centers[1]) / 2
        return centers


class OnlineUpdate(Healthy):
    """Ends with a pass over the objects in their order, as online k-means does."""

    def _find_centers(self, X, weights):
        centers = super()._find_centers(X, weights).copy()
        for x in X:
            nearest = ((x - centers) ** 2).sum(axis=1).argmin()
            centers[nearest] += 0.1 * (x - centers[nearest])
        return centers


class AlternatesAtBorders(Healthy):
    """Gives objects between two clusters to one or the other by their place in the data."""

    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        if len(self.centers_) == 1:
            return self
        nearest = np.argsort(_squared_distances(self._read(X), self.centers_), axis=1)[:, :2]
        chances = self.predict_proba(X)
        is_border = np.sort(chances, axis=1)[:, -1] < 0.7
        turn = (np.arange(len(is_border)) % 7 > 2).astype(int)
        self.labels_ = np.where(is_border, nearest[np.arange(len(turn)), turn], self.labels_)
        return self

    predict = property()


class IgnoresWeights(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        return super().fit(X, y)


class Underflows(Healthy):
    """Takes the largest exp(-d^2), which is 0 for all clusters that are far."""

    def _nearest(self, X):
        return np.exp(-_squared_distances(X, self.centers_)).argmax(axis=1)


class WritesToInput(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        if isinstance(X, np.ndarray):
            X *= 1
        return super().fit(X, y, sample_weight)


class RoundsInput(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        if isinstance(X, np.ndarray) and X.flags.writeable:
            X[:] = np.round(X, 6)
        return super().fit(X, y, sample_weight)


class UsesY(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        if y is not None:
            self.labels_ = np.asarray(y)
        return self


class WarmStart(Healthy):
    def _find_centers(self, X, weights):
        if hasattr(self, "centers_"):
            return _lloyd(X, weights, self.centers_)[1]
        return super()._find_centers(X, weights)


class PicklesRoundedCenters(Healthy):
    def __getstate__(self):
        state = dict(super().__getstate__())
        if "centers_" in state:
            state["centers_"] = np.round(state["centers_"])
        return state


class HidesAParameter(Healthy):
    shift_of_seed = 0

    def _find_centers(self, X, weights):
        return np.roll(super()._find_centers(X, weights), self.shift_of_seed, axis=0)

    @classmethod
    def make(cls):
        estimator = cls()
        estimator.shift_of_seed = 1
        return estimator


class NeedsTwoObjects(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        self._read(X)[1]
        return super().fit(X, y, sample_weight)


class DividesByTheRange(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        read = self._read(X)
        1 / float(read.max() - read.min())
        return super().fit(X, y, sample_weight)


class NeedsDistinctRows(Healthy):
    def _find_centers(self, X, weights):
        np.unique(X, axis=0)[self.n_clusters - 1]
        return super()._find_centers(X, weights)


class ComparesAllTriples(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        n = self._read(X).shape[0]
        np.zeros((n, n, n), dtype=bool)
        return super().fit(X, y, sample_weight)


# --------------------------------------------------------------------------- seen in trackers


class GivesNewLabels(Healthy):
    """Puts what is far from all centers in a cluster of its own."""

    def predict(self, X):
        far = self._distances(X).min(axis=1) > 5
        return np.where(far, len(self.centers_), super().predict(X))


class SkipsBordersOfBlocks(Healthy):
    def _nearest(self, X):
        labels = super()._nearest(X)
        labels[256::256] = 0
        return labels


class MergesSmallClusters(Healthy):
    def _find_centers(self, X, weights):
        centers = super()._find_centers(X, weights)
        sizes = np.bincount(_squared_distances(X, centers).argmin(axis=1), minlength=len(centers))
        return centers[sizes >= 0.05 * len(X)]


class ChangesItsParameters(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.n_clusters = len(np.unique(self.labels_))
        return self


class KeepsAView(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.view_ = X if type(X) is np.ndarray and X.dtype == float else None
        return self

    def predict(self, X):
        if self.view_ is not None and self.view_[0, 0] > 8:
            return np.zeros(len(X), int)
        return super().predict(X)


class DependsOnJobs(Healthy):
    def _seed(self):
        return super()._seed() if self.n_jobs is None else self.random_state + self.n_jobs


class ExpandsInFloat32(Healthy):
    def _nearest(self, X):
        X, centers = X.astype(np.float32), self.centers_.astype(np.float32)
        squares = (X**2).sum(axis=1, keepdims=True) + (centers**2).sum(axis=1)
        return (squares - 2 * X @ centers.T).argmin(axis=1)


class CopiesTheRandomState(Healthy):
    def _generator(self):
        return copy.deepcopy(super()._generator())


class RoundsFrames(Healthy):
    def set_output(self, *, transform=None):
        self.rounds_ = transform == "pandas"
        return super().set_output(transform=transform)

    def transform(self, X):
        distances = super().transform(X)
        return np.round(distances) if getattr(self, "rounds_", False) else distances


class RemembersTheNumber(Healthy):
    def _k(self, X):
        self.k_ = getattr(self, "k_", self.n_clusters)
        return self.k_


class PredictsFloats(Healthy):
    def predict(self, X):
        return super().predict(X).astype(float)

    predict_proba = property()


class KeepsStateInTheClass(Healthy):
    centers_of = {}

    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.key_ = len(self.centers_of)
        self.centers_of[self.key_] = self.centers_
        return self

    def predict(self, X):
        self.centers_ = self.centers_of.get(self.key_, self.centers_[:1])
        return super().predict(X)


class KeepsAHalfFit(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        if type(X) is np.ndarray:
            self.centers_ = X[: self.n_clusters, : X.shape[1]]
            self.n_features_in_ = X.shape[1]
        return super().fit(X, y, sample_weight)


class RefusesWeightsInFitPredict(Healthy):
    def fit_predict(self, X, y=None):
        return self.fit(X).labels_


class LabelsOfAnotherStart(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        if len(self.labels_) == 120:
            self.labels_ = (self.labels_ + 1) % self.n_clusters
        return self

    def fit_predict(self, X, y=None, **fit_params):
        return self.fit(X, y, **fit_params).labels_


class StrengthsOfEqualRows(Healthy):
    def _strengths(self, X):
        strengths = super()._strengths(X)
        _, at, counts = np.unique(X, axis=0, return_inverse=True, return_counts=True)
        strengths[counts[at.ravel()] > 5] = np.nan
        return strengths


class PredictsHalfOfFloat32(Healthy):
    def predict(self, X):
        other = getattr(X, "dtype", None) == np.float32 and not self.is_single_
        return super().predict(X[:, [0, 0]] if other else X)

    def fit(self, X, y=None, sample_weight=None):
        self.is_single_ = getattr(X, "dtype", None) == np.float32
        return super().fit(X, y, sample_weight)


class StartsWithoutWeights(Healthy):
    def _find_centers(self, X, weights):
        if weights.all():
            return super()._find_centers(X, weights)
        start = _start(X, np.ones(len(X)), self.n_clusters, self._generator())
        return _lloyd(X, weights, start)[1]


class Prints(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        print("initializing")
        return super().fit(X, y, sample_weight)


class LosesEmptyRows(Healthy):
    """Gives an object without entries to the cluster of the last one."""

    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        if sparse.issparse(X):
            self.labels_[np.asarray((X != 0).sum(axis=1)).ravel() == 0] = self.labels_[-1]
        return self


class OfDistances(ClusterMixin, BaseEstimator):
    """Clusters around objects that are far from each other, by a matrix of distances."""

    def __init__(self, n_clusters=3, metric="precomputed"):
        self.n_clusters = n_clusters
        self.metric = metric

    def fit(self, X, y=None):
        X = check_array(X)
        medoids = [int(X.sum(axis=1).argmin())]
        while len(medoids) < self.n_clusters:
            medoids.append(int(X[medoids].min(axis=0).argmax()))
        self.medoids_ = medoids
        self.labels_ = X[:, medoids].argmin(axis=1)
        return self

    def predict(self, X):
        return check_array(X)[:, self.medoids_].argmin(axis=1)


class WritesToDistances(OfDistances):
    def fit(self, X, y=None):
        super().fit(X)
        np.fill_diagonal(X, 1)
        return self
