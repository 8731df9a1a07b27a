"""(X,Y)-anonymity: whatever is known on X goes with at least k values on Y.

Counting records is not counting people: a patient with three visits is three records. Naming what
is counted, Y, apart from what is known, X, covers k-anonymity for tables with several records per
person (Y is the person) and diversity (Y is sensitive) in one promise [1]_.

References
----------
.. [1] K. Wang, B. C. M. Fung. "Anonymizing sequential releases." KDD 2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Definition 2.1; Corollary 9.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.errors import SchemaError
from unlinkable.params import as_columns, at_least
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.shared.known_columns import is_about_all_of
from unlinkable.tables.models.shared.xy_model import XYModel, refuse_unfit
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["XYAnonymity"]


@frozen
class XYAnonymity(XYModel):
    r"""Everybody who looks alike on columns X has at least ``k`` different values on columns Y.

    With :math:`a_Y(x) = |\Pi_Y(\sigma_x(T))|`, the number of different values on :math:`Y` among
    the records with :math:`x`: :math:`A_Y(X) = \min_x a_Y(x) \ge k`. Values on several columns are
    taken together. A missing value is a value of its own.

    Parameters
    ----------
    k
        The least number of different values on Y.
    y
        The columns whose values are counted: the owner of the records, a sensitive column, or any
        that are not in X.
    x
        The columns that the adversary knows; the whole quasi-identifier if not given.

    Guarantees
    ----------
    Where Y tells people apart, a victim is linked to a person with probability at most 1/k, however
    many records each person has. Where Y is sensitive, nobody learns a victim's value for certain.
    It does not bound how sure one may be: with 99 records of one value and one of another, 99 %
    sure.

    Merging
    -------
    Absorbs: a union has all values that its parts have.

    Examples
    --------
    Six visits of two patients are six records and two people.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> visits = as_table({"job": ["cook"] * 6, "patient": ["a", "a", "a", "b", "b", "b"]},
    ...     quasi="job", owner="patient")
    >>> promise = XYAnonymity(2, y="patient")
    >>> promise.verdict(count(visits, promise.needs()).finest).achieved
    {'k': 2}
    """

    name: ClassVar[str] = "xy-anonymity"
    reference: ClassVar[str] = "Wang and Fung 2006"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "People who look alike on {x} have at least {k} different values on {y}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It does not bound how confident an adversary may be: one value may be far more frequent "
        "than the others.",
        "An adversary who knows more columns is not stopped.",
    )
    parameter: ClassVar[str] = "k"

    k: int = field(validator=at_least(1))
    y: Columns = field(converter=as_columns, kw_only=True)
    x: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    _blurred: Columns = field(default=(), eq=False, repr=False, kw_only=True)

    @x.validator
    def _fits_y(self, attribute: object, value: Columns | None) -> None:
        refuse_unfit(value, self.y)

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS

    def needs(self) -> frozenset[Columns]:
        return frozenset({self.y})

    def judge(self, groups: Groups) -> BoolArray:
        return self._hidden(groups).distinct >= self.k

    def level(self, groups: Groups) -> FloatArray:
        return self._hidden(groups).distinct.astype(float)

    def witness(self, groups: Groups, at: int) -> str:
        n = quantity(int(self._hidden(groups).distinct[at]), "different value")
        return f"{n} on {' and '.join(map(repr, self.y))} here, and there must be at least {self.k}"

    def consequences(self) -> tuple[GroupModel, ...]:
        """Different values belong to different records."""
        people = KAnonymity(self.k, qid=self.x)
        if self.x is None and len(self.y) == 1:
            return (DistinctLDiversity(self.k, sensitive=self.y[0]), people)
        return (people,)

    def covers(self, other: GroupModel) -> bool:
        """Whether it is about all columns that are known, and no more that are counted.

        Records that look alike on more columns look alike on fewer, and those that differ on some
        of the columns of Y differ on all of them taken together.
        """
        if not isinstance(other, XYAnonymity) or self.k < other.k:
            return False
        return is_about_all_of(self.x, other.x) and set(self.y) <= set(other.y)

    def owner_ceiling(self) -> Fraction:
        return Fraction(1, self.k)

    def weaker(self) -> XYAnonymity | None:
        return evolve(self, k=self.k - 1) if self.k > 2 else None

    def explain_failure(self, groups: Groups) -> str:
        n = int((self._hidden(groups).total > 0).sum())
        return (
            f"{self} needs {self.k} different values, and all {groups.n_records} records together "
            f"have {n}: ask for k of at most {n}"
        )

    def _hidden(self, groups: Groups) -> Histogram:
        try:
            return groups.histograms[self.y]
        except KeyError:
            raise SchemaError(
                f"{self} needs the values of {', '.join(map(repr, self.y))}, which were not "
                "counted: count the table with what the promise needs"
            ) from None
