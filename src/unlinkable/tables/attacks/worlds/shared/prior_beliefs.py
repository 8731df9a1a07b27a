"""Prior beliefs: confidence in values when all worlds are weighed by a prior."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unlinkable.errors import DataError
from unlinkable.release.attacks import MOST_SHOWN, Outcome, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.shared.victims import most_confident
from unlinkable.tables.attacks.worlds.shared.facts import CLOSE
from unlinkable.tables.attacks.worlds.shared.members import Members
from unlinkable.tables.attacks.worlds.shared.posteriors import Posteriors
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import CodedPrior, Prior, mark
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Names", "believe", "report_weighed", "says_all", "speaks_of", "tells_of"]

Names = Callable[[Histogram, list[int]], list[list[dict[str, str]]]]
"""Says of entries of ``seen`` what their people are known by, one by one or all at once."""


def believe(
    members: Members, prior: Prior, column: str, knowledge: AdversaryKnowledge, *, joint: bool
) -> Posteriors:
    """Weigh all worlds of all groups, in one of the two readings.

    Raises
    ------
    DataError
        If the prior does not say what is asked, or leaves no possible world for a group.
    """
    seen, hidden = members.seen(prior.columns), members.hidden
    asked = np.ones(hidden.n_values, bool) if joint else speaks_of(prior, hidden)
    beliefs = CodedPrior.of(prior, seen, hidden, column, asked)
    if joint:
        return Posteriors.jointly(seen, hidden, beliefs, knowledge.rng)
    return Posteriors.by_value(seen, hidden, beliefs)


def says_all(prior: Prior) -> bool:
    """Whether a prior says of everybody how likely they have each value."""
    try:
        prior.refuse_less_than_all()
    except DataError:
        return False
    return True


def speaks_of(prior: Prior, hidden: Histogram) -> BoolArray:
    """Mark the values that a prior says something of."""
    return mark(hidden, tuple(text or "" for text in prior.values))


def tells_of(prior: Prior, members: Members, column: str) -> bool:
    """Whether a prior has a row for what everybody shows."""
    nothing = np.zeros(members.hidden.n_values, bool)
    try:
        CodedPrior.of(prior, members.seen(prior.columns), members.hidden, column, nothing)
    except DataError:
        return False
    return True


def report_weighed(
    attack: Attack, column: str, members: Members, readings: dict[str, Posteriors], names: Names
) -> Outcome:
    """Report what is believed in one or two readings; the last of them counts.

    Parameters
    ----------
    attack
        What was tried.
    column
        The sensitive column.
    members
        Who is in which group.
    readings
        What is believed, by what the reading is called.
    names
        How to say who people are.
    """
    judged = {name: _Judged(attack, believed) for name, believed in readings.items()}
    taken, others = [*judged.values()][-1], [*judged.items()][:-1]
    found = _found(attack, column, taken, members)
    details: dict[str, int | float | str | None] = {
        "column": column,
        "reading": [*judged][-1],
        "groups_counted": int(taken.believed.is_counted.sum()),
        "groups_estimated": int((~taken.believed.is_counted).sum()),
        "groups_left_out": members.n_left_out,
        "highest_share": taken.share,
    }
    for name, each in judged.items():
        details |= {f"highest_by_{name}": each.highest, f"fallen_by_{name}": each.n_fallen}
    for name, each in others:
        if taken.n_fallen and not each.n_fallen:
            found += (
                f" Taken one {name} at a time, nobody falls (up to {each.highest:.4g}): a promise "
                "in that reading does not bound who weighs all values at once."
            )
        if each.n_fallen > taken.n_fallen:
            found += (
                f" Who takes one {name} at a time is surer than that of {each.n_fallen:,} (up to "
                f"{each.highest:.4g}): he leaves out what he knows of the others."
            )
    return Outcome(
        attack=attack,
        n_attacked=taken.n_people,
        n_fallen=taken.n_fallen,
        highest=taken.highest,
        victims=_victims(column, taken, names),
        found=found,
        interval=taken.interval,
        details=details,
    )


class _Judged:
    """The confidence in the people of each entry of ``seen``."""

    def __init__(self, attack: Attack, believed: Posteriors) -> None:
        self.believed, self.at = believed, believed.surest
        self.sure: FloatArray = believed.chance[self.at]
        self.people: CountArray = believed.seen.counts
        low = believed.low[self.at]
        self.is_fallen: BoolArray = low > float(attack.limit) + CLOSE
        self.n_people = int(self.people.sum())
        self.n_fallen = int(self.people[self.is_fallen].sum())
        self.highest = float(self.sure.max(initial=0))
        hidden = believed.hidden
        is_asked = believed.beliefs.place[hidden.values] >= 0
        sizes = hidden.reduce(np.add, hidden.counts)[hidden.row]
        self.share = float((hidden.counts / sizes)[is_asked].max(initial=0))
        self.interval = None
        if not believed.is_counted.all():
            # The most likely one of a group is at least as likely as all are in the mean.
            least = max(float(low.max(initial=0)), self.share)
            self.interval = least, max(float(believed.high.max(initial=0)), least)


def _found(attack: Attack, column: str, taken: _Judged, members: Members) -> str:
    limit = float(attack.limit)
    text = (
        f"Who knows the prior is up to {taken.highest:.4g} sure of what somebody has in "
        f"{column!r}, and surer than {limit:.4g} of {taken.n_fallen:,} of "
        f"{quantity(taken.n_people, 'person', 'people')}; by the shares of groups alone, up to "
        f"{taken.share:.4g}."
    )
    if members.n_left_out:
        n = members.n_left_out + members.groups.size
        text += f" Of {members.n_left_out:,} of {n:,} groups it is not known who is in them."
    return text


def _victims(column: str, taken: _Judged, names: Names) -> tuple[Victim, ...]:
    believed, entries, found = taken.believed, most_confident(taken.sure).tolist(), []
    hidden = believed.hidden
    sizes = hidden.reduce(np.add, hidden.counts)
    for entry, who in zip(entries, names(believed.seen, entries), strict=True):
        value = hidden.values[believed.column[taken.at[entry]]]
        n = int(taken.people[entry])
        found += [
            Victim(
                who=each,
                confidence=float(taken.sure[entry]),
                learned={column: hidden.text(int(value))},
                records=int(sizes[believed.seen.row[entry]]),
                people=1 if len(who) == n else n,
            )
            for each in who
        ]
    return tuple(found[:MOST_SHOWN])
