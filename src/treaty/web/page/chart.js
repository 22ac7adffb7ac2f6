// Bound and answer, which approach each other.
import { number, svg } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 64;
const RIGHT = 110;
const BOTTOM = 30;

// points: [{x, objective, bound}], either may be null.
export function drawChart(points, { across = "iteration", what = "answer" } = {}) {
  const picture = svg("svg", { class: "chart", width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": told(points, across) });
  const known = points.filter((point) => point.bound !== null);
  if (!known.length) {
    picture.append(svg("text", { x: LEFT, y: HEIGHT / 2 }, "No bound yet."));
    return picture;
  }
  const values = known.flatMap((point) => [point.bound, point.objective]).filter((value) => value !== null);
  let [low, high] = frame(known, values);
  if (high - low < 1e-9) [low, high] = [low - 1, high + 1];
  const room = 0.08 * (high - low);
  [low, high] = [low - room, high + room];
  const last = Math.max(known.at(-1).x, known[0].x + 1e-9);
  const x = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - known[0].x)) / (last - known[0].x);
  const y = (value) => 10 + (HEIGHT - BOTTOM - 10) * (1 - (Math.min(Math.max(value, low), high) - low) / (high - low));
  const steps = (name) => {
    const own = known.filter((point) => point[name] !== null);
    return own.map((point, i) => `${i ? `H${x(point.x).toFixed(1)}V` : `M${x(point.x).toFixed(1)} `}${y(point[name]).toFixed(1)}`).join("");
  };
  picture.append(svg("path", { class: "axis", d: `M${LEFT} 6V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }));
  const both = known.filter((point) => point.objective !== null);
  if (both.length > 1) {
    const up = both.map((p, i) => `${i ? `H${x(p.x).toFixed(1)}V` : `M${x(p.x).toFixed(1)} `}${y(p.bound).toFixed(1)}`).join("");
    const back = [...both].reverse().map((p) => `V${y(p.objective).toFixed(1)}H${x(p.x).toFixed(1)}`).join("");
    picture.append(svg("path", { class: "between", d: `${up}${back}Z` }));
  }
  for (const name of ["bound", "objective"]) {
    const kind = name === "bound" ? "bound" : "answer";
    picture.append(svg("path", { class: kind, d: steps(name) }));
  }
  const end = known.at(-1);
  const tops = [end.bound === null ? null : y(end.bound), end.objective === null ? null : y(end.objective)];
  if (tops[0] !== null && tops[1] !== null && tops[1] - tops[0] < 16) {
    const middle = (tops[0] + tops[1]) / 2;
    tops[0] = middle - 8;
    tops[1] = middle + 8;
  }
  if (tops[0] !== null) picture.append(svg("text", { class: "bound", x: WIDTH - RIGHT + 6, y: tops[0] + 4 }, `bound ${number(end.bound, 2)}`));
  if (tops[1] !== null) picture.append(svg("text", { class: "answer", x: WIDTH - RIGHT + 6, y: tops[1] + 4 }, `${what} ${number(end.objective, 2)}`));
  for (const value of [low + room, high - room]) picture.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value, 2)));
  picture.append(
    svg("text", { x: LEFT, y: HEIGHT - 10 }, number(known[0].x, 1)),
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 10, "text-anchor": "end" }, `${across} ${number(last, 1)}`),
  );
  return picture;
}

// The first steps may be far off; the frame is that of the rest.
function frame(known, values) {
  const sorted = [...values].sort((a, b) => a - b);
  const all = [sorted[0], sorted.at(-1)];
  const late = known.slice(Math.floor(known.length / 3)).flatMap((point) => [point.bound, point.objective]).filter((value) => value !== null);
  const most = [Math.min(...late), Math.max(...late)];
  return all[1] - all[0] > 6 * (most[1] - most[0]) && most[1] > most[0] ? most : all;
}

function told(points, across) {
  const end = points.at(-1);
  if (!end) return "No bound yet";
  return `After ${across} ${number(end.x, 1)}: bound ${number(end.bound)}, answer ${number(end.objective)}`;
}
