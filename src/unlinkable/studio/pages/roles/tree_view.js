// A tree of groups and values. Only the rows that can be seen are drawn, so that ten thousand
// values are no more work than ten. A node is [label, records, values, children or 0, kind].
const ROW = 40;
const KEYS = {
  ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity,
};

export default {
  template: `
  <div class="tax-tree" :class="{'tax-fixed': fixed}">
    <q-input dense outlined clearable v-model="search" :label="searchLabel" debounce="150"
      class="q-mb-sm" data-testid="tree-search">
      <template #prepend><q-icon name="search" aria-hidden="true" /></template>
      <template #append><span v-if="search" class="text-caption" role="status">
        {{ found.length }} found</span>
        <q-btn v-if="search && !fixed && found.length" flat dense no-caps color="primary"
          label="Choose all" @click.stop="settle(new Set([...chosen, ...found]))" /></template>
    </q-input>
    <div class="tax-head" aria-hidden="true"><span>Groups and values</span><span>Records</span></div>
    <div ref="box" class="tax-box" role="tree" :aria-label="name" tabindex="-1"
      :aria-multiselectable="fixed ? null : 'true'" @scroll.passive="scrolled" @keydown="pressed">
      <div :style="{height: rows.length * ${ROW} + 'px', position: 'relative'}" role="none">
        <div v-for="{row, at} in shown" :key="row.label" :data-label="row.label" class="tax-row"
          :class="{'tax-chosen': chosen.has(row.label), 'tax-over': over === row.label,
                   'tax-group': row.group, 'tax-note': row.note}"
          :style="{top: at * ${ROW} + 'px', paddingLeft: 6 + row.depth * 18 + 'px'}"
          role="treeitem" :tabindex="row.label === current ? 0 : -1" :aria-level="row.depth + 1"
          :aria-posinset="row.place" :aria-setsize="row.of" :aria-label="said(row)"
          :aria-expanded="row.group ? String(row.open) : null"
          :aria-selected="fixed ? null : String(chosen.has(row.label))"
          :draggable="!fixed && !row.root && !row.note" @focus="current = row.label"
          @click="clicked(row, $event)" @dragstart="dragged($event, row)" @dragend="over = null"
          @dragover="above($event, row)" @dragleave="over === row.label && (over = null)"
          @drop="dropped($event, row)">
          <q-icon v-if="row.group" :name="row.open ? 'expand_more' : 'chevron_right'" size="22px"
            class="tax-twisty" aria-hidden="true" @click.stop="toggle(row)" />
          <span v-else class="tax-twisty" aria-hidden="true"></span>
          <q-checkbox v-if="!fixed && !row.root && !row.note" dense size="sm" tabindex="-1"
            :model-value="chosen.has(row.label)" :aria-label="'Choose ' + row.label"
            @update:model-value="(_, event) => choose(row, event)" @click.stop />
          <span class="tax-label" :title="row.label">{{ row.label }}</span>
          <span v-if="row.group && !row.note" class="tax-of">{{ row.root ? 'everything ·' : '' }} {{ row.values.toLocaleString() }}
            {{ row.values === 1 ? 'value' : 'values' }}</span>
          <span class="tax-count" v-if="row.records !== null">{{ row.records.toLocaleString() }}</span>
          <q-btn v-if="!fixed && !row.note" flat round dense size="sm" icon="more_vert" tabindex="-1"
            class="tax-more" :aria-label="'What to do with ' + row.label" @click.stop="act(row)">
            <q-menu auto-close v-model="menus[row.label]" @hide="back(row)">
              <q-list dense style="min-width: 200px">
                <q-item v-for="a in actions(row)" :key="a.what" clickable
                  @click="$emit('act', {what: a.what, label: row.label, chosen: taken(row)})">
                  <q-item-section>{{ a.text }}</q-item-section>
                  <q-item-section side v-if="a.key" class="text-caption">{{ a.key }}</q-item-section>
                </q-item>
              </q-list>
            </q-menu>
          </q-btn>
        </div>
      </div>
      <div v-if="!rows.length" class="q-pa-md muted">Nothing is called so.</div>
    </div>
  </div>`,

  props: { tree: Array, fixed: Boolean, name: String, searchLabel: String },
  emits: ["act", "drop", "choose", "undo", "redo"],

  data() {
    return {
      opened: new Set(), chosen: new Set(), current: null, over: null, search: "", top: 0, anchor: null,
      height: 480, menus: {}, dragging: [],
    };
  },

  created() {
    this.begin();
  },

  mounted() {
    this.measured = new ResizeObserver(() => (this.height = this.$refs.box?.clientHeight || 480));
    this.measured.observe(this.$refs.box);
  },

  beforeUnmount() {
    this.measured.disconnect();
  },

  watch: {
    tree(now, before) {
      const renamed = before[0] !== now[0] && this.opened.has(before[0]);
      if (renamed) this.opened.add(now[0]);
      const labels = (tree) => {
        const all = new Set();
        const walk = (node) => { all.add(node[0]); (node[3] || []).forEach(walk); };
        walk(tree);
        return all;
      };
      const known = labels(now);
      const old = labels(before);
      // A group of few that was not there before is one that somebody has just made or changed.
      const open = (node) => {
        if (!Array.isArray(node[3])) return;
        if (!old.has(node[0]) && node[3].length <= 60) this.opened.add(node[0]);
        node[3].forEach(open);
      };
      open(now);
      const kept = [...this.chosen].filter((label) => known.has(label));
      if (kept.length !== this.chosen.size) this.settle(new Set(kept));
      if (!known.has(this.current)) this.current = now[0];
    },
    search() {
      if (this.$refs.box) this.$refs.box.scrollTop = 0;
    },
  },

  computed: {
    rows() {
      const wanted = (this.search || "").trim().toLocaleLowerCase();
      const rows = [];
      const hits = wanted ? this.matching(wanted) : null;
      const walk = (node, depth, place, of) => {
        const [label, records, values, children, kind] = node;
        if (hits && !hits.has(node)) return;
        const group = Array.isArray(children);
        const open = group && (hits ? hits.get(node) : this.opened.has(label));
        rows.push({
          label, records, values, group, open, depth, place, of, root: depth === 0, note: kind === 1,
        });
        if (open) children.forEach((child, i) => walk(child, depth + 1, i + 1, children.length));
      };
      walk(this.tree, 0, 1, 1);
      return rows;
    },
    found() {
      const wanted = (this.search || "").trim().toLocaleLowerCase();
      const hits = this.rows.filter((r) => r.label.toLocaleLowerCase().includes(wanted));
      return hits.filter((r) => !r.root && !r.note).map((r) => r.label);
    },
    shown() {
      const first = Math.max(0, Math.floor(this.top / ROW) - 8);
      const last = Math.min(this.rows.length, Math.ceil((this.top + this.height) / ROW) + 8);
      const all = [];
      for (let at = first; at < last; at++) all.push({ row: this.rows[at], at });
      const focused = this.rows.findIndex((row) => row.label === this.current);
      if (focused >= 0 && (focused < first || focused >= last)) {
        all.push({ row: this.rows[focused], at: focused });
      }
      return all;
    },
  },

  methods: {
    // A small tree is open from the start, a large one shows its groups.
    begin() {
      const root = this.tree;
      this.current = root[0];
      this.opened.add(root[0]);
      let room = 60 - root[3].length;
      const walk = (node) => {
        for (const child of node[3]) {
          if (!Array.isArray(child[3]) || room < child[3].length) continue;
          room -= child[3].length;
          this.opened.add(child[0]);
          walk(child);
        }
      };
      walk(root);
    },
    matching(wanted) {
      const hits = new Map();
      let room = 2000;
      const walk = (node) => {
        let inside = false;
        for (const child of node[3] || []) inside = walk(child) || inside;
        const itself = room > 0 && node[0].toLocaleLowerCase().includes(wanted);
        if (itself) room -= 1;
        if (itself || inside) hits.set(node, inside);
        return itself || inside;
      };
      walk(this.tree);
      return hits;
    },
    said(row) {
      const records = row.records === null ? "" : `, ${row.records} records`;
      return row.label + (row.group && !row.note ? `, group of ${row.values} values` : "") + records;
    },
    scrolled() {
      this.top = this.$refs.box.scrollTop;
    },
    toggle(row) {
      if (!row.group) return;
      if (this.opened.has(row.label)) this.opened.delete(row.label);
      else this.opened.add(row.label);
    },
    clicked(row, event) {
      this.current = row.label;
      if (row.group) this.toggle(row);
      else if (!this.fixed) this.choose(row, event);
    },
    // With Shift, all rows from the one that was chosen before.
    choose(row, event) {
      if (this.fixed || row.root || row.note) return;
      const chosen = new Set(this.chosen);
      const at = (label) => this.rows.findIndex((r) => r.label === label);
      const [from, to] = [at(this.anchor), at(row.label)];
      if (event?.shiftKey && from >= 0) {
        const all = this.rows.slice(Math.min(from, to), Math.max(from, to) + 1);
        all.filter((r) => !r.root && !r.note && !r.open).forEach((r) => chosen.add(r.label));
      } else if (!chosen.delete(row.label)) chosen.add(row.label);
      this.anchor = row.label;
      this.settle(chosen);
    },
    settle(chosen) {
      this.chosen = chosen;
      this.$emit("choose", [...chosen]);
    },
    forget() {
      this.settle(new Set());
    },
    reveal(label) {
      const way = [];
      const walk = (node) => {
        if (node[0] === label) return true;
        if (!(node[3] || []).some(walk)) return false;
        way.push(node[0]);
        return true;
      };
      walk(this.tree);
      [label, ...way].forEach((group) => this.opened.add(group));
      this.search = "";
      this.$nextTick(() => this.go(this.rows.findIndex((row) => row.label === label)));
    },
    // What an action on a row is about: all that is chosen, if the row is, or else the row.
    taken(row) {
      return this.chosen.has(row.label) ? [...this.chosen] : row.root ? [] : [row.label];
    },
    actions(row) {
      const n = this.taken(row).length;
      const several = n > 1 ? ` ${n} chosen` : "";
      const all = [];
      if (!row.root) {
        all.push({ what: "move", text: `Move${several} to…`, key: "M" });
        all.push({ what: "gather", text: n > 1 ? `Group ${n} chosen…` : "Put into a new group…", key: "G" });
      }
      if (n > 1) all.push({ what: "merge", text: `Merge ${n} chosen…` });
      if (row.depth > 1) {
        all.push({ what: "split", text: n > 1 ? `Split off ${n} chosen…` : "Split off as a group…" });
      }
      if (row.group) all.push({ what: "rename", text: row.root ? "Rename the whole…" : "Rename…", key: "F2" });
      if (row.group && !row.root) all.push({ what: "ungroup", text: "Dissolve the group", key: "Del" });
      return all;
    },
    act(row) {
      this.current = row.label;
    },
    back(row) {
      this.$nextTick(() => this.focusRow(row.label));
    },
    pressed(event) {
      const at = this.rows.findIndex((row) => row.label === this.current);
      const row = this.rows[at];
      if (!row || !event.target.classList.contains("tax-row")) return;
      const done = this.moved(event, at) || this.done(event, row, at);
      if (done) event.preventDefault();
    },
    moved(event, at) {
      const by = KEYS[event.key];
      if (by === undefined || event.ctrlKey || event.altKey) return false;
      this.go(Math.min(Math.max(at + by, 0), this.rows.length - 1));
      return true;
    },
    done(event, row, at) {
      const ask = (what) => this.$emit("act", { what, label: row.label, chosen: this.taken(row) });
      if (event.ctrlKey || event.metaKey) {
        if (this.fixed || !"zy".includes(event.key)) return false;
        this.$emit(event.key === "z" && !event.shiftKey ? "undo" : "redo");
        return true;
      }
      if (event.key === "ArrowRight") {
        if (row.group && !row.open) this.toggle(row);
        else if (row.open) this.go(at + 1);
        return true;
      }
      if (event.key === "ArrowLeft") {
        if (row.open) this.toggle(row);
        else this.go(this.rows.findLastIndex((r, i) => i < at && r.depth < row.depth));
        return true;
      }
      if (this.fixed || row.note) return false;
      if (event.key === " ") return this.choose(row), true;
      if (event.key === "Enter") return (this.menus[row.label] = true);
      if (event.key === "F2" && row.group) return ask("rename"), true;
      if (event.key === "Delete" && row.group && !row.root) return ask("ungroup"), true;
      if (event.key === "m" && !row.root) return ask("move"), true;
      if (event.key === "g" && !row.root) return ask("gather"), true;
      return false;
    },
    go(at) {
      if (at < 0 || at >= this.rows.length) return;
      const label = this.rows[at].label;
      const box = this.$refs.box;
      this.current = label;
      if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
      if ((at + 1) * ROW > box.scrollTop + box.clientHeight) {
        box.scrollTop = (at + 1) * ROW - box.clientHeight;
      }
      this.$nextTick(() => this.focusRow(label));
    },
    focusRow(label) {
      for (const row of this.$refs.box?.querySelectorAll(".tax-row") || []) {
        if (row.dataset.label === label) row.focus({ preventScroll: true });
      }
    },
    dragged(event, row) {
      this.dragging = this.taken(row);
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", this.dragging.join(", "));
    },
    above(event, row) {
      if (this.fixed || row.note || !this.dragging.length) return;
      event.preventDefault();
      this.over = row.label;
    },
    dropped(event, row) {
      event.preventDefault();
      const chosen = this.dragging;
      this.over = null;
      this.dragging = [];
      if (chosen.length && !row.note) this.$emit("drop", { chosen, to: row.label });
    },
  },
};
