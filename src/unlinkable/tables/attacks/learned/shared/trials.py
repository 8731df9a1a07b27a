"""Trials: people who are in the data and others, to be told apart by what was published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from unlinkable.tables.attacks.learned.shared.recognition import tell_members
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Trial", "advantages_of", "joined", "tell_apart"]


@frozen(eq=False)
class Trial:
    """People who are in the data, and others, with their scores.

    Attributes
    ----------
    members
        The rows of those who are in the data.
    scores
        Their scores, and after them those of the others, by what they measure.
    doubt
        Why the others may be no others, in a sentence.
    """

    members: CountArray
    scores: dict[str, FloatArray]
    doubt: str = ""

    @property
    def is_member(self) -> BoolArray:
        """Mark those who are in the data."""
        is_member: BoolArray = np.arange(self.scores["nearest"].size) < self.members.size
        return is_member


def tell_apart(
    trials: Sequence[Trial], rng: np.random.Generator
) -> tuple[BoolArray, BoolArray, CountArray]:
    """Tell of the people of all trials who is a member; also who is one, and in which trial."""
    is_member = np.concatenate([trial.is_member for trial in trials])
    trial = np.repeat(np.arange(len(trials)), [trial.is_member.size for trial in trials])
    return tell_members(joined(trials), is_member, rng), is_member, trial


def joined(trials: Sequence[Trial]) -> dict[str, FloatArray]:
    """Give the scores of the people of all trials."""
    names = [name for name in trials[0].scores if all(name in t.scores for t in trials)]
    return {name: np.concatenate([trial.scores[name] for trial in trials]) for name in names}


def advantages_of(
    told: BoolArray, is_member: BoolArray, trial: CountArray, n_trials: int
) -> FloatArray:
    """Give the advantage in every trial."""
    rates = [
        np.bincount(trial[side], told[side], n_trials)
        / np.bincount(trial[side], minlength=n_trials)
        for side in (is_member, ~is_member)
    ]
    advantages: FloatArray = rates[0] - rates[1]
    return advantages
