"""The page on which method serves which model is what the methods say."""

from __future__ import annotations

from tools.methods_and_models import PAGE, alike, page, sampled
from unlinkable.registry.lookup import entries


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.methods_and_models"


def test_every_model_is_asked_about() -> None:
    assert list(sampled()) == [entry.name for entry in entries("model")]


def test_every_method_is_asked_and_explained() -> None:
    why = PAGE.read_text(encoding="utf-8").split("## Why")[1]
    asked = [name for names in alike(sampled()).values() for name in names]
    assert sorted(asked) == [entry.name for entry in entries("method")]
    assert [name for name in asked if f"`{name}`" not in why] == []
