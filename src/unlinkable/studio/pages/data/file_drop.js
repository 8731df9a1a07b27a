// Hands in a file: dropped or chosen, sent as it is, with progress. Nothing is read in the page.
export default {
  template: `
  <div class="file-drop" :class="{'file-over': over, 'file-small': small}"
    @dragenter.prevent="over = true" @dragover.prevent="over = true"
    @dragleave="left" @drop.prevent="dropped">
    <template v-if="!sending">
      <q-icon v-if="!small" name="upload_file" size="48px" color="primary" aria-hidden="true" />
      <div v-if="!small" class="text-subtitle1 text-center">{{ label }}</div>
      <q-btn no-caps color="primary" :outline="small" :unelevated="!small" :icon="small ? 'upload_file' : undefined"
        :label="button" @click="$refs.input.click()" data-testid="choose-file" />
      <div v-if="hint" class="text-body2 muted text-center">{{ hint }}</div>
      <input ref="input" type="file" :accept="accept" @change="chosen" tabindex="-1"
        style="display: none" :aria-label="label" />
    </template>
    <template v-else>
      <div class="text-subtitle1">{{ said }}</div>
      <q-linear-progress instant-feedback :value="share" size="10px" rounded class="full-width"
        :aria-label="'Uploading ' + name" />
      <q-btn flat no-caps label="Cancel" icon="close" @click="stop" />
    </template>
    <div v-if="error" class="text-negative text-body2" role="alert">
      <q-icon name="error" aria-hidden="true" /> {{ error }}</div>
  </div>`,

  props: {
    url: String, label: String, button: String, hint: String, accept: String, most: Number,
    small: Boolean,
  },
  emits: ["uploaded"],

  data() {
    return { over: false, sending: false, share: 0, sent: 0, size: 0, name: "", error: "" };
  },

  computed: {
    said() {
      const mb = (bytes) => (bytes / 1e6).toLocaleString(undefined, { maximumFractionDigits: 1 });
      if (this.sent >= this.size) return `${this.name}: arrived, looking at it`;
      return `${this.name}: ${mb(this.sent)} of ${mb(this.size)} MB`;
    },
  },

  beforeUnmount() {
    this.stop();
  },

  methods: {
    left(event) {
      if (!this.$el.contains(event.relatedTarget)) this.over = false;
    },
    dropped(event) {
      this.over = false;
      const files = event.dataTransfer.files;
      if (files.length > 1) this.error = "Hand in one file at a time.";
      else if (files.length) this.send(files[0]);
    },
    chosen(event) {
      if (event.target.files.length) this.send(event.target.files[0]);
      event.target.value = "";
    },
    send(file) {
      this.error = "";
      if (this.sending) return;
      this.name = file.name;
      if (file.size > this.most) return this.fail("This file is too large to be handed in.");
      const known = this.accept.split(",");
      if (!known.some((end) => file.name.toLowerCase().endsWith(end))) {
        return this.fail(`${file.name} is no table in a known format: ${known.join(" ")}`);
      }
      if (!file.size) return this.fail(`${file.name} is empty.`);
      const request = new XMLHttpRequest();
      this.request = request;
      Object.assign(this, { sending: true, share: 0, sent: 0, size: file.size, name: file.name });
      request.upload.onprogress = (event) => {
        this.sent = event.loaded;
        this.share = event.loaded / Math.max(event.total, 1);
      };
      request.onload = () => this.ended(request);
      request.onerror = () => this.fail("The file did not arrive: check whether it is still there.");
      request.onabort = () => this.fail("");
      request.open("PUT", this.url + encodeURIComponent(file.name));
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.send(file);
    },
    ended(request) {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* not from the interface */ }
      this.sending = false;
      if (request.status >= 200 && request.status < 300) this.$emit("uploaded", answer.name);
      else this.fail(answer.error || `The file was refused (${request.status}).`);
    },
    fail(text) {
      this.sending = false;
      const isName = text.startsWith(this.name);
      this.error = text && !isName ? text[0].toUpperCase() + text.slice(1) : text;
    },
    stop() {
      if (this.request && this.sending) this.request.abort();
    },
  },
};
