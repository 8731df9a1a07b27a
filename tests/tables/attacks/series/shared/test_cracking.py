"""Which correspondence attack applies, and who counts."""

from __future__ import annotations

import pytest

from tests import cases
from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series.shared.cracking import Targets, as_targets, crack_of


def test_table_10_6_names_the_attack() -> None:
    table = cases.load("book-ch10-table10.6-attack-types")["expected"]["stated"]["table"]
    for name, since, cracked, background in table["rows"]:
        numbers = [int(text[1:]) for text in (since, cracked, background)]
        assert (crack_of(*numbers) or "No attack") == name


def test_a_release_does_not_crack_itself() -> None:
    assert crack_of(1, 2, 2) is None


@pytest.mark.parametrize("background", [1, 2, 4])
def test_of_several_releases_the_other_one_decides(background: int) -> None:
    assert crack_of(2, 3, background) == {1: "B-attack", 2: "C-attack", 4: "F-attack"}[background]


def test_refuses_targets_that_nobody_knows() -> None:
    assert as_targets("possible") is Targets.POSSIBLE
    with pytest.raises(ParameterError, match=r"no kind of targets 'real' among 2"):
        as_targets("real")
