"""What promises for one release say of several: the numbers, and what cannot be carried over."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.models import (
    AlphaKAnonymity,
    DistinctLDiversity,
    EntropyLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    KCAnonymity,
    TCloseness,
)
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.series.bounds import series_bounds


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ([KAnonymity(7)], (7, Fraction(1))),
        ([KCAnonymity(3, "0.4", sensitive="ill")], (3, Fraction(2, 5))),
        ([AlphaKAnonymity("1/3", 4, sensitive="ill")], (4, Fraction(1, 3))),
        ([FrequencyLDiversity("2.5", sensitive="ill")], (3, Fraction(2, 5))),
        ([KAnonymity(9), KCAnonymity(3, "0.4"), FrequencyLDiversity(2)], (9, Fraction(2, 5))),
        ([], (1, Fraction(1))),
    ],
    ids=["k", "kc", "alpha-k", "frequency-l", "strictest", "none"],
)
def test_reads_people_and_share(models: list[GroupModel], expected: tuple[int, Fraction]) -> None:
    assert series_bounds(models, "incremental") == expected


def test_a_share_of_one_column_says_nothing_of_another() -> None:
    models = [
        KCAnonymity(3, "0.4", sensitive="ill"),
        KCAnonymity(2, "0.8", sensitive="pay"),
        KAnonymity(4),
    ]
    assert series_bounds(models, "incremental", "ill") == (4, Fraction(2, 5))
    assert series_bounds(models, "incremental", "pay") == (4, Fraction(4, 5))
    assert series_bounds(models, "incremental", "job") == (4, Fraction(1))
    assert series_bounds(models, "incremental") == (4, Fraction(2, 5))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (KAnonymity(2, qid=("age",)), r"some of the .* columns only\. Promise k-anonymity\(k=2\) "),
        (
            AlphaKAnonymity(0.5, 2, values=["hiv"], sensitive="ill"),
            r'some of the values only.*\(alpha=0.5, k=2, sensitive="ill"\).*leave out values',
        ),
        (
            DistinctLDiversity(2, sensitive="ill"),
            r'not a bound on people .* Promise frequency-l-diversity\(l=2, sensitive="ill"\) '
            'instead, .* implies it: in a plan, write model = "frequency-l-diversity" in its place',
        ),
        (EntropyLDiversity("1.5"), r"Promise frequency-l-diversity\(l=1\.5\) instead"),
        (TCloseness(0.2), "not a bound on people .*Promise kc-anonymity"),
    ],
    ids=["qid", "values", "distinct", "entropy", "t-closeness"],
)
def test_refuses_what_cannot_be_carried_over(model: GroupModel, message: str) -> None:
    with pytest.raises(UnsupportedError, match=rf"incremental cannot hold .*{message}"):
        series_bounds([KAnonymity(2), model], "incremental")


@pytest.mark.parametrize(
    "model", [DistinctLDiversity(2, sensitive="s"), EntropyLDiversity("1.5", sensitive="s")]
)
@given(counts=st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_what_is_named_instead_implies_it(model: GroupModel, counts: list[int]) -> None:
    values = [value for value, n in zip("abcd", counts, strict=False) for _ in range(n)]
    table = as_table({"q": ["x"] * len(values), "s": values}, quasi="q", sensitive="s")
    with pytest.raises(UnsupportedError) as refused:
        series_bounds([model], "incremental")
    named = GroupModel.read(str(refused.value).split("Promise ")[1].split(" instead")[0])
    asked, kept = (one.judge(count(table, one.needs()).finest).all() for one in (model, named))
    assert asked or not kept
