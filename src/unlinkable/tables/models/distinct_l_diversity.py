"""Distinct l-diversity: every group hides at least l different values.

If all who look alike have the same disease, it does not help that they look alike. The simplest
remedy asks for several values in every group [1]_; with k-anonymity it is also known as p-sensitive
k-anonymity [2]_.

References
----------
.. [1] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam. "l-diversity: privacy beyond
   k-anonymity." ACM TKDD 1(1), 2007.
.. [2] T. M. Truta, B. Vinay. "Privacy protection: p-sensitive k-anonymity property." ICDE
   Workshops 2006.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import at_least
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.shared.gaps import SIMILAR_VALUES, VALUES_RULED_OUT
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["DistinctLDiversity"]


@frozen
class DistinctLDiversity(SensitiveModel):
    r"""Every group has at least ``l`` different sensitive values.

    For every combination :math:`q` that occurs: :math:`|\Pi_S(T[q])| \ge l`. A missing value is a
    value of its own.

    Parameters
    ----------
    l
        The least number of different values.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    Nobody learns a victim's value for certain from the release alone, and every group has at least
    l records. It does not bound how sure one may be: in a group of 99 times HIV and once flu,
    99 % sure.

    Merging
    -------
    Absorbs: a union has all values that its parts have.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "m"], "ill": ["flu", "hiv", "flu"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = DistinctLDiversity(2, sensitive="ill")
    >>> promise.verdict(count(ward, promise.needs()).finest).achieved
    {'l': 1}
    """

    name: ClassVar[str] = "distinct-l-diversity"
    reference: ClassVar[str] = "Machanavajjhala et al. 2007; Truta and Vinay 2006"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = "People who look alike have at least {l} different values {of}."
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It does not bound how confident an adversary may be: one value may be far more frequent "
        "than the others.",
        SIMILAR_VALUES,
        VALUES_RULED_OUT,
    )
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "l"

    l: int = field(validator=at_least(1))  # noqa: E741
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS

    @property
    def least_size(self) -> int:
        return self.l

    def judge(self, groups: Groups) -> BoolArray:
        return self.hidden(groups).distinct >= self.l

    def level(self, groups: Groups) -> FloatArray:
        return self.hidden(groups).distinct.astype(float)

    def witness(self, groups: Groups, at: int) -> str:
        n = quantity(int(self.hidden(groups).distinct[at]), "different value")
        return f"{n} here ({self.describe(groups, at)}), and there must be at least {self.l}"

    def consequences(self) -> tuple[GroupModel, ...]:
        """Different values belong to different records."""
        return (KAnonymity(self.l),)

    def owner_ceiling(self) -> Fraction:
        return Fraction(1, self.l)

    def weaker(self) -> DistinctLDiversity | None:
        return evolve(self, l=self.l - 1) if self.l > 2 else None

    def explain_failure(self, groups: Groups) -> str:
        n = int(np.count_nonzero(self.hidden(groups).total))
        return (
            f"{self.column!r} has {n} different values in all {groups.n_records} records, and "
            f"every group needs {self.l}: ask for l of at most {n}"
        )

    def most_groups(self, whole: CountArray) -> int:
        """Count the groups that a table with these counts of its values can have at most.

        Each of g groups takes l different values, and a value with c records serves no more than
        min(c, g) of them: g is feasible only if these add up to g l.

        Examples
        --------
        >>> DistinctLDiversity(2).most_groups(np.array([5, 995]))
        5
        """
        low, high = 0, int(whole.sum()) // self.l
        while low < high:
            g = (low + high + 1) // 2
            if int(np.minimum(whole, g).sum()) >= g * self.l:
                low = g
            else:
                high = g - 1
        return low
