// Vendored: edit metrics/_shared/space_ui/source.js and run `make vendor`.
// Where rows come from: a file, a pasted table, a dataset of the Hub. The server reads them; this asks for the columns.

import { RequestError, button, make, plural, post } from "./dom.js";

export class Source {
  constructor({ form, columns, say, loaded, reading }) {
    Object.assign(this, { form, columns, say, loaded, reading });
    this.panel = document.getElementById("source");
    this.picker = document.getElementById("file");
    document.getElementById("upload").addEventListener("click", () => this.picker.click());
    this.picker.addEventListener("change", () => { this.readFile(this.picker.files[0]); this.picker.value = ""; });
    this.opener("paste", () => this.drawPaste());
    this.opener("hub", () => this.drawHub());
    document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dragging"); });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dragging"); });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dragging");
      this.readFile(event.dataTransfer.files[0]);
    });
  }

  opener(id, draw) {
    const opener = document.getElementById(id);
    opener?.addEventListener("click", () => {
      const isOpen = opener.getAttribute("aria-expanded") === "true";
      this.close();
      if (!isOpen) { opener.setAttribute("aria-expanded", "true"); draw(); this.panel.hidden = false; this.panel.querySelector("textarea, input")?.focus(); }
    });
  }

  close() {
    this.panel.hidden = true;
    this.panel.replaceChildren();
    for (const id of ["paste", "hub"]) document.getElementById(id)?.setAttribute("aria-expanded", "false");
  }

  drawPaste() {
    const area = make("textarea", {
      rows: 5, "aria-label": "Rows to paste", spellcheck: false,
      placeholder: "Cells from a spreadsheet, CSV, or JSON Lines.\nColumn names in the first line are recognized.",
    });
    this.panel.append(area, button("Use these rows", () => this.readFile(new File([area.value], "")), { class: "use" }));
  }

  drawHub() {
    const field = (label, placeholder) => make("input", { "aria-label": label, placeholder, spellcheck: false, autocomplete: "off" });
    const fields = [field("Dataset", "owner/dataset"), field("Configuration", "configuration (default)"), field("Split", "split (test)")];
    const [dataset, config, split] = fields;
    const load = () => this.read(() => ({ dataset: dataset.value.trim(), config: config.value.trim(), split: split.value.trim() }), "space/hub");
    const keys = (event) => { if (event.key === "Enter" && !event.ctrlKey) { event.preventDefault(); load(); } };
    fields.forEach((one) => one.addEventListener("keydown", keys));
    this.panel.append(make("div", { class: "hub-fields" }, fields), button("Load dataset", load, { class: "use" }));
  }

  readFile(file) {
    if (!file) return;
    if (file.size > this.form.limits.bytes) {
      this.say(`The file has ${(file.size / 1e6).toFixed(1)} MB; the limit is ${this.form.limits.bytes / 1e6} MB.`, { failed: true });
      return;
    }
    this.read(() => file, `space/read?name=${encodeURIComponent(file.name)}`);
  }

  // Ask the server to read something; with `mapping`, as the visitor said which column is which.
  read(body, path, mapping = null) {
    const columns = this.columns().map((column) => column.name).join(",");
    const separator = path.includes("?") ? "&" : "?";
    const query = `${separator}columns=${encodeURIComponent(columns)}${mapping ? `&mapping=${encodeURIComponent(JSON.stringify(mapping))}` : ""}`;
    this.say("Reading …");
    const work = (async () => {
      try {
        const answer = await post(path + query, body());
        this.close();
        if (answer.rows) this.loaded(answer.rows, `${plural(answer.rows.length, "row")}. ${answer.notes.join(" ")}`);
        else this.say(answer.error, { failed: true });
        if (answer.names?.length) this.drawMapping(answer, (chosen) => this.read(body, path, chosen));
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        this.say(error.message, { failed: true });
      }
    })();
    this.reading(work);
  }

  drawMapping({ names, mapping, rows }, use) {
    const selects = this.columns().map((column) => {
      const chosen = mapping[column.name] ?? "";
      const choices = ["", ...names].map((name) => make("option", { value: name, text: name || "none", selected: name === chosen }));
      const select = make("select", { "aria-label": `Column for ${column.label}`, "data-name": column.name }, choices);
      return make("label", {}, make("span", { text: column.label }), select);
    });
    const chosen = () => Object.fromEntries([...this.panel.querySelectorAll("select")].filter((one) => one.value).map((one) => [one.dataset.name, one.value]));
    this.panel.replaceChildren(
      make("div", { class: "mapping", role: "group", "aria-label": "Columns of the file" }, selects),
      make("div", { class: "buttons" }, button(rows ? "Use other columns" : "Use these columns", () => use(chosen()), { class: "use" }), button("Close", () => this.close())),
    );
    this.panel.hidden = false;
  }
}
