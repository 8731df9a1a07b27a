"""FF-anonymity: whatever is observed of somebody, no sensitive value becomes likely.

Other models know two kinds of columns, those that others may know and those that they must not
find out. Often the same column has both: a broken leg can be seen, a venereal disease cannot. Here
values are sensitive, not columns, and all others may be known [1]_, [2]_.

References
----------
.. [1] K. Wang, Y. Xu, A. W.-C. Fu, R. C.-W. Wong. "FF-anonymity: when quasi-identifiers are
   missing." ICDE 2009.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.2.10.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, SchemaError, unknown
from unlinkable.params import as_columns, exact, is_share
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups, Histogram, Knowledge
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.ceilings import SensitiveGoal
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel, ValueNormalizer
from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.freeform import Observed, attacks, observe, unknown_values
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE
from unlinkable.tables.models.shared.known_columns import refuse_none
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["FFAnonymity"]


@frozen
class FFAnonymity(GroupModel):
    r"""No combination of observable values makes a sensitive value likelier than ``h``.

    For all observable values :math:`X` on any columns, none of them included, that occur together,
    and every sensitive value :math:`s` of any column: :math:`|T[X, s]| \le h\,|T[X]|`. The bound is
    met by equality, and decided exactly.

    Parameters
    ----------
    h
        The largest share of a sensitive value.
    sensitive
        The values that nobody may find out, as ``column=value``; all other values may be known.
        Nothing after the ``=`` is the missing value, and a column alone means all of its values.
        If not given, all values of all sensitive columns.
    columns
        The columns that may be known or found out; all quasi-identifying and sensitive ones if not
        given.

    Guarantees
    ----------
    Who knows any of the values of a victim that may be known is never surer than h of one that may
    not be. It does not protect against an adversary who knows a sensitive value of the victim, and
    it does not bound how few records look alike.

    Merging
    -------
    Safe: whatever is known beside the group, the records of a union that match are those of its
    parts, and the share of a sensitive value among them is a weighted mean of its shares there. It
    does not absorb: {1, 1} keeps h = 1/2, and with one more record of the first value it does not.
    A quasi-identifying column that has sensitive values is another matter, for generalizing changes
    what can be observed on it: such a promise can be checked, and not searched for. Give the column
    the role of a sensitive one, and list what is sensitive in it.

    Examples
    --------
    Of three women one has HIV; and so has one of those two whose pay is high.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.models.base import BindingContext
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "m"], "ill": ["flu", "hiv", "cold", "flu"],
    ...     "pay": ["low", "high", "high", "low"]}, quasi="sex", sensitive=["ill", "pay"])
    >>> (promise,) = FFAnonymity(0.4, sensitive=["ill=hiv"]).bind(BindingContext.of(ward.schema))
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (False, {'h': 0.5})
    >>> verdict.why
    'of 2 records here with pay = high, 1 (0.5) with ill = hiv, and at most 0.4 may'
    """

    name: ClassVar[str] = "ff-anonymity"
    reference: ClassVar[str] = "Wang, Xu, Fu and Wong 2009"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Nothing that can be observed of somebody makes a sensitive value likelier than {h:%}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It does not stop an adversary who knows a sensitive value of the victim.",
        NO_GROUP_SIZE,
    )
    parameter: ClassVar[str] = "h"
    higher_is_safer: ClassVar[bool] = False

    h: Fraction = field(converter=exact, validator=is_share)
    sensitive: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    _counted: Columns | None = field(default=None, eq=False, repr=False, kw_only=True)
    _is_local: bool = field(default=False, eq=False, repr=False, kw_only=True)
    _shown: Columns = field(default=(), eq=False, repr=False, kw_only=True)

    @sensitive.validator
    def _names_values(self, attribute: object, value: Columns | None) -> None:
        if value is not None and not value:
            raise ParameterError("sensitive must list at least one value; leave it out to mean all")
        for entry in value or ():
            if not isinstance(entry, str) or not entry.partition("=")[0]:
                raise ParameterError(f"sensitive must list values as column=value, got {entry!r}")

    @columns.validator
    def _names_columns(self, attribute: object, value: Columns | None) -> None:
        refuse_none("columns", value)

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def local(self) -> bool:
        return self._is_local

    @property
    def unsearchable(self) -> str | None:
        if not self._shown:
            return None
        names = " and ".join(map(repr, self._shown))
        return (
            f"{names} has sensitive values and is generalized, which changes what can be observed: "
            "give it the role of a sensitive column"
        )

    def bind(self, context: BindingContext) -> tuple[FFAnonymity, ...]:
        present = (*context.quasi, *context.sensitive)
        columns = present if self.columns is None else self.columns
        for name in columns:
            if name not in present:
                what = "quasi-identifying or sensitive column"
                raise SchemaError(f"{unknown(what, name, present)} for {self}")
        entries = self.sensitive or tuple(c for c in columns if c in context.sensitive)
        if not entries:
            raise SchemaError(
                f"{self} is about sensitive values, and the table has no sensitive column: list "
                "the values that nobody may find out"
            )
        for name in (held := _holders(entries)):
            if name not in columns:
                raise SchemaError(f"{unknown('column', name, columns)} for {self}")
        bound = evolve(
            self,
            sensitive=entries,
            columns=columns,
            counted=tuple(c for c in columns if c in context.sensitive or c in held),
            is_local=all(c in columns and c not in held for c in context.quasi),
            shown=tuple(c for c in context.quasi if c in held),
        )
        return (bound,)

    def with_normalized_values(self, normalize: ValueNormalizer) -> FFAnonymity:
        entries = [entry.partition("=") for entry in self.sensitive or ()]
        normalized = [
            f"{name}={normalize(name, text)}" if mark else name for name, mark, text in entries
        ]
        return evolve(self, sensitive=normalized or None)

    def needs(self) -> frozenset[Columns]:
        counted = self.columns if self._counted is None else self._counted
        if counted is None or self.sensitive is None:
            raise SchemaError(
                f"{self} does not say which columns it is about: bind it to a table, or name the "
                "columns and the sensitive values"
            )
        return frozenset({counted})

    def knows(self, columns: Columns) -> Knowledge:
        held, wanted = _holders(self.sensitive or ()), self.columns or columns
        return Knowledge(tuple(c for c in columns if c in wanted and c not in held))

    def judge(self, groups: Groups) -> BoolArray:
        good = np.ones(len(groups), bool)
        for attack in attacks(*self._observed(groups)):
            is_bad = ~is_within(attack.hits, self.h, attack.matches)
            good[attack.group[is_bad]] = False
        return good

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest share that any attack finds in each group."""
        level = np.zeros(len(groups))
        for attack in attacks(*self._observed(groups)):
            np.maximum.at(level, attack.group, attack.hits / attack.matches)
        return level

    def witness(self, groups: Groups, at: int) -> str:
        mask = np.zeros(len(groups), bool)
        mask[at] = True
        hidden, columns = self._observed(groups.select(mask))
        most, bound = 0.0, f"at most {float(self.h):.4g} may"
        words = f"no sensitive value in {quantity(int(groups.sizes[at]), 'record')}, and {bound}"
        for attack in attacks(hidden, columns):
            shares = attack.hits / attack.matches
            best = int(np.argmax(shares))
            if shares[best] > most:
                most, code = float(shares[best]), int(hidden.values[attack.entry[best]])
                known = "".join(f" with {column.text(code)}" for column in attack.known)
                matches = quantity(int(attack.matches[best]), "record")
                words = (
                    f"of {matches} here{known}, {int(attack.hits[best])} ({most:.4g}) with "
                    f"{attack.target.text(code)}, and {bound}"
                )
        return "; ".join([words, *unknown_values(columns, self.sensitive or ())])

    def consequences(self) -> tuple[GroupModel, ...]:
        """No value of a column has more than a share of h: there are at least 1 / h of them."""
        if not self._is_local:
            return ()
        whole = [c for c in self.sensitive or () if "=" not in c]
        return tuple(DistinctLDiversity(math.ceil(1 / self.h), sensitive=c) for c in whole)

    def is_about(self, goal: SensitiveGoal) -> bool:
        entries = self.sensitive
        if entries is None or goal.column in entries:
            return True
        return bool(goal.values) and all(f"{goal.column}={v}" in entries for v in goal.values or ())

    def share_ceiling(self, goal: SensitiveGoal) -> Fraction:
        return self.h

    def weaker(self) -> FFAnonymity | None:
        more = self.h + Fraction(1, 20)
        return evolve(self, h=more) if more < 1 else None

    def _observed(self, groups: Groups) -> tuple[Histogram, list[Observed]]:
        """Give what was counted, and which of its values are sensitive."""
        (names,) = self.needs()
        try:
            hidden = groups.histograms[names]
        except KeyError:
            raise SchemaError(
                f"{self} needs the values of {', '.join(map(repr, names))}, which were not "
                "counted: count the table with what the promise needs"
            ) from None
        held = _holders(self.sensitive or ())
        found = observe(hidden, names, self.sensitive or ())
        return hidden, [c for c in found if c.name not in groups.columns or c.name in held]


def _holders(entries: Columns) -> frozenset[str]:
    """Give the columns that have sensitive values."""
    return frozenset(entry.partition("=")[0] for entry in entries)
