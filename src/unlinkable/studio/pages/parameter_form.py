"""A form for the parameters of a model, a method or a policy."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen
from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.elements import Slider, aria_label, tag
from unlinkable.studio.pages.parameter_labels import label_of, option_words
from unlinkable.studio.workbench import Workbench

__all__ = [
    "SEVERAL",
    "Field",
    "Kind",
    "ParameterForm",
    "field_value",
    "fields_of",
    "plan_value",
    "plan_values",
    "starting_values",
]

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


SEVERAL = ("columns", "files", "choices")
"""Kinds of fields in which several things are chosen."""


def plan_values(fields: Sequence[Field], values: Mapping[str, Any]) -> Document:
    """Give what stands in all fields, as it goes into a plan; without what holds anyway."""
    found = [(field, plan_value(field, values[field.name])) for field in fields]
    return {f.name: value for f, value in found if value is not None and value != f.default}


def field_value(field: Field, value: Any) -> Any:
    """Turn what stands in a plan into what stands in a field."""
    if field.kind in ("lines", "rows") and isinstance(value, list):
        lines = [", ".join(map(str, v)) if isinstance(v, list) else str(v) for v in value]
        return "\n".join(lines)
    if field.kind in SEVERAL:
        return [value] if isinstance(value, str) else list(value or [])
    if field.kind == "flag":
        return bool(value)
    if field.kind in ("whole", "number") and isinstance(value, str):
        return _fraction(value)
    return value


def plan_value(field: Field, value: Any) -> Any:
    """Turn what stands in a field into what stands in a plan; None if nothing is said.

    Examples
    --------
    >>> plan_value(Field("k", "k", "", "whole"), 5.0)
    5
    >>> plan_value(Field("p", "p", "", "number"), 0.30001)
    0.30001
    >>> plan_value(Field("points", "", "", "rows"), "1, 0, 0, 0.6")
    [[1, 0, 0, 0.6]]
    """
    if value in (None, "", []):
        return None
    if field.kind == "whole":
        return int(value)
    if field.kind == "number":
        return int(value) if float(value).is_integer() else round(float(value), 10)
    if field.kind in ("lines", "rows") and isinstance(value, str):
        return [_line(field, line.strip()) for line in value.splitlines() if line.strip()]
    return value


def _line(field: Field, line: str) -> Any:
    if field.kind == "rows":
        return [_number(part.strip()) for part in line.split(",")]
    return _number(line) if field.name == "levels" else line


def _number(text: str) -> int | float | str:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _fraction(text: str) -> float | None:
    """Read a number that stands as a fraction in the plan."""
    above, _, below = text.partition("/")
    try:
        return float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        return None


_EVERY = {"sensitive": "all that is sensitive", "target": "the target column"}

_NOT_SET = "not set"


class ParameterForm:
    """Controls for parameters: sliders, numbers, choosers of columns and files.

    Attributes
    ----------
    owner
        What the parameters are of: part of what controls are called.
    changed
        Called after a change.
    """

    def __init__(
        self,
        work: Workbench,
        owner: str,
        fields: Sequence[Field],
        changed: Callable[[], Any] | None = None,
    ) -> None:
        self.owner, self.changed = owner, changed
        self._work, self._fields = work, list(fields)
        self._controls: dict[str, ValueElement[Any]] = {}
        self._sliders: dict[str, ui.slider] = {}
        self._is_quiet = False

    def draw(self, values: Mapping[str, Any]) -> None:
        """Put all controls on the page; what is seldom needed is folded away."""
        for field in self._fields:
            if not field.is_advanced:
                self._draw(field)
        if advanced := [field for field in self._fields if field.is_advanced]:
            title = f"More settings of {self.owner}"
            with ui.expansion(title, icon="tune").classes("w-full more-settings").props("dense"):
                for field in advanced:
                    self._draw(field)
        self.show(values)

    def values(self) -> Document:
        """Give what stands in the form, as it goes into a plan; without what is not said."""
        return plan_values(self._fields, {name: c.value for name, c in self._controls.items()})

    def missing(self) -> list[str]:
        """Name the fields that must be filled in and are not."""
        there = self.values()
        return [f.label for f in self._fields if f.is_required and f.name not in there]

    def show(self, values: Mapping[str, Any]) -> None:
        """Put values into the form, without calling ``changed``."""
        self._is_quiet = True
        try:
            for field in self._fields:
                value = field_value(field, values.get(field.name, field.default))
                self._put(self._controls[field.name], value)
                self._slide(field, value)
        finally:
            self._is_quiet = False

    def _put(self, control: ValueElement[Any], value: Any) -> None:
        if isinstance(control, ui.select):
            options: dict[Any, str] = dict(control.options)
            given = value if isinstance(value, list) else [value]
            if missing := [v for v in given if v is not None and v not in options]:
                control.set_options({**options, **{v: str(v) for v in missing}})
        if control.value != value:
            control.value = value

    def _heard(self) -> Any:
        return None if self._is_quiet or self.changed is None else self.changed()

    def _draw(self, field: Field) -> None:
        with ui.column().classes("w-full gap-0 py-1"):
            control = self._control(field)
            self._controls[field.name] = control
            aria_label(control, f"{field.label}, {self.owner}")
            control.props(f'data-testid="parameter-{field.name}"')
            if field.about:
                tag("p", field.about, "text-sm muted leading-snug m-0")

    def _control(self, field: Field) -> ValueElement[Any]:
        match field.kind:
            case "whole" | "number":
                return self._number(field)
            case "flag":
                return ui.checkbox(field.label, on_change=self._heard)
            case "lines" | "rows":
                box = ui.textarea(field.label, on_change=self._heard)
                return box.classes("w-full").props("outlined dense autogrow debounce=600")
            case "text":
                line = ui.input(field.label, on_change=self._heard)
                return line.classes("w-full").props("outlined dense debounce=600")
            case _:
                return self._chooser(field)

    def _number(self, field: Field) -> ValueElement[Any]:
        tag("span", field.label, "text-sm font-medium")
        with ui.row().classes("w-full items-center gap-4 no-wrap"):
            if field.lowest is not None and field.highest is not None:
                slider = Slider(min=field.lowest, max=field.highest, step=field.step)
                slider.classes("grow").on_value_change(lambda e: self._slid(field, e.value))
                aria_label(slider, f"{field.label}: slider")
                self._sliders[field.name] = slider
            box = ui.number(min=field.least, max=field.most, step=field.step)
            box.classes("w-28 shrink-0").props("outlined dense debounce=300")
            box.on_value_change(lambda e: self._typed(field, e.value))
        return box

    def _slid(self, field: Field, value: float) -> Any:
        return self._turned(lambda: self._put(self._controls[field.name], plan_value(field, value)))

    def _typed(self, field: Field, value: float | None) -> Any:
        return self._turned(lambda: self._slide(field, value))

    def _turned(self, follow: Callable[[], None]) -> Any:
        """Let the other of two controls of a field follow the one that was turned."""
        if self._is_quiet:
            return None
        self._is_quiet = True
        follow()
        self._is_quiet = False
        return self._heard()

    def _slide(self, field: Field, value: Any) -> None:
        slider = self._sliders.get(field.name)
        if slider is None or value is None or field.lowest is None or field.highest is None:
            return
        near = min(max(float(value), field.lowest), field.highest)
        if slider.value != near:
            slider.value = near

    def _chooser(self, field: Field) -> ValueElement[Any]:
        is_list = field.kind in SEVERAL
        options = self._options(field)
        if not is_list and not field.is_required:
            options = {None: _EVERY.get(field.name, _NOT_SET), **options}
        chooser = ui.select(options, label=field.label, multiple=is_list, on_change=self._heard)
        return chooser.classes("w-full").props("outlined dense" + (" use-chips" * is_list))

    def _options(self, field: Field) -> dict[Any, str]:
        match field.kind:
            case "choice" | "choices":
                return {option: option_words(field.name, option) for option in field.options}
            case "answer":
                return {True: "yes", False: "no"}
            case "file" | "files":
                return {f"uploads/{name}": name for name in self._work.project.files()}
            case _:
                roles = {"sensitive": "sensitive", "qid": "quasi-identifier", "target": "target"}
                names = self._work.columns(roles.get(field.name))
                return {name: name for name in names}
