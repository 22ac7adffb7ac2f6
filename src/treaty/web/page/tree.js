// Dependency trees as pictures: words in a line, arcs above them.
import { isRightToLeft, svg, widthOf } from "./dom.js";

const GAP = 22;
const STEP = 26;
const SLOT = 8;
const TIP = 6;

// words: [{form, tag, head, label, forced}], heads from 1, 0 is the root.
// press: called with the number of a word; without it, words are not buttons.
export function drawTree(words, { press = null, chosen = 0, title = "Dependency tree" } = {}) {
  const arcs = words.map((word, i) => ({ from: word.head, to: i + 1, ...word })).filter((arc) => arc.head >= 0);
  const level = levelsOf(arcs);
  const top = Math.max(1, ...arcs.map((arc) => level.get(arc)));
  const base = 14 + STEP * (top + 1);
  const place = placesOf(words, arcs);
  const mirrored = isRightToLeft(words.map((word) => word.form).join(" "));
  const across = (x) => (mirrored ? place.width - x : x);
  const picture = svg("svg", {
    class: "tree",
    width: place.width,
    height: base + 46,
    viewBox: `0 0 ${place.width} ${base + 46}`,
    role: press ? "group" : "img",
    "aria-label": press ? title : `${title}: ${told(words)}`,
  });
  for (const arc of [...arcs].sort((a, b) => level.get(b) - level.get(a))) {
    picture.append(drawArc(arc, place, across, base, level.get(arc), top));
  }
  words.forEach((word, i) => picture.append(drawWord(word, i + 1, words, place, across, base, press, chosen)));
  return picture;
}

// An arc lies above all arcs between its ends.
function levelsOf(arcs) {
  const level = new Map();
  const ends = (arc) => [Math.min(arc.from, arc.to), Math.max(arc.from, arc.to)];
  const plain = arcs.filter((arc) => arc.from > 0).sort((a, b) => Math.abs(a.from - a.to) - Math.abs(b.from - b.to));
  for (const arc of plain) {
    const [left, right] = ends(arc);
    let highest = 0;
    for (const [other, own] of level) {
      const [begin, end] = ends(other);
      if (begin < right && end > left && own > highest) highest = own;
    }
    level.set(arc, highest + 1);
  }
  const top = Math.max(0, ...level.values());
  for (const arc of arcs) if (arc.from === 0) level.set(arc, top + 1);
  return level;
}

// Where words stand, and where each arc touches them: no two arcs at the same point.
function placesOf(words, arcs) {
  const touching = words.map(() => []);
  for (const arc of arcs) {
    if (arc.from > 0) touching[arc.from - 1].push([arc, arc.to]);
    touching[arc.to - 1].push([arc, arc.from]);
  }
  const labels = words.map((word) => widthOf(word.label || "", 12));
  const centers = [];
  const touch = new Map();
  let x = 12;
  words.forEach((word, i) => {
    const own = touching[i];
    const here = i + 1;
    const key = ([, other]) => (other === 0 ? 0 : other < here ? -1e6 + (here - other) : 1e6 - (other - here));
    own.sort((a, b) => key(a) - key(b));
    const width = Math.max(widthOf(word.form), widthOf(word.tag || "", 12), own.length * SLOT, 18);
    // Neighbors joined by an arc leave room for its label.
    if (i > 0) {
      const near = arcs.find((arc) => (arc.from === i && arc.to === here) || (arc.from === here && arc.to === i));
      const needed = near ? labels[near.to - 1] + 20 : 0;
      const distance = x + width / 2 - centers[i - 1];
      if (distance < needed) x += needed - distance;
    }
    centers.push(x + width / 2);
    own.forEach(([arc], k) => touch.set(`${arc.to}@${here}`, centers[i] + (k - (own.length - 1) / 2) * SLOT));
    x += width + GAP;
  });
  return { centers, touch, width: Math.ceil(x - GAP + 12) };
}

function drawArc(arc, place, across, base, level, top) {
  const group = svg("g", { class: arc.forced ? "arc forced" : "arc" });
  const end = across(place.touch.get(`${arc.to}@${arc.to}`));
  const tip = svg("polygon", { points: `${end - 4},${base - TIP} ${end + 4},${base - TIP} ${end},${base + 1}` });
  if (arc.from === 0) {
    const height = base - 14 - STEP * (top + 0.15);
    group.append(svg("path", { d: `M${end} ${height + 4}V${base - TIP}` }), tip);
    group.append(label(arc.label || "root", end, height, "middle"));
    return group;
  }
  const begin = across(place.touch.get(`${arc.to}@${arc.from}`));
  const height = base - STEP * level + 2;
  const way = begin < end ? 1 : -1;
  const round = Math.min(9, Math.abs(end - begin) / 2);
  group.append(
    svg("path", {
      d: `M${begin} ${base}V${height + round}Q${begin} ${height} ${begin + way * round} ${height}H${end - way * round}Q${end} ${height} ${end} ${height + round}V${base - TIP}`,
    }),
    tip,
  );
  if (arc.label) group.append(label(arc.label, (begin + end) / 2, height));
  return group;
}

function label(text, x, y) {
  const width = widthOf(text, 12) + 6;
  return svg(
    "g",
    {},
    svg("rect", { class: "behind", x: x - width / 2, y: y - 8, width, height: 16 }),
    svg("text", { class: "relation", x, y: y + 4 }, text),
  );
}

function drawWord(word, number, words, place, across, base, press, chosen) {
  const x = across(place.centers[number - 1]);
  const width = Math.max(widthOf(word.form), widthOf(word.tag || "", 12)) + 10;
  const parts = [
    svg("rect", { class: "hit", x: x - width / 2, y: base + 2, width, height: 41, rx: 6 }),
    svg("text", { x, y: base + 20, direction: isRightToLeft(word.form) ? "rtl" : null }, word.form),
    svg("text", { class: "tag", x, y: base + 37 }, word.tag || ""),
  ];
  if (!press) return svg("g", {}, parts);
  const head = word.head > 0 ? `${word.label} of ${words[word.head - 1].form}` : "root";
  const act = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press(number);
  };
  return svg(
    "g",
    {
      class: "word",
      role: "button",
      tabindex: "0",
      "data-word": number,
      "aria-label": `${word.form}, ${word.tag || "no tag"}, ${head}`,
      "aria-pressed": chosen === number ? "true" : "false",
      onclick: act,
      onkeydown: act,
    },
    parts,
  );
}

function told(words) {
  return words
    .map((word) => (word.head > 0 ? `${word.form} depends on ${words[word.head - 1].form}` : `${word.form} is the root`))
    .join("; ");
}
