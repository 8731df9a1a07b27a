"""Promises that refer to more than the records: through search, bundle and verification."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unlinkable as ul
from unlinkable.errors import DataError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.judging.evidence import Finding

AGES = ul.Intervals(10, 20)


def population(n: int = 400) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    return pl.DataFrame({"age": rng.integers(20, 80, n), "sex": rng.choice(["f", "m"], n)})


def patients(n: int = 60) -> Table:
    rng = np.random.default_rng(8)
    some = population()[np.sort(rng.choice(400, n, replace=False))]
    ill = rng.choice(["flu", "cold", "hiv"], n, p=[0.5, 0.3, 0.2])
    frame = some.with_columns(pl.Series("ill", ill), pl.Series("wish", rng.choice(["", "hiv"], n)))
    return ul.as_table(
        frame, quasi=["age", "sex"], sensitive="ill", guard="wish", taxonomies={"age": AGES}
    )


def covers(text: object, value: object) -> bool:
    """Whether a published text may stand for a value."""
    if str(text) in ("*", str(value)):
        return True
    if str(text).startswith("["):
        low, high = str(text)[1:-1].split("-")
        return int(low) <= int(str(value)) < int(high)
    return False


def crowd_sizes(released: pl.DataFrame, people: pl.DataFrame) -> dict[tuple[object, ...], int]:
    """Count the people who look like each published combination, one by one."""
    groups = set(released.select("age", "sex").rows())
    counts = dict.fromkeys(groups, 0)
    for (age, sex), person in product(groups, people.rows()):
        counts[age, sex] += covers(age, person[0]) and covers(sex, person[1])
    return counts


@pytest.mark.parametrize("method", [ul.Optimal(), ul.Incognito(), ul.Mondrian()], ids=str)
def test_everybody_is_lost_in_the_population(method: Method, tmp_path: Path) -> None:
    release = ul.anonymize(
        patients(),
        privacy=ul.KMap(12, population="people"),
        method=method,
        side={"people": population()},
    )
    counts = crowd_sizes(release.applied.frame, population())
    assert min(counts.values()) >= 12
    assert release.finding.verdicts[0].achieved["k"] == min(counts.values())
    bundle = release.save(tmp_path / "bundle")
    assert ul.verify(bundle).holds
    public = ul.verify(bundle / "public")
    assert public.holds
    assert any("private half alone" in note for note in public.notes)
    assert public.finding is not None
    assert public.finding.n_records == 60


@pytest.mark.parametrize("method", [ul.Optimal(), ul.Incognito(), ul.Mondrian()], ids=str)
def test_presence_is_bounded_for_everybody_outside_too(method: Method) -> None:
    promise = ul.DeltaPresence(0.05, 0.4, population="people")
    release = ul.anonymize(
        patients(), privacy=promise, method=method, side={"people": population()}
    )
    sizes = release.applied.frame.group_by("age", "sex").len()
    counts = crowd_sizes(release.applied.frame, population())
    shares = [n / counts[age, sex] for age, sex, n in sizes.rows()]
    assert 0.05 <= min(shares) <= max(shares) <= 0.4
    absent = sum(
        not any(covers(age, a) and covers(sex, s) for age, sex in counts)
        for a, s in population().rows()
    )
    assert absent == 0


def test_a_changed_population_is_found(tmp_path: Path) -> None:
    release = ul.anonymize(
        patients(), privacy=ul.KMap(12, population="people"), side={"people": population()}
    )
    bundle = release.save(tmp_path / "bundle")
    population(5).write_parquet(bundle / "private" / "side-0.parquet")
    assert "side-0.parquet was changed" in ul.verify(bundle).problems[0]


def test_guards_are_kept_by_the_holder_and_never_published(tmp_path: Path) -> None:
    release = ul.anonymize(patients(), privacy=ul.PersonalizedPrivacy(0.5), method=ul.Mondrian())
    assert "wish" not in release.applied.frame.columns
    bundle = release.save(tmp_path / "bundle")
    assert "wish" not in (bundle / "public" / "release.json").read_text().replace(
        'guard=\\"wish\\"', ""
    )
    assert pl.read_parquet(bundle / "private" / "hidden.parquet").columns == ["wish"]
    assert ul.verify(bundle).holds
    shutil.rmtree(bundle / "private")
    assert any("private half alone" in note for note in ul.verify(bundle).notes)


def prior() -> pl.DataFrame:
    rows = [
        {"sex": sex, "value": value, "p": p}
        for sex, shares in {"f": (0.5, 0.3, 0.2), "m": (0.45, 0.3, 0.25)}.items()
        for value, p in zip(("flu", "cold", "hiv"), shares, strict=True)
    ]
    return pl.DataFrame(rows)


RAW: list[GroupModel] = [
    ul.RRobustness("1.2", prior="prior"),
    ul.MConfidentiality("1.2", h=0.9),
    ul.BTPrivacy(0.5, 0.6),
]


@pytest.mark.parametrize("model", RAW, ids=lambda model: model.name)
@pytest.mark.parametrize("method", [ul.Optimal(), ul.Mondrian()], ids=str)
def test_what_records_were_is_kept_for_the_verifier(
    model: GroupModel, method: Method, tmp_path: Path
) -> None:
    side = {"prior": prior()}
    release = ul.anonymize(patients(), privacy=[ul.KAnonymity(8), model], method=method, side=side)
    bundle = release.save(tmp_path / "bundle")
    result = ul.verify(bundle)
    assert result.holds, result.problems
    assert isinstance(result.finding, Finding)
    assert [v.achieved for v in result.finding.verdicts] == [
        pytest.approx(v.achieved) for v in release.finding.verdicts
    ]
    assert set(pl.read_parquet(bundle / "private" / "hidden.parquet").columns) <= {"age", "sex"}


def test_checking_with_the_original_is_what_the_verifier_does() -> None:
    people, model = patients(), ul.MConfidentiality("1.2", h=0.9)
    release = ul.anonymize(people, privacy=[ul.KAnonymity(8), model], method=ul.Mondrian())
    published = ul.as_table(release.applied.frame, quasi=["age", "sex"], sensitive="ill")
    finding = ul.check(published, model, original=people.frame)
    assert finding.verdicts[0].achieved == release.finding.verdicts[1].achieved


def test_an_original_in_another_order_is_refused() -> None:
    published = ul.as_table(
        {"job": ["a", "*", "b"], "ill": ["x", "y", "z"]}, quasi="job", sensitive="ill"
    )
    model = ul.MConfidentiality(2, h=0.5)
    original = {"job": ["a", "c", "b"], "ill": ["x", "y", "z"]}
    ul.check(published, model, original=original)
    for column, others in (("job", ["b", "c", "a"]), ("ill", ["y", "x", "z"])):
        said = rf"column '{column}' of the original does not fit the table in 2 of 3"
        with pytest.raises(DataError, match=said):
            ul.check(published, model, original={**original, column: others})
    with pytest.raises(DataError, match="the original has 1 records and the table has 3"):
        ul.check(published, model, original={"job": ["a"], "ill": ["x"]})


def test_incognito_refuses_what_merging_may_break_by_name() -> None:
    with pytest.raises(UnsupportedError, match=r"incognito .* m-confidentiality.* optimal"):
        ul.anonymize(patients(), privacy=ul.MConfidentiality(2, h=0.5), method=ul.Incognito())


def test_a_plan_names_its_side_tables_from_its_folder(tmp_path: Path) -> None:
    population().write_csv(tmp_path / "people.csv")
    patients().frame.write_csv(tmp_path / "patients.csv")
    plan = ul.Plan.from_dict(
        {
            "data": {"source": "patients.csv"},
            "columns": {
                "age": {"role": "quasi-identifier", "taxonomy": {"intervals": [10, 20]}},
                "sex": {"role": "quasi-identifier"},
                "ill": {"role": "sensitive"},
                "wish": {"role": "guard"},
            },
            "privacy": [{"model": "k-map", "k": 12, "population": "people.csv"}],
        },
        tmp_path,
    )
    from unlinkable.tables.publishing.anonymizing.run import run

    assert run(plan).holds
    (tmp_path / "elsewhere").mkdir()
    plan.save(tmp_path / "elsewhere" / "plan.toml")
    moved = ul.Plan.load(tmp_path / "elsewhere" / "plan.toml")
    assert moved.models() == (ul.KMap(12, population="../people.csv"),)
    assert run(moved).holds


def test_comparing_knows_side_tables() -> None:
    (outcome,) = ul.compare(
        patients(),
        methods=[ul.Mondrian()],
        privacy=[[ul.KMap(12, population="people")]],
        metrics=[ul.ILoss()],
        side={"people": population()},
    )
    assert outcome.problem is None


def test_new_records_are_judged_against_the_same_population() -> None:
    release = ul.anonymize(
        patients(), privacy=ul.KMap(12, population="people"), side={"people": population()}
    )
    assert release.recode(patients(10).frame).holds
