"""What is told of models, methods and tasks."""

from __future__ import annotations

from pathlib import Path

from unlinkable.studio.tasks import plans
from unlinkable.studio.tasks.catalogue import find_task
from unlinkable.studio.tasks.limits import LIMITS


def test_every_model_says_what_it_stops_and_what_not() -> None:
    shown = plans.registry_cards("model")
    assert {card["name"] for card in shown} == set(LIMITS)
    for card in shown:
        assert card["stops"]
        assert card["limit"]


def test_limits_are_the_first_words_of_the_reference() -> None:
    pages = Path(__file__).parents[3] / "docs" / "reference" / "models"
    for name, words in LIMITS.items():
        text = (pages / f"{name}.md").read_text(encoding="utf-8")
        part = text.partition("## What this does not promise")[2]
        plain = " ".join(part.replace("**", "").replace("`", "").split())
        assert words in plain, name


def test_methods_say_whether_they_have_a_lattice() -> None:
    shown = {card["name"]: card for card in plans.registry_cards("method")}
    assert shown["optimal"]["full_domain"]
    assert not shown["mondrian"]["full_domain"]
    assert shown["mondrian"]["generalizes"]
    assert not shown["mdav"]["generalizes"]


def test_every_task_can_be_found() -> None:
    from unlinkable.studio.tasks.catalogue import _HOMES

    for name in _HOMES:
        assert callable(find_task(name))
