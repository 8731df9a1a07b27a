"""Names of files that lead nowhere, and names that are none."""

from __future__ import annotations

import pytest

from unlinkable.studio.errors import StudioError
from unlinkable.studio.security.uploads import safe_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("patients.csv", "patients.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\windows\\win.ini", "win.ini"),
        ("/absolute.csv", "absolute.csv"),
        (".hidden.csv", "hidden.csv"),
        ("a\0b.csv", "a_b.csv"),
        ("a\nb;$(rm -rf).csv", "a_b_ (rm -rf).csv".replace(" (", "_(")),
        ("Ärzte März.csv", "Ärzte März.csv"),
        ("-rf.csv", "rf.csv"),
        ("x" * 300 + ".csv", "x" * 116 + ".csv"),
    ],
)
def test_names_lead_nowhere(name: str, expected: str) -> None:
    assert safe_name(name) == expected


@pytest.mark.parametrize("name", ["", ".", "..", "/", "../", "con", "NUL.csv", "...", "\0", "___"])
def test_names_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(StudioError, match="give it a name"):
        safe_name(name)
