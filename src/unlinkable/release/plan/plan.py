"""Plan: all decisions on a release, in one file.

A plan says where the data are, what is promised, and how the release is to be found and written.
The file is TOML; the same plan can be made in Python. Every kind of data has a form of its own,
with what it says besides.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Self, TypeVar, cast

from attrs import field, frozen
from pydantic import ValidationError

from unlinkable.errors import ParameterError, PlanError
from unlinkable.registry import DEFAULT_KIND
from unlinkable.release.bundle.signing import SigningKey, load_signing_key
from unlinkable.release.kind import Kind, kind_called, kind_of_file
from unlinkable.release.plan.form import Location, complaints
from unlinkable.release.plan.plan_files import read_plan_file, relocate, write_plan_file
from unlinkable.release.plan.plan_sections import PlanForm
from unlinkable.release.plan.plan_toml import read_toml, write_toml
from unlinkable.release.plan.statement import Statement
from unlinkable.spelling import read_call

__all__ = ["Plan", "changed", "load_plan", "plan_from"]


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
    """

    sections: ClassVar[type[PlanForm]] = PlanForm
    """The tables that a plan of this kind of data has."""

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
            form = cls.sections.model_validate(document)
        except ValidationError as error:
            said = [f"{file}: {_where(place)}{text}" for place, text in complaints(error)]
            raise PlanError("\n".join(said)) from None
        plan = cls(form, Path(folder), file)
        plan.require_sense()
        return plan

    def require_sense(self) -> None:
        """Refuse a plan whose tables do not fit each other.

        Raises
        ------
        PlanError
            If they do not.
        """

    @property
    def source(self) -> Path | str:
        """Where the data are: a file, or an SQL address."""
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
        named = [self.form.data.source, self.form.release.sign, *self.own_files()]
        return tuple(self.path(x) for x in named if isinstance(x, str) and "://" not in x)

    def own_files(self) -> tuple[object, ...]:
        """Name the files that only plans of this kind of data have; what is no text is none."""
        return ()

    def sources(self) -> frozenset[str]:
        """Name the files that promises refer to."""
        return frozenset()

    def statement(self) -> Statement:
        """Say for whom the release is, and what of the original may be told."""
        stated = self.form.release
        return Statement(
            holder=stated.holder,
            recipient=stated.recipient,
            purpose=stated.purpose,
            approve=stated.approve,
        )

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
        document = relocate(self.to_dict(), self.folder, file.parent, self.sources())
        write_plan_file(file, write_toml(document), overwrite=overwrite)


P = TypeVar("P", bound=Plan)


def load_plan(path: str | Path) -> Plan:
    """Read a plan file for whatever kind of data it is about.

    Raises
    ------
    PlanError
        If there is none, or it cannot be understood; with line or table, key and remedy.
    """
    file = Path(path)
    return plan_from(read_toml(read_plan_file(file), str(file)), file.parent, str(file))


def plan_from(
    document: Mapping[str, object], folder: str | Path = Path(), file: str = "the plan"
) -> Plan:
    """Take a plan as nested tables for whatever kind of data it is about.

    Raises
    ------
    PlanError
        If it cannot be understood; with table, key and remedy.

    Examples
    --------
    >>> document = {"data": {"source": "a.csv"}, "columns": {"age": {"role": "quasi-identifier"}}}
    >>> plan_from(document).form.data.kind
    'tables'
    """
    try:
        kind = _kind_of(document)
    except ParameterError as error:
        raise PlanError(f"{file}: [data] {error}") from None
    if kind.name != DEFAULT_KIND:
        data = cast("Mapping[str, object]", document["data"])
        document = {**document, "data": {**data, "kind": kind.name}}
    return kind.plan.from_dict(document, folder, file)


def _kind_of(document: Mapping[str, object]) -> Kind:
    """Find the kind of data: as the plan says, or by the ending of the file with the data."""
    data = document.get("data")
    if not isinstance(data, Mapping):
        return kind_called(DEFAULT_KIND)
    name, source = data.get("kind"), data.get("source")
    if isinstance(name, str):
        return kind_called(name)
    return kind_of_file(source) if isinstance(source, str) else kind_called(DEFAULT_KIND)


def changed(
    plan: P,
    *,
    source: str | None = None,
    method: str | None = None,
    metric: str | None = None,
    suppression: float | None = None,
    out: str | None = None,
    seed: int | None = None,
    file_format: str | None = None,
    sign: str | None = None,
    policy: str | None = None,
    person: str | None = None,
) -> P:
    """Give a plan with some of its decisions changed; paths start from the folder of the plan."""
    document = plan.to_dict()
    if source is not None:
        _part(document, "data")["source"] = source
    if method is not None:
        name, arguments = read_call(method)
        before = _part(document, "method").get("suppression", 0)
        document["method"] = {"name": name, **arguments, "suppression": before}
    if suppression is not None:
        _part(document, "method")["suppression"] = suppression
    if metric is not None:
        name, arguments = read_call(metric)
        metrics = _part(document, "utility").get("metrics", [])
        document["utility"] = {"metric": name, **arguments, "metrics": metrics}
    if policy is not None:
        before = _part(document, "series").get("person")
        document["series"] = {"policy": policy, "person": before}
    if person is not None:
        _part(document, "series")["person"] = person
    given = {"out": out, "seed": seed, "format": file_format, "sign": sign}
    _part(document, "release").update({k: v for k, v in given.items() if v is not None})
    return type(plan).from_dict(document, plan.folder, plan.file)


def _part(document: dict[str, object], name: str) -> dict[str, object]:
    part = document.setdefault(name, {})
    if isinstance(part, Mapping) and not isinstance(part, dict):
        part = document[name] = dict(part)
    return cast("dict[str, object]", part)


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
