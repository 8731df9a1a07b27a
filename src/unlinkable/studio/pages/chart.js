import { echarts } from "nicegui-echart";

export default {
  template: "<div></div>",
  props: { options: Object, renderer: String, unknown: String },
  mounted() {
    this.room = new ResizeObserver(() => this.fit());
    this.room.observe(this.$el);
    this.light = new MutationObserver(() => this.update_chart());
    this.light.observe(document.body, { attributeFilter: ["class"] });
  },
  beforeUnmount() {
    this.room.disconnect();
    this.light.disconnect();
    this.chart?.dispose();
  },
  methods: {
    fit() {
      if (!this.$el.offsetWidth || !this.$el.offsetHeight) return;
      if (this.chart) {
        this.chart.resize();
        return;
      }
      this.chart = echarts.init(this.$el, null, { renderer: this.renderer });
      this.chart.on("click", (point) => this.$emit("componentClick", point));
      this.update_chart();
    },
    update_chart() {
      if (!this.chart) return;
      const tooltip = {
        ...this.options.tooltip,
        valueFormatter: (share) => (share == null ? this.unknown : `${share} %`),
      };
      this.chart.setOption({ ...this.inked(), tooltip }, { notMerge: true });
    },
    inked() {
      const ink = getComputedStyle(this.$el).color;
      const inked = (_, value) => (value === "currentColor" ? ink : value);
      return JSON.parse(JSON.stringify(this.options), inked);
    },
  },
};
