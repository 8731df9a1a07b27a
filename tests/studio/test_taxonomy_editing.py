"""Trees that are arranged by hand: what edits do, and that they lose nothing."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from unlinkable.studio.errors import StudioError
from unlinkable.studio.project import Projects
from unlinkable.studio.taxonomy_editing import editor, tree_files
from unlinkable.studio.taxonomy_editing.editor import (
    EditHistory,
    Journal,
    delete_edits,
    drop_unused,
    load_edits,
    save_edits,
)
from unlinkable.studio.taxonomy_editing.tree import Group, TaxonomyTree, relabel, set_label
from unlinkable.studio.taxonomy_editing.tree_files import (
    read_nested,
    save_hierarchy,
    save_tree,
    to_csv,
    to_rule,
)
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Csv, Tree
from unlinkable.tables.taxonomies.notation import write_set
from unlinkable.tables.taxonomies.published_values import write_level

JOBS = {"Artist": ["Dancer", "Writer"], "Professional": {"Law": ["Lawyer"], "Engineer": {}}}


@pytest.fixture
def jobs() -> TaxonomyTree:
    return read_nested("*", JOBS)


def test_reads_and_writes_what_stands_in_a_plan(jobs: TaxonomyTree) -> None:
    assert to_rule(jobs) == {"tree": JOBS, "pad": True}
    assert list(jobs.values()) == ["Dancer", "Writer", "Engineer", "Lawyer"]


def test_a_group_that_repeats_its_only_value_is_the_value() -> None:
    tree = read_nested("*", [{"Cook": ["Cook"]}, {"Artist": [{"Painter": ["Painter"]}, "Dancer"]}])
    assert to_rule(tree) == {"tree": {"Cook": {}, "Artist": ["Painter", "Dancer"]}, "pad": True}


def test_moving_empties_a_group_and_takes_it_away(jobs: TaxonomyTree) -> None:
    moved = jobs.move(["Lawyer"], "Artist")
    assert to_rule(moved) == {
        "tree": {"Artist": ["Dancer", "Writer", "Lawyer"], "Professional": ["Engineer"]}
    }


def test_moving_a_group_with_something_inside_it_moves_the_group(jobs: TaxonomyTree) -> None:
    moved = jobs.move(["Law", "Lawyer"], "*")
    assert moved.parents["Law"] == "*"
    assert moved.parents["Lawyer"] == "Law"


def test_moving_to_where_it_is_changes_nothing(jobs: TaxonomyTree) -> None:
    assert jobs.move(["Dancer"], "Artist") is jobs


def test_a_new_group_stands_in_the_nearest_group_of_all(jobs: TaxonomyTree) -> None:
    assert jobs.gather(["Lawyer", "Engineer"], "Degree").parents["Degree"] == "Professional"
    assert jobs.gather(["Dancer", "Engineer"], "Left").parents["Left"] == "*"


def test_merging_joins_groups_and_values_under_one_name(jobs: TaxonomyTree) -> None:
    merged = jobs.merge(["Artist", "Law"], "Artist")
    assert merged.by_label["Artist"] == Group("Artist", ("Dancer", "Writer", "Lawyer"))
    assert merged.merge(["Artist", "Engineer"], "Work").parents["Engineer"] == "Work"


def test_ungrouping_puts_children_in_the_place(jobs: TaxonomyTree) -> None:
    assert to_rule(jobs.ungroup("Professional"))["tree"] == {
        "Artist": ["Dancer", "Writer"],
        "Law": ["Lawyer"],
        "Engineer": {},
    }


def test_splitting_makes_a_group_beside(jobs: TaxonomyTree) -> None:
    split = jobs.split(["Writer"], "Press")
    assert to_rule(split)["tree"] == {
        "Press": ["Writer"],
        "Artist": ["Dancer"],
        "Professional": {"Law": ["Lawyer"], "Engineer": {}},
    }
    assert to_rule(jobs.flat())["tree"] == list(jobs.values())


def test_groups_and_the_root_can_be_renamed(jobs: TaxonomyTree) -> None:
    renamed = jobs.rename("Law", " The   law ").rename("*", "Any job")
    assert renamed.parents["Lawyer"] == "The law"
    assert list(to_rule(renamed)["tree"]) == ["Any job"]


def test_a_single_group_on_top_is_not_taken_for_the_root(jobs: TaxonomyTree) -> None:
    one = jobs.gather(["Artist", "Professional"], "Work")
    assert list(to_rule(one)["tree"]) == ["*"]
    built = _rule(one).build(observe("job", ["Dancer"]))
    assert "Work" in set(write_level(built, built.height - 1, np.arange(built.n, dtype=np.int32)))


@pytest.mark.parametrize(
    ("edit", "match"),
    [
        (lambda t: t.move([], "Artist"), "choose some values or groups first"),
        (lambda t: t.move(["Baker"], "Artist"), "there is no 'Baker' in the tree any more"),
        (lambda t: t.move(["Dancer"], "Writer"), "'Writer' is no group"),
        (lambda t: t.move(["Professional"], "Law"), "cannot be moved into itself"),
        (lambda t: t.gather(["Dancer"], "  "), "give the group a name"),
        (lambda t: t.gather(["Dancer"], "Law"), "a group called 'Law' already"),
        (lambda t: t.rename("Law", "Dancer"), "a value called 'Dancer' already"),
        (lambda t: t.rename("Dancer", "Ballet"), "only groups can be renamed"),
        (lambda t: t.merge(["Dancer", "Writer"], "Arts"), "one of them a group"),
        (lambda t: t.split(["Dancer", "Lawyer"], "Two"), "some of what is in one group"),
        (lambda t: t.split(["Artist"], "Art"), "some of what is in one group"),
        (lambda t: t.split(["Dancer", "Writer"], "All"), "leave something in the group"),
        (lambda t: t.split(["Dancer"], "Law"), "a group called 'Law' already"),
        (lambda t: t.ungroup("Dancer"), "no group that could be dissolved"),
        (lambda t: t.ungroup("*"), "no group that could be dissolved"),
    ],
)
def test_what_makes_no_sense_is_refused(jobs: TaxonomyTree, edit, match: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StudioError, match=match):
        edit(jobs)


def test_edits_go_back_and_forth(jobs: TaxonomyTree) -> None:
    edits = EditHistory(jobs)
    assert edits.do("Renamed", jobs.rename("Law", "Justice"))
    assert not edits.do("Nothing", edits.tree)
    assert (edits.last, edits.next) == ("Renamed", None)
    assert edits.undo() == "Renamed"
    assert (edits.tree, edits.next) == (jobs, "Renamed")
    assert edits.redo() == "Renamed"
    assert "Justice" in edits.tree.by_label
    with pytest.raises(StudioError, match="nothing to redo"):
        edits.redo()
    with pytest.raises(StudioError, match="nothing to undo"):
        EditHistory(jobs).undo()


def test_long_trees_are_files_whose_names_follow_from_what_is_in_them(tmp_path: Path) -> None:
    project = Projects(tmp_path).create("Work")
    tree = read_nested("*", {"low": [str(i) for i in range(300)], "high": ["999"]})
    first = save_tree(project, "a/b", tree)
    assert first == save_tree(project, "a/b", tree)
    assert first != save_tree(project, "a/b", tree.rename("low", "lower"))
    assert len(project.files("taxonomies")) == 2
    project.save_plan(f'[columns.x]\nrole = "sensitive"\ntaxonomy = {{ csv = "{first["csv"]}" }}\n')
    drop_unused(project)
    assert [f"taxonomies/{name}" for name in project.files("taxonomies")] == [first["csv"]]
    assert save_hierarchy(project, "x", "a;b\n").startswith("taxonomies/x-")


def test_labels_are_kept_whole_however_long(tmp_path: Path) -> None:
    project = Projects(tmp_path).create("Work")
    values = [f"a job with a long name, number {i}" for i in range(300)]
    long = set_label(values[:250])
    tree = read_nested("*", [{long: values[:250]}, {"L" * 5000: values[250:]}])
    assert set(tree.by_label) == {"*", long, "L" * 5000}
    rule = save_tree(project, "job", tree)
    built = Csv(project.folder / rule["csv"], separator=";").build(observe("job", values))
    assert set(built.levels[1].labels or ()) == {long, "L" * 5000}


def test_a_tree_of_long_labels_is_a_file_unless_that_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Projects(tmp_path).create("Work")
    tree = read_nested("*", [{"L" * 1000: [str(i) for i in range(100)]}, "x"])
    assert list(save_tree(project, "job", tree)) == ["csv"]
    monkeypatch.setattr(tree_files, "_LARGEST", 100_000)
    with pytest.raises(StudioError, match="called by all their values"):
        save_tree(project, "job", tree)


@given(st.lists(st.text(max_size=4), min_size=1))
def test_sets_are_told_as_releases_do(values: list[str]) -> None:
    assert set_label(values) == write_set(values)


def test_groups_that_tell_what_is_in_them_go_on_telling_the_truth() -> None:
    tree = read_nested(
        "*", {"{a, b, c}": {"{a, b}": ["a", "b"], "c": {}}, "{d, e}": ["d", "e"], "Own": ["f"]}
    )
    moved = relabel(tree, tree.move(["e"], "{a, b}"))
    assert to_rule(moved)["tree"] == {
        "{a, b, e, c}": {"{a, b, e}": ["a", "b", "e"], "c": {}},
        "d": {},
        "Own": ["f"],
    }
    built = _rule(moved).build(observe("x", list("abcdef")))
    assert "{a, b, e, c}" in (built.levels[2].labels or ())
    alone = relabel(tree, tree.move(["c"], "Own"))
    assert list(alone.by_label) == ["*", "{a, b}", "{d, e}", "Own"]
    assert alone.by_label["Own"].children == ("f", "c")
    named = relabel(tree, tree.rename("{a, b}", "[1-5)"))
    assert "[1-5)" in named.by_label
    assert "{f, c}" in relabel(tree, tree.move(["c"], "Own"), made={"Own"}).by_label


def test_edits_are_undone_after_a_restart(tmp_path: Path, jobs: TaxonomyTree) -> None:
    project = Projects(tmp_path).create("Work")
    edits = EditHistory(jobs)
    for name in ("Justice", "Right"):
        edits.do(
            f"Renamed to {name}", edits.tree.rename(next(iter(edits.tree.above("Lawyer"))), name)
        )
    edits.undo()
    origin = {"csv": "taxonomies/job-0123456789.csv"}
    journal = Journal(edits, origin, frozenset({"Artist"}))
    save_edits(project, "a/b", ("data", 3, {"tree": JOBS}), journal)
    found = load_edits(project, "a/b", ("data", 3, {"tree": JOBS}))
    assert found == journal
    assert (found.edits.last, found.edits.next) == ("Renamed to Justice", "Renamed to Right")
    assert load_edits(project, "a/b", ("data", 4, {"tree": JOBS})) is None
    (project.taxonomies / "job-0123456789.csv").write_text("Cook;*")
    drop_unused(project)
    assert project.files("taxonomies") == ["job-0123456789.csv"]
    delete_edits(project, "a/b")
    drop_unused(project)
    assert project.files("taxonomies") == []
    assert load_edits(project, "a/b", ("data", 3, {"tree": JOBS})) is None


def test_only_the_nearest_steps_of_many_are_written(
    tmp_path: Path, jobs: TaxonomyTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Projects(tmp_path).create("Work")
    edits = EditHistory(jobs)
    for i in range(250):
        edits.do(f"Renamed {i}", edits.tree.rename(edits.tree.above("Lawyer")[0], f"Law {i}"))
    assert (len(edits.past), edits.is_whole, edits.is_begin) == (200, False, False)
    monkeypatch.setattr(editor, "_LARGEST", 1000)
    save_edits(project, "job", None, Journal(edits, None))
    found = load_edits(project, "job", None)
    assert found is not None
    assert found.edits.tree == edits.tree
    assert 0 < len(found.edits.past) < 100
    assert found.edits.past == edits.past[-len(found.edits.past) :]
    while found.edits.last is not None:
        found.edits.undo()
    assert not found.edits.is_begin


LABELS = st.text("abcdefgh;\" '", min_size=1, max_size=3).map(str.strip).filter(bool)


@st.composite
def trees(draw: st.DrawFn) -> TaxonomyTree:
    values = draw(st.lists(LABELS, min_size=1, max_size=9, unique=True))
    tree = TaxonomyTree(Group("*", tuple(values)))
    for i in range(draw(st.integers(0, 3))):
        chosen = draw(st.lists(st.sampled_from(sorted(set(tree.parents) - {"*"})), min_size=1))
        tree = tree.gather(chosen, f"group {i}")
    return tree


@given(trees())
def test_a_tree_is_the_same_taxonomy_in_a_plan_and_in_a_file(
    tmp_path_factory: pytest.TempPathFactory, tree: TaxonomyTree
) -> None:
    observed = observe("x", sorted(tree.values()))
    built = _rule(tree).build(observed)
    file = tmp_path_factory.mktemp("x") / "x.csv"
    file.write_text(to_csv(tree))
    read = Csv(file, separator=";").build(observed)

    def levels(taxonomy: Taxonomy) -> list[list[object]]:
        codes = taxonomy.domain.find(observed.domain).astype(np.int32)
        return [list(write_level(taxonomy, i, codes)) for i in range(taxonomy.height + 1)]

    assert levels(built) == levels(read)


@given(trees())
def test_rows_of_a_file_have_a_value_and_end_with_the_root(tree: TaxonomyTree) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(tree)), delimiter=";"))
    assert sorted(row[0] for row in rows) == sorted(tree.values())
    assert {row[-1] for row in rows} == {"*"}


class Editing(RuleBasedStateMachine):
    """Whatever is done, no value is lost, no group is empty, and all can be undone."""

    def __init__(self) -> None:
        super().__init__()
        self.first = read_nested("*", {"A": ["a", "b"], "B": {"C": ["c", "d"], "e": {}}, "f": {}})
        self.edits = EditHistory(self.first)
        self.trees = [self.first]

    def do(self, tree: TaxonomyTree) -> None:
        if self.edits.do("edit", tree):
            self.trees.append(tree)

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        (chosen,), to = self.some(data), data.draw(self.group())
        tree = self.edits.tree
        if set(chosen) & {to, *tree.above(to)}:
            with pytest.raises(StudioError, match="into itself"):
                tree.move(chosen, to)
        else:
            self.do(tree.move(chosen, to))

    @rule(data=st.data(), name=st.integers())
    def gather(self, data: st.DataObject, name: int) -> None:
        if str(name) not in self.edits.tree.parents:
            self.do(self.edits.tree.gather(*self.some(data), str(name)))

    @precondition(lambda self: len(self.edits.tree.by_label) > 1)
    @rule(data=st.data())
    def ungroup(self, data: st.DataObject) -> None:
        self.do(self.edits.tree.ungroup(data.draw(self.group(root=False))))

    @precondition(lambda self: len(self.edits.tree.by_label) > 2)
    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        chosen = data.draw(st.lists(self.group(root=False), min_size=2, unique=True))
        tree = self.edits.tree
        top = [label for label in chosen if not set(chosen) & set(tree.above(label))]
        if len(top) > 1:
            self.do(tree.merge(chosen, top[0]))

    @precondition(lambda self: len(self.trees) > 1)
    @rule()
    def undo(self) -> None:
        self.edits.undo()
        self.trees.pop()

    @invariant()
    def nothing_is_lost(self) -> None:
        tree = self.edits.tree
        assert tree == self.trees[-1]
        assert sorted(tree.values()) == list("abcdef")
        assert all(group.children for group in tree.groups())
        labels = [g.label for g in tree.groups()] + list(tree.values())
        assert len(labels) == len(set(labels))

    def some(self, data: st.DataObject) -> tuple[list[str]]:
        known = sorted(set(self.edits.tree.parents) - {"*"})
        return (data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=4)),)

    def group(self, *, root: bool = True) -> st.SearchStrategy[str]:
        return st.sampled_from([g for g in self.edits.tree.by_label if root or g != "*"])


TestEditing = Editing.TestCase


def _rule(tree: TaxonomyTree) -> Tree:
    written = to_rule(tree)
    return Tree(written["tree"], pad=written.get("pad", False))
