"""The minimality attack of who knows only that nothing is generalized without need."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import given

import unlinkable as ul
from tests.tables.attacks.minimal.plain_algorithm import (
    JOBS,
    Plain,
    Row,
    against,
    believed,
    knowledge_of,
    permutations,
    releases,
    surest,
)
from unlinkable.tables.attacks.minimal.minimality import Minimality
from unlinkable.tables.models import FrequencyLDiversity
from unlinkable.tables.publishing.attacking.targets import target_of


@given(releases())
def test_knowing_that_nothing_is_done_without_need_is_judging_the_original_values(
    release: tuple[list[Row], list[Row], Plain],
) -> None:
    people, told, plain = release
    groups: dict[Row, list[int]] = {}
    for i, row in enumerate(told):
        groups.setdefault(row[:-1], []).append(i)
    kept = []
    for values in permutations([row[-1] for row in told]):
        if any(
            Counter(values[i] for i in members) != Counter(told[i][-1] for i in members)
            for members in groups.values()
        ):
            continue
        parts: dict[Row, list[str]] = {}
        for person, value in zip(people, values, strict=True):
            parts.setdefault(person, []).append(value)
        if any(max(Counter(p).values()) > plain.share * len(p) for p in parts.values()):
            kept.append(values)
    target, knowledge = against(people, told, plain)
    target = evolve(target, promises=(FrequencyLDiversity(1 / plain.share, sensitive="s"),))
    outcome = Minimality(assumes="minimal").run(target, knowledge)
    if kept:
        found = Counter((i, value) for values in kept for i, value in enumerate(values))
        wanted = surest({k: Fraction(n, len(kept)) for k, n in found.items()}, len(people))
    else:
        assert outcome.details["consistent_worlds"] == 0
        assert "another reason" in outcome.found
        wanted = [
            Fraction(max(Counter(told[i][-1] for i in members).values()), len(members))
            for who in range(len(people))
            for members in groups.values()
            if who in members
        ]
    assert believed(outcome) == pytest.approx(dict(enumerate(map(float, wanted))), abs=1e-12)


@given(releases())
def test_no_step_without_need_tells_at_least_as_much_of_tables_as_no_generalizing_without_need(
    release: tuple[list[Row], list[Row], Plain],
) -> None:
    people, told, plain = release
    target, knowledge = against(people, told, plain)
    target = evolve(target, promises=(FrequencyLDiversity(1 / plain.share, sensitive="s"),))
    finest, step = (
        Minimality(assumes=assumes).run(target, knowledge).details["consistent_worlds"]
        for assumes in ("minimal", "one-step")
    )
    # A table that breaks the promise one step further down breaks it with the original values, for
    # shares only rise when groups are divided. Nothing to undo is nothing to learn from.
    if any(len(text) < 2 for row in told for text in row[:-1]):
        assert isinstance(step, int)
        assert isinstance(finest, int)
        assert step <= finest


def test_one_step_is_undone_on_all_values_of_a_column() -> None:
    """Two levels up, a level too many: the step in between keeps the promise in some tables."""
    people = [("a0",), ("a1",), ("b0",), ("b1",)]
    told = [("*", "x"), ("*", "x"), ("*", "y"), ("*", "y")]
    target, knowledge = against(people, told, Plain(Fraction(1, 2)))
    target = evolve(target, promises=(FrequencyLDiversity(2, sensitive="s"),))
    finest = Minimality(assumes="minimal").run(target, knowledge)
    step = Minimality(assumes="one-step").run(target, knowledge)
    # Alone, everybody breaks the promise; as a and b, two of six tables do: xx and yy.
    assert (finest.details["worlds"], finest.details["consistent_worlds"]) == (6, 6)
    assert (step.details["worlds"], step.details["consistent_worlds"]) == (6, 2)
    assert step.highest == 0.5


def test_a_promise_of_m_confidentiality_bounds_who_knows_that_nothing_is_done_without_need() -> (
    None
):
    jobs = ["Engineer"] * 2 + ["Lawyer"] * 5 + ["Dancer"] * 3 + ["Writer"] * 4
    ill = ["hiv", "hiv", *["flu"] * 5, "hiv", "flu", "cold", *["cold"] * 4]
    table = ul.as_table(
        {"job": jobs, "ill": ill}, quasi="job", sensitive="ill", taxonomies={"job": JOBS}
    )
    share = ul.ConfidenceBounding("job -> ill = hiv <= 50%")
    confident = ul.MConfidentiality(2, h="1/2", values="hiv")
    reached = {}
    for name, models in (("share", [share]), ("both", [share, confident])):
        release = ul.anonymize(table, privacy=models, method="optimal")
        target = evolve(target_of(release), promises=release.models[:1])
        attack = Minimality(assumes="minimal", values="hiv")
        reached[name] = attack.run(target, knowledge_of(release)).highest
    assert reached["share"] > 0.5
    assert reached["both"] <= 0.5
