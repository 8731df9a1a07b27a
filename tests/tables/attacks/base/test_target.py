"""Whether an adversary has a side table: given by name, a file, or neither."""

from __future__ import annotations

from pathlib import Path

from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.data.side import Side


def test_an_adversary_has_tables_by_name_or_as_files(tmp_path: Path) -> None:
    (tmp_path / "voters.csv").write_text("name,age\nAnn,30\n", encoding="utf-8")
    knowledge = AdversaryKnowledge(Side.of({"external": {"age": [30]}}, tmp_path))
    assert knowledge.has("external")
    assert knowledge.has("voters.csv")
    assert not knowledge.has("people.csv")
    assert not knowledge.has(".")
