"""The lattice and its nodes, compared with the library."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

import unlinkable as ul
from tests.studio.tasks.sixty_people import PLAN, ROWS, asked
from tests.studio.test_confinement import silent
from unlinkable.errors import InfeasibleError, ParameterError
from unlinkable.studio.tasks import lattices
from unlinkable.studio.tasks.session import Session


def test_every_node_is_told_as_the_library_judges_it(session: Session) -> None:
    shown = lattices.lattice(session, silent, **asked())
    assert shown["complete"]
    assert shown["columns"] == ["age", "zip", "sex"]
    by_levels = {tuple(node["levels"]): node for node in shown["nodes"]}
    assert list(by_levels) == list(product(range(5), range(3), range(2)))
    table = session.table(session.plan(PLAN))
    for levels, node in by_levels.items():
        chosen = ul.Optimal(levels=levels)
        try:
            release = ul.anonymize(
                table, privacy=ul.KAnonymity(3), method=chosen, suppression="1/10"
            )
        except InfeasibleError:
            assert node["state"] in ("invalid", "pruned")
        else:
            assert node["state"] == "valid"
            assert node["loss"] == pytest.approx(release.measure())
            assert (node["suppressed"], node["groups"]) == (release.n_suppressed, release.n_groups)
    best = ul.anonymize(table, privacy=ul.KAnonymity(3), suppression="1/10")
    assert shown["best"] == list((best.node or {}).values())
    assert {node["state"] for node in shown["nodes"]} >= {"valid", "invalid"}


def test_a_node_is_looked_at_more_closely(session: Session) -> None:
    found = lattices.node(session, silent, levels=[2, 1, 0], **asked())
    groups = Counter((age // 10, code[:3], sex) for _, age, code, sex in ROWS)
    assert found["smallest"] == min(groups.values())
    assert found["average"] == pytest.approx(60 / len(groups))
    assert "[20-30)" in found["examples"]["age"]
    assert found["examples"]["zip"] == ["101**", "200**"]
    wrongs: list[Any] = [[9, 0, 0], [0, 0], [0, 0, -1], ["0", 0, 0]]
    for wrong in wrongs:
        with pytest.raises(ParameterError, match="levels go from 0"):
            lattices.node(session, silent, levels=wrong, **asked())
