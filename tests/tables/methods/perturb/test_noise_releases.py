"""Swapping and noise, through the front door: releases hold when they are judged again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import unlinkable as ul
from unlinkable.noise import price
from unlinkable.tables.methods.base.record_method import RecordMethod
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations.base.operation import Perturbation

JOBS, ILLS = ["clerk", "cook", "nurse"], ["flu", "hiv"]


def ward(n: int = 200) -> ul.Table:
    rng = np.random.default_rng(0)
    return ul.as_table(
        {
            "id": range(n),
            "age": rng.integers(20, 80, n),
            "job": rng.choice(JOBS, n),
            "ill": rng.choice(ILLS, n),
        },
        identifiers="id",
        quasi=["age", "job"],
        sensitive="ill",
        taxonomies={"job": ul.Tree({"any": JOBS}), "ill": ul.Tree({"any": ILLS})},
    )


RELEASES: dict[str, tuple[RecordMethod | Perturbation, Sequence[GroupModel], str]] = {
    "rank-swapping": (ul.RankSwapping(), [], ""),
    "pram": (ul.PRAM(), [], ""),
    "pram with a promise": (ul.PRAM(), [ul.DifferentialPrivacy(1)], "ledger"),
    "alpha-beta": (
        ul.AlphaBeta(columns=["job", "ill"]),
        [ul.DifferentialPrivacy(1)],
        "ledger",
    ),
    "median-swapping": (
        ul.MedianSwapping(),
        [ul.TCloseness("3/10"), ul.KAnonymity(3)],
        "counted",
    ),
    "median-swapping by supersets": (
        ul.MedianSwapping(),
        [ul.NTCloseness(20, "3/10")],
        "counted",
    ),
    "perturbed-generalization": (ul.PerturbedGeneralization(), [ul.KAnonymity(5)], "counted"),
    "additive-noise": (ul.AdditiveNoise(3, columns="age"), [], ""),
    "data-swapping": (ul.DataSwapping(within="job"), [], ""),
    "post-randomization": (ul.PostRandomization(change="invariant"), [], ""),
}


@pytest.mark.parametrize("name", RELEASES)
def test_a_release_holds_and_so_does_its_bundle(name: str, tmp_path: Path) -> None:
    method, promises, basis = RELEASES[name]
    release = ul.anonymize(ward(), privacy=promises, method=method, seed=1)
    found = release.verify()
    assert found.holds
    assert {verdict.basis.value for verdict in found.verdicts} == ({basis} if basis else set())
    assert "id" not in release.applied.frame.columns
    release.save(tmp_path / "bundle")
    assert ul.verify(tmp_path / "bundle").holds


def test_a_ledger_is_priced_at_what_was_promised() -> None:
    methods: list[RecordMethod] = [ul.PRAM(), ul.AlphaBeta(columns=["job", "ill"])]
    for method in methods:
        release = ul.anonymize(ward(), privacy=ul.DifferentialPrivacy(1), method=method, seed=1)
        ledger = release.masked.ledger
        assert ledger is not None
        assert price(ledger).at(0) == pytest.approx(1, abs=1e-6)
