"""The pages on attacks and models are what the attacks find."""

from __future__ import annotations

from tools.attacks_page import MATRIX, NOT_ENOUGH, examples_page, matrix_page
from tools.showcases import EXAMPLES
from unlinkable.registry.lookup import entries


def test_the_table_is_up_to_date() -> None:
    assert MATRIX.read_text(encoding="utf-8") == matrix_page(), "run: python -m tools.attacks_page"


def test_the_examples_are_up_to_date() -> None:
    written = NOT_ENOUGH.read_text(encoding="utf-8")
    assert written == examples_page(), "run: python -m tools.attacks_page"


def test_every_model_has_an_example_of_what_beats_it() -> None:
    shown = [
        line[3:]
        for line in NOT_ENOUGH.read_text(encoding="utf-8").splitlines()
        if line.startswith("## ")
    ]
    assert sorted(shown[:-1]) == [entry.name for entry in entries("model")]
    assert len({model.name for model, _, _ in EXAMPLES}) == len(EXAMPLES)
