"""The tables that every method is measured on: UCI Adult, and people whom nobody has met."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import numpy as np
import polars as pl

from benchmarks.data import QI9, adult_frame, adult_table
from unlinkable import as_table
from unlinkable.examples import (
    hospital,
    hospital_taxonomies,
    transfusions,
    transfusions_taxonomies,
)
from unlinkable.tables.data import Table
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder
from unlinkable.tables.taxonomies.builders.plan_form import builder_from_plan
from unlinkable.typing import Columns

SEED = 0


def adult() -> Table:
    """Read Adult: eight columns that others may know, and the class of income to be told."""
    quasi = tuple(name for name in QI9 if name != "salary-class")
    return adult_table(adult_frame(), quasi, target="salary-class")


def patients(n: int = 10_000, *, target: str = "readmitted", guarded: bool = False) -> Table:
    """Invent patients: five columns that others may know, and what is to be told of them."""
    quasi = ("age", "sex", "zip", "admission_date", "profession")
    frame = hospital(n, seed=SEED).select(*quasi, "diagnosis", target)
    if guarded:
        frame = frame.with_columns(minds=guards(frame.get_column("diagnosis")))
    return as_table(
        frame,
        quasi=quasi,
        sensitive="diagnosis",
        target=target,
        guard="minds" if guarded else None,
        taxonomies=builders(hospital_taxonomies(), (*quasi, "diagnosis")),
    )


def guards(diagnosis: pl.Series) -> pl.Series:
    """Let one patient in ten mind that others find out the diagnosis."""
    minds = np.random.default_rng(SEED).random(len(diagnosis)) < 0.1
    return diagnosis.zip_with(pl.Series(minds), pl.Series([None] * len(minds), dtype=pl.String))


def donations(n: int = 10_000) -> Table:
    """Invent transfusions: 41 columns that others may know, and the blood group to be told."""
    frame = transfusions(n, seed=SEED)
    quasi = tuple(transfusions_taxonomies())
    return as_table(
        frame,
        quasi=quasi,
        sensitive="diagnosis",
        target="blood_group",
        taxonomies=builders(transfusions_taxonomies(), quasi),
    )


def builders(specs: Mapping[str, object], names: Columns) -> dict[str, TaxonomyBuilder]:
    """Read taxonomies as they stand in a plan."""
    plans = cast("Mapping[str, Mapping[str, object]]", specs)
    return {name: builder_from_plan(plans[name], Path()) for name in names}


def people_within(n: int = 10_000) -> tuple[Table, pl.DataFrame]:
    """Take a fifth of the patients, and all of them for the population."""
    everybody = hospital(n, seed=SEED).select("age", "sex", "zip", "profession")
    some = np.random.default_rng(SEED).random(n) < 0.2
    names = tuple(everybody.columns)
    taxonomies = builders(hospital_taxonomies(), names)
    return as_table(everybody.filter(some), quasi=names, taxonomies=taxonomies), everybody
