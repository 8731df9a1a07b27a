"""Steps: the six pages of a project, in the order in which people go through them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from attrs import frozen

from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.pages.no_data import no_data
from unlinkable.studio.workbench import Workbench

__all__ = ["STEPS", "Step", "draw_step"]


@frozen
class Step:
    """One page of a project.

    Attributes
    ----------
    key
        In addresses, and the name of the module that draws it.
    title, icon
        What people see.
    needs_plan
        Whether there is nothing to do before there is any data.
    """

    key: str
    title: str
    icon: str
    needs_plan: bool = True

    @property
    def module(self) -> str:
        """The module that draws it, with a function ``page(work)``."""
        return f"unlinkable.studio.pages.{self.key}"


_ALL = (
    Step("data", "Data", "table_chart", needs_plan=False),
    Step("roles", "Roles and taxonomies", "account_tree"),
    Step("privacy", "Privacy", "shield"),
    Step("explore", "Explore", "scatter_plot"),
    Step("attack", "Attack", "bug_report"),
    Step("publish", "Publish", "publish"),
)

STEPS = tuple(step for step in _ALL if find_spec(step.module) is not None)
"""The pages that there are."""


async def draw_step(key: str, work: Workbench) -> None:
    """Draw a page; its function may be a coroutine function.

    Raises
    ------
    NotFoundError
        If there is no such page.
    """
    step = next((step for step in STEPS if step.key == key), None)
    if step is None:
        raise NotFoundError(f"there is no page {key!r}")
    if step.needs_plan and work.plan is None:
        no_data(work)
        return
    drawn = import_module(step.module).page(work)
    if drawn is not None:
        await drawn
