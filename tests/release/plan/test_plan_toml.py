"""Plans as TOML: there and back, and where it is no TOML."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import PlanError
from unlinkable.release.plan.plan_toml import read_toml, write_toml

scalars = st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.dates()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
tables = st.dictionaries(st.text(), values, max_size=4)


@given(
    columns=st.dictionaries(st.text(), tables, max_size=3),
    data=tables,
    privacy=st.lists(tables, min_size=1, max_size=3),
)
def test_a_document_is_the_same_after_writing_and_reading(
    columns: dict[str, Any], data: dict[str, Any], privacy: list[dict[str, Any]]
) -> None:
    document = {"data": data, "columns": columns, "privacy": privacy}
    assert tomllib.loads(write_toml(document)) == document


def test_short_tables_stand_in_a_line_and_long_ones_below() -> None:
    tree = {"Artist": ["Dancer", "Writer"], "Professional": ["Engineer", "Lawyer"] * 5}
    text = write_toml({"columns": {"a b": {"taxonomy": {"mask": 5}}, "job": {"taxonomy": tree}}})
    assert '[columns."a b"]\ntaxonomy = { mask = 5 }\n' in text
    assert "[columns.job]\n\n[columns.job.taxonomy]\nArtist = [\n" in text
    assert tomllib.loads(text)["columns"]["job"]["taxonomy"] == tree


def test_a_long_list_is_written_on_several_lines() -> None:
    text = write_toml({"data": {"missing": ["a long text"] * 20}})
    assert max(map(len, text.splitlines())) <= 100
    assert len(tomllib.loads(text)["data"]["missing"]) == 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[data\n", r"^plan\.toml, line 1, column 6: Expected '\]'"),
        ('[data]\nsource = "a.csv', r"^plan\.toml, line 2: "),
        ("[data]\na = 1\na = 2\n", r"^plan\.toml, line 3, column 6: Cannot overwrite a value"),
        ("a = " + "[" * 20_000, r"^plan\.toml: lists or tables are nested too deeply"),
        ("a = " + "9" * 5_000, r"^plan\.toml, line 1: Exceeds the limit"),
    ],
)
def test_what_is_no_toml_is_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        read_toml(text, "plan.toml")


@given(st.text() | st.text(alphabet='[]{}="\n\\.,a1# '))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_toml(text, "plan.toml")
    except PlanError as error:
        assert str(error).startswith("plan.toml")  # noqa: PT017
