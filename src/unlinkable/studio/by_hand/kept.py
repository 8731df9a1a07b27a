"""Kept: a tree that was arranged by hand, in the project.

Short ones stand in the plan. Long ones are hierarchy files in ``taxonomies/``, whose names tell
what is in them: a file that changes is another file, so whoever remembers what a plan came to, and
every run, notices. A file that nothing names any more is deleted.
"""

from __future__ import annotations

import re
from hashlib import sha256

from unlinkable.studio.by_hand.journal import origins
from unlinkable.studio.by_hand.tree import HandTree
from unlinkable.studio.by_hand.written import csv_size, to_csv, to_rule
from unlinkable.studio.contracts import Document, Rule
from unlinkable.studio.errors import StudioError
from unlinkable.studio.files import write_text
from unlinkable.studio.project import Project

__all__ = ["BY_HAND", "drop_unused", "keep_hierarchy", "keep_tree"]

_LONGEST_IN_PLAN = 200
"""Values of a tree that stands in the plan."""

_LARGEST_IN_PLAN = 50_000
"""Characters of a tree that stands in the plan: groups may be called by all their values."""

_LARGEST = 16_000_000
"""Characters of a hierarchy file, which repeats the names of groups with every value."""

BY_HAND = "-by-hand"
"""How the names of files end that hold a tree arranged by hand, before the digest."""

_MADE_HERE = re.compile(r"[\w-]+-[0-9a-f]{10}\.csv")


def keep_tree(project: Project, column: str, tree: HandTree) -> Rule:
    """Write a tree where it belongs, and give the rule that names it.

    Raises
    ------
    StudioError
        If its labels are too long to be kept.
    """
    size = csv_size(tree)
    if size <= _LARGEST_IN_PLAN and sum(1 for _ in tree.values()) <= _LONGEST_IN_PLAN:
        return to_rule(tree)
    if size > _LARGEST:
        raise StudioError(
            "the groups are called by all their values, which is too much to be kept: choose “By "
            "hand” and “Begin without groups”, or use a rule or a file"
        )
    return {"csv": keep_hierarchy(project, f"{column}{BY_HAND}", to_csv(tree))}


def keep_hierarchy(project: Project, column: str, text: str) -> str:
    """Write a hierarchy file, and give its name as it stands in a plan."""
    digest = sha256(text.encode()).hexdigest()[:10]
    stem = re.sub(r"[^\w-]+", "-", column).strip("-")[-60:] or "column"
    file = project.taxonomies / f"{stem}-{digest}.csv"
    if not file.is_file():
        write_text(file, text)
    return f"taxonomies/{file.name}"


def drop_unused(project: Project) -> None:
    """Delete the hierarchy files that were written here and that nothing needs any more.

    That is: no plan, no run, and no way back by undoing.
    """
    named = {str(rule.get("csv")) for rule in origins(project)}
    named |= _named(project.plan or {})
    for outcome in project.runs():
        named |= _named(outcome["plan"])
    for name in project.files("taxonomies"):
        if _MADE_HERE.fullmatch(name) and f"taxonomies/{name}" not in named:
            (project.taxonomies / name).unlink(missing_ok=True)


def _named(plan: Document) -> set[str]:
    columns = plan.get("columns", {}).values()
    return {str(column.get("taxonomy", {}).get("csv")) for column in columns}
