"""sequential against its definition: all combinations of the records of a series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.tables.attacks.series.joining import TREES, Plain, told
from tests.tables.series.sequential.small_series import (
    HIDDEN,
    after,
    plain_of,
    publish,
    raw_edition,
)
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.series.policy import Past
from unlinkable.tables.series.sequential.sequential import Sequential

PLAIN_RULES = (("a", "A", "c", "c0"), ("b", "b1", "d", "d0"))

leaf = {name: st.sampled_from([str(v) for v in TREES[name].leaves]) for name in TREES}
columns_of = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)
shares = st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(3, 4), Fraction(9, 10)])


@st.composite
def people_of(draw: st.DrawFn, least: int = 2, most: int = 7) -> list[dict[str, str]]:
    n = draw(st.integers(least, most))
    return [{name: draw(leaf[name]) for name in TREES} for _ in range(n)]


def keeps(
    releases: Sequence[Plain],
    x: Sequence[str],
    asked: Sequence[str],
    h: Fraction,
    k: int = 1,
    rules: Sequence[tuple[str, str, str, str]] = (),
) -> bool:
    """Whether the join of all releases, and the last one by itself, keep the promise.

    By every combination of records.
    """
    for joined in (releases, releases[-1:]):
        there = {name for release in joined for name in release.rows[0]}
        known = [name for name in x if name in there]
        for y in asked:
            if y in there and told(joined, known, y, h, k, rules=rules).falls:
                return False
    return True


def refinements(
    shown: Plain, raw: dict[int, dict[str, str]], columns: Sequence[str]
) -> Iterator[Plain]:
    """Replace one value by its children, wherever it is shown, in every way."""
    assert shown.people is not None
    for column in columns:
        for value in {row[column] for row in shown.rows}:
            rows, changed = [], False
            for person, row in zip(shown.people, shown.rows, strict=True):
                path = [str(label) for label in TREES[column].paths[raw[person][column]]]
                below = path[: path.index(value)] if row[column] == value else []
                changed |= bool(below)
                rows.append({**row, column: below[-1]} if below else row)
            if changed:
                yield Plain(rows, shown.people)


def everything(raw: list[dict[str, str]], columns: list[str]) -> Iterator[Plain]:
    """Generalize every column to each level."""
    releases = [Plain(raw)]
    for column in columns:
        releases = [
            Plain([{**row, column: str(TREES[column].paths[row[column]][level])} for row in r.rows])
            for r in releases
            for level in range(TREES[column].height + 1)
        ]
    yield from releases


@given(st.data())
def test_releases_are_safe_and_no_value_can_be_told_more_precisely(data: st.DataObject) -> None:
    people = data.draw(people_of(least=4, most=9))
    everybody = range(len(people))
    n_before = data.draw(st.integers(0, 2))
    is_same = data.draw(st.booleans())
    past, before = Past(), []
    for i in range(n_before):
        names = [*data.draw(columns_of), *data.draw(st.sampled_from([(), ("y",), ("z",)]))]
        who = (
            [*everybody]
            if is_same
            else data.draw(st.lists(st.sampled_from([*everybody]), min_size=1, unique=True))
        )
        rows = []
        for p in who:
            tops = {n: 0 if n in HIDDEN else data.draw(st.integers(0, 2)) for n in names}
            paths = {n: TREES[n].paths[people[p][n]] for n in names}
            rows.append({n: str(paths[n][min(t, len(paths[n]) - 1)]) for n, t in tops.items()})
        before.append(Plain(rows, who))
        past = Past((*past.editions, raw_edition(rows, who, f"release {i + 1}")), {}, 100)
    mine = [*data.draw(columns_of), *data.draw(st.sampled_from([("y",), ("y", "z"), ()]))]
    there = {n for release in before for n in release.rows[0]} | {*mine}
    is_known = {*HIDDEN} <= there and data.draw(st.booleans())
    asked = [n for n in HIDDEN if n in there and not (n == "z" and is_known)]
    known = sorted(there - {*asked})
    x = (
        known
        if data.draw(st.booleans())
        else data.draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    )
    h, k = data.draw(shares), data.draw(st.sampled_from([1, 1, 2]))
    raw = [{n: people[p][n] for n in mine} for p in everybody]
    rules = PLAIN_RULES if data.draw(st.booleans()) else ()
    policy = Sequential(
        x=x,
        y=asked or None,
        h=h,
        k=k,
        inconsistent=[f"{a}={v}, {b}={w}" for a, v, b, w in rules],
        priced=data.draw(st.booleans()),
    )
    generalized = [n for n in mine if n in x and n not in HIDDEN]
    general = Plain([{n: "*" if n in generalized else v for n, v in r.items()} for r in raw])
    is_feasible = keeps([*before, general], x, asked, h, k, rules)
    if not asked:
        with pytest.raises(ParameterError, match="nothing is to stay hidden"):
            publish(policy, past, raw, everybody)
        return
    if not is_feasible:
        with pytest.raises((InfeasibleError, UnsupportedError)) as refused:
            publish(policy, past, raw, everybody)
        others = everything(raw, generalized)
        might = any(keeps([*before, other], x, asked, h, k, rules) for other in others)
        event(f"{refused.type.__name__}, another release would do: {might}")
        assert might <= ("Another release might keep that" in str(refused.value))
        return
    following = publish(policy, past, raw, everybody)
    event(f"published, {len(following.edition.target.frame.unique())} different records")
    shown = plain_of(following.edition)
    assert keeps([*before, shown], x, asked, h, k, rules)
    if following.refused:
        event("stopped earlier: somebody fell who knows everybody's groups")
        return
    by_person = dict(zip(everybody, raw, strict=True))
    for finer in refinements(shown, by_person, generalized):
        assert not keeps([*before, finer], x, asked, h, k, rules)


@given(st.data())
def test_a_series_made_by_the_policy_is_safe_after_every_release(data: st.DataObject) -> None:
    people = data.draw(people_of(least=4))
    policy, past = Sequential(h=data.draw(shares)), Past()
    for _ in range(3):
        names = [*data.draw(columns_of), *data.draw(st.sampled_from([("y",), ("z",), ("y", "z")]))]
        order = data.draw(st.permutations(range(len(people))))
        raw = [{n: people[p][n] for n in names} for p in order]
        try:
            past = after(past, publish(policy, past, raw, order))
        except (InfeasibleError, UnsupportedError):
            continue
        releases = [plain_of(edition) for edition in past.editions]
        there = [{*release.rows[0]} for release in releases]
        known = sorted(set().union(*there) - {*HIDDEN})
        asked = [n for n in HIDDEN if any(n in names for names in there)]
        assert keeps(releases, known, asked, policy.h)
