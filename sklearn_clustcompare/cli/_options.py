"""What each command takes: the rows of its options.

NumPy is not imported, so that ``--help`` is fast.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sklearn_clustcompare._options import (
    DEFAULT_INDICES,
    MISSING_TREATMENTS,
    NOISE_TREATMENTS,
)
from sklearn_clustcompare.cli._files import PROGRAM, TOY_SETS
from sklearn_clustcompare.cli._parser import (
    DEFAULT_INDEX,
    DEFAULT_NOISE_LABEL,
    FAMILIES,
    Command,
    Option,
    any_index_type,
    index_type,
    input_file,
    number_of_jobs,
    one_character,
    one_of,
    output_file,
    picture_file,
    positive_number,
    threshold_of,
    typed,
)

if TYPE_CHECKING:
    from sklearn_clustcompare.indices._judged import Chosen

# --------------------------------------------------------------------------- rows of several tables

JSON = Option("--json", "print JSON instead of a table")
DELIMITER = Option(
    "--delimiter CHAR",
    "separator of the fields of a CSV file; \\t is a tab, and ' ' a blank, as R writes (default: a "
    "tab if the name ends in .tsv, else a comma)",
    one_character,
)
N_JOBS = Option(
    "--n-jobs N",
    "number of processes; -1 uses all processors (default: 1)",
    number_of_jobs,
)
RANDOM_STATE = Option("--random-state SEED", "seed (default: 0)", int, default=0)
SCALE = Option("--scale", "scale each feature to mean 0 and variance 1")
NOISE = (
    Option(
        "--noise TREATMENT",
        "how to count objects labeled as noise: as one cluster, each as its own cluster, or not at "
        "all if either partition labels them as noise (default: cluster)",
        NOISE_TREATMENTS,
    ),
    Option(
        "--noise-label LABEL",
        f"label of noise; repeatable (default: {DEFAULT_NOISE_LABEL})",
        default=[],
        needs=("--noise, which sets how noise is counted",),
    ),
    Option(
        "--missing TREATMENT",
        "how to count objects without a label (empty, or what pandas reads as missing, such as NA, "
        "NaN, None or null): as an error, not at all if either partition has none, or as one "
        "cluster (default: error)",
        MISSING_TREATMENTS,
        default="error",
    ),
)
EPILOG_OF_INDICES = (
    f"{PROGRAM} indices lists all indices and their short names, such as ari.\n"
    "NAME:key=value sets a parameter, for example nmi:average_method=max:q=2.\n\n"
)


def index_options(
    text: str,
    of_family: str = "its indices follow those of --index",
    against: Mapping[str, str] = {},
) -> Iterator[Option]:
    yield Option("--index NAME,...", text, index_type, against=against)
    yield Option(
        "--family NAME",
        f"field of the work, {', '.join(FAMILIES)}: {of_family}; repeatable",
        one_of(FAMILIES),
        "families",
        default=[],
        against=against,
    )


def threshold_option(of: str, read: Callable[[str], Chosen] = index_type) -> Option:
    return Option(
        "--fail-under NAME=VALUE",
        f"exit with status 1 if a score{of} is below VALUE or a distance above it; repeatable",
        threshold_of(read),
        default=[],
    )


def output_option(metavar: str, text: str, needs: tuple[str, ...] = ()) -> Option:
    return Option(f"--output {metavar}", text, output_file, needs=needs)


def picture_option(what: str) -> Option:
    text = f"also draw {what}; the name ends in .png, .pdf or .svg (needs Matplotlib)"
    return Option("--picture FILE", text, picture_file)


# --------------------------------------------------------------------------- compare

TOLERANCE, _MAX_NEW, _MAX_UNLABELED, _MIN_COVERAGE = 0.01, 0.2, 0.05, 0.9
GATES = ("accepted", "all", "records")
_BASELINE = ("--baseline",)
_BY_ID = (*_BASELINE, "--id, by which objects are matched")


_BASELINE_OPTIONS = (
    Option(
        "--baseline FILE",
        f"file of accepted labels; exit with status 1 if a gate fails, by the index {DEFAULT_INDEX}"
        ", or those of --index and --family",
    ),
    Option(
        "--gate NAME,...",
        "gates that may fail: accepted, the index of the accepted objects; all, the index of all "
        "objects against the accepted value; records, the shares of new, unlabeled and lost "
        "objects (default: all three)",
        one_of(GATES),
        needs=_BASELINE,
    ),
    Option(
        "--rule RULE",
        "a loss fails by its difference if it is larger than the tolerance, by a test if it is "
        "significantly larger, one-sided at level 0.025 (default: auto, a test if the objects are "
        "not the same as those accepted)",
        ("auto", "difference", "test"),
        needs=_BASELINE,
    ),
    Option(
        "--groups COLUMN",
        "sampling units of intervals and tests, such as customers whose records were sampled "
        "together: a column of the file of the reference (default: the column of --true with "
        "--family entity, else each object)",
        needs=("--baseline; score_interval(..., groups=...) in Python has that of one score",),
    ),
    Option(
        "--tolerance VALUE",
        "largest loss of the index that passes: a difference, or a share of the accepted value for "
        f"counts and others without a finite range (default: {TOLERANCE})",
        float,
        needs=_BASELINE,
    ),
    Option(
        "--max-new SHARE",
        f"largest share of the objects, by --id, that may be new (default: {_MAX_NEW})",
        float,
        needs=_BY_ID,
    ),
    Option(
        "--max-unlabeled SHARE",
        "largest share of the objects, by --id, that may have no label in one of the columns "
        f"(default: {_MAX_UNLABELED})",
        float,
        needs=_BY_ID,
    ),
    Option(
        "--min-coverage SHARE",
        "smallest share of the accepted objects that must be in the file, by --id (default: "
        f"{_MIN_COVERAGE})",
        float,
        needs=_BY_ID,
    ),
    Option(
        "--name NAME",
        "name of the baseline in the file, where the columns are not called as when they were "
        "accepted (default: CANDIDATE against REFERENCE)",
        needs=_BASELINE,
    ),
    Option("--update", "accept the labels and write them to the file", needs=_BASELINE),
)


_FORMS = ("text", "json", "html", "markdown")
_NOT_SAMPLED = {
    name: f"cannot be given with {name}: it estimates scores of pairs, B-cubed and clusters only"
    for name in (
        *("--index", "--family", "--all", "--noise", "--missing", "--report", "--picture"),
        "--baseline",
    )
}


_COMPARE: tuple[Option | str, ...] = (
    Option(
        "FILE",
        "reference, then candidate: two text files with one label per line and no header, or one "
        "or two CSV files with --true and --pred; - reads standard input",
        input_file,
        "files",
        default=[],
    ),
    Option("--true COLUMN", "column of the reference"),
    Option(
        "--pred COLUMN,...",
        "column of the candidate; several columns print one row for each candidate",
    ),
    Option(
        "--id COLUMN",
        "match the rows of two CSV files, or of one and --baseline, by this column, and compare "
        "the objects that are in both (default: match rows by position); a report with --family "
        "entity names records by it, also of one file (default: by their lines)",
    ),
    DELIMITER,
    *index_options(
        f"indices to print (default: {', '.join(DEFAULT_INDICES)})",
        of_family="the table has its indices after those of --index; --report is that of records "
        "for entity; --baseline compares by its indices of a finite range, for entity by "
        "precision, recall and F of B-cubed and of pairs",
    ),
    Option("--all", "print all indices"),
    *NOISE,
    Option(
        "--sampled",
        "estimate precision and recall for the whole reference if only some of its clusters are "
        "known: all objects of these have a label in it, the other objects none",
        against=_NOT_SAMPLED,
    ),
    threshold_option(""),
    Option(
        "--report FORM",
        "print a report with the values of each cluster, or with --family entity the worst merges "
        "and splits",
        _FORMS,
        group="form",
    ),
    JSON._replace(group="form"),
    output_option("FILE", "write the report to a file", ("--report, which sets the format",)),
    picture_option("the contingency table, or with --report the recovery of each cluster"),
    "compare with accepted labels",
    *_BASELINE_OPTIONS,
)


# --------------------------------------------------------------------------- rank

_RANK = (
    Option(
        "CANDIDATES.csv",
        "CSV file with one candidate partition per column; - reads standard input",
        input_file,
        "candidates",
    ),
    Option("--reference COLUMN", "column of the reference", group="reference"),
    Option(
        "--reference-file LABELS.txt",
        "text file of the reference, one label per line",
        group="reference",
    ),
    Option(
        "--candidate COLUMN,...",
        "columns to rank, or patterns such as 'run_*' (default: all but the reference, an index "
        "without a name, and those whose labels all differ)",
        group="columns",
    ),
    Option(
        "--drop COLUMN,...", "columns to leave out, such as ids of the objects", group="columns"
    ),
    DELIMITER,
    *index_options(
        f"indices to print; the first one ranks the candidates (default: {DEFAULT_INDEX})"
    ),
    *NOISE,
    threshold_option(" of the best candidate (the first one of those that tie)"),
    N_JOBS,
    Option("--verbose", "show progress on stderr"),
    output_option("FILE.csv", "also write the ranking to a CSV file"),
    picture_option("the candidates by rank"),
    JSON,
)


# --------------------------------------------------------------------------- select

_WITH_LABELS = {"--no-label": "needs reference labels, and cannot be given with --no-label"}


class Clusterer(NamedTuple):
    class_name: str
    module: str = "sklearn.cluster"
    k_parameter: str = "n_clusters"
    parameters: Mapping[str, Any] = {}

    def make(self, random_state: int, k: float | None = None) -> Any:
        made = getattr(importlib.import_module(self.module), self.class_name)(**self.parameters)
        given = {} if k is None else {self.k_parameter: k}
        if "random_state" in made.get_params():
            given["random_state"] = random_state
        return made.set_params(**given)

    @property
    def letter(self) -> str:
        """How the parameter that is tried is called."""
        return "k" if self.k_parameter in ("n_clusters", "n_components") else self.k_parameter


ESTIMATORS = {
    "kmeans": Clusterer("KMeans"),
    "minibatch-kmeans": Clusterer("MiniBatchKMeans"),
    "bisecting-kmeans": Clusterer("BisectingKMeans"),
    "gaussian-mixture": Clusterer("GaussianMixture", "sklearn.mixture", "n_components"),
    "birch": Clusterer("Birch"),
    "agglomerative": Clusterer("AgglomerativeClustering"),
    "spectral": Clusterer("SpectralClustering"),
    "hdbscan": Clusterer("HDBSCAN", k_parameter="min_cluster_size", parameters={"copy": True}),
    "dbscan": Clusterer("DBSCAN", k_parameter="eps"),
}


def _range(text: str) -> range:
    low, _, rest = text.partition(":")
    high, _, step = rest.partition(":")
    return range(int(low), int(high or low) + 1, int(step or 1))


_k_range = typed(
    "LOW:HIGH, LOW:HIGH:STEP or one number, 1 <= LOW <= HIGH",
    _range,
    lambda numbers: numbers and numbers.start > 0 and numbers.step > 0,
)


_SELECT = (
    Option(
        "DATA",
        f"CSV file with a header, or a toy set of scikit-learn: {', '.join(TOY_SETS)}; - reads "
        "standard input",
    ),
    Option(
        "--label COLUMN", "column of reference labels (default: the last)", group="of reference"
    ),
    Option(
        "--no-label",
        "choose the number of clusters without reference labels, by independent evidence, or "
        "report that the data do not determine it (k-means and mixtures with 3 starts); one "
        "cluster is always tried as well",
        group="of reference",
    ),
    Option("--drop COLUMN,...", "columns to leave out of the features, such as ids of the objects"),
    DELIMITER,
    Option(
        "--estimator NAME,...",
        f"clusterers to try: {', '.join(ESTIMATORS)} (default: kmeans)",
        one_of(ESTIMATORS),
    ),
    Option(
        "-k LOW:HIGH[:STEP]",
        "numbers of clusters, LOW and HIGH included; of hdbscan, the smallest sizes of a cluster "
        "(min_cluster_size). Default: 2:10, with --no-label more if 10 are the best; of hdbscan "
        "5:50:5, up to half of the objects",
        _k_range,
    ),
    Option(
        "--eps VALUE,...",
        "distances of neighbors (eps) that dbscan tries instead of -k; at least two with "
        "--no-label",
        positive_number,
    ),
    *index_options(
        f"indices to print; the first one ranks the candidates (default: {DEFAULT_INDEX})",
        against=_WITH_LABELS,
    ),
    threshold_option(
        " of the best candidate (the first one of those that tie), or with --no-label an index of "
        "the data, such as silhouette_score, of the clusters chosen,",
        any_index_type,
    ),
    SCALE,
    RANDOM_STATE,
    N_JOBS,
    Option("--verbose", "report each candidate on stderr"),
    output_option("FILE.csv", "also write all candidates to a CSV file"),
    picture_option(
        "the first index, or with --no-label the evidence, against the number of clusters"
    ),
    JSON,
)


# --------------------------------------------------------------------------- check

DEFAULT_FILE = "clustering_baseline.json"
_DATA = ("--data",)
_PROPERTIES = {"--data": "applies to checks of properties: leave out --data"}


def _parameter(text: str) -> tuple[str, Any]:
    name, _, value = _named_value(text)
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):  # a word without quotes
        return name, value


_named_value = typed("NAME=VALUE", lambda text: text.partition("="), lambda parts: all(parts[:2]))
_reason = typed("CHECK=REASON", lambda text: text.partition("="), all)


_CHECK: tuple[Option | str, ...] = (
    Option(
        "MODULE:NAME",
        "class, object, or function that returns one, such as sklearn.cluster:KMeans; modules in "
        "the current folder are also found",
        keyword="estimator",
    ),
    Option(
        "--param NAME=VALUE",
        "parameter of the clusterer, VALUE as a Python literal; repeatable",
        _parameter,
        default=[],
    ),
    Option(
        "--random-state SEED",
        "seed of the clusterer, unless a --param sets it (default: 0)",
        int,
        default=0,
    ),
    "without --data: check properties",
    Option(
        "--promise NAME",
        "a change of the data that must not change the clusters: order, shift, scale or rotation; "
        "repeatable",
        default=[],
        against=_PROPERTIES,
    ),
    Option(
        "--expected-failure CHECK=REASON",
        "a check that is known to fail, and why; the command fails if it passes; repeatable",
        _reason,
        default=[],
        against=_PROPERTIES,
    ),
    "with --data: compare labels with the accepted ones",
    Option("--data DATA", f"CSV file with a header, or a toy set: {', '.join(TOY_SETS)}"),
    Option("--true COLUMN", "column of reference labels (default: the last)", needs=_DATA),
    Option("--drop COLUMN,...", "columns to leave out of the features", needs=_DATA),
    DELIMITER._replace(needs=_DATA),
    Option(
        "--index NAME",
        f"index to compare by (default: {DEFAULT_INDEX})",
        lambda text: index_type(text).name,
        needs=_DATA,
    ),
    Option(
        "--tolerance VALUE",
        "largest loss of the index that passes (default: 0.02)",
        float,
        needs=_DATA,
    ),
    Option("--baseline FILE", f"file of accepted labels (default: {DEFAULT_FILE})", needs=_DATA),
    Option(
        "--name NAME",
        "name of the baseline in the file (default: MODULE:NAME on DATA)",
        needs=_DATA,
    ),
    Option("--update", "accept the labels and write them to the file", needs=_DATA),
    JSON,
)


# --------------------------------------------------------------------------- commands

COMMANDS = (
    Command(
        "select",
        "_select:run",
        "choose the number of clusters and the algorithm",
        (
            "iris --estimator kmeans,gaussian-mixture -k 2:6",
            "wine --scale -k 2:5 --index ari,ami --fail-under ari=0.8",
        ),
        _SELECT,
        EPILOG_OF_INDICES,
        "  1  a limit of --fail-under is missed\n",
    ),
    Command(
        "compare",
        "_compare:run",
        "compare partitions with a reference partition",
        (
            "cells.csv --true type --pred kmeans",
            "cells.csv --true type --pred kmeans --baseline nights.json --update",
        ),
        _COMPARE,
        EPILOG_OF_INDICES,
        "  1  a limit of --fail-under is missed, or a gate of --baseline fails\n",
    ),
    Command(
        "rank",
        "_select:run_rank",
        "rank many candidate partitions against one reference",
        (
            "cells.csv --reference type --drop id",
            "cells.csv --reference type --drop id --index ami,vi --fail-under ami=0",
        ),
        _RANK,
        EPILOG_OF_INDICES,
        "  1  a limit of --fail-under is missed\n",
    ),
    Command(
        "check",
        "_baseline:run",
        "check the properties of a clusterer, or compare its labels with accepted ones",
        (
            "sklearn.cluster:KMeans --param n_init=10",
            "sklearn.cluster:KMeans --param n_clusters=3 --data iris --update",
        ),
        _CHECK,
        fails="  1  a check fails, or the labels are worse than accepted\n",
    ),
    Command(
        "indices",
        "_select:run_indices",
        "list the indices and their properties",
        ("--family entity", "--needs-data --json"),
        (
            Option(
                "--family NAME",
                f"list the indices commonly used in a field: {', '.join(FAMILIES)}",
                one_of(FAMILIES),
                "families",
            ),
            Option(
                "--needs-data",
                "list the indices of one partition and the data instead of those of two partitions",
            ),
            JSON,
        ),
    ),
)
