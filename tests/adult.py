"""UCI Adult for the tests that need it: where it is, its records, its taxonomies.

It lies beside the checkout, in ``shared/data``, or where ``UNLINKABLE_DATA`` says.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest

from unlinkable.tables.taxonomies.builders import Csv

__all__ = [
    "FILE",
    "HIERARCHIES",
    "SEVEN",
    "full_records",
    "needs_adult",
    "needs_full_adult",
    "records",
    "trees",
]

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA = Path(os.environ.get("UNLINKABLE_DATA") or BESIDE)
FILE = DATA / "adult" / "adult.csv"
HIERARCHIES = DATA / "adult" / "hierarchies"
FULL = DATA / "adult-full" / "adult.csv"

SEVEN = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
"""What others may know; the other columns of the file are the occupation and the salary class."""


def needs(file: Path) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not file.is_file(), reason="the Adult table is not at hand")


needs_adult = needs(FILE)
"""Skip a test without the table, or as ``pytestmark`` all tests of a file."""

needs_full_adult = needs(FULL)
"""The same for the table with all columns, and with records where something is missing."""


def records(*columns: str) -> pl.DataFrame:
    """Read these columns of all records in which nothing is missing."""
    return pl.read_csv(FILE, separator=";").select(columns)


def full_records() -> pl.DataFrame:
    """Read all columns of all records."""
    return pl.read_csv(FULL, separator=";", null_values="?")


def trees(columns: Iterable[str]) -> dict[str, Csv]:
    """Name the files with the taxonomies of these columns."""
    return {name: Csv(HIERARCHIES / f"{name}.csv") for name in columns}
