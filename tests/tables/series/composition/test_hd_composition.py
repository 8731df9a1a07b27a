"""hd-composition: all possible worlds of random series, and what it refuses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests import cases
from tests.tables.attacks.series import worlds
from tests.tables.series.snapshots import Snapshot, Step, changing, publish, table_of
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.series.composition.hd_composition import HDComposition
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request

NEARLY_ALL = Fraction(99, 100)


def check_worlds(step: Step, l: int, permanent: str) -> None:  # noqa: E741
    codes = frozenset(i for i, text in enumerate(step.texts) if text in [*permanent])
    for own in worlds.shares_by_label(step.sheets, codes).values():
        for label, share in own.items():
            assert label == worlds.OTHER or share <= Fraction(1, l)


@given(changing(), st.integers(2, 3), st.sampled_from(["H", "HC"]), st.integers(0, 3))
def test_nobody_is_linked_to_a_permanent_value_in_more_worlds_than_1_in_l(
    snapshots: list[Snapshot],
    l: int,  # noqa: E741
    permanent: str,
    seed: int,
) -> None:
    policy = HDComposition(l, permanent=list(permanent))
    past = Past()
    for snapshot in snapshots:
        try:
            (step,) = publish(policy, [snapshot], suppression=NEARLY_ALL, seed=seed, past=past)
        except InfeasibleError:
            event("refused")
            continue
        check_worlds(step, l, permanent)
        check_records(step, snapshot)
        for outcome in step.next.outcomes:
            assert outcome.details["uncounted"] == 0
            event(f"{step.masked.told['counterfeits']} counterfeits")
        past = step.past


def check_records(step: Step, snapshot: Snapshot) -> None:
    """Every record but the counterfeits is its person's, and no group has two counterfeits."""
    masked, people = step.masked, step.next.edition.people
    assert people is not None
    frame = masked.frame
    for p, ill in zip(people.tolist(), frame["ill"].to_list(), strict=True):
        assert ill is not None
        assert p < 0 or snapshot[p][1] == ill
    assert frame["counterfeits"].max() in (0, 1)
    assert (people >= 0).sum() + masked.n_suppressed == len(snapshot)
    assert (people < 0).sum() == masked.told["counterfeits"]


def test_the_possible_world_exclusion_of_section_10_4_finds_nobody() -> None:
    case = cases.load("book-ch10-sec10.4-possible-world-exclusion")["input"]
    snapshots: list[Snapshot] = []
    for release in ("T1", "T2", "T3"):
        rows = case["raw"][release]["rows"]
        ages = {row[0]: row[1] for row in case["registration_lists"][f"RL{release[1]}"]["rows"]}
        snapshots.append({int(p[1:]) - 1: (ages[p], ill) for p, ill in rows})
    steps = list(publish(HDComposition(3, permanent=case["permanent"]), snapshots))
    for step in steps:
        codes = frozenset(i for i, text in enumerate(step.texts) if text == "HIV")
        shares = worlds.shares_by_label(step.sheets, codes)
        (hiv,) = codes
        assert {own[hiv] for own in shares.values()} == {Fraction(1, 3)}
        assert step.masked.told["counterfeits"] == 0
    assert steps[-1].next.outcomes[0].highest == pytest.approx(1 / 3)


def test_whoever_comes_back_belongs_to_his_cell_as_before() -> None:
    """Section 10.4, broken life span: with two of three away, the third has to wait for them."""
    first: Snapshot = {0: (20, "flu"), 1: (21, "HIV"), 2: (22, "fever")}
    others = {p: (40 + p, "flu") for p in range(3, 9)}
    policy = HDComposition(3, permanent="HIV")
    steps = publish(
        policy,
        [{**first, **others}, {1: (21, "HIV"), **others}, {**first, **others}],
        suppression=Fraction(1, 5),
    )
    shown = []
    for step in steps:
        people = step.next.edition.people
        assert people is not None
        shown.append(1 in people.tolist())
        hiv = frozenset(i for i, text in enumerate(step.texts) if text == "HIV")
        shares = worlds.shares_by_label(step.sheets, hiv)
        (code,) = hiv
        assert max(own.get(code, Fraction(0)) for own in shares.values()) == Fraction(1, 3)
    assert shown[0]
    assert shown[2]


def test_one_who_is_away_is_replaced_by_somebody_new_or_by_a_counterfeit() -> None:
    first: Snapshot = {0: (20, "a"), 1: (21, "H"), 2: (22, "b")}
    policy = HDComposition(3, permanent="H")
    *_, replaced = publish(policy, [first, {0: (20, "b"), 1: (21, "H"), 3: (22, "a")}])
    assert replaced.masked.told == {"counterfeits": 0}
    roles = replaced.next.memory["roles"]
    cohort = dict(zip(roles["person"], roles["cohort"], strict=True))
    assert cohort[3] == cohort[2]
    *_, filled = publish(policy, [first, {0: (20, "b"), 2: (22, "c")}])
    masked = filled.masked
    assert masked.told == {"counterfeits": 1}
    assert masked.whose is not None
    assert masked.frame.filter(pl.Series(masked.whose < 0))["ill"].to_list() == ["H"]
    check_worlds(filled, 3, "H")


def test_a_new_holder_takes_the_place_of_one_who_left() -> None:
    snapshots: list[Snapshot] = [
        {0: (20, "a"), 1: (21, "H"), 2: (22, "b")},
        {0: (20, "b"), 2: (22, "c"), 3: (50, "H")},
    ]
    *_, last = publish(HDComposition(3, permanent="H"), snapshots)
    roles = last.next.memory["roles"]
    assert last.masked.told == {"counterfeits": 0}
    assert roles["cell"].to_list() == [0] * 4
    check_worlds(last, 3, "H")


def test_holders_of_several_values_share_a_cell() -> None:
    snapshot: Snapshot = {
        0: (20, "H"),
        1: (21, "C"),
        2: (22, "a"),
        3: (60, "H"),
        4: (61, "b"),
        5: (62, "b"),
    }
    (step,) = publish(HDComposition(3, permanent=["H", "C"]), [snapshot])
    assert step.masked.effort["cells"] == 2
    check_worlds(step, 3, "HC")


def test_keeps_k_anonymity_without_counting_the_counterfeit() -> None:
    snapshots: list[Snapshot] = [
        {p: (20 + p, "H" if p == 3 else "ab"[p % 2]) for p in range(20)},
        {p: (20 + p, "H" if p == 3 else "ab"[p % 2]) for p in range(20) if p != 3},
    ]
    for step in publish(HDComposition(2, permanent="H"), snapshots, models=(KAnonymity(4),)):
        masked = step.masked
        sizes = masked.frame.group_by("age").agg(pl.len() - pl.col("counterfeits").first())
        assert sizes["len"].min() >= 4  # type: ignore[operator]
        assert step.next.release.holds
    assert masked.told["counterfeits"] == 1


def test_effort_on_fixed_data() -> None:
    rng = np.random.default_rng(3)
    ill = rng.choice([*"aaabbbccH"], 300)
    snapshots = []
    for t in range(3):
        passing = rng.choice([*"abc"], 300)
        snapshots.append(
            {
                p: (20 + int(p % 61), str(ill[p] if ill[p] == "H" else passing[p]))
                for p in range(30 * t, 200 + 30 * t)
            }
        )
    steps = list(publish(HDComposition(3, permanent="H"), snapshots, suppression=Fraction(1, 10)))
    assert [step.masked.effort["cells"] for step in steps] == [
        (ill[:200] == "H").sum(),
        25,
        24,
    ]
    assert all(step.next.outcomes[0].highest <= 1 / 3 for step in steps[1:])


@pytest.mark.parametrize(
    ("snapshots", "message"),
    [
        ([{0: (20, "H"), 1: (21, "a")}], "1 hold a permanent value, and too few others are new"),
        (
            [{0: (20, "H"), 1: (21, "a"), 2: (22, "b")}, {1: (20, "H"), 2: (22, "b"), 3: (9, "a")}],
            "got a permanent value after having been published without it",
        ),
        (
            [{0: (20, "H"), 1: (21, "a"), 2: (22, "b")}, {1: (20, "a")}],
            "belong together with people who are not there",
        ),
        (
            [
                {0: (20, "H"), 1: (21, "a"), 2: (22, "b")},
                {0: (20, "H"), 1: (21, "a"), 3: (22, "b")},
                {0: (20, "H"), 1: (21, "a"), 2: (22, "b"), 3: (22, "b")},
            ],
            "1 are of a cohort that somebody else stands for",
        ),
        (
            [{0: (20, "H"), 1: (21, "a"), 2: (22, "b"), 3: (40, "a")}],
            "1 are fewer than 3 without a role",
        ),
    ],
    ids=["no decoys", "late", "alone", "two of a cohort", "few others"],
)
def test_says_why_people_would_have_to_be_left_out(snapshots: list[Snapshot], message: str) -> None:
    with pytest.raises(InfeasibleError, match=message):
        list(publish(HDComposition(3, permanent="H"), snapshots))
    earlier = publish(HDComposition(3, permanent="H"), snapshots[:-1])
    assert len(list(earlier)) == len(snapshots) - 1


def test_refuses_a_permanent_value_that_is_lost() -> None:
    snapshots: list[Snapshot] = [{0: (20, "H"), 1: (21, "a")}, {0: (20, "a"), 1: (21, "a")}]
    with pytest.raises(UnsupportedError, match="1 person no longer has a permanent value"):
        list(publish(HDComposition(2, permanent="H"), snapshots))


def test_refuses_to_go_on_from_what_it_cannot_continue() -> None:
    snapshot: Snapshot = {0: (20, "H"), 1: (21, "a")}
    frame = pl.DataFrame({"age": ["*"] * 2, "ill": ["H", "a"]})
    other = Past((Edition(Target(frame, ("age",), ("ill",)), np.arange(2)),), {}, 2)
    with pytest.raises(UnsupportedError, match="made in another way: start a new series"):
        list(publish(HDComposition(2, permanent="H"), [snapshot], past=other))
    (step,) = publish(HDComposition(2, permanent="H"), [snapshot])
    with pytest.raises(UnsupportedError, match="put together in 2s before, and now 3"):
        list(publish(HDComposition(3, permanent="H"), [snapshot], past=step.past))
    with pytest.raises(UnsupportedError, match="was permanent in earlier releases and is not now"):
        list(publish(HDComposition(2, permanent="C"), [snapshot], past=step.past))


def test_refuses_what_it_cannot_treat() -> None:
    table, people = table_of({0: (20, "H"), 1: (21, "b")}), np.arange(2)
    policy = HDComposition(2, permanent="H")

    def ask(**asked: Any) -> None:
        next_release(policy, Request(**{"table": table, "people": people, **asked}), Past())

    with pytest.raises(ParameterError, match="l must be at least 2"):
        HDComposition(1, permanent="H")
    with pytest.raises(ParameterError, match="permanent must name at least one value"):
        HDComposition(2, permanent=())
    with pytest.raises(UnsupportedError, match="some have several"):
        ask(people=np.zeros(2, np.int64))
    with pytest.raises(UnsupportedError, match="leave the method out"):
        ask(method=Mondrian())
    with pytest.raises(UnsupportedError, match="promise k-anonymity, or nothing else"):
        ask(models=(DistinctLDiversity(2, sensitive="ill"),))
    two = as_table({"age": [1], "x": ["a"], "y": ["b"]}, quasi="age", sensitive=["x", "y"])
    with pytest.raises(SchemaError, match="one sensitive column, and there are 2"):
        policy.bind(two.schema)
    with pytest.raises(SchemaError, match="puts people together by quasi-identifiers"):
        policy.bind(as_table({"x": ["a"]}, sensitive="x").schema)


def test_names_the_attack_that_it_guards_against() -> None:
    (attack,) = HDComposition(4, permanent="H").adversaries(
        Request(table_of({0: (20, "a")}), np.arange(1)), Past()
    )
    assert attack == CriticalAbsence("ill", permanent="H", limit=Fraction(1, 4))
