"""LSD Mondrian: cut where the halves tell the most of a number.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Workload-aware anonymization." KDD 2006.
.. [2] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Workload-aware anonymization techniques for
   large-scale datasets." TODS 33(3), 2008. Equations 6.5 and 6.7 in Fung, Wang, Fu, Yu:
   "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import as_columns, is_flag
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.methods.regions.shared.options import (
    Along,
    Combine,
    Labels,
    as_along,
    as_combine,
    as_labels,
)
from unlinkable.tables.methods.regions.shared.workload import (
    Classes,
    GuidedMethod,
    Numbers,
    Workload,
    are_targets,
    target_counts,
)
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns

__all__ = ["LSDMondrian"]


def _is_no_product(instance: object, attribute: object, value: Combine | None) -> None:
    if value is Combine.PRODUCT:
        raise ParameterError(
            "combine must be 'sum' or 'shares', got 'product': numbers make no class together"
        )


@frozen
class LSDMondrian(GuidedMethod):
    r"""Cut every group where its halves tell the most of a number of their records.

    Of all cuts, on any column, whose halves keep the promise, the one is made that leaves the least
    squared deviance :math:`\sum_{P'} \sum_{i \in P'} (v_i - \bar v(P'))^2` of the numbers
    :math:`v_i` from the means of the halves :math:`P'`: a regression tree is grown. Groups are cut
    as long as a cut keeps the promise, also where the number becomes no clearer: among
    cuts that leave equally much, those on the widest column are preferred, and of these the most
    even one, as `Mondrian` does. Every group shows the smallest box around its records, and nobody
    is left out.

    The metric of the task is not asked. Records without a number are left out of means and
    deviances, and a record counts as one whatever it weighs. Dates count in days.

    Parameters
    ----------
    targets
        The columns with the numbers or dates. If not given, all columns whose role is target, else
        the one sensitive column. Categories among them are taken for classes, of which the entropy
        is left, as in `InfoGainMondrian`.
    combine
        What several targets amount to: the ``sum`` of their deviances, in which a number of large
        unit counts most; or the ``shares``, what is left of each target divided by what is there in
        the whole table. If not given, the sum of numbers, and the shares if classes are among
        them: bits and squared numbers cannot be added up otherwise.
    strict
        Whether people with equal values on the column that is cut stay together, so that the ranges
        of groups never overlap. If false, they may be parted. People who are equal on all columns
        always stay together.
    along
        Between which values a group may be cut: any two (``order``); only where the taxonomy
        divides, for categories (``taxonomy``); or whichever suits what groups show (``labels``):
        anywhere for intervals, and where the taxonomy divides, for numbers too, for labels of the
        taxonomy.
    labels
        What groups show in place of values: ``intervals``, the smallest ranges around the people in
        them, or the lowest labels of the ``taxonomy`` that cover them all. Groups that show the
        same labels are one group.

    Cost
    ----
    O(r d n) for n finest groups, d columns and r rounds, each of which sorts the rows of every
    group by every column and adds up numbers along them. Cuts may be lopsided (a few large numbers
    are cut off first): r is about log2(n / smallest group) on most data, and n at worst.

    Promises about some columns only are kept as `InfoGainMondrian` keeps them.

    Raises
    ------
    SchemaError
        If there is no target.
    UnsupportedError
        If no target holds numbers, if numbers and classes are to be summed up, or if groups that
        keep the promise may break it together, and groups may look alike or overlap.
    DataError
        If a number is too large to be squared.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 60, 61, 62], "pay": [9, 9, 9, 9, 50, 60]},
    ...     quasi="age", target="pay")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2), method=ul.LSDMondrian()).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()
    ([0, 2, 4], [2, 2, 2])
    """

    name: ClassVar[str] = "lsd-mondrian"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2006"

    targets: Columns | None = field(default=None, converter=as_columns, validator=are_targets)
    combine: Combine | None = field(default=None, converter=as_combine, validator=_is_no_product)
    strict: bool = field(default=True, validator=is_flag)
    along: Along = field(default=Along.LABELS, converter=as_along)
    labels: Labels = field(default=Labels.INTERVALS, converter=as_labels)

    def counted(self, targets: Columns) -> list[Columns]:
        return [(name,) for name in targets]

    def workload(self, finest: Groups, targets: Columns) -> Workload:
        counts = {name: target_counts(finest, (name,)) for name in targets}
        classes = [name for name in targets if not _is_number(counts[name])]
        if len(classes) == len(targets):
            raise UnsupportedError(
                f"{self} is about numbers, and {', '.join(targets)} holds categories: use "
                "infogain-mondrian"
            )
        if classes and self.combine is Combine.SUM:
            raise UnsupportedError(
                f"{self} cannot add up squared numbers and the entropy of {', '.join(classes)}: "
                'use combine="shares"'
            )
        told = (
            Classes.of(counts[name], len(targets))
            if name in classes
            else Numbers.of(name, counts[name])
            for name in targets
        )
        return Workload(tuple(told), by_share=bool(classes) or self.combine is Combine.SHARES)


def _is_number(counts: Histogram) -> bool:
    return counts.taxonomy is not None and counts.taxonomy.domain.kind is not Kind.CATEGORY
