"""Registered: what everything with a name has in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from unlinkable.errors import ParameterError
from unlinkable.registry.grid import expanded
from unlinkable.registry.lookup import make
from unlinkable.spelling import write_call

__all__ = ["Registered"]


class Registered:
    """A frozen value with a name, whose fields are its parameters.

    Bases such as that of all models say of which kind of entry they are. Then they can be read from
    their written form, and ``str`` gives it back.

    Examples
    --------
    >>> from unlinkable.tables.models.base import GroupModel
    >>> GroupModel.read("k-anonymity(k=5)")
    KAnonymity(k=5, qid=None)
    """

    entry_kind: ClassVar[str]
    """The kind of entry: ``model``, ``metric``, ``method``, ..."""
    name: ClassVar[str]
    """What it is called everywhere."""
    reference: ClassVar[str]
    """Where it is defined."""

    @classmethod
    def read(cls, text: str, arguments: Mapping[str, object] | None = None) -> Self:
        """Make what a written form says, or what is called so with these parameters.

        Raises
        ------
        ParameterError
            If the form cannot be read, or name or parameters mean nothing, or mean something else.
        """
        return cls._required(make(cls.entry_kind, text, arguments))

    @classmethod
    def read_all(cls, text: str) -> list[Self]:
        """Make all that a written form with lists of values stands for; see `expanded`.

        Raises
        ------
        ParameterError
            As `read` does.
        """
        return [cls._required(made) for made in expanded(cls.entry_kind, text)]

    @classmethod
    def _required(cls, made: object) -> Self:
        """Refuse what has such a name and is for another kind of data."""
        if not isinstance(made, cls):
            raise ParameterError(f"{made} cannot be used here: it is no {cls.__name__}")
        return made

    @classmethod
    def facts(cls) -> Mapping[str, object]:
        """Give what `unlinkable list --json` says besides names and parameters."""
        return {}

    def __str__(self) -> str:
        return write_call(self)
