"""All ways to write a report say the same."""

from __future__ import annotations

import json
import re

import pytest

from tests.report.samples import HOSTILE, Page, sample
from unlinkable.errors import ParameterError
from unlinkable.report import Gauge, Mark, Table
from unlinkable.report.blocks import texts_of

SILENT = {"good", "bad", "caution", "neutral"}
"""Tones are told by signs and colours, not by these words."""


def facts(text: str) -> set[str]:
    """All that a report says, with one space between words."""
    said = {" ".join(told.split()) for told in texts_of(sample(text))}
    return {told for told in said if told and told not in SILENT}


@pytest.mark.parametrize("text", ["plain", HOSTILE])
def test_the_page_says_everything(text: str) -> None:
    page = Page(sample(text).to_html())
    assert {told for told in facts(text) if told not in page.text} == set()


@pytest.mark.parametrize("text", ["plain", HOSTILE])
def test_markdown_says_everything(text: str) -> None:
    read = re.sub(r"\\([\\`*_\[\]<>|~#+-])", r"\1", sample(text).to_markdown())
    assert {told for told in facts(text) if told not in read} == set()


@pytest.mark.parametrize("text", ["plain", HOSTILE])
def test_json_says_everything(text: str) -> None:
    def all_texts(value: object) -> set[str]:
        if isinstance(value, dict):
            return set().union(*map(all_texts, value.values()))
        if isinstance(value, list):
            return set().union(*map(all_texts, value))
        return {" ".join(value.split())} if isinstance(value, str) else set()

    document = json.loads(sample(text).written("json"))
    assert document == sample(text).to_json()
    assert facts(text) <= all_texts(document)
    kinds = {block["block"] for section in document["sections"] for block in section["blocks"]}
    assert {"gauge", "bars", "paired-bars", "gallery", "table", "terms", "note"} <= kinds
    assert document["format"] == 1


def test_markdown_holds_no_markup_of_texts() -> None:
    written = sample("<b>|*x*|</b>\n# no heading").to_markdown()
    assert "<b>" not in written
    assert [line for line in written.splitlines() if line.startswith("# ")] == [
        r"# Title \<b\>\|\*x\*\|\</b\> # no heading"
    ]
    table = [line for line in written.splitlines() if line.startswith("| row")]
    assert len(re.findall(r"(?<!\\)\|", table[0])) == 3


def test_shares_and_tables_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"a share lies between 0 and 1, got 1\.5"):
        Gauge(label="risk", value=1.5, text="much")
    with pytest.raises(ParameterError, match="every row of 'sizes' must have 2 cells"):
        Table("sizes", ("a", "b"), [(Mark("only one"),)])
