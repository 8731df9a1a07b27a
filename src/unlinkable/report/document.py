"""Report: a title, what matters first, and sections."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from attrs import field, frozen

from unlinkable.errors import DataError, ParameterError, unknown
from unlinkable.report.blocks import Block, texts_of

__all__ = ["FORMATS", "Report", "Section", "check_place", "form_of"]

FORMATS = {"html": ".html", "markdown": ".md", "json": ".json"}
"""How a report can be written, with the endings of files."""


def _blocks(given: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(given)


@frozen
class Section:
    """A part of a report with a heading of its own."""

    title: str
    blocks: tuple[Block, ...] = field(converter=_blocks)


def _sections(given: Iterable[Section]) -> tuple[Section, ...]:
    return tuple(given)


@frozen
class Report:
    """A document for people; all ways to write it say the same.

    Attributes
    ----------
    title, subtitle
        What it is about.
    lead
        What matters most.
    sections
        Everything else.
    footer
        Where it comes from.

    Examples
    --------
    >>> from unlinkable.report import Paragraph
    >>> report = Report("Weather", "of today", [Paragraph("Sun & wind.")])
    >>> print(report.to_markdown(), end="")
    # Weather
    <BLANKLINE>
    of today
    <BLANKLINE>
    Sun & wind.
    >>> "<p>Sun &amp; wind.</p>" in report.to_html()
    True
    """

    title: str
    subtitle: str
    lead: tuple[Block, ...] = field(converter=_blocks)
    sections: tuple[Section, ...] = field(default=(), converter=_sections)
    footer: str = ""

    def texts(self) -> Iterator[str]:
        """Yield all texts that stand in it."""
        yield from texts_of(self)

    def to_html(self) -> str:
        """Write it as one page of HTML that needs nothing from elsewhere."""
        from unlinkable.report.html import to_html

        return to_html(self)

    def to_markdown(self) -> str:
        """Write it as Markdown."""
        from unlinkable.report.markdown import to_markdown

        return to_markdown(self)

    def to_json(self) -> dict[str, object]:
        """Give it as plain values, block by block."""
        from unlinkable.report.json_form import to_json

        return to_json(self)

    def written(self, form: str) -> str:
        """Write it as ``html``, ``markdown`` or ``json``.

        Raises
        ------
        ParameterError
            If it cannot be written so.
        """
        if form == "html":
            return self.to_html()
        if form == "markdown":
            return self.to_markdown()
        if form == "json":
            from unlinkable.report.json_form import to_json_text

            return to_json_text(self)
        raise ParameterError(unknown("format", form, FORMATS))

    def save(
        self,
        path: str | Path,
        *,
        form: str | None = None,
        overwrite: bool = False,
        private: bool = False,
    ) -> Path:
        """Write it to a file, whole or not at all.

        Parameters
        ----------
        path
            The file.
        form
            ``html``, ``markdown`` or ``json``; by the ending of the file if not given.
        overwrite
            Whether a file that is there is replaced.
        private
            Whether nobody else on the machine may read it.

        Raises
        ------
        ParameterError
            If neither the format nor the ending says how to write it.
        DataError
            If the file exists and is not to be replaced, or cannot be written.
        """
        file = Path(path)
        content = self.written(form or form_of(file)).encode()
        check_place(file, overwrite=overwrite)
        _write(file, content, overwrite=overwrite, private=private)
        return file

    def _repr_html_(self) -> str:
        # A page of its own: its style must not touch the notebook around it.
        page = escape(self.to_html(), quote=True)
        style = "width:100%;height:75vh;border:1px solid #d5dbe1"
        return f'<iframe sandbox title="Report" srcdoc="{page}" style="{style}"></iframe>'


def form_of(file: Path) -> str:
    """Tell by the ending of a file how a report is to be written.

    Raises
    ------
    ParameterError
        If the ending does not tell it.

    Examples
    --------
    >>> form_of(Path("report.md"))
    'markdown'
    """
    endings = {".htm": "html", ".markdown": "markdown"} | {e: f for f, e in FORMATS.items()}
    form = endings.get(file.suffix.lower())
    if form is None:
        raise ParameterError(
            f"{file.name} does not tell how to write the report: end it in .html, .md or .json, or "
            "name the format"
        )
    return form


def check_place(file: Path, *, overwrite: bool) -> None:
    """Refuse a place that is taken.

    Raises
    ------
    DataError
        If it is a folder, or a file that is not to be replaced.
    """
    if file.is_dir():
        raise DataError(f"{file} is a folder: name a file")
    if file.exists() and not overwrite:
        raise DataError(f"{file} exists: choose another name, or ask to overwrite it")


def _write(file: Path, content: bytes, *, overwrite: bool, private: bool) -> None:
    """Write beside the place, then move: whoever looks sees a whole file or none."""
    part = file.with_name(f".{file.name}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as stream:
            if private:
                part.chmod(0o600)
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if overwrite:
            part.replace(file)
        else:
            os.link(part, file)  # Refused if somebody else was faster.
    except FileExistsError:
        raise DataError(f"{file} exists: choose another name, or ask to overwrite it") from None
    except OSError as error:
        raise DataError(f"cannot write {file} ({error.strerror}): check the place") from None
    finally:
        part.unlink(missing_ok=True)
