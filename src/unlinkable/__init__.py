"""Privacy-preserving data publishing.

Turn records about people into a release that no one can be linked to, keep as much of their
usefulness as possible, and prove what was promised.

>>> import unlinkable as ul
>>> people = ul.as_table({"age": [30, 31, 45, 46], "ill": ["flu", "hiv", "flu", "cold"]},
...     quasi="age", sensitive="ill")
>>> release = ul.anonymize(people, privacy=[ul.KAnonymity(2), ul.DistinctLDiversity(2)])
>>> release.holds
True

Everything below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unlinkable import examples as examples
    from unlinkable.tables.attacks import AttributeLinkage as AttributeLinkage
    from unlinkable.tables.attacks import BackgroundKnowledge as BackgroundKnowledge
    from unlinkable.tables.attacks import Classifier as Classifier
    from unlinkable.tables.attacks import Correspondence as Correspondence
    from unlinkable.tables.attacks import Corruption as Corruption
    from unlinkable.tables.attacks import CriticalAbsence as CriticalAbsence
    from unlinkable.tables.attacks import DeFinetti as DeFinetti
    from unlinkable.tables.attacks import Difference as Difference
    from unlinkable.tables.attacks import Intersection as Intersection
    from unlinkable.tables.attacks import Membership as Membership
    from unlinkable.tables.attacks import Minimality as Minimality
    from unlinkable.tables.attacks import Proximity as Proximity
    from unlinkable.tables.attacks import RecordLinkage as RecordLinkage
    from unlinkable.tables.attacks import RecordTracing as RecordTracing
    from unlinkable.tables.attacks import SequentialJoin as SequentialJoin
    from unlinkable.tables.attacks import SinglingOut as SinglingOut
    from unlinkable.tables.attacks import Skewness as Skewness
    from unlinkable.tables.attacks import TableLinkage as TableLinkage
    from unlinkable.tables.attacks import ViewJoin as ViewJoin
    from unlinkable.collection import BayesReconstruction as BayesReconstruction
    from unlinkable.collection import MiningReconstructed as MiningReconstructed
    from unlinkable.collection import RandomizedResponse as RandomizedResponse
    from unlinkable.collection import likeliest_shares as likeliest_shares
    from unlinkable.collection import shares_before as shares_before
    from unlinkable.tables.series import Continuous as Continuous
    from unlinkable.tables.series import HDComposition as HDComposition
    from unlinkable.tables.series import History as History
    from unlinkable.tables.series import Incremental as Incremental
    from unlinkable.tables.series import Marginals as Marginals
    from unlinkable.tables.series import MInvariance as MInvariance
    from unlinkable.tables.series import MultiLevelPerturbation as MultiLevelPerturbation
    from unlinkable.tables.series import MultipleViews as MultipleViews
    from unlinkable.tables.series import Sequential as Sequential
    from unlinkable.tables.methods import DRBT as DRBT
    from unlinkable.tables.methods import HDTDS as HDTDS
    from unlinkable.tables.methods import MDAV as MDAV
    from unlinkable.tables.methods import MPALM as MPALM
    from unlinkable.tables.methods import OKA as OKA
    from unlinkable.tables.methods import OLA as OLA
    from unlinkable.tables.methods import PRAM as PRAM
    from unlinkable.tables.methods import SPALM as SPALM
    from unlinkable.tables.methods import AlphaBeta as AlphaBeta
    from unlinkable.tables.methods import Anatomize as Anatomize
    from unlinkable.tables.methods import Best as Best
    from unlinkable.tables.methods import BottomUpGeneralization as BottomUpGeneralization
    from unlinkable.tables.methods import ClusterFramework as ClusterFramework
    from unlinkable.tables.methods import Condensation as Condensation
    from unlinkable.tables.methods import CondensationStream as CondensationStream
    from unlinkable.tables.methods import CrossTrainingRound as CrossTrainingRound
    from unlinkable.tables.methods import Datafly as Datafly
    from unlinkable.tables.methods import DensityPerturbation as DensityPerturbation
    from unlinkable.tables.methods import DPHistogram as DPHistogram
    from unlinkable.tables.methods import DPSynthetic as DPSynthetic
    from unlinkable.tables.methods import Flash as Flash
    from unlinkable.tables.methods import Genetic as Genetic
    from unlinkable.tables.methods import GreedyCell as GreedyCell
    from unlinkable.tables.methods import GreedyPersonalized as GreedyPersonalized
    from unlinkable.tables.methods import ImprovedGreedy as ImprovedGreedy
    from unlinkable.tables.methods import Incognito as Incognito
    from unlinkable.tables.methods import InfoGainMondrian as InfoGainMondrian
    from unlinkable.tables.methods import KEPermutation as KEPermutation
    from unlinkable.tables.methods import KOptimize as KOptimize
    from unlinkable.tables.methods import LPlusOptimize as LPlusOptimize
    from unlinkable.tables.methods import LSDMondrian as LSDMondrian
    from unlinkable.tables.methods import MedianSwapping as MedianSwapping
    from unlinkable.tables.methods import MinGen as MinGen
    from unlinkable.tables.methods import Mondrian as Mondrian
    from unlinkable.tables.methods import MuArgus as MuArgus
    from unlinkable.tables.methods import Optimal as Optimal
    from unlinkable.tables.methods import PerturbedGeneralization as PerturbedGeneralization
    from unlinkable.tables.methods import RankSwapping as RankSwapping
    from unlinkable.tables.methods import RecursiveHistogram as RecursiveHistogram
    from unlinkable.tables.methods import RGather as RGather
    from unlinkable.tables.methods import RRobustBucketization as RRobustBucketization
    from unlinkable.tables.methods import Samarati as Samarati
    from unlinkable.tables.methods import Synthetic as Synthetic
    from unlinkable.tables.methods import TopDownDisclosure as TopDownDisclosure
    from unlinkable.tables.methods import TopDownRefinement as TopDownRefinement
    from unlinkable.tables.methods import TopDownSpecialization as TopDownSpecialization
    from unlinkable.noise import Event as Event
    from unlinkable.noise import Ledger as Ledger
    from unlinkable.tables.models import AlphaKAnonymity as AlphaKAnonymity
    from unlinkable.tables.models import AverageRisk as AverageRisk
    from unlinkable.tables.models import BetaLikeness as BetaLikeness
    from unlinkable.tables.models import BTPrivacy as BTPrivacy
    from unlinkable.tables.models import ConfidenceBounding as ConfidenceBounding
    from unlinkable.tables.models import CrowdEntropy as CrowdEntropy
    from unlinkable.tables.models import CTIsolation as CTIsolation
    from unlinkable.tables.models import DeltaBounding as DeltaBounding
    from unlinkable.tables.models import DeltaDisclosure as DeltaDisclosure
    from unlinkable.tables.models import DeltaPresence as DeltaPresence
    from unlinkable.tables.models import DGammaPrivacy as DGammaPrivacy
    from unlinkable.tables.models import DifferentialPrivacy as DifferentialPrivacy
    from unlinkable.tables.models import DistinctLDiversity as DistinctLDiversity
    from unlinkable.tables.models import DistributionalPrivacy as DistributionalPrivacy
    from unlinkable.tables.models import EntropyLDiversity as EntropyLDiversity
    from unlinkable.tables.models import EpsilonMAnonymity as EpsilonMAnonymity
    from unlinkable.tables.models import FFAnonymity as FFAnonymity
    from unlinkable.tables.models import FrequencyLDiversity as FrequencyLDiversity
    from unlinkable.tables.models import HellingerCloseness as HellingerCloseness
    from unlinkable.tables.models import KAnonymity as KAnonymity
    from unlinkable.tables.models import KCAnonymity as KCAnonymity
    from unlinkable.tables.models import KEAnonymity as KEAnonymity
    from unlinkable.tables.models import KMap as KMap
    from unlinkable.tables.models import LKCPrivacy as LKCPrivacy
    from unlinkable.tables.models import MConfidentiality as MConfidentiality
    from unlinkable.tables.models import MultirelationalKAnonymity as MultirelationalKAnonymity
    from unlinkable.tables.models import NTCloseness as NTCloseness
    from unlinkable.tables.models import PersonalizedPrivacy as PersonalizedPrivacy
    from unlinkable.tables.models import PopulationUniqueness as PopulationUniqueness
    from unlinkable.tables.models import PrivacyMaxEnt as PrivacyMaxEnt
    from unlinkable.tables.models import Profitability as Profitability
    from unlinkable.tables.models import RecursiveCLDiversity as RecursiveCLDiversity
    from unlinkable.tables.models import RRobustness as RRobustness
    from unlinkable.tables.models import SkylinePrivacy as SkylinePrivacy
    from unlinkable.tables.models import SquaredErrorDiversity as SquaredErrorDiversity
    from unlinkable.tables.models import TCloseness as TCloseness
    from unlinkable.tables.models import XYAnonymity as XYAnonymity
    from unlinkable.tables.models import XYLinkability as XYLinkability
    from unlinkable.tables.models import XYPrivacy as XYPrivacy
    from unlinkable.tables.operations import AdditiveNoise as AdditiveNoise
    from unlinkable.tables.operations import Anatomization as Anatomization
    from unlinkable.tables.operations import CellGeneralization as CellGeneralization
    from unlinkable.tables.operations import CellSuppression as CellSuppression
    from unlinkable.tables.operations import DataSwapping as DataSwapping
    from unlinkable.tables.operations import FullDomainGeneralization as FullDomainGeneralization
    from unlinkable.tables.operations import Microaggregation as Microaggregation
    from unlinkable.tables.operations import MultidimensionalGeneralization as MultidimensionalGeneralization
    from unlinkable.tables.operations import Permutation as Permutation
    from unlinkable.tables.operations import PostRandomization as PostRandomization
    from unlinkable.tables.operations import Pseudonymization as Pseudonymization
    from unlinkable.tables.operations import Recoding as Recoding
    from unlinkable.tables.operations import RecordSuppression as RecordSuppression
    from unlinkable.tables.operations import SiblingGeneralization as SiblingGeneralization
    from unlinkable.tables.operations import SubtreeGeneralization as SubtreeGeneralization
    from unlinkable.tables.operations import SyntheticData as SyntheticData
    from unlinkable.tables.operations import TopBottomCoding as TopBottomCoding
    from unlinkable.tables.operations import ValueSuppression as ValueSuppression
    from unlinkable.tables.operations import load_key as load_key
    from unlinkable.tables.operations import new_key as new_key
    from unlinkable.tables.operations import overlaps as overlaps
    from unlinkable.tables.operations import recode as recode
    from unlinkable.tables.operations import save_key as save_key
    from unlinkable.tables.publishing import GeneralizedRelease as GeneralizedRelease
    from unlinkable.tables.publishing import MaskedRelease as MaskedRelease
    from unlinkable.tables.publishing import Plan as Plan
    from unlinkable.tables.publishing import Release as Release
    from unlinkable.tables.publishing import Statement as Statement
    from unlinkable.tables.publishing import anonymize as anonymize
    from unlinkable.tables.publishing import check as check
    from unlinkable.tables.publishing import choose_k as choose_k
    from unlinkable.tables.publishing import compare as compare
    from unlinkable.tables.publishing import open_bundle as open_bundle
    from unlinkable.tables.publishing import verify as verify
    from unlinkable.tables.risk import QuasiIdentifierSearch as QuasiIdentifierSearch
    from unlinkable.tables.risk import ReIdentification as ReIdentification
    from unlinkable.tables.risk import RiskReport as RiskReport
    from unlinkable.tables.risk import SpecialUniques as SpecialUniques
    from unlinkable.tables.risk import Uniqueness as Uniqueness
    from unlinkable.tables.risk import assess as assess
    from unlinkable.tables.risk import describe as describe
    from unlinkable.tables.data import Auto as Auto
    from unlinkable.tables.data import Csv as Csv
    from unlinkable.tables.data import Dates as Dates
    from unlinkable.tables.data import Flat as Flat
    from unlinkable.tables.data import Intervals as Intervals
    from unlinkable.tables.data import Mask as Mask
    from unlinkable.tables.data import Table as Table
    from unlinkable.tables.data import Tree as Tree
    from unlinkable.tables.data import as_table as as_table
    from unlinkable.tables.data import read as read
    from unlinkable.tables.metrics import IGPL as IGPL
    from unlinkable.tables.metrics import ILPG as ILPG
    from unlinkable.tables.metrics import Ambiguity as Ambiguity
    from unlinkable.tables.metrics import AverageClassSize as AverageClassSize
    from unlinkable.tables.metrics import AverageInformationLoss as AverageInformationLoss
    from unlinkable.tables.metrics import BabuILoss as BabuILoss
    from unlinkable.tables.metrics import ClassificationError as ClassificationError
    from unlinkable.tables.metrics import ClassificationMetric as ClassificationMetric
    from unlinkable.tables.metrics import ClusterFMeasure as ClusterFMeasure
    from unlinkable.tables.metrics import Discernibility as Discernibility
    from unlinkable.tables.metrics import DiscernibilityRatio as DiscernibilityRatio
    from unlinkable.tables.metrics import DistinctiveAttribute as DistinctiveAttribute
    from unlinkable.tables.metrics import ILoss as ILoss
    from unlinkable.tables.metrics import InformationGain as InformationGain
    from unlinkable.tables.metrics import KLDivergence as KLDivergence
    from unlinkable.tables.metrics import MatchPoint as MatchPoint
    from unlinkable.tables.metrics import MinimalDistortion as MinimalDistortion
    from unlinkable.tables.metrics import NonuniformEntropy as NonuniformEntropy
    from unlinkable.tables.metrics import NormalizedCertaintyPenalty as NormalizedCertaintyPenalty
    from unlinkable.tables.metrics import PrivacyPercentage as PrivacyPercentage
    from unlinkable.tables.metrics import Propensity as Propensity
    from unlinkable.tables.metrics import QueryError as QueryError
    from unlinkable.tables.metrics import ReconstructionError as ReconstructionError
    from unlinkable.tables.metrics import Stress as Stress

_ROOMS = {
    "attacks": (
        "AttributeLinkage BackgroundKnowledge Classifier Correspondence Corruption "
        "CriticalAbsence DeFinetti Difference Intersection Membership Minimality Proximity "
        "RecordLinkage RecordTracing SequentialJoin SinglingOut Skewness TableLinkage ViewJoin"
    ),
    "collection": (
        "BayesReconstruction MiningReconstructed RandomizedResponse likeliest_shares shares_before"
    ),
    "history": (
        "Continuous HDComposition History Incremental MInvariance Marginals "
        "MultiLevelPerturbation MultipleViews Sequential"
    ),
    "methods": (
        "AlphaBeta Anatomize Best BottomUpGeneralization ClusterFramework Condensation "
        "CondensationStream CrossTrainingRound DPHistogram DPSynthetic DRBT Datafly "
        "DensityPerturbation Flash Genetic GreedyCell GreedyPersonalized HDTDS ImprovedGreedy "
        "Incognito InfoGainMondrian KEPermutation KOptimize LPlusOptimize LSDMondrian MDAV "
        "MPALM MedianSwapping MinGen Mondrian MuArgus OKA OLA Optimal PRAM "
        "PerturbedGeneralization RGather RRobustBucketization RankSwapping RecursiveHistogram "
        "SPALM Samarati Synthetic TopDownDisclosure TopDownRefinement TopDownSpecialization"
    ),
    "noise": "Event Ledger",
    "privacy": (
        "AlphaKAnonymity AverageRisk BTPrivacy BetaLikeness CTIsolation ConfidenceBounding "
        "CrowdEntropy DGammaPrivacy DeltaBounding DeltaDisclosure DeltaPresence "
        "DifferentialPrivacy DistinctLDiversity DistributionalPrivacy EntropyLDiversity "
        "EpsilonMAnonymity FFAnonymity "
        "FrequencyLDiversity HellingerCloseness KAnonymity KCAnonymity KEAnonymity KMap "
        "LKCPrivacy MConfidentiality MultirelationalKAnonymity NTCloseness PersonalizedPrivacy "
        "PopulationUniqueness PrivacyMaxEnt Profitability RRobustness RecursiveCLDiversity "
        "SkylinePrivacy SquaredErrorDiversity TCloseness XYAnonymity XYLinkability XYPrivacy"
    ),
    "recoding": (
        "AdditiveNoise Anatomization CellGeneralization CellSuppression DataSwapping "
        "FullDomainGeneralization Microaggregation MultidimensionalGeneralization Permutation "
        "PostRandomization Pseudonymization Recoding RecordSuppression SiblingGeneralization "
        "SubtreeGeneralization SyntheticData TopBottomCoding ValueSuppression load_key new_key "
        "overlaps recode save_key"
    ),
    "release": (
        "GeneralizedRelease MaskedRelease Plan Release Statement anonymize check choose_k "
        "compare open_bundle verify"
    ),
    "risk": (
        "QuasiIdentifierSearch ReIdentification RiskReport SpecialUniques Uniqueness assess "
        "describe"
    ),
    "table": "Auto Csv Dates Flat Intervals Mask Table Tree as_table read",
    "utility": (
        "Ambiguity AverageClassSize AverageInformationLoss BabuILoss ClassificationError "
        "ClassificationMetric ClusterFMeasure Discernibility DiscernibilityRatio "
        "DistinctiveAttribute IGPL ILPG ILoss InformationGain KLDivergence MatchPoint "
        "MinimalDistortion NonuniformEntropy NormalizedCertaintyPenalty PrivacyPercentage "
        "Propensity QueryError ReconstructionError Stress"
    ),
}

_WHERE = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = ["examples", *_WHERE]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "examples":
        return import_module("unlinkable.examples")
    if name not in _WHERE:
        raise AttributeError(f"module 'unlinkable' has no attribute {name!r}")
    return getattr(import_module(f"unlinkable.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
