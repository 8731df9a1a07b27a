"""The recipe for a metric in CONTRIBUTING, followed in a copy of the tree."""

from __future__ import annotations

import json
from pathlib import Path

from tests.test_recipes import copied_tree
from unlinkable.tables.metrics import DEFAULT_METRICS

METRIC = '''"""Changed cells: how many cells show something else than they held.

References
----------
.. [1] Nobody. "Cells." 2026.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from unlinkable.tables.metrics.base.grouped import CellMetric
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, FloatArray

__all__ = ["ChangedCells"]


@frozen
class ChangedCells(CellMetric):
    """The share of cells that are generalized or suppressed.

    Range
    -----
    From 0, all values are published as they were, to 1, none is.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Flat
    >>> jobs = Flat().build(observe("job", ["cook", "clerk", "smith"]))
    >>> ChangedCells().cells(jobs, np.array([0, 0]), np.array([1, 3])).tolist()
    [0.0, 1.0]
    """

    name: ClassVar[str] = "changed-cells"
    reference: ClassVar[str] = "Nobody 2026"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        return (hi - lo > 1).astype(np.float64)
'''

TEST_OF_METRIC = '''"""Changed cells: none, and all."""

from __future__ import annotations

import unlinkable as ul
from unlinkable.tables.metrics import ChangedCells


def test_all_cells_of_two_people_are_changed() -> None:
    ages = ul.as_table({"age": [30, 31, 62]}, quasi="age", taxonomies={"age": ul.Intervals(10)})
    as_it_was = ul.anonymize(ages, privacy=ul.KAnonymity(1), metric=ChangedCells())
    assert as_it_was.measure() == 0
    pairs = ul.anonymize(ages, privacy=ul.KAnonymity(2), suppression=0.4)
    assert pairs.measure("changed-cells") == 1
'''

SECTION = """
## changed-cells

*How many cells show something else than they held?* Generalized and suppressed cells / all cells.

Range: 0, no cell is changed, to 1, all are.

What it does not tell: how far they were changed.
"""

NEW_METRIC = {
    "src/unlinkable/tables/metrics/changed_cells.py": METRIC,
    "src/unlinkable/tables/metrics/__init__.pyi": (
        "from .changed_cells import ChangedCells as ChangedCells\n"
    ),
    "tests/tables/metrics/test_changed_cells.py": TEST_OF_METRIC,
    "docs/reference/metrics/general.md": SECTION,
    "changes/changed-cells.added.md": "`changed-cells` counts the cells that were changed.\n",
}

PEOPLE = "age,job\n30,cook\n31,clerk\n35,cook\n42,smith\n44,cook\n"

PLAN = """[data]
source = "people.csv"

[columns.age]
role = "quasi-identifier"

[columns.age.taxonomy]
intervals = [10, 20]

[columns.job]
role = "insensitive"

[[privacy]]
model = "k-anonymity"
k = 2

[method]
name = "optimal"
"""


def test_a_metric_is_five_files_and_in_no_manifest_that_does_not_name_it(tmp_path: Path) -> None:
    tree = copied_tree(tmp_path)
    tree.add(NEW_METRIC)
    assert len(NEW_METRIC) == 5
    tree.python("-m", "tools.metrics_page")

    names = [entry["name"] for entry in json.loads(tree.unlinkable("list", "metric", "--json"))]
    assert "changed-cells" in names
    tree.add({"people.csv": PEOPLE, "plan.toml": PLAN})
    tree.unlinkable("anonymize", "plan.toml", "--out", "out")
    usual = json.loads((tmp_path / "out" / "public" / "release.json").read_text(encoding="utf-8"))
    assert set(usual["metrics"]) == {str(metric) for metric in DEFAULT_METRICS}
    tree.add({"plan.toml": '\n[utility]\nmetric = "changed-cells"\n'})
    tree.unlinkable("anonymize", "plan.toml", "--out", "guided")
    guided = tmp_path / "guided" / "public" / "release.json"
    assert "changed-cells" in json.loads(guided.read_text(encoding="utf-8"))["metrics"]

    tree.test(
        "src/unlinkable/tables/metrics/changed_cells.py",
        "tests/tables/metrics/test_changed_cells.py",
        "tests/tables/metrics/test_defaults.py",
        "tests/test_metrics_page.py",
        "tests/test_project.py",
        "tests/checks/test_contracts.py",
        matching="changed or Changed or default or section or date or one_sentence or left_out",
    )
