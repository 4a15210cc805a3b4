// Vendored: edit metrics/_shared/space_ui/texts.js and run `make vendor`.
// Texts as nodes: white space that is easily overlooked is drawn, and two texts are marked where they differ.

import { drawing, make } from "./dom.js";

export const SIGNS = { hit: "✓", near: "≈", miss: "✗" };
const SPACES = { " ": "␣", "\n": "↵", "\t": "⇥", "\r": "␍" };
const SHOWN = 600;
const MARKED = 240; // longer texts are not compared letter by letter: it is slow, and nobody reads it
const ALIKE = 0.4; // below it two texts have too little in common for marks to tell anything

const spaces = (text) => make("span", { class: "ws", text: [...text].map((one) => SPACES[one] ?? "␣").join("") });

export const visible = (text, whole = false) => {
  if (!text) return [make("span", { class: "nil", text: "empty" })];
  const shown = whole || text.length <= SHOWN ? text : `${text.slice(0, SHOWN)} …`;
  const start = shown.length - shown.trimStart().length;
  const end = shown.trimEnd().length;
  if (start >= end) return [spaces(shown)];
  return [start ? spaces(shown.slice(0, start)) : "", shown.slice(start, end), end < shown.length ? spaces(shown.slice(end)) : ""].filter(Boolean);
};

// The longest common subsequence of two texts, as runs: [text, whether it is in both].
const runs = (left, right) => {
  const a = [...left];
  const b = [...right];
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  const sides = [[], []];
  const add = (side, sign, shared) => {
    const last = sides[side].at(-1);
    if (last && last[1] === shared) last[0] += sign;
    else sides[side].push([sign, shared]);
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { add(0, a[i], true); add(1, b[j], true); i += 1; j += 1; }
    else if (j >= b.length || (i < a.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) { add(0, a[i], false); i += 1; }
    else { add(1, b[j], false); j += 1; }
  }
  return { sides, ratio: (2 * table[0]) / Math.max(1, a.length + b.length) };
};

// Two texts as nodes, with marks where they differ.
export const marked = (left, right, whole = false) => {
  const plain = () => [visible(left, whole), visible(right, whole)];
  if (!left || !right || Math.max(left.length, right.length) > MARKED) return plain();
  const { sides, ratio } = runs(left, right);
  if (ratio < ALIKE) return plain();
  return sides.map((side) => side.map(([text, shared]) => (shared ? text : make("mark", {}, text.trim() ? text : spaces(text)))));
};

// A text with a phrase in it marked, letter case aside.
export const highlighted = (text, phrase) => {
  const start = phrase ? text.toLowerCase().indexOf(phrase.toLowerCase()) : -1;
  if (start < 0 || text.toLowerCase().length !== text.length) return visible(text, true);
  const end = start + phrase.length;
  return [text.slice(0, start), make("mark", { text: text.slice(start, end) }), text.slice(end)];
};

// A text with some places marked, which count characters as Python does.
export const markedAt = (text, places) => {
  const signs = [...text];
  let last = 0;
  const nodes = [];
  for (const [start, end] of places) {
    nodes.push(signs.slice(last, start).join(""), make("mark", { text: signs.slice(start, end).join("") }));
    last = end;
  }
  return [...nodes, signs.slice(last).join("")];
};

const SPANS = {
  text: ([text]) => [text],
  soft: ([text]) => [make("span", { class: "soft", text: text ? ` · ${text}` : " · " })],
  code: ([text], whole) => [make("code", {}, visible(text, whole))],
  inside: ([before, match, after], whole) => [
    make("code", {}, whole ? before : before.slice(-160), make("mark", { text: match }), whole ? after : after.slice(0, 160)),
  ],
  pair: ([left, right, sign, spoken], whole) => {
    const [one, other] = marked(left, right, whole);
    return [make("code", {}, one), make("span", { class: "op", role: "img", "aria-label": spoken, text: sign }), make("code", {}, other)];
  },
  odds: ([share]) => {
    const bar = drawing("svg", { class: "odds", width: 92, height: 10, "aria-hidden": "true" });
    bar.append(drawing("rect", { class: "fill", width: 92 * share, height: 10 }));
    return [bar];
  },
  chip: ([title, outcome, score]) => [
    make("span", { class: `chip ${outcome}` }, make("b", { "aria-hidden": "true", text: SIGNS[outcome] }), ` ${title} `, make("em", { text: score.toFixed(2) })),
  ],
};

// An explanation, which the server gives as a list of [kind, ...values].
export const explain = (spans, whole = false) => spans.flatMap(([kind, ...values]) => SPANS[kind](values, whole));

// A cell: one text, several acceptable ones, or numbered parts with what each of them matches.
export const cellNodes = (cell, whole = false) => {
  if (typeof cell === "string") return visible(cell, whole);
  if (!cell.length) return [make("span", { class: "nil", text: "none" })];
  if (typeof cell[0] === "string") {
    return cell.length === 1 ? visible(cell[0], whole) : [make("ul", {}, cell.map((text) => make("li", { dir: "auto" }, visible(text, whole))))];
  }
  return [make("ul", { class: "parts" }, cell.map((part) => make(
    "li", { class: part.outcome, dir: "auto" }, make("b", { "aria-hidden": "true", text: SIGNS[part.outcome] }), make("em", { text: part.name }), " ",
    ...visible(part.text, whole), part.matches.length ? make("em", { class: "matches", text: ` matches ${part.matches.join(", ")}` }) : "",
  )))];
};
