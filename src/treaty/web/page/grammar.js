// The best grammar for sentences of tags: bound and answer while the search runs.
import { caller } from "./calls.js";
import { drawChart } from "./chart.js";
import { button, el, field, number, textField, tools } from "./dom.js";
import { drawTree } from "./tree.js";
import { verdict } from "./verdict.js";

const OFTEN = 100;

export const grammar = {
  title: "Grammar",
  about: "Write tags, a sentence a line. The search looks for the trees, and the grammar, under which the sentences are most probable; the bound says what no grammar can exceed.",
  example: () => ({
    text: "Det Noun Verb\nDet Noun Verb Det Noun\nNoun Verb Noun\nVerb Det Noun\nNoun Verb\nPron Verb Det Adj Noun\nDet Adj Noun Verb Adv\nPron Verb Noun Adv\n",
    seconds: 10,
  }),
  open(root, state, save, attempt) {
    const call = caller();
    const status = el("p", { class: "status", role: "status" });
    const picture = el("div", {});
    const result = el("div", {});
    let running = false;

    async function run() {
      save(state);
      if (!String(state.text).trim()) {
        status.textContent = "Nothing to search yet.";
        return;
      }
      running = true;
      start.textContent = "Stop";
      result.replaceChildren();
      const points = [];
      let drawn = 0;
      let nodes = 0;
      const asked = { text: String(state.text), trees: true, time_limit: Number(state.seconds) || 10, relative_gap: 1e-6 };
      await attempt(() =>
        call.stream("induce", asked, (record) => {
          if (record.progress) {
            const { seconds, objective, bound, done } = record.progress;
            nodes = done;
            if (bound !== undefined) points.push({ x: seconds, objective, bound });
            if (performance.now() - drawn > OFTEN) {
              drawn = performance.now();
              draw(points);
              status.textContent = `Searching: ${nodes.toLocaleString("en")} parts of the space, ${number(seconds, 1)} s.`;
            }
            return;
          }
          const { objective, bound, seconds } = record.certificate;
          points.push({ x: Math.max(seconds, points.at(-1)?.x ?? 0), objective, bound });
          draw(points, record);
          status.textContent = `${record.certificate.iterations.toLocaleString("en")} parts of the space in ${number(seconds, 2)} s.`;
          result.replaceChildren(...answer(record));
        }),
      );
      running = false;
      start.textContent = "Search";
    }

    function draw(points, record = null) {
      const chart = drawChart(points, { across: "second" });
      picture.replaceChildren(el("figure", { class: "card" }, el("div", {}, chart), record ? el("figcaption", {}, verdict(record.certificate, "set of trees"), tools(chart, "search", record)) : ""));
    }

    function answer(record) {
      if (!record.trees) return [el("p", { class: "note" }, "No trees were found in time.")];
      const rules = record.rules.filter((rule) => rule.at(-1) < 1).slice(0, 40);
      return [
        el("h2", {}, "Trees"),
        el("div", { class: "grid" }, record.trees.slice(0, 12).map(({ tags, heads }, i) => {
          const drawn = drawTree(tags.map((form, k) => ({ form, head: heads[k], tag: "" })), { title: `Tree ${i + 1}` });
          return el("figure", { class: "card" }, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Tree ${i + 1}` }, drawn), tools(drawn, `grammar-tree-${i + 1}`));
        })),
        el("h2", {}, "Rules that are not certain"),
        el("div", { class: "card" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "rule"), el("th", { scope: "col", class: "number" }, "probability"))), el("tbody", {}, rules.map((rule) => el("tr", {}, el("td", {}, rule.slice(0, -1).join(" ")), el("td", { class: "number" }, number(rule.at(-1))))))))
      ];
    }

    const area = textField(state.text, (text) => {
      state.text = text;
      save(state);
    }, { rows: 9 });
    const seconds = el("input", { type: "number", min: 1, max: 60, value: state.seconds, onchange: () => (state.seconds = Number(seconds.value)) });
    const start = button("Search", () => {
      if (running) call.stop();
      else run();
    }, { class: "main" });
    root.append(
      el("div", { class: "columns narrow" }, el("div", {}, field("Sentences of tags", area), el("div", { class: "row" }, field("Seconds at most", seconds), el("div", {}, el("span", { class: "label", "aria-hidden": "true" }, "\u00a0"), start)), status), el("div", {}, picture)),
      result,
    );
    draw([]);
    return () => call.stop();
  },
};
