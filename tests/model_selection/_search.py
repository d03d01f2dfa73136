"""Searches that fit and score the same objects, and fail where a score does."""

from sklearn.model_selection import GridSearchCV

from sklearn_clustcompare.model_selection import TransductiveSplit

STRICT = {"cv": TransductiveSplit(), "error_score": "raise"}


def search(estimator, grid, scorer, **options):
    return GridSearchCV(estimator, grid, scoring=scorer, **(STRICT | options))
