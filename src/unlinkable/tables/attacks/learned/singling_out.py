"""singling-out: descriptions made of the release that fit exactly one person.

Data protection asks whether a person can be singled out: whether the release helps to describe one
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

Who is singled out, in words and figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import SchemaError, unknown
from unlinkable.params import as_columns, at_least, at_most, exact, is_share
from unlinkable.release.attacks import MOST_SHOWN, Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.learned.shared.column_axes import Axis, meanings, read_axes
from unlinkable.tables.attacks.learned.shared.control_group import doubt_on, refuse_unfit
from unlinkable.tables.attacks.learned.shared.predicates import (
    Predicates,
    extreme_and_rare,
    from_records,
    isolation_chance,
)
from unlinkable.tables.attacks.shared.rates import Interval, above_chance, wilson
from unlinkable.typing import Columns, CountArray

__all__ = ["SinglingOut"]

_CANDIDATES = 4
"""So many times as many predicates are thought of as are tried."""
_SURE = 1 << 62
"""As if it had been seen in so many trials: a rate that is calculated, and not seen."""
_NO_MORE_THAN = at_most(1_000_000)
"""How many descriptions can be tried."""


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

    A predicate that was made without any knowledge of the records, and that a share :math:`w` of
    all conceivable people fit, singles out with a chance of :math:`n w (1 - w)^{n - 1} \le (1 -
    1/n)^{n - 1}`, about 37 % at most [2]_. That bound is :math:`b` if nothing else is known. With a
    table of ``control`` people from the same population who are not in the data, :math:`b` is how
    often the same predicates fit exactly one of n of *them*: what singles out strangers as often is
    knowledge of the population, and no leak. If there are more than n, it is the mean over all
    samples of n. Fewer are not enough to tell, and b is then the bound.

    Nobody is exposed unless the interval of :math:`R` lies above ``limit``. Then a share R of those
    who are singled out is exposed: the others would be by chance.

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
    >>> from unlinkable.tables.data import as_table
    >>> people = {"age": list(range(20, 60)), "job": ["cook", "clerk"] * 20}
    >>> truth = Truth(as_table(people, quasi=["age", "job"]))
    >>> target = Target(pl.DataFrame(people), ("age", "job"), ())
    >>> outcome = SinglingOut().run(target, AdversaryKnowledge(truth=truth))
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
    n_guesses: int = field(default=1000, validator=[at_least(1), _NO_MORE_THAN])
    limit: Fraction = field(default=Fraction(1, 10), converter=exact, validator=is_share)

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if knowledge.truth is None:
            return "only the original records can say whom a description fits"
        if not len(target) or not len(knowledge.truth.table):
            return "there are no records"
        if not (self.qid or target.quasi):
            return "no column is known to others: say which with qid"
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        assert knowledge.truth is not None
        axes, n_control, doubt = self._axes(target, knowledge, knowledge.truth)
        guesses = self._guesses(axes, target.is_truthful, knowledge.rng)
        knowledge.progress(0.5, f"{len(guesses)} descriptions made")
        originals = np.column_stack([axis.lo[1] for axis in axes])
        counts, rows = guesses.matches(originals)
        n, n_tried = len(originals), len(guesses)
        rate = float((counts == 1).mean()) if n_tried else 0.0
        chance, n_chance = _by_chance(guesses, axes, n, n_control)
        risk, interval = above_chance(rate, n_tried, chance, n_chance)
        alone = np.unique(rows[rows >= 0]).size
        n_fallen = 0
        if interval[0] > self.limit:
            n_fallen = max(round(alone * risk), 1)
        low, high = wilson(rate, n_tried)
        is_counted = n_chance == n_tried
        told_chance = f"{chance:.1%} would" if is_counted else f"up to {chance:.1%} could"
        details = {
            "descriptions tried": n_tried,
            "rate": rate,
            "rate, at least": low,
            "rate, at most": high,
            "rate by chance": chance,
            "chance from": "control people" if is_counted else "the bound for any guess",
            **_on_one_column(guesses, axes, counts),
            "people singled out": alone,
            "risk before clipping": round(risk, 9),
        }
        return Outcome(
            attack=self,
            n_attacked=n,
            n_fallen=n_fallen,
            highest=max(risk, 0.0),
            found=_found(n_tried, counts, told_chance, n_fallen, interval) + doubt,
            victims=_victims(guesses, axes, rows, rate) if n_fallen else (),
            interval=(max(interval[0], 0.0), max(interval[1], 0.0)),
            details=details,
        )

    def _axes(
        self, target: Target, knowledge: AdversaryKnowledge, truth: Truth
    ) -> tuple[tuple[Axis, ...], int, str]:
        """Place the release, the original and the control people on the same axes."""
        columns = self.qid or target.quasi
        tables = {"the release": target.frame, "the original": truth.table.frame}
        if knowledge.has(self.control):
            tables[f"{self.control!r}"] = knowledge.side.open(self.control).frame
        for where, table in tables.items():
            for name in columns:
                if name not in table.columns:
                    raise SchemaError(f"{unknown('column', name, table.columns)} in {where}")
        frames = list(tables.values())
        doubt = ""
        if len(frames) > 2:
            doubt = doubt_on(self.control, refuse_unfit(self.control, frames[2], truth, columns))
        axes = read_axes(columns, frames, meanings(target, columns, truth))
        return axes, frames[2].height if len(frames) > 2 else 0, doubt

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


def _by_chance(
    guesses: Predicates, axes: Sequence[Axis], n: int, n_control: int
) -> tuple[float, int]:
    """Tell how often descriptions fit one of n people by chance, and how many tries tell so.

    It is counted among control people if there are as many, and else the bound for any guess.
    """
    if n_control < n:
        return (1 - 1 / n) ** (n - 1), _SURE
    others, _ = guesses.matches(np.column_stack([axis.lo[2] for axis in axes]))
    share = float(isolation_chance(others, n_control, n).mean()) if len(guesses) else 0.0
    return share, len(guesses)


def _on_one_column(
    guesses: Predicates, axes: Sequence[Axis], counts: CountArray
) -> dict[str, int | float | str | None]:
    """Count the descriptions that speak of one column only, and those that single out."""
    used = np.array([[axis.attribute.taxonomy.n for axis in axes]])
    is_single = ((guesses.lo > 0) | (guesses.hi < used)).sum(axis=1) == 1
    return {
        "descriptions on one column": int(is_single.sum()),
        "singled out on one column": int((is_single & (counts == 1)).sum()),
    }


def _found(n_tried: int, counts: CountArray, chance: str, n_fallen: int, interval: Interval) -> str:
    """Say how many descriptions fit one person, and whether that is more than chance.

    What chance does is told in words: how many would, or could at most where nobody knows.
    """
    n_alone = int((counts == 1).sum())
    told = (
        f"{n_alone:,} of {n_tried:,} descriptions made of the release fit exactly one original "
        f"record; {chance} by chance."
    )
    if n_fallen:
        people = quantity(n_fallen, "person is", "people are")
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
