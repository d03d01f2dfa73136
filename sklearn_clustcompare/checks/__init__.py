"""Checks of clusterers for their authors: properties, limits, and accepted results."""

from typing import TYPE_CHECKING

from sklearn_clustcompare._options import publish
from sklearn_clustcompare.checks import _input as _input  # its checks come before the others
from sklearn_clustcompare.checks._baseline import ClusteringBaseline as ClusteringBaseline
from sklearn_clustcompare.checks._gates import assert_clustering
from sklearn_clustcompare.checks._gates import assert_not_worse as assert_not_worse
from sklearn_clustcompare.checks._record import CHECKS, Check
from sklearn_clustcompare.checks._run import check_clusterer, parametrize_with_clusterer_checks
from sklearn_clustcompare.checks._run import list_clusterer_checks as list_clusterer_checks

__all__ = [
    "ClusteringBaseline",
    "assert_clustering",
    "assert_not_worse",
    "check_clusterer",
    "list_clusterer_checks",
    "parametrize_with_clusterer_checks",
]

# Single checks are here to run alone, and no public names of the package.
globals().update(CHECKS)
if TYPE_CHECKING:

    def __getattr__(name: str) -> Check: ...


publish(globals())
