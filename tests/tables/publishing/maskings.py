"""Small maskings, good and broken, that tests publish with."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.noise import Event, Ledger
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.replaced_values import (
    frame_of,
    publishable_columns,
    with_numbers,
    with_order,
)
from unlinkable.tables.methods.base.record_method import Buckets, MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All, GroupModel, NoiseModel


def people() -> Table:
    """Twelve people, three of each illness."""
    return as_table(
        {
            "name": [f"p{i}" for i in range(12)],
            "age": [20, 21, 22, 23, 30, 31, 32, 33, 40, 41, 42, 43],
            "sex": [*"fmfmfmfmfmfm"],
            "ill": [*"abcdabcdabcd"],
        },
        quasi=["age", "sex"],
        sensitive="ill",
        identifiers="name",
    )


def as_they_are(table: Table) -> MaskedRecords:
    """Publish the records as they are."""
    return MaskedRecords(table.frame.select(publishable_columns(table)), np.arange(len(table)))


@frozen
class Plain(RecordMethod):
    """A masking that keeps whatever it is asked for, as far as it claims."""

    name: ClassVar[str] = "plain"
    reference: ClassVar[str] = "a test"
    needs_promise: ClassVar[bool] = False

    def refusal(self, model: GroupModel) -> str | None:
        return None

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        return as_they_are(table)


@frozen
class Turned(Plain):
    """Ages are handed on to the next record: the first record gets the last age."""

    name: ClassVar[str] = "turned"

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        masked = as_they_are(table)
        order = np.roll(np.arange(len(table)), 1)
        return evolve(masked, frame=with_order(masked.frame, "age", order))


@frozen
class Coarse(Plain):
    """Every ten years have the same age and sex: four records look alike, in turned order."""

    name: ClassVar[str] = "coarse"
    first: int = field(default=25)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        rows = np.arange(len(table))[::-1].copy()
        frame = with_numbers(as_they_are(table).frame[rows], "age", np.repeat([45.0, 35, 0], 4))
        frame = with_numbers(frame, "age", np.repeat([45.0, 35.0, self.first], 4))
        order = np.repeat([0, 4, 8], 4)
        return MaskedRecords(with_order(frame, "sex", order), rows, told={"width": 10.0})


@frozen
class Halves(Plain):
    """Illnesses are told for two or more buckets."""

    name: ClassVar[str] = "halves"
    truthful: ClassVar[bool] = True
    n_buckets: int = field(default=3)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        masked = as_they_are(table)
        bucket = np.arange(len(table)) * self.n_buckets // len(table)
        ills = np.array(table.frame["ill"].to_list())
        pairs, counts = np.unique(np.stack([bucket.astype(str), ills]), axis=1, return_counts=True)
        hidden = frame_of({"group": pairs[0].astype(int), "ill": pairs[1], "count": counts})
        frame = masked.frame.drop("ill")
        frame = frame.with_columns(frame_of({"group": bucket})["group"])
        return MaskedRecords(frame, masked.rows, Buckets("group", hidden))


@frozen
class Counted(Plain):
    """How many there are of each sex, with noise that is written down."""

    name: ClassVar[str] = "counted"
    epsilon: float = field(default=0.5)

    def refusal(self, model: GroupModel) -> str | None:
        return None if isinstance(model, NoiseModel) else "it counts"

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        event = Event("geometric", {"sensitivity": 1, "scale": 1 / self.epsilon})
        frame = frame_of({"sex": ["f", "m"], "count": [7, 5]})
        return MaskedRecords(frame, None, counts="count", ledger=Ledger([event]))
