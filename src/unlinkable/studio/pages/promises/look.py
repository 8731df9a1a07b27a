"""The looks of the page on privacy."""

from __future__ import annotations

__all__ = ["CSS"]

CSS = """
:root { --u-line: #d5dade; --u-muted: #55606a; --u-soft: #f1f2f3; --u-bad: #8f2410;
  --u-bad-soft: #fdf0ec; --u-old: #6b4a00; --u-old-soft: #fff3d6; --u-good: #17645b;
  --u-chosen: #e8f1f8; --u-focus: #0b57d0; }
body.body--dark { --u-line: #454c52; --u-muted: #a9b2ba; --u-soft: #2b2f33; --u-bad: #ffb4a2;
  --u-bad-soft: #46221a; --u-old: #ffd98a; --u-old-soft: #44350f; --u-good: #7fd6c8;
  --u-chosen: #1d3443; --u-focus: #8ab4f8; }
.section-title { font-size: 1.2rem; font-weight: 600; line-height: 1.4; margin: 0; }
.problem { color: var(--u-bad); background: var(--u-bad-soft); border-left: 4px solid currentColor;
  padding: .5rem .75rem; border-radius: 4px; }
.privacy-page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; width: 100%; }
@media (min-width: 1100px) {
  .privacy-page { grid-template: "promised aside" auto "choosing aside" 1fr
    / minmax(0, 1fr) 21rem; }
  .privacy-page > .promised { grid-area: promised; }
  .privacy-page > .choosing { grid-area: choosing; }
  .privacy-page > .aside { grid-area: aside; position: sticky; top: 5rem; align-self: start; }
}
.promise-parts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 2rem;
  width: 100%; }
@media (min-width: 900px) {
  .promise-parts { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
}
.card-grid { display: grid; gap: .75rem; width: 100%;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
.model-card { height: 100%; }
.model-card .q-btn { align-self: start; }
.plain-table { border-collapse: collapse; font-size: .875rem; }
.plain-table th, .plain-table td { text-align: left; padding: .2rem .75rem .2rem 0;
  border-bottom: 1px solid var(--u-line); font-variant-numeric: tabular-nums; }
.said-list { list-style: disc; margin: 0; padding-left: 1.1rem; }
.said-list li { margin-bottom: .35rem; }
.threats { list-style: none; margin: 0; padding: 0; display: grid; gap: .4rem; }
.threat { display: grid; grid-template-columns: 1.4rem 1fr; align-items: baseline; }
.threat .mark { font-weight: 700; color: var(--u-good); }
.threat.open .mark { color: var(--u-bad); }
.more-settings .q-item { padding-left: 0; }
.more-settings .q-item__section--avatar { min-width: 0; padding-right: .6rem; }
"""
