// Vendored: edit metrics/_shared/space_ui/report.js and run `make vendor`.
// The result, its filters and what can be taken away. Gradio calls this with `element`, `props` and `watch`. The HTML is
// the server's, which has escaped what visitors wrote.

const STEP = 100;
const root = element.querySelector(".answer");
let given = {};
let limit = STEP;
let first = true;

const copy = async (text, button, done) => {
  const old = button.dataset.text ?? button.textContent;
  button.dataset.text = old;
  try { await navigator.clipboard.writeText(text); } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "sr";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = done;
  setTimeout(() => { button.textContent = old; }, 1600);
};

const save = (text, name, type) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const filter = () => {
  const text = root.querySelector(".filter")?.value.trim().toLowerCase() ?? "";
  const only = root.querySelector('.only[aria-pressed="true"]')?.dataset.outcome;
  const label = root.querySelector('.key[aria-pressed="true"]')?.dataset.label;
  const all = [...root.querySelectorAll("tbody")];
  const found = all.filter((one) => (!only || one.classList.contains(only))
    && (!label || one.dataset.label === label) && (!text || one.textContent.toLowerCase().includes(text)));
  const shown = new Set(found.slice(0, limit));
  all.forEach((one) => { one.hidden = !shown.has(one); });
  const more = root.querySelector(".more");
  if (more) {
    more.hidden = found.length <= limit;
    more.textContent = `Show ${Math.min(STEP, found.length - limit)} more`;
  }
  const told = root.querySelector(".shown");
  if (told) {
    told.textContent = found.length === all.length ? "" : `${found.length} of ${all.length} examples`;
    if (!found.length) told.textContent = `None of ${all.length} examples`;
  }
};

const actions = () => {
  const report = root.querySelector(".report");
  if (!report || !given.json) return;
  const bar = document.createElement("div");
  bar.className = "away";
  for (const [text, act] of [
    ["Copy Python", (button) => copy(given.snippet, button, "Copied")],
    ["Copy link", (button) => copy(`${location.origin}${location.pathname}#${given.link}`, button, "Copied")],
    ["JSON", () => save(given.json, `${given.name}.json`, "application/json")],
    ["CSV", () => save(given.csv, `${given.name}.csv`, "text/csv")],
  ]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    if (text === "JSON" || text === "CSV") {
      button.className = "save";
      button.setAttribute("aria-label", `Download ${text}`);
    }
    if (text === "Copy link" && !given.link) {
      button.disabled = true;
      button.title = "Too many rows for a link: download the JSON instead.";
    }
    button.addEventListener("click", () => act(button));
    bar.append(button);
  }
  report.querySelector(".table-head").before(bar);
};

const receive = () => {
  try { given = JSON.parse(props.value || "{}"); } catch { given = {}; }
  root.innerHTML = given.html ?? "";
  limit = STEP;
  actions();
  filter();
  const top = root.getBoundingClientRect().top;
  if (first || (top >= 0 && top < window.innerHeight * 0.7)) { first = false; return; }
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
};

root.addEventListener("input", (event) => { if (event.target.matches(".filter")) { limit = STEP; filter(); } });
root.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.matches(".more")) { limit += STEP; filter(); return; }
  if (!button.matches(".only, .key")) return;
  const pressed = button.getAttribute("aria-pressed") === "true";
  if (button.matches(".key")) root.querySelectorAll(".key").forEach((one) => one.setAttribute("aria-pressed", "false"));
  button.setAttribute("aria-pressed", String(!pressed));
  limit = STEP;
  filter();
});

// A result that no longer belongs to what stands beside it says so.
const age = (event) => {
  if (event.target.closest?.(".ask") && !event.target.closest(".paste-box, .examples, #key")) {
    root.querySelector(".report")?.classList.add("stale");
  }
};
document.addEventListener("input", age);

watch("value", receive);
receive();
