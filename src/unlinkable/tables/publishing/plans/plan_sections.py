"""The tables of a plan file, one form each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from unlinkable.errors import unknown
from unlinkable.registry import plain
from unlinkable.release.plan import Call, CallKind, Exact, Form, Many, approval
from unlinkable.tables.data import IdentifierTreatment, Role

__all__ = [
    "ColumnForm",
    "DataForm",
    "Format",
    "MethodForm",
    "Others",
    "PlanForm",
    "PseudonymsForm",
    "ReleaseForm",
    "SeriesForm",
    "UtilityForm",
]


class Others(StrEnum):
    """What becomes of columns that the plan does not mention."""

    DROP = "drop"
    """They are left out."""
    INSENSITIVE = "insensitive"
    """They are published as they stand."""


class Format(StrEnum):
    """How published records are written."""

    CSV = "csv"
    PARQUET = "parquet"


def _member(enum: type[StrEnum] | type[Role], noun: str, value: object) -> object:
    """Read a member of an enum by its value."""
    if isinstance(value, enum):
        return value
    known = {member.value: member for member in enum}
    if not isinstance(value, str) or value not in known:
        raise ValueError(unknown(noun, value, known))
    return known[value]


def _sheet(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int | None):
        raise ValueError(f"must be the name of a sheet or its position from 0, got {value!r}")
    return value


def _approved(value: object) -> object:
    approval(value)
    return value


def _call(kind: CallKind, key: str) -> PlainValidator:
    return PlainValidator(partial(Call.read, kind, key))


class DataForm(Form):
    """``[data]``: where the records are, and how to read them."""

    source: str = Field(
        min_length=1, description="name the file with the records, or an SQL address"
    )
    query: str | None = None
    separator: str | None = None
    encoding: str | None = None
    header: bool | None = None
    infer: bool = True
    types: dict[str, str] = Field(default_factory=dict)
    sheet: Annotated[str | int | None, PlainValidator(_sheet)] = None
    missing: Many[str] = ()
    join: Many[str] = ()
    others: Annotated[
        Others | None, BeforeValidator(partial(_member, Others, "way with other columns"))
    ] = None


class ColumnForm(Form):
    """``[columns.NAME]``: what a column says about a person, and what is to be done with it."""

    role: Annotated[Role, BeforeValidator(partial(_member, Role, "role"))] = Field(
        description=f"write one of {', '.join(role.value for role in Role)}"
    )
    taxonomy: dict[str, object] | None = None
    weight: float = Field(default=1.0, gt=0)
    treatment: Annotated[
        IdentifierTreatment, BeforeValidator(partial(_member, IdentifierTreatment, "treatment"))
    ] = IdentifierTreatment.DROP
    prefix: str | None = None
    length: int | None = None
    keep_left: int | None = None
    keep_right: int | None = None
    fill: str | None = None

    @model_validator(mode="after")
    def _says_nothing_in_vain(self) -> Self:
        """Refuse what would have no effect, because its author believes that it has one."""
        given = {name for name in self.model_fields_set if getattr(self, name) is not None}
        if self.taxonomy is not None and self.role not in (Role.QUASI, Role.SENSITIVE):
            raise ValueError(
                f"a taxonomy has no effect on a column that is {self.role.value}: make it a "
                "quasi-identifier, or leave the taxonomy out"
            )
        if "weight" in given and self.role is not Role.QUASI:
            raise ValueError("a weight has an effect on quasi-identifiers alone: leave it out")
        if self.role is not Role.IDENTIFIER and (vain := given & {"treatment", *_TREATED}):
            raise ValueError(f"{min(vain)!r} is for identifiers alone: leave it out")
        if vain := given & _TREATED - _PARAMETERS[self.treatment]:
            needed = next(str(t) for t, names in _PARAMETERS.items() if min(vain) in names)
            raise ValueError(f"{min(vain)!r} has an effect with treatment = {needed!r} alone")
        return self

    @property
    def treated(self) -> dict[str, object]:
        """The parameters of its treatment."""
        chosen = {name: getattr(self, name) for name in sorted(_TREATED)}
        return {name: value for name, value in chosen.items() if value is not None}


_PARAMETERS: Mapping[IdentifierTreatment, frozenset[str]] = {
    IdentifierTreatment.DROP: frozenset(),
    IdentifierTreatment.PSEUDONYM: frozenset({"prefix", "length"}),
    IdentifierTreatment.MASK: frozenset({"keep_left", "keep_right", "fill"}),
}
_TREATED = frozenset().union(*_PARAMETERS.values())


class PseudonymsForm(Form):
    """``[pseudonyms]``: the file with the holder's key."""

    key: str | None = None


class MethodForm(Form):
    """``[method]``: how to search, and how many records may be left out."""

    call: Annotated[Call, _call("method", "name")] | None = None
    suppression: Exact = Fraction(0)

    @classmethod
    def arrange(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        call = dict(given)
        suppression = call.pop("suppression", 0)
        return {"suppression": suppression, **({"call": call} if call else {})}

    def to_plain(self) -> dict[str, object]:
        share = {"suppression": plain(self.suppression)} if self.suppression else {}
        return {**({} if self.call is None else self.call.to_plain("name")), **share}

    @model_validator(mode="after")
    def _leaves_something(self) -> Self:
        if not 0 <= self.suppression < 1:
            raise ValueError(f"suppression must lie in [0, 1), got {self.suppression}")
        return self


class UtilityForm(Form):
    """``[utility]``: what is to be kept small, and what else is to be measured."""

    call: Annotated[Call, _call("metric", "metric")] | None = None
    metrics: Many[Annotated[Call, _call("metric", "metric")]] = ()

    @classmethod
    def arrange(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        call = dict(given)
        metrics = call.pop("metrics", [])
        return {"metrics": metrics, **({"call": call} if call else {})}

    def to_plain(self) -> dict[str, object]:
        metrics = {"metrics": [str(call) for call in self.metrics]} if self.metrics else {}
        return {**({} if self.call is None else self.call.to_plain("metric")), **metrics}


class ReleaseForm(Form):
    """``[release]``: where the bundle goes, how it is written and signed, and for whom it is."""

    out: str | None = None
    format: Annotated[Format, BeforeValidator(partial(_member, Format, "format"))] = Format.CSV
    seed: int | None = Field(default=None, ge=0)
    sign: str | None = None
    holder: str | None = None
    recipient: str | None = None
    purpose: str | None = None
    approve: Many[Annotated[str, BeforeValidator(_approved)]] = ()


class SeriesForm(Form):
    """``[series]``: how to publish again, and by which column people are known."""

    call: Annotated[Call, _call("policy", "policy")] | None = None
    person: str | None = None

    @classmethod
    def arrange(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        call = dict(given)
        person = call.pop("person", None)
        return {"person": person, **({"call": call} if call else {})}

    def to_plain(self) -> dict[str, object]:
        person = {} if self.person is None else {"person": self.person}
        return {**({} if self.call is None else self.call.to_plain("policy")), **person}


def _promises(value: object) -> object:
    if isinstance(value, Mapping):
        raise ValueError("write [[privacy]], in double brackets, once for every model")
    return value


class PlanForm(Form):
    """A whole plan."""

    noun: ClassVar[str] = "table"

    data: DataForm = Field(description="write [data] with the source of the records")
    columns: dict[str, ColumnForm] = Field(
        description="write [columns.NAME] with a role for every column"
    )
    pseudonyms: PseudonymsForm = PseudonymsForm()
    privacy: Annotated[
        Many[Annotated[Call, _call("model", "model")]], BeforeValidator(_promises)
    ] = ()
    method: MethodForm = Field(default_factory=lambda: MethodForm.model_validate({}))
    utility: UtilityForm = Field(default_factory=lambda: UtilityForm.model_validate({}))
    release: ReleaseForm = ReleaseForm()
    series: SeriesForm = Field(default_factory=lambda: SeriesForm.model_validate({}))

    def to_plain(self) -> dict[str, object]:
        tables: dict[str, object] = {
            "data": self.data.to_plain(),
            "columns": {name: column.to_plain() for name, column in self.columns.items()},
            "pseudonyms": self.pseudonyms.to_plain(),
            "privacy": [call.to_plain("model") for call in self.privacy],
            "method": self.method.to_plain(),
            "utility": self.utility.to_plain(),
            "release": self.release.to_plain(),
            "series": self.series.to_plain(),
        }
        return {name: table for name, table in tables.items() if table or name == "columns"}

    @model_validator(mode="after")
    def _has_a_key_for_pseudonyms(self) -> Self:
        for name, column in self.columns.items():
            is_pseudonym = column.treatment is IdentifierTreatment.PSEUDONYM
            if is_pseudonym and self.pseudonyms.key is None:
                raise ValueError(
                    f"column {name!r} is to get pseudonyms, which need a key: write [pseudonyms] "
                    'with key = "FILE"'
                )
        return self
