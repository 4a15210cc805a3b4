// Vendored: edit metrics/_shared/space_ui/source.js and run `make vendor`.
// Sources of rows: a file, a pasted table, a dataset on the Hub. The server reads them; the visitor can map the columns.

import { RequestError, button, make, plural, post } from "./dom.js";

const hasFiles = (event) => event.dataTransfer.types.includes("Files");

export class Source {
  // `paired` returns the rows to merge a file of system B with, `awaitsSecond` whether the next file is of system B.
  // and `compareFiles` is called before two files are read as two systems.
  constructor({ form, columns, say, loaded, reading, paired, awaitsSecond, compareFiles }) {
    Object.assign(this, { form, columns, say, loaded, reading, paired, awaitsSecond, compareFiles });
    this.panel = document.getElementById("source");
    this.picker = document.getElementById("file");
    document.getElementById("upload").addEventListener("click", () => { this.isSecond = false; this.picker.click(); });
    this.picker.addEventListener("change", () => { this.readFile(this.picker.files[0], this.isSecond); this.picker.value = ""; });
    document.getElementById("upload-second")?.addEventListener("click", () => { this.isSecond = true; this.picker.click(); });
    this.opener("paste", () => this.drawPaste());
    this.opener("hub", () => this.drawHub());
    this.panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      const opener = document.querySelector('.bar [aria-expanded="true"]');
      this.close();
      (opener ?? document.getElementById("upload")).focus();
    });
    document.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return; // text that is dragged into a cell
      event.preventDefault();
      document.body.classList.add("dragging");
    });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dragging"); });
    document.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      document.body.classList.remove("dragging");
      this.drop([...event.dataTransfer.files]);
    });
  }

  // Two files are two systems.
  async drop(files) {
    if (files.length === 1) this.readFile(files[0], this.awaitsSecond());
    else if (files.length === 2 && this.form.second_columns.length) {
      this.compareFiles();
      await this.readFile(files[0]);
      if (this.awaitsSecond()) await this.readFile(files[1], true);
    } else this.say("Drop one file.", { failed: true });
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

  // A mapping applies to one file only.
  closeMapping() { if (this.panel.querySelector(".mapping")) this.close(); }

  drawPaste() {
    const area = make("textarea", {
      rows: 5, "aria-label": "Rows to paste", spellcheck: false,
      placeholder: "Cells from a spreadsheet, CSV, or JSON Lines.\nColumn names in the first line are recognized.",
    });
    this.panel.append(area, button("Use these rows", () => this.readFile(new File([area.value], ""), this.awaitsSecond()), { class: "use" }));
  }

  drawHub() {
    const field = (label, placeholder) => make("input", { "aria-label": label, placeholder, spellcheck: false, autocomplete: "off" });
    const fields = [field("Dataset", "owner/dataset"), field("Configuration", "config (default)"), field("Split", "split (test)")];
    const [dataset, config, split] = fields;
    const load = () => this.read(() => ({ dataset: dataset.value.trim(), config: config.value.trim(), split: split.value.trim() }), "space/hub");
    const keys = (event) => { if (event.key === "Enter" && !event.ctrlKey) { event.preventDefault(); load(); } };
    fields.forEach((input) => input.addEventListener("keydown", keys));
    this.panel.append(make("div", { class: "hub-fields" }, fields), button("Load dataset", load, { class: "use" }));
  }

  async readFile(file, second = false) {
    if (!file) return;
    if (file.size > this.form.limits.bytes) {
      this.say(`The file has ${(file.size / 1e6).toFixed(1)} MB; the limit is ${this.form.limits.bytes / 1e6} MB.`, { failed: true });
      return;
    }
    await this.read(() => file, `space/read?name=${encodeURIComponent(file.name)}`, null, second);
  }

  // Have the server read a source; `mapping` is the visitor's choice of columns.
  read(body, path, mapping = null, second = false) {
    const columns = second ? this.form.second_columns : this.columns();
    const query = new URLSearchParams({ columns: columns.map((column) => column.name).join(",") });
    if (mapping) query.set("mapping", JSON.stringify(mapping));
    if (second) query.set("second", "true");
    if (!mapping) this.closeMapping();
    this.say("Reading …");
    const work = (async () => {
      try {
        const answer = await post(`${path}${path.includes("?") ? "&" : "?"}${query}`, body());
        this.close();
        if (answer.names?.length) this.drawMapping(answer, columns, (chosen) => this.read(body, path, chosen, second));
        if (!answer.rows) { this.say(answer.error, { failed: true }); return; }
        const { rows, notes } = second ? await post("space/pair", { rows: this.paired(), second: answer.rows }) : answer;
        this.loaded(rows, [`${plural(answer.rows.length, "row")}.`, ...answer.notes, ...(second ? notes : [])].join(" "));
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        this.say(error.message, { failed: true });
      }
    })();
    this.reading(work);
    return work;
  }

  drawMapping({ names, mapping, rows }, columns, use) {
    const selects = columns.map((column) => {
      const chosen = mapping[column.name] ?? "";
      const choices = ["", ...names].map((name) => make("option", { value: name, text: name || "none", selected: name === chosen }));
      const select = make("select", { "aria-label": `Column for ${column.label}`, "data-name": column.name }, choices);
      return make("label", {}, make("span", { text: column.label }), select);
    });
    const chosen = () => Object.fromEntries([...this.panel.querySelectorAll("select")].filter((select) => select.value).map((select) => [select.dataset.name, select.value]));
    this.panel.replaceChildren(
      make("div", { class: "mapping", role: "group", "aria-label": "Columns of the file" }, selects),
      make("div", { class: "buttons" }, button(rows ? "Use other columns" : "Use these columns", () => use(chosen()), { class: "use" }), button("Close", () => this.close())),
    );
    this.panel.hidden = false;
  }
}
