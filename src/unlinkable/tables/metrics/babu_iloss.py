"""Babu's iloss: the ILoss of all cells of a table, added up.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Equations 3.19 to 3.21.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.tables.metrics.base.grouped import SummedCellMetric
from unlinkable.tables.metrics.iloss import ILoss
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["BabuILoss"]


@frozen
class BabuILoss(SummedCellMetric):
    r"""How many other values every cell could stand for, out of all, added up over the table.

    A cell that shows :math:`v` loses :math:`(|v| - 1) / |D_A|` as by `ILoss`, a record
    :math:`\sum_i w_i (|v_i| - 1) / |D_{A_i}|`, where :math:`w_i` is the importance of the attribute
    as it was given, and a table the sum over its records, by their weights. A suppressed record
    loses 1 on every attribute, as by `ILoss`; the thesis suppresses, but does not say what that
    costs. `ILoss` is this number divided by that of a table of which all is suppressed.

    Range
    -----
    From 0, all values are published as they were, to the number of records times the sum of the
    importances, all records are suppressed. Roots alone lose a little less.

    Guides a search
    ---------------
    The loss never falls: a range that grows covers no less, and a suppressed record loses all.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.taxonomies import Attribute, observe
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> from unlinkable.tables.metrics.base import Shown
    >>> sex = Attribute("sex", Flat().build(observe("sex", ["f", "m"])), importance=3.0)
    >>> lo, hi = np.array([[0], [0]]), np.array([[1], [2]])
    >>> shown = Shown((sex,), lo, hi, np.array([10, 5]), np.array([10.0, 5.0]))
    >>> BabuILoss().value(shown)  # 5 records x 3 x 1/2
    7.5
    """

    name: ClassVar[str] = "babu-iloss"
    reference: ClassVar[str] = "Babu 2013"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        return ILoss().cells(taxonomy, lo, hi)
