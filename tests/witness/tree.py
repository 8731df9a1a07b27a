"""A taxonomy, written out: every leaf with the labels on its way to the root."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Tree"]


@dataclass(frozen=True)
class Tree:
    """A taxonomy of one attribute, with all leaves at the same depth.

    ``paths[leaf]`` are the labels from the leaf itself (level 0) to the root (level `height`).
    The order of the leaves is the order of the domain. A label stands for a node only together
    with its level: a node with one child may carry the child's label.

    Examples
    --------
    >>> job = Tree.nested({"*": {"Artist": {"Dancer": {}, "Writer": {}}, "Cook": {}}})
    >>> job.paths["Dancer"], job.paths["Cook"]
    (('Dancer', 'Artist', '*'), ('Cook', 'Cook', '*'))
    >>> job.generalize("Writer", 1), job.n_leaves_under(1, "Artist"), job.height
    ('Artist', 2, 2)
    """

    paths: Mapping[Hashable, tuple[Hashable, ...]]

    def __post_init__(self) -> None:
        assert self.paths, "a tree has a leaf"
        assert len({len(path) for path in self.paths.values()}) == 1, "leaves at the same depth"
        assert all(path[0] == leaf for leaf, path in self.paths.items()), (
            "a path starts at its leaf"
        )
        assert len({path[-1] for path in self.paths.values()}) == 1, "one root"
        for level in range(self.height):
            edges = {path[level : level + 2] for path in self.paths.values()}
            assert len(edges) == len({child for child, _ in edges}), "a node has one parent"

    @staticmethod
    def nested(tree: Mapping[str, Any]) -> Tree:
        """Read ``{root: {child: {...}, ...}}``; a leaf that is not deep enough is repeated."""
        found: dict[Hashable, tuple[Hashable, ...]] = {}

        def walk(label: str, children: Mapping[str, Any], above: tuple[str, ...]) -> None:
            for child, below in children.items():
                walk(child, below, (label, *above))
            if not children:
                found[label] = (label, *above)

        ((root, children),) = tree.items()
        walk(root, children, ())
        depth = max(len(path) for path in found.values())
        return Tree({leaf: (leaf,) * (depth - len(path)) + path for leaf, path in found.items()})

    @property
    def leaves(self) -> list[Hashable]:
        """The domain, in order."""
        return list(self.paths)

    @property
    def height(self) -> int:
        """The level of the root."""
        return len(next(iter(self.paths.values()))) - 1

    def generalize(self, value: Hashable, level: int) -> Hashable:
        """Walk up from a leaf."""
        return self.paths[value][level]

    def labels(self, level: int) -> list[Hashable]:
        """List the nodes of a level, in the order of their leaves."""
        return list(dict.fromkeys(path[level] for path in self.paths.values()))

    def leaves_under(self, level: int, label: Hashable) -> list[Hashable]:
        """List the leaves that a node of a level stands for."""
        return [leaf for leaf, path in self.paths.items() if path[level] == label]

    def n_leaves_under(self, level: int, label: Hashable) -> int:
        """Count the leaves that a node of a level stands for."""
        return len(self.leaves_under(level, label))

    def meeting_level(self, one: Hashable, other: Hashable) -> int:
        """Give the level of the lowest common ancestor of two leaves."""
        return min(
            level
            for level in range(self.height + 1)
            if self.generalize(one, level) == self.generalize(other, level)
        )
