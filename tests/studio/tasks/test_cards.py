"""What is told of models, methods and tasks."""

from __future__ import annotations

from unlinkable.studio.tasks import plans
from unlinkable.studio.tasks.catalogue import find_task


def test_every_model_says_what_it_stops_and_what_not() -> None:
    for card in plans.registry_cards("model"):
        assert card["stops"]
        assert card["limit"]


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
