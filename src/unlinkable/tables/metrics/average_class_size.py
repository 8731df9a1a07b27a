"""Average class size: how much larger the groups are than they had to be.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Mondrian multidimensional k-anonymity." ICDE
   2006. Section 2.3, C_AVG.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import at_least
from unlinkable.tables.metrics.base.grouped import SizeMetric
from unlinkable.typing import CountArray

__all__ = ["AverageClassSize"]


@frozen
class AverageClassSize(SizeMetric):
    """The mean size of the published groups: in records, or in units of ``k`` if it is given.

    Published records / groups / k. It counts neither what is suppressed nor how wide the groups
    are: leaving out a large group makes it smaller. Compare releases with the same number of
    suppressed records, or use another metric to choose one. If nothing is published, it is what one
    group of all records would give.

    Parameters
    ----------
    k
        The size that groups must have at least.

    Range
    -----
    From 1, every group has exactly k records, to n / k, all of n records are in one group.

    Guides a search
    ---------------
    Merging groups never lowers it, but leaving records out does: of groups of 2 and 8 records, the
    mean is 5, and 2 without the larger one. `floor` knows how many records may go.

    Examples
    --------
    >>> import numpy as np
    >>> AverageClassSize(k=2).of_sizes(np.array([2, 3, 4]), n_suppressed=1)
    1.5
    """

    name: ClassVar[str] = "average-class-size"
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2006"

    k: int = field(default=1, validator=at_least(1))

    def of_sizes(self, sizes: CountArray, n_suppressed: int) -> float:
        n = int(sizes.sum())
        return n / int(np.count_nonzero(sizes)) / self.k if n else n_suppressed / self.k

    def floor(self, sizes: CountArray, may_suppress: int, n_suppressed: int = 0) -> float:
        """Bound the mean from below: no fewer records than may be left, in no more groups."""
        sizes = sizes[sizes > 0]
        if not sizes.size:
            return self.of_sizes(sizes, n_suppressed)
        n_left = int(sizes.sum()) - may_suppress
        return max(n_left / sizes.size, int(sizes.min())) / self.k
