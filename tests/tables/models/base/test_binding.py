"""Binding promises to a table: the values that they list are those of the table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

import pytest

import unlinkable as ul
from unlinkable.errors import ParameterError
from unlinkable.registry.lookup import make
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.models.base import BindingContext, GroupModel, bind_all

ILL = ["flu", "hiv", "cold", "flu"] * 2
PRIOR = {
    "us": {
        "sex": ["f"] * 3 + ["m"] * 3,
        "value": ["hiv", "flu", "cold"] * 2,
        "p": [0.25, 0.5, 0.25] * 2,
    }
}

ABOUT_VALUES = [
    'alpha-k-anonymity(alpha=0.5, k=2, values=["{}"])',
    'alpha-k-anonymity(alpha=0.5, k=2, sensitive="ill", values=["flu", "{}"])',
    'confidence-bounding(templates=["sex -> ill = {} <= 0.5"])',
    'delta-bounding(r=2, prior=["us"], values=["{}"])',
    'ff-anonymity(h=0.5, sensitive=["ill={}"])',
    'lkc-privacy(l=1, k=2, c=0.5, values=["{}"])',
    'm-confidentiality(m=2, h=0.5, values=["{}"])',
    'r-robustness(r=2, prior=["us"], values=["{}"])',
    'skyline-privacy(points=[[0, 0, 0, 0.6]], value="{}")',
    'xy-linkability(h=0.5, y=["ill"], values=["{}"])',
    'xy-privacy(k=2, h=0.5, y=["ill"], values=["{}"])',
]
"""One for every model that takes values of a column."""


def ward(**columns: Sequence[object]) -> Table:
    told: dict[str, Sequence[object]] = {"sex": ["f"] * 4 + ["m"] * 4, **(columns or {"ill": ILL})}
    return as_table(told, quasi="sex", sensitive=list(told)[1:])


def bound(model: GroupModel, table: Table) -> tuple[GroupModel, ...]:
    return bind_all([model], BindingContext.at(table, Side.of(PRIOR)))


@pytest.mark.parametrize("written", ABOUT_VALUES)
def test_a_value_that_is_misspelt_is_refused_by_anonymize(written: str) -> None:
    with pytest.raises(ParameterError, match=r"no value 'hvi' among 3 \(did you mean 'hiv'\?\)"):
        ul.anonymize(ward(), privacy=make("model", written.format("hvi")), side=PRIOR)


@pytest.mark.parametrize("written", ABOUT_VALUES)
def test_check_warns_of_a_value_that_nobody_has(written: str) -> None:
    with pytest.warns(UserWarning, match=r"no value 'hvi' among 3 \(did you mean 'hiv'\?\)"):
        ul.check(ward(), make("model", written.format("hvi")), side=PRIOR)


@pytest.mark.parametrize("written", ABOUT_VALUES)
def test_a_value_that_somebody_has_is_taken(written: str) -> None:
    assert len(bound(make("model", written.format("hiv")), ward())) == 1


def test_every_model_that_lists_values_is_tried() -> None:
    from unlinkable.registry.lookup import entries

    listing = {e.name for e in entries("model") for p in e.parameters if p.name[:5] == "value"}
    tried = {written.partition("(")[0] for written in ABOUT_VALUES}
    assert listing - tried == {"privacy-maxent"}  # It is tried below, with what it needs.


def test_statements_about_a_misspelt_value_are_refused() -> None:
    known = {"known": {"sex": ["f"], "value": ["flu"], "p": [0.5]}}
    promise = make("model", 'privacy-maxent(p=0.9, constraints="known", values=["hvi"])')
    with pytest.raises(ParameterError, match="did you mean 'hiv'"):
        ul.anonymize(ward(), privacy=promise, side=known)


def test_a_value_that_only_the_taxonomy_has_is_known() -> None:
    tree = ul.Tree({"viral": ["flu", "hiv", "sars"], "other": ["cold"]})
    table = as_table(
        {"sex": ["f"] * 8, "ill": ILL}, quasi="sex", sensitive="ill", taxonomies={"ill": tree}
    )
    assert bound(ul.AlphaKAnonymity(0.5, 2, values="sars"), table)
    with pytest.raises(ParameterError, match="'viral' is a node of the taxonomy of 'ill'"):
        bound(ul.AlphaKAnonymity(0.5, 2, values="viral"), table)


def test_a_promise_that_leaves_its_column_open_may_list_values_of_any() -> None:
    table = ward(ill=ILL, pay=["low", "high"] * 4)
    models = bound(ul.AlphaKAnonymity(0.5, 2, values=["hiv", "high"]), table)
    assert [model.sensitive for model in models] == ["ill", "pay"]  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match="no value 'high' among 3"):
        bound(ul.AlphaKAnonymity(0.5, 2, sensitive="ill", values=["hiv", "high"]), table)


def test_the_missing_value_can_always_be_listed() -> None:
    assert bound(ul.AlphaKAnonymity(0.5, 2, values=""), ward())


@pytest.mark.parametrize(
    ("values", "given", "text"),
    [
        ([1, 2, 3, 4] * 2, "1.0", "1"),
        ([1, 2, 3, 4] * 2, 1, "1"),
        ([1, 2, 3, 4] * 2, 1.0, "1"),
        ([1.0, 2.5, 3.0, 4.0] * 2, "1", "1"),
        ([1.0, 2.5, 3.0, 4.0] * 2, "2.50", "2.5"),
        ([True, False] * 4, True, "true"),
        (["1", "2"] * 4, 1, "1"),
        ([date(2024, 3, 1), date(2024, 3, 2)] * 4, date(2024, 3, 1), "2024-03-01"),
        ([date(2024, 3, 1), date(2024, 3, 2)] * 4, "2024-03-01T00:00:00", "2024-03-01"),
        ([datetime(2024, 3, 1, 7, 30), datetime(2024, 3, 2)] * 4, "2024-03-01 07:30",
         "2024-03-01T07:30:00"),
    ],
)  # fmt: skip
def test_numbers_and_dates_are_known_however_they_are_written(
    values: list[object], given: object, text: str
) -> None:
    table = ward(n=values)
    (model,) = bound(ul.AlphaKAnonymity(0.5, 2, values=[given]), table)  # type: ignore[list-item]
    assert model.values == (text,)  # type: ignore[attr-defined]
    release = ul.anonymize(table, privacy=ul.AlphaKAnonymity(0.5, 2, values=[given]))  # type: ignore[list-item]
    assert release.finding.verdicts[0].achieved["alpha"] in (0.25, 0.5)


@pytest.mark.parametrize("text", ["5", "1.5", "abc", "1e999999999", "nan", "1/0"])
def test_numbers_that_nobody_has_are_not_known(text: str) -> None:
    with pytest.raises(ParameterError, match=f"no value '{text}' among 4"):
        bound(ul.AlphaKAnonymity(0.5, 2, values=text), ward(n=[1, 2, 3, 4] * 2))


def test_what_is_no_value_is_refused() -> None:
    with pytest.raises(ParameterError, match="values must be given by their texts, got an object"):
        ul.AlphaKAnonymity(0.5, 2, values=[object()])  # type: ignore[list-item]


def test_written_forms_take_numbers_without_quotation_marks() -> None:
    assert str(make("model", "lkc-privacy(l=1, k=2, c=0.5, values=[1, 2.0, hiv])")).endswith(
        'values=["1", "2", "hiv"])'
    )
