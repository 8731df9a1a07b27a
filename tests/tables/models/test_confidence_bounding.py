"""Confidence bounding: the book's template, the definition, files, several sensitive columns."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import groups_of
from tests.tables.models.counting import case_groups, counted, seen_by
from tests.witness import models
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.registry.lookup import make
from unlinkable.tables.data.side import Side
from unlinkable.tables.models import ConfidenceBounding, XYLinkability
from unlinkable.tables.models.base import BindingContext, Merging
from unlinkable.tables.models.shared.templates import Template

CONTEXT = BindingContext(quasi=("job", "sex"), sensitive=("ill", "pay"))


def test_table_2_4_breaks_the_template_of_section_2_2_2() -> None:
    case = cases.load("book-ch02-confidence-bounding-table2.4")
    given, expected = case["input"], case["expected"]
    (asked,) = given["templates"]
    template = Template(asked["qid"], asked["sensitive_attribute"], asked["value"], asked["h"])
    promise = ConfidenceBounding(template)
    groups = case_groups(given["table"], asked["qid"], promise)
    verdict = promise.verdict(groups)
    assert verdict.holds is expected["satisfied"]
    assert verdict.achieved == {"h": expected["Conf(QID->HIV)"]}
    assert int((~verdict.good).sum()) == len(expected["violating_groups"])
    shares = [group["conf_HIV"] for group in expected["conf_per_group"]]
    assert sorted(promise.level(groups)) == pytest.approx(sorted(shares))
    for h, holds in expected["satisfied_at_h"].items():
        assert ConfidenceBounding(f"-> Disease = HIV <= {h}").holds(groups) is holds


def test_example_5_1_keeps_its_template_only_when_jobs_are_generalized() -> None:
    case = cases.load("book-ch05-ex5.1-minimality-attack")
    given, asked = case["input"], case["input"]["requirement"]
    promise = ConfidenceBounding(Template(asked["qid"], "Disease", asked["value"], asked["h"]))
    before = case_groups(given["original"], asked["qid"], promise)
    after = case_groups(given["published"], asked["qid"], promise)
    assert not promise.holds(before)
    assert promise.verdict(after).level == case["expected"]["published_conf_HIV"]
    assert promise.holds(after)


@given(tables(), st.fractions(0, 1, max_denominator=12), st.data())
def test_says_what_the_definition_says(
    random: RandomTable, h: Fraction, data: st.DataObject
) -> None:
    qid = data.draw(st.lists(st.sampled_from(random.qid), unique=True))
    column = data.draw(st.sampled_from(random.sensitive))
    value = data.draw(st.sampled_from(["", *(f"{column}{i}" for i in range(6))]))
    promise = ConfidenceBounding(Template(qid, column, value, h))
    verdict = promise.verdict(seen_by(random, promise))
    conf = [
        Fraction(sum((row[column] or "") == value for row in group), len(group))
        for group in models.groups(random.rows, qid or random.qid).values()
    ]
    assert verdict.holds is all(share <= h for share in conf)
    assert verdict.level == pytest.approx(max(map(float, conf), default=None))


def test_every_template_becomes_a_promise_of_its_own() -> None:
    promise = ConfidenceBounding(
        ["job -> ill = HIV <= 10%", "-> pay = low <= 1/3", "job->ill=HIV<=0.1"]
    )
    one, other = promise.bind(CONTEXT)
    assert one == ConfidenceBounding("job -> ill = HIV <= 0.1")
    assert other == ConfidenceBounding("-> pay = low <= 1/3")
    assert (one.h, other.h) == (Fraction(1, 10), Fraction(1, 3))
    assert (one.local, other.local) == (False, True)
    assert one.knows(CONTEXT.quasi).columns == ("job",)
    assert other.knows(CONTEXT.quasi).columns == CONTEXT.quasi
    assert one.needs() == {("ill",)}
    assert other.needs() == {("pay",)}
    assert one.merging is Merging.SAFE


def test_templates_come_from_a_table_beside_the_records() -> None:
    rows = {
        "qid": ["job, sex", None, '"job"'],
        "column": ["ill", "ill", "pay"],
        "value": ["HIV", None, "low"],
        "h": ["10%", "1/2", "0.25"],
    }
    promise = ConfidenceBounding("job -> ill = flu <= 0.9", file="templates.csv")
    assert promise.sources == ("templates.csv",)
    assert promise.bind(
        BindingContext(CONTEXT.quasi, CONTEXT.sensitive, side=Side.of({"templates.csv": rows}))
    ) == (
        ConfidenceBounding("job -> ill = flu <= 0.9"),
        ConfidenceBounding("job, sex -> ill = HIV <= 0.1"),
        ConfidenceBounding('-> ill = "" <= 0.5'),
        ConfidenceBounding("job -> pay = low <= 0.25"),
    )


def test_a_file_with_numbers_is_read_by_check(tmp_path: Path) -> None:
    file = tmp_path / "templates.csv"
    file.write_text('qid,column,value,h\njob,ill,HIV,0.5\n"job,sex",ill,HIV,0.4\n')
    people = ul.as_table(
        {"job": ["cook", "cook"], "sex": ["f", "m"], "ill": ["HIV", "flu"]},
        quasi=["job", "sex"],
        sensitive="ill",
    )
    finding = ul.check(people, ConfidenceBounding(file=str(file)))
    assert [verdict.holds for verdict in finding.verdicts] == [True, False]
    assert [verdict.seen_on for verdict in finding.verdicts] == [("job",), ("job", "sex")]


def test_a_search_keeps_templates_of_different_adversaries() -> None:
    people = ul.as_table(
        {
            "job": ["cook", "cook", "clerk", "clerk"],
            "sex": ["f", "m", "f", "m"],
            "ill": ["HIV", "flu", "HIV", "flu"],
        },
        quasi=["job", "sex"],
        sensitive="ill",
    )
    promise = ConfidenceBounding(["job -> ill = HIV <= 0.5", "sex -> ill = HIV <= 0.5"])
    release = ul.anonymize(people, privacy=promise)
    assert release.holds
    assert release.frame == {
        "job": ["cook", "cook", "clerk", "clerk"],
        "sex": ["*"] * 4,
        "ill": ["HIV", "flu", "HIV", "flu"],
    }


def test_what_is_written_is_read_back_from_a_plan() -> None:
    promise = ConfidenceBounding(['"a, b" -> s = "x ""y""" <= 1/3'.replace('""', r"\"")])
    assert make("model", str(promise)) == promise
    assert hash(make("model", str(promise))) == hash(promise)
    assert str(ConfidenceBounding("job->s=a<=0.1", file="t.csv")) == (
        'confidence-bounding(templates=["job -> s = a <= 0.1"], file="t.csv")'
    )
    assert make("model", 'confidence-bounding(templates="-> s = a <= 0.1")') == (
        ConfidenceBounding("-> s = a <= 0.1")
    )


def test_a_value_that_no_record_has_is_within_every_bound() -> None:
    rows: list[dict[str, Hashable]] = [{"q": 1, "ill": "HIV"}]
    promise = ConfidenceBounding("-> ill = HVI <= 0")
    verdict = promise.verdict(counted(rows, ["q"], promise))
    assert verdict.holds
    assert verdict.why.endswith("no value 'HVI' among 1 (did you mean 'HIV'?) in 'ill'")


def test_bounds_on_one_value_imply_nothing_else_and_are_covered() -> None:
    promise = ConfidenceBounding("job, sex -> ill = HIV <= 0.1")
    assert promise.consequences() == ()
    assert promise.covers(ConfidenceBounding("job -> ill = HIV <= 0.2"))
    assert not promise.covers(ConfidenceBounding("-> ill = HIV <= 0.2"))
    assert not promise.covers(ConfidenceBounding("job -> ill = flu <= 0.2"))
    assert XYLinkability(0.1, y="ill").covers(promise)


def test_asks_for_less_by_a_twentieth() -> None:
    promise = ConfidenceBounding("job -> ill = HIV <= 0.1")
    assert promise.weaker() == ConfidenceBounding("job -> ill = HIV <= 0.15")
    assert ConfidenceBounding("job -> ill = HIV <= 0.97").weaker() is None


def test_refuses_templates_that_do_not_fit_the_table() -> None:
    with pytest.raises(SchemaError, match=r"no quasi-identifier 'jobs' among 2 .did you mean"):
        ConfidenceBounding("jobs -> ill = HIV <= 0.1").bind(CONTEXT)
    with pytest.raises(SchemaError, match=r"no sensitive column 'sex' among 2 .* for the template"):
        ConfidenceBounding("job -> sex = f <= 0.1").bind(CONTEXT)


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="nothing is bounded: give templates like"):
        ConfidenceBounding()
    with pytest.raises(ParameterError, match="cannot read the template"):
        ConfidenceBounding("HIV <= 0.1")
    several = ConfidenceBounding(["-> s = a <= 0.1", "-> s = b <= 0.1"])
    with pytest.raises(SchemaError, match="has several templates, each a promise of its own"):
        several.judge(groups_of([[1]]))
    with pytest.raises(SchemaError, match="has several templates"):
        ConfidenceBounding("-> s = a <= 0.1", file="t.csv").judge(groups_of([[1]]))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"qid": "a,,b", "column": "ill", "value": "x", "h": "0.1"}, "row 1 of 't': cannot read"),
        ({"qid": "job", "column": None, "value": "x", "h": "0.1"}, "row 1 of 't' has no column or"),
        ({"qid": "job", "column": "ill", "value": "x", "h": None}, "row 1 of 't' has no column or"),
        (
            {"qid": "job", "column": "ill", "value": "x", "h": "2"},
            "row 1 of 't': h must be",
        ),
    ],
)
def test_refuses_rows_that_are_no_templates(row: dict[str, str | None], message: str) -> None:
    side = Side.of({"t": {name: [cell] for name, cell in row.items()}})
    with pytest.raises(ParameterError, match=message):
        ConfidenceBounding(file="t").bind(BindingContext(("job",), ("ill",), side=side))


def test_refuses_tables_that_are_missing_or_lack_a_column() -> None:
    with pytest.raises(DataError, match=r"no side table 'none\.csv'"):
        ConfidenceBounding(file="none.csv").bind(CONTEXT)
    side = Side.of({"t": {"qid": ["job"]}})
    with pytest.raises(SchemaError, match="no column 'column' among 1"):
        ConfidenceBounding(file="t").bind(BindingContext(("job",), ("ill",), side=side))
