"""Experiment of Lei et al. (2016): which soft index finds the right number of clusters?

Run ``python benchmarks/lei_2016.py [--quick] [--only G1 ...] [--algorithm fcm] [--runs N]
[--max-samples N] [--data-dir FOLDER] [--output FOLDER] [--n-jobs N]``. Each data set is clustered
into c = 2 to 3 c_true clusters, once per run and c, from other initial centers each time. An index
succeeds in a run if it is best at the true number of clusters, c_true; of equal values the first
counts. The success rates are printed beside those of the paper, and drawn as its Figure 1 if all
of G1 to G4 are run and matplotlib is there.

Fuzzy c-means has the paper's settings. Expectation maximization (``--algorithm em``) is that of
the authors' earlier study; this paper does not state its settings: here full covariances, and
as in fuzzy c-means means that start at distinct points; covariances start at the variances of
the data, weights equal.

Real data are read from FOLDER/NAME.csv (the last column is the class), or without a folder fetched
from OpenML; what is not at hand is left out with a message. The paper does not say whether features
were scaled. Table IV is made with features as they are ("raw") and with features of mean 0 and
variance 1 ("standardized"): it is the latter that gives the paper's figures. The synthetic data are
other draws than the paper's: on Ovp4, VI_s does as well as the others for some draws and never
succeeds for others.

Two of the data sets take most of the time: one of G4 has a million objects; MNIST has 70,000 of 784
features, and is clustered by fuzzy c-means only. ``--max-samples`` leaves out what is larger;
``--quick`` is ``--runs 10 --max-samples 10000``. ``--only raw standardized --algorithm fcm`` is
Table IV.

Y. Lei, J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey, "Extending information-theoretic
validity indices for fuzzy clustering", IEEE Transactions on Fuzzy Systems, 2016.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.datasets import fetch_openml, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._fuzzy_c_means import FuzzyCMeans, distinct_points
from benchmarks._pictures import CYCLE, GRAY, import_pyplot, save
from sklearn_clustcompare import ContingencyTable, get_index

ROOT = Path(__file__).parents[1]
DATA_DIR = ROOT / "../shared/data/uci"
PRINTED = json.loads((ROOT / "tests/data/lei_2016.json").read_text(encoding="utf-8"))

# The paper's names and ours, in the order of the paper's figures; the last one is not in them.
INDICES: dict[str, tuple[str, dict[str, Any]]] = {
    "NMI_sM": ("normalized_mutual_info_score", {"average_method": "max"}),
    "RI_s": ("rand_score", {}),
    "ARI_s": ("adjusted_rand_score", {}),
    "NMI_sj": ("normalized_mutual_info_score", {"average_method": "joint"}),
    "NMI_ss": ("normalized_mutual_info_score", {"average_method": "arithmetic"}),
    "NMI_sr": ("normalized_mutual_info_score", {"average_method": "geometric"}),
    "VI_s": ("variation_of_information_distance", {}),
    "MI_s": ("mutual_info_score", {}),
    "NMI_sm": ("normalized_mutual_info_score", {"average_method": "min"}),
    "NVI_s": ("variation_of_information_distance", {"normalize": "joint"}),
}
COLORS = (*CYCLE, GRAY, "white", "black")
N_RUNS, N_QUICK_RUNS = 100, 10
MAX_QUICK_SAMPLES = 10_000

FIXED_MEANS = [(2, 0), (2, 13), (13, 10), (8, 17)]
SPREAD_MEANS = [(2, 0), (2, 13), (20, 13), (11, 20), (15, 5)]
LARGE_SIZES = [100, 500, 10**3, 5 * 10**3, 10**4, 5 * 10**4, 10**5, 5 * 10**5, 10**6]

# The paper's name of a data set: its file, and its number at OpenML.
REAL = {
    "Sonar": ("sonar", 40),
    "Pima-diabetes": ("pima-diabetes", 37),
    "Heart-statlog": ("heart-statlog", 53),
    "Haberman": ("haberman", 43),
    "Wine": ("wine", None),
    "Vehicle": ("vehicle", 54),
    "Iris": ("iris", None),
    "Zoo": ("zoo", 62),
    "Vertebral Column": ("vertebral", 1523),
    "MNIST": ("mnist", 554),
}
LOADERS: dict[str, Callable[..., Any]] = {"iris": load_iris, "wine": load_wine}
RAW, STANDARDIZED = REAL_GROUPS = ("raw", "standardized")
GROUPS = ("G1", "G2", "G3", "G4", *REAL_GROUPS)
TITLES = {"G1": "overlap", "G2": "cluster size", "G3": "cluster size, overlap", "G4": "sample size"}
# What the paper says of its charts.
CLAIMS = {
    "G1": "the first seven alike up to Ovp4; Ovp5: NMI_sM, RI_s, ARI_s about 0.6, others about 0",
    "G2": "the first seven the same on each data set; MI_s and NMI_sm poor",
    "G3": "NMI_sM alone is above 0 on each data set",
    "G4": "the first seven coincide, high for all sizes; MI_s and NMI_sm coincide, low",
}


class Problem(NamedTuple):
    """A data set: its group, its name in each group it is in, and the classes from 0."""

    names: dict[str, str]
    X: NDArray[np.float64]
    y: NDArray[np.int64]

    @property
    def n_classes(self) -> int:
        return int(self.y.max()) + 1


# --------------------------------------------------------------------------- data


def gaussian_clusters(
    names: dict[str, str], means: list[tuple[int, int]], sizes: list[int], seed: int
) -> Problem:
    y = np.repeat(np.arange(len(means)), sizes)
    noise = np.random.default_rng(seed).normal(size=(len(y), 2))
    return Problem(names, np.array(means)[y] + noise, y)


def synthetic_problems(max_samples: int) -> Iterator[Problem]:
    """Yield the 25 data sets, or those that are not too large."""
    for i in range(1, 6):
        # The last one is the second of G3 too.
        names = {"G1": f"Ovp{i}"} | ({"G3": "OvpDens2"} if i == 5 else {})
        yield gaussian_clusters(names, [*FIXED_MEANS, (13, 3 + i)], [200] * 5, 100 + i)
    for group, name, height, seed in (("G2", "Dens", 3, 200), ("G3", "OvpDens", 8, 300)):
        for i in range(1, 7):
            if (group, i) == ("G3", 2):
                continue
            sizes = [(1000 - 100 * i) // 4] * 4 + [100 * i]
            means = [*FIXED_MEANS, (13, height)]
            yield gaussian_clusters({group: f"{name}{i}"}, means, sizes, seed + i)
    for i, n_samples in enumerate(LARGE_SIZES, 1):
        if n_samples <= max_samples:
            names = {"G4": f"NSize{i}"}
            yield gaussian_clusters(names, SPREAD_MEANS, [n_samples // 5] * 5, 400 + i)


def real_problems(max_samples: int, data_dir: Path | None) -> Iterator[Problem]:
    """Yield the data sets that are at hand and not too large, raw and standardized."""
    for name, (file, number) in REAL.items():
        if PRINTED["table_iii"][name]["n"] > max_samples:
            continue
        try:
            X, classes = read_csv(data_dir / f"{file}.csv") if data_dir else fetch(file, number)
        except OSError as error:  # there is no such file, or no network
            print(f"{name} is left out: {error}")
            continue
        y = np.unique(classes, return_inverse=True)[1]
        yield Problem({RAW: name}, X, y)
        yield Problem({STANDARDIZED: name}, StandardScaler().fit_transform(X), y)


def read_csv(path: Path) -> tuple[NDArray[np.float64], NDArray[Any]]:
    rows = np.genfromtxt(path, delimiter=",", dtype=str, skip_header=1)
    return rows[:, :-1].astype(np.float64), rows[:, -1]


def fetch(file: str, number: int | None) -> tuple[NDArray[np.float64], NDArray[Any]]:
    if file in LOADERS:
        return LOADERS[file](return_X_y=True)
    frame, classes = fetch_openml(data_id=number, return_X_y=True, as_frame=True, parser="auto")
    frame = frame.drop(columns="animal", errors="ignore")  # names are no feature of an animal
    frame = frame.replace({"true": 1, "false": 0})
    return frame.to_numpy(dtype=np.float64), classes.to_numpy(dtype=str)


# --------------------------------------------------------------------------- experiment


def fuzzy_c_means(X: NDArray[Any], n_clusters: int, seed: int) -> NDArray[np.float64]:
    return FuzzyCMeans(n_clusters, random_state=seed).fit(X).u


def expectation_maximization(X: NDArray[Any], n_clusters: int, seed: int) -> NDArray[np.float64]:
    variances = np.maximum(X.var(axis=0), np.finfo(np.float64).eps)
    mixture = GaussianMixture(
        n_clusters,
        means_init=distinct_points(X, n_clusters, check_random_state(seed)),
        precisions_init=np.tile(np.diag(1 / variances), (n_clusters, 1, 1)),
        weights_init=np.full(n_clusters, 1 / n_clusters),
        init_params="random_from_data",
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # at most 100 iterations, as intended
        return mixture.fit(X).predict_proba(X)


ALGORITHMS = {"fcm": fuzzy_c_means, "em": expectation_maximization}
# Full covariances of more features would take weeks: MNIST has 784.
MAX_FEATURES = {"fcm": 1000, "em": 100}


def evaluate(y: NDArray[np.int64], memberships: NDArray[np.float64]) -> list[float]:
    """Return all indices, higher is better, from one table."""
    table = ContingencyTable.from_memberships(y, memberships)
    values = []
    for name, parameters in INDICES.values():
        index = get_index(name)
        value = index(table, **parameters)
        values.append(value if index.greater_is_better else -value)
    if not np.isfinite(values).all():  # argmax would take it for the best
        msg = f"indices must be finite, got {dict(zip(INDICES, values, strict=True))}"
        raise ValueError(msg)
    return values


def run(algorithm: str, X: NDArray[Any], y: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return the number of clusters that each index chooses in one run."""
    numbers = np.arange(2, 3 * (y.max() + 1) + 1)
    values = [evaluate(y, ALGORITHMS[algorithm](X, c, 1000 * seed + c)) for c in numbers]
    return numbers[np.argmax(values, axis=0)]


def choices(
    algorithm: str, problems: list[Problem], n_runs: int, n_jobs: int
) -> list[NDArray[np.int64]]:
    """Return the chosen numbers of clusters of each problem, of shape (n_runs, n_indices)."""
    tasks = [
        delayed(run)(algorithm, problem.X, problem.y, seed)
        for problem in problems
        for seed in range(n_runs)
    ]
    chosen = Parallel(n_jobs=n_jobs, verbose=1)(tasks)
    return [np.array(chosen[i * n_runs : (i + 1) * n_runs]) for i in range(len(problems))]


def rates_of(group: str, pairs: list[tuple[Problem, Any]]) -> dict[str, Any]:
    """Return the success rates of a group by data set, in the order of the paper."""
    rates = {one.names[group]: rate for one, rate in pairs if group in one.names}
    return rates if group in REAL_GROUPS else dict(sorted(rates.items()))


# --------------------------------------------------------------------------- output


def print_rows(rows: dict[str, Any], header: str = "") -> None:
    width = max(map(len, (*rows, header)))
    print(f"  {header:<{width}}", *(f"{name:>7}" for name in INDICES))
    for name, values in rows.items():
        cells = (f"{'-' if value is None else format(value, '.2f'):>7}" for value in values)
        print(f"  {name:<{width}}", *cells)


def print_group(group: str, rates: dict[str, NDArray[np.float64]]) -> None:
    print(f"\nFig. 1, {group}")
    print_rows(rates, "data set")
    print(f"  paper: {CLAIMS[group]}")


def print_overall(rates: list[NDArray[np.float64]], n_runs: int) -> None:
    means = np.mean(rates, axis=0)
    print(f"\nFig. 1a, all {len(rates)} synthetic data sets, {len(rates) * n_runs} runs")
    print_rows({"success": means, "sd of data sets": np.std(rates, axis=0)})
    names = list(INDICES)
    order = sorted(range(len(names)), key=lambda i: -means[i])
    print("  here: ", ", ".join(f"{names[i]} {means[i]:.3f}" for i in order))
    claims = PRINTED["synthetic_overall"].items()
    print("  paper:", "; ".join(f"{name} {text}" for name, text in claims))


def print_table_iv(group: str, rates: dict[str, NDArray[np.float64]], n_runs: int) -> None:
    print(f"\nTable IV, {group} features: here, and below each the paper")
    rows: dict[str, Any] = {}
    for name, values in rates.items():
        rows[name] = values
        rows[f"{name} (paper)"] = _in_our_order(PRINTED["table_iv"][name])
    rows["sums"] = np.sum(list(rates.values()), axis=0)
    rows["sums (paper)"] = _in_our_order(np.sum([PRINTED["table_iv"][name] for name in rates], 0))
    print_rows(rows, "data set")
    deviation, name, index, errors = largest_deviation(rates, n_runs)
    print(f"  largest deviation: {deviation:.2f} ({name}, {index}), {errors:.1f} standard errors")


def largest_deviation(
    rates: dict[str, NDArray[np.float64]], n_runs: int
) -> tuple[float, str, str, float]:
    """Return the largest difference from Table IV, where it is, and how many standard errors.

    The standard error is that of the difference of two rates of one law: those of the paper come
    from runs as well.
    """
    columns = PRINTED["columns"]
    ours = np.array([values[: len(columns)] for values in rates.values()])
    printed = np.array([PRINTED["table_iv"][name] for name in rates])
    differences = np.abs(ours - printed)
    row, column = np.unravel_index(np.argmax(differences), differences.shape)
    deviation = differences[row, column]
    common = (n_runs * ours[row, column] + N_RUNS * printed[row, column]) / (n_runs + N_RUNS)
    error = np.sqrt(common * (1 - common) * (1 / n_runs + 1 / N_RUNS))
    return deviation, list(rates)[row], columns[column], deviation / error if deviation else 0.0


def _in_our_order(values: Any) -> list[float | None]:
    known = dict(zip(PRINTED["columns"], values, strict=True))
    return [known.get(name) for name in INDICES]


def draw_figure_1(
    pyplot: Any, groups: dict[str, dict[str, NDArray[np.float64]]], made: list[NDArray[np.float64]]
) -> Any:
    """Draw the success rates as in the paper: overall, by data set, and in G4 by size."""
    figure, axes = pyplot.subplot_mosaic(
        [["all", "G1", "G2"], ["G3", "G4", "names"]], figsize=(15, 7), layout="constrained"
    )
    names = [name for name, _ in zip(INDICES, COLORS, strict=False)]
    means, deviations = np.mean(made, axis=0), np.std(made, axis=0)
    order = np.argsort(-means[: len(names)], kind="stable")
    axes["all"].bar(
        [names[place] for place in order],
        means[order],
        yerr=deviations[order],
        color=[COLORS[place] for place in order],
        edgecolor="black",
    )
    axes["all"].tick_params(axis="x", rotation=45)
    axes["all"].set_title("all synthetic data sets, standard deviation")
    for group in ("G1", "G2", "G3"):
        rates = groups[group]
        for place, (name, color) in enumerate(zip(names, COLORS, strict=True)):
            axes[group].bar(
                np.arange(len(rates)) + 0.09 * place,
                [values[place] for values in rates.values()],
                width=0.09,
                color=color,
                edgecolor="black",
                linewidth=0.5,
                label=name,
            )
        axes[group].set_xticks(np.arange(len(rates)) + 0.36, list(rates), fontsize="small")
        axes[group].set_title(f"{group}: {TITLES[group]}")
    sizes = LARGE_SIZES[: len(groups["G4"])]
    for place, color in enumerate(COLORS):
        # Ever thinner, so that lines that coincide are all seen.
        line = [values[place] for values in groups["G4"].values()]
        axes["G4"].semilogx(sizes, line, color=color, linewidth=1.4 * (len(COLORS) - place))
    axes["G4"].set(title=f"G4: {TITLES['G4']}", xlabel="number of objects")
    for ax in axes.values():
        ax.set(ylim=(0, 1.1), ylabel="success rate")
    axes["names"].set_axis_off()
    axes["names"].legend(*axes["G1"].get_legend_handles_labels(), loc="center", frameon=False)
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"no more than {N_QUICK_RUNS} runs and {MAX_QUICK_SAMPLES} objects",
    )
    parser.add_argument("--runs", type=int, default=N_RUNS, help="runs of each data set")
    parser.add_argument(
        "--max-samples", type=int, default=max(LARGE_SIZES), help="leave out larger data sets"
    )
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=GROUPS, help="groups to run")
    parser.add_argument("--algorithm", nargs="+", choices=ALGORITHMS, default=list(ALGORITHMS))
    parser.add_argument(
        "--data-dir",
        type=Path,
        default=DATA_DIR if DATA_DIR.is_dir() else None,
        help="folder of the real data sets; without it they are fetched from OpenML",
    )
    parser.add_argument(
        "--output", type=Path, default=Path("lei_2016"), help="folder for the plots of Figure 1"
    )
    parser.add_argument("--n-jobs", type=int, default=-1)
    arguments = parser.parse_args()

    n_runs, max_samples = arguments.runs, arguments.max_samples
    if arguments.quick:
        n_runs, max_samples = min(n_runs, N_QUICK_RUNS), min(max_samples, MAX_QUICK_SAMPLES)
    problems = list(synthetic_problems(max_samples))
    if not set(REAL_GROUPS).isdisjoint(arguments.only):
        problems += real_problems(max_samples, arguments.data_dir)
    problems = [one for one in problems if not one.names.keys().isdisjoint(arguments.only)]
    pyplot = import_pyplot()
    for algorithm in arguments.algorithm:
        print(f"\n=== {algorithm}, {n_runs} runs (the paper's figures are those of fcm)")
        feasible = [one for one in problems if one.X.shape[1] <= MAX_FEATURES[algorithm]]
        chosen = choices(algorithm, feasible, n_runs, arguments.n_jobs)
        rates = [
            (numbers == problem.n_classes).mean(axis=0)
            for problem, numbers in zip(feasible, chosen, strict=True)
        ]
        pairs = list(zip(feasible, rates, strict=True))
        groups = {group: rates_of(group, pairs) for group in arguments.only}
        for group, of_group in groups.items():
            if group not in REAL_GROUPS:
                print_group(group, of_group)
            elif of_group:
                print_table_iv(group, of_group, n_runs)
        if groups.keys() >= TITLES.keys():
            made = [rate for problem, rate in pairs if problem.names.keys().isdisjoint(REAL_GROUPS)]
            print_overall(made, n_runs)
            if pyplot is not None:
                save(draw_figure_1(pyplot, groups, made), arguments.output, f"figure_1_{algorithm}")


if __name__ == "__main__":
    main()
