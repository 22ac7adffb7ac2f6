// An editor for small factor graphs: solve, and watch bound and answer approach each other.
import { caller } from "./calls.js";
import { drawChart } from "./chart.js";
import { afterPause, button, el, field, number, select, svg, tools, widthOf } from "./dom.js";
import { verdict } from "./verdict.js";

const KINDS = [
  ["exactly_one", "exactly one of"], ["at_most_one", "at most one of"], ["at_least_one", "at least one of"],
  ["implies", "the first implies the rest"], ["at_most", "at most k of"], ["exactly", "exactly k of"], ["at_least", "at least k of"],
  ["reward", "a score if all are on"], ["knapsack", "costs within a capacity"], ["or_with_output", "the last is on if any other is"],
  ["and_with_output", "the last is on if all others are"], ["xor_with_output", "the last is on if one other is"],
];
const SHORT = { exactly_one: "= 1", at_most_one: "≤ 1", at_least_one: "≥ 1", implies: "⇒", reward: "+", knapsack: "Σ ≤", or_with_output: "or", and_with_output: "and", xor_with_output: "xor" };
const COUNTED = ["at_most", "exactly", "at_least"];
const METHODS = [["ad3", "AD3"], ["subgradient", "subgradient"], ["exact", "branch and bound"], ["lp", "linear program"], ["ilp", "integer program"]];

export const graph = {
  title: "Graph",
  about: "Variables are on or off and have scores; factors tie them. Solve, and watch the bound come down to the answer. ~name is the opposite of a variable.",
  example: () => ({
    variables: [
      { name: "sun", score: 1.2 }, { name: "rain", score: 0.7 }, { name: "hat", score: -0.1 }, { name: "umbrella", score: -0.3 },
      { name: "walk", score: 0.8 }, { name: "read", score: 0.9 }, { name: "swim", score: 0.85 },
    ],
    factors: [
      { kind: "exactly_one", of: "sun, rain" }, { kind: "implies", of: "rain, umbrella" }, { kind: "at_most", of: "hat, umbrella", k: 1 },
      { kind: "reward", of: "sun, hat", score: 0.4 }, { kind: "at_most_one", of: "walk, read" }, { kind: "at_most_one", of: "read, swim" }, { kind: "at_most_one", of: "swim, walk" },
    ],
    method: "ad3",
  }),
  open(root, state, save, attempt) {
    const call = caller();
    const status = el("p", { class: "status", role: "status" });
    const [variables, factors, result] = [el("tbody", {}), el("div", {}), el("div", {})];
    if (!Array.isArray(state.variables)) state.variables = [];
    if (!Array.isArray(state.factors)) state.factors = [];
    const names = (text) => String(text).split(",").map((name) => name.trim()).filter(Boolean);
    const numbers = (text) => names(text).map(Number);

    function record() {
      return {
        variables: state.variables.map(({ name, score, fixed }) => ({ name: String(name), score: Number(score) || 0, ...(typeof fixed === "boolean" ? { fixed } : {}) })),
        factors: state.factors.map((factor) => ({
          kind: factor.kind,
          of: names(factor.of),
          ...(COUNTED.includes(factor.kind) ? { k: Number(factor.k) || 0 } : {}),
          ...(factor.kind === "reward" ? { score: Number(factor.score) || 0 } : {}),
          ...(factor.kind === "knapsack" ? { costs: numbers(factor.costs ?? ""), capacity: Number(factor.capacity) || 0 } : {}),
        })),
      };
    }

    async function run() {
      save(state);
      if (!state.variables.length) {
        result.replaceChildren();
        status.textContent = "Add a variable.";
        return;
      }
      const asked = { graph: record(), method: state.method, trace: ["ad3", "subgradient", "exact"].includes(state.method), time_limit: 10 };
      const answer = await attempt(() => call.ask("solve", asked));
      if (!answer) return;
      const on = new Set(answer.names.filter((_, i) => answer.values?.[i] === 1));
      const picture = drawGraph(asked.graph, on);
      const points = (answer.trace || []).map((row) => ({ x: row.iteration, objective: row.objective, bound: row.bound }));
      const { objective, bound, iterations } = answer.certificate;
      if (bound !== null) points.push({ x: Math.max(iterations, points.at(-1)?.x ?? 0), objective, bound });
      const chart = drawChart(points, { across: state.method === "exact" ? "node" : "iteration" });
      status.textContent = answer.values ? `On: ${[...on].join(", ") || "nothing"}.` : "No answer.";
      result.replaceChildren(
        el("figure", { class: "card" }, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Picture of the graph" }, picture), el("figcaption", {}, verdict(answer.certificate, "assignment", state.variables.some((one) => typeof one.fixed === "boolean")), tools(picture, "graph", { ...asked, answer }))),
        el("figure", { class: "card" }, el("h2", {}, "Bound and answer"), chart, el("figcaption", {}, tools(chart, "course", answer))),
      );
    }

    const soon = afterPause(run, 350);
    const change = (object, key) => (event) => {
      object[key] = event.target.type === "number" ? Number(event.target.value) : event.target.value;
      soon();
    };

    function drawVariables() {
      variables.replaceChildren(
        ...state.variables.map((variable, i) => {
          const fixed = typeof variable.fixed === "boolean" ? String(variable.fixed) : "";
          return el(
            "tr",
            {},
            el("td", {}, el("input", { type: "text", value: variable.name, "aria-label": `Name of variable ${i + 1}`, oninput: change(variable, "name") })),
            el("td", {}, el("input", { type: "number", step: "0.1", value: variable.score, "aria-label": `Score of ${variable.name}`, oninput: change(variable, "score") })),
            el("td", {}, select([["", "free"], ["true", "forced on"], ["false", "forced off"]], fixed, (value) => {
              if (value === "") delete variable.fixed;
              else variable.fixed = value === "true";
              run();
            }, { "aria-label": `Constraint on ${variable.name}` })),
            el("td", {}, button("×", () => {
              state.variables.splice(i, 1);
              drawVariables();
              run();
            }, { class: "quiet", "aria-label": `Remove variable ${variable.name}` })),
          );
        }),
      );
    }

    function drawFactors() {
      factors.replaceChildren(
        ...state.factors.map((factor, i) => {
          const own = (title, key, type = "number") => el("input", { type, step: "0.1", value: factor[key] ?? "", "aria-label": `${title} of factor ${i + 1}`, oninput: change(factor, key) });
          const more = COUNTED.includes(factor.kind) ? [el("span", {}, "k"), own("k", "k")] : factor.kind === "reward" ? [el("span", {}, "score"), own("Score", "score")] : factor.kind === "knapsack" ? [el("span", {}, "costs"), own("Costs", "costs", "text"), el("span", {}, "capacity"), own("Capacity", "capacity")] : [];
          return el(
            "div",
            { class: "row factor" },
            select(KINDS, factor.kind, (kind) => {
              factor.kind = kind;
              drawFactors();
              run();
            }, { "aria-label": `Kind of factor ${i + 1}` }),
            el("input", { type: "text", value: factor.of, "aria-label": `Variables of factor ${i + 1}`, oninput: change(factor, "of") }),
            more,
            button("×", () => {
              state.factors.splice(i, 1);
              drawFactors();
              run();
            }, { class: "quiet", "aria-label": `Remove factor ${i + 1}` }),
          );
        }),
      );
    }

    const method = select(METHODS, state.method, (value) => {
      state.method = value;
      run();
    });
    root.append(
      el(
        "div",
        { class: "columns even" },
        el(
          "div",
          { class: "editor" },
          el("h2", {}, "Variables"),
          el("table", {}, el("thead", { class: "hidden" }, el("tr", {}, ["name", "score", "constraint", "remove"].map((title) => el("th", { scope: "col" }, title)))), variables),
          el("p", { class: "row" }, button("Add a variable", () => {
            state.variables.push({ name: `x${state.variables.length + 1}`, score: 1 });
            drawVariables();
            run();
          })),
          el("h2", {}, "Factors"),
          factors,
          el("div", { class: "row" }, button("Add a factor", () => {
            state.factors.push({ kind: "at_most_one", of: state.variables.slice(0, 2).map((one) => one.name).join(", ") });
            drawFactors();
            run();
          }), field("Method", method)),
          status,
        ),
        result,
      ),
    );
    drawVariables();
    drawFactors();
    run();
    return () => call.stop();
  },
};

// Variables in a row, factors below; dashed lines lead to negated variables.
function drawGraph({ variables, factors }, on) {
  const widths = variables.map((one) => Math.max(46, widthOf(one.name, 13) + 18));
  const xs = [];
  let x = 12;
  for (const width of widths) {
    xs.push(x + width / 2);
    x += width + 18;
  }
  const place = new Map(variables.map((one, i) => [one.name, xs[i]]));
  const size = 44;
  const wanted = factors
    .map((factor, i) => {
      const own = factor.of.map((name) => place.get(name.replace(/^~/, ""))).filter((value) => value !== undefined);
      return { factor, i, x: own.length ? own.reduce((a, b) => a + b, 0) / own.length : 30 };
    })
    .sort((a, b) => a.x - b.x);
  let last = -1e9;
  for (const one of wanted) {
    one.x = Math.max(one.x, last + size + 12, size / 2 + 4);
    last = one.x;
  }
  const width = Math.max(x, last + size / 2 + 12, 120);
  const [top, below] = [46, 150];
  const lines = wanted.flatMap(({ factor, x: at }) =>
    factor.of
      .filter((name) => place.has(name.replace(/^~/, "")))
      .map((name) => svg("line", { x1: at, y1: below, x2: place.get(name.replace(/^~/, "")), y2: top, "stroke-dasharray": name.startsWith("~") ? "5 4" : null })),
  );
  const boxes = wanted.map(({ factor, x: at }) => {
    const text = SHORT[factor.kind] ?? { at_most: `≤ ${factor.k}`, exactly: `= ${factor.k}`, at_least: `≥ ${factor.k}` }[factor.kind];
    return svg("g", {}, svg("rect", { x: at - size / 2, y: below - 14, width: size, height: 28, rx: 4 }), svg("text", { class: "kind", x: at, y: below + 4 }, factor.kind === "reward" ? `${factor.score > 0 ? "+" : ""}${factor.score}` : text));
  });
  const circles = variables.map((one, i) => {
    const state = on.has(one.name) ? "on" : "";
    return svg("g", {}, svg("circle", { class: state, cx: xs[i], cy: top, r: Math.min(30, widths[i] / 2) }), svg("text", { class: state, x: xs[i], y: top + 4 }, one.name.length > 9 ? `${one.name.slice(0, 8)}…` : one.name), svg("text", { class: "score", x: xs[i], y: 11 }, number(one.score, 2)));
  });
  const told = variables.map((one) => `${one.name} is ${on.has(one.name) ? "on" : "off"}`).join(", ");
  return svg("svg", { class: "graph", width, height: below + 26, viewBox: `0 0 ${width} ${below + 26}`, role: "img", "aria-label": `Factor graph: ${told}` }, lines, boxes, circles);
}
