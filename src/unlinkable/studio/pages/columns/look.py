"""How the table of roles and the editor of taxonomies look."""

from __future__ import annotations

__all__ = ["CSS"]

CSS = """
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.role-table { overflow-x: auto; position: relative; }
.role-table table { width: 100%; border-collapse: collapse; }
.role-table th, .role-table td { text-align: left; vertical-align: top; padding: .65rem .75rem;
  border-bottom: 1px solid rgba(120, 130, 150, .25); font-weight: 400; }
.role-table thead th { font-weight: 600; font-size: .85rem; color: #4d5866; }
.body--dark .role-table thead th { color: #b6c0cc; }
.role-name { display: block; font-weight: 600; overflow-wrap: anywhere; }
.role-facts { display: block; font-size: .85rem; color: #5a6573; overflow-wrap: anywhere; }
.body--dark .role-facts { color: #aab4c0; }
.role-examples { font-style: italic; }
.role-table select, .role-table td input { font: inherit; color: inherit; background: transparent;
  border: 1px solid #8a94a1; border-radius: 6px; padding: .4rem .5rem; min-height: 2.5rem; }
.role-table select option { color: #111; background: #fff; }
.role-table td input { width: 5.5rem; }
.role-choice select { width: 11rem; }
.role-words { max-width: 30rem; min-width: 14rem; }
.body--dark .tax-columns a[aria-current] { color: #fff; }
.role-back { border: 0; background: none; padding: 0; color: var(--q-primary); cursor: pointer;
  text-decoration: underline; }
.body--dark .role-back, .body--dark .role-tax a { color: #8ec5ee; }
.role-tax a { display: inline-flex; gap: .35rem; align-items: center; min-height: 2.5rem;
  color: var(--q-primary); }
.role-label { display: none; }
.role-tax select { width: 14rem; max-width: 100%; }
.role-keep { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-top: .5rem; }
.role-keep label { display: flex; align-items: center; gap: .5rem; }
.role-caution { margin-top: .35rem; padding-left: .6rem; border-left: 3px solid #b26a00;
  font-size: .9rem; }
.role-table :focus-visible, .tax-row:focus-visible, .kind-choice:focus-visible,
  .tax-columns a:focus-visible { outline: 3px solid #2f80d0; outline-offset: 1px; }
@media (max-width: 900px) {
  .role-table thead { position: absolute; left: 0; width: 1px; height: 1px; display: block;
    overflow: hidden; clip-path: inset(50%); }
  .role-table tbody, .role-table tr, .role-table td, .role-table tbody th { display: block;
    border: 0; padding: .2rem 0; max-width: none; }
  .role-table tr { border: 1px solid rgba(120, 130, 150, .35); border-radius: 10px;
    padding: .75rem; margin-bottom: .75rem; }
  .role-table td:empty { display: none; }
  .role-choice select, .role-tax select { width: 100%; }
  .role-weight label { display: flex; align-items: center; gap: .75rem; }
  .role-label { display: inline; }
}
.tax-page { display: grid; gap: 1.25rem; width: 100%; }
.tax-page > * { min-width: 0; }
@media (min-width: 1024px) {
  .tax-page { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); align-items: start;
    grid-template-rows: auto 1fr; }
  .tax-side { grid-column: 2; grid-row: 1 / span 2; }
}
.tax-columns { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 0;
  padding: 0; }
.tax-columns a { display: block; padding: .3rem .8rem; border-radius: 999px; color: inherit;
  text-decoration: none; border: 1px solid rgba(120, 130, 150, .5); overflow-wrap: anywhere; }
.tax-columns a[aria-current] { background: var(--q-primary); color: #fff;
  border-color: var(--q-primary); font-weight: 600; }
.kinds { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .5rem;
  width: 100%; }
.kind-choice { display: flex; gap: .6rem; align-items: center; text-align: left; cursor: pointer;
  border: 1px solid rgba(120, 130, 150, .5); border-radius: 8px; padding: .55rem .7rem;
  font: inherit; background: transparent; color: inherit; min-height: 2.75rem; }
.kind-choice[aria-pressed=true] { border-color: var(--q-primary); font-weight: 600;
  box-shadow: inset 0 0 0 1px var(--q-primary); background: rgba(31, 95, 139, .08); }
.tax-try { border-left: 4px solid #c77700; }
.tax-box { position: relative; overflow-y: auto; height: min(34rem, 70vh); border-radius: 8px;
  border: 1px solid rgba(120, 130, 150, .35); }
.tax-row { position: absolute; left: 0; right: 0; height: 40px; display: flex; align-items: center;
  gap: .35rem; padding-right: .35rem; cursor: default; outline-offset: -3px !important;
  user-select: none; }
.tax-row:hover { background: rgba(120, 130, 150, .1); }
.tax-row[draggable=true] { cursor: grab; }
.tax-row.tax-group { cursor: pointer; }
.tax-row.tax-group .tax-label { font-weight: 600; }
.tax-row.tax-chosen { background: rgba(31, 95, 139, .14); }
.tax-row.tax-over { box-shadow: inset 0 0 0 2px var(--q-primary); }
.tax-row.tax-note { font-style: italic; opacity: .75; }
.tax-twisty { width: 22px; flex: none; }
.tax-label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 0 1 auto; }
.tax-head { display: flex; justify-content: space-between; padding: 0 2.75rem .25rem .75rem;
  font-size: .8rem; color: #5a6573; }
.tax-fixed .tax-head { padding-right: 1rem; }
.body--dark .tax-head { color: #aab4c0; }
.tax-of { font-size: .8rem; color: #5a6573; white-space: nowrap; }
.body--dark .tax-of { color: #aab4c0; }
.tax-count { margin-left: auto; padding-left: .5rem; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.tax-fixed .tax-count { padding-right: .5rem; }
textarea.mono { font-family: ui-monospace, monospace; font-size: .85rem; }
"""
