"""The quick figures of Romano et al. (2016), and the test of uniformity of Figure 10."""

import numpy as np
import pytest
from scipy.stats import chi2, hypergeom, ttest_1samp
from sklearn import metrics

from benchmarks import romano_2016
from benchmarks.romano_2016 import (
    LIMIT_ORDERS,
    N_CLUSTERS,
    PREFERENCE_ORDERS,
    PRINTED,
    draw_figure,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_10,
    joint_entropies,
    largest_mean,
    print_figure,
)

PREFERENCES = {7: figure_7, 8: figure_8, 9: figure_9}


def tables(number):
    printed = PRINTED[f"figure_{number}"]
    return {name: np.array(counts) for name, counts in printed.items() if name != "what"}


def entropy(sizes, q):
    """Return H_q of cluster sizes by its definition, for q other than 1."""
    return (1 - np.sum((sizes / np.sum(sizes)) ** q)) / (q - 1)


def expected_joint_entropy(rows, cols, q):
    """Return the mean of H_q(U, V): each cell is hypergeometric."""
    n_samples = np.sum(rows)
    cells = np.arange(1, n_samples + 1)
    powers = sum(
        np.sum(hypergeom.pmf(cells, n_samples, a, b) * (cells / n_samples) ** q)
        for a in rows
        for b in cols
    )
    return (1 - powers) / (q - 1)


def adjusted_mutual_information(counts, q):
    """Return AMI_q by its definition, for q other than 1."""
    rows, cols = counts.sum(axis=1), counts.sum(axis=0)
    both = entropy(rows, q) + entropy(cols, q)
    information = both - entropy(counts, q)
    expected = both - expected_joint_entropy(rows, cols, q)
    return (information - expected) / (both / 2 - expected)


def test_largest_mean_in_standard_errors():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(30, 2, 3))
    values[:, 1, 2] *= 0.01  # a small mean may be far from 0
    values[:, 1, 2] += 0.02
    t = np.abs(ttest_1samp(values, 0).statistic)
    assert t.argmax() == 5 != np.abs(values.mean(axis=0)).argmax()
    largest = np.abs(values.mean(axis=0)).max()
    shown = f"largest mean {largest:.4f}, at most {t.max():.1f} standard errors"
    assert largest_mean(values) == shown


def test_joint_entropy_of_figure_5():
    x, n_samples, seed = (2, 4), 40, 3
    exact, limit = joint_entropies(n_samples, x, seed)
    rng = np.random.default_rng(seed)
    for place, n_clusters in enumerate(x):
        rows, cols = (
            rng.multinomial(n_samples, np.full(k, 1 / k)) for k in (n_clusters, N_CLUSTERS)
        )
        for column, q in enumerate(LIMIT_ORDERS):
            expected = expected_joint_entropy(rows, cols, q)
            assert exact[place, column] == pytest.approx(expected, rel=1e-10)
            first, second = entropy(rows, q), entropy(cols, q)
            of_independent = first + second - (q - 1) * first * second
            assert limit[place, column] == pytest.approx(of_independent, rel=1e-10)


def test_figure_6_is_the_entropy_of_two_clusters():
    (panel,) = figure_6(quick=True).panels
    p = np.array(panel.x)
    assert len(panel.lines) == 5
    for q, line in zip(PRINTED["figure_6"]["orders"], panel.lines.values(), strict=True):
        np.testing.assert_allclose(line, (1 - p**q - (1 - p) ** q) / (q - 1), atol=1e-14)
    ranges = [np.ptp(line) for line in panel.lines.values()]
    assert ranges == sorted(ranges, reverse=True)


def test_table_of_figure_6_has_every_tenth_share(capsys):
    print_figure(figure_6(quick=True))
    _, title, _, shares, *rows, _, _ = capsys.readouterr().out.splitlines()
    assert title == "Figure 6"
    p = np.array(shares.split(), dtype=float)
    np.testing.assert_allclose(p, np.arange(11) / 10)
    for q, row in zip(PRINTED["figure_6"]["orders"], rows, strict=True):
        values = np.array(row.split()[1:], dtype=float)
        np.testing.assert_allclose(values, (1 - p**q - (1 - p) ** q) / (q - 1), atol=5.1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("number", PREFERENCES)
def test_adjusted_mutual_information_of_figures_7_to_9(number):
    (panel,) = PREFERENCES[number](quick=True).panels
    for (name, counts), (label, line) in zip(
        tables(number).items(), panel.lines.items(), strict=True
    ):
        assert name == label
        labels = np.repeat(np.argwhere(counts), counts[counts > 0], axis=0).T
        expected = {
            1: metrics.adjusted_mutual_info_score(*labels),
            2: metrics.adjusted_rand_score(*labels),
        }
        for q, value in zip(PREFERENCE_ORDERS, line, strict=True):
            if q not in expected:
                expected[q] = adjusted_mutual_information(counts, q)
            assert value == pytest.approx(expected[q], rel=1e-10), q


@pytest.mark.parametrize("number", PREFERENCES)
def test_small_orders_prefer_the_first_candidate_of_figures_7_to_9(number):
    figure = PREFERENCES[number](quick=True)
    first, second = figure.panels[0].lines.values()
    preferred = np.where(first > second, 1, 2).tolist()
    assert preferred == sorted(preferred)
    assert (preferred[0], preferred[-1]) == (1, 2)
    switch = float(figure.outcome.split("q = ")[1].split(",")[0])
    place = preferred.index(2)
    assert PREFERENCE_ORDERS[place - 1] < switch < PREFERENCE_ORDERS[place]


def test_tables_of_figures_8_and_9_have_the_sizes_that_the_text_says():
    for counts in tables(8).values():
        assert sorted(counts.sum(axis=1)) == [10, 10, 10, 70]
    for counts in tables(9).values():
        np.testing.assert_array_equal(counts.sum(axis=1), 25)
    spreads = [np.ptp(counts.sum(axis=0)) for counts in tables(9).values()]
    assert spreads[1] < spreads[0]  # the second candidate has clusters of about equal size


def test_figure_10_tests_whether_all_are_selected_alike(monkeypatch):
    counts = np.array([3, 7, 12, 9, 11, 14, 10, 13, 11])
    chosen = np.empty((90, 3, 3), dtype=np.int64)
    chosen[:, 0] = 8
    chosen[:, 1] = np.tile(np.arange(9), 10)[:, np.newaxis]
    chosen[:, 2] = np.repeat(np.arange(9), counts)[:, np.newaxis]
    monkeypatch.setattr(romano_2016, "simulate", lambda draw, n_simulations: chosen)
    shown = figure_10(quick=True).outcome.split("(chi-squared): ")[1]
    found = dict(part.rsplit(": ", 1) for part in shown.split(", "))
    pvalue = chi2.sf(np.sum((counts - 10) ** 2 / 10), df=8)
    for q in ("1.001", "2", "3"):
        assert float(found[f"NMI q={q}"]) < 1e-100
        assert float(found[f"AMI q={q}"]) == 1
        assert float(found[f"SMI q={q}"]) == pytest.approx(pvalue, rel=0.05)


def test_a_figure_is_drawn_with_its_lines():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure = figure_8(quick=True)
    (ax,) = draw_figure(pyplot, figure).axes
    for line, values in zip(ax.get_lines(), figure.panels[0].lines.values(), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), values)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["U1", "U2"]
