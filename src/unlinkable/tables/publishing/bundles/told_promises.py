"""What recipients are told of a promise, and what of it only the holder can judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath

import attrs

from unlinkable.tables.groups import POPULATION_PREFIX
from unlinkable.tables.models.base import GroupModel, Joint

__all__ = ["can_be_judged_by_records", "renamed_sources", "short_names", "unpublished"]


def short_names(models: Iterable[GroupModel]) -> dict[str, str]:
    """Give the side tables that promises refer to names without the folders that they are in.

    Examples
    --------
    >>> from unlinkable.tables.models import KMap
    >>> two = [KMap(5, population="here/people.csv"), KMap(9, population="there/people.csv")]
    >>> short_names(two)
    {'here/people.csv': 'people.csv', 'there/people.csv': 'people-2.csv'}
    """
    names: dict[str, str] = {}
    for source in dict.fromkeys(source for model in models for source in model.sources):
        path = PurePath(source)
        name, n = path.name or source, 1
        while name in names.values():
            n += 1
            name = f"{path.stem}-{n}{path.suffix}"
        names[source] = name
    return names


def renamed_sources(model: GroupModel, names: Mapping[str, str]) -> GroupModel:
    """Give a promise that refers to its side tables by other names."""

    def renamed(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(renamed(item) for item in value)
        return names.get(value, value) if isinstance(value, str) else value

    if not model.sources:
        return model
    told = {
        field.alias: renamed(getattr(model, field.name))
        for field in attrs.fields(type(model))  # type: ignore[arg-type]
        if not field.name.startswith("_")
    }
    renew: Callable[..., GroupModel] = attrs.evolve
    return renew(model, **told)


def unpublished(model: GroupModel, told: Iterable[str]) -> list[str]:
    """Name what a promise refers to and is not told: raw values, guards, owners."""
    counted = {
        name for names in model.needs() for name in names if not name.startswith(POPULATION_PREFIX)
    }
    return sorted(counted - set(told))


def can_be_judged_by_records(model: GroupModel) -> bool:
    """Whether counting records where people are meant can only flatter a table.

    There are at least as many records as people. If a promise then asks for many, and is not kept
    by the records, it is not kept by the people either.
    """
    return model.higher_is_safer and not model.needs_owner and not isinstance(model, Joint)
