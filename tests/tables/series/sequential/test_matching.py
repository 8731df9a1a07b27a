"""Which records match: by rules, by numbers, by what is told again."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.tables.series.sequential.small_series import after, publish, raw_edition
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import as_table
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.sequential import Sequential


def test_rules_take_matches_away() -> None:
    first = [{"b": "b0", "d": "d0"}, {"b": "b1", "d": "d1"}]
    then = [{"c": "c0", "y": "y0"}, {"c": "c1", "y": "y1"}]
    past = Past((raw_edition(first, range(2), "release 1"),), {}, 100)
    free = publish(
        Sequential(x=("b", "c", "d"), y="y", h=1, k=1),
        past,
        then,
        range(2),
        models=(KAnonymity(2),),
    )
    assert set(free.edition.target.frame["c"]) == {"*"}
    policy = Sequential(x=("b", "d"), y="y", h=Fraction(1, 2), inconsistent="b=b0, c=c0")
    # c is not in x, and told: whoever has b0 cannot have c0, so y1 is certain.
    with pytest.raises(UnsupportedError, match="up to 1 sure"):
        publish(policy, past, then, range(2))
    inside = Sequential(x=("b", "c", "d"), y="y", h=Fraction(1, 2), inconsistent="b=b0, c=c0")
    assert set(publish(inside, past, then, range(2)).edition.target.frame["c"]) == {"*"}


def test_numbers_are_split_where_that_gains_most_and_match_only_if_asked() -> None:
    n = 24
    first = as_table({"age": [*range(n)], "zip": ["z"] * n}, quasi=["age", "zip"])
    then = as_table(
        {"age": [*range(n)], "y": ["s", "t", "u"] * (n // 3), "c": ["l"] * 9 + ["r"] * 15},
        quasi="age",
        sensitive="y",
        target="c",
    )
    target = Target(first.frame, ("age", "zip"), (), {"age": first.taxonomy("age")})
    past = Past((Edition(target, np.arange(n), "release 1"),), {}, n)
    split = next_release(Sequential(h="0.4"), Request(then, np.arange(n)), past)
    solution = split.release.solution  # type: ignore[attr-defined]
    assert solution.trace[0].parts == (0, 9)  # where the class changes
    assert split.outcomes[0].details["matched_on"] is None
    matched = next_release(Sequential(h="0.4", numbers=True), Request(then, np.arange(n)), past)
    assert matched.outcomes[0].details["matched_on"] == "age"
    shown = {*matched.edition.target.frame["age"]}
    assert shown == {f"[{i}-{i + 3})" for i in range(0, n, 3)}  # nodes of its taxonomy


def test_what_is_told_again_is_named_if_no_release_is_found() -> None:
    """Records match by what they hide: of m, a matches two records, and b one."""
    people = {"sex": [*"mmff"], "born": ["UK", "FR"] * 2, "ill": [*"abac"]}
    past = Past()
    for shown in ("sex", "born"):
        table = as_table({n: people[n] for n in (shown, "ill")}, quasi=shown, sensitive="ill")
        request = Request(table, np.arange(4))
        if shown == "sex":
            past = after(past, next_release(Sequential(), request, past))
    said = "match by 'ill', which is told again and .*: leave 'ill' out, or ask for less"
    with pytest.raises(UnsupportedError, match=said) as refused:
        next_release(Sequential(), request, past)
    assert "x does not have" not in str(refused.value)
