"""Watch: tells a search whether a release that it is making opens a channel to earlier ones.

A search starts with everything in one group and splits it, or tries whole partitions. It asks a
watch for each attack that it guards against.
"""

from __future__ import annotations

from typing import Protocol

from unlinkable.typing import CodeArray, CountArray

__all__ = ["Watch"]


class Watch(Protocol):
    """Guards a partition of the records to be published against one attack.

    Records have the numbers of the rows of the request's table; groups those that `split` was
    given, 0 for the one that everything is in at the beginning.
    """

    def allows(self, group: int, right: CountArray) -> bool:
        """Whether the attack still finds nobody once these records have left their group.

        The partition is not changed.
        """

    def split(self, group: int, right: CountArray, new: int) -> None:
        """Move these records out of their group; they are the group ``new`` now."""

    def is_safe(self, labels: CodeArray) -> bool:
        """Whether the attack finds nobody if the records are grouped so, -1 for those left out.

        This has nothing to do with the partition that is split.
        """
