"""A form for the parameters of a model, a method or a policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.options import option_words
from unlinkable.studio.pages.promises.parameters import Field
from unlinkable.studio.pages.promises.values import SEVERAL, said, shown, written
from unlinkable.studio.pages.slider import Slider
from unlinkable.studio.workbench import Workbench

__all__ = ["ParameterForm"]

_EVERY = {"sensitive": "all that is sensitive", "target": "the target column"}
_MISSING = "not set"


class ParameterForm:
    """Controls for parameters: sliders, numbers, choosers of columns and files.

    Attributes
    ----------
    owner
        What the parameters are of: part of what controls are called.
    changed
        Called when somebody has changed something.
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
        return said(self._fields, {name: c.value for name, c in self._controls.items()})

    def missing(self) -> list[str]:
        """Name the fields that must be filled in and are not."""
        there = self.values()
        return [f.label for f in self._fields if f.is_required and f.name not in there]

    def show(self, values: Mapping[str, Any]) -> None:
        """Put values into the form, without telling anybody that something has changed."""
        self._is_quiet = True
        try:
            for field in self._fields:
                value = shown(field, values.get(field.name, field.default))
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
            labelled(control, f"{field.label}, {self.owner}")
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
                labelled(slider, f"{field.label}: slider")
                self._sliders[field.name] = slider
            box = ui.number(min=field.least, max=field.most, step=field.step)
            box.classes("w-28 shrink-0").props("outlined dense debounce=300")
            box.on_value_change(lambda e: self._typed(field, e.value))
        return box

    def _slid(self, field: Field, value: float) -> Any:
        return self._turned(lambda: self._put(self._controls[field.name], written(field, value)))

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
            options = {None: _EVERY.get(field.name, _MISSING), **options}
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
