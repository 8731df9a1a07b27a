"""Every model has a page, which ends with what the model itself says that it does not promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unlinkable.registry import Entry, entries

PAGES = Path(__file__).parents[3] / "docs" / "reference" / "models"


@pytest.mark.parametrize("entry", entries("model"), ids=lambda entry: entry.name)
def test_the_page_tells_the_gravest_gap(entry: Entry) -> None:
    text = (PAGES / f"{entry.name}.md").read_text(encoding="utf-8")
    last = text.split("\n## ")[-1]
    assert last.startswith("What this does not promise")
    plain = " ".join(last.replace("**", "").replace("`", "").split())
    (gap, *_) = entry.make.does_not_promise  # type: ignore[attr-defined]
    assert re.split("[.:]", gap)[0] in plain
