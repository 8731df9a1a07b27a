"""The page of all metrics is what the metrics say."""

from __future__ import annotations

from tools.metrics_page import PAGE, PAGES, page
from unlinkable.registry.lookup import entries


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.metrics_page"


def test_every_metric_has_its_section() -> None:
    texts = [(PAGE.parent / file).read_text(encoding="utf-8") for file, _, _ in PAGES.values()]
    for entry in entries("metric"):
        assert any(f"\n## {entry.name}\n" in text for text in texts), entry.name
