"""Result records: the classes of what functions return, for annotations and ``isinstance``.

A class whose objects users do not make stands here, and not at the top of the package: functions,
methods and attributes return its objects. Classes that users make, by a call or by a class method
such as ``ContingencyTable.from_labels``, stand at the top. Pickled results name this module.
"""
# ruff: noqa: F822 the module gets its names at their first use

from importlib import import_module
from typing import Any

import sklearn_clustcompare

# Imported at their first use; editors read results.pyi.
__all__ = [
    "AlignedPartitions",
    "BaselineComparison",
    "CandidateComparison",
    "CandidatePermutationTest",
    "CandidateScores",
    "ChanceAdjustedScore",
    "ClusterDecomposition",
    "ClusterSignificance",
    "ClusterStability",
    "ClusterSummary",
    "ClusterValues",
    "ClusteringTree",
    "CoAssociation",
    "ComparisonReport",
    "ConsensusResult",
    "CredibleBall",
    "EntityReport",
    "GapStatistic",
    "HierarchyComparison",
    "IndexCurve",
    "IndexRecommendation",
    "Influence",
    "InternalDecomposition",
    "MedoidResult",
    "MixedCluster",
    "NClustersChoice",
    "NClustersVerdict",
    "NoninferiorityResult",
    "OverallIndex",
    "PairedComparisonResult",
    "PairwiseScores",
    "PartialPartitionDistance",
    "PermutationTestResult",
    "PosteriorComparison",
    "PredictionStrength",
    "Recombination",
    "ReferenceProfile",
    "ReportHeadline",
    "ReportProvenance",
    "SampledReferenceScores",
    "ScoreInterval",
    "SmallGroup",
    "StabilityResult",
    "StructureTestResult",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        for part in sklearn_clustcompare._PARTS:
            found = vars(import_module(f"sklearn_clustcompare.{part}"))
            if name in found:
                value = globals()[name] = found[name]
                return value
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return __all__
