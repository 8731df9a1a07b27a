"""Every model is in all lists that name all models."""

from __future__ import annotations

from tools.models_page import completed


def test_no_model_is_missing_in_any_list() -> None:
    for file, text in completed().items():
        assert file.read_text(encoding="utf-8") == text, "run: python -m tools.models_page"
