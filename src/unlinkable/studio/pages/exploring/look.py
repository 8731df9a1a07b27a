"""The looks of the page on results."""

from __future__ import annotations

__all__ = ["CSS"]

CSS = """
.method-grid { display: grid; gap: .75rem; width: 100%; grid-auto-flow: dense;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
.method-card { height: 100%; }
.method-card:has(.q-expansion-item--expanded) { grid-column: 1 / -1; }
.stale { display: inline-block; font-weight: 400; font-size: .8rem; color: var(--u-old);
  background: var(--u-old-soft); border-radius: 4px; padding: 0 .4rem; }
.results-parts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; width: 100%; }
.results-table { border-collapse: collapse; width: 100%; font-size: .9rem; }
.results-table th, .results-table td { text-align: left; padding: .5rem .6rem;
  border-bottom: 1px solid var(--u-line); vertical-align: middle;
  font-variant-numeric: tabular-nums; }
.results-table thead th { font-weight: 600; color: var(--u-muted); white-space: nowrap; }
.results-table .broken { color: var(--u-bad); font-weight: 600; }
.results-table .is-chosen { background: var(--u-chosen); box-shadow: inset 4px 0 var(--q-primary); }
.results-table .is-selected { background: var(--u-soft); box-shadow: inset 4px 0 var(--u-muted); }
@media (max-width: 760px) {
  .results-table thead { position: absolute; clip-path: inset(50%); }
  .results-table, .results-table tbody, .results-table tr, .results-table th,
  .results-table td { display: block; }
  .results-table tr { border: 1px solid var(--u-line); border-radius: 6px; margin-bottom: .75rem;
    padding: .5rem .75rem; }
  .results-table th, .results-table td { border: 0; padding: .2rem 0; }
  .results-table td { display: flex; justify-content: space-between; gap: 1rem;
    text-align: right; }
  .results-table td::before { content: attr(data-label); color: var(--u-muted); text-align: left; }
}
.lattice-parts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; width: 100%; }
@media (min-width: 1000px) {
  .lattice-parts { grid-template-columns: minmax(0, 1fr) 20rem; }
  .node-panel { position: sticky; top: 5rem; align-self: start; }
}
.lattice { overflow-x: auto; width: 100%; padding: 4px; }
.lattice-words { min-height: 3rem; margin: 0; }
.lattice-legend { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0;
  padding: 0; font-size: .85rem; }
.lattice-legend li { display: flex; align-items: center; gap: .35rem; }
.lattice-legend .node, .lattice-strips .node { display: inline-flex; align-items: center;
  justify-content: center; width: 17px; height: 17px; border-radius: 4px; font-size: 11px;
  line-height: 1; border: 1px solid transparent; flex: none; }
.lattice-strips .node { cursor: pointer; }
.lattice-strips .strip { display: grid; grid-template-columns: 1.8rem 1fr; margin-bottom: 5px; }
.lattice-strips .height { color: var(--u-muted); font-size: .75rem; }
.lattice-strips .cells { display: flex; flex-wrap: wrap; gap: 2px; justify-content: center; }
.node.shade-0 { background: #b9e3dc; color: #08332e; }
.node.shade-1 { background: #86cabf; color: #08332e; }
.node.shade-2 { background: #4fa396; color: #fff; }
.node.shade-3 { background: #287b70; color: #fff; }
.node.shade-4 { background: #0f4f47; color: #fff; }
.node.invalid { background: var(--u-bad-soft); color: var(--u-bad); border-color: currentColor; }
.node.pruned { background: var(--u-soft); color: var(--u-muted); }
.strip.quiet .node { width: 9px; height: 9px; border-radius: 3px; font-size: 8px; }
.strip.quiet { margin-bottom: 3px; }
.node.unknown { color: var(--u-muted); border: 1px dashed currentColor; }
.node.best { background: #ffd34d; color: #3a2a00; border-color: #3a2a00; }
.node:focus-visible { outline: 3px solid var(--u-focus); outline-offset: 1px; }
.node.chosen { box-shadow: 0 0 0 3px currentColor; }
.lattice-diagram { display: block; margin: 0 auto; max-width: none; }
.lattice-diagram line { stroke: var(--u-line); stroke-width: 1; }
.lattice-diagram .node { cursor: pointer; outline: none; }
.lattice-diagram text { text-anchor: middle; font-size: 12px; }
.lattice-diagram .levels { font-size: 11px; font-variant-numeric: tabular-nums; }
.lattice-diagram rect { stroke: #7b8489; stroke-width: 1; fill: var(--u-soft); }
.lattice-diagram text { fill: currentColor; }
.lattice-diagram .valid text, .lattice-diagram .best text { fill: #10211e; }
.lattice-diagram .shade-0 rect { fill: #d3efea; }
.lattice-diagram .shade-1 rect { fill: #b1dfd7; }
.lattice-diagram .shade-2 rect { fill: #8fcfc4; }
.lattice-diagram .shade-3 rect { fill: #68b5a8; }
.lattice-diagram .shade-4 rect { fill: #4a9d90; }
.lattice-diagram .invalid rect { fill: var(--u-bad-soft); stroke: var(--u-bad);
  stroke-dasharray: 4 2; }
.lattice-diagram .pruned rect { stroke-dasharray: 1 3; }
.lattice-diagram .best rect { fill: #ffd34d; stroke: #3a2a00; stroke-width: 2; }
.lattice-diagram .chosen rect { stroke: var(--u-focus); stroke-width: 3; }
.lattice-diagram .node:focus-visible rect { stroke: var(--u-focus); stroke-width: 4; }
.loss-bar { width: 100%; height: 6px; border-radius: 3px; background: var(--u-line);
  overflow: hidden; }
.loss-bar > div { height: 100%; background: var(--q-primary); }
"""
