from .estimate import Estimate as Estimate
from .estimate import Estimator as Estimator
from .estimate import estimate_uniqueness as estimate_uniqueness
from .sample import Sample as Sample
