"""What came of learning from all groups at once, in numbers and words."""

from __future__ import annotations

import math

import numpy as np
from attrs import define

from unlinkable.release.attacks import Outcome, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.shared.rates import student
from unlinkable.tables.attacks.shared.victims import most_confident
from unlinkable.tables.attacks.worlds.shared.facts import CLOSE
from unlinkable.tables.attacks.worlds.shared.learning import LearnedBeliefs, log_worlds
from unlinkable.tables.attacks.worlds.shared.members import Members
from unlinkable.tables.data import codes_of, keep_rows, texts_of
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["report_learned"]

_APART = 1.1
"""Chains that are further apart than this (R-hat) do not tell the same."""

_NORMAL = 1.959964
"""Standard deviations around the mean in which 95 of 100 lie."""


def report_learned(
    attack: Attack,
    target: Target,
    knowledge: AdversaryKnowledge,
    column: str,
    shown: Columns,
    members: Members,
    learned: LearnedBeliefs,
    names: tuple[str, list[str | None]] | None,
) -> Outcome:
    """Report what is believed of everybody.

    Parameters
    ----------
    attack, target, knowledge
        What was tried on what, and with what.
    column, shown
        What people hide, and what they show.
    members, learned
        Who is in which group, and what is believed of them.
    names
        What the people of a list are called, and the column that says so; None if they are records
        of the release.
    """
    sums = _Sums.of(learned)
    limit = float(attack.limit) + CLOSE
    is_fallen = sums.sure - learned.error[sums.at] > limit
    # Of very many people some would be above the limit by chance alone.
    is_fallen &= sums.interval is None or sums.interval[0] > limit
    details = _details(column, members, learned, sums)
    found = _found(attack, column, learned, sums, int(is_fallen.sum()))
    if knowledge.truth is not None and names is None:
        told = _compare(knowledge.truth, column, learned, sums)
        if told is not None:
            details |= told
            found += (
                f" {told['right']:.1%} of all guesses are right (between {told['right_low']:.1%} "
                f"and {told['right_high']:.1%} for people like these), against "
                f"{told['right_by_shares']:.1%} by the shares of groups alone."
            )
    return Outcome(
        attack=attack,
        n_attacked=sums.at.size,
        n_fallen=int(is_fallen.sum()),
        highest=sums.highest,
        victims=_victims(target, column, shown, learned, sums, names),
        found=found,
        interval=sums.interval,
        details=details,
    )


@define(eq=False, frozen=True)
class _Sums:
    """What is believed, put together.

    Attributes
    ----------
    at, sure
        For everybody where the likeliest value is, and how likely it is.
    group
        The group of everybody.
    share
        The share of the most frequent value in the group of everybody.
    highest, mean, interval
        The highest and the mean confidence, and the interval of the first.
    """

    at: CountArray
    sure: FloatArray
    group: CountArray
    share: FloatArray
    highest: float
    mean: float
    interval: tuple[float, float] | None

    @classmethod
    def of(cls, learned: LearnedBeliefs) -> _Sums:
        """Find for everybody the likeliest value.

        The largest of many estimates is large by chance as well. So whom to look at is decided by
        all chains but one, and their confidence by that one; each is left out in turn.
        """
        people, chance = learned.people, learned.chance
        at = learned.guesses(chance)
        group = np.repeat(np.arange(people.hidden.n_groups), np.diff(people.start))
        share = (people.hidden.peak / np.maximum(np.diff(people.start), 1))[group]
        sure = chance[at]
        if learned.is_exact:
            return cls(at, sure, group, share, float(sure.max(initial=0)), float(sure.mean()), None)
        n = learned.chains.shape[0]
        tops, means = [], []
        for own in learned.chains:
            others = (chance * n - own) / (n - 1)
            picked = learned.guesses(others)
            tops.append(own[picked[np.argmax(others[picked])]])
            means.append(own[picked].mean())
        # In the mean, people of a group have a value as likely as it is frequent: some as likely.
        least = float(share.max(initial=0))
        highest = max(float(np.mean(tops)), least)
        half = max(
            student(n - 1) * float(np.std(tops, ddof=1)) / math.sqrt(n),
            float(learned.error[at[np.argmax(sure)]]),
        )
        interval = max(highest - half, least), min(highest + half, 1.0)
        return cls(at, sure, group, share, highest, float(np.mean(means)), interval)


def _details(
    column: str, members: Members, learned: LearnedBeliefs, sums: _Sums
) -> dict[str, int | float | str | None]:
    promised = float(sums.share.max(initial=0))
    is_exact = learned.is_exact
    return {
        "column": column,
        "promised": promised,
        "lift": sums.highest / promised,
        "mean_confidence": sums.mean,
        "mean_share": float(sums.share.mean()),
        "mean_lift": sums.mean / float(sums.share.mean()),
        "worlds": round(math.exp(log_worlds(learned.people.hidden))) if is_exact else None,
        "chains": None if is_exact else learned.chains.shape[0],
        "r_hat": None if is_exact else learned.r_hat,
        "groups_left_out": members.n_left_out,
        "shown_values_left_out": learned.people.n_left_out,
    }


def _found(attack: Attack, column: str, learned: LearnedBeliefs, sums: _Sums, n_fallen: int) -> str:
    promised = float(sums.share.max(initial=0))
    n = quantity(sums.at.size, "person", "people")
    text = (
        f"Who learns from all groups what goes with {column!r} is up to {sums.highest:.4g} sure of "
        f"somebody's value, where groups promise at most {promised:.4g} (lift "
        f"{sums.highest / promised:.3g}), and surer than {float(attack.limit):.4g} of "
        f"{n_fallen:,} of {n}."
    )
    if not learned.is_exact and not learned.r_hat <= _APART:
        text += (
            f" The chains do not agree yet (R-hat {learned.r_hat:.3g}): ask for more rounds to be "
            "sure."
        )
    if not learned.is_whole:
        text += " The time was up before all rounds were done: allow more seconds to be surer."
    return text


def _values(learned: LearnedBeliefs, sums: _Sums) -> CodeArray:
    """Give the value that everybody is believed to have."""
    hidden = learned.people.hidden
    slot = sums.at - learned.people.row_start[:-1]
    codes: CodeArray = hidden.values[hidden.indptr[sums.group] + slot]
    return codes


def _compare(
    truth: Truth, column: str, learned: LearnedBeliefs, sums: _Sums
) -> dict[str, float] | None:
    """Say how many guesses are right; None if nobody knows.

    People of a group are not guessed independently: the interval is that of a mean over groups.
    """
    taxonomy = learned.people.hidden.taxonomy
    if truth.rows is None or taxonomy is None or column not in truth.table.frame.columns:
        return None
    own = keep_rows(truth.table.frame, truth.rows[learned.people.rows])
    right: BoolArray = codes_of(own, column, taxonomy.domain) == _values(learned, sums)
    rate = float(right.mean())
    off = np.bincount(sums.group, right - rate)
    half = _NORMAL * math.sqrt(float((off**2).sum())) / right.size
    return {
        "right": rate,
        "right_low": max(rate - half, 0.0),
        "right_high": min(rate + half, 1.0),
        "right_by_shares": float(sums.share.mean()),
    }


def _victims(
    target: Target,
    column: str,
    shown: Columns,
    learned: LearnedBeliefs,
    sums: _Sums,
    names: tuple[str, list[str | None]] | None,
) -> tuple[Victim, ...]:
    people, values, found = learned.people, _values(learned, sums), []
    sizes = np.diff(people.start)
    for i in most_confident(sums.sure).tolist():
        row = int(people.rows[i])
        if names is not None:
            who = {names[0]: names[1][row] or ""}
        else:
            record = keep_rows(target.frame, people.rows[[i]])
            columns = (*shown, *target.alike)
            who = {name: texts_of(record, name)[0] or "" for name in dict.fromkeys(columns)}
        found.append(
            Victim(
                who=who,
                confidence=float(sums.sure[i]),
                learned={column: people.hidden.text(int(values[i]))},
                records=int(sizes[sums.group[i]]),
            )
        )
    return tuple(found)
