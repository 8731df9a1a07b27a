"""Taxonomies as workers show and try them, compared with plain counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.studio.tasks.sixty_people import ILLS, ROWS, asked
from tests.studio.test_confinement import silent
from unlinkable.errors import TaxonomyError
from unlinkable.studio.tasks.session import Session
from unlinkable.studio.tasks.taxonomies import taxonomy, whole_tree
from unlinkable.studio.taxonomy_editing.tree_files import read_nested, to_rule


def test_a_tree_counts_the_records_below_every_node(session: Session) -> None:
    shown = taxonomy(session, silent, column="age", rule=None, **asked())
    assert shown["height"] == 4
    assert shown["tree"]["records"] == 60

    def check(node: Any) -> None:
        if node["children"]:
            assert node["records"] == sum(child["records"] for child in node["children"])
            assert node["values"] == sum(child["values"] for child in node["children"])
        for child in node["children"]:
            check(child)

    check(shown["tree"])
    ages = Counter(str(row[1]) for row in ROWS)
    assert {v["levels"][0]: v["records"] for v in shown["preview"]}.items() <= ages.items()
    assert ["40", "[40-45)", "[40-50)", "[40-60)", "*"] in [v["levels"] for v in shown["preview"]]


def test_a_rule_is_tried_without_the_plan_knowing(session: Session) -> None:
    shown = taxonomy(session, silent, column="zip", rule={"flat": True}, **asked())
    assert (shown["height"], shown["rule"]) == (1, {"flat": True})
    shown = taxonomy(session, silent, column="ill", rule={"tree": {"bad": ILLS}}, **asked())
    assert shown["tree"]["label"] == "bad"
    shown = taxonomy(session, silent, column="id", rule={"mask": 3}, **asked())
    assert shown["column"] == "id"


@pytest.mark.parametrize(
    ("column", "rule"),
    [
        ("age", None),
        ("zip", None),
        ("sex", {"auto": True}),
        ("ill", {"auto": True}),
        ("ill", {"tree": {"bad": ILLS[:1], "L" * 300: ILLS[1:2], "good": ILLS[2:]}}),
    ],
)
def test_any_taxonomy_goes_on_by_hand_with_the_same_labels(
    session: Session, column: str, rule: Any
) -> None:
    shown = taxonomy(session, silent, column=column, rule=rule, **asked())
    whole = whole_tree(session, silent, column=column, rule=rule, **asked())
    written = to_rule(read_nested(whole["root"], whole["nested"]))
    again = taxonomy(session, silent, column=column, rule=written, **asked())
    assert sorted(v["levels"] for v in again["preview"]) == sorted(
        v["levels"] for v in shown["preview"]
    )
    assert again["nodes"] == shown["nodes"]


def test_a_rule_that_does_not_fit_is_told(session: Session) -> None:
    with pytest.raises(TaxonomyError, match="angina"):
        taxonomy(session, silent, column="ill", rule={"tree": {"bad": ["flu"]}}, **asked())
