// Vendored: edit metrics/_shared/space_ui/dom.js and run `make vendor`.
// DOM helpers. Visitors' texts become text nodes or field values, never HTML.

const SVG = "http://www.w3.org/2000/svg";

export const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
};

export const drawing = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};

export const button = (text, onClick, attributes = {}) => make("button", { type: "button", text, on: { click: onClick }, ...attributes });

export const count = (number) => number.toLocaleString("en");

export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

export const debounce = (callback, milliseconds) => {
  let timer;
  return (...given) => { clearTimeout(timer); timer = setTimeout(() => callback(...given), milliseconds); };
};

export const copyText = async (text, pressed) => {
  const before = pressed.dataset.text ?? pressed.textContent;
  pressed.dataset.text = before;
  try { await navigator.clipboard.writeText(text); } catch {
    // A cross-origin iframe, as on the Hub, may not have access to the clipboard.
    const area = make("textarea", { class: "sr", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    pressed.focus();
  }
  pressed.textContent = "Copied";
  setTimeout(() => { pressed.textContent = before; }, 1600);
};

export const saveFile = (content, name, type) => {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

export class RequestError extends Error {}

// Post JSON, or a file's bytes, and return the JSON response.
export const post = async (path, body, headers = {}) => {
  const isFile = body instanceof Blob;
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": isFile ? "application/octet-stream" : "application/json", ...headers },
      body: isFile ? body : JSON.stringify(body),
    });
  } catch {
    throw new RequestError("The Space can't be reached. Check the network, then try again.");
  }
  let answer = {};
  try { answer = await response.json(); } catch { answer = {}; }
  if (!response.ok) throw new RequestError(answer.error || `The Space answered with status ${response.status}.`);
  return answer;
};

export const readStore = (key) => {
  try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; }
};

export const writeStore = (key, value) => {
  try { sessionStorage.setItem(key, JSON.stringify(value)); } catch { sessionStorage.setItem(key, '{"tooLarge": true}'); }
};
