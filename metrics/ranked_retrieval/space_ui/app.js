// Vendored: edit metrics/_shared/space_ui/app.js and run `make vendor`.
// The page of a Space: connects rows, options and report, and calls the server.

import { RequestError, button, copyText, count, debounce, make, plural, post, readStore, writeStore } from "./dom.js";
import { Cost } from "./cost.js";
import { percent } from "./figure.js";
import { Grid } from "./grid.js";
import { Options } from "./options.js";
import { Report } from "./report.js";
import { Source } from "./source.js";

const form = JSON.parse(document.getElementById("form-data").textContent);
const $ = (selector) => document.querySelector(selector);
const STORE = `space:${form.name}`;
const live = $("#live");
const status = $("#status");
const compute = $("#compute");

let scored = ""; // fingerprint of the rows and options that the shown result was computed from
let comparing = false;
let reading = Promise.resolve(); // a file that is being read: Compute waits for it
let running = 0;
let inFlight = null; // fingerprint of the rows that are being scored
let isStarting = false; // whether the visitor is being asked to confirm the cost
let isViewChanged = false; // whether filters or the order have changed since they were stored
let linked = null; // fingerprint of the rows that the address of the page contains

const announce = (text) => { live.textContent = ""; setTimeout(() => { live.textContent = text; }, 30); };

const say = (text, { failed = false, undo = null } = {}) => {
  status.replaceChildren(text ?? "");
  status.classList.toggle("failed", failed);
  if (undo) status.append(" ", button("Undo", () => { restore(undo); say("Undone."); }, { class: "undo" }));
  if (text) announce(text);
};

// ---- state of the page

const columnsNow = () => (comparing ? form.compared_columns : form.columns);

const grid = new Grid($("#rows"), { columns: columnsNow(), changed: (text, before) => { if (text) say(text, { undo: before && { ...snapshot(), rows: before } }); changed(); }, dropped: (file) => source.readFile(file) });
const options = new Options($("#options"), { controls: form.controls, changed: () => changed() });
const report = new Report($("#report"), { filtered: () => keepView() });
const key = $("#key-field");
const cost = new Cost({ ask: () => post("space/quote", { rows: grid.rows, options: options.values }), state: () => fingerprint(), announce: (text) => announce(text) });

const snapshot = () => ({ rows: grid.rows.map((row) => [...row]), options: { ...options.values }, comparing });
const fingerprint = () => JSON.stringify([grid.filled, options.values, comparing]);

const setComparing = (isOn) => {
  comparing = isOn;
  const box = $("#compare");
  if (box) box.checked = isOn;
  if ($("#second")) $("#second").hidden = !isOn;
  // Scores of a judge are compared as given: options have no effect.
  $("#options").hidden = isOn && Boolean(form.key);
  grid.setColumns(columnsNow());
};

// A call may cost money if a key is used; comparing existing scores does not.
const isFree = () => !form.key || comparing || $("#key").hidden;

// Whether system A has data and system B has none.
const awaitsSecond = () => {
  if (!comparing) return false;
  const isFilled = (name) => {
    const x = form.compared_columns.findIndex((column) => column.name === name);
    return grid.rows.some((row) => row[x].trim());
  };
  return form.compared_columns.some(({ name, separate, optional }) => separate && !optional && isFilled(name.slice(0, -2)) && !isFilled(name));
};

const restore = (state) => {
  setComparing(Boolean(state.comparing));
  grid.setRows(state.rows);
  options.set(state.options);
  changed();
};

const changed = () => {
  if (status.classList.contains("failed")) say(""); // the error was about the previous rows
  const filled = grid.filled.length;
  $("#count").textContent = plural(filled, "row");
  if (key) $("#key").hidden = comparing || !options.isVisible(form.key.visible_if);
  document.documentElement.dataset.state = "changing";
  refresh();
};

const refresh = debounce(() => {
  report.markStale(scored !== "" && scored !== fingerprint());
  $("#bar-score").classList.toggle("stale", scored !== "" && scored !== fingerprint());
  if (linked !== null && linked !== fingerprint()) { linked = null; writeHash(); } // else a reload would undo the edits
  writeStore(STORE, { ...snapshot(), view: report.view, scored: scored === fingerprint() });
  if (isViewChanged) writeHash();
  isViewChanged = false;
  document.documentElement.dataset.state = "settled";
}, 120);

const keepView = () => {
  isViewChanged = true;
  document.documentElement.dataset.state = "changing";
  refresh();
};

// ---- computing

const show = (answer, asked) => {
  report.show(answer);
  scored = asked;
  const [head] = answer.scores;
  $("#bar-score").textContent = answer.side_by_side ? "" : `${head.name} ${percent(head.value)}`;
  announce(answer.announcement);
  refresh();
};

const fail = (message) => {
  report.showError(message);
  scored = "";
  $("#bar-score").textContent = "";
  announce(`Couldn’t compute. ${message}`);
};

// The button is not disabled, which would take the focus away from it.
const setBusy = (isBusy) => {
  compute.setAttribute("aria-disabled", String(isBusy));
  compute.classList.toggle("busy", isBusy);
  compute.textContent = isBusy ? "Computing …" : "Compute";
};

const run = async () => {
  const number = ++running;
  inFlight = fingerprint();
  setBusy(true);
  try {
    await reading;
    const asked = fingerprint();
    inFlight = asked;
    const headers = key && !$("#key").hidden && key.value.trim() ? { "X-Judge-Key": key.value.trim() } : {};
    const answer = await post("space/score", { rows: grid.rows, options: options.values, comparing }, headers);
    if (number === running) show(answer, asked);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (number === running) fail(error.message);
  } finally {
    if (number === running) { inFlight = null; setBusy(false); }
  }
};

const computeNow = async () => {
  if (isStarting || inFlight === fingerprint()) return; // pressed twice
  isStarting = true;
  try {
    if (key && !$("#key").hidden && key.value.trim() && !(await cost.allowed())) return;
  } finally { isStarting = false; }
  await run();
  const top = $("#report").getBoundingClientRect().top;
  if (top >= 0 && top < window.innerHeight * 0.7) return;
  const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  $("#report").scrollIntoView({ behavior: reducedMotion ? "auto" : "smooth", block: "start" });
};

compute.addEventListener("click", computeNow);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing && !$("#panel-try").hidden) {
    event.preventDefault();
    computeNow();
  }
});

// ---- examples, files, the Hub

const load = (rows, text, before) => {
  grid.setRows(rows);
  changed();
  say(awaitsSecond() ? `${text} Now upload system B.` : text, { undo: before });
  if (isFree() && !awaitsSecond()) run(); // the visitor starts calls that may cost money
};

const source = new Source({
  form, columns: columnsNow, say,
  loaded: (rows, text) => load(rows, text, snapshot()),
  paired: () => grid.filled,
  awaitsSecond,
  compareFiles: () => { setComparing(true); changed(); },
  reading: (promise) => { reading = promise.catch(() => {}); },
});

$("#example").addEventListener("change", (event) => {
  const example = form.examples[Number(event.target.value)];
  if (!example) return;
  const before = snapshot();
  source.closeMapping();
  if (comparing !== Boolean(example.comparing)) setComparing(!comparing);
  options.set(example.options);
  grid.setRows(example.rows);
  changed();
  say(`${example.note}`, { undo: before });
  event.target.value = "";
  if (example.answer) show(example.answer, fingerprint());
  else if (isFree()) run();
});

$("#clear").addEventListener("click", () => {
  const before = snapshot();
  source.closeMapping();
  grid.setRows([]);
  changed();
  say("Cleared.", { undo: before });
  grid.focusCell(0, 0);
});

$("#compare")?.addEventListener("change", (event) => {
  setComparing(event.target.checked);
  changed();
});

// ---- tabs, links, reload

const TABS = ["try", "api", "card"];
const readHash = () => new URLSearchParams(location.hash.slice(1));

const selectTab = (name, focus = false) => {
  for (const tab of TABS) {
    const isOn = tab === name;
    const head = $(`#tab-${tab}`);
    if (!head) continue;
    head.setAttribute("aria-selected", String(isOn));
    head.tabIndex = isOn ? 0 : -1;
    $(`#panel-${tab}`).hidden = !isOn;
    if (isOn && focus) head.focus();
  }
};

const writeHash = () => {
  const tab = TABS.find((name) => $(`#tab-${name}`)?.getAttribute("aria-selected") === "true") ?? "try";
  const parameters = new URLSearchParams();
  if (tab !== "try") parameters.set("tab", tab);
  const { outcome, label, text, order } = report.view;
  for (const [name, value] of Object.entries({ outcome, label, text, order: order === "given" ? "" : order })) {
    if (value && tab === "try") parameters.set(name, value);
  }
  const hash = parameters.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
};

document.querySelectorAll('[role="tab"]').forEach((head) => {
  head.addEventListener("click", () => { selectTab(head.id.slice(4)); writeHash(); });
  head.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const present = TABS.filter((tab) => $(`#tab-${tab}`));
    selectTab(present[(present.indexOf(head.id.slice(4)) + step + present.length) % present.length], true);
    writeHash();
  });
});

const followLink = async (packed) => {
  try {
    const opened = await post("space/open", { packed });
    setComparing(Boolean(opened.comparing));
    grid.setRows(opened.rows);
    options.set(opened.options);
    linked = fingerprint();
    changed();
    say("Loaded from a shared link.");
    if (isFree()) await run(); else { report.clear(); scored = ""; }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    fail(error.message);
  }
};

const start = () => {
  const hash = readHash();
  const kept = readStore(STORE);
  const example = form.examples[0];
  for (const name of ["outcome", "label", "text", "order"]) {
    const value = hash.get(name) ?? kept?.view?.[name];
    if (value) report.view[name] = value;
  }
  report.compared = Boolean(kept?.comparing); // keeps the restored view
  selectTab(TABS.includes(hash.get("tab")) ? hash.get("tab") : "try");
  if (hash.get("rows")) {
    grid.setRows(example.rows);
    options.set(example.options);
    followLink(hash.get("rows"));
    return;
  }
  if (kept?.tooLarge) say("Your previous rows were too large to keep. Load their file again.");
  if (kept?.rows) {
    const isExample = JSON.stringify([kept.rows, kept.options]) === JSON.stringify([example.rows, { ...options.values, ...example.options }]);
    restore(kept);
    if (isExample) { show(form.answer, fingerprint()); say(example.note); }
    else {
      say("Restored your previous rows.");
      if (isFree() && kept.scored) run();
    }
    return;
  }
  options.set(example.options);
  grid.setRows(example.rows);
  changed();
  if (form.answer) show(form.answer, fingerprint());
  if (example.recorded && !kept?.tooLarge) say(example.note);
};

window.addEventListener("hashchange", () => {
  const hash = readHash();
  if (hash.get("rows")) followLink(hash.get("rows"));
  else selectTab(TABS.includes(hash.get("tab")) ? hash.get("tab") : "try");
});

// ---- code to copy, with the address of this page

const address = `${location.origin}${location.pathname.replace(/\/$/, "")}`;
document.querySelectorAll("#panel-api pre code").forEach((code) => { code.textContent = code.textContent.replaceAll("ORIGIN", address); });
document.querySelectorAll(".copy").forEach((copy) => copy.addEventListener("click", () => copyText(copy.parentElement.querySelector("code").textContent, copy)));

if (/Mac|iPhone|iPad/.test(navigator.platform)) $("#shortcut").textContent = "⌘ + Enter";

const scheme = new URLSearchParams(location.search).get("__theme");
if (scheme === "light" || scheme === "dark") document.documentElement.dataset.theme = scheme;

window.addEventListener("beforeprint", () => report.showAll());
window.addEventListener("afterprint", () => report.showPage());

start();
document.documentElement.dataset.ready = "yes";
