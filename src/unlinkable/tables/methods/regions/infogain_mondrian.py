"""InfoGain Mondrian: cut where the halves tell the most of a class.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Workload-aware anonymization." KDD 2006.
.. [2] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Workload-aware anonymization techniques for
   large-scale datasets." TODS 33(3), 2008. Equations 6.4 and 6.6 in Fung, Wang, Fu, Yu:
   "Introduction to Privacy-Preserving Data Publishing." 2010.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.params import as_columns, is_flag
from unlinkable.tables.groups import Groups
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
    Workload,
    are_targets,
    target_counts,
)
from unlinkable.typing import Columns

__all__ = ["InfoGainMondrian"]


@frozen
class InfoGainMondrian(GuidedMethod):
    r"""Cut every group where its halves tell the most of the class of their records.

    Of all cuts, on any column, whose halves keep the promise, the one is made that leaves the least
    entropy :math:`\sum_{P'} \frac{|P'|}{|P|} \sum_c -p(c|P') \log_2 p(c|P')`, over the halves
    :math:`P'` of the group P and the shares p of the classes c in them. Groups are cut as long as
    a cut keeps the promise, also where the class becomes no clearer: among cuts that leave
    equally much, those on the widest column are preferred, and of these the most even one, as
    `Mondrian` does. Every group shows the smallest box around its records, and nobody is left out.

    The cuts are greedy: two that would tell all together are not found if neither tells anything by
    itself. The metric of the task is not asked. A missing class is a class like any other, and a
    record counts as one whatever it weighs.

    Parameters
    ----------
    targets
        The columns with the classes. If not given, all columns whose role is target, else the one
        sensitive column. Numbers are taken for classes, too; `LSDMondrian` takes them for numbers.
    combine
        What several targets amount to: the ``sum`` of their entropies, as if one said nothing of
        another, which is the default; the ``shares``, each entropy divided by that of the whole
        table, so that a target with many classes does not count more; or the ``product``, the
        entropy of one class that is made of all values of a record.
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
    group by every column and counts classes along them. Cuts may be lopsided: r is about
    log2(n / smallest group) on most data, and n at worst.

    A promise about some columns only (several quasi-identifiers) depends on what other groups show.
    First cuts are made whose halves keep it by themselves; then the most even cuts of all columns
    are tried, as `Mondrian` does.

    Raises
    ------
    SchemaError
        If there is no target.
    UnsupportedError
        If groups that keep the promise may break it together, and groups may look alike or overlap.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 60, 61, 62, 63], "ill": list("nnnnnyy")},
    ...     quasi="age", target="ill")
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.InfoGainMondrian()).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.sizes.tolist()
    ([0, 2, 5], [2, 3, 2])
    """

    name: ClassVar[str] = "infogain-mondrian"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2006"

    targets: Columns | None = field(default=None, converter=as_columns, validator=are_targets)
    combine: Combine | None = field(default=None, converter=as_combine)
    strict: bool = field(default=True, validator=is_flag)
    along: Along = field(default=Along.LABELS, converter=as_along)
    labels: Labels = field(default=Labels.INTERVALS, converter=as_labels)

    def counted(self, targets: Columns) -> list[Columns]:
        return [targets] if self.combine is Combine.PRODUCT else [(name,) for name in targets]

    def workload(self, finest: Groups, targets: Columns) -> Workload:
        counted = self.counted(targets)
        classes = (Classes.of(target_counts(finest, names), len(counted)) for names in counted)
        return Workload(tuple(classes), by_share=self.combine is Combine.SHARES)
