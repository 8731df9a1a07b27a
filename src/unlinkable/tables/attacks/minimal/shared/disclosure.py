"""Disclosure: what is believed of people once inconsistent tables are ruled out."""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.release.attacks import Outcome, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.minimal.shared.consistent_tables import ConsistentTables
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.attacks.minimal.shared.record_owners import RecordOwners
from unlinkable.tables.attacks.minimal.shared.world_beliefs import WorldShares
from unlinkable.tables.attacks.shared.victims import most_confident
from unlinkable.typing import FloatArray

__all__ = ["Disclosure"]

_ERROR = 0.05
"""How often the highest confidence may lie outside of its interval."""

_SAME = 1e-9
"""Beliefs that differ by less are the same."""


@define(eq=False, frozen=True)
class Disclosure:
    """What was found, to be put into words.

    Attributes
    ----------
    attack
        What was tried.
    everybody, tables
        The people, and the tables that were possible.
    consistent
        What is left of these.
    assumed, knows
        What the adversary knows: in one word, and in the words of a sentence.
    """

    attack: Attack
    everybody: RecordOwners
    tables: PossibleTables
    consistent: ConsistentTables
    assumed: str
    knows: str

    def outcome(self) -> Outcome:
        """Say what was found."""
        limit, consistent, kinds = self.attack.limit, self.consistent, self.tables.kinds
        naive = [column.naive() for column in consistent.beliefs]
        found, surely, interval = self._beliefs(naive)
        sure = np.max([shares.sure for shares in found], axis=0)
        before = np.max([shares.sure for shares in naive], axis=0)
        if consistent.is_exact:
            falls = np.any([shares.falls(limit) for shares in found], axis=0)
        else:
            falls = surely > float(limit)
        n_fallen = int(falls[kinds].sum())
        n_surer = int((surely > before + _SAME)[kinds].sum())
        highest, alone = float(sure.max(initial=0)), float(before.max(initial=0))
        return Outcome(
            attack=self.attack,
            n_attacked=len(self.tables),
            n_fallen=n_fallen,
            highest=highest,
            victims=self._victims(found, sure),
            found=self._found(highest, alone, n_fallen, n_surer),
            interval=interval,
            details={
                "assumed": self.assumed,
                "worlds": consistent.n_tables,
                "consistent_worlds": consistent.n_consistent,
                "asked": consistent.n_asked,
                "kept": consistent.n_kept,
                "naive_confidence": alone,
                "more_exposed_people": n_surer,
            },
        )

    def _beliefs(
        self, naive: list[WorldShares]
    ) -> tuple[list[WorldShares], FloatArray, tuple[float, float] | None]:
        """Give the beliefs, lower bounds of them, and the interval of the highest."""
        consistent = self.consistent
        if consistent.is_exact:
            # If too much was assumed, only the shares of groups are left to believe.
            found = [c.believed() for c in consistent.beliefs] if consistent.n_kept else naive
            return found, np.max([shares.sure for shares in found], axis=0), None
        error = _ERROR / max(sum(column.n_open for column in consistent.beliefs), 1)
        drawn = [
            c.estimated(error, is_mostly_kept=consistent.is_mostly_kept) for c in consistent.beliefs
        ]
        least = np.max([low.max(axis=1, initial=0.0) for _, low, _ in drawn], axis=0)
        most = max(float(high.max(initial=0.0)) for _, _, high in drawn)
        return [shares for shares, _, _ in drawn], least, (float(least.max(initial=0.0)), most)

    def _victims(self, found: list[WorldShares], sure: FloatArray) -> tuple[Victim, ...]:
        """Describe the people with the highest confidence, one by one."""
        which = np.argmax([shares.sure for shares in found], axis=0)
        fitting = self.tables.n_fitting
        victims = []
        for person in most_confident(sure[self.tables.kinds]).tolist():
            kind = self.tables.kinds[person]
            if not sure[kind]:
                break
            column, shares = self.consistent.beliefs[which[kind]], found[which[kind]]
            value = column.domain.text(int(shares.values[kind])) or "no value"
            who, learned = self.everybody.who(person), {column.column: value}
            victims.append(Victim(who, float(sure[kind]), learned, int(fitting[kind])))
        return tuple(victims)

    def _found(self, highest: float, alone: float, n_fallen: int, n_surer: int) -> str:
        consistent = self.consistent
        if not consistent.is_exact:
            lead = (
                f"{consistent.n_kept:,} of {consistent.n_asked:,} possible tables drawn at random"
            )
        else:
            lead = f"{consistent.n_consistent:,} of {consistent.n_tables:,} possible tables"
        if not consistent.n_kept:
            return (
                f"{lead} had to be generalized to keep what was promised, so that it was done for "
                f"another reason: nobody learns more than the groups say, {alone:.3g}."
            )
        people = quantity(len(self.tables), "person", "people")
        return (
            f"{lead} lead to this release. Whoever knows {self.knows} is up to {highest:.3g} sure "
            f"of what somebody has; the groups alone say {alone:.3g}. {n_fallen:,} of {people} "
            f"fall, and of {n_surer:,} more is learned than the groups say."
        )
