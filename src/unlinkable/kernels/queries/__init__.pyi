from .bucket_spreading import spread_over_members as spread_over_members
from .densities import sum_covering as sum_covering
from .disjoint_boxes import are_surely_apart as are_surely_apart
from .information_gain import bits_told as bits_told
from .range_sums import order_by_code as order_by_code
from .range_sums import shares_in_ranges as shares_in_ranges
from .range_sums import sums_by_scan as sums_by_scan
from .range_sums import sums_by_slices as sums_by_slices
