"""What columns contribute to the risk: against all orders, and the claims."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.strategies import RandomTable, tables
from tests.tables.risk.drawn import taken
from tests.witness import risks
from unlinkable.tables.data import as_table
from unlinkable.tables.risk.shared.adversary_view import adversary_view
from unlinkable.tables.risk.shared.contribution import average_risk, contributions_of


@given(tables(max_records=10, max_qid=3, min_records=1))
def test_is_what_all_orders_say(random: RandomTable) -> None:
    groups = adversary_view(taken(random)).groups
    expected = risks.shapley(random.rows, random.qid, random.owner)
    found = {c.column: c for c in contributions_of(groups)}
    for name, part in expected.items():
        others = [n for n in random.qid if n != name]
        without = risks.prosecutor(random.rows, others, random.owner)
        assert found[name].part == pytest.approx(float(part), abs=1e-12)
        assert found[name].average_without == pytest.approx(float(sum(without) / len(without)))
        assert found[name].highest_without == pytest.approx(float(max(without)))


@given(tables(max_records=20, min_records=1))
def test_parts_add_up_to_what_all_columns_add(random: RandomTable) -> None:
    groups = adversary_view(taken(random)).groups
    parts = [c.part or 0.0 for c in contributions_of(groups)]
    nothing = average_risk(groups.project(())[0])
    assert sum(parts) == pytest.approx(average_risk(groups) - nothing, abs=1e-12)
    assert parts == sorted(parts, reverse=True)


def test_columns_that_say_the_same_share_their_part() -> None:
    table = as_table({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]}, quasi=["a", "b"])
    first, second = contributions_of(adversary_view(table).groups)
    assert first.part == second.part == 0.375
    assert first.average_without == 1


def test_too_many_columns_have_no_parts() -> None:
    rng = np.random.default_rng(0)
    columns = {f"c{i:02}": rng.integers(0, 2, 30) for i in range(11)}
    found = contributions_of(adversary_view(as_table(columns, quasi=list(columns))).groups)
    assert {c.part for c in found} == {None}
    without = [c.average_without for c in found]
    assert without == sorted(without)


def test_an_empty_table_has_no_risk() -> None:
    (only,) = contributions_of(adversary_view(as_table({"a": []}, quasi="a")).groups)
    assert only.to_json() == {
        "column": "a", "average_without": 0.0, "highest_without": 0.0, "part": 0.0,
    }  # fmt: skip


def test_tells_how_far_it_is() -> None:
    told: list[float] = []
    table = as_table({"a": [1, 2], "b": [1, 1]}, quasi=["a", "b"])
    contributions_of(adversary_view(table).groups, lambda share, words: told.append(share))
    assert told == [0.25, 0.5, 0.75]
