"""Small tables and promises for methods that spend noise."""

from __future__ import annotations

from typing import Any

from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.noisy.shared.noisy_method import NoisyMethod
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DifferentialPrivacy
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies.builders import Tree

__all__ = ["JOBS", "epsilon", "people", "run"]

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})

SEXES = Tree({"any": ["f", "m"]})


def epsilon(epsilon: float, delta: float = 0.0) -> DifferentialPrivacy:
    """Ask for differential privacy by the ledger of the release itself."""
    return DifferentialPrivacy(epsilon, delta)


def people(n: int = 200, **roles: Any) -> Table:
    """Make a table of people whose sex and job go together, and whose ages do not."""
    columns = {
        "sex": ["f", "m"] * (n // 2),
        "job": ["Dancer", "Lawyer", "Writer", "Lawyer"] * (n // 4),
        "age": [20 + i % 40 for i in range(n)],
    }
    return as_table(
        columns, quasi=["sex", "job", "age"], taxonomies={"job": JOBS, "sex": SEXES}, **roles
    )


def run(method: NoisyMethod, table: Table, *models: GroupModel, seed: int = 1) -> MaskedRecords:
    """Mask as the release layer does."""
    method.require(All(models), may_suppress=False)
    task = Task(table.attributes, ILoss(), rng=secure_generator(seed))
    return method.mask(table, All(models), task)
