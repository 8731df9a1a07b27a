"""Ceilings: what promises say of adversaries, what follows from them, and what they do not say.

That nobody reaches more is tried in `test_promises` and `test_noisy_promises`.
"""

from __future__ import annotations

from math import tanh
from typing import Any

import polars as pl
import pytest
from attrs import evolve

import unlinkable as ul
from unlinkable.tables.attacks import (
    AttributeLinkage,
    BackgroundKnowledge,
    Corruption,
    Membership,
    Minimality,
    Proximity,
    RecordLinkage,
    Skewness,
)
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.ceilings import ceiling
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

MONEY: dict[str, Any] = {"publisher_benefit": 10, "publisher_loss": 30, "adversary_gain": 30}


def told(**changes: Any) -> Target:
    table = ul.as_table(
        {
            "job": ["cook"] * 4,
            "ill": ["flu", "flu", "hiv", "cold"],
            "pay": [0, 2, 4, 10],
        },
        quasi="job",
        sensitive=["ill", "pay"],
    )
    builders = {name: ReadyMade(table.taxonomy(name)) for name in ("ill", "pay")}
    return evolve(Target(table.frame, ("job",), ("ill", "pay"), builders=builders), **changes)


def skyline(scale: str | int) -> GroupModel:
    return ul.SkylinePrivacy([[0, 1, 0, "0.6"]], sensitive="ill", scale=scale)


def relative(epsilon: str) -> GroupModel:
    return ul.EpsilonMAnonymity(epsilon, 2, sensitive="pay", interval="relative")


@pytest.mark.parametrize(
    ("promise", "attack", "bound"),
    [
        # What follows from a promise is promised as well.
        (ul.MConfidentiality(2, h="0.5", sensitive="ill"), AttributeLinkage("ill"), 1 / 2),
        (ul.PrivacyMaxEnt("0.6", constraints="x", sensitive="ill"), AttributeLinkage("ill"), 0.6),
        (ul.EpsilonMAnonymity(1, 2, sensitive="pay"), RecordLinkage(), 1 / 2),
        (relative("0.2"), Proximity("pay", epsilon="0.2"), 1 / 2),
        (ul.Profitability(**MONEY, adversary_cost=10, attack=False), RecordLinkage(), 1 / 3),
        (ul.Profitability(**MONEY, adversary_cost=1), RecordLinkage(), 1 / 4),
        # A rare value stays below gamma; a frequent one cannot have what the rare ones keep.
        (ul.DGammaPrivacy("0.5", "0.6", sensitive="ill"), AttributeLinkage("ill"), 7 / 12),
        (ul.DGammaPrivacy("0.3", "0.6", sensitive="ill"), AttributeLinkage("ill"), 0.75),
        (ul.DGammaPrivacy("0.5", "0.6", sensitive="ill"), Skewness("ill"), 1 / 8),
        # Of a variance of 20 and a range of 10, (100 - 20) / 100 may be equal.
        (ul.SquaredErrorDiversity(20, sensitive="pay"), Proximity("pay", width=0), 0.8),
        (ul.SquaredErrorDiversity(20, sensitive="pay"), Proximity("pay", width=4), 80 / 96),
        # All bounds of a skyline are multiplied by its scale.
        (skyline(1), Corruption("ill", n=1), 0.6),
        (skyline("1.5"), Corruption("ill", n=1), 0.9),
        (skyline("1.5"), BackgroundKnowledge(sensitive="ill", others=1), 0.9),
        (ul.DifferentialPrivacy(1), Membership(), tanh(1 / 2)),
        (ul.DistributionalPrivacy(1, "0.1"), Membership(), tanh(1 / 2) + 0.1),
    ],
    ids=str,
)
def test_what_is_promised_of_an_adversary(
    promise: GroupModel, attack: Attack, bound: float
) -> None:
    assert ceiling(attack, [promise], told()) == pytest.approx(bound)


@pytest.mark.parametrize(
    ("promise", "attack"),
    [
        (ul.DGammaPrivacy("0.5", "0.6", sensitive="ill", prior="x"), AttributeLinkage("ill")),
        (ul.SquaredErrorDiversity(20, sensitive="pay"), Proximity("pay", width=9)),
        (ul.EpsilonMAnonymity(1, 2, sensitive="pay"), Proximity("pay", epsilon="0.2")),
        (relative("0.2"), Proximity("pay", epsilon="0.3")),
        (relative("0.2"), Proximity("pay", width=1)),
        (ul.SquaredErrorDiversity(20, sensitive="pay"), Proximity("pay", low=0, high=1)),
        (ul.KMap(5, population="x"), RecordLinkage()),
        (ul.AverageRisk("0.2"), RecordLinkage()),
        (ul.BTPrivacy(1, "0.2", sensitive="ill"), Skewness("ill")),
        (ul.NTCloseness(2, "0.2", sensitive="ill"), Skewness("ill")),
    ],
    ids=str,
)
def test_what_a_promise_says_nothing_of(promise: GroupModel, attack: Attack) -> None:
    assert ceiling(attack, [promise], told()) is None


class TestMinimality:
    """The bound is for one value, one share that is allowed, and nobody who knows the method."""

    PROMISE = ul.MConfidentiality(2, h="1/2", values="hiv", sensitive="ill")

    @pytest.mark.parametrize(
        "promises",
        [
            (PROMISE,),
            (ul.ConfidenceBounding(["-> ill = hiv <= 0.5"]),),
            (ul.ConfidenceBounding(["job -> ill = hiv <= 0.5"]), PROMISE),
        ],
    )
    def test_of_who_knows_what_share_is_allowed(self, promises: tuple[GroupModel, ...]) -> None:
        attack = Minimality("ill", values="hiv", assumes="minimal")
        assert ceiling(attack, [self.PROMISE], told(promises=promises)) == 0.5

    @pytest.mark.parametrize("assumes", ["method", "one-step", None])
    def test_not_of_who_knows_more(self, assumes: str | None) -> None:
        attack = Minimality("ill", values="hiv", assumes=assumes)
        assert ceiling(attack, [self.PROMISE], told(promises=(self.PROMISE,))) is None

    @pytest.mark.parametrize(
        "promises",
        [
            (),
            (ul.ConfidenceBounding(["-> ill = hiv <= 0.6"]),),
            (ul.ConfidenceBounding(["-> ill = flu <= 0.5"]),),
            (ul.FrequencyLDiversity(2, sensitive="ill"),),
            (ul.MConfidentiality(2, h="1/2", sensitive="ill"),),
        ],
    )
    def test_not_if_something_else_is_said_to_be_promised(
        self, promises: tuple[GroupModel, ...]
    ) -> None:
        attack = Minimality("ill", values="hiv", assumes="minimal")
        assert ceiling(attack, [self.PROMISE], told(promises=promises)) is None

    def test_not_of_several_values(self) -> None:
        attack = Minimality("ill", assumes="minimal")
        assert ceiling(attack, [self.PROMISE], told(promises=(self.PROMISE,))) is None


def test_buckets_do_not_hide_what_records_show() -> None:
    frame = told().frame.with_columns(bucket=pl.lit("1"))
    assert ceiling(RecordLinkage(), [ul.KAnonymity(4)], told(frame=frame, bucket="bucket")) is None
