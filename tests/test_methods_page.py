"""The pages of all methods say what the methods are and do."""

from __future__ import annotations

import pytest

from tools.methods_page import FAMILIES, PAGE, page
from unlinkable.registry.lookup import entries

NAMES = [entry.name for entry in entries("method")]
SECTIONS = {
    file: (PAGE.parent / file).read_text(encoding="utf-8").split("\n## ")[1:] for file in FAMILIES
}


def section_of(name: str) -> str:
    """Find what is written of a method, on the page of its family."""
    (file,) = [file for file, (_, _, needs) in FAMILIES.items() if name in needs]
    found = [text for text in SECTIONS[file] if text.split("\n", 1)[0] == name]
    assert len(found) == 1, f"{file} has {len(found)} sections ## {name}"
    return found[0]


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.methods_page"


def test_every_method_is_of_one_family() -> None:
    listed = [name for _, _, needs in FAMILIES.values() for name in needs]
    assert sorted(listed) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_has_its_section_with_an_example_its_cost_and_its_paper(name: str) -> None:
    text = section_of(name)
    assert "```pycon" in text
    assert "**Cost.**" in text
    assert "**Reference.**" in text


@pytest.mark.parametrize("entry", entries("method"), ids=lambda entry: entry.name)
def test_every_parameter_of_a_method_is_explained(entry: object) -> None:
    text = section_of(entry.name)  # type: ignore[attr-defined]
    inherits = "The parameters are" in text or "as for [`mondrian`]" in text
    for parameter in entry.parameters:  # type: ignore[attr-defined]
        assert inherits or f"`{parameter.name}`" in text, parameter.name
