"""Measures of what a release has lost and what it is worth, one per file.

A metric is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.utility.ambiguity import Ambiguity as Ambiguity
    from unlinkable.utility.average_class_size import AverageClassSize as AverageClassSize
    from unlinkable.utility.average_information_loss import (
        AverageInformationLoss as AverageInformationLoss,
    )
    from unlinkable.utility.babu_iloss import BabuILoss as BabuILoss
    from unlinkable.utility.classification_error import ClassificationError as ClassificationError
    from unlinkable.utility.classification_error import TriedOn as TriedOn
    from unlinkable.utility.classification_metric import (
        ClassificationMetric as ClassificationMetric,
    )
    from unlinkable.utility.classifiers import Classifier as Classifier
    from unlinkable.utility.cluster_f_measure import ClusterFMeasure as ClusterFMeasure
    from unlinkable.utility.clusters import Clustering as Clustering
    from unlinkable.utility.discernibility import Charge as Charge
    from unlinkable.utility.discernibility import Discernibility as Discernibility
    from unlinkable.utility.discernibility_ratio import DiscernibilityRatio as DiscernibilityRatio
    from unlinkable.utility.distinctive_attribute import (
        DistinctiveAttribute as DistinctiveAttribute,
    )
    from unlinkable.utility.extent import Extent as Extent
    from unlinkable.utility.igpl import IGPL as IGPL
    from unlinkable.utility.iloss import ILoss as ILoss
    from unlinkable.utility.ilpg import ILPG as ILPG
    from unlinkable.utility.information_gain import InformationGain as InformationGain
    from unlinkable.utility.kl_divergence import KLDivergence as KLDivergence
    from unlinkable.utility.match_point import MatchPoint as MatchPoint
    from unlinkable.utility.minimal_distortion import MinimalDistortion as MinimalDistortion
    from unlinkable.utility.nonuniform_entropy import NonuniformEntropy as NonuniformEntropy
    from unlinkable.utility.normalized_certainty_penalty import (
        NormalizedCertaintyPenalty as NormalizedCertaintyPenalty,
    )
    from unlinkable.utility.privacy_percentage import Hidden as Hidden
    from unlinkable.utility.privacy_percentage import PrivacyPercentage as PrivacyPercentage
    from unlinkable.utility.propensity import Propensity as Propensity
    from unlinkable.utility.query_error import QueryError as QueryError
    from unlinkable.utility.reconstruction_error import InformationUnit as InformationUnit
    from unlinkable.utility.reconstruction_error import ReconstructionError as ReconstructionError
    from unlinkable.utility.stress import Denominator as Denominator
    from unlinkable.utility.stress import Stress as Stress
    from unlinkable.utility.trade_off import Gain as Gain

_WHERE = {
    "Ambiguity": "ambiguity",
    "AverageClassSize": "average_class_size",
    "AverageInformationLoss": "average_information_loss",
    "BabuILoss": "babu_iloss",
    "Charge": "discernibility",
    "ClassificationError": "classification_error",
    "ClassificationMetric": "classification_metric",
    "Classifier": "classifiers",
    "ClusterFMeasure": "cluster_f_measure",
    "Clustering": "clusters",
    "Denominator": "stress",
    "Discernibility": "discernibility",
    "DiscernibilityRatio": "discernibility_ratio",
    "DistinctiveAttribute": "distinctive_attribute",
    "Extent": "extent",
    "Gain": "trade_off",
    "Hidden": "privacy_percentage",
    "IGPL": "igpl",
    "ILPG": "ilpg",
    "ILoss": "iloss",
    "InformationGain": "information_gain",
    "InformationUnit": "reconstruction_error",
    "KLDivergence": "kl_divergence",
    "MatchPoint": "match_point",
    "MinimalDistortion": "minimal_distortion",
    "NonuniformEntropy": "nonuniform_entropy",
    "NormalizedCertaintyPenalty": "normalized_certainty_penalty",
    "PrivacyPercentage": "privacy_percentage",
    "Propensity": "propensity",
    "QueryError": "query_error",
    "ReconstructionError": "reconstruction_error",
    "Stress": "stress",
    "TriedOn": "classification_error",
}
"""The file of each metric."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
