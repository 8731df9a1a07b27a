"""Write the table of all metrics, from what the metrics themselves say."""

from __future__ import annotations

import re
from pathlib import Path

from unlinkable.registry.entry import Entry
from unlinkable.registry.lookup import entries

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "metrics" / "index.md"

HEAD = """\
# Metrics

What is left of the data, and what a release is worth for real work. Written from what the metrics
themselves say (`python -m tools.metrics_page`).

*Better* says which way is better. *Guides*: whether a search can follow it (`[utility] metric` of
a plan, `--metric` of `anonymize`): **prunes** if a search can rule out releases by it, **yes** if
it has to look at each, **no** if it only measures what came out. *Reads*: the kinds of releases
that it makes sense for; it refuses others and says why.

Any metric can be measured with `unlinkable measure` and `release.measure(...)`. Those that compare
a release with the original records need these at hand.

"""

PAGES = {
    "general": (
        "general.md",
        "General",
        "For whoever does not know what the data will be used for.",
    ),
    "special": ("classes.md", "For a class", "For recipients who want to tell a class."),
    "trade-off": (
        "classes.md",
        "Trade-offs",
        "What is gained against what it costs in privacy, or the reverse.",
    ),
    "task": (
        "tasks.md",
        "Tasks",
        "Real work, done on the release and on the original, and compared.",
    ),
}


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """List all metrics by what they are good for."""
    parts = [HEAD.rstrip()]
    for purpose, (file, title, words) in PAGES.items():
        lines = [_line(["name", "measures", "range", "better", "guides", "reads"])]
        lines.append(_line(["---"] * 6))
        found = (e for e in entries("metric") if e.facts()["purpose"] == purpose)
        lines += [_line(_cells(entry, file)) for entry in found]
        parts.append(f"## {title}\n\n{words}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _cells(entry: Entry, file: str) -> list[str]:
    facts = entry.facts()
    guides = "prunes" if facts["prunes"] else "yes" if facts["guides"] else "no"
    reads = facts["reads"]
    assert isinstance(reads, list)
    return [
        f"[`{entry.name}`]({file}#{entry.name})",
        entry.summary,
        _first_sentence(str(facts["range"])),
        "more" if facts["higher_is_better"] else "less",
        guides,
        ", ".join(reads),
    ]


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    main()
