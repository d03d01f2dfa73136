"""Every index against imbalance, number of clusters, noise and chance, on made-up partitions.

Run ``python benchmarks/made_up_partitions.py [--quick] [--only NAME] [--output FOLDER]``. Each
experiment prints a table of all indices of two partitions; with matplotlib a picture with a
panel for each index is drawn into FOLDER.

- ``imbalance``: the same five clusters on both sides, the largest up to 100 times as large as the
  smallest, at several shares of agreement: the experiments that van der Hoef & Warrens ask for.
- ``clusters``: five equal clusters against candidates of two to fifty.
- ``noise``: objects that the candidate leaves out, as one cluster, as singletons and dropped.
- ``baseline``: does the mean over random candidates depend on their cluster sizes? Gosgens et al.
  call it constant if it does not. What was found is checked against what the registry declares.

H. van der Hoef, M. J. Warrens, "Understanding information theoretic measures for comparing
clusterings", Behaviormetrika 46, 2019. M. Gosgens, A. Tikhonov, L. Prokhorenkova, "Systematic
analysis of cluster similarity indices: how to validate validation measures", ICML 2021.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.stats import chi2
from sklearn.exceptions import UndefinedMetricWarning

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._pictures import import_pyplot, save
from sklearn_clustcompare import ContingencyTable, get_index, list_indices
from sklearn_clustcompare._rendering import text_table
from sklearn_clustcompare.plot._display import tick_decades

N_SAMPLES = 600
N_CLUSTERS = 5
AGREEMENTS = (0.0, 0.5, 0.8, 0.95, 1.0)
RATIOS = (1, 2, 5, 10, 30, 100)
CANDIDATE_CLUSTERS = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50)
NOISE_SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
TREATMENTS = ("cluster", "singletons", "drop")
N_COLUMNS = 8

# Objects of the two sizes of the test of the baseline, and shares of clusters of both sides.
BASELINE_OBJECTS = (240, 1920)
REFERENCE_SHARES = ((0.8, 0.2), (1 / 6,) * 6)
CANDIDATE_SHARES = ((0.5, 0.5), (0.9, 0.1), (0.25,) * 4, (0.7, 0.1, 0.1, 0.1), (1 / 12,) * 12)
# A difference as large as this is due to chance for one index in 10,000.
LEVEL = 1e-4


class Experiment(NamedTuple):
    """Means of each index, an array of shape (n_lines, n_x), and what is on the axes."""

    title: str
    x_label: str
    x: Sequence[float]
    line_label: str
    lines: Sequence[Any]
    means: dict[str, NDArray[np.float64]]
    is_log: bool


def make_pair(
    row_sizes: Sequence[int],
    col_sizes: Sequence[int] | None = None,
    *,
    agreement: float,
    noise_share: float = 0.0,
    seed: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Make a reference and a candidate of given sizes; exact shares of objects move or are noise.

    Without sizes of its own, the candidate has the clusters of the reference, of which each loses
    its part of the noise. Else it cuts the objects, as sorted by the reference. Of the objects that
    are no noise, 1 - ``agreement`` exchange their labels at random.
    """
    rng = np.random.default_rng(seed)
    rows = np.array(row_sizes)
    labels_true = np.repeat(np.arange(len(rows)), rows)
    n_noise = int(noise_share * len(labels_true) + 0.5)
    labels_pred = labels_true.copy()
    if col_sizes is None:
        quotas, remainders = np.divmod(rows * n_noise, rows.sum())
        quotas[np.argsort(-remainders, kind="stable")[: n_noise - quotas.sum()]] += 1
        for label, quota in enumerate(quotas):
            labels_pred[rng.choice(np.flatnonzero(labels_true == label), quota, replace=False)] = -1
    else:
        is_noise = rng.permutation(len(labels_true)) < n_noise
        labels_pred[is_noise] = -1
        labels_pred[~is_noise] = np.repeat(np.arange(len(col_sizes)), col_sizes)
    clustered = rng.permutation(np.flatnonzero(labels_pred >= 0))
    moved = clustered[: int((1 - agreement) * len(clustered) + 0.5)]
    labels_pred[moved] = labels_pred[rng.permutation(moved)]
    return labels_true, labels_pred


def index_values(
    row_sizes: Sequence[int], treatment: str, seed: int, names: Sequence[str], **options: Any
) -> list[float]:
    """Return the values of indices for one pair of partitions."""
    labels = make_pair(row_sizes, seed=seed, **options)
    table = ContingencyTable.from_labels(*labels, noise=treatment)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return [get_index(name)(table) for name in names]


def simulate(
    cases: Sequence[dict[str, Any]], names: Sequence[str], n_runs: int, n_jobs: int
) -> Any:
    """Return values of shape (n_cases, n_runs, n_indices)."""
    rows = Parallel(n_jobs=n_jobs)(
        delayed(index_values)(seed=seed, names=names, **case)
        for case in cases
        for seed in range(n_runs)
    )
    return np.array(rows).reshape(len(cases), n_runs, len(names))


def sizes_of_shares(shares: Sequence[float], n_objects: int) -> list[int]:
    """Return sizes in proportion to shares, of at least one object each, with the right sum."""
    ends = np.rint(np.cumsum(shares) / np.sum(shares) * n_objects).astype(int)
    return np.diff(ends, prepend=0).tolist()


# --------------------------------------------------------------------------- experiments


def _experiment(
    cases: list[list[dict[str, Any]]], n_runs: int, n_jobs: int
) -> dict[str, NDArray[np.float64]]:
    names = list_indices()
    values = simulate([case for line in cases for case in line], names, n_runs, n_jobs)
    means = values.mean(axis=1).reshape(len(cases), -1, len(names))
    return {name: means[:, :, k] for k, name in enumerate(names)}


def imbalance(n_runs: int, n_jobs: int) -> Experiment:
    shares = [np.geomspace(ratio, 1, N_CLUSTERS).tolist() for ratio in RATIOS]
    cases = [
        [
            {
                "row_sizes": sizes_of_shares(one, N_SAMPLES),
                "agreement": agreement,
                "noise_share": 0.0,
                "treatment": "cluster",
            }
            for one in shares
        ]
        for agreement in AGREEMENTS
    ]
    return Experiment(
        f"Imbalance: {N_CLUSTERS} clusters of {N_SAMPLES} objects, the same sizes on both sides",
        "largest / smallest cluster",
        RATIOS,
        "agreement",
        AGREEMENTS,
        _experiment(cases, n_runs, n_jobs),
        True,
    )


def clusters(n_runs: int, n_jobs: int) -> Experiment:
    cases = [
        [
            {
                "row_sizes": sizes_of_shares([1] * N_CLUSTERS, N_SAMPLES),
                "col_sizes": sizes_of_shares([1] * k, N_SAMPLES),
                "agreement": agreement,
                "noise_share": 0.0,
                "treatment": "cluster",
            }
            for k in CANDIDATE_CLUSTERS
        ]
        for agreement in AGREEMENTS
    ]
    return Experiment(
        f"Clusters of the candidate: {N_SAMPLES} objects, {N_CLUSTERS} reference clusters",
        "clusters of the candidate",
        CANDIDATE_CLUSTERS,
        "agreement",
        AGREEMENTS,
        _experiment(cases, n_runs, n_jobs),
        True,
    )


def noise(n_runs: int, n_jobs: int) -> Experiment:
    cases = [
        [
            {
                "row_sizes": sizes_of_shares([1] * N_CLUSTERS, N_SAMPLES),
                "agreement": 0.8,
                "noise_share": share,
                "treatment": treatment,
            }
            for share in NOISE_SHARES
        ]
        for treatment in TREATMENTS
    ]
    return Experiment(
        f"Noise: {N_CLUSTERS} clusters of {N_SAMPLES} objects, agreement 0.8",
        "share of noise",
        NOISE_SHARES,
        "noise",
        TREATMENTS,
        _experiment(cases, n_runs, n_jobs),
        False,
    )


EXPERIMENTS = {"imbalance": imbalance, "clusters": clusters, "noise": noise}


def print_experiment(experiment: Experiment) -> None:
    """Print the means at both ends of the axis, for each line."""
    first, last = experiment.x[0], experiment.x[-1]
    header = ["index"] + [f"{line}: {end:g}" for line in experiment.lines for end in (first, last)]
    rows = [
        [name, *(f"{value:.3f}" for line in means for value in (line[0], line[-1]))]
        for name, means in experiment.means.items()
    ]
    print(f"\n{experiment.title}")
    print(f"Means by {experiment.line_label}, at {experiment.x_label} {first:g} and {last:g}")
    print(text_table(header, rows))


def draw_experiment(pyplot: Any, experiment: Experiment) -> Any:
    n_rows = -(-len(experiment.means) // N_COLUMNS)
    figure, axes = pyplot.subplots(
        n_rows, N_COLUMNS, figsize=(2.1 * N_COLUMNS, 1.6 * n_rows + 1), layout="constrained"
    )
    for ax in axes.flat[len(experiment.means) :]:
        ax.set_axis_off()
    for ax, (name, means) in zip(axes.flat, experiment.means.items(), strict=False):
        for line, values in zip(experiment.lines, means, strict=True):
            ax.plot(experiment.x, values, marker=".", label=str(line))
        ax.set_title(name.removesuffix("_score").replace("_", " "), fontsize=8, wrap=True)
        ax.tick_params(labelsize=7)
        if experiment.is_log:
            ax.set_xscale("log")
            tick_decades(ax.xaxis, experiment.x[0], experiment.x[-1])
    figure.suptitle(experiment.title)
    figure.supxlabel(experiment.x_label)
    figure.legend(
        *axes.flat[0].get_legend_handles_labels(),
        title=experiment.line_label,
        loc="outside lower right",
        ncols=len(experiment.lines),
    )
    return figure


# --------------------------------------------------------------------------- baseline


class Baseline(NamedTuple):
    """What was found of the baseline of an index, and what is declared."""

    name: str
    declared: str
    found: str
    spreads: tuple[float, float]
    pvalues: tuple[float, float]

    @property
    def agrees(self) -> bool:
        """Whether what was found may be of an index as it is declared.

        In a sample a baseline that is constant in the limit may already look constant.
        """
        return self.found in {
            "exact": ("constant",),
            "asymptotic": ("constant", "fades"),
            "none": ("differs",),
        }.get(self.declared, ("constant", "fades", "differs"))


def baselines(names: Sequence[str], n_runs: int, n_jobs: int) -> list[Baseline]:
    """Test for each index whether its mean depends on cluster sizes, for few and many objects."""
    cases = [
        {
            "row_sizes": sizes_of_shares(rows, n_objects),
            "col_sizes": sizes_of_shares(cols, n_objects),
            "agreement": 0.0,
            "noise_share": 0.0,
            "treatment": "cluster",
        }
        for n_objects in BASELINE_OBJECTS
        for rows in REFERENCE_SHARES
        for cols in CANDIDATE_SHARES
    ]
    values = simulate(cases, names, n_runs, n_jobs)
    values = values.reshape(len(BASELINE_OBJECTS), -1, n_runs, len(names))
    return [_baseline(name, values[:, :, :, k]) for k, name in enumerate(names)]


def _baseline(name: str, values: NDArray[np.float64]) -> Baseline:
    """Judge values of shape (2, n_cases, n_runs)."""
    means = values.mean(axis=2)
    # An index may have one value only: rounding errors are no difference.
    errors = np.maximum(values.std(axis=2, ddof=1) / np.sqrt(values.shape[2]), 1e-9)
    weights = 1 / errors**2
    center = (weights * means).sum(axis=1, keepdims=True) / weights.sum(axis=1, keepdims=True)
    statistics = (weights * (means - center) ** 2).sum(axis=1)
    pvalues = chi2.sf(statistics, means.shape[1] - 1)
    spreads = np.ptp(means, axis=1)
    if (pvalues > LEVEL).all():
        found = "constant"
    elif spreads[1] < spreads[0] / 2:  # 1 / sqrt(8) if it falls as one over the root
        found = "fades"
    else:
        found = "differs"
    return Baseline(
        name,
        str(get_index(name).constant_baseline),
        found,
        tuple(spreads.tolist()),
        tuple(pvalues.tolist()),
    )


def print_baselines(found: list[Baseline]) -> None:
    print("\nConstant baseline: does the mean over random candidates depend on cluster sizes?")
    print(f"Largest difference of two means, of {' and '.join(map(str, BASELINE_OBJECTS))} objects")
    header = ["index", "declared", "few", "many", "p few", "p many", "found", ""]
    rows = [
        [
            one.name,
            one.declared,
            *(f"{spread:.4f}" for spread in one.spreads),
            *(f"{pvalue:.1e}" for pvalue in one.pvalues),
            one.found,
            "" if one.agrees else "NOT AS DECLARED",
        ]
        for one in sorted(found, key=lambda one: (one.declared, one.name))
    ]
    print(text_table(header, rows))
    n_other = sum(not one.agrees for one in found)
    print(f"{n_other} of {len(found)} indices are not as declared")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few simulations")
    parser.add_argument("--only", choices=[*EXPERIMENTS, "baseline"], help="one experiment")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel jobs")
    parser.add_argument(
        "--output", type=Path, default=Path("made_up_partitions"), help="folder for the plots"
    )
    arguments = parser.parse_args()
    pyplot = import_pyplot()
    for name, make in EXPERIMENTS.items():
        if arguments.only in (None, name):
            experiment = make(3 if arguments.quick else 30, arguments.jobs)
            print_experiment(experiment)
            if pyplot is not None:
                figure = draw_experiment(pyplot, experiment)
                save(figure, arguments.output, name)
                pyplot.close(figure)
    if arguments.only in (None, "baseline"):
        n_runs = 30 if arguments.quick else 200
        print_baselines(baselines(list_indices(), n_runs, arguments.jobs))


if __name__ == "__main__":
    main()
