"""Looks that several pages share, in light and in dark."""

from __future__ import annotations

from nicegui import ui

__all__ = ["looks"]

_CSS = """
.studio-note { border-left: 4px solid #b26a00; padding: 4px 12px; margin: 0;
  background: rgba(178, 106, 0, 0.09); }
.studio-quiet { opacity: 0.78; }
.studio-box { border: 1px solid rgba(128, 128, 128, 0.4); border-radius: 6px; }
.studio-code { border: 1px solid rgba(128, 128, 128, 0.4); border-radius: 6px;
  background: rgba(128, 128, 128, 0.08); font-family: ui-monospace, monospace; }
.studio-meter { background: rgba(128, 128, 128, 0.35); }
.studio-limit { top: -3px; width: 2px; height: 18px; background: currentColor; }
.studio-table { border-collapse: collapse; }
.studio-table tr { border-bottom: 1px solid rgba(128, 128, 128, 0.3); }
.studio-table th { text-align: left; }
@media (max-width: 640px) {
  .studio-stacked thead { display: none; }
  .studio-stacked tr, .studio-stacked th, .studio-stacked td { display: block; width: 100%; }
  .studio-stacked td[data-title]:before { content: attr(data-title); display: block;
    font-size: 0.75rem; opacity: 0.78; }
}
"""


def looks() -> None:
    """Use them on this page."""
    ui.add_css(_CSS)
