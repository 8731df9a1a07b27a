"""Default metrics: what every generalized release is measured by, unless other metrics are named.

They are in every manifest. The list is written out, so that a metric that is added later does not
appear in manifests by itself: recipients compare the figures of releases made at different times.
"""

from __future__ import annotations

from unlinkable.tables.metrics.ambiguity import Ambiguity
from unlinkable.tables.metrics.average_class_size import AverageClassSize
from unlinkable.tables.metrics.average_information_loss import AverageInformationLoss
from unlinkable.tables.metrics.babu_iloss import BabuILoss
from unlinkable.tables.metrics.base.grouped import GroupMetric
from unlinkable.tables.metrics.discernibility import Discernibility
from unlinkable.tables.metrics.discernibility_ratio import DiscernibilityRatio
from unlinkable.tables.metrics.distinctive_attribute import DistinctiveAttribute
from unlinkable.tables.metrics.iloss import ILoss
from unlinkable.tables.metrics.minimal_distortion import MinimalDistortion
from unlinkable.tables.metrics.normalized_certainty_penalty import NormalizedCertaintyPenalty
from unlinkable.tables.metrics.privacy_percentage import PrivacyPercentage

__all__ = ["DEFAULT_METRICS"]

DEFAULT_METRICS: tuple[GroupMetric, ...] = (
    Ambiguity(),
    AverageClassSize(),
    AverageInformationLoss(),
    BabuILoss(),
    Discernibility(),
    DiscernibilityRatio(),
    DistinctiveAttribute(),
    ILoss(),
    MinimalDistortion(),
    NormalizedCertaintyPenalty(),
    PrivacyPercentage(),
)
"""Each needs only the boxes and sizes of groups, and no parameters."""
