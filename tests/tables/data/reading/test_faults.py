"""Faults of CSV files: found where they are, also across the blocks in which a file is read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.tables.data.reading import plain_csv
from unlinkable.tables.data.reading import faults
from unlinkable.tables.data.reading.faults import (
    Fault,
    first_fault,
    has_stray_quotes,
    invalid_line,
    line_of_record,
    record_ends,
)

fields = st.none() | st.text(alphabet='a,"\né', max_size=3)
tables = st.lists(st.lists(fields, min_size=2, max_size=3), min_size=1, max_size=10)


@pytest.fixture(params=[1, 3, 1 << 23], autouse=True)
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "_BLOCK", request.param)


def data(text: str | bytes) -> NDArray[np.uint8]:
    return np.frombuffer(text if isinstance(text, bytes) else text.encode(), np.uint8)


@given(tables)
def test_the_first_record_of_another_width_is_found(rows: list[list[str | None]]) -> None:
    text = plain_csv.write([["a", "b"], *rows], True, ",", "\n")
    bad = [(line, len(r)) for line, r in plain_csv.records(text, ",") if len(r) != 2]
    found = first_fault(data(text), ",", 2)
    if not bad:
        assert found is None
    else:
        assert found == Fault(bad[0][0], "has 3 fields instead of 2")


@given(tables)
def test_records_are_found_by_their_lines(rows: list[list[str | None]]) -> None:
    text = plain_csv.write([["a", "b"], *rows], False, ",", "\n")
    for j, (line, _) in enumerate(plain_csv.records(text, ",")):
        assert line_of_record(data(text), j) == line


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('a,b\n1,"x"\n2,"y""z"\n', None),
        ("\n\na,b\n1,2\n\n\n", None),
        ('a,b\n1,"\n2,3', Fault(2, "opens a quotation mark that is never closed")),
        ("\n\na,b\n1\n", Fault(4, "has 1 field instead of 2")),
        ("a,b\n1,2\n3", Fault(3, "has 1 field instead of 2")),
    ],
)
def test_faults_by_example(text: str, fault: Fault | None) -> None:
    assert first_fault(data(text), ",", 2) == fault


@pytest.mark.parametrize(
    "text", ['a,b\n1,2\n3,x"y"\n', 'a,b\n1,2\n3,"x"y\n', 'a,b\n"1",2\n"3" ,4\n']
)
def test_a_mark_inside_a_field_is_found(text: str) -> None:
    found = first_fault(data(text), ",", 2)
    assert found is not None
    assert found.line == 3
    assert "quotation mark inside a field" in found.what


def stray_by_definition(text: str) -> bool:
    """Marks open and close in turn; before one that opens and after one that closes..."""
    at = [i for i, c in enumerate(text) if c == '"']
    beside = [text[i - 1 : i] if k % 2 == 0 else text[i + 1 : i + 2] for k, i in enumerate(at)]
    return len(at) % 2 == 1 or any(c not in ("", ",", "\n", "\r", '"') for c in beside)


@given(st.text('a,"\n', max_size=12))
def test_stray_marks_are_found_from_the_marks_alone(text: str) -> None:
    assert has_stray_quotes(data(text), ",") == stray_by_definition(text)


def test_a_record_that_is_not_there_has_no_line() -> None:
    with pytest.raises(IndexError, match="there is no record 6"):
        line_of_record(data("a\n1\n2"), 6)


def test_only_line_breaks_outside_quotation_marks_end_a_record() -> None:
    assert record_ends(data('a\n"1\n2"\n')).tolist() == [1, 7]


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ("é\né\n".encode(), None),
        ("é\né\n".encode("latin-1"), 1),
        ("é\n".encode() + "é\n".encode("latin-1"), 2),
        ("a\né".encode()[:-1], 2),
    ],
)
def test_bytes_that_are_not_utf_8_are_found(raw: bytes, line: int | None) -> None:
    assert invalid_line(data(raw)) == line
