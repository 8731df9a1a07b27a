"""Counting in memory: once, or some columns later."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.errors import SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import SideTable, with_populations
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.engines.local import count_people
from unlinkable.tables.groups.histogram import population_column
from unlinkable.tables.taxonomies.builders import Intervals
from unlinkable.typing import Columns


def assert_same(found: Counted, expected: Counted) -> None:
    """Compare everything that was counted."""
    assert found.labels.tolist() == expected.labels.tolist()
    mine, theirs = found.finest, expected.finest
    assert (mine.columns, mine.owner) == (theirs.columns, theirs.owner)
    for name in ("sizes", "weights", "keys"):
        assert getattr(mine, name).tolist() == getattr(theirs, name).tolist()
    assert set(mine.histograms) == set(theirs.histograms)
    assert set(mine.whole) == set(theirs.whole)
    for columns, histogram in mine.histograms.items():
        other = theirs.histograms[columns]
        for name in ("indptr", "values", "counts"):
            assert getattr(histogram, name).tolist() == getattr(other, name).tolist()
        assert histogram.n_values == other.n_values
        assert histogram.taxonomy is other.taxonomy
        assert mine.whole[columns].tolist() == theirs.whole[columns].tolist()


@st.composite
def needs_of(draw: st.DrawFn, table: RandomTable) -> list[Columns]:
    single = [(name,) for name in (*table.sensitive, *table.qid)]
    pairs = [(table.sensitive[0], name) for name in table.qid]
    return draw(st.lists(st.sampled_from([*single, *pairs]), max_size=4))


@given(tables(), st.data())
def test_counting_later_is_counting_at_once(random: RandomTable, data: st.DataObject) -> None:
    table = table_of(random)
    first, later = data.draw(needs_of(random)), data.draw(needs_of(random))
    assert_same(count(table, first).also(table, later), count(table, [*first, *later]))


@given(tables(min_records=1), st.data())
def test_counts_every_record_of_every_group(random: RandomTable, data: st.DataObject) -> None:
    """Histograms in plain loops."""
    table = table_of(random)
    name = data.draw(st.sampled_from(random.sensitive))
    counted = count(table).also(table, [(name,)])
    hidden = counted.finest.histograms[name,]
    leaves = random.trees[name].leaves
    for g in range(len(counted.finest)):
        rows = [row for row, label in zip(random.rows, counted.labels, strict=True) if label == g]
        assert len({tuple(row[a] for a in random.qid) for row in rows}) == 1
        expected = [sum(row[name] == leaf for row in rows) for leaf in leaves]
        found = np.zeros(len(leaves), int)
        at = slice(hidden.indptr[g], hidden.indptr[g + 1])
        found[hidden.values[at]] = hidden.counts[at]
        assert found.tolist() == expected


def test_what_was_counted_before_is_not_counted_again() -> None:
    table = as_table({"a": ["x", "y"], "s": ["u", "v"]}, quasi="a", sensitive="s")
    counted = count(table, [("s",)])
    assert counted.also(table, [("s",)]) is counted
    assert counted.also(table, []) is counted
    more = counted.also(table, [("a",), ("s",)])
    assert more.finest.histograms["s",] is counted.finest.histograms["s",]
    assert set(counted.finest.histograms) == {("s",)}


def test_people_of_a_population_stay_where_they_are() -> None:
    table = as_table({"a": ["x", "y"], "s": ["u", "v"]}, quasi="a", sensitive="s")
    people = SideTable("people", as_table({"a": ["x", "z", "z"]}, quasi="a").frame)
    together, populations = with_populations(table, {"people": people})
    needs: list[Columns] = [(population_column("people"),)]
    first = count(together, needs, populations)
    more = first.also(together, [("s",)])
    assert_same(more, count(together, [*needs, ("s",)], populations))
    assert more.finest.sizes.tolist().count(0) == 1
    assert int(more.finest.histograms["s",].counts.sum()) == 2


def test_a_column_that_is_not_there_cannot_be_counted() -> None:
    table = as_table({"a": ["x"], "s": ["u"]}, quasi="a", sensitive="s")
    with pytest.raises(SchemaError, match="no column 't' among 2"):
        count(table).also(table, [("t",)])


def test_without_a_quasi_identifier_there_is_nothing_to_count() -> None:
    table = as_table({"s": ["u"]}, sensitive="s")
    with pytest.raises(SchemaError, match="no column is a quasi-identifier"):
        count(table)


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
