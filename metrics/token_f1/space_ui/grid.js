// Vendored: edit metrics/_shared/space_ui/grid.js and run `make vendor`.
// The table of rows that can be edited. Gradio calls this with `element`, `props`, `trigger` and `watch`. Texts of
// visitors only ever become text nodes or the values of text areas here, never HTML.

const SHOWN = 200;
const root = element.querySelector(".grid");
const columns = props.columns;
let rows = [];

const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};

const empty = () => columns.map(() => "");
const publish = () => { props.value = JSON.stringify({ rows }); };
const grow = (area) => {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
};

const status = make("p", { class: "status", role: "status" });
const body = make("tbody");
const count = make("span", { class: "count" });
const picker = make("input", { type: "file", accept: ".csv,.tsv,.txt,.json,.jsonl,.ndjson", hidden: true });
const open = make("button", { type: "button", text: "Open a file" });
const paste = make("button", { type: "button", text: "Paste a table", "aria-expanded": "false", "aria-controls": "paste-box" });
const clear = make("button", { type: "button", text: "Clear" });
const add = make("button", { type: "button", class: "add", text: "+ Add a row" });
const area = make("textarea", {
  rows: 5, "aria-label": "Rows to paste", spellcheck: false,
  placeholder: "Paste cells from a spreadsheet, or CSV, or JSON lines.\nColumn names in the first line are understood.",
});
const use = make("button", { type: "button", class: "use", text: "Use these rows" });
const box = make("div", { class: "paste-box", id: "paste-box", hidden: true }, area, use);
const several = columns.find((column) => column.kind === "answers");
const lists = columns.find((column) => column.kind === "list");
const hint = make("p", { class: "hint" });
if (several) hint.append("Several acceptable answers: ", make("code", { text: "Paris | City of Light" }), " or ", make("code", { text: '["Paris", "City of Light"]' }), ". ");
if (lists) hint.append("Chunks: one to a line, or ", make("code", { text: "one | two" }), ", or a JSON list; an empty cell is an empty list.");

const head = make("tr", {}, make("th", { scope: "col", text: "#" }));
for (const column of columns) head.append(make("th", { scope: "col", text: column.label }));
head.append(make("th", { scope: "col" }, make("span", { class: "sr", text: "Delete" })));
root.classList.toggle("stacked", columns.length > 3);
const table = make("table", { "aria-label": "Rows to score" }, make("thead", {}, head), body);
root.append(
  make("div", { class: "bar" }, open, paste, clear, count), box, status,
  make("div", { class: "cells" }, table), make("div", { class: "under" }, add, hint), picker,
);

const say = (text, failed = false) => {
  status.textContent = text || "";
  status.classList.toggle("failed", failed);
};

const recount = () => {
  const filled = rows.filter((row) => row.some((cell) => cell.trim())).length;
  count.textContent = `${filled.toLocaleString("en")} ${filled === 1 ? "row" : "rows"}`
    + (rows.length > SHOWN ? `, the first ${SHOWN} shown` : "");
};

const draw = () => {
  const shown = rows.slice(0, SHOWN);
  body.replaceChildren(...shown.map((row, y) => {
    const line = make("tr", {}, make("th", { scope: "row", text: String(y + 1) }));
    row.forEach((cell, x) => {
      const field = make("textarea", { rows: 1, "aria-label": `${columns[x].label}, row ${y + 1}`, spellcheck: false });
      field.value = cell;
      field.dataset.x = x;
      field.dataset.y = y;
      line.append(make("td", { "data-name": columns[x].label }, field));
    });
    const remove = make("button", { type: "button", class: "remove", "aria-label": `Delete row ${y + 1}`, text: "×" });
    remove.dataset.y = y;
    line.append(make("td", { class: "tool" }, remove));
    return line;
  }));
  body.querySelectorAll("textarea").forEach(grow);
  recount();
};

const receive = () => {
  let given = {};
  try { given = JSON.parse(props.value || "{}"); } catch { given = {}; }
  if (given.error) {
    say(given.error, true);
    publish();
    return;
  }
  if (given.rows) rows = given.rows.map((row) => [...row]);
  if (!rows.length) rows = [empty()];
  say(given.note);
  draw();
  if (given.note !== undefined) { box.hidden = true; paste.setAttribute("aria-expanded", "false"); area.value = ""; }
};

const focus = (x, y) => body.querySelector(`textarea[data-x="${x}"][data-y="${y}"]`)?.focus();

body.addEventListener("input", (event) => {
  const { x, y } = event.target.dataset;
  rows[y][x] = event.target.value;
  grow(event.target);
  recount();
  publish();
});

body.addEventListener("keydown", (event) => {
  const { x, y } = event.target.dataset;
  if (event.target.tagName !== "TEXTAREA" || event.key !== "Enter" || event.isComposing) return;
  if (event.ctrlKey || event.metaKey) { event.preventDefault(); trigger("submit"); return; }
  if (event.shiftKey || columns[x].kind === "list") return;
  event.preventDefault();
  if (Number(y) === rows.length - 1) { rows.push(empty()); publish(); draw(); }
  focus(x, Number(y) + 1);
});

// Several cells from a spreadsheet fill the cells from here on; what has column names goes the way of a file.
const cells = (text) => {
  const lines = [[""]];
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i];
    const line = lines.at(-1);
    if (quoted) {
      if (sign === '"' && text[i + 1] === '"') { line[line.length - 1] += '"'; i += 1; }
      else if (sign === '"') quoted = false;
      else line[line.length - 1] += sign;
    } else if (sign === '"' && line.at(-1) === "") quoted = true;
    else if (sign === "\t") line.push("");
    else if (sign === "\n") lines.push([""]);
    else if (sign !== "\r") line[line.length - 1] += sign;
  }
  if (lines.length > 1 && lines.at(-1).length === 1 && lines.at(-1)[0] === "") lines.pop();
  return lines;
};

body.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const x = Number(event.target.dataset.x);
  const y = Number(event.target.dataset.y);
  if (Number.isNaN(x) || !(text.includes("\t") || (text.includes("\n") && columns[x].kind !== "list"))) return;
  event.preventDefault();
  const pasted = cells(text);
  if (x === 0 && y === 0 && pasted[0].length >= columns.length) { trigger("upload", { text, name: "pasted.tsv" }); return; }
  pasted.forEach((line, i) => {
    while (rows.length <= y + i) rows.push(empty());
    line.forEach((cell, j) => { if (x + j < columns.length) rows[y + i][x + j] = cell; });
  });
  publish();
  draw();
  focus(x, y);
  say(`${pasted.length} rows pasted.`);
});

body.addEventListener("click", (event) => {
  if (!event.target.matches(".remove")) return;
  const y = Number(event.target.dataset.y);
  rows.splice(y, 1);
  if (!rows.length) rows = [empty()];
  publish();
  draw();
  body.querySelectorAll(".remove")[Math.min(y, rows.length - 1)]?.focus();
});

add.addEventListener("click", () => {
  rows.push(empty());
  publish();
  draw();
  focus(0, rows.length - 1);
});

clear.addEventListener("click", () => {
  rows = [empty()];
  publish();
  draw();
  say("");
  focus(0, 0);
});

paste.addEventListener("click", () => {
  box.hidden = !box.hidden;
  paste.setAttribute("aria-expanded", String(!box.hidden));
  if (!box.hidden) area.focus();
});
use.addEventListener("click", () => trigger("upload", { text: area.value, name: "" }));

const read = async (file) => {
  if (!file) return;
  if (file.size > props.max_characters) { say(`The file is too large: ${file.size.toLocaleString("en")} bytes.`, true); return; }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) ? "utf-16le" : (bytes[0] === 0xfe && bytes[1] === 0xff) ? "utf-16be" : "utf-8";
  let text;
  try { text = new TextDecoder(wide, { fatal: true }).decode(bytes); } catch {
    say("The file is no UTF-8 text. Save it as CSV UTF-8.", true);
    return;
  }
  trigger("upload", { text, name: file.name });
};
open.addEventListener("click", () => picker.click());
picker.addEventListener("change", () => { read(picker.files[0]); picker.value = ""; });
root.addEventListener("dragover", (event) => { event.preventDefault(); root.classList.add("over"); });
root.addEventListener("dragleave", () => root.classList.remove("over"));
root.addEventListener("drop", (event) => {
  event.preventDefault();
  root.classList.remove("over");
  read(event.dataTransfer.files[0]);
});
window.addEventListener("hashchange", () => { if (location.hash.startsWith("#rows=")) location.reload(); });

watch("value", receive);
receive();
