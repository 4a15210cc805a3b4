// Vendored: edit metrics/_shared/space_ui/figure.js and run `make vendor`.
// Charts of a result: scores with intervals, a bar of outcomes, a histogram; and the figure for download.

import { count, drawing, make, saveFile } from "./dom.js";
import { SIGNS } from "./texts.js";

const HEIGHT = 28;

export const percent = (value) => `${(100 * value).toFixed(1).replace(/\.0$/, "")}%`;

export const interval = (score, level) => (
  score.low === null || score.low === undefined ? "" : `${+(100 * level).toFixed(1)}% CI ${percent(score.low).slice(0, -1)}–${percent(score.high)}`
);

const track = (score, level) => {
  const at = (value) => `${(100 * value).toFixed(2)}%`;
  const label = `${score.name} ${score.value.toFixed(3)}${score.low === null ? "" : `, ${interval(score, level)}`}`;
  const svg = drawing("svg", { role: "img", "aria-label": label, width: "100%", height: HEIGHT });
  svg.append(drawing("line", { class: "axis", x1: 0, x2: "100%", y1: 14, y2: 14 }));
  for (const x of [0, 25, 50, 75, 100]) svg.append(drawing("line", { class: "tick", x1: `${x}%`, x2: `${x}%`, y1: 11, y2: 17 }));
  if (score.low !== null) {
    svg.append(drawing("rect", { class: "band", x: at(score.low), y: 8, width: at(Math.max(score.high - score.low, 0.004)), height: 12, rx: 2 }));
    for (const end of [score.low, score.high]) svg.append(drawing("line", { class: "end", x1: at(end), x2: at(end), y1: 5, y2: 23 }));
  }
  svg.append(drawing("circle", { class: "halo", cx: at(score.value), cy: 14, r: 8 }), drawing("circle", { class: "point", cx: at(score.value), cy: 14, r: 5.5 }));
  return svg;
};

export const drawTracks = (scores, level) => {
  const isMultiple = scores.length > 1;
  const rows = scores.map((score) => make(
    "div", { class: "track" },
    isMultiple ? make("span", { class: "track-name", text: score.name }) : null,
    track(score, level),
    isMultiple ? make("span", { class: "track-value", text: score.value.toFixed(3) }) : null,
  ));
  const scale = make("div", { class: "scale", "aria-hidden": "true" }, ["0", ".25", ".5", ".75", "1"].map((text) => make("span", { text })));
  return make("div", { class: isMultiple ? "tracks multiple" : "tracks" }, rows, scale);
};

// The number of examples of each label, as a bar and as buttons that filter the table.
export const drawGroups = (labels, counts, press) => {
  const total = [...counts.values()].reduce((sum, size) => sum + size, 0) || 1;
  const bar = make("div", {
    class: "bar", role: "img",
    "aria-label": labels.map(([label]) => `${counts.get(label) ?? 0} ${label}`).join(", "),
  }, labels.filter(([label]) => counts.get(label)).map(([label, outcome]) => {
    const part = make("i", { class: outcome });
    part.style.flexGrow = counts.get(label);
    return part;
  }));
  const keys = labels.map(([label, outcome]) => make(
    "button", { type: "button", class: `key ${outcome}`, "data-label": label, "aria-pressed": "false", on: { click: () => press(label) } },
    make("b", { "aria-hidden": "true", text: SIGNS[outcome] }), ` ${label} `,
    make("span", { text: count(counts.get(label) ?? 0) }), make("em", { text: ` ${percent((counts.get(label) ?? 0) / total)}` }),
  ));
  return make("div", { class: "groups" }, bar, keys);
};

export const drawHistogram = ({ title, bins }) => {
  const highest = Math.max(...bins, 1);
  const label = bins.map((size, index) => (size ? `${size} from ${index / 10} to ${(index + 1) / 10}` : "")).filter(Boolean).join(", ");
  const bars = bins.map((size) => {
    const bar = make("i");
    bar.style.height = `${(56 * size) / highest}px`;
    return make("div", { class: "bin" }, make("span", { text: size ? count(size) : "" }), bar);
  });
  return make(
    "div", { class: "histogram" }, make("h3", { text: title }),
    make("div", { class: "bins", role: "img", "aria-label": `${title}: ${label}` }, bars),
    make("div", { class: "scale", "aria-hidden": "true" }, ["0", ".5", "1"].map((text) => make("span", { text }))),
  );
};

// The scores with their intervals as a standalone SVG for papers, dark on white.
export const figureText = (answer) => {
  const [left, width, row] = [150, 420, 34];
  const height = answer.scores.length * row + 64;
  const text = (x, y, content, extra = {}) => {
    const node = drawing("text", { x, y, "font-size": 13, fill: "#1c2126", ...extra });
    node.textContent = content;
    return node;
  };
  const svg = drawing("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 720 ${height}`, width: 720, height, "font-family": "IBM Plex Sans, Helvetica, Arial, sans-serif" });
  svg.append(drawing("rect", { width: 720, height, fill: "#ffffff" }));
  const x = (value) => left + width * value;
  answer.scores.forEach((score, index) => {
    const y = 26 + index * row;
    svg.append(text(left - 14, y + 4, score.name, { "text-anchor": "end" }), drawing("line", { x1: x(0), x2: x(1), y1: y, y2: y, stroke: "#8b8f8c" }));
    if (score.low !== null) {
      svg.append(drawing("rect", { x: x(score.low), y: y - 6, width: Math.max(x(score.high) - x(score.low), 1), height: 12, fill: "#2a4fa8", opacity: 0.28 }));
    }
    const ends = score.low === null ? "" : ` [${(100 * score.low).toFixed(1)}, ${(100 * score.high).toFixed(1)}]`;
    svg.append(drawing("circle", { cx: x(score.value), cy: y, r: 5, fill: "#2a4fa8" }), text(left + width + 14, y + 4, `${(100 * score.value).toFixed(1)}${ends}`));
  });
  const bottom = 20 + answer.scores.length * row;
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(drawing("line", { x1: x(value), x2: x(value), y1: bottom - 6, y2: bottom, stroke: "#8b8f8c" }));
    svg.append(text(x(value), bottom + 14, String(100 * value), { "text-anchor": "middle", "font-size": 11, fill: "#5a636b" }));
  }
  svg.append(text(left, bottom + 34, `${answer.title} in %, n = ${answer.examples.length}; ${+(100 * answer.level).toFixed(1)}% confidence intervals`, { "font-size": 11, fill: "#5a636b" }));
  return new XMLSerializer().serializeToString(svg);
};

export const savePng = async (answer) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(figureText(answer))}`;
  await image.decode();
  const canvas = make("canvas", { width: 3 * image.width, height: 3 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  saveFile(blob, `${answer.name}.png`, "image/png");
};
