// The page around the report: what is out of date, which rule holds, and what Gradio's components do not do themselves.
// Gradio calls the functions of `page` by name; what they return goes into its components.

const page = {
  // defaults, values, presets, needs (another option and its values), parts, used (options with an effect, by part),
  // cards (options, by part), fillings (of the components of rows, by part and card, and empty ones), systems (names in
  // the same order), titles, choices, offered (values of the choices) and common options, rules
  ...JSON.parse(document.getElementById("page-settings").textContent),
  own: {}, // parts whose rows are the visitor's
  place: {}, // of the card that was chosen last, by part
  calls: 0,

  update: (properties) => ({ __type__: "update", ...properties }),
  partOf: (element) => page.parts.find((part) => element.closest(`.${part}`)),
  shown: () => page.parts.find((part) => document.querySelector(`.part.${part}`)?.offsetParent) ?? page.parts[0],
  find: (part, selector) => document.querySelector(`.part.${part} ${selector}`),
  report: (part) => document.getElementById(`report-${part}`),
  chosenCards: (part) => [...document.querySelectorAll(`.part.${part} .cards input`)],
  card: (part) => Math.max(page.chosenCards(part).findIndex((card) => card.checked), 0),
  names: { score: "", compare: "" }, // of the systems, by part

  // What the server gets with a call.
  sent: (part, more = {}) => ({ options: page.values, names: page.names[part], card: page.card(part), ...more }),
  sources: (part) => ({
    paste: page.find(part, ".paste textarea").value,
    hub: page.find(part, ".hub input").value,
    fields: Object.fromEntries(page.fields(part).map(({ name, value }) => [name, value])),
  }),
  fields: (part) => [...document.querySelectorAll(`.part.${part} .mapping select`)], // for the columns of a file

  // ---- what is out of date

  // Rows, options or names changed: the report is out of date. Without a part, all reports.
  edited: (part) => {
    for (const name of part ? [part] : page.parts) {
      const state = page.report(name).dataset;
      state.stale = state.edited = "";
    }
  },
  typed: (part) => {
    page.own[part] = true;
    page.edited(part);
  },
  cleared: (part) => {
    page.typed(part);
    page.find(part, ".sources").classList.remove("open");
    page.ready();
  },

  // A call begins. Its report will be up to date unless something is edited, or asked, meanwhile.
  asked: (part, call, table) => {
    page.notes(part, ".failed").forEach((note) => {
      note.hidden = true;
    });
    page.calls += 1;
    const state = page.report(part).dataset;
    delete state.edited;
    state.asked = state.busy = call;
    if (call === "example") page.own[part] = false;
    return [page.sent(part), ...table];
  },
  answered: (part, call) => {
    const root = page.report(part);
    const state = root.dataset;
    delete state.busy;
    page.notes(part, "[data-recorded]").forEach((note) => {
      note.dataset.recorded = call === "rows" ? "replaced" : "";
    });
    if (state.asked !== call) state.stale = "";
    else if (state.edited === undefined) delete state.stale;
    page.sync();
    page.ready();
    if (innerWidth < 901) root.scrollIntoView({ behavior: "smooth" }); // on a phone, it is below the rows
  },
  // Gradio has drawn what it got two frames later.
  ready: () => requestAnimationFrame(() => requestAnimationFrame(page.open)),
  open: () => {
    page.sync();
    document.querySelectorAll(".report").forEach((root) => {
      if (root.rowsId !== root.dataset.id) report.open(root);
    });
  },
  notes: (part, kind) => [...document.querySelectorAll(`.part.${part} p.note${kind}`)],

  // Rows were read from a file or a text. One that cannot be read changes nothing.
  loaded: (part, sent, isNew) => {
    // Gradio changes the fields of the file before, with what was chosen there.
    if (isNew) requestAnimationFrame(() => page.fields(part).forEach((field) => {
      field.value = field.querySelector("[selected]")?.value ?? "";
    }));
    page.names[part] = sent.names ?? page.names[part];
    page.notes(part, "").forEach((note) => {
      note.hidden = false; // the same message again, which a call has hidden since
    });
    const { calls } = page;
    setTimeout(() => {
      const note = page.find(part, "p.note");
      if (!note?.matches(".failed:not([data-waiting])")) {
        page.own[part] = true;
        if (page.calls === calls) page.edited(part); // a call since then has these rows
      }
      if (!note?.matches(".failed")) page.find(part, ".sources").classList.remove("open");
      note?.scrollIntoView({ behavior: "smooth", block: "nearest" });
      page.sync();
    }, 100);
  },

  // ---- rules

  // Values that the options have under a preset.
  implied: (preset) => ({ ...page.defaults, ...page.presets[preset] }),
  reset: () => {
    const { preset } = page.values;
    page.values = { ...page.implied(preset), preset };
    page.edited();
    page.sync();
  },
  // Rows of a card are there at once, and so never replace what the visitor does meanwhile. At -1, there are none.
  fill: (part, card = page.card(part)) => {
    page.names[part] = page.systems[part].at(card);
    page.find(part, ".paste textarea").value = "";
    page.find(part, ".hub input").value = "";
    return page.fillings[part].at(card);
  },
  // A card sets its options; its rows are loaded unless the table has the visitor's own.
  picked: (part) => {
    page.place[part] = page.card(part);
    page.values = { ...page.cards[part][page.place[part]] };
    page.sync();
    page.edited(); // the options are those of all parts
    if (!page.own[part]) page.find(part, ".try").click();
  },
  // A visitor changed an option.
  chose: (name, { type, checked, value, valueAsNumber }) => {
    const number = Number.isNaN(valueAsNumber) ? "" : valueAsNumber;
    page.values[name] = { radio: page.offered[name][value], checkbox: checked, number }[type] ?? value;
    page.edited();
    page.sync();
  },
  matters: (chosen) => (name) => !(name in page.needs) || page.needs[name].slice(1).includes(chosen[page.needs[name][0]]),

  // State the rule of each part, choose the card that has these options, show the options that matter.
  sync: () => {
    const { parts, values } = page;
    const matters = page.matters(values);
    const same = (part, options) =>
      page.used[part].every((name) => !(name in values) || !matters(name) || values[name] === options[name]);
    // What is said about an example holds under its options.
    document.querySelectorAll("p.note[data-options]").forEach((note) => {
      const options = JSON.parse(note.dataset.options);
      note.hidden = note.dataset.recorded === "replaced" || !same(page.partOf(note), { ...page.implied(options.preset), ...options });
    });
    for (const part of parts) {
      const fits = page.cards[part].map((options) => same(part, options));
      const fitting = fits[page.place[part]] ? page.place[part] : fits.indexOf(true);
      page.chosenCards(part).forEach((card, place) => {
        card.checked = place === fitting;
      });
      const rule = page.find(part, ".rule");
      if (!rule) continue; // a tab that was never open
      const { sentence, changed } = page.rule(part, values, matters);
      rule.querySelector("p").textContent = sentence;
      rule.querySelector("button").hidden = !changed;
      page.show(page.find(part, ".names input"), page.names[part]);
    }
    document.querySelectorAll(".option").forEach((option) => {
      const { name } = option.dataset;
      option.hidden = !matters(name);
      option.querySelectorAll("input").forEach((field) => {
        if (field.type === "radio") field.checked = page.offered[name][field.value] === values[name];
        else if (field.type === "checkbox") field.checked = values[name];
        else page.show(field, values[name]);
      });
    });
  },
  show: (field, value) => {
    if (field && field !== document.activeElement) field.value = value;
  },

  // The rule of a part as a sentence, and whether it differs from that of its preset.
  rule: (part, chosen, matters) => {
    const implied = page.implied(chosen.preset);
    const used = page.used[part].filter((name) => name in chosen && name !== "preset" && matters(name));
    const changed = used.filter((name) => chosen[name] !== implied[name]);
    const stated = (name) => {
      const value = chosen[name];
      const choice = page.choices[name][value] ?? (value === true ? "yes" : value === false ? "no" : value === "" ? "none" : value);
      return `${page.titles[name]}: ${choice}`;
    };
    const base = page.rules[chosen.preset];
    const common = base ? [] : page.common.filter((name) => used.includes(name) && !changed.includes(name));
    const exceptions = changed.map(stated).join(" · ");
    const like = base ? `As for “${page.choices.preset[chosen.preset]}”, except: ${exceptions}` : `Changed: ${exceptions}`;
    const sentences = [base && !changed.length ? base : "", common.map(stated).join(" · "), changed.length ? like : ""];
    return { sentence: sentences.filter(Boolean).join(". "), changed: changed.length > 0 };
  },

  // ---- rows

  addRows: ({ headers, data }) => ({ headers, data: [...data, ...Array(3).fill(headers.map(() => ""))] }),
  addColumns: (headings, { headers, data }) => {
    const value = { headers: headings, data: data.map((row) => headings.map((name) => row[headers.indexOf(name)] ?? "")) };
    return page.update({ value, column_widths: headings.map(() => "150px") });
  },
  openSources: (part) => {
    page.find(part, ".sources").classList.toggle("open");
    page.find(part, ".paste textarea").focus();
  },
  // The first time that a tab is opened, it shows its example.
  opened: (part, delay = 0) =>
    setTimeout(() => {
      const [report, example] = [page.report(part), page.find(part, ".try")];
      if (!report || !example) return page.opened(part, 50); // Gradio has not drawn them yet
      page.sync();
      if (!report.querySelector(".report") && !page.own[part]) example.click();
    }, delay),
  start: () => {
    if (location.hash.startsWith("#rows=")) document.getElementById("open-link").click();
    page.ready();
  },
  link: () => {
    page.parts.forEach((part) => { page.own[part] = true; });
    return { link: location.hash.slice(1) };
  },
  // The rows and options of a link.
  arrived: (sent) => {
    if (sent?.options) {
      const { part, options, names } = sent;
      page.values = options;
      page.names[part] = names;
    }
    page.ready();
  },
  // A visitor's labels of the rows that were drawn.
  labels: () => {
    const form = document.querySelector("form.labels");
    const chosen = [...new FormData(form)].map(([name, value]) => [name.replace("row-", ""), value === "right"]);
    form.querySelectorAll("fieldset:not(:has(:checked))").forEach((row, place) => {
      row.dataset.left = "";
      if (!place) row.scrollIntoView({ behavior: "smooth", block: "center" });
    });
    return { rows: Number(form.dataset.rows), labels: Object.fromEntries(chosen) };
  },

  // Put a text into one of Gradio's fields.
  put: (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  },
  // Open the field of a cell, and give it the keys that a function returns when it is there.
  write: (cell, take) => {
    cell.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
    setTimeout(() => {
      const field = document.activeElement;
      const keys = take();
      if (!field.matches(".rows textarea")) return;
      let typed = "";
      while (keys[0]?.written || keys[0]?.key === "Backspace") {
        const { key, written } = keys.shift();
        typed = written ? typed + key : typed.slice(0, -1);
      }
      page.put(field, typed);
      if (keys.length) field.dispatchEvent(new KeyboardEvent("keydown", { ...keys.shift(), bubbles: true, cancelable: true }));
      if (keys[0]?.written) setTimeout(() => page.write(document.activeElement.closest("[role=gridcell]") ?? cell, () => keys), 50);
    }, 100);
  },
};

const editing = (target) => target.matches?.(".rows textarea, .rows input");

// Gradio's events do not say whether a visitor or a handler changed an option, and tell of a cell when it is left only.
let before = null; // the state of the report, and the text, when the field of a cell was opened
document.addEventListener("focusin", ({ target }) => {
  if (!editing(target)) return;
  const part = page.partOf(target);
  before = { part, own: page.own[part], state: { ...page.report(part).dataset } };
  requestAnimationFrame(() => {
    before.text = target.value; // Gradio sets it one frame later
  });
});
document.addEventListener(
  "input",
  ({ target }) => {
    const option = target.closest(".option");
    if (option) page.chose(option.dataset.name, target);
    else if (target.closest(".cards")) page.picked(page.partOf(target));
    else if (target.closest(".mapping")) page.find(page.partOf(target), ".choose").click();
    else if (target.closest(".names")) {
      page.names[page.partOf(target)] = target.value;
      page.edited(page.partOf(target));
    } else if (editing(target)) page.typed(page.partOf(target));
    else if (target.closest("fieldset[data-left]")) delete target.closest("fieldset").dataset.left;
  },
  true,
);
document.addEventListener("click", ({ target }) => {
  if (target.closest(".reset")) page.reset();
  const button = target.closest(".unfold");
  if (!button) return;
  button.ariaExpanded = String(button.ariaExpanded === "false");
  if (button.closest(".fold") && !document.querySelector(".card")) document.getElementById("read-card").click();
});
// Escape restores the text of a cell, and so the report is what it was.
document.addEventListener("keydown", ({ key, target }) => {
  if (key !== "Escape" || !before || !editing(target)) return;
  const { part, own, state, text } = before;
  page.put(target, text);
  page.own[part] = own;
  for (const name of ["stale", "edited"]) if (!(name in state)) delete page.report(part).dataset[name];
}, true);
// A link to other rows of the page that is open.
addEventListener("hashchange", ({ oldURL, newURL }) => {
  if (/#rows=/.test(oldURL + newURL)) location.reload();
});

// Of what is typed into a selected cell, Gradio's table loses what comes before its field.
let early = null;
document.addEventListener(
  "keydown",
  (event) => {
    const { key, shiftKey, target } = event;
    const cell = target.closest?.(".rows [role=gridcell]");
    const written = key.length === 1 && (event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey || event.altKey));
    const starts = written && !event.isComposing && !target.closest("button, input, textarea");
    const kept = early ? written || ["Backspace", "Enter", "Tab"].includes(key) : starts;
    if (!event.isTrusted || !cell || !kept) return;
    event.preventDefault();
    event.stopPropagation();
    if (!early) {
      early = [];
      page.write(cell, () => {
        const keys = early;
        early = null;
        return keys;
      });
    }
    early.push({ key, shiftKey, written });
  },
  true,
);

// Gradio's table takes nothing from the clipboard: a text is written into the cell, cells go through the field for a table.
document.addEventListener(
  "paste",
  (event) => {
    const { target } = event;
    const field = target.closest?.(".paste textarea");
    if (field && !field.value) return setTimeout(() => page.find(page.partOf(field), ".load").click(), 300);
    const rows = target.closest?.(".rows");
    if (!rows || /TEXTAREA|INPUT/.test(target.tagName)) return;
    const text = event.clipboardData.getData("text").replace(/\r\n?/g, "\n").replace(/\n$/, "");
    const cell = target.closest("[role=gridcell]");
    const part = page.partOf(rows);
    event.preventDefault();
    if (cell && !text.includes("\t")) return page.write(cell, () => [{ key: text, written: true }, { key: "Enter" }]);
    page.put(page.find(part, ".paste textarea"), text);
    page.put(page.find(part, ".sources .hub input"), "");
    setTimeout(() => page.find(part, ".load").click(), 300);
  },
  true,
);

// A file that is dropped anywhere is uploaded like any other; Gradio's table would only fill the cells.
const carries = (event) => event.dataTransfer?.types.includes("Files");
document.addEventListener("dragover", (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  document.body.dataset.dropping = "";
}, true);
document.addEventListener("dragleave", ({ relatedTarget }) => {
  if (!relatedTarget) delete document.body.dataset.dropping;
}, true);
document.addEventListener("drop", (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  event.stopPropagation();
  delete document.body.dataset.dropping;
  const field = page.find(page.shown(), ".own input[type=file]");
  field.files = event.dataTransfer.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  event.target.dispatchEvent(new DragEvent("dragleave", { bubbles: true }));
}, true);
