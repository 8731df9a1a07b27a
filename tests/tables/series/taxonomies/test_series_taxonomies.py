"""Keeping taxonomies: which are kept, and what a series of releases shows then."""

from __future__ import annotations

from pathlib import Path

import pytest

import unlinkable as ul
from unlinkable.errors import DataError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.series.history import History
from unlinkable.tables.series.taxonomies.series_taxonomies import keep_taxonomies
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder

PROMISE = ul.KCAnonymity(2, "1/2")
JOBS = ["cook", "nurse", "baker", "writer"], ["lawyer", "dancer", "actor", "zoologist"]
ILLS = ["flu", "hiv", "cold"]


def table(n: int, **more: object) -> ul.Table:
    """Give people who come four at a time, the later ones with jobs between those of the first."""
    people = range(n)
    return ul.as_table(
        {
            "pid": [f"p{i}" for i in people],
            "age": [20 + 7 * i % 30 + i // 8 for i in people],
            "job": [JOBS[i // 8 > 0 and i % 2][i // 2 % 4] for i in people],
            "zip": [f"1305{(3 * i + i // 8) % 10}" for i in people],
            "ill": [ILLS[i % 3] for i in people],
        },
        identifiers="pid",
        quasi=["age", "job", "zip"],
        sensitive="ill",
        **more,  # type: ignore[arg-type]
    )


MADE: dict[str, dict[str, object]] = {
    "as they come": {},
    "automatically": {"taxonomies": {"age": ul.Auto(), "job": ul.Auto(), "zip": ul.Mask(5)}},
    "by what they hide": {"taxonomies": {"job": ul.Auto(by_hidden=True)}},
    "not at all": {"taxonomies": {"age": ul.Flat(), "job": ul.Flat(), "zip": ul.Flat()}},
}
POLICIES = {
    "incremental": {"privacy": PROMISE},
    "incremental(strategy=merge)": {"privacy": PROMISE, "metric": "iloss"},
    "continuous": {"privacy": PROMISE},
    "m-invariance(m=2)": {},
    "hd-composition(l=2, permanent=hiv)": {},
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("made", MADE)
def test_new_values_between_old_ones_are_published(policy: str, made: str, tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    for n in (8, 16, 24):
        found = history.publish(table(n, **MADE[made]), policy=policy, seed=0, **POLICIES[policy])  # type: ignore[arg-type]
        assert not any(outcome.succeeded for outcome in found.outcomes)
    series = history.series()
    assert len(series) == 3
    for name in series.quasi:
        before, _, last = (edition.target.taxonomies[name].domain for edition in series.editions)
        assert (last.find(before) >= 0).all()
    # All regions can be compared.
    assert all(len(lo) for lo, _ in series.boxes)


def edition(records: ul.Table) -> Edition:
    taxonomies = {name: records.taxonomy(name) for name in records.schema.quasi}
    return Edition(Target(records.frame, records.schema.quasi, (), taxonomies))


def column(values: list[object], **rule: TaxonomyBuilder) -> ul.Table:
    return ul.as_table({"v": values}, quasi="v", taxonomies={"v": rule["by"]} if rule else None)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (column([1, 5]), column([1, 3], by=ul.Intervals(2))),
        (column(["a", "c"], by=ul.Tree({"x": ["a", "c"], "y": ["d"]})), column(["a", "b"])),
        (column(["a", "c"]), column(["a", "b"], by=ul.Tree({"x": ["a", "b", "c"]}))),
        (column(["a", "c"]), column([1, 2])),
        (column([None, None]), column([1, 2])),
        (column([1, 5], by=ul.Mask(2)), column([1, 3], by=ul.Mask(2))),
        (column([1, 5]), column([1, 2**63])),
    ],
)
def test_rules_and_values_of_another_kind_say_themselves_what_they_are(
    before: ul.Table, now: ul.Table
) -> None:
    assert keep_taxonomies(now, [edition(before)]) is now


def test_the_last_release_that_has_a_column_counts() -> None:
    first, other = column(["b", "a"]), ul.as_table({"w": ["x"]}, quasi="w")
    second = keep_taxonomies(column(["c", "0"]), [edition(first)])
    kept = keep_taxonomies(column(["1"]), [edition(first), edition(second), edition(other)])
    assert kept.taxonomy("v").domain.values.tolist() == ["a", "b", "0", "c", "1"]
    assert keep_taxonomies(first, []) is first


def test_whole_numbers_and_decimals_go_on_as_decimals() -> None:
    kept = keep_taxonomies(column([2.5, 9]), [edition(column([1, 2, 3, 4]))])
    assert kept.taxonomy("v").domain.values.tolist() == [1, 2, 2.5, 3, 4, 9]


def test_a_set_that_cannot_be_kept_whole_is_refused(tmp_path: Path) -> None:
    """Both neighbours of the only text of a node were published in a set with it."""
    history = History(tmp_path / "history.db")
    rule = {"zip": ul.Mask(2)}

    def publish(zips: list[str]) -> None:
        ills = [ILLS[i % 3] for i in range(len(zips))]
        pid = [str(i) for i in range(len(zips))]
        people = {"pid": pid, "zip": zips, "ill": ills}
        records = ul.as_table(
            people, identifiers="pid", quasi="zip", sensitive="ill", taxonomies=rule
        )
        history.publish(records, privacy=PROMISE, policy="incremental(strategy=merge)")

    publish(["11", "21", "41", "41"])
    publish(["11", "21", "41", "41", "21", "31"])
    shown = {text for e in history.series().editions for text in e.target.frame["zip"]}
    assert shown == {"{11, 21}", "41", "{21, 41, 31}"}
    with pytest.raises(DataError, match="has to begin anew"):
        publish(["11", "21", "41", "41", "21", "31", "22", "22"])
    assert len(history) == 2
