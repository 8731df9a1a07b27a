"""Write the table of which method serves which model, from what the methods themselves say.

Every method is asked whether it refuses each model, with and without leaving records out. Where a
model merges differently with other parameters, the least tolerant ones are taken.
"""

from __future__ import annotations

from pathlib import Path

from tests.privacy.samples import MODELS
from unlinkable.errors import UnsupportedError
from unlinkable.methods.base import Method
from unlinkable.privacy.base import All, GroupModel
from unlinkable.release.registry import entries

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "methods-and-models.md"

HEAD = """\
# Which method serves which model

Written from what the methods themselves say (`python -m tools.methods_and_models`). **yes**: with
and without leaving records out. **whole**: if no record may be left out (`suppression = 0`).
**no**: refused by name, with the reason.

*Merging* is what putting groups together does to the promise: if it **absorbs**, a good group
stays good whatever joins it; if it is **safe**, good groups stay good together; if it is
**unsafe**, they may not, and only methods that look at every candidate serve it. *Alone* tells
whether a group can be judged without looking at the others.

"""

FOOT = """
`optimal` and `mingen` judge every node that they cannot rule out, so they serve whatever can be
seen in groups. `incognito` and `samarati` rule nodes out by their neighbours, which needs a
promise that merging does not break. `mondrian` cuts as long as both halves keep the promise,
starting from all records in one group; for an unsafe promise that is enough only if no two of its
groups overlap, which is so with its defaults and for promises about all quasi-identifying
columns. Promises about noise are kept by no choice of groups.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Ask every method about every model."""
    methods = [entry.make() for entry in entries("method")]
    header = ["model", "merging", "alone", *(f"`{method.name}`" for method in methods)]
    lines = [_line(header), _line(["---"] * len(header))]
    for model in typical():
        merging = "none" if model.unsearchable else model.merging.name.lower()
        cells = [served(method, model) for method in methods]
        link = f"[`{model.name}`](models/{model.name}.md)"
        lines.append(_line([link, merging, "yes" if model.local else "no", *cells]))
    return HEAD + "\n".join(lines) + "\n" + FOOT


def typical() -> list[GroupModel]:
    """Take the least tolerant sample of every model, in the order of their names."""
    found: dict[str, GroupModel] = {}
    for model in MODELS:
        before = found.get(model.name)
        if before is None or model.merging < before.merging:
            found[model.name] = model
    return [found[name] for name in sorted(found)]


def served(method: Method, model: GroupModel) -> str:
    """Ask a method about a model."""
    answers = [_accepts(method, model, may_suppress=may) for may in (False, True)]
    return {(True, True): "yes", (True, False): "whole"}.get((answers[0], answers[1]), "no")


def _accepts(method: Method, model: GroupModel, *, may_suppress: bool) -> bool:
    try:
        method.require(All([model]), may_suppress=may_suppress)
    except UnsupportedError:
        return False
    return True


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
