"""ILoss: the share of an attribute's values that a published value could stand for.

References
----------
.. [1] X. Xiao, Y. Tao. "Personalized privacy preservation." SIGMOD 2006. Equations 4.1 and 4.2 in
   Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.metrics.base.grouped import CellMetric
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["ILoss"]


@frozen
class ILoss(CellMetric):
    r"""How many other values a published value could stand for, out of all.

    A cell that shows :math:`v` loses :math:`(|v| - 1) / |D_A|`, where :math:`|v|` counts the values
    under :math:`v` and :math:`|D_A|` all values of the attribute. The root loses a little less than
    1; a suppressed record loses 1 on every attribute, so leaving a record out is never free.

    Range
    -----
    From 0, all values are published as they were, to 1, all records are left out.

    Guides a search
    ---------------
    The loss never falls: a range that grows covers no less, and a suppressed record loses all.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> taxonomy = jobs.build(observe("job", ["Dancer"]))
    >>> ILoss().cells(taxonomy, np.array([0, 0, 0]), np.array([1, 2, 4])).tolist()
    [0.0, 0.25, 0.75]
    """

    name: ClassVar[str] = "iloss"
    reference: ClassVar[str] = "Xiao and Tao 2006"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        loss: FloatArray = (hi - lo - 1) / taxonomy.n
        return loss
