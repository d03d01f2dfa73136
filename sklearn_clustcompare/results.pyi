"""Written by .ci/write_stub.py from the functions themselves."""

from sklearn_clustcompare._partition.labels import AlignedPartitions as AlignedPartitions
from sklearn_clustcompare.candidates._curve import IndexCurve as IndexCurve
from sklearn_clustcompare.candidates._curve import ReferenceProfile as ReferenceProfile
from sklearn_clustcompare.candidates._pairwise import (
    CandidatePermutationTest as CandidatePermutationTest,
)
from sklearn_clustcompare.candidates._pairwise import PairwiseScores as PairwiseScores
from sklearn_clustcompare.candidates._pairwise import (
    PartialPartitionDistance as PartialPartitionDistance,
)
from sklearn_clustcompare.candidates._scores import CandidateComparison as CandidateComparison
from sklearn_clustcompare.candidates._scores import CandidateScores as CandidateScores
from sklearn_clustcompare.checks._gates import BaselineComparison as BaselineComparison
from sklearn_clustcompare.consensus._co_association import CoAssociation as CoAssociation
from sklearn_clustcompare.consensus._medoid import MedoidResult as MedoidResult
from sklearn_clustcompare.consensus._posterior import CredibleBall as CredibleBall
from sklearn_clustcompare.consensus._posterior import PosteriorComparison as PosteriorComparison
from sklearn_clustcompare.consensus._result import ConsensusResult as ConsensusResult
from sklearn_clustcompare.hierarchies._comparison import ClusteringTree as ClusteringTree
from sklearn_clustcompare.hierarchies._comparison import HierarchyComparison as HierarchyComparison
from sklearn_clustcompare.report._clusters import InternalDecomposition as InternalDecomposition
from sklearn_clustcompare.report._decomposition import ClusterDecomposition as ClusterDecomposition
from sklearn_clustcompare.report._decomposition import ClusterSummary as ClusterSummary
from sklearn_clustcompare.report._decomposition import ClusterValues as ClusterValues
from sklearn_clustcompare.report._decomposition import Recombination as Recombination
from sklearn_clustcompare.report._overall import OverallIndex as OverallIndex
from sklearn_clustcompare.report._overall import ReportHeadline as ReportHeadline
from sklearn_clustcompare.report._overall import ReportProvenance as ReportProvenance
from sklearn_clustcompare.report._recommendation import IndexRecommendation as IndexRecommendation
from sklearn_clustcompare.report._report import ComparisonReport as ComparisonReport
from sklearn_clustcompare.report._report import EntityReport as EntityReport
from sklearn_clustcompare.report._report import MixedCluster as MixedCluster
from sklearn_clustcompare.significance._adjustment import (
    ChanceAdjustedScore as ChanceAdjustedScore,
)
from sklearn_clustcompare.significance._intervals import (
    NoninferiorityResult as NoninferiorityResult,
)
from sklearn_clustcompare.significance._intervals import (
    PairedComparisonResult as PairedComparisonResult,
)
from sklearn_clustcompare.significance._intervals import (
    SampledReferenceScores as SampledReferenceScores,
)
from sklearn_clustcompare.significance._intervals import ScoreInterval as ScoreInterval
from sklearn_clustcompare.significance._permutation import (
    PermutationTestResult as PermutationTestResult,
)
from sklearn_clustcompare.without_reference._gap import GapStatistic as GapStatistic
from sklearn_clustcompare.without_reference._n_clusters import NClustersChoice as NClustersChoice
from sklearn_clustcompare.without_reference._n_clusters import SmallGroup as SmallGroup
from sklearn_clustcompare.without_reference._stability import ClusterStability as ClusterStability
from sklearn_clustcompare.without_reference._stability import Influence as Influence
from sklearn_clustcompare.without_reference._stability import (
    PredictionStrength as PredictionStrength,
)
from sklearn_clustcompare.without_reference._stability_search import (
    StabilityResult as StabilityResult,
)
from sklearn_clustcompare.without_reference._structure import (
    ClusterSignificance as ClusterSignificance,
)
from sklearn_clustcompare.without_reference._structure import (
    StructureTestResult as StructureTestResult,
)
from sklearn_clustcompare.without_reference._verdict import NClustersVerdict as NClustersVerdict
