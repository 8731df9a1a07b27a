from .dp_histogram import DPHistogram as DPHistogram
from .dp_synthetic import DPSynthetic as DPSynthetic
from .shared.count_cells import marginal_rows as marginal_rows
from .shared.count_cells import published as published
from .shared.marginals import count_marginal as count_marginal
