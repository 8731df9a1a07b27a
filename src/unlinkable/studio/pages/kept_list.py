"""KeptList: a list of which only what has changed is drawn anew.

What is drawn anew between pressing and releasing a button takes the click with it. So an entry
stays as it is when others come, go or change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define, field, frozen
from nicegui.element import Element

__all__ = ["Entry", "KeptList"]


@frozen
class Entry:
    """One entry of a list.

    Attributes
    ----------
    key
        Which one it is.
    seen
        What there is to be seen of it: it is drawn anew only if that is something else.
    draw
        Draws it as one element, and gives that.
    """

    key: object
    seen: object
    draw: Callable[[], Element]


@define(eq=False)
class KeptList:
    """Entries within an element that holds nothing else."""

    place: Element
    _drawn: dict[object, tuple[object, Element]] = field(factory=dict)

    def show(self, entries: Iterable[Entry]) -> None:
        """Show these entries, in this order."""
        wanted = {entry.key: entry for entry in entries}
        for key in [key for key in self._drawn if key not in wanted]:
            self._drawn.pop(key)[1].delete()
        for index, entry in enumerate(wanted.values()):
            element = self._element(entry)
            if self.place.default_slot.children.index(element) != index:
                element.move(target_index=index)

    def _element(self, entry: Entry) -> Element:
        seen, element = self._drawn.get(entry.key, (None, None))
        if element is None or seen != entry.seen:
            if element is not None:
                element.delete()
            with self.place:
                element = entry.draw()
            self._drawn[entry.key] = entry.seen, element
        return element
