"""Personalized privacy: both readings by their definition, and the claims made."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import groups_of, table_of
from tests.witness import values
from unlinkable import checks
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import GuardReading, KAnonymity, PersonalizedPrivacy
from unlinkable.tables.models.base import BindingContext, GroupModel
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

TREE = Tree({"infection": ["hiv", "sars", "flu"], "injury": ["burn", "cut"]})
WARD = {
    "sex": ["f", "f", "f", "f", "m", "m", "m"],
    "ill": ["hiv", "sars", "flu", "cut", "hiv", "hiv", "burn"],
    "mind": ["infection", "hiv", None, None, None, "injury", None],
}
SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=30)
READINGS = st.sampled_from(GuardReading)


def ward(**changes: list[str | None]) -> Table:
    return as_table(
        {**WARD, **changes}, quasi="sex", sensitive="ill", guard="mind", taxonomies={"ill": TREE}
    )


def counted(promise: PersonalizedPrivacy, table: Table) -> Groups:
    return count(table, promise.needs()).finest


def test_what_everybody_guards_is_bounded_and_no_more() -> None:
    """Of four women one has HIV and three an infection; of three men one has an injury."""
    leaf = PersonalizedPrivacy("1/3", sensitive="ill", guard="mind")
    assert leaf.level(counted(leaf, ward())).tolist() == [1 / 4, 1 / 3]
    assert leaf.judge(counted(leaf, ward())).tolist() == [True, True]
    subtree = PersonalizedPrivacy("1/3", sensitive="ill", guard="mind", reading="subtree")
    assert subtree.level(counted(subtree, ward())).tolist() == [3 / 4, 1 / 3]
    assert subtree.judge(counted(subtree, ward())).tolist() == [False, True]


def test_alice_lets_people_know_that_it_is_an_infection() -> None:
    """Alice with HIV guards infections, Bob with HIV guards nothing."""
    table = as_table(
        {"q": ["x"] * 4, "ill": ["hiv", "hiv", "sars", "sars"], "mind": ["infection", *[""] * 3]},
        quasi="q",
        sensitive="ill",
        guard="mind",
        taxonomies={"ill": TREE},
    )
    for reading, level in (("leaf", 0.5), ("subtree", 1.0)):
        promise = PersonalizedPrivacy(0.5, sensitive="ill", guard="mind", reading=reading)
        assert promise.verdict(counted(promise, table)).level == level


def guarded(random: RandomTable, data: st.DataObject) -> tuple[RandomTable, Table]:
    """Let some people guard a node of the tree of ``s0``."""
    tree = random.trees["s0"]
    labels = {label for path in tree.paths.values() for label in path if label is not None}
    node = st.sampled_from([None, *sorted(labels, key=str)])
    rows = [{**row, "guard": data.draw(node)} for row in random.rows]
    table = table_of(random)
    columns = {name: [row[name] for row in rows] for name in (*random.qid, "s0", "guard")}
    guarded_table = as_table(
        columns,
        quasi=random.qid,
        sensitive="s0",
        guard="guard",
        taxonomies={"s0": ReadyMade(table.taxonomy("s0"))},
    )
    return RandomTable(rows, random.qid, ("s0",), random.trees, None), guarded_table


@given(tables(min_records=1, max_records=12, max_qid=2, owner=False), SHARES, READINGS, st.data())
def test_says_what_the_definition_says(
    random: RandomTable, p: Fraction, reading: GuardReading, data: st.DataObject
) -> None:
    random, table = guarded(random, data)
    promise = PersonalizedPrivacy(p, sensitive="s0", guard="guard", reading=reading)
    tree, subtree = random.trees["s0"], reading is GuardReading.SUBTREE
    found = values.personalized_breach(
        random.rows, random.qid, "s0", "guard", tree, subtree=subtree
    )
    verdict = promise.verdict(counted(promise, table))
    assert verdict.level == pytest.approx(float(found or 0))
    assert verdict.holds is ((found or 0) <= p)


def test_a_table_where_nobody_guards_anything_keeps_everything() -> None:
    table = ward(mind=[None, "", None, None, None, None, None])
    promise = PersonalizedPrivacy(0.01, sensitive="ill", guard="mind")
    assert promise.verdict(counted(promise, table)).achieved == {"p": 0}


def test_the_witness_does_not_tell_what_is_guarded() -> None:
    promise = PersonalizedPrivacy(0.5, sensitive="ill", guard="mind", reading="subtree")
    verdict = promise.verdict(counted(promise, ward()))
    assert verdict.why == (
        "what somebody guards has a probability of 0.75 (ill: hiv 1, sars 1, flu 1, cut 1), and at "
        "most 0.5 is allowed"
    )
    assert verdict.reading == "that a value lies under a guarding node may not be inferred"
    leaf = PersonalizedPrivacy(0.5, sensitive="ill", guard="mind")
    assert leaf.verdict(counted(leaf, ward())).reading == (
        "no single value under a guarding node may be inferred; that it is one of them may"
    )


def test_takes_the_guards_of_the_table() -> None:
    context = BindingContext.of(ward().schema)
    (bound,) = PersonalizedPrivacy(0.5).bind(context)
    assert bound == PersonalizedPrivacy(0.5, sensitive="ill", guard="mind")
    assert bound.needs() == {("ill", "mind"), ("ill",)}
    (named,) = PersonalizedPrivacy(0.5, guard="other").bind(context)
    assert named.guard == "other"


def test_one_promise_covers_another_that_guards_less() -> None:
    leaf = PersonalizedPrivacy(0.5, sensitive="s", guard="g")
    subtree = PersonalizedPrivacy(0.5, sensitive="s", guard="g", reading="subtree")
    assert subtree.covers(leaf)
    assert not leaf.covers(subtree)
    assert subtree.covers(PersonalizedPrivacy(0.6, sensitive="s", guard="g"))
    assert not subtree.covers(PersonalizedPrivacy(0.4, sensitive="s", guard="g"))
    assert not leaf.covers(PersonalizedPrivacy(0.5, sensitive="s", guard="h"))
    assert not leaf.covers(KAnonymity(2))


def test_asks_for_less_by_a_twentieth() -> None:
    assert PersonalizedPrivacy(0.5).weaker() == PersonalizedPrivacy(0.55)
    assert PersonalizedPrivacy(0.95).weaker() is None


def test_is_read_back_as_it_is_written() -> None:
    promise = PersonalizedPrivacy("1/3", sensitive="s", guard="g", reading="subtree")
    assert str(promise) == (
        'personalized-privacy(p="1/3", sensitive="s", guard="g", reading="subtree")'
    )
    assert GroupModel.read(str(promise)) == promise


def test_merging_is_not_safe() -> None:
    table = ward(
        sex=["f", "f", "f", "m", "m", "m", "m"],
        ill=["hiv", "hiv", "hiv", "hiv", "cut", "cut", "burn"],
        mind=[None, None, None, "hiv", None, None, None],
    )
    promise = PersonalizedPrivacy(0.4, sensitive="ill", guard="mind")
    checks.check_is_not_safe(promise, counted(promise, table))


def test_guards_that_are_no_nodes_are_counted_and_not_named() -> None:
    promise = PersonalizedPrivacy(0.4, sensitive="ill", guard="mind")
    table = ward(mind=["infections", "hvi", "{hiv, sars}", None, None, None, None])
    with pytest.raises(DataError, match="3 of the guards in column 'mind' are no nodes") as error:
        promise.judge(counted(promise, table))
    assert "hvi" not in str(error.value)


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match=r"p must lie in \(0, 1\], got 0"):
        PersonalizedPrivacy(0)
    with pytest.raises(ParameterError, match="no reading 'root' among 2"):
        PersonalizedPrivacy(0.5, reading="root")
    with pytest.raises(SchemaError, match="and the table has none: give a column the role guard"):
        PersonalizedPrivacy(0.5).bind(BindingContext(quasi=("a",), sensitive=("s",)))
    with pytest.raises(SchemaError, match="takes 'a' for what people want guarded, and it is"):
        PersonalizedPrivacy(0.5, guard="a").bind(BindingContext(quasi=("a",), sensitive=("s",)))
    with pytest.raises(SchemaError, match="does not say which of 2 sensitive columns is guarded"):
        PersonalizedPrivacy(0.5).bind(BindingContext(quasi=("a",), sensitive=("s", "t"), guard="g"))
    with pytest.raises(SchemaError, match="no sensitive column 'x' among 1"):
        PersonalizedPrivacy(0.5, sensitive="x").bind(
            BindingContext(quasi=("a",), sensitive=("s",), guard="g")
        )
    with pytest.raises(SchemaError, match="does not say which column tells what people want"):
        PersonalizedPrivacy(0.5, sensitive="s").needs()
    with pytest.raises(SchemaError, match="needs the values of 's' and 'g' together"):
        PersonalizedPrivacy(0.5, sensitive="s", guard="g").judge(groups_of([[1]]))


def test_says_which_columns_it_is_about() -> None:
    assert PersonalizedPrivacy(0.5, sensitive="ill", guard="mind").guarded == ("ill", "mind")


@given(SHARES, READINGS)
def test_excess_adds_up_what_lies_above_the_bound(p: Fraction, reading: GuardReading) -> None:
    """Of four women one has HIV, which one guards, and three an infection, which another does."""
    promise = PersonalizedPrivacy(p, sensitive="ill", guard="mind", reading=reading)
    groups = counted(promise, ward())
    likely = Fraction(1, 4) if reading is GuardReading.LEAF else Fraction(3, 4)
    none = Fraction(0)
    women = max(likely - p, none) + max(Fraction(1, 4) - p, none)
    men = max(Fraction(1, 3) - p, none)
    found = promise.excess(groups)
    assert found.tolist() == pytest.approx([float(women), float(men)])
    assert ((found > 0) == ~promise.judge(groups)).all()


def test_groups_of_nobody_are_judged() -> None:
    promise = PersonalizedPrivacy(0.4, sensitive="ill", guard="mind")
    nobody = counted(promise, ward()).select(np.zeros(2, bool))
    assert promise.judge(nobody).tolist() == []
