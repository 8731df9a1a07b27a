"""Learning: worlds are counted, chains agree or not, and what tells nothing is left out."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from tests import cases
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.worlds.shared import members as people_module
from unlinkable.tables.attacks.worlds.shared.learning import (
    Chain,
    learn_by_all,
    learn_by_chains,
    log_worlds,
)
from unlinkable.tables.attacks.worlds.shared.members import Members, People
from unlinkable.tables.groups import Histogram


def silent(share: float, words: str) -> None:
    """Tell nobody."""


def of(shown: dict[str, list[str]], buckets: list[int], values: list[str]) -> People:
    told = pl.DataFrame({**shown, "b": buckets, "s": values})
    target = Target(told, tuple(shown), ("s",), bucket="b")
    return People.of(Members.published(target, "s", tuple(shown)), tuple(shown))


def test_the_number_of_possible_worlds_is_that_of_the_paper() -> None:
    case = cases.load("wong-possible-world-count")
    for counts, n in zip(case["input"]["groups"], case["expected"]["worlds"], strict=True):
        times = np.array([*counts.values()])
        codes = np.arange(times.size, dtype=np.int32)
        hidden = Histogram(np.array([0, times.size]), codes, times, times.size)
        assert round(math.exp(log_worlds(hidden))) == n


def test_people_stand_in_the_order_of_their_buckets() -> None:
    people = of({"q": list("pqpq"), "r": list("uvwx")}, [2, 1, 2, 1], list("xyzx"))
    assert people.start.tolist() == [0, 2, 4]
    assert sorted(people.rows[:2].tolist()) in ([0, 2], [1, 3])
    assert people.n_cells == 2, "what one person shows alone tells nothing"
    assert (people.cells[:, 1] == -1).all()
    assert people.columns.tolist() == [0, 2, 2]
    assert people.shown_by.tolist() == [2, 2]
    assert people.row_start.tolist() == [0, 2, 4, 6, 8]


def test_what_only_one_person_shows_changes_nothing() -> None:
    shown = {"q": list("pqpqpq")}
    alone = {**shown, "name": list("abcdef")}
    buckets, values = [1, 1, 2, 2, 3, 3], list("xyxxzy")
    one, other = (learn_by_all(of(s, buckets, values), 1.0).chance for s in (shown, alone))
    assert one == pytest.approx(other)


def test_too_many_things_to_learn_are_left_out_from_the_rarest_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(people_module, "_MOST_PAIRS", 4)
    people = of({"q": list("ppprrruu")}, [1, 1, 2, 2, 3, 3, 4, 4], list("xyxyxyxy"))
    assert people.n_left_out == 1
    assert people.shown_by.tolist() == [3, 3]
    assert (people.cells[:, 0] == -1).sum() == 2


def test_chains_keep_what_each_bucket_hides() -> None:
    people = of({"q": list("ppprrruu")}, [1, 1, 1, 2, 2, 2, 2, 2], list("xxyzzxyx"))
    chain = Chain(people, None, np.random.default_rng(0))
    assert len([*chain.warm_up(4), *chain.run(30)]) == 34
    believed = chain.believed()
    width = np.diff(people.row_start)
    row = np.repeat(np.arange(width.size), width)
    assert np.bincount(row, believed) == pytest.approx(np.ones(8))
    assert len(chain.trace) == 30


def test_chains_with_little_to_tell_are_exact_where_there_is_no_choice() -> None:
    people = of({"q": list("ppqq")}, [1, 1, 2, 3], list("xxyz"))
    learned = learn_by_chains(people, 2, 8, None, np.random.default_rng(0), silent)
    assert learned.chance.tolist() == [1, 1, 1, 1]
    assert learned.error.tolist() == [0, 0, 0, 0]
    assert learned.r_hat == 1.0


@pytest.mark.parametrize("smoothing", [0.5, 1.0, 4.0])
def test_chains_take_the_smoothing_that_they_are_given(smoothing: float) -> None:
    people = of(
        {"q": list("ppqqpqppqqpq")}, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6], list("cffncncnfncn")
    )
    exact = learn_by_all(people, smoothing)
    rng = np.random.default_rng(1)
    learned = learn_by_chains(people, 6, 1500, smoothing, rng, silent)
    assert (np.abs(learned.chance - exact.chance) <= 2 * learned.error).all()
    # The three are further apart from each other than that.
    assert learned.error.max() < 0.04
    others = [learn_by_all(people, x).chance.max() for x in (0.5, 1.0, 4.0)]
    assert others == sorted(others, reverse=True)
    assert others[0] - others[2] > 0.1


def test_guesses_are_the_first_of_the_likeliest() -> None:
    people = of({"q": list("pqpq")}, [1, 1, 2, 2], list("xyxz"))
    learned = learn_by_all(people, 1.0)
    assert learned.guesses(np.array([0.5, 0.5, 0.2, 0.8, 1, 0, 0, 1])).tolist() == [0, 3, 4, 7]
