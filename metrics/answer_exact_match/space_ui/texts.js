// Vendored: edit metrics/_shared/space_ui/texts.js and run `make vendor`.
// Texts as nodes: whitespace at the ends is made visible, and differences between two texts are highlighted.

import { drawing, make } from "./dom.js";

export const SIGNS = { hit: "✓", near: "≈", miss: "✗" };
const SPACES = { " ": "␣", "\n": "↵", "\t": "⇥", "\r": "␍" };
const SHOWN = 600;
const MAX_MARKED = 240; // longer texts are not compared character by character: slow, and hard to read
const MIN_RATIO = 0.4; // below this similarity, highlighting differences is not helpful

const spaces = (text) => make("span", { class: "ws", text: [...text].map((char) => SPACES[char] ?? "␣").join("") });

const visible = (text, whole = false) => {
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
  const add = (side, char, shared) => {
    const last = sides[side].at(-1);
    if (last && last[1] === shared) last[0] += char;
    else sides[side].push([char, shared]);
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { add(0, a[i], true); add(1, b[j], true); i += 1; j += 1; }
    else if (j >= b.length || (i < a.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) { add(0, a[i], false); i += 1; }
    else { add(1, b[j], false); j += 1; }
  }
  return { sides, ratio: (2 * table[0]) / Math.max(1, a.length + b.length) };
};

// Two texts as nodes, with their differences highlighted.
const marked = (left, right, whole = false) => {
  const plain = () => [visible(left, whole), visible(right, whole)];
  if (!left || !right || Math.max(left.length, right.length) > MAX_MARKED) return plain();
  const { sides, ratio } = runs(left, right);
  if (ratio < MIN_RATIO) return plain();
  return sides.map((side) => side.map(([text, shared]) => (shared ? text : make("mark", {}, text.trim() ? text : spaces(text)))));
};

// A text with the first occurrence of a phrase highlighted, ignoring case.
export const highlighted = (text, phrase) => {
  const start = phrase ? text.toLowerCase().indexOf(phrase.toLowerCase()) : -1;
  if (start < 0 || text.toLowerCase().length !== text.length) return visible(text, true);
  const end = start + phrase.length;
  return [text.slice(0, start), make("mark", { text: text.slice(start, end) }), text.slice(end)];
};

// A text with spans highlighted, whose offsets count code points as in Python.
export const markedAt = (text, spans) => {
  const chars = [...text];
  let last = 0;
  const nodes = [];
  for (const [start, end] of spans) {
    nodes.push(chars.slice(last, start).join(""), make("mark", { text: chars.slice(start, end).join("") }));
    last = end;
  }
  return [...nodes, chars.slice(last).join("")];
};

const SPANS = {
  text: ([text]) => [text],
  soft: ([text]) => [make("span", { class: "soft", text: text ? ` · ${text}` : " · " })],
  code: ([text], whole) => [make("code", {}, visible(text, whole))],
  inside: ([before, match, after], whole) => [
    make("code", {}, whole ? before : before.slice(-160), make("mark", { text: match }), whole ? after : after.slice(0, 160)),
  ],
  pair: ([left, right, sign, spoken], whole) => {
    const [leftNodes, rightNodes] = marked(left, right, whole);
    return [make("code", {}, leftNodes), make("span", { class: "op", role: "img", "aria-label": spoken, text: sign }), make("code", {}, rightNodes)];
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

// An explanation, a list of [kind, ...values] from the server.
export const explain = (spans, whole = false) => spans.flatMap(([kind, ...values]) => SPANS[kind](values, whole));

// A cell: one text, several acceptable texts, or numbered parts with their matches.
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
