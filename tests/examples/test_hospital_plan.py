"""The hospital's taxonomies and plan: complete, even, and a promise that can be kept."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, cast

import polars as pl
import pytest
import tomli_w

from unlinkable.examples import hospital, hospital_plan, hospital_taxonomies


def paths(tree: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Walk a tree from the root to each of its values."""
    for label, below in tree.items():
        if isinstance(below, list):
            yield from ((*above, label, value) for value in below)
        else:
            yield from paths(below, (*above, label))


def tree_of(column: str) -> list[tuple[str, ...]]:
    spec = cast("dict[str, dict[str, Any]]", hospital_taxonomies()[column])
    return list(paths(spec["tree"]))


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4])
def test_every_value_has_its_place_in_its_taxonomy(seed: int) -> None:
    frame = hospital(30_000, seed)
    for column in ("profession", "diagnosis"):
        assert set(frame[column].drop_nulls()) <= {path[-1] for path in tree_of(column)}
    assert set(frame["zip"].str.len_chars()) == {5}


@pytest.mark.parametrize(("column", "n_values"), [("profession", 43), ("diagnosis", 66)])
def test_trees_are_even_and_give_every_label_one_place(column: str, n_values: int) -> None:
    places = tree_of(column)
    assert len(places) == n_values
    assert {len(path) for path in places} == {3}
    parents = {
        (above, label) for path in places for above, label in zip(("", *path), path, strict=False)
    }
    assert len(parents) == len({label for _, label in parents})


def test_taxonomies_are_new_at_each_call() -> None:
    cast("dict[str, Any]", hospital_taxonomies()["profession"])["tree"].clear()
    assert tree_of("profession")


def test_diagnoses_lie_in_the_chapter_and_block_of_their_code() -> None:
    for chapter_label, block, diagnosis in tree_of("diagnosis"):
        first, last = re.findall(r"[A-Z]\d\d", block)
        assert first <= diagnosis[:3] <= last
        letters = chapter_label.split(" ")[0]
        assert letters[0] <= diagnosis[0] <= letters[-1]


def test_the_plan_survives_its_file() -> None:
    plan = hospital_plan("patients.csv")
    assert tomllib.loads(tomli_w.dumps(plan)) == plan


def test_the_plan_gives_every_column_a_role_and_what_is_recoded_a_taxonomy() -> None:
    plan = cast("dict[str, Any]", hospital_plan("patients.csv"))
    assert plan["data"] == {"source": "patients.csv"}
    assert list(plan["columns"]) == hospital(0).columns
    roles = {name: spec["role"] for name, spec in plan["columns"].items()}
    recoded = [name for name, role in roles.items() if role == "quasi-identifier"]
    assert recoded == ["age", "sex", "zip", "admission_date", "profession"]
    assert [name for name, role in roles.items() if role == "identifier"] == ["patient_id", "name"]
    assert roles["diagnosis"] == "sensitive"
    assert roles["readmitted"] == "target"
    with_taxonomy = [name for name, spec in plan["columns"].items() if "taxonomy" in spec]
    assert with_taxonomy == [*recoded, "diagnosis"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_plan_can_be_kept_with_no_column_lost(seed: int) -> None:
    sectors = {path[-1]: path[0] for path in tree_of("profession")}
    shown = hospital(seed=seed).select(
        pl.col("age") // 20,
        "sex",
        pl.col("zip").str.slice(0, 1),
        pl.col("admission_date").dt.year(),
        pl.col("profession").replace_strict(sectors),
        "diagnosis",
    )
    groups = shown.group_by(pl.exclude("diagnosis")).agg(
        pl.len().alias("size"), pl.col("diagnosis").unique_counts().entropy().exp().alias("l")
    )
    bad = groups.filter((pl.col("size") < 5) | (pl.col("l") < 3))
    assert bad["size"].sum() <= 0.05 * len(shown)
