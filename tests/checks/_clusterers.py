"""A small k-means that passes every check, and copies of it with one planted bug each."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_array

ALL_PROMISES = ("order", "shift", "scale", "rotation")


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


class Healthy(ClusterMixin, BaseEstimator):
    """k-means with five starts, weights, predictions and memberships."""

    def __init__(self, n_clusters=3, random_state=None):
        self.n_clusters = n_clusters
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # Steps that a copy may break.

    def _read(self, X):
        X = check_array(X, accept_sparse=True, dtype=[np.float64, np.float32])
        return np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)

    def _view(self, X):
        return X

    def _k(self, X):
        return self.n_clusters

    def _seed(self):
        return self.random_state

    def _find_centers(self, X, weights):
        rng = np.random.default_rng(self._seed())
        k = self._k(X)
        runs = [_lloyd(X, weights, _start(X, weights, k, rng)) for _ in range(5)]
        return min(runs, key=lambda run: run[0])[1]

    def fit(self, X, y=None, sample_weight=None):
        X = self._view(self._read(X))
        weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight)
        self.centers_ = self._find_centers(X, weights)
        self.labels_ = self._nearest(X)
        return self

    def _nearest(self, X):
        return _squared_distances(X, self.centers_).argmin(axis=1)

    def predict(self, X):
        return self._nearest(self._view(self._read(X)))

    def predict_proba(self, X):
        distances = _squared_distances(self._view(self._read(X)), self.centers_)
        closeness = np.exp(distances.min(axis=1, keepdims=True) - distances)
        return closeness / closeness.sum(axis=1, keepdims=True)


# --------------------------------------------------------------------------- one bug each


class FitPredictDiffers(Healthy):
    def fit_predict(self, X, y=None, **fit_params):
        return (self.fit(X, y, **fit_params).labels_ + 1) % self.n_clusters


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


class AnotherSeedEachTime(Healthy):
    n_fits = 0

    def _seed(self):
        AnotherSeedEachTime.n_fits += 1
        return AnotherSeedEachTime.n_fits


class SetsGlobalSeed(Healthy):
    def _seed(self):
        np.random.seed(0)  # noqa: NPY002
        return super()._seed()


class ReadsGlobalState(Healthy):
    def _seed(self):
        return super()._seed() + int(np.random.get_state()[1][0])  # noqa: NPY002


class BadStart(Healthy):
    """Ends with a cluster cut in two where the seed is 4."""

    def _find_centers(self, X, weights):
        centers = super()._find_centers(X, weights)
        if self.random_state == 4 and len(centers) > 2:
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
    def _read(self, X):
        read = super()._read(X)
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
    def _read(self, X):
        read = super()._read(X)
        return read.ravel(order="K").reshape(X.shape) if isinstance(X, np.ndarray) else read


class DropsFirstOfSparse(Healthy):
    def _read(self, X):
        read = super()._read(X)
        return read[:, 1:] if sparse.issparse(X) else read


class DropsFirstOfFrame(Healthy):
    def _read(self, X):
        read = super()._read(X)
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
    def _read(self, X):
        read = super()._read(X)
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

    def _seed(self):
        return super()._seed() + self.shift_of_seed

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
    def _read(self, X):
        return super()._read(np.nan_to_num(X) if isinstance(X, np.ndarray) else X)


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
