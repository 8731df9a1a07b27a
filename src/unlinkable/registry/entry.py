"""Entry: what is known of a model, a metric, a method or an operation, read from its class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Self, get_type_hints

import attrs
from attrs import frozen

from unlinkable.errors import ParameterError, unknown
from unlinkable.params import bounds_of
from unlinkable.registry.arguments import choices_of, plain, read_argument, type_text
from unlinkable.registry.docstrings import parameters_of, summary_of
from unlinkable.spelling import Argument

__all__ = ["Entry", "Parameter", "types_of"]


@frozen
class Parameter:
    """What can be said of a named thing.

    Attributes
    ----------
    name
        How it is written.
    type
        What it may be, in words.
    required
        Whether it must be given.
    default
        What it is if not given; None if it must be.
    bounds
        Which values mean something, in words, as far as it is known.
    about
        What it means.
    """

    name: str
    type: str
    required: bool
    default: Argument
    bounds: str | None
    about: str


@frozen
class Entry:
    """A named thing.

    Attributes
    ----------
    kind, name
        What it is, and what it is called everywhere.
    summary
        What it means, in one sentence.
    parameters
        What can be said of it.
    reference
        Where it is defined.
    make
        The class behind the name.
    convert
        What turns it into one of its kind, if it is of another and used in place of one.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity
    >>> entry = Entry.of("model", "k-anonymity", "Sweeney 2002", KAnonymity)
    >>> entry.usage
    'k-anonymity(k=...)'
    >>> entry.parameters[0].type, entry.parameters[0].bounds
    ('whole number', 'at least 1')
    """

    kind: str
    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    reference: str
    make: type
    convert: Callable[[object], object] | None = None

    @classmethod
    def of(cls, kind: str, name: str, reference: str, make: type) -> Self:
        """Read a class: its docstring and its fields."""
        about, hints = parameters_of(make), types_of(make)
        parameters = tuple(
            Parameter(
                name=name,
                type=type_text(hints[name]),
                required=field.default is attrs.NOTHING,
                default=_default(field),
                bounds=_bounds(field, hints[name]),
                about=about.get(name, ""),
            )
            for name, field in _public_fields(make).items()
        )
        return cls(kind, name, summary_of(make), parameters, reference, make)

    @property
    def usage(self) -> str:
        """How it is written with what must be said of it."""
        required = [f"{p.name}=..." for p in self.parameters if p.required]
        return f"{self.name}({', '.join(required)})" if required else self.name

    def construct(self, arguments: Mapping[str, object]) -> object:
        """Make it with these parameters.

        Raises
        ------
        ParameterError
            If one is unknown, missing, or means nothing.
        """
        known = sorted(parameter.name for parameter in self.parameters)
        for name in arguments:
            if not known:
                raise ParameterError(f"{self.name} has no parameters, got {name!r}: leave it out")
            if name not in known:
                raise ParameterError(f"{self.name}: {unknown('parameter', name, known)}")
        for parameter in self.parameters:
            if parameter.required and parameter.name not in arguments:
                raise ParameterError(
                    f"{self.name} needs a value for {parameter.name!r}: write {self.usage}"
                )
        hints = types_of(self.make)
        try:
            read = {name: read_argument(name, hints[name], x) for name, x in arguments.items()}
            return self.make(**read)
        except ValueError as error:
            raise ParameterError(f"{self.name}: {error}") from None

    def build(self, arguments: Mapping[str, object]) -> object:
        """Make one of the kind that was asked for with these parameters.

        Raises
        ------
        ParameterError
            As `construct` does.
        """
        made = self.construct(arguments)
        return made if self.convert is None else self.convert(made)

    def to_json(self) -> dict[str, object]:
        """Give all but the class, as plain values."""
        document = attrs.asdict(self, filter=lambda field, _: field.name not in ("make", "convert"))
        return {**document, "parameters": list(document["parameters"]), **self.facts()}

    def facts(self) -> Mapping[str, object]:
        """Give what the class says of itself besides its name and its parameters."""
        facts: Mapping[str, object] = getattr(self.make, "facts", dict)()
        return facts


def _public_fields(cls: type) -> dict[str, attrs.Attribute[object]]:
    """Give the fields that are parameters, by the names under which they are written."""
    return {
        field.alias or field.name: field
        for field in attrs.fields(cls)
        if field.init and not field.name.startswith("_")
    }


@cache
def types_of(cls: type) -> dict[str, object]:
    """Give the types of the parameters, by the names under which they are written."""
    hints = get_type_hints(cls, include_extras=True)
    return {name: hints[field.name] for name, field in _public_fields(cls).items()}


def _default(field: attrs.Attribute[object]) -> Argument:
    if field.default is attrs.NOTHING:
        return None
    factory = getattr(field.default, "factory", None)
    return plain(factory() if factory else field.default)


def _bounds(field: attrs.Attribute[object], hint: object) -> str | None:
    if choices := choices_of(hint):
        return f"one of {', '.join(choices)}"
    return bounds_of(field.validator)
