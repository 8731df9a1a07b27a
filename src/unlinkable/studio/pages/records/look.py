"""How the pages of data and roles look, beyond what all pages have."""

from __future__ import annotations

__all__ = ["CSS"]

CSS = """
.section-title { font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; margin: 0; }
.body--dark .notices summary { --q-primary: #8ec5ee; }
.data-welcome { display: grid; gap: 1.25rem; width: 100%; grid-template-columns: minmax(0, 1fr); }
.data-reading { display: grid; gap: 1.25rem; width: 100%; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 900px) {
  .data-welcome { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
  .data-reading { grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); align-items: start; }
}
.file-drop { display: flex; flex-direction: column; align-items: center; justify-content: center;
  gap: .75rem; border: 2px dashed rgba(120, 130, 150, .6); border-radius: 12px;
  padding: 2.5rem 1rem;
  min-height: 260px; min-width: 0; overflow-wrap: anywhere; transition: background-color .15s; }
.file-drop.file-small { border: 0; padding: 0; min-height: 0; align-items: flex-start; }
.file-drop.file-over { border-color: var(--q-primary); background: rgba(60, 110, 220, .08); }
.file-drop.file-small.file-over { outline: 2px dashed var(--q-primary); outline-offset: 4px; }
.preview-table, .columns-table, .levels { overflow: auto; }
.preview-table .q-table__middle, .columns-table .q-table__middle,
.levels .q-table__middle { overflow: visible; }
.preview-table { max-height: 26rem; }
.levels { max-height: 24rem; }
.preview-table thead th, .levels thead th { position: sticky; top: 0; z-index: 1;
  background: var(--studio-surface, #fff); font-weight: 600; }
.body--dark .preview-table thead th, .body--dark .levels thead th { background: #1d1d1d; }
.preview-table td, .levels td { max-width: 18rem; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
.cell-missing { font-style: italic; opacity: .65; }
.share-bar { display: inline-block; width: 3.5rem; height: .5rem; border-radius: 4px;
  background: rgba(120, 130, 150, .25); margin-right: .5rem; overflow: hidden;
  vertical-align: middle; }
.share-bar > span { display: block; height: 100%; background: var(--q-primary); }
ul.notices { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem; }
ul.notices > li { display: flex; gap: .75rem; align-items: flex-start; overflow-wrap: anywhere; }
.notice-icon { color: #a15c00; }
.body--dark .notice-icon { color: #ffb74d; }
.notices summary { cursor: pointer; color: var(--q-primary); }
.notice-details { margin: .25rem 0 0; padding-left: 1.1rem; display: grid; gap: .2rem; }
.data-refused { border-left: 4px solid var(--q-negative); }
"""
