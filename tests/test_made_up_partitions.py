"""The experiments with made-up partitions: test of the baseline, prints and pictures."""

import numpy as np
import pytest

from benchmarks import made_up_partitions
from benchmarks.made_up_partitions import (
    Baseline,
    baselines,
    draw_experiment,
    make_pair,
    print_baselines,
    print_experiment,
    sizes_of_shares,
)
from sklearn_clustcompare import list_indices
from tests._examples import slow

# Quick ones of each kind.
NAMES = [
    "adjusted_rand_score",
    "frobenius_adjusted_rand_score",
    "normalized_mutual_info_score",
    "cramers_v_score",
    "rand_score",
    "purity_score",
    "fowlkes_mallows_score",
    "variation_of_information_distance",
]


@pytest.mark.slow
def test_baselines_are_as_declared():
    found = baselines(NAMES, 30, 1)
    assert [one.agrees for one in found] == [True] * len(NAMES)
    assert [one.found for one in found] == ["constant"] * 2 + ["fades"] * 2 + ["differs"] * 4


def test_what_is_not_as_declared_is_marked(capsys):
    found = [
        Baseline("a", "exact", "fades", (1.0, 0.1), (0.0, 0.0)),
        Baseline("b", "none", "constant", (0.0, 0.0), (1.0, 1.0)),
        Baseline("c", "asymptotic", "differs", (1.0, 1.0), (0.0, 0.0)),
        Baseline("d", "asymptotic", "constant", (0.0, 0.0), (1.0, 1.0)),
    ]
    assert [one.agrees for one in found] == [False, False, False, True]
    print_baselines(found)
    printed = capsys.readouterr().out
    assert printed.count("NOT AS DECLARED") == 3
    assert "3 of 4 indices are not as declared" in printed


@pytest.mark.parametrize(
    "name",
    [name if name == "clusters" else slow(name) for name in made_up_partitions.EXPERIMENTS],
)
def test_experiment_is_printed_and_drawn(name, monkeypatch, capsys):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    indices = ["adjusted_rand_score", "purity_score", "mirkin_distance"]
    monkeypatch.setattr(made_up_partitions, "list_indices", lambda: indices)
    experiment = made_up_partitions.EXPERIMENTS[name](2, 1)
    shape = (len(experiment.lines), len(experiment.x))
    assert {key: one.shape for key, one in experiment.means.items()} == dict.fromkeys(
        indices, shape
    )
    print_experiment(experiment)
    printed = capsys.readouterr().out
    assert all(index in printed for index in indices)
    figure = draw_experiment(pyplot, experiment)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles[:3] == ["adjusted rand", "purity", "mirkin distance"]


def test_full_agreement_is_equality_at_any_imbalance(monkeypatch):
    monkeypatch.setattr(made_up_partitions, "list_indices", lambda: ["rand_score"])
    experiment = made_up_partitions.imbalance(1, 1)
    assert experiment.lines[-1] == 1
    assert (experiment.means["rand_score"][-1] == 1).all()


def test_pairs_have_the_sizes_and_shares_asked_for():
    y, found = make_pair([50, 30, 20], agreement=1, noise_share=0.25, seed=0)
    assert np.bincount(found + 1).tolist() == [25, 37, 23, 15]  # largest remainders of .5, .5, 0
    assert (found[found >= 0] == y[found >= 0]).all()
    y, found = make_pair([50, 50], [60, 40], agreement=0.5, seed=0)
    assert np.bincount(found).tolist() == [60, 40]
    assert np.sum(found != np.repeat([0, 1], [60, 40])) <= 50


def test_sizes_of_shares():
    assert sizes_of_shares([1, 1, 1], 10) == [3, 4, 3]
    assert sum(sizes_of_shares(np.geomspace(100, 1, 5).tolist(), 600)) == 600
    assert "rand_score" in list_indices()
