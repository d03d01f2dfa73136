"""Arrays on a device: copied to the host, with the values of NumPy to the last bit."""

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sklearn_clustcompare import (
    ContingencyTable,
    Cover,
    Hierarchy,
    adjusted_rand_score,
    choose_n_clusters,
    cluster_stability,
    frobenius_adjusted_rand_score,
    gap_statistic,
    make_clustering_scorer,
    pairwise_scores,
    permutation_test,
    prediction_strength,
    purity_score,
    score_candidates,
    silhouette_score,
)
from sklearn_clustcompare._partition import arrays as devices
from sklearn_clustcompare.candidates import align_partitions
from sklearn_clustcompare.metrics import (
    categorical_entropy,
    dunn_score,
    element_centric_similarities,
    xie_beni_score,
)
from sklearn_clustcompare.plot import EmbeddingAgreementDisplay, SimilarityMatrixDisplay
from sklearn_clustcompare.report import internal_decomposition
from sklearn_clustcompare.significance import MultinomialModel, PermutationModel
from tests._inputs import import_or_skip, send_to_device

RNG = np.random.default_rng(0)
WIDTHS = [np.int8, np.int16, np.int32, np.int64]
TRUTH = 3 * RNG.integers(-1, 5, 200)
FOUND = np.where(RNG.random(200) < 0.4, RNG.integers(0, 7, 200), TRUTH)
SOFT = RNG.dirichlet(np.ones(3), 200)


@pytest.fixture
def there():
    """Return what sends an array to a device; skip the test where there is none."""
    send_to_device([0])
    return send_to_device


@pytest.mark.parametrize(
    "dtype", [*WIDTHS, np.uint8, np.uint16, np.uint32, np.uint64, bool, np.float32, np.float64]
)
def test_types(there, dtype):
    values = (TRUTH > 5).astype(dtype)
    for given in ((there(values), FOUND), (FOUND, there(values))):
        plain = [values if one is not FOUND else one for one in given]
        assert ContingencyTable.from_labels(*given) == ContingencyTable.from_labels(*plain)


OTHER = np.vstack([RNG.dirichlet(np.ones(4), 199), np.eye(1, 4)])
WEIGHTS = RNG.integers(1, 4, 200)


@pytest.mark.parametrize("second", [OTHER, TRUTH, OTHER.astype(np.float32)])
@pytest.mark.parametrize("options", [{}, {"possibilistic": True}, {"normalize": True}])
def test_memberships(second, options, there):
    expected = ContingencyTable.from_memberships(SOFT, second, **options)
    for first in (SOFT, there(SOFT)):
        assert ContingencyTable.from_memberships(first, there(second), **options) == expected


def test_weights_and_partitions_that_name_objects(there):
    expected = purity_score(TRUTH, FOUND, sample_weight=WEIGHTS)
    assert purity_score(there(TRUTH), FOUND, sample_weight=there(WEIGHTS)) == expected
    with pytest.raises(ValueError, match="^labels_true must name its objects"):
        purity_score(there(np.array([0, 0, 1])), [{"a", "b"}, {"c"}])
    for soft in (SOFT, SOFT.tolist(), there(SOFT)):
        value = frobenius_adjusted_rand_score(soft, there(TRUTH))
        exact = frobenius_adjusted_rand_score(SOFT, TRUTH)
        assert value == pytest.approx(exact, rel=1e-12)


def test_many_partitions_and_functions_of_objects(there):
    candidates = np.stack([FOUND, TRUTH])
    expected = score_candidates(TRUTH, candidates, indices="rand_score").scores["rand_score"]
    scores = score_candidates(there(TRUTH), there(candidates), indices="rand_score")
    np.testing.assert_array_equal(scores.scores["rand_score"], expected)
    pairs = pairwise_scores(there(candidates), index="rand_score")
    assert pairs.values[0, 1] == expected[0]
    np.testing.assert_array_equal(
        element_centric_similarities(there(TRUTH), there(FOUND)),
        element_centric_similarities(TRUTH, FOUND),
    )
    test = permutation_test(there(TRUTH), FOUND, index="adjusted_rand_score", n_resamples=99)
    assert test.statistic == adjusted_rand_score(TRUTH, FOUND)


class Fake:
    """An array of torch or JAX that NumPy cannot read, as far as it is looked at."""

    shape, ndim, dtype, requires_grad = (3,), 1, np.dtype(float), False

    def __init__(self, error=TypeError, **attributes):
        self.error = error
        self.__dict__.update(attributes)

    def __dlpack__(self):
        raise BufferError

    def __getitem__(self, key):
        return self

    def __len__(self):
        return 3

    def ravel(self):
        return self

    def cpu(self):
        if isinstance(self.error, NotImplementedError):
            raise self.error
        return self

    def __array__(self, dtype=None, copy=None):
        raise self.error


class Traced(Fake):
    """An array of JAX in a function that is compiled."""


WITHOUT_VALUES = {
    "labels_true": lambda traced: adjusted_rand_score(traced, [0, 1, 1]),
    "labels_pred": lambda traced: adjusted_rand_score(np.array([0, 1, 1]), traced),
    "sample_weight": lambda traced: purity_score([0, 1, 1], [0, 0, 1], sample_weight=traced),
    "candidate 0": lambda traced: score_candidates([0, 1, 1], [traced]),
    "image_true": lambda traced: ContingencyTable.from_images(traced, traced),
    "counts": ContingencyTable.from_counts,
    "X": lambda traced: silhouette_score(traced, [0, 1, 1]),
}


WAY_OUT = "must have values, .* does not have: call this outside of them, or by jax.pure_callback"
UNREADABLE = [
    (Traced(), WAY_OUT),
    (
        Fake(RuntimeError("requires grad"), requires_grad=True),
        r"must not .*: pass its \.detach\(\)$",
    ),
    (Fake(NotImplementedError(), device="meta"), "must have values, .* on the device 'meta'"),
    (Fake(layout="torch.sparse_coo"), r"must be dense: pass its \.to_dense\(\)"),
    (Fake(layout="torch.sparse_csr"), r"must be dense: pass its \.to_dense\(\)"),
]


@pytest.mark.parametrize(("array", "reason"), UNREADABLE)
@pytest.mark.parametrize("name", WITHOUT_VALUES)
def test_arrays_without_values(name, array, reason, monkeypatch):
    package = SimpleNamespace(core=SimpleNamespace(Tracer=Traced))
    monkeypatch.setitem(sys.modules, "jax", package)
    with pytest.raises(TypeError, match=f"^{name} {reason}"):
        WITHOUT_VALUES[name](array)


@pytest.mark.parametrize("name", WITHOUT_VALUES)
def test_functions_that_jax_compiles(name):
    jax = import_or_skip("jax")
    with pytest.raises(TypeError, match=f"^{name} {WAY_OUT}"):
        jax.jit(WITHOUT_VALUES[name])(jax.numpy.asarray([0.0, 1.0, 1.0]))


def test_an_index_in_a_compiled_function_of_jax():
    jax = import_or_skip("jax")
    shape = jax.ShapeDtypeStruct((), "float32")
    score = jax.jit(lambda *labels: jax.pure_callback(adjusted_rand_score, shape, *labels))
    assert score(TRUTH, FOUND) == pytest.approx(adjusted_rand_score(TRUTH, FOUND), rel=1e-6)


def test_sizes_and_shares_of_models(there):
    assert PermutationModel(there([3, 4]), there([5, 2])) == PermutationModel([3, 4], [5, 2])
    assert MultinomialModel(7, [1.0], there([0.25, 0.75])).col_shares.tolist() == [0.25, 0.75]
    grad = Fake(requires_grad=True)
    for name, call in {
        "row_sums": lambda: PermutationModel(grad, [5, 2]),
        "col_shares": lambda: MultinomialModel(7, [0.5, 0.5], grad),
    }.items():
        with pytest.raises(TypeError, match=rf"^{name} must not require a gradient"):
            call()


def test_shares_of_32_bits_are_as_exact_as_they_can_be():
    shares = np.array([0.4, 0.6], np.float32)
    assert MultinomialModel(7, shares, [1.0]).row_shares == pytest.approx([0.4, 0.6], rel=1e-7)
    with pytest.raises(ValueError, match="^row_shares must add up to 1, got"):
        MultinomialModel(7, shares.astype(np.float64), [1.0])


@pytest.mark.parametrize("error", [NotImplementedError("Cannot copy"), TypeError("can't convert")])
def test_tensors_without_an_array_are_an_error_with_its_reason(error):
    with pytest.raises(TypeError, match=f"^labels_pred must be an array, .*: {error}"):
        adjusted_rand_score([0, 1, 1], Fake(error))


def test_tensors_of_torch_that_numpy_cannot_read():
    torch = import_or_skip("torch")
    true = torch.as_tensor(TRUTH)
    assert adjusted_rand_score(true.bfloat16(), FOUND) == adjusted_rand_score(TRUTH, FOUND)
    for other in (true.to("meta"), torch.eye(4)[abs(true) % 4].to_sparse()):
        with pytest.raises(TypeError, match="^labels_pred must be an array, got Tensor"):
            adjusted_rand_score(true, other)


@pytest.mark.parametrize("package", ["jax.numpy", "torch"])
def test_numbers_of_few_bits(package):
    module = import_or_skip(package)
    narrow = getattr(module, "asarray" if package == "jax.numpy" else "as_tensor")
    weights = narrow(WEIGHTS, dtype=module.bfloat16)
    expected = purity_score(TRUTH, FOUND, sample_weight=WEIGHTS)
    assert purity_score(TRUTH, FOUND, sample_weight=weights) == expected
    for dtype in (module.bfloat16, module.float16, module.int8, module.uint8):
        labels = narrow(abs(TRUTH), dtype=dtype)
        assert adjusted_rand_score(labels, FOUND) == adjusted_rand_score(abs(TRUTH), FOUND)
        assert adjusted_rand_score(FOUND, labels) == adjusted_rand_score(FOUND, abs(TRUTH))


@pytest.mark.parametrize("package", ["jax.numpy", "torch"])
def test_arrays_in_the_memory_of_the_host(package):
    module = import_or_skip(package)
    true, pred = module.asarray(TRUTH), module.asarray(FOUND)
    assert not devices.is_on_device(true)
    assert adjusted_rand_score(true, pred) == adjusted_rand_score(TRUTH, FOUND)
    soft = module.asarray(SOFT)
    value = frobenius_adjusted_rand_score(soft, pred)
    plain = SOFT.astype(np.asarray(soft).dtype)  # JAX has 32 bits by default
    assert value == frobenius_adjusted_rand_score(plain, FOUND)
    scores = score_candidates(true, module.asarray(np.stack([FOUND, TRUTH])), indices="rand_score")
    assert scores.best() == 1


def test_data_on_a_device(there):
    X, labels = there(RNG.normal(size=(40, 2))), np.arange(40) % 3
    for function in (silhouette_score, dunn_score, xie_beni_score, internal_decomposition):
        with pytest.raises(
            TypeError, match=r"^X must be in the memory .* its \.get\(\) or \.cpu\(\)"
        ):
            function(X, labels)
    for function in (choose_n_clusters, cluster_stability):
        with pytest.raises(TypeError, match="^X must be in the memory of the host here"):
            function(KMeans(), X)
    for function in (gap_statistic, prediction_strength):
        with pytest.raises(TypeError, match="^X must be in the memory of the host here"):
            function(KMeans(), X, param_range=[2, 3])


def test_other_arguments_on_a_device(there):
    image = TRUTH.reshape(10, 20), FOUND.reshape(10, 20)
    gone = np.where(image[0] == 3, np.nan, image[0])
    for first, options in ((image[0], {}), (gone, {"missing": "drop"})):
        expected = ContingencyTable.from_images(first, image[1], **options)
        for second in (image[1], there(image[1])):
            assert ContingencyTable.from_images(there(first), second, **options) == expected
    with pytest.raises(ValueError, match=r"same shape, got \(10, 20\) and \(200, 1\)$"):
        ContingencyTable.from_images(there(image[0]), there(FOUND.reshape(200, 1)))
    ids = np.arange(200)
    aligned = align_partitions(there(TRUTH), there(FOUND), ids_true=there(ids), ids_pred=ids)
    np.testing.assert_array_equal(aligned.labels_pred, FOUND)
    crisp = np.eye(3)[np.arange(6) % 3]
    assert Cover.from_matrix(there(crisp)) == Cover.from_matrix(crisp)
    data = {"a": there(TRUTH), "b": there(FOUND), "x": there(SOFT[:, 0])}
    found = score_candidates("a", data=data)
    assert found.names == ["b"]
    with pytest.raises(TypeError, match="^labels_true must be an array, got Array"):
        adjusted_rand_score(there(np.array(3)), FOUND)


class OnHost:
    def predict(self, X):
        return np.asarray(X)[:, 0]


def test_errors_name_other_data_on_a_device(there):
    X, labels = there(RNG.normal(size=(40, 2))), np.arange(40) % 3
    tree = there(np.array([[0, 1, 1.0, 2]]))
    calls = {
        "X": [
            lambda: SimilarityMatrixDisplay.from_predictions(X, labels),
            lambda: EmbeddingAgreementDisplay.from_predictions(X, labels, labels),
            lambda: make_clustering_scorer("rand_score")(OnHost(), X, labels),
            lambda: categorical_entropy(X, labels),
        ],
        "scores": [lambda: SimilarityMatrixDisplay.from_scores(there(np.eye(3)))],
        "Z": [lambda: Hierarchy.from_linkage(tree)],
    }
    for name, each in calls.items():
        for call in each:
            with pytest.raises(TypeError, match=rf"^{name} must be .*: pass its \.get\(\)"):
                call()


DISPATCHED = """
import array_api_strict, numpy, sklearn
from sklearn_clustcompare import make_clustering_scorer

class Found:
    def predict(self, X):
        return there(labels)

def there(values):
    return array_api_strict.asarray(values, device=array_api_strict.Device("device1"))

X, labels = numpy.random.default_rng(0).normal(size=(40, 2)), numpy.arange(40) % 3
with sklearn.config_context(array_api_dispatch=True):
    scorer = make_clustering_scorer("adjusted_rand_score")
    assert scorer(Found(), there(X), there(labels)) == 1.0
"""


@pytest.mark.processes
@pytest.mark.slow
def test_a_scorer_takes_what_an_estimator_takes_on_a_device(there):
    environment = {**os.environ, "SCIPY_ARRAY_API": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", DISPATCHED], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
