"""What was promised and told before: sequential keeps the one, and cannot take back the other."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tables.series.sequential.small_series import after, publish, raw_edition
from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import as_table
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.sequential import Sequential


def test_what_was_promised_before_is_not_forgotten() -> None:
    """Half of the people have the test; of those in the south, four of five do."""
    told = {"home": ["south"] * 5 + ["north"] * 5, "test": [*"yyyynynnnn"]}
    job = as_table({"job": ["cook"] * 10, "test": told["test"]}, quasi="job", sensitive="test")
    home = as_table(told, quasi="home", sensitive="test")
    everybody = np.arange(10)
    strict, lax = Sequential(h="1/2"), Sequential(h="9/10")
    first = next_release(strict, Request(job, everybody), Past())
    past = after(Past(), first)
    alone = next_release(lax, Request(home, everybody), Past((first.edition,), {}, 10))
    assert alone.release.n_groups == 2
    kept = next_release(lax, Request(home, everybody), past)
    assert [(str(o.attack.limit), o.highest) for o in kept.refused] == [("1/2", 0.8)]
    assert kept.release.n_groups == 1
    then = next_release(strict, Request(home, everybody), past)
    assert then.release.n_groups == 1
    said = [made.memory["promised"]["policy"].to_list() for made in (first, then)]
    assert said[0] == said[1]


def test_a_column_that_nobody_had_asked_about_was_not_promised() -> None:
    job = as_table({"job": ["cook"] * 4}, quasi="job")
    test = as_table({"job": ["cook"] * 4, "test": [*"yyyn"]}, quasi="job", sensitive="test")
    request = Request(job, np.arange(4), (KAnonymity(2),))
    first = next_release(Sequential(h="1/2"), request, Past())
    assert first.memory == {}
    then = next_release(Sequential(h="3/4"), Request(test, np.arange(4)), after(Past(), first))
    assert [outcome.highest for outcome in then.outcomes] == [0.75]


def test_what_an_earlier_release_tells_cannot_be_taken_back() -> None:
    first = [{"b": "b0", "y": "y0"}, {"b": "b1", "y": "y1"}]
    past = Past((raw_edition(first, range(2), "release 1"),), {}, 100)
    with pytest.raises(InfeasibleError, match="join with 1 earlier release makes up to 1 sure"):
        publish(Sequential(), past, [{"b": "b0"}, {"b": "b1"}], range(2))
