"""Whether a side table is there: given, a file, or neither."""

from __future__ import annotations

from pathlib import Path

from unlinkable.tables.attacks.base.given import is_given
from unlinkable.tables.attacks.base.target import Arms
from unlinkable.tables.data.side import Side


def test_a_table_is_given_by_name_or_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "voters.csv").write_text("name,age\nAnn,30\n", encoding="utf-8")
    arms = Arms(Side.of({"external": {"age": [30]}}, tmp_path))
    assert is_given(arms, "external")
    assert is_given(arms, "voters.csv")
    assert not is_given(arms, "people.csv")
    assert not is_given(arms, ".")
