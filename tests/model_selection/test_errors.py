"""What is wrong is an error that names it."""

import pytest

from sklearn_clustcompare import adjusted_rand_score, make_clustering_scorer
from tests._errors import error_cases, using

scorer = using(make_clustering_scorer)

VALUE_ERRORS = {
    # scorer
    "once, got 'ari' and 'adjusted_rand": scorer(["ari", "adjusted_rand_score"]),
    "once, got 'ami' and 'AMI'": scorer(["ami", "AMI"]),
    "once, got 'nmi:q=2' and 'nmi'": scorer(["nmi:q=2", "nmi"], q=2.0),
    "name each index once, got 'ari' and": scorer(["ari", adjusted_rand_score]),
    "name each index once, got 'bic' and 'BIC'": scorer(["bic", "BIC"]),
    "did you mean 'adjusted_rand_score'": scorer("adjusted_rnd"),
    "index must name at least one index": scorer([]),
    "got 'nmj'": scorer(["rand_score", "nmj"]),
    "index must be one of .* got None": scorer(None),
    "q must be a number from 0.001 to 30": scorer("mutual_info_score", q=-1),
}

TYPE_ERRORS = {
    # scorer
    "did you mean 'response'": [
        scorer("nmi", response_method="predict"),
        scorer("rand_score", response_method="x"),
        scorer("bic", response_method="x"),
    ],
    "did you mean 'noise'": scorer("silhouette_score", nois="drop"),
    "response must be 'auto' or the name": scorer("rand_score", response=1),
    "possibilistic must be True or False": scorer("rand_score", possibilistic=1),
    "'q'; .*, and rand_score takes no parameters": scorer("rand_score", q=2),
    "'beta'; .*, and mutual_info_score takes 'q', 'base'": scorer("mutual_info_score", beta=1),
}


@error_cases(VALUE_ERRORS, TYPE_ERRORS)
def test_what_is_wrong_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()
