"""A report with every kind of block, and texts that look like markup."""

from __future__ import annotations

from html.parser import HTMLParser

from unlinkable.report import (
    Bar,
    Bars,
    Bullets,
    Card,
    Cell,
    Facts,
    Figure,
    Figures,
    Gallery,
    Gauge,
    Mark,
    Note,
    Pair,
    PairedBars,
    Paragraph,
    Report,
    Section,
    Table,
    Term,
    Terms,
    Tone,
)

HOSTILE = "<script>alert('x')</script> & \"quoted\" | *bold* `code` \u202e ünï © 漢字"
EVIL_ATTRIBUTE = '" onmouseover="alert(1)'


def sample(text: str = "plain") -> Report:
    """Make a report in which a text stands wherever a text can stand."""
    gauge = Gauge(
        label=f"risk {text}",
        value=0.2,
        text=f"20 % {text}",
        before=0.5,
        before_text=f"Before: 50 % {text}",
        limit=0.25,
        limit_text=f"Promised: at most 25 % {text}",
        note=f"gauge note {text}",
    )
    bars = Bars(
        f"bars {text}",
        (f"value {text}", f"share {text}"),
        [Bar(f"bar {text}", 0.3, f"30 % {text}"), Bar("none", 0.0, "0 %")],
        note=f"bars note {text}",
        of_all=True,
    )
    pairs = PairedBars(
        f"pairs {text}",
        (f"label {text}", f"before {text}", f"after {text}"),
        [Pair(f"pair {text}", 0.1, f"10 % {text}", 1.0, f"100 % {text}")],
        note=f"pairs note {text}",
    )
    cells: list[tuple[Cell, ...]] = [
        (f"row {text}", Mark(f"mark {text}", Tone.BAD)),
        ("second", f"cell {text}"),
    ]
    return Report(
        f"Title {text}",
        f"Subtitle {text}",
        [
            Card(
                f"card {text}",
                Mark(f"verdict {text}", Tone.GOOD),
                [f"sentence {text}"],
                Facts([(f"fact {text}", f"answer {text}")]),
            ),
            Figures([Figure(f"12 {text}", f"counted {text}")]),
        ],
        [
            Section(f"First {text}", [Paragraph(f"paragraph {text}"), Note(f"note {text}")]),
            Section(
                "Second",
                [
                    Bullets([f"item {text}"]),
                    Table(f"table {text}", (f"head {text}", "other"), cells, right=[1]),
                    gauge,
                    bars,
                    pairs,
                    Gallery([gauge, bars]),
                    Facts([("question", Mark(f"told {text}", Tone.CAUTION))]),
                ],
            ),
            Section("Third", [Terms([Term(f"term {text}", f"meaning {text}")])]),
        ],
        footer=f"Footer {text}",
    )


class Page(HTMLParser):
    """What a page is made of: its elements with attributes, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.inside: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} is closed and was not open"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)
            self.inside.append((self.open[-1], data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Give the attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        """All texts, one space between words."""
        return " ".join(" ".join(self.texts).split())
