from . import bucketing as bucketing
from . import robust_buckets as robust_buckets
from . import robust_places as robust_places
from .bucketing import order_by_label as order_by_label
from .clashes import part_clashing as part_clashing
from .narrow_runs import narrowest_runs as narrowest_runs
