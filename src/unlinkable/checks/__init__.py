"""Contracts that everything exported must meet.

Each check takes a thing and something to try it on, and raises `BrokenContractError` if the thing
is not what it claims to be. They need no test framework: whoever writes a model or a metric can run
them on tables of their own. The project's tests run them on all that it exports.
"""

from __future__ import annotations

from unlinkable.checks.contract import BrokenContractError
from unlinkable.checks.forms import check_docstring, check_name, check_written_form
from unlinkable.checks.metrics import check_cells, check_floor, check_suppressed
from unlinkable.checks.models import (
    check_about_values,
    check_does_not_absorb,
    check_is_not_safe,
    check_least_lost,
    check_level,
    check_merging,
    check_order,
    check_sizes,
)

__all__ = [
    "BrokenContractError",
    "check_about_values",
    "check_cells",
    "check_docstring",
    "check_does_not_absorb",
    "check_floor",
    "check_is_not_safe",
    "check_least_lost",
    "check_level",
    "check_merging",
    "check_name",
    "check_order",
    "check_sizes",
    "check_suppressed",
    "check_written_form",
]
