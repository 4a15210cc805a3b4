const page = {
  ...JSON.parse(document.querySelector("#page-settings").textContent),
  report: () => document.querySelector("#report").dataset,
  update: (more) => ({__type__: "update", ...more}),
  // Values that the options have by default, or under the preset.
  implied: (preset) => ({...page.defaults, ...page.presets[preset]}),
  reset: (values) => {
    const preset = values[page.names.indexOf("preset")], implied = page.implied(preset);
    return page.names.map((name) => name === "preset" ? preset : implied[name]);
  },
  // Run a script, say how many options differ from what is implied, and show those that matter under the others.
  sync: (script, values) => {
    script();
    const {names, used, needs} = page;
    const chosen = Object.fromEntries(names.map((name, place) => [name, values[place] ?? ""])), implied = page.implied(chosen.preset);
    const matters = (name) => !(name in needs) || needs[name].slice(1).includes(chosen[needs[name][0]]);
    // What is said about an example holds under its options.
    document.querySelectorAll("p.note[data-options]").forEach((note) => {
      const options = JSON.parse(note.dataset.options), expected = {...page.implied(options.preset), ...options};
      note.hidden = note.dataset.recorded === "replaced" || names.some((name) => matters(name) && chosen[name] !== expected[name]);
    });
    const lines = used.map((known) => {
      const other = known.filter((name) => name !== "preset" && matters(name) && chosen[name] !== implied[name]);
      const differ = other.length === 1 ? "1 option differs" : `${other.length} options differ`;
      return page.update({visible: other.length > 0, value: `${differ} from the ${chosen.preset ? "preset" : "defaults"}: ${other.join(", ")}`});
    });
    return [...lines, ...Object.keys(needs).map((name) => page.update({visible: matters(name)}))];
  },
  addRows: ({headers, data}) => ({headers, data: [...data, ...Array(3).fill(headers.map(() => ""))]}),
  addColumns: (labels, {headers, data}) => {
    const value = {headers: labels, data: data.map((row) => labels.map((label) => row[headers.indexOf(label)] ?? ""))};
    return page.update({value, column_widths: labels.map(() => "150px")});
  },
  // Rows, options or systems were edited: the report is out of date.
  edited: () => { page.report().stale = page.report().edited = ""; },
  // Open the field of a cell, and give it the keys that a function returns when it is there.
  write: (cell, take) => {
    cell.dispatchEvent(new MouseEvent("dblclick", {bubbles: true}));
    setTimeout(() => {
      const field = document.activeElement, keys = take();
      if (!field.matches(".rows textarea")) return;
      let typed = "";
      while (keys[0]?.written || keys[0]?.key === "Backspace") {
        const {key, written} = keys.shift();
        typed = written ? typed + key : typed.slice(0, -1);
      }
      field.value = typed;
      field.dispatchEvent(new Event("input", {bubbles: true}));
      if (keys.length) field.dispatchEvent(new KeyboardEvent("keydown", {...keys.shift(), bubbles: true, cancelable: true}));
      if (keys[0]?.written) setTimeout(() => page.write(document.activeElement.closest("[role=gridcell]") ?? cell, () => keys), 50);
    }, 100);
  },
  notes: (kind) => [...document.querySelectorAll(`.asked p.note${kind}`)].filter((note) => note.parentElement.offsetParent),
  asked: (call, values) => {
    page.notes(".failed").forEach((note) => { note.hidden = true; });
    delete page.report().edited;
    page.report().asked = page.report().busy = call;
    return values;
  },
  // The report is up to date unless something was edited or asked meanwhile; on a phone, it is below the rows.
  answered: (call) => {
    delete page.report().busy;
    page.notes("[data-recorded]").forEach((note) => { note.dataset.recorded = call.endsWith("rows") ? "replaced" : ""; });
    if (page.report().asked !== call) page.report().stale = "";
    else if (page.report().edited === undefined) delete page.report().stale;
    if (innerWidth < 901) document.querySelector("#report").scrollIntoView({behavior: "smooth"});
  },
  // The note on a file is above the rows, the button for it below them.
  loaded: () => {
    const before = {...page.report()};
    page.edited();
    page.notes(".failed").forEach((note) => { note.hidden = false; });
    setTimeout(() => {
      const note = [...document.querySelectorAll("p.note")].find((one) => one.offsetParent);
      if (note?.matches(".failed")) ["stale", "edited"].filter((key) => !(key in before)).forEach((key) => delete page.report()[key]);
      note?.scrollIntoView({behavior: "smooth", block: "nearest"});
    }, 100);
  },
};
// Gradio's events do not say whether a visitor or a handler changed an option.
document.addEventListener("input", (event) => { if (event.target.closest(".options, .preset")) page.edited(); }, true);
// A link to other rows of the page that is open.
addEventListener("hashchange", ({oldURL, newURL}) => { if (/#rows=/.test(oldURL + newURL)) location.reload(); });
// Of what is typed into a selected cell, Gradio's table loses what comes before its field.
let early = null;
document.addEventListener("keydown", (event) => {
  const {key, shiftKey, target} = event, cell = target.closest?.(".rows [role=gridcell]");
  const written = key.length === 1 && (event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey || event.altKey));
  const kept = early ? written || ["Backspace", "Enter", "Tab"].includes(key) : written && !event.isComposing && !target.closest("button, input, textarea");
  if (!event.isTrusted || !cell || !kept) return;
  event.preventDefault();
  event.stopPropagation();
  if (!early) {
    early = [];
    page.write(cell, () => { const keys = early; early = null; return keys; });
  }
  early.push({key, shiftKey, written});
}, true);
// Gradio's table takes nothing from the clipboard: a text is written into the cell, cells go through the field for a table.
document.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text").replace(/\r\n?/g, "\n").replace(/\n$/, ""), part = event.target.closest?.(".rows")?.closest(".part");
  if (!part || /TEXTAREA|INPUT/.test(event.target.tagName)) return;
  event.preventDefault();
  const cell = event.target.closest("[role=gridcell]");
  if (cell && !text.includes("\t")) return page.write(cell, () => [{key: text, written: true}, {key: "Enter"}]);
  const find = (name) => part.querySelector(name);
  if (!find(".paste")) find(".sources button").click();
  const dataset = find(".sources input");
  if (dataset) {
    dataset.value = "";
    dataset.dispatchEvent(new Event("input", {bubbles: true}));
  }
  // Gradio may empty a field that has just appeared.
  let kept = 0, tries = 0;
  const wait = setInterval(() => {
    const field = find(".paste textarea");
    if (++tries > 100) clearInterval(wait);
    if (!field) return;
    kept = field.value === text ? kept + 1 : 0;
    if (kept === 4) {
      clearInterval(wait);
      find(".load").click();
    } else if (!kept) {
      field.value = text;
      field.dispatchEvent(new Event("input", {bubbles: true}));
    }
  }, 50);
}, true);
// A file that is dropped on the table is uploaded like any other; Gradio would only fill the cells.
document.addEventListener("drop", (event) => {
  const part = event.target.closest?.(".rows")?.closest(".part");
  if (!part || !event.dataTransfer.files.length) return;
  event.preventDefault();
  event.stopPropagation();
  const field = part.querySelector(".bar input[type=file]");
  field.files = event.dataTransfer.files;
  field.dispatchEvent(new Event("change", {bubbles: true}));
  event.target.dispatchEvent(new DragEvent("dragleave", {bubbles: true}));
}, true);
