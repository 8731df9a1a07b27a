"""One trial: how clusters are counted, and what becomes of progress and of records left out."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from attrs import frozen

from tests.tables.groups.plain import groups_of
from unlinkable.errors import ParameterError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.cuts.shared.cluster_trial import (
    LABEL,
    ClusterTrial,
    labelled,
    masker,
    within,
)
from unlinkable.tables.methods.regions import InfoGainMondrian, Labels
from unlinkable.tables.metrics import Clustering, ILoss
from unlinkable.tables.metrics.shared.code_space import CodeSpace
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import FullDomainGeneralization
from unlinkable.tables.operations.base.operation import Scheme


def test_clusters_are_counted_like_a_hidden_column() -> None:
    finest = groups_of([[1, 2], [0, 3], [4, 0]])
    found = labelled(finest, np.array([1, 0, 1], np.int32))
    counts = found.histograms[LABEL,]
    assert counts.merge(np.zeros(3, np.int32), 1).counts.tolist() == [3, 7]
    assert found.whole[LABEL,].tolist() == [3, 7]
    assert counts.text(1) == "cluster 2"
    assert counts.taxonomy is not None
    assert counts.taxonomy.height == 1
    assert ("s",) in found.histograms


def test_people_outside_the_table_are_in_no_cluster() -> None:
    finest = groups_of([[1, 2], [0, 0], [4, 0]])
    counts = labelled(finest, np.array([1, 0, 1], np.int32)).histograms[LABEL,]
    assert (counts.distinct.tolist(), counts.total.tolist()) == ([1, 0, 1], [0, 7])


def test_progress_of_a_part_is_a_part_of_the_progress() -> None:
    told: list[float] = []
    task = Task((), ILoss(), progress=lambda share, words: told.append(share))
    inner = within(within(task, 0.5, 1.0), 0.2, 0.6)
    for share in (0.0, 0.5, 1.0):
        inner.progress(share, "")
    assert np.allclose(told, [0.6, 0.7, 0.8])


@frozen
class LeavesOut(Search):
    """Shows records as they are, and leaves some of them out."""

    name: ClassVar[str] = "leaves-out"
    reference: ClassVar[str] = "a test"
    scheme: ClassVar[type[Scheme]] = FullDomainGeneralization

    groups: tuple[int, ...]

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        partition = Partition.at_levels(finest, task.attributes, [0])
        return Solution(partition.suppress(np.isin(np.arange(len(finest)), self.groups)), {})


def test_records_that_are_left_out_are_not_compared() -> None:
    people = as_table({"a": [0, 1, 2, 60, 61, 62]}, quasi="a")
    finest, task = count(people).finest, Task(people.attributes, ILoss())
    space = CodeSpace.of(people.attributes, finest.keys, finest.sizes)
    for groups, share in (((), 1.0), ((0, 5), 1.0), (tuple(range(6)), 0.0)):
        trial = ClusterTrial(LeavesOut(groups), space, Clustering.K_MEANS, 2)
        found = trial.run(finest, All([]), task)
        assert found.facts == {"cluster-f-measure": share, "match-point": share}
        assert found.partition.n_suppressed == len(groups)


def test_the_class_is_put_in_where_the_method_takes_one() -> None:
    assert masker("infogain-mondrian", "c") == InfoGainMondrian("c")
    written = 'infogain-mondrian(labels="taxonomy", strict=false)'
    assert masker(written, "c") == InfoGainMondrian("c", labels=Labels.TAXONOMY, strict=False)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("infogain-mondrain", "no method 'infogain-mondrain' .*did you mean 'infogain-mondrian'"),
        ("mondrian", "no method 'mondrian' .*guided by a class"),
        ("cluster-framework", "no method 'cluster-framework' .*guided by a class"),
        ('infogain-mondrian(targets="x")', "guided by the clusters, leave out targets"),
        ("infogain-mondrian(strikt=false)", "infogain-mondrian: no parameter 'strikt'"),
        ("infogain-mondrian(strict=7)", "strict must be true or false, got 7"),
    ],
)
def test_refuses_what_cannot_be_guided(written: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        masker(written, "c")
