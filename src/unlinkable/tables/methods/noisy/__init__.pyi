from .dp_histogram import DPHistogram as DPHistogram
from .dp_synthetic import DPSynthetic as DPSynthetic
from .shared.listed import marginal_rows as marginal_rows
from .shared.listed import published as published
from .shared.marginals import count_marginal as count_marginal
