"""The recipes of CONTRIBUTING, followed in a copy of the tree: nothing else has to be done."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent


@frozen
class Tree:
    """A copy of the tree, in which things are added and tried."""

    root: Path

    def add(self, files: Mapping[str, str]) -> None:
        """Write files, and lines at the end of those that are there."""
        for name, text in files.items():
            with (self.root / name).open("a", encoding="utf-8") as file:
                file.write(text)

    def python(self, *arguments: str) -> str:
        """Run Python on the sources of the copy, and give what it prints."""
        environment = {**os.environ, "PYTHONPATH": str(self.root / "src")}
        environment.pop("PYTEST_XDIST_WORKER", None)
        ran = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def unlinkable(self, *arguments: str) -> str:
        """Run a command of the copy."""
        return self.python("-c", "from unlinkable.cli.app import main; main()", *arguments)

    def test(self, *names: str, matching: str = "") -> None:
        """Run tests of the copy."""
        self.python("-m", "pytest", "-n", "0", "-x", *names, "-k", matching)


def copied_tree(folder: Path) -> Tree:
    """Copy what a recipe may touch, or be tried with."""
    unneeded = shutil.ignore_patterns("__pycache__", "formats", "browser", "*.so", "*.png")
    for name in ("src", "tests", "docs", "tools", "changes"):
        shutil.copytree(ROOT / name, folder / name, ignore=unneeded)
    for name in ("mkdocs.yml", "pyproject.toml", "conftest.py", "constraints.txt"):
        shutil.copy(ROOT / name, folder / name)
    return Tree(folder)


MODEL = '''"""Pair anonymity: everybody looks like somebody, and pairs are counted."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import at_least
from unlinkable.tables.groups import Groups
from unlinkable.release.attacks import Threat
from unlinkable.tables.models.base import GroupModel, Merging
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["PairAnonymity"]


@frozen
class PairAnonymity(GroupModel):
    """Every group has at least k pairs of records.

    Parameters
    ----------
    k
        The least number of pairs of records that look alike.

    Guarantees
    ----------
    An adversary links a victim to a record with a probability of at most 1 / (2 k).

    Merging
    -------
    Absorbs: a union has at least as many records as each of its parts.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.engines import count
    >>> table = as_table({"age": [30, 30, 30, 40]}, quasi="age")
    >>> PairAnonymity(1).judge(count(table).finest).tolist()
    [True, False]
    """

    name: ClassVar[str] = "pair-anonymity"
    reference: ClassVar[str] = "Nobody 2026"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = "At least {k} pairs of people look alike."
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about what the people of a pair have in common.",
    )
    parameter: ClassVar[str] = "k"

    k: int = field(validator=at_least(1))

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS

    def judge(self, groups: Groups) -> BoolArray:
        return np.asarray(groups.sizes >= 2 * self.k)

    def level(self, groups: Groups) -> FloatArray:
        """Count the pairs of each group."""
        return (groups.sizes // 2).astype(float)

    def owner_ceiling(self) -> Fraction:
        return Fraction(1, 2 * self.k)
'''

TEST_OF_MODEL = '''"""Pair anonymity: pairs are counted, and odd records are not."""

from __future__ import annotations

import pytest

from tests.tables.groups.plain import groups_of
from unlinkable.errors import ParameterError
from unlinkable.tables.models import PairAnonymity

MODELS = [PairAnonymity(1), PairAnonymity(2)]
ATTACKED = [PairAnonymity(1)]
BEATEN = [(PairAnonymity(1), "The same illness", "attribute-linkage")]


def test_three_records_are_one_pair() -> None:
    groups = groups_of([[3], [1]])
    assert PairAnonymity(1).level(groups).tolist() == [1, 0]
    assert PairAnonymity(1).judge(groups).tolist() == [True, False]


def test_no_pair_is_refused() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1"):
        PairAnonymity(0)
'''

PAGE_OF_MODEL = """# Pair anonymity

`pair-anonymity(k)`: every group has at least k pairs of records.

## What this does not promise

- **It says nothing about what the people of a pair have in common.** Promise a diversity as well.
"""

NEW_MODEL = {
    "src/unlinkable/tables/models/pair_anonymity.py": MODEL,
    "src/unlinkable/tables/models/__init__.pyi": (
        "from .pair_anonymity import PairAnonymity as PairAnonymity\n"
    ),
    "tests/tables/models/test_pair_anonymity.py": TEST_OF_MODEL,
    "docs/reference/models/pair-anonymity.md": PAGE_OF_MODEL,
    "changes/pair-anonymity.added.md": "`pair-anonymity` promises that people come in pairs.\n",
}

CONTRACTS = '''"""The contracts that try random tables, on the new model alone."""

from collections.abc import Iterator

import pytest

from tests.checks import test_contracts as contracts


@pytest.fixture(autouse=True, scope="module")
def only_the_new_model() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        new = [model for model in contracts.JUDGED if model.name == "pair-anonymity"]
        assert len(new) == 2
        patch.setattr(contracts, "JUDGED", new)
        yield


test_merging = contracts.test_merging_does_what_is_claimed
test_splitting = contracts.test_a_promise_survives_a_split_if_it_holds_after_it
test_judging = contracts.test_verdicts_agree_with_levels_sizes_and_claims_in_any_order
test_suppression = contracts.test_no_finer_release_leaves_out_less_than_coarser_groups_say
'''

PEOPLE = "age,job\n30,cook\n31,cook\n35,cook\n42,cook\n44,cook\n"

PLAN = """[data]
source = "people.csv"

[columns.age]
role = "quasi-identifier"

[columns.age.taxonomy]
intervals = [10, 20]

[columns.job]
role = "quasi-identifier"

[[privacy]]
model = "pair-anonymity"
k = 1

[method]
name = "optimal"
"""


def test_a_model_is_five_files(tmp_path: Path) -> None:
    tree = copied_tree(tmp_path)
    tree.add(NEW_MODEL)
    assert len(NEW_MODEL) == 5
    # Of `make pages`: the others run every method and every attack, and take minutes.
    tree.python("-m", "tools.models_page")

    names = [entry["name"] for entry in json.loads(tree.unlinkable("list", "model", "--json"))]
    assert "pair-anonymity" in names
    tree.add({"people.csv": PEOPLE, "plan.toml": PLAN})
    tree.unlinkable("anonymize", "plan.toml", "--out", "out")
    verified = json.loads(tree.unlinkable("verify", "out/public", "--json"))
    assert [model["model"] for model in verified["models"]] == ["pair-anonymity(k=1)"]

    tree.add({"tests/checks/test_contracts_of_pairs.py": CONTRACTS})
    tree.test(
        "src/unlinkable/tables/models/pair_anonymity.py",
        "tests/tables/models/test_pair_anonymity.py",
        "tests/tables/models/test_reference_pages.py",
        "tests/test_models_page.py",
        "tests/test_project.py",
        "tests/checks/test_contracts.py",
        "tests/checks/test_contracts_of_pairs.py",
        matching="pair or missing or one_sentence or left_out or claim_is_tried",
    )
