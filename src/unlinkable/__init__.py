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
    from unlinkable.attacks import AttributeLinkage as AttributeLinkage
    from unlinkable.attacks import BackgroundKnowledge as BackgroundKnowledge
    from unlinkable.attacks import Classifier as Classifier
    from unlinkable.attacks import Correspondence as Correspondence
    from unlinkable.attacks import Corruption as Corruption
    from unlinkable.attacks import CriticalAbsence as CriticalAbsence
    from unlinkable.attacks import DeFinetti as DeFinetti
    from unlinkable.attacks import Difference as Difference
    from unlinkable.attacks import Intersection as Intersection
    from unlinkable.attacks import Membership as Membership
    from unlinkable.attacks import Minimality as Minimality
    from unlinkable.attacks import Proximity as Proximity
    from unlinkable.attacks import RecordLinkage as RecordLinkage
    from unlinkable.attacks import RecordTracing as RecordTracing
    from unlinkable.attacks import SequentialJoin as SequentialJoin
    from unlinkable.attacks import SinglingOut as SinglingOut
    from unlinkable.attacks import Skewness as Skewness
    from unlinkable.attacks import TableLinkage as TableLinkage
    from unlinkable.attacks import ViewJoin as ViewJoin
    from unlinkable.collection import BayesReconstruction as BayesReconstruction
    from unlinkable.collection import MiningReconstructed as MiningReconstructed
    from unlinkable.collection import RandomizedResponse as RandomizedResponse
    from unlinkable.collection import likeliest_shares as likeliest_shares
    from unlinkable.collection import shares_before as shares_before
    from unlinkable.history import Continuous as Continuous
    from unlinkable.history import HDComposition as HDComposition
    from unlinkable.history import History as History
    from unlinkable.history import Incremental as Incremental
    from unlinkable.history import Marginals as Marginals
    from unlinkable.history import MInvariance as MInvariance
    from unlinkable.history import MultiLevelPerturbation as MultiLevelPerturbation
    from unlinkable.history import MultipleViews as MultipleViews
    from unlinkable.history import Sequential as Sequential
    from unlinkable.methods import DRBT as DRBT
    from unlinkable.methods import HDTDS as HDTDS
    from unlinkable.methods import MDAV as MDAV
    from unlinkable.methods import MPALM as MPALM
    from unlinkable.methods import OKA as OKA
    from unlinkable.methods import OLA as OLA
    from unlinkable.methods import PRAM as PRAM
    from unlinkable.methods import SPALM as SPALM
    from unlinkable.methods import AlphaBeta as AlphaBeta
    from unlinkable.methods import Anatomize as Anatomize
    from unlinkable.methods import Best as Best
    from unlinkable.methods import BottomUpGeneralization as BottomUpGeneralization
    from unlinkable.methods import ClusterFramework as ClusterFramework
    from unlinkable.methods import Condensation as Condensation
    from unlinkable.methods import CondensationStream as CondensationStream
    from unlinkable.methods import CrossTrainingRound as CrossTrainingRound
    from unlinkable.methods import Datafly as Datafly
    from unlinkable.methods import DensityPerturbation as DensityPerturbation
    from unlinkable.methods import DPHistogram as DPHistogram
    from unlinkable.methods import DPSynthetic as DPSynthetic
    from unlinkable.methods import Flash as Flash
    from unlinkable.methods import Genetic as Genetic
    from unlinkable.methods import GreedyCell as GreedyCell
    from unlinkable.methods import GreedyPersonalized as GreedyPersonalized
    from unlinkable.methods import ImprovedGreedy as ImprovedGreedy
    from unlinkable.methods import Incognito as Incognito
    from unlinkable.methods import InfoGainMondrian as InfoGainMondrian
    from unlinkable.methods import KEPermutation as KEPermutation
    from unlinkable.methods import KOptimize as KOptimize
    from unlinkable.methods import LPlusOptimize as LPlusOptimize
    from unlinkable.methods import LSDMondrian as LSDMondrian
    from unlinkable.methods import MedianSwapping as MedianSwapping
    from unlinkable.methods import MinGen as MinGen
    from unlinkable.methods import Mondrian as Mondrian
    from unlinkable.methods import MuArgus as MuArgus
    from unlinkable.methods import Optimal as Optimal
    from unlinkable.methods import PerturbedGeneralization as PerturbedGeneralization
    from unlinkable.methods import RankSwapping as RankSwapping
    from unlinkable.methods import RecursiveHistogram as RecursiveHistogram
    from unlinkable.methods import RGather as RGather
    from unlinkable.methods import RRobustBucketization as RRobustBucketization
    from unlinkable.methods import Samarati as Samarati
    from unlinkable.methods import Synthetic as Synthetic
    from unlinkable.methods import TopDownDisclosure as TopDownDisclosure
    from unlinkable.methods import TopDownRefinement as TopDownRefinement
    from unlinkable.methods import TopDownSpecialization as TopDownSpecialization
    from unlinkable.noise import Event as Event
    from unlinkable.noise import Ledger as Ledger
    from unlinkable.privacy import AlphaKAnonymity as AlphaKAnonymity
    from unlinkable.privacy import AverageRisk as AverageRisk
    from unlinkable.privacy import BetaLikeness as BetaLikeness
    from unlinkable.privacy import BTPrivacy as BTPrivacy
    from unlinkable.privacy import ConfidenceBounding as ConfidenceBounding
    from unlinkable.privacy import CrowdEntropy as CrowdEntropy
    from unlinkable.privacy import CTIsolation as CTIsolation
    from unlinkable.privacy import DeltaBounding as DeltaBounding
    from unlinkable.privacy import DeltaDisclosure as DeltaDisclosure
    from unlinkable.privacy import DeltaPresence as DeltaPresence
    from unlinkable.privacy import DGammaPrivacy as DGammaPrivacy
    from unlinkable.privacy import DifferentialPrivacy as DifferentialPrivacy
    from unlinkable.privacy import DistinctLDiversity as DistinctLDiversity
    from unlinkable.privacy import DistributionalPrivacy as DistributionalPrivacy
    from unlinkable.privacy import EntropyLDiversity as EntropyLDiversity
    from unlinkable.privacy import EpsilonMAnonymity as EpsilonMAnonymity
    from unlinkable.privacy import FFAnonymity as FFAnonymity
    from unlinkable.privacy import FrequencyLDiversity as FrequencyLDiversity
    from unlinkable.privacy import HellingerCloseness as HellingerCloseness
    from unlinkable.privacy import KAnonymity as KAnonymity
    from unlinkable.privacy import KCAnonymity as KCAnonymity
    from unlinkable.privacy import KEAnonymity as KEAnonymity
    from unlinkable.privacy import KMap as KMap
    from unlinkable.privacy import LKCPrivacy as LKCPrivacy
    from unlinkable.privacy import MConfidentiality as MConfidentiality
    from unlinkable.privacy import MultirelationalKAnonymity as MultirelationalKAnonymity
    from unlinkable.privacy import NTCloseness as NTCloseness
    from unlinkable.privacy import PersonalizedPrivacy as PersonalizedPrivacy
    from unlinkable.privacy import PopulationUniqueness as PopulationUniqueness
    from unlinkable.privacy import PrivacyMaxEnt as PrivacyMaxEnt
    from unlinkable.privacy import Profitability as Profitability
    from unlinkable.privacy import RecursiveCLDiversity as RecursiveCLDiversity
    from unlinkable.privacy import RRobustness as RRobustness
    from unlinkable.privacy import SkylinePrivacy as SkylinePrivacy
    from unlinkable.privacy import SquaredErrorDiversity as SquaredErrorDiversity
    from unlinkable.privacy import TCloseness as TCloseness
    from unlinkable.privacy import XYAnonymity as XYAnonymity
    from unlinkable.privacy import XYLinkability as XYLinkability
    from unlinkable.privacy import XYPrivacy as XYPrivacy
    from unlinkable.recoding import AdditiveNoise as AdditiveNoise
    from unlinkable.recoding import Anatomization as Anatomization
    from unlinkable.recoding import CellGeneralization as CellGeneralization
    from unlinkable.recoding import CellSuppression as CellSuppression
    from unlinkable.recoding import DataSwapping as DataSwapping
    from unlinkable.recoding import FullDomainGeneralization as FullDomainGeneralization
    from unlinkable.recoding import Microaggregation as Microaggregation
    from unlinkable.recoding import MultidimensionalGeneralization as MultidimensionalGeneralization
    from unlinkable.recoding import Permutation as Permutation
    from unlinkable.recoding import PostRandomization as PostRandomization
    from unlinkable.recoding import Pseudonymization as Pseudonymization
    from unlinkable.recoding import Recoding as Recoding
    from unlinkable.recoding import RecordSuppression as RecordSuppression
    from unlinkable.recoding import SiblingGeneralization as SiblingGeneralization
    from unlinkable.recoding import SubtreeGeneralization as SubtreeGeneralization
    from unlinkable.recoding import SyntheticData as SyntheticData
    from unlinkable.recoding import TopBottomCoding as TopBottomCoding
    from unlinkable.recoding import ValueSuppression as ValueSuppression
    from unlinkable.recoding import load_key as load_key
    from unlinkable.recoding import new_key as new_key
    from unlinkable.recoding import overlaps as overlaps
    from unlinkable.recoding import recode as recode
    from unlinkable.recoding import save_key as save_key
    from unlinkable.release import GeneralizedRelease as GeneralizedRelease
    from unlinkable.release import MaskedRelease as MaskedRelease
    from unlinkable.release import Plan as Plan
    from unlinkable.release import Release as Release
    from unlinkable.release import Statement as Statement
    from unlinkable.release import anonymize as anonymize
    from unlinkable.release import check as check
    from unlinkable.release import choose_k as choose_k
    from unlinkable.release import compare as compare
    from unlinkable.release import open_bundle as open_bundle
    from unlinkable.release import verify as verify
    from unlinkable.risk import QuasiIdentifierSearch as QuasiIdentifierSearch
    from unlinkable.risk import ReIdentification as ReIdentification
    from unlinkable.risk import RiskReport as RiskReport
    from unlinkable.risk import SpecialUniques as SpecialUniques
    from unlinkable.risk import Uniqueness as Uniqueness
    from unlinkable.risk import assess as assess
    from unlinkable.risk import describe as describe
    from unlinkable.table import Auto as Auto
    from unlinkable.table import Csv as Csv
    from unlinkable.table import Dates as Dates
    from unlinkable.table import Flat as Flat
    from unlinkable.table import Intervals as Intervals
    from unlinkable.table import Mask as Mask
    from unlinkable.table import Table as Table
    from unlinkable.table import Tree as Tree
    from unlinkable.table import as_table as as_table
    from unlinkable.table import read as read
    from unlinkable.utility import IGPL as IGPL
    from unlinkable.utility import ILPG as ILPG
    from unlinkable.utility import Ambiguity as Ambiguity
    from unlinkable.utility import AverageClassSize as AverageClassSize
    from unlinkable.utility import AverageInformationLoss as AverageInformationLoss
    from unlinkable.utility import BabuILoss as BabuILoss
    from unlinkable.utility import ClassificationError as ClassificationError
    from unlinkable.utility import ClassificationMetric as ClassificationMetric
    from unlinkable.utility import ClusterFMeasure as ClusterFMeasure
    from unlinkable.utility import Discernibility as Discernibility
    from unlinkable.utility import DiscernibilityRatio as DiscernibilityRatio
    from unlinkable.utility import DistinctiveAttribute as DistinctiveAttribute
    from unlinkable.utility import ILoss as ILoss
    from unlinkable.utility import InformationGain as InformationGain
    from unlinkable.utility import KLDivergence as KLDivergence
    from unlinkable.utility import MatchPoint as MatchPoint
    from unlinkable.utility import MinimalDistortion as MinimalDistortion
    from unlinkable.utility import NonuniformEntropy as NonuniformEntropy
    from unlinkable.utility import NormalizedCertaintyPenalty as NormalizedCertaintyPenalty
    from unlinkable.utility import PrivacyPercentage as PrivacyPercentage
    from unlinkable.utility import Propensity as Propensity
    from unlinkable.utility import QueryError as QueryError
    from unlinkable.utility import ReconstructionError as ReconstructionError
    from unlinkable.utility import Stress as Stress

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
