"""Attacks that guess are right as often as counting says, and learn nothing from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

import unlinkable as ul
from tests.witness.learners import singles_out
from tests.witness.matching import box
from tests.witness.models import Row
from unlinkable.tables import attacks
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.data.side import Side

AGES, JOBS = list(range(20, 40)), list("abc")
DOMAINS: dict[str, list[Any]] = {"age": AGES, "job": JOBS, "ill": list("vw")}
Rows = list[tuple[int, str, str]]
seeds = pytest.mark.parametrize("seed", range(6))


def crowd(seed: int, n: int = 24) -> Rows:
    """Draw people, all from the same population; of every other one the ages are few."""
    rng = np.random.default_rng(seed)
    few = {**DOMAINS, "age": AGES[:3]} if seed % 2 else DOMAINS
    parts = (rng.choice(few[name], n).tolist() for name in ("age", "job", "ill"))
    return list(zip(*parts, strict=True))


def frame(rows: Rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["age", "job", "ill"], orient="row")


def scene(rows: Rows, control: Rows, *, hidden: bool = False) -> tuple[Target, AdversaryKnowledge]:
    told = frame(rows)
    table = ul.as_table(told, quasi=["age", "job"], sensitive="ill")
    shown = told.with_columns(age=pl.lit("*"), job=pl.lit("*"), ill=pl.lit("v")) if hidden else told
    taxonomies = {name: table.taxonomy(name) for name in ("age", "job")}
    target = Target(shown, ("age", "job"), ("ill",), taxonomies=taxonomies)
    side = Side.of({"control": frame(control)})
    return target, AdversaryKnowledge(side=side, truth=Truth(table, np.arange(len(rows))))


@seeds
def test_whoever_is_singled_out_is_alone(seed: int) -> None:
    rows, control = crowd(seed), crowd(seed + 100)
    target, knowledge = scene(rows, control)
    found = attacks.SinglingOut(n_guesses=30).run(target, knowledge)
    people: Sequence[Row] = frame(rows).to_dicts()
    singled = set()
    for victim in found.victims:
        described = dict(victim.who)

        def fits(row: Row, described: dict[str, str] = described) -> bool:
            return all(row[c] in box(text, DOMAINS[c]) for c, text in described.items())

        assert singles_out(people, fits)
        singled.add(next(i for i, row in enumerate(people) if fits(row)))
    assert found.n_fallen == len(singled)
    assert found.highest > found.attack.limit or not singled
    rate, chance = found.details["rate"], found.details["rate by chance"]
    assert isinstance(rate, float)
    assert isinstance(chance, float)
    risk = (rate - chance) / (1 - chance) if chance < 1 else 0.0
    assert found.highest == pytest.approx(max(risk, 0.0))


@seeds
def test_nothing_shown_singles_out_nobody(seed: int) -> None:
    target, knowledge = scene(crowd(seed), crowd(seed + 100), hidden=True)
    found = attacks.SinglingOut(n_guesses=30).run(target, knowledge)
    assert found.n_fallen == 0
    assert found.highest == 0


@seeds
def test_members_are_told_from_others_by_rates(seed: int) -> None:
    rows, control = crowd(seed), crowd(seed + 100)
    target, knowledge = scene(rows, control)
    found = attacks.Membership().run(target, knowledge)
    right, wrong = (found.details[f"{name} positive rate"] for name in ("true", "false"))
    assert isinstance(right, float)
    assert isinstance(wrong, float)
    assert found.highest == pytest.approx(max(right - wrong, 0.0))
    assert found.interval is not None
    assert found.interval[0] - 1e-9 <= found.highest <= found.interval[1] + 1e-9
