"""Multirelational k-anonymity: k people look alike in all tables of a database together.

Persons are in one table and what they did in others: visits, tests, purchases. An adversary who
joins the tables sees several records of each person. Counting them as if each were somebody else
promises more than there is [1]_.

References
----------
.. [1] M. E. Nergiz, C. Clifton, A. E. Nergiz. "Multirelational k-anonymity." ICDE 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 8.4.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from unlinkable.errors import SchemaError
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.shared.gaps import NOTHING_IN_COMMON
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["MultirelationalKAnonymity"]


@frozen
class MultirelationalKAnonymity(KAnonymity):
    r"""Every combination of values in the joined tables is shared by at least ``k`` owners.

    With :math:`J = PT \bowtie T_1 \bowtie \dots \bowtie T_n` the person table joined with the
    others, for every combination :math:`q` that occurs in it:
    :math:`|\Pi_{owner}(\sigma_q(J))| \ge k`. It is (X,Y)-anonymity of the join with the owner for
    Y. A person with several rows has several combinations, and must share each of them.

    The tables are joined when they are read, on the owner column: every row of the persons with
    every row of the same owner in each of the other tables. Persons without a row in one of them
    stay, with missing values there. Without an owner column the promise is refused, for rows are no
    people.

    Parameters
    ----------
    k
        The least number of owners who look alike.
    qid
        The columns that the adversary knows; all quasi-identifying columns of the joined tables if
        not given.

    Guarantees
    ----------
    An adversary who knows one combination of quasi-identifying values of a victim links it to a
    person with probability at most 1/k. It does not protect against an adversary who knows
    *several* rows of the same person, or how many there are: the promise is about one row at a
    time. It says nothing about what the k owners have in common.

    Merging
    -------
    Absorbs: a union has at least as many owners as each of its parts.

    Examples
    --------
    Three visits of two people.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> visits = as_table({"job": ["cook", "cook", "cook"], "who": ["a", "a", "b"]},
    ...     quasi="job", owner="who")
    >>> MultirelationalKAnonymity(3).verdict(count(visits).finest).achieved
    {'k': 2}
    """

    name: ClassVar[str] = "multirelational-k-anonymity"
    reference: ClassVar[str] = "Nergiz, Clifton and Nergiz 2007"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "Every combination of values in the joined tables is shared by at least {k} people."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "An adversary who knows several rows of the same person is not stopped.",
        NOTHING_IN_COMMON,
    )
    needs_owner: ClassVar[bool] = True

    def bind(self, context: BindingContext) -> tuple[MultirelationalKAnonymity, ...]:
        if context.owner is None:
            raise self._without_owner()
        self.knows(context.quasi)
        return (self,)

    def judge(self, groups: Groups) -> BoolArray:
        self._require_owner(groups)
        return super().judge(groups)

    def level(self, groups: Groups) -> FloatArray:
        self._require_owner(groups)
        return super().level(groups)

    def consequences(self) -> tuple[GroupModel, ...]:
        """Owners are people."""
        return (KAnonymity(self.k, qid=self.qid),)

    def _require_owner(self, groups: Groups) -> None:
        if groups.owner is None:
            raise self._without_owner()

    def _without_owner(self) -> SchemaError:
        return SchemaError(
            f"{self} counts the owners of records, and no column tells who owns a record: give one "
            "the role owner"
        )
