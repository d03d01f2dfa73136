"""Memberships that went through a file, with the decimals that programs write."""

import io
import warnings

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

import sklearn_clustcompare as clustcompare
from tests.real._inputs import shipped


@pytest.fixture(scope="module")
def memberships():
    X, y = shipped("wine")
    mixture = GaussianMixture(3, covariance_type="diag", random_state=0, reg_covar=0.5).fit(X)
    return y, mixture.predict_proba(X)


def through_a_file(U, decimals):
    """Write memberships as fastStructure does: two blanks between, fixed decimals; read them."""
    text = io.StringIO()
    np.savetxt(text, U, fmt=f"%.{decimals}f", delimiter="  ")
    text.seek(0)
    return np.loadtxt(text)


@pytest.mark.parametrize("decimals", [3, 4, 6])
def test_rounded_memberships_score_as_their_rows_divided_by_the_sum(memberships, decimals):
    y, U = memberships
    rounded = through_a_file(U, decimals)
    assert np.abs(rounded.sum(axis=1) - 1).max() > 1e-8
    divided = rounded / rounded.sum(axis=1, keepdims=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for index in (
            clustcompare.frobenius_adjusted_rand_score,
            clustcompare.adjusted_rand_score,
            clustcompare.normalized_mutual_info_score,
        ):
            value = index(y, rounded)
            assert value == pytest.approx(index(y, divided), rel=1e-12)
            assert value == pytest.approx(index(y, U), abs=10.0**-decimals)
            assert index(rounded, U) == pytest.approx(index(divided, U), rel=1e-12)


def test_single_precision(memberships):
    y, U = memberships
    single = U.astype(np.float32).astype(float)
    value = clustcompare.frobenius_adjusted_rand_score(y, single)
    assert value == pytest.approx(clustcompare.frobenius_adjusted_rand_score(y, U), abs=1e-6)


@pytest.mark.parametrize("decimals", [3, 6])
def test_rounded_memberships_go_through_the_functions(memberships, decimals):
    y, U = memberships
    rounded = through_a_file(U, decimals)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        table = clustcompare.ContingencyTable.from_memberships(y, rounded)
        assert table.n_samples == pytest.approx(len(y))
        runs = {"file": rounded, "exact": U}
        scores = clustcompare.score_candidates(y, runs, indices="adjusted_rand_score")
        file, exact = scores.scores["adjusted_rand_score"]
        assert file == pytest.approx(exact, abs=10.0**-decimals)
        pairs = clustcompare.pairwise_scores([rounded, U], index="fari").values
        assert pairs[0, 1] == pytest.approx(1, abs=10.0**-decimals)


def test_rows_that_no_rounding_explains_are_an_error(memberships):
    y, U = memberships
    wrong = through_a_file(U, 6)
    wrong[5] *= 0.99
    with pytest.raises(ValueError, match="memberships of a row must sum to 1, got 0.9[89]"):
        clustcompare.frobenius_adjusted_rand_score(y, wrong)
