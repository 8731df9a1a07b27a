"""The tables that are measured: UCI Adult where it is at hand, and tables grown from it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl

from unlinkable.tables.data import Table, as_table
from unlinkable.tables.taxonomies.builders import Csv

QI9 = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
QI8 = tuple(name for name in QI9 if name != "occupation")


def folder() -> Path | None:
    """Find the folder with the Adult table, if there is one."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    for candidate in (os.environ.get("UNLINKABLE_DATA"), beside):
        if candidate and (Path(candidate) / "adult" / "adult.csv").is_file():
            return Path(candidate) / "adult"
    return None


def adult_frame() -> pl.DataFrame:
    """Read the Adult table: 30,162 records, 9 columns."""
    where = folder()
    if where is None:
        raise SystemExit("put UCI Adult into a folder and name it in UNLINKABLE_DATA")
    return pl.read_csv(where / "adult.csv", separator=";")


def grown(n: int, seed: int = 0) -> pl.DataFrame:
    """Resample Adult to ``n`` records, with noise: one value in twenty is another record's."""
    frame = adult_frame()
    rng = np.random.default_rng(seed)
    columns = {}
    rows = rng.integers(0, frame.height, n)
    for name in frame.columns:
        noisy = np.where(rng.random(n) < 0.05, rng.integers(0, frame.height, n), rows)
        columns[name] = frame.get_column(name).gather(noisy)
    return pl.DataFrame(columns)


def adult_table(frame: pl.DataFrame, quasi: tuple[str, ...], *, target: str = "") -> Table:
    """Give Adult its roles and taxonomies: what is neither known nor a class is sensitive."""
    where = folder()
    assert where is not None
    taxonomies = {name: Csv(where / "hierarchies" / f"{name}.csv") for name in quasi}
    sensitive = [name for name in frame.columns if name not in (*quasi, target)]
    return as_table(
        frame,
        quasi=quasi,
        sensitive=sensitive,
        target=[target] if target else [],
        taxonomies=taxonomies,
    )
