"""Fitness: releases by what they lose, and everything else behind them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import finest_of
from tests.tables.methods.cuts.plain_cuts import published
from tests.tables.methods.cuts.shared.test_genome import ranges
from tests.tables.methods.lattice.setting import Setting, settings
from unlinkable.kernels.taxonomy_cuts.chromosomes import close
from unlinkable.tables.methods.cuts.shared import fitness as module
from unlinkable.tables.methods.cuts.shared.fitness import Fitness
from unlinkable.tables.methods.cuts.shared.genome import Genome
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics.base import Shown


@given(settings(), st.data())
def test_ranks_what_the_promise_and_the_metric_say(setting: Setting, data: st.DataObject) -> None:
    finest, task = finest_of(setting.random), setting.task
    genome = Genome.of(finest, task.attributes, free_numbers=False)
    fitness = Fitness(finest, genome, setting.privacy, task, task.metric)
    limit = min(setting.limit, finest.n_records - 1)
    for _ in range(4):
        n = genome.size
        bits = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.uint8)
        close(bits, genome.parent)
        partition = published(finest, [ranges(cut) for cut in genome.cuts(bits)])
        groups, privacy = partition.groups(), setting.privacy
        release = partition.suppress(~(kept(groups, privacy) if limit else privacy.good(groups)))
        rank = fitness.rank(bits)
        assert fitness.recall(bits) == rank
        assert rank.n_too_many == max(release.n_suppressed - limit, 0)
        if rank.n_too_many:
            assert rank.loss == partition.n_parts
        else:
            loss = task.metric.loss(Shown.of(release, task.attributes))
            assert rank.loss == pytest.approx(loss, abs=1e-9)
        found = fitness.partition(bits)
        assert found.labels.tolist() == release.labels.tolist()
        assert found.lo.tolist() == release.lo.tolist()
    assert fitness.n_ranked == 4
    assert fitness.n_rows == 4 * len(finest)


@given(settings(kinds="k"))
def test_memory_is_bounded(setting: Setting) -> None:
    finest, task = finest_of(setting.random), setting.task
    genome = Genome.of(finest, task.attributes, free_numbers=False)
    fitness = Fitness(finest, genome, setting.privacy, task, task.metric)
    top, bottom = genome.top(), np.ones(genome.size, np.uint8)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_ROOM", 1)
        fitness.rank(top)
        fitness.rank(bottom)
    assert fitness.recall(bottom) is not None
    assert (fitness.recall(top) is None) == bool(genome.size)
