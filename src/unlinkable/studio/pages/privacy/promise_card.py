"""Promises of the plan: the models to choose from, and a card for each promise with its cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define
from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.contracts import Document, Effect, PromiseText
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.pages.elements import INK, Chart, aria_label, scroll_area, tag
from unlinkable.studio.pages.formatting import percent
from unlinkable.studio.pages.live import Debounce, PlanBinding
from unlinkable.studio.pages.parameter_form import Field, ParameterForm, fields_of
from unlinkable.studio.workbench import Workbench

__all__ = [
    "COMMON",
    "THREATS",
    "THREAT_LABELS",
    "PromiseCard",
    "PromiseList",
    "effect_chart",
    "effect_rows",
    "effect_sentence",
    "filter_models",
    "main_field",
    "values_to_try",
]

COMMON = (
    "k-anonymity",
    "distinct-l-diversity",
    "frequency-l-diversity",
    "t-closeness",
    "entropy-l-diversity",
    "alpha-k-anonymity",
    "lkc-privacy",
    "average-risk",
)
"""The models that nearly everybody gets along with, the first to think of first."""

THREATS = {
    "record": "Record linkage: finding the record of a person",
    "attribute": "Attribute linkage: learning a sensitive value",
    "table": "Table linkage: learning who is in the data",
    "probabilistic": "Probabilistic attack: learning much more than before",
}
"""By the name of the threat, what an adversary is after."""

THREAT_LABELS = {
    "record": "Record linkage",
    "attribute": "Attribute linkage",
    "table": "Table linkage",
    "probabilistic": "Probabilistic",
}
"""The same, in two or three words."""


def filter_models(
    cards: Sequence[Document], threat: str | None = None, words: str = ""
) -> tuple[list[Document], list[Document]]:
    """Give the common models and all others, out of those that are asked for.

    Parameters
    ----------
    threat
        Only models that stop it.
    words
        Only models in whose name or description all of these words occur.
    """
    wanted = words.lower().split()
    fitting = [
        card
        for card in cards
        if (threat is None or threat in card["threats"])
        and all(word in _text(card) for word in wanted)
    ]
    by_name = {card["name"]: card for card in fitting}
    common = [by_name[name] for name in COMMON if name in by_name]
    return common, [card for card in fitting if card["name"] not in COMMON]


def _text(card: Document) -> str:
    parts = [card["name"], card["name"].replace("-", " "), card["summary"]]
    return " ".join([*parts, card["stops"], card.get("reference") or ""]).lower()


@define(eq=False)
class PromiseList:
    """The promises of the plan, as one tab sees and changes them.

    Attributes
    ----------
    cards
        What is known of every model, by its name.
    """

    work: Workbench
    cards: dict[str, Document]

    @property
    def promises(self) -> list[Document]:
        """The promises as they stand in the plan."""
        return list((self.work.plan or {}).get("privacy", []))

    @property
    def suppression(self) -> float:
        """Maximum share of suppressed records."""
        said = (self.work.plan or {}).get("method", {}).get("suppression", 0)
        above, _, below = str(said).partition("/")
        return float(above) / float(below or 1)

    @property
    def records(self) -> int | None:
        """How many records there are, if that is known."""
        described = (self.work.description or {}).get("description") or {}
        found = described.get("records")
        return found if isinstance(found, int) else None

    async def add(self, model: str, values: Document) -> None:
        """Promise one thing more."""
        await self.work.set_promises([*self.promises, {"model": model, **values}])

    async def change(self, index: int, values: Document) -> None:
        """Give a promise other parameters."""
        promises = self.promises
        if index < len(promises):
            promises[index] = {"model": promises[index]["model"], **values}
            await self.work.set_promises(promises)

    async def remove(self, index: int) -> None:
        """Take a promise back."""
        await self.work.set_promises([p for i, p in enumerate(self.promises) if i != index])

    async def allow(self, share: float) -> None:
        """Set the maximum share of suppressed records."""
        await self.work.edit({"set": ["method", "suppression"], "to": round(share, 6)})

    async def effect(self, index: int, parameter: str, values: list[Any]) -> Effect:
        """Ask what values of a parameter would cost; a later question replaces an earlier one."""
        found: Effect = await self.work.ask(
            "effect",
            replaces=f"effect {index}",
            promise=index,
            parameter=parameter,
            values=values,
        )
        return found

    async def in_words(self) -> list[PromiseText]:
        """Ask what all promises mean, and whether each can be kept at all."""
        found: list[PromiseText] = await self.work.ask("promises", replaces="promises")
        return found


_WHOLE = {"k": (2, 3, 5, 10, 15, 20, 30, 50), "l": (2, 3, 4, 5, 6, 8, 10)}

_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1)

_DISTANCES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)

_FACTORS = (0.25, 0.5, 1, 2, 4)


def main_field(card: Document, fields: Sequence[Field]) -> Field | None:
    """Find the parameter that people turn first; None if there is no number to turn."""
    numbers = [f for f in fields if f.kind in ("whole", "number") and f.is_required]
    named = [f for f in numbers if f.name == card.get("parameter")]
    return next(iter(named or numbers), None)


def values_to_try(field: Field, now: float) -> list[float | int]:
    """Give the values to try, in order, with the present one among them.

    Examples
    --------
    >>> values_to_try(Field("k", "k", "", "whole", least=1), 7)
    [2, 3, 5, 7, 10, 15, 20, 30, 50]
    """
    if field.kind == "whole" or field.name in ("l", "m", "r"):
        tried: Sequence[float | int] = _WHOLE.get(field.name, _WHOLE["l"])
        if now > tried[-1]:
            tried = [*tried, int(2 * now)]
    elif field.most == 1:
        tried = _SHARES
    elif field.name in ("t", "share"):
        tried = _DISTANCES
    else:
        tried = [round(now * factor, 6) for factor in _FACTORS]
    allowed = [v for v in {*tried, now} if _fits(field, v)]
    return sorted(int(v) if float(v).is_integer() else v for v in allowed)


def _fits(field: Field, value: float) -> bool:
    least = field.least is None or value >= field.least
    return least and (field.most is None or value <= field.most)


def effect_sentence(effect: Effect, now: float) -> str:
    """Say what the present value costs, as far as it was tried."""
    words = dict(zip(map(_key, effect["values"]), effect["words"], strict=True))
    said = words.get(_key(now))
    if said is None:
        return ""
    sentence = f"{said[:1].upper()}{said[1:]}."
    if _is_hopeless(effect):
        sentence += " Without generalization, practically all would be."
    return sentence


def effect_rows(effect: Effect) -> list[tuple[str, str, str]]:
    """Give the numbers of the chart as a table: value, coarser, as they are."""
    told = zip(effect["values"], effect["coarse"], effect["raw"], strict=True)
    return [(str(value), percent(coarse), percent(raw)) for value, coarse, raw in told]


def effect_chart(effect: Effect, now: float, limit: float) -> dict[str, Any]:
    """Draw the share of suppressed records over values of the parameter."""
    names = [str(value) for value in effect["values"]]
    here = [name for name, v in zip(names, effect["values"], strict=True) if _key(v) == _key(now)]
    coarse = _series("with generalization", effect["coarse"], "circle", "solid", "#2b84bd")
    raw = _series("without generalization", effect["raw"], "diamond", "dashed", "#c77700")
    coarse["markLine"] = _marks(here, limit)
    return {
        "animation": False,
        "grid": {"left": 44, "right": 40, "top": 26, "bottom": 44 if _is_hopeless(effect) else 66},
        "tooltip": {"trigger": "axis"},
        "legend": {
            "show": not _is_hopeless(effect),
            "bottom": 0,
            "left": 0,
            "itemGap": 8,
            "itemWidth": 18,
            "textStyle": {"fontSize": 11, "color": INK},
        },
        "xAxis": {
            "type": "category",
            "data": names,
            "axisTick": {"alignWithLabel": True},
            "axisLabel": {"color": INK},
            "name": effect["parameter"],
            "nameLocation": "middle",
            "nameGap": 26,
            "nameTextStyle": {"color": INK},
        },
        "yAxis": {
            "type": "value",
            "min": 0,
            "max": _top(effect, limit),
            "axisLabel": {"formatter": "{value} %", "color": INK},
            "splitLine": {"lineStyle": {"color": "#8883"}},
        },
        "series": [coarse] if _is_hopeless(effect) else [coarse, raw],
    }


def _marks(here: list[str], limit: float) -> dict[str, Any]:
    """Mark the present value, and the maximum share."""
    lines: list[dict[str, Any]] = [
        {"xAxis": name, "label": {"formatter": f"now: {name}", "position": "end"}} for name in here
    ]
    if limit > 0:
        lines.append({"yAxis": 100 * limit, "label": {"formatter": "limit", "position": "end"}})
    return {
        "symbol": "none",
        "data": lines,
        "lineStyle": {"color": INK, "type": "dotted", "width": 1.5},
        "label": {"color": INK},
    }


def _is_hopeless(effect: Effect) -> bool:
    """Whether nearly nothing is left as long as values stay as they are: no need to draw that."""
    known = [share for share in effect["raw"] if share is not None]
    return bool(known) and min(known) > 0.98


def _top(effect: Effect, limit: float) -> int:
    """Choose where the axis ends, so that small shares can be told apart."""
    shares = effect["coarse"] if _is_hopeless(effect) else [*effect["coarse"], *effect["raw"]]
    most = 100 * max([limit, *(share for share in shares if share is not None)])
    return next(top for top in (5, 10, 20, 40, 60, 80, 100) if most <= top * 0.98 or top == 100)


def _series(
    name: str, shares: list[float | None], symbol: str, line: str, colour: str
) -> dict[str, Any]:
    return {
        "name": name,
        "type": "line",
        "symbol": symbol,
        "symbolSize": 7,
        "data": [None if share is None else round(100 * share, 2) for share in shares],
        "lineStyle": {"type": line, "width": 2},
        "color": colour,
    }


def _key(value: float | int | str) -> str:
    return value if isinstance(value, str) else f"{float(value):.9g}"


class PromiseCard:
    """One promise of the plan, on the page."""

    def __init__(self, promise_list: PromiseList, index: int) -> None:
        self._promise_list, self._index = promise_list, index
        self._promise = promise_list.promises[index]
        self._card = promise_list.cards.get(self._promise["model"]) or _unknown(
            self._promise["model"]
        )
        self._fields = fields_of(self._card)
        self._main = main_field(self._card, self._fields)
        self._editing = PlanBinding(self._submit, self._refresh)
        self._form = ParameterForm(
            promise_list.work, self._promise["model"], self._fields, self._editing.changed
        )
        self._asked = Debounce()
        self._known: str | None = None

    def draw(self) -> Element:
        """Put it on the page."""
        name = self._promise["model"]
        with ui.card().classes("w-full gap-2").props("flat bordered") as box:
            box.props('role="group"')
            aria_label(box, f"Promise {self._index + 1}: {name}")
            box.props(f'data-testid="promise-{self._index}"')
            with ui.row().classes("w-full items-center justify-between no-wrap"):
                tag("h3", name, "text-lg font-semibold m-0")
                remove = ui.button(icon="delete_outline", color=None, on_click=self._remove)
                aria_label(remove.props("flat round dense"), f"Remove {name}")
                remove.tooltip("Remove this promise")
            self._says = tag("p", self._card["summary"], "m-0 text-base")
            self._problem = tag("p", "", "m-0 problem").props('role="alert"')
            self._problem.set_visibility(False)
            with ui.element("div").classes("promise-parts"):
                with ui.column().classes("gap-1 min-w-0"):
                    self._form.draw(self._promise)
                self._draw_effect()
        return box

    def _draw_effect(self) -> None:
        if self._main is None:
            return
        with ui.column().classes("gap-1 min-w-0 effect"):
            self._sentence = tag("p", "Counting …", "m-0 font-medium").props('aria-live="polite"')
            self._sentence.props('data-testid="effect"')
            self._chart = Chart({"series": []}).classes("w-full h-52").props('aria-hidden="true"')
            with ui.expansion("The same as a table").classes("w-full").props("dense"):
                self._rows = scroll_area(f"Cost of {self._main.label}")

    def show(self) -> None:
        """Show what stands in the plan now, as soon as nobody is changing it here."""
        self._editing.plan_changed()

    def _refresh(self) -> None:
        promises = self._promise_list.promises
        if self._index < len(promises) and promises[self._index] != self._promise:
            self._promise, self._known = promises[self._index], None
            self._form.show(self._promise)
            self._complain(None)

    def tell(self, told: PromiseText) -> None:
        """Show what the promise means in words, and why it cannot be kept if it cannot."""
        self._says.text = told["promised"]
        self._known = told["problem"]
        self._complain(self._known)

    async def look(self) -> None:
        """Ask what the main parameter would cost, and show it unless something newer was asked."""
        if self._main is None:
            return
        value = self._promise.get(self._main.name)
        now = value if isinstance(value, int | float) else self._main.start or 1
        mine = self._asked.begin()
        tried = values_to_try(self._main, now)
        try:
            effect = await self._promise_list.effect(self._index, self._main.name, list(tried))
        except TaskError as error:
            if self._is_wanted(mine) and error.kind != "Cancelled":
                self._sentence.text = f"The cost is not known: {error}"
            return
        if self._is_wanted(mine):
            self._show_effect(effect, now)

    def _is_wanted(self, asked: int) -> bool:
        """Whether nothing newer was asked, and the promise was not taken back."""
        return self._asked.is_current(asked) and not self._says.is_deleted

    def _show_effect(self, effect: Effect, now: float) -> None:
        self._sentence.text = effect_sentence(effect, now) or "The cost is not known in time."
        self._chart.show(effect_chart(effect, now, self._promise_list.suppression))
        self._rows.clear()
        with self._rows, tag("table", "", "plain-table"):
            with tag("tr"):
                for heading in (
                    effect["parameter"],
                    "with generalization",
                    "without generalization",
                ):
                    tag("th", heading).props('scope="col"')
            for row in effect_rows(effect):
                with tag("tr"):
                    for cell in row:
                        tag("td", cell)

    async def _submit(self) -> None:
        if missing := self._form.missing():
            self._complain(f"Please fill in: {', '.join(missing)}.")
            return
        values = self._form.values()
        standing = next(iter(self._promise_list.promises[self._index :]), None)
        if standing is None or standing["model"] != self._promise["model"]:
            return  # Taken back in another tab: the page is about to be drawn anew.
        if standing == {"model": self._promise["model"], **values}:
            self._complain(self._known)
            return
        try:
            await self._promise_list.change(self._index, values)
        except StudioError as error:
            self._complain(str(error))

    async def _remove(self) -> None:
        try:
            await self._promise_list.remove(self._index)
        except StudioError as error:
            self._complain(str(error))

    def _complain(self, problem: str | None) -> None:
        self._problem.text = "" if problem is None else f"⚠ This cannot be kept: {problem}"
        if problem is not None and problem.startswith("Please"):
            self._problem.text = problem
        self._problem.set_visibility(problem is not None)


def _unknown(model: str) -> Document:
    return {"name": model, "summary": "", "parameters": [], "threats": [], "stops": ""}
