"""Checks of clusterers for their authors: properties, floors, and what was accepted before."""

from sklearn_clustcompare.checks._growth import FitGrowth, measure_fit_growth
from sklearn_clustcompare.checks._run import (
    check_clusterer,
    list_clusterer_checks,
    parametrize_with_clusterer_checks,
)

__all__ = [
    "FitGrowth",
    "check_clusterer",
    "list_clusterer_checks",
    "measure_fit_growth",
    "parametrize_with_clusterer_checks",
]
