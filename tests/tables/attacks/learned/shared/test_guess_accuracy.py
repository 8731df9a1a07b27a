"""Verdicts: nobody is judged by what was learned from himself."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from attrs import define, field

from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.learned.shared.guess_accuracy import judge_guesses
from unlinkable.tables.attacks.learned.shared.inference import Guesses, Hidden, Kinds, Rules
from unlinkable.tables.attacks.shared.rates import newcombe, paired_difference
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import SideTable
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray


@define
class Watched:
    """Guesses x for everybody, and remembers what it may learn from."""

    n_kinds: int
    code: int
    seen: list[BoolArray] = field(factory=list)

    def guess(self, rows: BoolArray | None = None) -> Guesses:
        assert rows is not None
        self.seen.append(rows)
        return Guesses(np.full(self.n_kinds, self.code, np.int32), np.ones(self.n_kinds))


def scene(n: int, bucket: bool = False) -> tuple[pl.DataFrame, Target, Kinds, Hidden]:
    frame = pl.DataFrame(
        {"id": range(n), "ill": [*"xyz"] * (n // 3), "bucket": [i // 3 for i in range(n)]}
    )
    target = Target(frame, ("id",), ("ill",), bucket="bucket" if bucket else None)
    people = SideTable("the original", frame)
    return frame, target, Kinds.of_list(target, people, None), Hidden.of(target, "ill")


def knowledge_of(frame: pl.DataFrame, rows: CountArray | None) -> AdversaryKnowledge:
    return AdversaryKnowledge(
        truth=Truth(as_table(frame.drop("bucket"), quasi="id", sensitive="ill"), rows)
    )


def test_parts_have_as_many_people_with_each_value() -> None:
    frame, _, kinds, hidden = scene(30)
    watched = Watched(len(kinds), 0)
    judge_guesses(
        knowledge_of(frame, np.arange(30)),
        kinds,
        hidden,
        watched,
        Guesses(*_all_x(len(kinds))),
        None,
    )
    for seen in watched.seen:
        assert frame.filter(~seen)["ill"].value_counts()["count"].to_list() == [2, 2, 2]


@pytest.mark.parametrize("in_buckets", [False, True])
def test_everybody_is_left_out_once_and_learned_from_otherwise(in_buckets: bool) -> None:
    frame, _, kinds, hidden = scene(30, in_buckets)
    watched = Watched(len(kinds), 0)
    knowledge = knowledge_of(frame, np.arange(30))
    judge_guesses(knowledge, kinds, hidden, watched, Guesses(*_all_x(len(kinds))), None)
    left_out = ~np.array(watched.seen)
    assert left_out.shape == (5, 30)
    assert (left_out.sum(axis=0) == 1).all()
    assert (left_out.sum(axis=1) == 6).all()
    if in_buckets:
        together = left_out.reshape(5, 10, 3)
        assert (together.all(axis=2) == together.any(axis=2)).all()


def _all_x(n: int) -> tuple[CodeArray, FloatArray]:
    return np.zeros(n, np.int32), np.ones(n)


def test_numbers_are_those_of_the_guesses() -> None:
    frame, _, kinds, hidden = scene(30)
    knowledge = knowledge_of(frame, np.arange(30))
    rules = Rules(kinds, hidden)
    details, words = judge_guesses(knowledge, kinds, hidden, rules, rules.guess(), None)
    # Everybody is unique: known from his own record, and guessed to have x without it.
    assert details["accuracy"] == 1.0
    assert details["accuracy of the control"] == pytest.approx(1 / 3)
    assert (details["excess"], (details["excess, at least"], details["excess, at most"])) == (
        paired_difference(20, 0, 30)
    )
    assert details["recall of 'y'"] == 1.0
    assert "100.0% are guessed right; without the release 33.3% would be." in words


def test_people_of_a_control_table_are_others() -> None:
    frame, target, kinds, hidden = scene(30)
    strangers = SideTable("control", pl.DataFrame({"id": [0, 99, 98], "ill": ["x", "x", "none"]}))
    others = Kinds.of_list(target, strangers, None)
    control = strangers, others, Rules(others, hidden).guess()
    rules = Rules(kinds, hidden)
    knowledge = knowledge_of(frame, np.arange(30))
    details, _ = judge_guesses(knowledge, kinds, hidden, rules, rules.guess(), control)
    # The first is found; of the others x is the usual value, and nobody published "none".
    assert details["accuracy of the control"] == pytest.approx(2 / 3)
    low, high = newcombe(1.0, 30, 2 / 3, 3)
    assert (details["excess, at least"], details["excess, at most"]) == (low, high)


def test_without_knowing_whose_record_is_whose_there_is_no_control() -> None:
    frame, _, kinds, hidden = scene(30)
    rules = Rules(kinds, hidden)
    details, _ = judge_guesses(knowledge_of(frame, None), kinds, hidden, rules, rules.guess(), None)
    assert "excess" not in details
