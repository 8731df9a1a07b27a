"""Schemas: what programs send, and what they are answered."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AnonymizeForm",
    "AttackForm",
    "BundleForm",
    "CheckForm",
    "DescribeForm",
    "ErrorAnswer",
    "FileAnswer",
    "JobAnswer",
    "PlanForm",
    "ProjectAnswer",
    "ProjectForm",
    "RiskForm",
]

Key = Annotated[str, Field(max_length=200)]

Text = Annotated[str, Field(max_length=2000)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ProjectForm(_Form):
    """A new project."""

    name: Annotated[str, Field(min_length=1, max_length=100)]


class DescribeForm(_Form):
    """Which file to look at, and how to read it."""

    file: Annotated[Key, Field(description="The name of an uploaded file.")]
    separator: Annotated[str, Field(max_length=1)] | None = None
    encoding: Key | None = None
    header: bool | None = None
    sheet: Key | int | None = None
    missing: Annotated[list[Key], Field(max_length=100)] | None = None
    types: Annotated[dict[Key, Key], Field(max_length=5000)] | None = None
    infer: bool | None = None


class PlanForm(_Form):
    """A plan as the text of its file."""

    toml: Annotated[str, Field(max_length=2_000_000)]


class AnonymizeForm(_Form):
    """What to run; what is not given is taken from the plan."""

    method: Annotated[Text, Field(description='Written form, like "mondrian".')] | None = None
    levels: Annotated[list[Annotated[int, Field(ge=0, le=1000)]], Field(max_length=1000)] | None = (
        None
    )
    title: Key | None = None


class CheckForm(_Form):
    """What to judge the table of the project by; promises of the plan if not given."""

    privacy: Annotated[list[Text], Field(max_length=50)] | None = None


class RiskForm(_Form):
    """What to assess: a run, or the table as it stands."""

    run: Annotated[int, Field(ge=1, le=10**9)] | None = None
    threshold: Annotated[float, Field(gt=0, lt=1)] | None = None
    fraction: Annotated[float, Field(gt=0, le=1)] | None = None


class AttackForm(_Form):
    """What to attack: a run, or the table as it stands."""

    run: Annotated[int, Field(ge=1, le=10**9)] | None = None
    seconds: Annotated[float, Field(ge=0.1, le=600)] = 10.0


class BundleForm(_Form):
    """Which run to publish, and under which name."""

    run: Annotated[int, Field(ge=1, le=10**9)]
    name: Annotated[str, Field(min_length=1, max_length=100)]


class ErrorAnswer(BaseModel):
    """Why something was refused."""

    error: str


class ProjectAnswer(BaseModel):
    """A project."""

    key: str
    name: str
    revision: int
    has_plan: bool
    files: list[str]
    bundles: list[str]
    runs: list[int]


class FileAnswer(BaseModel):
    """An uploaded file."""

    name: str


class JobAnswer(BaseModel):
    """A job and how far it is; ``result`` when it is done."""

    id: str
    project: str
    task: str
    title: str
    state: str
    progress: float
    text: str
    error: str | None
    created: float
    started: float | None
    ended: float | None
    result: Any = None
