"""Equivalents: what was done by clicks, as Python and as a command line."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from unlinkable.tables.data import Role
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder, to_plan

if TYPE_CHECKING:
    from unlinkable.tables.models.base import GroupModel

__all__ = ["as_python", "as_shell"]

_KEYWORDS = {
    Role.QUASI: "quasi",
    Role.SENSITIVE: "sensitive",
    Role.IDENTIFIER: "identifiers",
    Role.TARGET: "target",
    Role.INSENSITIVE: "insensitive",
}
_ONE = {Role.OWNER: "owner", Role.GUARD: "guard", Role.WEIGHT: "weight"}


def as_shell(plan: Plan, out: str) -> str:
    """Write the command that does the same.

    Examples
    --------
    >>> plan = Plan.from_dict({"data": {"source": "a.csv"}, "columns": {}})
    >>> print(as_shell(plan, "release"))
    unlinkable anonymize plan.toml --out release
    unlinkable verify release
    """
    return (
        f"unlinkable anonymize plan.toml --out {shlex.quote(out)}\n"
        f"unlinkable verify {shlex.quote(out)}"
    )


def as_python(plan: Plan, out: str) -> str:
    """Write the program that does the same.

    What can be written as arguments is; a plan that says more is loaded from its file.
    """
    if _says_more(plan):
        return (
            "import unlinkable as ul\n"
            "from unlinkable.tables.publishing.anonymizing.run import run\n\n"
            'plan = ul.Plan.load("plan.toml")\n'
            "release = run(plan)\n"
            f"release.save({out!r}, plan=plan)\n"
        )
    models = ", ".join(_promises(plan))
    lines = ["import unlinkable as ul", "", "table = ul.read(", f"    {plan.form.data.source!r},"]
    lines += [f"    {line}," for line in _columns(plan)]
    lines += [")", "release = ul.anonymize(", "    table,", f"    privacy=[{models}],"]
    lines.append(f"    method={str(plan.method())!r},")
    if (metric := plan.metric()) is not None:
        lines.append(f"    metric={str(metric)!r},")
    if plan.suppression:
        lines.append(f"    suppression={_number(plan.suppression)},")
    if (seed := plan.form.release.seed) is not None:
        lines.append(f"    seed={seed},")
    return "\n".join([*lines, ")", f"release.save({out!r})", ""])


def _says_more(plan: Plan) -> bool:
    """Whether a plan says what has no argument, or what is told better by a file."""
    data = plan.form.data.to_plain()
    return (
        set(data) > {"source"}
        or "://" in plan.form.data.source
        or bool(plan.identifiers())
        or plan.form.release.sign is not None
        or any(cast("GroupModel", call.make()).sources for call in plan.form.privacy)
        or any(c.taxonomy and "csv" in c.taxonomy for c in plan.form.columns.values())
    )


def _promises(plan: Plan) -> list[str]:
    """Write what is promised as calls of classes."""
    return [
        f"ul.{type(call.make()).__name__}({_arguments(call.arguments)})"
        for call in plan.form.privacy
    ]


def _columns(plan: Plan) -> list[str]:
    """Write roles, taxonomies and weights as keyword arguments."""
    listed = {
        word: [name for name, c in plan.form.columns.items() if c.role is role]
        for role, word in _KEYWORDS.items()
    }
    lines = [f"{word}={names!r}" for word, names in listed.items() if names]
    for role, word in _ONE.items():
        lines += [f"{word}={n!r}" for n, c in plan.form.columns.items() if c.role is role]
    builders = {c.name: c.taxonomy for c in plan.schema().columns if c.taxonomy is not None}
    if builders:
        rules = [f"        {name!r}: {_builder(builder)},\n" for name, builder in builders.items()]
        lines.append(f"taxonomies={{\n{''.join(rules)}    }}")
    weights = {n: c.weight for n, c in plan.form.columns.items() if c.weight != 1.0}
    return [*lines, f"importance={weights!r}"] if weights else lines


def _builder(builder: TaxonomyBuilder) -> str:
    """Write a rule as a call of its class."""
    spec = to_plan(builder)
    kind, value = next(iter(spec.items()))
    if value is True:
        inside = ""
    elif isinstance(value, list) and kind != "tree":
        inside = ", ".join(map(repr, value))
    else:
        inside = repr(value)
    others = _arguments({key: given for key, given in spec.items() if key != kind})
    return f"ul.{_CLASSES[kind]}({', '.join(filter(None, [inside, others]))})"


_CLASSES = {
    "intervals": "Intervals",
    "mask": "Mask",
    "tree": "Tree",
    "dates": "Dates",
    "flat": "Flat",
    "auto": "Auto",
}


def _arguments(given: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in given.items())


def _number(share: Fraction) -> str:
    return repr(float(share)) if Fraction(repr(float(share))) == share else repr(str(share))
