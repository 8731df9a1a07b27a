"""Elements of HTML that the toolkit has no function for."""

from __future__ import annotations

from nicegui.elements.mixins.text_element import TextElement

__all__ = ["tag"]


def tag(name: str, text: str = "", classes: str = "") -> TextElement:
    """Put an element with a text on the page: a heading, a paragraph, a cell of a table.

    The text is shown as it is, never read as HTML.
    """
    return TextElement(tag=name, text=text).classes(classes)
