"""k-anonymity: every person looks like at least k - 1 others.

An adversary who knows the quasi-identifying values of a victim, from a voter list or from being
neighbours, finds at least k records that could be the victim's [1]_, [2]_.

References
----------
.. [1] L. Sweeney. "k-anonymity: a model for protecting privacy." IJUFKS 10(5), 2002.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.1.1; several quasi-identifiers: Definition 7.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, SchemaError, unknown
from unlinkable.params import as_columns, at_least
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups, Knowledge
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["KAnonymity"]


@frozen
class KAnonymity(GroupModel):
    r"""Every combination of quasi-identifying values is shared by at least ``k`` people.

    For every combination :math:`q` that occurs: :math:`|T[q]| \ge k`. If the table has an owner
    column, people are counted and not records: a patient with five visits is one patient.

    Parameters
    ----------
    k
        The least number of people who look alike.
    qid
        The columns that the adversary knows; all quasi-identifying columns if not given. Give
        several models, each with its own ``qid`` and ``k``, if adversaries hold different tables.

    Guarantees
    ----------
    A victim is linked to a record with probability at most 1/k. It says nothing about what the k
    records have in common: if all of them have the same disease, the disease is known.

    Merging
    -------
    Absorbs: a union has at least as many people as each of its parts.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> visits = as_table({"job": ["cook", "cook", "clerk"], "sex": ["f", "f", "m"]},
    ...     quasi=["job", "sex"])
    >>> KAnonymity(2).holds(count(visits).finest)
    False
    >>> KAnonymity(2).verdict(count(visits).finest).achieved
    {'k': 1}
    """

    name: ClassVar[str] = "k-anonymity"
    reference: ClassVar[str] = "Sweeney 2002"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "Everybody looks like at least {k:less} other people: whoever knows {known} of somebody "
        "finds at least {k} records that could be theirs."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about what people who look alike have in common: if all of them have the "
        "same disease, the disease is known.",
        "It does not hide that somebody is in the data.",
    )
    parameter: ClassVar[str] = "k"
    counts_people: ClassVar[bool] = True

    k: int = field(validator=at_least(1))
    qid: Columns | None = field(default=None, converter=as_columns, kw_only=True)

    @qid.validator
    def _names_a_column(self, attribute: object, value: Columns | None) -> None:
        if value is not None and not value:
            raise ParameterError("qid must name at least one column; leave it out to mean all")

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS

    @property
    def local(self) -> bool:
        return self.qid is None

    @property
    def least_size(self) -> int:
        return self.k

    def knows(self, columns: Columns) -> Knowledge:
        if self.qid is None:
            return Knowledge(columns)
        for name in self.qid:
            if name not in columns:
                raise SchemaError(f"{unknown('quasi-identifier', name, columns)} for {self}")
        return Knowledge(tuple(c for c in columns if c in self.qid))

    def judge(self, groups: Groups) -> BoolArray:
        return groups.people() >= self.k

    def level(self, groups: Groups) -> FloatArray:
        return groups.people().astype(float)

    def witness(self, groups: Groups, at: int) -> str:
        who = ("person", "people") if groups.owner else ("record", "records")
        n = int(groups.people()[at])
        return f"{quantity(n, *who)} here, and at least {self.k} must look alike"

    def covers(self, other: GroupModel) -> bool:
        """Whether it is about all columns of another one, and asks for as many people.

        Records that look alike on more columns look alike on fewer, so a quasi-identifier that is
        part of another one with no smaller k is redundant.
        """
        if not isinstance(other, KAnonymity) or self.k < other.k:
            return False
        return self.qid is None or (other.qid is not None and set(other.qid) <= set(self.qid))

    def owner_ceiling(self) -> Fraction:
        return Fraction(1, self.k)

    def weaker(self) -> KAnonymity | None:
        return evolve(self, k=self.k - 1) if self.k > 2 else None

    def explain_failure(self, groups: Groups) -> str:
        people = "owners" if groups.owner else "records"
        n = int(groups.people().sum()) if groups.owner is None else int(groups.people().max())
        return (
            f"{self} needs at least {self.k} {people}, and the table has {n}: "
            f"ask for k of at most {n}, or gather more data"
        )
