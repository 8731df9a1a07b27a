"""Attack: an adversary who holds one release of a table."""

from __future__ import annotations

import abc

from unlinkable.errors import UnsupportedError
from unlinkable.release.attacks import Adversary, Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.models.base import Bound, GroupModel, SensitiveGoal

__all__ = ["Attack"]


class Attack(Adversary):
    """An adversary who holds one release."""

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        """Say why the attack cannot be tried on this release; None if it can."""
        return None

    def run(self, target: Target, knowledge: AdversaryKnowledge | None = None) -> Outcome:
        """Attack a release.

        Raises
        ------
        UnsupportedError
            If the attack makes no sense here, or the adversary lacks what it needs.
        SchemaError, DataError
            If the side tables do not fit the release.
        """
        knowledge = knowledge or AdversaryKnowledge()
        why = self.misfit(target, knowledge)
        if why is not None:
            raise UnsupportedError(f"{self.name} cannot be tried here: {why}")
        return self.attack(target, knowledge)

    @abc.abstractmethod
    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        """Attack a release that the attack fits."""

    def record_ceiling(self, model: GroupModel, target: Target) -> Bound:
        """Bound the confidence about a record by what a model promises; None if it does not."""
        return None

    def value_ceiling(self, model: GroupModel, goal: SensitiveGoal) -> Bound:
        """Bound the confidence in a sensitive value by what a model promises; None if it does not.

        It is asked only of attacks with a parameter ``sensitive``.
        """
        return None
