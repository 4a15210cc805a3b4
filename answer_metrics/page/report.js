// The rows of a report: filtered, sorted, in pages; what is copied and saved. Also part of a saved report.

const report = {
  ROWS: 50, // of a page
  ASKED: 200, // rows whose reasons the server gives in one call

  // The rows of a report: those that the server drew, then the others, which are drawn when they are shown.
  // Gradio puts a new report into the elements of the one before, so that only its id tells them apart.
  rowsOf: (root) => {
    if (root.rowsId !== root.dataset.id) {
      root.rowsId = root.dataset.id;
      const drawn = [...root.querySelectorAll(".rows-of > tbody")].map((element) => {
        const { row, outcome, score, group } = element.dataset;
        return { element, row: Number(row), outcome, score: parseFloat(score), group };
      });
      const { rows = [], ...looks } = JSON.parse(root.querySelector(".others")?.textContent ?? "{}");
      const others = rows.map(([row, outcome, score, group, cells]) => ({ row, outcome, score: score ?? NaN, group, cells }));
      root.rows = [...drawn, ...others];
      root.looks = looks;
    }
    return root.rows;
  },

  // The element of a row that the server did not draw.
  draw: (root, { row, outcome, cells }) => {
    const { signs, outcomes } = root.looks;
    const body = document.createElement("tbody");
    body.className = `row ${outcomes[outcome]}`;
    const line = body.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.append(report.span("badge", `${signs[outcomes[outcome]]} ${outcome}`), report.span("place", row));
    line.append(head);
    const names = [...root.querySelectorAll(".rows-of thead th")].slice(1).map((column) => column.textContent);
    cells.forEach((text, place) => {
      const cell = line.insertCell();
      cell.dataset.name = names[place];
      cell.dir = "auto";
      cell.textContent = text;
    });
    return body;
  },

  // Ask for the reasons of those of some rows that have none yet, and for what is marked in their cells. A row that was
  // asked for has the promise of its reason, and none if the server did not answer.
  explain: (root, rows) => {
    const left = rows.filter(({ cells, asked }) => cells && !asked);
    const answer = left.length ? report.explained(root, left) : null;
    for (const row of left) {
      row.asked = answer.catch(() => {
        row.asked = null;
      });
    }
    return Promise.all(rows.map((row) => row.asked));
  },
  explained: async (root, rows) => {
    const { columns, options, systems } = root.looks;
    const records = rows.map(({ cells }) => Object.fromEntries(columns.map((name, place) => [name, cells[place]])));
    const body = JSON.stringify({ data: [[root.dataset.method, records, systems, options]] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${gradio_config.root}/gradio_api/run/explain_rows`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(answer.statusText);
    const { data } = await answer.json();
    const explained = new DOMParser().parseFromString(data[0].html, "text/html");
    for (const source of explained.querySelectorAll(".rows-of > tbody")) {
      const { element } = rows[source.dataset.row - 1];
      const cells = [...element.querySelectorAll("td")];
      for (const cell of source.querySelectorAll("td[data-name]")) cells.find((old) => old.dataset.name === cell.dataset.name).replaceWith(cell);
      const why = source.querySelector(".why");
      if (!why) continue;
      why.firstElementChild.colSpan = cells.length;
      element.append(why);
      element.querySelector("th").rowSpan = 2;
    }
  },

  span: (name, text) => {
    const element = document.createElement("span");
    element.className = name;
    element.textContent = text;
    return element;
  },

  // A new report begins with all rows.
  open: (root) => {
    root.querySelectorAll(".find, .group, .sort").forEach((field) => {
      field.value = "";
    });
    root.querySelectorAll(".differing, .key input").forEach((box) => {
      box.checked = box.value === "";
    });
    report.show(root);
  },

  // Show the page of rows that fit what the visitor chose.
  show: (root, page = 0) => {
    const value = (selector) => root.querySelector(selector)?.value ?? "";
    const outcome = value(".key input:checked");
    const group = value(".group");
    const words = value(".find").toLowerCase();
    const differing = root.querySelector(".differing")?.checked;
    const text = (row) => (row.text ??= (row.cells?.join("\n") ?? row.element.textContent).toLowerCase());
    const fits = report.rowsOf(root).filter(
      (row) =>
        (!outcome || row.outcome === outcome) &&
        (!group || row.group === group) &&
        (!differing || row.outcome !== "same score") &&
        (!words || text(row).includes(words)),
    );
    const last = (row, missing) => (Number.isNaN(row.score) ? missing : row.score);
    const orders = {
      row: (a, b) => a.row - b.row,
      low: (a, b) => last(a, Infinity) - last(b, Infinity) || a.row - b.row,
      high: (a, b) => last(b, -Infinity) - last(a, -Infinity) || a.row - b.row,
    };
    if (orders[value(".sort")]) fits.sort(orders[value(".sort")]);
    const start = page * report.ROWS;
    const shown = fits.slice(start, start + report.ROWS);
    const table = root.querySelector(".rows-of");
    table.replaceChildren(table.tHead, ...shown.map((row) => (row.element ??= report.draw(root, row))));
    root.querySelector(".none").hidden = fits.length > 0;
    report.explain(root, shown);
    const pages = root.querySelector(".pages");
    pages.hidden = fits.length <= report.ROWS;
    pages.dataset.page = page;
    pages.querySelector("span").textContent =
      `${(start + 1).toLocaleString("en")}–${(start + shown.length).toLocaleString("en")} of ${fits.length.toLocaleString("en")}`;
    pages.querySelector(".previous").disabled = page === 0;
    pages.querySelector(".next").disabled = start + shown.length >= fits.length;
  },

  // A page of its own with the whole report, which needs no server: all rows are drawn, and have their reasons.
  save: async (root) => {
    const rows = report.rowsOf(root);
    const button = root.querySelector(".whole");
    button.disabled = true;
    for (const row of rows) row.element ??= report.draw(root, row);
    for (let start = 0; start < rows.length; start += report.ASKED) {
      await report.explain(root, rows.slice(start, start + report.ASKED));
    }
    button.disabled = false;
    const copy = root.cloneNode(true);
    const all = rows.map((row) => row.element.cloneNode(true));
    copy.querySelector(".rows-of").replaceChildren(root.querySelector(".rows-of thead").cloneNode(true), ...all);
    copy.querySelectorAll(".whole, .others").forEach((element) => element.remove());
    const without = rows.filter(({ cells, asked }) => cells && !asked).length;
    if (without) copy.prepend(report.span("notice", `The server did not give the reasons of ${without} rows.`));
    const link = copy.querySelector("a.link");
    if (link) link.href = root.querySelector("a.link").href;
    const part = (id) => document.getElementById(id).textContent;
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title></title>`;
    const page = document.implementation.createHTMLDocument("");
    page.head.innerHTML = head;
    page.title = root.dataset.title;
    page.documentElement.lang = "en";
    page.documentElement.className = document.body.classList.contains("dark") ? "dark" : "";
    const style = page.createElement("style");
    style.textContent = `${part("report-style")}\nbody { max-width: 900px; margin: 24px auto; padding: 0 16px; background: var(--paper); }`;
    page.head.append(style);
    page.body.append(copy);
    const script = page.createElement("script");
    script.textContent = `${part("report-script")}\nreport.open(document.querySelector(".report"));`;
    page.body.append(script);
    const saved = document.createElement("a");
    saved.href = URL.createObjectURL(new Blob([`<!doctype html>${page.documentElement.outerHTML}`], { type: "text/html" }));
    saved.download = `${root.dataset.name}.html`;
    saved.click();
    setTimeout(() => URL.revokeObjectURL(saved.href), 10_000);
  },

  copy: (button) => {
    const text = button.href ?? button.parentElement.querySelector("pre").textContent;
    navigator.clipboard.writeText(text).then(() => {
      button.dataset.done = "";
      setTimeout(() => delete button.dataset.done, 1500);
    });
  },
};

document.addEventListener("input", ({ target }) => {
  const root = target.closest(".report");
  if (root && target.matches(".find, .group, .sort, .differing, .key input")) report.show(root);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest(".report button, .report a.link, [data-copy]");
  const root = button?.closest(".report");
  if (!button) return;
  if (button.matches("[data-copy]")) {
    event.preventDefault(); // a link would load the page again
    report.copy(button);
  } else if (button.matches(".whole")) report.save(root);
  else if (button.matches(".previous, .next")) {
    report.show(root, Number(button.parentElement.dataset.page) + (button.matches(".next") ? 1 : -1));
  }
});
