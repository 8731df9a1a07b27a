"""Top-down disclosure: templates, and the table of the book's Example 5.1."""

from __future__ import annotations

import pytest

from tests import cases
from tests.tables.groups.plain import rows_of_case
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.methods.cuts.top_down_disclosure import TopDownDisclosure
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import ConfidenceBounding, DeltaPresence
from unlinkable.tables.models.base import All


def search(table: Table, template: str, **options: object) -> Solution:
    method = TopDownDisclosure(**options).bind(table.schema)  # type: ignore[arg-type]
    promise = All([ConfidenceBounding(template)])
    finest = count(table, {*promise.needs(), *method.needs(table.schema)}).finest
    return method.search(finest, promise, Task(table.attributes, ILoss()))


@pytest.fixture(scope="module")
def example() -> Table:
    """Table 5.5: two engineers with HIV, five lawyers with flu, all of them men."""
    rows = rows_of_case(cases.load("book-ch05-ex5.1-minimality-attack")["input"]["original"])
    columns = {name: [row[name] for row in rows] for name in ("Job", "Sex", "Disease")}
    return as_table(columns, quasi=["Job", "Sex"], sensitive="Disease")


def test_table_5_5_tells_the_sex_and_no_job(example: Table) -> None:
    found = search(example, "Job, Sex -> Disease = HIV <= 60%")
    assert [(step.column, step.parts) for step in found.trace] == [("Sex", (0,))]
    assert found.effort["given_up"] == 2  # of two jobs, either would tell the other
    assert found.partition.n_parts == 1
    assert found.partition.hi.tolist() == [[2, 1]]


def test_a_bound_that_all_keep_tells_everything(example: Table) -> None:
    found = search(example, "Job, Sex -> Disease = HIV <= 1")
    assert sorted(found.partition.sizes.tolist()) == [2, 5]
    assert found.effort["given_up"] == 0


def test_the_most_telling_value_comes_first() -> None:
    table = as_table(
        {
            "job": [*["cook"] * 4, *["clerk"] * 4, *["judge"] * 4],
            "ill": [*["flu", "HIV"] * 6],
            "rich": [*"nnnn", *"yyyy", *"ynyn"],
        },
        quasi="job",
        sensitive="ill",
        target="rich",
    )
    found = search(table, "job -> ill = HIV <= 1/2", score="information-gain")
    jobs = table.attributes[0].taxonomy.domain.values.tolist()
    order = [jobs[step.parts[0]] for step in found.trace]
    # Cooks and clerks tell as much; the first code goes first, and the judges tell nothing.
    assert order == ["clerk", "cook", "judge"]
    assert found.trace[0].score == pytest.approx(1 - 8 / 12 * 0.8112781244591328, abs=1e-12)
    assert found.trace[-1].score == 0


def test_a_missing_value_is_a_value_like_any_other() -> None:
    table = as_table(
        {"job": ["cook", "cook", None, None], "ill": [*"abab"]}, quasi="job", sensitive="ill"
    )
    found = search(table, "job -> ill = a <= 1/2")
    assert {step.parts for step in found.trace} == {(0,), (1,)}
    assert found.partition.n_parts == 2


def test_refuses_promises_that_count_people_who_look_like_several_groups() -> None:
    promise = All([DeltaPresence(0.1, 0.5, population="people")])
    with pytest.raises(UnsupportedError, match="counts people who look like several groups"):
        TopDownDisclosure().require(promise, may_suppress=False)
