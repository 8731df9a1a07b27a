"""CSV files: what is found out about them, what they hold, and what is refused, by line."""

from __future__ import annotations

import gzip
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.adult import FILE, needs_adult
from tests.tables.data.reading import plain_csv
from unlinkable.errors import DataError
from unlinkable.tables.data.reading import ReadOptions, read_frame
from unlinkable.tables.data.reading.delimited import check_names, find_layout

AS_TEXT = ReadOptions(infer=False, header=True, separator=",")

FIXTURES = [HealthCheck.function_scoped_fixture]

fields = st.none() | st.text(alphabet='ab,;"\n é0', max_size=4)


def save(folder: Path, content: str | bytes, name: str = "patients.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@settings(suppress_health_check=FIXTURES)
@given(
    rows=st.lists(st.lists(fields, min_size=3, max_size=3), min_size=1, max_size=12),
    quoted=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_every_field_is_what_a_plain_reader_makes_of_it(
    tmp_path: Path, rows: list[list[str | None]], quoted: bool, newline: str
) -> None:
    text = plain_csv.write([["a", "b", "c"], *rows], quoted, ",", newline)
    frame = read_frame(save(tmp_path, text), options=AS_TEXT)
    expected = [tuple(record) for _, record in plain_csv.records(text, ",")][1:]
    assert expected == [tuple(row) for row in rows]
    assert frame.rows() == expected


def read_plainly(text: str) -> list[tuple[str | None, ...]] | None:
    """Give the records, or nothing if there are none or one has another width than the first."""
    try:
        records = [tuple(record) for _, record in plain_csv.records(text, ",")]
    except AssertionError:
        return None
    while records[-1:] == [(None,)]:
        records.pop()
    is_even = all(len(record) == len(records[0]) for record in records)
    return records[1:] if is_even and len(records) > 1 else None


@settings(suppress_health_check=FIXTURES)
@given(st.text('aab,,"\n', max_size=24))
def test_what_is_not_refused_is_read_as_it_is(tmp_path: Path, body: str) -> None:
    path = save(tmp_path, f"x,y\n{body}")
    try:
        rows = read_frame(path, options=AS_TEXT).rows()
    except DataError:
        assert '"' in body or read_plainly(f"x,y\n{body}") is None
    else:
        assert rows == read_plainly(f"x,y\n{body}")


@settings(suppress_health_check=FIXTURES)
@given(
    rows=st.lists(st.lists(fields, min_size=2, max_size=4), min_size=1, max_size=12),
    quoted=st.booleans(),
)
def test_the_first_line_of_another_width_is_named(
    tmp_path: Path, rows: list[list[str | None]], quoted: bool
) -> None:
    text = plain_csv.write([["a", "b", "c"], *rows], quoted, ",", "\n")
    bad = [(line, r) for line, r in plain_csv.records(text, ",") if len(r) != 3]
    path = save(tmp_path, text)
    if not bad:
        assert read_frame(path, options=AS_TEXT).height == len(rows)
        return
    line, record = bad[0]
    with pytest.raises(
        DataError, match=rf"patients\.csv, line {line}: the line has {len(record)} "
    ):
        read_frame(path, options=AS_TEXT)


def test_types_are_found_on_all_values_and_leading_zeros_stay(tmp_path: Path) -> None:
    path = save(
        tmp_path,
        "age,zip,weight,born,seen,name,id\n"
        "39,00501,70.5,1980-01-31,2020-01-01 10:30,Ann,12345678901234567890\n"
        ",10115,68,1990-12-01,2020-01-01 11:00,,1\n"
        "50,,.5,,2020-01-02 00:00,Bob,2\n",
    )
    frame = read_frame(path)
    assert dict(frame.schema) == {
        "age": pl.Int64,
        "zip": pl.Categorical,
        "weight": pl.Float64,
        "born": pl.Date,
        "seen": pl.Datetime("us"),
        "name": pl.Categorical,
        "id": pl.Categorical,
    }
    assert frame.row(0) == (
        39,
        "00501",
        70.5,
        date(1980, 1, 31),
        datetime(2020, 1, 1, 10, 30),
        "Ann",
        "12345678901234567890",
    )
    assert frame["age"].to_list() == [39, None, 50]
    assert frame["weight"].to_list() == [70.5, 68.0, 0.5]


def test_a_value_far_down_decides_like_one_at_the_top(tmp_path: Path) -> None:
    ages = [str(i % 90) for i in range(900_000)]
    text = "age,sex\n" + "\n".join(f"{age},f" for age in ages)
    assert read_frame(save(tmp_path, text)).schema["age"] == pl.Int64
    last = read_frame(save(tmp_path, text + "\n007,f\n"))
    assert last["age"].dtype == pl.Categorical
    assert last["age"][-1] == "007"
    decimal = read_frame(save(tmp_path, text + "\n0.5,f\n"))
    assert decimal["age"].dtype == pl.Float64


def test_many_distinct_values_are_typed_without_a_dictionary(tmp_path: Path) -> None:
    n = 30_000
    text = "id,weight,code\n" + "\n".join(f"{i},{i}.5,{i:06d}" for i in range(n)) + "\n,,\n"
    frame = read_frame(save(tmp_path, text))
    assert dict(frame.schema) == {"id": pl.Int64, "weight": pl.Float64, "code": pl.String}
    assert frame.row(-1) == (None, None, None)
    assert frame["id"].to_list()[:-1] == list(range(n))
    assert frame["code"][12] == "000012"


def test_an_empty_field_is_missing_and_quoted_emptiness_is_not(tmp_path: Path) -> None:
    frame = read_frame(save(tmp_path, 'a,b\n"",x\n,""\n'))
    assert frame.rows() == [("", "x"), (None, "")]


def test_nothing_else_is_missing_unless_told(tmp_path: Path) -> None:
    path = save(tmp_path, "country,age\nNA,NA\nDE,39\n")
    assert read_frame(path).rows() == [("NA", "NA"), ("DE", "39")]
    frame = read_frame(path, options=ReadOptions(missing=("NA", "?")))
    assert frame.rows() == [(None, None), ("DE", 39)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path: Path, separator: str) -> None:
    text = 'name,age,zip\n"Doe, J; x|y\tz",39,00501\n'.replace(",", separator)
    frame = read_frame(save(tmp_path, text))
    assert frame.columns == ["name", "age", "zip"]


def test_decimal_commas_are_read_between_semicolons(tmp_path: Path) -> None:
    frame = read_frame(save(tmp_path, "a;b;c\n1,5;1,234;2,0\n-0,25;2,345;1e5\n"))
    assert frame.rows() == [(1.5, "1,234", 2.0), (-0.25, "2,345", 1e5)]


def test_a_tab_separates_in_a_tsv_file_whatever_else_is_there(tmp_path: Path) -> None:
    frame = read_frame(save(tmp_path, "a,b\tc\n1,2\t3\n", "x.tsv"))
    assert frame.columns == ["a,b", "c"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("age,zip\n39,00501\n", ["age", "zip"]),
        ("39,Male\n50,Female\n", ["column_1", "column_2"]),
        ("2020-01-01,x\n2020-01-02,y\n", ["column_1", "column_2"]),
        ("Male,White\nFemale,Black\n", ["Male", "White"]),
        ("1,x\na,b\n", ["1", "x"]),
    ],
)
def test_a_header_is_told_from_a_record(tmp_path: Path, text: str, columns: list[str]) -> None:
    assert read_frame(save(tmp_path, text)).columns == columns


def test_what_is_told_about_the_header_counts(tmp_path: Path) -> None:
    path = save(tmp_path, "Male,White\nFemale,Black\n")
    frame = read_frame(path, options=ReadOptions(header=False))
    assert frame.rows() == [("Male", "White"), ("Female", "Black")]
    path = save(tmp_path, "2019,2020\n1,2\n")
    assert read_frame(path, options=ReadOptions(header=True)).columns == ["2019", "2020"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_unicode_in_any_coat_is_recognized(tmp_path: Path, encoding: str) -> None:
    text = '"name",town\nJosé,"Kraków\n2"\n陳,東京\n'
    frame = read_frame(save(tmp_path, text.encode(encoding)))
    assert frame.rows() == [("José", "Kraków\n2"), ("陳", "東京")]
    assert frame.columns == ["name", "town"]


def test_old_encodings_are_read_when_named_and_never_guessed(tmp_path: Path) -> None:
    path = save(tmp_path, "name,town\nAnn,Rome\nJosé,Málaga\n".encode("cp1252"))
    frame = read_frame(path, options=ReadOptions(encoding="cp1252"))
    assert frame.rows()[1] == ("José", "Málaga")
    with pytest.raises(DataError, match=r"patients\.csv, line 3: the file is not written in UTF-8"):
        read_frame(path)


def test_packed_files_old_line_ends_and_blank_lines_at_the_ends_are_fine(tmp_path: Path) -> None:
    expected = [("Ann", 39), (None, 50)]
    packed = save(tmp_path, gzip.compress(b"name,age\nAnn,39\n,50\n"), "x.csv.gz")
    assert read_frame(packed).rows() == expected
    assert read_frame(save(tmp_path, "name,age\rAnn,39\r,50\r")).rows() == expected
    assert read_frame(save(tmp_path, "\n\nname,age\nAnn,39\n,50\n\n\n")).rows() == expected
    headless = read_frame(save(tmp_path, "\n\n39,x\n50,\n\n"), options=ReadOptions(header=False))
    assert headless.rows() == [(39, "x"), (50, None)]
    assert read_frame(save(tmp_path, "name,age\nAnn,39\n,50\n\r")).rows() == expected
    assert read_frame(save(tmp_path, "name,age\nAnn,39\n,50")).rows() == expected
    assert read_frame(save(tmp_path, "name,age\r\nAnn,39\r\n,50\r\n\r\n")).rows() == expected


def test_names_may_hold_anything(tmp_path: Path) -> None:
    frame = read_frame(save(tmp_path, '"a ""x""","b,\nc",é\n1,2,3\n'))
    assert frame.columns == ['a "x"', "b,\nc", "é"]


def test_one_column_is_read_if_a_separator_is_given(tmp_path: Path) -> None:
    path = save(tmp_path, 'name\nAnn\n\n""\n')
    frame = read_frame(path, options=ReadOptions(separator=","))
    assert frame.rows() == [("Ann",), (None,), ("",)]


def test_types_that_are_told_count(tmp_path: Path) -> None:
    path = save(tmp_path, "a;b;c;d;e;f\n39;007;03/04/2020;True;1,5;2020-01-01\n")
    types = {"a": "text", "b": "integer", "c": "%m/%d/%Y", "d": "boolean", "e": "number"}
    frame = read_frame(path, options=ReadOptions(types={**types, "f": "datetime"}))
    assert frame.row(0)[:5] == ("39", 7, date(2020, 3, 4), True, 1.5)


def test_a_value_that_is_not_what_it_is_said_to_be_is_found_by_line(tmp_path: Path) -> None:
    path = save(tmp_path, 'name,age\n"A\nB",39\nC,\nD,old\n')
    with pytest.raises(DataError, match=r"line 5: 'age' is not a whole number there") as caught:
        read_frame(path, options=ReadOptions(types={"age": "integer"}))
    assert "old" not in str(caught.value)


def test_records_are_not_quoted_in_errors(tmp_path: Path) -> None:
    path = save(tmp_path, 'name,disease\nSECRET,"HIV"x\n')
    with pytest.raises(DataError, match="line 2: the line has a quotation mark inside") as caught:
        read_frame(path)
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"patients\.csv: the file is empty"),
        ("\n \n", r"the file is empty"),
        ("\ufeff", r"the file is empty"),
        ("a,b\n", r"there are columns but no records"),
        ("a\n1\n2\n", r"line 1: there is only one column; if the fields .* give the separator"),
        ("a,a\n1,2\n", r"line 1: two columns are called 'a'; rename one .* header=False"),
        ("a,,c\n1,2,3\n", r"line 1: column 2 has no name"),
        ("a,b\n1,2\n3\n", r"line 3: the line has 1 field instead of 2"),
        ("a,b\n1,2\n3,4,5\n", r"line 3: the line has 3 fields instead of 2"),
        ('a,b\n"x\ny",2\n"p\nq"\n', r"line 4: the line has 1 field instead of 2"),
        ('a,b,c\n1,"x,y",\n1,2\n', r"line 3: the line has 2 fields instead of 3"),
        ("a,b\n1,2\n\n3,4\n", r"line 3: the line has 1 field instead of 2"),
        ('a,b\n1,2\n"x"y"z",3\n', r"line 3: the line has a quotation mark inside a field"),
        ('a,b\n1,2\n3,"4,5""', r"line 3: the line opens a quotation mark that is never closed"),
        ("a,b\n1\n2,3,", r"line 2: the line has 1 field instead of 2"),
        ("a,b\n1,2\n2,3,", r"line 3: the line has 3 fields instead of 2"),
        ('a"b,c\n1,2"\n3,4\n', r"line 1: the line has a quotation mark inside a field"),
        (b"n\xe9,b\n1,2\n", r"line 1: the file is not written in UTF-8"),
        ('a,b\n1,2\n3,"4\n5,6\n', r"line 3: the line .*quotation mark"),
        ('a,b\n1,5" tube\n2,3\n', r"line 2: the line has a quotation mark inside a field"),
        (b"PK\x03\x04\x00\x00\x01a,b\n", r"this is no text file; export the table as CSV"),
    ],
)
def test_bad_files_are_refused_by_line(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_frame(save(tmp_path, content))


def test_a_wrong_separator_is_told_apart_from_one_column(tmp_path: Path) -> None:
    path = save(tmp_path, "a;b\n1;2\n")
    with pytest.raises(DataError, match=r"by ';' there are 2; give separator=';'"):
        read_frame(path, options=ReadOptions(separator=","))


def test_short_lines_are_found_even_if_missing_texts_hold_the_separator(tmp_path: Path) -> None:
    path = save(tmp_path, 'a,b,c\n"?,?,?",1,2\n1,2\n')
    with pytest.raises(DataError, match="line 3: the line has 2 fields instead of 3"):
        read_frame(path, options=ReadOptions(missing=("?,?,?",)))


def test_days_that_may_be_two_are_refused_when_they_must_be_days(tmp_path: Path) -> None:
    path = save(tmp_path, "a,born\n1,03/04/2020\n")
    assert read_frame(path)["born"].dtype == pl.Categorical
    with pytest.raises(DataError, match=r"which part of 'born' is the month .* '%d/%m/%Y'"):
        read_frame(path, options=ReadOptions(types={"born": "date"}))


def test_an_empty_table_is_read_if_it_may_be(tmp_path: Path) -> None:
    frame = read_frame(save(tmp_path, "a,b\n"), options=ReadOptions(may_be_empty=True))
    assert frame.columns == ["a", "b"]
    assert frame.is_empty()


@needs_adult
def test_adult_is_read_as_what_it_is() -> None:
    frame = read_frame(FILE)
    assert frame.shape == (30_162, 9)
    assert frame.schema["age"] == pl.Int64
    assert all(dtype == pl.Categorical for name, dtype in frame.schema.items() if name != "age")


PATH = Path("x.csv")


@pytest.mark.parametrize(
    ("head", "separator"),
    [
        ("a;b\n1,5;2,5\n", ";"),
        ("a,b;c,d\n1,2;3,4\n", ","),
        ("a;b;c\n1;2;3\n4,5\n", ";"),
        ('a|b\n"x,y;z"|2\n', "|"),
        ("name;first, last\nx;y\n", ";"),
    ],
)
def test_the_separator_that_splits_all_records_alike_is_taken(head: str, separator: str) -> None:
    assert find_layout(PATH, head, None, None).separator == separator


def test_a_field_that_never_ends_does_not_stop_the_search() -> None:
    head = 'a;"b"\n1;2\n' + 'x;"' + "y" * 200_000
    with pytest.raises(DataError, match="only one column"):
        find_layout(PATH, head, None, None)


def test_a_single_record_of_numbers_is_no_header() -> None:
    assert not find_layout(PATH, "39,50\n", None, None).has_header
    assert find_layout(PATH, "39,50\n", None, True).names == ("39", "50")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a", " "), "here: column 2 has no name; name it, or delete it, please"),
        (("a", "^a$"), r"here: the name '\^a\$' would be taken for a pattern"),
        (("a", "b", "a"), "here: two columns are called 'a'; rename one of them, dear"),
    ],
)
def test_bad_names_are_refused(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        check_names("here", names, if_empty=", please", if_twice=", dear")


def test_the_line_of_the_names_is_counted_from_the_top() -> None:
    with pytest.raises(DataError, match=r"x\.csv, line 3: two columns are called 'a'"):
        find_layout(PATH, "\n\na,a\n", None, None)
