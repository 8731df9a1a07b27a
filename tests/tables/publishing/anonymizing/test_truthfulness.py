"""Truthfulness: published texts are read by their meaning, and compared record by record."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.publishing.anonymizing.apply import Applied
from unlinkable.tables.publishing.anonymizing.truthfulness import untruths
from unlinkable.tables.taxonomies.builders import Intervals, Tree

JOBS = {"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]}


def covers(text: str | None, age: int | None) -> bool:
    """Whether a published text covers an age, by what it says."""
    if text is None or age is None:
        return text == "*" or (text is None and age is None)
    if text == "*":
        return True
    if text.startswith("["):
        low, high = text[1:-1].split("-")
        return int(low) <= age < int(high)
    return int(text) == age


ages = st.lists(st.none() | st.integers(20, 59), min_size=1, max_size=12)


@given(ages=ages, data=st.data())
def test_counts_what_the_texts_do_not_cover(ages: list[int | None], data: st.DataObject) -> None:
    ages = [*ages, 20, 40, None]
    table = as_table({"age": ages}, quasi="age", taxonomies={"age": Intervals(10, 20)})
    known = [str(age) for age in ages if age is not None]
    texts = ["*", None, "[20-40)", "[40-60)", "[20-41)", "[40-50)", *known]
    told = data.draw(st.lists(st.sampled_from(texts), min_size=len(ages), max_size=len(ages)))
    rows = data.draw(st.none() | st.permutations(range(len(ages))))
    order = range(len(ages)) if rows is None else rows
    frame = pl.DataFrame({"age": pl.Series(told, dtype=pl.String)})
    found = untruths(
        table, Applied(frame, None if rows is None else np.array(rows)), table.attributes
    )
    n = sum(not covers(text, ages[i]) for text, i in zip(told, order, strict=True))
    assert found == ([f"tells {n} untruths in column 'age'"] if n else [])


def test_a_text_without_a_meaning_cannot_be_true() -> None:
    table = as_table({"job": ["Dancer", "Lawyer"]}, quasi="job", taxonomies={"job": Tree(JOBS)})
    told = Applied(pl.DataFrame({"job": ["Artist", "Astronaut"]}), None)
    assert untruths(table, told, table.attributes) == [
        "cannot be read: column 'job': no published value 'Astronaut' among 6 (there are "
        "'Professional', 'Artist', 'Engineer', 'Lawyer', 'Dancer', 'Writer'): it is no value, "
        "label, interval or set of its taxonomy"
    ]


def test_columns_that_were_not_changed_are_true_whatever_they_hold() -> None:
    """Here the texts could not even be read: they are moments of a time zone, and not numbers."""
    moments = [datetime(2024, 1, 1, hour, tzinfo=UTC) for hour in (1, 2)]
    table = as_table(
        pl.DataFrame({"time": pl.Series(moments), "x": [float("nan"), 1.0]}), quasi=["time", "x"]
    )
    assert untruths(table, Applied(table.frame, None), table.attributes) == []


def test_every_release_is_true() -> None:
    rng = np.random.default_rng(0)
    table = as_table(
        {"age": rng.integers(20, 60, 300).tolist(), "job": rng.choice(["a", "b", "c"], 300)},
        quasi=["age", "job"],
    )
    release = anonymize(table, privacy=KAnonymity(5), method=Mondrian())
    assert untruths(table, release.applied, release.task.attributes) == []
