"""What continuous claims: effort, views, steps, earlier promises, its written form."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.tables.series.continuous.eight_people import people, published
from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.models import KAnonymity, KCAnonymity
from unlinkable.tables.series.continuous.bcf_anonymizer import BCFAnonymizer
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request


def test_effort_is_golden() -> None:
    past = published(Continuous())
    made = next_release(Continuous(), Request(people(8), np.arange(8), (KAnonymity(2),)), past)
    assert made.release.n_groups == 2
    assert dict(made.release.outcome.effort) == {
        "steps": 1,
        "checked": 1,
        "given_up": 0,
        "groups_judged": 2,
        "rows_read": 2,
        "kinds_judged": 7,
        "groups": 2,
    }


def test_without_new_people_another_view_may_be_published() -> None:
    past = published(Continuous())
    made = next_release(Continuous(), Request(people(4), np.arange(4), (KAnonymity(2),)), past)
    assert made.outcomes[0].details["BA"] is None


def test_the_specialization_that_is_asked_for_is_used() -> None:
    asked = TopDownSpecialization(steps=0)
    request = Request(people(8), np.arange(8), (KAnonymity(2),), asked)
    made = next_release(Continuous(), request, published(Continuous()))
    assert made.release.n_groups == 1
    assert isinstance(made.release.method, BCFAnonymizer)
    assert str(made.release.method) == "continuous"


@pytest.mark.parametrize("score", ["discernibility", "loss", "igpl", "information-gain"])
def test_steps_are_chosen_by_what_is_asked_for(score: str) -> None:
    days = [*(np.datetime64("2020-01-01") + np.arange(120) % 20).astype(object)]
    columns = {"day": days, "s": [*"xyz"] * 40, "again": [*"noon"] * 30}
    past = Past()
    for n in (40, 80, 120):
        shown = {name: values[:n] for name, values in columns.items()}
        table = as_table(shown, quasi="day", sensitive="s", target="again")
        request = Request(table, np.arange(n), (KAnonymity(3),))
        made = next_release(Continuous(score=score), request, past)
        past = Past((*past.editions, made.edition), made.memory, n)
        assert made.release.n_groups > 1
    assert made.outcomes[0].details["least_left"] >= 3  # type: ignore[operator]


def test_what_was_promised_before_is_kept_by_who_promises_less() -> None:
    past, promise = Past(), KCAnonymity(4, "1/2", sensitive="s")
    for n in (4, 8):
        made = next_release(Continuous(), Request(people(n), np.arange(n), (promise,)), past)
        past = Past((*past.editions, made.edition), made.memory, n)
        promise = KCAnonymity(2, 1, sensitive="s")
    tried = [outcome.attack for outcome in made.outcomes]
    assert [attack.name for attack in tried] == list(Continuous.guards)
    assert {getattr(attack, "k", 4) for attack in tried} == {4}
    assert {attack.limit for attack in tried} == {Fraction(1, 2)}
    assert made.outcomes[0].details["least_left"] >= 4  # type: ignore[operator]
    request = Request(people(6), np.arange(6), (promise,))
    with pytest.raises(InfeasibleError, match=r"2 people are new .* until there are 4"):
        next_release(Continuous(), request, Past(past.editions[:1], {}, 4))


def test_has_a_written_form() -> None:
    assert str(Continuous(targets="actual")) == 'continuous(targets="actual")'
