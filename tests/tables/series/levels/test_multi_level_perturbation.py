"""Versions for recipients of different trust."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from unlinkable.collection.estimate import shares_before
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.series.levels.multi_level_perturbation import MultiLevelPerturbation
from unlinkable.tables.series.next_release import Next, Terms, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.taxonomies.builders import Tree

ILLS = ["flu", "hiv", "ulcer", "none"]


def people(n: int, *, ills: list[str] | None = None, pay: list[float] | None = None) -> Table:
    rng = np.random.default_rng(3)
    return as_table(
        pl.DataFrame(
            {
                "job": ["cook", "clerk"] * (n // 2),
                "ill": ills or rng.choice(ILLS, n, p=[0.5, 0.3, 0.2, 0.0]).tolist(),
                "pay": pay or rng.normal(50, 10, n).tolist(),
            }
        ),
        quasi="job",
        sensitive=["ill", "pay"],
        taxonomies={"ill": Tree({"any": ILLS})},
    )


def publish(asked: list[tuple[MultiLevelPerturbation, Request]], seed: int = 1) -> list[Next]:
    made: list[Next] = []
    for policy, request in asked:
        past = Past(tuple(m.edition for m in made), made[-1].memory if made else {}, 10**6)
        made.append(next_release(policy, request, past, Terms(seed=seed)))
    return made


def values(made: Next, name: str) -> dict[int, Any]:
    who = made.edition.people
    assert who is not None
    return dict(zip(who.tolist(), made.edition.target.frame[name].to_list(), strict=True))


def level(p: str, d: int = 10, **more: Any) -> MultiLevelPerturbation:
    return MultiLevelPerturbation(p, deviation=d, **more)


def test_every_version_can_be_mended_as_ordinary_randomization() -> None:
    """Shares within intervals of 99.99 %: a false alarm in about 1,000 runs; the seed is fixed."""
    n = 20_000
    table = people(n)
    request = Request(table, np.arange(n))
    order = [level("0.5", 20), level("0.8", 5), level("0.65", 10)]
    true = np.array([(table.frame["ill"] == ill).mean() for ill in ILLS])
    for policy, made in zip(order, publish([(p, request) for p in order]), strict=True):
        told = made.release.masked.told  # type: ignore[attr-defined]
        stay, m = told["retention of ill"], int(told["values of ill"])
        p = float(policy.retention or 0)
        assert stay == pytest.approx(p + (1 - p) / 4)
        matrix = np.full((m, m), (1 - stay) / (m - 1))
        np.fill_diagonal(matrix, stay)
        shown = made.edition.target.frame["ill"].to_list()
        found = shares_before([shown.count(ill) for ill in ILLS], matrix, ILLS, level=0.9999)
        assert (found.low <= true + 1e-9).all()
        assert (true <= found.high + 1e-9).all()


def test_agreement_of_versions_is_that_of_a_chain() -> None:
    """Two versions agree as one step of p'/p makes them; independent ones would agree less.

    Within 5 deviations of 20,000 people: a false alarm in more than a million runs.
    """
    n = 20_000
    request = Request(people(n), np.arange(n))
    made = publish([(level(p), request) for p in ("0.4", "0.8", "0.6")])
    shown = [values(m, "ill") for m in made]
    for (i, p), (j, q) in [((0, 0.4), (1, 0.8)), ((2, 0.6), (1, 0.8)), ((0, 0.4), (2, 0.6))]:
        agree = np.mean([shown[i][who] == shown[j][who] for who in range(n)])
        step = p / q
        expected = step + (1 - step) / 4
        assert abs(agree - expected) < 5 * np.sqrt(expected * (1 - expected) / n)
        independent = p * q + (1 - p * q) / 4
        assert abs(agree - independent) > 5 * np.sqrt(expected * (1 - expected) / n)


def test_noise_of_numbers_is_a_chain_over_releases() -> None:
    """Covariance of noise within 5 deviations: a false alarm in about 1,000,000 runs."""
    n = 20_000
    table = people(n)
    request = Request(table, np.arange(n))
    made = publish([(level("0.5", d), request) for d in (4, 1, 2)])
    true = np.array(table.frame["pay"].to_list())
    shown = [values(m, "pay") for m in made]
    noise = [np.array([pay[i] for i in range(n)]) - true for pay in shown]
    for i, j, least, a, b in [(0, 1, 1, 16, 1), (0, 2, 4, 16, 4), (1, 2, 1, 1, 4)]:
        found = float((noise[i] * noise[j]).mean())
        assert abs(found - least) < 5 * np.sqrt((a * b + least**2) / n)


def test_a_seed_that_stays_the_same_is_no_noise_that_does() -> None:
    """Noise that is added to a version is not the noise that the version has already.

    Within 5 deviations of 20,000 people: a false alarm in more than a million runs.
    """
    n = 20_000
    table = people(n)
    first, then = publish([(level("0.5", d), Request(table, np.arange(n))) for d in (10, 20)])
    true = np.array(table.frame["pay"].to_list())
    versions = (values(made, "pay") for made in (first, then))
    less, more = (np.array([pay[who] for who in range(n)]) for pay in versions)
    assert abs(np.corrcoef(less - true, more - less)[0, 1]) < 5 / np.sqrt(n)
    told = [values(made, "ill") for made in (first, then)]
    replaced = [who for who in range(n) if told[0][who] != table.frame["ill"][who]]
    assert all(told[0][who] == told[1][who] for who in replaced)


def test_the_same_level_shows_the_same_again_and_new_people_come_in() -> None:
    table = people(40)
    first = Request(
        as_table(table.frame[:20], quasi="job", sensitive=["ill", "pay"],
            taxonomies={"ill": Tree({"any": ILLS})}), np.arange(20),
    )  # fmt: skip
    later = Request(table, np.arange(40))
    made = publish([(level("0.5"), first), (level("0.7"), later), (level("0.5"), later)])
    for name in ("ill", "pay"):
        old, new = values(made[0], name), values(made[2], name)
        assert {who: new[who] for who in old} == old
        assert len(new) == 40
    # All numbers had this deviation in the second version, and twenty categories in the first.
    assert made[2].release.masked.effort["values shown before"] == 60  # type: ignore[attr-defined]
    assert made[2].memory["truth of ill"].height == 40


def test_only_named_columns_are_replaced() -> None:
    table = people(40)
    (made,) = publish([(level("0.5", columns="ill"), Request(table, np.arange(40)))])
    pay = values(made, "pay")
    assert [pay[i] for i in range(40)] == table.frame["pay"].to_list()
    assert not made.edition.target.is_truthful
    assert made.outcomes == ()
    assert str(made.release.method) == str(level("0.5", columns="ill"))


class TestRefusals:
    """What versions cannot be made of."""

    table = people(4, ills=["flu", "hiv", "flu", "none"], pay=[1.0, 2.0, 3.0, 4.0])
    request = Request(table, np.arange(4))

    def test_parameters(self) -> None:
        with pytest.raises(ParameterError, match="say how trusted the recipient is"):
            MultiLevelPerturbation()
        for wrong in (0, 1, "3/2"):
            with pytest.raises(ParameterError, match="retention"):
                MultiLevelPerturbation(wrong)
        with pytest.raises(ParameterError, match="'pay' holds numbers: give their deviation"):
            publish([(MultiLevelPerturbation("1/2"), self.request)])
        with pytest.raises(ParameterError, match="'ill' holds categories: give their retention"):
            publish([(MultiLevelPerturbation(deviation=3), self.request)])
        with pytest.raises(SchemaError, match="no column 'age'"):
            publish([(level("1/2", columns="age"), self.request)])

    def test_promises_and_methods(self) -> None:
        promised = Request(self.table, np.arange(4), (KAnonymity(2),))
        with pytest.raises(UnsupportedError, match="promise nothing"):
            publish([(level("1/2"), promised)])
        made_by = Request(self.table, np.arange(4), (), Mondrian())
        with pytest.raises(UnsupportedError, match="leave the method out"):
            publish([(level("1/2"), made_by)])

    def test_people_with_several_records(self) -> None:
        twice = Request(self.table, np.array([0, 1, 1, 2]))
        with pytest.raises(UnsupportedError, match="somebody has several records"):
            publish([(level("1/2"), twice)])

    def test_values_that_changed(self) -> None:
        other = people(4, ills=["flu", "hiv", "hiv", "none"], pay=[1.0, 2.0, 3.0, 4.0])
        with pytest.raises(UnsupportedError, match="'ill' has another value than before for 1 per"):
            publish([(level("1/2"), self.request), (level("1/3"), Request(other, np.arange(4)))])

    def test_lists_of_values_that_changed(self) -> None:
        def unlisted(ills: list[str]) -> Request:
            table = as_table({"ill": ills}, sensitive="ill", quasi=())
            return Request(table, np.arange(len(ills)))

        asked = [unlisted(["flu", "hiv"]), unlisted(["flu", "hiv", "ulcer"])]
        with pytest.raises(UnsupportedError, match="are others than they were"):
            publish([(MultiLevelPerturbation("1/2"), request) for request in asked])

    def test_earlier_releases_that_are_no_versions(self) -> None:
        (made,) = publish([(level("1/2"), self.request)])
        with pytest.raises(UnsupportedError, match="begin a history of its own"):
            next_release(level("1/2"), self.request, Past((made.edition,), {}, 4))

    def test_infinite_numbers(self) -> None:
        endless = people(4, ills=["flu"] * 4, pay=[1.0, 2.0, 3.0, float("inf")])
        with pytest.raises(DataError, match="infinite values"):
            publish([(level("1/2"), Request(endless, np.arange(4)))])
