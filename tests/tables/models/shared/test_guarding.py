"""Guarding nodes: published nodes, sums beyond 64 bits, and ranges of numbers."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from tests.tables.groups.plain import taxonomy_of
from tests.witness.tree import Tree as Witnessed
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import PersonalizedPrivacy
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade


def counted(promise: PersonalizedPrivacy, table: Table) -> Groups:
    return count(table, promise.needs()).finest


def test_a_published_node_counts_for_all_values_under_it() -> None:
    """One with HIV, one with the flu, one with a virus, one with anything: 1 + 1/2 + 1/4 of 4."""
    under = {"hiv": "virus", "flu": "virus", "virus": "virus", "cut": "injury", "burn": "injury"}
    named = Witnessed({leaf: (leaf, node, "*") for leaf, node in {**under, "*": "other"}.items()})
    table = as_table(
        {"q": ["x"] * 4, "s": ["hiv", "flu", "virus", "*"], "g": ["virus", None, None, None]},
        quasi="q",
        sensitive="s",
        guard="g",
        taxonomies={"s": ReadyMade(taxonomy_of(named))},
    )
    for reading, level in (("leaf", Fraction(7, 16)), ("subtree", Fraction(14, 16))):
        promise = PersonalizedPrivacy(level, sensitive="s", guard="g", reading=reading)
        groups = counted(promise, table)
        assert promise.level(groups).tolist() == [float(level)]
        assert promise.holds(groups)
        less = level - Fraction(1, 10**30)
        assert not PersonalizedPrivacy(less, sensitive="s", guard="g", reading=reading).holds(
            groups
        )


def test_a_label_that_padding_repeats_is_still_a_value() -> None:
    """A cut, which is its own node on the level of the others, is one of four that ``*`` means."""
    paths: dict[Hashable, tuple[Hashable, ...]] = {
        leaf: (leaf, node, "*")
        for leaf, node in (("hiv", "virus"), ("flu", "virus"), ("cut", "cut"), ("*", "told"))
    }
    table = as_table(
        {"q": ["x"] * 2, "s": ["hiv", "*"], "g": ["virus", None]},
        quasi="q",
        sensitive="s",
        guard="g",
        taxonomies={"s": ReadyMade(taxonomy_of(Witnessed(paths)))},
    )
    promise = PersonalizedPrivacy(Fraction(2, 3), sensitive="s", guard="g")
    assert promise.level(counted(promise, table)).tolist() == [
        float(Fraction(1 + Fraction(1, 3), 2))
    ]


def test_many_published_nodes_are_added_up_exactly() -> None:
    """Sizes of nodes without common divisors need more than 64 bits."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
    paths = {f"{n}.{i}": (f"{n}.{i}", f"node {n}", "*") for n in primes for i in range(n)} | {
        f"node {n}": (f"node {n}", f"node {n}", "*") for n in primes
    }
    ordered: dict[Hashable, tuple[Hashable, ...]] = dict(
        sorted(paths.items(), key=lambda item: str(item[1][1]))
    )
    texts = [f"node {n}" for n in primes]
    table = as_table(
        {"q": ["x"] * len(texts), "s": texts, "g": ["node 53", *[None] * (len(texts) - 1)]},
        quasi="q",
        sensitive="s",
        guard="g",
        taxonomies={"s": ReadyMade(taxonomy_of(Witnessed(ordered)))},
    )
    for reading, amount in (("leaf", Fraction(1, 53)), ("subtree", Fraction(1))):
        bound = amount / len(primes)
        promise = PersonalizedPrivacy(bound, sensitive="s", guard="g", reading=reading)
        assert promise.holds(counted(promise, table))
        tighter = PersonalizedPrivacy(
            bound - Fraction(1, 10**40), sensitive="s", guard="g", reading=reading
        )
        assert not tighter.holds(counted(tighter, table))


def test_intervals_are_guarded_by_their_ends() -> None:
    table = as_table(
        {"q": ["x"] * 4, "pay": [31, 33, 47, 48], "g": ["[30-35)", "47", None, None]},
        quasi="q",
        sensitive="pay",
        guard="g",
        taxonomies={"pay": Intervals(5, 10)},
    )
    promise = PersonalizedPrivacy(0.5, sensitive="pay", guard="g", reading="subtree")
    assert promise.level(counted(promise, table)).tolist() == [0.5]
