"""A small k-means that passes every check, and copies of it with one planted bug each."""

import copy

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_array, validate_data

ALL_PROMISES = ("order", "means", "compact", "shift", "scale", "rotation")


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
        X = validate_data(self, X, accept_sparse=True, dtype=dtypes, reset=reset)
        return np.array(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)

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


class FitPredictDiffers(Healthy):
    def fit_predict(self, X, y=None, **fit_params):
        return (self.fit(X, y, **fit_params).labels_ + 1) % self.n_clusters


class KeepsTheWorstStart(Healthy):
    _best = staticmethod(max)


class FloatLabels(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.labels_ = self.labels_.astype(float)
        return self


class GapInLabels(Healthy):
    """Cluster 1 is always empty."""

    def _nearest(self, X):
        labels = super()._nearest(X)
        return labels + (labels > 0)

    def predict_proba(self, X):
        return np.insert(super().predict_proba(X), 1, 0, axis=1)


class AtMostThreeClusters(Healthy):
    def _k(self, X):
        return min(self.n_clusters, 3)


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


class FirstFeatureOnly(Healthy):
    def _view(self, X):
        return X[:, :1] if X.shape[1] == 2 else X


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


class CutsAt500(Healthy):
    def _view(self, X):
        return np.minimum(X, 500)


class Underflows(Healthy):
    """Takes the largest exp(-d^2), which is 0 for all clusters that are far."""

    def _nearest(self, X):
        return np.exp(-_squared_distances(X, self.centers_)).argmax(axis=1)


class SumOfFeatures(Healthy):
    def _view(self, X):
        return X.sum(axis=1, keepdims=True) if X.shape[1] == 2 else X


class DropsFirstOfFloat32(Healthy):
    def _read(self, X, reset=True):
        read = super()._read(X, reset)
        return read[:, 1:] if getattr(X, "dtype", None) == np.float32 else read


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


class AssumesCOrder(Healthy):
    def _read(self, X, reset=True):
        read = super()._read(X, reset)
        return read.ravel(order="K").reshape(X.shape) if isinstance(X, np.ndarray) else read


class DropsFirstOfSparse(Healthy):
    def _read(self, X, reset=True):
        read = super()._read(X, reset)
        return read[:, 1:] if sparse.issparse(X) else read


class DropsFirstOfFrame(Healthy):
    def _read(self, X, reset=True):
        read = super()._read(X, reset)
        return read[:, 1:] if hasattr(X, "columns") else read


class UsesY(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        if y is not None:
            self.labels_ = np.asarray(y)
        return self


class PredictsWithOldCenters(Healthy):
    """Predicts with centers that were rounded, and labels with those that were not."""

    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.centers_ = np.round(self.centers_)
        return self


class CentersWhatItPredicts(Healthy):
    def _read(self, X, reset=True):
        read = super()._read(X, reset)
        return read - read.mean(axis=0)


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


class MembershipsDoNotSumToOne(Healthy):
    def predict_proba(self, X):
        return super().predict_proba(X) * 0.9


class MembershipsInAnotherOrder(Healthy):
    def predict_proba(self, X):
        return super().predict_proba(X)[:, ::-1]


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


class ReplacesNaN(Healthy):
    def _read(self, X, reset=True):
        return super()._read(np.nan_to_num(X, posinf=np.inf) if type(X) is np.ndarray else X, reset)


class LargestFeatureOnly(Healthy):
    def _view(self, X):
        return X.max(axis=1, keepdims=True) if X.shape[1] == 2 else X


class TwoClustersOfManyObjects(Healthy):
    def _k(self, X):
        return 2 if len(X) == 150 else self.n_clusters


class LosesFeaturesBeforeThe13th(Healthy):
    def _view(self, X):
        return X[:, 12:] if X.shape[1] > 12 else X


class OneOfManyFeatures(Healthy):
    def _view(self, X):
        return X[:, 4:5] if X.shape[1] > 20 else X


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


class AtLeastTwoClusters(Healthy):
    def _k(self, X):
        return max(self.n_clusters, 2)


class MergesSmallClusters(Healthy):
    def _find_centers(self, X, weights):
        centers = super()._find_centers(X, weights)
        sizes = np.bincount(_squared_distances(X, centers).argmin(axis=1), minlength=len(centers))
        return centers[sizes >= 0.05 * len(X)]


class First32Features(Healthy):
    def _view(self, X):
        return X[:, :32]


class SquaresInItsType(Healthy):
    def _read(self, X, reset=True):
        read = super()._read(X, reset)
        kind = getattr(getattr(X, "dtype", None), "kind", "f")
        return np.sqrt((X * X).astype(float)) if kind in "iu" else read


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


class CentersInAnotherOrder(Healthy):
    def _published(self, centers):
        return centers[::-1].copy()


class CentersAreMedians(Healthy):
    def _published(self, centers):
        return centers + 0.2


class InertiaOfAnotherStep(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.inertia_ *= 1.01
        return self


class CountsStepsFromZero(Healthy):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.n_iter_ = 0
        return self


class AcceptsInfinity(Healthy):
    def _read(self, X, reset=True):
        is_array = type(X) is np.ndarray and X.dtype == float
        return super()._read(np.minimum(X, 1e9) if is_array else X, reset)


class CopiesTheRandomState(Healthy):
    def _generator(self):
        return copy.deepcopy(super()._generator())


class SquaresInFitTransform(Healthy):
    def fit_transform(self, X, y=None):
        return super().fit_transform(X) ** 2


class ScoresByPosition(Healthy):
    def score(self, X, y=None):
        return super().score(X) - float(np.asarray(X)[0, 0])


class RoundsFrames(Healthy):
    def set_output(self, *, transform=None):
        self.rounds_ = transform == "pandas"
        return super().set_output(transform=transform)

    def transform(self, X):
        distances = super().transform(X)
        return np.round(distances) if getattr(self, "rounds_", False) else distances


class ForgetsFeatureNames(Healthy):
    def _read(self, X, reset=True):
        return super()._read(X.to_numpy() if hasattr(X, "columns") else X, reset)


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


class SaysSparse(Healthy):
    """Has the tag of sparse input, and fails on it."""

    def _read(self, X, reset=True):
        return super()._read(np.array(X, dtype=float) if sparse.issparse(X) else X, reset)


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


class IntegersOfPythonOnly(Healthy):
    def _k(self, X):
        return self.n_clusters if isinstance(self.n_clusters, int) else 2


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


class ReadsWithoutStrides(Healthy):
    def _read(self, X, reset=True):
        read = super()._read(X, reset)
        if type(X) is np.ndarray and not (X.flags.c_contiguous or X.flags.f_contiguous):
            return np.array(X.base.ravel()[: X.size].reshape(X.shape), dtype=float)
        return read


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
