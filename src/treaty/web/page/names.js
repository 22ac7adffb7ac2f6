// Names in color, with rules by hand.
import { caller } from "./calls.js";
import { afterPause, button, el, field, percent, select, textField, tools } from "./dom.js";
import { drawnProse } from "./prose.js";
import { verdict } from "./verdict.js";

const MOST_CHARACTERS = 40000;
const TYPES = { PER: "person", LOC: "place", ORG: "organization", MISC: "other name" };
const ONE = { PER: "a person", LOC: "a place", ORG: "an organization", MISC: "another name" };
const NONE = "O";

export const names = {
  title: "Names",
  about: "Persons, places, organizations and other names. Say what is a name, or is none, and see the best labels that obey.",
  example: () => ({ text: "Ada Lovelace was born in London and wrote to Charles Babbage. Apple opens a shop there in May.", phrases: [] }),
  open(root, state, save, attempt) {
    const call = caller();
    if (!Array.isArray(state.phrases)) state.phrases = [];
    const status = el("p", { class: "status", role: "status" });
    const result = el("div", {});
    const rules = el("div", {});
    let chosen = null;
    let records = [];
    let text = "";

    async function run() {
      save(state);
      drawRules();
      text = String(state.text).slice(0, MOST_CHARACTERS);
      if (!text.trim()) {
        call.stop();
        result.replaceChildren();
        status.textContent = "Nothing to read yet.";
        return;
      }
      status.textContent = "Reading…";
      const answer = await attempt(() => call.ask("label", { text, phrases: state.phrases }));
      if (!answer) {
        status.textContent = "";
        return;
      }
      records = answer.results;
      chosen = null;
      const count = records.reduce((sum, record) => sum + record.entities.length, 0);
      const cut = String(state.text).length > text.length ? ` The first ${MOST_CHARACTERS.toLocaleString("en")} characters are shown; treaty label takes the rest.` : "";
      status.textContent = `${count} ${count === 1 ? "name" : "names"}.${cut}`;
      draw();
    }

    function draw() {
      const prose = el("p", { class: "prose", dir: "auto" });
      const characters = [...text];
      let done = 0;
      for (const record of records) {
        for (const entity of record.entities) {
          const { start, end } = entity;
          if (start < done) continue;
          prose.append(characters.slice(done, start).join(""), mark(entity));
          done = end;
        }
      }
      prose.append(characters.slice(done).join(""));
      const groups = new Map(records.map((record) => [record.group, record.certificate]));
      const all = el("div", { class: "card" }, prose);
      for (const certificate of [...groups.values()].slice(0, 3)) all.append(verdict(certificate, "labeling", state.phrases.length > 0));
      all.append(tools(() => drawnProse(prose), "names", records));
      result.replaceChildren(all, chosen ? panel(chosen) : "");
    }

    function mark(entity) {
      const made = button([entity.text, el("small", {}, entity.type)], () => {
        chosen = chosen === entity ? null : entity;
        draw();
        result.querySelector('[aria-pressed="true"]')?.focus();
      }, { class: `name ${entity.type in TYPES ? entity.type : "MISC"}`, "aria-pressed": chosen === entity ? "true" : "false", "aria-label": `${entity.text}, ${TYPES[entity.type] || entity.type}` });
      return made;
    }

    function panel(entity) {
      const others = Object.keys(TYPES).filter((type) => type !== entity.type);
      return el(
        "div",
        { class: "card", role: "group", "aria-label": `The name ${entity.text}` },
        el("h2", {}, entity.text),
        el("p", {}, `${TYPES[entity.type] || entity.type}, confidence ${percent(entity.confidence)}: the share of such names that are right, on other texts.`),
        el(
          "p",
          { class: "row" },
          button("Not a name", () => add(entity.text, NONE), { class: "small" }),
          others.map((type) => button(`It is ${ONE[type]}`, () => add(entity.text, type), { class: "small" })),
        ),
      );
    }

    function add(phrase, type) {
      state.phrases = [...state.phrases.filter((rule) => rule.phrase !== phrase), { phrase, type }];
      run();
    }

    function drawRules() {
      const said = (rule) => (rule.type === NONE ? `“${rule.phrase}” is no name` : `“${rule.phrase}” is ${rule.type}`);
      const items = state.phrases.map((rule) =>
        el("li", {}, said(rule), button("×", () => {
          state.phrases = state.phrases.filter((one) => one !== rule);
          run();
        }, { "aria-label": `Remove: ${said(rule)}` })),
      );
      rules.replaceChildren(items.length ? el("ul", { class: "chips", "aria-label": "Your rules" }, items) : "");
    }

    const area = textField(state.text, (value) => {
      state.text = value;
      soon();
    }, { dir: "auto", rows: 5 });
    const soon = afterPause(run);
    const phrase = el("input", { type: "text", size: 24 });
    const type = select([...Object.entries(TYPES), [NONE, "no name"]], "PER", () => {}, { "aria-label": "What the phrase is" });
    const form = el(
      "form",
      { class: "row", onsubmit: (event) => {
        event.preventDefault();
        if (phrase.value.trim()) add(phrase.value.trim(), type.value);
        phrase.value = "";
      } },
      field("A phrase of your own", phrase),
      field("is", type),
      el("div", {}, el("span", { class: "label", "aria-hidden": "true" }, "\u00a0"), el("button", { type: "submit" }, "Add")),
    );
    const legend = el("p", { class: "row" }, Object.entries(TYPES).map(([name, title]) => el("span", { class: `swatch ${name}` }, `${name} ${title}`)));
    root.append(field("Text", area), status, legend, rules, result, form);
    run();
    return () => call.stop();
  },
};
