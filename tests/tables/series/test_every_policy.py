"""Every way to publish again, from one release to the next by a database."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import unlinkable as ul
from unlinkable.registry.lookup import entries, make
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.data import Table
from unlinkable.tables.series.history import History, Publication
from unlinkable.tables.series.policy import Policy

N = 60
RNG = np.random.default_rng(5)
PEOPLE = {
    "pid": [f"p{i}" for i in range(N)],
    "age": RNG.integers(20, 60, N).tolist(),
    "born": RNG.choice(["UK", "FR", "US"], N).tolist(),
    "ill": RNG.choice(["flu", "cold", "hiv", "ulcer"], N).tolist(),
    "pay": RNG.normal(50, 10, N).tolist(),
}
BORN = ul.Tree({"Europe": ["UK", "FR"], "America": ["US"]})
ILL = ul.Tree({"any": ["flu", "cold", "hiv", "ulcer"]})
PROMISE = {"privacy": ul.KCAnonymity(3, "2/3")}
HALF, ALL = range(N // 2), range(N)


def table(people: range, quasi: list[str], hidden: list[str]) -> Table:
    shown = {n: [PEOPLE[n][i] for i in people] for n in ("pid", *quasi, *hidden)}
    trees = {n: tree for n, tree in (("born", BORN), ("ill", ILL)) if n in shown}
    return ul.as_table(shown, identifiers="pid", quasi=quasi, sensitive=hidden, taxonomies=trees)


def asked(name: str) -> list[tuple[Policy, Table, dict[str, Any]]]:
    """Give two releases by a policy, and what is asked of them."""
    both = [table(people, ["age", "born"], ["ill"]) for people in (HALF, ALL)]
    whole = both[1]
    part = table(range(N // 6, N), ["age", "born"], ["ill"])
    match name:
        case "incremental":
            return [(ul.Incremental(), one, PROMISE) for one in both]
        case "continuous":
            return [(ul.Continuous(), one, PROMISE) for one in both]
        case "m-invariance":
            return [(ul.MInvariance(2), one, {}) for one in (whole, part)]
        case "hd-composition":
            policy, most = ul.HDComposition(2, permanent="hiv"), {"suppression": "1/2"}
            return [(policy, one, most) for one in (whole, part)]
        case "sequential":
            then = table(ALL, ["born"], ["ill"])
            return [(ul.Sequential(h="2/3"), one, {}) for one in (whole, then)]
        case "multiple-views":
            names = ("born", "ill")
            return [(ul.MultipleViews(columns=n, identity="born"), whole, {}) for n in names]
        case "marginals":
            first = {"method": ul.Mondrian(), **PROMISE}
            counts = {"privacy": ul.KAnonymity(3)}
            return [(ul.Marginals(), whole, first), (ul.Marginals(columns="born"), whole, counts)]
        case "multi-level-perturbation":
            pay = table(ALL, ["age"], ["ill", "pay"])
            policies = [ul.MultiLevelPerturbation(p, deviation=d) for p, d in ((0.4, 9), (0.8, 3))]
            return [(policy, pay, {}) for policy in policies]
    raise NotImplementedError(f"no releases by {name} are made up here")


def publish(address: str, name: str) -> list[Publication]:
    return [
        History(address).publish(one, policy=policy, seed=3, **more)
        for policy, one, more in asked(name)
    ]


@pytest.mark.parametrize("name", [e.name for e in entries("policy")])
def test_two_releases_are_on_record_and_can_be_attacked(name: str, address: str) -> None:
    made = publish(address, name)
    history = History(address)
    assert [line.number for line in history.releases()] == [1, 2]
    for publication, edition in zip(made, history.series().editions, strict=True):
        whose = edition.people
        assert whose is None or len(whose) == publication.line.records
        assert edition.target.promises == publication.release.models
    policy, series = asked(name)[0][0], history.series()
    tried = {outcome.attack.name for outcome in made[1].outcomes}
    unfit = {
        attack.name
        for attack in (cast("SeriesAttack", make("attack", n)) for n in policy.where_they_fit)
        if not series.sensitive or attack.misfit(series, AdversaryKnowledge()) is not None
    }
    assert tried == {*policy.guards} - unfit
    assert not any(outcome.succeeded for outcome in made[1].outcomes)
    found = history.attack_all(limit=1)
    assert found.outcomes or found.skipped


@pytest.mark.parametrize("name", [e.name for e in entries("policy")])
def test_a_release_that_is_tried_is_the_one_that_is_published(name: str, address: str) -> None:
    policy, one, more = asked(name)[0]
    tried = History(address).publish(one, policy=policy, seed=3, dry_run=True, **more)
    made = History(address).publish(one, policy=policy, seed=3, **more)
    shown = [sorted(map(str, p.release.applied.frame.rows())) for p in (tried, made)]
    assert shown[0] == shown[1]
