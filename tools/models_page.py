"""Add every model to the lists that name all models, where it is missing.

These are the tables of the index of the reference, the navigation of the documentation, the page
of names in Python, and what ``unlinkable`` itself exports. What is there already stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path

from unlinkable.registry import Entry, entries
from unlinkable.tables.models.base import GroupModel, Merging, Threat

ROOT = Path(__file__).parent.parent
INDEX = ROOT / "docs" / "reference" / "models" / "index.md"
NAVIGATION = ROOT / "mkdocs.yml"
PYTHON = ROOT / "docs" / "reference" / "python.md"
EXPORTS = ROOT / "src" / "unlinkable" / "__init__.pyi"

_SECTIONS = {
    Threat.RECORD: "Record linkage",
    Threat.ATTRIBUTE: "Attribute linkage",
    Threat.TABLE: "Table linkage",
    Threat.PROBABILISTIC: "Probabilistic attacks",
}


def main() -> None:
    """Write the lists."""
    for file, text in completed().items():
        file.write_text(text, encoding="utf-8")


def completed() -> dict[Path, str]:
    """Give the text of each list with all models in it.

    Where a model is missing it is added to the section of the first threat that it guards against.
    """
    texts = {
        file: file.read_text(encoding="utf-8") for file in (INDEX, NAVIGATION, PYTHON, EXPORTS)
    }
    for entry in entries("model"):
        page, called = f"{entry.name}.md", entry.make.__name__
        section = _section(entry.make)
        if f"]({page})" not in texts[INDEX]:
            texts[INDEX] = _behind(texts[INDEX], rf"## {section}\n.*?\n(?=\n)", _row(entry))
        if f"models/{page}" not in texts[NAVIGATION]:
            line = f"              - {entry.name}: reference/models/{page}\n"
            part = rf"- {section}:\n(?: +- [^\n]*: reference/models/[^\n]*\n)+"
            texts[NAVIGATION] = _behind(texts[NAVIGATION], part, line)
        if f"`{called}`" not in texts[PYTHON]:
            row = r"\| \[models\]\(#models\) \|[^;\n]*"
            texts[PYTHON] = _behind(texts[PYTHON], row, f", `{called}`")
        if f" as {called}\n" not in texts[EXPORTS]:
            lines = r"(?:from \.tables\.models import [^\n]*\n)+"
            line = f"from .tables.models import {called} as {called}\n"
            texts[EXPORTS] = _behind(texts[EXPORTS], lines, line)
    return texts


def _section(model: type[GroupModel]) -> str:
    return next(title for threat, title in _SECTIONS.items() if threat in model.threats)


def _row(entry: Entry) -> str:
    """Say in the index what a model is."""
    model: type[GroupModel] = entry.make
    threats = [str(t.name).lower() for t in _SECTIONS if t in model.threats]
    gist = entry.summary.rstrip(".")
    cells = [f"[`{entry.name}`]({entry.name}.md)", gist, ", ".join(threats), _merging(model)]
    return f"| {' | '.join(cells)} |\n"


def _merging(model: type[GroupModel]) -> str:
    """Say what merging does, if that does not depend on parameters."""
    try:
        found = model.merging.fget(object.__new__(model))  # type: ignore[attr-defined]
    except AttributeError:
        return "depends on its parameters"
    return Merging(found).name.lower()


def _behind(text: str, part: str, added: str) -> str:
    """Add something behind the first place that looks like a part."""
    (first,) = list(re.finditer(part, text, re.DOTALL))[:1]
    return text[: first.end()] + added + text[first.end() :]


if __name__ == "__main__":
    main()
