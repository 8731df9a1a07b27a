// All columns with their roles: one row each on a wide screen, one card each on a narrow one.
export default {
  template: `
  <div class="role-table">
    <q-input v-if="rows.length > 12" dense outlined clearable v-model="search" debounce="100"
      label="Search columns" class="q-mb-sm">
      <template #prepend><q-icon name="search" aria-hidden="true" /></template>
    </q-input>
    <table :aria-label="name">
      <thead><tr>
        <th scope="col">Column</th><th scope="col">Role</th><th scope="col">What it means</th>
        <th scope="col">How it is published</th><th scope="col">Importance</th>
      </tr></thead>
      <tbody>
        <tr v-for="row in shown" :key="row.name" :data-column="row.name" :data-role="row.role">
          <th scope="row">
            <span class="role-name">{{ row.name }}</span>
            <span class="role-facts">{{ row.facts }}</span>
            <span v-if="row.examples" class="role-facts role-examples">{{ row.examples }}</span>
          </th>
          <td class="role-choice">
            <select :aria-label="'Role of ' + row.name" :value="now(row, 'role', row.role)"
              @change="choose(row, $event.target.value)">
              <option v-for="r in roles" :key="r.key" :value="r.key">{{ r.title }}</option>
            </select>
          </td>
          <td class="role-words">
            <div>{{ row.meaning }}</div>
            <div v-if="row.caution" class="role-caution">{{ row.caution }}</div>
            <div class="role-facts">
              <template v-if="!row.suggested">{{ row.reason }}</template>
              <template v-else-if="row.suggested === row.role">Suggested: {{ row.reason }}.</template>
              <template v-else>
                Your choice. Suggested was {{ title(row.suggested) }}: {{ row.reason }}.
                <button type="button" class="role-back"
                  @click="choose(row, row.suggested)">
                  Take the suggestion<span class="sr-only"> for {{ row.name }}</span></button>
              </template>
            </div>
          </td>
          <td class="role-tax">
            <a v-if="row.taxonomy" :href="row.link">
              <q-icon name="account_tree" size="18px" aria-hidden="true" />
              <span>{{ row.taxonomy }}</span><span class="sr-only">: edit the taxonomy of
              {{ row.name }}</span></a>
            <template v-if="row.treatment">
              <select :aria-label="'What becomes of ' + row.name" :value="now(row, 'treatment', row.treatment)"
                @change="treat(row, $event.target.value)">
                <option v-for="t in treatments" :key="t.key" :value="t.key">{{ t.title }}</option>
              </select>
              <div v-if="row.treatment === 'mask'" class="role-keep">
                <label v-for="(words, side) in sides" :key="side">{{ words }}
                  <input type="number" min="0" step="1" inputmode="numeric"
                    :aria-label="words + ' of ' + row.name"
                    :value="drafts[row.name + ' ' + side] ?? now(row, side, row.keep[side])"
                    @input="drafts[row.name + ' ' + side] = $event.target.value"
                    @change="keep(row, side, $event.target.value)" />
                </label>
              </div>
            </template>
          </td>
          <td class="role-weight">
            <label v-if="row.weight !== null"><span class="role-label">Importance</span>
              <input type="number" min="0" step="0.5" inputmode="decimal" :aria-label="'Importance of ' + row.name"
                :value="drafts[row.name] ?? now(row, 'weight', row.weight)"
                @input="drafts[row.name] = $event.target.value"
                @change="weigh(row, $event.target.value)" />
            </label>
          </td>
        </tr>
      </tbody>
    </table>
    <p v-if="!shown.length" class="q-pa-md muted">No column is called so.</p>
  </div>`,

  props: { rows: Array, roles: Array, treatments: Array, name: String },
  emits: ["role", "weight", "treatment"],

  data() {
    const sides = { keep_left: "Kept at the start", keep_right: "Kept at the end" };
    return { search: "", drafts: {}, sides, asked: {}, chosen: {} };
  },

  computed: {
    shown() {
      const wanted = (this.search || "").trim().toLocaleLowerCase();
      return this.rows.filter((row) => row.name.toLocaleLowerCase().includes(wanted));
    },
  },

  methods: {
    // What was chosen stays until the server has answered it: rows that come before are older.
    ask(row, what, value) {
      const key = row.name + " " + what;
      this.asked[key] = (this.asked[key] || 0) + 1;
      this.chosen[key] = value;
    },
    now(row, what, value) {
      const key = row.name + " " + what;
      return (this.asked[key] || 0) > (row.answered[what] || 0) ? this.chosen[key] : value;
    },
    choose(row, role) {
      this.ask(row, "role", role);
      this.$emit("role", { column: row.name, role });
    },
    // What is being typed stays, whatever is drawn anew meanwhile.
    weigh(row, weight) {
      delete this.drafts[row.name];
      this.ask(row, "weight", weight);
      this.$emit("weight", { column: row.name, weight });
    },
    treat(row, to) {
      this.ask(row, "treatment", to);
      this.$emit("treatment", { column: row.name, to, keep: {}, what: "treatment" });
    },
    keep(row, side, text) {
      delete this.drafts[row.name + " " + side];
      this.ask(row, side, text);
      const keep = {};
      for (const each in this.sides) keep[each] = this.now(row, each, row.keep[each]);
      this.$emit("treatment", { column: row.name, to: "mask", keep, what: side });
    },
    title(role) {
      return this.roles.find((r) => r.key === role)?.title.toLocaleLowerCase() || role;
    },
  },
};
