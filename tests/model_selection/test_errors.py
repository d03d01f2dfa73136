"""What is wrong is an error that names it."""

import pytest

from sklearn_clustcompare import adjusted_rand_score, make_clustering_scorer
from tests._errors import error_cases

VALUE_ERRORS = {
    # scorer
    "once, got 'ari' and 'adjusted_rand": lambda: make_clustering_scorer(
        ["ari", "adjusted_rand_score"]
    ),
    "once, got 'ami' and 'AMI'": lambda: make_clustering_scorer(["ami", "AMI"]),
    "once, got 'nmi:q=2' and 'nmi'": lambda: make_clustering_scorer(["nmi:q=2", "nmi"], q=2.0),
    "name each index once, got 'ari' and": lambda: make_clustering_scorer(
        ["ari", adjusted_rand_score]
    ),
    "name each index once, got 'bic' and 'BIC'": lambda: make_clustering_scorer(["bic", "BIC"]),
    "did you mean 'adjusted_rand_score'": lambda: make_clustering_scorer("adjusted_rnd"),
    "index must name at least one index": lambda: make_clustering_scorer([]),
    "got 'nmj'": lambda: make_clustering_scorer(["rand_score", "nmj"]),
    "index must be one of .* got None": lambda: make_clustering_scorer(None),
    "q must be a number from 0.001 to 30": lambda: make_clustering_scorer(
        "mutual_info_score", q=-1
    ),
}

TYPE_ERRORS = {
    # scorer
    "did you mean 'response'": [
        lambda: make_clustering_scorer("nmi", response_method="predict"),
        lambda: make_clustering_scorer("rand_score", response_method="x"),
        lambda: make_clustering_scorer("bic", response_method="x"),
    ],
    "did you mean 'noise'": lambda: make_clustering_scorer("silhouette_score", nois="drop"),
    "response must be 'auto' or the name": lambda: make_clustering_scorer("rand_score", response=1),
    "possibilistic must be True or False": lambda: make_clustering_scorer(
        "rand_score", possibilistic=1
    ),
    "'q'; .*, and rand_score takes no parameters": lambda: make_clustering_scorer(
        "rand_score", q=2
    ),
    "'beta'; .*, and mutual_info_score takes 'q', 'base'": lambda: make_clustering_scorer(
        "mutual_info_score", beta=1
    ),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
