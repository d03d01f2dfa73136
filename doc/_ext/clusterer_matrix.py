"""The checks of clusterers, and what scikit-learn's clusterers say to them, run for the site.

``.. clusterer-checks::`` is a table of all checks, ``.. clusterer-matrix::`` one of checks by
clusterers, and ``.. clusterer-failures::`` one of the failures with their reasons. A failure
without a reason here is a warning of the build, and so is a reason without a failure. The run is
kept beside the doctrees until the checks or scikit-learn change.
"""

import functools
import hashlib
import json
import warnings
from pathlib import Path
from typing import NamedTuple

import sklearn
from docutils.statemachine import StringList
from registry_tables import table
from sklearn import cluster, mixture
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from sklearn_clustcompare import check_clusterer, checks
from sklearn_clustcompare.checks._record import CHECKS, promises_known

logger = logging.getLogger(__name__)

CLUSTERERS = {
    "KMeans": cluster.KMeans(),
    "MiniBatch KMeans": cluster.MiniBatchKMeans(),
    "Bisecting KMeans": cluster.BisectingKMeans(),
    "Birch": cluster.Birch(),
    "Agglomerative (Ward)": cluster.AgglomerativeClustering(),
    "Agglomerative (average)": cluster.AgglomerativeClustering(linkage="average"),
    "Agglomerative (single)": cluster.AgglomerativeClustering(linkage="single"),
    "Spectral Clustering": cluster.SpectralClustering(),
    "Affinity Propagation": cluster.AffinityPropagation(),
    "MeanShift": cluster.MeanShift(),
    "DBSCAN": cluster.DBSCAN(),
    "HDBSCAN": cluster.HDBSCAN(copy=True),
    "OPTICS": cluster.OPTICS(),
    "Gaussian Mixture": mixture.GaussianMixture(),
    "Bayesian Gaussian Mixture": mixture.BayesianGaussianMixture(),
}


class Reason(NamedTuple):
    """Why a clusterer fails a check, in a word and in a sentence."""

    word: str
    text: str


_RANDOM_START = Reason(
    "design", "With one random start the result depends on which objects are drawn, by position."
)

_INTEGERS = Reason(
    "bug",
    "``predict`` keeps log-probabilities in the type of X: those of integers are whole numbers.",
)

# By clusterer and check.
REASONS = {
    ("Birch", "check_small_cluster_is_kept"): Reason(
        "design",
        "A subcluster is a ball around a mean: beside 200 objects, five far ones hardly change it.",
    ),
    ("MeanShift", "check_centers_are_means"): Reason("design", "Centers are modes, not means."),
    ("Affinity Propagation", "check_centers_are_means"): Reason(
        "design", "Centers are objects of the data, not means."
    ),
    ("Affinity Propagation", "check_many_objects"): Reason(
        "design", "The default ``damping=0.5`` does not converge on 600 objects."
    ),
    ("OPTICS", "check_many_features"): Reason(
        "design", "The default ``xi=0.05`` finds clusters within the blobs, which noise changes."
    ),
    ("OPTICS", "check_many_objects"): Reason(
        "design", "The default ``xi=0.05`` finds clusters within the blobs; 0.5 finds the blobs."
    ),
    ("Gaussian Mixture", "check_integers"): _INTEGERS,
    ("Bayesian Gaussian Mixture", "check_integers"): _INTEGERS,
    ("Bisecting KMeans", "check_order_of_overlapping_objects"): _RANDOM_START,
    ("Bisecting KMeans", "check_floor_on_wine"): Reason(
        "tolerance",
        "The first cut in two goes through a cultivar; no later one mends it, with ten starts "
        "(``n_init=10``) neither.",
    ),
    ("Birch", "check_order_of_overlapping_objects"): Reason(
        "design", "The tree grows in the order of the objects."
    ),
    ("Agglomerative (single)", "check_floor_on_iris"): Reason(
        "design", "Single linkage follows chains of objects between two species."
    ),
    ("Agglomerative (single)", "check_floor_on_wine"): Reason(
        "design", "Single linkage cuts off outliers one by one."
    ),
    ("Agglomerative (single)", "check_floor_on_breast_cancer"): Reason(
        "design", "Single linkage cuts off outliers one by one."
    ),
    ("Agglomerative (average)", "check_floor_on_wine"): Reason(
        "design", "Average linkage cuts off outliers first."
    ),
    ("Agglomerative (average)", "check_floor_on_breast_cancer"): Reason(
        "design", "Average linkage cuts off outliers first."
    ),
    ("Spectral Clustering", "check_scale"): Reason(
        "design", "The width of the kernel (``gamma``) has a unit."
    ),
    ("Spectral Clustering", "check_floor_on_wine"): Reason(
        "design", "The default ``gamma=1`` is too narrow for 13 features; 0.05 has a score of 0.93."
    ),
    ("Spectral Clustering", "check_floor_on_breast_cancer"): Reason(
        "design", "The default ``gamma=1`` is too narrow for 30 features."
    ),
    ("Affinity Propagation", "check_duplicated_rows_stay_together"): Reason(
        "design", "Two equal rows can both become exemplars: small noise breaks ties."
    ),
    ("Affinity Propagation", "check_separated_blobs_are_found"): Reason(
        "design", "The default ``damping=0.5`` does not converge here; 0.7 does and finds them."
    ),
    ("DBSCAN", "check_order_of_overlapping_objects"): Reason(
        "design", "An object at the border of two clusters goes to the one found first."
    ),
    ("DBSCAN", "check_scale"): Reason("design", "The radius ``eps`` has a unit."),
    ("HDBSCAN", "check_duplicated_rows_stay_together"): Reason(
        "design",
        "Equal distances are tied, and the tree takes one first; ``algorithm='brute'`` passes.",
    ),
    ("OPTICS", "check_order_of_objects"): Reason(
        "design", "The ordering starts from the first object, and clusters are steep places in it."
    ),
    ("OPTICS", "check_order_of_overlapping_objects"): Reason(
        "design", "The ordering starts from the first object, and clusters are steep places in it."
    ),
    ("OPTICS", "check_duplicated_rows_stay_together"): Reason(
        "design", "Equal rows are neighbors in the ordering, and a cluster can end between them."
    ),
    ("OPTICS", "check_separated_blobs_are_found"): Reason(
        "design", "The default ``xi=0.05`` finds clusters within the blobs; 0.5 finds the blobs."
    ),
}


def run_matrix():
    """Return status and message of each check, by clusterer."""
    return {name: run_checks(estimator) for name, estimator in CLUSTERERS.items()}


def run_checks(estimator):
    """Return status and message by check."""
    results = check_clusterer(estimator, promises=promises_known(), on_fail=None, on_skip=None)
    return {
        result["check_name"]: [result["status"], str(result["exception"] or "")]
        for result in results
    }


def unexplained(matrix):
    """Return the failures without a reason, and the reasons without a failure."""
    failed = {
        (name, check)
        for name, results in matrix.items()
        for check, (status, _) in results.items()
        if status == "failed"
    }
    return failed - REASONS.keys(), REASONS.keys() - failed


# --------------------------------------------------------------------------- the run, kept


@functools.cache
def _kept_matrix(folder):
    """Return the matrix of this build, and warn of what is not explained."""
    path = Path(folder) / "clusterer_matrix.json"
    key = _key()
    kept = json.loads(path.read_text()) if path.exists() else {}
    if kept.get("key") != key:
        logger.info("checking %d clusterers", len(CLUSTERERS))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept = {"key": key, "matrix": run_matrix()}
        path.write_text(json.dumps(kept))
    without_reason, without_failure = unexplained(kept["matrix"])
    for name, check in sorted(without_reason):
        logger.warning("%s of %s fails, and no reason is given", check, name)
    for name, check in sorted(without_failure):
        logger.warning("%s of %s has a reason to fail, and passes", check, name)
    return kept["matrix"]


def _key():
    digest = hashlib.sha256(sklearn.__version__.encode())
    for path in [*sorted(Path(checks.__file__).parent.glob("*.py")), Path(__file__)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


# --------------------------------------------------------------------------- tables


class _Table(SphinxDirective):
    def run(self):
        lines = table(*self.content_of(_kept_matrix(self.env.doctreedir)))
        return self.parse_text_to_nodes(StringList(lines, self.get_source_info()[0]))


class ClustererChecks(_Table):
    """All checks: property, data and tolerance, what a clusterer must have."""

    def content_of(self, matrix):
        """Return heads and rows."""
        rows = []
        for name, check in CHECKS.items():
            needs = [need.text for need in check.needs]
            if check.promise:
                needs.append(f'the promise "{check.promise}"')
            rows.append([f"``{name}``", check.text, "; ".join(needs) or "–"])
        return ["check", "what it asks", "needs"], rows


class ClustererMatrix(_Table):
    """Checks by clusterers."""

    def content_of(self, matrix):
        """Return heads and rows."""
        rows = []
        for check in CHECKS:
            cells = [_mark(name, check, matrix[name].get(check)) for name in matrix]
            rows.append([f"``{check.removeprefix('check_')}``", *cells])
        return ["check", *matrix], rows


def _mark(name, check, result):
    if result is None or result[0] == "skipped":
        return "–"
    if result[0] == "passed":
        return "✓"
    return REASONS[name, check].word if (name, check) in REASONS else "fails"


class ClustererFailures(_Table):
    """Failures with their reasons."""

    def content_of(self, matrix):
        """Return heads and rows."""
        rows = [
            [
                name,
                f"``{check.removeprefix('check_')}``",
                f"{REASONS[name, check].word}: {REASONS[name, check].text}",
            ]
            for name, results in matrix.items()
            for check, (status, _) in results.items()
            if status == "failed" and (name, check) in REASONS
        ]
        return ["clusterer", "check", "why"], rows


def setup(app):
    """Register the directives."""
    app.add_directive("clusterer-checks", ClustererChecks)
    app.add_directive("clusterer-matrix", ClustererMatrix)
    app.add_directive("clusterer-failures", ClustererFailures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
