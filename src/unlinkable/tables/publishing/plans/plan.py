"""Plan: all decisions on a release, in one file.

A plan says where the records are, what each column says about a person, what is promised, and how
the release is to be found and written. The file is TOML; the same plan can be made in Python.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Self, cast

from attrs import field, frozen
from pydantic import ValidationError

from unlinkable.errors import PlanError, UnlinkableError
from unlinkable.registry import make_from
from unlinkable.release.bundle import SigningKey, load_signing_key
from unlinkable.release.plan import (
    Location,
    Statement,
    complaints,
    read_plan_file,
    read_toml,
    relocate,
    write_plan_file,
    write_toml,
)
from unlinkable.tables.data import ColumnPlan, IdentifierTreatment, Role, Schema, Side
from unlinkable.tables.data.reading import ReadOptions
from unlinkable.tables.operations import Key, Pseudonymization, load_key
from unlinkable.tables.publishing.plans.plan_sections import ColumnForm, Others, PlanForm
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder, builder_from_plan

if TYPE_CHECKING:
    from unlinkable.tables.methods.base import Method
    from unlinkable.tables.metrics.base import Metric
    from unlinkable.tables.models.base import GroupModel

__all__ = ["Plan"]


@frozen
class Plan:
    """All decisions on a release.

    Two plans are equal if they say the same, wherever they are.

    Attributes
    ----------
    form
        What the plan says, table by table: ``form.data.source``, ``form.release.out`` and so on.
    folder
        Where the plan is. Paths in it start from here.
    file
        What the plan is called in messages.

    Examples
    --------
    >>> plan = Plan.from_dict({
    ...     "data": {"source": "adult.csv"},
    ...     "columns": {"age": {"role": "quasi-identifier"}, "job": {"role": "sensitive"}},
    ...     "privacy": [{"model": "k-anonymity", "k": 5}],
    ... })
    >>> plan.models()
    (KAnonymity(k=5, qid=None),)
    >>> plan.schema().quasi
    ('age',)
    """

    form: PlanForm
    folder: Path = field(default=Path(), eq=False)
    file: str = field(default="the plan", eq=False)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a plan file.

        Raises
        ------
        PlanError
            If there is none, or it cannot be understood; with line or table, key and remedy.
        """
        file = Path(path)
        return cls.from_dict(read_toml(read_plan_file(file), str(file)), file.parent, str(file))

    @classmethod
    def from_dict(
        cls, document: Mapping[str, object], folder: str | Path = Path(), file: str = "the plan"
    ) -> Self:
        """Take a plan as nested tables, as they stand in a file.

        Raises
        ------
        PlanError
            If it cannot be understood; with table, key and remedy.
        """
        try:
            form = PlanForm.model_validate(document)
        except ValidationError as error:
            said = [f"{file}: {_where(place)}{text}" for place, text in complaints(error)]
            raise PlanError("\n".join(said)) from None
        plan = cls(form, Path(folder), file)
        plan.schema()
        plan.identifiers()
        plan.reading()
        return plan

    @property
    def source(self) -> Path | str:
        """Where the records are: a file, or an SQL address."""
        source = self.form.data.source
        return source if "://" in source else self.path(source)

    @property
    def suppression(self) -> Fraction:
        """Share of the records that may be left out."""
        return self.form.method.suppression

    @property
    def out(self) -> Path | None:
        """Where the bundle goes, if the plan says so."""
        return None if self.form.release.out is None else self.path(self.form.release.out)

    def path(self, text: str) -> Path:
        """Find a file that the plan names.

        Raises
        ------
        PlanError
            If no file can have this name.
        """
        if "\0" in text:
            raise PlanError(f"{self.file}: no file is called {text!r}: check the path")
        joined = self.folder / text
        short = Path(os.path.normpath(joined))
        # Beyond a symbolic link, ``link/..`` is another folder than the one the link stands in.
        return short if short.resolve() == joined.resolve() else joined

    def files(self) -> tuple[Path, ...]:
        """Name all files that the plan reads."""
        form = self.form
        named: list[object] = [form.data.source, *form.data.join]
        named += [form.pseudonyms.key, form.release.sign]
        named += [(column.taxonomy or {}).get("csv") for column in form.columns.values()]
        named += [source for model in self.promises() for source in model.sources]
        return tuple(self.path(x) for x in named if isinstance(x, str) and "://" not in x)

    def reading(self) -> ReadOptions:
        """Say how to read the records."""
        data = self.form.data
        try:
            return ReadOptions(
                separator=data.separator,
                encoding=data.encoding,
                header=data.header,
                types=data.types,
                infer=data.infer,
                sheet=data.sheet,
                query=data.query,
                missing=data.missing,
            )
        except UnlinkableError as error:
            raise PlanError(f"{self.file}: [data] {error}") from None

    def keep(self, present: Iterable[str]) -> tuple[str, ...]:
        """Choose the columns of the source that are worked with: all, or those the plan names."""
        may_drop = self.form.data.others is Others.DROP
        return tuple(c for c in present if c in self.form.columns or not may_drop)

    def schema(self, present: Iterable[str] = ()) -> Schema:
        """Give the columns and their roles.

        If the plan says that other columns are insensitive, those of ``present`` are among them.
        """
        columns = [self._column(name, form) for name, form in self.form.columns.items()]
        if self.form.data.others is Others.INSENSITIVE:
            others = [name for name in present if name not in self.form.columns]
            columns += [ColumnPlan(name, Role.INSENSITIVE) for name in others]
        try:
            return Schema(tuple(columns))
        except UnlinkableError as error:
            raise PlanError(f"{self.file}: {error}") from None

    def identifiers(self) -> dict[str, Pseudonymization]:
        """Say how the identifiers are treated that are not dropped."""
        treated = {}
        for name, column in self.form.columns.items():
            if column.treatment is not IdentifierTreatment.DROP:
                arguments = {"treatment": column.treatment, **column.treated}
                try:
                    made = make_from("operation", "pseudonymization", arguments)
                except UnlinkableError as error:
                    raise PlanError(f"{self.file}: [columns.{name}] {error}") from None
                treated[name] = cast("Pseudonymization", made)
        return treated

    def models(self) -> tuple[GroupModel, ...]:
        """Give what is promised.

        Raises
        ------
        PlanError
            If nothing is.
        """
        from unlinkable.tables.methods.base import RecordMethod

        method, policy = self.method(), self.policy()
        may_promise_nothing = isinstance(method, RecordMethod) and not method.needs_promise
        may_promise_nothing |= policy is not None and not getattr(policy, "needs_promise", True)
        if not self.form.privacy and not may_promise_nothing:
            raise PlanError(
                f'{self.file}: nothing is promised: write [[privacy]] with model = "k-anonymity" '
                "and k = 5, or another model"
            )
        return self.promises()

    def promises(self) -> tuple[GroupModel, ...]:
        """Give what is promised, be it nothing."""
        return tuple(make_from("model", c.name, c.arguments) for c in self.form.privacy)

    def method(self) -> Method:
        """Give the search."""
        return self.asked_method() or make_from("method", "optimal", {})

    def asked_method(self) -> Method | None:
        """Give the search that the plan names; None if it names none."""
        call = self.form.method.call
        return None if call is None else make_from("method", call.name, call.arguments)

    def policy(self) -> object | None:
        """Give how to publish again, if the plan says so."""
        call = self.form.series.call
        return None if call is None else make_from("policy", call.name, call.arguments)

    def metric(self) -> Metric | None:
        """Give what is to be kept small, if the plan says so."""
        call = self.form.utility.call
        return None if call is None else make_from("metric", call.name, call.arguments)

    def metrics(self) -> tuple[Metric, ...]:
        """Give what else is to be measured."""
        return tuple(make_from("metric", c.name, c.arguments) for c in self.form.utility.metrics)

    def statement(self) -> Statement:
        """Say for whom the release is, and what of the original may be told."""
        said = self.form.release
        return Statement(
            holder=said.holder,
            recipient=said.recipient,
            purpose=said.purpose,
            approve=said.approve,
        )

    def side(self) -> Side:
        """Say where the tables are that promises refer to."""
        return Side(self.folder)

    def key(self) -> Key | None:
        """Read the key for pseudonyms, if the plan names one."""
        file = self.form.pseudonyms.key
        return None if file is None else load_key(self.path(file))

    def signing_key(self) -> SigningKey | None:
        """Read the key for signatures, if the plan names one."""
        file = self.form.release.sign
        return None if file is None else load_signing_key(self.path(file))

    def to_dict(self) -> dict[str, object]:
        """Give the plan as nested tables, without what it leaves to the defaults."""
        return self.form.to_plain()

    def to_toml(self) -> str:
        """Write the plan as it stands in a file."""
        return write_toml(self.to_dict())

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the plan to a file. In another folder, it still names the same files.

        Raises
        ------
        PlanError
            If the file exists and is not to be overwritten, or cannot be written.
        """
        file = Path(path)
        made = (make_from("model", c.name, c.arguments) for c in self.form.privacy)
        sources = {source for model in made for source in model.sources}
        document = relocate(self.to_dict(), self.folder, file.parent, sources)
        write_plan_file(file, write_toml(document), overwrite=overwrite)

    def _column(self, name: str, form: ColumnForm) -> ColumnPlan:
        taxonomy = None if form.taxonomy is None else self._builder(name, form.taxonomy)
        return ColumnPlan(name, form.role, taxonomy, form.weight, form.treatment)

    def _builder(self, name: str, spec: Mapping[str, object]) -> TaxonomyBuilder:
        try:
            return builder_from_plan(spec, self.folder)
        except UnlinkableError as error:
            raise PlanError(f"{self.file}: [columns.{name}] taxonomy: {error}") from None


def _where(place: Location) -> str:
    """Name a place as it looks in the file."""
    match place:
        case ():
            return ""
        case ("columns", str(name), *rest):
            table = f"[columns.{name}]"
        case (str(name), int(position), *rest):
            table = f"[[{name}]] number {position + 1}"
        case (name, *rest):
            table = f"[{name}]"
    inside = [f"number {p + 1}" if isinstance(p, int) else p for p in rest if p != "call"]
    return f"{' '.join([table, *inside])}: "
