"""Guides: what a search over cuts tries to keep, the class of records or the metric of the task."""

from __future__ import annotations

from enum import Enum

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import Role, Schema
from unlinkable.tables.methods.shared.targets import class_column

__all__ = ["Guide", "as_guide", "class_asked", "with_target"]


class Guide(Enum):
    """What is to be lost as little as can be."""

    CLASS = "class"
    """What the quasi-identifier tells of the class of a record."""
    METRIC = "metric"
    """What the metric of the task measures."""


def as_guide(value: Guide | str | None) -> Guide | None:
    """Read what to go by; None leaves it to the table.

    Examples
    --------
    >>> as_guide("class")
    <Guide.CLASS: 'class'>
    """
    if value is None:
        return None
    try:
        return Guide(value)
    except ValueError:
        known = ", ".join(repr(guide.value) for guide in Guide)
        raise ParameterError(f"guide must be one of {known}, got {value!r}") from None


def with_target(
    schema: Schema, guide: Guide | None, target: str | None
) -> tuple[Guide, str | None]:
    """Decide what to go by in a table, and find its class.

    If nothing was asked for, a table with a target is searched for the class, and any other one by
    the metric of the task.

    Raises
    ------
    SchemaError
        If the class is to guide and there is none, or several columns could be it.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"age": [20, 30], "rich": ["n", "y"]}, quasi="age", target="rich")
    >>> with_target(staff.schema, None, None)
    (<Guide.CLASS: 'class'>, 'rich')
    >>> with_target(staff.schema, Guide.METRIC, None)
    (<Guide.METRIC: 'metric'>, None)
    """
    if guide is None:
        has_class = target is not None or bool(schema.with_role(Role.TARGET))
        guide = Guide.CLASS if has_class else Guide.METRIC
    if guide is Guide.METRIC:
        return guide, None
    return guide, class_column(schema, target)


def class_asked(guide: Guide | None, target: str | None) -> str | None:
    """Give the class that a search goes by; None if it goes by the metric.

    Raises
    ------
    SchemaError
        If the class is to guide, and it is not known which it is.

    Examples
    --------
    >>> class_asked(None, "rich"), class_asked(Guide.METRIC, "rich"), class_asked(None, None)
    ('rich', None, None)
    """
    if guide is Guide.METRIC:
        return None
    if guide is Guide.CLASS and target is None:
        raise SchemaError(
            "the class is to guide, and which column that is was not said: name it with target=..."
        )
    return target
