"""Releases of other columns of the same people: the join leaves nobody sure, row by row.

What a policy says of itself is not believed here: what was published is read from the published
texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.witness import joins as witness
from tests.witness.joins import Rule
from tests.witness.models import Row
from tests.witness.parted import HIDDEN, TREES, Ask, kinds, people_from, published
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.sequential.sequential import Sequential

FEWER = settings(max_examples=max(settings().max_examples * 4 // 5, 1))
HALF = Fraction(1, 2)
COLUMNS = st.sets(st.sampled_from("abc"), min_size=1, max_size=3).map(sorted)
RULES: tuple[Rule, ...] = (("a", "a3", "c", "C"), ("b", "b1", "c", "c3"))


def surest(
    releases: Sequence[Sequence[Row]], x: Sequence[str], y: str, rules: Sequence[Rule] = ()
) -> tuple[Fraction, int]:
    """Say how sure the join makes of a value of y, and how many values it leaves at least."""
    groups: dict[tuple[Hashable, ...], Counter[Hashable]] = {}
    for match in witness.join(releases, TREES, rules):
        rows = [release[i] for release, i in zip(releases, match, strict=True)]
        hidden = next(row[y] for row in rows if y in row)
        groups.setdefault(witness.known_by(rows, x), Counter())[hidden] += 1
    return (
        max(Fraction(max(group.values()), group.total()) for group in groups.values()),
        min(map(len, groups.values())),
    )


def written(rule: Rule) -> str:
    """Write a rule as policies read it."""
    return "{}={}, {}={}".format(*rule)


@st.composite
def wishes(draw: st.DrawFn) -> tuple[list[Sequential], list[Ask]]:
    """Draw which columns are to be published by which policies."""
    rules = RULES if draw(st.booleans()) else ()
    k = draw(st.integers(1, 2))
    policies, asked, told = list[Sequential](), list[Ask](), list[str]()
    for _ in range(draw(st.integers(2, 3))):
        columns = [*draw(COLUMNS), *draw(st.sampled_from(["s", "t", "s", ""]))]
        told = [*dict.fromkeys([*told, *columns])]
        known = [name for name in told if name in TREES and draw(st.integers(0, 4))]
        ruled = [written(rule) for rule in rules if {rule[0], rule[2]} <= {*told}]
        h = draw(st.sampled_from([Fraction(2, 3), HALF, Fraction(4, 5)]))
        policies.append(Sequential(x=known or None, h=h, k=k, inconsistent=ruled))
        models = () if {*told} & {*HIDDEN} else (KAnonymity(1),)
        asked.append((policies[-1], columns, models, None))
    return policies, asked


def is_allowed(row: Row) -> bool:
    """Whether no rule forbids what somebody has."""
    return (row["a"] != "a3" or row["c"] not in ("c0", "c1")) and (
        row["b"] != "b1" or row["c"] != "c3"
    )


@given(st.lists(kinds("abcst").filter(is_allowed), min_size=4, max_size=6), wishes())
@FEWER
def test_sequential_releases_leave_nobody_sure(
    rows: list[Row], drawn: tuple[list[Sequential], list[Ask]]
) -> None:
    policies, asked = drawn
    releases: list[Sequence[Row]] = []
    for i, made in published(rows, asked, stops=True):
        releases.append(made.edition.target.frame.to_dicts())
        told = {name for release in releases for name in release[0]}
        for policy, y in product(policies[: i + 1], sorted(told & {*HIDDEN})):
            known = [name for name in policy.x or TREES if name in told]
            rules = [rule for rule in RULES if written(rule) in policy.inconsistent]
            sure, n_values = surest(releases, known, y, rules)
            assert sure <= policy.h
            assert n_values >= policy.k
    event(f"{len(releases)} of {len(asked)} releases")


@pytest.mark.parametrize("forgets", [False, True])
def test_whoever_joins_releases_that_forget_each_other_is_sure(forgets: bool) -> None:
    """Beside the second release, the first tells a of those who show the same on c."""
    rows = people_from("abcs", "a0 b0 c0 x", "a1 b0 c1 y", "a0 b1 c0 y", "a1 b1 c1 x")
    asked: list[Ask] = [
        (Sequential(x=["a"]), "ac", (KAnonymity(1),), None),
        (Sequential(x=["b"] if forgets else ["a", "b"]), "bcs", (), None),
    ]
    made = published(rows, asked, forgets=forgets)
    releases = [release.edition.target.frame.to_dicts() for _, release in made]
    assert len(releases) == 2
    assert surest(releases, ["a", "b"], "s") == ((1, 1) if forgets else (HALF, 2))
