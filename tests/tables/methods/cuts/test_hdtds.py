"""HDTDS: Table 6.1 under LKC-privacy, and what makes it different from TDS."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests import cases
from tests.tables.methods.cuts.printed import Printed
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.hdtds import HDTDS
from unlinkable.tables.methods.cuts.shared.guides import Score
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All


@pytest.fixture(scope="module")
def example() -> Printed:
    """Table 6.1: eleven patients."""
    case = cases.load("book-ch06-ex6.6-score-any-job")["input"]
    quasi = ["Job", "Sex", "Age"]
    return Printed.of(case, quasi, target="Transfuse", sensitive="Surgery")


def lkc(known: int) -> LKCPrivacy:
    return LKCPrivacy(l=known, k=2, c=Fraction(1, 2), sensitive="Surgery", values=["Transgender"])


def test_table_6_1_step_by_step(example: Printed) -> None:
    found = example.search(HDTDS(), lkc(2))
    steps = ["ANY_Job", "[1-99)", "Blue-collar", "Non-Technical", "ANY_Sex"]
    columns = ["Job", "Age", "Job", "Job", "Sex"]
    expected = [(c, *example.codes(c, v)) for c, v in zip(columns, steps, strict=True)]
    assert [(s.column, s.lo, s.hi) for s in found.trace] == expected
    assert found.trace[0].score == pytest.approx(0.639473, abs=1e-6)
    assert found.trace[1].score == pytest.approx(0.242697, abs=1e-6)
    # Of the others, Technical and Professional would single somebody out, and so would ages.
    assert found.effort == {
        "steps": 5,
        "checked": 8,
        "given_up": 3,
        "groups_judged": 18,
        "rows_read": 59,
        "groups": 5,
    }


def test_ages_are_cut_at_63_and_then_at_58(example: Printed) -> None:
    found = example.search(HDTDS(), lkc(1))
    ages = example.table.attributes[2].taxonomy.domain.values.tolist()
    cuts = [ages[step.parts[1]] for step in found.trace if step.column == "Age"]
    assert cuts[:2] == [63, 58]


def test_who_knows_less_is_told_more(example: Printed) -> None:
    found = {known: example.search(HDTDS(), lkc(known)).partition for known in (1, 2)}
    assert found[1].n_parts > found[2].n_parts
    assert lkc(1).holds(found[1].groups())
    assert not KAnonymity(2).holds(found[1].groups())
    assert KAnonymity(2).holds(found[2].groups())


def test_the_first_steps_of_example_6_7_are_the_best_by_information_gain() -> None:
    case = cases.load("book-ch06-ex6.7-tips")["input"]
    example = Printed.of(case, ["Job", "Sex", "Age"], target="Transfuse", sensitive="Surgery")
    found = example.search(HDTDS(steps=2), KAnonymity(1))
    pairs = zip(found.trace, case["specializations"], strict=True)
    assert all(example.is_step(step, value) for step, value in pairs)
    assert not found.is_complete


def test_the_default_score_depends_on_whether_there_is_a_class(example: Printed) -> None:
    assert HDTDS().bind(example.table.schema).score is Score.INFORMATION_GAIN
    assert TopDownSpecialization().bind(example.table.schema).score is Score.IGPL
    plain = as_table({"a": [1, 2]}, quasi="a")
    assert HDTDS().bind(plain.schema).score is Score.DISCERNIBILITY
    assert HDTDS().needs(plain.schema) == frozenset()
    assert HDTDS(target="a").bind(plain.schema).score is Score.INFORMATION_GAIN


def test_igpl_is_refused_where_there_are_too_many_quasi_identifiers() -> None:
    rng = np.random.default_rng(0)
    columns = {f"c{j:02}": rng.integers(0, 2, 8) for j in range(20)}
    table = as_table({**columns, "y": [*"abababab"]}, quasi=list(columns), target="y")
    promise, task = All([LKCPrivacy(l=3, k=1, c=1)]), Task(table.attributes, ILoss())
    finest = count(table, [("y",)]).finest
    method = TopDownSpecialization().bind(table.schema)
    with pytest.raises(UnsupportedError, match="more than 256: use score information-gain"):
        method.search(finest, promise, task)
    found = HDTDS().bind(table.schema).search(finest, promise, task)
    assert found.effort["given_up"] == 0
