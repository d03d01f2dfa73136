"""The formulas of the page, read from their LaTeX, have the values of the functions."""

import importlib
import itertools
import math
import re

import numpy as np
import pytest

import sklearn_clustcompare
from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES
from sklearn_clustcompare.indices._pairs import COEFFICIENTS
from tests import _oracles
from tests._files import REPOSITORY
from tests._latex import value_of_latex

PAGE = (REPOSITORY / "doc" / "user_guide" / "formulas.rst").read_text("utf-8")
# What a formula of the table does not show: moments, lengths of codes, covers, matchings step by
# step, data. Their pages of the API define them, and other tests compare these definitions.
NOT_READ = {
    *("frobenius_adjusted_rand_score", "maximum_match_score", "reduced_mutual_info_score"),
    *("standardized_mutual_info_score", "standardized_rand_score"),
    *("pvalue_adjusted_mutual_info_score", "panoptic_quality_score"),
    *("omega_score", "overlapping_normalized_mutual_info_score"),
    *(name for name in INTERNAL_INDICES if name != "calinski_harabasz_score"),
}
TABLES = [[[4, 1, 0], [1, 3, 2], [0, 2, 4]], [[5, 0, 0, 2], [0, 3, 0, 0], [1, 1, 6, 2]]]


@pytest.fixture(scope="module")
def formulas():
    pytest.importorskip("sphinx")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(REPOSITORY / "doc" / "_ext")
        yield importlib.import_module("formulas")


def matched(counts):
    """Return the largest sum of the cells of a one-to-one matching, by trying all."""

    def largest(values):
        values = np.broadcast_to(values, counts.shape)
        if len(values) > len(values.T):
            values = values.T
        orders = itertools.permutations(range(len(values.T)), len(values))
        return max(sum(values[range(len(values)), order]) for order in orders)

    return largest


def symbols_of(counts):
    """Return the letters of the page for a table."""
    counts = np.array(counts)
    rows, cols = counts.sum(1, keepdims=True), counts.sum(0, keepdims=True)
    n11, n10, n01, n00 = _oracles.pair_counts_of_table(counts.tolist())
    information = _oracles.Information(counts.tolist())
    n = counts.sum()
    by_size = zip(sorted(rows.ravel())[::-1], sorted(cols.ravel())[::-1], strict=False)
    return {
        "n_{ij}": counts,
        "a_i": rows,
        "b_j": cols,
        "N": n,
        "R": counts.shape[0],
        "C": counts.shape[1],
        "K": np.count_nonzero(counts),
        "n_{11}": n11,
        "n_{10}": n10,
        "n_{01}": n01,
        "n_{00}": n00,
        "A": n11 + n10,
        "B": n11 + n01,
        "P": n11 + n10 + n01 + n00,
        "I": float(information.mutual),
        "E(I)": float(_oracles.expected_mutual_info(rows.ravel().tolist(), cols.ravel().tolist())),
        "H(U)": float(information.true),
        "H(V)": float(information.pred),
        r"\chi^2": float(_oracles.chi_squared(counts.tolist())),
        # The largest cluster with the largest, and so on.
        "e": sum(min(pair) for pair in by_size) / n,
        # Clusters of both sides.
        "t": int(np.sum((counts == rows) & (counts == cols))),
    }


def groups():
    """Return the first and the last index of each part of the page."""
    return re.findall(r"index-formulas:: (\w+) (\w+)", PAGE)


def test_the_page_has_every_index_once(formulas):
    names = [*INDICES, *INTERNAL_INDICES]
    shown = []
    for first, last in groups():
        shown += names[names.index(first) : names.index(last) + 1]
    assert shown == names
    assert formulas.FORMULAS.keys() == set(names)
    assert formulas.COEFFICIENTS.keys() == COEFFICIENTS.keys()


@pytest.mark.parametrize("counts", TABLES, ids=["3x3", "3x4"])
def test_formula_has_the_value_of_the_index(formulas, counts):
    symbols = symbols_of(counts)
    table = ContingencyTable.from_counts(counts)
    for name in INDICES.keys() - NOT_READ:
        for side, letter in (("precision", "p"), ("recall", "r")):
            part = name.replace("_f_", f"_{side}_")
            if part in INDICES.keys() - NOT_READ:
                symbols[letter] = value_of_latex(
                    formulas.FORMULAS[part][1], symbols, matched(np.array(counts))
                )
        value = value_of_latex(formulas.FORMULAS[name][1], symbols, matched(np.array(counts)))
        assert math.isclose(value, get_index(name)(table), rel_tol=1e-12, abs_tol=1e-12), name


def test_formula_of_the_data_has_the_value_of_the_index(formulas):
    X = np.array([[0.0, 1], [1, 1], [5, 4], [6, 5], [9, 0]])
    labels = np.array([0, 0, 1, 1, 2])
    centers = np.array([X[labels == cluster].mean(axis=0) for cluster in range(3)])
    within = ((X - centers[labels]) ** 2).sum()
    symbols = {
        r"\mathrm{WSS}": within,
        r"\mathrm{BSS}": ((X - X.mean(axis=0)) ** 2).sum() - within,
        "k": 3,
        "N": 5,
    }
    value = value_of_latex(formulas.FORMULAS["calinski_harabasz_score"][1], symbols)
    assert math.isclose(value, sklearn_clustcompare.metrics.calinski_harabasz_score(X, labels))


def test_coefficient_has_the_value_of_its_formula(formulas):
    symbols = symbols_of(TABLES[0])
    pairs = {
        letter: symbols[name]
        for letter, name in zip("abcd", ("n_{11}", "n_{10}", "n_{01}", "n_{00}"), strict=True)
    }
    table = ContingencyTable.from_counts(TABLES[0])
    for name, formula in formulas.COEFFICIENTS.items():
        expected = get_index("pair_counting_score")(table, coefficient=name)
        assert math.isclose(value_of_latex(formula, pairs), expected, rel_tol=1e-12), name


def test_another_formula_has_another_value(formulas):
    symbols = symbols_of(TABLES[0])
    assert value_of_latex(r"\frac{n_{11}}{A B}", symbols) != value_of_latex(
        r"\frac{n_{11}}{\sqrt{A B}}", symbols
    )
    with pytest.raises(AssertionError, match="not read"):
        value_of_latex("N ) N", symbols)
