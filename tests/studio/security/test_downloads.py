"""No value of a table is a formula in a spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unlinkable.studio.security.downloads import escape_formula, spreadsheet_lines


@pytest.mark.parametrize(
    "cell",
    [
        *('=HYPERLINK("http://x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1"),
        *(" =1", "|x", "%0A=1", "\ufeff=1", "\u00a0=1"),
    ],
)
def test_no_value_is_a_formula_in_a_spreadsheet(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize(
    "cell", ["", "a", "-5", "+1.5", "-1e9", "5%", "[30-35)", "<20", "a=b", "*"]
)
def test_other_values_stay_as_they_are(cell: str) -> None:
    assert escape_formula(cell) == cell


def test_a_table_for_spreadsheets_has_all_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("a,b\n" + '"=1,2","x\ny"\n' * 1200, encoding="utf-8")
    text = b"".join(spreadsheet_lines(file)).decode("utf-8-sig")
    lines: Any = text.split("\r\n")
    assert lines[0] == "a,b"
    assert lines[1] == '"\'=1,2","x\ny"'
    assert len(lines) == 1202
