"""Slider: a number to be pushed, which shows at once where it was pushed to.

That of the toolkit shows a value when the server has sent it back. While somebody goes on pushing,
what comes back is older than what is there, and the slider jumps back a step.
"""

from __future__ import annotations

from nicegui import ui

__all__ = ["Slider"]


class Slider(ui.slider):
    """A number to be pushed."""

    LOOPBACK = False
