"""Experiments of Romano et al. (2016): what adjusting and standardizing for chance does.

Run ``python benchmarks/romano_2016.py [--quick] [--output FOLDER]``. For each figure it prints a
table, what the paper claims and what came out; with matplotlib it also draws the figure into
FOLDER. Sizes that the paper does not state in words are constants below; the orders of Figures 2 to
6 and the tables of Figures 8 and 9 are those of the authors' own code.

S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering comparison
measures", JMLR 17(134), 2016.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import chisquare
from sklearn.exceptions import UndefinedMetricWarning

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._pictures import GRAY, import_pyplot, save
from sklearn_clustcompare import ContingencyTable, get_index
from sklearn_clustcompare.metrics import clustering_entropy
from sklearn_clustcompare.significance import PermutationModel

PRINTED = json.loads(
    (Path(__file__).parents[1] / "tests/data/romano_2016.json").read_text(encoding="utf-8")
)
N_SAMPLES = 100
N_CLUSTERS = 6
REFERENCE_CLUSTERS = 4
CANDIDATE_CLUSTERS = range(2, 11)
BASELINE_ORDERS = (0.8, 0.9, 1.2, 1.5, 2, 2.5)
LIMIT_ORDERS = (0.8, 1.1, 1.5)
SELECTION_ORDERS = (1.001, 2, 3)
# One scale for adjusted and unadjusted indices, or the noise of the former looks like a drift.
BASELINE_LIMITS = (-0.4, 1.0)
MEASURES = {
    "NMI": "normalized_mutual_info_score",
    "AMI": "adjusted_mutual_info_score",
    "SMI": "standardized_mutual_info_score",
}
PREFERENCE_ORDERS = np.arange(0.5, 3.01, 0.25).tolist()
MARKERS = "os^vDxP*"

Labels = NDArray[np.int64]


class Panel(NamedTuple):
    """One plot: values of several lines at the same places; the table has every ``step``-th."""

    y_label: str
    x: Sequence[float]
    lines: dict[str, NDArray[np.float64]]
    y_limits: tuple[float, float] | None = None
    step: int = 1


class Figure(NamedTuple):
    number: int
    x_label: str
    panels: list[Panel]
    claim: str
    outcome: str


# --------------------------------------------------------------------------- simulation


def uniform_labels(n_clusters: int, rng: np.random.Generator) -> Labels:
    return rng.integers(n_clusters, size=N_SAMPLES)


def binary_labels(biggest_percent: float, rng: np.random.Generator) -> Labels:
    biggest = round(N_SAMPLES * biggest_percent / 100)
    return rng.permutation(np.repeat([0, 1], [biggest, N_SAMPLES - biggest]))


def value(measure: str, table: ContingencyTable, q: float) -> float:
    with warnings.catch_warnings():
        # Random partitions into one cluster leave nothing to standardize.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return get_index(MEASURES[measure])(table, q=q)


def simulate(draw: Callable[[int], NDArray[Any]], n_simulations: int) -> NDArray[Any]:
    """Stack the results of ``draw(seed)``."""
    results = Parallel(n_jobs=-1)(delayed(draw)(seed) for seed in range(n_simulations))
    return np.stack(results)


def baseline(
    measure: str,
    orders: Sequence[float],
    make: Callable[[Any, np.random.Generator], Labels],
    x: Any,
) -> Callable[[int], NDArray[np.float64]]:
    """Return a function of a seed: values by place and order, for one random pair each."""

    def draw(seed: int) -> NDArray[np.float64]:
        rng = np.random.default_rng(seed)
        tables = [
            ContingencyTable.from_labels(make(place, rng), uniform_labels(N_CLUSTERS, rng))
            for place in x
        ]
        return np.array([[value(measure, table, q) for q in orders] for table in tables])

    return draw


def mean_lines(
    measure: str, orders: Sequence[float], values: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    means = values.mean(axis=0)
    return {f"{measure} q={q:g}": means[:, column] for column, q in enumerate(orders)}


def drift(lines: dict[str, NDArray[np.float64]]) -> str:
    """Tell from where to where each line goes."""
    return "; ".join(f"{name}: {line[0]:.3f} to {line[-1]:.3f}" for name, line in lines.items())


def largest_mean(values: NDArray[np.float64]) -> str:
    """Tell how far the means over simulations are from 0."""
    means = np.abs(values.mean(axis=0))
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return f"largest mean {means.max():.4f}, at most {(means / errors).max():.1f} standard errors"


# --------------------------------------------------------------------------- figures


def figure_2(quick: bool) -> Figure:
    x = (2, 4, 6, 8, 10)
    values = simulate(baseline("NMI", BASELINE_ORDERS, uniform_labels, x), 50 if quick else 1000)
    lines = mean_lines("NMI", BASELINE_ORDERS, values)
    return Figure(
        2,
        "number of clusters r of U",
        [Panel("mean NMI_q", x, lines, BASELINE_LIMITS)],
        "the mean NMI_q of independent partitions is not constant in r",
        drift(lines),
    )


def figure_3(quick: bool) -> Figure:
    x = (2, 4, 6, 8, 10)
    orders, n_simulations = (*BASELINE_ORDERS, 1), 50 if quick else 1000
    values = simulate(baseline("AMI", orders, uniform_labels, x), n_simulations)
    lines = mean_lines("AMI", orders, values)
    rand = simulate(lambda seed: _adjusted_rand(seed, x), n_simulations).mean(axis=0)
    gap = float(np.abs(rand - lines["AMI q=2"]).max())
    lines["ARI"] = rand
    return Figure(
        3,
        "number of clusters r of U",
        [Panel("mean AMI_q", x, lines, BASELINE_LIMITS)],
        "the mean AMI_q of independent partitions is 0 for every q and r, and AMI_2 is ARI",
        f"{largest_mean(values)}; AMI_2 and ARI differ by at most {gap:.0e}",
    )


def _adjusted_rand(seed: int, x: Sequence[int]) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    index = get_index("adjusted_rand_score")
    return np.array(
        [
            index(
                ContingencyTable.from_labels(
                    uniform_labels(r, rng), uniform_labels(N_CLUSTERS, rng)
                )
            )
            for r in x
        ]
    )


def figure_4(quick: bool) -> Figure:
    x = (50, 60, 70, 80, 90)
    values = {
        measure: simulate(
            baseline(measure, BASELINE_ORDERS, binary_labels, x), 50 if quick else 1000
        )
        for measure in ("NMI", "AMI")
    }
    nmi, ami = (mean_lines(name, BASELINE_ORDERS, of_name) for name, of_name in values.items())
    return Figure(
        4,
        "objects in the bigger cluster of U (%)",
        [
            Panel("mean NMI_q", x, nmi, BASELINE_LIMITS),
            Panel("mean AMI_q", x, ami, BASELINE_LIMITS),
        ],
        "the mean NMI_q of independent partitions changes with the sizes, that of AMI_q is 0",
        f"{drift(nmi)}; of AMI_q {largest_mean(values['AMI'])}",
    )


def figure_5(quick: bool) -> Figure:
    x = (2, 4, 6, 8, 10)
    panels, gaps = [], []
    for n_samples in (100, 1000):
        draw = partial(joint_entropies, n_samples, x)
        means = simulate(draw, 20 if quick else 1000).mean(axis=0)
        lines = {
            f"{kind} q={q:g}": means[row, :, column]
            for column, q in enumerate(LIMIT_ORDERS)
            for row, kind in enumerate(("exact", "limit"))
        }
        panels.append(Panel(f"mean of E H_q(U, V), N={n_samples}", x, lines))
        gaps.append(f"N={n_samples}: {np.abs(means[0] / means[1] - 1).max():.1%}")
    return Figure(
        5,
        "number of clusters r of U",
        panels,
        "the limit, a function of both entropies, is close to the mean already for N = 1000",
        f"largest relative difference, {', '.join(gaps)}",
    )


def joint_entropies(n_samples: int, x: Sequence[int], seed: int) -> NDArray[np.float64]:
    """Return the mean of H_q(U, V), exact and in the limit, by place and order."""
    rng = np.random.default_rng(seed)
    values = np.empty((2, len(x), len(LIMIT_ORDERS)))
    for place, n_clusters in enumerate(x):
        sizes = [rng.multinomial(n_samples, np.full(k, 1 / k)) for k in (n_clusters, N_CLUSTERS)]
        model = PermutationModel(*sizes)
        for column, q in enumerate(LIMIT_ORDERS):
            both = sum(
                clustering_entropy(np.arange(len(one)), q=q, sample_weight=one) for one in sizes
            )
            for row, method in enumerate(("exact", "limit")):
                values[row, place, column] = both - model.expected_mutual_info(q, method=method)
    return values


def figure_6(quick: bool) -> Figure:
    shares = (np.arange(N_SAMPLES + 1) / N_SAMPLES).tolist()
    lines = {
        f"q={q:g}": np.array([binary_entropy(share, q) for share in shares])
        for q in PRINTED["figure_6"]["orders"]
    }
    balanced = (f"{name}: {line.max():.3f}" for name, line in lines.items())
    return Figure(
        6,
        "share p of one of two clusters",
        [Panel("H_q", shares, lines, step=10)],
        "the smaller q, the wider the range of the entropy",
        f"entropy of two equal clusters, {', '.join(balanced)}",
    )


def binary_entropy(share: float, q: float) -> float:
    biggest = round(N_SAMPLES * share)
    return clustering_entropy([0, 1], q=q, sample_weight=[biggest, N_SAMPLES - biggest])


def figure_7(quick: bool) -> Figure:
    return preferences(7, "with the same cluster sizes, small q prefers pure clusters, M")


def figure_8(quick: bool) -> Figure:
    return preferences(8, "for a reference with small clusters small q prefers U1, which is purer")


def figure_9(quick: bool) -> Figure:
    return preferences(9, "for a reference of equal clusters large q prefers U2, of equal clusters")


def preferences(number: int, claim: str) -> Figure:
    """Compare two candidates of the same reference by AMI_q."""
    tables = {
        name: ContingencyTable.from_counts(counts)
        for name, counts in PRINTED[f"figure_{number}"].items()
        if name != "what"
    }
    lines = {
        name: np.array([value("AMI", table, q) for q in PREFERENCE_ORDERS])
        for name, table in tables.items()
    }
    (pure, first), (other, second) = tables.items()
    switch = brentq(lambda q: value("AMI", first, q) - value("AMI", second, q), 0.5, 3)
    return Figure(
        number,
        "order q",
        [Panel("AMI_q", PREFERENCE_ORDERS, lines)],
        claim,
        f"{pure} is preferred below q = {switch:.2f}, {other} above",
    )


def figure_10(quick: bool) -> Figure:
    n_simulations = 100 if quick else 5000
    x = list(CANDIDATE_CLUSTERS)
    chosen = simulate(_selection, n_simulations)
    panels, shares, pvalues = [], [], []
    for row, measure in enumerate(MEASURES):
        counts = [np.bincount(chosen[:, row, column], minlength=len(x)) for column in range(3)]
        lines = {
            f"{measure} q={q:g}": count / n_simulations
            for q, count in zip(SELECTION_ORDERS, counts, strict=True)
        }
        panels.append(Panel(f"P(selected), {measure}_q", x, lines, (0, 1)))
        shares += [f"{name}: {line[-1]:.2f}" for name, line in lines.items()]
        pvalues += [
            f"{name}: {chisquare(count).pvalue:.2g}"
            for name, count in zip(lines, counts, strict=True)
        ]
    return Figure(
        10,
        "number of clusters c of the selected partition",
        panels,
        "of random partitions NMI_q selects the one of most clusters, AMI_q does so less, and "
        f"SMI_q selects all about alike ({1 / len(x):.2f} each)",
        f"probability of {x[-1]} clusters: {', '.join(shares)}; "
        f"p-value of uniformity (chi-squared): {', '.join(pvalues)}",
    )


def _selection(seed: int) -> NDArray[np.int64]:
    """Return which candidate is closest to the reference, by measure and order."""
    rng = np.random.default_rng(seed)
    reference = uniform_labels(REFERENCE_CLUSTERS, rng)
    tables = [
        ContingencyTable.from_labels(reference, uniform_labels(n_clusters, rng))
        for n_clusters in CANDIDATE_CLUSTERS
    ]
    return np.array(
        [
            [np.argmax([value(measure, table, q) for table in tables]) for q in SELECTION_ORDERS]
            for measure in MEASURES
        ]
    )


FIGURES = (
    figure_2,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_10,
)


# --------------------------------------------------------------------------- output


def print_figure(figure: Figure) -> None:
    print(f"\nFigure {figure.number}")
    for panel in figure.panels:
        print(f"  {panel.y_label} by {figure.x_label}")
        width = max(map(len, panel.lines))
        print(" " * (width + 4), *(f"{place:>8g}" for place in panel.x[:: panel.step]))
        for name, line in panel.lines.items():
            print(f"    {name:<{width}}", *(f"{number:8.4f}" for number in line[:: panel.step]))
    print(f"  paper: {figure.claim}")
    print(f"  here:  {figure.outcome}")


def draw_figure(pyplot: Any, figure: Figure) -> Any:
    n_panels = len(figure.panels)
    drawing, axes = pyplot.subplots(
        1, n_panels, figsize=(6.0 * n_panels, 3.8), squeeze=False, layout="constrained"
    )
    for panel, ax in zip(figure.panels, axes[0], strict=True):
        for (name, line), marker in zip(panel.lines.items(), MARKERS, strict=False):
            ax.plot(panel.x, line, marker=marker, markersize=4, markevery=panel.step, label=name)
        if figure.number == 10:
            ax.axhline(1 / len(panel.x), color=GRAY, linestyle=":", label="uniform")
        if panel.y_limits:
            ax.set_ylim(panel.y_limits)
        ax.set_xlabel(figure.x_label)
        ax.set_ylabel(panel.y_label)
        # Beside the lines: inside it would hide some.
        ax.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    return drawing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few simulations")
    parser.add_argument(
        "--output", type=Path, default=Path("romano_2016"), help="folder for the plots"
    )
    arguments = parser.parse_args()
    pyplot = import_pyplot()
    for make in FIGURES:
        figure = make(arguments.quick)
        print_figure(figure)
        if pyplot is not None:
            drawing = draw_figure(pyplot, figure)
            save(drawing, arguments.output, f"figure_{figure.number}")
            pyplot.close(drawing)


if __name__ == "__main__":
    main()
