"""Sensitive values that are told cell by cell: applied, true, verified from files, and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from attrs import evolve, frozen

import unlinkable as ul
from tests.witness.tree import Tree as Witnessed
from tests.witness.values import personalized_breach
from unlinkable.errors import BundleError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import ColumnCells, Solution, Task
from unlinkable.tables.methods.regions import GreedyPersonalized
from unlinkable.tables.models.base import All
from unlinkable.tables.publishing import BrokenPromiseError, open_bundle
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease

NESTED = {
    "infection": {"virus": ["hiv", "sars"], "bacteria": ["tb", "cholera"]},
    "injury": {"skin": ["burn", "cut"], "bone": ["break"]},
}
WITNESS = Witnessed.nested(
    {
        "*": {
            name: {sub: {leaf: {} for leaf in leaves} for sub, leaves in below.items()}
            for name, below in NESTED.items()
        }
    }
)
ILLS = WITNESS.leaves
P = Fraction(3, 10)


def patients(n: int = 120, *, missing: bool = False) -> Table:
    rng = np.random.default_rng(3)
    ills = rng.choice(np.array(ILLS, object), n).tolist()
    if missing:
        ills[::9] = [None] * len(ills[::9])
    minds = rng.choice(np.array([None, "hiv", "virus", "injury", "burn"], object), n).tolist()
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "sex": rng.choice(["f", "m"], n),
            "ill": pl.Series(ills, dtype=pl.String),
            "mind": pl.Series(minds, dtype=pl.String),
        }
    )
    return ul.as_table(
        frame,
        quasi=["age", "sex"],
        sensitive="ill",
        guard="mind",
        taxonomies={"ill": ul.Tree(NESTED), "age": ul.Intervals(5, 10, 20)},
    )


def released(table: Table | None = None, p: Fraction = P) -> GeneralizedRelease:
    promises = [ul.PersonalizedPrivacy(p), ul.KAnonymity(2)]
    return ul.anonymize(table or patients(), privacy=promises, method=GreedyPersonalized(), seed=1)


def covers(text: str | None, value: str | None) -> bool:
    if text in (value, "*"):
        return True
    path = [] if value is None else WITNESS.paths[value]
    return text in path


# What is published


@pytest.mark.parametrize("missing", [False, True])
def test_published_values_are_true_and_guard_what_is_guarded(missing: bool) -> None:
    table = patients(missing=missing)
    release = released(table)
    frame = release.applied.frame
    assert frame.columns == ["age", "sex", "ill"]
    shown, raw = frame["ill"].to_list(), table.frame["ill"].to_list()
    assert all(map(covers, shown, raw))
    n_told = release.solution.effort["generalized"]
    assert n_told == sum(one != other for one, other in zip(shown, raw, strict=True)) > 0
    if missing:
        return  # the witness's tree has no missing leaf
    rows = [
        {**row, "mind": mind}
        for row, mind in zip(frame.rows(named=True), table.frame["mind"], strict=True)
    ]
    level = personalized_breach(rows, ["age", "sex"], "ill", "mind", WITNESS)
    assert level is not None
    assert level <= P
    assert release.finding.verdicts[0].achieved == {"p": pytest.approx(float(level))}


def test_a_column_of_which_nothing_is_blurred_is_handed_on_as_it_was() -> None:
    table = patients()
    release = released(table, Fraction(1))
    assert release.applied.frame["ill"].equals(table.frame["ill"])


def test_categories_stay_categories() -> None:
    table = patients()
    frame = table.frame.with_columns(pl.col("ill").cast(pl.Categorical))
    release = released(evolve(table, frame=frame, numbered={}, taxonomies={}))
    assert isinstance(release.applied.frame.schema["ill"], pl.Categorical)
    assert release.applied.frame["ill"].cast(pl.String).equals(released().applied.frame["ill"])


# Bundles


@pytest.mark.parametrize("written", ["csv", "parquet"])
@pytest.mark.parametrize("missing", [False, True])
def test_a_bundle_is_verified_from_its_files(tmp_path: Path, written: str, missing: bool) -> None:
    release = released(patients(missing=missing))
    bundle = release.save(tmp_path / "bundle", format=written)  # type: ignore[arg-type]
    checked = ul.verify(bundle)
    assert checked.holds, checked.problems
    assert checked.models[0]["achieved"] == release.finding.verdicts[0].achieved
    alone = ul.verify(bundle / "public")
    assert alone.holds, alone.problems
    assert any("private half alone" in note for note in alone.notes)


def test_recipients_are_told_no_value_that_is_not_published(tmp_path: Path) -> None:
    table = ul.as_table(
        {
            "age": [1, 1, 1, 1],
            "ill": ["hiv", "burn", "cut", "break"],
            "mind": ["hiv", None, None, None],
        },
        quasi="age",
        sensitive="ill",
        guard="mind",
        taxonomies={"ill": ul.Tree(NESTED)},
    )
    promise = ul.PersonalizedPrivacy(Fraction(1, 5))
    release = ul.anonymize(table, privacy=promise, method=GreedyPersonalized())
    assert release.applied.frame["ill"].to_list() == ["virus", "burn", "cut", "break"]
    bundle = release.save(tmp_path / "bundle")
    manifest = (bundle / "public" / "release.json").read_text()
    assert '"virus"' in manifest
    assert "hiv" not in manifest
    assert "sars" not in manifest
    shown = {c["name"]: c["taxonomy"] for c in json.loads(manifest)["columns"]}
    assert shown["ill"]["values"] == ["virus", "burn", "cut", "break"]


def test_a_bundle_whose_values_were_sharpened_does_not_verify(tmp_path: Path) -> None:
    release = released()
    sharp = release.table.frame["ill"]
    frame = release.applied.frame.with_columns(sharp)
    honest = release.evidence().judge(release.models)
    assert honest.holds
    false = evolve(release, applied=evolve(release.applied, frame=frame))
    assert not false.verify().holds
    with pytest.raises(BundleError, match="what was written does not hold: personalized-privacy"):
        false.save(tmp_path / "bundle")


def test_a_bundle_is_measured_beside_its_original(tmp_path: Path) -> None:
    table = patients()
    file = tmp_path / "patients.csv"
    table.frame.write_csv(file)
    bundle = open_bundle(released().save(tmp_path / "bundle"))
    for metric in ("kl-divergence", "iloss"):
        assert bundle.measure(metric, original=file) == pytest.approx(released().measure(metric))


def test_new_records_are_not_recoded() -> None:
    with pytest.raises(UnsupportedError, match="'ill' for what the people in it want guarded"):
        released().recode(patients().frame)


# Proposals that are refused


@frozen
class Forged(GreedyPersonalized):
    """Does what the method does, and then something else to what the cells show."""

    forge: Callable[[ColumnCells], ColumnCells] = lambda shown: shown

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        found = super().search(finest, privacy, task)
        return evolve(found, cells={name: self.forge(told) for name, told in found.cells.items()})

    def __str__(self) -> str:
        return "forged"


def some(shown: ColumnCells) -> ColumnCells:
    return evolve(
        shown,
        part=shown.part[1:],
        value=shown.value[1:],
        other=shown.other[1:],
        lo=shown.lo[1:],
        hi=shown.hi[1:],
    )


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (some, "does not say of all records what they show on column 'ill'"),
        (
            lambda shown: evolve(shown, part=shown.part + 1),
            "does not say of all records what they show on column 'ill'",
        ),
        (
            lambda shown: evolve(shown, lo=np.zeros_like(shown.lo), hi=np.ones_like(shown.hi)),
            "cells of column 'ill' that are untrue",
        ),
        (
            lambda shown: evolve(shown, lo=shown.value, hi=shown.value + 1),
            "does not keep personalized-privacy",
        ),
    ],
    ids=["some", "elsewhere", "untrue", "sharp"],
)
def test_a_method_that_tells_cells_wrongly_is_refused(
    forge: Callable[[ColumnCells], ColumnCells], message: str
) -> None:
    promises = [ul.PersonalizedPrivacy(P), ul.KAnonymity(2)]
    with pytest.raises(BrokenPromiseError, match=message):
        ul.anonymize(patients(), privacy=promises, method=Forged(forge=forge))
