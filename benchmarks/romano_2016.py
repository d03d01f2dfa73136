"""Experiments of Romano et al. (2016): what adjusting and standardising for chance does.

Run ``python benchmarks/romano_2016.py [--quick] [--output FOLDER]``. For each figure it prints a
table, what the paper claims and what came out; with matplotlib it also draws the figure into
FOLDER. Sizes that the paper does not state in words are constants below.

S. Romano, N. X. Vinh, J. Bailey, K. Verspoor, "Adjusting for chance clustering comparison
measures", JMLR 17(134), 2016.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sklearn_clustcompare import ContingencyTable, PermutationModel, get_index

N_SAMPLES = 100
N_CLUSTERS = 6
REFERENCE_CLUSTERS = 4
CANDIDATE_CLUSTERS = range(2, 11)
BASELINE_ORDERS = (0.8, 1.001, 2, 3)
SELECTION_ORDERS = (1.001, 2, 3)
# One scale for adjusted and unadjusted indices, or the noise of the former looks like a drift.
BASELINE_LIMITS = (-0.4, 1.0)
MEASURES = {
    "NMI": "normalized_mutual_info_score",
    "AMI": "adjusted_mutual_info_score",
    "SMI": "standardized_mutual_info_score",
}
# Three clusters of 50: M has one pure cluster, M' has more objects in place.
TABLES = {
    "M": [[50, 0, 0], [0, 44, 6], [0, 6, 44]],
    "M'": [[48, 1, 1], [1, 46, 3], [1, 3, 46]],
}

Labels = NDArray[np.int64]


class Panel(NamedTuple):
    """One plot: values of several lines at the same places."""

    y_label: str
    x: Sequence[float]
    lines: dict[str, NDArray[np.float64]]
    y_limits: tuple[float, float] | None = None


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
        # Random partitions into one cluster leave nothing to standardise.
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
    measure: str, orders: Sequence[float], make: Any, x: Any, n_simulations: int
) -> dict[str, NDArray[np.float64]]:
    means = simulate(baseline(measure, orders, make, x), n_simulations).mean(axis=0)
    return {f"{measure} q={q:g}": means[:, column] for column, q in enumerate(orders)}


def drift(lines: dict[str, NDArray[np.float64]]) -> str:
    """Tell from where to where each line goes."""
    return "; ".join(f"{name}: {line[0]:.3f} to {line[-1]:.3f}" for name, line in lines.items())


def largest(lines: dict[str, NDArray[np.float64]]) -> float:
    return max(float(np.abs(line).max()) for line in lines.values())


# --------------------------------------------------------------------------- figures


def figure_2(quick: bool) -> Figure:
    x = (2, 4, 6, 8, 10)
    lines = mean_lines("NMI", BASELINE_ORDERS, uniform_labels, x, 50 if quick else 1000)
    return Figure(
        2,
        "number of clusters r of U",
        [Panel("mean NMI_q", x, lines, BASELINE_LIMITS)],
        "the mean NMI_q of independent partitions is not constant in r",
        drift(lines),
    )


def figure_3(quick: bool) -> Figure:
    x = (2, 4, 6, 8, 10)
    lines = mean_lines("AMI", (*BASELINE_ORDERS, 1), uniform_labels, x, 50 if quick else 1000)
    rand = simulate(
        lambda seed: _adjusted_rand(seed, x),
        50 if quick else 1000,
    ).mean(axis=0)
    gap = float(np.abs(rand - lines["AMI q=2"]).max())
    lines["ARI"] = rand
    return Figure(
        3,
        "number of clusters r of U",
        [Panel("mean AMI_q", x, lines, BASELINE_LIMITS)],
        "the mean AMI_q of independent partitions is 0 for every q and r, and AMI_2 is ARI",
        f"largest mean {largest(lines):.4f}; AMI_2 and ARI differ by at most {gap:.0e}",
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
    nmi, ami = (
        mean_lines(measure, BASELINE_ORDERS, binary_labels, x, 50 if quick else 1000)
        for measure in ("NMI", "AMI")
    )
    return Figure(
        4,
        "objects in the bigger cluster of U (%)",
        [
            Panel("mean NMI_q", x, nmi, BASELINE_LIMITS),
            Panel("mean AMI_q", x, ami, BASELINE_LIMITS),
        ],
        "the mean NMI_q of independent partitions changes with the sizes, that of AMI_q is 0",
        f"{drift(nmi)}; largest mean AMI_q {largest(ami):.4f}",
    )


def figure_5(quick: bool) -> Figure:
    x = (50, 100, 300, 1000, 3000)
    panels, gaps = [], []
    for q in SELECTION_ORDERS:
        models = [_balanced_model(n_samples) for n_samples in x]
        exact, limit = (
            np.array([model.expected_mutual_info(q, method=method) for model in models])
            for method in ("exact", "limit")
        )
        panels.append(Panel(f"E MI_q, q={q:g}", x, {"exact": exact, "limit": limit}))
        gaps.append(f"q={q:g}: {exact[0] - limit[0]:.4f} to {exact[-1] - limit[-1]:.4f}")
    return Figure(
        5,
        "number of objects N",
        panels,
        "for many objects the mean of MI_q depends on the entropies only",
        f"exact mean less its limit, N = {x[0]} to {x[-1]}: {'; '.join(gaps)}",
    )


def _balanced_model(n_samples: int) -> PermutationModel:
    sizes = np.bincount(np.arange(n_samples) % N_CLUSTERS)
    return PermutationModel(sizes, sizes)


def figure_7(quick: bool) -> Figure:
    x = np.round(np.arange(0.25, 3.01, 0.25), 2).tolist()
    lines = {
        name: np.array([value("AMI", ContingencyTable.from_counts(counts), q) for q in x])
        for name, counts in TABLES.items()
    }
    pure, mixed = lines.values()
    preferring_pure = [q for q, first, second in zip(x, pure, mixed, strict=True) if first > second]
    return Figure(
        7,
        "order q",
        [Panel("AMI_q", x, lines)],
        "with the same cluster sizes, small q prefers pure clusters (M) and large q does not",
        f"M is preferred for q up to {max(preferring_pure, default=0):g} of {x[-1]:g}",
    )


def figure_10(quick: bool) -> Figure:
    n_simulations = 100 if quick else 5000
    x = list(CANDIDATE_CLUSTERS)
    chosen = simulate(_selection, n_simulations)
    panels, outcomes = [], []
    for row, measure in enumerate(MEASURES):
        lines = {
            f"{measure} q={q:g}": np.bincount(chosen[:, row, column], minlength=len(x))
            / n_simulations
            for column, q in enumerate(SELECTION_ORDERS)
        }
        panels.append(Panel(f"P(selected), {measure}_q", x, lines, (0, 1)))
        shares = ", ".join(f"q={q:g}: {line[-1]:.2f}" for q, line in _by_order(lines))
        outcomes.append(f"{measure} {shares}")
    return Figure(
        10,
        "number of clusters c of the selected partition",
        panels,
        "of random partitions NMI_q selects the one of most clusters, AMI_q does so less, and "
        f"SMI_q selects all alike ({1 / len(x):.2f} each)",
        f"probability of {x[-1]} clusters: {'; '.join(outcomes)}",
    )


def _by_order(lines: dict[str, NDArray[np.float64]]) -> Any:
    return zip(SELECTION_ORDERS, lines.values(), strict=True)


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


FIGURES = (figure_2, figure_3, figure_4, figure_5, figure_7, figure_10)


# --------------------------------------------------------------------------- output


def print_figure(figure: Figure) -> None:
    print(f"\nFigure {figure.number}")
    for panel in figure.panels:
        print(f"  {panel.y_label} by {figure.x_label}")
        width = max(map(len, panel.lines))
        print(" " * (width + 4), *(f"{place:>8g}" for place in panel.x))
        for name, line in panel.lines.items():
            print(f"    {name:<{width}}", *(f"{number:8.4f}" for number in line))
    print(f"  paper: {figure.claim}")
    print(f"  here:  {figure.outcome}")


def draw_figure(figure: Figure, folder: Path) -> Path:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    n_panels = len(figure.panels)
    drawing, axes = plt.subplots(
        1, n_panels, figsize=(1.5 + 4.0 * n_panels, 3.8), squeeze=False, layout="constrained"
    )
    for panel, ax in zip(figure.panels, axes[0], strict=True):
        for (name, line), marker in zip(panel.lines.items(), "os^vDx", strict=False):
            ax.plot(panel.x, line, marker=marker, markersize=4, label=name)
        if figure.number == 5:
            ax.set_xscale("log")
        if figure.number == 10:
            ax.axhline(1 / len(panel.x), color="0.6", linestyle=":", label="uniform")
        if panel.y_limits:
            ax.set_ylim(panel.y_limits)
        ax.set_xlabel(figure.x_label)
        ax.set_ylabel(panel.y_label)
        ax.legend(fontsize="small")
    path = folder / f"figure_{figure.number}.png"
    drawing.savefig(path, dpi=120)
    plt.close(drawing)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few simulations")
    parser.add_argument(
        "--output", type=Path, default=Path("romano_2016"), help="folder for the plots"
    )
    arguments = parser.parse_args()
    plots = importlib.util.find_spec("matplotlib") is not None
    if plots:
        arguments.output.mkdir(parents=True, exist_ok=True)
    else:
        print("matplotlib is not installed: tables only")
    for make in FIGURES:
        figure = make(arguments.quick)
        print_figure(figure)
        if plots:
            print(f"  plot:  {draw_figure(figure, arguments.output)}", flush=True)


if __name__ == "__main__":
    main()
