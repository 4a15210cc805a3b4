// The options of a metric as form fields, built from the declarations that the server sends.

import { make } from "./dom.js";

const ONE_LINE = 44; // characters of choices that fit on one line

export class Options {
  constructor(root, { controls, changed }) {
    this.controls = controls;
    this.changed = changed;
    this.values = Object.fromEntries(controls.map((control) => [control.name, control.default]));
    this.fields = new Map();
    const common = controls.filter((control) => control.common).map((control) => this.build(control));
    const others = controls.filter((control) => !control.common).map((control) => this.build(control));
    if (common.length) root.append(make("div", { class: "options" }, common));
    if (others.length) {
      const more = make("details", { class: "options more-options" }, make("summary", { text: "More options" }), others);
      root.append(more);
    }
    this.update();
  }

  build(control) {
    const id = `option-${control.name}`;
    const help = control.help ? make("p", { class: "help", id: `${id}-help`, text: control.help }) : null;
    const described = help ? `${id}-help` : null;
    let body;
    let read;
    let write;
    if (control.kind === "flag") {
      const box = make("input", { type: "checkbox", id, "aria-describedby": described });
      read = () => box.checked;
      write = (value) => { box.checked = value; };
      body = [make("label", { class: "check", for: id }, box, make("span", { text: control.label })), help];
    } else if (control.kind === "choice" && control.choice_labels.join("").length <= ONE_LINE) {
      const radios = control.choices.map((choice) => make("input", { type: "radio", name: id, value: JSON.stringify(choice) }));
      read = () => JSON.parse(radios.find((radio) => radio.checked)?.value ?? "null");
      write = (value) => radios.forEach((radio) => { radio.checked = radio.value === JSON.stringify(value); });
      const labels = radios.map((radio, index) => make("label", { class: "radio" }, radio, make("span", { text: control.choice_labels[index] })));
      body = [make("fieldset", { "aria-describedby": described }, make("legend", { text: control.label }), help, make("div", { class: "radios" }, labels))];
    } else if (control.kind === "choice") {
      const select = make("select", { id, "aria-describedby": described }, control.choices.map((choice, index) => make("option", { value: JSON.stringify(choice), text: control.choice_labels[index] })));
      read = () => JSON.parse(select.value);
      write = (value) => { select.value = JSON.stringify(value); };
      body = [make("label", { for: id, text: control.label }), help, select];
    } else if (control.kind === "number" && control.low !== null && control.high !== null) {
      const margin = control.exclusive ? 0.01 : 0;
      const range = make("input", { type: "range", id, min: String(control.low + margin), max: String(control.high - margin), step: "0.01", "aria-describedby": described });
      const exact = make("input", { type: "number", min: String(control.low), max: String(control.high), step: "any", "aria-label": `${control.label}, exact value` });
      range.addEventListener("input", () => { exact.value = range.value; });
      exact.addEventListener("input", () => { range.value = exact.value; });
      read = () => (exact.value === "" ? null : Number(exact.value));
      write = (value) => { range.value = value; exact.value = value; };
      body = [make("label", { for: id, text: control.label }), help, make("div", { class: "slider" }, range, exact)];
    } else {
      const isNumber = control.kind === "number" || control.kind === "integer";
      const field = make("input", {
        type: isNumber ? "number" : "text", id, "aria-describedby": described, autocomplete: "off", spellcheck: false,
        step: control.kind === "integer" ? "1" : "any", min: control.low === null ? null : String(control.low),
        max: control.high === null ? null : String(control.high), placeholder: control.default === null ? "not set" : null,
      });
      read = () => (field.value.trim() === "" ? null : isNumber ? Number(field.value) : field.value.trim());
      write = (value) => { field.value = value ?? ""; };
      body = [make("label", { for: id, text: control.label }), help, field];
    }
    const node = make("div", { class: "option", "data-option": control.name }, body);
    node.addEventListener("input", () => {
      this.values[control.name] = read();
      this.update();
      this.changed();
    });
    write(control.default);
    this.fields.set(control.name, { node, write, control });
    return node;
  }

  // Set all fields; those without a value get their defaults.
  set(values) {
    for (const [name, { write, control }] of this.fields) {
      this.values[name] = name in values ? values[name] : control.default;
      write(this.values[name]);
    }
    this.update();
  }

  isVisible(condition) { return !condition || condition[1].includes(this.values[condition[0]]); }

  update() {
    for (const { node, control } of this.fields.values()) node.hidden = !this.isVisible(control.visible_if);
  }
}
