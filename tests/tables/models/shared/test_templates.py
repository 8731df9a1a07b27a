"""Templates: what can be written is read, and written again the same way."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.tables.models.shared.templates import Template, read_names, read_share

NAMES = st.text(max_size=8) | st.sampled_from(["<=50K", "a -> b", 'say "x"', "≤", " a", "x\\"])


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("job, sex -> disease = HIV <= 0.1", (("job", "sex"), "disease", "HIV", "1/10")),
        ("->disease=HIV<=10%", ((), "disease", "HIV", "1/10")),
        ("job → disease = HIV ≤ 1/3", (("job",), "disease", "HIV", "1/3")),
        ('"a, b" -> s = "" <= 1', (("a, b",), "s", "", 1)),
        ('-> salary = "<=50K" <= 0', ((), "salary", "<=50K", 0)),
        (
            "marital status -> ill = heart disease <= 5 %",
            (("marital status",), "ill", "heart disease", "1/20"),
        ),
        ("in-patient -> s-1 = <5 <= 1e-3", (("in-patient",), "s-1", "<5", "1/1000")),
    ],
)
def test_a_template_is_read(text: str, template: tuple[tuple[str, ...], str, str, str]) -> None:
    assert Template.read(text) == Template(*template)


@given(
    st.lists(NAMES, max_size=3, unique=True), NAMES, NAMES, st.fractions(0, 1, max_denominator=99)
)
def test_what_is_written_is_read_back(qid: list[str], column: str, value: str, h: Fraction) -> None:
    template = Template(qid, column, value, h)
    assert Template.read(str(template)) == template


def test_is_written_without_quotes_where_none_are_needed() -> None:
    assert str(Template(["job"], "a b", "c-d", "1/3")) == "job -> a b = c-d <= 1/3"
    assert str(Template([], "s", "a, b", 0.25)) == '-> s = "a, b" <= 0.25'
    assert str(Template([], "s", "", 1)) == '-> s = "" <= 1'


def test_shares_are_numbers_fractions_and_percentages() -> None:
    assert read_share(" 33 % ") == Fraction(33, 100)
    assert read_share("1/3") == Fraction(1, 3)
    with pytest.raises(ParameterError, match="expected a number or a fraction like 2/3, got 'x'"):
        read_share("x%")


def test_names_are_separated_by_commas() -> None:
    assert read_names('job,"a, b" , c d') == ("job", "a, b", "c d")
    assert read_names("  ") == ()
    with pytest.raises(ParameterError, match="put a comma between the names of columns"):
        read_names("a,,b")
    with pytest.raises(ParameterError, match="put a comma between the names of columns"):
        read_names("a,")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("job disease = HIV <= 0.1", "cannot read the template .*: write it like: job, sex ->"),
        ("-> disease = HIV", "cannot read the template"),
        ("-> disease = HIV <= 0.1 <= 0.2", "cannot read the template"),
        ("job -> = HIV <= 0.1", "with double quotes around a name or value"),
        ("job -> a, b = HIV <= 0.1", "with double quotes around a name or value"),
        (", -> a = HIV <= 0.1", "with double quotes around a name or value"),
        ("a b, -> a = HIV <= 0.1", "put a comma between the names"),
        ('-> a = "HIV <= 0.1', "close the quotes"),
        (r'-> a = "\q" <= 0.1', "is no text .write a backslash twice."),
        ("-> a = b <= much", "expected a number"),
        ("-> a = b <= 1.1", "h must be at most 1, got 11/10"),
        ("-> a = b <= -1", "h must be at least 0, got -1"),
        ("q, q -> a = b <= 1", "'q' is named twice"),
    ],
)
def test_refuses_what_is_no_template(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Template.read(text)
