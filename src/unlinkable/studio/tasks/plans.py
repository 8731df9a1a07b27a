"""Tasks on plans: read, checked, changed, and written in other forms; the registry."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from unlinkable.errors import PlanError
from unlinkable.registry import Entry, entries
from unlinkable.release.attacks import Threat
from unlinkable.release.plan import changed, read_toml, relocate
from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.formatting import join_words
from unlinkable.studio.tasks.confinement import named_files, require_confined
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data import Role
from unlinkable.tables.methods.base import Method, Search
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations import FullDomainGeneralization, new_key, save_key
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder, to_plan
from unlinkable.typing import Progress

if TYPE_CHECKING:
    from unlinkable.tables.models.base import GroupModel

__all__ = [
    "KEY",
    "as_python",
    "as_shell",
    "check_plan",
    "edit_plan",
    "import_plan",
    "make_key",
    "registry",
    "registry_cards",
    "texts",
    "with_key",
    "with_treatment",
]


def check_plan(
    session: Session, tell: Progress, folder: str, toml: str, granted: Sequence[str] = ()
) -> Document:
    """Take a plan as a text, and give it back as it will be kept.

    Raises
    ------
    PlanError
        If it is no plan; with line, or table and key.
    StudioError
        If it names what it may not.
    """
    plan = Plan.from_dict(read_toml(toml, "plan.toml"), folder, "plan.toml")
    return _checked(plan, granted)


def edit_plan(
    session: Session,
    tell: Progress,
    folder: str,
    plan: Document,
    changes: Sequence[Mapping[str, Any]],
    suggested: Mapping[str, Any],
    granted: Sequence[str] = (),
) -> Document:
    """Change a plan, all changes together, and give it as it will be kept.

    ``suggested`` has the taxonomies that were suggested, by column. A key for pseudonyms is made if
    the plan comes to need one.

    Raises
    ------
    PlanError, ParameterError
        If the result is no plan.
    """
    document = plan
    for change in changes:
        document = _changed(document, change, suggested, folder)
    made = Plan.from_dict(document, folder, "plan.toml")
    kept = _checked(made, granted)
    make_key(made)
    return kept


def import_plan(session: Session, tell: Progress, file: str, folder: str) -> Document:
    """Take a plan from elsewhere on this machine, as it was named on the command line.

    It still names the same files, all of which it may read from now on. Its bundles go into the
    project.
    """
    plan = Plan.load(file)
    made = [cast("GroupModel", call.make()) for call in plan.form.privacy]
    sources = {source for model in made for source in model.sources}
    document = relocate(plan.to_dict(), plan.folder, Path(folder), sources)
    release = {k: v for k, v in _table(document, "release").items() if k != "out"}
    moved = Plan.from_dict({**document, "release": release}, folder, "plan.toml")
    granted = sorted({path for _, name in named_files(moved) if (path := _outside(name, moved))})
    return {**_checked(moved, granted), "granted": granted}


def registry(session: Session, tell: Progress, kind: str) -> list[Document]:
    """List everything of a kind, as ``list --json`` does, with what cards say besides."""
    return registry_cards(kind)


def texts(session: Session, tell: Progress, folder: str, plan: Document, out: str) -> Document:
    """Write a plan as Python, as a command line and as TOML."""
    made = Plan.from_dict(plan, folder, "plan.toml")
    return {"python": as_python(made, out), "shell": as_shell(made, out), "toml": made.to_toml()}


def _checked(plan: Plan, granted: Sequence[str]) -> Document:
    require_confined(plan, plan.folder, granted)
    return {"plan": plan.to_dict(), "toml": plan.to_toml()}


def _changed(
    document: Document, change: Mapping[str, Any], suggested: Mapping[str, Any], folder: str
) -> Document:
    match dict(change):
        case {"set": [*path], "to": value}:
            return _with_value(document, path, value)
        case {"drop": [*path]}:
            return _with_value(document, path, None)
        case {"role": str(column), "to": str(role)}:
            return with_key(_with_role(document, column, role, suggested.get(column)))
        case {"treatment": str(column), "to": str(how), **rest}:
            return with_treatment(document, column, how, rest.get("with"))
        case {"method": str(method), **rest}:
            share = rest.get("suppression")
            made = changed(Plan.from_dict(document, folder, "plan.toml"), method=method)
            named = made.to_dict()
            return named if share is None else _with_value(named, ["method", "suppression"], share)
        case {"metric": str(metric)}:
            return changed(Plan.from_dict(document, folder, "plan.toml"), metric=metric).to_dict()
        case _:
            raise PlanError(f"no such change of a plan: {sorted(change)}")


def _with_value(document: Document, path: Sequence[Any], value: Any) -> Document:
    """Put a value at a place of nested tables, or take it away; the original stays as it is."""
    if not path or not isinstance(document, dict) or not all(isinstance(p, str) for p in path):
        raise PlanError("a place in a plan is a list of names, like columns, age, weight")
    first, rest = path[0], path[1:]
    if rest:
        return {**document, first: _with_value(document.get(first, {}), rest, value)}
    others = {key: old for key, old in document.items() if key != first or value is not None}
    return others if value is None else {**others, first: value}


_FITTING = {"quasi-identifier": {"taxonomy", "weight"}, "sensitive": {"taxonomy"}}


def _with_role(document: Document, column: str, role: str, taxonomy: Any) -> Document:
    columns = _table(document, "columns")
    before = dict(columns.get(column, {}))
    fitting = _FITTING.get(role, set())
    if role == "identifier" and before.get("role") == role:
        fitting = set(before)
    after = {"role": role, **{k: v for k, v in before.items() if k in fitting and k != "role"}}
    if role == "quasi-identifier" and "taxonomy" not in after and taxonomy is not None:
        after["taxonomy"] = taxonomy
    return {**document, "columns": {**columns, column: after}}


def _table(document: Mapping[str, object], name: str) -> dict[str, Any]:
    return cast("dict[str, Any]", document.get(name, {}))


def _outside(name: str, plan: Plan) -> str | None:
    """Name a file that is not in the project in full; None if it is in it."""
    if "://" in name:
        return name
    whole, home = (plan.folder / name).resolve(), plan.folder.resolve()
    return None if whole.is_relative_to(home) else str(whole)


KEY = "pseudonyms.key"
"""The file of the project's key."""


def with_treatment(
    document: Document, column: str, how: str, options: Mapping[str, Any] | None = None
) -> Document:
    """Treat an identifier otherwise, or with other options; those that are 0 are taken away.

    Examples
    --------
    >>> with_treatment({"columns": {}}, "name", "mask", {"keep_left": 1, "keep_right": 0})
    {'columns': {'name': {'role': 'identifier', 'treatment': 'mask', 'keep_left': 1}}}
    """
    columns = document.get("columns", {})
    before = columns.get(column, {})
    told = before if before.get("treatment") == how else {"role": "identifier", "treatment": how}
    told = {name: value for name, value in {**told, **(options or {})}.items() if value}
    if how == "drop":
        told = {"role": "identifier"}
    return with_key({**document, "columns": {**columns, column: told}})


def with_key(document: Document) -> Document:
    """Name the project's key if a column gets pseudonyms, and no longer if none does.

    Examples
    --------
    >>> with_key({"columns": {"name": {"treatment": "pseudonym"}}})["pseudonyms"]
    {'key': 'pseudonyms.key'}
    """
    columns = document.get("columns", {}).values()
    is_needed = any(column.get("treatment") == "pseudonym" for column in columns)
    named = document.get("pseudonyms", {}).get("key")
    if is_needed and named is None:
        return {**document, "pseudonyms": {"key": KEY}}
    if not is_needed and named == KEY:
        return {name: table for name, table in document.items() if name != "pseudonyms"}
    return document


def make_key(plan: Plan) -> None:
    """Make the project's key, if the plan names it and there is none."""
    file = plan.folder / KEY
    if plan.form.pseudonyms.key == KEY and not file.exists():
        save_key(new_key(), file)


_THREATS = {
    Threat.RECORD: "record linkage",
    Threat.ATTRIBUTE: "attribute linkage",
    Threat.TABLE: "table linkage",
    Threat.PROBABILISTIC: "probabilistic attacks",
}


def registry_cards(kind: str) -> list[Document]:
    """List everything of a kind, as ``list --json`` does, with what cards say besides.

    Examples
    --------
    >>> [card["stops"] for card in registry_cards("model") if card["name"] == "k-anonymity"]
    ['record linkage']
    """
    return [{**entry.to_json(), **_besides(entry)} for entry in entries(kind)]


def _besides(entry: Entry) -> dict[str, Any]:
    if entry.kind == "model":
        return _of_model(entry.make)
    return _of_method(entry.make) if entry.kind == "method" else {}


def _of_model(model: type[GroupModel]) -> dict[str, Any]:
    stopped = [words for threat, words in _THREATS.items() if threat in model.threats]
    others = [words for threat, words in _THREATS.items() if threat not in model.threats]
    return {
        "threats": [(threat.name or "").lower() for threat in _THREATS if threat in model.threats],
        "stops": join_words(stopped),
        "does_not_stop": join_words(others),
        "limit": model.does_not_promise[0],
        "attacks": [e.name for e in entries("attack") if model.name in e.make.stopped_by],  # type: ignore[attr-defined]
        "parameter": getattr(model, "parameter", None),
    }


def _of_method(method: type[Method]) -> dict[str, Any]:
    is_search = issubclass(method, Search)
    scheme = method.scheme if issubclass(method, Search) else None
    return {
        "family": method.__module__.split(".")[2],
        "generalizes": is_search,
        "full_domain": scheme is not None and issubclass(scheme, FullDomainGeneralization),
        "scheme": None if scheme is None else scheme.name,
        "truthful": bool(getattr(method, "truthful", False)),
        "stoppable": method.stoppable,
    }


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
    models = ", ".join(_model_calls(plan))
    lines = ["import unlinkable as ul", "", "table = ul.read(", f"    {plan.form.data.source!r},"]
    lines += [f"    {line}," for line in _column_arguments(plan)]
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
    """Whether a plan says what has no argument, or what a file states better."""
    data = plan.form.data.to_plain()
    return (
        set(data) > {"source"}
        or "://" in plan.form.data.source
        or bool(plan.identifiers())
        or plan.form.release.sign is not None
        or any(cast("GroupModel", call.make()).sources for call in plan.form.privacy)
        or any(c.taxonomy and "csv" in c.taxonomy for c in plan.form.columns.values())
    )


def _model_calls(plan: Plan) -> list[str]:
    """Write what is promised as calls of classes."""
    return [
        f"ul.{type(call.make()).__name__}({_arguments(call.arguments)})"
        for call in plan.form.privacy
    ]


def _column_arguments(plan: Plan) -> list[str]:
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
