"""Parameters of models, methods and policies as fields of a form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.promises.labels import label_of

__all__ = ["Field", "Kind", "fields_of", "starting_values"]

Kind = str
"""``whole``, ``number``, ``flag``, ``answer`` (a flag that may be left open), ``choice``,
``choices``, ``column``, ``columns``, ``file``, ``files``, ``text``, ``lines`` or ``rows`` (lines
with several parts, separated by commas)."""

_SUGGESTED: dict[str, Any] = {
    "k": 5, "l": 3, "t": 0.2, "alpha": 0.5, "c": 0.5, "h": 0.5, "p": 0.5, "risk": 0.1,
    "share": 0.05, "beta": 1, "delta": 1, "epsilon": 1, "m": 3, "r": 3, "n": 1000, "bits": 3,
    "e": 1, "v": 1, "d": 0.1, "gamma": 0.5, "b": 0.3, "low": 0, "high": 0.5,
    "publisher_benefit": 1200, "publisher_loss": 300, "adversary_gain": 300, "adversary_cost": 4,
}  # fmt: skip
"""What to begin with, by the name of the parameter."""

_OF_MODEL: dict[tuple[str, str], Any] = {
    ("recursive-cl-diversity", "c"): 3,
    ("lkc-privacy", "l"): 2,
    ("ct-isolation", "c"): 4,
    ("ct-isolation", "t"): 10,
    ("epsilon-m-anonymity", "epsilon"): 0,
    ("distributional-privacy", "alpha"): 1,
    ("distributional-privacy", "beta"): 0.05,
    ("differential-privacy", "delta"): 0,
}

_CLEAR = {"k", "l", "t", "alpha", "c", "h", "p", "risk", "sensitive", "qid", "population", "x", "y"}
"""Parameters whose label says all, as long as they are not folded away."""

_RANGES = {"k": (2, 50), "l": (2, 20), "m": (2, 20), "r": (2, 20), "bits": (1, 10), "n": (10, 5000)}
_COLUMNS = {"qid", "x", "y", "columns", "targets", "missing", "identity", "within"}
_OPEN = "true or false or none"
_CHOSEN = ("choice", "choices")
_FILES = {"population", "constraints", "ledger", "file", "ground", "points"}


@frozen
class Field:
    """One field of a form.

    Attributes
    ----------
    lowest, highest, step
        The range of a slider; both None if any number may be meant. More can be typed in, up to
        ``least`` and ``most``.
    start
        What to begin with; None if there is nothing sensible, or nothing needs to be said.
    default
        What holds if nothing is said.
    is_required
        Whether nothing can be made without it.
    is_advanced
        Whether it is folded away.
    """

    name: str
    label: str
    about: str
    kind: Kind
    lowest: float | None = None
    highest: float | None = None
    step: float = 1
    least: float | None = None
    most: float | None = None
    start: Any = None
    default: Any = None
    options: tuple[str, ...] = ()
    is_required: bool = False
    is_advanced: bool = False

    @property
    def is_slider(self) -> bool:
        """Whether a slider goes with it."""
        return self.lowest is not None and self.highest is not None


def fields_of(card: Document) -> list[Field]:
    """Make a field of every parameter of a model, a method or a policy."""
    return [_field(card["name"], parameter) for parameter in card["parameters"]]


def _field(owner: str, parameter: Document) -> Field:
    name, kind = parameter["name"], _kind(parameter)
    least, most = _bounds(parameter["bounds"] or "")
    lowest, highest, step = _range(name, kind, least, most, owner)
    is_needed = parameter["required"] or name == "templates"
    is_plain = is_needed or name == "sensitive"
    start = _OF_MODEL.get((owner, name), _SUGGESTED.get(name)) if is_needed else None
    bounds = parameter["bounds"] or ""
    return Field(
        name=name,
        label=label_of(owner, name),
        about="" if name in _CLEAR and is_plain else parameter["about"] or "",
        kind=kind,
        lowest=lowest,
        highest=highest,
        step=step,
        least=least,
        most=most,
        start=start if kind in ("whole", "number") else None,
        default=None if is_needed else parameter["default"],
        options=tuple(bounds.removeprefix("one of ").split(", ")) if kind in _CHOSEN else (),
        is_required=is_needed,
        is_advanced=not is_needed and name != "sensitive",
    )


def _kind(parameter: Document) -> Kind:
    name, type_ = parameter["name"], parameter["type"]
    if name in _COLUMNS and type_.startswith("list"):
        return "columns"
    if name == "sensitive":
        return "columns" if type_.startswith("list") else "column"
    if name == "prior" and type_.startswith("list"):
        return "files"
    if name in (_FILES | {"prior"}) and type_.startswith("text"):
        return "file"
    if name in ("target", "guard") and type_.startswith("text"):
        return "column"
    if (parameter["bounds"] or "").startswith("one of ") and "text" in type_:
        return "choice" if type_.startswith("text") else "choices"
    if type_.startswith("list"):
        return "rows" if type_.startswith("list of list") else "lines"
    kinds = {"whole number": "whole", "number": "number", "true or false": "flag", "text": "text"}
    return kinds.get(type_.removesuffix(" or none"), "text") if type_ != _OPEN else "answer"


def _bounds(words: str) -> tuple[float | None, float | None]:
    """Read which numbers are allowed, out of the words of the registry."""
    if match := re.search(r"in [(\[](\d+), (\d+)[)\]]", words):
        return float(match[1]), float(match[2])
    low = re.search(r"(?:at least|greater than) (\d+)", words)
    high = re.search(r"at most (\d+)", words)
    return (float(low[1]) if low else None), (float(high[1]) if high else None)


def _range(
    name: str, kind: Kind, least: float | None, most: float | None, owner: str
) -> tuple[float | None, float | None, float]:
    if kind == "whole":
        low, high = _RANGES.get(name, (None, None))
        return low, high, 1
    if kind != "number":
        return None, None, 1
    if most == 1 or (name == "t" and least == 0):
        return 0 if name in ("low", "share") else 0.05, 1, 0.05
    if name in _RANGES and owner != "lkc-privacy":
        return _RANGES[name][0], _RANGES[name][1], 0.5
    return None, None, 1


def starting_values(fields: Sequence[Field], sensitive: Sequence[str] = ()) -> Document | None:
    """Give values to begin with for all that is required; None if some have to be asked for."""
    values: Document = {}
    for field in fields:
        if not field.is_required:
            continue
        start = list(sensitive[:1]) if field.name == "y" else field.start
        if start in (None, []):
            return None
        values[field.name] = start
    return values
