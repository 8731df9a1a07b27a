"""The tables of a plan file that every kind of data has, one form each."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from unlinkable.registry import DEFAULT_KIND, plain
from unlinkable.release.plan.call import Call, CallKind
from unlinkable.release.plan.form import Exact, Form, Many
from unlinkable.release.plan.statement import approval

__all__ = [
    "DataForm",
    "MethodForm",
    "PlanForm",
    "ReleaseForm",
    "UtilityForm",
    "call_of",
]


def call_of(kind: CallKind, key: str) -> PlainValidator:
    """Read something with a name, which stands under a key beside its parameters."""
    return PlainValidator(partial(Call.read, kind, key))


def _approved(value: object) -> object:
    approval(value)
    return value


def _promises(value: object) -> object:
    if isinstance(value, Mapping):
        raise ValueError("write [[privacy]], in double brackets, once for every model")
    return value


class DataForm(Form):
    """``[data]``: what kind of data they are, and where; a kind adds how to read them."""

    kind: str = DEFAULT_KIND
    source: str = Field(
        min_length=1, description="name the file with the records, or an SQL address"
    )


class MethodForm(Form):
    """``[method]``: how to search, and how many records may be left out."""

    call: Annotated[Call, call_of("method", "name")] | None = None
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

    call: Annotated[Call, call_of("metric", "metric")] | None = None
    metrics: Many[Annotated[Call, call_of("metric", "metric")]] = ()

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
    format: str | None = None
    seed: int | None = Field(default=None, ge=0)
    sign: str | None = None
    holder: str | None = None
    recipient: str | None = None
    purpose: str | None = None
    approve: Many[Annotated[str, BeforeValidator(_approved)]] = ()


class PlanForm(Form):
    """A whole plan: the tables that every kind of data has."""

    noun: ClassVar[str] = "table"

    data: DataForm = Field(description="write [data] with the source of the records")
    privacy: Annotated[
        Many[Annotated[Call, call_of("model", "model")]], BeforeValidator(_promises)
    ] = ()
    method: MethodForm = Field(default_factory=lambda: MethodForm.model_validate({}))
    utility: UtilityForm = Field(default_factory=lambda: UtilityForm.model_validate({}))
    release: ReleaseForm = ReleaseForm()

    def to_plain(self) -> dict[str, object]:
        tables: dict[str, object] = {"data": self.data.to_plain()}
        tables |= self.own_tables()
        tables |= {
            "privacy": [call.to_plain("model") for call in self.privacy],
            "method": self.method.to_plain(),
            "utility": self.utility.to_plain(),
            "release": self.release.to_plain(),
        }
        required = {name for name, field in type(self).model_fields.items() if field.is_required()}
        return {name: table for name, table in tables.items() if table or name in required}

    def own_tables(self) -> dict[str, object]:
        """Give the tables that only this kind of data has, as they stand in a document."""
        return {}
