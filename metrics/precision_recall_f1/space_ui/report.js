// Vendored: edit metrics/_shared/space_ui/report.js and run `make vendor`.
// The report of a result: score and interval, outcomes, the table of examples, exports.

import { button, copyText, count, make, saveFile } from "./dom.js";
import { drawGroups, drawHistogram, drawTracks, figureText, interval, percent, savePng } from "./figure.js";
import { SIGNS, cellNodes, explain, highlighted, markedAt } from "./texts.js";

const PAGE = 50;
const MAX_EXPORTED = 2000; // rows of an HTML report; browsers open larger files slowly
const ORDERS = { given: "In the given order", lowest: "Lowest score first", highest: "Highest score first" };
const BOM = "\ufeff"; // without it Excel does not read the CSV as UTF-8

// A code name with a line break opportunity after each underscore.
const breakable = (name) => name.split(/(?<=_)/).flatMap((part) => [part, make("wbr")]);

export class Report {
  constructor(root, { filtered }) {
    this.root = root;
    this.filtered = filtered;
    this.compared = false; // whether the result compares two systems; then regressions come first
    this.view = { outcome: "", label: "", text: "", order: "given", page: 0 };
    this.dialog = make("dialog", { class: "drawer", "aria-label": "Example in full" });
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
    this.dialog.addEventListener("keydown", (event) => {
      const name = { ArrowLeft: "previous", ArrowRight: "next" }[event.key];
      if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.dialog.querySelector(`.${name}`).click();
    });
    document.body.append(this.dialog);
  }

  show(answer) {
    this.answer = answer;
    this.view.page = 0;
    if (!answer.order !== !this.compared) {
      this.compared = Boolean(answer.order);
      Object.assign(this.view, { order: answer.order ?? "given", outcome: "" });
    }
    if (!answer.labels.some(([label]) => label === this.view.label)) this.view.label = "";
    this.counts = new Map();
    for (const { label } of answer.examples) this.counts.set(label, (this.counts.get(label) ?? 0) + 1);
    this.root.replaceChildren(this.draw());
    this.fillTable();
  }

  showError(message) {
    this.answer = null;
    this.root.replaceChildren(make(
      "section", { class: "report failed", "aria-label": "Result" },
      make("h2", {}, make("b", { "aria-hidden": "true", text: "!" }), "Couldn’t compute"),
      make("p", { dir: "auto", text: message }),
    ));
  }

  clear() { this.answer = null; this.root.replaceChildren(); }

  markStale(isStale) { this.root.querySelector(".report")?.classList.toggle("stale", isStale); }

  draw() {
    const { answer } = this;
    const [head] = answer.scores;
    const headline = make(
      "div", { class: answer.side_by_side ? "headline side-by-side" : "headline" },
      answer.side_by_side ? null : make(
        "div", { class: "figure" }, make("span", { class: "name", text: head.name }), make("strong", { text: percent(head.value) }),
        make("span", { class: "exact", text: head.value.toFixed(4) }),
      ),
      make(
        "div", { class: "drawn" }, drawTracks(answer.scores, answer.level),
        make("p", { class: "sentence" }, answer.sentence, " ", answer.side_by_side ? "" : make("span", { class: "interval", text: interval(head, answer.level) })),
      ),
    );
    const figures = answer.figures.map(({ name, text, help }) => make(
      "div", { title: help }, make("dt", {}, breakable(name)), make("dd", { text }),
    ));
    return make(
      "section", { class: "report", "aria-label": "Result" },
      make("h2", { class: "sr", text: "Result" }),
      make("p", { class: "outdated", text: "Outdated: the rows or options have changed since. Compute again." }),
      answer.notices.map((text) => make("p", { class: "notice", dir: "auto", text })),
      headline,
      drawGroups(answer.labels, this.counts, (label) => this.toggle("label", label)),
      answer.histogram ? drawHistogram(answer.histogram) : null,
      figures.length ? make("dl", { class: "figures" }, figures) : null,
      this.drawExport(),
      this.drawTableHead(),
      make("p", { class: "shown" }),
      make("table", { "aria-label": "Example by example" },
        make("thead", {}, make("tr", {}, ["Outcome", ...answer.columns].map((text) => make("th", { scope: "col", text }))))),
      make("div", { class: "pager", hidden: true }),
      make("p", { class: "footnote", text: answer.footnote }),
    );
  }

  drawExport() {
    const { answer } = this;
    const link = () => `${location.origin}${location.pathname}#${answer.link}`;
    const copying = (label, text) => button(label, (event) => copyText(text(), event.currentTarget));
    const saving = (label, save) => button(label, save, { class: "save", "aria-label": `Download ${label}` });
    const { name } = answer;
    const shared = copying("Copy link", link);
    if (!answer.link) {
      shared.disabled = true;
      shared.title = "Too many rows for a link: download the JSON file instead.";
    }
    return make(
      "div", { class: "export", role: "group", "aria-label": "Export" },
      shared,
      copying("Copy Python", () => answer.snippet),
      answer.paper ? copying("Copy as Markdown", () => answer.paper.markdown) : null,
      answer.paper ? copying("Copy as LaTeX", () => answer.paper.latex) : null,
      saving("JSON", () => saveFile(answer.json, `${name}.json`, "application/json")),
      saving("CSV", () => saveFile(BOM + answer.csv, `${name}.csv`, "text/csv;charset=utf-8")),
      saving("SVG", () => saveFile(figureText(answer), `${name}.svg`, "image/svg+xml")),
      saving("PNG", () => savePng(answer)),
      saving("HTML report", () => this.saveHtml()),
    );
  }

  drawTableHead() {
    const { filter } = this.answer;
    const search = make("input", { type: "search", class: "filter", "aria-label": "Filter the examples by text", placeholder: "Filter by text", value: this.view.text });
    search.addEventListener("input", () => this.change({ text: search.value }));
    const orders = Object.entries(ORDERS).map(([value, text]) => make("option", { value, text, selected: value === this.view.order }));
    const order = make("select", { class: "order", "aria-label": "Order of the examples" }, orders);
    order.addEventListener("change", () => this.change({ order: order.value }));
    return make(
      "div", { class: "table-head" }, make("h3", { text: "Example by example" }),
      make(
        "div", { class: "filters" },
        button(filter.text, () => this.toggle("outcome", filter.outcome), { class: "only", "aria-pressed": "false" }),
        order, search,
      ),
    );
  }

  toggle(kind, value) { this.change({ [kind]: this.view[kind] === value ? "" : value }); }

  change(view) {
    Object.assign(this.view, { page: 0 }, view);
    if (this.answer) this.fillTable();
    this.filtered(this.view);
  }

  found() {
    const { outcome, label } = this.view;
    const text = this.view.text.trim().toLowerCase();
    const found = this.answer.examples.map((example, index) => ({ example, index })).filter(({ example }) => (
      (!outcome || (outcome[0] === "!" ? example.outcome !== outcome.slice(1) : example.outcome === outcome)) && (!label || example.label === label)
      && (!text || example.search.includes(text))
    ));
    return this.sorted(found);
  }

  sorted(found) {
    const { order } = this.view;
    if (order === "given") return found;
    const sign = order === "lowest" ? 1 : -1;
    return found.sort((a, b) => sign * ((a.example.score ?? 2) - (b.example.score ?? 2)) || a.index - b.index);
  }

  // For a print: all pages of the table, but not more than a browser lays out quickly.
  showAll() { if (this.answer) this.fillTable(MAX_EXPORTED); }

  showPage() { if (this.answer) this.fillTable(); }

  fillTable(size = PAGE) {
    const { examples } = this.answer;
    if (examples.length && examples[0].search === undefined) {
      const beside = (why) => why.filter(([kind]) => kind === "soft").map(([, text]) => text);
      for (const example of examples) example.search = JSON.stringify([example.cells, beside(example.why)]).toLowerCase();
    }
    this.root.querySelector(".only")?.setAttribute("aria-pressed", String(Boolean(this.view.outcome)));
    this.root.querySelectorAll(".key").forEach((key) => key.setAttribute("aria-pressed", String(key.dataset.label === this.view.label)));
    const found = this.found();
    const pages = Math.max(1, Math.ceil(found.length / size));
    const page = size === PAGE ? Math.min(this.view.page, pages - 1) : 0;
    const table = this.root.querySelector("table");
    table.querySelectorAll("tbody").forEach((body) => body.remove());
    table.append(...found.slice(page * size, (page + 1) * size).map(({ example, index }) => this.drawExample(example, index)));
    const shown = this.root.querySelector(".shown");
    shown.textContent = found.length === examples.length ? "" : `${found.length ? count(found.length) : "None"} of ${count(examples.length)} examples`;
    const pager = this.root.querySelector(".pager");
    pager.hidden = pages === 1;
    const turn = (to) => () => { this.change({ page: to }); this.root.querySelector(".table-head").scrollIntoView(); };
    pager.replaceChildren(
      button("← Previous", turn(page - 1), { disabled: page === 0 }),
      make("span", { text: `Page ${count(page + 1)} of ${count(pages)}` }),
      button("Next →", turn(page + 1), { disabled: page === pages - 1 }),
    );
  }

  drawExample(example, index, isLive = true) {
    const { columns } = this.answer;
    const cells = (example.parts ?? example.cells).map((cell, x) => make("td", { "data-name": columns[x], dir: "auto" }, cellNodes(cell)));
    const label = [make("b", { "aria-hidden": "true", text: SIGNS[example.outcome] }), ` ${example.label}`];
    const head = make(
      "th", { scope: "row", rowspan: example.why.length ? "2" : "1" }, label,
      isLive
        ? button(`${count(index + 1)} ⤢`, () => this.openDrawer(example, index), { class: "place", "aria-label": `Open example ${index + 1}` })
        : make("span", { class: "place", text: count(index + 1) }),
    );
    return make(
      "tbody", { class: example.outcome, "data-label": example.label }, make("tr", {}, head, cells),
      example.why.length ? make("tr", { class: "why" }, make("td", { colspan: String(columns.length), dir: "auto" }, explain(example.why))) : null,
    );
  }

  firstCell(example, cell) {
    if (example.marks) return markedAt(cell, example.marks);
    const phrase = example.why.find(([kind]) => kind === "inside")?.[2];
    return phrase ? highlighted(cell, phrase) : cellNodes(cell, true);
  }

  openDrawer(example, index) {
    const { columns } = this.answer;
    const texts = (example.parts ?? example.cells).map((cell, x) => make(
      "section", { dir: "auto" }, make("h3", { text: columns[x] }),
      make("div", { class: "full" }, x === 0 && typeof cell === "string" ? this.firstCell(example, cell) : cellNodes(cell, true)),
    ));
    const close = button("Close", () => this.dialog.close(), { class: "close", autofocus: true });
    const found = this.found(); // filtered and sorted as in the table
    const at = found.findIndex((one) => one.index === index);
    const turn = (name, sign, other) => button(sign, () => {
      this.openDrawer(other.example, other.index);
      const pressed = this.dialog.querySelector(`.${name}`);
      (pressed.disabled ? this.dialog.querySelector(".close") : pressed).focus();
    }, { class: name, "aria-label": `${name === "next" ? "Next" : "Previous"} example`, disabled: !other });
    const reasons = example.more ?? (example.why.length ? [["Why", example.why]] : []);
    this.dialog.replaceChildren(
      make("header", {}, make("h2", {}, `Example ${count(index + 1)} · `, make("span", { class: example.outcome }, make("b", { text: `${SIGNS[example.outcome]} ` }), example.label)),
        make("div", { class: "buttons" }, turn("previous", "←", found[at - 1]), turn("next", "→", found[at + 1]), close)),
      ...texts,
      ...reasons.map(([heading, spans]) => make("section", { class: `report-why ${example.outcome}` }, make("h3", { text: heading }), make("p", {}, explain(spans, true)))),
    );
    this.dialog.scrollTop = 0;
    if (!this.dialog.open) this.dialog.showModal();
  }

  // The report as a self-contained HTML file.
  async saveHtml() {
    const { answer } = this;
    const style = await (await fetch(document.querySelector('link[rel="stylesheet"]').href)).text();
    const body = this.draw();
    body.querySelectorAll(".export, .filters, .pager, .outdated, .shown").forEach((node) => node.remove());
    body.querySelectorAll(".key").forEach((key) => key.replaceWith(make("span", { class: key.className }, ...key.childNodes)));
    const examples = this.sorted(answer.examples.map((example, index) => ({ example, index }))).slice(0, MAX_EXPORTED);
    body.querySelector("table").append(...examples.map(({ example, index }) => this.drawExample(example, index, false)));
    if (answer.examples.length > MAX_EXPORTED) body.append(make("p", { text: `The first ${count(MAX_EXPORTED)} of ${count(answer.examples.length)} examples.` }));
    const page = document.implementation.createHTMLDocument(`${answer.title} ${percent(answer.scores[0].value)}`);
    page.documentElement.lang = "en";
    page.head.prepend(make("meta", { charset: "utf-8" }), make("meta", { name: "viewport", content: "width=device-width" }));
    page.head.append(make("style", { text: style.replace(/@font-face\s*{[^}]*}/g, "") }));
    page.body.className = "exported";
    const code = make("pre", {}, make("code", { text: answer.snippet }));
    page.body.append(make("main", {}, make("h1", { text: answer.title }), body, make("h2", { text: "In Python" }), code));
    saveFile(`<!doctype html>\n${page.documentElement.outerHTML}`, `${answer.name}.html`, "text/html;charset=utf-8");
  }
}
