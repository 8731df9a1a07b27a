"""The main job in Python: what comes out, what is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.witness.models import groups
from unlinkable.errors import (
    DataError,
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnlinkableError,
)
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian, Optimal
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.taxonomies.builders import Flat, Intervals

PEOPLE: dict[str, list[str] | list[int]] = {
    "name": ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay"],
    "age": [30, 31, 33, 45, 46, 48],
    "job": ["cook", "clerk", "cook", "clerk", "cook", "clerk"],
    "ill": ["flu", "hiv", "flu", "cold", "flu", "hiv"],
}
ROLES = {"identifiers": "name", "quasi": ["age", "job"], "sensitive": "ill"}


def people(**more: object) -> object:
    return as_table(PEOPLE, **ROLES, taxonomies={"age": Intervals(5, 10, 20)}, **more)  # type: ignore[arg-type]


def test_identifiers_never_reach_a_release() -> None:
    release = anonymize(people(), privacy=KAnonymity(2))
    assert set(release.applied.frame.columns) == {"age", "job", "ill"}


def test_identifiers_become_pseudonyms_that_are_the_same_everywhere() -> None:
    key = bytes(range(32))
    treatment = {"name": Pseudonymization(treatment="pseudonym", prefix="P")}
    first = anonymize(people(), privacy=KAnonymity(2), identifiers=treatment, key=key)
    second = anonymize(
        people(),
        privacy=KAnonymity(3),
        method=Mondrian(),
        identifiers=treatment,
        key=key,
    )
    names = first.applied.frame["name"]
    assert names.to_list() == second.applied.frame["name"].to_list()
    assert names.n_unique() == 6
    assert not set(names) & set(map(str, PEOPLE["name"]))


def test_pandas_comes_back_as_pandas_with_index_and_untouched_columns() -> None:
    index = pd.Index([10, 20, 30, 40, 50, 60], name="row")
    frame = pd.DataFrame(PEOPLE, index=index)
    frame["ill"] = frame["ill"].astype("category")
    data = as_table(frame, **ROLES, taxonomies={"age": Intervals(5, 10, 20)})  # type: ignore[arg-type]
    out = anonymize(data, privacy=KAnonymity(2), suppression="0.4").frame
    assert isinstance(out, pd.DataFrame)
    assert out.index.name == "row"
    assert set(out.index) <= set(index)
    assert out["ill"].dtype == frame["ill"].dtype
    assert out["ill"].equals(frame.loc[out.index, "ill"])


def test_a_column_that_is_not_generalized_keeps_its_type() -> None:
    data = as_table(
        {"age": [30, 30, 40, 40], "x": [1.5, 2.5, 3.5, 4.5]}, quasi="age", insensitive="x"
    )
    frame = anonymize(data, privacy=KAnonymity(2)).applied.frame
    assert frame.schema["age"] == pl.Int64
    assert frame.schema["x"] == pl.Float64


def test_the_owner_column_is_counted_and_not_published() -> None:
    data = as_table(
        {"age": [30, 30, 30, 40, 40, 41], "who": ["a", "a", "b", "c", "c", "d"]},
        quasi="age",
        owner="who",
        taxonomies={"age": Intervals(10)},
    )
    release = anonymize(data, privacy=KAnonymity(2))
    assert release.applied.frame.columns == ["age"]
    # Level 0 would do for records, but three of them at 40 and 41 show only owner c at 40.
    assert release.applied.frame["age"].to_list() == ["[30-40)"] * 3 + ["[40-50)"] * 3
    records = as_table({"age": [30, 30, 30, 40, 40, 40]}, quasi="age")
    assert anonymize(records, privacy=KAnonymity(2)).applied.frame["age"].to_list()[0] == 30


@pytest.mark.parametrize("method", [Optimal(), Mondrian()], ids=str)
@settings(max_examples=25)
@given(random=tables(min_records=2), k=st.integers(2, 4))
def test_published_values_cover_the_originals(method: object, random: RandomTable, k: int) -> None:
    data = table_of(random)
    try:
        release = anonymize(data, privacy=KAnonymity(k), method=method, seed=0)  # type: ignore[call-overload]
    except InfeasibleError:
        owners = {row[random.owner] for row in random.rows} if random.owner else random.rows
        assert len(owners) < k
        return
    assert release.holds
    published = release.applied.frame.select(random.qid).to_dicts()
    counted = groups(published, random.qid)
    owner = [row[random.owner] for row in random.rows] if random.owner else range(len(published))
    if release.applied.rows is None:
        people_by_group: dict[object, set[object]] = {}
        for row, who in zip(published, owner, strict=True):
            people_by_group.setdefault(tuple(row.values()), set()).add(who)
        assert min(len(s) for s in people_by_group.values()) >= k
        assert len(people_by_group) == len(counted)


def test_the_same_seed_gives_the_same_release() -> None:
    first = anonymize(people(), privacy=KAnonymity(2), seed=5)
    second = anonymize(people(), privacy=KAnonymity(2), seed=5)
    assert first.applied.frame.equals(second.applied.frame)


def test_a_promise_without_a_column_is_meant_for_all_sensitive_columns() -> None:
    data = as_table(
        {"a": [1, 1], "s": ["x", "y"], "t": ["x", "x"]}, quasi="a", sensitive=["s", "t"]
    )
    with pytest.raises(InfeasibleError, match='sensitive="t"'):
        anonymize(data, privacy=DistinctLDiversity(2))


def test_fewer_than_k_records_are_refused_with_a_remedy() -> None:
    with pytest.raises(
        InfeasibleError, match=r"needs at least 7 records, and the table has 6.*at most 6"
    ):
        anonymize(people(), privacy=KAnonymity(7))


def test_a_table_without_records_is_refused() -> None:
    with pytest.raises(InfeasibleError, match="no records"):
        anonymize(as_table({"a": []}, quasi="a"), privacy=KAnonymity(2))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"privacy": []}, ParameterError, "nothing is promised"),
        ({"privacy": KAnonymity(2), "suppression": 1}, ParameterError, r"must lie in \[0, 1\)"),
        ({"privacy": KAnonymity(2), "suppression": -0.1}, ParameterError, r"must lie in \[0, 1\)"),
        (
            {"privacy": KAnonymity(2), "identifiers": {"nam": Pseudonymization()}},
            SchemaError,
            "did you mean 'name'",
        ),
        ({"privacy": DistinctLDiversity(2, sensitive="il")}, SchemaError, "did you mean 'ill'"),
        ({"privacy": KAnonymity(2, qid="aeg")}, SchemaError, "did you mean 'age'"),
    ],
)
def test_wrong_use_is_refused(
    arguments: dict[str, object], error: type[UnlinkableError], message: str
) -> None:
    with pytest.raises(error, match=message):
        anonymize(people(), **arguments)  # type: ignore[call-overload]


def test_the_text_that_stands_for_nothing_cannot_be_a_value() -> None:
    data = as_table({"a": ["*", "x", "x"]}, quasi="a", taxonomies={"a": Flat()})
    with pytest.raises(DataError, match="rename it"):
        anonymize(data, privacy=KAnonymity(2))


def test_weights_are_published_and_weigh_the_loss() -> None:
    columns = {"age": [30, 30, 30, 41], "w": [1.0, 1.0, 1.0, 97.0]}
    weighted = as_table(columns, quasi="age", weight="w", taxonomies={"age": Flat()})
    release = anonymize(weighted, privacy=KAnonymity(2), suppression="0.25")
    # Leaving out the one record that stands for 97 people costs more than showing nothing.
    assert release.n_suppressed == 0
    assert release.applied.frame["w"].to_list() == columns["w"]
    assert np.isclose(release.measure(), 0.5)
    unweighted = as_table({"age": columns["age"]}, quasi="age", taxonomies={"age": Flat()})
    assert anonymize(unweighted, privacy=KAnonymity(2), suppression="0.25").n_suppressed == 1


def test_importance_decides_which_column_is_kept() -> None:
    columns = {"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]}
    for kept, lost in (("a", "b"), ("b", "a")):
        data = as_table(columns, quasi=["a", "b"], importance={kept: 10})
        losses = anonymize(data, privacy=KAnonymity(2)).loss_by_attribute()
        assert losses[kept] == 0
        assert losses[lost] == Fraction(1, 2)
