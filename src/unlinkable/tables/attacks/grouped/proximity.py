"""proximity: the numbers of a group differ, and lie close together.

Ten salaries of which nine lie from 30 to 35 are seven distinct values. Nobody can tell anybody's
salary, and of everybody it can be told nearly [1]_.

References
----------
.. [1] J. Li, Y. Tao, X. Xiao. "Preservation of proximity privacy in publishing numerical sensitive
   data." SIGMOD 2008. Section 2.2.7 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

from attrs import field, frozen
from attrs.converters import optional as maybe
from attrs.validators import optional

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import at_least, exact, is_share, positive
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.beliefs import Beliefs, beliefs, hidden_in, no_groups
from unlinkable.tables.attacks.grouped.shared.exposure import Exposure
from unlinkable.tables.attacks.grouped.shared.number_ranges import Ranges, tenth
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.base import Bound, GroupModel, SensitiveGoal
from unlinkable.tables.taxonomies import Kind

__all__ = ["Proximity"]


@frozen
class Proximity(Attack):
    r"""Guess a narrow range of numbers that most of those who look alike have theirs in.

    Of the records :math:`T[q]` that look like the victim's, the adversary counts those whose number
    lies in a range, both ends included, and takes the fullest:
    :math:`\max_x |\{s \in T[q] : x \le s \le x + w\}| / |T[q]|` over all :math:`x`, for ranges of
    width :math:`w`. The fullest range can be moved up until it starts with a number of the group,
    so only these are tried. With ``epsilon``, ranges lie around a number of the group,
    :math:`s \pm \epsilon |s|`. With ``low`` or ``high`` there is one range for everybody. In
    buckets, shares are means over the buckets of the records that the victim may have.

    Missing values are records and lie in no range. Everything is decided exactly, on the decimals
    that were written.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them of numbers or dates if not given.
    width
        The width of the range to guess: in the unit of the column, in days if it holds dates. A
        tenth of the way from the smallest published value to the largest if nothing is given.
    epsilon
        Instead of a width, how far off a guess may be as a share of itself: with 0.1, 10 %.
    low, high
        Instead of a width, the range to ask about: from ``low`` to ``high``. Without one of them it
        is open at that end. In days since 1970 if the column holds dates.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    The victim's quasi-identifying values.

    Finds
    -----
    For each group the range with the most records, and the share of them.

    Cost
    ----
    O(n) for n records, once the numbers are sorted.

    Raises
    ------
    SchemaError
        If the column is not published as a sensitive one, or does not hold numbers or dates, or
        ``epsilon`` is given for dates.

    Examples
    --------
    >>> import polars as pl
    >>> told = pl.DataFrame({"job": ["artist"] * 10,
    ...     "salary": [30, 31, 30, 32, 35, 34, 33, 32, 35, 80]})
    >>> outcome = Proximity(width=5).run(Target(told, ("job",), ("salary",)))
    >>> outcome.n_fallen, outcome.highest, outcome.victims[0].learned
    (10, 0.9, {'salary': '30 to 35'})
    """

    name: ClassVar[str] = "proximity"
    reference: ClassVar[str] = "Li, Tao and Xiao 2008"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[str] = "what the victim shows on the quasi-identifier"
    remedy: ClassVar[str] = (
        "keep the numbers of a group apart: epsilon-m-anonymity bounds the share of every narrow "
        "range, and t-closeness with the ordered distance keeps groups like the whole table"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("epsilon-m-anonymity",)

    sensitive: str | None = None
    width: Fraction | None = field(
        default=None, converter=maybe(exact), validator=optional(at_least(0)), kw_only=True
    )
    epsilon: Fraction | None = field(
        default=None, converter=maybe(exact), validator=optional(positive), kw_only=True
    )
    low: Fraction | None = field(default=None, converter=maybe(exact), kw_only=True)
    high: Fraction | None = field(default=None, converter=maybe(exact), kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    def __attrs_post_init__(self) -> None:
        given = [self.width is not None, self.epsilon is not None, self._is_one_range]
        if sum(given) > 1:
            raise ParameterError(
                "give one of width, epsilon, and low and high: they are different ranges"
            )
        if self.low is not None and self.high is not None and self.high < self.low:
            raise ParameterError(f"high must be at least low, which is {self.low}, got {self.high}")

    @property
    def _is_one_range(self) -> bool:
        return self.low is not None or self.high is not None

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if why := no_groups(target):
            return why
        if self.sensitive is None and not self._numeric(target):
            return "no sensitive column holds numbers or dates"
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        whole = self._numeric(target)
        (seen,) = beliefs(target, target.columns_about(self.sensitive))
        exposure = Exposure(self.limit)
        details: dict[str, int | float | str | None] = {"groups": len(seen)}
        for name, hidden in whole.items():
            width = self._width(name, hidden)
            ranges = self._ranges(name, seen.histograms[name], width)
            fullest = ranges.fullest()
            exposure.take(seen, fullest, seen.wholes, _tell(seen, name, ranges))
            exposure.note("certain", seen, fullest == seen.wholes)
            if width is not None:
                details[f"width of {name}"] = float(width)
        return exposure.outcome(self, self._found(exposure), {**details, **exposure.noted})

    def value_ceiling(self, model: GroupModel, goal: SensitiveGoal) -> Bound:
        if self._is_one_range:
            return None
        if self.epsilon is not None:
            return model.relative_range_ceiling(self.epsilon)
        return model.range_ceiling(self.width, goal.span)

    def _numeric(self, target: Target) -> dict[str, Histogram]:
        """Give the columns of numbers or dates that the attack is about."""
        whole = hidden_in(target, target.columns_about(self.sensitive))
        numeric = {
            name: hidden for name, hidden in whole.items() if _kind(hidden) is not Kind.CATEGORY
        }
        if self.sensitive is not None and not numeric:
            raise SchemaError(
                f"column {self.sensitive!r} holds categories, and {self.name} looks for close "
                "numbers or dates: name another column, or read this one as numbers"
            )
        return numeric

    def _width(self, name: str, hidden: Histogram) -> Fraction | None:
        """Say how wide ranges are; None if not all are equally wide."""
        if self.epsilon is not None or self._is_one_range:
            return None
        return tenth(hidden, name) if self.width is None else self.width

    def _ranges(self, name: str, hidden: Histogram, width: Fraction | None) -> Ranges:
        if width is not None:
            return Ranges.of_width(hidden, name, width)
        if self.epsilon is None:
            return Ranges.between(hidden, name, self.low, self.high)
        if _kind(hidden) is Kind.DATE:
            raise SchemaError(
                f"column {name!r} holds dates, which have no zero, so epsilon means nothing: give "
                "a width in days"
            )
        return Ranges.around(hidden, name, self.epsilon)

    def _found(self, exposure: Exposure) -> str:
        what = "a number" if self.sensitive is None else repr(self.sensitive)
        how = "within the range asked about" if self._is_one_range else "to within a narrow range"
        if not exposure.n_fallen:
            sure = f"at most {exposure.highest:.3g} sure of {what} {how}"
            return f"Nobody falls: whoever knows what a person shows is {sure}."
        return (
            f"{exposure.n_fallen:,} of {quantity(exposure.n_attacked, 'person', 'people')} fall: "
            f"whoever knows what they show is more than {float(self.limit):.3g} sure of {what} "
            f"{how}, at most {exposure.highest:.3g}."
        )


def _tell(seen: Beliefs, name: str, ranges: Ranges) -> Callable[[int, float], Victim]:
    def tell(at: int, sure: float) -> Victim:
        who, n = seen.describe(at)
        return Victim(who, sure, {name: ranges.text(at)}, people=n)

    return tell


def _kind(hidden: Histogram) -> Kind | None:
    return None if hidden.taxonomy is None else hidden.taxonomy.domain.kind
