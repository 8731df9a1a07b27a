"""Measures of what a release has lost and what it is worth, one per file.

A metric is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.metrics.ambiguity import Ambiguity as Ambiguity
    from unlinkable.tables.metrics.average_class_size import AverageClassSize as AverageClassSize
    from unlinkable.tables.metrics.average_information_loss import (
        AverageInformationLoss as AverageInformationLoss,
    )
    from unlinkable.tables.metrics.babu_iloss import BabuILoss as BabuILoss
    from unlinkable.tables.metrics.classification_error import ClassificationError as ClassificationError
    from unlinkable.tables.metrics.classification_error import TriedOn as TriedOn
    from unlinkable.tables.metrics.classification_metric import (
        ClassificationMetric as ClassificationMetric,
    )
    from unlinkable.tables.metrics.shared.classifiers import Classifier as Classifier
    from unlinkable.tables.metrics.cluster_f_measure import ClusterFMeasure as ClusterFMeasure
    from unlinkable.tables.metrics.shared.clusters import Clustering as Clustering
    from unlinkable.tables.metrics.discernibility import Charge as Charge
    from unlinkable.tables.metrics.discernibility import Discernibility as Discernibility
    from unlinkable.tables.metrics.discernibility_ratio import DiscernibilityRatio as DiscernibilityRatio
    from unlinkable.tables.metrics.distinctive_attribute import (
        DistinctiveAttribute as DistinctiveAttribute,
    )
    from unlinkable.tables.metrics.shared.extent import Extent as Extent
    from unlinkable.tables.metrics.igpl import IGPL as IGPL
    from unlinkable.tables.metrics.iloss import ILoss as ILoss
    from unlinkable.tables.metrics.ilpg import ILPG as ILPG
    from unlinkable.tables.metrics.information_gain import InformationGain as InformationGain
    from unlinkable.tables.metrics.kl_divergence import KLDivergence as KLDivergence
    from unlinkable.tables.metrics.match_point import MatchPoint as MatchPoint
    from unlinkable.tables.metrics.minimal_distortion import MinimalDistortion as MinimalDistortion
    from unlinkable.tables.metrics.nonuniform_entropy import NonuniformEntropy as NonuniformEntropy
    from unlinkable.tables.metrics.normalized_certainty_penalty import (
        NormalizedCertaintyPenalty as NormalizedCertaintyPenalty,
    )
    from unlinkable.tables.metrics.privacy_percentage import Hidden as Hidden
    from unlinkable.tables.metrics.privacy_percentage import PrivacyPercentage as PrivacyPercentage
    from unlinkable.tables.metrics.propensity import Propensity as Propensity
    from unlinkable.tables.metrics.query_error import QueryError as QueryError
    from unlinkable.tables.metrics.reconstruction_error import InformationUnit as InformationUnit
    from unlinkable.tables.metrics.reconstruction_error import ReconstructionError as ReconstructionError
    from unlinkable.tables.metrics.stress import Denominator as Denominator
    from unlinkable.tables.metrics.stress import Stress as Stress
    from unlinkable.tables.metrics.shared.trade_off import Gain as Gain

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
