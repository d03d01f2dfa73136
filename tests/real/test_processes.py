"""Jobs in two processes or threads, as joblib starts them where no test has set a backend."""

import json
import subprocess
import sys

import pytest

from tests._files import REPOSITORY

JOBS = """
import json, sys
import joblib, numpy as np
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.model_selection import GridSearchCV
import sklearn_clustcompare as clustcompare
from sklearn_clustcompare import StabilitySearch, TransductiveSplit, make_clustering_scorer
from tests.real._inputs import moved, shipped, zipf_labels

def jobs(n_jobs):
    X, y = shipped("iris")
    large = zipf_labels(30_000, 60)
    runs = [moved(large, share, seed=k) for k, share in enumerate(np.linspace(.05, .9, 30))]
    few = {f"k={k}": AgglomerativeClustering(k).fit_predict(X) for k in (2, 3, 4)}
    scores = clustcompare.score_candidates(large, runs, indices=["ari", "ami"], n_jobs=n_jobs)
    yield "scores", [values.tolist() for values in scores.scores.values()]
    yield "small scores", clustcompare.score_candidates(
        y, few, indices="ari", confidence_level=.9, n_jobs=n_jobs
    ).to_frame().iloc[:, :2].to_numpy().tolist()
    yield "own index", clustcompare.score_candidates(
        y, few, indices=clustcompare.indices.Index("share", lambda table: table.n_samples / 200.0,
        greater_is_better=True, range=(0, 1), symmetric=True, source="a test"), n_jobs=n_jobs
    ).scores["share"].tolist()
    yield "pairs", clustcompare.pairwise_scores(runs, index="ari", n_jobs=n_jobs).values.tolist()
    scores = clustcompare.score_candidates(large, runs, indices="rand_score", n_jobs=n_jobs)
    yield "again", scores.scores["rand_score"].tolist()
    test = clustcompare.permutation_test(
        y, np.random.default_rng(0).permutation(y), index="purity_score", n_resamples=500,
        n_jobs=n_jobs
    )
    yield "permutations", test.pvalue
    result = clustcompare.consensus_partition([*few.values()], n_init=2, n_jobs=n_jobs)
    yield "consensus", [result.score, result.labels.tolist()]
    search = GridSearchCV(
        KMeans(n_init=2, random_state=0), {"n_clusters": [2, 3, 4]}, cv=TransductiveSplit(),
        scoring=make_clustering_scorer(["rand_score", "purity_score"]), refit="rand_score",
        n_jobs=n_jobs, error_score="raise",
    ).fit(X, y)
    yield "search", search.cv_results_["mean_test_rand_score"].tolist()
    search = GridSearchCV(
        DBSCAN(min_samples=5), {"eps": [.5, .7, .9]}, cv=TransductiveSplit(),
        scoring=make_clustering_scorer("ami"), n_jobs=n_jobs, error_score="raise",
    ).fit(X, y)
    yield "search of DBSCAN", search.cv_results_["mean_test_score"].tolist()
    stability = StabilitySearch(
        KMeans(n_init=2), {"n_clusters": [2, 3]}, n_resamples=4, random_state=0, n_jobs=n_jobs
    ).fit(X)
    yield "stability", np.asarray(stability.result_.mean).tolist()

if __name__ == "__main__":
    assert "Loky" in type(joblib.parallel.get_active_backend()[0]).__name__
    print(json.dumps(dict(jobs(int(sys.argv[1])))))
"""


@pytest.mark.slow
@pytest.mark.processes
def test_two_jobs_give_what_one_gives(tmp_path):
    script = tmp_path / "jobs.py"
    script.write_text(JOBS, encoding="utf-8")
    one, two = (
        json.loads(
            subprocess.run(
                [sys.executable, "-W", "error", str(script), n_jobs],
                env={"PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"},
                text=True,
                capture_output=True,
                check=True,
            ).stdout
        )
        for n_jobs in "12"
    )
    assert one.keys() == two.keys()
    assert len(one) == 10
    for name, values in one.items():
        assert values == two[name], name
