"""What workers do before there is a plan, whole trees for editing, and what is said of a table."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.data.data_page import notices_of
from unlinkable.studio.pages.roles.rule_forms import (
    describe_rule,
    intervals_rule,
    kind_of,
    mask_rule,
)
from unlinkable.studio.tasks.data import invent, look_at, try_reading
from unlinkable.studio.tasks.session import Session
from unlinkable.studio.tasks.taxonomies import whole_tree
from unlinkable.studio.taxonomy_editing.tree_files import read_nested, to_rule


def quiet(share: float, words: str) -> None:
    """Nobody is told."""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    (tmp_path / "uploads").mkdir()
    return Session(tmp_path)


def tried(session: Session, name: str, content: bytes, **reading: Any) -> Any:
    (session.folder / "uploads" / name).write_bytes(content)
    return try_reading(session, quiet, {"source": f"uploads/{name}", **reading}, 5)


def test_the_first_records_are_shown_as_they_would_be_read(session: Session) -> None:
    found = tried(session, "a.csv", b"x;y\n1;NA\n2;b\n", missing=["NA"])
    assert found["preview"]["rows"] == [["1", None], ["2", "b"]]
    assert found["preview"]["types"] == ["number", "category"]
    assert found["is_whole"]


def test_of_a_large_file_only_the_beginning_is_read(session: Session) -> None:
    record = b'1,"two\nlines"\n'
    for name, pack in (("a.csv", bytes), ("a.csv.gz", gzip.compress)):
        found = tried(session, name, pack(b"x,y\n" + record * 200_000))
        assert not found["is_whole"]
        assert 0 < found["preview"]["records"] < 200_000
        assert found["preview"]["rows"][0] == ["1", "two\nlines"]


def test_what_cannot_be_read_is_told_without_where_it_is(session: Session) -> None:
    with pytest.raises(StudioError, match=r"^a\.csv, line 1: the file is not written in UTF-8"):
        tried(session, "a.csv", "x,ü\n1,2\n".encode("cp1252"))
    with pytest.raises(StudioError, match="outside of the project"):
        try_reading(session, quiet, {"source": "../a.csv"}, 5)


def test_an_invented_table_comes_with_columns_that_fit_it(session: Session) -> None:
    made = invent(session, quiet, 500)
    look = look_at(session, quiet, {"source": f"uploads/{made['file']}"})
    assert look["description"]["records"] == 500
    assert set(made["columns"]) == {c["name"] for c in look["description"]["columns"]}
    notices = notices_of(look["description"])
    assert notices[0].title == "patient_id and name probably name people"
    assert any("HIPAA" in notice.title for notice in notices)


def test_a_column_that_only_some_have_a_value_in_is_not_the_same_everywhere(
    session: Session,
) -> None:
    rows = "\n".join(f"{i % 5},{'north' if i < 3 else ''},CH" for i in range(9))
    (session.folder / "uploads" / "a.csv").write_text(f"a,ward,land\n{rows}\n")
    look = look_at(session, quiet, {"source": "uploads/a.csv"})
    titles = [notice.title for notice in notices_of(look["description"])]
    assert "land: the same value everywhere" in titles
    assert [w["column"] for w in look["warnings"] if w["kind"] == "constant"] == ["land"]


def test_a_whole_tree_is_the_taxonomy_with_its_records(session: Session) -> None:
    jobs = ["cook", "cook", "", "dancer", "writer"]
    lines = "\n".join(["n,job", *(f"{i},{job}" for i, job in enumerate(jobs))])
    (session.folder / "uploads" / "a.csv").write_text(lines + "\n")
    columns = {"n": {"role": "identifier"}, "job": {"role": "quasi-identifier"}}
    plan = {"data": {"source": "uploads/a.csv"}, "columns": columns}
    rule = {"tree": {"Artist": ["dancer", "writer"], "cook": {}}, "pad": True}
    whole = whole_tree(session, quiet, plan, [], "job", rule)
    assert whole["records"] == {"dancer": 1, "writer": 1, "cook": 2}
    assert whole["missing"] == 1
    assert to_rule(read_nested(whole["root"], whole["nested"])) == rule


def test_rules_are_filled_in_and_told() -> None:
    assert intervals_rule("0.5; 1", high="9") == {"intervals": [0.5, 1], "high": 9}
    assert mask_rule(5, left=True) == {"mask": 5, "left": True}
    assert kind_of({"csv": "taxonomies/zip-by-hand-0123456789.csv"}, "category") == "tree"
    assert describe_rule({"csv": "taxonomies/zip-0123456789.csv"}, "category") == "from zip.csv"
    assert describe_rule({"tree": {"*": {"a": ["b"], "c": ["d"]}}}, "category") == (
        "by hand, 2 groups on top"
    )
    for wrong in ("", "five", "nan"):
        with pytest.raises(StudioError, match=r"width|no number"):
            intervals_rule(wrong)
    with pytest.raises(StudioError, match="how many characters"):
        mask_rule(None)
