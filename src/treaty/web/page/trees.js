// Trees as you type, with constraints by hand.
import { caller } from "./calls.js";
import { afterPause, button, el, number, percent, select, svg, textField, field, tools } from "./dom.js";
import { drawTree } from "./tree.js";
import { verdict } from "./verdict.js";

const MOST_CHARACTERS = 12000;
const AT_FIRST = 20;
const TAGS = ["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"];

export const trees = {
  title: "Trees",
  about: "Type a text and see what depends on what. Choose a word for its tags and other heads; force or forbid an arc or a tag, and see the best tree that obeys.",
  example: () => ({ text: "She saw the man with the telescope. Old friends can fish.", constraints: [] }),
  open(root, state, save, attempt) {
    const call = caller();
    const status = el("p", { class: "status", role: "status" });
    const list = el("div", {});
    const cards = [];
    if (!Array.isArray(state.constraints)) state.constraints = [];

    async function run() {
      save(state);
      const text = String(state.text).slice(0, MOST_CHARACTERS);
      cards.length = 0;
      if (!text.trim()) {
        call.stop();
        list.replaceChildren();
        status.textContent = "Nothing to parse yet.";
        return;
      }
      status.textContent = "Parsing…";
      const seen = [];
      let later = null;
      const done = await attempt(() =>
        call.stream("parse", { text, alternatives: 5, confidences: true }, (record) => {
          seen.push(record);
          if (seen.length <= AT_FIRST) {
            if (seen.length === 1) list.replaceChildren();
            addCard(record);
          }
        }),
      );
      if (!done) {
        if (done === undefined) status.textContent = "";
        return;
      }
      const rest = seen.slice(AT_FIRST);
      if (rest.length) {
        later = button(`Draw ${rest.length} more`, () => {
          later.remove();
          rest.forEach(addCard);
        });
        list.append(later);
      }
      const cut = String(state.text).length > text.length ? ` The first ${MOST_CHARACTERS.toLocaleString("en")} characters are parsed here; treaty parse takes the rest.` : "";
      status.textContent = `${seen.length} ${seen.length === 1 ? "sentence" : "sentences"}.${cut}`;
      for (const sentence of new Set(state.constraints.map((one) => one.sentence))) cards[sentence - 1]?.renew();
    }

    function addCard(record) {
      const card = sentenceCard(record, cards.length + 1, state, save, attempt);
      cards.push(card);
      list.append(card.element);
    }

    const soon = afterPause(run);
    const area = textField(state.text, (text) => {
      state.text = text;
      state.constraints = [];
      soon();
    }, { dir: "auto", rows: 4 });
    root.append(field("Text", area), status, list);
    run();
    return () => call.stop();
  },
};

// A sentence: picture, certificate, the chosen word, and what is demanded of it.
function sentenceCard(free, order, state, save, attempt) {
  const call = caller();
  const element = el("figure", { class: "card" });
  let record = free;
  let chosen = 0;
  const own = () => state.constraints.filter((one) => one.sentence === order);

  function draw(keepFocus = false) {
    const words = record.tokens.map((token) => ({
      form: token.form,
      tag: token.upos,
      head: token.head,
      label: token.deprel,
      forced: own().some((one) => one.kind === "attach" && one.word === token.id),
    }));
    const picture = drawTree(words, { press: choose, chosen, title: `Tree of sentence ${order}` });
    const cost = free.certificate.objective - record.certificate.objective;
    element.replaceChildren(
      el("div", { class: "scroll" }, picture),
      el(
        "figcaption",
        {},
        verdict(record.certificate, "tree", own().length > 0),
        own().length && cost > 1e-6 ? el("p", { class: "status" }, `Obeying costs ${number(cost)} of the score of the model’s free choice.`) : null,
        chips(),
        tools(picture, `tree-${order}`, record),
        chosen ? panel(record.tokens[chosen - 1]) : null,
      ),
    );
    if (keepFocus) picture.querySelector(`[data-word="${chosen}"]`)?.focus();
  }

  function choose(word) {
    chosen = chosen === word ? 0 : word;
    draw();
    element.querySelector(`[data-word="${word}"]`)?.focus();
  }

  async function renew() {
    save(state);
    if (!own().length) {
      record = free;
      draw(true);
      return;
    }
    const asked = { text: wordsOf(free), input_format: "tokens", alternatives: 5, constraints: own().map((one) => ({ ...one, sentence: 1 })) };
    const answer = await attempt(() => call.ask("parse", asked));
    if (answer) record = { ...answer.results[0], text: free.text };
    else if (answer === undefined && own().length) state.constraints.splice(state.constraints.indexOf(own().at(-1)), 1);
    save(state);
    draw(true);
  }

  function demand(kind, word, more) {
    const same = (one) => one.sentence === order && one.word === word;
    const clash = (one) =>
      same(one) && ((kind === "attach" && one.kind === "attach") || (kind === "tag" && one.kind === "tag") || (more.head !== undefined && one.head === more.head) || (more.upos && one.upos === more.upos));
    state.constraints = state.constraints.filter((one) => !clash(one));
    state.constraints.push({ kind, sentence: order, word, ...more });
    renew();
  }

  function chips() {
    if (!own().length) return null;
    const form = (id) => (id === 0 ? "the root" : `“${free.tokens[id - 1]?.form ?? "?"}”`);
    const said = (one) =>
      ({
        attach: () => `${form(one.word)} depends on ${form(one.head)}`,
        never: () => `${form(one.word)} does not depend on ${form(one.head)}`,
        tag: () => `${form(one.word)} is ${one.upos}`,
        not_tag: () => `${form(one.word)} is not ${one.upos}`,
      })[one.kind]?.() ?? one.kind;
    return el(
      "ul",
      { class: "chips", "aria-label": "Your constraints" },
      own().map((one) =>
        el("li", {}, said(one), button("×", () => {
          state.constraints.splice(state.constraints.indexOf(one), 1);
          renew();
        }, { "aria-label": `Remove: ${said(one)}` })),
      ),
    );
  }

  function panel(token) {
    const sure = (name) => (token[name] === undefined ? "" : ` (confidence ${percent(token[name])})`);
    const form = (id) => (id === 0 ? "the root" : record.tokens[id - 1].form);
    const facts = [
      ["lemma", token.lemma],
      ["tag", `${token.upos}${token.xpos ? ` · ${token.xpos}` : ""}${sure("tag_confidence")}`],
      ["features", token.feats?.replaceAll("|", ", ")],
      ["head", `${form(token.head)}${sure("arc_confidence")}`],
      ["relation", `${token.deprel}${sure("label_confidence")}`],
    ].filter(([, value]) => value);
    const others = (token.alternatives || []).map(({ head, probability }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, form(head)),
        el("td", {}, bar(probability), ` ${percent(probability)}`),
        el(
          "td",
          { class: "number" },
          button("Force", () => demand("attach", token.id, { head }), { class: "small", "aria-label": `Force: ${token.form} depends on ${form(head)}` }),
          " ",
          button("Forbid", () => demand("never", token.id, { head }), { class: "small", "aria-label": `Forbid: ${token.form} depends on ${form(head)}` }),
        ),
      ),
    );
    const anyHead = select([["0", "the root"], ...record.tokens.filter((one) => one.id !== token.id).map((one) => [String(one.id), `${one.id} ${one.form}`])], String(token.head), () => {}, { "aria-label": `Any head of ${token.form}` });
    const tag = select(TAGS, token.upos, () => {}, { "aria-label": `Any tag of ${token.form}` });
    return el(
      "div",
      { class: "columns even panel", role: "group", "aria-label": `The word ${token.form}` },
      el("div", {}, el("h2", {}, token.form), el("dl", { class: "facts" }, facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))),
      el(
        "div",
        {},
        el("h3", {}, "Heads it could have"),
        el("p", { class: "status" }, "Probabilities of the first-order model, which ranks candidates."),
        el("table", {}, el("tbody", {}, others)),
        el("p", { class: "row tools" }, anyHead, button("Force head", () => demand("attach", token.id, { head: Number(anyHead.value) }), { class: "small" }), button("Forbid head", () => demand("never", token.id, { head: Number(anyHead.value) }), { class: "small" })),
        el("p", { class: "row tools" }, tag, button("Force tag", () => demand("tag", token.id, { upos: tag.value }), { class: "small" }), button("Forbid tag", () => demand("not_tag", token.id, { upos: tag.value }), { class: "small" })),
      ),
    );
  }

  draw();
  return { element, renew };
}

function bar(share) {
  const width = Math.max(1, Math.round(60 * share));
  return svg("svg", { width: 60, height: 9, class: "bar-box", "aria-hidden": "true" }, svg("rect", { width, height: 9, rx: 3 }));
}

function wordsOf(record) {
  return `${record.tokens.map((token) => token.form.replaceAll(/\s+/g, "_")).join(" ")}\n`;
}
