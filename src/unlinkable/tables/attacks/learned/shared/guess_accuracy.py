"""Verdicts: how often guesses are right, beside what is guessed without the release."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from unlinkable.kernels.counting import count
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.learned.shared.inference import Guesser, Guesses, Hidden, Kinds
from unlinkable.tables.attacks.shared.rates import Interval, newcombe, paired_difference, wilson
from unlinkable.tables.data import SideTable, codes_of
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Details", "judge_guesses"]

_N_PARTS = 5
"""People are guessed from the records of the other four fifths."""
_MOST_VALUES = 20
"""Of so many values it is told how often they are found."""

Details: TypeAlias = dict[str, int | float | str | None]
"""Numbers by what they are."""


def judge_guesses(
    knowledge: AdversaryKnowledge,
    kinds: Kinds,
    hidden: Hidden,
    guesser: Guesser,
    guesses: Guesses,
    control: tuple[SideTable, Kinds, Guesses] | None,
) -> tuple[Details, str]:
    """Hold guesses for the people of the original against the truth.

    Who has no guess is guessed to have the most frequent published value. Gives the numbers, and a
    sentence.
    """
    assert knowledge.truth is not None
    actual = codes_of(knowledge.truth.table.frame, hidden.column, hidden.domain)
    usual = int(np.argmax(count(hidden.values, hidden.domain.n)))
    is_right = _right(guesses, kinds, actual, usual)
    accuracy = float(is_right.mean())
    majority = _majority(actual)
    low, high = wilson(accuracy, is_right.size)
    details: Details = {
        "accuracy": accuracy,
        "accuracy, at least": low,
        "accuracy, at most": high,
        "accuracy of the majority guess": majority,
        **_recalls(hidden, actual, is_right),
    }
    words = (
        f"Of the people in the data {accuracy:.1%} are guessed right; without the release "
        f"{majority:.1%} would be."
    )
    compared = None
    if control is not None:
        compared = _beside_others(is_right, control, hidden, usual)
    elif knowledge.truth.rows is not None:
        correct = _without_own(
            knowledge, kinds, hidden, guesser, knowledge.truth.rows, actual, usual
        )
        only = int((is_right & ~correct).sum()), int((correct & ~is_right).sum())
        compared = float(correct.mean()), *paired_difference(*only, is_right.size)
    if compared is not None:
        share, more, (low, high) = compared
        details |= {
            "accuracy of the control": share,
            "excess": more,
            "excess, at least": low,
            "excess, at most": high,
        }
        words += _excess_in_words(share, low)
    return details, words


def _beside_others(
    is_right: BoolArray, control: tuple[SideTable, Kinds, Guesses], hidden: Hidden, usual: int
) -> tuple[float, float, Interval]:
    """Give how many of the control people are guessed right, and how many more of those in it."""
    people, kinds, guesses = control
    correct = _right(guesses, kinds, codes_of(people.frame, hidden.column, hidden.domain), usual)
    share = float(correct.mean()) if correct.size else 0.0
    accuracy = float(is_right.mean())
    return share, accuracy - share, newcombe(accuracy, is_right.size, share, correct.size)


def _excess_in_words(control: float, low: float) -> str:
    told = f" Of others, whom nothing was learned from, {control:.1%} are:"
    if low > 0:
        return f"{told} the release gives away more of those who are in it."
    return f"{told} what is inferred is knowledge of the population."


def _right(guesses: Guesses, kinds: Kinds, actual: CodeArray, usual: int) -> BoolArray:
    codes = np.where(guesses.codes < 0, usual, guesses.codes)
    right: BoolArray = codes[kinds.kind] == actual
    return right


def _majority(actual: CodeArray) -> float:
    """Give the share of the most frequent value."""
    return float(np.bincount(actual[actual >= 0]).max(initial=0) / max(actual.size, 1))


def _recalls(hidden: Hidden, actual: CodeArray, is_right: BoolArray) -> Details:
    """Tell of the most frequent values how many of those who have them are found."""
    there = actual >= 0
    n = np.bincount(actual[there], minlength=hidden.domain.n)
    found = np.bincount(actual[there], is_right[there], hidden.domain.n)
    shown = np.argsort(-n, kind="stable")[:_MOST_VALUES]
    return {
        f"recall of {hidden.domain.text(code)!r}": float(found[code] / n[code])
        for code in shown.tolist()
        if n[code]
    }


def _without_own(
    knowledge: AdversaryKnowledge,
    kinds: Kinds,
    hidden: Hidden,
    guesser: Guesser,
    rows: CountArray,
    actual: CodeArray,
    usual: int,
) -> BoolArray:
    """Guess everybody from the records of others, and tell who is guessed right.

    All parts have about as many people with each value: otherwise the value that is the most
    frequent among the others would be the rarer among those who are guessed.
    """
    n = actual.size
    part = np.empty(n, np.int64)
    part[np.lexsort((knowledge.rng.random(n), actual))] = np.arange(n) % _N_PARTS
    if hidden.bucket is not None:
        # What a bucket hides is told of all its people at once.
        n_buckets = int(hidden.bucket.max(initial=-1)) + 1
        part[rows] = (knowledge.rng.permutation(n_buckets) % _N_PARTS)[hidden.bucket]
    correct = np.zeros(n, bool)
    for i in range(_N_PARTS):
        judged = part == i
        without = guesser.guess(part[rows] != i)
        correct[judged] = _right(without, kinds, actual, usual)[judged]
        knowledge.progress(
            (i + 1) / _N_PARTS, f"guessed {hidden.column} from the records of others"
        )
    return correct
