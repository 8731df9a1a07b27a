"""Guides: what a search over cuts optimizes, and the options of top-down searches."""

from __future__ import annotations

from enum import Enum

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.params import Choice
from unlinkable.tables.data import Role, Schema
from unlinkable.tables.methods.shared.targets import class_column

__all__ = [
    "Guide",
    "Numbers",
    "Score",
    "as_guide",
    "as_score",
    "class_asked",
    "rounded",
    "with_target",
]


class Score(Choice):
    """Which of the valid steps is the best."""

    IGPL = "igpl"
    """The one that tells most of the class for each unit of anonymity that it costs."""
    INFORMATION_GAIN = "information-gain"
    """The one that tells most of the class, whatever it costs."""
    DISCERNIBILITY = "discernibility"
    """The one that brings the squared sizes of groups down most."""
    LOSS = "loss"
    """The one that brings the metric of the task down most."""


class Numbers(Choice, noun="way with numbers"):
    """How numbers and dates are refined."""

    SPLIT = "split"
    """Intervals are cut in two where that is best: the taxonomy grows as the search goes."""
    TAXONOMY = "taxonomy"
    """Along their taxonomy, as categories are."""


def as_score(value: Score | str | None) -> Score | None:
    """Read what makes a step the best; None leaves it to the roles of the columns."""
    return None if value is None else Score(value)


def rounded(loss: float) -> float:
    """Round to twelve digits, so that the order in which numbers were added up does not matter.

    Examples
    --------
    >>> rounded(0.1 + 0.2) == rounded(0.3)
    True
    >>> rounded(float("inf"))
    inf
    """
    return float(f"{loss:.11e}")


class Guide(Enum):
    """What the search preserves."""

    CLASS = "class"
    """The information of the quasi-identifier on the class of a record."""
    METRIC = "metric"
    """What the metric of the task measures."""


def as_guide(value: Guide | str | None) -> Guide | None:
    """Read the guide; None leaves it to the table.

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
    """Choose the guide for a table, and find its class.

    If no guide is given, it is the class for a table with a target, and the metric of the task for
    any other one.

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
    """Return the class that guides a search; None if the metric does.

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
