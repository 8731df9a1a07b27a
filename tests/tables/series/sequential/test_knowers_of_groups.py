"""Whoever knows the groups of everybody is no surer of what sequential hides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from tests.tables.series.sequential.small_series import after
from unlinkable.errors import ChannelError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import as_table
from unlinkable.tables.series.next_release import Next, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.sequential import Sequential

SIX = {
    "sex": [*"mmmfff"],
    "born": ["UK", "FR", "UK", "FR", "FR", "FR"],
    "ill": ["flu", "hiv", "cold", "hiv", "cold", "flu"],
}
"""Of the men, two were born in the UK: if they have neither, the third has hiv."""


def parts_of(policy: Sequential, *shown: Sequence[str]) -> Next:
    past = Past()
    for names in shown:
        quasi = [n for n in names if n != "ill"]
        table = as_table({n: SIX[n] for n in names}, quasi=quasi, sensitive="ill")
        past = after(past, made := next_release(policy, Request(table, np.arange(6)), past))
    return made


@pytest.mark.parametrize(
    ("y", "tried"),
    [
        (None, ["difference", "intersection", "record-tracing", "critical-absence"]),
        ("ill=hiv", ["critical-absence", "critical-absence"]),
    ],
)
def test_whoever_knows_the_groups_of_everybody_is_no_surer(y: str | None, tried: list[str]) -> None:
    made = parts_of(Sequential(y=y), ("sex", "ill"), ("born", "ill"))
    assert [outcome.attack.name for outcome in made.refused] == tried[:1]
    assert made.release.n_groups == 1
    assert [outcome.attack.name for outcome in made.outcomes] == ["sequential-join", *tried]


EIGHT = {
    "sex": [*"fmmmfmff"],
    "born": ["FR", "UK", "US", "FR", "FR", "FR", "UK", "US"],
    "ill": [*"cbbaecba"],
}
"""Both of the UK have b, so that she has the only b of the women: of a and b, which the two of the
US have, the woman has a. Whoever knows of nothing but a that it stays does not find that."""


@pytest.mark.parametrize("first", ["sex", "born"])
def test_of_a_single_value_the_others_tell_nothing_either(first: str) -> None:
    policy, past = Sequential(y="ill=a"), Past()
    for shown in sorted(("sex", "born"), key=lambda name: name != first):
        table = as_table({n: EIGHT[n] for n in (shown, "ill")}, quasi=shown, sensitive="ill")
        past = after(past, made := next_release(policy, Request(table, np.arange(8)), past))
    assert made.release.n_groups == 1
    (found,) = made.refused
    assert 'values=["a"]' in str(found.attack)
    assert (found.n_fallen, found.highest) == (1, 1)
    by_itself = Past(past.editions[:1]).followed_by(told_raw(shown))
    assert CriticalAbsence(values="a").run(by_itself).n_fallen == 1
    assert not CriticalAbsence(permanent="a").run(by_itself).succeeded


def told_raw(shown: str) -> Edition:
    """Give the release that was refused."""
    frame = pl.DataFrame({n: EIGHT[n] for n in (shown, "ill")})
    return Edition(Target(frame, (shown,), ("ill",)), np.arange(8))


def test_single_values_may_be_promised_where_others_change() -> None:
    past, policy = Past(), Sequential(y="ill=hiv")
    for shown, ill in (("sex", SIX["ill"]), ("born", ["cold", "hiv", "flu", "hiv", "flu", "flu"])):
        table = as_table({shown: SIX[shown], "ill": ill}, quasi=shown, sensitive="ill")
        past = after(past, made := next_release(policy, Request(table, np.arange(6)), past))
    assert [o.attack.name for o in made.outcomes] == ["sequential-join", "critical-absence"]


def test_whoever_knows_x_alone_may_be_told_more() -> None:
    """In groups by sex and born the Frenchman would be alone; sex is all that is known."""
    made = parts_of(Sequential(x="sex"), ("sex", "ill"), ("born", "ill"))
    assert not made.refused
    assert set(made.edition.target.frame["born"]) == {"UK", "FR"}
    assert [outcome.highest for outcome in made.outcomes] == [pytest.approx(1 / 3)] * 5


def test_releases_that_tell_nothing_of_what_another_one_does_are_not_compared() -> None:
    past = Past()
    for names in (("sex", "ill"), ("sex", "born")):
        hidden = "ill" if "ill" in names else ()
        quasi = [n for n in names if n != "ill"]
        table = as_table({n: SIX[n] for n in names}, quasi=quasi, sensitive=hidden)
        past = after(past, made := next_release(Sequential(), Request(table, np.arange(6)), past))
    assert [outcome.attack.name for outcome in made.outcomes] == ["sequential-join"]


def test_somebody_new_who_would_be_found_is_named() -> None:
    """Whatever is shown, taking one release away from the other leaves nobody but him."""
    policy, ill = Sequential(h="2/3"), [*"xyzxyz"]
    first = as_table({"job": ["cook"] * 6, "ill": ill}, quasi="job", sensitive="ill")
    then = as_table({"home": ["here"] * 7, "ill": [*ill, "z"]}, quasi="home", sensitive="ill")
    past = after(Past(), next_release(policy, Request(first, np.arange(6)), Past()))
    with pytest.raises(ChannelError, match="difference finds 1 of 7"):
        next_release(policy, Request(then, np.arange(7)), past)
