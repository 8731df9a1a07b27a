"""Groups that are large enough, and in which no value has too large a share."""

from __future__ import annotations

from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.ceilings import Bound, SensitiveGoal
from unlinkable.tables.models.base.joint import Joint
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.frequency_l_diversity import FrequencyLDiversity
from unlinkable.tables.models.shared.share_model import ShareModel
from unlinkable.tables.models.xy_linkability import XYLinkability

__all__ = ["ShareAndSize"]


class ShareAndSize(Joint):
    """A bound on the shares of values, and another on how many are in a group.

    The size is counted as k-anonymity does: people if owners are known, records otherwise. Shares
    are always those of records.
    """

    def covers(self, other: GroupModel) -> bool:
        """Whether each part of another promise of this sort is covered by a part of this one."""
        if not isinstance(other, ShareAndSize):
            return False
        mine = self.parts.values()
        return all(any(m.covers(part) for m in mine) for part in other.parts.values())

    def reading(self, groups: Groups) -> str:
        readings = (part.reading(groups) for part in self.parts.values())
        return "; ".join(filter(None, readings))

    def consequences(self) -> tuple[GroupModel, ...]:
        found: list[GroupModel] = []
        for part in self.parts.values():
            if not isinstance(part, ShareModel):
                found.append(part)
            elif len(part.counted) == 1 and part.known is None and part.listed is None:
                found.append(FrequencyLDiversity(1 / part.most, sensitive=part.counted[0]))
            elif part.counted:
                link = XYLinkability(part.most, y=part.counted, x=part.known, values=part.listed)
                found.append(link)
        return tuple(found)

    def owner_ceiling(self) -> Bound:
        bounds = (part.owner_ceiling() for part in self.parts.values())
        return min((bound for bound in bounds if bound is not None), default=None)

    def share_ceiling(self, goal: SensitiveGoal) -> Bound:
        parts = self.parts.values()
        return min((part.most for part in parts if isinstance(part, ShareModel)), default=None)

    def explain_failure(self, groups: Groups) -> str:
        parts = self.parts.values()
        return "; ".join(p.explain_failure(groups) for p in parts if not p.judge(groups).all())
