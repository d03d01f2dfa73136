"""What is wrong is an error that names it."""

import re
from functools import partial

import pandas as pd
import pytest
from sklearn.datasets import load_iris

from sklearn_clustcompare import ContingencyTable, clustering_comparison_report, recommend_index
from sklearn_clustcompare.report import cluster_names, internal_decomposition, noise_bounds
from sklearn_clustcompare.report._decomposition import cluster_decomposition
from tests._errors import error_cases, using
from tests.report._examples import ANIMALS, FOUND

X, Y = load_iris(return_X_y=True)
TRUE, PRED = [0, 0, 1, 1, -1, -1], [0, 0, 0, 1, 1, 1]

report = using(clustering_comparison_report)
of_animals = using(clustering_comparison_report, ANIMALS, FOUND)
entities = using(clustering_comparison_report, [0, 0, 1], [0, 1, 1], family="entity")
decomposed = using(cluster_decomposition, [0, 1], [0, 1])
internal, named, bounds = using(internal_decomposition), using(cluster_names), using(noise_bounds)
recommend, recommended = using(recommend_index), using(recommend_index, [0, 1])


VALUE_ERRORS = {
    "^sample_weight must hold whole frequencies": bounds(
        [0, -1], [0, 1], index="purity_score", sample_weight=[0.5, 1]
    ),
    # decomposition
    "^q must be a number from 0.001 to 30": decomposed(q=0),
    "^sample_weight must have shape": decomposed(sample_weight=[1]),
    "^noise must be one of": [
        decomposed(noise="keep"),
        of_animals(noise="keep"),
    ],
    # families
    "family must be one of None, 'entity'": report([0, 0, 1], [0, 1, 1], family="tracking"),
    "ids must be None unless family is 'entity'": report([0, 0, 1], [0, 1, 1], ids=[1, 2, 3]),
    "ids must name each object once": entities(ids=[1, 2, 2]),
    "same length": entities(ids=[1, 2]),
    **{
        f"{name} must be left out": partial(
            clustering_comparison_report, [0, 0, 1], [0, 1, 1], family="entity", **{name: value}
        )
        for name, value in {
            "sample_weight": [1, 1, 1],
            "within": [1, 1, 1],
            "possibilistic": True,
        }.items()
    },
    "got memberships": report([[0.5, 0.5], [1, 0]], [[0.3, 0.7], [0, 1]], family="entity"),
    "got fractions": report(ContingencyTable.from_counts([[0.5, 1], [1, 1]]), family="entity"),
    "ids must be None unless labels": report(
        ContingencyTable.from_labels([0, 0, 1], [0, 1, 1]), family="entity", ids=[1, 2, 3]
    ),
    # internal
    "metric must not be 'precomputed'": internal(X, Y, metric="precomputed"),
    "X and labels must have the same length, got 150 and 2": internal(X, [0, 1]),
    "X and labels must have the same index": internal(
        pd.DataFrame(X), pd.Series(Y).sample(frac=1, random_state=0)
    ),
    # names
    "^labels_true and labels_pred must have the same length": [
        named([0, 1], [0]),
        report([0, 1], [0]),
    ],
    # noise bounds
    "index must be one of .*'purity_score', .*; got 'rand_": bounds([0], [0], index="rand_score"),
    "labels_true must be free of noise": bounds([0, 0, -1], [0, 0, 0], index="pair_recall_score"),
    "labels_pred must be free of noise": bounds(
        [0, 0, 0], [0, 0, -1], index="pair_precision_score"
    ),
    "labels_true must have a cluster of two objects": bounds(
        [0, 1], [0, 0], index="pair_recall_score"
    ),
    # recommendation
    "^labels_true must hold at least one object, got none": recommend([]),
    "^sample_weight must be positive": recommended(sample_weight=[0, 0]),
    "^sample_weight": recommended(sample_weight=[1]),
    "^candidate_n_clusters must hold": [
        recommended(candidate_n_clusters=[]),
        recommended(candidate_n_clusters=[[2]]),
    ],
    "^candidate_n_clusters must be at": recommended(candidate_n_clusters=[2, 0]),
    "^labels_true must be a 1-D array": recommend([[0, 1]]),
    "^labels_true must not contain missing values": recommend([0, None]),
    # report
    "^digits must be at least 1": of_animals(digits=0),
    **{
        f"^names must be one for the reference .*, got {re.escape(repr(names))}": partial(
            clustering_comparison_report, ANIMALS, FOUND, names=names
        )
        for names in (("a",), "ab", 5, {"a": 1, "b": 2})
    },
}

TYPE_ERRORS = {
    # decomposition
    "^q must be an int or a float": decomposed(q="1"),
    # internal
    "sample_size must be an integer": internal(X, Y, sample_size="all"),
    # recommendation
    "^candidate_n_clusters must be an": recommended(candidate_n_clusters=[2.5]),
    # report
    "^max_clusters must be an integer": of_animals(max_clusters=2.5),
    "^output_dict must be True or False": of_animals(output_dict="yes"),
}


REPORT = clustering_comparison_report(ANIMALS, FOUND)
TYPE_ERRORS |= {
    r"^ComparisonReport.to_html\(\) .*: Path\(path\).write_text\(result.to_html\(\), enc": (
        lambda: REPORT.to_html("report.html")
    ),
    r"^ComparisonReport.to_frame\(\) takes no .*: result.to_frame\(\).to_csv\(path\)": lambda: (
        REPORT.to_frame("report.csv")
    ),
}
ATTRIBUTE_ERRORS = {
    "'save'; did you mean 'to_html'": lambda: REPORT.save,
    "'pvalue'; did you mean 'headline.pvalue'": lambda: REPORT.pvalue,
    "'score'; did you mean 'headline.scores'": lambda: REPORT.score,
    r"'ari'; did you mean \"headline.scores\['adjusted_rand_score'\]": lambda: REPORT.ari,
    r"'nmi'; did you mean \"to_dict\(\)\['overall'\]\['normalized_mutual_info_score'\]": lambda: (
        REPORT.nmi
    ),
    "'verdict'; did you mean 'to_frame'": lambda: REPORT.verdict,
    "'mcc'; it has decomposition, headline": lambda: REPORT.mcc,
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS, ATTRIBUTE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
