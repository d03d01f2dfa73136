"""Tables of two images of labels, and what is left out of one of them."""

import itertools

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    get_index,
    pair_f_score,
    variation_of_information_distance,
)
from sklearn_clustcompare.metrics import cluster_f_score, conditional_entropy


def random_images(shape, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(4, size=shape)
    return true, np.where(rng.random(shape) < 0.3, rng.integers(5, size=shape), true)


@pytest.mark.parametrize("shape", [(60,), (6, 10), (3, 4, 5), (2, 3, 2, 5), (0, 3)])
def test_images_of_any_shape_are_counted_pixel_by_pixel(shape):
    true, pred = random_images(shape)
    table = ContingencyTable.from_images(true, pred)
    assert table == ContingencyTable.from_labels(true.ravel(), pred.ravel())
    assert ContingencyTable.from_images(true.tolist(), pred.tolist()).n_samples == true.size


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_layout_in_memory_does_not_matter(order):
    true, pred = random_images((6, 10))
    table = ContingencyTable.from_images(np.asarray(true, order=order), pred[:, ::-1][:, ::-1])
    assert table == ContingencyTable.from_images(true, pred)


@pytest.mark.parametrize("ignore_true", [None, 0, [0, 3], {0, 99}])
@pytest.mark.parametrize("ignore_pred", [None, 0, (1, 2)])
def test_pixels_are_left_out_by_their_label_in_one_image(ignore_true, ignore_pred):
    def among(label, ignored):
        return label in (ignored if isinstance(ignored, list | set | tuple) else [ignored])

    true, pred = random_images((6, 10))
    kept = [
        (first, second)
        for first, second in zip(true.ravel().tolist(), pred.ravel().tolist(), strict=True)
        if not among(first, ignore_true) and not among(second, ignore_pred)
    ]
    table = ContingencyTable.from_images(
        true, pred, ignore_true=ignore_true, ignore_pred=ignore_pred
    )
    assert table == ContingencyTable.from_labels(*zip(*kept, strict=True))
    assert table.coverage == len(kept) / 60


def test_tables_of_tiles_add_up():
    true, pred = random_images((6, 10))
    whole = ContingencyTable.from_images(true, pred, ignore_true=0)
    tiles = [
        ContingencyTable.from_images(
            true[rows : rows + 2, cols : cols + 5],
            pred[rows : rows + 2, cols : cols + 5],
            ignore_true=0,
        )
        for rows, cols in itertools.product(range(0, 6, 2), range(0, 10, 5))
    ]
    empty = ContingencyTable.from_images([[0, 0]], [[1, 2]], ignore_true=0)
    assert sum(tiles) == whole
    assert whole + empty == whole
    assert (whole + empty).coverage < sum(tiles).coverage == whole.coverage


@pytest.mark.parametrize("alpha", [0, 0.2, 0.5, 0.9])
def test_adapted_rand_error_is_one_minus_an_f_measure(alpha):
    """Pairs in the same segments of both, over alpha times those of the reference and the rest."""
    true, pred = random_images((5, 6))
    pixels = [pixel for pixel in np.ndindex(true.shape) if true[pixel] != 0]
    together = [
        (true[one] == true[other], pred[one] == pred[other])
        for one, other in itertools.combinations(pixels, 2)
    ]
    in_both, in_true, in_pred = (
        sum(map(both, together)) for both in (all, lambda pair: pair[0], lambda pair: pair[1])
    )
    error = 1 - in_both / (alpha * in_true + (1 - alpha) * in_pred)
    table = ContingencyTable.from_images(true, pred, ignore_true=0)
    beta = np.sqrt(alpha / (1 - alpha))
    assert 1 - pair_f_score(table, beta=float(beta)) == pytest.approx(error, rel=1e-13)


def test_split_and_merge_are_the_halves_of_the_distance():
    true, pred = np.repeat([0, 1], [8, 8]), np.repeat([0, 1, 2], [4, 4, 8])
    table = ContingencyTable.from_images(true.reshape(4, 4), pred.reshape(4, 4))
    merge, split = conditional_entropy(table, base=2), conditional_entropy(table.T, base=2)
    assert (merge, split) == (0.0, 0.5)
    assert variation_of_information_distance(table, base=2) == merge + split


def test_objects_in_images_are_found_without_the_background():
    true = np.zeros((6, 6), int)
    true[:2, :2], true[4:, 4:] = 1, 2
    pred = np.zeros((6, 6), int)
    pred[:2, :2], pred[3:, 3:] = 7, 8
    table = ContingencyTable.from_images(true, pred)
    assert cluster_f_score(table, threshold=0.4, background=0) == 1.0
    assert cluster_f_score(table, threshold=0.5, background=0) == 0.5
    assert get_index("panoptic_quality_score")(table, background=0) == 0.5


def test_images_of_different_shapes_are_an_error():
    with pytest.raises(ValueError, match=r"same shape, got \(2, 3\) and \(3, 2\)$"):
        ContingencyTable.from_images(np.zeros((2, 3), int), np.zeros((3, 2), int))


@pytest.mark.parametrize(
    ("images", "options", "error", "message"),
    [
        (([[0.5]], [[1]]), {}, ValueError, "^image_true must"),
        (([[0]], [[np.nan]]), {}, ValueError, "^image_pred must .*missing='drop'"),
        (([[0]], [[1]]), {"ignore_true": [[0]]}, TypeError, "^ignore_true must be hashable"),
        (
            ([[0]], [[1]]),
            {"ignore_pred": "1"},
            ValueError,
            "^ignore_pred must have the type of the",
        ),
        ((3, [[1]]), {}, TypeError, "^image_true must"),
    ],
)
def test_bad_images(images, options, error, message):
    with pytest.raises(error, match=message):
        ContingencyTable.from_images(*images, **options)


def test_nothing_left_to_compare_is_an_error():
    table = ContingencyTable.from_images([[0, 0]], [[1, 2]], ignore_true=0)
    with pytest.raises(ValueError, match="what is ignored, .* must leave at least one object"):
        pair_f_score(table)


def test_pixels_without_data_are_left_out():
    true, pred = random_images((6, 10))
    is_known = np.random.default_rng(1).random((6, 10)) < 0.7
    expected = ContingencyTable.from_labels(true[is_known], pred[is_known])
    with_nan = np.where(is_known, true, np.nan)
    for image in (with_nan, np.ma.array(true, mask=~is_known), with_nan.tolist()):
        for given in ((image, pred), (pred, image)):
            table = ContingencyTable.from_images(*given, missing="drop")
            assert (table if given[1] is pred else table.T) == expected
            assert table.coverage == is_known.mean()
            with pytest.raises(ValueError, match="^image_(true|pred) must not contain"):
                ContingencyTable.from_images(*given)
    both = ContingencyTable.from_images(with_nan, pred, missing="drop", ignore_true=0)
    kept = is_known & (true != 0)
    assert both == ContingencyTable.from_labels(true[kept], pred[kept])
    cluster = ContingencyTable.from_images(with_nan, pred, missing="cluster")
    assert cluster.row_sums[-1] == (~is_known).sum()
