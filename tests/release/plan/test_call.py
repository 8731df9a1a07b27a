"""Calls: a name and its parameters, in a table or in written form."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError
from unlinkable.release.plan.call import Call
from unlinkable.tables.models import KAnonymity


def test_a_table_and_a_written_form_are_the_same() -> None:
    table = Call.read("model", "model", {"model": "k-anonymity", "k": 5, "qid": ["age"]})
    assert table == Call.read("model", "model", 'k-anonymity(k=5, qid="age")')
    assert table.make() == KAnonymity(5, qid="age")
    assert str(table) == 'k-anonymity(k=5, qid=["age"])'
    assert table.to_plain("model") == {"model": "k-anonymity", "k": 5, "qid": ["age"]}


def test_what_is_at_its_default_is_not_kept() -> None:
    call = Call.read("metric", "metric", "average-class-size(k=1)")
    assert call.to_plain("metric") == {"metric": "average-class-size"}


def test_a_parameter_that_is_none_goes_into_the_written_form() -> None:
    call = Call("model", "k-anonymity", {"k": 5, "qid": None})
    assert call.to_plain("model") == {"model": "k-anonymity(k=5)"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (5, r"must be a table with a key 'model', or text like k-anonymity\(k=5\)"),
        ({"k": 5}, r'key \'model\' is missing: write model = "k-anonymity\(k=5\)"'),
        ({"model": 5}, "key 'model' is missing"),
        ({"model": "k-anonymity(k=2)", "k": 5}, "k-anonymity: 'k' is given twice"),
        ({"model": "k-anonymity", "l": 5}, "k-anonymity: no parameter 'l'"),
        ({"model": "k-anonymity", 5: 5}, "k-anonymity: no parameter '5'"),
        ({"model": "k anonymity"}, "cannot read 'k anonymity'"),
    ],
)
def test_what_means_nothing_is_refused(value: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Call.read("model", "model", value)
