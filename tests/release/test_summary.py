"""A release at a glance."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from unlinkable.privacy import KAnonymity
from unlinkable.release import anonymize
from unlinkable.table import as_table


def test_says_what_was_promised_and_lost_and_is_well_formed() -> None:
    data = as_table({"a<b": [1, 2, 3, 4]}, quasi="a<b")
    html = anonymize(data, privacy=KAnonymity(2))._repr_html_()
    ET.fromstring(f"<div>{html}</div>")
    assert "k-anonymity(k=2)" in html
    assert "a&lt;b" in html
    assert "holds" in html
