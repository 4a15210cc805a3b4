// Vendored: edit metrics/_shared/space_ui/options.js and run `make vendor`.
// The options of a metric as fields, from the declarations that the server hands over.

import { make } from "./dom.js";

const ONE_LINE = 44; // characters of choices that fit beside each other

export class Options {
  constructor(root, { controls, changed }) {
    this.controls = controls;
    this.changed = changed;
    this.values = Object.fromEntries(controls.map((one) => [one.name, one.default]));
    this.fields = new Map();
    const common = controls.filter((one) => one.common).map((one) => this.build(one));
    const others = controls.filter((one) => !one.common).map((one) => this.build(one));
    if (common.length) root.append(make("div", { class: "options" }, common));
    if (others.length) {
      const more = make("details", { class: "options more-options" }, make("summary", { text: "More options" }), others);
      root.append(more);
    }
    this.update();
  }

  build(one) {
    const id = `option-${one.name}`;
    const help = one.help ? make("p", { class: "help", id: `${id}-help`, text: one.help }) : null;
    const described = help ? `${id}-help` : null;
    let body;
    let read;
    let write;
    if (one.kind === "flag") {
      const box = make("input", { type: "checkbox", id, "aria-describedby": described });
      read = () => box.checked;
      write = (value) => { box.checked = value; };
      body = [make("label", { class: "check", for: id }, box, make("span", { text: one.label })), help];
    } else if (one.kind === "choice" && one.choices.join("").length <= ONE_LINE) {
      const radios = one.choices.map((choice) => make("input", { type: "radio", name: id, value: JSON.stringify(choice) }));
      read = () => JSON.parse(radios.find((radio) => radio.checked)?.value ?? "null");
      write = (value) => radios.forEach((radio) => { radio.checked = radio.value === JSON.stringify(value); });
      const labels = radios.map((radio, index) => make("label", { class: "radio" }, radio, make("span", { text: one.choices[index] ?? "none" })));
      body = [make("fieldset", { "aria-describedby": described }, make("legend", { text: one.label }), help, make("div", { class: "radios" }, labels))];
    } else if (one.kind === "choice") {
      const select = make("select", { id, "aria-describedby": described }, one.choices.map((choice) => make("option", { value: JSON.stringify(choice), text: choice ?? "none" })));
      read = () => JSON.parse(select.value);
      write = (value) => { select.value = JSON.stringify(value); };
      body = [make("label", { for: id, text: one.label }), help, select];
    } else if (one.kind === "number" && one.low !== null && one.high !== null) {
      const margin = one.exclusive ? 0.01 : 0;
      const range = make("input", { type: "range", id, min: String(one.low + margin), max: String(one.high - margin), step: "0.01", "aria-describedby": described });
      const exact = make("input", { type: "number", min: String(one.low), max: String(one.high), step: "any", "aria-label": `${one.label}, exact value` });
      range.addEventListener("input", () => { exact.value = range.value; });
      exact.addEventListener("input", () => { range.value = exact.value; });
      read = () => (exact.value === "" ? null : Number(exact.value));
      write = (value) => { range.value = value; exact.value = value; };
      body = [make("label", { for: id, text: one.label }), help, make("div", { class: "slider" }, range, exact)];
    } else {
      const isNumber = one.kind === "number" || one.kind === "integer";
      const field = make("input", {
        type: isNumber ? "number" : "text", id, "aria-describedby": described, autocomplete: "off", spellcheck: false,
        step: one.kind === "integer" ? "1" : "any", min: one.low === null ? null : String(one.low),
        max: one.high === null ? null : String(one.high), placeholder: one.default === null ? "not set" : null,
      });
      read = () => (field.value.trim() === "" ? null : isNumber ? Number(field.value) : field.value.trim());
      write = (value) => { field.value = value ?? ""; };
      body = [make("label", { for: id, text: one.label }), help, field];
    }
    const node = make("div", { class: "option", "data-option": one.name }, body);
    node.addEventListener("input", () => {
      this.values[one.name] = read();
      this.update();
      this.changed();
    });
    write(one.default);
    this.fields.set(one.name, { node, write, one });
    return node;
  }

  // Give every field its value, those that are not named their defaults.
  set(values) {
    for (const [name, { write, one }] of this.fields) {
      this.values[name] = name in values ? values[name] : one.default;
      write(this.values[name]);
    }
    this.update();
  }

  isVisible(condition) { return !condition || condition[1].includes(this.values[condition[0]]); }

  update() {
    for (const { node, one } of this.fields.values()) node.hidden = !this.isVisible(one.visible_if);
  }
}
