"""The worked examples of top-down searches, as the library takes them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import pytest

from tests.tables.groups.plain import rows_of_case, taxonomy_of
from tests.witness.tree import Tree
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Solution, Step, Task
from unlinkable.tables.methods.cuts.shared.refinement import Refinement
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

__all__ = ["Printed"]

Nested = Mapping[str, Any]


@dataclass(frozen=True)
class Printed:
    """A table of the book, with the taxonomies that it prints."""

    table: Table
    taxonomies: Mapping[str, Nested]

    @classmethod
    def of(cls, given: Nested, quasi: Sequence[str], **roles: str) -> Printed:
        """Read the input of a case; a table with counts of classes is written out."""
        rows: list[dict[str, Hashable]] = []
        for row in rows_of_case(given["table"]):
            for label in given.get("class_columns", ()):
                rows += [{**row, "class": label}] * int(str(row[label]))
            if "class_columns" not in given:
                rows.append(row)
        names = [*quasi, *roles.values()]
        frame = pl.DataFrame({name: [row[name] for row in rows] for name in names})
        trees = {
            name: ReadyMade(taxonomy_of(Tree.nested(nested)))
            for name, nested in given["taxonomies"].items()
            if name in quasi and not isinstance(rows[0][name], int)
        }
        return cls(
            as_table(frame, quasi=quasi, taxonomies=trees, **roles),  # type: ignore[arg-type]
            given["taxonomies"],
        )

    def finest(self, method: TopDown, privacy: All) -> Groups:
        """Count the table for a search."""
        return count(self.table, {*method.needs(self.table.schema), *privacy.needs()}).finest

    def begin(self, method: TopDown, *models: GroupModel) -> Refinement:
        """Set a search up."""
        bound = method.bind(self.table.schema)
        privacy = All(b for m in models for b in m.bind(BindingContext.of(self.table.schema)))
        return bound.begin(self.finest(bound, privacy), privacy, self.task)

    def search(self, method: TopDown, *models: GroupModel) -> Solution:
        """Run a search."""
        bound = method.bind(self.table.schema)
        privacy = All(b for m in models for b in m.bind(BindingContext.of(self.table.schema)))
        return bound.search(self.finest(bound, privacy), privacy, self.task)

    @property
    def task(self) -> Task:
        """Ask for little loss."""
        return Task(self.table.attributes, ILoss())

    def codes(self, column: str, label: str) -> tuple[int, int]:
        """Find the codes that a printed label stands for: an interval, or a node."""
        (attribute,) = (a for a in self.table.attributes if a.name == column)
        domain = attribute.taxonomy.domain
        if interval := re.fullmatch(r"\[(\d+)-(\d+)\)", label):
            low, high = map(int, interval.groups())
            inside = [i for i, v in enumerate(domain.values.tolist()) if low <= v < high]
        else:
            under = set(leaves_under(self.taxonomies[column], label))
            inside = [i for i, v in enumerate(domain.values.tolist()) if v in under]
        return inside[0], inside[-1] + 1

    def columns_of(self, label: str) -> str:
        """Find the column that a printed value belongs to."""
        for attribute in self.table.attributes:
            nested = self.taxonomies.get(attribute.name)
            if nested is None or label in names_in(nested):
                return attribute.name
        raise AssertionError(f"no column shows {label}")

    def is_step(self, step: Step, label: str) -> bool:
        """Whether a step refines the value with this label."""
        column = self.columns_of(label)
        return (step.column, (step.lo, step.hi)) == (column, self.codes(column, label))

    def check_trace(
        self, method: TopDown, models: Sequence[GroupModel], trace: Sequence[Nested]
    ) -> None:
        """Compare a search with a printed trace: what is best in each state, and all scores."""
        found = self.search(method, *models)
        assert len(found.trace) == len(trace) - 1
        for i, state in enumerate(trace):
            if i < len(found.trace):
                assert self.is_step(found.trace[i], state["best"])
            else:
                assert state["best"] is None
            search = self.begin(method, *models)
            search.run(StopRule.of(self.task, i, None), self.task.progress)
            self._check_scores(search, state["candidates"])

    def _check_scores(self, search: Refinement, candidates: Sequence[Nested]) -> None:
        expected = {
            (c["attribute"], *self.codes(c["attribute"], c["value"])): c for c in candidates
        }
        cut, names = search.cut, [a.name for a in self.table.attributes]
        for at, score in zip(cut.candidates.tolist(), search.scores().tolist(), strict=True):
            value = int(cut.refined(cut.candidates[cut.candidates == at])[0])
            place = names[cut.column(at)], int(cut.state.lo[value]), int(cut.state.hi[value])
            printed = expected[place]
            assert score == pytest.approx(printed["score"], abs=1e-6)
            assert cut.state.gain[at] == pytest.approx(printed["InfoGain"], abs=1e-6)


def names_in(nested: Nested) -> set[str]:
    """Collect all labels of a nested taxonomy."""
    return set(nested).union(*(names_in(below) for below in nested.values()))


def leaves_under(nested: Nested, label: str) -> list[str]:
    """List the leaves under the node with a label."""
    found: list[str] = []
    for name, below in nested.items():
        if name == label:
            found += leaves_of({name: below})
        else:
            found += leaves_under(below, label)
    return found


def leaves_of(nested: Nested) -> list[str]:
    """List all leaves."""
    return [
        leaf for name, below in nested.items() for leaf in (leaves_of(below) if below else [name])
    ]
