// Certificates in words that nobody takes for a promise of correctness.
import { el, number, percent } from "./dom.js";

// What a certificate proves of an answer, such as "tree"; `obeys` if the user has set constraints.
export function verdict(certificate, what, obeys = false) {
  const { status, objective, bound, gap, relative_gap: relative } = certificate;
  const among = obeys ? ` among those that obey your constraints` : "";
  const scores = [
    el("span", {}, `score ${number(objective)}`),
    el("span", {}, bound === null ? "no bound yet" : `bound ${number(bound)}`),
  ];
  if (status === "OPTIMAL") {
    const told = `The model’s best ${what}${among}; nothing about the world.`;
    return line("good", "Model’s best", told, scores);
  }
  if (status === "INFEASIBLE") return line("bad", "Impossible", `No ${what} obeys everything that is demanded.`, []);
  if (objective === null) return line("bad", "No answer", `No ${what} was found in time; the bound holds all the same.`, scores);
  const far = gap === null ? "how far it is from the model’s best is not known" : `the model’s best${among} scores at most ${number(gap)} more (${percent(relative)})`;
  return line("middling", gap === null ? "No bound" : "Near the model’s best", `A good ${what}, not proved to be the best: ${far}.`, scores);
}

function line(kind, short, told, scores) {
  return el("p", { class: "verdict" }, el("strong", { class: kind }, short), el("span", {}, told), ...scores);
}
