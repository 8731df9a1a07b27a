"""Views and counts of one table: everybody is left with enough in all tables that have them.

What a policy says of itself is not believed here: what was published is read from the published
texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.witness import joins as witness
from tests.witness.joins import View
from tests.witness.matching import meaning
from tests.witness.models import Row
from tests.witness.parted import HIDDEN, TREES, Ask, crowds, people_from, published
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import KAnonymity, KCAnonymity
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.series.marginals.marginals import Marginals
from unlinkable.tables.series.next_release import Next
from unlinkable.tables.series.views.multiple_views import MultipleViews

FEWER = settings(max_examples=max(settings().max_examples // 2, 1))
HALF = Fraction(1, 2)
SHAPES = [
    ("ab", "bs"),
    ("ab", "as", "bs"),
    ("ab", "s", "bs"),
    ("as", "bs"),
    ("bs", "ab", "abs"),
    ("ab", "bc", "cs"),
]


def view_of(made: Next) -> View:
    frame = made.edition.target.frame
    return View(frame.to_dicts(), tuple(frame.columns))


def fewest_values(views: Sequence[View], identity: str | None, *, one_record: bool) -> int | None:
    """Say how many values of s are left to anybody at least; None if there is nothing to find out.

    If people are known by a name that may have several records, a value that one of them has for
    certain is left alone.
    """
    told = {name for view in views for name in view.columns}
    known = [name for name in sorted(told & {*TREES}) if identity in (None, name)]
    if not known or "s" not in told:
        return None
    tables = list(witness.possible_tables(views, (), identity if one_record else None))
    assert tables
    fewest = len(HIDDEN["s"])
    for kind in {tuple(row[name] for name in known) for table in tables for row in table}:
        has = [
            {row["s"] for row in table if tuple(row[name] for name in known) == kind}
            for table in tables
        ]
        is_certain = identity is not None and set.intersection(*has)
        fewest = min(fewest, 1 if is_certain else len(set.union(*has)))
    return fewest


@given(
    crowds("bc", 4),
    st.lists(st.sampled_from("012"), min_size=4, max_size=4),
    st.sampled_from(SHAPES),
    st.sampled_from(["a", "a", None]),
    st.booleans(),
    st.integers(2, 3),
)
@FEWER
def test_views_leave_everybody_with_several_values(
    people: list[Row],
    names: list[str],
    shape: tuple[str, ...],
    identity: str | None,
    one_record: bool,
    k: int,
) -> None:
    one_record = one_record and identity is not None
    names = [*"0123"] if one_record else names
    rows: list[Row] = [{**row, "a": f"a{i}"} for i, row in zip(names, people, strict=False)]
    asked: list[Ask] = [
        (
            MultipleViews(columns=[*columns], identity=identity, one_record=one_record, k=k),
            "abcs",
            (),
            None,
        )
        for columns in shape
    ]
    views: list[View] = []
    for _, made in published(rows, asked):
        views.append(view_of(made))
        left = fewest_values(views, identity, one_record=one_record)
        event(f"{left} values left")
        assert left is None or left >= k


@pytest.mark.parametrize("forgets", [False, True])
def test_two_views_tell_what_neither_tells(forgets: bool) -> None:
    rows = people_from("abcs", "a0 b0 c0 x", "a1 b0 c0 y", "a2 b1 c0 z")
    asked: list[Ask] = [
        (MultipleViews(columns=[*columns], identity="a"), "abcs", (), None)
        for columns in ("ab", "bs")
    ]
    views = [view_of(made) for _, made in published(rows, asked, forgets=forgets)]
    assert len(views) == (2 if forgets else 1)
    assert fewest_values(views, "a", one_record=False) == (1 if forgets else None)


Counted = list[tuple[Row, int]]
"""What rows show, and how many records show it."""


def counts_of(made: Next) -> Counted:
    """Read how many records show what."""
    if isinstance(made.release, MaskedRelease):
        rows = made.release.masked.frame.to_dicts()
        return [({c: row[c] for c in row if c != "count"}, int(row["count"])) for row in rows]
    told = made.edition.target.frame.iter_rows(named=True)
    return [(dict(shown), n) for shown, n in Counter(tuple(row.items()) for row in told).items()]


def told_apart(views: Sequence[Counted]) -> list[Row]:
    """Give one record of each kind that no row tells from another."""
    columns = sorted({name for view in views for shown, _ in view for name in shown})
    leaves: list[list[Hashable]] = []
    for name in columns:
        texts = dict.fromkeys(shown[name] for view in views for shown, _ in view if name in shown)
        means = [meaning(text, TREES.get(name)) for text in texts]
        looks = {
            tuple(values is None or leaf in values for values in means): leaf
            for leaf in (TREES[name].leaves if name in TREES else HIDDEN[name])
        }
        leaves.append([*looks.values()])
    return [dict(zip(columns, values, strict=True)) for values in product(*leaves)]


@dataclass(frozen=True)
class Least:
    """What is left to the worst off, in the table that is best for him.

    Attributes
    ----------
    people
        How many people of his kind there are.
    values
        How many values people of his kind can have.
    share
        The share of a value among them that is certain.
    """

    people: int
    values: int
    share: Fraction


def least_left(views: Sequence[Counted]) -> Least:
    """Go through all tables with these counts, and through everybody who can be in them."""
    cells = told_apart(views)
    known = [name for name in cells[0] if name in TREES]
    tables = list(witness.tables_with_counts(views, cells, TREES))
    assert tables
    least = Least(len(tables[0]), len(HIDDEN["s"]), Fraction(0))
    for kind in {tuple(row[name] for name in known) for table in tables for row in table}:
        mine = [
            [row.get("s") for row in table if tuple(row[name] for name in known) == kind]
            for table in tables
        ]
        there = [hidden for hidden in mine if hidden]
        values = {value for hidden in there for value in hidden}
        certain = [min(Fraction(h.count(s), len(h)) for h in there) for s in values]
        least = Least(
            min(least.people, max(map(len, there))),
            min(least.values, len(values)),
            max(least.share, *certain),
        )
    return least


@st.composite
def squares(draw: st.DrawFn) -> list[Row]:
    """Draw what people hide of whom no two are alike."""
    rows: list[Row] = []
    for a in ["a0", "a1", "a2"][: draw(st.integers(2, 3))]:
        hidden = draw(st.permutations("xyz"))
        rows += [
            {"a": a, "b": b, "s": value} for b, value in zip(["b0", "b1"], hidden, strict=False)
        ]
    return rows


PARTS = st.sampled_from(["as", "bs", "ab", "a", "b"])


@given(
    crowds("ab", 7) | squares(),
    st.booleans(),
    st.lists(st.tuples(PARTS, st.booleans()), min_size=2, max_size=3),
    st.sampled_from([2, 2, 2, 3]),
    st.sampled_from([HALF, Fraction(2, 3)]),
)
@FEWER
def test_counts_leave_everybody_with_people_and_values(
    rows: list[Row],
    has_base: bool,
    parts: list[tuple[str, bool]],
    k: int,
    c: Fraction,
) -> None:
    promise = KCAnonymity(k, c, sensitive="s")
    asked: list[Ask] = [(Marginals(), "abs", (promise,), Mondrian())] if has_base else []
    for columns, is_coarse in parts:
        levels = [["a", 1]] if is_coarse and "a" in columns else []
        models = (promise,) if "s" in columns else (KAnonymity(k),)
        asked.append((Marginals(columns=[*columns], levels=levels), "abs", models, None))
    views: list[Counted] = []
    for _, made in published(rows, asked):
        views.append(counts_of(made))
        told = {name for view in views for name in view[0][0]}
        if told & {*TREES}:
            left = least_left(views)
            assert left.people >= k
            if "s" in told:
                assert left.values >= 1 / c
                assert left.share <= c
    event(f"{len(views)} of {len(asked)} releases")


@pytest.mark.parametrize("forgets", [False, True])
def test_two_marginals_tell_what_neither_tells(forgets: bool) -> None:
    rows = people_from("abs", "a0 b0 x", "a0 b1 y", "a1 b0 z", "a1 b1 x")
    promise = (KCAnonymity(2, HALF, sensitive="s"),)
    asked: list[Ask] = [
        (Marginals(columns=[*columns]), "abs", promise, None) for columns in ("as", "bs")
    ]
    views = [counts_of(made) for _, made in published(rows, asked, forgets=forgets)]
    assert len(views) == (2 if forgets else 1)
    assert (least_left(views).values == 1) == forgets
