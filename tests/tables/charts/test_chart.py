"""A chart: drawn without a network, saved whole or not at all, shown in a notebook."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from struct import unpack
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError
from unlinkable.tables.charts import Chart, draw_attribute_loss
from unlinkable.tables.charts.chart import BLUE, GREY, ORANGE, as_labels, draw_nothing

ODD = {
    "a.b[0]['c']\\": 0.5,
    "</script><script>alert(1)</script>": 0.4,
    "<!-- & \"quotes\" 'too'": 0.3,
    "naïve 漢字 \u2028 \U0001f600": 0.2,
    "very long " * 50: 0.1,
    "control \x00\x1b\ud800": 0.0,
}


@pytest.fixture(scope="module")
def odd() -> Chart:
    return draw_attribute_loss(ODD, metric="</title> & <b>")


class Tags(HTMLParser):
    """The elements of a page, and what is in the last script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.last_script = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and data.strip():
            self.last_script = data


def bars(svg: str) -> list[ET.Element]:
    """The bars of an SVG image."""
    marks = ET.fromstring(svg).iter()
    return [mark for mark in marks if mark.get("aria-roledescription") == "bar"]


def test_an_svg_image_has_a_bar_for_every_number_and_says_what_it_shows(odd: Chart) -> None:
    svg = odd.svg()
    assert len(bars(svg)) == len(ODD)
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == odd.description
    texts = list(root.itertext())
    assert "</script><script>alert(1)</script>" in texts
    assert "measured by </title> & <b>" in texts


def test_a_png_image_is_twice_as_large_as_the_svg_image(odd: Chart) -> None:
    png = odd.png()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    root = ET.fromstring(odd.svg())
    drawn = [2 * float(root.attrib[side]) for side in ("width", "height")]
    assert list(unpack(">II", png[16:24])) == pytest.approx(drawn, abs=2)


def test_a_page_loads_nothing_and_runs_nothing_but_its_own_scripts(odd: Chart) -> None:
    page = odd.html()
    tags = Tags(page)
    loads = [
        (tag, name, value)
        for tag, attributes in tags.tags
        for name, value in attributes.items()
        if tag == "link" or name in ("src", "href", "xlink:href", "srcset", "data", "action")
    ]
    assert loads == []
    assert [tag for tag, _ in tags.tags].count("script") == 2
    policy = next(a["content"] for tag, a in tags.tags if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "unsafe-eval" not in policy
    hosts = re.findall(r"https?://[^\"'\s]+", tags.last_script)
    assert hosts == []


def test_a_page_hands_the_numbers_to_nobody(odd: Chart) -> None:
    arguments = Tags(odd.html()).last_script.removeprefix('vegaEmbed("#chart", ')
    spec, end = json.JSONDecoder().raw_decode(arguments)
    options, _ = json.JSONDecoder().raw_decode(arguments[end + 2 :])
    assert options["actions"] == {
        "export": True,
        "source": False,
        "compiled": False,
        "editor": False,
    }
    assert options["ast"] is True  # without it vega makes code from texts, which the policy forbids
    assert spec["data"] == odd.spec["data"]


def test_a_notebook_shows_a_picture_that_can_run_nothing(odd: Chart) -> None:
    shown = odd._repr_mimebundle_()
    assert set(shown) == {"text/html", "text/plain"}
    assert shown["text/plain"] == odd.description
    [(tag, attributes)] = Tags(shown["text/html"]).tags
    assert tag == "img"
    assert attributes["alt"] == odd.description
    kind, picture = str(attributes["src"]).split(",")
    assert kind == "data:image/svg+xml;base64"
    assert len(bars(b64decode(picture).decode())) == len(ODD)


@pytest.mark.parametrize("name", ["chart.svg", "chart.PNG", "chart.html", "chart.json"])
def test_a_file_has_the_format_of_its_name(name: str, tmp_path: Path) -> None:
    chart = draw_attribute_loss({"age": 0.25})
    path = tmp_path / name
    path.write_text("from before", encoding="utf-8")
    assert chart.save(str(path)) == path
    content = path.read_bytes()
    match path.suffix.lower():
        case ".svg":
            assert content == chart.svg().encode()
        case ".png":
            assert content == chart.png()
        case ".html":
            assert content == chart.html().encode()
        case _:
            assert json.loads(content) == chart.spec
    assert list(tmp_path.iterdir()) == [path]


def test_a_chart_is_a_value() -> None:
    one, same = draw_attribute_loss({"a": 0.5}), draw_attribute_loss({"a": 0.5})
    other = draw_attribute_loss({"a": 0.6})
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert repr(one) == "Chart('What each attribute lost')"
    one.spec["data"] = None
    assert one == same


def test_altair_takes_the_chart_over(odd: Chart) -> None:
    again = odd.altair().to_dict()
    assert again["layer"][0]["mark"] == odd.spec["layer"][0]["mark"]


def test_building_a_chart_loads_no_library_that_draws() -> None:
    code = (
        "import sys; from unlinkable.tables.charts import draw_attribute_loss as draw;"
        "draw({'a': 0.5}); print({'altair', 'vl_convert'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"


def test_says_how_to_install_what_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(DataError, match=r'charts need vl_convert.*"unlinkable\[charts\]"'):
        draw_attribute_loss({"a": 0.5}).svg()


def test_refuses_numbers_that_json_lacks() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        Chart.of({"data": float("nan")})


@pytest.mark.parametrize("name", ["chart.pdf", "chart", "chart.svg.gz"])
def test_refuses_other_formats(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no format of charts .* endings"):
        draw_attribute_loss({"a": 0.5}).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_refuses_places_that_are_no_files(tmp_path: Path) -> None:
    chart = draw_attribute_loss({"a": 0.5})
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(DataError, match="this is a folder; name a file in it"):
        chart.save(tmp_path / "folder.json")
    with pytest.raises(DataError, match=r"there is no folder .*missing; create it first"):
        chart.save(tmp_path / "missing" / "chart.json")


def test_a_file_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    path = tmp_path / "chart.json"
    path.write_text("from before", encoding="utf-8")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DataError, match=r"cannot be written \(No space left on device\)"):
        draw_attribute_loss({"a": 0.5}).save(path)
    assert path.read_text(encoding="utf-8") == "from before"
    assert list(tmp_path.iterdir()) == [path]


@given(st.lists(st.sampled_from(["a", "a (2)", "\x00", "\x01", "\ud800", "\ufffd (2)", ""])))
def test_labels_are_as_many_as_the_texts_and_all_different(texts: list[str]) -> None:
    labels = as_labels(texts)
    assert len(labels) == len(texts) == len(set(labels))
    assert "\x00" not in "".join(labels)
    assert "".join(labels).encode().decode() == "".join(labels)


def test_labels_that_are_fine_stay_as_they_are() -> None:
    names = ["age", "naïve 漢字", "<script>", "a.b[0]", 'quo"ted', ""]
    assert as_labels(names) == names


def test_an_empty_chart_says_why() -> None:
    chart = draw_nothing("Title", "There are no groups")
    assert chart.title == "Title"
    assert chart.description == "An empty chart: There are no groups."
    assert chart.spec["data"]["values"] == [{"reason": "There are no groups"}]


def test_colours_differ_in_brightness_too() -> None:
    levels = sorted(_brightness(colour) for colour in (BLUE, ORANGE, GREY))
    assert levels[1] / levels[0] > 1.2
    assert levels[2] / levels[1] > 1.2


def _brightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 + 0.05)
