"""singling-out: descriptions made of the release that fit exactly one person.

Data protection asks whether somebody can be singled out: whether the release helps to describe one
person so that nobody else of the table fits [1]_. A description need not be of a quasi-identifier,
nor need anybody know whom it fits. Some fit one person by chance: how many is known [2]_, or seen
in people who are not in the table [3]_. What counts is how many more there are.

References
----------
.. [1] Article 29 Data Protection Working Party. "Opinion 05/2014 on anonymisation techniques."
.. [2] A. Cohen, K. Nissim. "Towards formalizing the GDPR's notion of singling out." PNAS 117(15),
   2020.
.. [3] M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnadi. "A unified framework for quantifying privacy
   risk in synthetic data." PoPETs 2023(2).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.attacks.base import MOST_SHOWN, Attack, Outcome, Victim
from unlinkable.attacks.given import is_given
from unlinkable.attacks.learned.axis import Axis, meanings, read_axes
from unlinkable.attacks.learned.predicates import (
    Predicates,
    extreme_and_rare,
    from_records,
    isolation_chance,
)
from unlinkable.attacks.learned.rates import Interval, above_chance, wilson
from unlinkable.attacks.learned.strangers import refuse_unfit
from unlinkable.attacks.target import Arms, Target, Truth
from unlinkable.errors import SchemaError, unknown
from unlinkable.params import as_columns, at_least, exact, is_share
from unlinkable.privacy.base import Threat
from unlinkable.privacy.words import number_of
from unlinkable.typing import Columns, CountArray

__all__ = ["SinglingOut"]

_CANDIDATES = 4
"""So many times as many predicates are thought of as are tried."""
_SURE = 1 << 62
"""As if it had been seen in so many trials: a rate that is calculated, and not seen."""


@frozen(kw_only=True)
class SinglingOut(Attack):
    r"""Describe people by what is published so that only one fits, more often than by chance.

    Predicates are made of the release alone. On one column, these are the numbers up to the least
    and from the greatest on that are shown, and whatever a single published record shows. On
    several, a random record is taken, and what it shows on some random columns: the ranges of a
    generalized release as ranges. Where values were replaced (`is_truthful` is false), a number
    stands for all numbers up to it or from it on, whichever are fewer. The adversary tries at most
    ``n_guesses``: those that fit a single published record, out of four times as many; if there are
    none, those that fit the fewest. A predicate *singles out* if it fits exactly one of the
    :math:`n` original records. With :math:`r` the share of those that do and :math:`b` what chance
    reaches:

    .. math:: R = \frac{r - b}{1 - b}

    A predicate that somebody made without any knowledge of the records, and that a share :math:`w`
    of all conceivable people fit, singles out with a chance of
    :math:`n w (1 - w)^{n - 1} \le (1 - 1/n)^{n - 1}`, about 37 % at most [2]_. That bound is
    :math:`b` if nothing else is known. With a table of ``control`` people from the same population
    who are not in the data, :math:`b` is how often the same predicates fit exactly one of n of
    *them*: what singles out strangers as often is knowledge of the population, and no leak. If
    there are more than n, it is the mean over all samples of n. Fewer are not enough to tell, and b
    is then the bound.

    Nobody falls unless the interval of :math:`R` lies above ``limit``. Then a share R of those who
    are singled out falls: the others would be by chance.

    Parameters
    ----------
    control
        A side table with people of the same population who are not in the data, if there is one.
    qid
        The columns that predicates are about; all quasi-identifying ones if not given.
    at_most
        The most columns that a predicate is about; all of them if not given.
    n_guesses
        How many predicates are tried.
    limit
        The largest R that is borne.

    Cost
    ----
    O(n p d / 64) for n records and p predicates on d columns: six seconds for a million records and
    a thousand predicates.

    Raises
    ------
    UnsupportedError
        Without the original records: nobody else can say whom a predicate fits.
    SchemaError
        If a column is not published, not in the original, or not in the control table.
    DataError
        If the control people are those of the original, or written in another way.

    Examples
    --------
    A table that is published as it is singles out everybody who is unique.

    >>> import polars as pl
    >>> from unlinkable.table import as_table
    >>> people = {"age": list(range(20, 60)), "job": ["cook", "clerk"] * 20}
    >>> truth = Truth(as_table(people, quasi=["age", "job"]))
    >>> target = Target(pl.DataFrame(people), ("age", "job"), ())
    >>> outcome = SinglingOut().run(target, Arms(truth=truth))
    >>> outcome.highest, outcome.n_fallen
    (1.0, 40)
    """

    name: ClassVar[str] = "singling-out"
    reference: ClassVar[str] = "Cohen and Nissim 2020; Giomi et al. 2023"
    threat: ClassVar[Threat] = Threat.RECORD
    needs: ClassVar[str] = (
        "the release alone; who tries it on his own release needs the original records to count "
        "whom a description fits, and better also people who are not in it (control)"
    )
    remedy: ClassVar[str] = (
        "k-anonymity on all columns that may be known: then no description made of them fits fewer "
        "than k people; or differential privacy, for descriptions of any kind"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("k-anonymity", "differential-privacy")

    control: str = "control"
    qid: Columns | None = field(default=None, converter=as_columns)
    at_most: int | None = field(default=None, validator=optional(at_least(1)))
    n_guesses: int = field(default=1000, validator=at_least(1))
    limit: Fraction = field(default=Fraction(1, 10), converter=exact, validator=is_share)

    def misfit(self, target: Target, arms: Arms) -> str | None:
        if arms.truth is None:
            return "only the original records can say whom a description fits"
        if not len(target) or not len(arms.truth.table):
            return "there are no records"
        if not (self.qid or target.quasi):
            return "no column is known to others: say which with qid"
        return None

    def attack(self, target: Target, arms: Arms) -> Outcome:
        assert arms.truth is not None
        axes, n_control = self._axes(target, arms, arms.truth)
        guesses = self._guesses(axes, target.is_truthful, arms.rng)
        arms.progress(0.5, f"{len(guesses)} descriptions made")
        originals = np.column_stack([axis.lo[1] for axis in axes])
        counts, rows = guesses.matches(originals)
        n, n_tried = len(originals), len(guesses)
        rate = float((counts == 1).mean()) if n_tried else 0.0
        chance, n_chance = (1 - 1 / n) ** (n - 1), _SURE
        if n_control >= n:
            others, _ = guesses.matches(np.column_stack([axis.lo[2] for axis in axes]))
            chance = float(isolation_chance(others, n_control, n).mean()) if n_tried else 0.0
            n_chance = n_tried
        risk, interval = above_chance(rate, n_tried, chance, n_chance)
        alone = np.unique(rows[rows >= 0]).size
        n_fallen = 0
        if interval[0] > self.limit:
            n_fallen = max(round(alone * risk), 1)
        used = np.array([[a.attribute.taxonomy.n for a in axes]])
        is_single = ((guesses.lo > 0) | (guesses.hi < used)).sum(axis=1) == 1
        low, high = wilson(rate, n_tried)
        details = {
            "descriptions tried": n_tried,
            "rate": rate,
            "rate, at least": low,
            "rate, at most": high,
            "rate by chance": chance,
            "chance from": "control people" if n_chance == n_tried else "the bound for any guess",
            "descriptions on one column": int(is_single.sum()),
            "singled out on one column": int((is_single & (counts == 1)).sum()),
            "people singled out": alone,
            "risk before clipping": round(risk, 9),
        }
        return Outcome(
            attack=self,
            n_attacked=n,
            n_fallen=n_fallen,
            highest=max(risk, 0.0),
            found=_found(n_tried, counts, chance, n_fallen, interval),
            victims=_victims(guesses, axes, rows, rate) if n_fallen else (),
            interval=(max(interval[0], 0.0), max(interval[1], 0.0)),
            details=details,
        )

    def _axes(self, target: Target, arms: Arms, truth: Truth) -> tuple[tuple[Axis, ...], int]:
        """Place the release, the original and the control people on the same axes."""
        columns = self.qid or target.quasi
        tables = {"the release": target.frame, "the original": truth.table.frame}
        if is_given(arms, self.control):
            tables[f"{self.control!r}"] = arms.side.open(self.control).frame
        for where, table in tables.items():
            for name in columns:
                if name not in table.columns:
                    raise SchemaError(f"{unknown('column', name, table.columns)} in {where}")
        frames = list(tables.values())
        if len(frames) > 2:
            refuse_unfit(self.control, frames[2], truth, columns)
        axes = read_axes(columns, frames, meanings(target, columns, truth))
        return axes, frames[2].height if len(frames) > 2 else 0

    def _guesses(
        self, axes: Sequence[Axis], is_exact: bool, rng: np.random.Generator
    ) -> Predicates:
        """Make predicates, and keep those that fit the fewest published records."""
        most = min(self.at_most or len(axes), len(axes))
        made = [extreme_and_rare(axes, self.n_guesses, rng)]
        widths = range(min(2, most), most + 1)
        n_each = -(-_CANDIDATES * self.n_guesses // len(widths))
        made += [from_records(axes, n_each, width, is_exact, rng) for width in widths]
        both = Predicates(
            np.concatenate([p.lo for p in made]), np.concatenate([p.hi for p in made])
        ).distinct()
        lo, hi = (np.column_stack([getattr(a, end)[0] for a in axes]) for end in ("lo", "hi"))
        fitting = both.published(lo, hi)
        order = np.lexsort((rng.random(len(both)), fitting))[: self.n_guesses]
        if (fitting[order] <= 1).any():
            order = order[fitting[order] <= 1]
        return both.at(np.sort(order))


def _found(
    n_tried: int, counts: CountArray, chance: float, n_fallen: int, interval: Interval
) -> str:
    n_alone = int((counts == 1).sum())
    told = (
        f"{n_alone:,} of {n_tried:,} descriptions made of the release fit exactly one original "
        f"record; {chance:.1%} would by chance."
    )
    if n_fallen:
        people = number_of(n_fallen, "person is", "people are")
        return f"{told} About {people} singled out because of the release."
    if interval[1] <= 0:
        return f"{told} The release singles out nobody beyond that."
    return f"{told} That is not more than chance explains and the limit allows."


def _victims(
    guesses: Predicates, axes: Sequence[Axis], rows: CountArray, rate: float
) -> tuple[Victim, ...]:
    """Show descriptions that single out, one for each person."""
    isolating = np.flatnonzero(rows >= 0)
    _, first = np.unique(rows[isolating], return_index=True)
    shown = np.sort(isolating[first])[:MOST_SHOWN].tolist()
    return tuple(Victim(guesses.describe(axes, at), rate, records=1) for at in shown)
