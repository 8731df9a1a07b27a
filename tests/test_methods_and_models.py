"""The page on which method serves which model is what the methods say."""

from __future__ import annotations

from tools.methods_and_models import PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.methods_and_models"
