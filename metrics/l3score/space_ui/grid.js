// Vendored: edit metrics/_shared/space_ui/grid.js and run `make vendor`.
// The table of rows: editing, pasting, paging. Independent of metrics.

import { button, count, make, plural } from "./dom.js";

const PAGE = 50;

export class Grid {
  // `changed` is called after every edit, after a deletion or paste with a text and the rows before it; `dropped` with a pasted table to read as a file.
  constructor(root, { columns, changed, dropped }) {
    this.root = root;
    this.columns = columns;
    this.changed = changed;
    this.dropped = dropped;
    this.rows = [];
    this.page = 0;
    this.opened = new Set(); // optional columns that the visitor added
    this.build();
  }

  build() {
    this.body = make("tbody");
    this.head = make("tr");
    this.pager = make("div", { class: "pager", hidden: true });
    this.cells = make(
      "div", { class: "cells", role: "region", "aria-label": "Rows to score", tabindex: "0" },
      make("table", { "aria-label": "Rows to score" }, make("thead", {}, this.head), this.body),
    );
    const add = button("+ Add row", () => this.addRow(), { class: "add" });
    this.openers = make("span");
    this.hint = make("p", { class: "hint" });
    this.root.append(this.cells, this.pager, make("div", { class: "under" }, add, this.openers, this.hint));
    this.body.addEventListener("input", (event) => this.onInput(event));
    this.body.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("paste", (event) => this.onPaste(event));
    this.body.addEventListener("click", (event) => {
      if (event.target.matches(".remove")) this.removeRow(Number(event.target.dataset.y));
    });
    this.describeColumns();
  }

  // Optional columns are shown if they contain text, or if the visitor added them.
  findShown() {
    this.shown = this.columns.map((column, x) => x).filter((x) => {
      const { name, optional } = this.columns[x];
      return !optional || this.opened.has(name) || this.rows.some((row) => row[x]);
    });
  }

  describeColumns() {
    this.findShown();
    this.head.replaceChildren(
      make("th", { scope: "col" }, make("span", { class: "sr", text: "Row" })),
      ...this.shown.map((x) => make("th", { scope: "col", text: this.columns[x].label })),
      make("th", { scope: "col" }, make("span", { class: "sr", text: "Delete" })),
    );
    this.root.classList.toggle("stacked", this.shown.length > 3);
    this.openers.replaceChildren(...this.columns.filter((_, x) => !this.shown.includes(x)).map(({ name, label }) => button(
      `+ ${label}`, () => { this.opened.add(name); this.draw(); }, { class: "add", "aria-label": `Add the column ${label}` },
    )));
    const parts = [];
    const code = (text) => make("code", { text });
    if (this.columns.some((column) => column.kind === "answers")) {
      parts.push("Several acceptable answers: ", code("Paris | City of Light"), " or ", code('["Paris", "City of Light"]'), ". ");
    }
    if (this.columns.some((column) => column.kind === "list")) {
      parts.push("Chunks: one per line, or ", code("one | two"), ", or a JSON list. An empty cell is an empty list. ");
    }
    if (this.shown.some((x) => this.columns[x].kind === "numbers")) {
      parts.push("Numbers: one for each ground truth, as in ", code("3, 1"), ".");
    }
    this.hint.replaceChildren(...parts);
  }

  setColumns(columns) {
    const positions = new Map(this.columns.map((column, x) => [column.name, x]));
    this.rows = this.rows.map((row) => columns.map((column) => (positions.has(column.name) ? row[positions.get(column.name)] : "")));
    this.columns = columns;
    this.draw();
  }

  setRows(rows) {
    this.rows = rows.length ? rows.map((row) => this.columns.map((_, x) => row[x] ?? "")) : [this.emptyRow()];
    this.page = 0;
    this.draw();
  }

  get filled() { return this.rows.filter((row) => row.some((cell) => cell.trim())); }

  emptyRow() { return this.columns.map(() => ""); }

  get pages() { return Math.max(1, Math.ceil(this.rows.length / PAGE)); }

  draw() {
    this.describeColumns();
    this.page = Math.min(this.page, this.pages - 1);
    const start = this.page * PAGE;
    this.body.replaceChildren(...this.rows.slice(start, start + PAGE).map((row, index) => this.drawRow(row, start + index)));
    this.body.querySelectorAll("textarea").forEach(grow);
    this.drawPager();
  }

  drawRow(row, y) {
    const line = make("tr", {}, make("th", { scope: "row", text: count(y + 1) }));
    this.shown.forEach((x) => {
      const cell = row[x];
      const { label } = this.columns[x];
      const field = make("textarea", { rows: 1, "aria-label": `${label}, row ${y + 1}`, spellcheck: false, dir: "auto" });
      field.value = cell;
      field.dataset.x = x;
      field.dataset.y = y;
      line.append(make("td", { "data-name": label }, field));
    });
    const remove = make("button", { type: "button", class: "remove", "aria-label": `Delete row ${y + 1}`, text: "×" });
    remove.dataset.y = y;
    line.append(make("td", { class: "tool" }, remove));
    return line;
  }

  drawPager() {
    this.pager.hidden = this.pages === 1;
    if (this.pager.hidden) return;
    const turn = (page) => () => { this.page = page; this.draw(); this.cells.scrollTop = 0; };
    const first = this.page * PAGE + 1;
    this.pager.replaceChildren(
      button("← Previous", turn(this.page - 1), { disabled: this.page === 0 }),
      make("span", { text: `Rows ${count(first)}–${count(Math.min(first + PAGE - 1, this.rows.length))} of ${count(this.rows.length)}` }),
      button("Next →", turn(this.page + 1), { disabled: this.page === this.pages - 1 }),
    );
  }

  focusCell(x, y) {
    const page = Math.floor(y / PAGE);
    if (page !== this.page) { this.page = page; this.draw(); }
    this.body.querySelector(`textarea[data-x="${x}"][data-y="${y}"]`)?.focus();
  }

  addRow() {
    this.rows.push(this.emptyRow());
    this.page = this.pages - 1;
    this.draw();
    this.changed();
    this.focusCell(0, this.rows.length - 1);
  }

  get copy() { return this.rows.map((row) => [...row]); }

  removeRow(y) {
    const before = this.copy;
    const [removed] = this.rows.splice(y, 1);
    if (!this.rows.length) this.rows = [this.emptyRow()];
    this.draw();
    if (removed.some((cell) => cell.trim())) this.changed(`Row ${count(y + 1)} deleted.`, before);
    else this.changed();
    this.body.querySelectorAll(".remove")[Math.min(y - this.page * PAGE, this.body.rows.length - 1)]?.focus();
  }

  onInput(event) {
    const { x, y } = event.target.dataset;
    this.rows[y][x] = event.target.value;
    grow(event.target);
    this.changed();
  }

  onKey(event) {
    if (event.target.tagName !== "TEXTAREA" || event.key !== "Enter" || event.isComposing) return;
    const { x, y } = event.target.dataset;
    if (event.ctrlKey || event.metaKey || event.shiftKey || this.columns[x].kind === "list") return;
    event.preventDefault();
    if (Number(y) === this.rows.length - 1) { this.rows.push(this.emptyRow()); this.draw(); this.changed(); }
    this.focusCell(x, Number(y) + 1);
  }

  // Pasted spreadsheet cells fill the table from here on; a whole table, pasted into the first cell, is read like a file.
  onPaste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const x = Number(event.target.dataset.x);
    const y = Number(event.target.dataset.y);
    if (Number.isNaN(x) || !(text.includes("\t") || (text.includes("\n") && this.columns[x].kind !== "list"))) return;
    event.preventDefault();
    const pasted = splitCells(text);
    if (x === 0 && y === 0 && pasted[0].length >= this.columns.filter((column) => !column.optional).length) {
      this.dropped(new File([text], "pasted.tsv"));
      return;
    }
    const before = this.copy;
    pasted.forEach((line, i) => {
      while (this.rows.length <= y + i) this.rows.push(this.emptyRow());
      line.forEach((cell, j) => { if (x + j < this.columns.length) this.rows[y + i][x + j] = cell; });
    });
    this.draw();
    this.changed(`${plural(pasted.length, "row")} pasted.`, before);
    this.focusCell(x, y);
  }
}

const grow = (area) => {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
};

// Parses cells as spreadsheets copy them: tab-separated, in double quotes if they contain a line break.
const splitCells = (text) => {
  const lines = [[""]];
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    const line = lines.at(-1);
    if (quoted) {
      if (char === '"' && text[i + 1] === '"') { line[line.length - 1] += '"'; i += 1; }
      else if (char === '"') quoted = false;
      else line[line.length - 1] += char;
    } else if (char === '"' && line.at(-1) === "") quoted = true;
    else if (char === "\t") line.push("");
    else if (char === "\n") lines.push([""]);
    else if (char !== "\r") line[line.length - 1] += char;
  }
  if (lines.length > 1 && lines.at(-1).length === 1 && lines.at(-1)[0] === "") lines.pop();
  return lines;
};
