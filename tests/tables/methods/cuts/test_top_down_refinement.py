"""Top-down refinement: Example 7.3 step by step, three kinds of steps in one search."""

from __future__ import annotations

import numpy as np
import pytest

from tests import cases
from tests.tables.methods.cuts.printed import Printed
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.column_refinement import AlongTree, BySplits, ByValues
from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies.builders import Tree

CASE = "book-ch07-ex7.3-tdr"


@pytest.fixture(scope="module")
def example() -> Printed:
    """Table 7.1: 34 records in two clusters."""
    return Printed.of(cases.load(CASE)["input"], ["Education", "Gender", "Age"], target="class")


@pytest.fixture(scope="module")
def required() -> list[GroupModel]:
    """Two quasi-identifiers, each with its own threshold."""
    return [KAnonymity(r["h"], qid=r["qid"]) for r in cases.load(CASE)["input"]["requirement"]]


def test_example_7_3_step_by_step(example: Printed, required: list[GroupModel]) -> None:
    example.check_trace(TopDownRefinement(), required, cases.load(CASE)["expected"]["trace_igpl"])


def test_example_7_3_ends_in_table_7_2(example: Printed, required: list[GroupModel]) -> None:
    expected = cases.load(CASE)["expected"]
    found = example.search(TopDownRefinement(), *required)
    rows = expected["final_table"]["rows"]
    shown = {
        tuple(example.codes(name, label) for name, label in zip(names, row[1:4], strict=True)): n
        for row in rows
        for names, n in [(("Education", "Gender", "Age"), row[4])]
    }
    part = found.partition
    boxes = zip(part.lo.tolist(), part.hi.tolist(), part.sizes.tolist(), strict=True)
    assert {tuple(zip(lo, hi, strict=True)): n for lo, hi, n in boxes} == shown


def test_example_7_2_to_tell_masters_from_doctorates_gains_nothing(example: Printed) -> None:
    expected = cases.load("book-ch07-ex7.2-lossless-generalization")["expected"]["InfoGain"]
    search = example.begin(TopDownRefinement(score="information-gain"), KAnonymity(1))
    step_gain = search.cut.refinements[0].step_gain
    for label, gain in expected.items():
        value, _, below = label.partition(" -> ")
        parts = [example.codes("Education", name.strip(" {}")) for name in below.split(",")]
        assert parts[0][0] == example.codes("Education", value)[0]
        bounds = np.array([parts[0][0], parts[0][1], parts[1][1]], np.int32)
        assert step_gain.of_parts(bounds)[0] == pytest.approx(gain, abs=1e-6)


def people() -> Table:
    """Ten people: two of a rare job, and a class that the common ones tell."""
    return as_table(
        {
            "job": [*["cook"] * 4, *["clerk"] * 4, "judge", "nurse"],
            "city": [
                "Rome",
                "Rome",
                "Pisa",
                "Pisa",
                "Bonn",
                "Bonn",
                "Kiel",
                "Kiel",
                "Rome",
                "Rome",
            ],
            "age": [20, 21, 22, 23, 50, 51, 52, 53, 54, 55],
            "rich": [*"nnnnyyyy", "y", "n"],
        },
        quasi=["job", "city", "age"],
        target="rich",
        taxonomies={"city": Tree({"Italy": ["Rome", "Pisa"], "Germany": ["Bonn", "Kiel"]})},
    )


def test_each_column_is_refined_as_suits_it() -> None:
    table, method = people(), TopDownRefinement()
    kinds = [method.refinement_of(a.taxonomy) for a in table.attributes]
    assert kinds == [ByValues, AlongTree, BySplits]
    along = TopDownRefinement(numbers="taxonomy")
    assert along.refinement_of(table.attributes[2].taxonomy) is AlongTree


def test_suppressed_values_are_disclosed_where_enough_records_have_them() -> None:
    table = people()
    method = TopDownRefinement(score="information-gain").bind(table.schema)
    finest = count(table, method.needs(table.schema)).finest
    promise = All([KAnonymity(2, qid=["job"]), KAnonymity(1, qid=["city", "age"])])
    found = method.search(finest, promise, Task(table.attributes, ILoss()))
    told = [step.parts for step in found.trace if step.column == "job"]
    jobs = table.attributes[0].taxonomy.domain.values.tolist()
    # Cooks and clerks tell as much, and the first code goes first; others would each be alone.
    assert [jobs[code] for (code,) in told] == ["clerk", "cook"]
    stars = found.partition.hi[:, 0] - found.partition.lo[:, 0] == len(jobs)
    assert found.partition.sizes[stars].sum() == 2


def test_what_a_disclosure_tells_changes_with_every_other() -> None:
    table = people()
    method = TopDownRefinement(score="information-gain").bind(table.schema)
    finest = count(table, method.needs(table.schema)).finest
    search = method.begin(finest, All([KAnonymity(1)]), Task(table.attributes, ILoss()))
    column = search.cut.refinements[0]
    jobs = table.attributes[0].taxonomy.domain.values.tolist()
    before = column.shown.gain[jobs.index("judge")]
    column.perform(jobs.index("cook"))
    after = column.shown.gain[jobs.index("judge")]
    # Equation 7.2 by hand: of clerks and judge all are y, of cooks and nurse all n.
    assert before == pytest.approx(1 - 0.9 * 0.9910760598382222, abs=1e-12)
    assert after == pytest.approx(0.6500224216483541 - 5 / 6 * 0.7219280948873623, abs=1e-12)
