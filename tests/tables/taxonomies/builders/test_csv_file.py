"""Csv: hierarchy files as they are in circulation, with their faults."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adult import HIERARCHIES, needs_adult
from tests.tables.data.taxonomies import trees, upto
from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.tables.taxonomies import Kind, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Csv, Observed, Tree
from unlinkable.tables.taxonomies.published_values import write_level

EDUCATION = """Bachelors;Undergraduate;Higher education;*
9th;High School;Secondary education;*
Masters;Graduate;Higher education;*
12th;High School;Secondary education;*
"""


def build(
    folder: Path,
    text: str | bytes,
    *values: object,
    separator: str | None = None,
    pad: bool = False,
) -> Taxonomy:
    """Write a file, and build the taxonomy of a column with these values from it."""
    path = folder / "tree.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Csv(path, separator, pad).build(observe("column", values or [None]))


def levels(taxonomy: Taxonomy) -> list[list[str]]:
    codes = upto(taxonomy.domain.n_present)
    return [write_level(taxonomy, i, codes).tolist() for i in range(taxonomy.height + 1)]


def test_values_are_put_in_the_order_of_the_tree(tmp_path: Path) -> None:
    assert levels(build(tmp_path, EDUCATION, "9th")) == [
        ["Bachelors", "Masters", "9th", "12th"],
        ["Undergraduate", "Graduate", "High School", "High School"],
        ["Higher education", "Higher education", "Secondary education", "Secondary education"],
        ["*", "*", "*", "*"],
    ]


@needs_adult
@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("age", [100, 20, 10, 5, 1]),
        ("education", [16, 5, 3, 1]),
        ("marital-status", [7, 2, 1]),
        ("native-country", [41, 5, 1]),
        ("race", [5, 1]),
        ("workclass", [8, 3, 1]),
    ],
)
def test_reads_the_files_of_the_adult_table(name: str, nodes: list[int]) -> None:
    file = HIERARCHIES / f"{name}.csv"
    first = file.read_text(encoding="utf-8").split(";")[0]
    taxonomy = Csv(file).build(observe(name, [int(first) if name == "age" else first]))
    assert [level.n_nodes for level in taxonomy.levels] == nodes
    assert taxonomy.domain.kind is (Kind.NUMBER if name == "age" else Kind.CATEGORY)


@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_finds_the_separator(tmp_path: Path, mark: str) -> None:
    taxonomy = build(tmp_path, EDUCATION.replace(";", mark), "9th")
    assert taxonomy.height == 3


def test_a_comma_within_values_is_no_separator_of_a_file_with_semicolons(tmp_path: Path) -> None:
    taxonomy = build(tmp_path, "cook, senior;kitchen\nwaiter;service, front\n", "waiter")
    assert taxonomy.levels[1].labels == ("kitchen", "service, front")


def test_the_separator_can_be_given(tmp_path: Path) -> None:
    taxonomy = build(tmp_path, "a;b|X\nc|Y\n", "c", separator="|")
    assert taxonomy.domain.values.tolist() == ["a;b", "c"]


def test_reads_quoted_cells_byte_order_marks_and_any_line_end(tmp_path: Path) -> None:
    text = '"cook; ""old""";kitchen\r\nwäiter;"front\nof house"\r\n\r\n'
    for encoding in ("utf-8-sig", "utf-8", "utf-16"):
        taxonomy = build(tmp_path, text.encode(encoding), "wäiter")
        assert taxonomy.domain.values.tolist() == ['cook; "old"', "wäiter"]
        assert taxonomy.levels[1].labels == ("kitchen", "front\nof house")


def test_a_file_of_values_alone_is_flat(tmp_path: Path) -> None:
    assert levels(build(tmp_path, "b\na\n", "a")) == [["b", "a"], ["*", "*"]]


def test_a_label_that_all_rows_end_with_is_the_root(tmp_path: Path) -> None:
    taxonomy = build(tmp_path, "a;X;Any\nb;Y;Any\n", "a", None)
    assert (taxonomy.root, taxonomy.height) == ("Any", 2)
    assert write_level(taxonomy, 2, upto(3)).tolist() == ["Any", "Any", "Any"]


def test_a_star_is_put_on_top_where_there_is_none(tmp_path: Path) -> None:
    taxonomy = build(tmp_path, "a;X\nb;Y\n", "a")
    assert (taxonomy.root, taxonomy.height) == ("*", 2)


def test_the_same_row_may_be_listed_twice(tmp_path: Path) -> None:
    assert build(tmp_path, "a;X\nb;Y\na;X\n", "a").n == 2


def test_all_listed_values_belong_to_the_domain_and_missing_ones_come_last(tmp_path: Path) -> None:
    taxonomy = build(tmp_path, EDUCATION, "9th", None)
    assert (taxonomy.n, taxonomy.domain.missing) == (5, 4)


def test_numbers_keep_their_order_if_every_node_holds_neighbours(tmp_path: Path) -> None:
    taxonomy = build(tmp_path, "10;high\n2;low\n03;low\n1;low\n", 2, 3)
    assert taxonomy.domain.kind is Kind.NUMBER
    assert levels(taxonomy)[:2] == [["1", "2", "3", "10"], ["low", "low", "low", "high"]]


def test_numbers_whose_nodes_are_scattered_become_categories(tmp_path: Path) -> None:
    taxonomy = build(tmp_path, "1;odd\n2;even\n3;odd\n4.0;even\n", 4, 3, 1)
    assert taxonomy.domain.kind is Kind.CATEGORY
    assert levels(taxonomy)[:2] == [["1", "3", "2", "4"], ["odd", "odd", "even", "even"]]
    assert taxonomy.domain.find(observe("column", [4, 3, 1]).domain).tolist() == [0, 1, 3]


def test_dates_are_read_as_dates(tmp_path: Path) -> None:
    from datetime import date, datetime

    text = "2024-12-01;winter\n2024-06-01;summer\n"
    taxonomy = build(tmp_path, text, date(2024, 6, 1))
    assert taxonomy.levels[1].labels == ("summer", "winter")
    taxonomy = build(tmp_path, text + "2024-06-02T10:30:00;summer\n", datetime(2024, 6, 1))
    assert taxonomy.domain.text(1) == "2024-06-02T10:30:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cook;service;*\nnurse;ward;health;*\n", [["service", "ward"], ["service", "health"]]),
        ("cook;service\nnurse;ward;health;*\n", [["service", "ward"], ["service", "health"]]),
        ("cook;;service;*\nnurse;ward;health;*\n", [["cook", "ward"], ["service", "health"]]),
        ("cook;service;;\nnurse;ward;health;*\n", [["service", "ward"], ["service", "health"]]),
        ("cook\nnurse;ward;health\n", [["cook", "ward"], ["cook", "health"]]),
    ],
)
def test_a_gap_is_padded_with_the_label_to_its_left(
    tmp_path: Path, text: str, expected: list[list[str]]
) -> None:
    assert levels(build(tmp_path, text, "cook", pad=True))[1:3] == expected


@given(trees(), st.sampled_from(";,"))
def test_says_what_the_same_tree_says(case: tuple[Observed, Tree], mark: str) -> None:
    """Every level of the tree, written to a file, comes back."""
    observed, tree = case
    taxonomy = tree.build(observed)
    codes = upto(taxonomy.domain.n_present)
    if "" in taxonomy.domain.values.tolist() or not codes.size:
        return
    columns = [write_level(taxonomy, i, codes).tolist() for i in range(taxonomy.height + 1)]
    file = io.StringIO()
    csv.writer(file, delimiter=mark).writerows(zip(*columns, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.csv"
        path.write_text(file.getvalue(), encoding="utf-8", newline="")
        again = Csv(path, mark).build(observed)
    assert again.root == taxonomy.root
    assert levels(again) == columns


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the taxonomy of 'column' in .*tree.csv is empty"),
        ("\n;;\n", "is empty"),
        (
            "a;X\nb;Y\na;Y\n",
            r"the value 'a' of column 'column' stands in two branches of .*tree.csv: under 'X' "
            r"\(line 1\) and under 'Y' \(line 3\): keep one place",
        ),
        (
            "a;X\nb;X\nc;X\nd;X\ne;X\na;Y\nb;Y\nc;Y\nd;Y\ne;Y\n",
            "'a' .* two branches .*; so does 'b', 'c', 'd' and 1 more",
        ),
        (
            "a;X;P\nb;X;Q\n",
            r"the label 'X' on level 1 of column 'column' has two parents in .*tree.csv: "
            r"'P' \(line 1\) and 'Q' \(line 2\)",
        ),
        (
            "a;a\nb;a\nc;Y\n",
            r"the label 'a' of column 'column' stands for 1 values on level 0 \(line 1\) and for 2 "
            r"on level 1 \(line 1\) of .*tree.csv",
        ),
        ("a;X;Y\nb;Y;Y\nc;Z;Z\n", r"'Y' .* stands for 1 values on level 1 \(line 2\) and for 2"),
        (
            "a;*;X\nb;Y;X\nc;Z;Q\n",
            r"'\*' .* stands for 3 values on level 3 .* and for 1 on level 1",
        ),
        (
            "a;X;*\nb;*\nc;Y;*\n",
            "'b' of 'column' has 0 labels in .*tree.csv, line 2, and most .* 1",
        ),
        ("a;X;P\nb;Y\nc;Z;Q\n", "'b' of 'column' has 1 labels in .*, line 2, and most .* have 2"),
        ("name;level 1;level 2\na;X;*\nb;Y;*\n", "'name' of 'column' has 2 labels in .*, line 1"),
        ("a;;P\nb;Y;Q\n", "'a' of 'column' has an empty level 1 in .*tree.csv, line 1: fill it in"),
        ("a;;P\nb;;Q\n", "level 1 of 'column' is empty in .*tree.csv: remove the column"),
        ("a;X\n;Y\n", "line 2 of .*tree.csv has no value for 'column': remove it"),
        ('a;X\n"b;Y\n', "cannot read the taxonomy of 'column' in .*tree.csv from line 2 on"),
    ],
)
def test_refuses_a_file_that_is_no_tree(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TaxonomyError, match=message):
        build(tmp_path, text, None)


def test_refuses_a_value_that_is_not_listed(tmp_path: Path) -> None:
    with pytest.raises(TaxonomyError, match=r"no value '9ht' among 4 \(did you mean '9th'\?\) in"):
        build(tmp_path, EDUCATION, "9ht", "9th")


def test_names_a_few_values_that_are_not_listed_and_counts_the_rest(tmp_path: Path) -> None:
    message = "and column 'column' has it; it lacks 6 values in all: 'p', 'q', 'r' and 3 more"
    with pytest.raises(TaxonomyError, match=message):
        build(tmp_path, EDUCATION, *"pqrstu")


@pytest.mark.parametrize("text", ["age;*\n1;*\n", "1;X;*\nold;X;*\n2;Y;*\n"])
def test_refuses_text_in_the_taxonomy_of_numbers(tmp_path: Path, text: str) -> None:
    with pytest.raises(TaxonomyError, match=r"'(age|old)' in .*tree.csv \(line \d\) is no number"):
        build(tmp_path, text, 1)


def test_refuses_a_file_in_another_encoding(tmp_path: Path) -> None:
    with pytest.raises(
        TaxonomyError, match=r"is not written in UTF-8 \(line 2\): save it as UTF-8"
    ):
        build(tmp_path, "a;X\nwäiter;Y\n".encode("latin-1"), "a")


def test_refuses_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        TaxonomyError, match=r"cannot open the taxonomy of 'job', .*no.csv: No such"
    ):
        Csv(tmp_path / "no.csv").build(observe("job", ["a"]))


def test_refuses_a_separator_of_two_characters() -> None:
    with pytest.raises(ParameterError, match="separator must be a single character, got ';;'"):
        Csv("a.csv", separator=";;")
