"""The largest entropy: iterative scaling as its twin, what is settled, and contradictions."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import isclose

import numpy as np
import pytest
from hypothesis import assume, given

from tests.tables.models.shared.maxent.people import (
    Known,
    Person,
    asked,
    by_scaling,
    counted,
    meets,
    pairs,
    people,
    share,
)
from unlinkable.errors import DataError, UnlinkableError
from unlinkable.tables.models.shared.maxent import component


def order_of(rows: Sequence[Person]) -> list[str]:
    return list(dict.fromkeys(row[0] for row in rows))


@given(people, asked)
def test_has_the_largest_entropy(
    rows: list[Person], wanted: list[tuple[tuple[str | None, str | None], str]]
) -> None:
    there = {row[3] for row in rows}
    wanted = [(c, v) for c, v in wanted if v in there and any(meets(row, c) for row in rows)]
    # What is true of the records is consistent with every grouping of them.
    known = [(c, v, share(rows, c, v)) for c, v in wanted]
    cells = by_scaling(rows, known)
    assume(cells is not None)
    promise, groups = counted(
        rows,
        {
            "sex": [c[0] for c, _, _ in known],
            "job": [c[1] for c, _, _ in known],
            "value": [v for _, v, _ in known],
            "p": [str(p) for _, _, p in known],
        },
    )
    n = Counter(row[:3] for row in rows)
    assert cells is not None
    expected = [
        max(x / n[c[:3]] for c, x in cells.items() if c[0] == group) for group in order_of(rows)
    ]
    assert np.allclose(promise.level(groups), expected, atol=1e-6)


def test_says_by_hand_what_two_linked_groups_are() -> None:
    # Half of all women are ill with h. In group A one of two has it, in B one of four: were these
    # shares all, 3/8. By symmetry the women's odds rise by the same factor in both groups.
    rows = [*pairs(1, 1, "hi"), *(("B", *row[1:]) for row in pairs(2, 2, "hiii"))]
    promise, groups = counted(rows, {"sex": ["f"], "value": ["h"], "p": ["1/2"]})
    cells = by_scaling(rows, [(("f", None), "h", Fraction(1, 2))])
    assert cells is not None
    in_a, in_b = cells["A", "f", "x", "h"], cells["B", "f", "x", "h"]
    assert isclose(in_a + in_b, 1.5, abs_tol=1e-9)
    found = promise.posterior(groups)
    assert np.allclose(found.level, [in_a, max(in_b / 2, 1 - (1 - in_b) / 2)], atol=1e-9)


@pytest.mark.parametrize(
    ("known", "level"),
    [
        ({"sex": ["f"], "value": ["h"], "p": [1]}, 1.0),  # so that no man has it
        ({"sex": ["f"], "value": ["h"], "p": [0]}, 1.0),  # so that all men have it
        ({"sex": ["f"], "value": ["h"], "p": ["1/2"]}, 0.5),
        ({"value": ["h"], "p": ["1/2"]}, 0.5),  # which everybody sees
        ({"sex": ["f"], "job": ["z"], "value": ["h"], "p": [1]}, 0.5),  # there is nobody like that
    ],
)
def test_nothing_and_everything_are_settled_without_a_solver(known: Known, level: float) -> None:
    rows = [*pairs(2, 2, "hhii"), ("B", "m", "z", "h"), ("B", "m", "z", "i")]
    promise, groups = counted(rows, known)
    found = promise.level(groups)
    assert found[0] == level


def test_cells_that_only_a_linear_program_finds_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    # In A the man has h as surely as the woman has i. He is one of two men, so that men have h half
    # as often as women have i; and equally often, as is known, if never.
    known: Known = {
        "id": [1, 1],
        "sex": ["m", "f"],
        "value": ["h", "i"],
        "p": [0, 0],
        "weight": [1, -1],
    }
    promise, groups = counted([*pairs(1, 1, "hi"), ("B", "m", "x", "j")], known)
    closed: list[component.Component] = []
    close = component.Component._close

    def noted(self: component.Component, source: str) -> None:
        closed.append(self)
        close(self, source)

    monkeypatch.setattr(component.Component, "_close", noted)
    assert promise.level(groups).tolist() == [1.0, 1.0]
    assert len(closed) == 1


def test_equations_without_a_common_group_are_solved_apart() -> None:
    rows = [*pairs(3, 3, "hhhiii"), *(("B", *row[1:]) for row in pairs(3, 3, "iiijjj"))]
    known: Known = {"sex": ["f", "f"], "value": ["h", "j"], "p": ["1/4", "1/5"]}
    promise, groups = counted(rows, known)
    # Half of the women are in each group, where twice the share of all must have it.
    assert np.allclose(promise.level(groups), [0.5, 0.6], atol=1e-9)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"sex": ["f"], "value": ["h"], "p": ["3/4"]}, "row 1 contradicts"),
        ({"value": ["h"], "p": ["1/3"]}, "row 1 contradicts"),
        (
            {"sex": ["f", "f"], "value": ["h", "h"], "p": ["1/5", "1/4"]},
            "some of the statements together contradict",
        ),
        (
            {"sex": ["f", "m"], "value": ["h", "h"], "p": ["1/4", "1/8"]},
            "some of the statements together contradict",
        ),
        ({"sex": ["f", "f"], "value": ["h", "i"], "p": ["2/5", "2/5"]}, "row 2 contradicts"),
        (
            {"id": [7, 7], "value": ["h", "h"], "p": ["1/4", "1/4"], "weight": [1, -1]},
            "id 7 contradicts",
        ),
        (
            {
                "id": [7, 7],
                "sex": ["f", "f"],
                "value": ["h", "h"],
                "p": ["1/4", "1/4"],
                "weight": [1, -1],
            },
            "id 7 contradicts",
        ),
    ],
)
def test_refuses_knowledge_that_cannot_be_true(known: Known, message: str) -> None:
    promise, groups = counted(pairs(4, 4, "hhiiiiii"), known)
    with pytest.raises(DataError, match=f"known by 'known' is inconsistent .* {message}"):
        promise.level(groups)


def test_a_rounded_probability_is_no_contradiction() -> None:
    known: Known = {"sex": ["f"], "value": ["h"], "p": [0.3333333333333333]}
    rows = pairs(3, 0, "hii")
    promise, groups = counted(rows, known)
    assert promise.level(groups).tolist() == [2 / 3]
    wrong, _ = counted(rows, {**known, "p": [0.3333]})
    with pytest.raises(DataError, match="row 1 contradicts"):
        wrong.level(groups)


def test_says_when_the_solver_does_not_converge(monkeypatch: pytest.MonkeyPatch) -> None:
    promise, groups = counted(pairs(3, 3, "hhhiii"), {"sex": ["f"], "value": ["h"], "p": ["2/5"]})
    monkeypatch.setattr(component.Component, "_is_solved", lambda self: False)
    with pytest.raises(UnlinkableError, match="the solver did not converge to within"):
        promise.level(groups)


def test_scipy_is_loaded_only_where_a_solver_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    settled, groups = counted(pairs(1, 1, "hi"), {"sex": ["m"], "value": ["h"], "p": [0]})
    assert settled.level(groups).tolist() == [1.0]
    promise, groups = counted(pairs(3, 3, "hhhiii"), {"sex": ["f"], "value": ["h"], "p": ["2/5"]})
    with pytest.raises(ImportError):
        promise.level(groups)
