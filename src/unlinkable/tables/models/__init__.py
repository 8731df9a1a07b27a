"""Privacy models: what can be promised about a release, one model per file.

A model is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.models.alpha_k_anonymity import AlphaKAnonymity as AlphaKAnonymity
    from unlinkable.tables.models.average_risk import AverageRisk as AverageRisk
    from unlinkable.tables.models.shared.belief_distance import BeliefDistance as BeliefDistance
    from unlinkable.tables.models.beta_likeness import BetaLikeness as BetaLikeness
    from unlinkable.tables.models.bt_privacy import BTPrivacy as BTPrivacy
    from unlinkable.tables.models.confidence_bounding import ConfidenceBounding as ConfidenceBounding
    from unlinkable.tables.models.crowd_entropy import CrowdEntropy as CrowdEntropy
    from unlinkable.tables.models.ct_isolation import CTIsolation as CTIsolation
    from unlinkable.tables.models.d_gamma_privacy import DGammaPrivacy as DGammaPrivacy
    from unlinkable.tables.models.delta_bounding import DeltaBounding as DeltaBounding
    from unlinkable.tables.models.delta_disclosure import DeltaDisclosure as DeltaDisclosure
    from unlinkable.tables.models.delta_presence import DeltaPresence as DeltaPresence
    from unlinkable.tables.models.differential_privacy import DifferentialPrivacy as DifferentialPrivacy
    from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity as DistinctLDiversity
    from unlinkable.tables.models.distributional_privacy import (
        DistributionalPrivacy as DistributionalPrivacy,
    )
    from unlinkable.tables.models.entropy_l_diversity import EntropyLDiversity as EntropyLDiversity
    from unlinkable.tables.models.epsilon_m_anonymity import EpsilonMAnonymity as EpsilonMAnonymity
    from unlinkable.tables.models.epsilon_m_anonymity import Interval as Interval
    from unlinkable.tables.models.ff_anonymity import FFAnonymity as FFAnonymity
    from unlinkable.tables.models.frequency_l_diversity import FrequencyLDiversity as FrequencyLDiversity
    from unlinkable.tables.models.shared.ground_distance import GroundDistance as GroundDistance
    from unlinkable.tables.models.shared.guarding import GuardReading as GuardReading
    from unlinkable.tables.models.hellinger_closeness import HellingerCloseness as HellingerCloseness
    from unlinkable.tables.models.k_anonymity import KAnonymity as KAnonymity
    from unlinkable.tables.models.k_map import KMap as KMap
    from unlinkable.tables.models.kc_anonymity import KCAnonymity as KCAnonymity
    from unlinkable.tables.models.ke_anonymity import KEAnonymity as KEAnonymity
    from unlinkable.tables.models.lkc_privacy import LKCPrivacy as LKCPrivacy
    from unlinkable.tables.models.m_confidentiality import MConfidentiality as MConfidentiality
    from unlinkable.tables.models.multirelational_k_anonymity import (
        MultirelationalKAnonymity as MultirelationalKAnonymity,
    )
    from unlinkable.tables.models.n_t_closeness import NTCloseness as NTCloseness
    from unlinkable.tables.models.personalized_privacy import PersonalizedPrivacy as PersonalizedPrivacy
    from unlinkable.tables.models.population_uniqueness import (
        PopulationUniqueness as PopulationUniqueness,
    )
    from unlinkable.tables.models.privacy_maxent import PrivacyMaxEnt as PrivacyMaxEnt
    from unlinkable.tables.models.profitability import Adversary as Adversary
    from unlinkable.tables.models.profitability import Profitability as Profitability
    from unlinkable.tables.models.r_robustness import RRobustness as RRobustness
    from unlinkable.tables.models.recursive_cl_diversity import (
        RecursiveCLDiversity as RecursiveCLDiversity,
    )
    from unlinkable.tables.models.skyline_privacy import SkylinePrivacy as SkylinePrivacy
    from unlinkable.tables.models.squared_error_diversity import (
        SquaredErrorDiversity as SquaredErrorDiversity,
    )
    from unlinkable.tables.models.t_closeness import TCloseness as TCloseness
    from unlinkable.tables.models.shared.uniqueness import Estimator as Estimator
    from unlinkable.tables.models.xy_anonymity import XYAnonymity as XYAnonymity
    from unlinkable.tables.models.xy_linkability import XYLinkability as XYLinkability
    from unlinkable.tables.models.xy_privacy import Counting as Counting
    from unlinkable.tables.models.xy_privacy import XYPrivacy as XYPrivacy

_WHERE = {
    "Adversary": "profitability",
    "AlphaKAnonymity": "alpha_k_anonymity",
    "AverageRisk": "average_risk",
    "BTPrivacy": "bt_privacy",
    "BeliefDistance": "belief_distance",
    "BetaLikeness": "beta_likeness",
    "CTIsolation": "ct_isolation",
    "ConfidenceBounding": "confidence_bounding",
    "Counting": "xy_privacy",
    "CrowdEntropy": "crowd_entropy",
    "DGammaPrivacy": "d_gamma_privacy",
    "DeltaBounding": "delta_bounding",
    "DeltaDisclosure": "delta_disclosure",
    "DeltaPresence": "delta_presence",
    "DifferentialPrivacy": "differential_privacy",
    "DistinctLDiversity": "distinct_l_diversity",
    "DistributionalPrivacy": "distributional_privacy",
    "EntropyLDiversity": "entropy_l_diversity",
    "EpsilonMAnonymity": "epsilon_m_anonymity",
    "Estimator": "uniqueness",
    "FFAnonymity": "ff_anonymity",
    "FrequencyLDiversity": "frequency_l_diversity",
    "GroundDistance": "ground_distance",
    "GuardReading": "guarding",
    "HellingerCloseness": "hellinger_closeness",
    "Interval": "epsilon_m_anonymity",
    "KAnonymity": "k_anonymity",
    "KCAnonymity": "kc_anonymity",
    "KEAnonymity": "ke_anonymity",
    "KMap": "k_map",
    "LKCPrivacy": "lkc_privacy",
    "MConfidentiality": "m_confidentiality",
    "MultirelationalKAnonymity": "multirelational_k_anonymity",
    "NTCloseness": "n_t_closeness",
    "PersonalizedPrivacy": "personalized_privacy",
    "PopulationUniqueness": "population_uniqueness",
    "PrivacyMaxEnt": "privacy_maxent",
    "Profitability": "profitability",
    "RRobustness": "r_robustness",
    "RecursiveCLDiversity": "recursive_cl_diversity",
    "SkylinePrivacy": "skyline_privacy",
    "SquaredErrorDiversity": "squared_error_diversity",
    "TCloseness": "t_closeness",
    "XYAnonymity": "xy_anonymity",
    "XYLinkability": "xy_linkability",
    "XYPrivacy": "xy_privacy",
}

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
