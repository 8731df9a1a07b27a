"""Edits: what was done to a tree, so that it can be undone."""

from __future__ import annotations

from attrs import define, field

from unlinkable.studio.by_hand.tree import HandTree
from unlinkable.studio.errors import StudioError

__all__ = ["Edits", "Step"]

_MOST_KEPT = 200

Step = tuple[str, HandTree]
"""An edit in words, and the tree that it leads back, or forth, to."""


@define
class Edits:
    """A tree as it is now, and the way it came there.

    Attributes
    ----------
    tree
        The tree as it is.
    past, future
        What can be undone, and what can be done again, the nearest step last.
    is_whole
        Whether the past reaches back to where the edits began.
    """

    tree: HandTree
    past: list[Step] = field(factory=list)
    future: list[Step] = field(factory=list)
    is_whole: bool = True

    @property
    def last(self) -> str | None:
        """What was done last, in words, if it can be undone."""
        return self.past[-1][0] if self.past else None

    @property
    def next(self) -> str | None:
        """What was undone last, in words, if it can be done again."""
        return self.future[-1][0] if self.future else None

    @property
    def is_begin(self) -> bool:
        """Whether the tree is the one that the edits began with."""
        return self.is_whole and not self.past

    def do(self, words: str, tree: HandTree) -> bool:
        """Go on to another tree; whether it is another one."""
        if tree == self.tree:
            return False
        self.is_whole = self.is_whole and len(self.past) < _MOST_KEPT
        self.past = [*self.past[-_MOST_KEPT + 1 :], (words, self.tree)]
        self.future = []
        self.tree = tree
        return True

    def undo(self) -> str:
        """Go back by one edit, and say by which.

        Raises
        ------
        StudioError
            If there is none.
        """
        if not self.past:
            raise StudioError("there is nothing to undo")
        words, before = self.past[-1]
        self.past, self.future = self.past[:-1], [*self.future, (words, self.tree)]
        self.tree = before
        return words

    def redo(self) -> str:
        """Do again what was undone last, and say what.

        Raises
        ------
        StudioError
            If nothing was undone since the last edit.
        """
        if not self.future:
            raise StudioError("there is nothing to do again")
        words, after = self.future[-1]
        self.past, self.future = [*self.past, (words, self.tree)], self.future[:-1]
        self.tree = after
        return words
