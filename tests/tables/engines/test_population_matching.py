"""Counting who of a population looks like whom: both ways, against the definition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.engines.population_matching import count_people
from unlinkable.tables.taxonomies.builders import Intervals

ages = st.lists(st.integers(20, 30), min_size=1, max_size=12)
texts = st.sampled_from(["20", "25", "29", "35", "[20-25)", "[25-30)", "*", "lost"])


def met(text: str, ages: list[int]) -> int:
    """Count the people whom a text may stand for."""
    if text == "*":
        return len(ages)
    if text.startswith("["):
        lo, hi = map(int, text[1:-1].split("-"))
        return sum(lo <= age < hi for age in ages)
    return sum(str(age) == text for age in ages)


@given(st.lists(texts, min_size=1, max_size=6), ages)
def test_counts_whom_each_text_may_stand_for(shown: list[str], people: list[int]) -> None:
    table = as_table({"age": shown}, quasi="age")
    crowd = as_table({"age": people}, quasi="age", taxonomies={"age": Intervals(5)})
    counted = count(table)
    found, outside = count_people(table, counted.finest, crowd)
    assert found[counted.labels].tolist() == [met(text, people) for text in shown]
    reached = [age for age in people if any(met(text, [age]) for text in shown)]
    assert outside == len(people) - len(reached)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), min_size=1, max_size=8),
)
def test_original_values_are_matched(
    rows: list[tuple[int, str]], people: list[tuple[int, str]]
) -> None:
    table, crowd = (
        as_table({"n": [n for n, _ in x], "s": [s for _, s in x]}, quasi=["n", "s"])
        for x in (rows, people)
    )
    counted = count(table)
    found, outside = count_people(table, counted.finest, crowd)
    assert found[counted.labels].tolist() == [people.count(row) for row in rows]
    assert outside == sum(person not in rows for person in people)
