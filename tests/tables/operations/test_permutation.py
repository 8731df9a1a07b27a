"""Permutation: values change hands within groups, all ways are as likely, and nothing is lost."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.operations.permutation import Permutation


@given(tables(owner=False), st.data(), st.booleans())
def test_groups_keep_their_values_and_records_all_others(
    random: RandomTable, data: st.DataObject, together: bool
) -> None:
    n = len(random.rows)
    parts = data.draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    table = table_of(random)
    operation = Permutation(together=together).bind(table.schema)
    frame, rows = operation.apply(table, np.array(parts, np.int32), np.random.default_rng(1))
    kept = [parts[i] for i in rows.tolist()]
    assert sorted(rows.tolist()) == [i for i, g in enumerate(parts) if g >= 0]
    for name in random.qid:
        assert frame[name].to_list() == [random.rows[i][name] for i in rows.tolist()]
    sets = [random.sensitive] if together else [(name,) for name in random.sensitive]
    for names in sets:
        found = Counter(zip(kept, frame.select(names).rows(), strict=True))
        original = (
            (g, tuple(row[name] for name in names))
            for g, row in zip(parts, random.rows, strict=True)
            if g >= 0
        )
        assert found == Counter(original)


@pytest.mark.statistical
def test_every_order_of_a_group_is_as_likely_as_any_other() -> None:
    """Chi-square with 5 degrees of freedom; 20.5 is passed by chance once in 1,000 seeds.

    The seed is fixed. An order that never comes, or comes twice as often, gives 120 and more.
    """
    table = as_table({"q": [0, 1, 2], "s": [0, 1, 2]}, quasi="q", sensitive="s")
    rng, parts = np.random.default_rng(7), np.zeros(3, np.int32)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(600):
        frame, _ = Permutation().apply(table, parts, rng)
        seen[tuple(frame.sort("q")["s"].to_list())] += 1
    assert sum((seen[order] - 100) ** 2 / 100 for order in seen) + 100 * (6 - len(seen)) < 20.5


@pytest.mark.statistical
def test_records_do_not_keep_the_order_of_the_table() -> None:
    """A table that was sorted by salary would tell who has which; by chance once in 20! seeds."""
    pays = list(range(20))
    table = as_table({"q": pays, "pay": pays}, quasi="q", sensitive="pay")
    frame, _ = Permutation().apply(table, np.zeros(20, np.int32), np.random.default_rng(1))
    assert frame["q"].to_list() != pays


def test_names_are_left_out_and_the_seed_decides() -> None:
    table = as_table(
        {"name": ["A", "B"], "q": [1, 2], "s": [3, 4]}, identifiers="name", quasi="q", sensitive="s"
    )
    parts = np.zeros(2, np.int32)
    one, other = (Permutation().apply(table, parts, np.random.default_rng(4))[0] for _ in "ab")
    assert one.columns == ["q", "s"]
    assert one.equals(other)
    assert not Permutation.truthful


def test_refuses_wrong_columns_and_parts() -> None:
    table = as_table({"q": [1, 2], "s": [3, 4]}, quasi="q", sensitive="s")
    with pytest.raises(SchemaError, match="no column 'x' among"):
        Permutation("x").bind(table.schema)
    with pytest.raises(ParameterError, match="2 records need as many parts, got 3"):
        Permutation().apply(table, np.zeros(3, np.int32), np.random.default_rng(0))
    with pytest.raises(ParameterError, match="together must be true or false, got 1"):
        Permutation(together=1)  # type: ignore[arg-type]
    asked = Permutation("s", together=False)
    assert str(asked) == 'permutation(sensitive=["s"], together=false)'
