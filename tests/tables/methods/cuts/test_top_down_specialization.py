"""Top-down specialization: the examples of the book, step by step, and golden effort."""

from __future__ import annotations

import pytest

from tests import cases
from tests.tables.methods.cuts.printed import Printed
from unlinkable.errors import ParameterError
from unlinkable.tables.methods.cuts.shared.guides import Numbers, Score
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.metrics.discernibility import Squares
from unlinkable.tables.models import KAnonymity


@pytest.fixture(scope="module")
def example() -> Printed:
    """Table 6.3: forty records."""
    case = cases.load("book-ch06-ex6.3-infogain-vs-igpl")["input"]
    return Printed.of(case, case["requirement"]["qid"], target="class")


@pytest.mark.parametrize(
    ("score", "trace"), [("information-gain", "trace_infogain"), ("igpl", "trace_igpl")]
)
@pytest.mark.parametrize("numbers", ["split", "taxonomy"])
def test_example_6_3_step_by_step(example: Printed, score: str, trace: str, numbers: str) -> None:
    expected = cases.load("book-ch06-ex6.3-infogain-vs-igpl")["expected"]
    method = TopDownSpecialization(score=score, numbers=numbers)
    example.check_trace(method, [KAnonymity(4)], expected[trace])


def test_example_6_3_publishes_tables_6_5_and_6_7(example: Printed) -> None:
    by_gain = example.search(TopDownSpecialization(score="information-gain"), KAnonymity(4))
    assert sorted(by_gain.partition.sizes.tolist()) == [4, 12, 24]
    by_igpl = example.search(TopDownSpecialization(), KAnonymity(4))
    assert sorted(by_igpl.partition.sizes.tolist()) == [6, 6, 8, 20]
    sex, edu = example.codes("Sex", "M"), example.codes("Education", "ANY_Edu")
    shown = by_igpl.partition
    assert {tuple(row) for row in shown.hi[:, :1]} == {(edu[1],)}
    assert sex in {(lo, hi) for lo, hi in zip(shown.lo[:, 1], shown.hi[:, 1], strict=True)}


def test_the_best_scores_are_those_of_the_text(example: Printed) -> None:
    search = example.begin(TopDownSpecialization(), KAnonymity(4))
    assert search.scores().round(4).tolist() == [0.0165, 0.0183, 0.0136]


def test_example_6_6_by_all_readings_of_discernibility() -> None:
    case = cases.load("book-ch06-ex6.6-score-any-job")
    example = Printed.of(case["input"], ["Job", "Sex"], target="Transfuse")
    listed = case["expected"]["derived_all_initial_candidates"][:2]
    for squares, key in [
        ("before", "sum_sq_before"),
        ("after", "sum_sq_after"),
        ("reduction", "reduction"),
    ]:
        method = TopDownSpecialization(score="discernibility", squares=squares)
        scores = example.begin(method, KAnonymity(2)).scores().tolist()
        assert scores == [float(c[key]) for c in listed]
    told = example.begin(TopDownSpecialization(score="information-gain"), KAnonymity(2)).scores()
    assert told.tolist() == pytest.approx([c["InfoGain"] for c in listed], abs=1e-6)


def test_effort_is_golden(example: Printed) -> None:
    found = example.search(TopDownSpecialization(), KAnonymity(4))
    assert found.effort == {
        "steps": 2,
        "checked": 3,
        "given_up": 1,
        "groups_judged": 10,
        "rows_read": 21,
        "groups": 4,
    }
    assert found.optimal is None
    assert found.is_complete


def test_parameters_are_read_and_written() -> None:
    method = TopDownSpecialization("igpl", "rich", squares="after", numbers="taxonomy")
    assert method.score is Score.IGPL
    assert method.numbers is Numbers.TAXONOMY
    assert method.squares is Squares.AFTER
    assert str(TopDownSpecialization()) == "top-down-specialization"
    assert 'score="igpl"' in str(method)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"score": "gain"}, "no score 'gain'"),
        ({"numbers": "cut"}, "no way with numbers 'cut'"),
        ({"squares": "both"}, "no squares 'both'"),
        ({"beneficial": 1}, "beneficial must be true or false"),
        ({"steps": -1}, "steps must be at least 0, got -1"),
        ({"time": 0}, "time must be a number of seconds above 0"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        TopDownSpecialization(**parameters)  # type: ignore[arg-type]
