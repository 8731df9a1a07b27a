"""Records as somebody sees them: groups, people, populations, and the refusals."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.strategies import RandomTable, tables
from tests.tables.risk.drawn import taken
from tests.witness import risks
from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.risk.shared.adversary_view import adversary_view


@given(tables())
def test_people_are_those_who_look_alike(random: RandomTable) -> None:
    seen = adversary_view(taken(random))
    n = range(len(random.rows))
    expected = [risks.people_like(random.rows, random.qid, i, random.owner) for i in n]
    assert seen.people[seen.labels].tolist() == expected
    whose = {row[random.owner] if random.owner else i for i, row in enumerate(random.rows)}
    assert seen.n_people == len(whose)


def test_columns_may_be_chosen() -> None:
    table = as_table({"a": [1, 1], "b": [1, 2]}, quasi="a", insensitive="b")
    assert adversary_view(table).people.tolist() == [2]
    assert adversary_view(table, ["a", "b"]).people.tolist() == [1, 1]


def test_published_labels_are_read_with_the_taxonomy() -> None:
    from unlinkable.tables.taxonomies.builders import Tree

    tree = Tree({"artist": ["dancer", "writer"], "clerk": ["banker"]})
    table = as_table({"job": ["artist", "banker"]}, quasi="job", taxonomies={"job": tree})
    town = {"job": ["dancer", "writer", "banker", "banker", "writer"]}
    seen = adversary_view(table, population="town", side={"town": town})
    assert seen.alike_in_population is not None
    assert seen.alike_in_population.tolist() == [3, 2]
    assert seen.n_population == 5


@pytest.mark.parametrize(
    ("columns", "message"),
    [([], "no column is a quasi-identifier"), (["c"], "no column 'c' among 2")],
)
def test_refuses_columns_that_are_not_there(columns: list[str], message: str) -> None:
    table = as_table({"a": [1], "b": [2]}, quasi="a", insensitive="b")
    with pytest.raises(SchemaError, match=message):
        adversary_view(table, columns)


def test_refuses_a_population_that_is_nowhere() -> None:
    with pytest.raises(DataError, match="nowhere"):
        adversary_view(as_table({"a": [1]}, quasi="a"), population="nowhere.csv")
