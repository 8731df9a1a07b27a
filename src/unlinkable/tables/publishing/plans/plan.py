"""Plan: all decisions on a release, in one file.

A plan says where the records are, what each column says about a person, what is promised, and how
the release is to be found and written. The file is TOML; the same plan can be made in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar, cast

from attrs import field, frozen

from unlinkable.errors import PlanError, UnlinkableError
from unlinkable.release.plan import Plan as AnyPlan
from unlinkable.tables.data import ColumnPlan, IdentifierTreatment, Role, Schema, Side
from unlinkable.tables.data.reading import ReadOptions
from unlinkable.tables.methods.base import Method
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations import Key, Pseudonymization, load_key
from unlinkable.tables.operations.base import Operation
from unlinkable.tables.publishing.plans.plan_sections import ColumnForm, Others, PlanForm
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder, builder_from_plan

__all__ = ["Plan"]


@frozen
class Plan(AnyPlan):
    """All decisions on a release of a table.

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

    sections: ClassVar[type[PlanForm]] = PlanForm

    form: PlanForm
    folder: Path = field(default=Path(), eq=False)
    file: str = field(default="the plan", eq=False)

    def require_sense(self) -> None:
        self.schema()
        self.identifiers()
        self.reading()

    def own_files(self) -> tuple[object, ...]:
        form = self.form
        taxonomies = [(column.taxonomy or {}).get("csv") for column in form.columns.values()]
        return (*form.data.join, form.pseudonyms.key, *taxonomies, *self.sources())

    def sources(self) -> frozenset[str]:
        return frozenset(source for model in self.promises() for source in model.sources)

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
                    made = Operation.read("pseudonymization", arguments)
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
        return tuple(GroupModel.read(c.name, c.arguments) for c in self.form.privacy)

    def method(self) -> Method:
        """Give the search."""
        return self.asked_method() or Method.read("optimal", {})

    def asked_method(self) -> Method | None:
        """Give the search that the plan names; None if it names none."""
        call = self.form.method.call
        return None if call is None else Method.read(call.name, call.arguments)

    def policy(self) -> object | None:
        """Give how to publish again, if the plan says so."""
        call = self.form.series.call
        return None if call is None else call.make()

    def metric(self) -> Metric | None:
        """Give what is to be kept small, if the plan says so."""
        call = self.form.utility.call
        return None if call is None else Metric.read(call.name, call.arguments)

    def metrics(self) -> tuple[Metric, ...]:
        """Give what else is to be measured."""
        return tuple(Metric.read(c.name, c.arguments) for c in self.form.utility.metrics)

    def side(self) -> Side:
        """Say where the tables are that promises refer to."""
        return Side(self.folder)

    def key(self) -> Key | None:
        """Read the key for pseudonyms, if the plan names one."""
        file = self.form.pseudonyms.key
        return None if file is None else load_key(self.path(file))

    def _column(self, name: str, form: ColumnForm) -> ColumnPlan:
        taxonomy = None if form.taxonomy is None else self._builder(name, form.taxonomy)
        return ColumnPlan(name, form.role, taxonomy, form.weight, form.treatment)

    def _builder(self, name: str, spec: Mapping[str, object]) -> TaxonomyBuilder:
        try:
            return builder_from_plan(spec, self.folder)
        except UnlinkableError as error:
            raise PlanError(f"{self.file}: [columns.{name}] taxonomy: {error}") from None
