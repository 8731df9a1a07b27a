"""What a plan cannot mean is refused, with the place."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.publishing.written_plans import DESIGNED, document, documents, names, plan, saved
from unlinkable.errors import PlanError
from unlinkable.tables.publishing.plans.plan import Plan


def test_a_plan_without_a_promise_promises_nothing() -> None:
    with pytest.raises(PlanError, match=r"the plan: nothing is promised: write \[\[privacy\]\]"):
        plan().models()


QUASI = {"role": "quasi-identifier"}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"privcy": []}, r"no table 'privcy' among 8 \(did you mean 'privacy'\?\)"),
        ({"data": {}}, r"\[data\]: key 'source' is missing: name the file"),
        ({"data": {"source": ""}}, r"\[data\] source: must not be empty"),
        ({"data": {"sorce": "a"}}, r"\[data\]: no key 'sorce' among \d+ \(did you mean 'source'"),
        ({"data": "a.csv"}, r"\[data\]: must be a table, got 'a.csv'"),
        ({"data": {"source": 5}}, r"\[data\] source: must be text, got 5"),
        ({"data": {"source": "a", "header": 1}}, r"\[data\] header: must be true or false, got 1"),
        ({"data": {"source": "a", "missing": "NA"}}, r"\[data\] missing: must be a list, got 'NA'"),
        ({"data": {"source": "a", "missing": [1]}}, r"missing number 1: must be text, got 1"),
        ({"data": {"source": "a", "sheet": 1.5}}, "sheet: must be the name of a sheet or its"),
        ({"data": {"source": "a", "separator": ";;"}}, r"\[data\] separator must be one character"),
        ({"data": {"source": "a", "types": {"z": "txt"}}}, r"no type 'txt' .*did you mean 'text'"),
        ({"data": {"source": "a", "others": "keep"}}, r"others: no way with other columns 'keep'"),
        ({"columns": []}, r"\[columns\]: must be a table"),
        ({"columns": {"age": {}}}, r"\[columns\.age\]: key 'role' is missing: write one of ident"),
        ({"columns": {"age": "quasi"}}, r"\[columns\.age\]: must be a table, got 'quasi'"),
        (
            {"columns": {"age": {"role": "quasi-identifer"}}},
            r"\[columns\.age\] role: no role .* among 8 \(did you mean 'quasi-identifier'",
        ),
        ({"columns": {"age": {"role": 5}}}, "role: no role '5' among 8"),
        ({"columns": {"age": {**QUASI, "wieght": 2}}}, r"'wieght' .*did you mean 'weight'"),
        ({"columns": {"age": {**QUASI, "weight": 0}}}, r"weight: must be greater than 0"),
        ({"columns": {"age": {**QUASI, "weight": "2"}}}, r"weight: must be a number, got '2'"),
        ({"columns": {"age": {**QUASI, "weight": float("inf")}}}, "weight: must be a finite num"),
        (
            {"columns": {"a": {"role": "target", "taxonomy": {"flat": True}}}},
            r"\[columns\.a\]: a taxonomy has no effect on a column that is target",
        ),
        ({"columns": {"a": {"role": "target", "weight": 2}}}, "on quasi-identifiers alone"),
        (
            {"columns": {"age": {**QUASI, "taxonomy": {"masks": 5}}}},
            r"\[columns\.age\] taxonomy: a taxonomy is made by one of",
        ),
        ({"columns": {"age": {**QUASI, "taxonomy": "flat"}}}, "taxonomy: must be a table"),
        ({"columns": {"a": {"role": "owner"}, "b": {"role": "owner"}}}, "there can be one owner"),
        ({"columns": {"a": {**QUASI, "treatment": "drop"}}}, "'treatment' is for identifiers al"),
        (
            {"columns": {"a": {"role": "identifier", "treatment": "hash"}}},
            "no treatment 'hash' among 3",
        ),
        (
            {"columns": {"a": {"role": "identifier", "keep_left": 1}}},
            "'keep_left' has an effect with treatment = 'mask' alone",
        ),
        (
            {"columns": {"a": {"role": "identifier", "treatment": "mask", "keep_left": -1}}},
            r"\[columns\.a\] pseudonymization: keep_left must be at least 0, got -1",
        ),
        (
            {"columns": {"a": {"role": "identifier", "treatment": "pseudonym"}}},
            r"column 'a' is to get pseudonyms, which need a key: write \[pseudonyms\]",
        ),
        ({"privacy": {"model": "k-anonymity"}}, r"\[privacy\]: write \[\[privacy\]\], in double"),
        ({"privacy": [5]}, r"\[\[privacy\]\] number 1: must be a table with a key 'model'"),
        ({"privacy": [{"k": 5}]}, r"number 1: key 'model' is missing: write model = \"k-anon"),
        (
            {"privacy": ["k-anonymity(k=2)", {"model": "k-anonymty", "k": 5}]},
            r"\[\[privacy\]\] number 2: no model 'k-anonymty' among \d+ \(did you mean",
        ),
        ({"privacy": [{"model": "k-anonymity"}]}, "k-anonymity needs a value for 'k'"),
        ({"privacy": [{"model": "k-anonymity", "k": "5"}]}, "k must be a whole number, got '5'"),
        ({"privacy": [{"model": "k-anonymity(k=2)", "k": 5}]}, "k-anonymity: 'k' is given twice"),
        ({"method": {"name": "mondrain"}}, r"\[method\]: no method 'mondrain' .*'mondrian'"),
        ({"method": {"name": "mondrian", "strickt": 1}}, "no parameter 'strickt'"),
        ({"method": {"suppression": 1}}, r"\[method\]: suppression must lie in \[0, 1\), got 1"),
        ({"method": {"suppression": "5%"}}, r"\[method\] suppression: expected a number"),
        ({"method": "mondrian"}, r"\[method\]: must be a table, got 'mondrian'"),
        ({"utility": {"metric": "loss"}}, r"\[utility\]: no metric 'loss'"),
        ({"utility": {"metrics": "iloss"}}, r"\[utility\] metrics: must be a list"),
        ({"utility": {"metrics": ["iloss", "x"]}}, r"\[utility\] metrics number 2: no metric 'x'"),
        ({"release": {"format": "xlsx"}}, r"\[release\] format: no format 'xlsx' among 2"),
        ({"release": {"seed": -1}}, r"\[release\] seed: must be at least 0, got -1"),
        ({"release": {"sign": True}}, r"\[release\] sign: must be text, got True"),
    ],
)
def test_what_a_plan_cannot_mean_is_refused_with_the_place(
    tables: dict[str, object], message: str
) -> None:
    with pytest.raises(PlanError, match=f"^the plan: .*{message}"):
        plan(**tables)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(PlanError) as caught:
        plan(data={"source": 5}, columns={"a": {"role": "x"}}, privacy=["k-anonymity"])
    assert len(str(caught.value).splitlines()) == 3


def test_messages_name_the_file(tmp_path: Path) -> None:
    file = saved(tmp_path, DESIGNED.replace('role = "sensitive"', 'rolle = "sensitive"'))
    with pytest.raises(PlanError, match=r"plan\.toml: \[columns\.occupation\]: no key 'rolle'"):
        Plan.load(file)


@pytest.mark.parametrize("table", ["data", "columns"])
def test_a_plan_needs_data_and_columns(table: str) -> None:
    told = document()
    del told[table]
    with pytest.raises(PlanError, match=rf"the plan: table '{table}' is missing: write \[{table}"):
        Plan.from_dict(told)


def test_something_else_is_no_plan() -> None:
    with pytest.raises(PlanError, match="the plan: must be a table, got 5"):
        Plan.from_dict(5)  # type: ignore[arg-type]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.dates()
    | st.sampled_from(["k-anonymity", "mondrian", "quasi-identifier", "iloss", "identifier"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


@given(told=documents, data=st.data())
def test_whatever_stands_in_a_plan_it_is_read_or_refused(
    told: dict[str, Any], data: st.DataObject
) -> None:
    told = deepcopy(told)
    place: Any = told
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        place = inner
    if isinstance(place, dict) and data.draw(st.booleans()):
        key = data.draw(st.text(max_size=5) | st.sampled_from(["role", "model", "k", "taxonomy"]))
    place[key] = data.draw(values)
    try:
        made = Plan.from_dict(told)
    except PlanError as error:
        assert str(error).startswith("the plan: ")  # noqa: PT017
        return
    assert Plan.from_dict(tomllib.loads(made.to_toml())) == made


@given(told=values)
def test_any_value_is_no_plan(told: Any) -> None:
    with pytest.raises(PlanError, match="the plan: "):
        Plan.from_dict(told)
