"""Operations in place of a method."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pytest
from attrs import field, frozen

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.noise import Event, Ledger
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.release_columns import Frame
from unlinkable.tables.data.replaced_values import with_numbers
from unlinkable.tables.data.schema import Schema
from unlinkable.tables.data.side import Side
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.shared.operation_method import Operating, as_method
from unlinkable.tables.models import DifferentialPrivacy, KAnonymity
from unlinkable.tables.operations.base.operation import Perturbation
from unlinkable.tables.publishing import anonymize


@frozen
class Shifted(Perturbation):
    """Everybody gets older by some years."""

    name: ClassVar[str] = "shifted"
    reference: ClassVar[str] = "a test"

    years: int = field(default=1)
    epsilon: float | None = field(default=None)

    def bind(self, schema: Schema) -> Self:
        assert "age" in schema.names
        return self

    def opened(self, side: Side) -> Self:
        return type(self)(int(side.open("years").texts("n")[0] or 0), self.epsilon)

    def told(self, table: Table) -> dict[str, float | str]:
        return {"years": self.years}

    def apply(self, table: Table, rng: np.random.Generator) -> Frame:
        ages = table.frame["age"].to_numpy() + self.years
        return with_numbers(table.frame, "age", ages.astype(float))

    def ledger(self, table: Table) -> Ledger | None:
        return None if self.epsilon is None else Ledger([Event("pure", {"epsilon": self.epsilon})])


YEARS = {"years": {"n": [3]}}


def people() -> Table:
    ages = list(range(20, 60))
    return as_table({"name": list(map(str, ages)), "age": ages}, quasi="age", identifiers="name")


def test_what_comes_out_is_published_in_its_place() -> None:
    release = anonymize(people(), method=Shifted(), side=YEARS)
    assert release.applied.frame.columns == ["age"]
    assert release.applied.frame["age"].to_list() == list(range(23, 63))
    assert release.masked.told == {"years": 3}
    assert str(release.method).startswith("shifted(")
    assert (release.method.name, release.method.reference) == ("shifted", "a test")


def test_with_a_price_records_come_in_an_order_that_tells_nothing() -> None:
    release = anonymize(
        people(), privacy=DifferentialPrivacy(1), method=Shifted(epsilon=1.0), side=YEARS, seed=1
    )
    shown = release.applied.frame["age"].to_list()
    assert sorted(shown) == list(range(23, 63))
    assert shown != sorted(shown)
    assert release.masked.rows is None


def test_noise_that_costs_too_much_is_refused_before_anything_is_published() -> None:
    with pytest.raises(
        InfeasibleError, match=r"costs epsilon = 2, and 1 may be spent .* more noise"
    ):
        anonymize(people(), privacy=DifferentialPrivacy(1), method=Shifted(epsilon=2.0), side=YEARS)


def test_noise_without_a_price_keeps_no_promise_about_noise() -> None:
    with pytest.raises(UnsupportedError, match="its noise has no known price"):
        anonymize(people(), privacy=DifferentialPrivacy(1), method=Shifted(), side=YEARS)


def test_promises_about_groups_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="puts no records together: promise nothing"):
        anonymize(people(), privacy=KAnonymity(2), method=Shifted(), side=YEARS)


def test_a_method_is_taken_as_it_is() -> None:
    method = Mondrian()
    assert as_method(method) is method
    assert isinstance(as_method(Shifted()), Operating)


def test_files_are_found_from_the_folder_of_the_plan(tmp_path: Path) -> None:
    from unlinkable.tables.publishing.anonymizing.run import run
    from unlinkable.tables.publishing.plans.plan import Plan

    (tmp_path / "moves.csv").write_text("from,to,p\na,b,1\n", encoding="utf-8")
    (tmp_path / "data.csv").write_text("x,y\na,1\nb,2\na,3\n", encoding="utf-8")
    document = {
        "data": {"source": "data.csv"},
        "columns": {"x": {"role": "quasi-identifier"}, "y": {"role": "insensitive"}},
        "method": {"name": 'post-randomization(matrix="moves.csv", columns=[x])'},
    }
    release = run(Plan.from_dict(document, tmp_path))
    assert release.applied.frame["x"].to_list() == ["b", "b", "b"]
