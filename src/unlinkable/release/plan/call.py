"""Call: a model, a method or a metric as it stands in a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self, cast

from attrs import frozen

from unlinkable.errors import ParameterError
from unlinkable.registry import arguments_of, find, make_from
from unlinkable.spelling import Argument, Named, read_call

__all__ = ["Call", "CallKind"]

CallKind = Literal["model", "metric", "method", "policy"]
"""What a plan can name."""


@frozen
class Call:
    """A name in the registry, and the parameters that differ from their defaults.

    Attributes
    ----------
    kind, name
        What it is, and what it is called.
    arguments
        Its parameters, as plain values.
    """

    kind: CallKind
    name: str
    arguments: Mapping[str, Argument]

    @classmethod
    def read(cls, kind: CallKind, key: str, value: object) -> Self:
        """Read a written form, or a table that names it under ``key`` beside its parameters.

        Raises
        ------
        ParameterError
            If name or parameters mean nothing.

        Examples
        --------
        >>> Call.read("model", "model", {"model": "k-anonymity", "k": 5})
        Call(kind='model', name='k-anonymity', arguments={'k': 5})
        >>> Call.read("metric", "metric", "iloss").name
        'iloss'
        """
        if isinstance(value, str):
            value = {key: value}
        if not isinstance(value, Mapping):
            raise ParameterError(f"must be a table with a key {key!r}, or text like {_LIKE[kind]}")
        if not isinstance(value.get(key), str):
            raise ParameterError(f'key {key!r} is missing: write {key} = "{_LIKE[kind]}"')
        name, written = read_call(value[key])
        beside = {name: x for name, x in value.items() if name != key}
        if twice := sorted(set(written) & set(beside)):
            raise ParameterError(f"{name}: {twice[0]!r} is given twice")
        made = cast("Named", find(kind, name).construct({**written, **beside}))
        return cls(kind, name, arguments_of(made))

    def make(self) -> object:
        """Make what is named."""
        return make_from(self.kind, self.name, self.arguments)

    def to_plain(self, key: str) -> dict[str, object]:
        """Give the table that `read` reads.

        No value of a plan file stands for none: such a parameter goes into the written form.
        """
        if any(value is None for value in self.arguments.values()):
            return {key: str(self)}
        return {key: self.name, **self.arguments}

    def __str__(self) -> str:
        return str(self.make())


_LIKE: dict[CallKind, str] = {
    "model": "k-anonymity(k=5)",
    "metric": "iloss",
    "method": "optimal",
    "policy": "incremental",
}
