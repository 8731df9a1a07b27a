"""Strangers: control tables that hold no other people of the same population are refused."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from unlinkable.errors import DataError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.learned.classifier import Classifier
from unlinkable.tables.attacks.learned.membership import Membership
from unlinkable.tables.attacks.learned.shared.control_group import doubt_on, refuse_unfit
from unlinkable.tables.attacks.learned.singling_out import SinglingOut
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side

QUASI = ("age", "zip", "born")
ALL = (*QUASI, "ill", "pay")


def random_people(n: int, seed: int, *, n_zips: int = 100) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 20_000, n).tolist()
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "zip": [f"{zip_code:05}" for zip_code in 1000 + rng.integers(0, n_zips, n)],
            "born": [date(1940, 1, 1) + timedelta(days=day) for day in days],
            "ill": rng.choice(["flu", "hiv", "cold"], n),
            "pay": rng.integers(10, 90, n) * 100,
        }
    )


PEOPLE, OTHERS = random_people(200, 1), random_people(200, 2)


def truth_of(people: pl.DataFrame) -> Truth:
    quasi = [name for name in QUASI if name in people.columns]
    others = [name for name in people.columns if name not in quasi]
    return Truth(as_table(people, quasi=quasi, sensitive=others))


def check(control: pl.DataFrame, people: pl.DataFrame = PEOPLE) -> None:
    refuse_unfit("control", control, truth_of(people), tuple(people.columns))


@pytest.mark.parametrize("n", [2, 5, 20, 200])
@pytest.mark.parametrize("n_zips", [1, 30, 1000, 90_000])
def test_other_people_of_the_same_population_are_taken(n: int, n_zips: int) -> None:
    for seed in range(10):
        others = random_people(n, 1000 + seed, n_zips=n_zips)
        check(others, random_people(50, seed, n_zips=n_zips))
        for columns in (["zip"], ["age"], ["ill"], ["ill", "age"]):
            check(others.select(columns), random_people(50, seed, n_zips=n_zips).select(columns))


def test_numbers_and_dates_may_be_written_as_texts_and_values_may_be_missing() -> None:
    check(OTHERS.with_columns(pl.col("age", "born", "pay").cast(pl.String)))
    check(OTHERS.with_columns(age=pl.lit(None, pl.Int64), zip=pl.lit(None, pl.String)))
    check(OTHERS.with_columns(age=pl.lit("*"), zip=pl.lit("*")))
    rare = pl.when(pl.int_range(200) % 20 == 0).then(pl.lit("?")).otherwise(pl.col("pay"))
    check(OTHERS.with_columns(pay=rare))


@pytest.mark.parametrize(
    ("column", "changed"),
    [
        ("pay", pl.format("{} EUR", "pay")),
        ("age", pl.format("{} years", "age")),
        ("age", pl.col("age") * 365),
        ("zip", pl.col("zip").cast(pl.Int64)),
        ("zip", pl.format("D-{}", "zip")),
        ("ill", pl.col("ill").str.to_uppercase()),
        ("born", pl.col("born").dt.strftime("%d/%m/%Y")),
        ("born", pl.col("born").dt.year()),
    ],
    ids=["EUR", "years", "days", "number", "country", "case", "order", "year"],
)
def test_a_column_that_is_written_in_another_way_is_named(column: str, changed: pl.Expr) -> None:
    control = OTHERS.with_columns(changed.alias(column))
    with pytest.raises(DataError, match=f"column '{column}' of 'control' is not written") as error:
        check(control)
    told = str(error.value)
    assert not any(str(value) in told for value in control[column].to_list())


def test_numbers_for_texts_that_never_recur_are_refused_as_well() -> None:
    people = pl.DataFrame({"zip": [f"{zip_code:05}" for zip_code in range(1000, 1100)]})
    check(pl.DataFrame({"zip": ["02000", "03000"]}), people)
    with pytest.raises(DataError, match="column 'zip' of 'control' is not written"):
        check(pl.DataFrame({"zip": [2000, 3000]}), people)


@pytest.mark.parametrize("n", [20, 100, 200])
def test_the_people_of_the_original_are_no_control(n: int) -> None:
    with pytest.raises(DataError, match="'control' holds people who are in the original: on 5 "):
        check(PEOPLE.sample(n, seed=1))
    mixed = pl.concat([PEOPLE.sample(n, seed=1), OTHERS[: n // 3]])
    with pytest.raises(DataError, match="must be people who are not in the data"):
        check(mixed)
    check(pl.concat([PEOPLE[: n // 4], OTHERS[: 3 * n // 4]]))


def test_a_few_people_of_the_original_are_counted() -> None:
    """A quarter of the table are, and it is said of fewer: what may be chance is not told."""
    some = pl.concat([PEOPLE[:50], OTHERS[:150]])
    assert 0.05 < refuse_unfit("control", some, truth_of(PEOPLE), ALL) < 0.25
    assert refuse_unfit("control", OTHERS, truth_of(PEOPLE), ALL) == 0
    assert doubt_on("control", 0.0) == ""


def test_columns_that_are_not_compared_tell_members_as_well() -> None:
    """Nearly everybody has a twin by illness; all columns together show that they are the same."""
    truth = truth_of(PEOPLE)
    refuse_unfit("control", PEOPLE.select("ill"), truth, ("ill",))
    refuse_unfit("control", OTHERS, truth, ("ill",))
    with pytest.raises(DataError, match="on 5 shared columns"):
        refuse_unfit("control", PEOPLE, truth, ("ill",))
    numbered = PEOPLE.with_columns(age=pl.lit(1))
    with pytest.raises(DataError, match="on 2 shared columns"):
        refuse_unfit("control", numbered, truth, ("born", "zip"))


ATTACKS = [Membership(), SinglingOut(), Classifier(), Classifier(model="decision-tree")]


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_every_attack_with_a_control_refuses(
    attack: Membership | SinglingOut | Classifier,
) -> None:
    target = Target(PEOPLE, QUASI, ("ill", "pay"))

    def tried(control: pl.DataFrame) -> None:
        attack.run(target, AdversaryKnowledge(Side.of({"control": control}), truth_of(PEOPLE)))

    tried(OTHERS)
    with pytest.raises(DataError, match="'control' holds people who are in the original"):
        tried(PEOPLE)
    with pytest.raises(DataError, match="column 'zip'"):
        tried(OTHERS.with_columns(pl.col("zip").cast(pl.Int64)))
    if not isinstance(attack, SinglingOut):
        with pytest.raises(DataError, match="column 'pay' of 'control'"):
            tried(OTHERS.with_columns(pl.format("{} EUR", "pay").alias("pay")))
